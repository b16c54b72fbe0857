// SPDX-License-Identifier: Apache-2.0
// The order of battle: which counters there are, in the standard order, and what their names mean.

#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {

std::optional<std::int32_t> Building::boxNamed(NodeRef name, int side) {
  std::string word = nameOf(package, name);
  std::int32_t found = -1;
  if (const std::vector<Symbol>* meanings = world.find(word))
    for (const Symbol& symbol : *meanings)
      if (symbol.kind == SymbolKind::box && (symbol.side < 0 || symbol.side == side))
        found = static_cast<std::int32_t>(symbol.value);
  if (found >= 0) return found;
  std::vector<std::string> known;
  for (const auto& [noun, list] : world.nouns)
    for (const Symbol& symbol : list)
      if (symbol.kind == SymbolKind::box) known.push_back(noun);
  std::sort(known.begin(), known.end());
  if (!word.empty())
    sink.report(
        suggesting(diagnosticAt(package, name, DiagnosticCode::unknownName, {word, "box"}), word, known));
  return std::nullopt;
}

/// `B(3)` of a box that each turn has, `B(Austria)` of one that each side has.
std::optional<std::int32_t> Building::boxCalled(NodeRef call, int side) {
  std::string word = nameOf(package, call);
  std::vector<NodeRef> args = childrenOf(package, call, Role::arg);
  NodeRef arg = args.size() == 1 ? childOf(package, args.front(), Role::value) : NodeRef{};
  auto turns = world.turnBoxes.find(word);
  if (turns != world.turnBoxes.end() && present(arg)) {
    auto n = constantWords(world, package, arg, {hir::TypeKind::integer, 0, false, false}, sink, {-1, true});
    if (!n) return std::nullopt;
    const World::TurnBoxes& boxes = turns->second;
    if (n->front() >= boxes.first && n->front() <= boxes.last)
      return boxes.box + static_cast<std::int32_t>(n->front() - boxes.first);
    sink.report(diagnosticAt(package, arg, DiagnosticCode::numberOutOfRange,
                             {std::to_string(n->front()), std::to_string(boxes.first) + " .. " +
                                                              std::to_string(boxes.last) + ", the turns of the game"}));
    return std::nullopt;
  }
  if (present(arg))
    if (auto whose = constantWords(world, package, arg, {hir::TypeKind::side, 0, false, false}, sink, {-1, true}))
      side = static_cast<int>(whose->front());
  return boxNamed(childOf(package, call, Role::name), side);
}

void Building::declareForces() {
  forceRoots.resize(world.module.sides.size());
  forceBoxes.resize(world.module.sides.size());
  for (const Piece& piece : folded.forces) mergeForces(piece.node, false);
  for (const Piece& piece : folded.forceAmendments) mergeForces(piece.node, true);
  for (const Piece& piece : folded.forceRemovals) removeForces(piece.node);
  takeTests();
  for (std::size_t s = 0; s < forceRoots.size(); ++s)
    listCounters(forceRoots[s], static_cast<int>(s), {}, {}, -1);
  hangCounters();
  nameCounters();

  auto& counters = world.module.counters;
  std::size_t words = (counters.size() + 63) / 64;
  for (KindInfo& kind : world.module.kinds) kind.members.assign(words, 0);
  for (std::size_t c = 0; c < counters.size(); ++c) {
    if (counterDropped[c] != 0) continue;
    for (std::int32_t k = counters[c].kind; k >= 0; k = world.module.kinds[static_cast<std::size_t>(k)].base)
      world.module.kinds[static_cast<std::size_t>(k)].members[c / 64] |= std::uint64_t{1} << (c % 64);
  }
  // The copies of a row are a set that bears the row's name.
  for (std::size_t c = 0; c < counters.size();) {
    const ForceRow* row = counterRow[c];
    if (row->madeBy) { // no name of the game means it
      ++c;
      continue;
    }
    std::size_t end = c + 1;
    while (end < counters.size() && counterRow[end] == row) ++end;
    bool several = !row->name.empty() && counters[c].name != row->name;
    if (several) {
      Symbol symbol{SymbolKind::counters, static_cast<std::uint16_t>(world.counterSets.size()), 0,
                    static_cast<std::int16_t>(counters[c].side), placeOf(package, row->place)};
      std::vector<std::uint64_t> set(words, 0);
      for (std::size_t i = c; i < end; ++i)
        if (counterDropped[i] == 0) set[i / 64] |= std::uint64_t{1} << (i % 64);
      world.counterSets.push_back(std::move(set));
      addSymbol(row->name, symbol);
    }
    for (; c < end; ++c) {
      // One that was dropped may have left its name to another.
      auto heir = [&](std::size_t other) {
        return counterDropped[other] == 0 && counters[other].name == counters[c].name &&
               counters[other].side == counters[c].side;
      };
      bool left = false;
      for (std::size_t other = 0; counterDropped[c] != 0 && !left && other < counters.size(); ++other)
        left = heir(other);
      if (left) continue;
      addSymbol(counters[c].name,
                {SymbolKind::counter, 0, static_cast<Word>(c), static_cast<std::int16_t>(counters[c].side),
                 placeOf(package, row->place)});
    }
  }
  findTestCounters();
}

