// SPDX-License-Identifier: Apache-2.0
// Constant expressions: defaults, cells of charts and tables, settings of the order of battle.

#include "compiler/world_parts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

Word internString(Module& module, std::string_view text) {
  for (std::size_t i = 0; i < module.strings.size(); ++i)
    if (module.strings[i] == text) return static_cast<Word>(i);
  module.strings.emplace_back(text);
  return static_cast<Word>(module.strings.size() - 1);
}

std::optional<Word> ratioWord(std::int64_t numerator, std::int64_t denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (std::int64_t divisor = std::gcd(numerator, denominator); divisor > 1) {
    numerator /= divisor;
    denominator /= divisor;
  }
  if (numerator < std::numeric_limits<std::int32_t>::min() ||
      numerator > std::numeric_limits<std::int32_t>::max() ||
      denominator > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  return packRatio(static_cast<std::int32_t>(numerator), static_cast<std::int32_t>(denominator));
}

bool isNothing(const Package& package, NodeRef expr) {
  if (!present(expr)) return true;
  NodeKind kind = kindOf(package, expr);
  return kind == NodeKind::Nothing ||
         (kind == NodeKind::Constant && opOf(package, expr) == TokenKind::kw_none);
}

namespace {

std::string wordsOf(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::enumeration: return "a type";
  case SymbolKind::enumValue: return "a value";
  case SymbolKind::counterKind: return "a kind of counter";
  case SymbolKind::plural: return "the set of the counters on the map";
  case SymbolKind::counter: return "a counter";
  case SymbolKind::counters: return "a set of counters";
  case SymbolKind::side: return "a side";
  case SymbolKind::box: return "a box";
  case SymbolKind::map: return "a map";
  case SymbolKind::area: return "an area";
  case SymbolKind::sheet: return "a sheet";
  case SymbolKind::hexLabel: return "a hex";
  case SymbolKind::state: return "a state of the game";
  case SymbolKind::option: return "an option";
  case SymbolKind::scenario: return "a scenario";
  case SymbolKind::groupKind: return "a kind of group";
  case SymbolKind::groupPlural: return "the set of all groups of a kind";
  case SymbolKind::group: return "a group";
  case SymbolKind::record: return "a record";
  }
  return "a name";
}

/// Reads one constant; each answer is nullopt where something has been reported.
class ConstantReader {
public:
  ConstantReader(World& world, Package& package, DiagnosticSink& sink, ConstantContext context)
      : world_(world), package_(package), sink_(sink), context_(context) {}

  std::optional<std::vector<Word>> words(NodeRef expr, const Type& expected) {
    if (expected.kind == TypeKind::error || isFaulty(package_, expr)) return std::nullopt;
    if (!expected.set) {
      std::optional<Word> word = scalar(expr, expected);
      if (!word) return std::nullopt;
      return std::vector<Word>{*word};
    }
    std::vector<Word> set(world_.setWords(expected), 0);
    if (!addToSet(expr, expected, set)) return std::nullopt;
    return set;
  }

private:
  void mismatch(NodeRef expr, const std::string& what, const Type& expected) {
    std::vector<std::string> arguments = {what, world_.typeName(expected)};
    sink_.report(diagnosticAt(
        package_, expr, context_.cell ? DiagnosticCode::cellType : DiagnosticCode::typeMismatch, arguments));
  }

  bool addToSet(NodeRef expr, const Type& expected, std::vector<Word>& set) {
    if (isFaulty(package_, expr)) return false;
    if (isNothing(package_, expr)) return true;
    NodeKind kind = kindOf(package_, expr);
    if (kind == NodeKind::Paren) return addToSet(childOf(package_, expr, Role::value), expected, set);
    if (kind == NodeKind::ListParen) {
      bool good = true;
      for (NodeRef item : childrenOf(package_, expr, Role::item))
        good = addToSet(item, expected, set) && good;
      return good;
    }
    Type element = expected;
    element.set = false;
    element.optional = false;
    if (kind == NodeKind::RangeTo && expected.kind == TypeKind::integer) {
      auto low = scalar(childOf(package_, expr, Role::left), element);
      auto high = scalar(childOf(package_, expr, Role::right), element);
      if (!low || !high) return false;
      bool good = true;
      for (Word w = *low; w <= *high && good; ++w) good = addElement(expr, element, w, set);
      return good;
    }
    if (kind == NodeKind::NameExpr || kind == NodeKind::Name) {
      std::string name = nameOf(package_, expr);
      if (const std::vector<Symbol>* symbols = world_.find(name)) {
        for (const Symbol& symbol : *symbols) {
          if (symbol.kind == SymbolKind::area && expected.kind == TypeKind::hex) {
            const auto& hexes = world_.module.areas[static_cast<std::size_t>(symbol.value)].hexes;
            for (std::size_t i = 0; i < hexes.size() && i < set.size(); ++i)
              set[i] |= static_cast<Word>(hexes[i]);
            return true;
          }
          if (symbol.kind == SymbolKind::enumeration && expected.kind == TypeKind::enumeration &&
              symbol.id == expected.id) {
            for (std::size_t v = 0; v < world_.module.enums[symbol.id].values.size(); ++v)
              addElement(expr, element, static_cast<Word>(v), set);
            return true;
          }
        }
        for (const Symbol& symbol : *symbols)
          if (symbol.kind == SymbolKind::groupPlural && expected.kind == TypeKind::group &&
              symbol.id == expected.id) {
            const auto& members = world_.module.groupKinds[symbol.id].members;
            for (std::size_t i = 0; i < members.size() && i < set.size(); ++i)
              set[i] |= static_cast<Word>(members[i]);
            return true;
          }
        for (int pass = 0; pass < 2; ++pass) // those of the side first
          for (const Symbol& symbol : *symbols)
            if (symbol.kind == SymbolKind::counters && expected.kind == TypeKind::counter &&
                (pass == 1 || context_.side < 0 || symbol.side == context_.side)) {
              const auto& members = world_.counterSets[symbol.id];
              for (std::size_t i = 0; i < members.size() && i < set.size(); ++i)
                set[i] |= static_cast<Word>(members[i]);
              return true;
            }
      }
    }
    if (kind == NodeKind::Member && expected.kind == TypeKind::counter)
      if (const std::vector<Symbol>* owners =
              world_.find(nameOf(package_, childOf(package_, expr, Role::base))))
        for (const Symbol& owner : *owners) {
          if (owner.kind != SymbolKind::side && owner.kind != SymbolKind::group) continue;
          for (const Symbol& symbol : world_.inside(owner, nameOf(package_, expr, Role::name)))
            if (symbol.kind == SymbolKind::counters) {
              const auto& members = world_.counterSets[symbol.id];
              for (std::size_t i = 0; i < members.size() && i < set.size(); ++i)
                set[i] |= static_cast<Word>(members[i]);
              return true;
            }
        }
    std::optional<Word> word = scalar(expr, element);
    return word && addElement(expr, element, *word, set);
  }

  bool addElement(NodeRef expr, const Type& element, Word word, std::vector<Word>& set) {
    if (element.kind == TypeKind::integer || element.kind == TypeKind::d66) {
      if (word < lowestSetInt || word >= lowestSetInt + static_cast<Word>(setIntCount)) {
        sink_.report(diagnosticAt(package_, expr, DiagnosticCode::numberOutOfRange,
                                  {std::to_string(word), "-512 .. 511"}));
        return false;
      }
      word -= lowestSetInt;
    }
    auto bit = static_cast<std::size_t>(word);
    if (bit / 64 < set.size()) set[bit / 64] |= static_cast<Word>(std::uint64_t{1} << (bit % 64));
    return true;
  }

  std::optional<Word> scalar(NodeRef expr, const Type& expected) {
    if (isFaulty(package_, expr)) return std::nullopt;
    if (isNothing(package_, expr)) {
      if (expected.optional) return none;
      mismatch(expr, "none", expected);
      return std::nullopt;
    }
    const SyntaxTree& tree = treeOf(package_, expr);
    switch (tree.kind(expr.node)) {
    case NodeKind::Paren: return scalar(childOf(package_, expr, Role::value), expected);
    case NodeKind::IntLiteral: return integer(expr, expected);
    case NodeKind::FractionLiteral:
      if (expected.kind == TypeKind::fraction) return pair(expr);
      mismatch(expr, "a fraction", expected);
      return std::nullopt;
    case NodeKind::OddsLiteral:
      if (expected.kind == TypeKind::odds) return pair(expr);
      if (expected.kind == TypeKind::time) return time(expr);
      mismatch(expr, "a ratio or time", expected);
      return std::nullopt;
    case NodeKind::Constant: {
      TokenKind op = tree.op(expr.node);
      if (expected.kind == TypeKind::boolean && (op == TokenKind::kw_yes || op == TokenKind::kw_no))
        return op == TokenKind::kw_yes ? 1 : 0;
      mismatch(expr,
               op == TokenKind::kw_yes || op == TokenKind::kw_no ? "bool" : std::string(tree.text(expr.node)),
               expected);
      return std::nullopt;
    }
    case NodeKind::Call: {
      // `d66(43)`: two dice read as digits.
      std::vector<NodeRef> args = childrenOf(package_, expr, Role::arg);
      if (expected.kind != TypeKind::d66 || nameOf(package_, expr, Role::name) != "d66" || args.size() != 1)
        break;
      NodeRef digits = childOf(package_, args.front(), Role::value);
      if (kindOf(package_, digits) != NodeKind::IntLiteral) break;
      return integer(digits, expected);
    }
    case NodeKind::Text: return text(expr, expected);
    case NodeKind::Letters:
      if (expected.kind == TypeKind::text) return internString(world_.module, tree.text(expr.node));
      mismatch(expr, "text", expected);
      return std::nullopt;
    case NodeKind::HexLiteral: {
      NodeRef ref = childOf(package_, expr, Role::ref);
      if (expected.kind == TypeKind::hex && present(ref)) return hex(ref);
      if (present(ref)) mismatch(expr, "a hex", expected);
      return std::nullopt;
    }
    case NodeKind::HexsideLiteral: {
      NodeRef ref = childOf(package_, expr, Role::ref);
      if (expected.kind != TypeKind::hexside) {
        mismatch(expr, "a hexside", expected);
        return std::nullopt;
      }
      if (!present(ref)) return std::nullopt;
      int side = hexsideByLabel(world_.module.board, tree.text(ref.node));
      if (side >= 0) return side;
      sink_.report(
          diagnosticAt(package_, ref, DiagnosticCode::noSuchHexside, {std::string(tree.text(ref.node))}));
      return std::nullopt;
    }
    case NodeKind::Keys: {
      auto keys = childrenOf(package_, expr, Role::key);
      if (keys.size() == 1) return scalar(keys.front(), expected);
      break;
    }
    case NodeKind::NameExpr:
    case NodeKind::Name: return name(expr, expected);
    case NodeKind::Member: return member(expr, expected);
    case NodeKind::Negate:
    case NodeKind::Binary: return arithmetic(expr, expected);
    default: break;
    }
    sink_.report(diagnosticAt(package_, expr, DiagnosticCode::notConstant));
    return std::nullopt;
  }

  std::optional<Word> integer(NodeRef expr, const Type& expected) {
    const SyntaxTree& tree = treeOf(package_, expr);
    if (expected.kind == TypeKind::hex) return hex(expr);
    std::optional<std::int32_t> value = tree.intOf(expr.node);
    if (!value) return std::nullopt; // reported by the parser
    switch (expected.kind) {
    case TypeKind::integer: return *value;
    case TypeKind::fraction: return packRatio(*value, 1);
    case TypeKind::d66:
      if (*value / 10 >= 1 && *value / 10 <= 6 && *value % 10 >= 1 && *value % 10 <= 6) return *value;
      sink_.report(diagnosticAt(package_, expr, DiagnosticCode::numberOutOfRange,
                                {std::to_string(*value), "11 .. 66 with digits from 1 to 6"}));
      return std::nullopt;
    default: mismatch(expr, "an int", expected); return std::nullopt;
    }
  }

  std::optional<Word> pair(NodeRef expr) {
    auto parts = treeOf(package_, expr).pairOf(expr.node);
    if (!parts) return std::nullopt;
    if (parts->second == 0 && (kindOf(package_, expr) == NodeKind::FractionLiteral || parts->first == 0)) {
      sink_.report(diagnosticAt(package_, expr, DiagnosticCode::divisionByZero));
      return std::nullopt;
    }
    return ratioWord(parts->first, parts->second);
  }

  std::optional<Word> time(NodeRef expr) {
    auto parts = treeOf(package_, expr).pairOf(expr.node);
    if (!parts) return std::nullopt;
    if (parts->first < 24 && parts->second < 60) return world_.timeOf(parts->first, parts->second);
    sink_.report(diagnosticAt(package_, expr, DiagnosticCode::numberOutOfRange,
                              {std::string(treeOf(package_, expr).text(expr.node)), "0:00 .. 23:59"}));
    return std::nullopt;
  }

  std::optional<Word> hex(NodeRef ref) {
    std::string label(treeOf(package_, ref).text(ref.node));
    int id = hexByLabel(world_.module.board, label);
    if (id >= 0) return id;
    sink_.report(diagnosticAt(package_, ref, DiagnosticCode::hexOffMap, {label}));
    return std::nullopt;
  }

  std::optional<Word> text(NodeRef expr, const Type& expected) {
    if (expected.kind != TypeKind::text) {
      sink_.report(diagnosticAt(package_, expr, DiagnosticCode::textForThing));
      return std::nullopt;
    }
    for (NodeRef part : childrenOf(package_, expr, Role::part))
      if (kindOf(package_, part) == NodeKind::Hole) {
        sink_.report(diagnosticAt(package_, part, DiagnosticCode::notConstant));
        return std::nullopt;
      }
    return internString(world_.module, treeOf(package_, expr).textOf(expr.node));
  }

  bool fits(const Symbol& symbol, const Type& expected) const {
    switch (symbol.kind) {
    case SymbolKind::enumValue: return expected.kind == TypeKind::enumeration && symbol.id == expected.id;
    case SymbolKind::counter:
      return expected.kind == TypeKind::counter &&
             world_.isKindOf(world_.module.counters[static_cast<std::size_t>(symbol.value)].kind,
                             expected.id);
    case SymbolKind::group: return expected.kind == TypeKind::group && symbol.id == expected.id;
    case SymbolKind::side: return expected.kind == TypeKind::side;
    case SymbolKind::box: return expected.kind == TypeKind::box;
    case SymbolKind::area: return expected.kind == TypeKind::area;
    case SymbolKind::hexLabel: return expected.kind == TypeKind::hex;
    default: return false;
    }
  }

  /// How near to where the constant stands a counter or group is: 0 another side's, 1 its own, more in its
  /// groups.
  int nearness(const Symbol& symbol) const {
    if (context_.side < 0 || symbol.side < 0) return 1;
    if (symbol.side != context_.side) return 0;
    int rank = 1;
    bool counter = symbol.kind == SymbolKind::counter;
    if (context_.group < 0 || (!counter && symbol.kind != SymbolKind::group)) return rank;
    std::vector<Word> groups;
    for (const GroupKindInfo& info : world_.module.groupKinds)
      if (Word above =
              world_.module.columns[info.groupColumn].initial[static_cast<std::size_t>(context_.group)];
          above != none)
        groups.push_back(above);
    groups.push_back(context_.group);
    for (Word group : groups)
      if (world_.beginsIn(counter, symbol.value, group)) ++rank;
    return rank;
  }

  std::optional<Word> name(NodeRef expr, const Type& expected) {
    std::string word = nameOf(package_, expr);
    const Board& board = world_.module.board;
    if (expected.kind == TypeKind::direction) {
      int direction = directionByName(board.shape, word);
      if (direction < 0) direction = cornerByName(board.shape, word);
      if (direction >= 0) return direction;
    }
    const std::vector<Symbol>* symbols = world_.find(word);
    const Symbol *only = nullptr, *second = nullptr;
    if (symbols)
      for (const Symbol& symbol : *symbols) {
        if (!fits(symbol, expected)) continue;
        // Those of the same group come first, then those of the groups above it, then those of the side.
        const int rank = nearness(symbol), best = only ? nearness(*only) : 0;
        const bool other = rank < best, otherOnly = only && rank > best;
        if (!only || otherOnly) {
          only = &symbol;
          second = nullptr;
        } else if (!other) {
          second = &symbol;
        }
      }
    if (only && second) {
      auto owner = [&](const Symbol& symbol) {
        return symbol.side < 0 ? wordsOf(symbol.kind)
                               : wordsOf(symbol.kind) + " of " +
                                     world_.module.sides[static_cast<std::size_t>(symbol.side)].name;
      };
      sink_.report(
          diagnosticAt(package_, expr, DiagnosticCode::ambiguousName, {word, owner(*only), owner(*second)}));
      return std::nullopt;
    }
    if (only) return only->value;
    if (expected.kind == TypeKind::hex) {
      int id = hexByLabel(board, word);
      if (id >= 0) return id;
    }
    if (symbols && !symbols->empty()) {
      SymbolKind kind = symbols->front().kind;
      std::string what = wordsOf(kind);
      if (kind == SymbolKind::enumValue) what += " of " + world_.module.enums[symbols->front().id].name;
      if (kind == SymbolKind::counter && expected.kind == TypeKind::counter)
        what =
            "a " +
            world_.module.kinds[world_.module.counters[static_cast<std::size_t>(symbols->front().value)].kind]
                .name;
      sink_.report(diagnosticAt(package_, expr, DiagnosticCode::wrongKindOfName,
                                {word, what, world_.typeName(expected)}));
      return std::nullopt;
    }
    std::vector<std::string> known;
    for (const auto& [other, list] : world_.nouns)
      if (std::any_of(list.begin(), list.end(), [&](const Symbol& symbol) { return fits(symbol, expected); }))
        known.push_back(other);
    std::sort(known.begin(), known.end());
    if (expected.kind == TypeKind::direction)
      for (int d = 0; d < 6; ++d) known.emplace_back(directionName(board.shape, d));
    if (expected.kind == TypeKind::boolean) known = {"yes", "no"};
    if (known.empty() && !world_.find(word)) {
      sink_.report(
          diagnosticAt(package_, expr, DiagnosticCode::unknownName, {word, world_.typeName(expected)}));
      return std::nullopt;
    }
    Type plain = expected;
    plain.optional = false;
    sink_.report(
        suggesting(diagnosticAt(package_, expr, DiagnosticCode::unknownName, {word, world_.typeName(plain)}),
                   word, known));
    return std::nullopt;
  }

  /// `Formation.column`, `Prussia.Frederick`.
  std::optional<Word> member(NodeRef expr, const Type& expected) {
    NodeRef base = childOf(package_, expr, Role::base), field = childOf(package_, expr, Role::name);
    std::string owner = nameOf(package_, base), word = nameOf(package_, field);
    if (kindOf(package_, base) == NodeKind::NameExpr && present(field)) {
      const std::vector<Symbol>* owners = world_.find(owner);
      const std::vector<Symbol>* symbols = world_.find(word);
      if (owners)
        for (const Symbol& of : *owners)
          if (of.kind == SymbolKind::group)
            for (const Symbol& symbol : world_.inside(of, word))
              if (fits(symbol, expected)) return symbol.value;
      if (owners && symbols)
        for (const Symbol& of : *owners)
          for (const Symbol& symbol : *symbols) {
            bool inOwner = (of.kind == SymbolKind::enumeration && symbol.kind == SymbolKind::enumValue &&
                            symbol.id == of.id) ||
                           (of.kind == SymbolKind::side && symbol.side == of.value);
            if (inOwner && fits(symbol, expected)) return symbol.value;
          }
      if (owners) {
        sink_.report(diagnosticAt(package_, field, DiagnosticCode::unknownField, {word, owner}));
        return std::nullopt;
      }
    }
    sink_.report(diagnosticAt(package_, expr, DiagnosticCode::notConstant));
    return std::nullopt;
  }

  std::optional<Word> arithmetic(NodeRef expr, const Type& expected) {
    bool fraction = expected.kind == TypeKind::fraction;
    if (!fraction && expected.kind != TypeKind::integer) {
      mismatch(expr, "a number", expected);
      return std::nullopt;
    }
    Type plain = expected;
    plain.optional = false;
    auto parts = [&](NodeRef operand) -> std::optional<std::pair<std::int64_t, std::int64_t>> {
      std::optional<Word> word = scalar(operand, plain);
      if (!word) return std::nullopt;
      if (!fraction) return std::pair<std::int64_t, std::int64_t>{*word, 1};
      return std::pair<std::int64_t, std::int64_t>{numeratorOf(*word), denominatorOf(*word)};
    };
    std::int64_t n = 0, d = 1;
    if (kindOf(package_, expr) == NodeKind::Negate) {
      auto operand = parts(childOf(package_, expr, Role::operand));
      if (!operand) return std::nullopt;
      n = -operand->first;
      d = operand->second;
    } else {
      auto left = parts(childOf(package_, expr, Role::left)),
           right = parts(childOf(package_, expr, Role::right));
      if (!left || !right) return std::nullopt;
      switch (opOf(package_, expr)) {
      case TokenKind::plus: n = left->first * right->second + right->first * left->second; break;
      case TokenKind::minus: n = left->first * right->second - right->first * left->second; break;
      case TokenKind::star: n = left->first * right->first; break;
      case TokenKind::slash:
        if (right->first == 0) {
          sink_.report(diagnosticAt(package_, expr, DiagnosticCode::divisionByZero));
          return std::nullopt;
        }
        n = left->first * right->second;
        d = left->second * right->first;
        break;
      default: sink_.report(diagnosticAt(package_, expr, DiagnosticCode::notConstant)); return std::nullopt;
      }
      if (opOf(package_, expr) != TokenKind::slash) d = left->second * right->second;
    }
    std::optional<Word> ratio = ratioWord(n, d);
    if (!ratio) {
      sink_.report(diagnosticAt(package_, expr, DiagnosticCode::numberOutOfRange, {"this", "32 bits"}));
      return std::nullopt;
    }
    if (fraction) return ratio;
    if (denominatorOf(*ratio) == 1) return numeratorOf(*ratio);
    mismatch(expr, "a fraction", expected);
    return std::nullopt;
  }

  World& world_;
  Package& package_;
  DiagnosticSink& sink_;
  ConstantContext context_;
};

} // namespace

