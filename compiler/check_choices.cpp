// SPDX-License-Identifier: Apache-2.0
// Decisions that may find nothing to choose. A set is shown not to be empty by what is asked before it: `any
// S` in an `if`, in the `where` or `when` that led here, or before each call of the procedure that it stands
// in. What is shown stays so here even if something changes in between: a warning that is wrong would cost
// more than one that is missing.
#include "compiler/dead_rules.h"

#include "compiler/package_nodes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hellwig {
namespace {

using hir::ExprId;
using hir::ExprKind;
using hir::LocalId;
using hir::StmtId;
using hir::StmtKind;
using hir::TypeKind;

/// What is known on the way to a statement: sets that are not empty, written as keys.
using Known = std::vector<std::string>;

/// A set that a body chooses from, not shown to have something in it, in terms of the body's parameters.
struct Need {
  std::vector<std::string> keys; ///< any of these shows it
  Place place;
  bool operator<(const Need& other) const {
    return std::pair(place.file, place.range.offset) < std::pair(other.place.file, other.place.range.offset);
  }
};

constexpr int deepest = 4; ///< how far conditions are followed through values and permissions

class Choices {
public:
  Choices(const hir::Hir& hir, const Package& package, DiagnosticSink& sink)
      : hir_(hir), package_(package), sink_(sink) {}

  void run() {
    needs_.resize(hir_.procedures.size());
    state_.resize(hir_.procedures.size());
    called_.resize(hir_.procedures.size());
    for (std::size_t p = 0; p < hir_.procedures.size(); ++p) procedure(p);
    for (const hir::Hook& h : hir_.hooks) root(h.when, h.body);
    for (const hir::Route& r : hir_.routes)
      for (const hir::Route::Hook& h : r.hooks) root(h.when, h.body);
    for (const hir::Action& a : hir_.actions)
      root(a.when, a.body, a.pick >= 0 ? &hir_.choices[static_cast<std::size_t>(a.pick)] : nullptr);
    root(-1, hir_.sequence);
    root(-1, hir_.setup);
    // What nothing calls cannot rely on a caller.
    for (std::size_t p = 0; p < hir_.procedures.size(); ++p)
      if (!called_[p])
        for (const Need& need : needs_[p]) told_.insert(need);
    for (const Need& need : told_)
      sink_.report(diagnosticAt(package_, need.place, DiagnosticCode::perhapsNothingToChoose, {}));
  }

private:
  const hir::Expr& at(ExprId e) const { return hir_.exprs[static_cast<std::size_t>(e)]; }

  // ---- Bodies

  void procedure(std::size_t p) {
    if (state_[p] != 0) return; // a circle is told elsewhere
    state_[p] = 1;
    LocalNames names;
    for (LocalId l = 0; l < static_cast<LocalId>(hir_.procedures[p].scope.parameters); ++l)
      names.emplace_back(l, "P" + std::to_string(l) + ";");
    auto around = std::exchange(sameAs_, {});
    std::vector<Need> found;
    body(hir_.procedures[p].body, names, {}, found);
    // A caller knows nothing of the names within.
    for (Need& need : found)
      for (std::string& k : need.keys)
        for (const auto& [name, value] : sameAs_) replaceAll(k, name, value);
    sameAs_ = std::move(around);
    needs_[p] = std::move(found);
    state_[p] = 2;
  }
  void root(ExprId when, StmtId id, const hir::Choice* pick = nullptr) {
    LocalNames names;
    Known known;
    sameAs_.clear();
    learn(when, true, names, known);
    if (pick && pick->set >= 0) bound(pick->set, pick->local, names, known);
    std::vector<Need> found;
    body(id, names, std::move(known), found);
    for (Need& need : found) told_.insert(std::move(need));
  }

  /// Walks a body; what a statement shows holds for those that follow in its block.
  void body(StmtId id, const LocalNames& names, Known known, std::vector<Need>& found) {
    walk(id, names, known, found);
  }