void Building::mergeForces(NodeRef decl, bool amendment) {
  marksOf(world, package, decl, sink);
  std::string name = nameOf(package, decl, Role::name);
  int side = -1;
  std::vector<std::string> known;
  for (std::size_t s = 0; s < world.module.sides.size(); ++s) {
    known.push_back(world.module.sides[s].name);
    if (world.module.sides[s].name == name) side = static_cast<int>(s);
  }
  if (side < 0) {
    if (!name.empty())
      sink.report(suggesting(diagnosticAt(package, childOf(package, decl, Role::name),
                                          DiagnosticCode::unknownName, {name, "side"}),
                             name, known));
    return;
  }
  std::int32_t box = -1;
  std::vector<std::int32_t>& boxes = forceBoxes[static_cast<std::size_t>(side)];
  if (NodeRef at = childOf(package, decl, Role::at); present(at))
    box = boxNamed(at, side).value_or(-2);
  else if (amendment && boxes.size() == 1)
    box = boxes.front();
  if (!amendment && box >= 0 && std::find(boxes.begin(), boxes.end(), box) == boxes.end())
    boxes.push_back(box);
  for (NodeRef item : itemsOf(package, decl))
    if (kindOf(package, item) == NodeKind::ForceNode)
      mergeForceNode(forceRoots[static_cast<std::size_t>(side)], item, side, box, amendment);
}

void Building::mergeForceNode(ForceNode& parent, NodeRef node, int side, std::int32_t box, bool amendment) {
  marksOf(world, package, node, sink);
  NodeRef typeNode = childOf(package, node, Role::type);
  std::string type = nameOf(package, typeNode), name = nameOf(package, node, Role::name);
  if (type.empty()) return;
  std::int32_t kind = -1, groupKind = -1;
  std::vector<std::string> known;
  if (const std::vector<Symbol>* symbols = world.find(type))
    for (const Symbol& symbol : *symbols) {
      if (symbol.kind == SymbolKind::counterKind) kind = symbol.id;
      if (symbol.kind == SymbolKind::groupKind) groupKind = symbol.id;
    }
  if (kind < 0 && groupKind < 0) {
    for (const KindInfo& info : world.module.kinds) known.push_back(info.name);
    known.insert(known.end(), groupKinds.begin(), groupKinds.end());
    sink.report(
        suggesting(diagnosticAt(package, typeNode, DiagnosticCode::unknownName, {type, "kind of counter"}),
                   type, known));
    return;
  }
  NodeRef body = childOf(package, node, Role::body);
  const bool rows = !childrenOf(package, body, Role::row).empty();
  if (groupKind >= 0 && rows != name.empty() && !isFaulty(package, body)) {
    sink.report(diagnosticAt(package, typeNode, rows ? DiagnosticCode::rowsInGroup : DiagnosticCode::groupWithoutName,
                             {type}));
    return;
  }
  ForceNode made;
  made.type = type;
  made.name = name;
  made.kind = kind;
  made.groupKind = groupKind;
  made.place = node;
  const bool holder = groupKind >= 0 && name.empty(); // of rows that are groups
  auto same = std::find_if(parent.nodes.begin(), parent.nodes.end(),
                           [&](const ForceNode& other) { return other.type == type && other.name == name; });
  if (same == parent.nodes.end() && !holder) {
    parent.nodes.push_back(made);
    same = parent.nodes.end() - 1;
  }
  ForceNode& target = holder ? made : *same;
  for (NodeRef assign : childrenOf(package, node, Role::with)) {
    std::string field = nameOf(package, assign, Role::name);
    if (field != "at" || kind < 0) {
      const hir::Type thing{kind >= 0 ? hir::TypeKind::counter : hir::TypeKind::group,
                            static_cast<std::uint16_t>(kind >= 0 ? kind : groupKind), false, false};
      if (world.columnOf(thing, field) < 0) {
        const std::vector<std::uint16_t>& columns =
            kind >= 0 ? world.kindFacts[static_cast<std::size_t>(kind)].columns
                      : world.groupKindFacts[static_cast<std::size_t>(groupKind)].columns;
        for (std::uint16_t other : columns) known.push_back(world.module.columns[other].name);
        sink.report(suggesting(
            diagnosticAt(package, namePlaceOf(package, assign), DiagnosticCode::unknownField, {field, type}),
            field, known));
        continue;
      }
    }
    target.settings[field] = assign;
  }
  if (rows && kind >= 0) mergeForceRows(target, body, box, amendment);
  if (rows && kind < 0) mergeGroupRows(parent, target, body, side, box, amendment);
  if (holder) return;
  for (NodeRef item : itemsOf(package, node))
    if (kindOf(package, item) == NodeKind::ForceNode) mergeForceNode(*same, item, side, box, amendment);
}

