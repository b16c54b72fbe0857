// SPDX-License-Identifier: Apache-2.0
// Groups of the order of battle: their kinds and how these nest, their fields, and what hangs under which group
// when the game begins.

#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

std::string lowerCase(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

} // namespace

// ---- Kinds

/// Kinds are numbered from the outermost in, as `forces` nests them; of those that never nest the one declared
/// first comes first. So no group can ever come to stand above itself.
void Building::declareGroupKinds() {
  std::vector<const FoldedDecl*> decls;
  for (const FoldedDecl& decl : folded.decls)
    if (decl.inForce && decl.kind == NodeKind::GroupDecl && !decl.name.empty()) decls.push_back(&decl);
  const std::size_t count = decls.size();
  auto kindNamed = [&](const std::string& name, bool lower) -> std::size_t {
    for (std::size_t k = 0; k < count; ++k)
      if ((lower ? lowerCase(decls[k]->name) : decls[k]->name) == name) return k;
    return count;
  };
  std::map<std::pair<std::size_t, std::size_t>, NodeRef> inside; // (outer, inner): where it is seen
  std::function<void(NodeRef, std::vector<std::size_t>)> look = [&](NodeRef node, std::vector<std::size_t> above) {
    if (kindOf(package, node) != NodeKind::ForceNode) return;
    std::size_t kind = kindNamed(nameOf(package, childOf(package, node, Role::type)), false);
    if (kind < count) {
      for (std::size_t outer : above) inside.try_emplace({outer, kind}, node);
      NodeRef body = childOf(package, node, Role::body);
      if (auto rows = childrenOf(package, body, Role::row); !rows.empty())
        for (NodeRef cell : childrenOf(package, rows.front(), Role::cell)) {
          std::size_t outer = kindNamed(std::string(treeOf(package, cell).cellText(cell.node)), true);
          if (outer < count && outer != kind) inside.try_emplace({outer, kind}, node);
        }
      above.push_back(kind);
    }
    for (NodeRef item : itemsOf(package, node)) look(item, above);
  };
  for (const auto* pieces : {&folded.forces, &folded.forceAmendments})
    for (const Piece& piece : *pieces)
      for (NodeRef item : itemsOf(package, piece.node)) look(item, {});

  std::vector<std::size_t> order;
  auto placed = [&](std::size_t k) { return std::find(order.begin(), order.end(), k) != order.end(); };
  while (order.size() < count) {
    std::size_t next = count;
    for (std::size_t k = 0; k < count && next == count; ++k) {
      if (placed(k)) continue;
      bool free = true;
      for (std::size_t outer = 0; outer < count; ++outer)
        free = free && (placed(outer) || inside.count({outer, k}) == 0);
      if (free) next = k;
    }
    if (next < count) {
      order.push_back(next);
      continue;
    }
    // A circle: told where the first of those that are left stands below one that is left.
    for (const auto& [pair, node] : inside)
      if (!placed(pair.first) && !placed(pair.second)) {
        sink.report(diagnosticAt(package, childOf(package, node, Role::type), DiagnosticCode::groupKindsCircle,
                                 {decls[pair.first]->name, decls[pair.second]->name}));
        break;
      }
    for (std::size_t k = 0; k < count; ++k)
      if (!placed(k)) order.push_back(k);
  }
  for (std::size_t k : order) {
    const FoldedDecl& decl = *decls[k];
    auto id = static_cast<std::uint16_t>(world.module.groupKinds.size());
    Place place = namePlaceOf(package, decl.node);
    std::string plural = nameOf(package, decl.node, Role::plural);
    marksOf(world, package, decl.node, sink);
    world.module.groupKinds.push_back({decl.name, plural, {}, 0, 0});
    GroupKindFacts facts;
    facts.place = place;
    world.groupKindFacts.push_back(facts);
    groupKinds.push_back(decl.name);
    groupColumns.push_back(lowerCase(decl.name));
    addSymbol(decl.name, {SymbolKind::groupKind, id, 0, -1, place});
    if (!plural.empty()) addSymbol(plural, {SymbolKind::groupPlural, id, 0, -1, place});
  }
}

