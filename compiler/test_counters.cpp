// SPDX-License-Identifier: Apache-2.0
// Counters that tests make with `new K like X`, and printed figures that they give with `with`: both are in
// the order of battle of the module that plays the test.
#include "compiler/world_parts.h"

#include <algorithm>
#include <functional>

namespace hellwig {
namespace {

/// `Prussia.Infantry` as the names of which it consists.
bool namePath(const Package& package, NodeRef ref, std::vector<std::string>& path) {
  if (kindOf(package, ref) == NodeKind::Member) {
    if (!namePath(package, childOf(package, ref, Role::base), path)) return false;
    path.push_back(nameOf(package, ref, Role::name));
    return true;
  }
  if (kindOf(package, ref) != NodeKind::NameExpr) return false;
  path.push_back(nameOf(package, ref));
  return true;
}

} // namespace

/// The rows that a name means; `copy` is the number of the copy named, 0 where the row itself is.
std::vector<Building::RowFound> Building::rowsNamed(NodeRef name) {
  std::vector<RowFound> found;
  std::vector<std::string> path;
  if (!namePath(package, name, path)) return found;
  const std::string word = path.back();
  path.pop_back();
  std::function<void(ForceNode&, std::size_t)> search = [&](ForceNode& node, std::size_t owners) {
    for (ForceRow& row : node.rows) {
      if (owners != path.size() || row.name.empty() || row.madeBy) continue;
      if (row.name == word) found.push_back({&node, &row, 0});
      for (int i = 1; i <= row.copies && row.copies > 1; ++i)
        if (row.name + " " + std::to_string(i) == word) found.push_back({&node, &row, i});
    }
    for (ForceNode& child : node.nodes)
      search(child, owners < path.size() && child.name == path[owners] ? owners + 1 : owners);
  };
  for (std::size_t s = 0; s < forceRoots.size(); ++s)
    search(forceRoots[s], !path.empty() && path[0] == world.module.sides[s].name ? 1 : 0);
  return found;
}

void Building::takeTests() {
  auto printed = [&](std::int32_t kind, NodeRef setting) {
    std::int32_t column =
        world.columnOf({hir::TypeKind::counter, static_cast<std::uint16_t>(kind), false, false},
                       nameOf(package, setting, Role::name));
    return column >= 0 && world.columnFacts[static_cast<std::size_t>(column)].printed;
  };
  std::vector<NodeRef> making;
  for (NodeRef test : tests) {
    std::map<const ForceRow*, int> used;
    for (NodeRef item : itemsOf(package, test)) {
      if (kindOf(package, item) != NodeKind::Place || isFaulty(package, item)) continue;
      if (hasFlag(package, item, NodeFlags::isNew)) {
        making.push_back(item);
        continue;
      }
      for (NodeRef target : childrenOf(package, item, Role::target)) {
        std::vector<RowFound> rows = rowsNamed(target);
        if (rows.size() != 1) continue;
        ForceRow& row = *rows.front().row;
        const int copy = rows.front().copy > 0 ? rows.front().copy : std::min(used[&row] + 1, row.copies);
        if (rows.front().copy == 0) ++used[&row];
        // Tests that are checked together would give one counter several figures.
        if (tests.size() == 1)
          for (NodeRef setting : childrenOf(package, item, Role::with))
            if (printed(rows.front().node->kind, setting))
              row.copyCells[copy][nameOf(package, setting, Role::name)] = setting;
      }
    }
  }
  for (NodeRef item : making) {
    NodeRef like = childOf(package, item, Role::target), kindNode = childOf(package, item, Role::base);
    std::vector<RowFound> rows = rowsNamed(like);
    const std::string word = nameOf(package, kindNode);
    if (rows.size() != 1) {
      if (rows.empty())
        sink.report(diagnosticAt(package, like, DiagnosticCode::noSuchForces,
                                 {"counter", std::string(treeOf(package, like).text(like.node))}));
      else
        sink.report(
            diagnosticAt(package, like, DiagnosticCode::ambiguousName,
                         {std::string(treeOf(package, like).text(like.node)), "one counter", "another"}));
      continue;
    }
    ForceNode& node = *rows.front().node;
    std::int32_t kind = -1;
    if (const std::vector<Symbol>* symbols = world.find(word))
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::counterKind) kind = symbol.id;
    if (kind < 0 ||
        !world.isKindOf(static_cast<std::uint16_t>(node.kind), static_cast<std::uint16_t>(kind))) {
      sink.report(diagnosticAt(package, like, DiagnosticCode::typeMismatch,
                               {world.module.kinds[static_cast<std::size_t>(node.kind)].name, word}));
      continue;
    }
    ForceRow made = *rows.front().row;
    const int copy = std::max(rows.front().copy, 1);
    if (auto own = made.copyCells.find(copy); own != made.copyCells.end())
      for (const auto& [heading, cell] : own->second) made.cells[heading] = cell;
    made.copyCells.clear();
    made.dropped.clear();
    made.copies = made.originalCopies = 1;
    made.madeBy = item;
    for (NodeRef setting : childrenOf(package, item, Role::with))
      if (printed(node.kind, setting)) made.cells[nameOf(package, setting, Role::name)] = setting;
    // It bears the name that the test gives it, or that of the one it is like.
    if (NodeRef own = childOf(package, item, Role::name); present(own)) made.name = nameOf(package, own);
    const std::string base = made.name;
    auto taken = [&] {
      return std::any_of(node.rows.begin(), node.rows.end(),
                         [&](const ForceRow& row) { return row.name == made.name; });
    };
    for (int number = 2; taken(); ++number) made.name = base + " " + std::to_string(number);
    node.rows.push_back(std::move(made));
  }
}

/// Which counter each of those made has become.
void Building::findTestCounters() {
  for (std::size_t c = 0; c < counterRow.size(); ++c)
    if (counterRow[c]->madeBy)
      world.testCounters[{counterRow[c]->madeBy->file,
                          static_cast<std::uint32_t>(counterRow[c]->madeBy->node)}] =
          static_cast<std::uint16_t>(c);
}

} // namespace hellwig
