// SPDX-License-Identifier: Apache-2.0
// Why a hex is not an end of a route: the search again with every bar passable, and the first one met
// reported.
#include "runtime/node_why_not.h"
#include "runtime/route_query.h"

#include <algorithm>

namespace hellwig {

namespace {

// Nodes of the lenient search: hex, steps so far (with a length), over the budget or not.
struct Key {
  std::int32_t hex, steps;
  bool over;
};
std::uint64_t pack(const Key& key, std::int32_t hexes) {
  return (static_cast<std::uint64_t>(key.steps) * static_cast<std::uint64_t>(hexes) +
          static_cast<std::uint64_t>(key.hex)) *
             2 +
         key.over;
}
Key unpack(std::uint64_t packed, std::int32_t hexes) {
  const auto n = static_cast<std::uint64_t>(hexes);
  return {static_cast<std::int32_t>(packed / 2 % n), static_cast<std::int32_t>(packed / 2 / n),
          packed % 2 != 0};
}

class WhyNot {
public:
  WhyNot(MachineCore& core, std::uint16_t route, const Word* arguments, std::int32_t to)
      : core_(core), query_(core, route, arguments), route_(query_.route()), to_(to),
        hexes_(core.module_.board.n) {}

  Explanation run() {
    Explanation explanation;
    if (query_.forbidden()) {
      report(explanation, route_.forbidWhyBody, {}, "not allowed");
      return explanation;
    }
    if (!query_.begin()) return say(noWayLeads(core_.module_, route_));
    std::int32_t found = -1;
    for (;;) {
      restart_ = false;
      const RouteSearch::Outcome outcome = search(found);
      if (restart_) continue;
      if (outcome == RouteSearch::Outcome::nodeLimit) return say("out of reach", route_.budgetMarks);
      break;
    }
    if (found < 0) return say(noWayLeads(core_.module_, route_));
    return firstBar(found);
  }

private:
  Explanation say(const std::string& text, std::uint16_t marks = 0) {
    Explanation explanation;
    ExplanationLine line;
    line.kind = ExplanationLine::Kind::reason;
    line.text = text;
    core_.addMarks(marks, line.rules);
    explanation.lines.push_back(std::move(line));
    return explanation;
  }

  // Runs an explaining body; if it emits no reason, `otherwise` with the marks it cited is the reason.
  Word report(Explanation& explanation, std::uint32_t body, std::initializer_list<Word> more,
              const std::string& otherwise) {
    Emission emission;
    emission.lines = &explanation;
    Word value = 0;
    if (body != noBody) {
      const EmissionScope scope(core_, &emission, core_.viewer_);
      value = query_.ask(body, more);
    }
    if (explanation.lines.empty()) {
      Explanation said = say(emission.text.empty() ? otherwise : emission.text);
      for (const std::uint16_t mark : emission.marks) core_.addMarks(mark, said.lines[0].rules);
      explanation = std::move(said);
    }
    // A cost that bars has marks, but no words of its own.
    for (ExplanationLine& line : explanation.lines)
      if (line.reason == ReasonKind::cost && line.text.empty()) line.text = otherwise;
    return value;
  }

  struct Step {
    bool barred = false, noCost = false, stops = false;
    std::int64_t cost = 0;
  };
  Step look(std::size_t index, std::int32_t origin, std::int64_t spent, std::int32_t a, std::int32_t b) {
    const RouteEdge& edge = route_.edges[index];
    const Word fraction = query_.fraction(spent);
    Step step;
    query_.setMoverHex(a);
    const SetWord* blocked = query_.blockedSet(index, origin);
    const std::uint32_t forbid = !query_.plain() && edge.forbidIsSet ? edge.restForbidBody : edge.forbidBody;
    step.barred = (blocked != nullptr && hasBit(blocked, b)) ||
                  (forbid != noBody && query_.ask(forbid, {origin, fraction, a, b}) != 0);
    Word cost = edge.fixedCost;
    if (edge.costBody != noBody && !step.barred) cost = query_.ask(edge.costBody, {origin, fraction, a, b});
    step.noCost = cost == none;
    if (!step.barred && !step.noCost) step.cost = std::max<std::int64_t>(query_.scaled(cost), 0);
    if (edge.stopBody != noBody) {
      const SetWord* stops = edge.stopIsSet ? query_.stopSet(index, origin) : nullptr;
      step.stops =
          stops != nullptr ? hasBit(stops, b) : query_.ask(edge.stopBody, {origin, fraction, a, b}) != 0;
    }
    return step;
  }

  std::int32_t originOf(std::int32_t id) {
    RouteSearch& search = query_.arena().search;
    while (search.node(id).parent >= 0) id = search.node(id).parent;
    return unpack(search.node(id).key, hexes_).hex;
  }

  std::int64_t stepCost(std::int64_t cost, bool first) const {
    if (first && query_.minimum() && query_.budget() != RouteQuery::unlimited)
      return std::min(cost, std::max<std::int64_t>(query_.budget(), 0));
    return cost;
  }

