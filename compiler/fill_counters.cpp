// SPDX-License-Identifier: Apache-2.0
// What stands on each counter, and where it starts: rows, settings of nodes, charts of kinds, formulas,
// defaults.

#include "compiler/world_parts.h"

#include <algorithm>
#include <numeric>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

struct Figure {
  Type type;
  Word word = none;
};

/// Fills the printed fields of the counters. A formula may read other printed fields, so a field is made when
/// it is first asked for.
class PrintedFiller {
public:
  explicit PrintedFiller(Building& building) : b_(building), world_(building.world) {
    std::size_t counters = world_.module.counters.size();
    state_.resize(world_.module.columns.size());
    for (std::size_t c = 0; c < world_.module.columns.size(); ++c) {
      Column& column = world_.module.columns[c];
      if (column.owner != Owner::counter || world_.columnFacts[c].membership >= 0) continue;
      const Type& type = world_.columnTypes[c];
      std::size_t words = type.set ? world_.setWords(type) : 1;
      column.initial.assign(counters * words, type.set ? 0 : none);
      state_[c].assign(counters, 0);
    }
  }

  void run() {
    for (std::size_t c = 0; c < world_.module.columns.size(); ++c)
      if (world_.module.columns[c].owner == Owner::counter)
        for (std::size_t i = 0; world_.columnFacts[c].membership < 0 && i < world_.module.counters.size(); ++i)
          if (world_.isKindOf(world_.module.counters[i].kind, world_.module.columns[c].ownerId)) fill(c, i);
  }

private:
  Package& package() { return b_.package; }

  /// Makes sure that the field is there; no if it cannot be had (reported).
  bool fill(std::size_t column, std::size_t counter) {
    char& state = state_[column][counter];
    if (state == done) return true;
    if (state == failed) return false;
    if (state == busy) {
      const Place& place = world_.columnFacts[column].place;
      const std::string& name = world_.module.columns[column].name;
      if (recursions_.insert(column).second)
        b_.sink.report(
            diagnosticAt(package(), place, DiagnosticCode::recursion, {name, "its formula reads it again"}));
      return false;
    }
    state = busy;
    bool good = make(column, counter);
    state_[column][counter] = good ? done : failed;
    return good;
  }

  void store(std::size_t column, std::size_t counter, const std::vector<Word>& words) {
    auto& initial = world_.module.columns[column].initial;
    std::copy(words.begin(), words.end(),
              initial.begin() + static_cast<std::ptrdiff_t>(counter * words.size()));
  }

  /// Reads a cell or setting; each is read once for all copies of its row.
  std::optional<std::vector<Word>> read(NodeRef given, const Type& type, int side, std::int32_t group) {
    auto key = std::make_pair(given.file, static_cast<std::uint32_t>(given.node));
    // A group says which counter a name means, so it is read for each group anew.
    auto keyOfType = std::make_pair(key, type.kind == TypeKind::counter && group >= 0 ? 2 + group : side);
    if (auto it = read_.find(keyOfType); it != read_.end()) return it->second;
    std::optional<std::vector<Word>> words;
    bool cell = kindOf(package(), given) == NodeKind::Cell;
    NodeRef expr = cell ? b_.readCell(given, type.kind == TypeKind::text ? CellGrammar::letters
                                                                         : CellGrammar::expression)
                        : childOf(package(), given, Role::value);
    if (present(expr)) words = constantWords(world_, package(), expr, type, b_.sink, {side, cell, group});
    read_[keyOfType] = words;
    return words;
  }
  bool isDash(NodeRef given) {
    if (kindOf(package(), given) == NodeKind::Cell)
      return treeOf(package(), given).cellText(given.node) == "-";
    return isNothing(package(), childOf(package(), given, Role::value));
  }

