// SPDX-License-Identifier: Apache-2.0
// Typing of expressions: literals, names, operators, comparisons.
#include "compiler/package_nodes.h"
#include "compiler/sema_internal.h"

#include <algorithm>
#include <numeric>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type fraction{TypeKind::fraction, 0, false, false};

Word reduced(std::int32_t a, std::int32_t b) {
  std::int32_t divisor = std::gcd(a, b);
  return divisor == 0 ? packRatio(a, b) : packRatio(a / divisor, b / divisor);
}

bool isOrdered(const Type& t) {
  if (t.set) return false;
  switch (t.kind) {
  case TypeKind::integer:
  case TypeKind::fraction:
  case TypeKind::d66:
  case TypeKind::odds:
  case TypeKind::time:
  case TypeKind::enumeration: return true;
  default: return false;
  }
}

} // namespace

// ---- Making nodes

ExprId Sema::make(const Env& env, NodeId node, ExprKind kind, Type type, std::vector<ExprId> args) {
  hir::Expr e;
  e.kind = kind;
  e.type = type;
  e.args = std::move(args);
  e.place = placeOf(env, valid(node) ? node : tree(env).root());
  for (ExprId arg : e.args)
    if (arg >= 0 && this->type(arg).kind == TypeKind::error && kind != ExprKind::list)
      e.type.kind = TypeKind::error;
  hir().exprs.push_back(std::move(e));
  return static_cast<ExprId>(hir().exprs.size() - 1);
}

ExprId Sema::constant(const Env& env, NodeId node, Type type, Word value) {
  ExprId e = make(env, node, ExprKind::constant, type);
  at(e).value = value;
  return e;
}

ExprId Sema::error(const Env& env, NodeId node) {
  return make(env, node, ExprKind::error, Type{});
}

ExprId Sema::local(Env& env, NodeId node, LocalId id) {
  ExprId e = make(env, node, ExprKind::local, env.scope->locals[static_cast<std::size_t>(id)].type);
  at(e).local = id;
  auto& counts = useCounts_[env.scope];
  if (counts.size() <= static_cast<std::size_t>(id)) counts.resize(static_cast<std::size_t>(id) + 1);
  ++counts[static_cast<std::size_t>(id)];
  return known(env, e);
}

ExprId Sema::toFraction(const Env& env, NodeId node, ExprId e) {
  if (type(e).kind == TypeKind::fraction || type(e).kind == TypeKind::error) return e;
  if (at(e).kind == ExprKind::constant && at(e).value != none) {
    at(e).value = packRatio(static_cast<std::int32_t>(at(e).value), 1);
    at(e).type.kind = TypeKind::fraction;
    return e;
  }
  Type t = fraction;
  t.optional = type(e).optional;
  return make(env, node, ExprKind::toFraction, t, {e});
}

// ---- Conversion

bool Sema::fits(const Type& given, const Type& wanted) const {
  if (given.kind == TypeKind::error || wanted.kind == TypeKind::error) return true;
  if (given.kind == TypeKind::nothing) return wanted.set || wanted.optional;
  if (wanted.set && wanted.kind == TypeKind::hex && given.kind == TypeKind::area) return true;
  if (given.set && !wanted.set) return false;
  if (given.kind == TypeKind::integer && wanted.kind == TypeKind::fraction) return !given.set;
  if (given.kind == TypeKind::d66 && wanted.kind == TypeKind::integer) return true;
  if (given.kind != wanted.kind) return false;
  if (given.kind == TypeKind::counter) return out_->world.isKindOf(given.id, wanted.id);
  return given.id == wanted.id;
}

ExprId Sema::coerce(Env& env, ExprId e, Type wanted, NodeId node, bool mayBeNone) {
  Type given = type(e);
  if (given.kind == TypeKind::error || wanted.kind == TypeKind::error) return e;
  if (given.kind == TypeKind::nothing) {
    if (wanted.set) return make(env, node, ExprKind::emptySet, wanted);
    if (!wanted.optional && !mayBeNone) {
      report(DiagnosticCode::typeMismatch, env, node, {"none", name(wanted)});
      return error(env, node);
    }
    return constant(env, node, optionalOf(wanted), none);
  }
  if (!fits(certain(given), wanted)) {
    if (given.kind == TypeKind::text && wanted.kind != TypeKind::text)
      report(DiagnosticCode::textForThing, env, node);
    else {
      Diagnostic d = diagnostic(DiagnosticCode::typeMismatch, env, node, {name(given), name(wanted)});
      hintMismatch(env, node, given, wanted, d);
      report(std::move(d));
    }
    return error(env, node);
  }
  if (wanted.set) {
    if (given.kind == TypeKind::area && wanted.kind == TypeKind::hex)
      return make(env, node, ExprKind::hexesOfArea, wanted, {e});
    if (given.set) return e;
    return make(env, node, ExprKind::single, wanted, {e});
  }
  if (given.kind == TypeKind::integer && wanted.kind == TypeKind::fraction) e = toFraction(env, node, e);
  if (type(e).optional && !wanted.optional && !mayBeNone) return prove(env, e, node);
  return e;
}

ExprId Sema::prove(Env& env, ExprId e, NodeId node) {
  if (!type(e).optional) return e;
  ExprId k = known(env, e);
  if (!type(k).optional) return k;
  report(diagnostic(DiagnosticCode::unprovedOptional, env, node)
             .withHelp("test it with `is not none` before, or give what holds without it: `" +
                       std::string(tree(env).text(node)) + " otherwise ..`"));
  return error(env, node);
}

ExprId Sema::exprOf(Env& env, NodeId node, Type wanted) {
  return coerce(env, expr(env, node, wanted), wanted, node);
}

ExprId Sema::condition(Env& env, NodeId node, NodeId beside) {
  ExprId e = expr(env, node, boolean);
  if (type(e).kind != TypeKind::error && (type(e).set || type(e).kind != TypeKind::boolean)) {
    Diagnostic d =
        diagnostic(DiagnosticCode::typeMismatch, env, node, {name(type(e)), "a condition (yes or no)"});
    hintAlternatives(env, beside, node, d);
    if (type(e).set) d.help.push_back("`any`, `no` or `count of` before a set makes a condition of it");
    report(std::move(d));
    return error(env, node);
  }
  return prove(env, e, node);
}

ExprId Sema::number(Env& env, NodeId node) {
  ExprId e = expr(env, node);
  if (type(e).kind != TypeKind::error && !isNumber(type(e))) {
    report(DiagnosticCode::typeMismatch, env, node, {name(type(e)), "a number"});
    return error(env, node);
  }
  return e;
}

