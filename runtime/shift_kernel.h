// SPDX-License-Identifier: Apache-2.0
// One step from all hexes of a set at once, on boards that have a ShiftPlan. Shared by geometry and flood.
//
// The idea: V, the hexes one line up and one line down at the same place, takes two shifts by `across`. From
// a line that lies half a hex further, the other two hexes of the next lines are V moved one place along, the
// same move that gives the two neighbours within the line. So all six neighbours take four shifts.
#pragma once

#include "runtime/board.h"

#include <algorithm>

namespace hellwig {

// Boards of up to W words whose strides are below 64, so that a shift reaches into the next word only. Sets
// are copies in local arrays of W words, so that the loops unroll.
template<int W> struct SmallShift {
  const SetWord* masks;
  int along, across;

  explicit SmallShift(const Board& board)
      : masks(board.shift.masks.data()), along(board.shift.along), across(board.shift.across) {}

  static void load(const Board& board, const SetWord* set, SetWord (&out)[W]) {
    for (int i = 0; i < W; ++i) out[i] = W <= 4 || i < board.words ? set[i] : 0;
  }
  static void store(const Board& board, const SetWord (&set)[W], SetWord* out) {
    for (int i = 0; i < W; ++i)
      if (W <= 4 || i < board.words) out[i] = set[i];
  }

  // The neighbours of s, in play or not, but on the board.
  void step(const SetWord (&s)[W], SetWord (&out)[W]) const {
    SetWord line[W], up[W], down[W];
    for (int i = 0; i < W; ++i) {
      SetWord rising = s[i] << across, falling = s[i] >> across;
      if (i > 0) rising |= s[i - 1] >> (64 - across);
      if (i + 1 < W) falling |= s[i + 1] << (64 - across);
      line[i] = (rising & masks[acrossUp * W + i]) | (falling & masks[acrossDown * W + i]);
    }
    for (int i = 0; i < W; ++i) {
      up[i] = s[i] | (line[i] & masks[fromUp * W + i]);
      down[i] = s[i] | (line[i] & masks[fromDown * W + i]);
    }
    for (int i = 0; i < W; ++i) {
      SetWord rising = up[i] << along, falling = down[i] >> along;
      if (i > 0) rising |= up[i - 1] >> (64 - along);
      if (i + 1 < W) falling |= down[i + 1] << (64 - along);
      out[i] = line[i] | (rising & masks[alongUp * W + i]) | (falling & masks[alongDown * W + i]);
    }
  }
};

// Calls use.template operator()<W>() with the W of the board's plan; it has one.
template<class Use> auto withSmallShift(const Board& board, Use&& use) {
  switch (board.shift.maskWords) {
  case 1: return use.template operator()<1>();
  case 2: return use.template operator()<2>();
  case 3: return use.template operator()<3>();
  case 4: return use.template operator()<4>();
  case 8: return use.template operator()<8>();
  case 12: return use.template operator()<12>();
  default: return use.template operator()<16>();
  }
}

// Boards of any size. Works on the words from `low` to `high` (inclusive) that may hold elements, and widens
// that range to what it wrote; words of `out` outside the new range are not touched.
class LargeShift {
public:
  explicit LargeShift(const Board& given)
      : board(given), alongWords(given.shift.along >> 6), acrossWords(given.shift.across >> 6) {}

  void step(const SetWord* s, SetWord* out, int& low, int& high) {
    int words = board.words, along = board.shift.along & 63, across = board.shift.across & 63;
    const SetWord* masks = board.shift.masks.data();
    int newLow = std::max(0, low - acrossWords - alongWords - 2);
    int newHigh = std::min(words - 1, high + acrossWords + alongWords + 2);
    // A margin of empty words on both sides stands for what lies off the ends.
    int margin = std::max(acrossWords, alongWords) + 1;
    SetWord* set = source + margin;
    for (int i = newLow - margin; i <= newHigh + margin; ++i) set[i] = i >= low && i <= high ? s[i] : 0;
    SetWord* up = upper + margin;
    SetWord* down = lower + margin;
    for (int i = 1; i <= margin; ++i) {
      up[newLow - i] = down[newLow - i] = 0;
      up[newHigh + i] = down[newHigh + i] = 0;
    }
    for (int i = newLow; i <= newHigh; ++i) {
      SetWord line = (rising(set, i, acrossWords, across) & masks[acrossUp * board.shift.maskWords + i]) |
                     (falling(set, i, acrossWords, across) & masks[acrossDown * board.shift.maskWords + i]);
      out[i] = line;
      up[i] = set[i] | (line & masks[fromUp * board.shift.maskWords + i]);
      down[i] = set[i] | (line & masks[fromDown * board.shift.maskWords + i]);
    }
    for (int i = newLow; i <= newHigh; ++i)
      out[i] |= (rising(up, i, alongWords, along) & masks[alongUp * board.shift.maskWords + i]) |
                (falling(down, i, alongWords, along) & masks[alongDown * board.shift.maskWords + i]);
    low = newLow;
    high = newHigh;
  }

private:
  // SetWord i of the set moved up, or down, by `wide` words and `bits` bits. The second shift is split in two
  // because a shift by 64 is undefined.
  static SetWord rising(const SetWord* set, int i, int wide, int bits) {
    return (set[i - wide] << bits) | ((set[i - wide - 1] >> 1) >> (63 - bits));
  }
  static SetWord falling(const SetWord* set, int i, int wide, int bits) {
    return (set[i + wide] >> bits) | ((set[i + wide + 1] << 1) << (63 - bits));
  }

  static constexpr int room = 3 * wordsFor(maxBoardHexes) + 4;
  const Board& board;
  int alongWords, acrossWords;
  SetWord source[room], upper[room], lower[room];
};

} // namespace hellwig
