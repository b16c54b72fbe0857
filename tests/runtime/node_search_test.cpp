// SPDX-License-Identifier: Apache-2.0
// The search over nodes of several fields against a plain one over all tuples, on random maps.
#include "random_module.h"

#include "runtime/path_block.h"

#include <map>
#include <set>

namespace hellwig::test {
namespace {

using Words = std::vector<Word>;

/// A route over hex, facing, mode and (with `cameFrom`) the hex last left. A step goes straight ahead and
/// costs 1, on rough ground as much more as the mode; straight on, where that is asked, 1 more. Rough ground
/// makes mode 0, and in mode 1 it stops. A turn costs n/2, another mode 1; mode 2 does not end on rough
/// ground.
struct Drill {
  SmallGame game;
  std::uint16_t facing, mode;
  bool cameFrom;

  explicit Drill(bool readsCameFrom) : cameFrom(readsCameFrom) {
    ModuleBuilder& b = game.b;
    facing = b.addColumn("facing", Owner::counter, 1, 0, 0);
    b.m.columns[facing].type = {ValueKind::direction, 0, false, false};
    mode = b.addColumn("mode", Owner::counter, 1, 3, 0);
    const auto rough = game.rough;
    Route route;
    route.name = "drill";
    route.hasMover = route.byNodes = true;
    route.parameters = 1;
    route.over = {facing, mode};
    route.overCameFrom = cameFrom;
    route.facing = 0;
    auto budget = b.body("budget", BodyKind::pure, 1, 2, 1);
    budget.op(Op::loadImm, 1, 0, 0, 4);
    budget.op(Op::toFraction, 1, 1);
    budget.op(Op::ret, 1, 0, 0, 0, 1);
    route.budgetBody = budget.id;

    RouteEdge step;
    auto forbid = b.body("forbid", BodyKind::pure, 5, 8, 1);
    forbid.op(Op::direction, 5, 3, 4);
    forbid.op(Op::get, 6, 0, 0, facing);
    forbid.op(Op::ne, 7, 5, 6);
    forbid.op(Op::ret, 7, 0, 0, 0, 1);
    step.forbidBody = forbid.id;
    auto cost = b.body("cost", BodyKind::pure, 5, 11, 1);
    cost.op(Op::get, 5, 4, 0, rough);
    cost.op(Op::get, 6, 0, 0, mode);
    cost.op(Op::mul, 5, 5, 6);
    cost.op(Op::addImm, 5, 5, 0, 1);
    if (cameFrom) {
      cost.op(Op::cameFrom, 7, 0);
      const auto first = cost.op(Op::jumpNone, 7);
      cost.op(Op::direction, 8, 7, 3);
      cost.op(Op::direction, 9, 3, 4);
      const auto bent = cost.op(Op::jumpNe, 8, 9);
      cost.op(Op::addImm, 5, 5, 0, 1);
      cost.land(first);
      cost.land(bent);
    }
    cost.op(Op::toFraction, 5, 5);
    cost.op(Op::ret, 5, 0, 0, 0, 1);
    step.costBody = cost.id;
    auto stop = b.body("stop", BodyKind::pure, 5, 9, 1);
    stop.op(Op::get, 5, 4, 0, rough);
    stop.op(Op::get, 6, 0, 0, mode);
    stop.op(Op::loadImm, 7, 0, 0, 1);
    stop.op(Op::eq, 8, 6, 7);
    stop.op(Op::and_, 5, 5, 8);
    stop.op(Op::ret, 5, 0, 0, 0, 1);
    step.stopBody = stop.id;
    auto effect = b.body("effect", BodyKind::effect, 5, 7, 0);
    effect.op(Op::hexOf, 5, 0); // the mover stands in b already
    effect.op(Op::get, 5, 5, 0, rough);
    const auto smooth = effect.op(Op::jumpUnless, 5);
    effect.op(Op::loadImm, 6, 0, 0, 0);
    effect.op(Op::poke, 6, 0, 0, mode);
    effect.land(smooth);
    effect.op(Op::ret, 0, 0, 0, 0, 0);
    step.effectBody = effect.id;
    route.edges.push_back(step);

    RouteEdge turn;
    turn.kind = EdgeKind::turn;
    auto turnCost = b.body("turn cost", BodyKind::pure, 5, 7, 1);
    turnCost.op(Op::loadImm, 5, 0, 0, 2);
    turnCost.op(Op::div, 6, 3, 5);
    turnCost.op(Op::ret, 6, 0, 0, 0, 1);
    turn.costBody = turnCost.id;
    route.edges.push_back(turn);

    RouteEdge action;
    action.kind = EdgeKind::action;
    action.name = "Change";
    action.choice = {ValueKind::integer, 0, false, false};
    action.choiceDomain = domainInts;
    const int words = static_cast<int>(setIntCount / 64);
    auto choices = b.body("choices", BodyKind::pure, 3, static_cast<std::uint16_t>(5 + words),
                          static_cast<std::uint16_t>(words));
    choices.op(Op::loadImm, 3, 0, 0, 0);
    choices.op(Op::loadImm, 4, 0, 0, 2);
    choices.op(Op::setRange, 5, 3, 4, lowestSetInt, words);
    choices.op(Op::ret, 5, 0, 0, 0, words);
    action.choicesBody = choices.id;
    auto same = b.body("same", BodyKind::pure, 5, 7, 1);
    same.op(Op::get, 5, 0, 0, mode);
    same.op(Op::eq, 6, 5, 3);
    same.op(Op::ret, 6, 0, 0, 0, 1);
    action.forbidBody = same.id;
    auto change = b.body("change", BodyKind::effect, 5, 5, 0);
    change.op(Op::poke, 3, 0, 0, mode);
    change.op(Op::ret, 0, 0, 0, 0, 0);
    action.effectBody = change.id;
    action.fixedCost = packRatio(1, 1);
    route.edges.push_back(action);

    auto end = b.body("end", BodyKind::pure, 4, 8, 1);
    end.op(Op::get, 4, 3, 0, rough);
    end.op(Op::get, 5, 0, 0, mode);
    end.op(Op::loadImm, 6, 0, 0, 2);
    end.op(Op::eq, 7, 5, 6);
    end.op(Op::and_, 4, 4, 7);
    end.op(Op::ret, 4, 0, 0, 0, 1);
    route.endForbidBody = end.id;
    b.m.routes.push_back(route);
  }
  std::uint16_t route() const { return static_cast<std::uint16_t>(game.b.m.routes.size() - 1); }
};

/// The least cost, in halves, to an end in each hex, and the ends: rounds of relaxing every edge of every
/// tuple.
std::map<int, int> leastCosts(const Machine& m, const Drill& drill, std::uint16_t u,
                              std::set<std::array<int, 3>>& nodes) {
  const Board& board = m.program().module().board;
  using Node = std::array<int, 5>; // hex, facing, mode, came from, stopped
  const auto rough = [&](int h) {
    return m.column(drill.game.rough, static_cast<std::uint32_t>(h)) != 0 ? 1 : 0;
  };
  std::map<Node, int> best;
  const Node start{m.hexOf(u), static_cast<int>(m.column(drill.facing, u)),
                   static_cast<int>(m.column(drill.mode, u)), -1, 0};
  best[start] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    const std::map<Node, int> now = best;
    for (const auto& [node, spent] : now) {
      const auto [hex, facing, mode, from, stopped] = node;
      if (stopped != 0) continue;
      const auto offer = [&](Node to, int cost) {
        if (spent + cost > 8) return;
        const auto [at, fresh] = best.try_emplace(to, spent + cost);
        if (!fresh && at->second <= spent + cost) return;
        at->second = spent + cost;
        changed = true;
      };
      if (const int b = board.neighbour[hex * 6 + facing]; b >= 0) {
        int cost = 1 + rough(b) * mode;
        if (drill.cameFrom && from >= 0 && board.neighbour[from * 6 + facing] == hex) ++cost;
        offer({b, facing, rough(b) != 0 ? 0 : mode, drill.cameFrom ? hex : -1,
               rough(b) != 0 && mode == 1 ? 1 : 0},
              2 * cost);
      }
      for (int f = 0; f < 6; ++f)
        if (const int apart = (f - facing + 6) % 6; apart != 0)
          offer({hex, f, mode, from, 0}, std::min(apart, 6 - apart));
      for (int x = 0; x < 3; ++x)
        if (x != mode) offer({hex, facing, x, from, 0}, 2);
    }
  }
  std::map<int, int> ends;
  for (const auto& [node, spent] : best) {
    if (node[0] == start[0] && node[1] == start[1] && node[2] == start[2]) continue;
    if (rough(node[0]) != 0 && node[2] == 2) continue;
    nodes.insert({node[0], node[1], node[2]});
    const auto [at, fresh] = ends.try_emplace(node[0], spent);
    if (!fresh) at->second = std::min(at->second, spent);
  }
  return ends;
}

void compare(bool cameFrom) {
  Drill drill(cameFrom);
  ModuleBuilder& b = drill.game.b;
  const auto pathWords = static_cast<std::uint16_t>(pathShape(b.m).words());
  auto find = b.body("find", BodyKind::pure, 2, static_cast<std::uint16_t>(4 + pathWords), 2);
  find.op(Op::path, 4, 1, 0, drill.route());
  const auto nothing = find.op(Op::jumpNone, 4);
  find.op(Op::pathGet, 0, 4, 1);
  find.op(Op::pathGet, 1, 4, 3);
  find.op(Op::ret, 0, 0, 0, 0, 2);
  find.land(nothing);
  find.op(Op::loadNone, 0);
  find.op(Op::ret, 0, 0, 0, 0, 2);
  const auto listWords = static_cast<std::uint16_t>(pathListWords);
  auto count = b.body("count", BodyKind::pure, 1, static_cast<std::uint16_t>(2 + listWords), 1);
  count.op(Op::paths, 2, 0, 0, drill.route());
  count.op(Op::pathCount, 0, 2);
  count.op(Op::ret, 0, 0, 0, 0, 1);
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  Random random = Random::fromSeed(cameFrom ? 5 : 4);
  for (int round = 0; round < 6; ++round) {
    SmallGame::scatter(m, drill.game, random);
    for (std::uint16_t u = 0; u < 12; ++u) {
      m.setColumn(drill.facing, u, random.below(6));
      m.setColumn(drill.mode, u, random.below(3));
    }
    const std::uint64_t before = m.hash();
    for (std::uint16_t u = 0; u < 12; ++u) {
      if (m.hexOf(u) < 0) continue;
      std::set<std::array<int, 3>> nodes;
      const std::map<int, int> expected = leastCosts(m, drill, u, nodes);
      if (!cameFrom) {
        const auto paths = m.evaluate(count.id, Words{u});
        ASSERT_TRUE(paths);
        EXPECT_EQ((*paths)[0], static_cast<Word>(nodes.size())) << "a path to each end";
      }
      const auto reached = m.reach(drill.route(), Words{u});
      std::set<int> found, wanted;
      for (int h = 0; h < program->module().board.n; ++h)
        if (hasBit(reached.data(), h)) found.insert(h);
      for (const auto& [hex, cost] : expected) wanted.insert(hex);
      ASSERT_EQ(found, wanted) << round << " counter " << u;
      for (const auto& [hex, cost] : expected) {
        const auto path = m.evaluate(find.id, Words{u, hex});
        ASSERT_TRUE(path);
        EXPECT_EQ((*path)[0], hex);
        EXPECT_EQ((*path)[1], cost % 2 == 0 ? packRatio(cost / 2, 1) : packRatio(cost, 2)) << hex;
      }
    }
    EXPECT_EQ(m.hash(), before) << "a search leaves the state as it was";
  }
}

TEST(NodeSearch, FindsTheLeastCostsOfAllTuples) {
  compare(false);
}
TEST(NodeSearch, TellsNodesApartByWhereTheMoverCameFrom) {
  compare(true);
}

TEST(PathBlocks, EdgesSurvivePacking) {
  for (const PathEdge& edge :
       {PathEdge{EdgeKind::step, 0, 3, 0xffff, 8191}, PathEdge{EdgeKind::turn, 15, 63, 5, 0},
        PathEdge{EdgeKind::action, 2, 1, 30000, 17}})
    EXPECT_EQ(unpackEdge(packEdge(edge)), edge);
  const std::uint16_t step = packStep(8191, 12);
  EXPECT_EQ(hexOfStep(step), 8191);
  EXPECT_EQ(itemOfStep(step), 7u);
}

} // namespace
} // namespace hellwig::test