void Building::addGroupField(std::uint16_t kind, NodeRef item, Column column, const Type& type,
                             std::uint16_t marks, bool printed) {
  if (std::int32_t other = world.columnOf(Type{TypeKind::group, kind, false, false}, column.name); other >= 0) {
    const Place& place = world.columnFacts[static_cast<std::size_t>(other)].place;
    sink.report(diagnosticAt(package, namePlaceOf(package, item), DiagnosticCode::duplicateName, {column.name})
                    .also(sourceOf(package, place.file), place.range, "it is declared here, too"));
    return;
  }
  column.owner = Owner::group;
  column.ownerId = kind;
  std::uint16_t id = addColumn(std::move(column), type, namePlaceOf(package, item), marks);
  world.columnFacts[id].printed = printed;
  stateDefaults[id] = childOf(package, item, Role::value);
  world.groupKindFacts[kind].columns.push_back(id);
}

void Building::declareGroupFields() {
  for (std::size_t k = 0; k < groupKinds.size(); ++k) {
    auto kind = static_cast<std::uint16_t>(k);
    Place place = world.groupKindFacts[k].place;
    // The group of this kind above each counter, and above each group of a kind further in.
    for (bool ofGroups : {false, true}) {
      Column column;
      column.name = groupColumns[k];
      column.owner = ofGroups ? Owner::group : Owner::counter;
      std::uint16_t id = addColumn(std::move(column), Type{TypeKind::group, kind, false, true}, place, 0);
      world.columnFacts[id].membership = static_cast<std::int16_t>(k);
      GroupKindInfo& info = world.module.groupKinds[k];
      (ofGroups ? info.groupColumn : info.counterColumn) = id;
      if (!ofGroups) {
        for (KindFacts& facts : world.kindFacts) facts.columns.push_back(id);
      } else {
        for (std::size_t inner = k + 1; inner < groupKinds.size(); ++inner)
          world.groupKindFacts[inner].columns.push_back(id);
      }
    }
  }
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::GroupDecl) continue;
    auto found = std::find(groupKinds.begin(), groupKinds.end(), decl.name);
    if (found == groupKinds.end()) continue;
    auto kind = static_cast<std::uint16_t>(found - groupKinds.begin());
    std::vector<NodeRef> items = itemsOf(package, decl.node);
    for (const Piece& piece : decl.amendments) {
      marksOf(world, package, piece.node, sink);
      for (NodeRef item : itemsOf(package, piece.node)) items.push_back(item);
    }
    for (NodeRef item : items) {
      bool printed = kindOf(package, item) == NodeKind::Printed;
      if (!printed && kindOf(package, item) != NodeKind::State) continue;
      std::uint16_t marks = marksOf(world, package, item, sink);
      for (NodeRef field : childrenOf(package, item, Role::item)) {
        Column column;
        column.name = nameOf(package, field, Role::name);
        if (column.name.empty()) continue;
        column.constant = printed;
        if (!printed) column.resets = resetsOf(item);
        addGroupField(kind, field, std::move(column), fieldType(field), marks, printed);
      }
    }
  }
}

// ---- The order of battle