  void walk(StmtId id, const LocalNames& names, Known& known, std::vector<Need>& found) {
    if (id < 0) return;
    const hir::Stmt& s = hir_.stmts[static_cast<std::size_t>(id)];
    auto within = [&](StmtId inner, Known facts) { walk(inner, names, facts, found); };
    switch (s.kind) {
    case StmtKind::block: {
      Known facts = known;
      for (StmtId each : s.statements) walk(each, names, facts, found);
      return;
    }
    case StmtKind::let:
      if (s.exprs.size() == 1)
        sameAs_.insert_or_assign(key(s.local, names), expressionKey(hir_, s.exprs[0], names));
      return;
    case StmtKind::if_: {
      Known yes = known, no = known;
      learn(s.exprs[0], true, names, yes);
      learn(s.exprs[0], false, names, no);
      bool thenLeaves = leaves(s.body), elseLeaves = s.other >= 0 && leaves(s.other);
      walk(s.body, names, yes, found);
      if (s.other >= 0) walk(s.other, names, no, found);
      if (thenLeaves) known = std::move(no);
      if (elseLeaves) known = std::move(yes);
      return;
    }
    case StmtKind::repeat: {
      Known facts = known;
      if (s.exprs.size() > 1) learn(s.exprs[1], true, names, facts);
      return within(s.body, std::move(facts));
    }
    case StmtKind::phase: {
      Known facts = known;
      if (s.exprs.size() > 1) learn(s.exprs[1], true, names, facts);
      return within(s.body, std::move(facts));
    }
    case StmtKind::forEach: {
      Known facts = known;
      if (!s.list && !s.exprs.empty()) bound(s.exprs[0], s.local, names, facts);
      return within(s.body, std::move(facts));
    }
    case StmtKind::call: return call(s, names, known, found);
    case StmtKind::choose: return choose(s, names, known, found);
    default: break;
    }
    for (StmtId each : s.statements) within(each, known);
    within(s.body, known);
    within(s.other, known);
    for (const hir::MatchArm& arm : s.arms) within(arm.body, known);
  }

  bool leaves(StmtId id) const {
    if (id < 0) return false;
    const hir::Stmt& s = hir_.stmts[static_cast<std::size_t>(id)];
    switch (s.kind) {
    case StmtKind::block: return !s.statements.empty() && leaves(s.statements.back());
    case StmtKind::return_:
    case StmtKind::stop:
    case StmtKind::next:
    case StmtKind::win:
    case StmtKind::draw: return true;
    default: return false;
    }
  }

  /// What a procedure needs must be shown where it is called, or be needed of the caller in turn.
  void call(const hir::Stmt& s, const LocalNames& names, const Known& known, std::vector<Need>& found) {
    auto p = static_cast<std::size_t>(s.index);
    if (s.index < 0 || p >= needs_.size()) return;
    called_[p] = true;
    if (state_[p] == 0) procedure(p);
    std::vector<std::string> args;
    for (ExprId arg : s.exprs) args.push_back(expressionKey(hir_, arg, names));
    for (const Need& need : needs_[p]) {
      Need here{{}, need.place};
      for (const std::string& k : need.keys) here.keys.push_back(filled(k, args));
      if (!shown(here, known)) found.push_back(std::move(here));
    }
  }
  static std::string filled(const std::string& k, const std::vector<std::string>& args) {
    std::string out;
    for (std::size_t i = 0; i < k.size(); ++i) {
      std::size_t digits = i + 1;
      while (k[i] == 'P' && digits < k.size() && k[digits] >= '0' && k[digits] <= '9') ++digits;
      if (k[i] != 'P' || digits == i + 1) {
        out += k[i];
        continue;
      }
      auto index = static_cast<std::size_t>(std::stoul(k.substr(i + 1, digits - i - 1)));
      out += index < args.size() ? args[index] : k.substr(i, digits - i + 1);
      i = digits; // the semicolon belongs to the name
    }
    return out;
  }

  void choose(const hir::Stmt& s, const LocalNames& names, Known& known, std::vector<Need>& found) {
    const hir::Choice& c = hir_.choices[static_cast<std::size_t>(s.choice)];
    using HowMany = hir::Choice::HowMany;
    bool open = c.hasOtherwise || c.howMany == HowMany::menu || c.howMany == HowMany::any ||
                c.howMany == HowMany::each || c.howMany == HowMany::allotment;
    if (c.howMany == HowMany::range)
      open = open || c.least < 0 || (at(c.least).kind == ExprKind::constant && at(c.least).value <= 0);
    for (const hir::ChoiceAlternative& a : c.alternatives) open = open || a.pass || a.when < 0;
    if (!open && c.set >= 0 && mayBeEmpty(c.set)) {
      Need need{{}, at(c.set).place};
      keysOf(c.set, names, need.keys);
      if (!shown(need, known)) found.push_back(std::move(need));
    }
    auto within = [&](StmtId inner, Known facts) { walk(inner, names, facts, found); };
    for (const hir::ChoiceAlternative& a : c.alternatives) {
      Known facts = known;
      learn(a.when, true, names, facts);
      within(a.body, std::move(facts));
    }
    within(c.otherwise, known);
    Known facts = known;
    if (c.set >= 0) bound(c.set, c.local, names, facts);
    for (ExprId p : c.provided) learn(p, true, names, facts);
    if (c.body >= 0)
      within(c.body, std::move(facts));
    else
      known = std::move(facts);
  }

