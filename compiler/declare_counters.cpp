// SPDX-License-Identifier: Apache-2.0
// Kinds of counters: their names, printed fields, faces and state.

#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

SpanKind spanOf(TokenKind op) {
  switch (op) {
  case TokenKind::kw_turn: return SpanKind::turn;
  case TokenKind::kw_player: return SpanKind::playerTurn;
  case TokenKind::kw_own: return SpanKind::ownTurn;
  case TokenKind::kw_phase: return SpanKind::phase;
  case TokenKind::kw_activation: return SpanKind::activation;
  default: return SpanKind::never;
  }
}

} // namespace

void Building::declareKindNames() {
  std::vector<std::pair<std::uint16_t, NodeRef>> bases;
  auto addKind = [&](const std::string& name, const std::string& plural, NodeRef at, NodeRef base) {
    auto id = static_cast<std::uint16_t>(world.module.kinds.size());
    KindInfo info;
    info.name = name;
    info.plural = plural;
    world.module.kinds.push_back(std::move(info));
    KindFacts facts;
    facts.place = at.node == NodeId::none ? Place{} : placeOf(package, at);
    world.kindFacts.push_back(facts);
    addSymbol(name, {SymbolKind::counterKind, id, 0, -1, facts.place});
    if (!plural.empty()) addSymbol(plural, {SymbolKind::plural, id, 0, -1, facts.place});
    if (present(base)) bases.emplace_back(id, base);
  };
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::CounterDecl || decl.name.empty()) continue;
    addKind(decl.name, nameOf(package, decl.node, Role::plural), childOf(package, decl.node, Role::name),
            childOf(package, decl.node, Role::base));
    marksOf(world, package, decl.node, sink);
  }
  for (std::size_t d = 0; d < folded.decls.size(); ++d) {
    const FoldedDecl& decl = folded.decls[d];
    if (!decl.inForce || decl.kind != NodeKind::KindsDecl) continue;
    marksOf(world, package, decl.node, sink);
    Chart chart = readChart(childOf(package, decl.node, Role::body));
    for (const Piece& piece : decl.amendments) amendChart(chart, childOf(package, piece.node, Role::body), 1);
    citeCells(chart);
    std::int32_t kind = chart.find("kind"), plural = chart.find("plural");
    if (kind != 0) {
      if (!chart.headings.empty())
        sink.report(
            diagnosticAt(package, chart.headings.front().cell, DiagnosticCode::missingHeading, {"kind"}));
      continue;
    }
    KindsSource source;
    source.decl = static_cast<std::int32_t>(d);
    for (const ChartRow& row : chart.rows) {
      NodeRef cell = readCell(row.cells.front(), CellGrammar::name);
      std::string name = nameOf(package, cell), many;
      if (name.empty()) continue;
      if (plural >= 0)
        many = nameOf(package, readCell(row.cells[static_cast<std::size_t>(plural)], CellGrammar::name));
      source.kinds.push_back(static_cast<std::int32_t>(world.module.kinds.size()));
      source.rows.push_back(row);
      addKind(name, many, cell, childOf(package, decl.node, Role::name));
    }
    source.headings = chart.headings;
    kindsSources.push_back(std::move(source));
  }
  for (const auto& [kind, base] : bases) {
    std::string name = nameOf(package, base);
    const std::vector<Symbol>* symbols = world.find(name);
    const Symbol* found = nullptr;
    if (symbols)
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::counterKind) found = &symbol;
    if (!found) {
      std::vector<std::string> known;
      for (const KindInfo& info : world.module.kinds) known.push_back(info.name);
      sink.report(suggesting(
          diagnosticAt(package, base, DiagnosticCode::unknownName, {name, "kind of counter"}), name, known));
      continue;
    }
    // A chain that comes back to itself is cut here.
    bool circle = false;
    for (std::int32_t up = found->id; up >= 0; up = world.module.kinds[static_cast<std::size_t>(up)].base)
      circle = circle || up == kind;
    if (circle)
      sink.report(diagnosticAt(package, base, DiagnosticCode::recursion,
                               {world.module.kinds[kind].name, "it is a kind of " + name}));
    else
      world.module.kinds[kind].base = static_cast<std::int16_t>(found->id);
  }
}

