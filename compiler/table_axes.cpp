// SPDX-License-Identifier: Apache-2.0
// The inputs of a table: what headings and cells say of them, axes, and the check that every value has its
// place.
#include "compiler/table_maker.h"

#include <algorithm>

namespace hellwig::tables {

bool TableMaker::readInputs() {
  for (NodeRef param : childrenOf(package(), decl_.node, Role::param)) {
    Input input;
    input.param = param;
    input.name = nameOf(package(), param, Role::name);
    NodeRef typeNode = childOf(package(), param, Role::type);
    input.type = resolveType(world_, package(), typeNode, b_.sink);
    faulty_ = faulty_ || input.type.kind == TypeKind::error || input.name.empty();
    if (input.type.set || input.type.kind == TypeKind::text) {
      b_.sink.report(
          at(typeNode, DiagnosticCode::wrongKindOfName,
             {world_.typeName(input.type), "a set or text", "a single value as the input of a table"}));
      faulty_ = true;
    }
    input.axis.scale = input.ordered() ? 1 : 0;
    std::string word = nameOf(package(), typeNode);
    auto span = [&](Word low, Word high) {
      for (Word w = low; w <= high; ++w) input.domain.push_back(w);
    };
    if (word == "d6") span(1, 6);
    if (word == "2d6") span(2, 12);
    if (word == "d10") span(0, 9);
    if (word == "d100") span(0, 99);
    if (word == "d66")
      for (Word tens = 1; tens <= 6; ++tens) span(tens * 10 + 1, tens * 10 + 6);
    switch (input.type.kind) {
    case TypeKind::boolean: span(0, 1); break;
    case TypeKind::enumeration:
      span(0, static_cast<Word>(world_.module.enums[input.type.id].names.size()) - 1);
      break;
    case TypeKind::side: span(0, static_cast<Word>(world_.module.sides.size()) - 1); break;
    case TypeKind::direction: span(0, 5); break;
    default: break;
    }
    input.infinite = input.domain.empty();
    facts_.keys.push_back(input.type);
    facts_.keyNames.push_back(input.name);
    facts_.keyDice.push_back(word == "d6" || word == "2d6" || word == "d10" || word == "d100" ? word : "");
    facts_.keyPlaces.push_back(placeOf(package(), param));
    inputs_.push_back(std::move(input));
  }
  return !faulty_;
}

void TableMaker::readClauses() {
  for (NodeRef item : itemsOf(package(), decl_.node)) {
    std::uint16_t marks = marksOf(world_, package(), item, b_.sink);
    table_.tableMarks = joinMarks(world_, table_.tableMarks, marks);
    NodeKind kind = kindOf(package(), item);
    if (kind == NodeKind::Missing) {
      table_.hasOtherwise = true;
      otherwise_ = childOf(package(), item, Role::value);
      continue;
    }
    if (kind != NodeKind::Round && kind != NodeKind::Clamp && kind != NodeKind::CellsOf) continue;
    std::string name = nameOf(package(), item, Role::name);
    Input* input = inputNamed(name);
    if (!input) {
      std::vector<std::string> known;
      for (const Input& other : inputs_) known.push_back(other.name);
      if (!name.empty())
        b_.sink.report(suggesting(diagnosticAt(package(), namePlaceOf(package(), item),
                                               DiagnosticCode::unknownName, {name, "input"}),
                                  name, known));
      faulty_ = true;
      continue;
    }
    TokenKind op = opOf(package(), item);
    if (kind == NodeKind::CellsOf) cellsOf_ = name;
    if (kind == NodeKind::Round)
      input->axis.rounding = op == TokenKind::kw_up     ? Rounding::up
                             : op == TokenKind::kw_near ? Rounding::near
                                                        : Rounding::down;
    if (kind == NodeKind::Clamp) {
      input->axis.clampBelow = op != TokenKind::kw_above;
      input->axis.clampAbove = op != TokenKind::kw_below;
    }
  }
}

int TableMaker::compare(const Input& input, Word a, Word b) const {
  if (!input.ordered()) return a < b ? -1 : a > b ? 1 : 0;
  std::int64_t left = std::int64_t{numeratorOf(a)} * denominatorOf(b);
  std::int64_t right = std::int64_t{numeratorOf(b)} * denominatorOf(a);
  return left < right ? -1 : left > right ? 1 : 0;
}

Stretch TableMaker::readStretch(const Input& input, NodeRef key, bool& bad) {
  Type type = input.type;
  auto value = [&](NodeRef expr) -> Word {
    auto words = constantWords(world_, package(), expr, type, b_.sink, {-1, true});
    if (!words) bad = true;
    return words ? words->front() : none;
  };
  if (kindOf(package(), key) != NodeKind::RangeTo) {
    Word word = value(key);
    return {word, word};
  }
  NodeRef left = childOf(package(), key, Role::left), right = childOf(package(), key, Role::right);
  Stretch stretch{present(left) ? value(left) : none, present(right) ? value(right) : none};
  if (!bad && stretch.low != none && stretch.high != none && less(input, stretch.high, stretch.low)) {
    b_.sink.report(at(key, DiagnosticCode::numberOutOfRange,
                      {valueName(input.type, stretch.high),
                       "a range that begins at " + valueName(input.type, stretch.low)}));
    bad = true;
  }
  return stretch;
}

KeyEntry TableMaker::readKeys(const Input& input, NodeRef cell) {
  KeyEntry entry;
  entry.cell = cell;
  NodeRef keys = b_.readCell(cell, CellGrammar::keys);
  if (!present(keys)) {
    entry.bad = true;
    return entry;
  }
  std::vector<NodeRef> list = kindOf(package(), keys) == NodeKind::Keys
                                  ? childrenOf(package(), keys, Role::key)
                                  : std::vector<NodeRef>{keys};
  for (NodeRef key : list) {
    if (kindOf(package(), key) == NodeKind::AnyKey) {
      (opOf(package(), key) == TokenKind::kw_other ? entry.anyOther : entry.any) = true;
      continue;
    }
    // The name of the input's own type among the keys of optional inputs stands for none of them.
    if (isNothing(package(), key)) {
      entry.bad = true;
      b_.sink.report(at(key, DiagnosticCode::cellType, {"none", world_.typeName(input.type)}));
      continue;
    }
    entry.stretches.push_back(readStretch(input, key, entry.bad));
  }
  return entry;
}

/// The entry of the input that says the same as the cell; a new one if there is none.
std::uint16_t TableMaker::entryOf(Input& input, NodeRef cell) {
  KeyEntry entry = readKeys(input, cell);
  faulty_ = faulty_ || entry.bad;
  for (std::size_t i = 0; i < input.entries.size(); ++i) {
    const KeyEntry& other = input.entries[i];
    if (other.any != entry.any || other.anyOther != entry.anyOther ||
        other.stretches.size() != entry.stretches.size())
      continue;
    bool same = true;
    for (std::size_t k = 0; k < entry.stretches.size(); ++k)
      same = same && other.stretches[k].low == entry.stretches[k].low &&
             other.stretches[k].high == entry.stretches[k].high;
    if (same) return static_cast<std::uint16_t>(i);
  }
  input.entries.push_back(std::move(entry));
  return static_cast<std::uint16_t>(input.entries.size() - 1);
}

/// Gives each entry its positions on the axis: one, if no two entries meet; else the axis is cut into pieces.
void TableMaker::makeAxis(Input& input, bool mayOverlap) {
  bool overlap = false, mixed = false;
  for (std::size_t i = 0; i < input.entries.size(); ++i) {
    const KeyEntry& a = input.entries[i];
    mixed = mixed || (a.any && input.entries.size() > 1) || (a.anyOther && !a.stretches.empty());
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t k = 0; k < a.stretches.size(); ++k)
        for (std::size_t m = 0; m < (i == j ? k : input.entries[j].stretches.size()); ++m) {
          const Stretch &left = a.stretches[k], &right = input.entries[j].stretches[m];
          if (!meet(input, left, right)) continue;
          overlap = true;
          if (mayOverlap && i != j) continue;
          Word both = left.low == none ? right.low : left.low;
          if (right.low != none && left.low != none && less(input, left.low, right.low)) both = right.low;
          NodeRef here = input.entries[i].cell, there = input.entries[j].cell;
          if (overlapsReported_.insert({here.file, static_cast<std::uint32_t>(here.node)}).second) {
            Diagnostic diagnostic = at(
                here, DiagnosticCode::tableOverlap,
                {input.name + " " + (both == none ? stretchName(input, left) : valueName(input.type, both))});
            if (here == there)
              b_.sink.report(std::move(diagnostic));
            else
              b_.sink.report(std::move(diagnostic)
                                 .also(sourceOf(package(), there.file), placeOf(package(), there).range,
                                       "the other key"));
          }
          faulty_ = true;
        }
  }
  if ((overlap || mixed) && mayOverlap) {
    splitAxis(input);
  } else {
    input.positions.resize(input.entries.size());
    for (std::size_t i = 0; i < input.entries.size(); ++i) {
      auto position = static_cast<std::uint16_t>(i);
      const KeyEntry& entry = input.entries[i];
      input.positions[i] = {position};
      if (entry.any || entry.anyOther) input.axis.anyOther = position;
      for (const Stretch& stretch : entry.stretches)
        input.axis.keys.push_back({stretch.low, stretch.high, position});
    }
    input.axis.positions = static_cast<std::uint16_t>(input.entries.size());
  }
  std::stable_sort(input.axis.keys.begin(), input.axis.keys.end(),
                   [&](const TableAxis::Key& a, const TableAxis::Key& b) {
                     if (a.low == none || b.low == none) return a.low == none && b.low != none;
                     return less(input, a.low, b.low);
                   });
  // Where an axis of ratios was cut, what lies between two points begins and ends at them: the points come
  // first.
  if (input.ordered())
    std::stable_partition(input.axis.keys.begin(), input.axis.keys.end(),
                          [&](const TableAxis::Key& key) { return key.low == key.high && key.low != none; });
}