/// Rows under a kind of group: a group a row. A heading that is a kind of counter says how many it has, or their
/// names.
void Building::mergeGroupRows(ForceNode& parent, const ForceNode& holder, NodeRef body, int side, std::int32_t box,
                              bool amendment) {
  Chart chart = readChart(body);
  citeCells(chart);
  auto kind = static_cast<std::uint16_t>(holder.groupKind);
  const Type type{TypeKind::group, kind, false, false};
  std::int32_t nameColumn = chart.find("name");
  if (nameColumn < 0) nameColumn = chart.find(groupColumns[kind]);
  if (nameColumn < 0) {
    if (!chart.headings.empty())
      sink.report(diagnosticAt(package, chart.headings.front().cell, DiagnosticCode::missingHeading,
                               {groupColumns[kind]}));
    return;
  }
  std::vector<std::int32_t> counterKinds(chart.headings.size(), -1);
  for (std::size_t h = 0; h < chart.headings.size(); ++h) {
    const ChartHeading& heading = chart.headings[h];
    if (static_cast<std::int32_t>(h) == nameColumn || world.columnOf(type, heading.text) >= 0) continue;
    if (const std::vector<Symbol>* symbols = world.find(heading.text))
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::counterKind) counterKinds[h] = symbol.id;
    if (counterKinds[h] >= 0) continue;
    std::vector<std::string> known;
    for (const KindInfo& info : world.module.kinds) known.push_back(info.name);
    for (std::uint16_t column : world.groupKindFacts[kind].columns)
      known.push_back(world.module.columns[column].name);
    sink.report(suggesting(diagnosticAt(package, heading.cell, DiagnosticCode::unknownHeading, {heading.text}),
                           heading.text, known));
  }
  for (const ChartRow& row : chart.rows) {
    NodeRef nameCell = readCell(row.cells[static_cast<std::size_t>(nameColumn)], CellGrammar::name);
    std::string name = nameOf(package, nameCell);
    if (name.empty()) continue;
    auto same = std::find_if(parent.nodes.begin(), parent.nodes.end(), [&](const ForceNode& other) {
      return other.type == holder.type && other.name == name;
    });
    if (same == parent.nodes.end()) {
      ForceNode made;
      made.type = holder.type;
      made.name = name;
      made.groupKind = holder.groupKind;
      made.place = row.rows.front();
      parent.nodes.push_back(std::move(made));
      same = parent.nodes.end() - 1;
    }
    for (const auto& [field, assign] : holder.settings) same->settings[field] = assign;
    for (std::size_t h = 0; h < chart.headings.size(); ++h) {
      NodeRef cell = row.cells[h];
      if (!present(cell) || static_cast<std::int32_t>(h) == nameColumn) continue;
      if (counterKinds[h] < 0) {
        same->settings[chart.headings[h].text] = cell;
        continue;
      }
      const bool dash = treeOf(package, cell).cellText(cell.node) == "-";
      NodeRef given = readCell(cell, CellGrammar::expression);
      if (!present(given)) continue;
      if (amendment) // the cell says anew which there are
        for (ForceNode& other : same->nodes)
          if (other.kind == counterKinds[h] && other.name.empty())
            for (ForceRow& old : other.rows) old.copies = 0;
      if (dash) continue;
      auto counters = std::find_if(same->nodes.begin(), same->nodes.end(), [&](const ForceNode& other) {
        return other.kind == counterKinds[h] && other.name.empty();
      });
      if (counters == same->nodes.end()) {
        ForceNode made;
        made.type = world.module.kinds[static_cast<std::size_t>(counterKinds[h])].name;
        made.kind = counterKinds[h];
        made.place = cell;
        same->nodes.push_back(std::move(made));
        counters = same->nodes.end() - 1;
      }
      auto add = [&](const std::string& counter, int copies) {
        ForceRow made;
        made.name = counter;
        made.place = cell;
        made.box = box;
        made.copies = made.originalCopies = copies;
        counters->rows.push_back(std::move(made));
      };
      if (kindOf(package, given) == NodeKind::IntLiteral) {
        int n = treeOf(package, given).intOf(given.node).value_or(0);
        if (n < 0 || n > 999) {
          sink.report(diagnosticAt(package, cell, DiagnosticCode::numberOutOfRange, {std::to_string(n), "0 .. 999"}));
          continue;
        }
        auto unnamed = std::find_if(counters->rows.begin(), counters->rows.end(),
                                    [](const ForceRow& other) { return other.name.empty(); });
        if (amendment && unnamed != counters->rows.end())
          unnamed->copies = n;
        else if (n > 0)
          add("", n);
        continue;
      }
      std::vector<NodeRef> names = kindOf(package, given) == NodeKind::ListParen
                                       ? childrenOf(package, given, Role::item)
                                       : std::vector<NodeRef>{given};
      for (NodeRef one : names) {
        std::string counter = nameOf(package, one);
        if (counter.empty() || kindOf(package, one) != NodeKind::NameExpr) {
          sink.report(diagnosticAt(package, one, DiagnosticCode::cellType,
                                   {"no name", "how many there are, or their names"}));
          continue;
        }
        auto known = std::find_if(counters->rows.begin(), counters->rows.end(),
                                  [&](const ForceRow& other) { return other.name == counter; });
        if (known == counters->rows.end())
          add(counter, 1);
        else if (amendment)
          known->copies = known->originalCopies;
        else
          sink.report(diagnosticAt(package, one, DiagnosticCode::counterTwice, {counter}));
      }
    }
  }
  (void)side;
}