  bool make(std::size_t column, std::size_t counter) {
    const Type type = world_.columnTypes[column];
    if (type.kind == TypeKind::error) return false;
    const CounterInfo& info = world_.module.counters[counter];
    bool printed = world_.columnFacts[column].printed;
    NodeRef given = b_.givenField(counter, world_.module.columns[column].name);
    bool admits = type.optional || type.set;
    if (type.kind == TypeKind::label && present(given)) return takeLabel(column, counter, given);
    auto take = [&](NodeRef cell) {
      auto words = read(cell, type, info.side, b_.counterGroup[counter]);
      if (words) store(column, counter, *words);
      return words.has_value();
    };
    if (present(given) && (admits || !isDash(given) || !printed)) return take(given);
    if (!printed) {
      store(column, counter, b_.defaultWords(static_cast<std::uint16_t>(column)));
      return true;
    }
    for (std::int32_t k = info.kind; k >= 0; k = world_.module.kinds[static_cast<std::size_t>(k)].base) {
      auto it = b_.kindValues.find({static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(column)});
      if (it == b_.kindValues.end()) continue;
      if (type.kind == TypeKind::label && present(it->second.cell))
        return takeLabel(column, counter, it->second.cell);
      if (present(it->second.cell) && (admits || !isDash(it->second.cell))) return take(it->second.cell);
      if (present(it->second.formula)) return takeFormula(column, counter, it->second.formula);
    }
    if (b_.counterDropped[counter] != 0) return false;
    if (world_.columnFacts[column].onFace) { // it lacks the face, unless others of its fields are given
      store(column, counter, std::vector<Word>(type.set ? world_.setWords(type) : 1, type.set ? 0 : none));
      return true;
    }
    lacks(column, counter, given);
    return false;
  }

  bool takeLabel(std::size_t column, std::size_t counter, NodeRef given) {
    if (isDash(given)) {
      store(column, counter, {b_.ownLabel(counter)});
      return true;
    }
    bool cell = kindOf(package(), given) == NodeKind::Cell;
    NodeRef name = cell ? b_.readCell(given, CellGrammar::name) : childOf(package(), given, Role::value);
    std::string label = nameOf(package(), name);
    if (label.empty()) return false;
    Word word = b_.labelWord(world_.module.counters[counter].side, label);
    b_.labelPlaces.try_emplace(word, placeOf(package(), given));
    store(column, counter, {word});
    return true;
  }

  void lacks(std::size_t column, std::size_t counter, NodeRef given) {
    const ForceRow* row = b_.counterRow[counter];
    if (row->cells.contains("")) return; // the row itself has been reported
    if (!lacking_.insert({row, column}).second) return;
    const CounterInfo& info = world_.module.counters[counter];
    std::string name = row->name.empty() ? info.name : row->name;
    b_.sink.report(diagnosticAt(package(), present(given) ? given : row->place, DiagnosticCode::missingField,
                                {name, world_.module.columns[column].name}));
  }

  bool takeFormula(std::size_t column, std::size_t counter, NodeRef formula) {
    const Type type = world_.columnTypes[column];
    if (isFaulty(package(), formula)) return false;
    if (type.set || (type.kind != TypeKind::integer && type.kind != TypeKind::fraction &&
                     type.kind != TypeKind::boolean)) {
      std::optional<Figure> figure;
      if (!type.set && kindOf(package(), formula) == NodeKind::Member) figure = evaluate(formula, counter);
      if (figure && figure->type.kind == type.kind && figure->type.id == type.id) {
        store(column, counter, {figure->word});
        return true;
      }
      auto words = readFormula(formula, type);
      if (words) store(column, counter, *words);
      return words.has_value();
    }
    std::optional<Figure> figure = evaluate(formula, counter);
    if (!figure) return false;
    Type wanted = type;
    if (figure->word == none && (wanted.optional || figure->type.kind == TypeKind::nothing)) {
      if (!wanted.optional) return wrongType(formula, figure->type, wanted);
      store(column, counter, {none});
      return true;
    }
    if (figure->word == none) return wrongType(formula, Type{TypeKind::nothing, 0, false, false}, wanted);
    if (wanted.kind == TypeKind::fraction && figure->type.kind == TypeKind::integer)
      figure = Figure{wanted, packRatio(static_cast<std::int32_t>(figure->word), 1)};
    if (figure->type.kind != wanted.kind) return wrongType(formula, figure->type, wanted);
    store(column, counter, {figure->word});
    return true;
  }
  /// A formula that is a constant.
  std::optional<std::vector<Word>> readFormula(NodeRef expr, const Type& type) {
    auto key = std::make_pair(std::make_pair(expr.file, static_cast<std::uint32_t>(expr.node)), -2);
    if (auto it = read_.find(key); it != read_.end()) return it->second;
    return read_[key] = constantWords(world_, package(), expr, type, b_.sink, {});
  }
  bool wrongType(NodeRef formula, const Type& is, const Type& wanted) {
    if (reported_.insert({formula.file, static_cast<std::uint32_t>(formula.node)}).second)
      b_.sink.report(diagnosticAt(package(), formula, DiagnosticCode::typeMismatch,
                                  {world_.typeName(is), world_.typeName(wanted)}));
    return false;
  }
  std::optional<Figure> refuse(NodeRef expr) {
    if (reported_.insert({expr.file, static_cast<std::uint32_t>(expr.node)}).second)
      b_.refuse(expr, std::string(treeOf(package(), expr).text(expr.node)));
    return std::nullopt;
  }

