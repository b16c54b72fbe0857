// SPDX-License-Identifier: Apache-2.0
// A move under way: whether the next edge is legal in the present state, by which ways and at what cost.
#include "runtime/travel.h"

#include "runtime/node_routes.h"

#include <algorithm>

namespace hellwig {

namespace {

/// A travel in registers, looked at with every word checked.
class Travel {
public:
  Travel(MachineCore& core, const Word* words)
      : words_(words), shape_(core.program_.travelShape()) {
    if (static_cast<std::uint64_t>(words[travelRoute]) >= core.module_.routes.size())
      core.raise(FaultCode::outOfRange);
    const auto route = static_cast<std::uint16_t>(words[travelRoute]);
    ways_ = waysWithArguments(core, route, words + shape_.given());
    if (ways_.size() > shape_.ways || !core.module_.routes[route].hasMover) core.raise(FaultCode::outOfRange);
    // Nothing else can be moved by it than whoever it is about.
    for (const Way& way : ways_)
      if (way.arguments[0] != words[travelMover] ||
          static_cast<std::uint64_t>(way.arguments[0]) >= core.module_.counters.size())
        core.raise(words[travelMover] == none ? FaultCode::missingValue : FaultCode::outOfRange);
  }

  const std::vector<Way>& ways() const { return ways_; }
  bool open(const Way& way) const {
    return ((words_[travelOpen] & ~words_[travelStops]) >> way.number & 1) != 0;
  }
  bool begun() const { return words_[travelOrigin] != none; }
  Word origin() const { return words_[travelOrigin]; }
  Word spent(const Way& way) const {
    const Word spent = words_[shape_.spent(way.number)];
    checkFraction(spent);
    return spent;
  }
  std::int32_t steps() const { return static_cast<std::int32_t>(words_[travelSteps]); }
  const Word* start(const Way& way) const { return words_ + shape_.start(way.number); }

  /// The fields of the mover, which came from nowhere before its first step.
  void present(const NodeQuery& query, Word* fields) const {
    query.present(fields);
    if (query.route().overCameFrom && steps() == 0 && fields[0] == origin()) fields[1] = none;
  }