void Building::mergeForceRows(ForceNode& node, NodeRef body, std::int32_t box, bool amendment) {
  Chart chart = readChart(body);
  citeCells(chart);
  auto kind = static_cast<std::uint16_t>(node.kind);
  std::vector<std::string> known = {"name", "copies", "at"};
  for (std::uint16_t column : world.kindFacts[kind].columns)
    known.push_back(world.module.columns[column].name);
  known.insert(known.end(), groupColumns.begin(), groupColumns.end());
  for (const ChartHeading& heading : chart.headings) {
    if (std::find(known.begin(), known.end(), heading.text) == known.end())
      sink.report(
          suggesting(diagnosticAt(package, heading.cell, DiagnosticCode::unknownHeading, {heading.text}),
                     heading.text, known));
  }
  std::int32_t nameColumn = chart.find("name"), copiesColumn = chart.find("copies");
  for (const ChartRow& source : chart.rows) {
    ForceRow row;
    row.place = source.rows.front();
    row.box = box;
    NodeRef nameCell;
    if (nameColumn >= 0) {
      nameCell = readCell(source.cells[static_cast<std::size_t>(nameColumn)], CellGrammar::name);
      row.name = nameOf(package, nameCell);
      if (row.name.empty()) continue;
    }
    std::optional<int> copies;
    if (copiesColumn >= 0) {
      NodeRef cell = source.cells[static_cast<std::size_t>(copiesColumn)];
      if (NodeRef value = readCell(cell, CellGrammar::expression); present(value))
        if (auto word = constantWords(world, package, value, {hir::TypeKind::integer, 0, false, false}, sink,
                                      {-1, true})) {
          Word least = amendment ? 0 : 1;
          if (word->front() < least || word->front() > 999)
            sink.report(diagnosticAt(package, cell, DiagnosticCode::numberOutOfRange,
                                     {std::to_string(word->front()), std::to_string(least) + " .. 999"}));
          else
            copies = static_cast<int>(word->front());
        }
    }
    for (std::size_t h = 0; h < chart.headings.size(); ++h) {
      const std::string& heading = chart.headings[h].text;
      if (heading != "name" && heading != "copies" && present(source.cells[h]))
        row.cells[heading] = source.cells[h];
    }
    if (source.faulty) row.cells[""] = row.place; // says that something lacks which has been reported
    row.copies = row.originalCopies = copies.value_or(1);
    if (row.name.empty()) {
      node.rows.push_back(std::move(row));
      continue;
    }
    ForceRow* same = nullptr;
    int copy = 0;
    for (ForceRow& other : node.rows) {
      if (other.name == row.name) same = &other;
      if (!same && other.name.size() < row.name.size() && row.name.starts_with(other.name + " ")) {
        int number = std::atoi(row.name.c_str() + other.name.size() + 1);
        if (number >= 1 && number <= std::max(other.copies, other.originalCopies) &&
            row.name == other.name + " " + std::to_string(number)) {
          same = &other;
          copy = number;
        }
      }
    }
    if (!same) {
      node.rows.push_back(std::move(row));
      continue;
    }
    if (!amendment) {
      sink.report(diagnosticAt(package, nameCell, DiagnosticCode::counterTwice, {row.name})
                      .also(sourceOf(package, same->place.file), placeOf(package, same->place).range,
                            "it is here, too"));
      continue;
    }
    if (copy > 0) {
      for (const auto& [heading, cell] : row.cells) same->copyCells[copy][heading] = cell;
      if (copies && *copies == 0) same->dropped.insert(copy);
    } else {
      for (const auto& [heading, cell] : row.cells) {
        same->cells[heading] = cell;
        for (auto& [number, cells] : same->copyCells) cells.erase(heading);
      }
      if (copies) same->copies = *copies;
    }
  }
}

