// SPDX-License-Identifier: Apache-2.0
// Zones, lifting, routes and the image, on a small game with random positions.
#include "random_module.h"

#include "runtime/hex_geometry.h"
#include "runtime/path_block.h"

#include <algorithm>
#include <queue>
#include <set>

namespace hellwig::test {
namespace {

using Words = std::vector<Word>;

TEST(Zones, UnionEqualsRecount) {
  SmallGame game;
  auto program = game.b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  Random random = Random::fromSeed(3);
  const Board& board = program->module().board;
  for (int round = 0; round < 300; ++round) {
    // Small changes, so that a stale union would be seen.
    const auto u = static_cast<std::uint16_t>(random.below(12));
    switch (random.below(5)) {
    case 0:
      m.place(u, static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(board.n))), -1);
      break;
    case 1: m.place(u, -1, 1); break;
    case 2: m.setColumn(game.ready, u, random.below(2)); break;
    case 3:
      m.setColumn(game.rough, random.below(static_cast<std::uint32_t>(board.n)), random.below(2));
      break;
    default: SmallGame::scatter(m, game, random); break;
    }
    for (std::uint16_t side = 0; side < 2; ++side) {
      std::vector<std::uint64_t> expected(board.inPlay.size(), 0);
      for (std::uint16_t c = 0; c < 12; ++c) {
        if (c % 2 != side || m.hexOf(c) < 0 || m.column(game.ready, c) == 0) continue;
        for (int d = 0; d < 6; ++d) {
          const int h = board.neighbour[m.hexOf(c) * 6 + d];
          if (h >= 0 && m.column(game.rough, static_cast<std::uint32_t>(h)) == 0) setBit(expected.data(), h);
        }
      }
      ASSERT_EQ(m.zoneOfSide(0, side), expected) << round;
    }
  }
}

/// The ends of route 0 or 1 for counter u, by a plain search in the test: Dijkstra over (hex, stopped).
std::set<int> expectedEnds(const Machine& m, const SmallGame& game, std::uint16_t u, bool slow) {
  const Board& board = m.program().module().board;
  std::set<int> ends;
  if (m.hexOf(u) < 0) return ends;
  std::vector<bool> enemy(static_cast<std::size_t>(board.n)), zoc(static_cast<std::size_t>(board.n));
  for (std::uint16_t c = 0; c < 12; ++c) {
    if (c % 2 == u % 2 || m.hexOf(c) < 0) continue;
    enemy[m.hexOf(c)] = true;
    for (int d = 0; d < 6; ++d) {
      const int h = board.neighbour[m.hexOf(c) * 6 + d];
      if (h >= 0 && m.column(game.ready, c) != 0 && m.column(game.rough, static_cast<std::uint32_t>(h)) == 0)
        zoc[h] = true;
    }
  }
  std::vector<int> best(static_cast<std::size_t>(board.n), 1000);
  std::queue<std::pair<int, int>> open; // Bellman-Ford by repetition is enough here
  open.emplace(m.hexOf(u), 0);
  bool first = true;
  while (!open.empty()) {
    const auto [h, spent] = open.front();
    open.pop();
    if (!first && zoc[h]) continue;
    first = false;
    for (int d = 0; d < 6; ++d) {
      const int next = board.neighbour[h * 6 + d];
      if (next < 0 || enemy[next]) continue;
      const bool rough = m.column(game.rough, static_cast<std::uint32_t>(next)) != 0;
      const int cost = spent + (slow ? (rough ? 2 : 1) : 2); // in halves
      if (cost > 6 || cost >= best[next]) continue;
      best[next] = cost;
      if (!rough) ends.insert(next);
      open.emplace(next, cost);
    }
  }
  return ends;
}

std::set<int> asSet(const std::vector<std::uint64_t>& words) {
  std::set<int> elements;
  forEachBit(words.data(), static_cast<int>(words.size()), [&](int i) { elements.insert(i); });
  return elements;
}