void TableMaker::splitAxis(Input& input) {
  bool rest = false;
  for (const KeyEntry& entry : input.entries) rest = rest || entry.any || entry.anyOther;
  std::vector<Stretch> pieces;
  if (!input.infinite) {
    for (Word value : input.domain) pieces.push_back({value, value});
  } else if (input.ordered()) {
    // The ends of stretches are pieces of their own; so is what lies between two of them, for between two
    // ratios there are always others. The points stand first, so that a ratio is looked for among them first.
    std::vector<Word> points;
    bool openBelow = false, openAbove = false, stretches = false;
    for (const KeyEntry& entry : input.entries)
      for (const Stretch& stretch : entry.stretches) {
        openBelow = openBelow || stretch.low == none;
        openAbove = openAbove || stretch.high == none;
        stretches = stretches || stretch.low != stretch.high;
        for (Word end : {stretch.low, stretch.high})
          if (end != none && std::find(points.begin(), points.end(), end) == points.end())
            points.push_back(end);
      }
    if (stretches) std::sort(points.begin(), points.end(), [&](Word a, Word b) { return less(input, a, b); });
    for (Word point : points) pieces.push_back({point, point});
    if (openBelow && !points.empty()) pieces.push_back({none, points.front()});
    for (std::size_t i = 0; stretches && i + 1 < points.size(); ++i)
      pieces.push_back({points[i], points[i + 1]});
    if (openAbove && !points.empty()) pieces.push_back({points.back(), none});
  } else {
    // Each end of a stretch is a cut before or behind a value; between two cuts all values are treated alike.
    std::vector<Word> points;
    bool openBelow = false, openAbove = false;
    for (const KeyEntry& entry : input.entries)
      for (const Stretch& stretch : entry.stretches) {
        openBelow = openBelow || stretch.low == none;
        openAbove = openAbove || stretch.high == none;
        // Whole numbers: a stretch begins at low and ends before high + 1.
        if (stretch.low != none) points.push_back(stretch.low);
        if (stretch.high != none) points.push_back(stretch.high + 1);
      }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (openBelow && !points.empty()) pieces.push_back({none, points.front() - 1});
    for (std::size_t i = 0; i + 1 < points.size(); ++i) pieces.push_back({points[i], points[i + 1] - 1});
    if (openAbove && !points.empty()) pieces.push_back({points.back(), none});
  }
  std::vector<char> named(pieces.size(), 0);
  input.positions.assign(input.entries.size(), {});
  for (std::size_t i = 0; i < input.entries.size(); ++i)
    for (std::size_t p = 0; p < pieces.size(); ++p)
      for (const Stretch& stretch : input.entries[i].stretches)
        if (holds(input, stretch, pieces[p])) {
          named[p] = 1;
          if (input.positions[i].empty() || input.positions[i].back() != p)
            input.positions[i].push_back(static_cast<std::uint16_t>(p));
        }
  auto other = static_cast<std::uint16_t>(pieces.size());
  for (std::size_t i = 0; i < input.entries.size(); ++i) {
    if (input.entries[i].any || input.entries[i].anyOther)
      for (std::size_t p = 0; p < pieces.size(); ++p)
        if ((input.entries[i].any || named[p] == 0) &&
            std::find(input.positions[i].begin(), input.positions[i].end(), p) == input.positions[i].end())
          input.positions[i].push_back(static_cast<std::uint16_t>(p));
    if ((input.entries[i].any || input.entries[i].anyOther) && input.infinite)
      input.positions[i].push_back(other);
  }
  for (std::size_t p = 0; p < pieces.size(); ++p)
    input.axis.keys.push_back({pieces[p].low, pieces[p].high, static_cast<std::uint16_t>(p)});
  input.axis.positions = other;
  if (rest && input.infinite) {
    input.axis.anyOther = other;
    ++input.axis.positions;
  }
}

