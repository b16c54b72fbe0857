// SPDX-License-Identifier: Apache-2.0
// Dijkstra's search with one bucket for each half point of cost.

#include "tests/bench/yardstick_march.h"

#include <string_view>
#include <utility>
#include <vector>

namespace hellwig::bench::march {

namespace {

#include "tests/bench/yardstick_march_data.inc"

constexpr int barred = 255;

struct Edge {
  std::uint16_t to;
  std::uint8_t cost; // in halves
};
struct Country {
  std::array<std::array<Edge, 6>, hexCount> edges{};
  std::array<std::uint8_t, hexCount> edgeCount{}; // those to lakes are left out
  std::array<std::array<std::uint16_t, 6>, hexCount> neighbours{};
  std::array<std::uint8_t, hexCount> neighbourCount{};

  Country();
};

bool listed(const auto& pairs, int a, int b) {
  for (const auto& pair : pairs)
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return true;
  return false;
}

Country::Country() {
  for (int a = 0; a < hexCount; ++a) {
    const int row = a / columns, column = a % columns;
    const int side = row & 1 ? column : column - 1; // rows 2, 4 .. stand half a hex to the right
    const std::array<std::pair<int, int>, 6> around = {{{side, row - 1},
                                                        {side + 1, row - 1},
                                                        {column - 1, row},
                                                        {column + 1, row},
                                                        {side, row + 1},
                                                        {side + 1, row + 1}}};
    for (const auto& [c, r] : around) {
      if (c < 0 || c >= columns || r < 0 || r >= rows) continue;
      const int b = r * columns + c;
      neighbours[a][neighbourCount[a]++] = static_cast<std::uint16_t>(b);
      const char letter = ground[r][c];
      int cost = letter == '.' ? 2 : letter == 'm' ? 6 : letter == 'l' ? barred : 4;
      if (cost == barred) continue;
      if (listed(roadSteps, a, b)) cost = 1;
      if (listed(riverSides, a, b) && !listed(bridgeSides, a, b)) cost += 2;
      edges[a][edgeCount[a]++] = {static_cast<std::uint16_t>(b), static_cast<std::uint8_t>(cost)};
    }
  }
}
const Country country;

// No edge costs more than 8 halves, so that nine buckets, used in turn, are enough.
constexpr int bucketCount = 16;
struct Buckets {
  std::array<std::vector<std::uint16_t>, bucketCount> bucket;
};

template<typename MayEnter, typename MustStop>
void search(int origin, unsigned budget, Reach& reach, MayEnter mayEnter, MustStop mustStop) {
  thread_local Buckets buckets;
  reach.cost.fill(unreached);
  reach.cost[origin] = 0;
  reach.endCount = 0;
  buckets.bucket[0].push_back(static_cast<std::uint16_t>(origin));
  int waiting = 1;
  for (unsigned spent = 0; waiting > 0; ++spent) {
    auto& now = buckets.bucket[spent % bucketCount];
    for (std::size_t i = 0; i < now.size(); ++i) {
      const int a = now[i];
      if (reach.cost[a] != spent) continue; // found more cheaply since
      if (a != origin) {
        reach.ends[reach.endCount++] = static_cast<std::uint16_t>(a);
        if (mustStop(a)) continue;
      }
      for (int e = 0; e < country.edgeCount[a]; ++e) {
        const Edge edge = country.edges[a][e];
        const unsigned cost = spent + edge.cost;
        if (cost > budget || cost >= reach.cost[edge.to] || !mayEnter(edge.to)) continue;
        reach.cost[edge.to] = static_cast<std::uint16_t>(cost);
        buckets.bucket[cost % bucketCount].push_back(edge.to);
        ++waiting;
      }
    }
    waiting -= static_cast<int>(now.size());
    now.clear();
  }
}

} // namespace

State begin() {
  State s{};
  for (int n = 0; n < stackCount; ++n)
    for (int i = 0; i < 3; ++i) {
      const auto [side, hex, move] = stacks[n];
      s.hexOf[3 * n + i] = hex;
      ++s.unitsAt[side][hex];
      for (int k = 0; k < country.neighbourCount[hex]; ++k) ++s.zoneAt[side][country.neighbours[hex][k]];
    }
  return s;
}

void march(const State& s, int unit, Reach& reach) {
  const auto [side, start, move] = stacks[unit / 3];
  const auto& friends = s.unitsAt[side];
  const auto& enemies = s.unitsAt[1 - side];
  const auto& zone = s.zoneAt[1 - side];
  if (s.flags[unit] != 0) {
    reach.cost.fill(unreached);
    reach.endCount = 0;
    return;
  }
  search(
      s.hexOf[unit], 2u * move, reach, [&](int hex) { return enemies[hex] == 0; },
      [&](int hex) { return zone[hex] != 0; });
  int kept = 0;
  for (int i = 0; i < reach.endCount; ++i)
    if (friends[reach.ends[i]] < 3) reach.ends[kept++] = reach.ends[i];
  reach.endCount = kept;
}

void survey(const State& s, int unit, Reach& reach) {
  search(
      s.hexOf[unit], unlimited - 1u, reach, [](int) { return true; }, [](int) { return false; });
}

} // namespace hellwig::bench::march