Type Sema::commonType(const Type& a, const Type& b) {
  if (a.kind == TypeKind::error) return b;
  if (b.kind == TypeKind::error) return a;
  if (a.kind == TypeKind::nothing) return b.set ? b : optionalOf(b);
  if (b.kind == TypeKind::nothing) return a.set ? a : optionalOf(a);
  Type t = a;
  t.set = a.set || b.set;
  t.optional = !t.set && (a.optional || b.optional);
  if (a.kind == b.kind && a.id == b.id) return t;
  if (isNumber(a) && isNumber(b)) {
    t.kind =
        a.kind == TypeKind::fraction || b.kind == TypeKind::fraction ? TypeKind::fraction : TypeKind::integer;
    return t;
  }
  if (a.kind == TypeKind::area && b.kind == TypeKind::hex && b.set) return b;
  if (b.kind == TypeKind::area && a.kind == TypeKind::hex && a.set) return a;
  if (a.kind == TypeKind::counter && b.kind == TypeKind::counter) {
    for (std::int32_t k = a.id; k >= 0; k = world().module.kinds[static_cast<std::size_t>(k)].base)
      if (world().isKindOf(b.id, static_cast<std::uint16_t>(k))) {
        t.id = static_cast<std::uint16_t>(k);
        return t;
      }
  }
  return Type{};
}

bool Sema::unify(Env& env, ExprId& a, ExprId& b, NodeId left, NodeId right) {
  Type common = commonType(type(a), type(b));
  if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return false;
  if (common.kind == TypeKind::error) return false;
  a = coerce(env, a, common, left, true);
  b = coerce(env, b, common, right, true);
  return true;
}

// ---- Expressions

ExprId Sema::expr(Env& env, NodeId node, Type hint) {
  if (faulty(env, node)) return valid(node) ? error(env, node) : error(env, tree(env).root());
  const SyntaxTree& t = tree(env);
  switch (t.kind(node)) {
  case NodeKind::IntLiteral: {
    auto value = t.intOf(node);
    if (!value) {
      report(DiagnosticCode::numberTooLarge, env, node, {std::string(t.text(node))});
      return error(env, node);
    }
    if (!hint.set && hint.kind == TypeKind::fraction)
      return constant(env, node, fraction, packRatio(*value, 1));
    if (!hint.set && hint.kind == TypeKind::d66) {
      bool digits = *value >= 11 && *value <= 66 && *value % 10 >= 1 && *value % 10 <= 6;
      if (!digits)
        report(DiagnosticCode::numberOutOfRange, env, node,
               {std::to_string(*value), "a d66: two digits from 1 to 6"});
      return constant(env, node, typeOf(TypeKind::d66), *value);
    }
    return constant(env, node, integer, *value);
  }
  case NodeKind::FractionLiteral: {
    auto pair = t.pairOf(node);
    if (!pair || pair->second == 0) {
      report(DiagnosticCode::divisionByZero, env, node);
      return error(env, node);
    }
    return constant(env, node, fraction, reduced(pair->first, pair->second));
  }
  case NodeKind::OddsLiteral: {
    auto pair = t.pairOf(node);
    if (!pair) return error(env, node);
    if (hint.kind == TypeKind::time) {
      if (pair->first > 23 || pair->second > 59) {
        report(DiagnosticCode::numberOutOfRange, env, node, {std::string(t.text(node)), "0:00 .. 23:59"});
        return error(env, node);
      }
      return constant(env, node, typeOf(TypeKind::time), world().timeOf(pair->first, pair->second));
    }
    return constant(env, node, typeOf(TypeKind::odds), reduced(pair->first, pair->second));
  }
  case NodeKind::Constant:
    switch (t.op(node)) {
    case TokenKind::kw_yes: return constant(env, node, boolean, 1);
    case TokenKind::kw_no: return constant(env, node, boolean, 0);
    case TokenKind::kw_none: return constant(env, node, typeOf(TypeKind::nothing), none);
    case TokenKind::kw_it:
      if (env.it < 0) {
        report(diagnostic(DiagnosticCode::unknownName, env, node, {"it", "element"})
                   .withHelp("`it` is the element looked at by a `where`, `sum of` .. around it"));
        return error(env, node);
      }
      return local(env, node, env.it);
    case TokenKind::kw_hexes: return make(env, node, ExprKind::allOf, setOf(typeOf(TypeKind::hex)));
    case TokenKind::kw_hexsides: return make(env, node, ExprKind::allOf, setOf(typeOf(TypeKind::hexside)));
    default:
      if (std::find(env.unlimited.begin(), env.unlimited.end(), node) != env.unlimited.end())
        return constant(env, node, typeOf(TypeKind::fraction), unlimitedWord);
      report(DiagnosticCode::misplacedUnlimited, env, node);
      return error(env, node);
    }
  case NodeKind::Text: return make(env, node, ExprKind::constant, typeOf(TypeKind::text));
  case NodeKind::NameExpr: return nameExpr(env, node, hint);
  case NodeKind::Call: return call(env, node);
  case NodeKind::Member: return member(env, node, hint);
  case NodeKind::Can: return canExpr(env, node);
  case NodeKind::HexLiteral: {
    std::string label(t.text(t.child(node, Role::ref)));
    std::int32_t hex = hexByLabel(world().module.board, label);
    if (hex < 0) {
      report(DiagnosticCode::hexOffMap, env, node, {label});
      return error(env, node);
    }
    return constant(env, node, typeOf(TypeKind::hex), hex);
  }
  case NodeKind::Paren: return expr(env, t.child(node, Role::value), hint);
  case NodeKind::ListParen: return listExpr(env, node, hint);
  case NodeKind::Query: return queryExpr(env, node);
  case NodeKind::Filter: return filter(env, node);
  case NodeKind::Aggregate: return aggregate(env, node, hint);
  case NodeKind::Quantifier: return quantifier(env, node);
  case NodeKind::Where: return whereExpr(env, node);
  case NodeKind::Negate: {
    NodeId operand = t.child(node, Role::operand);
    ExprId e = expr(env, operand, hint);
    if (type(e).kind == TypeKind::error) return e;
    if (!isNumber(type(e))) {
      report(DiagnosticCode::typeMismatch, env, operand, {name(type(e)), "a number"});
      return error(env, node);
    }
    if (at(e).kind == ExprKind::constant) {
      Word value = at(e).value;
      at(e).value =
          type(e).kind == TypeKind::fraction ? packRatio(-numeratorOf(value), denominatorOf(value)) : -value;
      at(e).place = placeOf(env, node);
      return e;
    }
    return make(env, node, ExprKind::negate, type(e), {e});
  }
  case NodeKind::Not: {
    NodeId operand = t.child(node, Role::operand);
    return notExpr(env, condition(env, operand), node);
  }
  case NodeKind::Binary: return binary(env, node, hint);
  case NodeKind::Rounded: {
    ExprId e = number(env, t.child(node, Role::value));
    if (type(e).kind == TypeKind::integer)
      report(diagnostic(DiagnosticCode::needlessRounding, env, node)
                 .withHelp("the rounding of a step stands behind a comma: `divide by 2, round up`"));
    if (type(e).kind == TypeKind::error || type(e).kind == TypeKind::integer) return e;
    Type result = integer;
    result.optional = type(e).optional;
    ExprId r = make(env, node, ExprKind::round, result, {e});
    Rounding rounding = t.op(node) == TokenKind::kw_up     ? Rounding::up
                        : t.op(node) == TokenKind::kw_down ? Rounding::down
                                                           : Rounding::near;
    at(r).op = static_cast<std::uint8_t>(rounding);
    return r;
  }
  case NodeKind::Otherwise: {
    NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
    ExprId a = expr(env, left, hint.kind == TypeKind::error ? hint : optionalOf(hint));
    Type rightHint = hint.kind == TypeKind::error ? certain(type(a)) : hint;
    ExprId b = expr(env, right, rightHint);
    if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
    if (!type(a).optional && type(a).kind != TypeKind::nothing) {
      report(DiagnosticCode::needlessOtherwise, env, node);
      return a;
    }
    if (!unify(env, a, b, left, right)) {
      report(DiagnosticCode::typeMismatch, env, right, {name(type(b)), name(certain(type(a)))});
      return error(env, node);
    }
    Type result = certain(type(a));
    result.optional = type(b).optional;
    return make(env, node, ExprKind::otherwise, result, {a, b});
  }
  case NodeKind::RangeTo: {
    NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
    ExprId a = exprOf(env, left, integer);
    ExprId b = exprOf(env, right, integer);
    return make(env, node, ExprKind::range, setOf(integer), {a, b});
  }
  case NodeKind::Compare: return t.op(node) == TokenKind::kw_is ? isExpr(env, node) : compare(env, node);
  case NodeKind::In: return inExpr(env, node);
  case NodeKind::Has: return hasExpr(env, node);
  case NodeKind::If: return ifExpr(env, node, hint);
  case NodeKind::By: {
    NodeId ordered = t.child(node, Role::base);
    if (t.kind(ordered) == NodeKind::Aggregate && t.op(ordered) == TokenKind::kw_first)
      return aggregate(env, ordered, hint, node);
    // On its own it orders a set; only `for each` and `first of` ask for an order.
    refuse(env, node, "by");
    return error(env, node);
  }
  case NodeKind::HexsideLiteral: {
    NodeId ref = t.child(node, Role::ref);
    if (!valid(ref)) {
      report(DiagnosticCode::incompleteRule, env, node,
             {"`hexside`", "write `hexside between a and b`, or a hexside such as `hexside 0610SE`"});
      return error(env, node);
    }
    std::string label(t.text(ref));
    std::int32_t side = hexsideByLabel(world().module.board, label);
    if (side < 0) {
      report(DiagnosticCode::noSuchHexside, env, node, {label});
      return error(env, node);
    }
    return constant(env, node, typeOf(TypeKind::hexside), side);
  }
  case NodeKind::Do:
    report(
        diagnostic(DiagnosticCode::misplacedStatement, env, node, {"do", "`let`, `set`, `return` and `if`"}));
    return error(env, node);
  default: return error(env, node);
  }
}

