// SPDX-License-Identifier: Apache-2.0
// The position drawn with characters: hexes with number and terrain letter, the top counter of each stack,
// and below it a legend, the stacks of several counters and the boxes.
#pragma once

#include "runtime/machine.h"

#include <string>

namespace hellwig::cli {

struct MapStyle {
  bool colour = false;
  std::int32_t viewer = -1; ///< side whose view it is; -1 sees everything
};
/// Several lines, the last with its line end.
std::string drawMap(Machine& machine, const MapStyle& style);

/// A letter for each side, and two letters and a number for each counter, as the map writes them.
std::string sideMark(const Module& module, std::uint16_t side);
std::string counterMark(const Module& module, std::uint16_t counter);

} // namespace hellwig::cli