/// Numbers a group in the order of battle; gives its number.
std::int32_t Building::listGroup(ForceNode& node, int side, std::int32_t above) {
  auto id = static_cast<std::int32_t>(world.module.groups.size());
  auto kind = static_cast<std::uint16_t>(node.groupKind);
  world.module.groups.push_back({node.name, "", static_cast<std::uint16_t>(side), kind});
  groupNode.push_back(&node);
  groupDropped.push_back(node.dropped ? 1 : 0);
  std::vector<std::int32_t> chain(groupKinds.size(), -1);
  if (above >= 0) {
    chain = groupAbove[static_cast<std::size_t>(above)];
    chain[world.module.groups[static_cast<std::size_t>(above)].kind] = above;
  }
  groupAbove.push_back(std::move(chain));
  addSymbol(node.name, {SymbolKind::group, kind, static_cast<Word>(id), static_cast<std::int16_t>(side),
                        placeOf(package, node.place)});
  return id;
}

/// The group of a kind that a cell names, among those of a side; several of one name are told apart by what stands
/// above them. -1: none, or reported.
std::int32_t Building::groupNamed(NodeRef cell, std::uint16_t kind, int side, std::int32_t within) {
  bool isCell = kindOf(package, cell) == NodeKind::Cell;
  if (isCell && treeOf(package, cell).cellText(cell.node) == "-") return -1;
  NodeRef expr = isCell ? readCell(cell, CellGrammar::expression) : childOf(package, cell, Role::value);
  if (!present(expr) || isNothing(package, expr)) return -1;
  std::string name = nameOf(package, expr);
  std::vector<std::int32_t> found;
  std::vector<std::string> known;
  for (std::size_t g = 0; g < world.module.groups.size(); ++g) {
    const GroupInfo& group = world.module.groups[g];
    if (group.kind != kind || group.side != side) continue;
    known.push_back(group.name);
    if (group.name == name) found.push_back(static_cast<std::int32_t>(g));
  }
  if (found.size() > 1 && within >= 0)
    std::erase_if(found, [&](std::int32_t g) {
      const auto& chain = groupAbove[static_cast<std::size_t>(g)];
      return std::find(chain.begin(), chain.end(), within) == chain.end();
    });
  if (found.size() == 1) return found.front();
  if (found.empty())
    sink.report(suggesting(diagnosticAt(package, expr, DiagnosticCode::unknownName, {name, groupKinds[kind]}), name,
                           known));
  else
    sink.report(diagnosticAt(package, expr, DiagnosticCode::ambiguousName,
                             {name, "a " + groupKinds[kind], "another " + groupKinds[kind]}));
  return -1;
}

/// Which groups stand above each group and each counter when the game begins.
void Building::hangCounters() {
  Module& module = world.module;
  const std::size_t kinds = groupKinds.size(), groups = module.groups.size();
  // What headings name stands above what the nodes say; from the outermost kind in, for a chain rests on those above.
  auto hangUnder = [&](std::vector<std::int32_t>& chain, std::int32_t group) {
    auto kind = module.groups[static_cast<std::size_t>(group)].kind;
    chain = groupAbove[static_cast<std::size_t>(group)];
    chain[kind] = group;
  };
  auto takeHeadings = [&](std::vector<std::int32_t>& chain, std::size_t below, int side, auto given) {
    std::int32_t outer = -1;
    for (std::size_t k = 0; k < below; ++k) {
      NodeRef cell = given(groupColumns[k]);
      if (!present(cell)) continue;
      std::int32_t group = groupNamed(cell, static_cast<std::uint16_t>(k), side, outer);
      if (group < 0) continue;
      std::vector<std::int32_t> taken(kinds, -1);
      hangUnder(taken, group);
      if (outer >= 0 && taken[module.groups[static_cast<std::size_t>(outer)].kind] != outer)
        sink.report(diagnosticAt(package, cell, DiagnosticCode::groupsDisagree,
                                 {module.groups[static_cast<std::size_t>(group)].name,
                                  module.groups[static_cast<std::size_t>(outer)].name}));
      chain = taken;
      outer = group;
    }
  };
  for (std::size_t k = 0; k < kinds; ++k)
    for (std::size_t g = 0; g < groups; ++g) {
      if (module.groups[g].kind != k) continue;
      // The groups above may themselves have been hung elsewhere by a heading.
      std::vector<std::int32_t>& chain = groupAbove[g];
      for (std::size_t outer = k; outer-- > 0;)
        if (chain[outer] >= 0) {
          hangUnder(chain, chain[outer]);
          break;
        }
      takeHeadings(chain, k, module.groups[g].side, [&](const std::string& field) {
        auto it = groupNode[g]->settings.find(field);
        return it == groupNode[g]->settings.end() ? NodeRef{} : it->second;
      });
    }
  for (GroupKindInfo& info : module.groupKinds) {
    info.members.assign((groups + 63) / 64, 0);
    module.columns[info.counterColumn].initial.assign(module.counters.size(), none);
    module.columns[info.groupColumn].initial.assign(groups, none);
    module.columns[info.counterColumn].defaultValue = module.columns[info.groupColumn].defaultValue = none;
  }
  for (std::size_t g = 0; g < groups; ++g) {
    if (groupDropped[g] == 0)
      module.groupKinds[module.groups[g].kind].members[g / 64] |= std::uint64_t{1} << (g % 64);
    for (std::size_t k = 0; k < kinds; ++k)
      if (groupAbove[g][k] >= 0) module.columns[module.groupKinds[k].groupColumn].initial[g] = groupAbove[g][k];
  }
  for (std::size_t c = 0; c < module.counters.size(); ++c) {
    std::vector<std::int32_t> chain(kinds, -1);
    if (counterGroup[c] >= 0) hangUnder(chain, counterGroup[c]);
    if (kinds != 0 && counterDropped[c] == 0)
      takeHeadings(chain, kinds, module.counters[c].side,
                   [&](const std::string& field) { return givenField(c, field); });
    for (std::size_t k = 0; k < kinds; ++k)
      if (chain[k] >= 0) {
        module.columns[module.groupKinds[k].counterColumn].initial[c] = chain[k];
        counterGroup[c] = chain[k];
      }
  }
}

