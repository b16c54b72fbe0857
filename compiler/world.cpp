// SPDX-License-Identifier: Apache-2.0
// The order in which a world is built, and what is declared in a line or two: the game, boxes, state, look.

#include "compiler/world_parts.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

// ---- What later phases ask

const std::vector<Symbol>* World::find(std::string_view noun) const {
  auto it = nouns.find(std::string(noun));
  return it == nouns.end() || it->second.empty() ? nullptr : &it->second;
}

bool World::isKindOf(std::uint16_t a, std::uint16_t b) const {
  std::size_t steps = 0;
  for (std::int32_t k = a; k >= 0 && steps <= module.kinds.size(); ++steps) {
    if (k == b) return true;
    k = module.kinds[static_cast<std::size_t>(k)].base;
  }
  return false;
}

std::int32_t World::columnOf(const Type& owner, std::string_view name) const {
  auto named = [&](const std::vector<std::uint16_t>& columns) -> std::int32_t {
    for (std::uint16_t column : columns)
      if (module.columns[column].name == name) return column;
    return -1;
  };
  Owner of = Owner::hex;
  switch (owner.kind) {
  case TypeKind::counter: return owner.id < kindFacts.size() ? named(kindFacts[owner.id].columns) : -1;
  case TypeKind::enumeration: return owner.id < enumFacts.size() ? named(enumFacts[owner.id].properties) : -1;
  case TypeKind::hex: of = Owner::hex; break;
  case TypeKind::hexside: of = Owner::hexside; break;
  case TypeKind::side: of = Owner::side; break;
  case TypeKind::box: of = Owner::box; break;
  case TypeKind::area: of = Owner::area; break;
  case TypeKind::group: return owner.id < groupKindFacts.size() ? named(groupKindFacts[owner.id].columns) : -1;
  default: return -1;
  }
  for (std::size_t c = 0; c < module.columns.size(); ++c) {
    if (module.columns[c].owner != of || module.columns[c].name != name) continue;
    bool layer = false; // of paths, hexsides or features: asked by `has` and `between`, not after a dot
    for (const EnumFacts& facts : enumFacts)
      layer = layer ||
              (facts.mapColumn == static_cast<std::int32_t>(c) && facts.terrain != EnumFacts::Terrain::hex);
    if (!layer) return static_cast<std::int32_t>(c);
  }
  return -1;
}

// ---- Small helpers of the parts

std::uint16_t Building::addColumn(Column column, const Type& type, Place place, std::uint16_t marks) {
  auto id = static_cast<std::uint16_t>(world.module.columns.size());
  column.type = moduleType(type);
  world.module.columns.push_back(std::move(column));
  world.columnTypes.push_back(type);
  ColumnFacts facts;
  facts.marks = marks;
  facts.place = place;
  world.columnFacts.push_back(facts);
  return id;
}

void Building::addSymbol(const std::string& name, Symbol symbol) {
  if (name.empty()) return;
  std::vector<Symbol>& list = world.nouns[name];
  // One name may mean things of several sorts, then the type expected decides; but of these only one thing.
  auto typeName = [](SymbolKind kind) {
    return kind == SymbolKind::enumeration || kind == SymbolKind::counterKind || kind == SymbolKind::plural;
  };
  auto single = [](SymbolKind kind) { return kind == SymbolKind::state || kind == SymbolKind::sheet; };
  for (const Symbol& other : list)
    if ((typeName(symbol.kind) && typeName(other.kind)) ||
        (symbol.kind == other.kind && single(symbol.kind))) {
      sink.report(
          diagnosticAt(package, symbol.place, DiagnosticCode::duplicateName, {name})
              .also(sourceOf(package, other.place.file), other.place.range, "it is declared here, too"));
      return;
    }
  list.push_back(symbol);
}

void Building::refuse(NodeRef at, const std::string& what) {
  sink.report(diagnosticAt(package, at, DiagnosticCode::notCompiled, {what}));
}

// ---- The game