Type Building::fieldType(NodeRef item) {
  NodeRef declared = childOf(package, item, Role::type);
  if (present(declared)) {
    if (nameOf(package, declared) == "label" && kindOf(package, item) == NodeKind::PrintedItem)
      return Type{TypeKind::label, 0, false, false};
    Type type = resolveType(world, package, declared, sink);
    if (type.kind != TypeKind::record && type.kind != TypeKind::row && type.kind != TypeKind::path) return type;
    // A position holds no half-made search.
    if (type.kind == TypeKind::path)
      sink.report(diagnosticAt(package, declared, DiagnosticCode::keptPath, {}));
    else
      sink.report(diagnosticAt(package, declared, DiagnosticCode::recordMisplaced,
                               {world.typeName(type), "a field or state"}));
    return {};
  }
  NodeRef value = childOf(package, item, Role::value);
  if (isFaulty(package, value)) return {};
  std::string name = nameOf(package, item, Role::name);
  std::vector<Type> types = constantTypes(world, package, value);
  if (types.size() > 1)
    std::erase_if(types, [](const Type& type) {
      return type.kind == TypeKind::direction || type.kind == TypeKind::odds;
    });
  if (types.size() == 1) return types.front();
  if (types.size() > 1) {
    sink.report(diagnosticAt(package, value, DiagnosticCode::ambiguousName,
                             {nameOf(package, value), "one of " + world.typeName(types[0]),
                              "one of " + world.typeName(types[1])}));
  } else if (std::string word = nameOf(package, value); !word.empty() && !world.find(word)) {
    sink.report(diagnosticAt(package, value, DiagnosticCode::unknownName, {word, "value"}));
  } else {
    sink.report(
        diagnosticAt(package, childOf(package, item, Role::name), DiagnosticCode::untypedDefault, {name}));
  }
  return {};
}

void Building::declareKindFields() {
  std::size_t count = world.module.kinds.size();
  std::vector<std::vector<NodeRef>> items(count); // of the declaration and its amendments
  auto kindNamed = [&](const std::string& name) -> std::int32_t {
    for (std::size_t k = 0; k < count; ++k)
      if (world.module.kinds[k].name == name) return static_cast<std::int32_t>(k);
    return -1;
  };
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::CounterDecl) continue;
    std::int32_t kind = kindNamed(decl.name);
    if (kind < 0) continue;
    auto& list = items[static_cast<std::size_t>(kind)];
    for (NodeRef item : itemsOf(package, decl.node)) list.push_back(item);
    for (const Piece& piece : decl.amendments) {
      marksOf(world, package, piece.node, sink);
      for (NodeRef item : itemsOf(package, piece.node)) list.push_back(item);
    }
  }
  std::vector<std::uint16_t> order; // bases first
  for (std::size_t round = 0; order.size() < count && round <= count; ++round)
    for (std::size_t k = 0; k < count; ++k) {
      auto id = static_cast<std::uint16_t>(k);
      std::int16_t base = world.module.kinds[k].base;
      if (std::find(order.begin(), order.end(), id) != order.end()) continue;
      if (base < 0 || std::find(order.begin(), order.end(), static_cast<std::uint16_t>(base)) != order.end())
        order.push_back(id);
    }
  for (std::uint16_t kind : order) {
    std::int16_t base = world.module.kinds[kind].base;
    if (base >= 0) {
      world.kindFacts[kind].columns = world.kindFacts[static_cast<std::size_t>(base)].columns;
      world.kindFacts[kind].faceEnum = world.kindFacts[static_cast<std::size_t>(base)].faceEnum;
    }
    for (NodeRef item : items[kind]) declareKindItem(kind, item);
  }
  for (const KindsSource& source : kindsSources) takeKindsChart(source);
}

void Building::addKindField(std::uint16_t kind, NodeRef item, Column column, const Type& type,
                            std::uint16_t marks, bool printed) {
  for (std::uint16_t other : world.kindFacts[kind].columns)
    if (world.module.columns[other].name == column.name) {
      const Place& place = world.columnFacts[other].place;
      sink.report(
          diagnosticAt(package, namePlaceOf(package, item), DiagnosticCode::duplicateName, {column.name})
              .also(sourceOf(package, place.file), place.range, "it is declared here, too"));
      return;
    }
  column.owner = Owner::counter;
  column.ownerId = kind;
  bool state = !printed;
  std::uint16_t id = addColumn(std::move(column), type, namePlaceOf(package, item), marks);
  world.columnFacts[id].printed = printed;
  if (state) stateDefaults[id] = childOf(package, item, Role::value);
  for (std::size_t k = 0; k < world.kindFacts.size(); ++k)
    if (world.isKindOf(static_cast<std::uint16_t>(k), kind)) {
      auto& list = world.kindFacts[k].columns;
      if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
    }
}

