// SPDX-License-Identifier: Apache-2.0
// Hex by hand: stones joined in a union-find with the four edges as members of their own.

#include "tests/bench/yardstick_hex.h"

#include <bit>

namespace hellwig::bench::hex {

namespace {

// The two edges of a side are members hexCount + 2 * side and the one after.
constexpr int edge(int side, int which) {
  return hexCount + 2 * side + which;
}

struct Neighbours {
  std::array<std::uint8_t, 6> hex{};
  std::uint8_t count = 0;
};

constexpr std::array<Neighbours, hexCount> makeNeighbours() {
  std::array<Neighbours, hexCount> result{};
  constexpr std::array<std::array<int, 2>, 6> ways = {{{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}}};
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column)
      for (const auto& way : ways) {
        const int r = row + way[0], c = column + way[1];
        if (r < 0 || r >= size || c < 0 || c >= size) continue;
        Neighbours& list = result[row * size + column];
        list.hex[list.count++] = static_cast<std::uint8_t>(r * size + c);
      }
  return result;
}
constexpr std::array<Neighbours, hexCount> neighboursOf = makeNeighbours();

int leaderOf(State& s, int member) {
  while (s.leader[member] != member) {
    s.leader[member] = s.leader[s.leader[member]];
    member = s.leader[member];
  }
  return member;
}
void join(State& s, int a, int b) {
  s.leader[leaderOf(s, a)] = static_cast<std::uint8_t>(leaderOf(s, b));
}

void list(State& s) {
  int n = 0;
  for (int i = 0; i < 2; ++i)
    for (std::uint64_t bits = s.empty[i]; bits != 0; bits &= bits - 1)
      s.options[n++] = static_cast<std::uint8_t>(i * 64 + std::countr_zero(bits));
  s.listed = static_cast<std::uint8_t>(n);
}

void place(State& s, int hex) {
  const std::uint64_t bit = std::uint64_t{1} << (hex & 63);
  s.empty[hex >> 6] &= ~bit;
  if (s.player == 0) s.red[hex >> 6] |= bit;
  for (int i = 0; i < neighboursOf[hex].count; ++i) {
    const int next = neighboursOf[hex].hex[i];
    const bool stone = !(s.empty[next >> 6] >> (next & 63) & 1);
    const bool isRed = s.red[next >> 6] >> (next & 63) & 1;
    if (stone && isRed == (s.player == 0)) join(s, hex, next);
  }
  const int line = s.player == 0 ? hex / size : hex % size;
  if (line == 0) join(s, hex, edge(s.player, 0));
  if (line == size - 1) join(s, hex, edge(s.player, 1));
  if (leaderOf(s, edge(s.player, 0)) == leaderOf(s, edge(s.player, 1)))
    s.winner = static_cast<std::int8_t>(s.player);
  s.player ^= 1;
}

} // namespace

State begin() {
  State s{};
  s.empty = {~std::uint64_t{0}, (std::uint64_t{1} << (hexCount - 64)) - 1};
  for (int i = 0; i < hexCount + 4; ++i) s.leader[i] = static_cast<std::uint8_t>(i);
  s.winner = -1;
  list(s);
  return s;
}

void apply(State& s, std::uint32_t option) {
  place(s, s.options[option]);
  list(s);
  if (s.winner < 0 && s.listed == 1) place(s, s.options[0]);
}

void playRandom(Random& random, Tally& tally) {
  State s = begin();
  while (s.winner < 0) {
    ++tally.moves;
    apply(s, random.below(s.listed));
  }
  ++tally.games;
  ++tally.wins[s.winner];
}

} // namespace hellwig::bench::hex