void Building::declareGame() {
  Module& module = world.module;
  module.scenario = folded.selection.scenario;
  module.options = folded.selection.options;
  module.mods = package.mods;
  module.packageHash = package.hash;
  module.strings.emplace_back();
  for (const SourceFile& file : package.files) module.files.push_back(file.path);
  NodeRef game, thirdSide;
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::GameDecl) continue;
    game = decl.node;
    marksOf(world, package, game, sink);
    if (NodeRef text = childOf(package, game, Role::text); present(text))
      module.title = treeOf(package, text).textOf(text.node);
    for (NodeRef item : itemsOf(package, game)) {
      NodeRef text = childOf(package, item, Role::text);
      std::string words = present(text) ? treeOf(package, text).textOf(text.node) : std::string();
      if (kindOf(package, item) == NodeKind::Credit && opOf(package, item) == TokenKind::kw_designer)
        module.designer = words;
      if (kindOf(package, item) != NodeKind::Side) continue;
      std::string name = nameOf(package, item, Role::name);
      if (name.empty()) continue;
      if (module.sides.size() == 2) thirdSide = item;
      addSymbol(name, {SymbolKind::side, 0, static_cast<Word>(module.sides.size()),
                       static_cast<std::int16_t>(module.sides.size()), namePlaceOf(package, item)});
      module.sides.push_back({name, words.empty() ? displayName(name) : words});
    }
  }
  if (!present(game))
    sink.report(Diagnostic(DiagnosticCode::missingDeclaration, sourceOf(package, 0), {}, {"`game`"}));
  else if (module.sides.size() != 2 && !isFaulty(package, game))
    sink.report(diagnosticAt(package,
                             present(thirdSide) ? placeOf(package, thirdSide)
                                                : Place{game.file, treeOf(package, game).opRange(game.node)},
                             DiagnosticCode::sideCount, {std::to_string(module.sides.size())}));
  // The rest counts on two.
  while (module.sides.size() < 2) module.sides.push_back({"", ""});
  module.sides.resize(2);

  auto fixed = [&](const char* name, Type type, Word initial) {
    Global global;
    global.name = name;
    global.type = moduleType(type);
    global.initial = {initial};
    module.globals.push_back(std::move(global));
    world.globalTypes.push_back(type);
  };
  fixed("turn", {TypeKind::integer, 0, false, false}, 0);
  fixed("clock", {TypeKind::time, 0, false, false}, 0);
  fixed("player", {TypeKind::side, 0, false, false}, none);
  fixed("entry side", {TypeKind::side, 0, false, true}, none);
  fixed("winner", {TypeKind::side, 0, false, true}, none);
}

void Building::declareOptionNames() {
  for (const OptionInfo& option : package.options) addSymbol(option.name, {SymbolKind::option, 0, 0, -1, {}});
  for (const ScenarioInfo& scenario : package.scenarios)
    addSymbol(scenario.name, {SymbolKind::scenario, 0, 0, -1, {}});
}

/// What is parsed but not compiled: each is refused once, and its names are kept so that nothing follows from
/// it.
void Building::declareUncompiled() {
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce) continue;
    std::string what;
    if (what.empty()) continue;
    Place place{decl.node.file, treeOf(package, decl.node).opRange(decl.node.node)};
    sink.report(diagnosticAt(package, place, DiagnosticCode::notCompiled, {what}));
    marksOf(world, package, decl.node, sink);
  }
}

/// The first and last turn of the game: numbers, or values without parameters and steps that are numbers.
std::pair<Word, Word> Building::turnsOfGame(NodeRef asked) {
  std::function<std::optional<Word>(NodeRef, int)> number = [&](NodeRef expr, int depth) -> std::optional<Word> {
    if (depth > 20 || !present(expr)) return std::nullopt;
    switch (kindOf(package, expr)) {
    case NodeKind::IntLiteral: return treeOf(package, expr).intOf(expr.node);
    case NodeKind::Paren: return number(childOf(package, expr, Role::value), depth + 1);
    case NodeKind::Binary: {
      auto left = number(childOf(package, expr, Role::left), depth + 1);
      auto right = number(childOf(package, expr, Role::right), depth + 1);
      if (!left || !right) return std::nullopt;
      if (opOf(package, expr) == TokenKind::plus) return *left + *right;
      if (opOf(package, expr) == TokenKind::minus) return *left - *right;
      return std::nullopt;
    }
    case NodeKind::NameExpr:
      for (const FoldedDecl& decl : folded.decls) {
        if (!decl.inForce || decl.kind != NodeKind::ValueDecl || decl.name != nameOf(package, expr)) continue;
        if (!decl.amendments.empty() || !itemsOf(package, decl.node).empty()) return std::nullopt;
        return number(childOf(package, decl.node, Role::value), depth + 1);
      }
      return std::nullopt;
    default: return std::nullopt;
    }
  };
  constexpr Word mostTurns = 1000;
  std::pair<Word, Word> span{1, 0};
  bool found = false;
  std::function<void(NodeRef)> look = [&](NodeRef node) {
    if (kindOf(package, node) == NodeKind::Turns) {
      auto from = number(childOf(package, node, Role::from), 0), to = number(childOf(package, node, Role::to), 0);
      if (!from || !to || *to - *from >= mostTurns) {
        sink.report(diagnosticAt(package, childOf(package, node, from ? Role::to : Role::from),
                                 DiagnosticCode::notConstant));
      } else {
        span.first = found ? std::min(span.first, *from) : *from;
        span.second = found ? std::max(span.second, *to) : *to;
      }
      found = true;
    }
    for (NodeId child : treeOf(package, node).children(node.node)) look({node.file, child});
  };
  for (const FoldedDecl& decl : folded.decls)
    if (decl.inForce && decl.kind == NodeKind::SequenceDecl) look(decl.node);
  if (!found) sink.report(diagnosticAt(package, asked, DiagnosticCode::missingDeclaration, {"`turns`, so no turn has a box"}));
  return span;
}