TEST(Routes, FloodSearchAndPlainSearchAgree) {
  SmallGame game;
  auto program = game.b.load();
  ASSERT_TRUE(program);
  Random random = Random::fromSeed(11);
  for (int round = 0; round < 60; ++round) {
    Machine m(program);
    m.start(1);
    SmallGame::scatter(m, game, random);
    Machine plain(m);
    plain.setPlainSearch(true);
    for (std::uint16_t u = 0; u < 12; ++u) {
      const Words argument{u};
      for (std::uint16_t route = 0; route < 3; ++route) {
        const auto image = m.saveImage();
        const std::set<int> lowered = asSet(m.reach(route, argument));
        EXPECT_EQ(m.saveImage(), image) << "a search leaves no trace";
        EXPECT_EQ(lowered, asSet(plain.reach(route, argument))) << round << " route " << route;
        if (route < 2) {
          auto expected = expectedEnds(m, game, u, route == 1);
          // The hex where it began is an end only if it is entered again, which both searches settle alike.
          auto without = lowered;
          without.erase(m.hexOf(u));
          expected.erase(m.hexOf(u));
          EXPECT_EQ(without, expected) << round << " unit " << u << " route " << route;
        }
      }
    }
  }
}

TEST(Routes, PathsLeadToEachEndAndWhyNotSpeaksOfTheOthers) {
  SmallGame game;
  auto find =
      game.b.body("find", BodyKind::pure, 2, static_cast<std::uint16_t>(4 + pathShape(game.b.m).words()), 3);
  find.op(Op::path, 4, 1, 0, 1);
  const auto nothing = find.op(Op::jumpNone, 4);
  find.op(Op::pathGet, 0, 4, 1);
  find.op(Op::pathGet, 1, 4, 2);
  find.op(Op::pathGet, 2, 4, 3);
  find.op(Op::ret, 0, 0, 0, 0, 3);
  find.land(nothing);
  find.op(Op::loadNone, 0);
  find.op(Op::ret, 0, 0, 0, 0, 3);
  auto program = game.b.load();
  ASSERT_TRUE(program);
  Random random = Random::fromSeed(12);
  Machine m(program);
  m.start(1);
  for (int round = 0; round < 10; ++round) {
    SmallGame::scatter(m, game, random);
    for (std::uint16_t u = 0; u < 12; ++u) {
      const Words argument{u};
      const std::set<int> ends = asSet(m.reach(1, argument));
      for (int h = 0; h < program->module().board.n; ++h) {
        const auto found = m.evaluate(find.id, Words{u, h});
        ASSERT_TRUE(found);
        const bool isEnd = ends.count(h) != 0;
        EXPECT_EQ((*found)[0], isEnd ? h : none);
        const Explanation why = m.whyNotReach(1, argument, static_cast<std::uint16_t>(h));
        const Explanation how = m.explainReach(1, argument, static_cast<std::uint16_t>(h));
        EXPECT_EQ(why.lines.empty(), isEnd) << h;
        EXPECT_EQ(how.lines.empty(), !isEnd);
        if (!isEnd) continue;
        EXPECT_LE(numeratorOf((*found)[2]), 3 * denominatorOf((*found)[2])) << "within the budget";
        EXPECT_EQ(static_cast<Word>(how.lines.size()), (*found)[1] + 1);
        EXPECT_EQ(how.lines.back().figure, (*found)[2]) << "the lines add up to the cost of the path";
      }
    }
  }
}

TEST(Routes, WhyNotNamesTheBudget) {
  SmallGame game;
  auto program = game.b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  m.place(0, 0, -1);
  const Words argument{0};
  // Hexes of the first column are 0 .. 7 or those of the first row 0 .. 8; a straight line of neighbours is
  // found.
  const Board& board = program->module().board;
  int h = 0;
  int direction = 0;
  while (board.neighbour[direction] < 0) ++direction;
  for (int i = 0; i < 4; ++i)
    h = board.neighbour[h * 6 + direction] >= 0 ? board.neighbour[h * 6 + direction] : h;
  ASSERT_EQ(hexDistance(board, 0, h), 4);
  Explanation why = m.whyNotReach(0, argument, static_cast<std::uint16_t>(h));
  ASSERT_EQ(why.lines.size(), 1u);
  EXPECT_EQ(why.lines[0].text, "needs 4, has 3");
  m.place(1, board.neighbour[direction], -1); // an enemy on the next hex
  why = m.whyNotReach(0, argument, static_cast<std::uint16_t>(board.neighbour[direction]));
  ASSERT_EQ(why.lines.size(), 1u);
  EXPECT_EQ(why.lines[0].text, "may not enter " + board.label[board.neighbour[direction]]);
}