  // The cost of the search is the number of violations, its first preference what is spent. That a node may
  // not be left is known by its last preference: a stop costs a violation where the path goes on, so it is
  // charged there.
  RouteSearch::Outcome search(std::int32_t& found) {
    RouteSearch& search = query_.arena().search;
    search.begin(0, 1);
    forEachBit(query_.starts(), static_cast<int>(core_.program_.hexWords()), [&](int h) {
      search.addStart(pack({h, 0, false}, hexes_));
    });
    const int items = static_cast<int>(route_.edges.size());
    std::int64_t bestViolations = RouteSearch::unlimitedCost;
    return search.run(
        [&](std::int32_t id) {
          const RouteSearch::Node node = search.node(id);
          const Key key = unpack(node.key, hexes_);
          if (found >= 0 && node.cost > bestViolations) return true;
          if (key.hex != to_ || (node.edges == 0 && !query_.startsAreEnds())) return false;
          if (query_.length() >= 0 && key.steps != query_.length()) return false;
          const std::int64_t ending = !query_.isEnd(originOf(id), query_.fraction(node.preference[0]), to_);
          if (found < 0 || node.cost + ending < bestViolations) {
            found = id;
            bestViolations = node.cost + ending;
          }
          return false;
        },
        [&](std::int32_t id, auto&& follow) {
          const RouteSearch::Node node = search.node(id);
          const Key key = unpack(node.key, hexes_);
          if (query_.length() >= 0 && key.steps >= query_.length()) return;
          const std::int32_t origin = originOf(id);
          const bool stopped = node.parent >= 0 && (node.rank & stopBit) != 0;
          for (int d = 0; d < 6 && !restart_; ++d)
            for (int i = 0; i < items; ++i) {
              std::int32_t b = -1;
              if (!query_.leads(route_.edges[i], key.hex, d, b)) continue;
              const Step step = look(static_cast<std::size_t>(i), origin, node.preference[0], key.hex, b);
              if (query_.rescale()) {
                restart_ = true;
                break;
              }
              const std::int64_t cost = stepCost(step.cost, node.edges == 0);
              const bool over = !key.over && query_.budget() != RouteQuery::unlimited &&
                                node.preference[0] + cost > std::max<std::int64_t>(query_.budget(), 0);
              RouteSearch::Edge edge;
              edge.to = pack({b, query_.length() >= 0 ? key.steps + 1 : 0, key.over || over}, hexes_);
              edge.cost = (step.barred || step.noCost) + over + stopped;
              edge.preference[0] = cost;
              edge.rank = static_cast<std::uint32_t>(d * items + i) | (step.stops ? stopBit : 0);
              follow(edge);
            }
        });
  }

  Explanation firstBar(std::int32_t found) {
    RouteSearch& search = query_.arena().search;
    std::vector<std::int32_t> nodes;
    search.path(found, nodes);
    const std::int32_t origin = originOf(found);
    const std::size_t items = route_.edges.size();
    Explanation explanation;
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      const RouteSearch::Node before = search.node(nodes[k - 1]), after = search.node(nodes[k]);
      const std::int32_t a = unpack(before.key, hexes_).hex, b = unpack(after.key, hexes_).hex;
      const std::size_t item = (after.rank & ~stopBit) % items;
      const RouteEdge& edge = route_.edges[item];
      const Word spent = query_.fraction(before.preference[0]);
      if (k > 1 && (before.rank & stopBit) != 0) {
        const RouteSearch::Node beforeThat = search.node(nodes[k - 2]);
        const std::int32_t from = unpack(beforeThat.key, hexes_).hex;
        const RouteEdge& last = route_.edges[(before.rank & ~stopBit) % items];
        query_.setMoverHex(from);
        report(explanation, last.stopWhyBody, {origin, query_.fraction(beforeThat.preference[0]), from, a},
               "must stop at " + label(a));
        return explanation;
      }
      const Step step = look(item, origin, before.preference[0], a, b);
      if (step.barred || step.noCost) {
        query_.setMoverHex(a);
        report(explanation, edge.whyBody, {origin, spent, a, b}, "may not enter " + label(b));
        return explanation;
      }
      if (unpack(after.key, hexes_).over && !unpack(before.key, hexes_).over) {
        const ValueType type{ValueKind::fraction, 0, false, false};
        const Word needs = query_.fraction(search.node(found).preference[0]);
        const Word has = query_.fraction(std::max<std::int64_t>(query_.budget(), 0));
        return say("needs " + core_.display(needs, type) + ", has " + core_.display(has, type),
                   route_.budgetMarks);
      }
    }
    query_.setMoverHex(to_);
    report(explanation, route_.endWhyBody, {origin, query_.fraction(search.node(found).preference[0]), to_},
           "may not end at " + label(to_));
    return explanation;
  }

  std::string label(std::int32_t hex) {
    return core_.display(hex, ValueType{ValueKind::hex, 0, false, false});
  }

  static constexpr std::uint32_t stopBit = 1U << 31;
  MachineCore& core_;
  RouteQuery query_;
  const Route& route_;
  std::int32_t to_, hexes_;
  bool restart_ = false;
};

} // namespace

Explanation MachineCore::whyNotReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to) {
  Explanation explanation;
  quietly([&] {
    std::vector<std::uint64_t> goal(program_.hexWords(), 0);
    setBit(goal.data(), to);
    if (anyReach(route, arguments.data(), goal.data())) return;
    if (module_.routes[route].hasMover &&
        static_cast<std::uint64_t>(arguments[0]) < module_.counters.size() &&
        image_.hexOf(static_cast<std::uint32_t>(arguments[0])) == to) {
      ExplanationLine line;
      line.kind = ExplanationLine::Kind::reason;
      line.text = display(arguments[0], ValueType{ValueKind::counter, 0, false, false}) + " is there already";
      explanation.lines.push_back(std::move(line));
      return;
    }
    if (module_.routes[route].byNodes)
      explanation = whyNotNodes(*this, {route, 0, {arguments.begin(), arguments.end()}}, to);
    else
      explanation = WhyNot(*this, route, arguments.data(), to).run();
  });
  return explanation;
}

} // namespace hellwig
