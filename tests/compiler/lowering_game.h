// SPDX-License-Identifier: Apache-2.0
// A small made-up game in whose rules each construct that is lowered stands once or more.
#pragma once

namespace hellwig::test {

inline const char* const loweringGame = R"hlw(game "Trial" {
  language 1
  side Red "Reds"
  side Blue "Blues"
}

box Reserve "Reserve"
box Lost "Lost"

terrain hex Ground {
  | ground | code | slow | blocks |
  | open   | .    | no   | no     |
  | forest | F    | yes  | yes    |
  | hill   | H    | yes  | no     |
}
terrain path Way is road

type Arm {
  | arm  | mounted | weight |
  | foot | no      | 1      |
  | guns | no      | 3      |
  | dragoons | yes | 2      |
}
type Face is fresh, spent
type Outcome is nothing_done, push, break_up

counter Unit, units {
  printed arm: Arm, strength: int, reach: int
  faces   Face
  state   moved = no, level: int = 0 resets each player turn
}

forces Red at Reserve {
  Unit {
    | name | copies | arm      | strength | reach |
    | Foot | 3      | foot     | 4        | 1     |
    | Gun  | 1      | guns     | 2        | 3     |
    | Rider | 2     | dragoons | 3        | 1     |
  }
}
forces Blue at Reserve {
  Unit {
    | name | copies | arm      | strength | reach |
    | Foot | 4      | foot     | 5        | 1     |
    | Gun  | 2      | guns     | 1        | 4     |
  }
}

map Field {
  grid   pointed, even rows pushed right
  size   7 by 6
  number column row
  rows {
    | 01 | . . . F . . . |
    | 02 | . F . . . H . |
    | 03 | . . . F F . . |
    | 04 | H . . . . . . |
    | 05 | . . F . H . . |
    | 06 | . . . . . . F |
  }
  road 'High road' along 0101 0201 0301 0302 0303
  area West at 0101 0102 0103 0201
}

state noise: int = 0
state tally: int = 0
state marked: set of hex = none

// ---- values

value arith(a: int, b: int): int = (a + b) * 3 - a mod 4
value ratio(a: int, b: int): fraction = a / b + 1
value picked(a: int): int = if a < 3 then a * 10 else smaller(a, 7)
value steps(a: int): int = a {
  add 5            when a > 2 as "bonus"
  multiply by 3/2, round up
  at most 20
  subtract 1       when noise > 0
  become 99        when a is 50
}
value halves(u: Unit): fraction = u.strength {
  divide by 2 when u is spent
  add 1/3     when u.moved
}
value span_of(a: int): int = larger(a, 3)
value twice(a: int): int = span_of(a) * 2
value nested(a: int): bool = (a > 2 and a < 9) or a is 20
value near_west(u: Unit): set of hex = hexes within u.reach of u {
  subtract West
  add hexes adjacent to u when u is spent
}
value where_is(u: Unit): hex? = if u.on_map then u.hex else none
value how_far(u: Unit, h: hex): int = distance(u.where_is, h) otherwise 99

table Fight(margin: int, face: Face): Outcome {
  | margin | fresh        | spent    |
  | ..0    | nothing_done | push     |
  | 1-2    | push         | break_up |
  | 3..    | break_up     | break_up |
}
value outcome(n: int, u: Unit): Outcome = Fight(n, u.face)

// ---- sets