ExprId Sema::notExpr(Env& env, ExprId e, NodeId node) {
  return make(env, node, ExprKind::not_, boolean, {e});
}

// ---- Names

ExprId Sema::nameExpr(Env& env, NodeId node, Type hint) {
  std::string name = tree(env).nameOf(node);
  for (auto i = env.names.rbegin(); i != env.names.rend(); ++i)
    if (i->name == name) {
      if (env.scope->locals[static_cast<std::size_t>(i->local)].type.allotted) {
        report(DiagnosticCode::allotmentRead, env, node, {name});
        return error(env, node);
      }
      return local(env, node, i->local);
    }
  if (env.test)
    for (const TestLocal& t : testLocals_)
      if (t.name == name) return testGlobal(env, node, name);
  if (name == "original" && env.original >= 0) return env.original;

  std::vector<Symbol> symbols;
  if (const auto* found = world().find(name)) symbols = *found;
  if (!symbols.empty() && hint.kind == TypeKind::direction)
    if (ExprId direction = builtinName(env, node, name);
        direction >= 0 && type(direction).kind == TypeKind::direction)
      return direction;
  if (symbols.size() > 1 && hint.kind == TypeKind::enumeration) {
    std::vector<Symbol> fitting;
    for (const Symbol& s : symbols)
      if (s.kind == SymbolKind::enumValue && s.id == hint.id) fitting.push_back(s);
    if (fitting.size() == 1) return symbolExpr(env, node, fitting.front());
  }
  if (symbols.size() > 1) {
    std::vector<Symbol> fitting;
    for (const Symbol& s : symbols) {
      bool fitsHint =
          (s.kind == SymbolKind::side && hint.kind == TypeKind::side) ||
          (s.kind == SymbolKind::box && hint.kind == TypeKind::box) ||
          (s.kind == SymbolKind::area && (hint.kind == TypeKind::area || hint.kind == TypeKind::hex)) ||
          (s.kind == SymbolKind::group && hint.kind == TypeKind::group && s.id == hint.id) ||
          ((s.kind == SymbolKind::counter || s.kind == SymbolKind::counters) &&
           hint.kind == TypeKind::counter);
      if (fitsHint) fitting.push_back(s);
    }
    if (fitting.size() == 1) return symbolExpr(env, node, fitting.front());
  }
  if (symbols.size() == 1) return symbolExpr(env, node, symbols.front());
  if (auto value = valuesByName_.find(name); value != valuesByName_.end())
    for (std::int32_t v : value->second)
      if (hir().values[static_cast<std::size_t>(v)].scope.parameters == 0) return callValue(env, node, v, {});
  if (symbols.empty()) {
    if (ExprId builtin = builtinName(env, node, name); builtin >= 0) return builtin;
  }
  if (symbols.size() > 1) {
    Diagnostic d = diagnostic(DiagnosticCode::ambiguousName, env, node,
                              {name, nounWords(symbols[0]), nounWords(symbols[1])});
    const Symbol& first = symbols.front();
    if (first.kind == SymbolKind::box && symbols[1].kind == SymbolKind::box) {
      d = diagnostic(DiagnosticCode::wrongKindOfName, env, node,
                     {name, "a box of each side or turn", "one of them"});
      d.help.push_back("say which: `" + name + "(s)`");
    } else if (first.kind == SymbolKind::enumValue)
      d.help.push_back("`" + world().module.enums[first.id].name + "." + name + "` says which");
    else if (first.kind == SymbolKind::counter || first.kind == SymbolKind::counters)
      d.help.push_back("put its side before it: `" +
                       (first.side >= 0 ? world().module.sides[static_cast<std::size_t>(first.side)].name
                                        : std::string("Side")) +
                       "." + name + "`" + (world().module.groups.empty() ? "" : ", or its group"));
    report(std::move(d));
    return error(env, node);
  }
  // A field of the element without its owner is the commonest slip.
  if (env.it >= 0 &&
      hasMember(certain(elementOf(env.scope->locals[static_cast<std::size_t>(env.it)].type)), name)) {
    report(diagnostic(DiagnosticCode::bareField, env, node, {name})
               .withFix(tree(env).range(node), "it." + name, "write `it." + name + "`"));
    return error(env, node);
  }
  if (world().turnBoxes.count(name)) {
    report(DiagnosticCode::wrongKindOfName, env, node,
           {name, "a box for each turn", "one of them, `" + writtenName(name) + "(turn)`,"});
    return error(env, node);
  }
  std::vector<std::string> candidates;
  for (const auto& n : env.names) candidates.push_back(n.name);
  // The name of a kind is neither a thing nor a set. A large order of battle has many names.
  for (const auto& [noun, meanings] : world().nouns)
    if (mayBeNear(name, noun) && (meanings.empty() || meanings.front().kind != SymbolKind::counterKind))
      candidates.push_back(noun);
  for (const auto& [value, list] : valuesByName_)
    for (std::int32_t v : list)
      if (mayBeNear(name, value) && hir().values[static_cast<std::size_t>(v)].scope.parameters == 0)
        candidates.push_back(value);
  for (const char* builtin : {"turn", "clock", "player", "opponent", "sides", "hexes", "hexsides"})
    candidates.emplace_back(builtin);
  std::sort(candidates.begin(), candidates.end());
  std::string near = nearest(name, candidates);
  Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, node, {name, "name"});
  if (!near.empty()) d.fix = Fix{tree(env).range(node), near, "did you mean `" + near + "`?"};
  hintName(env, node, name, d);
  // A field without its owner, where one of the names at hand has it.
  if (!d.fix)
    for (const auto& n : env.names)
      if (const Type& owner = env.scope->locals[static_cast<std::size_t>(n.local)].type;
          !owner.set && hasMember(certain(owner), name)) {
        std::string own = n.name + "." + name;
        d.fix = Fix{tree(env).range(node), own, "write `" + own + "`"};
        break;
      }
  report(std::move(d));
  return error(env, node);
}

