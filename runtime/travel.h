// SPDX-License-Identifier: Apache-2.0
// A mover on its way edge by edge, along a path or by a walk: what is known of it between two edges, held in
// registers.
#pragma once

#include "runtime/machine_core.h"

namespace hellwig {

/// The words of a travel. The ways of a route are the route itself and, depth first, those it allows `also`;
/// one stays open as long as it has allowed all edges so far.
enum TravelWord : std::uint32_t {
  travelMover,
  travelRoute,  ///< the route asked
  travelOrigin, ///< hex of the start; none as long as the mover is off the map
  travelOpen,   ///< bit w: way w is open
  travelEdges,  ///< how many were taken
  travelFlags,  ///< TravelFlag
  travelSpent,  ///< of each way, mostWays words; then the fields of the mover as they were at the start, then
                ///< the arguments of the query
};
enum TravelFlag : std::uint8_t {
  travelOver = 1,    ///< the move has ended
  travelStopped = 2, ///< the node may not be left
  travelStepped = 4  ///< a step was taken
};

/// An edge that may be taken now.
struct TravelEdge {
  EdgeKind kind = EdgeKind::step;
  std::uint8_t way = 0, item = 0; ///< of the first open way that allows it
  Word choice = none;             ///< step, entry: the hex; turn: the facing; action: x (none if it has none)
  Word cost = packRatio(0, 1);    ///< by that way
  std::int32_t hex = -1;          ///< where the mover then is
  std::uint64_t node = 0;         ///< names the node reached among those of this route
  bool mayEnd = false;            ///< the move may end there
  bool endInReach = false;        ///< there, or further on
};

/// The legal edges of the travel in the present state, in the order in which edges rank: steps clockwise,
/// turns, actions as written.
std::vector<TravelEdge> travelEdgesFrom(MachineCore& core, const Word* travel);

} // namespace hellwig