void Building::removeForces(NodeRef removal) {
  marksOf(world, package, removal, sink);
  for (NodeRef target : childrenOf(package, removal, Role::target)) {
    if (isFaulty(package, target)) continue;
    std::string owner, word = nameOf(package, target);
    if (kindOf(package, target) == NodeKind::Member) {
      owner = nameOf(package, childOf(package, target, Role::base));
      word = nameOf(package, target, Role::name);
    } else if (kindOf(package, target) != NodeKind::NameExpr) {
      sink.report(diagnosticAt(package, target, DiagnosticCode::notConstant));
      continue;
    }
    std::vector<std::string> known;
    std::vector<std::function<void()>> finds;
    std::vector<std::string> ownersFound;
    // `below` is the side or group through which the way leads.
    std::function<void(ForceNode&, const std::string&, bool)> search =
        [&](ForceNode& node, const std::string& side, bool below) {
          for (ForceRow& row : node.rows) {
            if (!below && !owner.empty()) continue;
            known.push_back(row.name);
            int total = std::max(row.copies, row.originalCopies);
            if (row.name == word && !row.name.empty()) {
              finds.push_back([&row] { row.copies = 0; });
              ownersFound.push_back(side);
            }
            for (int i = 1; i <= total && !row.name.empty(); ++i)
              if (row.name + " " + std::to_string(i) == word && total > 1) {
                finds.push_back([&row, i] { row.dropped.insert(i); });
                ownersFound.push_back(side);
              }
          }
          for (ForceNode& child : node.nodes) {
            if (!child.name.empty()) known.push_back(child.name);
            bool inside = below || (!owner.empty() && child.name == owner);
            if (child.name == word && !word.empty() && (below || owner.empty())) {
              finds.push_back([&child] {
                std::function<void(ForceNode&)> drop = [&](ForceNode& inner) {
                  inner.dropped = true;
                  for (ForceRow& row : inner.rows) row.copies = 0;
                  for (ForceNode& deeper : inner.nodes) drop(deeper);
                };
                drop(child);
              });
              ownersFound.push_back(side);
            }
            search(child, side, inside);
          }
        };
    for (std::size_t s = 0; s < forceRoots.size(); ++s)
      search(forceRoots[s], world.module.sides[s].name, owner == world.module.sides[s].name);
    if (finds.empty()) {
      std::sort(known.begin(), known.end());
      sink.report(suggesting(diagnosticAt(package, target, DiagnosticCode::noSuchForces, {"counter", word}),
                             word, known));
    } else if (finds.size() > 1) {
      sink.report(diagnosticAt(package, target, DiagnosticCode::ambiguousName,
                               {word, "a counter of " + ownersFound[0], "one of " + ownersFound[1]}));
    } else {
      finds.front()();
    }
  }
}

void Building::listCounters(ForceNode& node, int side, const std::string& path,
                            std::vector<const std::map<std::string, NodeRef>*> settings, std::int32_t group) {
  if (node.groupKind >= 0)
    group = listGroup(node, side, group);
  else
    settings.insert(settings.begin(), &node.settings); // those of a group are its own
  std::set<std::string>& taken = counterNames[{side, path}];
  for (ForceRow& row : node.rows) {
    int total = std::max(row.copies, row.originalCopies);
    bool several = total > 1;
    for (int i = 1; i <= total; ++i) {
      CounterInfo info;
      info.side = static_cast<std::uint16_t>(side);
      info.kind = static_cast<std::uint16_t>(node.kind);
      if (row.name.empty()) {
        int number = 1;
        while (taken.contains(node.type + " " + std::to_string(number))) ++number;
        info.name = node.type + " " + std::to_string(number);
      } else {
        info.name = several ? row.name + " " + std::to_string(i) : row.name;
      }
      const bool dropped = i > row.copies || row.dropped.contains(i);
      if ((!dropped || row.name.empty()) && !taken.insert(info.name).second) {
        sink.report(diagnosticAt(package, row.place, DiagnosticCode::counterTwice, {info.name}));
        continue;
      }
      info.copiesOf =
          static_cast<std::uint16_t>(internString(world.module, row.name.empty() ? node.type : row.name));
      world.module.counters.push_back(std::move(info));
      counterRow.push_back(&row);
      counterSettings.push_back(settings);
      counterCopy.push_back(i);
      counterGroup.push_back(group);
      counterDropped.push_back(dropped ? 1 : 0);
    }
  }
  for (ForceNode& child : node.nodes) {
    std::string below = child.name.empty() ? path : path + "/" + child.name;
    listCounters(child, side, below, settings, group);
  }
}

} // namespace hellwig