/// What a noun is, in words for a message.
std::string Sema::nounWords(const Symbol& s) {
  switch (s.kind) {
  case SymbolKind::enumValue: return "a value of `" + world().module.enums[s.id].name + "`";
  case SymbolKind::counter:
  case SymbolKind::counters:
    return "a counter of " + (s.side >= 0 ? world().module.sides[static_cast<std::size_t>(s.side)].display
                                          : std::string("a side"));
  case SymbolKind::area: return "an area of the map";
  case SymbolKind::box: return "a box";
  case SymbolKind::side: return "a side";
  case SymbolKind::map: return "a map";
  case SymbolKind::state: return "a state of the game";
  case SymbolKind::counterKind: return "a kind of counter";
  case SymbolKind::groupKind: return "a kind of group";
  case SymbolKind::group: return "a " + world().module.groupKinds[s.id].name;
  case SymbolKind::groupPlural: return "the set of all groups of a kind";
  case SymbolKind::record: return "a record";
  default: return "a name declared elsewhere";
  }
}

ExprId Sema::builtinName(Env& env, NodeId node, const std::string& name) {
  auto global = [&](std::uint16_t g, Type type) {
    ExprId e = make(env, node, ExprKind::global, type);
    at(e).index = g;
    return e;
  };
  if (name == "turn") return global(globalTurn, integer);
  if (name == "clock") return global(globalClock, typeOf(TypeKind::time));
  if (name == "player") return global(globalPlayer, typeOf(TypeKind::side));
  if (name == "opponent") {
    ExprId player = global(globalPlayer, typeOf(TypeKind::side));
    ExprId e = make(env, node, ExprKind::field, typeOf(TypeKind::side), {player});
    at(e).op = static_cast<std::uint8_t>(hir::Field::enemyOfSide);
    return e;
  }
  if (name == "winner") return global(globalWinner, optionalOf(typeOf(TypeKind::side)));
  if (name == "sides") return make(env, node, ExprKind::allOf, setOf(typeOf(TypeKind::side)));
  static const char* const pointed[] = {"ne", "e", "se", "sw", "w", "nw"};
  static const char* const flat[] = {"n", "ne", "se", "s", "sw", "nw"};
  const auto* names = world().module.board.shape == GridShape::pointed ? pointed : flat;
  for (int d = 0; d < 6; ++d)
    if (name == names[d]) return constant(env, node, typeOf(TypeKind::direction), d);
  for (int d = 0; d < 6; ++d)
    if (name == cornerName(world().module.board.shape, d))
      return constant(env, node, typeOf(TypeKind::direction), d);
  if (name == "direction") return make(env, node, ExprKind::allOf, setOf(typeOf(TypeKind::direction)));
  if (name == "origin" || name == "spent" || name == "anywhere") {
    refuse(env, node, name);
    return error(env, node);
  }
  return -1;
}

