// SPDX-License-Identifier: Apache-2.0
// The rulebook and the marks that cite it.

#include "compiler/world_parts.h"

#include <algorithm>
#include <map>
#include <set>

namespace hellwig {
namespace {

/// Mark sets are few and small: a linear search keeps the module free of an index.
std::uint16_t internMarks(World& world, MarkSet set) {
  if (set.rules.empty() && set.reconstructed.empty()) return 0;
  auto& marks = world.module.marks;
  if (marks.empty()) marks.emplace_back();
  for (std::size_t i = 1; i < marks.size(); ++i)
    if (marks[i].rules == set.rules && marks[i].reconstructed == set.reconstructed)
      return static_cast<std::uint16_t>(i);
  marks.push_back(std::move(set));
  return static_cast<std::uint16_t>(marks.size() - 1);
}

void addRule(MarkSet& set, std::uint16_t rule) {
  if (std::find(set.rules.begin(), set.rules.end(), rule) == set.rules.end()) set.rules.push_back(rule);
}

} // namespace

std::uint16_t marksOf(World& world, Package& package, NodeRef node, DiagnosticSink& sink) {
  if (!present(node)) return 0;
  const SyntaxTree& tree = treeOf(package, node);
  std::vector<NodeId> marks;
  for (NodeId mark : tree.children(node.node, Role::mark)) marks.push_back(mark);
  return markSetOf(world, package, node.file, marks, sink);
}

std::uint16_t markSetOf(World& world, Package& package, std::uint16_t file, const std::vector<NodeId>& marks,
                        DiagnosticSink& sink) {
  MarkSet set;
  const SyntaxTree& tree = package.files[file].tree;
  std::set<std::pair<std::uint16_t, std::uint32_t>> emptyIds;
  for (NodeId mark : marks) {
    if (tree.has(mark, NodeFlags::faulty)) continue;
    MarkText text = readMark(tree, mark);
    for (const MarkId& id : text.ids) {
      if (id.id.empty()) {
        if (emptyIds.insert({file, id.range.offset}).second)
          sink.report(Diagnostic(DiagnosticCode::incomplete, tree.sharedSource(), id.range, {"`,`", "an id"}));
        continue;
      }
      const auto& rules = world.module.rules;
      auto it =
          std::find_if(rules.begin(), rules.end(), [&](const RuleInfo& rule) { return rule.id == id.id; });
      std::vector<NodeRef>& cited = world.citations[id.id];
      NodeRef here{file, mark};
      bool known = std::find(cited.begin(), cited.end(), here) != cited.end();
      if (!known) cited.push_back(here);
      if (it != rules.end()) {
        addRule(set, static_cast<std::uint16_t>(it - rules.begin()));
        continue;
      }
      if (known) continue; // this mark was reported when it was first read
      std::vector<std::string> ids;
      for (const RuleInfo& rule : rules) ids.push_back(rule.id);
      Diagnostic diagnostic(DiagnosticCode::unknownRuleId, tree.sharedSource(), id.range, {id.id});
      std::string near = nearest(id.id, ids);
      if (!near.empty()) diagnostic.fix = Fix{id.range, near, "did you mean `" + near + "`?"};
      sink.report(std::move(diagnostic));
    }
    if (text.reconstructed) {
      std::string reason = text.reason.empty() ? "reconstructed" : text.reason;
      if (set.reconstructed.empty())
        set.reconstructed = reason;
      else if (set.reconstructed != reason)
        set.reconstructed += "; " + reason;
    }
  }
  return internMarks(world, std::move(set));
}

std::uint16_t joinMarks(World& world, std::uint16_t a, std::uint16_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  MarkSet set = world.module.marks[a];
  const MarkSet& other = world.module.marks[b];
  for (std::uint16_t rule : other.rules) addRule(set, rule);
  if (set.reconstructed.empty())
    set.reconstructed = other.reconstructed;
  else if (!other.reconstructed.empty() && set.reconstructed != other.reconstructed)
    set.reconstructed += "; " + other.reconstructed;
  return internMarks(world, std::move(set));
}

void Building::declareRulebook() {
  if (world.module.marks.empty()) world.module.marks.emplace_back();
  std::map<std::string, NodeRef> seen;
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::RulebookDecl) continue;
    Chart chart = readChart(childOf(package, decl.node, Role::body));
    for (const ChartHeading& heading : chart.headings) {
      static const std::vector<std::string> known = {"id", "title", "printed under", "note"};
      if (std::find(known.begin(), known.end(), heading.text) == known.end())
        sink.report(
            suggesting(diagnosticAt(package, heading.cell, DiagnosticCode::unknownHeading, {heading.text}),
                       heading.text, known));
    }
    std::int32_t id = chart.find("id");
    if (id < 0 && !chart.headings.empty())
      sink.report(diagnosticAt(package, chart.headings.front().cell, DiagnosticCode::missingHeading, {"id"}));
    if (id < 0) continue;
    for (const ChartRow& row : chart.rows) {
      auto text = [&](const char* name) {
        std::int32_t column = chart.find(name);
        std::string words = column < 0 ? std::string() : proseOf(row.cells[static_cast<std::size_t>(column)]);
        return words == "-" ? std::string() : words;
      };
      RuleInfo rule{text("id"), text("title"), text("printed under"), text("note")};
      if (std::int32_t note = chart.find("note"); note >= 0 && !rule.note.empty() && rule.note != "no rule" &&
                                                  !rule.note.starts_with("reading "))
        sink.report(diagnosticAt(package, row.cells[static_cast<std::size_t>(note)], DiagnosticCode::wordNotOneOf,
                                 {rule.note, "`-`, `no rule`, `reading \"..\"`"}));
      NodeRef cell = row.cells[static_cast<std::size_t>(id)];
      auto [it, isNew] = seen.emplace(rule.id, cell);
      if (!isNew) {
        sink.report(diagnosticAt(package, cell, DiagnosticCode::duplicateRuleId, {rule.id})
                        .also(sourceOf(package, it->second.file), placeOf(package, it->second).range,
                              "it is here, too"));
        continue;
      }
      world.module.rules.push_back(std::move(rule));
    }
  }
}

} // namespace hellwig