  // ---- Sets

  /// Only what is narrowed down can be empty: counters that satisfy a condition or stand somewhere, the reach
  /// of a route. Places on the whole map are left to the designer.
  bool mayBeEmpty(ExprId set) const {
    const hir::Expr& e = at(set);
    switch (e.kind) {
    case ExprKind::reach: return true;
    case ExprKind::where: return e.type.kind == TypeKind::counter || mayBeEmpty(e.args[0]);
    case ExprKind::call: return e.type.kind == TypeKind::counter;
    case ExprKind::atBox:
    case ExprKind::atHexes: return true;
    case ExprKind::ofSide: return mayBeEmpty(e.args[0]);
    case ExprKind::unite: return mayBeEmpty(e.args[0]) && mayBeEmpty(e.args[1]);
    default: return false;
    }
  }

  std::string key(LocalId l, const LocalNames& names) const {
    for (auto i = names.rbegin(); i != names.rend(); ++i)
      if (i->first == l) return i->second;
    return std::to_string(static_cast<int>(ExprKind::local)) + ".0.-1l" + std::to_string(l);
  }

  /// The keys that show a set not to be empty: itself, and filters piled in another order of writing.
  void keysOf(ExprId set, const LocalNames& names, std::vector<std::string>& keys) const {
    keys.push_back(setKey(set, -1, -1, names));
    if (at(set).kind == ExprKind::call) {
      // A value without steps is what its base says.
      ExprId base = -1;
      LocalNames inside = arguments(set, names, base);
      if (base >= 0) keys.push_back(setKey(base, -1, -1, inside));
    }
  }
  /// `any S where C` and `S where C` have one key: the plain set, then its conditions in order.
  std::string setKey(ExprId set, ExprId condition, LocalId element, const LocalNames& names) const {
    std::vector<std::string> conditions;
    auto add = [&](ExprId c, LocalId l) {
      LocalNames inside = names;
      inside.emplace_back(l, "_e;");
      conditions.push_back(expressionKey(hir_, c, inside));
    };
    if (condition >= 0) add(condition, element);
    while (at(set).kind == ExprKind::where ||
           (at(set).kind == ExprKind::single && at(at(set).args[0]).type.set)) {
      if (at(set).kind == ExprKind::where) add(at(set).args[1], at(set).local);
      set = at(set).args[0];
    }
    std::string k = expressionKey(hir_, set, names);
    for (auto c = conditions.rbegin(); c != conditions.rend(); ++c) k += "|" + *c;
    return k;
  }

  bool shown(const Need& need, const Known& known) const {
    for (std::string k : need.keys) {
      for (const auto& [name, value] : sameAs_) replaceAll(k, name, value);
      for (std::string fact : known) {
        for (const auto& [name, value] : sameAs_) replaceAll(fact, name, value);
        // More conditions on the same set show that with fewer there is something, too.
        if (fact == k || (fact.starts_with(k) && fact[k.size()] == '|')) return true;
      }
    }
    return false;
  }
  static void replaceAll(std::string& text, const std::string& what, const std::string& with) {
    if (with.find(what) != std::string::npos) return;
    for (std::size_t p = text.find(what); p != std::string::npos; p = text.find(what, p + with.size())) {
      std::size_t end = p + what.size();
      if (end < text.size() && text[end] >= '0' && text[end] <= '9') continue;
      text.replace(p, what.size(), with);
    }
  }

  // ---- What conditions show

