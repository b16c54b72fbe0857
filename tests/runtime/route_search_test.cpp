// SPDX-License-Identifier: Apache-2.0
// The search by cost against a list of all paths of small graphs, and against floods.
#include "runtime/flood.h"
#include "runtime/route_search.h"
#include "tests/runtime/board_oracle.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

namespace hellwig {
namespace {

using namespace oracle;
using Outcome = RouteSearch::Outcome;

// A graph whose edges stand in lists, in the order of their ranks.
struct Graph {
  std::vector<std::vector<RouteSearch::Edge>> edges;
};

// A path as it is judged: cost, preferences, edges, ranks.
struct Path {
  std::int64_t cost = 0, first = 0, second = 0, edges = 0;
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint64_t> nodes;
  auto key() const { return std::tie(cost, first, second, edges, ranks); }
};

using Best = std::map<std::pair<std::uint64_t, bool>, Path>; // by node and whether it may be left

// All paths without repetition of a node, kept if they are the best to their end. `now` starts at the start.
void tryAll(const Graph& graph, std::int64_t budget, const Path& now, Best& best) {
  for (const RouteSearch::Edge& edge : graph.edges[now.nodes.back()]) {
    bool backToStart = edge.to == now.nodes.front();
    // A node that may not be left is another than the same node left before.
    bool again = std::find(now.nodes.begin(), now.nodes.end(), edge.to) != now.nodes.end();
    if (again && !backToStart && !edge.stops) continue;
    Path next = now;
    next.cost += edge.cost;
    next.first += edge.preference[0];
    next.second += edge.preference[1];
    ++next.edges;
    next.ranks.push_back(edge.rank);
    next.nodes.push_back(edge.to);
    if (next.cost > budget) continue;
    auto [place, fresh] = best.try_emplace({edge.to, edge.stops}, next);
    if (!fresh && next.key() < place->second.key()) place->second = next;
    if (!edge.stops && !backToStart) tryAll(graph, budget, next, best);
  }
}

TEST(RouteSearch, BestPathsOfRandomGraphs) {
  std::mt19937 random(10);
  RouteSearch search;
  for (int round = 0; round < 400; ++round) {
    Graph graph;
    std::uint64_t nodes = 3 + random() % 6;
    graph.edges.resize(nodes);
    for (auto& edges : graph.edges)
      for (std::uint32_t rank = 0; rank < 4; ++rank) {
        if (random() % 4 == 0) continue;
        RouteSearch::Edge edge;
        edge.to = random() % nodes;
        edge.cost = static_cast<std::int64_t>(random() % 3);
        edge.rank = rank;
        edge.stops = random() % 5 == 0;
        edge.preference = {static_cast<std::int64_t>(random() % 2), static_cast<std::int64_t>(random() % 2),
                           9, 9};
        edges.push_back(edge);
      }
    std::int64_t budget =
        round % 3 == 0 ? RouteSearch::unlimitedCost : static_cast<std::int64_t>(random() % 6);
    Best best;
    Path start;
    start.nodes = {0};
    tryAll(graph, budget, start, best);

    bool dense = round % 2 == 0;
    // Keys far apart go through the hash table.
    std::uint64_t scale = dense ? 1 : 0x123456789abULL;
    search.begin(dense ? nodes : 0, 2, budget);
    search.addStart(0);
    Outcome outcome = search.run([](std::int32_t) { return false; },
                                 [&](std::int32_t id, auto&& follow) {
                                   for (RouteSearch::Edge edge : graph.edges[search.node(id).key / scale]) {
                                     edge.to *= scale;
                                     follow(edge);
                                   }
                                 });
    ASSERT_EQ(outcome, Outcome::exhausted);
    ASSERT_EQ(search.settledOrder().size(), best.size() + 1);
    for (std::size_t i = 0; i < search.settledOrder().size(); ++i) {
      std::int32_t id = search.settledOrder()[i];
      RouteSearch::Node node = search.node(id);
      if (i > 0) {
        EXPECT_TRUE(!search.better(id, search.settledOrder()[i - 1]) ||
                    search.node(search.settledOrder()[i - 1]).edges == node.edges);
      }
      if (node.edges == 0) continue;
      auto found = best.find({node.key / scale, node.stops});
      ASSERT_NE(found, best.end());
      const Path& expected = found->second;
      EXPECT_EQ(node.cost, expected.cost);
      EXPECT_EQ(node.preference[0], expected.first);
      EXPECT_EQ(node.preference[1], expected.second);
      std::vector<std::int32_t> path;
      search.path(id, path);
      std::vector<std::uint64_t> keys;
      std::vector<std::uint32_t> ranks;
      for (std::size_t k = 0; k < path.size(); ++k) {
        keys.push_back(search.node(path[k]).key / scale);
        if (k > 0) ranks.push_back(search.node(path[k]).rank);
      }
      EXPECT_EQ(keys, expected.nodes);
      EXPECT_EQ(ranks, expected.ranks);
    }
  }
}

TEST(RouteSearch, AgreesWithTheFlood) {
  std::mt19937 random(11);
  Board board = built(oneSheet(GridShape::pointed, Parity::even, Push::right, Numbering::columnRow, 11, 15));
  RouteSearch search;
  for (int round = 0; round < 200; ++round) {
    Set start = emptySet(board), blocked = randomSet(board, random, 20), stop = randomSet(board, random, 15);
    for (int i = 0; i <= round % 3; ++i) setBit(start.data(), static_cast<int>(random() % board.n));
    FloodClauses clauses{blocked.data(), stop.data()};
    Set layers(static_cast<std::size_t>(board.words) * 6), reached = emptySet(board), found = emptySet(board);
    int count = floodLayers(board, start.data(), clauses, 6, layers.data());
    floodReach(board, start.data(), clauses, 6, reached.data());
    search.begin(static_cast<std::uint64_t>(board.n), 0, 6);
    for (int h : members(start)) search.addStart(static_cast<std::uint64_t>(h));
    search.run([](std::int32_t) { return false; },
               [&](std::int32_t id, auto&& follow) {
                 int h = static_cast<int>(search.node(id).key);
                 for (int d = 0; d < 6; ++d) {
                   int b = board.neighbour[h * 6 + d];
                   if (b < 0 || hasBit(blocked.data(), b)) continue;
                   RouteSearch::Edge edge;
                   edge.to = static_cast<std::uint64_t>(b);
                   edge.rank = static_cast<std::uint32_t>(d);
                   edge.stops = hasBit(stop.data(), b);
                   follow(edge);
                 }
               });
    for (std::int32_t id : search.settledOrder()) {
      if (search.node(id).edges == 0) continue;
      int goal = static_cast<int>(search.node(id).key);
      setBit(found.data(), goal);
      std::vector<std::int16_t> path(7), same;
      int steps = floodPath(board, start.data(), clauses, layers.data(), count, goal, path.data());
      ASSERT_EQ(steps, search.node(id).edges);
      path.resize(static_cast<std::size_t>(steps) + 1);
      std::vector<std::int32_t> ids;
      search.path(id, ids);
      for (std::int32_t node : ids) same.push_back(static_cast<std::int16_t>(search.node(node).key));
      ASSERT_EQ(same, path);
    }
    ASSERT_EQ(found, reached);
  }
}

TEST(RouteSearch, EndsAndLimits) {
  RouteSearch search;
  auto line = [&](std::int32_t id, auto&& follow) {
    RouteSearch::Edge edge;
    edge.to = search.node(id).key + 1;
    follow(edge);
  };
  search.begin(0, 0, RouteSearch::unlimitedCost, 50);
  search.addStart(7);
  EXPECT_EQ(search.run([&](std::int32_t id) { return search.node(id).key == 20; }, line), Outcome::ended);
  EXPECT_EQ(search.node(search.settledOrder().back()).cost, 13);
  search.begin(0, 0, RouteSearch::unlimitedCost, 50);
  search.addStart(7);
  EXPECT_EQ(search.run([](std::int32_t) { return false; }, line), Outcome::nodeLimit);
  EXPECT_EQ(search.nodeCount(), 50);
  // The default limit, past several growths of the table.
  search.begin(0);
  search.addStart(7);
  EXPECT_EQ(search.run([](std::int32_t) { return false; }, line), Outcome::nodeLimit);
  EXPECT_EQ(search.nodeCount(), 100000);
  search.begin(0, 1);
  search.addStart(7);
  EXPECT_EQ(search.run([](std::int32_t) { return false; },
                       [&](std::int32_t id, auto&& follow) {
                         RouteSearch::Edge edge;
                         edge.to = search.node(id).key + 1;
                         edge.preference[0] = -1;
                         follow(edge);
                       }),
            Outcome::negative);
}

} // namespace
} // namespace hellwig
