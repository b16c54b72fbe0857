// SPDX-License-Identifier: Apache-2.0
// Types and terrain: their values, and the properties that their charts give them.

#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

EnumFacts::Terrain terrainSort(TokenKind op) {
  switch (op) {
  case TokenKind::kw_hex: return EnumFacts::Terrain::hex;
  case TokenKind::kw_hexside: return EnumFacts::Terrain::hexside;
  case TokenKind::kw_path: return EnumFacts::Terrain::path;
  case TokenKind::kw_feature: return EnumFacts::Terrain::feature;
  default: return EnumFacts::Terrain::no;
  }
}

} // namespace

void Building::declareTypeNames() {
  for (std::size_t d = 0; d < folded.decls.size(); ++d) {
    const FoldedDecl& decl = folded.decls[d];
    if (!decl.inForce || (decl.kind != NodeKind::TypeDecl && decl.kind != NodeKind::TerrainDecl)) continue;
    EnumSource source;
    source.decl = static_cast<std::int32_t>(d);
    source.id = static_cast<std::uint16_t>(world.module.enums.size());
    EnumInfo info;
    info.name = decl.name;
    EnumFacts facts;
    facts.place = namePlaceOf(package, decl.node);
    if (decl.kind == NodeKind::TerrainDecl) facts.terrain = terrainSort(opOf(package, decl.node));
    if (facts.terrain == EnumFacts::Terrain::hex) {
      if (hexTerrain >= 0)
        sink.report(
            diagnosticAt(package, facts.place, DiagnosticCode::duplicateName, {"terrain hex"})
                .also(sourceOf(package, world.enumFacts[static_cast<std::size_t>(hexTerrain)].place.file),
                      world.enumFacts[static_cast<std::size_t>(hexTerrain)].place.range,
                      "a hex has one terrain, and this is it"));
      else
        hexTerrain = source.id;
    }
    addSymbol(decl.name, {SymbolKind::enumeration, source.id, 0, -1, facts.place});
    std::uint16_t declMarks = marksOf(world, package, decl.node, sink);
    auto addValue = [&](NodeRef at, const std::string& name, std::uint16_t marks) {
      if (name.empty()) return;
      auto known = std::find(info.names.begin(), info.names.end(), name);
      if (known != info.names.end()) {
        sink.report(diagnosticAt(package, at, DiagnosticCode::duplicateName, {name}));
        return;
      }
      Symbol symbol{SymbolKind::enumValue, source.id, static_cast<Word>(info.names.size()), -1,
                    placeOf(package, at)};
      addSymbol(name, symbol);
      info.names.push_back(name);
      info.values.push_back(displayName(name));
      facts.valueMarks.push_back(joinMarks(world, declMarks, marks));
    };
    NodeRef body = childOf(package, decl.node, Role::body);
    if (present(body)) {
      source.chart = readChart(body);
    } else {
      for (NodeRef value : childrenOf(package, decl.node, Role::value))
        addValue(value, nameOf(package, value), 0);
      // So that an amendment finds the column of the values.
      source.chart.headings.push_back({decl.name, {}, {}});
    }
    for (const Piece& piece : decl.amendments) {
      NodeRef change = childOf(package, piece.node, Role::body);
      if (!present(body) && source.chart.headings.size() == 1) {
        Chart rows = readChart(change);
        if (!rows.headings.empty()) source.chart.headings.front().text = rows.headings.front().text;
      }
      amendChart(source.chart, change, 1);
      marksOf(world, package, piece.node, sink);
    }
    std::erase_if(source.chart.rows, [&](const ChartRow& row) {
      NodeRef value = row.cells.empty() ? NodeRef{} : readCell(row.cells.front(), CellGrammar::name);
      std::string name = nameOf(package, value);
      if (name.empty() && present(value)) name = std::string(treeOf(package, value).text(value.node));
      std::size_t before = info.names.size();
      if (present(value)) addValue(value, name, rowMarks(row, 0));
      return info.names.size() == before;
    });
    if (!present(body) && !source.chart.rows.empty()) {
      // The values written after `is` have no row; the charts below count rows and values alike.
      source.chart.rows.clear();
    }
    citeCells(source.chart);
    if (info.names.size() > 127)
      sink.report(diagnosticAt(package, facts.place, DiagnosticCode::cardinality,
                               {"`" + decl.name + "` has too many values", "127"}));
    world.module.enums.push_back(std::move(info));
    world.enumFacts.push_back(std::move(facts));
    enumSources.push_back(std::move(source));
  }
}

