// SPDX-License-Identifier: Apache-2.0
// Reach by cost: see cost_reach.h.
#include "runtime/cost_reach.h"

#include <algorithm>

namespace hellwig {

namespace {

constexpr std::int64_t greatestUnit = 5040;
constexpr std::int64_t mostBuckets = 1024;

bool isStatic(const RouteEdge& edge, const Program& program) {
  const bool forbidStands = edge.forbidBody == noBody ||
                            (edge.forbidIsSet && (edge.restForbidBody == noBody || edge.forbidIsStatic));
  return edge.kind == EdgeKind::step && edge.effectBody == noBody && forbidStands &&
         (edge.costBody == noBody || edge.costIsStatic) && (edge.stopBody == noBody || edge.stopIsSet) &&
         edge.preferBody == noBody &&
         (edge.along < 0 || program.columns()[static_cast<std::size_t>(edge.alongColumn)].constant);
}

std::int64_t roundedUpToPower(std::int64_t n) {
  std::int64_t power = 1;
  while (power < n) power *= 2;
  return power;
}

} // namespace

StepCostTables::StepCostTables(const Module& module) {
  for (const Route& route : module.routes) {
    auto& items = tables_.emplace_back();
    for (std::size_t i = 0; i < route.edges.size(); ++i) items.push_back(std::make_unique<StepCosts>());
  }
}

bool StepCosts::ready(RouteQuery& query, std::size_t item, const MachineCore& core) {
  std::call_once(once_, [&] { workOut(query, item, core); });
  return fits_;
}

void StepCosts::workOut(RouteQuery& query, std::size_t item, const MachineCore& core) {
  const std::size_t count = static_cast<std::size_t>(core.module_.board.n) * 6;
  // First every cost as it is, then all in the least unit that serves them.
  std::vector<Word> asked(count, none);
  std::vector<bool> faults(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    bool fault = false;
    asked[i] =
        query.stepAsTheMapTells(item, static_cast<std::int32_t>(i / 6), static_cast<int>(i % 6), fault);
    faults[i] = fault;
    if (asked[i] == none) continue;
    unit_ = std::lcm(unit_, std::int64_t{denominatorOf(asked[i])});
    if (unit_ > greatestUnit) return;
  }
  costs_.assign(count, barred);
  for (std::size_t i = 0; i < count; ++i) {
    if (faults[i]) costs_[i] = faulty;
    if (asked[i] == none) continue;
    const std::int64_t cost = numeratorOf(asked[i]) * (unit_ / denominatorOf(asked[i]));
    if (cost >= faulty) return;
    costs_[i] = static_cast<std::uint16_t>(cost);
    most_ = std::max(most_, cost);
  }
  fits_ = true;
}

namespace {

class CostReach {
public:
  CostReach(MachineCore& core, RouteQuery& query)
      : core_(core), query_(query), board_(core.module_.board), scratch_(query.arena().costs) {}

  /// Whether this search serves; then it may be run.
  bool begin() {
    const Route& route = query_.route();
    origin_ = query_.singleStart();
    if (query_.plain() || query_.wideMover() || route.byNodes || query_.length() >= 0 || origin_ < 0 ||
        route.edges.size() > mostItems)
      return false;
    for (const RouteEdge& edge : route.edges)
      if (!isStatic(edge, core_.program_)) return false;
    const auto id = static_cast<std::size_t>(&route - core_.module_.routes.data());
    for (std::size_t i = 0; i < route.edges.size(); ++i) {
      StepCosts& costs = core_.program_.stepCosts().of(id, i);
      if (!costs.ready(query_, i, core_)) return false;
      items_[i].costs = &costs;
      scale_ = std::lcm(scale_, costs.unit());
    }
    if (scale_ > greatestUnit || !takeBudget()) return false;
    for (std::size_t i = 0; i < route.edges.size(); ++i) {
      Item& item = items_[i];
      item.factor = scale_ / item.costs->unit();
      dearest_ = std::max(dearest_, item.costs->most() * item.factor);
      item.blocked = query_.blockedSet(i, origin_);
      // Where one way into a hex stops and another does not, the hex counts twice: the general search knows.
      const SetWord* stops = query_.stopSet(i, origin_);
      if (i != 0 && !sameSet(stops, stops_)) return false;
      stops_ = stops;
    }
    return dearest_ < mostBuckets;
  }

