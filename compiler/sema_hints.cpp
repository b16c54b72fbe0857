// SPDX-License-Identifier: Apache-2.0
// Advice for the slips of meaning that designers make: what was probably meant, beside what is wrong.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr std::size_t mostListed = 6;

bool isDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

/// Words that stand for the same thing in other languages or in plain English.
void Sema::hintName(const Env& env, NodeId node, const std::string& word, Diagnostic& d) const {
  static const std::pair<std::string_view, const char*> own[] = {{"true", "yes"},
                                                                 {"false", "no"},
                                                                 {"null", "none"},
                                                                 {"nil", "none"},
                                                                 {"nothing", "none"},
                                                                 {"nobody", "none"},
                                                                 {"nowhere", "none"},
                                                                 {"this", "it"},
                                                                 {"self", "it"},
                                                                 {"they", "it"},
                                                                 {"enemy", "opponent"},
                                                                 {"current_player", "player"},
                                                                 {"me", "player"},
                                                                 {"phasing_player", "player"},
                                                                 {"active_player", "player"}};
  std::string lower = word;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (auto [foreign, ours] : own)
    if (lower == foreign) d.fix = Fix{tree(env).range(node), ours, "write `" + std::string(ours) + "`"};
}

/// A thing of one type where another is wanted.
void Sema::hintMismatch(const Env& env, NodeId node, const Type& given, const Type& wanted, Diagnostic& d) {
  const SyntaxTree& t = tree(env);
  while (valid(node) && t.kind(node) == NodeKind::Paren) node = t.child(node, Role::value);
  if (!valid(node)) return;
  std::string words(t.text(node));
  if (wanted.kind == TypeKind::hex && given.kind == TypeKind::integer && words.size() >= 3 &&
      isDigits(words)) {
    if (hexByLabel(world().module.board, words) >= 0)
      d.fix = Fix{t.range(node), "hex " + words, "write `hex " + words + "`"};
    else
      d.help.push_back("a hex is written `hex " + words + "`");
  }
  NodeId left = t.child(node, Role::left), right = t.child(node, Role::right);
  if (wanted.set && !given.set && given.kind == TypeKind::integer && t.kind(node) == NodeKind::Binary &&
      t.op(node) == TokenKind::minus) {
    std::string range = std::string(t.text(left)) + " .. " + std::string(t.text(right));
    d.fix = Fix{t.range(node), range, "a range is written `" + range + "`"};
  }
  if (given.set && !wanted.set && given.kind == wanted.kind)
    d.help.push_back("of a set, `first of ..` is one, and `for each` looks at all");
  if (given.kind == TypeKind::fraction && wanted.kind == TypeKind::integer && !given.set)
    d.help.push_back("a fraction becomes whole by `rounded up`, `rounded down` or `rounded near`");
  if (wanted.kind == TypeKind::enumeration && given.kind != TypeKind::error && !given.set)
    listValues(wanted, d);
}

/// The values that a type has, if they are few.
void Sema::listValues(const Type& wanted, Diagnostic& d) {
  const std::vector<std::string>& names = world().module.enums[wanted.id].names;
  if (names.empty() || names.size() > mostListed) return;
  std::string list;
  for (const std::string& value : names) list += (list.empty() ? "`" : ", `") + value + "`";
  d.help.push_back("the values of " + name(certain(elementOf(wanted))) + " are " + list);
}

/// `turn is 3 or 4`: what stands beside the bare value is a comparison that it was meant to go on.
void Sema::hintAlternatives(const Env& env, NodeId beside, NodeId node, Diagnostic& d) const {
  const SyntaxTree& t = tree(env);
  while (valid(beside) && t.kind(beside) == NodeKind::Binary) beside = t.child(beside, Role::right);
  if (!valid(beside) || t.kind(beside) != NodeKind::Compare || t.op(beside) != TokenKind::kw_is) return;
  std::string left(t.text(t.child(beside, Role::left))), first(t.text(t.child(beside, Role::right))),
      second(t.text(node));
  d.help.push_back("each side of `or` is a condition of its own: `" + std::string(t.text(beside)) + " or " +
                   left + " is " + second + "`, or `" + left + " in (" + first + ", " + second + ")`");
}

/// `Prussia and Austria`: two names, neither of which is a condition.
bool Sema::joinsThings(Env& env, NodeId left, NodeId right) {
  for (NodeId side : {left, right}) {
    if (!valid(side) || tree(env).kind(side) != NodeKind::NameExpr) return false;
    DiagnosticSink quiet;
    DiagnosticSink* loud = std::exchange(sink_, &quiet);
    ExprId e = expr(env, side);
    sink_ = loud;
    if (type(e).kind == TypeKind::error || (type(e).kind == TypeKind::boolean && !type(e).set)) return false;
  }
  return true;
}

/// Whether a thing has a field, or a value of its own, of this name.
bool Sema::hasMember(const Type& one, const std::string& word) {
  if (world().columnOf(one, word) >= 0) return true;
  auto found = valuesByName_.find(word);
  if (found == valuesByName_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](std::int32_t v) {
    const hir::Scope& scope = hir().values[static_cast<std::size_t>(v)].scope;
    return scope.parameters == 1 && fits(one, scope.locals[0].type);
  });
}