  // ---- Formulas

  static Figure integer(std::int64_t value) { return {Type{TypeKind::integer, 0, false, false}, value}; }
  static Figure truth(bool value) { return {Type{TypeKind::boolean, 0, false, false}, value ? 1 : 0}; }
  static bool numeric(const Figure& f) {
    return f.type.kind == TypeKind::integer || f.type.kind == TypeKind::fraction;
  }
  static std::pair<std::int64_t, std::int64_t> ratioOf(const Figure& f) {
    if (f.type.kind == TypeKind::integer) return {f.word, 1};
    return {numeratorOf(f.word), denominatorOf(f.word)};
  }

  std::optional<Figure> evaluate(NodeRef expr, std::size_t counter) {
    if (isFaulty(package(), expr)) return std::nullopt;
    auto part = [&](Role role) { return evaluate(childOf(package(), expr, role), counter); };
    switch (kindOf(package(), expr)) {
    case NodeKind::Paren: return part(Role::value);
    case NodeKind::Member: return member(expr, counter);
    case NodeKind::Rounded: return rounded(expr, counter);
    case NodeKind::Negate: {
      auto operand = part(Role::operand);
      if (!operand || operand->word == none) return operand;
      auto [n, d] = ratioOf(*operand);
      return number(expr, -n, d, operand->type.kind == TypeKind::fraction);
    }
    case NodeKind::Binary: return binary(expr, counter);
    case NodeKind::Not: {
      auto operand = part(Role::operand);
      if (!operand || operand->type.kind != TypeKind::boolean) return operand ? refuse(expr) : operand;
      return truth(operand->word == 0);
    }
    case NodeKind::Compare: return compare(expr, counter);
    case NodeKind::Call: return call(expr, counter);
    case NodeKind::If: {
      auto condition = part(Role::condition);
      if (!condition) return std::nullopt;
      if (condition->type.kind != TypeKind::boolean) return refuse(expr);
      return part(condition->word == 1 ? Role::then : Role::elseBody);
    }
    case NodeKind::Otherwise: {
      auto left = part(Role::left);
      return left && left->word == none ? part(Role::right) : left;
    }
    default: break;
    }
    if (isNothing(package(), expr)) return Figure{Type{TypeKind::nothing, 0, false, false}, none};
    std::vector<Type> types = constantTypes(world_, package(), expr);
    if (types.size() != 1 || types.front().set) return refuse(expr);
    auto word = constantOf(world_, package(), expr, types.front(), b_.sink);
    if (!word) return std::nullopt;
    return Figure{types.front(), *word};
  }

