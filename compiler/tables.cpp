// SPDX-License-Identifier: Apache-2.0
// Tables: from headings, rows and clauses to axes and a dense array of cells, with the check that every input
// has exactly one cell.

#include "compiler/world_parts.h"

#include <algorithm>
#include <limits>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

/// An inclusive stretch of values of an input; `none` is an open end.
struct Stretch {
  Word low = none, high = none;
};
/// What one heading or cell says of an input: some stretches, or `any`, `any other`.
struct KeyEntry {
  std::vector<Stretch> stretches;
  bool any = false, anyOther = false;
  bool bad = false;
  NodeRef cell;
};

/// One input of a table while it is being built.
struct Input {
  std::string name;
  Type type;
  NodeRef param;
  std::vector<Word> domain; ///< all its values, where they can be counted
  bool infinite = true;
  TableAxis axis;
  std::vector<KeyEntry> entries;                     ///< as printed
  std::vector<std::vector<std::uint16_t>> positions; ///< of each entry
  bool ordered() const { return type.kind == TypeKind::odds || type.kind == TypeKind::fraction; }
};

class TableMaker {
public:
  TableMaker(Building& building, const FoldedDecl& decl)
      : b_(building), world_(building.world), decl_(decl) {}

  void make();

private:
  Package& package() { return b_.package; }
  Diagnostic at(NodeRef ref, DiagnosticCode code, const std::vector<std::string>& arguments = {}) {
    return diagnosticAt(package(), ref, code, arguments);
  }

  // -- reading
  bool readInputs();
  void readClauses();
  bool layOut();
  Input* inputNamed(const std::string& name) {
    for (Input& input : inputs_)
      if (input.name == name) return &input;
    return nullptr;
  }
  KeyEntry readKeys(const Input& input, NodeRef cell);
  Stretch readStretch(const Input& input, NodeRef key, bool& bad);
  // -- axes
  int compare(const Input& input, Word a, Word b) const;
  bool less(const Input& input, Word a, Word b) const { return compare(input, a, b) < 0; }
  bool covers(const Input& input, const Stretch& stretch, Word value) const {
    return (stretch.low == none || compare(input, stretch.low, value) <= 0) &&
           (stretch.high == none || compare(input, value, stretch.high) <= 0);
  }
  /// Does the stretch take in the whole piece?
  bool holds(const Input& input, const Stretch& stretch, const Stretch& piece) const {
    return (stretch.low == none || (piece.low != none && compare(input, stretch.low, piece.low) <= 0)) &&
           (stretch.high == none || (piece.high != none && compare(input, piece.high, stretch.high) <= 0));
  }
  bool meet(const Input& input, const Stretch& a, const Stretch& b) const {
    return (a.low == none || b.high == none || compare(input, a.low, b.high) <= 0) &&
           (b.low == none || a.high == none || compare(input, b.low, a.high) <= 0);
  }
  void makeAxis(Input& input, bool mayOverlap);
  void splitAxis(Input& input);
  void checkAxis(const Input& input);
  std::uint16_t entryOf(Input& input, NodeRef cell);
  // -- cells
  Type inferResult(const std::vector<NodeRef>& cells);
  Type resultType(NodeRef declared, const std::vector<NodeRef>& cells);
  std::optional<std::vector<Word>> resultWords(NodeRef cell, const Type& type);
  bool layOutRows(std::size_t leading, const std::vector<std::vector<std::uint16_t>>& rowEntries,
                  std::size_t cells);
  void put(const std::vector<std::uint16_t>& entries, NodeRef cell, const std::vector<Word>* words,
           std::uint16_t marks);
  void checkCells();
  std::string valueName(const Type& type, Word word) const;
  std::string stretchName(const Input& input, const Stretch& stretch) const;
  std::string positionName(const Input& input, std::uint16_t position) const;

  Building& b_;
  World& world_;
  const FoldedDecl& decl_;
  Table table_;
  World::TableFacts facts_;
  std::vector<Input> inputs_;
  Chart chart_;
  std::string cellsOf_;
  NodeRef otherwise_;
  bool faulty_ = false;
  std::vector<NodeRef> source_; ///< by cell: where it was filled
  std::set<std::pair<std::uint16_t, std::uint32_t>> overlapsReported_;
};

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
    // Whole numbers that are counted begin with 0 or 1; and where both ends are closed, the author knows them
    // all.
    bool counted = input.type.kind == TypeKind::integer;
    bool closed = counted && first.low != none && last.high != none && !axis.clampBelow && !axis.clampAbove;
    bool below = endless && !closed && first.low != none && !axis.clampBelow &&
                 !(counted && (first.low == 0 || first.low == 1));
    bool above = endless && !closed && last.high != none && !axis.clampAbove;
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

} // namespace

void Building::declareTables() {
  for (const FoldedDecl& decl : folded.decls)
    if (decl.inForce && decl.kind == NodeKind::TableDecl) TableMaker(*this, decl).make();
}

} // namespace hellwig
