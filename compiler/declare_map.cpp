// SPDX-License-Identifier: Apache-2.0
// The map in play: its grid, the names on it, and what is painted and listed.

#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

Compass compassOf(const std::string& name) {
  return name == "north"   ? Compass::north
         : name == "east"  ? Compass::east
         : name == "south" ? Compass::south
                           : Compass::west;
}

bool inSet(const HexSet& set, int hex) {
  auto bit = static_cast<std::size_t>(hex);
  return bit / 64 < set.size() && (set[bit / 64] >> (bit % 64) & 1U) != 0;
}

void addTo(HexSet& set, int hex) {
  auto bit = static_cast<std::size_t>(hex);
  if (bit / 64 < set.size()) set[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

} // namespace

void Building::declareBoard() {
  const FoldedDecl* map = nullptr;
  std::vector<std::string> names;
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::MapDecl) continue;
    names.push_back(decl.name);
    addSymbol(decl.name, {SymbolKind::map, 0, 0, -1, namePlaceOf(package, decl.node)});
    if (decl.name == folded.map) map = &decl;
  }
  if (!map) {
    if (!folded.map.empty() && present(folded.playOn))
      sink.report(suggesting(diagnosticAt(package, namePlaceOf(package, folded.playOn),
                                          DiagnosticCode::unknownName, {folded.map, "map"}),
                             folded.map, names));
    Board board;
    if (buildBoard(BoardSpec(), board).empty()) world.module.board = std::move(board);
    return;
  }
  BoardSpec spec;
  std::vector<NodeRef> joins;
  bool grid = false, sized = false, sheets = false, faulty = false;
  marksOf(world, package, map->node, sink);
  std::vector<NodeRef> bodies = {map->node};
  for (const Piece& piece : map->amendments) bodies.push_back(piece.node);
  NodeRef sizeNode = map->node;
  auto intChild = [&](NodeRef item, Role role, int otherwise) {
    NodeRef child = childOf(package, item, role);
    faulty = faulty || !present(child);
    return present(child) ? treeOf(package, child).intOf(child.node).value_or(otherwise) : otherwise;
  };
  for (NodeRef body : bodies)
    for (NodeRef item : itemsOf(package, body)) {
      marksOf(world, package, item, sink);
      switch (kindOf(package, item)) {
      case NodeKind::Grid: {
        grid = true;
        auto word = [&](Role role) { return opOf(package, childOf(package, item, role)); };
        spec.shape = word(Role::shape) == TokenKind::kw_flat ? GridShape::flat : GridShape::pointed;
        spec.pushedParity = word(Role::parity) == TokenKind::kw_odd ? Parity::odd : Parity::even;
        switch (word(Role::direction)) {
        case TokenKind::kw_left: spec.push = Push::left; break;
        case TokenKind::kw_up: spec.push = Push::up; break;
        case TokenKind::kw_down: spec.push = Push::down; break;
        default: spec.push = Push::right; break;
        }
        bool rows = word(Role::lines) != TokenKind::kw_columns;
        if (rows != (spec.shape == GridShape::pointed) && present(childOf(package, item, Role::lines))) {
          faulty = true;
          sink.report(diagnosticAt(
              package, childOf(package, item, Role::lines), DiagnosticCode::badMap,
              {rows ? "flat hexes stand in straight columns, and these are pushed up or down"
                    : "pointed hexes lie in straight rows, and these are pushed left or right"}));
        }
        break;
      }
      case NodeKind::Size: {
        sized = true;
        sizeNode = item;
        SheetSpec sheet;
        sheet.columns = intChild(item, Role::columns, 1);
        sheet.rows = intChild(item, Role::rows, 1);
        if (!sheets) spec.sheets = {sheet};
        break;
      }
      case NodeKind::Number:
        spec.numbering =
            opOf(package, item) == TokenKind::kw_row ? Numbering::rowColumn : Numbering::columnRow;
        if (NodeRef digits = childOf(package, item, Role::digits); present(digits))
          spec.digits = treeOf(package, digits).intOf(digits.node).value_or(2);
        break;
      case NodeKind::Sheet: {
        if (!sheets) spec.sheets.clear();
        sheets = sized = true;
        SheetSpec sheet;
        sheet.name = nameOf(package, item, Role::name);
        sheet.prefix = nameOf(package, item, Role::prefix);
        sheet.columns = intChild(item, Role::columns, 1);
        sheet.rows = intChild(item, Role::rows, 1);
        std::string from = nameOf(package, item, Role::from);
        sheet.countedEastToWest = from == "east";
        sheet.countedSouthToNorth = from == "south";
        addSymbol(sheet.name, {SymbolKind::sheet, 0, static_cast<Word>(spec.sheets.size()), -1,
                               namePlaceOf(package, item)});
        spec.sheets.push_back(sheet);
        break;
      }
      case NodeKind::Join: joins.push_back(item); break;
      default: break;
      }
      if (kindOf(package, item) == NodeKind::Sheet) {
        for (NodeRef inner : itemsOf(package, item)) {
          marksOf(world, package, inner, sink);
          mapItems.push_back(inner);
          mapItemSheet.push_back(static_cast<std::int32_t>(spec.sheets.size()) - 1);
        }
      } else {
        mapItems.push_back(item);
        mapItemSheet.push_back(-1);
      }
    }
  for (NodeRef item : joins) {
    auto sheetOf = [&](Role role) {
      std::string name = nameOf(package, item, role);
      for (std::size_t s = 0; s < spec.sheets.size(); ++s)
        if (spec.sheets[s].name == name) return static_cast<int>(s);
      faulty = true;
      sink.report(
          diagnosticAt(package, childOf(package, item, role), DiagnosticCode::unknownName, {name, "sheet"}));
      return 0;
    };
    JoinSpec join;
    join.first = sheetOf(Role::left);
    join.second = sheetOf(Role::right);
    join.firstEdge = compassOf(nameOf(package, item, Role::leftEdge));
    join.secondEdge = compassOf(nameOf(package, item, Role::rightEdge));
    spec.joins.push_back(join);
  }
  Place name = namePlaceOf(package, map->node);
  bool silent = faulty || isFaulty(package, map->node);
  if (!grid && !silent) sink.report(diagnosticAt(package, name, DiagnosticCode::missingMapItem, {"grid"}));
  if (!sized && !silent) sink.report(diagnosticAt(package, name, DiagnosticCode::missingMapItem, {"size"}));
  Board board;
  if (grid && sized) {
    std::string wrong = buildBoard(spec, board);
    if (wrong.empty())
      world.module.board = std::move(board);
    else if (!silent)
      sink.report(diagnosticAt(package, sizeNode == map->node ? name : placeOf(package, sizeNode),
                               DiagnosticCode::badMap, {wrong}));
  }
  if (world.module.board.n == 0) { // the names stay known, what stands on the map is not looked at
    declareAreaNames();
    mapItems.clear();
    mapItemSheet.clear();
    return;
  }
  for (int h = 0; h < world.module.board.n; ++h) {
    const std::string& label = world.module.board.label[static_cast<std::size_t>(h)];
    if (std::any_of(label.begin(), label.end(), [](char c) { return c < '0' || c > '9'; }))
      addSymbol(label, {SymbolKind::hexLabel, 0, h, -1, {}});
  }
  declareAreaNames();
}