  /// `it.f` and `it.f.p`, p a property of the value of f.
  std::optional<Figure> member(NodeRef expr, std::size_t counter) {
    NodeRef base = childOf(package(), expr, Role::base), nameNode = childOf(package(), expr, Role::name);
    std::string name = nameOf(package(), nameNode);
    if (hasFlag(package(), expr, NodeFlags::hasArgs) || !present(base)) return refuse(expr);
    bool it = kindOf(package(), base) == NodeKind::Constant && opOf(package(), base) == TokenKind::kw_it;
    if (!it && kindOf(package(), base) == NodeKind::Member &&
        nameOf(package(), base, Role::name) == "printed")
      it = true;
    if (it) {
      Type owner{TypeKind::counter, world_.module.counters[counter].kind, false, false};
      std::int32_t column = world_.columnOf(owner, name);
      if (column < 0) {
        if (name == "side")
          return Figure{Type{TypeKind::side, 0, false, false}, world_.module.counters[counter].side};
        return unknown(nameNode, name, world_.typeName(owner));
      }
      if (!world_.columnFacts[static_cast<std::size_t>(column)].printed ||
          world_.columnTypes[static_cast<std::size_t>(column)].set)
        return refuse(expr);
      if (!fill(static_cast<std::size_t>(column), counter)) return std::nullopt;
      Type type = world_.columnTypes[static_cast<std::size_t>(column)];
      type.optional = false;
      return Figure{type, world_.module.columns[static_cast<std::size_t>(column)].initial[counter]};
    }
    if (kindOf(package(), base) != NodeKind::Member) return refuse(expr);
    auto owner = evaluate(base, counter);
    if (!owner) return std::nullopt;
    if (owner->type.kind != TypeKind::enumeration) return refuse(expr);
    std::int32_t column = world_.columnOf(owner->type, name);
    if (column < 0) return unknown(nameNode, name, world_.typeName(owner->type));
    Type type = world_.columnTypes[static_cast<std::size_t>(column)];
    if (type.set || type.kind == TypeKind::error) return std::nullopt;
    type.optional = false;
    const auto& initial = world_.module.columns[static_cast<std::size_t>(column)].initial;
    auto index = static_cast<std::size_t>(owner->word);
    return Figure{type, owner->word == none || index >= initial.size() ? none : initial[index]};
  }
  std::optional<Figure> unknown(NodeRef at, const std::string& name, const std::string& owner) {
    if (reported_.insert({at.file, static_cast<std::uint32_t>(at.node)}).second)
      b_.sink.report(diagnosticAt(package(), at, DiagnosticCode::unknownField, {name, owner}));
    return std::nullopt;
  }

  std::optional<Figure> number(NodeRef expr, std::int64_t n, std::int64_t d, bool fraction) {
    std::optional<Word> ratio = ratioWord(n, d);
    if (!ratio) {
      if (reported_.insert({expr.file, static_cast<std::uint32_t>(expr.node)}).second)
        b_.sink.report(diagnosticAt(package(), expr, DiagnosticCode::numberOutOfRange, {"this", "32 bits"}));
      return std::nullopt;
    }
    if (!fraction) return integer(numeratorOf(*ratio));
    return Figure{Type{TypeKind::fraction, 0, false, false}, *ratio};
  }

  std::optional<Figure> binary(NodeRef expr, std::size_t counter) {
    auto left = evaluate(childOf(package(), expr, Role::left), counter);
    TokenKind op = opOf(package(), expr);
    if (!left) return std::nullopt;
    if (op == TokenKind::kw_and || op == TokenKind::kw_or) {
      if (left->type.kind != TypeKind::boolean) return refuse(expr);
      if ((left->word == 1) == (op == TokenKind::kw_or)) return left;
      return evaluate(childOf(package(), expr, Role::right), counter);
    }
    auto right = evaluate(childOf(package(), expr, Role::right), counter);
    if (!right) return std::nullopt;
    if (left->word == none || right->word == none)
      return Figure{left->word == none ? right->type : left->type, none};
    if (!numeric(*left) || !numeric(*right)) return refuse(expr);
    auto [ln, ld] = ratioOf(*left);
    auto [rn, rd] = ratioOf(*right);
    bool fraction = left->type.kind == TypeKind::fraction || right->type.kind == TypeKind::fraction;
    switch (op) {
    case TokenKind::plus: return number(expr, ln * rd + rn * ld, ld * rd, fraction);
    case TokenKind::minus: return number(expr, ln * rd - rn * ld, ld * rd, fraction);
    case TokenKind::star: return number(expr, ln * rn, ld * rd, fraction);
    case TokenKind::slash:
    case TokenKind::kw_mod:
      if (rn == 0) {
        if (reported_.insert({expr.file, static_cast<std::uint32_t>(expr.node)}).second)
          b_.sink.report(diagnosticAt(package(), expr, DiagnosticCode::divisionByZero));
        return std::nullopt;
      }
      if (op == TokenKind::slash) return number(expr, ln * rd, ld * rn, true);
      if (fraction) return refuse(expr);
      return integer(((ln % rn) + rn) % rn);
    default: return refuse(expr);
    }
  }