void Building::declareBoxes() {
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::BoxDecl || decl.name.empty()) continue;
    marksOf(world, package, decl.node, sink);
    NodeRef text = childOf(package, decl.node, Role::text);
    std::string title = present(text) ? treeOf(package, text).textOf(text.node) : displayName(decl.name);
    Symbol symbol{SymbolKind::box, 0, static_cast<Word>(world.module.boxes.size()), -1,
                  namePlaceOf(package, decl.node)};
    TokenKind each = opOf(package, decl.node);
    if (each == TokenKind::kw_turn) {
      World::TurnBoxes boxes;
      boxes.box = static_cast<std::int32_t>(world.module.boxes.size());
      std::tie(boxes.first, boxes.last) = turnsOfGame(childOf(package, decl.node, Role::name));
      for (Word turn = boxes.first; turn <= boxes.last; ++turn)
        world.module.boxes.push_back({decl.name + "(" + std::to_string(turn) + ")",
                                      title + " (turn " + std::to_string(turn) + ")"});
      world.turnBoxes[decl.name] = boxes;
    } else if (each == TokenKind::kw_side) {
      for (std::size_t s = 0; s < world.module.sides.size(); ++s) {
        symbol.value = static_cast<Word>(world.module.boxes.size());
        symbol.side = static_cast<std::int16_t>(s);
        const SideInfo& side = world.module.sides[s];
        world.module.boxes.push_back({decl.name + "(" + side.name + ")", title + " (" + side.display + ")"});
        addSymbol(decl.name, symbol);
      }
    } else {
      world.module.boxes.push_back({decl.name, title});
      addSymbol(decl.name, symbol);
    }
  }
}

void Building::declareState() {
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::StateDecl) continue;
    std::uint16_t marks = marksOf(world, package, decl.node, sink);
    NodeRef of = childOf(package, decl.node, Role::of);
    TokenKind op = opOf(package, decl.node);
    std::optional<Owner> owner;
    std::int32_t kind = -1, groupKind = -1;
    if (op == TokenKind::kw_hex) owner = Owner::hex;
    if (op == TokenKind::kw_hexside) owner = Owner::hexside;
    if (present(of)) {
      std::string name = nameOf(package, of);
      if (name == "side") owner = Owner::side;
      if (name == "box") owner = Owner::box;
      if (name == "area") owner = Owner::area;
      if (const std::vector<Symbol>* symbols = world.find(name))
        for (const Symbol& symbol : *symbols) {
          if (symbol.kind == SymbolKind::counterKind) kind = symbol.id;
          if (symbol.kind == SymbolKind::groupKind) groupKind = symbol.id;
        }
      if (!owner && kind < 0 && groupKind < 0) {
        std::vector<std::string> known = {"hex", "hexside", "side"};
        for (const KindInfo& info : world.module.kinds) known.push_back(info.name);
        known.insert(known.end(), groupKinds.begin(), groupKinds.end());
        if (!name.empty())
          sink.report(suggesting(
              diagnosticAt(package, of, DiagnosticCode::unknownName, {name, "thing that has state"}), name,
              known));
        continue;
      }
    }
    for (NodeRef item : childrenOf(package, decl.node, Role::item)) {
      std::string name = nameOf(package, item, Role::name);
      if (name.empty()) continue;
      NodeRef value = childOf(package, item, Role::value);
      SpanKind resets = resetsOf(decl.node);
      if (kind >= 0) {
        Column column;
        column.name = name;
        column.resets = resets;
        addKindField(static_cast<std::uint16_t>(kind), item, std::move(column), fieldType(item), marks,
                     false);
      } else if (groupKind >= 0) {
        Column column;
        column.name = name;
        column.resets = resets;
        addGroupField(static_cast<std::uint16_t>(groupKind), item, std::move(column), fieldType(item), marks,
                      false);
      } else if (owner) {
        Column column;
        column.name = name;
        column.owner = *owner;
        column.resets = resets;
        Type thing;
        thing.kind = *owner == Owner::hex       ? TypeKind::hex
                     : *owner == Owner::hexside ? TypeKind::hexside
                     : *owner == Owner::side    ? TypeKind::side
                     : *owner == Owner::box     ? TypeKind::box
                                                : TypeKind::area;
        if (std::int32_t other = world.columnOf(thing, name); other >= 0) {
          const Place& place = world.columnFacts[static_cast<std::size_t>(other)].place;
          sink.report(diagnosticAt(package, namePlaceOf(package, item), DiagnosticCode::duplicateName, {name})
                          .also(sourceOf(package, place.file), place.range, "it is declared here, too"));
          continue;
        }
        std::uint16_t id = addColumn(std::move(column), fieldType(item), namePlaceOf(package, item), marks);
        stateDefaults[id] = value;
      } else {
        auto id = static_cast<std::uint16_t>(world.module.globals.size());
        Type type = fieldType(item);
        Global global;
        global.name = name;
        global.type = moduleType(type);
        global.resets = resets;
        world.module.globals.push_back(std::move(global));
        world.globalTypes.push_back(type);
        globalDefaults[id] = value;
        addSymbol(name, {SymbolKind::state, id, 0, -1, namePlaceOf(package, item)});
      }
    }
  }
}