void Building::declareAreaNames() {
  for (NodeRef item : mapItems) {
    NodeKind kind = kindOf(package, item);
    if (kind != NodeKind::MapPlace && kind != NodeKind::Area && kind != NodeKind::Feature) continue;
    std::string name = nameOf(package, item, Role::name);
    if (name.empty()) continue;
    std::string label;
    if (kind != NodeKind::Area) label = displayName(name);
    if (NodeRef text = childOf(package, item, Role::text); present(text))
      label = treeOf(package, text).textOf(text.node);
    auto known = std::find_if(areaSources.begin(), areaSources.end(),
                              [&](const AreaSource& source) { return source.name == name; });
    if (known == areaSources.end()) {
      auto id = static_cast<Word>(areaSources.size());
      AreaSource source;
      source.name = name;
      source.painted.assign(static_cast<std::size_t>(world.module.board.words), 0);
      areaSources.push_back(std::move(source));
      AreaInfo info;
      info.name = name;
      info.label = label;
      world.module.areas.push_back(std::move(info));
      addSymbol(name, {SymbolKind::area, 0, id, -1, namePlaceOf(package, item)});
    } else if (!label.empty()) {
      world.module.areas[static_cast<std::size_t>(known - areaSources.begin())].label = label;
    }
  }
}

