// SPDX-License-Identifier: Apache-2.0
// Labels: a printed field of this type makes each of its values a name for the set of counters, of one side, that
// bear it. The value itself is a string of the module that no other label has.

#include "compiler/world_parts.h"

namespace hellwig {

using hir::TypeKind;

/// The label of a side called so; made when it is first met.
Word Building::labelWord(int side, const std::string& name) {
  auto [it, fresh] = labelWords.try_emplace({side, name}, 0);
  if (fresh) {
    it->second = static_cast<Word>(world.module.strings.size());
    world.module.strings.push_back(name);
  }
  return it->second;
}

/// A label that is equal to no other.
Word Building::ownLabel(std::size_t counter) {
  world.module.strings.push_back(world.module.counters[counter].name);
  return static_cast<Word>(world.module.strings.size() - 1);
}

/// Makes the values of labels names, once all counters have theirs.
void Building::fillLabels() {
  const std::size_t words = (world.module.counters.size() + 63) / 64;
  std::map<Word, std::vector<std::uint64_t>> bearers;
  for (std::size_t c = 0; c < world.module.columns.size(); ++c) {
    const Column& column = world.module.columns[c];
    if (column.owner != Owner::counter || world.columnTypes[c].kind != TypeKind::label) continue;
    for (std::size_t u = 0; u < column.initial.size(); ++u) {
      if (column.initial[u] == none || counterDropped[u] != 0) continue;
      std::vector<std::uint64_t>& set = bearers[column.initial[u]];
      set.resize(words);
      set[u / 64] |= std::uint64_t{1} << (u % 64);
    }
  }
  for (const auto& [key, word] : labelWords) {
    auto set = bearers.find(word);
    if (set == bearers.end()) continue;
    Symbol symbol{SymbolKind::counters, static_cast<std::uint16_t>(world.counterSets.size()), 0,
                  static_cast<std::int16_t>(key.first), labelPlaces[word]};
    world.counterSets.push_back(set->second);
    addSymbol(key.second, symbol);
    world.labels[key.second].push_back(word);
  }
}

} // namespace hellwig