void Building::declareKindItem(std::uint16_t kind, NodeRef item) {
  if (kindOf(package, item) == NodeKind::Error) return;
  std::uint16_t marks = marksOf(world, package, item, sink);
  switch (kindOf(package, item)) {
  case NodeKind::Printed:
    for (NodeRef field : childrenOf(package, item, Role::item)) {
      std::string name = nameOf(package, field, Role::name);
      NodeRef value = childOf(package, field, Role::value);
      if (name.empty()) continue;
      if (!present(childOf(package, field, Role::type))) {
        std::int32_t column = world.columnOf(Type{TypeKind::counter, kind, false, false}, name);
        if (column < 0 || !world.columnFacts[static_cast<std::size_t>(column)].printed) {
          if (!isFaulty(package, field))
            sink.report(diagnosticAt(package, namePlaceOf(package, field), DiagnosticCode::unknownField,
                                     {name, world.module.kinds[kind].name})
                            .withHelp("a new field names its type: `printed " + name + ": int`"));
          continue;
        }
        kindValues[{kind, static_cast<std::uint16_t>(column)}].formula = value;
        continue;
      }
      Column column;
      column.name = name;
      column.constant = true;
      auto id = static_cast<std::uint16_t>(world.module.columns.size());
      addKindField(kind, field, std::move(column), fieldType(field), marks, true);
      if (present(value) && id < world.module.columns.size()) kindValues[{kind, id}].formula = value;
    }
    break;
  case NodeKind::State:
    for (NodeRef field : childrenOf(package, item, Role::item)) {
      Column column;
      column.name = nameOf(package, field, Role::name);
      if (column.name.empty()) continue;
      column.resets = resetsOf(item);
      addKindField(kind, field, std::move(column), fieldType(field), marks, false);
    }
    break;
  case NodeKind::Faces: {
    std::string name = nameOf(package, item, Role::name);
    const std::vector<Symbol>* symbols = world.find(name);
    const Symbol* found = nullptr;
    if (symbols)
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::enumeration) found = &symbol;
    if (!found) {
      std::vector<std::string> known;
      for (const EnumInfo& info : world.module.enums) known.push_back(info.name);
      if (!name.empty())
        sink.report(suggesting(
            diagnosticAt(package, namePlaceOf(package, item), DiagnosticCode::unknownName, {name, "type"}),
            name, known));
      break;
    }
    Column column;
    column.name = "face";
    auto id = static_cast<std::uint16_t>(world.module.columns.size());
    addKindField(kind, item, std::move(column), Type{TypeKind::enumeration, found->id, false, false}, marks,
                 false);
    if (id >= world.module.columns.size()) break; // there are faces already
    world.columnFacts[id].face = true;
    stateDefaults.erase(id);
    for (std::size_t k = 0; k < world.kindFacts.size(); ++k)
      if (world.isKindOf(static_cast<std::uint16_t>(k), kind)) world.kindFacts[k].faceEnum = found->id;
    declareFaceFields(kind, item, found->id);
    break;
  }
  case NodeKind::Show: {
    std::string name = nameOf(package, item, Role::name);
    if (name != "front" && name != "back" && name != "turned" && !name.empty())
      sink.report(diagnosticAt(package, namePlaceOf(package, item), DiagnosticCode::wordNotOneOf,
                               {name, "`front`, `back`, `turned`"}));
    break;
  }
  default: break;
  }
}

SpanKind Building::resetsOf(NodeRef clause) const {
  NodeRef span = childOf(package, clause, Role::resets);
  return present(span) ? spanOf(opOf(package, span)) : SpanKind::never;
}

void Building::takeKindsChart(const KindsSource& source) {
  for (std::size_t h = 1; h < source.headings.size(); ++h) {
    const ChartHeading& heading = source.headings[h];
    if (heading.text == "plural") continue;
    std::int32_t column = -1;
    for (std::int32_t kind : source.kinds) {
      auto id = static_cast<std::uint16_t>(kind);
      column = world.columnOf(Type{TypeKind::counter, id, false, false}, heading.text);
    }
    if (column < 0 || !world.columnFacts[static_cast<std::size_t>(column)].printed) {
      if (source.kinds.empty()) continue;
      std::vector<std::string> known;
      for (std::uint16_t other : world.kindFacts[static_cast<std::size_t>(source.kinds.front())].columns)
        known.push_back(world.module.columns[other].name);
      sink.report(
          suggesting(diagnosticAt(package, heading.cell, DiagnosticCode::unknownHeading, {heading.text}),
                     heading.text, known));
      continue;
    }
    for (std::size_t r = 0; r < source.rows.size(); ++r)
      if (NodeRef cell = source.rows[r].cells[h]; present(cell))
        kindValues[{static_cast<std::uint16_t>(source.kinds[r]), static_cast<std::uint16_t>(column)}].cell =
            cell;
  }
}

} // namespace hellwig