std::int32_t Building::hexOf(NodeRef ref) {
  if (isFaulty(package, ref)) return -1;
  std::string label(treeOf(package, ref).text(ref.node));
  int id = hexByLabel(world.module.board, label);
  if (id < 0) sink.report(diagnosticAt(package, ref, DiagnosticCode::hexOffMap, {label}));
  return id;
}

bool Building::hexesOf(NodeRef item, std::vector<std::int32_t>& hexes) {
  bool good = true;
  const Board& board = world.module.board;
  for (NodeRef ref : childrenOf(package, item, Role::ref)) {
    if (kindOf(package, ref) != NodeKind::HexRange) {
      std::int32_t hex = hexOf(ref);
      if (hex >= 0) hexes.push_back(hex);
      good = good && hex >= 0;
      continue;
    }
    std::int32_t left = hexOf(childOf(package, ref, Role::left)),
                 right = hexOf(childOf(package, ref, Role::right));
    if (left < 0 || right < 0) {
      good = false;
      continue;
    }
    const Hex &a = board.hex[static_cast<std::size_t>(left)], &b = board.hex[static_cast<std::size_t>(right)];
    if (a.sheet != b.sheet || (a.column != b.column && a.row != b.row)) {
      sink.report(diagnosticAt(
          package, ref, DiagnosticCode::notOneLine,
          {board.label[static_cast<std::size_t>(left)], board.label[static_cast<std::size_t>(right)]}));
      good = false;
      continue;
    }
    int dc = (b.column > a.column) - (b.column < a.column), dr = (b.row > a.row) - (b.row < a.row);
    for (int c = a.column, r = a.row;; c += dc, r += dr) {
      int hex = hexByNumber(board, a.sheet, c, r);
      if (hex >= 0) hexes.push_back(hex);
      if (c == b.column && r == b.row) break;
    }
  }
  return good;
}