std::optional<std::vector<Word>> constantWords(World& world, Package& package, NodeRef expr,
                                               const Type& expected, DiagnosticSink& sink,
                                               ConstantContext context) {
  return ConstantReader(world, package, sink, context).words(expr, expected);
}

std::optional<Word> constantOf(World& world, Package& package, NodeRef expr, const Type& expected,
                               DiagnosticSink& sink) {
  auto words = constantWords(world, package, expr, expected, sink);
  if (!words || words->empty()) return std::nullopt;
  return words->front();
}

std::vector<Type> constantTypes(const World& world, const Package& package, NodeRef expr) {
  std::vector<Type> types;
  auto add = [&](TypeKind kind, std::uint16_t id = 0, bool set = false) {
    Type type{kind, id, set, false};
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  };
  if (isFaulty(package, expr)) return types;
  switch (kindOf(package, expr)) {
  case NodeKind::Paren: return constantTypes(world, package, childOf(package, expr, Role::value));
  case NodeKind::Negate: return constantTypes(world, package, childOf(package, expr, Role::operand));
  case NodeKind::IntLiteral: add(TypeKind::integer); break;
  case NodeKind::FractionLiteral: add(TypeKind::fraction); break;
  case NodeKind::OddsLiteral:
    add(TypeKind::odds);
    add(TypeKind::time);
    break;
  case NodeKind::Text: add(TypeKind::text); break;
  case NodeKind::HexLiteral: add(TypeKind::hex); break;
  case NodeKind::HexsideLiteral: add(TypeKind::hexside); break;
  case NodeKind::Binary:
    types = constantTypes(world, package, childOf(package, expr, Role::left));
    if (opOf(package, expr) == TokenKind::slash && !types.empty())
      types = {Type{TypeKind::fraction, 0, false, false}};
    break;
  case NodeKind::Constant:
    if (opOf(package, expr) == TokenKind::kw_yes || opOf(package, expr) == TokenKind::kw_no)
      add(TypeKind::boolean);
    break;
  case NodeKind::Member:
  case NodeKind::NameExpr:
  case NodeKind::Name: {
    std::string word = nameOf(package, expr);
    if (kindOf(package, expr) == NodeKind::Member) {
      word = nameOf(package, expr, Role::name);
      NodeRef base = childOf(package, expr, Role::base);
      if (const std::vector<Symbol>* owners = world.find(nameOf(package, base)))
        for (const Symbol& owner : *owners)
          if (owner.kind == SymbolKind::enumeration) {
            add(TypeKind::enumeration, owner.id);
            return types;
          }
    }
    if (const std::vector<Symbol>* symbols = world.find(word))
      for (const Symbol& symbol : *symbols) switch (symbol.kind) {
        case SymbolKind::enumValue: add(TypeKind::enumeration, symbol.id); break;
        case SymbolKind::counter: {
          // The common base of all kinds of that name would be finer; the top kind takes them all.
          std::int32_t kind = world.module.counters[static_cast<std::size_t>(symbol.value)].kind;
          while (world.module.kinds[static_cast<std::size_t>(kind)].base >= 0)
            kind = world.module.kinds[static_cast<std::size_t>(kind)].base;
          add(TypeKind::counter, static_cast<std::uint16_t>(kind));
          break;
        }
        case SymbolKind::group: add(TypeKind::group, symbol.id); break;
        case SymbolKind::groupPlural: add(TypeKind::group, symbol.id, true); break;
        case SymbolKind::side: add(TypeKind::side); break;
        case SymbolKind::box: add(TypeKind::box); break;
        case SymbolKind::area: add(TypeKind::area); break;
        case SymbolKind::hexLabel: add(TypeKind::hex); break;
        case SymbolKind::plural: add(TypeKind::counter, symbol.id, true); break;
        default: break;
        }
    if (directionByName(world.module.board.shape, word) >= 0) add(TypeKind::direction);
    break;
  }
  case NodeKind::ListParen: {
    bool first = true;
    for (NodeRef item : childrenOf(package, expr, Role::item)) {
      std::vector<Type> of = constantTypes(world, package, item);
      for (Type& type : of) type.set = true;
      if (first)
        types = of;
      else
        std::erase_if(types,
                      [&](const Type& type) { return std::find(of.begin(), of.end(), type) == of.end(); });
      first = false;
    }
    break;
  }
  case NodeKind::RangeTo: add(TypeKind::integer, 0, true); break;
  default: break;
  }
  return types;
}

} // namespace hellwig
