// SPDX-License-Identifier: Apache-2.0
// A mover on its way edge by edge, along a path or by a walk: what is known of it between two edges, held in
// registers.
#pragma once

#include "runtime/node_search.h"

namespace hellwig {

/// An edge that may be taken now.
struct TravelEdge {
  PathEdge edge;               ///< by the first open way that allows it
  Word x = none;               ///< of an action with a choice: what is chosen
  Word cost = packRatio(0, 1); ///< by that way
  std::uint64_t node = 0;      ///< names the node reached among those of this route
  bool mayEnd = false;         ///< the move may end there
  bool endInReach = false;     ///< there, or further on
};

/// The legal edges of the travel in the present state, in the order in which edges rank: steps clockwise,
/// turns, actions as written. From off the map: the entries.
std::vector<TravelEdge> travelEdgesFrom(MachineCore& core, const Word* travel);
/// Whether the move may end as things are: some edge was taken, and end and goal of an open way hold.
bool travelMayEnd(MachineCore& core, const Word* travel);
/// Names the node where the mover is, as TravelEdge::node does.
std::uint64_t travelNode(MachineCore& core, const Word* travel);

} // namespace hellwig