void Building::fillState() {
  Module& module = world.module;
  auto things = [&](const Column& column) -> std::size_t {
    switch (column.owner) {
    case Owner::counter: return module.counters.size();
    case Owner::hex: return static_cast<std::size_t>(module.board.n);
    case Owner::hexside: return static_cast<std::size_t>(module.board.hexsides);
    case Owner::side: return module.sides.size();
    case Owner::box: return module.boxes.size();
    case Owner::area: return module.areas.size();
    case Owner::group: return module.groups.size();
    case Owner::enumeration: return module.enums[column.ownerId].names.size();
    }
    return 0;
  };
  for (std::size_t c = 0; c < module.columns.size(); ++c) {
    Column& column = module.columns[c];
    auto id = static_cast<std::uint16_t>(c);
    if (column.constant) continue;
    std::vector<Word> value = defaultWords(id);
    if (column.owner == Owner::counter || column.owner == Owner::group) continue;
    for (std::size_t i = 0; i < things(column); ++i)
      column.initial.insert(column.initial.end(), value.begin(), value.end());
  }
  for (auto& [id, expr] : globalDefaults) {
    const Type& type = world.globalTypes[id];
    Global& global = module.globals[id];
    global.words =
        static_cast<std::uint16_t>(type.set ? std::max<std::uint32_t>(world.setWords(type), 1) : 1);
    global.initial.assign(global.words, type.set ? 0 : none);
    if (type.kind == TypeKind::error || !present(expr)) continue;
    if (auto words = constantWords(world, package, expr, type, sink); words && words->size() == global.words)
      global.initial = *words;
  }
}

void Building::makeDomains() {
  Module& module = world.module;
  auto add = [&](Type type, std::size_t size) {
    module.domains.push_back({moduleType(type), static_cast<std::uint32_t>(size)});
  };
  add({TypeKind::counter, 0, false, false}, module.counters.size());
  add({TypeKind::hex, 0, false, false}, static_cast<std::size_t>(module.board.n));
  add({TypeKind::hexside, 0, false, false}, static_cast<std::size_t>(module.board.hexsides));
  add({TypeKind::side, 0, false, false}, module.sides.size());
  add({TypeKind::direction, 0, false, false}, 6);
  add({TypeKind::area, 0, false, false}, module.areas.size());
  add({TypeKind::box, 0, false, false}, module.boxes.size());
  add({TypeKind::group, 0, false, false}, module.groups.size());
  add({TypeKind::integer, 0, false, false}, setIntCount);
  add({TypeKind::path, 0, false, false}, mostPaths);
  for (std::size_t e = 0; e < module.enums.size(); ++e)
    add({TypeKind::enumeration, static_cast<std::uint16_t>(e), false, false}, module.enums[e].names.size());
}