/// What is printed of each group, and its state at first.
void Building::fillGroups() {
  Module& module = world.module;
  for (std::size_t c = 0; c < module.columns.size(); ++c) {
    Column& column = module.columns[c];
    const ColumnFacts& facts = world.columnFacts[c];
    if (column.owner != Owner::group || facts.membership >= 0) continue;
    const Type type = world.columnTypes[c];
    const std::size_t words = type.set ? world.setWords(type) : 1;
    std::vector<Word> other(words, type.set ? 0 : none);
    NodeRef formula = stateDefaults[static_cast<std::uint16_t>(c)];
    if (present(formula) || !facts.printed) other = defaultWords(static_cast<std::uint16_t>(c));
    module.columns[c].initial.clear();
    for (std::size_t g = 0; g < module.groups.size(); ++g) {
      std::vector<Word> value = other;
      const GroupInfo& group = module.groups[g];
      auto it = groupNode[g]->settings.find(column.name);
      bool own = group.kind == column.ownerId && type.kind != TypeKind::error;
      if (own && it != groupNode[g]->settings.end()) {
        NodeRef given = it->second;
        bool cell = kindOf(package, given) == NodeKind::Cell;
        NodeRef expr = cell ? readCell(given, type.kind == TypeKind::text ? CellGrammar::letters
                                                                          : CellGrammar::expression)
                            : childOf(package, given, Role::value);
        bool dash = isNothing(package, expr) && !type.set && !type.optional && present(formula);
        if (present(expr) && !dash)
          if (auto read = constantWords(world, package, expr, type, sink,
                                        {group.side, cell, static_cast<Word>(g)}))
            value = *read;
      } else if (own && facts.printed && !present(formula) && !type.set && !type.optional && groupDropped[g] == 0) {
        sink.report(diagnosticAt(package, groupNode[g]->place, DiagnosticCode::missingField,
                                 {group.name, column.name}));
      }
      module.columns[c].initial.insert(module.columns[c].initial.end(), value.begin(), value.end());
    }
  }
}

// ---- Names