  /// False if an edge was met that cannot be asked.
  bool run(const SetWord* allowed, const CostEnd& end) {
    const std::size_t items = query_.route().edges.size();
    const auto bucketMask = static_cast<std::size_t>(roundedUpToPower(dearest_ + 1)) - 1;
    auto& buckets = scratch_.buckets;
    if (buckets.size() <= bucketMask) buckets.resize(bucketMask + 1);
    for (auto& bucket : buckets) bucket.clear();
    scratch_.least.assign(static_cast<std::size_t>(board_.n), UINT32_MAX);
    std::uint32_t* const least = scratch_.least.data();
    least[origin_] = 0;
    buckets[0].push_back(static_cast<std::uint16_t>(origin_));
    std::size_t waiting = 1;
    for (std::uint32_t spent = 0; waiting != 0; ++spent) {
      auto& now = buckets[spent & bucketMask];
      for (std::size_t k = 0; k < now.size(); ++k) {
        const std::int32_t a = now[k];
        if (least[a] != spent) continue; // come to at less cost since
        // A hex that was put here twice at the same cost is done when it is met first.
        least[a] = spent | settled;
        if (hasBit(allowed, a) && end(a, spent, scale_)) return true;
        if (a != origin_ && stops_ != nullptr && hasBit(stops_, a)) continue;
        const std::int16_t* const neighbour = board_.neighbour.data() + a * 6;
        for (std::size_t i = 0; i < items; ++i) {
          const Item& item = items_[i];
          for (int d = 0; d < 6; ++d) {
            const std::uint16_t step = item.costs->at(static_cast<std::size_t>(a * 6 + d));
            if (step >= StepCosts::faulty) {
              if (step == StepCosts::barred) continue;
              if (item.blocked == nullptr || !hasBit(item.blocked, neighbour[d])) return false;
              continue;
            }
            const int b = neighbour[d];
            std::int64_t cost = step * item.factor;
            if (a == origin_ && firstCostsAtMost_ >= 0) cost = std::min(cost, firstCostsAtMost_);
            cost += spent;
            if (cost > budget_ || cost >= (least[b] & ~settled)) continue;
            if (item.blocked != nullptr && hasBit(item.blocked, b)) continue;
            least[b] = static_cast<std::uint32_t>(cost);
            buckets[static_cast<std::size_t>(cost) & bucketMask].push_back(static_cast<std::uint16_t>(b));
            ++waiting;
          }
        }
      }
      waiting -= now.size();
      now.clear();
    }
    return true;
  }

private:
  static constexpr std::size_t mostItems = 8;
  static constexpr std::uint32_t settled = 0x80000000U;
  struct Item {
    const StepCosts* costs = nullptr;
    std::int64_t factor = 1;
    const SetWord* blocked = nullptr;
  };

  bool takeBudget() {
    const Word budget = query_.budgetFraction();
    if (budget == none) return true;
    if (numeratorOf(budget) < 0) return false;
    // What does not reach the next part of a cost buys nothing.
    const std::int64_t whole = std::int64_t{numeratorOf(budget)} * scale_;
    budget_ = std::min<std::int64_t>(whole / denominatorOf(budget), budget_);
    if (!query_.minimum()) return true;
    firstCostsAtMost_ = budget_;
    return whole % denominatorOf(budget) == 0;
  }

  bool sameSet(const SetWord* a, const SetWord* b) const {
    if (a == nullptr || b == nullptr) return a == b;
    return equalSets(a, b, board_.words);
  }

  MachineCore& core_;
  RouteQuery& query_;
  const Board& board_;
  CostScratch& scratch_;
  std::array<Item, mostItems> items_;
  std::int32_t origin_ = -1;
  const SetWord* stops_ = nullptr;
  std::int64_t scale_ = 1, dearest_ = 1, firstCostsAtMost_ = -1;
  std::int64_t budget_ = settled - 1; // no way is dearer: hexes times the dearest step is below that
};

} // namespace

bool reachByCost(MachineCore& core, RouteQuery& query, const SetWord* allowed, const CostEnd& end) {
  CostReach reach(core, query);
  return reach.begin() && reach.run(allowed, end);
}

} // namespace hellwig