  std::optional<Figure> rounded(NodeRef expr, std::size_t counter) {
    auto value = evaluate(childOf(package(), expr, Role::value), counter);
    if (!value || value->word == none)
      return value ? std::optional<Figure>(Figure{integer(0).type, none}) : value;
    if (!numeric(*value)) return refuse(expr);
    auto [n, d] = ratioOf(*value);
    auto floorOf = [](std::int64_t a, std::int64_t b) {
      return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    };
    switch (opOf(package(), expr)) {
    case TokenKind::kw_up: return integer(-floorOf(-n, d));
    case TokenKind::kw_near: return integer(floorOf(2 * n + d, 2 * d)); // halves go up
    default: return integer(floorOf(n, d));
    }
  }

  /// `smaller(a, b)`, `larger(a, b)`.
  std::optional<Figure> call(NodeRef expr, std::size_t counter) {
    std::string name = nameOf(package(), expr);
    std::vector<NodeRef> arguments = childrenOf(package(), expr, Role::arg);
    if ((name != "smaller" && name != "larger") || arguments.size() != 2) return refuse(expr);
    auto left = evaluate(childOf(package(), arguments[0], Role::value), counter);
    auto right = evaluate(childOf(package(), arguments[1], Role::value), counter);
    if (!left || !right) return std::nullopt;
    if (left->word == none || right->word == none) return left->word == none ? left : right;
    if (!numeric(*left) || !numeric(*right)) return refuse(expr);
    auto [ln, ld] = ratioOf(*left);
    auto [rn, rd] = ratioOf(*right);
    bool takeLeft = (ln * rd < rn * ld) == (name == "smaller");
    Figure taken = takeLeft ? *left : *right;
    bool fraction = left->type.kind == TypeKind::fraction || right->type.kind == TypeKind::fraction;
    auto [n, d] = ratioOf(taken);
    return number(expr, n, d, fraction);
  }

  std::optional<Figure> compare(NodeRef expr, std::size_t counter) {
    NodeRef rightNode = childOf(package(), expr, Role::right);
    auto left = evaluate(childOf(package(), expr, Role::left), counter);
    if (!left) return std::nullopt;
    std::optional<Figure> right;
    bool named = kindOf(package(), rightNode) == NodeKind::NameExpr;
    if (named && left->type.kind != TypeKind::error) {
      auto word = constantOf(world_, package(), rightNode, left->type, b_.sink);
      if (!word) return std::nullopt;
      right = Figure{left->type, *word};
    } else {
      right = evaluate(rightNode, counter);
    }
    if (!right) return std::nullopt;
    TokenKind op = opOf(package(), expr);
    bool negated = hasFlag(package(), expr, NodeFlags::negated);
    if (op == TokenKind::kw_is) {
      bool equal = left->word == right->word;
      if (numeric(*left) && numeric(*right) && left->word != none && right->word != none)
        equal = ratioOf(*left) == ratioOf(*right);
      return truth(equal != negated);
    }
    if (left->word == none || right->word == none) return refuse(expr);
    std::int64_t order = left->word < right->word ? -1 : left->word > right->word ? 1 : 0;
    if (numeric(*left) && numeric(*right)) {
      auto [ln, ld] = ratioOf(*left);
      auto [rn, rd] = ratioOf(*right);
      order = ln * rd - rn * ld;
    } else if (left->type != right->type) {
      return refuse(expr);
    }
    switch (op) {
    case TokenKind::less: return truth(order < 0);
    case TokenKind::lessEqual: return truth(order <= 0);
    case TokenKind::greater: return truth(order > 0);
    case TokenKind::greaterEqual: return truth(order >= 0);
    default: return refuse(expr);
    }
  }