/// A name that stands for several counters, or groups, is shown with the side to which each belongs; those of one side
/// with the lowest group that tells them apart.
void Building::nameCounters() {
  auto tell = [&](auto& things, auto dropped, auto chainOf) {
    std::map<std::string, std::vector<std::size_t>> bearers;
    for (std::size_t i = 0; i < things.size(); ++i)
      if (!dropped(i)) bearers[things[i].name].push_back(i);
    for (const auto& bearer : bearers) {
      const std::vector<std::size_t>& all = bearer.second;
      if (all.size() < 2) continue;
      for (std::size_t i : all) {
        auto same = [&](auto like) {
          return std::any_of(all.begin(), all.end(), [&](std::size_t j) { return j != i && like(j); });
        };
        const std::string& side = world.module.sides[things[i].side].name;
        std::string where = side;
        if (same([&](std::size_t j) { return things[j].side == things[i].side; })) {
          const std::vector<std::int32_t> chain = chainOf(i);
          for (std::size_t k = chain.size(); k-- > 0;) {
            if (chain[k] < 0) continue;
            const std::string& group = world.module.groups[static_cast<std::size_t>(chain[k])].name;
            bool shared = same([&](std::size_t j) {
              const std::vector<std::int32_t> other = chainOf(j);
              return std::any_of(other.begin(), other.end(), [&](std::int32_t g) {
                return g >= 0 && world.module.groups[static_cast<std::size_t>(g)].name == group;
              });
            });
            if (shared) continue;
            where = group;
            break;
          }
        }
        things[i].display = bearer.first + " of " + where;
      }
    }
  };
  Module& module = world.module;
  tell(
      module.counters, [&](std::size_t c) { return counterDropped[c] != 0; },
      [&](std::size_t c) {
        std::vector<std::int32_t> chain;
        for (const GroupKindInfo& info : module.groupKinds) {
          Word above = module.columns[info.counterColumn].initial[c];
          chain.push_back(above == none ? -1 : static_cast<std::int32_t>(above));
        }
        return chain;
      });
  tell(
      module.groups, [&](std::size_t g) { return groupDropped[g] != 0; },
      [&](std::size_t g) { return groupAbove[g]; });
}

// ---- What later phases ask

bool World::beginsIn(bool counter, Word thing, Word group) const {
  if (thing < 0 || group < 0 || static_cast<std::size_t>(group) >= module.groups.size()) return false;
  const GroupKindInfo& info = module.groupKinds[module.groups[static_cast<std::size_t>(group)].kind];
  const std::vector<Word>& above = module.columns[counter ? info.counterColumn : info.groupColumn].initial;
  auto i = static_cast<std::size_t>(thing);
  return i < above.size() && above[i] == group;
}

std::vector<Symbol> World::inside(const Symbol& owner, std::string_view name) {
  std::vector<Symbol> found;
  const std::vector<Symbol>* symbols = find(name);
  if (!symbols) return found;
  for (const Symbol& symbol : *symbols) {
    bool thing = symbol.kind == SymbolKind::counter || symbol.kind == SymbolKind::group;
    if (!thing && symbol.kind != SymbolKind::counters) continue;
    if (owner.kind == SymbolKind::side) {
      if (symbol.side == owner.value) found.push_back(symbol);
      continue;
    }
    if (thing) {
      if (beginsIn(symbol.kind == SymbolKind::counter, symbol.value, owner.value)) found.push_back(symbol);
      continue;
    }
    // Of a set, those of its counters that are in the group.
    std::vector<std::uint64_t> members = counterSets[symbol.id];
    bool any = false;
    for (std::size_t c = 0; c < module.counters.size(); ++c) {
      const std::uint64_t bit = std::uint64_t{1} << (c % 64);
      if ((members[c / 64] & bit) != 0 && !beginsIn(true, static_cast<Word>(c), owner.value))
        members[c / 64] &= ~bit;
      any = any || (members[c / 64] & bit) != 0;
    }
    if (!any) continue;
    Symbol part = symbol;
    auto same = std::find(counterSets.begin(), counterSets.end(), members);
    part.id = static_cast<std::uint16_t>(same - counterSets.begin());
    if (same == counterSets.end()) counterSets.push_back(std::move(members));
    found.push_back(part);
  }
  // The name of a row's copies, or of a label, is meant rather than one counter of that name among them.
  auto set = std::find_if(found.begin(), found.end(),
                          [](const Symbol& symbol) { return symbol.kind == SymbolKind::counters; });
  if (set != found.end() && found.size() == 2)
    for (const Symbol& symbol : found)
      if (symbol.kind == SymbolKind::counter) {
        const auto& members = counterSets[set->id];
        auto c = static_cast<std::size_t>(symbol.value);
        if ((members[c / 64] >> (c % 64) & 1U) != 0) return {*set};
      }
  return found;
}

} // namespace hellwig
