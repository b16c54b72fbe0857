// SPDX-License-Identifier: Apache-2.0
// reach, any reach, path: a flood where the clauses are sets and steps cost the same, else a search by least
// cost.
#include "runtime/cost_reach.h"
#include "runtime/flood.h"
#include "runtime/flood_query.h"
#include "runtime/node_routes.h"
#include "runtime/route_query.h"

#include <algorithm>
#include <functional>

namespace hellwig {

namespace {

constexpr int nodeLimit = RouteSearch::defaultNodeLimit;

/// The best end found, with all that ranks ends.
struct BestEnd {
  bool found = false;
  std::vector<Word> rank; ///< `prefer` lines of end
  std::int64_t cost = 0;
  std::array<std::int64_t, RouteSearch::maxPreferences> prefer{};
  Word costFraction = 0;
  std::int32_t start = -1;
  std::vector<std::uint16_t> hexes; ///< entered (packStep)
};

// Whether every clause of edges is a set and all steps cost the same whole number of the scale.
bool canFlood(const RouteQuery& query) {
  const Route& route = query.route();
  if (query.plain() || query.wideMover() || query.length() >= 0 || route.edges.size() != 1) return false;
  const RouteEdge& edge = route.edges[0];
  return edge.costBody == noBody && edge.along < 0 && edge.preferCount == 0 &&
         (edge.forbidBody == noBody || (edge.forbidIsSet && edge.restForbidBody == noBody)) &&
         (edge.stopBody == noBody || edge.stopIsSet) && query.singleStart() >= 0;
}

int floodSteps(RouteQuery& query) {
  const std::int64_t cost = query.scaled(query.route().edges[0].fixedCost), budget = query.budget();
  if (budget == RouteQuery::unlimited || (cost == 0 && budget >= 0)) return unlimitedSteps;
  if (budget < 0) return query.minimum() ? 1 : 0;
  const std::int64_t steps = std::min<std::int64_t>(budget / cost, maxBoardHexes);
  return static_cast<int>(steps == 0 && query.minimum() ? 1 : steps);
}

// What a step costs the mover: with `minimum one step` the first takes at most the whole budget.
std::int64_t stepCost(const RouteQuery& query, std::int64_t cost, bool first) {
  if (first && query.minimum() && query.budget() != RouteQuery::unlimited)
    return std::min(cost, std::max<std::int64_t>(query.budget(), 0));
  return cost;
}

class Reacher {
public:
  Reacher(MachineCore& core, RouteQuery& query) : core_(core), query_(query), board_(core.module_.board) {}

  /// Calls end(h, spent, steps) for each end in some order until it returns true. Paths are not kept where a
  /// flood serves.
  void ends(const std::function<bool(std::int32_t)>& end, const SetWord* goals) {
    if (canFlood(query_)) {
      flood(end, goals);
      return;
    }
    if (query_.length() >= 0) {
      walk([&](std::int32_t h, std::int64_t, const auto&, const std::vector<std::uint16_t>&, std::int32_t) {
        return (goals == nullptr || hasBit(goals, h)) && end(h);
      });
      return;
    }
    if (byCost(end, goals)) return;
    search([&](std::int32_t id, std::int32_t) {
      const auto h = static_cast<std::int32_t>(query_.arena().search.node(id).key);
      return (goals == nullptr || hasBit(goals, h)) && end(h);
    });
  }

  /// Takes into `best` what is better: to hex `to`, or to the best end.
  void best(std::int32_t to, BestEnd& best) {
    if (canFlood(query_) && query_.route().endPreferCount == 0) {
      floodPaths(to, best);
      return;
    }
    if (query_.length() >= 0) {
      walk([&](std::int32_t h, std::int64_t cost, const auto& prefer, const std::vector<std::uint16_t>& hexes,
               std::int32_t start) {
        if (to < 0 || h == to)
          offer(best, h, cost, prefer, start, [&](std::vector<std::uint16_t>& out) { out = hexes; });
        return false;
      });
      return;
    }
    search([&](std::int32_t id, std::int32_t origin) {
      RouteSearch& search = query_.arena().search;
      const RouteSearch::Node node = search.node(id);
      const auto h = static_cast<std::int32_t>(node.key);
      if (to >= 0 && h != to) return false;
      offer(best, h, node.cost, node.preference, origin, [&](std::vector<std::uint16_t>& out) {
        std::vector<std::int32_t>& nodes = query_.arena().nodes;
        search.path(id, nodes);
        out.clear();
        const std::size_t items = query_.route().edges.size();
        for (std::size_t i = 1; i < nodes.size(); ++i)
          out.push_back(packStep(static_cast<std::int32_t>(search.node(nodes[i]).key),
                                 search.node(nodes[i]).rank % items));
      });
      // Nodes come from the best to the worst, so the first path to a hex is the best to it.
      return to >= 0;
    });
  }