/// Rows of letters paint the hex terrain.
void Building::paintRows(NodeRef item, int sheet, const std::map<std::string, std::int32_t>& letters,
                         bool filled, std::vector<Word>& terrain) {
  const Board& board = world.module.board;
  auto s = static_cast<std::size_t>(sheet < 0 ? 0 : sheet);
  const Sheet& on = board.sheets[s];
  std::vector<NodeRef> rows = childrenOf(package, childOf(package, item, Role::body), Role::row);
  bool partial = false, faulty = isFaulty(package, item);
  std::map<int, NodeRef> drawn; // by number of the row, where rows are whole
  for (NodeRef row : rows) {
    std::vector<NodeRef> cells = childrenOf(package, row, Role::cell);
    marksOf(world, package, row, sink);
    if (isFaulty(package, row)) faulty = true;
    if (cells.size() < 2 || cells.size() > 3) {
      faulty = true;
      if (!isFaulty(package, row))
        sink.report(diagnosticAt(
            package, row, DiagnosticCode::unequalRow,
            {std::to_string(cells.size()), "its number, perhaps the first column, and the letters"}));
      continue;
    }
    auto numberOf = [&](NodeRef cell) {
      std::string_view text = treeOf(package, cell).cellText(cell.node);
      int value = 0;
      for (char c : text)
        value = c >= '0' && c <= '9' && value >= 0 && value < 100000 ? value * 10 + (c - '0') : -1;
      if (value < 0 || text.empty()) {
        sink.report(diagnosticAt(package, cell, DiagnosticCode::badCell, {"the number of a row or column"}));
        return -1;
      }
      return value;
    };
    int number = numberOf(cells.front()), column = on.firstColumn;
    bool eastToWest = board.spec.sheets[s].countedEastToWest;
    if (eastToWest) column = on.firstColumn + on.columns - 1;
    if (cells.size() == 3) {
      column = numberOf(cells[1]);
      partial = true;
    }
    if (number < 0 || column < 0) {
      faulty = true;
      continue;
    }
    if (number < on.firstRow || number >= on.firstRow + on.rows) {
      faulty = true;
      sink.report(
          diagnosticAt(package, cells.front(), DiagnosticCode::numberOutOfRange,
                       {"row " + std::to_string(number), "rows " + std::to_string(on.firstRow) + " .. " +
                                                             std::to_string(on.firstRow + on.rows - 1)}));
      continue;
    }
    if (auto [first, isNew] = drawn.emplace(number, cells.front()); cells.size() == 2 && !isNew) {
      faulty = true;
      sink.report(diagnosticAt(package, cells.front(), DiagnosticCode::mapRowTwice,
                                   {std::string(treeOf(package, cells.front()).cellText(cells.front().node))})
                      .also(sourceOf(package, first->second.file), placeOf(package, first->second).range, "here it stands, too"));
      continue;
    }
    NodeRef cell = cells.back();
    std::string_view text = treeOf(package, cell).cellText(cell.node);
    TextRange range = treeOf(package, cell).cellRange(cell.node);
    int count = 0;
    int room = eastToWest ? column - on.firstColumn + 1 : on.firstColumn + on.columns - column;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t length = 1;
      while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xc0U) == 0x80U)
        ++length;
      std::string letter(text.substr(i, length));
      TextRange at{range.offset + static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(length)};
      i += length;
      if (letter == " " || letter == "\t") continue;
      ++count;
      if (count > room) continue;
      auto value = letters.find(letter);
      if (value == letters.end()) {
        if (unknownLetters.insert(letter).second)
          sink.report(Diagnostic(DiagnosticCode::unknownLetter, sourceOf(package, cell.file), at, {letter}));
        continue;
      }
      int hex = hexByNumber(board, static_cast<int>(s), eastToWest ? column - count + 1 : column + count - 1,
                            number);
      if (hex >= 0) terrain[static_cast<std::size_t>(hex)] = value->second;
    }
    if (count > room || (cells.size() == 2 && count != on.columns)) {
      sink.report(Diagnostic(DiagnosticCode::mapRowLength, sourceOf(package, cell.file), range,
                             {std::to_string(count), std::to_string(room)}));
      unpaintedReported = true;
    }
  }
  if (!faulty && !partial && !filled && static_cast<int>(rows.size()) != on.rows) {
    unpaintedReported = true;
    sink.report(diagnosticAt(package, placeOf(package, item), DiagnosticCode::mapRowCount,
                             {std::to_string(on.rows), std::to_string(rows.size())}));
  }
  unpaintedReported = unpaintedReported || faulty;
}