ExprId Sema::symbolExpr(Env& env, NodeId node, const Symbol& symbol) {
  switch (symbol.kind) {
  case SymbolKind::enumeration: {
    ExprId e = make(env, node, ExprKind::allOf, setOf(typeOf(TypeKind::enumeration, symbol.id)));
    return e;
  }
  case SymbolKind::enumValue:
    return constant(env, node, typeOf(TypeKind::enumeration, symbol.id), symbol.value);
  case SymbolKind::counterKind:
  case SymbolKind::plural: {
    if (symbol.kind == SymbolKind::counterKind) {
      report(DiagnosticCode::wrongKindOfName, env, node,
             {tree(env).nameOf(node), "a kind of counter", "a thing or a set"});
      return error(env, node);
    }
    ExprId e = make(env, node, ExprKind::kindSet, setOf(typeOf(TypeKind::counter, symbol.id)));
    at(e).index = symbol.id;
    return e;
  }
  case SymbolKind::counter:
    return constant(
        env, node,
        typeOf(TypeKind::counter, world().module.counters[static_cast<std::size_t>(symbol.value)].kind),
        symbol.value);
  case SymbolKind::counters: {
    const auto& members = world().counterSets[symbol.id];
    ExprId e = make(env, node, ExprKind::constantSet, setOf(typeOf(TypeKind::counter, 0)));
    Type t = typeOf(TypeKind::nothing);
    for (std::size_t c = 0; c < world().module.counters.size(); ++c)
      if ((members[c / 64] >> (c % 64)) & 1U) {
        at(e).members.push_back(static_cast<Word>(c));
        t = commonType(t, typeOf(TypeKind::counter, world().module.counters[c].kind));
      }
    at(e).type = setOf(certain(t));
    return e;
  }
  case SymbolKind::side: return constant(env, node, typeOf(TypeKind::side), symbol.value);
  case SymbolKind::box: return constant(env, node, typeOf(TypeKind::box), symbol.value);
  case SymbolKind::area: return constant(env, node, typeOf(TypeKind::area), symbol.value);
  case SymbolKind::hexLabel: return constant(env, node, typeOf(TypeKind::hex), symbol.value);
  case SymbolKind::state: {
    ExprId e = make(env, node, ExprKind::global, world().globalTypes[symbol.id]);
    at(e).index = symbol.id;
    return known(env, e);
  }
  case SymbolKind::map:
  case SymbolKind::option:
  case SymbolKind::scenario:
    report(DiagnosticCode::wrongKindOfName, env, node,
           {tree(env).nameOf(node), symbol.kind == SymbolKind::map ? "a map" : "an option or scenario",
            "a thing or a set"});
    return error(env, node);
  case SymbolKind::group: return constant(env, node, typeOf(TypeKind::group, symbol.id), symbol.value);
  case SymbolKind::groupPlural: return groupsOfKind(env, node, symbol.id);
  case SymbolKind::sheet: { // the hexes of it that are in play
    const Board& board = world().module.board;
    std::vector<std::uint64_t> hexes(static_cast<std::size_t>(board.words));
    sheetSet(board, static_cast<int>(symbol.value), hexes.data());
    ExprId e = make(env, node, ExprKind::constantSet, setOf(typeOf(TypeKind::hex)));
    for (int h = 0; h < board.n; ++h)
      if (hasBit(hexes.data(), h)) at(e).members.push_back(h);
    return e;
  }
  case SymbolKind::groupKind:
  case SymbolKind::record:
    report(DiagnosticCode::wrongKindOfName, env, node,
           {tree(env).nameOf(node), nounWords(symbol), "a thing or a set"});
    return error(env, node);
  }
  return error(env, node);
}

// ---- Operators

ExprId Sema::binary(Env& env, NodeId node, Type hint) {
  const SyntaxTree& t = tree(env);
  NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
  TokenKind op = t.op(node);
  if (op == TokenKind::kw_and || op == TokenKind::kw_or) {
    if (joinsThings(env, left, right)) {
      report(
          diagnostic(DiagnosticCode::typeMismatch, env, node, {"a list of things", "a condition (yes or no)"})
              .withHelp("`and` and `or` join conditions; things are listed as `(" +
                        std::string(t.text(left)) + ", " + std::string(t.text(right)) + ")`"));
      return error(env, node);
    }
    // `x is a or b and c`: the bare value begins what `and` joins.
    ExprId a = condition(env, left, op == TokenKind::kw_and ? env.orLeft : NodeId::none);
    std::size_t mark = env.facts.size();
    learn(env, a, op == TokenKind::kw_and);
    NodeId outer = std::exchange(env.orLeft, op == TokenKind::kw_or ? left : NodeId::none);
    ExprId b = condition(env, right, left);
    env.orLeft = outer;
    env.facts.resize(mark);
    return make(env, node, op == TokenKind::kw_and ? ExprKind::and_ : ExprKind::or_, boolean, {a, b});
  }
  Type inner = !hint.set && hint.kind == TypeKind::fraction && op != TokenKind::slash ? fraction : Type{};
  ExprId a = expr(env, left, inner), b = expr(env, right, inner);
  if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
  for (auto [e, n] : {std::pair{a, left}, std::pair{b, right}})
    if (!isNumber(type(e))) {
      Diagnostic d = diagnostic(DiagnosticCode::typeMismatch, env, n, {name(type(e)), "a number"});
      if ((type(e).set || type(e).kind == TypeKind::area) &&
          (op == TokenKind::plus || op == TokenKind::minus))
        d.help.push_back(op == TokenKind::plus ? "sets are joined with `plus`"
                                               : "elements are left out with `except`");
      report(std::move(d));
      return error(env, node);
    }
  bool optional = type(a).optional || type(b).optional;
  ExprKind kind = op == TokenKind::plus    ? ExprKind::add
                  : op == TokenKind::minus ? ExprKind::subtract
                  : op == TokenKind::star  ? ExprKind::multiply
                  : op == TokenKind::slash ? ExprKind::divide
                                           : ExprKind::modulo;
  Type result = integer;
  if (type(a).kind == TypeKind::d66 && type(b).kind == TypeKind::integer &&
      (kind == ExprKind::add || kind == ExprKind::subtract)) {
    result = typeOf(TypeKind::d66);
  } else {
    bool fractions = type(a).kind == TypeKind::fraction || type(b).kind == TypeKind::fraction;
    if (kind == ExprKind::modulo && fractions) {
      report(DiagnosticCode::typeMismatch, env, type(a).kind == TypeKind::fraction ? left : right,
             {"a fraction", "a whole number"});
      return error(env, node);
    }
    if (fractions) {
      a = toFraction(env, left, a);
      b = toFraction(env, right, b);
      result = fraction;
    }
    if (kind == ExprKind::divide) result = fraction;
    bool zero = at(b).kind == ExprKind::constant &&
                (type(b).kind == TypeKind::fraction ? numeratorOf(at(b).value) == 0 : at(b).value == 0);
    if ((kind == ExprKind::divide || kind == ExprKind::modulo) && zero) {
      report(DiagnosticCode::divisionByZero, env, right);
      return error(env, node);
    }
  }
  result.optional = optional;
  return make(env, node, kind, result, {a, b});
}