  /// Every path, where there is a length; else the best to each end.
  void all(std::uint8_t way, const std::function<void(PathRecord&&)>& found) {
    if (query_.length() >= 0) {
      walk([&](std::int32_t, std::int64_t cost, const auto&, const std::vector<std::uint16_t>& hexes,
               std::int32_t start) {
        found(record(way, start, cost, hexes));
        return false;
      });
      return;
    }
    std::vector<std::uint64_t> seen(static_cast<std::size_t>(board_.words), 0);
    search([&](std::int32_t id, std::int32_t origin) {
      RouteSearch& search = query_.arena().search;
      const auto h = static_cast<std::int32_t>(search.node(id).key);
      // A hex reached twice, once to stop there, is one end.
      if (hasBit(seen.data(), h)) return false;
      setBit(seen.data(), h);
      std::vector<std::int32_t>& nodes = query_.arena().nodes;
      search.path(id, nodes);
      std::vector<std::uint16_t> hexes;
      const std::size_t items = query_.route().edges.size();
      for (std::size_t i = 1; i < nodes.size(); ++i)
        hexes.push_back(packStep(static_cast<std::int32_t>(search.node(nodes[i]).key),
                                 search.node(nodes[i]).rank % items));
      found(record(way, origin, search.node(id).cost, hexes));
      return false;
    });
  }

  PathRecord record(std::uint8_t way, std::int32_t start, std::int64_t cost,
                    const std::vector<std::uint16_t>& hexes) const {
    PathRecord made;
    made.first = start;
    made.cost = query_.fraction(cost);
    for (const std::uint16_t step : hexes)
      made.edges.push_back(
          {EdgeKind::step, way, static_cast<std::uint8_t>(itemOfStep(step)), 0xffff, hexOfStep(step)});
    return made;
  }

private:
  /// Keeps the end if it is better than the best so far. Among equals the first offered stays, but the lower
  /// hex wins.
  template<class Hexes>
  void offer(BestEnd& best, std::int32_t h, std::int64_t cost,
             const std::array<std::int64_t, RouteSearch::maxPreferences>& prefer, std::int32_t start,
             Hexes&& hexes) {
    const Route& route = query_.route();
    std::vector<Word> rank;
    const Word spent = query_.fraction(cost);
    if (route.endPreferCount != 0) {
      query_.setMoverHex(h);
      query_.ask(route.endPreferBody, {start, spent, h});
      rank.assign(query_.answer(), query_.answer() + route.endPreferCount);
    }
    std::vector<std::uint16_t> path;
    hexes(path);
    if (best.found) {
      for (std::size_t i = 0; i < rank.size() && i < best.rank.size(); ++i) {
        if (fractionLess(best.rank[i], rank[i])) return;
        if (fractionLess(rank[i], best.rank[i])) goto better;
      }
      if (fractionLess(best.costFraction, spent)) return;
      if (!fractionLess(spent, best.costFraction)) {
        if (prefer > best.prefer) return;
        if (prefer == best.prefer) {
          if (path.size() > best.hexes.size()) return;
          // Best path before lowest hex: at the first difference the step clockwise first. Ends are offered
          // in that order, so an equal one that comes later is not better.
          if (path.size() == best.hexes.size()) return;
        }
      }
    }
  better:
    best.found = true;
    best.rank = std::move(rank);
    best.cost = cost;
    best.prefer = prefer;
    best.costFraction = spent;
    best.start = start;
    best.hexes = std::move(path);
  }

  bool needsBodiesAtEnd() const {
    const Route& route = query_.route();
    return (route.endForbidBody != noBody && !route.endIsSet) ||
           (route.goalBody != noBody && !route.goalIsSet);
  }

