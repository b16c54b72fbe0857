// SPDX-License-Identifier: Apache-2.0
// Floods over packed sets: by shifts where the board allows it, else by lists of neighbours.
#include "runtime/flood.h"

#include "runtime/hex_geometry.h"
#include "runtime/shift_kernel.h"

namespace hellwig {

namespace {

// What a flood is asked; the kernels below differ only in what they write.
struct Flood {
  const Board& board;
  const SetWord* start;
  FloodClauses clauses;
  int maxSteps;
  const SetWord* goals = nullptr; // ends when one of these is reached
  SetWord* layers = nullptr;      // receives the layers
  int layerCount = 0;
};

// Each kernel writes what was reached into `reached` (unless null) and returns whether a goal was.
template<int W> bool smallFlood(Flood& flood, SetWord* reached) {
  const Board& board = flood.board;
  SmallShift<W> shift(board);
  SetWord frontier[W], open[W], leave[W], next[W], seen[W];
  SetWord goals[W] = {}, blocked[W] = {}, stop[W] = {};
  shift.load(board, flood.start, frontier);
  shift.load(board, board.inPlay.data(), open);
  if (flood.goals) shift.load(board, flood.goals, goals);
  if (flood.clauses.blocked) shift.load(board, flood.clauses.blocked, blocked);
  if (flood.clauses.stop) shift.load(board, flood.clauses.stop, stop);
  for (int i = 0; i < W; ++i) {
    frontier[i] &= open[i];
    open[i] &= ~blocked[i];
    leave[i] = ~(stop[i] | frontier[i]);
    seen[i] = 0;
  }
  bool found = false;
  for (int step = 0; step < flood.maxSteps; ++step) {
    shift.step(frontier, next);
    // `open` loses what has been reached, so that it serves as "free and new".
    SetWord any = 0, goal = 0, onward = 0;
    for (int i = 0; i < W; ++i) {
      next[i] &= open[i];
      open[i] &= ~next[i];
      seen[i] |= next[i];
      frontier[i] = next[i] & leave[i];
      any |= next[i];
      onward |= frontier[i];
      goal |= next[i] & goals[i];
    }
    if (any && flood.layers) shift.store(board, next, flood.layers + flood.layerCount * board.words);
    if (any) ++flood.layerCount;
    if (goal) {
      found = true;
      break;
    }
    if (!onward) break;
  }
  if (reached) shift.store(board, seen, reached);
  return found;
}

// Any board: the frontier is a list of hexes. On large boards a search touches few of the words, so this is
// also the faster way there.
bool listFlood(Flood& flood, SetWord* reached) {
  const Board& board = flood.board;
  constexpr int room = wordsFor(maxBoardHexes);
  SetWord seen[room], left[room];
  std::int16_t queue[2 * maxBoardHexes]; // a start may be entered again, all else once
  int words = board.words, tail = 0, head = 0;
  clearSet(seen, words);
  andSet(left, flood.start, board.inPlay.data(), words);
  forEachBit(left, words, [&](int h) { queue[tail++] = static_cast<std::int16_t>(h); });
  bool found = false;
  for (int step = 0; step < flood.maxSteps && head < tail && !found; ++step) {
    SetWord* layer =
        flood.layers ? flood.layers + static_cast<std::size_t>(flood.layerCount) * words : nullptr;
    bool any = false;
    for (int end = tail; head < end; ++head) {
      const std::int16_t* around = board.neighbour.data() + queue[head] * 6;
      for (int d = 0; d < 6; ++d) {
        int h = around[d];
        if (h == noHex || hasBit(seen, h) || (flood.clauses.blocked && hasBit(flood.clauses.blocked, h)))
          continue;
        if (!any && layer) clearSet(layer, words);
        any = true;
        setBit(seen, h);
        if (layer) setBit(layer, h);
        if (flood.goals && hasBit(flood.goals, h)) found = true;
        if (hasBit(left, h) || (flood.clauses.stop && hasBit(flood.clauses.stop, h))) continue;
        setBit(left, h);
        queue[tail++] = static_cast<std::int16_t>(h);
      }
      if (found && !reached && !layer) return true;
    }
    if (any) ++flood.layerCount;
  }
  if (reached) copySet(reached, seen, words);
  return found;
}

bool run(Flood& flood, SetWord* reached) {
  if (!flood.board.shift.small) return listFlood(flood, reached);
  return withSmallShift(flood.board, [&]<int W>() { return smallFlood<W>(flood, reached); });
}

} // namespace

void floodReach(const Board& board, const SetWord* start, FloodClauses clauses, int maxSteps,
                SetWord* reached) {
  Flood flood{board, start, clauses, maxSteps};
  run(flood, reached);
}

bool floodReaches(const Board& board, const SetWord* start, FloodClauses clauses, int maxSteps,
                  const SetWord* goals) {
  Flood flood{board, start, clauses, maxSteps};
  flood.goals = goals;
  return run(flood, nullptr);
}

int floodLayers(const Board& board, const SetWord* start, FloodClauses clauses, int maxLayers,
                SetWord* layers) {
  Flood flood{board, start, clauses, maxLayers};
  flood.layers = layers;
  run(flood, nullptr);
  return flood.layerCount;
}

int floodPath(const Board& board, const SetWord* start, FloodClauses clauses, const SetWord* layers,
              int layerCount, int goal, std::int16_t* path) {
  int words = board.words;
  auto layer = [&](int step) { return layers + static_cast<std::size_t>(step - 1) * words; };
  int steps = 1;
  while (steps <= layerCount && !hasBit(layer(steps), goal)) ++steps;
  if (steps > layerCount) return -1;
  // From the goal back: of each layer the hexes from which the goal is reached in time. A board is at most
  // maxBoardHexes steps long, so the sets are kept in one vector rather than on the stack.
  std::vector<SetWord> back(static_cast<std::size_t>(steps + 1) * words);
  auto useful = [&](int step) { return back.data() + static_cast<std::size_t>(step) * words; };
  setBit(useful(steps), goal);
  for (int step = steps - 1; step >= 0; --step) {
    SetWord* set = useful(step);
    neighboursOf(board, useful(step + 1), set);
    andSet(set, set, step == 0 ? start : layer(step), words);
    if (step > 0 && clauses.stop) andNotSet(set, set, clauses.stop, words);
  }
  int at = lowestBit(useful(0), words);
  path[0] = static_cast<std::int16_t>(at);
  for (int step = 1; step <= steps; ++step)
    for (int d = 0; d < 6; ++d) {
      int next = board.neighbour[at * 6 + d];
      if (next == noHex || !hasBit(useful(step), next)) continue;
      path[step] = static_cast<std::int16_t>(next);
      at = next;
      break;
    }
  return steps;
}

} // namespace hellwig