std::string TableMaker::valueName(const Type& type, Word word) const {
  switch (type.kind) {
  case TypeKind::odds: return std::to_string(numeratorOf(word)) + ":" + std::to_string(denominatorOf(word));
  case TypeKind::fraction:
    return denominatorOf(word) == 1
               ? std::to_string(numeratorOf(word))
               : std::to_string(numeratorOf(word)) + "/" + std::to_string(denominatorOf(word));
  case TypeKind::time: return world_.clockText(word);
  case TypeKind::boolean: return word == 0 ? "no" : "yes";
  case TypeKind::enumeration: return world_.module.enums[type.id].names[static_cast<std::size_t>(word)];
  case TypeKind::side: return world_.module.sides[static_cast<std::size_t>(word)].name;
  case TypeKind::direction:
    return std::string(directionName(world_.module.board.shape, static_cast<int>(word)));
  case TypeKind::area: return world_.module.areas[static_cast<std::size_t>(word)].name;
  case TypeKind::box: return world_.module.boxes[static_cast<std::size_t>(word)].name;
  case TypeKind::counter: return world_.module.counters[static_cast<std::size_t>(word)].name;
  case TypeKind::hex: return world_.module.board.label[static_cast<std::size_t>(word)];
  default: return std::to_string(word);
  }
}