void Building::paintMap() {
  const Board& board = world.module.board;
  auto hexes = static_cast<std::size_t>(board.n);
  // Columns of the four sorts of terrain. They are there even where nothing is painted, so that rules may
  // ask.
  std::vector<Word> level(hexes, 0), terrain(hexes, none);
  std::vector<std::vector<Word>> layers(world.module.enums.size());
  for (std::size_t e = 0; e < world.enumFacts.size(); ++e) {
    EnumFacts::Terrain sort = world.enumFacts[e].terrain;
    if (sort == EnumFacts::Terrain::no || sort == EnumFacts::Terrain::hex) continue;
    layers[e].assign(sort == EnumFacts::Terrain::hexside ? static_cast<std::size_t>(board.hexsides) : hexes,
                     0);
    std::size_t most = sort == EnumFacts::Terrain::path ? 10 : 60;
    if (world.module.enums[e].names.size() > most)
      sink.report(
          diagnosticAt(package, world.enumFacts[e].place, DiagnosticCode::cardinality,
                       {"`" + world.module.enums[e].name + "` has too many values", std::to_string(most)}));
  }

  std::map<std::string, std::int32_t> letters;
  auto hexValue = [&](NodeRef name) -> std::int32_t {
    std::string word = nameOf(package, name);
    if (hexTerrain >= 0) {
      const auto& names = world.module.enums[static_cast<std::size_t>(hexTerrain)].names;
      auto it = std::find(names.begin(), names.end(), word);
      if (it != names.end()) return static_cast<std::int32_t>(it - names.begin());
      if (!word.empty())
        sink.report(suggesting(
            diagnosticAt(package, name, DiagnosticCode::unknownName, {word, "hex terrain"}), word, names));
    } else if (!word.empty()) {
      sink.report(diagnosticAt(package, name, DiagnosticCode::unknownName, {word, "hex terrain"}));
    }
    return -1;
  };
  for (const EnumSource& source : enumSources)
    if (source.id == hexTerrain)
      for (const auto& [letter, value] : source.letters) letters[letter] = value;
  std::map<int, std::int32_t> fills; // by sheet; -1: the whole map
  for (std::size_t i = 0; i < mapItems.size(); ++i) {
    if (kindOf(package, mapItems[i]) == NodeKind::Legend)
      for (NodeRef entry : childrenOf(package, mapItems[i], Role::item)) {
        NodeRef key = childOf(package, entry, Role::key);
        std::string letter = nameOf(package, key);
        if (letter.empty() && present(key)) letter = std::string(treeOf(package, key).text(key.node));
        std::int32_t value = hexValue(childOf(package, entry, Role::value));
        if (value >= 0) letters[letter] = value;
      }
    if (kindOf(package, mapItems[i]) == NodeKind::Fill)
      fills[mapItemSheet[i]] = hexValue(childOf(package, mapItems[i], Role::name));
  }
  for (const auto& [sheet, value] : fills)
    for (std::size_t h = 0; h < hexes; ++h)
      if (sheet < 0 || board.hex[h].sheet == sheet) terrain[h] = value >= 0 ? value : none;
  for (std::size_t i = 0; i < mapItems.size(); ++i)
    if (kindOf(package, mapItems[i]) == NodeKind::MapRows)
      paintRows(mapItems[i], mapItemSheet[i], letters, !fills.empty(), terrain);

  for (NodeRef item : mapItems) paintItem(item, terrain, level, layers);

  auto bad = std::find(terrain.begin(), terrain.end(), none);
  bool fillFaulty =
      std::any_of(fills.begin(), fills.end(), [](const auto& entry) { return entry.second < 0; });
  if (hexTerrain >= 0 && bad != terrain.end() && !unpaintedReported && unknownLetters.empty() && !fillFaulty)
    for (const FoldedDecl& decl : folded.decls)
      if (decl.inForce && decl.kind == NodeKind::MapDecl && decl.name == folded.map &&
          !isFaulty(package, decl.node))
        sink.report(diagnosticAt(package, namePlaceOf(package, decl.node), DiagnosticCode::unpaintedHex,
                                 {board.label[static_cast<std::size_t>(bad - terrain.begin())]}));

  auto addMapColumn = [&](const std::string& name, Owner owner, const Type& type, std::vector<Word> initial,
                          Place place) {
    Column column;
    column.name = name;
    column.owner = owner;
    column.constant = true;
    column.initial = std::move(initial);
    std::uint16_t id = addColumn(std::move(column), type, place, 0);
    world.columnFacts[id].printed = true;
    return id;
  };
  if (hexTerrain >= 0) {
    EnumFacts& facts = world.enumFacts[static_cast<std::size_t>(hexTerrain)];
    Type type{TypeKind::enumeration, static_cast<std::uint16_t>(hexTerrain), false, false};
    facts.mapColumn = addMapColumn("terrain", Owner::hex, type, std::move(terrain), facts.place);
    world.module.terrainColumn = facts.mapColumn;
  }
  addMapColumn("level", Owner::hex, {TypeKind::integer, 0, false, false}, std::move(level), {});
  for (std::size_t e = 0; e < layers.size(); ++e) {
    EnumFacts& facts = world.enumFacts[e];
    if (facts.terrain == EnumFacts::Terrain::no || facts.terrain == EnumFacts::Terrain::hex) continue;
    bool side = facts.terrain == EnumFacts::Terrain::hexside;
    std::uint16_t id = addMapColumn(world.module.enums[e].name, side ? Owner::hexside : Owner::hex,
                                    {TypeKind::enumeration, static_cast<std::uint16_t>(e), false, false},
                                    std::move(layers[e]), facts.place);
    facts.mapColumn = id;
    auto& list = side                                        ? world.module.hexsideColumns
                 : facts.terrain == EnumFacts::Terrain::path ? world.module.pathColumns
                                                             : world.module.featureColumns;
    list.push_back(id);
  }
  evaluateAreas();
}

