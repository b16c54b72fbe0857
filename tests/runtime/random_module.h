// SPDX-License-Identifier: Apache-2.0
// A small game for property tests: units with zones move by a route, end, and lose; all of it assembled by
// hand.
#pragma once

#include "module_builder.h"

#include "runtime/random.h"

namespace hellwig::test {

/// Ids of what the game has.
struct SmallGame {
  ModuleBuilder b;
  std::uint16_t rough = 0, ready = 0;
  std::uint32_t cover = 0, blocked = 0, forbid = 0, stop = 0, stopSet = 0, budget = 0, endForbid = 0,
                endSet = 0, goal = 0, cost = 0;

  explicit SmallGame(int columns = 9, int rows = 8, int counters = 12) : b(columns, rows, counters) {
    const int hexWords = b.hexWords(), counterWords = b.counterWords();
    rough = b.addColumn("rough", Owner::hex, 1, 2, 0, 8);
    ready = b.addColumn("ready", Owner::counter, 1, 2, 1, 4);

    // zone zoc(u): the hexes adjacent to u, if u is ready; not rough ones.
    auto c = b.body("zone zoc", BodyKind::pure, 1, static_cast<std::uint16_t>(4 + 2 * hexWords),
                    static_cast<std::uint16_t>(hexWords));
    c.op(Op::hexOf, 1, 0);
    c.op(Op::neighbours, 4, 1);
    c.op(Op::hexPlane, 4 + hexWords, 0, 1, rough);
    c.op(Op::setAndNot, 4, 4, 4 + hexWords, 0, hexWords);
    c.op(Op::get, 2, 0, 0, ready);
    const auto on = c.op(Op::jumpIf, 2);
    c.op(Op::setClear, 4, 0, 0, 0, hexWords);
    c.land(on);
    c.op(Op::ret, 4, 0, 0, 0, hexWords);
    cover = c.id;
    Zone zone;
    zone.name = "zoc";
    zone.coverBody = cover;
    zone.watches = Module::placeWatch | 4 | 8;
    zone.ownOnly = true;
    b.m.zones.push_back(zone);

    // Everything below has parameters (u), then origin, spent, a, b or h. Enemies bar a hex; its zone stops;
    // the route may not end on rough ground.
    auto set =
        b.body("blocked set", BodyKind::pure, 2, static_cast<std::uint16_t>(6 + counterWords + hexWords),
               static_cast<std::uint16_t>(hexWords));
    set.op(Op::sideOf, 2, 0);
    set.op(Op::enemyOf, 2, 2);
    set.op(Op::countersOf, 4, 2);
    set.op(Op::hexesOf, 4 + counterWords, 4);
    set.op(Op::ret, 4 + counterWords, 0, 0, 0, hexWords);
    blocked = set.id;
    auto f = b.body("forbid", BodyKind::pure, 5, static_cast<std::uint16_t>(8 + counterWords), 1);
    f.op(Op::sideOf, 5, 0);
    f.op(Op::enemyOf, 5, 5);
    f.op(Op::countersOf, 8, 5);
    f.op(Op::anyAtHex, 6, 8, 4);
    f.op(Op::ret, 6, 0, 0, 0, 1);
    forbid = f.id;
    auto ss = b.body("stop set", BodyKind::pure, 2, static_cast<std::uint16_t>(4 + hexWords),
                     static_cast<std::uint16_t>(hexWords));
    ss.op(Op::sideOf, 2, 0);
    ss.op(Op::enemyOf, 2, 2);
    ss.op(Op::zoneOfSide, 4, 2);
    ss.op(Op::ret, 4, 0, 0, 0, hexWords);
    stopSet = ss.id;
    auto st = b.body("stop", BodyKind::pure, 5, 8, 1);
    st.op(Op::sideOf, 5, 0);
    st.op(Op::enemyOf, 5, 5);
    st.op(Op::inZone, 6, 4, 5);
    st.op(Op::ret, 6, 0, 0, 0, 1);
    stop = st.id;
    auto bu = b.body("budget", BodyKind::pure, 1, 2, 1);
    bu.op(Op::loadImm, 1, 0, 0, 3);
    bu.op(Op::toFraction, 1, 1);
    bu.op(Op::ret, 1, 0, 0, 0, 1);
    budget = bu.id;
    auto es = b.body("end set", BodyKind::pure, 2, static_cast<std::uint16_t>(2 + hexWords),
                     static_cast<std::uint16_t>(hexWords));
    es.op(Op::hexPlane, 2, 0, 1, rough);
    es.op(Op::ret, 2, 0, 0, 0, hexWords);
    endSet = es.id;
    auto ef = b.body("end", BodyKind::pure, 4, 5, 1);
    ef.op(Op::get, 4, 3, 0, rough);
    ef.op(Op::ret, 4, 0, 0, 0, 1);
    endForbid = ef.id;
    auto co = b.body("cost", BodyKind::pure, 5, 7, 1);
    co.op(Op::get, 5, 4, 0, rough);
    co.op(Op::addImm, 5, 5, 0, 1);
    co.op(Op::loadImm, 6, 0, 0, 2);
    co.op(Op::div, 5, 5, 6);
    co.op(Op::ret, 5, 0, 0, 0, 1);
    cost = co.id;

    Route march;
    march.name = "march";
    march.hasMover = true;
    march.parameters = 1;
    march.budgetBody = budget;
    march.endForbidBody = endForbid;
    march.endBlockedSetBody = endSet;
    march.endIsSet = true;
    RouteEdge edge;
    edge.forbidBody = forbid;
    edge.blockedSetBody = blocked;
    edge.forbidIsSet = true;
    edge.stopBody = stop;
    edge.stopSetBody = stopSet;
    edge.stopIsSet = true;
    march.edges.push_back(edge);
    b.m.routes.push_back(march); // 0: a flood
    march.name = "slow march";
    march.edges[0].costBody = cost; // 1/2, rough ground 1: a search by cost
    b.m.routes.push_back(march);
    march.name = "three steps";
    march.edges[0].costBody = noBody;
    auto le = b.body("length", BodyKind::pure, 1, 2, 1);
    le.op(Op::loadImm, 1, 0, 0, 3);
    le.op(Op::ret, 1, 0, 0, 0, 1);
    march.lengthBody = le.id;
    b.m.routes.push_back(march);
  }

  /// Puts counters, states and terrain at random.
  static void scatter(Machine& m, const SmallGame& game, Random& random) {
    const auto& module = m.program().module();
    for (std::uint32_t u = 0; u < module.counters.size(); ++u) {
      if (random.below(8) == 0)
        m.place(static_cast<std::uint16_t>(u), -1, 0);
      else
        m.place(static_cast<std::uint16_t>(u),
                static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(module.board.n))), -1);
      m.setColumn(game.ready, u, random.below(4) != 0);
    }
    for (int h = 0; h < module.board.n; ++h)
      m.setColumn(game.rough, static_cast<std::uint32_t>(h), random.below(5) == 0);
  }
};

} // namespace hellwig::test
