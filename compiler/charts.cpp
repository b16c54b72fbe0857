// SPDX-License-Identifier: Apache-2.0
// Rows between pipes: headings, cells, and amendments of them. Charts and tables are both made of these.

#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

std::string withoutQuotes(std::string_view text) {
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

/// The text of a key without blanks and quotes, so that `1 - 3` and `1-3` are the same.
std::string normalised(std::string_view text) {
  std::string out;
  for (char c : text)
    if (c != ' ' && c != '\t' && c != '\'') out += c;
  return out;
}

} // namespace

std::int32_t Chart::find(std::string_view heading) const {
  for (std::size_t i = 0; i < headings.size(); ++i)
    if (headings[i].text == heading) return static_cast<std::int32_t>(i);
  return -1;
}

NodeRef Building::readCell(NodeRef cell, CellGrammar grammar) {
  SourceFile& file = package.files[cell.file];
  auto known = present(cell) ? file.cells.find(static_cast<std::uint32_t>(cell.node)) : file.cells.end();
  if (known == file.cells.end() || known->second.grammar != grammar) {
    if (isFaulty(package, cell)) return {};
    DiagnosticSink told;
    CellReading reading{grammar, parseCell(file.tree, cell.node, grammar, told), {}};
    reading.told = told.all();
    known = file.cells.insert_or_assign(static_cast<std::uint32_t>(cell.node), std::move(reading)).first;
  }
  // A cell that is read twice tells what is wrong with it once.
  if (!known->second.told.empty() &&
      toldCells.insert({cell.file, static_cast<std::uint32_t>(cell.node)}).second)
    for (const Diagnostic& diagnostic : known->second.told) sink.report(diagnostic);
  NodeRef ref{cell.file, known->second.value};
  return isFaulty(package, ref) ? NodeRef{} : ref;
}

std::string Building::proseOf(NodeRef cell) {
  if (isFaulty(package, cell)) return {};
  std::string text(treeOf(package, cell).cellText(cell.node));
  if (text.empty() || text.front() != '"') return text;
  NodeRef value = readCell(cell, CellGrammar::letters);
  return kindOf(package, value) == NodeKind::Text ? treeOf(package, value).textOf(value.node) : text;
}