TEST(Image, CloneAndRestore) {
  SmallGame game;
  auto s = game.b.body("sequence", BodyKind::procedure, 0, 20, 0);
  const auto loop = s.here();
  s.op(Op::roll, 0, 0, 0, -1);
  s.op(Op::counters, 1);
  s.op(Op::loadImm, 3, 0, 0, 0);
  s.op(Op::decide, 0, 0, 0, 0);
  s.op(Op::roll, 0, 0, 0, -1);
  s.op(Op::moveToHex, 5, 0);
  s.op(Op::loadImm, 6, 0, 0, 0);
  s.op(Op::set, 5, 6, 0, game.ready);
  s.op(Op::jumpBack, 0, 0, 0, loop);
  Decision d;
  d.domain = domainCounters;
  d.set = 1;
  d.owner = 3;
  d.answer = 4;
  d.chosen = 5;
  game.b.m.decisions.push_back(d);
  game.b.m.decisionBody.push_back(s.id);
  game.b.m.sequenceBody = s.id;
  for (std::size_t u = 0; u < 12; ++u) game.b.m.counters[u].startHex = static_cast<std::int32_t>(5 * u);
  auto program = game.b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(99);
  Random random = Random::fromSeed(4);
  std::vector<std::vector<std::uint64_t>> images;
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(m.step(), Status::decision);
    images.push_back(m.saveImage());
    hashes.push_back(m.hash());
    Machine clone(m);
    EXPECT_EQ(clone.hash(), m.hash());
    EXPECT_EQ(clone.saveImage(), images.back());
    EXPECT_EQ(clone.pending().elementCount, m.pending().elementCount);
    const Answer answer = m.optionAt(random.below(m.pending().optionCount));
    ASSERT_TRUE(clone.answer(answer));
    // Looking at one of two equal states must not tell them apart later.
    for (std::uint16_t u = 0; u < 12; ++u) static_cast<void>(clone.reach(1, Words{u}));
    clone.step();
    ASSERT_TRUE(m.answer(answer));
    Machine second(m);
    second.step();
    EXPECT_EQ(second.hash(), clone.hash());
    EXPECT_EQ(second.saveImage(), clone.saveImage());
  }
  EXPECT_EQ(std::set<std::uint64_t>(hashes.begin(), hashes.end()).size(), hashes.size());
  for (std::size_t i = images.size(); i-- > 0;) {
    ASSERT_TRUE(m.restoreImage(images[i]));
    EXPECT_EQ(m.saveImage(), images[i]);
    EXPECT_EQ(m.hash(), hashes[i]);
    EXPECT_EQ(m.status(), Status::decision);
    EXPECT_EQ(m.pending().optionCount, 12u);
  }
  // Images that cannot be are refused or run without harm.
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    auto image = images[random.below(100)];
    image[random.below(static_cast<std::uint32_t>(image.size()))] ^= std::uint64_t{1} << random.below(64);
    Machine other(program);
    if (!other.restoreImage(image)) {
      ++refused;
      continue;
    }
    other.setFuel(1000);
    if (other.status() == Status::decision && other.pending().optionCount != 0)
      other.answer(other.optionAt(0));
    other.step();
  }
  EXPECT_GT(refused, 500);
  EXPECT_FALSE(m.restoreImage({}));
  EXPECT_EQ(m.hash(), hashes[0]) << "what is refused changes nothing";
}

} // namespace
} // namespace hellwig::test