void Building::paintItem(NodeRef item, std::vector<Word>& terrain, std::vector<Word>& level,
                         std::vector<std::vector<Word>>& layers) {
  const Board& board = world.module.board;
  NodeKind kind = kindOf(package, item);
  AreaSource* area = nullptr;
  if (std::string name = nameOf(package, item, Role::name); !name.empty())
    for (AreaSource& source : areaSources)
      if (source.name == name &&
          (kind == NodeKind::MapPlace || kind == NodeKind::Area || kind == NodeKind::Feature))
        area = &source;
  std::vector<std::int32_t> hexes;
  switch (kind) {
  case NodeKind::MapPlace:
  case NodeKind::Area:
    if (NodeRef value = childOf(package, item, Role::value); present(value) && area)
      area->exprs.push_back(value);
    hexesOf(item, hexes);
    for (std::int32_t hex : hexes)
      if (area) addTo(area->painted, hex);
    return;
  case NodeKind::Level: {
    NodeRef value = childOf(package, item, Role::value);
    hexesOf(item, hexes);
    if (present(value))
      for (std::int32_t hex : hexes)
        level[static_cast<std::size_t>(hex)] = treeOf(package, value).intOf(value.node).value_or(0);
    return;
  }
  case NodeKind::Feature: break;
  default: return;
  }

  NodeRef typeNode = childOf(package, item, Role::type);
  std::string type = nameOf(package, typeNode);
  if (type.empty()) return;
  const Symbol* value = nullptr;
  TokenKind op = opOf(package, item);
  auto wordFor = [](EnumFacts::Terrain sort) {
    return sort == EnumFacts::Terrain::path      ? TokenKind::kw_along
           : sort == EnumFacts::Terrain::hexside ? TokenKind::kw_on
                                                 : TokenKind::kw_at;
  };
  std::vector<std::string> known;
  for (std::size_t e = 0; e < world.enumFacts.size(); ++e)
    if (world.enumFacts[e].terrain != EnumFacts::Terrain::no)
      known.insert(known.end(), world.module.enums[e].names.begin(), world.module.enums[e].names.end());
  if (const std::vector<Symbol>* symbols = world.find(type))
    for (const Symbol& symbol : *symbols)
      if (symbol.kind == SymbolKind::enumValue &&
          world.enumFacts[symbol.id].terrain != EnumFacts::Terrain::no &&
          (!value || wordFor(world.enumFacts[symbol.id].terrain) == op))
        value = &symbol;
  if (!value) {
    if (!isFaulty(package, item))
      sink.report(suggesting(diagnosticAt(package, typeNode, DiagnosticCode::unknownName, {type, "terrain"}),
                             type, known));
    return;
  }
  EnumFacts::Terrain sort = world.enumFacts[value->id].terrain;
  auto& layer = layers[value->id];
  if (wordFor(sort) != op) {
    const char* what = sort == EnumFacts::Terrain::path      ? "path"
                       : sort == EnumFacts::Terrain::hexside ? "hexside"
                       : sort == EnumFacts::Terrain::feature ? "feature"
                                                             : "hex terrain";
    sink.report(diagnosticAt(package, typeNode, DiagnosticCode::wrongMapWord,
                             {type, what, std::string(spelling(wordFor(sort)))}));
    return;
  }
  Word bit = static_cast<Word>(std::uint64_t{1} << (value->value & 63));
  if (sort == EnumFacts::Terrain::hexside) {
    for (NodeRef ref : childrenOf(package, item, Role::ref)) {
      if (isFaulty(package, ref)) continue;
      std::string label;
      for (char c : treeOf(package, ref).text(ref.node))
        if (c != ' ' && c != '\t') label += c;
      int side = hexsideByLabel(board, label);
      if (side < 0) {
        sink.report(diagnosticAt(package, ref, DiagnosticCode::noSuchHexside, {label}));
        continue;
      }
      layer[static_cast<std::size_t>(side)] |= bit;
      const Hexside& between = board.hexside[static_cast<std::size_t>(side)];
      hexes.push_back(between.first);
      if (between.second >= 0) hexes.push_back(between.second);
    }
  } else {
    bool whole = hexesOf(item, hexes);
    if (sort == EnumFacts::Terrain::hex)
      for (std::int32_t hex : hexes) terrain[static_cast<std::size_t>(hex)] = value->value;
    if (sort == EnumFacts::Terrain::feature)
      for (std::int32_t hex : hexes) layer[static_cast<std::size_t>(hex)] |= bit;
    if (sort == EnumFacts::Terrain::path && whole)
      layPath(item, hexes, static_cast<int>(value->value), layer);
  }
  if (area)
    for (std::int32_t hex : hexes) addTo(area->painted, hex);
  for (NodeRef assign : childrenOf(package, item, Role::with)) hexStates.push_back({assign, hexes});
}