  /// The element of a set satisfies its filters.
  void bound(ExprId set, LocalId element, const LocalNames& names, Known& known) const {
    while (set >= 0) {
      const hir::Expr& e = at(set);
      if (e.kind == ExprKind::where) {
        LocalNames inside = names;
        inside.emplace_back(e.local, key(element, names));
        learn(e.args[1], true, inside, known);
      }
      if (e.kind == ExprKind::call) {
        ExprId base = -1;
        LocalNames inside = arguments(set, names, base);
        if (base >= 0 && at(base).kind == ExprKind::where) {
          inside.emplace_back(at(base).local, key(element, names));
          learn(at(base).args[1], true, inside, known);
        }
        return;
      }
      bool filters = e.kind == ExprKind::where || e.kind == ExprKind::ofSide || e.kind == ExprKind::atHexes ||
                     e.kind == ExprKind::intersect || e.kind == ExprKind::except_ ||
                     e.kind == ExprKind::atBox;
      set = filters && !e.args.empty() ? e.args[0] : -1;
    }
  }

  /// The parameters of a called value under the keys of its arguments; its base, if it has no steps.
  LocalNames arguments(ExprId call, const LocalNames& names, ExprId& base) const {
    const hir::Expr& e = at(call);
    LocalNames inside;
    if (e.index < 0) return inside;
    const hir::Value& v = hir_.values[static_cast<std::size_t>(e.index)];
    if (v.steps.empty()) base = v.base;
    for (std::size_t i = 0; i < e.args.size(); ++i)
      inside.emplace_back(static_cast<LocalId>(i), expressionKey(hir_, e.args[i], names));
    return inside;
  }

  void learn(ExprId id, bool holds, const LocalNames& names, Known& known, int depth = 0) const {
    if (id < 0 || depth > deepest) return;
    const hir::Expr& e = at(id);
    switch (e.kind) {
    case ExprKind::not_: return learn(e.args[0], !holds, names, known, depth);
    case ExprKind::and_:
    case ExprKind::or_:
      if (holds == (e.kind == ExprKind::and_))
        for (ExprId part : e.args) learn(part, holds, names, known, depth);
      return;
    case ExprKind::any:
    case ExprKind::none_:
      if (holds != (e.kind == ExprKind::any)) return;
      known.push_back(setKey(e.args[0], e.args.size() > 1 ? e.args[1] : -1, e.local, names));
      if (at(e.args[0]).kind == ExprKind::call && (e.args.size() < 2 || e.args[1] < 0)) {
        ExprId base = -1;
        LocalNames inside = arguments(e.args[0], names, base);
        if (base >= 0) known.push_back(setKey(base, -1, -1, inside));
      }
      return;
    case ExprKind::less:
    case ExprKind::lessEqual: {
      // `(count of S) > 0`, `(count of S) >= 1`
      ExprId few = e.args[0], many = e.args[1];
      if (holds && at(many).kind == ExprKind::count && at(few).kind == ExprKind::constant)
        known.push_back(setKey(at(many).args[0], at(many).args.size() > 1 ? at(many).args[1] : -1,
                               at(many).local, names));
      return;
    }
    case ExprKind::call: {
      ExprId base = -1;
      LocalNames inside = arguments(id, names, base);
      if (e.type.kind == TypeKind::boolean && !e.type.set && base >= 0)
        learn(base, holds, inside, known, depth + 1);
      return;
    }
    case ExprKind::can: {
      if (!holds || e.index < 0) return;
      LocalNames inside;
      for (std::size_t i = 0; i < e.args.size(); ++i)
        inside.emplace_back(static_cast<LocalId>(i), expressionKey(hir_, e.args[i], names));
      for (const hir::Clause& c : hir_.permissions[static_cast<std::size_t>(e.index)].clauses) {
        if (c.kind == hir::ClauseKind::allow) return;
        if (c.kind == hir::ClauseKind::forbid) learn(c.when, false, inside, known, depth + 1);
      }
      return;
    }
    default: return;
    }
  }

  const hir::Hir& hir_;
  const Package& package_;
  DiagnosticSink& sink_;
  std::vector<std::vector<Need>> needs_; ///< by procedure
  std::vector<std::uint8_t> state_;
  std::vector<bool> called_;
  std::set<Need> told_;
  std::map<std::string, std::string> sameAs_; ///< locals that stand for an expression
};

} // namespace

void checkChoices(const hir::Hir& hir, const Package& package, DiagnosticSink& sink) {
  Choices(hir, package, sink).run();
}

} // namespace hellwig