  // The hexes that end and goal allow as far as sets say, less what is not asked for.
  void endSet(std::vector<std::uint64_t>& set, const SetWord* goals) {
    const int words = board_.words;
    const std::int32_t origin = query_.singleStart();
    set.assign(board_.inPlay.begin(), board_.inPlay.end());
    if (goals != nullptr) andSet(set.data(), set.data(), goals, words);
    if (const SetWord* blocked = query_.endBlockedSet(origin))
      andNotSet(set.data(), set.data(), blocked, words);
    if (const SetWord* goal = query_.goalSet(origin)) andSet(set.data(), set.data(), goal, words);
    if (!query_.startsAreEnds()) clearBit(set.data(), origin);
  }

  bool byCost(const std::function<bool(std::int32_t)>& end, const SetWord* goals) {
    const bool asks = needsBodiesAtEnd();
    const std::int32_t origin = query_.singleStart();
    // A start that is an end counts again, with another cost, where a way comes back to it.
    if (origin < 0 || query_.plain() || (asks && query_.startsAreEnds())) return false;
    std::vector<std::uint64_t> allowed;
    endSet(allowed, goals);
    return reachByCost(core_, query_, allowed.data(),
                       [&](std::int32_t h, std::int64_t spent, std::int64_t scale) {
                         return (!asks || query_.isEnd(origin, reduceFraction(spent, scale), h)) && end(h);
                       });
  }

  void flood(const std::function<bool(std::int32_t)>& end, const SetWord* goals) {
    const int words = board_.words;
    const std::int32_t origin = query_.singleStart();
    std::vector<std::uint64_t> allowed;
    endSet(allowed, goals);
    const FloodClauses clauses{query_.blockedSet(0, origin), query_.stopSet(0, origin)};
    const int steps = floodSteps(query_);
    if (query_.startsAreEnds() && hasBit(allowed.data(), origin) &&
        query_.isEnd(origin, packRatio(0, 1), origin) && end(origin))
      return;
    if (steps == 0) return;
    if (needsBodiesAtEnd()) {
      std::vector<std::uint64_t>& layers = query_.arena().scratch;
      const int most = std::min(steps, board_.n);
      layers.resize(static_cast<std::size_t>(most) * words);
      const int count = floodLayers(board_, query_.starts(), clauses, most, layers.data());
      const std::int64_t cost = query_.scaled(query_.route().edges[0].fixedCost);
      for (int k = 0; k < count; ++k)
        for (int h = nextBit(layers.data() + k * words, 0, words); h >= 0;
             h = nextBit(layers.data() + k * words, h + 1, words)) {
          const std::int64_t spent = k == 0 ? stepCost(query_, cost, true) : cost * (k + 1);
          if (hasBit(allowed.data(), h) && query_.isEnd(origin, query_.fraction(spent), h) && end(h)) return;
        }
      return;
    }
    std::vector<std::uint64_t> reached(static_cast<std::size_t>(words), 0);
    floodReach(board_, query_.starts(), clauses, steps, reached.data());
    andSet(reached.data(), reached.data(), allowed.data(), words);
    for (int h = nextBit(reached.data(), 0, words); h >= 0; h = nextBit(reached.data(), h + 1, words))
      if (end(h)) return;
  }