/// `u is moved`: a field that is yes or no is asked after a dot.
bool Sema::reportFieldForValue(Env& env, NodeId node, ExprId left, NodeId right) {
  std::string field = tree(env).nameOf(right);
  Type t = certain(type(left));
  if (t.set || field.empty() || !hasMember(t, field)) return false;
  std::string own = (tree(env).has(node, NodeFlags::negated) ? "not " : "") +
                    std::string(tree(env).text(tree(env).child(node, Role::left))) + "." + field;
  report(diagnostic(DiagnosticCode::wrongKindOfName, env, right,
                    {field, "a field or value of " + name(t), "a value"})
             .withFix(tree(env).range(node), own, "write `" + own + "`"));
  return true;
}

/// `t.flipped`, `units.moved`: a value of a field, or a field of one element.
void Sema::hintMember(const Env& env, NodeId node, const Type& owner, const std::string& word,
                      Diagnostic& d) {
  const SyntaxTree& t = tree(env);
  Type one = certain(elementOf(owner));
  std::string base(t.text(t.child(node, Role::base)));
  if (owner.set && hasMember(one, word)) {
    d.fix.reset();
    d.help.push_back("each of them has it: `any " + base + " where it." + word + "`, or `sum of it." + word +
                     " over " + base + "`");
    return;
  }
  if (owner.set && (word == "count" || word == "size" || word == "length" || word == "number")) {
    std::string own = "count of " + base;
    d.fix = Fix{t.range(node), own, "write `" + own + "`"};
  }
  if (owner.set) return;
  if (const auto* symbols = world().find(word))
    for (const Symbol& s : *symbols) {
      if (s.kind != SymbolKind::enumValue) continue;
      for (std::size_t c = 0; c < world().module.columns.size(); ++c)
        if (world().columnTypes[c].kind == TypeKind::enumeration && world().columnTypes[c].id == s.id &&
            world().columnOf(one, world().module.columns[c].name) == static_cast<std::int32_t>(c)) {
          std::string own = base + " is " + word;
          d.fix = Fix{t.range(node), own, "write `" + own + "`"};
          return;
        }
    }
}

/// A name of one's own that hides a noun. A value of a type is still found where its type is wanted, so it is
/// not hidden.
void Sema::warnHidden(const Env& env, NodeId nameNode) {
  if (!valid(nameNode) || env.test) return;
  std::string word = tree(env).nameOf(nameNode);
  const auto* symbols = world().find(word);
  if (!symbols || word.size() < 2) return;
  auto hidden = std::find_if(symbols->begin(), symbols->end(),
                             [](const Symbol& s) { return s.kind != SymbolKind::enumValue; });
  if (hidden == symbols->end()) return;
  report(std::move(diagnostic(DiagnosticCode::hiddenName, env, nameNode, {word, nounWords(*hidden)})
                       .also(tree(hidden->place.file).sharedSource(), hidden->place.range, "declared here")));
}

// ---- Counters that may be off the map

/// Whether elements of the set may be off the map: they come from a box or from anywhere.
bool Sema::fromBox(ExprId set) const {
  while (set >= 0) {
    const hir::Expr& e = out_->hir.exprs[static_cast<std::size_t>(set)];
    switch (e.kind) {
    case ExprKind::atBox:
    case ExprKind::kindEver: return true;
    case ExprKind::where:
    case ExprKind::ofSide:
    case ExprKind::intersect:
    case ExprKind::except_:
    case ExprKind::first: set = e.args.empty() ? -1 : e.args[0]; break;
    default: return false;
    }
  }
  return false;
}

void Sema::mayBeOff(Env& env, ExprId set, LocalId element) const {
  if (!env.test && fromBox(set)) env.offMap.push_back(element);
}

/// `u.hex` of a counter that comes from a box.
void Sema::checkOnMap(Env& env, NodeId node, ExprId base) {
  if (at(base).kind == ExprKind::assume) base = at(base).args.front();
  if (at(base).kind != ExprKind::local || env.offMap.empty()) return;
  LocalId id = at(base).local;
  if (std::find(env.offMap.begin(), env.offMap.end(), id) == env.offMap.end()) return;
  if (factOf(env, "m" + pathKey(base))) return;
  NodeId owner = tree(env).child(node, Role::base);
  report(DiagnosticCode::perhapsOffMap, env, valid(owner) ? owner : node,
         {std::string(tree(env).text(valid(owner) ? owner : node))});
}

// ---- Dice of a test

/// Whether some die that the rules roll can show the number.
bool Sema::someDieShows(std::int32_t number) const {
  bool any = false;
  for (const hir::Stmt& s : out_->hir.stmts) {
    if (s.kind != hir::StmtKind::roll) continue;
    any = true;
    if (!s.exprs.empty()) return true; // one of a set: its place in it
    auto between = [&](int low, int high) { return number >= low && number <= high; };
    switch (static_cast<DieKind>(s.op)) {
    case DieKind::d6:
      if (between(1, 6)) return true;
      break;
    case DieKind::twoD6:
      if (between(2, 12)) return true;
      break;
    case DieKind::d10:
      if (between(0, 9)) return true;
      break;
    case DieKind::d100:
      if (between(0, 99)) return true;
      break;
    case DieKind::d66:
      if (between(11, 66) && number % 10 >= 1 && number % 10 <= 6) return true;
      break;
    default: return true;
    }
  }
  return !any;
}

} // namespace hellwig