ExprId Sema::ifExpr(Env& env, NodeId node, Type hint) {
  const SyntaxTree& t = tree(env);
  NodeId thenNode = t.child(node, Role::then), elseNode = t.child(node, Role::elseBody);
  ExprId c = condition(env, t.child(node, Role::condition));
  std::size_t mark = env.facts.size();
  learn(env, c, true);
  ExprId a = expr(env, thenNode, hint);
  env.facts.resize(mark);
  learn(env, c, false);
  ExprId b = expr(env, elseNode, hint);
  env.facts.resize(mark);
  if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
  if (!unify(env, a, b, thenNode, elseNode)) {
    report(DiagnosticCode::typeMismatch, env, elseNode, {name(type(b)), name(type(a))});
    return error(env, node);
  }
  Type result = type(a);
  if (type(b).optional) result.optional = true;
  return make(env, node, ExprKind::if_, result, {c, a, b});
}

// ---- Comparisons

ExprId Sema::compare(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
  ExprId a = expr(env, left);
  ExprId b = expr(env, right, certain(type(a)));
  if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
  if (type(a).kind == TypeKind::odds && type(b).kind == TypeKind::time) {
    std::swap(left, right);
    a = expr(env, right, typeOf(TypeKind::time));
    std::swap(left, right);
  }
  a = prove(env, a, left);
  b = prove(env, b, right);
  if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
  bool alike = isOrdered(type(a)) && isOrdered(type(b)) && unify(env, a, b, left, right);
  if (!alike) {
    Diagnostic d = diagnostic(DiagnosticCode::notComparable, env, node, {name(type(a)), name(type(b))});
    // `count of us where it.moved > 2` hangs the comparison on the `where`: the brackets show what was meant.
    if (type(a).kind == TypeKind::boolean)
      d.help.push_back(
          "a `where` takes all that follows: bracket what ends sooner, `(count of .. where ..) > ..`");
    report(std::move(d));
    return error(env, node);
  }
  bool swap = t.op(node) == TokenKind::greater || t.op(node) == TokenKind::greaterEqual;
  bool strict = t.op(node) == TokenKind::less || t.op(node) == TokenKind::greater;
  return make(env, node, strict ? ExprKind::less : ExprKind::lessEqual, boolean,
              swap ? std::vector<ExprId>{b, a} : std::vector<ExprId>{a, b});
}

ExprId Sema::isExpr(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
  bool negated = t.has(node, NodeFlags::negated);
  auto result = [&](ExprId e) { return negated ? notExpr(env, e, node) : e; };

  bool rightIsName = t.kind(right) == NodeKind::NameExpr;
  bool hiddenByLocal = false;
  std::string rightName = rightIsName ? t.nameOf(right) : std::string();
  if (rightIsName) {
    for (const auto& n : env.names) hiddenByLocal = hiddenByLocal || n.name == rightName;
    if (env.test)
      for (const TestLocal& l : testLocals_) hiddenByLocal = hiddenByLocal || l.name == rightName;
  }
  ExprId a = expr(env, left);
  if (type(a).kind == TypeKind::error) {
    // The right side may hold a slip of its own, but only a name that means something anywhere can be judged.
    return error(env, node);
  }
  if (t.kind(right) == NodeKind::Constant && t.op(right) == TokenKind::kw_none) {
    if (type(a).set) {
      ExprId empty = make(env, right, ExprKind::emptySet, type(a));
      return result(make(env, node, ExprKind::equal, boolean, {a, empty}));
    }
    return result(make(env, node, ExprKind::isNone, boolean, {a}));
  }
  if (rightIsName && !hiddenByLocal) {
    const auto* symbols = world().find(rightName);
    if (symbols) {
      if (type(a).kind == TypeKind::counter && !type(a).set)
        for (const Symbol& s : *symbols)
          if (s.kind == SymbolKind::counterKind) {
            a = prove(env, a, left);
            if (type(a).kind == TypeKind::error) return a;
            const bool apart = !world().isKindOf(s.id, type(a).id) && !world().isKindOf(type(a).id, s.id);
            if (apart && negated) return constant(env, node, boolean, 1);
            if (apart) {
              report(DiagnosticCode::neverTrue, env, node,
                     {name(certain(type(a))) + " and " + rightName + " are different kinds of counters"});
              return error(env, node);
            }
            ExprId e = make(env, node, ExprKind::isKind, boolean, {a});
            at(e).index = s.id;
            return result(e);
          }
      bool thing = !type(a).set && (type(a).kind == TypeKind::counter || type(a).kind == TypeKind::group ||
                                    type(a).kind == TypeKind::hex || type(a).kind == TypeKind::hexside ||
                                    type(a).kind == TypeKind::side);
      std::vector<Symbol> values;
      for (const Symbol& s : *symbols)
        if (s.kind == SymbolKind::enumValue) values.push_back(s);
      bool direct = std::any_of(symbols->begin(), symbols->end(), [&](const Symbol& s) {
        return (s.kind == SymbolKind::side && type(a).kind == TypeKind::side) ||
               (s.kind == SymbolKind::counter && type(a).kind == TypeKind::counter) ||
               (s.kind == SymbolKind::group && type(a).kind == TypeKind::group) ||
               (s.kind == SymbolKind::hexLabel && type(a).kind == TypeKind::hex);
      });
      if (thing && !values.empty() && !direct) {
        a = prove(env, a, left);
        if (type(a).kind == TypeKind::error) return a;
        ExprId e = isFieldValue(env, node, a, values, rightName);
        return type(e).kind == TypeKind::error ? e : result(e);
      }
    }
  }
  if (rightIsName && !hiddenByLocal && !world().find(rightName) && reportFieldForValue(env, node, a, right))
    return error(env, node);
  if (rightIsName && !hiddenByLocal && type(a).kind == TypeKind::label && !type(a).set)
    if (auto labels = world().labels.find(rightName); labels != world().labels.end()) {
      // Both sides may have a label of that name.
      ExprId any = -1;
      for (Word word : labels->second) {
        ExprId same = make(env, node, ExprKind::equal, boolean,
                           {a, constant(env, right, typeOf(TypeKind::label), word)});
        any = any < 0 ? same : make(env, node, ExprKind::or_, boolean, {any, same});
      }
      return result(any);
    }
  ExprId b = expr(env, right, certain(type(a)));
  if (type(b).kind == TypeKind::error) return b;
  if (type(a).kind == TypeKind::odds && type(b).kind == TypeKind::time)
    a = expr(env, left, typeOf(TypeKind::time));
  if (isBundle(type(a)) || isBundle(type(b))) {
    report(DiagnosticCode::notComparable, env, node, {name(type(a)), name(type(b))});
    return error(env, node);
  }
  // `u is f`, f of some enumeration: the one field of that type.
  const Type owner = type(a);
  if (type(b).kind == TypeKind::enumeration && !type(b).set && !owner.set &&
      (owner.kind == TypeKind::counter || owner.kind == TypeKind::group || owner.kind == TypeKind::hex ||
       owner.kind == TypeKind::hexside || owner.kind == TypeKind::side) &&
      std::any_of(world().columnTypes.begin(), world().columnTypes.end(), [&](const Type& field) {
        const auto c = static_cast<std::size_t>(&field - world().columnTypes.data());
        return field.kind == TypeKind::enumeration && field.id == type(b).id && !field.set && ownsColumn(owner, c);
      })) {
    a = prove(env, a, left);
    if (type(a).kind == TypeKind::error) return a;
    Symbol any{SymbolKind::enumValue, type(b).id, 0, -1, {}};
    ExprId e = isFieldValue(env, node, a, {any}, std::string(t.text(right)), b);
    return type(e).kind == TypeKind::error ? e : result(e);
  }
  if (!unify(env, a, b, left, right)) {
    if (type(a).kind == TypeKind::text || type(b).kind == TypeKind::text)
      report(DiagnosticCode::textForThing, env, type(b).kind == TypeKind::text ? right : left);
    else {
      Diagnostic d = diagnostic(DiagnosticCode::notComparable, env, node, {name(type(a)), name(type(b))});
      hintMismatch(env, right, type(b), type(a), d);
      if (type(b).kind == TypeKind::enumeration && rightIsName)
        d.help.insert(d.help.begin(), "`" + rightName + "` is a value of " + name(certain(type(b))));
      report(std::move(d));
    }
    return error(env, node);
  }
  // `units of s where it.box is Reserve`: the counters are those on the map.
  if (type(a).kind == TypeKind::box && at(a).kind == ExprKind::field && env.it >= 0) {
    ExprId whose = at(a).args.front();
    if (at(whose).kind == ExprKind::local && at(whose).local == env.it && onMapElement(env)) {
      report(DiagnosticCode::unitsAreOnMap, env, node, {"units", std::string(t.text(right))});
      return error(env, node);
    }
  }
  return result(make(env, node, ExprKind::equal, boolean, {a, b}));
}

