// SPDX-License-Identifier: Apache-2.0
// Questions that a flood answers: see flood_query.h.
#include "runtime/flood_query.h"

#include "runtime/flood.h"
#include "runtime/path_block.h"
#include "runtime/ratio.h"

#include <algorithm>

namespace hellwig {

namespace {
/// Longer ways are left to the search.
constexpr std::size_t mostPathHexes = 256;
enum Sets { starts, blockedSet, stopSet, allowed, scratch, setCount };
} // namespace

bool floods(const Route& route) {
  if (route.byNodes || route.edges.size() != 1 || route.lengthBody != noBody) return false;
  const RouteEdge& edge = route.edges[0];
  return edge.costBody == noBody && edge.along < 0 && edge.preferCount == 0 && edge.effectBody == noBody &&
         denominatorOf(edge.fixedCost) > 0 && numeratorOf(edge.fixedCost) >= 0 &&
         (edge.forbidBody == noBody || (edge.forbidIsSet && edge.restForbidBody == noBody)) &&
         (edge.stopBody == noBody || edge.stopIsSet) && (route.endForbidBody == noBody || route.endIsSet) &&
         (route.goalBody == noBody || route.goalIsSet);
}

FloodQuery::FloodQuery(MachineCore& core, const Route& route, const Word* arguments)
    : core_(core), route_(route), arguments_(arguments), words_(static_cast<int>(core.program_.hexWords())) {
  // Routes do not call themselves, so there are never more questions under way than routes.
  auto& host = core.host_;
  const std::size_t size = static_cast<std::size_t>(words_) * setCount;
  if (host.floodSets.empty()) host.floodSets.resize(size * (core.module_.routes.size() + 1));
  arenaTop_ = host.floodTop;
  if (arenaTop_ + size > host.floodSets.size()) core.raise(FaultCode::stackTooDeep);
  sets_ = host.floodSets.data() + arenaTop_;
  host.floodTop += size;
}

FloodQuery::~FloodQuery() {
  if (isLifted_) {
    core_.image_.lower(lifted_);
    core_.host_.lifted.pop_back();
    core_.host_.liftSerial = serialBefore_;
  }
  core_.host_.floodTop = arenaTop_;
}

const SetWord* FloodQuery::ask(std::uint32_t body, bool withOrigin) {
  Word* frame = core_.top_;
  if (core_.framesEnd_ - frame < static_cast<std::ptrdiff_t>(core_.program_.bodies()[body].needWords))
    core_.raise(FaultCode::stackTooDeep);
  Word* end = std::copy(arguments_, arguments_ + route_.parameters, frame);
  if (withOrigin) *end = origin_;
  core_.runBody(body, frame);
  return reinterpret_cast<const SetWord*>(frame);
}

bool FloodQuery::begin(bool& severalOrigins) {
  severalOrigins = false;
  if (route_.forbidBody != noBody && *ask(route_.forbidBody, false) != 0) return false;
  const Board& board = core_.module_.board;
  std::int32_t at = -1;
  bool wideMover = false;
  if (route_.hasMover) {
    const Word mover = arguments_[0];
    if (static_cast<std::uint64_t>(mover) >= core_.module_.counters.size())
      core_.raise(mover == none ? FaultCode::missingValue : FaultCode::outOfRange);
    const auto u = static_cast<std::uint16_t>(mover);
    at = core_.image_.hexOf(u);
    // A step that takes part of the mover out of play is barred, which a flood cannot tell.
    wideMover = core_.program_.poses().isWide(core_.poseOf(u));
    onMap_ = at >= 0;
    lifted_ = core_.image_.lift(u);
    isLifted_ = true;
    serialBefore_ = core_.host_.liftSerial;
    core_.host_.lifted.push_back(u);
    core_.host_.liftSerial = ++core_.host_.liftNext;
  }
  if (route_.startBody != noBody) {
    const SetWord* begun = core_.checkedSet(reinterpret_cast<const Word*>(ask(route_.startBody, false)),
                                            static_cast<std::uint32_t>(board.n));
    andSet(set(starts), begun, board.inPlay.data(), words_);
  } else {
    clearSet(set(starts), words_);
    if (at >= 0) setBit(set(starts), at);
  }
  origin_ = nextBit(set(starts), 0, words_);
  if (origin_ < 0) return false;
  if (wideMover || (nextBit(set(starts), origin_ + 1, words_) >= 0 && (route_.readsOrigin || onMap_))) {
    severalOrigins = true;
    return true;
  }
  return route_.setsBody != noBody ? askTogether() : askApart();
}

void FloodQuery::takeBudget(Word budget) {
  const Word cost = route_.edges[0].fixedCost;
  if (budget == unlimitedWord) return;
  if (budget == none) budget = packRatio(0, 1);
  checkFraction(budget);
  budget_ = budget;
  if (numeratorOf(budget) < 0) {
    steps_ = 0;
  } else if (numeratorOf(cost) != 0) {
    const std::int64_t whole = std::int64_t{numeratorOf(budget)} * denominatorOf(cost) /
                               (std::int64_t{denominatorOf(budget)} * numeratorOf(cost));
    steps_ = static_cast<int>(std::min<std::int64_t>(whole, maxBoardHexes));
  }
  if (steps_ == 0 && route_.minimumBody != noBody && *ask(route_.minimumBody, false) != 0) steps_ = 1;
}

/// What is left of the hexes in play once end and goal have spoken; false if nothing is.
bool FloodQuery::takeEnds(const SetWord* barred, const SetWord* goal) {
  copySet(set(allowed), core_.module_.board.inPlay.data(), words_);
  if (barred != nullptr) andNotSet(set(allowed), set(allowed), barred, words_);
  if (goal != nullptr) andSet(set(allowed), set(allowed), goal, words_);
  // A mover that stands on the map does not move to where it begins.
  if (onMap_) clearBit(set(allowed), origin_);
  return anyBit(set(allowed), words_);
}

void FloodQuery::readMoverAt(std::int32_t hex) {
  if (route_.hasMover && route_.readsMover)
    core_.image_.pokeHex(static_cast<std::uint32_t>(arguments_[0]), hex);
}

/// One body answers the budget and all sets one after another.
bool FloodQuery::askTogether() {
  readMoverAt(origin_);
  const auto size = static_cast<std::uint32_t>(core_.module_.board.n);
  const auto* answer = reinterpret_cast<const Word*>(ask(route_.setsBody, true));
  Word budget = 0;
  if (route_.budgetBody != noBody) budget = *answer++;
  auto next = [&](std::uint32_t body) -> const SetWord* {
    if (body == noBody) return nullptr;
    const SetWord* found = core_.checkedSet(answer, size);
    answer += words_;
    return found;
  };
  const SetWord* barred = next(route_.edges[0].blockedSetBody);
  const SetWord* stops = next(route_.edges[0].stopSetBody);
  const SetWord* notEnds = next(route_.endBlockedSetBody);
  const SetWord* goal = next(route_.goalSetBody);
  if (!takeEnds(notEnds, goal)) return false;
  if (barred != nullptr) blocked_ = copied(blockedSet, barred);
  if (stops != nullptr) stop_ = copied(stopSet, stops);
  if (route_.budgetBody != noBody) takeBudget(budget);
  return true;
}

bool FloodQuery::askApart() {
  const auto size = static_cast<std::uint32_t>(core_.module_.board.n);
  if (route_.budgetBody != noBody) takeBudget(static_cast<Word>(*ask(route_.budgetBody, false)));
  auto clause = [&](std::uint32_t body, int into) -> const SetWord* {
    if (body == noBody) return nullptr;
    readMoverAt(origin_);
    return copied(into, core_.checkedSet(reinterpret_cast<const Word*>(ask(body, true)), size));
  };
  const SetWord* notEnds = clause(route_.endBlockedSetBody, scratch);
  const SetWord* goal = clause(route_.goalSetBody, blockedSet);
  if (!takeEnds(notEnds, goal)) return false;
  blocked_ = clause(route_.edges[0].blockedSetBody, blockedSet);
  stop_ = clause(route_.edges[0].stopSetBody, stopSet);
  return true;
}

const SetWord* FloodQuery::copied(int into, const SetWord* from) {
  copySet(set(into), from, words_);
  return set(into);
}

bool FloodQuery::startIsEnd(const SetWord* goals) {
  if (onMap_) return false;
  andSet(set(scratch), set(starts), set(allowed), words_);
  if (goals != nullptr) andSet(set(scratch), set(scratch), goals, words_);
  return anyBit(set(scratch), words_);
}

bool FloodQuery::any(const SetWord* goals) {
  if (startIsEnd(goals)) return true;
  if (steps_ <= 0) return false;
  const SetWord* wanted = set(allowed);
  if (goals != nullptr) {
    andSet(set(scratch), set(allowed), goals, words_);
    wanted = set(scratch);
  }
  // Mostly the first step will do.
  const Board& board = core_.module_.board;
  for (int d = 0; d < 6; ++d) {
    const int h = board.neighbour[origin_ * 6 + d];
    if (h >= 0 && hasBit(wanted, h) && (blocked_ == nullptr || !hasBit(blocked_, h))) return true;
  }
  return floodReaches(core_.module_.board, set(starts), {blocked_, stop_}, steps_, wanted);
}

void FloodQuery::all(SetWord* out) {
  if (startIsEnd(nullptr)) orSet(out, out, set(scratch), words_);
  if (steps_ <= 0) return;
  floodReach(core_.module_.board, set(starts), {blocked_, stop_}, steps_, set(scratch));
  andSet(set(scratch), set(scratch), set(allowed), words_);
  orSet(out, out, set(scratch), words_);
}

bool FloodQuery::path(std::int32_t to, std::uint16_t route, Word* block) {
  const Board& board = core_.module_.board;
  if (!hasBit(set(allowed), to)) return false;
  const Word cost = route_.edges[0].fixedCost;
  // The block may lie on the arguments.
  const std::vector<Word> given(arguments_, arguments_ + route_.parameters);
  std::int16_t hexes[1 + mostPathHexes];
  int steps = 0;
  if (!(!onMap_ && hasBit(set(starts), to))) {
    const int most = std::min({steps_, board.n, static_cast<int>(mostPathHexes)});
    if (most <= 0) return false;
    std::vector<SetWord>& layers = core_.host_.floodLayers;
    layers.resize(static_cast<std::size_t>(most) * static_cast<std::size_t>(words_));
    const int count = floodLayers(board, set(starts), {blocked_, stop_}, most, layers.data());
    steps = floodPath(board, set(starts), {blocked_, stop_}, layers.data(), count, to, hexes);
    if (steps < 0) return false;
  } else {
    hexes[0] = static_cast<std::int16_t>(to);
  }
  const PathShape& shape = core_.program_.pathShape();
  std::fill(block, block + shape.words(), 0);
  block[pathEdges] = block[pathSteps] = steps;
  block[pathRoute] = route;
  // With `minimum one step` the only step takes no more than there is.
  const Word whole = reduceFraction(std::int64_t{numeratorOf(cost)} * steps, denominatorOf(cost));
  block[pathCost] = budget_ != none && fractionLess(budget_, whole)
                        ? (numeratorOf(budget_) < 0 ? packRatio(0, 1) : budget_)
                        : whole;
  block[pathFirst] = hexes[0];
  block[pathLast] = hexes[steps];
  std::copy(given.begin(), given.end(), block + pathHead);
  Word* edges = block + shape.edges();
  for (int i = 0; i < steps; ++i)
    edges[i / 4] |= static_cast<Word>(static_cast<std::uint64_t>(static_cast<std::uint16_t>(hexes[i + 1]))
                                      << (16 * (i % 4)));
  return true;
}

} // namespace hellwig