/// The width of each column: what its type needs in play, or what its values need if they never change.
void Building::finishColumns() {
  for (std::size_t c = 0; c < world.module.columns.size(); ++c) {
    Column& column = world.module.columns[c];
    const Type& type = world.columnTypes[c];
    if (type.set) {
      column.bytes = 8;
      column.setWords = static_cast<std::uint16_t>(world.setWords(type));
      continue;
    }
    bool layer = false;
    for (const EnumFacts& facts : world.enumFacts)
      layer = layer ||
              (facts.mapColumn == static_cast<std::int32_t>(c) && facts.terrain != EnumFacts::Terrain::hex);
    switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::side:
    case TypeKind::direction: column.bytes = 1; break;
    case TypeKind::enumeration: column.bytes = 1; break;
    case TypeKind::hex:
    case TypeKind::hexside:
    case TypeKind::area:
    case TypeKind::box:
    case TypeKind::group:
    case TypeKind::counter: column.bytes = 2; break;
    case TypeKind::integer:
    case TypeKind::d66:
    case TypeKind::time:
    case TypeKind::label:
    case TypeKind::text: column.bytes = 4; break;
    default: column.bytes = 8; break;
    }
    if (column.constant) {
      Word low = 0, high = 0;
      for (Word word : column.initial)
        if (word != none) {
          low = std::min(low, word);
          high = std::max(high, word);
        }
      // The least value of each width stands for none.
      column.bytes = low > -128 && high <= 127                     ? 1
                     : low > -32768 && high <= 32767               ? 2
                     : low > -2147483648LL && high <= 2147483647LL ? 4
                                                                   : 8;
    }
    bool few = (column.owner == Owner::counter || column.owner == Owner::hex) && !layer;
    if (few && type.kind == TypeKind::boolean) column.planes = 2;
    if (few && type.kind == TypeKind::enumeration && world.module.enums[type.id].names.size() <= 8)
      column.planes = static_cast<std::uint8_t>(world.module.enums[type.id].names.size());
  }
}

/// What a look may say of a thing; of a `type`, the symbol of each of its values.
void Building::checkLookProperty(const std::string& subject, const std::string& name, NodeRef property) {
  static const std::vector<std::string> properties = {"paper", "ink",  "fill",   "pattern", "stroke", "width",
                                                      "symbol", "size", "top",    "bottom",  "left",   "right",
                                                      "centre", "corner", "back", "font"};
  std::vector<std::string> known = properties;
  if (subject == "type")
    if (const auto* symbols = world.find(name))
      for (const Symbol& s : *symbols)
        if (s.kind == SymbolKind::enumeration) known = world.module.enums[s.id].names;
  std::string word = nameOf(package, property, Role::name);
  if (word.empty() || std::find(known.begin(), known.end(), word) != known.end()) return;
  sink.report(suggesting(diagnosticAt(package, namePlaceOf(package, property), DiagnosticCode::unknownLookProperty, {word}),
                         word, known));
}

void Building::declareLook() {
  for (const Piece& piece : folded.looks)
    for (NodeRef item : itemsOf(package, piece.node)) {
      std::string subject = nameOf(package, item, Role::type), name = nameOf(package, item, Role::name);
      for (NodeRef property : itemsOf(package, item)) {
        checkLookProperty(subject, name, property);
        std::string value;
        for (NodeRef part : childrenOf(package, property, Role::value)) {
          std::string words = nameOf(package, part);
          if (kindOf(package, part) == NodeKind::Text)
            words = treeOf(package, part).textOf(part.node);
          else if (words.empty())
            words = std::string(treeOf(package, part).text(part.node));
          value += (value.empty() ? "" : ", ") + words;
        }
        world.module.look.push_back({subject, name, nameOf(package, property, Role::name), value});
      }
    }
}

void Building::run() {
  declareRulebook();
  declareGame();
  setClock();
  declareUncompiled();
  declareTypeNames();
  declareKindNames();
  declareGroupKinds();
  declareRecordNames();
  declareBoxes();
  declareOptionNames();
  declareBoard();
  declareKindFields();
  declareGroupFields();
  declareRecordFields();
  declareArcs();
  declareState();
  declareForces();
  makeDomains();
  declareProperties();
  paintMap();
  fillProperties();
  fillCounters();
  fillGroups();
  fillLabels();
  fillState();
  fillHexState();
  declareTables();
  declareLook();
  finishColumns();
}

World WorldBuilder::build() {
  World world;
  Building(world, package_, folded_, tests_, sink_).run();
  return world;
}

} // namespace hellwig