value fresh_ones(s: side): set of Unit = units of s where it is fresh
value mixed(s: side): set of Unit = units of s where (it is spent or it.moved) and not (it.arm is foot)
value slow_ones: set of Unit = units where it.hex.terrain.slow and it.strength > 1
value strong_near(h: hex, n: int): set of Unit = units where distance(it, h) <= n and it.strength >= 3
value in_woods_or_lone(s: side): set of Unit = units of s where it.hex is forest or no v from units where distance(v, it) is 1
value idle_foes(s: side): set of Unit = units of s where not it.exposed
value exposed(u: Unit): bool = u.hex in u.enemy.watch
value exposed_all: set of Unit = units where it.exposed
value heavy: set of Unit = units where it.arm.weight * 2 > it.strength
value levelled: set of Unit = units where it.level > noise and it.level < 9
value quiet(s: side): set of Unit = units of s where noise > 1 and it is fresh
value free_hexes(s: side): set of hex = hexes where no units of s at it and it is not forest
value hot_hexes(s: side): set of hex = hexes where (any units of s within 1 of it) and not (it in West)
value crowded(n: int): set of hex = hexes where (count of units at it) >= n
value sparse(s: side, n: int): set of hex = hexes where (count of units of s at it) < n and it is not hill
value more_than(n: int): set of hex = hexes within 3 of (units where n < count of units at it.hex)
value road_hexes: set of hex = hexes where it has road
value open_for(u: Unit): set of hex = hexes within 2 of u where can stand(u, it)
value targets(u: Unit): set of Unit = units of u.enemy where can hit(u, it)
value hitters(t: Unit): set of Unit = units of t.enemy where can hit(it, t)
value barred(u: Unit): set of Unit = units where not can touch(u, it)
value total(s: side): int = sum of it.strength over units of s where it is fresh
value best(s: side): int = (greatest of it.strength over units of s where it.moved) otherwise 0
value weakest(s: side): Unit? = first of units of s where it is fresh
value everyone(s: side): bool = all units of s where it is fresh or it.moved
value some_far(h: hex): bool = any units where distance(it, h) > 3
value counted(s: side): int = count of units of s where it.arm.mounted or it.exposed
value on_hexes(s: side): set of hex = hexes of (units of s where not it.moved)

// ---- permissions, zones, routes

permission stand(u: Unit, h: hex) {
  forbid when any units of u.enemy at h         "an enemy is there"
  forbid when h is hill and not u.arm.mounted   "only riders climb"
}
permission touch(u: Unit, t: Unit) {
  allow  when u is t
  forbid when t is spent                        "{t} is spent"
  for each v in units at t.hex { forbid when v.moved   "{v} has moved" }
}
permission sight(a: hex, b: hex) {
  through h between a and b {
    forbid when h.terrain.blocks                "the {h.terrain} in {h} is in the way"
    forbid when any units at h where it is fresh   "a unit in {h} is in the way"
  }
}
permission hit(u: Unit, t: Unit) {
  forbid when u is spent                        "{u} is spent"
  forbid when distance(u, t) > u.reach          "{t} is too far"
  forbid when u.moved and u.arm is guns         "guns have moved"
  forbid when not can sight(u.hex, t.hex)
}
zone watch(u: Unit) covers h in hexes adjacent to u {
  forbid when u is spent       "a spent unit watches nothing"
  forbid when h is forest      "nobody sees into a forest"
}
route march(u: Unit) {
  budget 3
  forbid when u is spent       "{u} is spent"
  step from a to b {
    cost 1 { add 1 when b.terrain.slow }
    forbid when any units of u.enemy at b     "the enemy is in the way"
    forbid when a in West and b is hill       "no way up from the west"
    stop   when b in u.enemy.watch            "must stop when watched"
  }
  end at h { forbid when any units at h  "somebody is there" }
}
route follow_road(u: Unit) {
  step from a to b along road { cost 0  forbid when b in u.enemy.watch  "the road is watched" }
}
route flee(u: Unit, n: int) {
  length n
  step from a to b {
    forbid when any units at b   "somebody is there"
    prefer least if b.terrain.slow then 2 else 1
  }
  end at h { prefer greatest h.foes_near }
}
route supply(s: side, from_hex: hex) {
  start from_hex
  budget 6
  goal at h when h in West
  step from a to b { forbid when b in s.enemy.watch "cut off" }
}
value foes_near(h: hex): int = count of units within 2 of h
value walkers(s: side): set of Unit = units of s where any reach march(it)
value stalkers(s: side): set of Unit = units of s where any reach march(it) where any units of s.enemy within 1 of it
value walk_to(u: Unit): set of hex = reach march(u)
value road_to(u: Unit): set of hex = reach follow_road(u)
value flee_to(u: Unit): set of hex = reach flee(u, 2)
value supplied(s: side, h: hex): bool = connected supply(s, h)
value can_reach(u: Unit, h: hex): bool = h in reach march(u)

