#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes map.hlw and forces.hlw of this package: 50 by 40 hexes and 300 counters, always the same ones.

The same country goes into ../../yardstick_march_data.inc for the search written by hand. Run it in its own folder, without arguments. The output is committed; only a change of this script makes it needed
again. Two rivers run from north to south, four roads cross them from west to east and two follow them; woods,
hills, marshes and lakes lie in patches. The sides stand in stacks of three, Blue in the west, Red in the east,
close enough in the middle for their zones to matter.
"""

import random

COLUMNS, ROWS = 50, 40
rng = random.Random(1740)  # only random() is used, whose sequence Python promises to keep


def below(n):
    return int(rng.random() * n)


def number(hex_):
    return "%02d%02d" % hex_


def neighbours(hex_):
    """The neighbours in play on a pointed grid whose even rows are pushed right."""
    column, row = hex_
    side = column if row % 2 == 0 else column - 1
    around = [(side, row - 1), (side + 1, row - 1), (column - 1, row), (column + 1, row), (side, row + 1), (side + 1, row + 1)]
    return [(c, r) for c, r in around if 1 <= c <= COLUMNS and 1 <= r <= ROWS]


ALL = [(c, r) for r in range(1, ROWS + 1) for c in range(1, COLUMNS + 1)]
ground = {h: "." for h in ALL}
for letter, patches, size in (("w", 28, 16), ("h", 22, 14), ("m", 10, 8), ("l", 6, 5)):
    for _ in range(patches):
        patch = [ALL[below(len(ALL))]]
        while len(patch) < size:
            around = neighbours(patch[below(len(patch))])
            patch.append(around[below(len(around))])
        for h in patch:
            ground[h] = letter


def road(start, goal):
    """A walk that never meets a lake: each step to the neighbour nearest to the goal, found by search."""
    before, queue = {start: None}, [start]
    for h in queue:
        for n in neighbours(h):
            if n not in before and ground[n] != "l":
                before[n] = h
                queue.append(n)
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def open_hex(column, row):
    while ground[(column, row)] == "l":
        row += 1
    return (column, row)


roads = [("Post road %d" % (i + 1), road(open_hex(1, row), open_hex(COLUMNS, row + 1))) for i, row in enumerate((5, 14, 23, 33))]
roads += [("River road %d" % (i + 1), road(open_hex(column, 1), open_hex(column + 2, ROWS - 1))) for i, column in enumerate((12, 36))]

rivers = []
for name, middle in (("Weide", 19), ("Ohle", 31)):
    bank, west = middle, set()
    for row in range(1, ROWS + 1):
        bank += below(3) - 1
        west |= {(c, row) for c in range(1, bank + 1)}
    sides = [(a, b) for a in sorted(west, key=lambda h: (h[1], h[0])) for b in neighbours(a) if b not in west]
    rivers.append((name, sides))

river_sides = {frozenset(s) for _, sides in rivers for s in sides}
bridges = []
for _, way in roads:
    for a, b in zip(way, way[1:]):
        if frozenset((a, b)) in river_sides and (a, b) not in bridges and (b, a) not in bridges:
            bridges.append((a, b))

taken = set()


def stack(low, high):
    while True:
        h = (low + below(high - low + 1), 1 + below(ROWS))
        if h not in taken and ground[h] != "l":
            taken.add(h)
            return h


def wrap(lead, items, width=110):
    lines, line = [], lead
    for item in items:
        if len(line) + 1 + len(item) > width:
            lines.append(line)
            line = " " * len(lead)
        line += " " + item
    return "\n".join(lines + [line]) + "\n"


out = ["// Made by generate.py: 50 by 40 hexes.\n\n", "map Country {\n", "  grid   pointed, even rows pushed right\n"]
out += ["  size   %d by %d\n" % (COLUMNS, ROWS), "  number column row\n", "  rows {\n"]
for row in range(1, ROWS + 1):
    cells = " ".join(ground[(c, row)] for c in range(1, COLUMNS + 1))
    out.append("    | %02d | %s%s |\n" % (row, " " if row % 2 == 0 else "", cells))
out.append("  }\n")
for name, way in roads:
    out.append(wrap("  road '%s' along" % name, [number(h) for h in way]))
for name, sides in rivers:
    out.append(wrap("  river %s on" % name, ["%s/%s" % (number(a), number(b)) for a, b in sides]))
out.append(wrap("  bridge on", ["%s/%s" % (number(a), number(b)) for a, b in bridges]))
out.append("}\n")
with open("map.hlw", "w", encoding="utf-8") as file:
    file.write("".join(out))

KINDS = (("Brigade", 34, 4), ("Squadron", 12, 8), ("Courier", 4, 20))  # name, stacks a side, movement
out = ["// Made by generate.py: 300 counters, in stacks of three.\n"]
stacks = []
for side, low, high in (("Blue", 2, 26), ("Red", 25, 49)):
    out.append("\nforces %s {\n  Unit {\n    | name         | copies | move | at   |\n" % side)
    for name, count, move in KINDS:
        for i in range(1, count + 1):
            stacks.append((side, stack(low, high), move))
            out.append("    | %-12s | 3      | %-4d | %s |\n" % ("'%s %d'" % (name, i), move, number(stacks[-1][1])))
    out.append("  }\n}\n")
with open("forces.hlw", "w", encoding="utf-8") as file:
    file.write("".join(out))


def cell(h):
    return (h[1] - 1) * COLUMNS + h[0] - 1


def array(name, pairs):
    return wrap("constexpr std::uint16_t %s[][2] = {" % name, ["{%d, %d}," % (cell(a), cell(b)) for a, b in pairs]).rstrip() + "};\n"


data = ["// Made by packages/march/generate.py. Cells are (row - 1) * 50 + (column - 1).\n// clang-format off\n"]
data.append("constexpr std::string_view ground[] = {\n")
for row in range(1, ROWS + 1):
    data.append('    "%s",\n' % "".join(ground[(c, row)] for c in range(1, COLUMNS + 1)))
data.append("};\n")
data.append(array("roadSteps", [step for _, way in roads for step in zip(way, way[1:])]))
data.append(array("riverSides", [s for _, sides in rivers for s in sides]))
data.append(array("bridgeSides", bridges))
placed = ["{%d, %d, %d}," % (0 if side == "Blue" else 1, cell(h), move) for side, h, move in stacks]
data.append(wrap("constexpr std::uint16_t stacks[][3] = {", placed).rstrip() + "}; // side, cell, movement\n// clang-format on\n")
with open("../../yardstick_march_data.inc", "w", encoding="utf-8") as file:
    file.write("".join(data))