  void floodPaths(std::int32_t to, BestEnd& best) {
    const int words = board_.words;
    const std::int32_t origin = query_.singleStart();
    std::vector<std::uint64_t> allowed;
    endSet(allowed, nullptr);
    const FloodClauses clauses{query_.blockedSet(0, origin), query_.stopSet(0, origin)};
    const int most = std::min(floodSteps(query_), board_.n);
    const std::array<std::int64_t, RouteSearch::maxPreferences> noPrefer{};
    if (query_.startsAreEnds() && (to < 0 || to == origin) && hasBit(allowed.data(), origin) &&
        query_.isEnd(origin, packRatio(0, 1), origin))
      offer(best, origin, 0, noPrefer, origin, [](std::vector<std::uint16_t>& out) { out.clear(); });
    std::vector<std::uint64_t>& layers = query_.arena().scratch;
    layers.resize(static_cast<std::size_t>(std::max(most, 1)) * words);
    const int count = most > 0 ? floodLayers(board_, query_.starts(), clauses, most, layers.data()) : 0;
    const std::int64_t cost = query_.scaled(query_.route().edges[0].fixedCost);
    std::vector<std::int16_t> found(static_cast<std::size_t>(count) + 1), first;
    for (int k = 0; k < count; ++k) {
      const SetWord* layer = layers.data() + static_cast<std::size_t>(k) * words;
      const std::int64_t spent = k == 0 ? stepCost(query_, cost, true) : cost * (k + 1);
      first.clear();
      for (int h = nextBit(layer, 0, words); h >= 0; h = nextBit(layer, h + 1, words)) {
        if ((to >= 0 && h != to) || !hasBit(allowed.data(), h)) continue;
        // isEnd may use the arena of another search, not this one, so the layers stay as they are.
        if (!query_.isEnd(origin, query_.fraction(spent), h)) continue;
        const int steps = floodPath(board_, query_.starts(), clauses, layers.data(), count, h, found.data());
        if (steps < 0) continue;
        if (first.empty() || clockwiseFirst(origin, found.data() + 1, first.data(), steps))
          first.assign(found.begin() + 1, found.begin() + 1 + steps);
      }
      if (first.empty()) continue;
      offer(best, first.back(), spent, noPrefer, origin,
            [&](std::vector<std::uint16_t>& out) { out.assign(first.begin(), first.end()); });
      // With steps that cost something later layers are dearer, else longer.
      return;
    }
  }

  // Whether path a is before path b, of equally many steps, where they first differ.
  bool clockwiseFirst(std::int32_t origin, const std::int16_t* a, const std::int16_t* b, int steps) const {
    std::int32_t from = origin;
    for (int i = 0; i < steps; ++i) {
      if (a[i] != b[i]) {
        for (int d = 0; d < 6; ++d) {
          const int next = board_.neighbour[from * 6 + d];
          if (next == a[i]) return true;
          if (next == b[i]) return false;
        }
      }
      from = a[i];
    }
    return false;
  }

  std::int32_t originOf(std::int32_t id) {
    if (query_.singleStart() >= 0) return query_.singleStart();
    RouteSearch& search = query_.arena().search;
    while (search.node(id).parent >= 0) id = search.node(id).parent;
    return static_cast<std::int32_t>(search.node(id).key);
  }

  // Calls end(node, origin) for ends from the best to the worst until it returns true.
  template<class End> void search(End&& end) {
    const Route& route = query_.route();
    const int items = static_cast<int>(route.edges.size());
    int preferences = 0;
    for (const RouteEdge& edge : route.edges) preferences = std::max<int>(preferences, edge.preferCount);
    RouteSearch& search = query_.arena().search;
    do {
      // A fraction that does not fit the scale stops the search; it begins again with a finer one.
      bool done = false;
      const std::int64_t budget = query_.budget() == RouteQuery::unlimited
                                      ? RouteSearch::unlimitedCost
                                      : std::max<std::int64_t>(query_.budget(), 0);
      search.begin(static_cast<std::uint64_t>(board_.n), preferences, budget, nodeLimit);
      forEachBit(query_.starts(), board_.words,
                 [&](int h) { search.addStart(static_cast<std::uint64_t>(h)); });
      bool restart = false;
      std::vector<std::pair<std::int32_t, bool>> held;
      const auto outcome = search.run(
          [&](std::int32_t id) {
            if (restart) return true;
            const RouteSearch::Node node = search.node(id);
            if (node.edges == 0 && !query_.startsAreEnds()) return false;
            const std::int32_t origin = originOf(id);
            if (!query_.isEnd(origin, query_.fraction(node.cost), static_cast<std::int32_t>(node.key)))
              return false;
            done = end(id, origin);
            return done;
          },
          [&](std::int32_t id, auto&& follow) {
            const RouteSearch::Node node = search.node(id);
            const auto a = static_cast<std::int32_t>(node.key);
            const std::int32_t origin = originOf(id);
            if (query_.budget() < 0 && !(query_.minimum() && node.edges == 0)) return;
            for (int d = 0; d < 6 && !restart; ++d)
              for (int i = 0; i < items; ++i) {
                std::int32_t b = -1;
                if (!query_.leads(route.edges[i], a, d, b)) continue;
                const RouteQuery::EdgeAnswer answer =
                    query_.askEdge(static_cast<std::size_t>(i), origin, node.cost, a, d, b);
                if (query_.rescale()) {
                  restart = true;
                  break;
                }
                if (!answer.open) continue;
                RouteSearch::Edge edge;
                edge.to = static_cast<std::uint64_t>(b);
                edge.cost = stepCost(query_, answer.cost, node.edges == 0);
                edge.rank = static_cast<std::uint32_t>(d * items + i);
                edge.stops = answer.stops;
                edge.preference = answer.prefer;
                follow(edge);
              }
          });
      if (!restart) {
        if (outcome == RouteSearch::Outcome::nodeLimit) core_.raise(FaultCode::tooManyNodes);
        if (outcome == RouteSearch::Outcome::negative) core_.raise(FaultCode::negativeCost);
        return;
      }
    } while (true);
  }