std::string TableMaker::stretchName(const Input& input, const Stretch& stretch) const {
  if (stretch.low != none && stretch.low == stretch.high) return valueName(input.type, stretch.low);
  std::string low = stretch.low == none ? "" : valueName(input.type, stretch.low) + " ";
  std::string high = stretch.high == none ? "" : " " + valueName(input.type, stretch.high);
  return low + ".." + high;
}

std::string TableMaker::positionName(const Input& input, std::uint16_t position) const {
  std::string name;
  for (const TableAxis::Key& key : input.axis.keys)
    if (key.index == position) name += (name.empty() ? "" : ", ") + stretchName(input, {key.low, key.high});
  return input.name + " " + (name.empty() ? "other" : name);
}

/// Every value that the input can have needs a position, unless a clause takes care of it.
void TableMaker::checkAxis(const Input& input) {
  TableAxis axis = input.axis;
  std::stable_sort(axis.keys.begin(), axis.keys.end(), [&](const TableAxis::Key& a, const TableAxis::Key& b) {
    if (a.low == none || b.low == none) return a.low == none && b.low != none;
    return less(input, a.low, b.low);
  });
  if (axis.anyOther >= 0 || table_.hasOtherwise || axis.keys.empty()) return;
  NodeRef place = childOf(package(), decl_.node, Role::name);
  std::vector<Stretch> gaps;
  if (!input.infinite) {
    for (Word value : input.domain) {
      bool there = false;
      for (const TableAxis::Key& key : axis.keys) there = there || covers(input, {key.low, key.high}, value);
      bool below = axis.keys.front().low != none && less(input, value, axis.keys.front().low);
      bool above = axis.keys.back().high != none && less(input, axis.keys.back().high, value);
      if (there || (below && axis.clampBelow) || (above && axis.clampAbove)) continue;
      if (!below && !above && axis.rounding != Rounding::none) continue;
      // Neighbouring values are named together.
      bool next =
          !gaps.empty() && std::find(input.domain.begin(), input.domain.end(), gaps.back().high) + 1 ==
                               std::find(input.domain.begin(), input.domain.end(), value);
      bool counted = input.type.kind == TypeKind::integer || input.type.kind == TypeKind::d66;
      if (next && counted)
        gaps.back().high = value;
      else
        gaps.push_back({value, value});
    }
  } else {
    // Whole numbers and odds have no ends of their own.
    const TableAxis::Key &first = axis.keys.front(), &last = axis.keys.back();
    // Those of `turn` are the span of the game.
    bool endless =
        (input.type.kind == TypeKind::integer || input.type.kind == TypeKind::odds) && input.name != "turn";
    // Whole numbers that are counted begin with 0 or 1.
    bool counted = input.type.kind == TypeKind::integer && (first.low == 0 || first.low == 1);
    bool below = endless && first.low != none && !axis.clampBelow && !counted;
    bool above = endless && last.high != none && !axis.clampAbove;
    if (below || above) {
      std::string ends = below ? "below " + valueName(input.type, first.low) : "";
      if (above) ends += (below ? " or above " : "above ") + valueName(input.type, last.high);
      b_.sink.report(at(place, DiagnosticCode::tableGap, {input.name + " " + ends})
                         .withHelp("`clamp " + input.name + "` takes the end key, `2..` is 2 and all above"));
      return;
    }
  }
  if (input.infinite && axis.rounding == Rounding::none) {
    for (std::size_t i = 0; i + 1 < axis.keys.size(); ++i) {
      const TableAxis::Key &a = axis.keys[i], &b = axis.keys[i + 1];
      if (a.high == none || b.low == none) continue;
      bool ordinal = input.type.kind == TypeKind::integer || input.type.kind == TypeKind::time;
      if (ordinal && b.low - a.high > 1) gaps.push_back({a.high + 1, b.low - 1});
      if (input.ordered() && less(input, a.high, b.low)) {
        Diagnostic diagnostic = at(place, DiagnosticCode::tableGap,
                                   {input.name + " between " + valueName(input.type, a.high) + " and " +
                                    valueName(input.type, b.low)});
        b_.sink.report(std::move(diagnostic).withHelp("`round " + input.name + " down` takes the key below"));
        return;
      }
    }
  }
  if (gaps.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < gaps.size() && i < 3; ++i)
    names += (i == 0 ? "" : ", ") + stretchName(input, gaps[i]);
  if (gaps.size() > 3) names += " and " + std::to_string(gaps.size() - 3) + " more";
  b_.sink.report(at(place, DiagnosticCode::tableGap, {input.name + " " + names}));
}

} // namespace hellwig::tables
