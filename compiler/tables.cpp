// SPDX-License-Identifier: Apache-2.0
// The results of a table: from headings and rows to a dense array of cells, with the check that every input
// has exactly one.
#include "compiler/table_maker.h"

#include <algorithm>

namespace hellwig {
namespace tables {

Type TableMaker::inferResult(const std::vector<NodeRef>& cells) {
  return b_.columnTypeOf(decl_.name, cells, childOf(package(), decl_.node, Role::name));
}

void TableMaker::put(const std::vector<std::uint16_t>& entries, NodeRef cell, const std::vector<Word>* words,
                     std::uint16_t marks) {
  // Each input's entry may stand for several positions: all their combinations get the result.
  std::vector<std::size_t> choice(inputs_.size(), 0);
  for (;;) {
    std::size_t index = 0;
    for (std::size_t a = 0; a < inputs_.size(); ++a) {
      const auto& positions = inputs_[a].positions[entries[a]];
      if (positions.empty()) return;
      index = index * inputs_[a].axis.positions + positions[choice[a]];
    }
    if (table_.filled[index] != 0 || present(source_[index])) {
      NodeRef other = source_[index];
      if (overlapsReported_.insert({cell.file, static_cast<std::uint32_t>(cell.node)}).second) {
        std::string names;
        std::size_t rest = index;
        for (std::size_t a = inputs_.size(); a-- > 0;) {
          auto position = static_cast<std::uint16_t>(rest % inputs_[a].axis.positions);
          rest /= inputs_[a].axis.positions;
          names = positionName(inputs_[a], position) + (names.empty() ? "" : ", ") + names;
        }
        b_.sink.report(
            at(cell, DiagnosticCode::tableOverlap, {names})
                .also(sourceOf(package(), other.file), placeOf(package(), other).range, "the other one"));
      }
    } else {
      source_[index] = cell;
      table_.filled[index] = words ? 1 : 0;
      table_.marks[index] = marks;
      if (words)
        std::copy(words->begin(), words->end(),
                  table_.cells.begin() + static_cast<std::ptrdiff_t>(index * table_.resultWords));
    }
    std::size_t a = inputs_.size();
    while (a-- > 0) {
      if (++choice[a] < inputs_[a].positions[entries[a]].size()) break;
      choice[a] = 0;
    }
    if (a == static_cast<std::size_t>(-1)) return;
  }
}

void TableMaker::checkCells() {
  if (table_.hasOtherwise) return;
  std::string first;
  std::size_t missing = 0;
  for (std::size_t index = 0; index < source_.size(); ++index) {
    if (present(source_[index])) continue;
    std::string names;
    std::size_t rest = index;
    for (std::size_t a = inputs_.size(); a-- > 0;) {
      auto position = static_cast<std::uint16_t>(rest % inputs_[a].axis.positions);
      rest /= inputs_[a].axis.positions;
      names = positionName(inputs_[a], position) + (names.empty() ? "" : ", ") + names;
    }
    if (missing++ == 0) first = names;
  }
  if (missing == 0) return;
  if (missing > 1) first += " and " + std::to_string(missing - 1) + " more";
  b_.sink.report(at(childOf(package(), decl_.node, Role::name), DiagnosticCode::tableGap, {first}));
}

/// The type of the results: as declared, else what the cells have in common.
Type TableMaker::resultType(NodeRef declared, const std::vector<NodeRef>& cells) {
  if (!present(declared)) return inferResult(cells);
  if (kindOf(package(), declared) != NodeKind::TypeProcedure) {
    Type type = resolveType(world_, package(), declared, b_.sink);
    if (type.kind != TypeKind::record) return type;
    b_.sink.report(
        at(declared, DiagnosticCode::recordMisplaced, {world_.typeName(type), "the result of a table"}));
    return {};
  }
  Type type{TypeKind::procedure, static_cast<std::uint16_t>(world_.procedureTypes.size()), false, false};
  std::vector<Type> with;
  for (NodeRef param : childrenOf(package(), declared, Role::param)) {
    with.push_back(resolveType(world_, package(), childOf(package(), param, Role::type), b_.sink));
    if (with.back().kind == TypeKind::error) return {};
  }
  world_.procedureTypes.push_back(std::move(with));
  return type;
}

/// The words of a cell that holds a result.
std::optional<std::vector<Word>> TableMaker::resultWords(NodeRef cell, const Type& type) {
  NodeRef expr =
      b_.readCell(cell, type.kind == TypeKind::text ? CellGrammar::letters : CellGrammar::expression);
  if (!present(expr)) return std::nullopt;
  const bool dash = treeOf(package(), cell).cellText(cell.node) == "-";
  if (type.kind == TypeKind::text && dash)
    return std::vector<Word>{type.optional ? none : internString(world_.module, "")};
  if (type.kind != TypeKind::procedure)
    return constantWords(world_, package(), expr, type, b_.sink, {-1, true});
  if (dash) return std::vector<Word>{none};
  if (kindOf(package(), expr) != NodeKind::NameExpr && kindOf(package(), expr) != NodeKind::Call) {
    b_.sink.report(at(expr, DiagnosticCode::cellType,
                      {"no procedure", "the names of procedures, as in `rout` or `rout(2)`"}));
    return std::nullopt;
  }
  // Cells that say the same start the same.
  const std::string words(treeOf(package(), expr).text(expr.node));
  for (const ProcedureCell& other : facts_.procedures)
    if (world_.module.strings[static_cast<std::size_t>(other.word)] == words)
      return std::vector<Word>{other.word};
  auto word = static_cast<Word>(world_.module.strings.size());
  world_.module.strings.push_back(words);
  facts_.procedures.push_back({word, expr});
  return std::vector<Word>{word};
}

/// Several results: each other heading is a field of the row.
bool TableMaker::layOutRows(std::size_t leading, const std::vector<std::vector<std::uint16_t>>& rowEntries,
                            std::size_t cells) {
  if (NodeRef declared = childOf(package(), decl_.node, Role::type); present(declared)) {
    b_.sink.report(at(declared, DiagnosticCode::typeMismatch,
                      {"a type", "none: the headings are the fields of a row, each with a type of its own"}));
    return false;
  }
  const std::size_t columns = chart_.headings.size() - leading;
  RecordInfo record;
  record.name = decl_.name;
  World::RecordFacts facts;
  facts.place = namePlaceOf(package(), decl_.node);
  std::vector<std::size_t> offsets;
  std::size_t words = 0;
  bool good = true;
  for (std::size_t c = 0; c < columns; ++c) {
    const ChartHeading& heading = chart_.headings[leading + c];
    std::vector<NodeRef> results;
    bool dash = present(otherwise_);
    for (const ChartRow& row : chart_.rows) {
      NodeRef cell = row.cells[leading + c];
      results.push_back(cell);
      dash = dash || (present(cell) && treeOf(package(), cell).cellText(cell.node) == "-");
    }
    Type type = present(heading.type) ? b_.resolveFieldType(heading.type)
                                      : b_.columnTypeOf(heading.text, results, heading.cell);
    good = good && type.kind != TypeKind::error;
    if (dash && !type.set && type.kind != TypeKind::error) type.optional = true;
    offsets.push_back(words);
    words += type.set ? world_.setWords(type) : 1;
    record.fields.push_back({heading.text, moduleType(type)});
    facts.types.push_back(type);
    facts.marks.push_back(facts_.headingMarks[leading + c]);
  }
  if (!good) return false;
  const Type type{TypeKind::row, static_cast<std::uint16_t>(world_.module.records.size()), false, false};
  const std::vector<Type> types = facts.types;
  world_.module.records.push_back(std::move(record));
  world_.recordFacts.push_back(std::move(facts));
  facts_.result = type;
  table_.result = moduleType(type);
  table_.resultWords = static_cast<std::uint16_t>(words);
  std::vector<Word> nothing(words, none);
  for (std::size_t c = 0; c < columns; ++c)
    if (types[c].set)
      std::fill_n(nothing.begin() + static_cast<std::ptrdiff_t>(offsets[c]), world_.setWords(types[c]), 0);
  table_.filled.assign(cells, 0);
  table_.marks.assign(cells, 0);
  source_.assign(cells, {});
  for (std::size_t i = 0; i < cells; ++i)
    table_.cells.insert(table_.cells.end(), nothing.begin(), nothing.end());
  if (present(otherwise_) && !isNothing(package(), otherwise_))
    b_.sink.report(
        at(otherwise_, DiagnosticCode::typeMismatch, {"one value", "`none`, for a row of several"}));
  if (table_.hasOtherwise) table_.otherwise = nothing;
  for (std::size_t r = 0; r < chart_.rows.size(); ++r) {
    const ChartRow& row = chart_.rows[r];
    std::uint16_t marks = 0;
    for (NodeRef ref : row.rows) marks = joinMarks(world_, marks, marksOf(world_, package(), ref, b_.sink));
    std::vector<Word> result = nothing;
    bool whole = true;
    for (std::size_t c = 0; c < chart_.headings.size(); ++c) {
      NodeRef cell = row.cells[c];
      if (!present(cell)) {
        whole = false;
        continue;
      }
      marks = joinMarks(world_, marks, marksOf(world_, package(), cell, b_.sink));
      if (c < leading) continue;
      if (auto read = resultWords(cell, types[c - leading]))
        std::copy(read->begin(), read->end(),
                  result.begin() + static_cast<std::ptrdiff_t>(offsets[c - leading]));
      else
        whole = false;
    }
    put(rowEntries[r], row.cells[leading], whole ? &result : nullptr, marks);
  }
  for (const Input& input : inputs_) checkAxis(input);
  checkCells();
  return true;
}

bool TableMaker::layOut() {
  chart_ = b_.readChart(childOf(package(), decl_.node, Role::body));
  if (chart_.headings.empty() || chart_.rows.empty()) return false;
  std::vector<std::string> used;
  std::size_t keyColumns = 0;
  while (keyColumns < chart_.headings.size()) {
    const std::string& text = chart_.headings[keyColumns].text;
    if (!inputNamed(text) || text == cellsOf_) break;
    used.push_back(text);
    ++keyColumns;
  }
  bool byResult = !cellsOf_.empty() && keyColumns == 0 && chart_.headings.front().text == "result" &&
                  !inputNamed("result");
  std::size_t leading = byResult ? 1 : keyColumns;
  for (const Piece& piece : decl_.amendments) {
    table_.tableMarks = joinMarks(world_, table_.tableMarks, marksOf(world_, package(), piece.node, b_.sink));
    b_.amendChart(chart_, childOf(package(), piece.node, Role::body), std::max<std::size_t>(leading, 1));
  }
  for (const ChartHeading& heading : chart_.headings)
    facts_.headingMarks.push_back(marksOf(world_, package(), heading.cell, b_.sink));
  for (const ChartRow& row : chart_.rows) faulty_ = faulty_ || row.faulty;
  std::vector<std::string> left;
  for (const Input& input : inputs_)
    if (input.name != cellsOf_ && std::find(used.begin(), used.end(), input.name) == used.end())
      left.push_back(input.name);
  bool headingsAreKeys = left.size() == 1 && (cellsOf_.empty() || byResult);
  if (left.size() > 1 || (left.size() == 1 && !headingsAreKeys)) {
    // A heading that is nearly the input's name is a slip of the pen.
    const std::string& input = headingsAreKeys ? left[1] : left[0];
    NodeRef place = childOf(package(), decl_.node, Role::name);
    std::string near;
    for (const ChartHeading& heading : chart_.headings)
      for (const std::string& wanted : left)
        if (near.empty() && !inputNamed(heading.text) && nearest(heading.text, {wanted}) == wanted) {
          near = wanted;
          place = heading.cell;
        }
    Diagnostic diagnostic = at(place, DiagnosticCode::missingInput, {near.empty() ? input : near});
    if (!near.empty())
      diagnostic.fix = Fix{placeOf(package(), place).range, near, "did you mean `" + near + "`?"};
    b_.sink.report(std::move(diagnostic));
    return false;
  }
  std::size_t columns = chart_.headings.size() - leading;
  if (columns == 0) {
    b_.sink.report(at(chart_.headings.back().cell, DiagnosticCode::missingHeading, {"result"}));
    return false;
  }

  // What each heading and each row says of the inputs.
  std::vector<std::uint16_t> headingEntry(columns, 0);
  if (headingsAreKeys)
    for (std::size_t c = 0; c < columns; ++c)
      headingEntry[c] = entryOf(*inputNamed(left.front()), chart_.headings[leading + c].cell);
  std::vector<std::vector<std::uint16_t>> rowEntries(chart_.rows.size(),
                                                     std::vector<std::uint16_t>(inputs_.size(), 0));
  auto indexOf = [&](const std::string& name) {
    for (std::size_t a = 0; a < inputs_.size(); ++a)
      if (inputs_[a].name == name) return a;
    return inputs_.size();
  };
  for (std::size_t r = 0; r < chart_.rows.size(); ++r)
    for (std::size_t k = 0; k < keyColumns; ++k)
      if (NodeRef cell = chart_.rows[r].cells[k]; present(cell)) {
        std::size_t a = indexOf(used[k]);
        rowEntries[r][a] = entryOf(inputs_[a], cell);
      } else {
        faulty_ = true;
      }
  std::vector<std::vector<std::int32_t>> cellEntry(chart_.rows.size(),
                                                   std::vector<std::int32_t>(columns, -1));
  if (!cellsOf_.empty())
    for (std::size_t r = 0; r < chart_.rows.size(); ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        NodeRef cell = chart_.rows[r].cells[leading + c];
        if (!present(cell)) continue;
        if (treeOf(package(), cell).cellText(cell.node) == "-") continue; // that result cannot happen
        cellEntry[r][c] = entryOf(*inputNamed(cellsOf_), cell);
      }
  if (faulty_) return false;
  for (Input& input : inputs_) {
    // A single column of keys, or the headings, must not overlap; where two columns or the cells say it
    // together, the same key may come several times.
    bool alone = input.name != cellsOf_ && (keyColumns == 1 || headingsAreKeys) &&
                 (keyColumns <= 1 || (headingsAreKeys && input.name == left.front()));
    makeAxis(input, !alone);
  }
  if (faulty_) return false;

  std::size_t cells = 1;
  for (const Input& input : inputs_) cells *= std::max<std::size_t>(input.axis.positions, 1);
  if (cells > 1000000) {
    b_.sink.report(at(childOf(package(), decl_.node, Role::name), DiagnosticCode::cardinality,
                      {"the table `" + decl_.name + "` has too many cells", "1000000"}));
    return false;
  }

  // The result: where it stands depends on the form.
  std::vector<NodeRef> results;
  if (cellsOf_.empty())
    for (const ChartRow& row : chart_.rows)
      for (std::size_t c = 0; c < columns; ++c) results.push_back(row.cells[leading + c]);
  else if (byResult)
    for (const ChartRow& row : chart_.rows) results.push_back(row.cells.front());
  else
    for (std::size_t c = 0; c < columns; ++c) results.push_back(chart_.headings[leading + c].cell);
  NodeRef declared = childOf(package(), decl_.node, Role::type);
  const bool several = cellsOf_.empty() && !headingsAreKeys && columns > 1;
  if (several) return layOutRows(leading, rowEntries, cells);
  if (cellsOf_.empty() && !headingsAreKeys && !present(declared)) declared = chart_.headings[leading].type;
  Type type = resultType(declared, results);
  if (type.kind == TypeKind::error) return false;
  if (!type.set && cellsOf_.empty())
    for (NodeRef cell : results)
      if (present(cell) && treeOf(package(), cell).cellText(cell.node) == "-") type.optional = true;
  if (present(otherwise_) && isNothing(package(), otherwise_) && !type.set) type.optional = true;
  facts_.result = type;
  table_.result = moduleType(type);
  table_.resultWords = static_cast<std::uint16_t>(type.set ? world_.setWords(type) : 1);
  table_.cells.assign(cells * table_.resultWords, type.set ? 0 : none);
  table_.filled.assign(cells, 0);
  table_.marks.assign(cells, 0);
  source_.assign(cells, {});
  if (present(otherwise_))
    if (auto words = constantWords(world_, package(), otherwise_, type, b_.sink)) table_.otherwise = *words;
  if (table_.hasOtherwise && table_.otherwise.empty())
    table_.otherwise.assign(table_.resultWords, type.set ? 0 : none);

  auto resultOf = [&](NodeRef cell) { return resultWords(cell, type); };
  std::vector<std::optional<std::vector<Word>>> headingResult(columns);
  if (!cellsOf_.empty() && !byResult)
    for (std::size_t c = 0; c < columns; ++c) headingResult[c] = resultOf(chart_.headings[leading + c].cell);
  for (std::size_t r = 0; r < chart_.rows.size(); ++r) {
    const ChartRow& row = chart_.rows[r];
    std::uint16_t rowMarks = 0;
    for (NodeRef ref : row.rows)
      rowMarks = joinMarks(world_, rowMarks, marksOf(world_, package(), ref, b_.sink));
    for (std::size_t k = 0; k < leading; ++k)
      rowMarks = joinMarks(world_, rowMarks, marksOf(world_, package(), row.cells[k], b_.sink));
    std::optional<std::vector<Word>> rowResult;
    if (byResult) rowResult = resultOf(row.cells.front());
    for (std::size_t c = 0; c < columns; ++c) {
      NodeRef cell = row.cells[leading + c];
      if (!present(cell)) continue;
      std::uint16_t marks = marksOf(world_, package(), cell, b_.sink);
      marks = joinMarks(world_, joinMarks(world_, marks, rowMarks), facts_.headingMarks[leading + c]);
      std::vector<std::uint16_t> entries = rowEntries[r];
      if (headingsAreKeys) entries[indexOf(left.front())] = headingEntry[c];
      std::optional<std::vector<Word>> result;
      if (!cellsOf_.empty()) {
        if (cellEntry[r][c] < 0) continue;
        entries[indexOf(cellsOf_)] = static_cast<std::uint16_t>(cellEntry[r][c]);
        result = byResult ? rowResult : headingResult[c];
      } else {
        result = resultOf(cell);
      }
      put(entries, cell, result ? &*result : nullptr, marks);
    }
  }
  for (const Input& input : inputs_) checkAxis(input);
  checkCells();
  return true;
}

void TableMaker::make() {
  if (isFaulty(package(), decl_.node)) faulty_ = true;
  table_.name = decl_.name;
  facts_.place = namePlaceOf(package(), decl_.node);
  table_.tableMarks = marksOf(world_, package(), decl_.node, b_.sink);
  bool good = readInputs();
  readClauses();
  good = good && !faulty_ && layOut();
  if (!good) {
    // What reads the table is not reported again: its result fits everything.
    facts_.result.kind = TypeKind::error;
    if (NodeRef declared = childOf(package(), decl_.node, Role::type);
        present(declared) && kindOf(package(), declared) != NodeKind::TypeProcedure && faulty_) {
      DiagnosticSink quiet;
      facts_.result = resolveType(world_, package(), declared, quiet);
    }
  }
  for (Input& input : inputs_) table_.axes.push_back(std::move(input.axis));
  auto id = static_cast<std::uint16_t>(world_.module.tables.size());
  world_.tablesByName[decl_.name].push_back(id);
  world_.module.tables.push_back(std::move(table_));
  world_.tableFacts.push_back(std::move(facts_));
}

} // namespace tables

void Building::declareTables() {
  for (const FoldedDecl& decl : folded.decls)
    if (decl.inForce && decl.kind == NodeKind::TableDecl) tables::TableMaker(*this, decl).make();
}

} // namespace hellwig