  // Paths of exactly length() steps, no hex twice, in the order of directions. end(h, cost, prefer, hexes,
  // start) returns true to stop.
  template<class End> void walk(End&& end) {
    const int words = board_.words;
    for (;;) {
      bool restart = false, stop = false;
      for (int start = nextBit(query_.starts(), 0, words); start >= 0 && !stop && !restart;
           start = nextBit(query_.starts(), start + 1, words))
        walkFrom(start, end, restart, stop);
      if (!restart) return;
    }
  }

  template<class End> void walkFrom(std::int32_t start, End&& end, bool& restart, bool& stop) {
    struct Level {
      std::int32_t hex;
      std::int64_t cost;
      std::array<std::int64_t, RouteSearch::maxPreferences> prefer;
      int next;
      bool stops;
    };
    const Route& route = query_.route();
    const int items = static_cast<int>(route.edges.size()), length = query_.length();
    std::vector<Level> levels{{start, 0, {}, 0, false}};
    std::vector<std::uint16_t> hexes;
    std::vector<std::uint64_t> visited(static_cast<std::size_t>(board_.words), 0);
    setBit(visited.data(), start);
    int nodes = 0;
    if (length == 0) {
      if (query_.startsAreEnds() && query_.isEnd(start, packRatio(0, 1), start))
        stop = end(start, std::int64_t{0}, levels[0].prefer, hexes, start);
      return;
    }
    while (!levels.empty()) {
      Level& level = levels.back();
      if (level.next == 6 * items || level.stops) {
        clearBit(visited.data(), level.hex);
        levels.pop_back();
        if (!hexes.empty()) hexes.pop_back();
        continue;
      }
      const int d = level.next / items, i = level.next % items;
      ++level.next;
      std::int32_t b = -1;
      if (!query_.leads(route.edges[i], level.hex, d, b) || hasBit(visited.data(), b)) continue;
      const RouteQuery::EdgeAnswer answer =
          query_.askEdge(static_cast<std::size_t>(i), start, level.cost, level.hex, d, b);
      if (query_.rescale()) {
        restart = true;
        return;
      }
      if (!answer.open) continue;
      if (++nodes > nodeLimit) core_.raise(FaultCode::tooManyNodes);
      const std::int64_t cost = level.cost + stepCost(query_, answer.cost, levels.size() == 1);
      if (query_.budget() != RouteQuery::unlimited && cost > std::max<std::int64_t>(query_.budget(), 0))
        continue;
      auto prefer = level.prefer;
      for (std::size_t k = 0; k < prefer.size(); ++k) {
        if (answer.prefer[k] < 0) core_.raise(FaultCode::negativeCost);
        prefer[k] += answer.prefer[k];
      }
      hexes.push_back(packStep(b, static_cast<std::size_t>(i)));
      if (static_cast<int>(hexes.size()) == length) {
        if (query_.isEnd(start, query_.fraction(cost), b)) stop = end(b, cost, prefer, hexes, start);
        hexes.pop_back();
        if (stop) return;
        continue;
      }
      setBit(visited.data(), b);
      levels.push_back({b, cost, prefer, 0, answer.stops});
    }
  }