void Building::layPath(NodeRef item, const std::vector<std::int32_t>& hexes, int value,
                       std::vector<Word>& layer) {
  const Board& board = world.module.board;
  if (value >= 10) return; // reported with the type
  std::vector<NodeRef> refs = childrenOf(package, item, Role::ref);
  bool gapBefore = false; // a hex that is out of place makes two gaps: one is told
  for (std::size_t i = 0; i + 1 < hexes.size(); ++i) {
    int a = hexes[i], b = hexes[i + 1], direction = -1;
    for (int d = 0; d < 6; ++d)
      if (board.adjacent[static_cast<std::size_t>(a * 6 + d)] == b) direction = d;
    if (direction < 0 && gapBefore) {
      gapBefore = false;
      continue;
    }
    gapBefore = direction < 0;
    if (direction < 0) {
      NodeRef at = item;
      for (NodeRef ref : refs)
        if (treeOf(package, ref).text(ref.node).find(board.label[static_cast<std::size_t>(b)]) !=
            std::string_view::npos)
          at = ref;
      sink.report(
          diagnosticAt(package, refs.size() == hexes.size() ? refs[i + 1] : at, DiagnosticCode::notAdjacent,
                       {board.label[static_cast<std::size_t>(a)], board.label[static_cast<std::size_t>(b)]}));
      continue;
    }
    layer[static_cast<std::size_t>(a)] |= static_cast<Word>(std::uint64_t{1} << (6 * value + direction));
    layer[static_cast<std::size_t>(b)] |=
        static_cast<Word>(std::uint64_t{1} << (6 * value + oppositeDirection(direction)));
  }
}

void Building::fillHexState() {
  for (const HexState& state : hexStates) {
    std::string name = nameOf(package, state.assign, Role::name);
    NodeRef value = childOf(package, state.assign, Role::value);
    std::int32_t column = world.columnOf({TypeKind::hex, 0, false, false}, name);
    if (column < 0 || world.columnFacts[static_cast<std::size_t>(column)].printed) {
      if (!name.empty())
        sink.report(diagnosticAt(package, namePlaceOf(package, state.assign), DiagnosticCode::unknownField,
                                 {name, "hex"}));
      continue;
    }
    const Type& type = world.columnTypes[static_cast<std::size_t>(column)];
    auto words = constantWords(world, package, value, type, sink);
    if (!words) continue;
    auto& initial = world.module.columns[static_cast<std::size_t>(column)].initial;
    for (std::int32_t hex : state.hexes)
      std::copy(words->begin(), words->end(),
                initial.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(hex) * words->size()));
  }
}

void Building::labelMap() {
  const Board& board = world.module.board;
  for (const AreaInfo& area : world.module.areas) {
    if (area.label.empty()) continue;
    MapLabel label;
    label.text = area.label;
    for (int h = 0; h < board.n; ++h)
      if (inSet(area.hexes, h)) label.hexes.push_back(static_cast<std::uint16_t>(h));
    if (!label.hexes.empty()) world.module.labels.push_back(std::move(label));
  }
}

} // namespace hellwig
