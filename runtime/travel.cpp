// SPDX-License-Identifier: Apache-2.0
// The edges that a mover under way may take.
#include "runtime/travel.h"

#include "runtime/route_query.h"

namespace hellwig {

std::vector<TravelEdge> travelEdgesFrom(MachineCore& core, const Word* travel) {
  std::vector<TravelEdge> edges;
  const auto id = static_cast<std::uint16_t>(travel[travelRoute]);
  const Route& route = core.module_.routes[id];
  RouteQuery query(core, id, travel + travelSpent + 1);
  if (!query.begin() || query.singleStart() < 0) return edges;
  const std::int32_t a = query.singleStart(), origin = static_cast<std::int32_t>(travel[travelOrigin]);
  const std::int64_t spent = query.scaled(travel[travelSpent]);
  for (int d = 0; d < 6; ++d)
    for (std::size_t item = 0; item < route.edges.size(); ++item) {
      std::int32_t b = -1;
      if (!query.leads(route.edges[item], a, d, b)) continue;
      const RouteQuery::EdgeAnswer answer = query.askEdge(item, origin, spent, a, d, b);
      if (!answer.open || spent + answer.cost > query.budget()) continue;
      TravelEdge edge;
      edge.item = static_cast<std::uint8_t>(item);
      edge.choice = edge.hex = b;
      edge.cost = query.fraction(answer.cost);
      edge.node = static_cast<std::uint64_t>(b);
      edge.mayEnd = edge.endInReach = query.isEnd(origin, query.fraction(spent + answer.cost), b);
      edges.push_back(edge);
    }
  return edges;
}

} // namespace hellwig