  MachineCore& core_;
  RouteQuery& query_;
  const Board& board_;
};

} // namespace

void MachineCore::reach(std::uint16_t id, const Word* arguments, SetWord* out) {
  std::vector<std::uint64_t> hexes(program_.hexWords(), 0);
  for (const Way& way : waysWithArguments(*this, id, arguments)) {
    const Route& route = module_.routes[way.route];
    const auto add = [&](std::int32_t h) {
      setBit(hexes.data(), h);
      return false;
    };
    if (route.byNodes) {
      nodeEnds(*this, way, add);
      continue;
    }
    if (!host_.plainSearch && program_.floods(way.route)) {
      bool severalOrigins = false;
      FloodQuery flood(*this, route, way.arguments.data());
      if (!flood.begin(severalOrigins)) continue;
      if (!severalOrigins) {
        flood.all(hexes.data());
        continue;
      }
    }
    RouteQuery query(*this, way.route, way.arguments.data());
    if (query.forbidden() || !query.begin()) continue;
    Reacher(*this, query).ends(add, nullptr);
  }
  std::copy(hexes.begin(), hexes.end(), out);
}

bool MachineCore::anyReach(std::uint16_t id, const Word* arguments, const SetWord* goals) {
  if (module_.routes[id].also.empty() && !host_.plainSearch && program_.floods(id)) {
    bool severalOrigins = false;
    FloodQuery flood(*this, module_.routes[id], arguments);
    if (!flood.begin(severalOrigins)) return false;
    if (!severalOrigins) return flood.any(goals);
  }
  std::vector<std::uint64_t> wanted;
  if (goals != nullptr) wanted.assign(goals, goals + program_.hexWords());
  bool found = false;
  for (const Way& way : waysWithArguments(*this, id, arguments)) {
    if (module_.routes[way.route].byNodes) {
      nodeEnds(*this, way, [&](std::int32_t h) {
        found = goals == nullptr || hasBit(wanted.data(), h);
        return found;
      });
    } else {
      RouteQuery query(*this, way.route, way.arguments.data());
      if (query.forbidden() || !query.begin()) continue;
      Reacher(*this, query)
          .ends(
              [&](std::int32_t) {
                found = true;
                return true;
              },
              goals != nullptr ? wanted.data() : nullptr);
    }
    if (found) return true;
  }
  return false;
}

void MachineCore::path(std::uint16_t id, const Word* arguments, std::int32_t to, Word* block) {
  if (to >= 0 && module_.routes[id].also.empty() && !host_.plainSearch && program_.floods(id)) {
    bool severalOrigins = false, found = false;
    {
      FloodQuery flood(*this, module_.routes[id], arguments);
      if (flood.begin(severalOrigins) && !severalOrigins) found = flood.path(to, id, block);
    }
    if (found) return;
    // No path, or one for which the search is needed: it tells.
  }
  const std::vector<Word> kept(arguments, arguments + module_.routes[id].parameters);
  BestPath best;
  for (const Way& way : waysWithArguments(*this, id, kept.data())) {
    if (module_.routes[way.route].byNodes) {
      nodeBest(*this, way, to, best);
      continue;
    }
    RouteQuery query(*this, way.route, way.arguments.data());
    if (query.forbidden() || !query.begin()) continue;
    BestEnd mine;
    Reacher reacher(*this, query);
    reacher.best(to, mine);
    if (!mine.found) continue;
    BestPath found;
    found.found = true;
    found.rank = mine.rank;
    for (std::size_t i = 0; i < found.prefer.size(); ++i) found.prefer[i] = query.fraction(mine.prefer[i]);
    found.record = reacher.record(way.number, mine.start, mine.cost, mine.hexes);
    found.record.cost = mine.costFraction;
    if (found.better(best)) best = std::move(found);
  }
  writePath(*this, block, id, kept.data(), best.found ? &best.record : nullptr);
}

void MachineCore::paths(std::uint16_t id, const Word* arguments, Word* list) {
  const std::vector<Word> kept(arguments, arguments + module_.routes[id].parameters);
  std::vector<PathRecord> all;
  const auto add = [&](PathRecord&& record) {
    if (all.size() >= mostPaths) raise(FaultCode::tooManyNodes);
    all.push_back(std::move(record));
  };
  bool every = false;
  for (const Way& way : waysWithArguments(*this, id, kept.data())) {
    every = every || module_.routes[way.route].lengthBody != noBody;
    if (module_.routes[way.route].byNodes) {
      nodePaths(*this, way, add);
      continue;
    }
    RouteQuery query(*this, way.route, way.arguments.data());
    if (query.forbidden() || !query.begin()) continue;
    Reacher(*this, query).all(way.number, add);
  }
  writePaths(*this, list, id, kept.data(), std::move(all), every);
}

} // namespace hellwig