// Loops within loops, planes of a value that is not known, zones of a whole side, and a route whose clauses are all sets.

value in_danger(s: side): set of Unit = units of s where any hitters(it)
value safe(s: side): set of Unit = units of s where not (any hitters(it))
value endangered(s: side): bool = any units of s where any hitters(it) and it is fresh
value under_fire(s: side): set of hex = hexes where any v from units of s where distance(v, it) <= v.reach and not v.moved
value out_of_fire(s: side): set of hex = hexes where no v from units of s where not (v.reach < distance(v, it))
value alike(u: Unit): set of Unit = units where it.face is u.face
value unlike(u: Unit): set of Unit = units where it.face is not u.face and it is not u
zone guard(u: Unit) covers h in hexes adjacent to u {
  forbid when u is spent                   "a spent unit guards nothing"
  forbid when u.moved and u.arm is guns    "guns that moved guard nothing"
}
value guarded(u: Unit): bool = u.hex in u.enemy.guard
value guard_of(s: side): set of hex = s.guard
route stroll(u: Unit) {
  budget u.reach
  step from a to b {
    forbid when any units of u.enemy at b                           "the enemy is in the way"
    forbid when origin in u.enemy.guard and b in u.enemy.guard      "from guard to guard"
    stop   when b in u.enemy.guard                                  "must stop when guarded"
    stop   when b.terrain.slow                                      "slow going"
  }
  end at h { forbid when any units at h  "somebody is there" }
}
value stroll_to(u: Unit): set of hex = reach stroll(u)
value strollers(s: side): set of Unit = units of s where any reach stroll(it)
value closing(s: side): set of Unit = units of s where any reach stroll(it) where any units of s.enemy within 1 of it

// ---- procedures

procedure loops(n: int) {
  for each u in units {
    if u is spent { next }
    set tally to tally * 10 + u.strength
    if tally > 4000 { stop }
  }
  repeat at most n times while noise < 5 { set noise to noise + 2 }
  for each s in (Blue, Red) { set tally to tally + (count of units of s) }
}
procedure sorted(o: Outcome): int {
  match o {
    nothing_done { return 1 }
    push, break_up { set noise to 7 }
  }
  return noise
}
procedure ask_often() {
  repeat at most 3 times {
    choose u from units of Red where not it.moved "Which unit?"  or pass "Done"
    set u.moved to yes
    set tally to tally + 1
  }
  set tally to tally + 100
}
procedure ask_each() {
  choose each u from units of Red provided u.level < 3 prefer least u.strength "Next?" {
    set u.level to 3
    set tally to tally * 10 + u.strength
  }
  or pass "Enough"
}
procedure ask_some() {
  choose 1 to 2 us from units of Red provided (sum of it.strength over us) is 7 "Which?" {
    for each u in us { set u.moved to yes }
  }
}
procedure ask_menu() {
  choose "What now?" {
    "Shout" when noise < 9 { set noise to 9 }
    "Rest"  { set noise to 0 }
    pass "Nothing" { set tally to 5 }
  }
}
procedure ask_target(u: Unit) {
  choose t from targets(u) "Hit whom?" { set t.moved to yes }
  otherwise { set tally to 13 }
}
procedure go(u: Unit, h: hex) {
  move u to h by march(u)
}
procedure quick_phase() {
  set tally to tally + 1
  if tally > 2 { return }
  set noise to noise + 1
}

before phase Opening        { set tally to tally + 1000 }
after  phase Opening        { set tally to tally + 2000 }
after  enter(u: Unit, h: hex) when h in West { set u.level to u.level + 1 }
after  move(u: Unit)        { set noise to noise + 10 }
before ask_menu()           { set tally to 3 }

sequence {
  turns 2 to 3 {
    player turn Blue, Red {
      phase Opening { do quick_phase() }
      phase Closing { choose u from units of player "Which?" or pass "None"  set u.level to 8 }
    }
  }
}

victory {
  at end draw "it is over"
}

scenario 'Only one' {
  play on Field
}
)hlw";

} // namespace hellwig::test
