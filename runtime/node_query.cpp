// SPDX-License-Identifier: Apache-2.0
// Asking the clauses of a route at a node, with the mover lifted and its fields those of the node.
#include "runtime/node_query.h"

#include <algorithm>

namespace hellwig {

namespace {

enum NodeField : std::size_t { fieldHex, fieldCameFrom, fieldColumns };

int turnBy(Word from, Word to) {
  const int apart = static_cast<int>((to - from + 6) % 6);
  return std::min(apart, 6 - apart);
}

} // namespace

std::vector<Way> waysWithArguments(MachineCore& core, std::uint16_t route, const Word* arguments) {
  std::vector<Way> ways;
  const auto add = [&](const auto& self, std::uint16_t id, std::vector<Word> given) -> void {
    const std::size_t at = ways.size();
    ways.push_back({id, static_cast<std::uint8_t>(at), std::move(given)});
    for (const AlsoWay& also : core.module_.routes[id].also) {
      std::vector<Word> other = ways[at].arguments;
      if (also.argumentsBody != noBody) {
        const BodyAccess& body = core.program_.bodies()[also.argumentsBody];
        if (core.framesEnd_ - core.top_ < static_cast<std::ptrdiff_t>(body.needWords))
          core.raise(FaultCode::stackTooDeep);
        std::copy(other.begin(), other.end(), core.top_);
        core.runBody(also.argumentsBody, core.top_);
        other.assign(core.top_, core.top_ + body.resultWords);
      }
      self(self, also.route, std::move(other));
    }
  };
  add(add, route, std::vector<Word>(arguments, arguments + core.module_.routes[route].parameters));
  return ways;
}

// ---- Effects in a search

void MachineCore::poke(std::int32_t column, Word value) {
  const Route* route = host_.effects;
  if (route == nullptr || host_.lifted.empty() ||
      std::find(route->over.begin(), route->over.end(), column) == route->over.end())
    raise(FaultCode::badHook);
  Word before = 0;
  if (!image_.suppose(program_.columns()[static_cast<std::size_t>(column)], host_.lifted.back(), value, before))
    raise(value == none ? FaultCode::missingValue : FaultCode::overflow);
}

void MachineCore::pokeHex(Word hex) {
  const Route* route = host_.effects;
  if (route == nullptr || host_.lifted.empty()) raise(FaultCode::badHook);
  if (static_cast<std::uint64_t>(hex) >= static_cast<std::uint64_t>(module_.board.n))
    raise(hex == none ? FaultCode::missingValue : FaultCode::outOfRange);
  const std::uint16_t mover = host_.lifted.back();
  const std::int32_t before = image_.hexOf(mover);
  if (before == hex) return;
  if (route->overCameFrom) image_.setCameFrom(mover, before);
  image_.pokeHex(mover, static_cast<std::int32_t>(hex));
}

// ---- Queries

NodeQuery::NodeQuery(MachineCore& core, const Way& way)
    : core_(core), way_(way), route_(core.module_.routes[way.route]), found_(width(), 0) {
  for (const std::uint16_t column : route_.over) {
    const ColumnAccess& access = core.program_.columns()[column];
    zonesWatch_ = zonesWatch_ || (access.zonesAll | access.zonesOwn) != 0;
  }
}

NodeQuery::~NodeQuery() {
  if (!isLifted_) return;
  Word dropped = 0;
  for (std::size_t i = 0; i < route_.over.size(); ++i)
    core_.image_.suppose(core_.program_.columns()[route_.over[i]], mover(), found_[fieldColumns + i], dropped);
  if (route_.overCameFrom)
    core_.image_.setCameFrom(
        mover(), found_[fieldCameFrom] == none ? -1 : static_cast<std::int32_t>(found_[fieldCameFrom]));
  core_.image_.lower(lifted_);
  core_.host_.lifted.pop_back();
  core_.host_.liftSerial = serialBefore_;
  core_.host_.watchedMover = watchedBefore_;
  core_.host_.effects = effectsBefore_;
}

Word NodeQuery::ask(std::uint32_t body, std::initializer_list<Word> more) {
  Word* frame = core_.top_;
  if (core_.framesEnd_ - frame < static_cast<std::ptrdiff_t>(core_.program_.bodies()[body].needWords))
    core_.raise(FaultCode::stackTooDeep);
  Word* end = std::copy(way_.arguments.begin(), way_.arguments.end(), frame);
  std::copy(more.begin(), more.end(), end);
  core_.runBody(body, frame);
  return *frame;
}

bool NodeQuery::forbidden() {
  return route_.forbidBody != noBody && ask(route_.forbidBody, {}) != 0;
}

void NodeQuery::lift() {
  if (!route_.hasMover || isLifted_) return;
  const Word u = way_.arguments[0];
  if (static_cast<std::uint64_t>(u) >= core_.module_.counters.size())
    core_.raise(u == none ? FaultCode::missingValue : FaultCode::outOfRange);
  present(found_.data());
  wasOnMap_ = core_.image_.hexOf(mover()) >= 0;
  lifted_ = core_.image_.lift(mover());
  isLifted_ = true;
  serialBefore_ = core_.host_.liftSerial;
  watchedBefore_ = core_.host_.watchedMover;
  effectsBefore_ = core_.host_.effects;
  core_.host_.lifted.push_back(static_cast<std::uint16_t>(u));
  core_.host_.liftSerial = ++core_.host_.liftNext;
  core_.host_.watchedMover = static_cast<std::int32_t>(u);
}

bool NodeQuery::begin() {
  lift();
  const Board& board = core_.module_.board;
  if (route_.startBody != noBody) {
    ask(route_.startBody, {});
    const SetWord* set = core_.checkedSet(core_.top_, static_cast<std::uint32_t>(board.n));
    for (int h = nextBit(set, 0, board.words); h >= 0; h = nextBit(set, h + 1, board.words))
      if (hasBit(board.inPlay.data(), h)) starts_.push_back(h);
  } else if (wasOnMap_) {
    starts_.push_back(static_cast<std::int32_t>(found_[fieldHex]));
  }
  if (starts_.empty()) return false;
  resume();
  return true;
}

void NodeQuery::resume() {
  lift();
  if (route_.lengthBody != noBody) {
    const Word length = ask(route_.lengthBody, {});
    if (length == none) core_.raise(FaultCode::missingValue);
    length_ = static_cast<std::int32_t>(std::clamp<Word>(length, 0, INT16_MAX));
  }
  if (route_.minimumBody != noBody) minimum_ = ask(route_.minimumBody, {}) != 0;
}

void NodeQuery::present(Word* fields) const {
  fields[fieldHex] = none;
  fields[fieldCameFrom] = 0;
  if (!route_.hasMover) return;
  const std::int32_t hex = core_.image_.hexOf(mover()), from = core_.image_.cameFrom(mover());
  fields[fieldHex] = hex < 0 ? none : hex;
  if (route_.overCameFrom) fields[fieldCameFrom] = from < 0 ? none : from;
  for (std::size_t i = 0; i < route_.over.size(); ++i)
    fields[fieldColumns + i] = core_.image_.get(core_.program_.columns()[route_.over[i]], mover());
}

void NodeQuery::startFields(std::int32_t hex, Word* fields) const {
  std::copy(found_.begin(), found_.end(), fields);
  fields[fieldHex] = hex;
  fields[fieldCameFrom] = route_.overCameFrom ? none : 0;
}

void NodeQuery::take(const Word* fields) {
  hex_ = fields[fieldHex];
  if (!route_.hasMover) return;
  core_.image_.pokeHex(mover(), fields[fieldHex] == none ? -1 : static_cast<std::int32_t>(fields[fieldHex]));
  if (route_.overCameFrom)
    core_.image_.setCameFrom(
        mover(), fields[fieldCameFrom] == none ? -1 : static_cast<std::int32_t>(fields[fieldCameFrom]));
  bool changed = false;
  for (std::size_t i = 0; i < route_.over.size(); ++i) {
    const ColumnAccess& column = core_.program_.columns()[route_.over[i]];
    Word before = 0;
    core_.image_.suppose(column, mover(), fields[fieldColumns + i], before);
    changed = changed || before != fields[fieldColumns + i];
  }
  // Zones of other counters may look at a field of the mover, though it is lifted.
  if (changed && zonesWatch_) core_.host_.liftSerial = ++core_.host_.liftNext;
}

Word NodeQuery::budget(const Word* startFields) {
  if (route_.budgetBody == noBody) return unlimitedWord;
  take(startFields);
  const Word budget =
      route_.budgetReadsOrigin ? ask(route_.budgetBody, {startFields[fieldHex]}) : ask(route_.budgetBody, {});
  if (budget == unlimitedWord) return budget;
  if (budget == none) return packRatio(0, 1);
  checkFraction(budget);
  return budget;
}

bool NodeQuery::leads(const RouteEdge& item, std::int32_t a, int direction, std::int32_t& b) const {
  b = core_.module_.board.neighbour[static_cast<std::size_t>(a * 6 + direction)];
  if (b < 0) return false;
  if (item.along < 0) return true;
  const Word joined = core_.image_.get(core_.program_.columns()[static_cast<std::size_t>(item.alongColumn)],
                                       static_cast<std::uint32_t>(a));
  return joined != none && (joined >> (6 * item.along + direction) & 1) != 0;
}

void NodeQuery::edges(Word origin, Word spent, bool steps, bool others, std::vector<NodeEdge>& out) {
  out.clear();
  std::vector<Word> here(width());
  present(here.data());
  const auto items = static_cast<std::uint32_t>(route_.edges.size());
  const auto a = static_cast<std::int32_t>(route_.hasMover ? here[fieldHex] : hex_);
  if (steps && a >= 0)
    for (int d = 0; d < 6; ++d)
      for (std::uint32_t i = 0; i < items; ++i) {
        std::int32_t b = -1;
        if (route_.edges[i].kind != EdgeKind::step || !leads(route_.edges[i], a, d, b)) continue;
        out.push_back({EdgeKind::step, static_cast<std::uint8_t>(i), 0xffff,
                       static_cast<std::uint32_t>(d) * items + i, a, b});
      }
  if (!others) return;
  if (route_.facing >= 0) {
    const Word facing = here[fieldColumns + static_cast<std::size_t>(route_.facing)];
    for (Word to = 0; facing >= 0 && facing < 6 && to < 6; ++to)
      for (std::uint32_t i = 0; i < items; ++i) {
        if (route_.edges[i].kind != EdgeKind::turn || to == facing) continue;
        out.push_back({EdgeKind::turn, static_cast<std::uint8_t>(i), static_cast<std::uint16_t>(to),
                       (1U << 12) + static_cast<std::uint32_t>(to) * items + i, turnBy(facing, to), to});
      }
  }
  for (std::uint32_t i = 0; i < items; ++i) {
    const RouteEdge& item = route_.edges[i];
    if (item.kind != EdgeKind::action) continue;
    const std::uint32_t rank = (i + 1) << 20;
    if (item.choicesBody == noBody) {
      out.push_back({EdgeKind::action, static_cast<std::uint8_t>(i), 0xffff, rank, none, none});
      continue;
    }
    ask(item.choicesBody, {origin, spent});
    const SetWord* set = core_.checkedSet(core_.top_, core_.module_.domains[item.choiceDomain].size);
    std::vector<std::uint16_t> order;
    core_.orderOf(set, core_.program_.domainWords(item.choiceDomain), item.choiceDomain, order);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Word x = item.choiceDomain == domainInts ? Word{order[k]} + lowestSetInt : Word{order[k]};
      out.push_back({EdgeKind::action, static_cast<std::uint8_t>(i), order[k],
                     rank + static_cast<std::uint32_t>(k), x, none});
    }
  }
}