void Building::declareProperties() {
  for (std::size_t s = 0; s < enumSources.size(); ++s) {
    EnumSource& source = enumSources[s];
    EnumFacts& facts = world.enumFacts[source.id];
    bool hexSort = facts.terrain == EnumFacts::Terrain::hex;
    for (std::size_t h = 1; h < source.chart.headings.size(); ++h) {
      const ChartHeading& heading = source.chart.headings[h];
      if (hexSort && heading.text == "code") {
        for (std::size_t r = 0; r < source.chart.rows.size(); ++r) {
          NodeRef cell = source.chart.rows[r].cells[h];
          std::string letter = proseOf(cell);
          if (letter.empty() || letter == "-") continue;
          auto signs = std::count_if(letter.begin(), letter.end(),
                                     [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
          if (signs != 1) {
            sink.report(diagnosticAt(package, cell, DiagnosticCode::badCell, {"the letter of a terrain: one sign"}));
            continue;
          }
          auto same = std::find_if(source.letters.begin(), source.letters.end(),
                                   [&](const auto& entry) { return entry.first == letter; });
          if (same != source.letters.end())
            sink.report(diagnosticAt(package, cell, DiagnosticCode::duplicateName, {letter}));
          else
            source.letters.emplace_back(letter, static_cast<std::uint16_t>(r));
        }
        continue;
      }
      NodeRef nameNode = present(heading.type) ? heading.cell : readCell(heading.cell, CellGrammar::name);
      if (!present(nameNode)) continue;
      std::vector<NodeRef> cells;
      bool faulty = false;
      for (const ChartRow& row : source.chart.rows) {
        faulty = faulty || row.faulty;
        cells.push_back(row.cells[h]);
      }
      Type type = present(heading.type) ? resolveType(world, package, heading.type, sink)
                  : faulty              ? Type()
                                        : columnTypeOf(heading.text, cells, heading.cell);
      Column column;
      column.name = heading.text;
      column.owner = Owner::enumeration;
      column.ownerId = source.id;
      column.constant = true;
      std::uint16_t id = addColumn(std::move(column), type, placeOf(package, heading.cell),
                                   marksOf(world, package, heading.cell, sink));
      world.columnFacts[id].printed = true;
      facts.properties.push_back(id);
      propertySources.push_back({id, s, h});
    }
  }
}

void Building::fillProperties() {
  for (const PropertySource& property : propertySources) {
    const EnumSource& source = enumSources[property.source];
    const Type type = world.columnTypes[property.column];
    const EnumInfo& info = world.module.enums[source.id];
    std::vector<Word> initial;
    std::size_t words = type.set ? world.setWords(type) : 1;
    for (std::size_t r = 0; r < source.chart.rows.size(); ++r) {
      const ChartRow& row = source.chart.rows[r];
      NodeRef cell = row.cells[property.heading];
      std::vector<Word> value(words, type.set ? 0 : none);
      if (type.kind != TypeKind::error) {
        if (!present(cell)) {
          if (!row.faulty)
            sink.report(diagnosticAt(package, row.rows.front(), DiagnosticCode::missingField,
                                     {r < info.names.size() ? info.names[r] : std::string("this row"),
                                      source.chart.headings[property.heading].text}));
        } else if (NodeRef expr = readCell(cell, type.kind == TypeKind::text ? CellGrammar::letters
                                                                             : CellGrammar::expression);
                   present(expr)) {
          if (type.kind == TypeKind::text && treeOf(package, cell).cellText(cell.node) == "-")
            value[0] = type.optional ? none : internString(world.module, "");
          else if (auto constant = constantWords(world, package, expr, type, sink, {-1, true}))
            value = *constant;
        }
      }
      initial.insert(initial.end(), value.begin(), value.end());
    }
    initial.resize(info.names.size() * words, type.set ? 0 : none);
    world.module.columns[property.column].initial = std::move(initial);
  }
}

} // namespace hellwig