/// Is it a field of such things, the fields of sub-kinds left out?
bool Sema::ownsColumn(const Type& thing, std::size_t index) const {
  const Column& column = out_->world.module.columns[index];
  switch (column.owner) {
  case Owner::counter:
    return thing.kind == TypeKind::counter && out_->world.isKindOf(thing.id, column.ownerId);
  case Owner::hex: return thing.kind == TypeKind::hex;
  case Owner::hexside: return thing.kind == TypeKind::hexside;
  case Owner::side: return thing.kind == TypeKind::side;
  case Owner::group: return thing.kind == TypeKind::group && thing.id == column.ownerId;
  default: return false;
  }
}

ExprId Sema::isFieldValue(Env& env, NodeId node, ExprId left, const std::vector<Symbol>& values,
                          const std::string& valueName, ExprId given) {
  struct Hit {
    std::uint16_t column;
    Word value;
  };
  std::vector<Hit> hits;
  std::vector<std::string> subKinds;
  const Type& thing = type(left);
  Hit ofSubKind{};
  bool inSubKind = false;
  for (std::size_t c = 0; c < world().module.columns.size(); ++c) {
    const Column& column = world().module.columns[c];
    const Type& t = world().columnTypes[c];
    if (t.set || t.kind != TypeKind::enumeration || world().columnFacts[c].onFace) continue;
    for (const Symbol& s : values) {
      if (s.id != t.id) continue;
      if (ownsColumn(thing, c))
        hits.push_back({static_cast<std::uint16_t>(c), s.value});
      else if (column.owner == Owner::counter && thing.kind == TypeKind::counter &&
               world().isKindOf(column.ownerId, thing.id)) {
        inSubKind = true;
        ofSubKind = {static_cast<std::uint16_t>(c), s.value};
      }
    }
  }
  const std::string thingName = name(certain(thing));
  if (hits.empty() && inSubKind) {
    // Only a sub-kind has the field: for other counters it is no.
    ExprId kind = make(env, node, ExprKind::isKind, boolean, {left});
    at(kind).index = world().module.columns[ofSubKind.column].ownerId;
    hits.push_back(ofSubKind);
    ExprId column = make(env, node, ExprKind::column, world().columnTypes[ofSubKind.column], {left});
    at(column).index = ofSubKind.column;
    ExprId value = given >= 0
                       ? given
                       : constant(env, node, certain(world().columnTypes[ofSubKind.column]), ofSubKind.value);
    ExprId equal = make(env, node, ExprKind::equal, boolean, {column, value});
    return make(env, node, ExprKind::and_, boolean, {kind, equal});
  }
  if (hits.empty()) {
    report(DiagnosticCode::noFieldForIs, env, node, {thingName, valueName});
    return error(env, node);
  }
  if (hits.size() > 1) {
    const std::string& first = world().module.columns[hits[0].column].name;
    report(diagnostic(DiagnosticCode::twoFieldsForIs, env, node,
                      {thingName, valueName, first, world().module.columns[hits[1].column].name})
               .withHelp("name the field: `" +
                         std::string(tree(env).text(tree(env).child(node, Role::left))) + "." + first +
                         " is " + valueName + "`"));
    return error(env, node);
  }
  ExprId column = make(env, node, ExprKind::column, world().columnTypes[hits[0].column], {left});
  at(column).index = hits[0].column;
  // A value declared under the field's name is the figure now in force.
  const std::string& field = world().module.columns[hits[0].column].name;
  if (auto found = valuesByName_.find(field); found != valuesByName_.end())
    for (std::int32_t v : found->second) {
      const hir::Scope& scope = hir().values[static_cast<std::size_t>(v)].scope;
      if (scope.parameters == 1 && !scope.locals[0].type.set && fits(certain(thing), scope.locals[0].type) &&
          env.owner != "value " + field) {
        column = callValue(env, node, v, {left});
        break;
      }
    }
  ExprId value =
      given >= 0 ? given : constant(env, node, certain(world().columnTypes[hits[0].column]), hits[0].value);
  return make(env, node, ExprKind::equal, boolean, {column, value});
}

