// SPDX-License-Identifier: Apache-2.0
// The ends of a route whose steps cost what the map alone tells: costs are worked out once for all edges, and
// the search goes through hexes in the order of their cost without asking anything of an edge.
#pragma once

#include "runtime/route_query.h"

#include <functional>
#include <memory>
#include <mutex>

namespace hellwig {

/// What an item of a route says of each edge, where nothing that changes is read.
class StepCosts {
public:
  static constexpr std::uint16_t barred = 0xffff; ///< or there is no such edge
  static constexpr std::uint16_t faulty = 0xfffe; ///< asking faults

  /// Works them out when first asked; false if they do not fit this form.
  bool ready(RouteQuery& query, std::size_t item, const MachineCore& core);

  std::uint16_t at(std::size_t hexAndDirection) const { return costs_[hexAndDirection]; }
  std::int64_t unit() const { return unit_; } ///< costs are in parts of this size
  std::int64_t most() const { return most_; }

private:
  void workOut(RouteQuery& query, std::size_t item, const MachineCore& core);

  std::once_flag once_;
  bool fits_ = false;
  std::int64_t unit_ = 1, most_ = 0;
  std::vector<std::uint16_t> costs_; ///< at hex * 6 + direction
};

/// The costs of all routes of a program, shared by its machines.
class StepCostTables {
public:
  explicit StepCostTables(const Module& module);
  StepCosts& of(std::size_t route, std::size_t item) const { return *tables_[route][item]; }

private:
  std::vector<std::vector<std::unique_ptr<StepCosts>>> tables_;
};

/// A hex and what the way to it costs: so many parts of a scale.
using CostEnd = std::function<bool(std::int32_t hex, std::int64_t spent, std::int64_t scale)>;

/// Calls `end` for each hex within `allowed` that can be come to, the cheapest first, until it returns true.
/// False, and what was called does not count, if the route needs the general search.
bool reachByCost(MachineCore& core, RouteQuery& query, const SetWord* allowed, const CostEnd& end);

} // namespace hellwig