EdgeVerdict NodeQuery::judge(const NodeEdge& edge, Word origin, Word spent, bool stopsToo) {
  const RouteEdge& item = route_.edges[edge.item];
  EdgeVerdict verdict;
  verdict.barred = item.forbidBody != noBody && ask(item.forbidBody, {origin, spent, edge.p, edge.q}) != 0;
  const auto stops = [&] {
    return item.stopBody != noBody && ask(item.stopBody, {origin, spent, edge.p, edge.q}) != 0;
  };
  if (verdict.barred) {
    verdict.stops = stopsToo && stops();
    return verdict;
  }
  verdict.cost =
      item.costBody != noBody ? ask(item.costBody, {origin, spent, edge.p, edge.q}) : item.fixedCost;
  verdict.noCost = verdict.cost == none;
  if (verdict.noCost) {
    verdict.stops = stopsToo && stops();
    return verdict;
  }
  checkFraction(verdict.cost);
  if (numeratorOf(verdict.cost) < 0) core_.raise(FaultCode::negativeCost);
  verdict.stops = stops();
  verdict.prefer.fill(packRatio(0, 1));
  if (item.preferBody != noBody) {
    ask(item.preferBody, {origin, spent, edge.p, edge.q});
    for (std::size_t i = 0; i < item.preferCount; ++i) {
      verdict.prefer[i] = core_.top_[i];
      checkFraction(verdict.prefer[i]);
      if (numeratorOf(verdict.prefer[i]) < 0) core_.raise(FaultCode::negativeCost);
    }
  }
  return verdict;
}

