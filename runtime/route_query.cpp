// SPDX-License-Identifier: Apache-2.0
// Asking the clauses of a route, with its mover lifted.
#include "runtime/route_query.h"

#include "runtime/hex_geometry.h"

#include <algorithm>

namespace hellwig {

RouteQuery::RouteQuery(MachineCore& core, std::uint16_t route, const Word* arguments)
    : core_(core), route_(core.module_.routes[route]), plain_(core.host_.plainSearch) {
  auto& host = core.host_;
  if (host.arenas.size() <= host.arenaDepth) host.arenas.push_back(std::make_unique<SearchArena>());
  arena_ = host.arenas[host.arenaDepth++].get();
  arena_->arguments.assign(arguments, arguments + route_.parameters);
}

RouteQuery::~RouteQuery() {
  if (isLifted_) {
    core_.image_.lower(lifted_);
    core_.host_.lifted.pop_back();
    core_.host_.liftSerial = serialBefore_;
  }
  --core_.host_.arenaDepth;
}

Word RouteQuery::ask(std::uint32_t body, std::initializer_list<Word> more) {
  Word* frame = core_.top_;
  if (core_.framesEnd_ - frame < static_cast<std::ptrdiff_t>(core_.program_.bodies()[body].needWords))
    core_.raise(FaultCode::stackTooDeep);
  Word* end = std::copy(arena_->arguments.begin(), arena_->arguments.end(), frame);
  std::copy(more.begin(), more.end(), end);
  core_.runBody(body, frame);
  return *frame;
}

bool RouteQuery::forbidden() {
  return route_.forbidBody != noBody && ask(route_.forbidBody, {}) != 0;
}

std::uint32_t RouteQuery::moverHex() const {
  return static_cast<std::uint32_t>(core_.image_.hexOf(static_cast<std::uint32_t>(arena_->arguments[0])));
}
void RouteQuery::setMoverHex(std::int32_t hex) {
  if (route_.hasMover && route_.readsMover)
    core_.image_.pokeHex(static_cast<std::uint32_t>(arena_->arguments[0]), hex);
}

bool RouteQuery::begin() {
  const std::uint32_t words = core_.program_.hexWords();
  std::int32_t at = -1;
  if (route_.hasMover) {
    const Word mover = arena_->arguments[0];
    if (static_cast<std::uint64_t>(mover) >= core_.module_.counters.size())
      core_.raise(mover == none ? FaultCode::missingValue : FaultCode::outOfRange);
    const auto u = static_cast<std::uint16_t>(mover);
    at = core_.image_.hexOf(u);
    wideMover_ = core_.program_.poses().mayBeWide(core_.program_.poses().arcsOf(u));
    moverOffMap_ = at < 0;
    lifted_ = core_.image_.lift(u);
    isLifted_ = true;
    serialBefore_ = core_.host_.liftSerial;
    core_.host_.lifted.push_back(u);
    core_.host_.liftSerial = ++core_.host_.liftNext;
  }
  startSet_.assign(words, 0);
  if (route_.startBody != noBody) {
    ask(route_.startBody, {});
    const auto* set = core_.checkedSet(core_.top_, static_cast<std::uint32_t>(core_.module_.board.n));
    andSet(startSet_.data(), set, core_.module_.board.inPlay.data(), static_cast<int>(words));
  } else if (at >= 0) {
    setBit(startSet_.data(), at);
  }
  starts_ = startSet_.data();
  const int count = countBits(starts_, static_cast<int>(words));
  if (count == 0) return false;
  singleStart_ = count == 1 ? lowestBit(starts_, static_cast<int>(words)) : -1;
  if (route_.budgetBody != noBody) {
    hasBudget_ = true;
    budgetFraction_ = ask(route_.budgetBody, {});
    if (budgetFraction_ == none) budgetFraction_ = packRatio(0, 1);
    hasBudget_ = budgetFraction_ != unlimitedWord;
    if (hasBudget_) checkFraction(budgetFraction_);
  }
  if (route_.lengthBody != noBody) {
    const Word length = ask(route_.lengthBody, {});
    if (length == none) core_.raise(FaultCode::missingValue);
    length_ = static_cast<std::int32_t>(std::clamp<Word>(length, 0, INT16_MAX));
  }
  if (route_.minimumBody != noBody) minimum_ = ask(route_.minimumBody, {}) != 0;
  // Costs that come up later may ask for a finer scale; see rescale.
  scale_ = hasBudget_ ? denominatorOf(budgetFraction_) : 1;
  for (const RouteEdge& edge : route_.edges)
    if (edge.costBody == noBody) scale_ = std::lcm(scale_, std::int64_t{denominatorOf(edge.fixedCost)});
  if (scale_ > INT32_MAX) core_.raise(FaultCode::overflow);
  if (hasBudget_) budget_ = std::max<std::int64_t>(-1, scaled(budgetFraction_));
  return true;
}

std::int64_t RouteQuery::scaled(Word f) {
  checkFraction(f);
  const std::int64_t denominator = denominatorOf(f);
  if (scale_ % denominator != 0) {
    needsFiner_ = true;
    finer_ = std::lcm(std::max(scale_, finer_), denominator);
    if (finer_ > INT32_MAX) core_.raise(FaultCode::overflow);
    return 0;
  }
  const std::int64_t value = numeratorOf(f) * (scale_ / denominator);
  // So that a path of 100000 edges cannot overflow.
  if (value > (std::int64_t{1} << 45)) core_.raise(FaultCode::overflow);
  return value;
}

bool RouteQuery::rescale() {
  if (!needsFiner_) return false;
  needsFiner_ = false;
  scale_ = finer_;
  if (hasBudget_) budget_ = std::max<std::int64_t>(-1, scaled(budgetFraction_));
  return true;
}

const SetWord* RouteQuery::setOf(std::uint32_t body, std::int32_t origin, std::size_t slot) {
  if (body == noBody || plain_) return nullptr;
  const bool usual = origin == singleStart_ && slot < quick_.size();
  if (usual && quick_[slot] != nullptr) return quick_[slot];
  for (const auto& known : known_)
    if (known->origin == origin && known->slot == slot) return known->hexes.data();
  setMoverHex(origin);
  ask(body, {origin});
  const SetWord* set = core_.checkedSet(core_.top_, static_cast<std::uint32_t>(core_.module_.board.n));
  auto known = std::make_unique<KnownSet>();
  known->origin = origin;
  known->slot = slot;
  known->hexes.assign(set, set + core_.program_.hexWords());
  known_.push_back(std::move(known));
  if (usual) quick_[slot] = known_.back()->hexes.data();
  return known_.back()->hexes.data();
}

const SetWord* RouteQuery::blockedSet(std::size_t edge, std::int32_t origin) {
  return setOf(route_.edges[edge].blockedSetBody, origin, 2 * edge + 2);
}
const SetWord* RouteQuery::stopSet(std::size_t edge, std::int32_t origin) {
  return setOf(route_.edges[edge].stopSetBody, origin, 2 * edge + 3);
}
const SetWord* RouteQuery::endBlockedSet(std::int32_t origin) {
  return setOf(route_.endBlockedSetBody, origin, 0);
}
const SetWord* RouteQuery::goalSet(std::int32_t origin) {
  return setOf(route_.goalSetBody, origin, 1);
}

bool RouteQuery::isEnd(std::int32_t origin, Word spent, std::int32_t h) {
  // A mover that stands on the map does not move to where it begins.
  if (h == origin && !startsAreEnds()) return false;
  const SetWord* blocked = endBlockedSet(origin);
  if (blocked != nullptr && hasBit(blocked, h)) return false;
  const SetWord* goals = goalSet(origin);
  if (goals != nullptr && !hasBit(goals, h)) return false;
  const bool askEnd = route_.endForbidBody != noBody && (plain_ || !route_.endIsSet);
  const bool askGoal = route_.goalBody != noBody && (plain_ || !route_.goalIsSet);
  if (!askEnd && !askGoal) return true;
  setMoverHex(h);
  if (askEnd && ask(route_.endForbidBody, {origin, spent, h}) != 0) return false;
  return !askGoal || ask(route_.goalBody, {origin, spent, h}) != 0;
}

bool RouteQuery::leads(const RouteEdge& edge, std::int32_t a, int direction, std::int32_t& b) const {
  b = core_.module_.board.neighbour[a * 6 + direction];
  if (b < 0 || !staysInPlay(b)) return false;
  if (edge.along < 0) return true;
  const Word joined =
      core_.image_.get(core_.program_.columns()[edge.alongColumn], static_cast<std::uint32_t>(a));
  return joined != none && (joined >> (6 * edge.along + direction) & 1) != 0;
}

/// What a step costs where nothing that changes is read: asked once for each edge and machine.
Word RouteQuery::staticCost(std::size_t index, std::int32_t origin, std::int32_t a, int direction,
                            std::int32_t b) {
  auto& routes = core_.host_.staticCosts;
  if (routes.empty()) routes.resize(core_.module_.routes.size());
  auto& items = routes[static_cast<std::size_t>(&route_ - core_.module_.routes.data())];
  if (items.empty()) items.resize(route_.edges.size());
  std::vector<Word>& costs = items[index];
  if (costs.empty()) costs.assign(static_cast<std::size_t>(core_.module_.board.n) * 6, unknownCost);
  Word& cost = costs[static_cast<std::size_t>(a * 6 + direction)];
  if (cost == unknownCost) {
    setMoverHex(a);
    cost = ask(route_.edges[index].costBody, {origin, packRatio(0, 1), a, b});
  }
  return cost;
}

Word RouteQuery::stepAsTheMapTells(std::size_t index, std::int32_t a, int direction, bool& faults) {
  const RouteEdge& edge = route_.edges[index];
  std::int32_t b = -1;
  Word cost = none;
  if (!leads(edge, a, direction, b)) return none;
  // It is worked out once for all, so that it may not depend on who asks first how much work is left.
  const std::int64_t fuel = core_.fuel_;
  faults = !core_.quietly([&] {
    const std::initializer_list<Word> step{a, packRatio(0, 1), a, b};
    if (edge.restForbidBody != noBody && ask(edge.restForbidBody, step) != 0) return;
    cost = edge.costBody == noBody ? edge.fixedCost : ask(edge.costBody, step);
    if (cost == none) return;
    checkFraction(cost);
    if (numeratorOf(cost) < 0) core_.raise(FaultCode::negativeCost);
  });
  core_.fuel_ = fuel;
  return faults ? none : cost;
}

RouteQuery::EdgeAnswer RouteQuery::askEdge(std::size_t index, std::int32_t origin, std::int64_t spent,
                                           std::int32_t a, int direction, std::int32_t b) {
  const RouteEdge& edge = route_.edges[index];
  EdgeAnswer answer;
  const SetWord* blocked = blockedSet(index, origin);
  if (blocked != nullptr && hasBit(blocked, b)) return answer;
  const std::uint32_t forbid = !plain_ && edge.forbidIsSet ? edge.restForbidBody : edge.forbidBody;
  const bool stopBySet = !plain_ && edge.stopIsSet;
  const bool costStands = !plain_ && edge.costBody != noBody && edge.costIsStatic;
  const bool bodies = forbid != noBody || (edge.costBody != noBody && !costStands) ||
                      edge.preferBody != noBody || (!stopBySet && edge.stopBody != noBody);
  const SetWord* stops = stopBySet ? stopSet(index, origin) : nullptr;
  answer.stops = stops != nullptr && hasBit(stops, b);
  Word spentFraction = 0;
  if (bodies) {
    setMoverHex(a);
    spentFraction = fraction(spent);
  }
  if (forbid != noBody && ask(forbid, {origin, spentFraction, a, b}) != 0) return answer;
  Word cost = edge.fixedCost;
  if (costStands)
    cost = staticCost(index, origin, a, direction, b);
  else if (edge.costBody != noBody)
    cost = ask(edge.costBody, {origin, spentFraction, a, b});
  if (cost == none) return answer;
  answer.cost = scaled(cost);
  if (answer.cost < 0) core_.raise(FaultCode::negativeCost);
  if (!stopBySet && edge.stopBody != noBody)
    answer.stops = ask(edge.stopBody, {origin, spentFraction, a, b}) != 0;
  if (edge.preferBody != noBody) {
    ask(edge.preferBody, {origin, spentFraction, a, b});
    const Word* figures = core_.top_;
    for (std::size_t i = 0; i < edge.preferCount; ++i) answer.prefer[i] = scaled(figures[i]);
  }
  answer.open = true;
  return answer;
}

} // namespace hellwig