ExprId Sema::inExpr(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
  bool negated = t.has(node, NodeFlags::negated);
  if (t.kind(left) == NodeKind::Aggregate && t.op(left) == TokenKind::kw_count) {
    // `count of units in s where ..`: a number is in no side.
    report(DiagnosticCode::wording, env, node,
           {std::string(t.text(left)) + " of " + std::string(t.text(right))});
    return error(env, node);
  }
  ExprId a = expr(env, left);
  Type hint = type(a).kind == TypeKind::error ? Type{} : setOf(certain(type(a)));
  ExprId b = expr(env, right, hint);
  if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
  ExprId result = -1;
  if (type(b).kind == TypeKind::group && !type(b).set && !type(a).set &&
      (type(a).kind == TypeKind::counter || type(a).kind == TypeKind::group)) {
    result = inGroup(env, node, a, b, right);
  } else if (type(b).kind == TypeKind::side && !type(b).set && type(a).kind == TypeKind::counter &&
             !type(a).set) {
    ExprId side = make(env, left, ExprKind::field, typeOf(TypeKind::side), {prove(env, a, left)});
    at(side).op = static_cast<std::uint8_t>(hir::Field::side);
    result = make(env, node, ExprKind::equal, boolean, {side, prove(env, b, right)});
  } else if (type(b).kind == TypeKind::box && !type(b).set && type(a).kind == TypeKind::counter &&
             !type(a).set) {
    ExprId box = make(env, left, ExprKind::field, optionalOf(typeOf(TypeKind::box)), {prove(env, a, left)});
    at(box).op = static_cast<std::uint8_t>(hir::Field::box);
    result = make(env, node, ExprKind::equal, boolean,
                  {box, coerce(env, b, optionalOf(typeOf(TypeKind::box)), right)});
  } else {
    if (type(a).kind == TypeKind::integer && type(b).set && type(b).kind == TypeKind::fraction)
      b = error(env, right);
    Type element = certain(type(b));
    element.set = false;
    if (!type(b).set && type(b).kind == TypeKind::area) element = typeOf(TypeKind::hex);
    if (type(a).set ||
        !(fits(certain(type(a)), element) ||
          (type(a).kind == TypeKind::counter && element.kind == TypeKind::counter)) ||
        (!type(b).set && type(b).kind != TypeKind::area)) {
      Diagnostic d = diagnostic(DiagnosticCode::typeMismatch, env, right,
                                {name(type(b)), "a set of " + name(certain(elementOf(type(a))))});
      hintMismatch(env, right, type(b), setOf(certain(type(a))), d);
      if (type(b).kind == TypeKind::enumeration && !type(b).set &&
          (type(a).kind == TypeKind::counter || type(a).kind == TypeKind::hex)) {
        bool terrain = world().enumFacts[type(b).id].terrain == EnumFacts::Terrain::hex;
        std::string own = std::string(t.text(left)) +
                          (terrain && type(a).kind == TypeKind::counter ? ".hex is " : " is ") +
                          std::string(t.text(right));
        d.fix = Fix{t.range(node), own, "write `" + own + "`"};
      }
      report(std::move(d));
      return error(env, node);
    }
    b = coerce(env, b, setOf(element), right);
    // None is in no set: `in` absorbs it without a proof.
    result = make(env, node, ExprKind::in, boolean, {a, b});
  }
  return negated ? notExpr(env, result, node) : result;
}

ExprId Sema::hasExpr(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId left = t.child(node, Role::left), nameNode = t.child(node, Role::name);
  std::string wanted = t.nameOf(nameNode);
  ExprId a = expr(env, left);
  a = coerce(env, a, certain(type(a)), left);
  if (type(a).kind == TypeKind::error) return a;
  if (std::int32_t face = faceNamed(type(a), wanted); face >= 0) {
    ExprId there = hasFace(env, node, a, face);
    return t.has(node, NodeFlags::negated) ? notExpr(env, there, node) : there;
  }
  if (const auto* symbols = world().find(wanted))
    for (const Symbol& s : *symbols) {
      if (s.kind != SymbolKind::enumValue) continue;
      const EnumFacts& facts = world().enumFacts[s.id];
      using Terrain = EnumFacts::Terrain;
      bool ofHex = facts.terrain == Terrain::feature || facts.terrain == Terrain::path;
      if (!(type(a).kind == TypeKind::hex && ofHex) &&
          !(type(a).kind == TypeKind::hexside && facts.terrain == Terrain::hexside))
        continue;
      ExprId e = make(env, node, ofHex ? ExprKind::hexHas : ExprKind::sideHas, boolean, {a});
      at(e).index = facts.mapColumn;
      at(e).value = s.value;
      at(e).op = facts.terrain == Terrain::path ? 1 : 0;
      return t.has(node, NodeFlags::negated) ? notExpr(env, e, node) : e;
    }
  if (!world().find(wanted)) {
    Diagnostic d =
        diagnostic(DiagnosticCode::unknownName, env, nameNode, {wanted, "feature, path or hexside"});
    std::vector<std::string> known;
    for (std::size_t e = 0; e < world().module.enums.size(); ++e)
      if (world().enumFacts[e].terrain != EnumFacts::Terrain::no &&
          world().enumFacts[e].terrain != EnumFacts::Terrain::hex)
        known.insert(known.end(), world().module.enums[e].names.begin(), world().module.enums[e].names.end());
    if (std::string near = nearest(wanted, known); !near.empty())
      d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return error(env, node);
  }
  if (type(a).kind == TypeKind::counter) {
    report(DiagnosticCode::wrongKindOfName, env, nameNode,
           {wanted, "no face of " + name(type(a)), "one of its faces"});
    return error(env, node);
  }
  Diagnostic d = diagnostic(DiagnosticCode::wrongKindOfName, env, nameNode,
                            {wanted, "no feature, path or hexside", "something that the map bears"});
  // The terrain of the hex, or a value of another of its fields.
  if (!t.has(node, NodeFlags::negated)) {
    std::string own = std::string(t.text(left)) + " is " + wanted;
    d.fix = Fix{t.range(node), own, "write `" + own + "`"};
  }
  report(std::move(d));
  return error(env, node);
}

} // namespace hellwig