  /// What is left of the budget for an edge of this cost; the cost itself where it may be paid, else none.
  Word affordable(NodeQuery& query, const Way& way, Word cost, bool step, Word budget) const {
    if (budget == unlimitedWord) return cost;
    if (step && query.minimum() && steps() == 0 && fractionLess(budget, cost))
      cost = numeratorOf(budget) < 0 ? packRatio(0, 1) : budget;
    return fractionLess(budget, addFractions(spent(way), cost)) ? none : cost;
  }

private:
  const Word* words_;
  const TravelShape& shape_;
  std::vector<Way> ways_;
};

std::uint64_t nameOf(const Word* fields, std::size_t width) {
  std::uint64_t name = 0;
  for (std::size_t i = 0; i < width; ++i) {
    name = (name ^ static_cast<std::uint64_t>(fields[i])) * 0xff51afd7ed558ccdU;
    name ^= name >> 29;
  }
  return name;
}

/// Whether edges of two ways are the same: to the same hex or facing, or an action of the same name and
/// choice.
bool same(const Module& module, std::uint16_t routeA, const NodeEdge& a, std::uint16_t routeB,
          const PathEdge& b, std::uint8_t wayA) {
  if (a.kind != b.kind) return false;
  if (wayA == b.way && b.item != anyItem) {
    if (a.item != b.item) return false;
  } else if (a.kind == EdgeKind::action) {
    if (b.item >= module.routes[routeB].edges.size() ||
        module.routes[routeA].edges[a.item].name != module.routes[routeB].edges[b.item].name)
      return false;
  }
  return a.kind == EdgeKind::step ? a.q == b.hex : a.choice == b.choice;
}

} // namespace

void MachineCore::travelStart(Word* travel, Word mover, std::uint16_t route, const Word* arguments) {
  const TravelShape& shape = program_.travelShape();
  const std::vector<Word> given(arguments, arguments + module_.routes[route].parameters);
  std::fill(travel, travel + shape.words(), 0);
  travel[travelMover] = mover;
  travel[travelRoute] = route;
  travel[travelOrigin] = none;
  std::copy(given.begin(), given.end(), travel + shape.given());
  const std::vector<Way> ways = waysWithArguments(*this, route, given.data());
  if (ways.size() > shape.ways || static_cast<std::uint64_t>(mover) >= module_.counters.size())
    raise(mover == none ? FaultCode::missingValue : FaultCode::outOfRange);
  travel[travelOpen] = (Word{1} << ways.size()) - 1;
  for (std::uint32_t w = 0; w < shape.ways; ++w)
    travel[shape.spent(w)] = travel[shape.cost(w)] = packRatio(0, 1);
  if (image_.hexOf(static_cast<std::uint32_t>(mover)) >= 0) travelBegin(travel);
}

/// Keeps the fields with which the mover, which is on the map, starts.
void MachineCore::travelBegin(Word* travel) {
  const TravelShape& shape = program_.travelShape();
  const Travel view(*this, travel);
  const std::int32_t hex = image_.hexOf(static_cast<std::uint32_t>(travel[travelMover]));
  if (hex < 0) return;
  travel[travelOrigin] = hex;
  for (const Way& way : view.ways()) {
    NodeQuery query(*this, way);
    query.lift();
    query.startFields(hex, travel + shape.start(way.number));
  }
}

bool MachineCore::travelTest(Word* travel, Word word) {
  const TravelShape& shape = program_.travelShape();
  const Travel view(*this, travel);
  const PathEdge wanted = unpackEdge(word);
  travel[travelKind] = static_cast<Word>(wanted.kind);
  travel[travelItem] = 0;
  travel[travelLegal] = travel[travelHalts] = travel[travelFirst] = 0;
  travel[travelP] = travel[travelQ] = none;
  if (word == none) return false;
  const auto wantedRoute = wanted.way < view.ways().size() ? view.ways()[wanted.way].route : std::uint16_t{0};
  for (const Way& way : view.ways()) {
    if (!view.open(way)) continue;
    NodeQuery query(*this, way);
    bool legal = false;
    Word cost = packRatio(0, 1), p = none, q = none;
    if (wanted.kind == EdgeKind::entry) {
      if (!view.begun() && query.begin() && !query.wasOnMap()) {
        const auto& starts = query.starts();
        legal = std::find(starts.begin(), starts.end(), wanted.hex) != starts.end();
        q = wanted.hex;
      }
    } else if (view.begun()) {
      query.resume();
      if (!query.wasOnMap()) continue;
      std::vector<Word> here(query.width()), there(query.width());
      view.present(query, here.data());
      const Word budget = query.budget(view.start(way));
      query.take(here.data());
      std::vector<NodeEdge> edges;
      query.edges(view.origin(), view.spent(way), wanted.kind == EdgeKind::step,
                  wanted.kind != EdgeKind::step, edges);
      const bool tooFar =
          wanted.kind == EdgeKind::step && query.length() >= 0 && view.steps() >= query.length();
      for (const NodeEdge& edge : edges) {
        if (tooFar || !same(module_, way.route, edge, wantedRoute, wanted, way.number)) continue;
        query.take(here.data());
        const EdgeVerdict verdict = query.judge(edge, view.origin(), view.spent(way));
        if (!verdict.open()) continue;
        const Word pays = view.affordable(query, way, verdict.cost, edge.kind == EdgeKind::step, budget);
        if (pays == none || (legal && !fractionLess(pays, cost))) continue;
        if (!query.follow(edge, view.origin(), view.spent(way), here.data(), there.data())) continue;
        legal = true;
        cost = pays;
        p = edge.p;
        q = edge.q;
        const Word bit = Word{1} << way.number;
        travel[travelHalts] = verdict.stops ? travel[travelHalts] | bit : travel[travelHalts] & ~bit;
        // The effects that act are those of this item.
        if (travel[travelLegal] == 0) travel[travelItem] = way.number * 256 + edge.item;
      }
    }
    if (!legal) continue;
    travel[shape.cost(way.number)] = cost;
    if (travel[travelLegal] == 0) {
      travel[travelFirst] = way.number;
      travel[travelP] = p;
      travel[travelQ] = q;
    }
    travel[travelLegal] |= Word{1} << way.number;
  }
  return travel[travelLegal] != 0;
}

void MachineCore::travelTake(Word* travel) {
  const TravelShape& shape = program_.travelShape();
  const auto kind = static_cast<EdgeKind>(travel[travelKind]);
  travel[travelOpen] = travel[travelLegal];
  travel[travelStops] = travel[travelHalts];
  for (std::uint32_t w = 0; w < shape.ways; ++w)
    if ((travel[travelLegal] >> w & 1) != 0)
      travel[shape.spent(w)] = addFractions(travel[shape.spent(w)], travel[shape.cost(w)]);
  if (kind == EdgeKind::entry) travelBegin(travel);
  ++travel[travelTaken];
  if (kind == EdgeKind::step) ++travel[travelSteps];
}

void MachineCore::travelArguments(const Word* travel, std::uint32_t number, Word* out) {
  const TravelShape& shape = program_.travelShape();
  const Travel view(*this, travel);
  if (number >= view.ways().size()) raise(FaultCode::outOfRange);
  const Way& way = view.ways()[number];
  const Word more[] = {travel[travelOrigin] == none ? travel[travelQ] : travel[travelOrigin],
                       travel[shape.spent(number)], travel[travelP], travel[travelQ]};
  std::copy(std::begin(more), std::end(more), std::copy(way.arguments.begin(), way.arguments.end(), out));
}

void MachineCore::moveAlong(std::uint32_t counter, const Word* path, bool test) {
  const std::uint32_t edges = edgesOfPath(*this, path);
  if (edges == 0 && path[pathFirst] == none) return;
  std::vector<Word> travel(program_.travelShape().words());
  if (test) travelStart(travel.data(), counter, static_cast<std::uint16_t>(path[pathRoute]), path + pathHead);
  std::int32_t from = image_.hexOf(counter), before = -1, at = from;
  // Nobody looks on, so that only the last step counts; but a step tested sees the mover where it then is.
  const auto goTo = [&](std::int32_t hex) {
    before = at;
    at = hex;
    if (!test) return;
    image_.moveToHex(counter, static_cast<std::uint32_t>(hex));
    if (image_.hasPoses()) moved(counter);
  };
  if (from < 0) {
    const Word first = path[pathFirst];
    if (static_cast<std::uint64_t>(first) >= static_cast<std::uint64_t>(module_.board.n))
      raise(FaultCode::outOfRange);
    goTo(static_cast<std::int32_t>(first));
    before = -1;
    if (test) travelBegin(travel.data());
  }
  for (std::uint32_t i = 0; i < edges; ++i) {
    const PathEdge edge = edgeOfPath(*this, path, i);
    if (test) {
      if (!travelTest(travel.data(), packEdge(edge))) break;
      travelTake(travel.data());
    }
    goTo(edge.hex);
  }
  if (test || (at == from && edges == 0)) return;
  image_.moveToHex(counter, static_cast<std::uint32_t>(at));
  if (image_.hasPoses()) moved(counter);
  if (before >= 0) image_.setCameFrom(counter, before);
}

std::vector<TravelEdge> travelEdgesFrom(MachineCore& core, const Word* travel) {
  const Travel view(core, travel);
  std::vector<TravelEdge> all;
  std::vector<std::uint32_t> ranks;
  const auto offer = [&](TravelEdge&& made, std::uint32_t rank, const Way& way) {
    for (TravelEdge& other : all) {
      const bool alike =
          other.edge.kind == made.edge.kind && other.edge.hex == made.edge.hex &&
          other.edge.choice == made.edge.choice &&
          (made.edge.kind != EdgeKind::action ||
           core.module_.routes[view.ways()[other.edge.way].route].edges[other.edge.item].name ==
               core.module_.routes[way.route].edges[made.edge.item].name);
      if (!alike) continue;
      // Of items of one way the cheaper counts; of ways the first.
      if (other.edge.way == made.edge.way && fractionLess(made.cost, other.cost)) {
        other = std::move(made);
      } else {
        other.mayEnd = other.mayEnd || made.mayEnd;
        other.endInReach = other.endInReach || made.endInReach;
      }
      return;
    }
    const auto place = std::upper_bound(ranks.begin(), ranks.end(), rank);
    all.insert(all.begin() + (place - ranks.begin()), std::move(made));
    ranks.insert(place, rank);
  };
  for (const Way& way : view.ways()) {
    if (!view.open(way)) continue;
    NodeQuery query(core, way);
    if (travel[travelTaken] == 0 && query.forbidden()) continue;
    if (view.begun())
      query.resume();
    else if (!query.begin())
      continue;
    if (query.wasOnMap() != view.begun()) continue;
    std::vector<Word> here(query.width()), there(query.width());
    if (!view.begun()) {
      for (const std::int32_t hex : query.starts()) {
        TravelEdge made;
        made.edge = {EdgeKind::entry, way.number, 0, 0xffff, hex};
        query.startFields(hex, there.data());
        made.node = nameOf(there.data(), query.width());
        const Word budget = query.budget(there.data());
        NodeSearch search(core, query);
        search.beginAt(there.data(), there.data(), packRatio(0, 1), 0, false, budget);
        search.run([&](std::int32_t id) {
          const bool end = search.isEnd(id);
          made.mayEnd = made.mayEnd || (end && search.label(id).parent < 0);
          made.endInReach = made.endInReach || end;
          return end;
        });
        offer(std::move(made), 0, way);
      }
      continue;
    }
    view.present(query, here.data());
    const Word budget = query.budget(view.start(way)), spent = view.spent(way);
    query.take(here.data());
    std::vector<NodeEdge> edges;
    query.edges(view.origin(), spent, query.length() < 0 || view.steps() < query.length(), true, edges);
    for (const NodeEdge& edge : edges) {
      query.take(here.data());
      const bool step = edge.kind == EdgeKind::step;
      const EdgeVerdict verdict = query.judge(edge, view.origin(), spent);
      if (!verdict.open()) continue;
      const Word pays = view.affordable(query, way, verdict.cost, step, budget);
      if (pays == none || !query.follow(edge, view.origin(), spent, here.data(), there.data())) continue;
      TravelEdge made;
      made.edge = {edge.kind, way.number, edge.item, edge.choice, static_cast<std::int32_t>(there[0])};
      made.x = edge.kind == EdgeKind::action ? edge.p : none;
      made.cost = pays;
      made.node = nameOf(there.data(), query.width());
      if (query.route().edges[edge.item].endsSearch) {
        made.mayEnd = made.endInReach = true;
      } else {
        NodeSearch search(core, query);
        search.beginAt(view.start(way), there.data(), addFractions(spent, pays),
                       view.steps() + (step ? 1 : 0), step || view.steps() != 0, budget);
        search.run([&](std::int32_t id) {
          const bool first = search.label(id).parent < 0;
          const bool end = search.isEnd(id);
          made.mayEnd = made.mayEnd || (first && end);
          made.endInReach = made.endInReach || end;
          return end || verdict.stops; // of a node that may not be left only itself is looked at
        });
      }
      offer(std::move(made), edge.rank, way);
    }
  }
  return all;
}

bool travelMayEnd(MachineCore& core, const Word* travel) {
  const Travel view(core, travel);
  if (!view.begun() || travel[travelTaken] == 0) return false;
  for (const Way& way : view.ways()) {
    if ((travel[travelOpen] >> way.number & 1) == 0) continue;
    NodeQuery query(core, way);
    query.resume();
    if (!query.wasOnMap()) continue;
    if (query.length() >= 0 && view.steps() != query.length()) continue;
    std::vector<Word> here(query.width());
    view.present(query, here.data());
    query.take(here.data());
    if (query.isEnd(view.origin(), view.spent(way))) return true;
  }
  return false;
}

std::uint64_t travelNode(MachineCore& core, const Word* travel) {
  const Travel view(core, travel);
  const NodeQuery query(core, view.ways().front());
  std::vector<Word> here(query.width());
  view.present(query, here.data());
  return nameOf(here.data(), query.width());
}

} // namespace hellwig