  enum : char { open = 0, busy = 1, done = 2, failed = 3 };
  Building& b_;
  World& world_;
  std::vector<std::vector<char>> state_; ///< by column and counter
  std::map<std::pair<std::pair<std::uint16_t, std::uint32_t>, int>, std::optional<std::vector<Word>>> read_;
  std::set<std::pair<const ForceRow*, std::size_t>> lacking_;
  std::set<std::pair<std::uint16_t, std::uint32_t>> reported_;
  std::set<std::size_t> recursions_;
};

} // namespace

NodeRef Building::givenField(std::size_t counter, const std::string& name) const {
  const ForceRow* row = counterRow[counter];
  if (auto copy = row->copyCells.find(counterCopy[counter]); copy != row->copyCells.end())
    if (auto it = copy->second.find(name); it != copy->second.end()) return it->second;
  if (auto it = row->cells.find(name); it != row->cells.end()) return it->second;
  for (const auto* settings : counterSettings[counter])
    if (auto it = settings->find(name); it != settings->end()) return it->second;
  return {};
}

std::vector<Word> Building::defaultWords(std::uint16_t column) {
  const Type& type = world.columnTypes[column];
  std::size_t words = type.set ? world.setWords(type) : 1;
  auto made = stateDefaultWords.find(column);
  if (made != stateDefaultWords.end()) return made->second;
  std::vector<Word> value(words, type.set ? 0 : world.columnFacts[column].face ? 0 : none);
  auto it = stateDefaults.find(column);
  if (it != stateDefaults.end() && type.kind != TypeKind::error && present(it->second))
    if (auto constant = constantWords(world, package, it->second, type, sink)) value = *constant;
  stateDefaultWords[column] = value;
  if (!type.set) world.module.columns[column].defaultValue = value.front();
  return value;
}

void Building::fillCounters() {
  PrintedFiller(*this).run();
  checkFaces();
  placeCounters();
}

void Building::placeCounters() {
  std::set<const ForceRow*> reported;
  std::map<std::pair<std::pair<std::uint16_t, std::uint32_t>, int>, std::pair<std::int32_t, std::int32_t>>
      read;
  for (std::size_t c = 0; c < world.module.counters.size(); ++c) {
    if (counterDropped[c] != 0 || counterRow[c]->madeBy) continue;
    CounterInfo& info = world.module.counters[c];
    NodeRef given = givenField(c, "at");
    bool dash =
        kindOf(package, given) == NodeKind::Cell && treeOf(package, given).cellText(given.node) == "-";
    if (!present(given) || dash) {
      const ForceRow* row = counterRow[c];
      if (row->box >= 0)
        info.startBox = row->box;
      else if (row->box == -1 && !row->cells.contains("") && reported.insert(row).second)
        sink.report(
            diagnosticAt(package, row->place, DiagnosticCode::startsNowhere,
                         {row->name.empty() ? info.name : row->name, world.module.sides[info.side].name}));
      continue;
    }
    auto key = std::make_pair(std::make_pair(given.file, static_cast<std::uint32_t>(given.node)),
                              static_cast<int>(info.side));
    auto it = read.find(key);
    if (it == read.end()) {
      bool cell = kindOf(package, given) == NodeKind::Cell;
      NodeRef expr = cell ? readCell(given, CellGrammar::expression) : childOf(package, given, Role::value);
      std::pair<std::int32_t, std::int32_t> start{-1, -1};
      if (present(expr)) {
        std::string word = nameOf(package, expr);
        bool label = kindOf(package, expr) == NodeKind::NameExpr && hexByLabel(world.module.board, word) >= 0;
        if (kindOf(package, expr) == NodeKind::Call)
          start.second = boxCalled(expr, info.side).value_or(-1);
        else if (kindOf(package, expr) == NodeKind::NameExpr && !label)
          start.second = boxNamed(expr, info.side).value_or(-1);
        else if (auto words = constantWords(world, package, expr, {TypeKind::hex, 0, false, false}, sink,
                                            {static_cast<int>(info.side), cell}))
          start.first = static_cast<std::int32_t>(words->front());
      }
      it = read.emplace(key, start).first;
    }
    info.startHex = it->second.first;
    info.startBox = it->second.second;
  }
}

} // namespace hellwig
