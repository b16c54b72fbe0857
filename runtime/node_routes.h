// SPDX-License-Identifier: Apache-2.0
// What is asked of a route, answered by node_search.h for one way; paths written to registers and read there.
#pragma once

#include "runtime/node_search.h"

namespace hellwig {

/// The best path found so far, with all that ranks ends.
struct BestPath {
  bool found = false;
  std::vector<Word> rank; ///< `prefer` lines of end
  std::array<Word, RouteSearch::maxPreferences> prefer{};
  PathRecord record;
  /// Whether it is better than one of another way; the one offered first stays.
  bool better(const BestPath& than) const;
};

/// Calls end(hex) for the ends of a way until it returns true.
void nodeEnds(MachineCore& core, const Way& way, const std::function<bool(std::int32_t)>& end);
/// Takes into `best` what is better: the best path to hex `to`, or (-1) to the best end.
void nodeBest(MachineCore& core, const Way& way, std::int32_t to, BestPath& best);
/// Every path of a way with a length, else the best to each end.
void nodePaths(MachineCore& core, const Way& way, const std::function<void(PathRecord&&)>& found);

/// Writes a path (null: none) found for these arguments of a route.
void writePath(const MachineCore& core, Word* block, std::uint16_t route, const Word* arguments,
               const PathRecord* record);
/// Writes a list in the order of the ends. Unless `every` path counts, the best to each end stays.
void writePaths(const MachineCore& core, Word* list, std::uint16_t route, const Word* arguments,
                std::vector<PathRecord>&& records, bool every);
/// How many edges the path in the block has; a fault if it is none or no path.
std::uint32_t edgesOfPath(const MachineCore& core, const Word* block);
/// Edge i of the path, i below their number.
PathEdge edgeOfPath(const MachineCore& core, const Word* block, std::uint32_t i);

} // namespace hellwig
