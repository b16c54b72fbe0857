// SPDX-License-Identifier: Apache-2.0
// Why a hex is not among the ends of a route of several fields, and the path to one that is, edge by edge.
#include "runtime/node_why_not.h"

#include "runtime/node_routes.h"

#include <algorithm>
#include <tuple>

namespace hellwig {

namespace {

class NodeWhyNot {
public:
  NodeWhyNot(MachineCore& core, const Way& way, std::int32_t to)
      : core_(core), query_(core, way), route_(query_.route()), to_(to) {}

  Explanation run() {
    Explanation explanation;
    if (query_.forbidden()) {
      report(explanation, route_.forbidWhyBody, {}, "not allowed");
      return explanation;
    }
    if (!query_.begin()) return say(noWayLeads(core_.module_, route_));
    NodeSearch search(core_, query_, true);
    search.begin();
    std::int32_t found = -1;
    std::int64_t least = 0;
    const bool complete = search.run([&](std::int32_t id) {
      const NodeLabel& label = search.label(id);
      if (found >= 0 && label.violations > least) return true;
      if (search.hex(id) != to_ || (label.edges == 0 && !query_.startsAreEnds())) return false;
      if (query_.length() >= 0 && label.steps != query_.length()) return false;
      const std::int64_t violations = label.violations + (search.isEnd(id) ? 0 : 1);
      const auto sums = [&search](std::int32_t at) {
        const NodeLabel& l = search.label(at);
        return std::tie(l.cost, l.prefer, l.edges);
      };
      if (found < 0 || violations < least || (violations == least && sums(id) < sums(found))) {
        found = id;
        least = violations;
      }
      return false;
    });
    if (!complete) return say("out of reach", route_.budgetMarks);
    if (found < 0) return say(noWayLeads(core_.module_, route_));
    return firstBar(search, found);
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
  void report(Explanation& explanation, std::uint32_t body, std::initializer_list<Word> more,
              const std::string& otherwise) {
    Emission emission;
    emission.lines = &explanation;
    if (body != noBody) {
      const EmissionScope scope(core_, &emission, core_.viewer_);
      query_.ask(body, more);
    }
    if (explanation.lines.empty()) {
      Explanation said = say(emission.text.empty() ? otherwise : emission.text);
      for (const std::uint16_t mark : emission.marks) core_.addMarks(mark, said.lines[0].rules);
      explanation = std::move(said);
    }
    for (ExplanationLine& line : explanation.lines)
      if (line.reason == ReasonKind::cost && line.text.empty()) line.text = otherwise;
  }

  std::string mayNot(const NodeEdge& edge) {
    switch (edge.kind) {
    case EdgeKind::turn: return "may not turn";
    case EdgeKind::action: return "may not: " + edgeName(core_, route_, edge);
    default: return "may not enter " + hexName(core_, edge.q);
    }
  }

  Explanation firstBar(NodeSearch& search, std::int32_t found) {
    std::vector<std::int32_t> ids;
    search.chain(found, ids);
    const Word origin = search.origin(found);
    Explanation explanation;
    for (std::size_t k = 1; k < ids.size(); ++k) {
      const NodeLabel before = search.label(ids[k - 1]), after = search.label(ids[k]);
      const NodeEdge& edge = after.edge;
      if (before.stops && before.parent >= 0) {
        const NodeEdge& last = before.edge;
        const std::int32_t from = before.parent;
        query_.take(search.fields(from));
        report(explanation, route_.edges[last.item].stopWhyBody, {origin, search.spent(from), last.p, last.q},
               "must stop at " + hexName(core_, search.hex(ids[k - 1])));
        return explanation;
      }
      const Word spent = search.spent(ids[k - 1]);
      query_.take(search.fields(ids[k - 1]));
      if (!query_.judge(edge, origin, spent).open()) {
        report(explanation, route_.edges[edge.item].whyBody, {origin, spent, edge.p, edge.q}, mayNot(edge));
        return explanation;
      }
      if (after.over && !before.over) {
        const ValueType type{ValueKind::fraction, 0, false, false};
        Word has = search.budgetOf(found);
        if (numeratorOf(has) < 0) has = packRatio(0, 1);
        return say("needs " + core_.display(search.spent(found), type) + ", has " + core_.display(has, type),
                   route_.budgetMarks);
      }
    }
    query_.take(search.fields(found));
    report(explanation, route_.endWhyBody, {origin, search.spent(found), to_},
           "may not end at " + hexName(core_, to_));
    return explanation;
  }

  MachineCore& core_;
  NodeQuery query_;
  const Route& route_;
  std::int32_t to_;
};

} // namespace

std::string hexName(MachineCore& core, Word hex) {
  return core.display(hex, ValueType{ValueKind::hex, 0, false, false});
}

std::string edgeName(MachineCore& core, const Route& route, const NodeEdge& edge) {
  const RouteEdge& item = route.edges[edge.item];
  switch (edge.kind) {
  case EdgeKind::turn:
    return "turn " + core.display(edge.q, ValueType{ValueKind::direction, 0, false, false});
  case EdgeKind::action:
    return edge.p == none ? item.name : item.name + " " + core.display(edge.p, item.choice);
  default: return hexName(core, edge.q);
  }
}

std::string noWayLeads(const Module& module, const Route& route) {
  // Where every step follows a path of one kind, that is what is missing.
  std::string along;
  for (const RouteEdge& edge : route.edges) {
    if (edge.kind != EdgeKind::step) continue;
    if (edge.along < 0) return "no way leads there";
    const Column& column = module.columns[static_cast<std::size_t>(edge.alongColumn)];
    std::string name;
    for (const EnumInfo& info : module.enums)
      if (info.name == column.name && static_cast<std::size_t>(edge.along) < info.values.size())
        name = info.values[static_cast<std::size_t>(edge.along)];
    if (name.empty() || (!along.empty() && along != name)) return "no way leads there";
    along = name;
  }
  return along.empty() ? "no way leads there" : "no " + along + " leads there";
}

Explanation whyNotNodes(MachineCore& core, const Way& way, std::int32_t to) {
  return NodeWhyNot(core, way, to).run();
}

Explanation MachineCore::explainReach(std::uint16_t route, std::span<const Word> arguments,
                                      std::uint16_t to) {
  Explanation explanation;
  quietly([&] {
    std::vector<Word> block(program_.pathShape().words());
    path(route, arguments.data(), to, block.data());
    if (block[pathEdges] == none) return;
    std::uint16_t fractionType = 0;
    for (std::size_t i = 0; i < module_.types.size(); ++i)
      if (module_.types[i] == ValueType{ValueKind::fraction, 0, false, false})
        fractionType = static_cast<std::uint16_t>(i);
    const Word origin = block[pathFirst];
    Word spent = packRatio(0, 1);
    const auto tell = [&](ExplanationLine::Kind kind, Word cost, std::string text) {
      ExplanationLine line;
      line.kind = kind;
      line.step = StepKind::add;
      line.operand = cost;
      line.figure = spent;
      line.type = fractionType;
      line.text = std::move(text);
      explanation.lines.push_back(std::move(line));
    };
    tell(ExplanationLine::Kind::base, 0, hexName(*this, origin));
    const std::uint32_t edges = edgesOfPath(*this, block.data());
    if (edges == 0) return;
    const std::vector<Way> ways = waysWithArguments(*this, route, arguments.data());
    const std::uint8_t number = edgeOfPath(*this, block.data(), 0).way;
    const Way& way = ways[number < ways.size() ? number : 0];
    NodeQuery query(*this, way);
    if (!query.begin()) return;
    std::vector<Word> here(query.width()), there(query.width());
    query.startFields(static_cast<std::int32_t>(origin), here.data());
    const Word budget = query.budget(here.data());
    bool stepped = false;
    std::vector<NodeEdge> leaving;
    for (std::uint32_t i = 0; i < edges; ++i) {
      const PathEdge taken = edgeOfPath(*this, block.data(), i);
      query.take(here.data());
      query.edges(origin, spent, true, true, leaving);
      bool found = false;
      for (const NodeEdge& edge : leaving) {
        if (found || edge.kind != taken.kind || (taken.item != anyItem && edge.item != taken.item) ||
            (edge.kind == EdgeKind::step ? edge.q != taken.hex : edge.choice != taken.choice))
          continue;
        query.take(here.data());
        const EdgeVerdict verdict = query.judge(edge, origin, spent);
        if (!verdict.open()) continue;
        Word cost = verdict.cost;
        const bool first = edge.kind == EdgeKind::step && !stepped && query.minimum();
        if (first && budget != unlimitedWord && fractionLess(budget, cost))
          cost = numeratorOf(budget) < 0 ? packRatio(0, 1) : budget;
        query.follow(edge, origin, spent, here.data(), there.data());
        spent = addFractions(spent, cost);
        stepped = stepped || edge.kind == EdgeKind::step;
        tell(ExplanationLine::Kind::step, cost, edgeName(*this, query.route(), edge));
        found = true;
      }
      if (!found) return;
      here = there;
    }
  });
  return explanation;
}

} // namespace hellwig