Chart Building::readChart(NodeRef body) {
  Chart chart;
  if (!present(body)) return chart;
  std::vector<NodeRef> rows = childrenOf(package, body, Role::row);
  if (rows.size() < 2) {
    bool junk = isFaulty(package, body) || !treeOf(package, body).children(body.node, Role::junk).empty();
    if (!junk)
      sink.report(diagnosticAt(package, rows.empty() ? body : rows.front(), DiagnosticCode::emptyTable));
    if (rows.empty()) return chart;
  }
  for (NodeRef cell : childrenOf(package, rows.front(), Role::cell)) {
    ChartHeading heading;
    heading.cell = cell;
    std::string text(treeOf(package, cell).cellText(cell.node));
    std::size_t colon = text.find(':');
    bool typed = colon != std::string::npos && colon > 0 && text.front() != '\'' && text.front() != '"' &&
                 !(text[colon - 1] >= '0' && text[colon - 1] <= '9' && colon + 1 < text.size() &&
                   text[colon + 1] >= '0' && text[colon + 1] <= '9');
    if (typed) {
      NodeRef field = readCell(cell, CellGrammar::heading);
      if (kindOf(package, field) == NodeKind::Field) {
        heading.type = childOf(package, field, Role::type);
        text = nameOf(package, field);
      }
    }
    heading.text = withoutQuotes(text);
    if (chart.find(heading.text) >= 0)
      sink.report(diagnosticAt(package, cell, DiagnosticCode::duplicateHeading, {heading.text}));
    chart.headings.push_back(std::move(heading));
  }
  for (std::size_t r = 1; r < rows.size(); ++r) {
    ChartRow row;
    row.rows = {rows[r]};
    row.cells = childrenOf(package, rows[r], Role::cell);
    if (row.cells.size() != chart.headings.size()) {
      row.faulty = true;
      if (!isFaulty(package, rows[r]) && !isFaulty(package, rows.front()))
        sink.report(diagnosticAt(package, rows[r], DiagnosticCode::unequalRow,
                                 {std::to_string(row.cells.size()), std::to_string(chart.headings.size())})
                        .also(sourceOf(package, rows.front().file), placeOf(package, rows.front()).range,
                              "the headings"));
      row.cells.resize(chart.headings.size());
    }
    for (NodeRef cell : row.cells) row.faulty = row.faulty || isFaulty(package, cell);
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

void Building::amendChart(Chart& chart, NodeRef body, std::size_t keys) {
  Chart change = readChart(body);
  if (change.headings.empty() || chart.headings.empty()) return;
  std::vector<std::int32_t> target(change.headings.size(), -1);
  std::vector<std::string> known;
  for (const ChartHeading& heading : chart.headings) known.push_back(heading.text);
  for (std::size_t i = 0; i < change.headings.size(); ++i) {
    const ChartHeading& heading = change.headings[i];
    target[i] = chart.find(heading.text);
    for (std::size_t k = 0; target[i] < 0 && k < chart.headings.size(); ++k)
      if (normalised(chart.headings[k].text) == normalised(heading.text))
        target[i] = static_cast<std::int32_t>(k);
    if (target[i] < 0)
      sink.report(
          suggesting(diagnosticAt(package, heading.cell, DiagnosticCode::unknownHeading, {heading.text}),
                     heading.text, known));
  }
  for (std::size_t k = 0; k < keys; ++k)
    if (std::find(target.begin(), target.end(), static_cast<std::int32_t>(k)) == target.end()) {
      sink.report(diagnosticAt(package, change.headings.front().cell, DiagnosticCode::missingHeading,
                               {chart.headings[k].text}));
      return;
    }
  for (ChartRow& row : change.rows) {
    ChartRow made;
    made.rows = row.rows;
    made.faulty = row.faulty;
    made.cells.resize(chart.headings.size());
    for (std::size_t i = 0; i < target.size(); ++i)
      if (target[i] >= 0) made.cells[static_cast<std::size_t>(target[i])] = row.cells[i];
    auto sameKeys = [&](const ChartRow& other) {
      for (std::size_t k = 0; k < keys; ++k) {
        if (!present(other.cells[k]) || !present(made.cells[k])) return false;
        if (normalised(treeOf(package, other.cells[k]).cellText(other.cells[k].node)) !=
            normalised(treeOf(package, made.cells[k]).cellText(made.cells[k].node)))
          return false;
      }
      return true;
    };
    auto old = std::find_if(chart.rows.begin(), chart.rows.end(), sameKeys);
    if (old == chart.rows.end()) {
      chart.rows.push_back(std::move(made));
      continue;
    }
    old->rows.insert(old->rows.end(), made.rows.begin(), made.rows.end());
    for (std::size_t k = keys; k < made.cells.size(); ++k)
      if (present(made.cells[k])) old->cells[k] = made.cells[k];
  }
}

std::uint16_t Building::rowMarks(const ChartRow& row, std::size_t nameColumn) {
  std::uint16_t marks = 0;
  for (NodeRef ref : row.rows) marks = joinMarks(world, marks, marksOf(world, package, ref, sink));
  if (nameColumn < row.cells.size())
    marks = joinMarks(world, marks, marksOf(world, package, row.cells[nameColumn], sink));
  return marks;
}

void Building::citeCells(const Chart& chart) {
  for (const ChartHeading& heading : chart.headings) marksOf(world, package, heading.cell, sink);
  for (const ChartRow& row : chart.rows) {
    for (NodeRef ref : row.rows) marksOf(world, package, ref, sink);
    for (NodeRef cell : row.cells) marksOf(world, package, cell, sink);
  }
}

Type Building::columnTypeOf(const std::string& name, const std::vector<NodeRef>& cells, NodeRef heading) {
  std::vector<Type> types;
  bool optional = false, any = false;
  auto numeric = [](const Type& type) {
    return type.kind == TypeKind::integer || type.kind == TypeKind::fraction;
  };
  for (NodeRef cell : cells) {
    NodeRef value = readCell(cell, CellGrammar::expression);
    if (!present(value)) {
      if (present(cell)) return {};
      continue;
    }
    if (isNothing(package, value)) {
      optional = true;
      continue;
    }
    std::vector<Type> here = constantTypes(world, package, value);
    if (here.empty()) {
      std::string word = nameOf(package, value);
      if (word.empty()) {
        sink.report(diagnosticAt(package, value, DiagnosticCode::notConstant));
      } else {
        std::vector<std::string> known;
        for (const auto& [noun, list] : world.nouns)
          for (const Symbol& symbol : list)
            if (symbol.kind == SymbolKind::enumValue && (types.empty() || symbol.id == types.front().id))
              known.push_back(noun);
        std::sort(known.begin(), known.end());
        sink.report(suggesting(diagnosticAt(package, value, DiagnosticCode::unknownName, {word, "value"}),
                               word, known));
      }
      return {};
    }
    if (!any) {
      types = std::move(here);
      any = true;
      continue;
    }
    std::vector<Type> both;
    for (const Type& type : types)
      for (Type other : here) {
        bool sets = type.set || other.set;
        Type left = type;
        left.set = other.set = sets;
        if (left == other && std::find(both.begin(), both.end(), left) == both.end()) both.push_back(left);
      }
    if (both.empty() && types.size() == 1 && here.size() == 1 && numeric(types.front()) &&
        numeric(here.front()))
      both.push_back(Type{TypeKind::fraction, 0, false, false});
    if (both.empty()) {
      sink.report(diagnosticAt(package, value, DiagnosticCode::cellType,
                               {world.typeName(here.front()), world.typeName(types.front())}));
      return {};
    }
    types = std::move(both);
  }
  if (types.size() > 1) // a name that is a direction, too, is meant as the value that the game declares
    std::erase_if(types, [](const Type& type) {
      return type.kind == TypeKind::direction || type.kind == TypeKind::time;
    });
  if (types.empty()) {
    sink.report(diagnosticAt(package, heading, DiagnosticCode::untypedDefault, {name}));
    return {};
  }
  if (types.size() > 1) {
    sink.report(diagnosticAt(
        package, heading, DiagnosticCode::ambiguousName,
        {name, "a column of " + world.typeName(types[0]), "one of " + world.typeName(types[1])}));
    return {};
  }
  Type type = types.front();
  type.optional = optional && !type.set;
  return type;
}

} // namespace hellwig