bool NodeQuery::follow(const NodeEdge& edge, Word origin, Word spent, const Word* from, Word* to) {
  const RouteEdge& item = route_.edges[edge.item];
  std::copy(from, from + width(), to);
  if (edge.kind == EdgeKind::step) {
    to[fieldHex] = edge.q;
    if (route_.overCameFrom) to[fieldCameFrom] = edge.p;
  } else if (edge.kind == EdgeKind::turn) {
    to[fieldColumns + static_cast<std::size_t>(route_.facing)] = edge.q;
  }
  if (!route_.hasMover) return true;
  take(to);
  if (item.effectBody != noBody && !item.endsSearch) {
    core_.host_.effects = &route_;
    ask(item.effectBody, {origin, spent, edge.p, edge.q});
    core_.host_.effects = nullptr;
    present(to);
  }
  return to[fieldHex] != none && hasBit(core_.module_.board.inPlay.data(), static_cast<int>(to[fieldHex])) &&
         (core_.program_.poses().arcsOf(mover()) < 0 ||
          core_.staysInPlay(mover(), static_cast<std::int32_t>(to[fieldHex])));
}

bool NodeQuery::isEnd(Word origin, Word spent) {
  const Word hex = route_.hasMover ? Word{core_.image_.hexOf(mover())} : hex_;
  if (route_.endForbidBody != noBody && ask(route_.endForbidBody, {origin, spent, hex}) != 0) return false;
  return route_.goalBody == noBody || ask(route_.goalBody, {origin, spent, hex}) != 0;
}

void NodeQuery::rank(Word origin, Word spent, std::vector<Word>& out) {
  out.clear();
  if (route_.endPreferBody == noBody) return;
  const Word hex = route_.hasMover ? Word{core_.image_.hexOf(mover())} : hex_;
  ask(route_.endPreferBody, {origin, spent, hex});
  out.assign(core_.top_, core_.top_ + route_.endPreferCount);
  for (const Word figure : out) checkFraction(figure);
}

} // namespace hellwig
