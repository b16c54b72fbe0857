// SPDX-License-Identifier: Apache-2.0
// What can never hold, never apply or never be reached: see dead_rules.h.
#include "compiler/dead_rules.h"

#include "compiler/package_nodes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace hellwig {
namespace {

using hir::ExprId;
using hir::ExprKind;
using hir::LocalId;
using hir::StmtId;
using hir::StmtKind;
using hir::TypeKind;
using Code = DiagnosticCode;

constexpr std::int64_t mostRounds = 100000, mostTurns = 1000;
constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max() / 4;

/// The whole numbers that an expression can be.
struct Range {
  std::int64_t low = -infinite, high = infinite;
  bool known() const { return low > -infinite || high < infinite; }
};
std::int64_t clamped(std::int64_t n) {
  return std::clamp(n, -infinite, infinite);
}

class DeadRules {
public:
  DeadRules(const hir::Hir& hir, const Package& package, DiagnosticSink& sink)
      : hir_(hir), package_(package), sink_(sink) {}

  void run() {
    for (const hir::Value& v : hir_.values) {
      begin();
      expr(v.base);
      steps(v.steps);
    }
    for (const hir::Permission& p : hir_.permissions) {
      begin();
      clauses(p.clauses);
    }
    for (const hir::Zone& z : hir_.zones) {
      begin();
      expr(z.set);
      clauses(z.clauses);
    }
    for (const hir::Route& r : hir_.routes) route(r);
    for (const hir::Procedure& p : hir_.procedures) body(p.body);
    for (const hir::Action& a : hir_.actions) {
      begin();
      never(a.when);
      expr(a.when);
      if (a.pick >= 0) choice(hir_.choices[static_cast<std::size_t>(a.pick)]);
      body(a.body);
    }
    for (const hir::Hook& h : hir_.hooks) {
      begin();
      never(h.when);
      expr(h.when);
      body(h.body);
    }
    for (const hir::VictoryClause& v : hir_.victory) {
      begin();
      never(v.condition);
      expr(v.condition);
    }
    body(hir_.sequence);
    body(hir_.setup);
    for (const hir::Stmt& s : hir_.stmts)
      if (s.kind == StmtKind::activation) {
        std::set<std::int32_t> called;
        nested(s.body, called);
      }
  }

private:
  // ---- Reporting

  std::string_view words(const Place& place) const {
    return package_.files[place.file].tree.source().text(place.range);
  }
  std::string_view words(ExprId e) const { return words(at(e).place); }
  Diagnostic make(Code code, const Place& place, const std::vector<std::string>& args) const {
    return diagnosticAt(package_, place, code, args);
  }
  void dead(const Place& place, const std::string& why) {
    if (place.range.length > 0) sink_.report(make(Code::deadClause, place, {why}));
  }
  /// A condition that is plainly `no`.
  bool never(ExprId when) {
    if (when < 0 || at(when).kind != ExprKind::constant || at(when).type.kind != TypeKind::boolean ||
        at(when).value != 0)
      return false;
    dead(at(when).place, "its condition is `no`");
    return true;
  }
  /// Whether two places stand in one declaration: between layers a clause may well repeat another's
  /// condition.
  bool together(const Place& a, const Place& b) const {
    if (a.file != b.file) return false;
    const SyntaxTree& t = package_.files[a.file].tree;
    NodeId parent = t.root();
    for (int depth = 0; depth < 3; ++depth) {
      NodeId inside = NodeId::none;
      for (NodeId item : t.children(parent, Role::item)) {
        TextRange r = t.range(item);
        bool first = r.offset <= a.range.offset && a.range.offset < r.end();
        bool second = r.offset <= b.range.offset && b.range.offset < r.end();
        if (first != second) return false;
        if (first) inside = item;
      }
      if (!valid(inside)) return false;
      if (t.kind(inside) != NodeKind::OptionDecl && t.kind(inside) != NodeKind::ScenarioDecl) return true;
      parent = t.child(inside, Role::body);
      if (!valid(parent)) return false;
    }
    return true;
  }

  // ---- Ranges of numbers

  void begin() {
    ranges_.clear();
    lets_.clear();
  }
  const hir::Expr& at(ExprId e) const { return hir_.exprs[static_cast<std::size_t>(e)]; }
  const hir::Stmt& at(StmtId s, int) const { return hir_.stmts[static_cast<std::size_t>(s)]; }

  Range rangeOf(ExprId id, int depth = 0) const {
    Range r;
    if (id < 0 || depth > 20) return r;
    const hir::Expr& e = at(id);
    if (e.type.set || e.type.optional || (e.type.kind != TypeKind::integer && e.type.kind != TypeKind::d66))
      return r;
    auto arg = [&](std::size_t i) { return rangeOf(e.args[i], depth + 1); };
    auto join = [](Range a, Range b) { return Range{std::min(a.low, b.low), std::max(a.high, b.high)}; };
    switch (e.kind) {
    case ExprKind::constant: return {e.value, e.value};
    case ExprKind::assume: return arg(0);
    case ExprKind::local:
      if (auto found = ranges_.find(e.local); found != ranges_.end()) return found->second;
      if (auto found = lets_.find(e.local); found != lets_.end()) return rangeOf(found->second, depth + 1);
      return r;
    case ExprKind::count: return {0, infinite};
    case ExprKind::field:
      if (static_cast<hir::Field>(e.op) == hir::Field::arrival) return {0, infinite};
      return r;
    case ExprKind::builtin:
      switch (static_cast<hir::Builtin>(e.op)) {
      case hir::Builtin::distanceHexes:
      case hir::Builtin::distanceSets: return {0, infinite};
      case hir::Builtin::minutes: return {0, 59};
      default: return r;
      }
    default: break;
    }
    if (e.type.kind != TypeKind::integer) return r; // a d66 counts in base six
    switch (e.kind) {
    case ExprKind::negate: {
      Range a = arg(0);
      return {-a.high, -a.low};
    }
    case ExprKind::add: {
      Range a = arg(0), b = arg(1);
      return {a.low <= -infinite || b.low <= -infinite ? -infinite : clamped(a.low + b.low),
              a.high >= infinite || b.high >= infinite ? infinite : clamped(a.high + b.high)};
    }
    case ExprKind::subtract: {
      Range a = arg(0), b = arg(1);
      return {a.low <= -infinite || b.high >= infinite ? -infinite : clamped(a.low - b.high),
              a.high >= infinite || b.low <= -infinite ? infinite : clamped(a.high - b.low)};
    }
    case ExprKind::multiply: {
      Range a = arg(0), b = arg(1);
      if (a.low < 0 || b.low < 0 || a.low > mostRounds || b.low > mostRounds) return r;
      bool open = a.high > mostRounds || b.high > mostRounds;
      return {a.low * b.low, open ? infinite : a.high * b.high};
    }
    case ExprKind::smaller: {
      Range a = arg(0), b = arg(1);
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    }
    case ExprKind::larger: {
      Range a = arg(0), b = arg(1);
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    }
    case ExprKind::modulo: {
      Range b = arg(1);
      if (b.low == b.high && b.low > 0) return {0, b.low - 1};
      return r;
    }
    case ExprKind::if_: return join(arg(1), arg(2));
    case ExprKind::otherwise: return join(arg(0), arg(1));
    default: return r;
    }
  }

  static Range rangeOfDie(DieKind die) {
    switch (die) {
    case DieKind::d6: return {1, 6};
    case DieKind::twoD6: return {2, 12};
    case DieKind::d10: return {0, 9};
    case DieKind::d100: return {0, 99};
    case DieKind::d66: return {11, 66};
    default: return {};
    }
  }
  Range rangeOfSet(ExprId set) const {
    if (set < 0 || at(set).kind != ExprKind::range) return {};
    return {rangeOf(at(set).args[0]).low, rangeOf(at(set).args[1]).high};
  }

  static std::string shown(const Range& r) {
    if (r.low == r.high) return std::to_string(r.low);
    if (r.high >= infinite) return "at least " + std::to_string(r.low);
    if (r.low <= -infinite) return "at most " + std::to_string(r.high);
    return std::to_string(r.low) + " .. " + std::to_string(r.high);
  }

  // ---- Expressions

  void expr(ExprId id, bool negated = false) {
    if (id < 0) return;
    const hir::Expr& e = at(id);
    switch (e.kind) {
    case ExprKind::less:
    case ExprKind::lessEqual:
    case ExprKind::equal: comparison(id, negated); break;
    case ExprKind::and_: contradictions(id, ExprKind::and_); break;
    case ExprKind::or_: contradictions(id, ExprKind::or_); break;
    default: break;
    }
    for (ExprId arg : e.args) expr(arg, e.kind == ExprKind::not_);
  }

  void comparison(ExprId id, bool negated) {
    const hir::Expr& e = at(id);
    if (negated && e.kind == ExprKind::equal)
      return; // `die is not 7` holds; it is not a comparison that never does
    Range a = rangeOf(e.args[0]), b = rangeOf(e.args[1]);
    bool holds = e.kind == ExprKind::less        ? a.low < b.high
                 : e.kind == ExprKind::lessEqual ? a.low <= b.high
                                                 : a.low <= b.high && b.low <= a.high;
    if (holds || (!a.known() && !b.known())) return;
    std::string why;
    for (auto [part, range] : {std::pair(e.args[0], a), std::pair(e.args[1], b)})
      if (at(part).kind != ExprKind::constant)
        why += (why.empty() ? "`" : ", `") + std::string(words(part)) + "` is " + shown(range);
    if (why.empty()) why = "the two figures differ";
    sink_.report(make(Code::neverTrue, e.place, {why}));
  }

  void parts(ExprId id, ExprKind kind, std::vector<ExprId>& out) const {
    if (at(id).kind != kind) {
      out.push_back(id);
      return;
    }
    for (ExprId arg : at(id).args) parts(arg, kind, out);
  }
  /// `turn is 3 and turn is 4` never holds, `u is not a or u is not b` always does.
  void contradictions(ExprId id, ExprKind kind) {
    if (!seen_.insert(id).second) return;
    std::vector<ExprId> list;
    parts(id, kind, list);
    for (ExprId part : list)
      if (at(part).kind == kind) seen_.insert(part);
    std::map<std::string, std::pair<Word, ExprId>> values;
    for (ExprId part : list) {
      ExprId plain = part;
      if (kind == ExprKind::or_) {
        if (at(part).kind != ExprKind::not_) continue;
        plain = at(part).args[0];
      }
      const hir::Expr& e = at(plain);
      if (e.kind != ExprKind::equal || e.args.size() != 2) continue;
      const hir::Expr& value = at(e.args[1]);
      if (value.kind != ExprKind::constant || value.type.set) continue;
      std::string key =
          expressionKey(hir_, e.args[0]) + ":" + std::to_string(static_cast<int>(value.type.kind));
      auto [first, isNew] = values.emplace(key, std::pair(value.value, part));
      if (isNew || first->second.first == value.value) continue;
      std::string both =
          "`" + std::string(words(first->second.second)) + "` and `" + std::string(words(part)) + "`";
      if (kind == ExprKind::and_)
        sink_.report(make(Code::neverTrue, at(part).place, {both + " exclude each other"}));
      else
        sink_.report(
            make(Code::alwaysTrue, at(part).place, {"one of " + both + " always does; `and` is meant?"}));
      return;
    }
  }

  // ---- Steps and clauses

  void steps(const std::vector<hir::Step>& list) {
    for (const hir::Step& s : list) {
      never(s.when);
      expr(s.when);
      expr(s.operand);
    }
  }

  void clauses(const std::vector<hir::Clause>& list) {
    std::map<std::string, const hir::Clause*> conditions;
    for (const hir::Clause& c : list) {
      if (!never(c.when) && c.when >= 0) {
        auto [first, isNew] = conditions.emplace(expressionKey(hir_, c.when), &c);
        if (!isNew && together(first->second->place, c.place))
          sink_.report(make(Code::deadClause, c.place, {"a clause before it has the same condition"})
                           .also(package_.files[first->second->place.file].tree.sharedSource(),
                                 first->second->place.range, "which decides"));
      }
      expr(c.when);
      expr(c.set);
      expr(c.from);
      expr(c.to);
      clauses(c.inner);
    }
  }

  void figure(const hir::CostFigure& f) {
    expr(f.base);
    steps(f.steps);
  }
  void preferences(const std::vector<hir::Prefer>& list) {
    for (const hir::Prefer& p : list) expr(p.expr);
  }
  void route(const hir::Route& r) {
    begin();
    expr(r.start);
    figure(r.budget);
    expr(r.length);
    expr(r.minimumWhen);
    clauses(r.clauses);
    for (const hir::RouteEdge& s : r.edges) {
      expr(s.choices);
      figure(s.cost);
      clauses(s.clauses);
      for (const hir::Stop& stop : s.stops) {
        never(stop.when);
        expr(stop.when);
      }
      preferences(s.prefer);
      for (StmtId effect : s.effects) body(effect);
    }
    clauses(r.endClauses);
    preferences(r.endPrefer);
    expr(r.goal);
    for (const hir::Route::Hook& h : r.hooks) {
      never(h.when);
      expr(h.when);
      body(h.body);
    }
  }

  // ---- Statements

  void body(StmtId id) {
    begin();
    gather(id);
    statement(id);
  }

  template<class Visit> void inner(const hir::Stmt& s, Visit visit) const {
    for (StmtId each : s.statements) visit(each);
    visit(s.body);
    visit(s.other);
    for (const hir::MatchArm& arm : s.arms) visit(arm.body);
    if (s.choice < 0) return;
    const hir::Choice& c = hir_.choices[static_cast<std::size_t>(s.choice)];
    visit(c.body);
    for (const hir::ChoiceAlternative& a : c.alternatives) visit(a.body);
    visit(c.otherwise);
  }

  /// What is known of locals that are never set again.
  void gather(StmtId id) {
    std::set<LocalId> set;
    std::vector<StmtId> open{id};
    while (!open.empty()) {
      StmtId next = open.back();
      open.pop_back();
      if (next < 0) continue;
      const hir::Stmt& s = at(next, 0);
      if (s.kind == StmtKind::setLocal || s.kind == StmtKind::call) set.insert(s.local);
      if (s.kind == StmtKind::roll && s.exprs.empty())
        ranges_[s.local] = rangeOfDie(static_cast<DieKind>(s.op));
      if (s.kind == StmtKind::let && s.exprs.size() == 1) lets_[s.local] = s.exprs[0];
      if (s.kind == StmtKind::choose && s.choice >= 0) {
        const hir::Choice& c = hir_.choices[static_cast<std::size_t>(s.choice)];
        if (c.howMany == hir::Choice::HowMany::one && c.set >= 0) sets_.emplace_back(c.local, c.set);
      }
      if (s.kind == StmtKind::forEach && !s.list && !s.exprs.empty()) sets_.emplace_back(s.local, s.exprs[0]);
      inner(s, [&](StmtId each) { open.push_back(each); });
    }
    for (LocalId l : set) {
      ranges_.erase(l);
      lets_.erase(l);
    }
    for (auto [l, s] : sets_)
      if (!set.count(l) && rangeOfSet(s).known()) ranges_[l] = rangeOfSet(s);
    sets_.clear();
  }

  /// Whether play never goes on behind it.
  bool leaves(StmtId id) const {
    if (id < 0) return false;
    const hir::Stmt& s = at(id, 0);
    switch (s.kind) {
    case StmtKind::block: return !s.statements.empty() && leaves(s.statements.back());
    case StmtKind::return_:
    case StmtKind::win:
    case StmtKind::draw:
    case StmtKind::stop:
    case StmtKind::next: return true;
    case StmtKind::if_: return s.other >= 0 && leaves(s.body) && leaves(s.other);
    case StmtKind::match:
      return !s.arms.empty() && (s.other < 0 || leaves(s.other)) &&
             std::all_of(s.arms.begin(), s.arms.end(),
                         [&](const hir::MatchArm& arm) { return leaves(arm.body); });
    default: return false;
    }
  }

  void statement(StmtId id) {
    if (id < 0) return;
    const hir::Stmt& s = at(id, 0);
    switch (s.kind) {
    case StmtKind::block:
      for (std::size_t i = 0; i + 1 < s.statements.size(); ++i) {
        const hir::Stmt& now = at(s.statements[i], 0);
        if (!leaves(s.statements[i]) || now.kind == StmtKind::return_ || now.kind == StmtKind::stop ||
            now.kind == StmtKind::next)
          continue; // told where the file was read
        bool ends = now.kind == StmtKind::win || now.kind == StmtKind::draw;
        dead(at(s.statements[i + 1], 0).place,
             ends ? "the game has ended before it" : "every way through what stands before it leaves");
        break;
      }
      break;
    case StmtKind::if_: branches(id); break;
    case StmtKind::phase:
      if (s.exprs.size() > 1) never(s.exprs[1]);
      break;
    case StmtKind::perform:
    case StmtKind::repeat:
      if (Range r = rangeOf(s.exprs[0]); r.high <= 0)
        dead(at(s.exprs[0]).place, "it is repeated no times");
      else if (r.low > mostRounds &&
               at(s.exprs[0]).kind != ExprKind::constant) // a plain number is told where it is typed
        sink_.report(
            make(Code::numberOutOfRange, at(s.exprs[0]).place,
                 {std::to_string(r.low), "0 .. " + std::to_string(mostRounds) + ", the bound of a loop"}));
      if (s.exprs.size() > 1) never(s.exprs[1]);
      break;
    case StmtKind::turns:
      if (rangeOf(s.exprs[1]).high < rangeOf(s.exprs[0]).low)
        dead(at(s.exprs[0]).place, "the last turn is before the first");
      if (Range a = rangeOf(s.exprs[0]), b = rangeOf(s.exprs[1]);
          a.known() && b.known() && b.low - a.high >= mostTurns)
        sink_.report(
            make(Code::numberOutOfRange, at(s.exprs[1]).place,
                 {std::to_string(b.low - a.high + 1) + " turns", "1 .. " + std::to_string(mostTurns)}));
      break;
    case StmtKind::forEach:
      if (!s.list && !s.exprs.empty() && s.exprs[0] >= 0 && alwaysEmpty(s.exprs[0]))
        dead(at(s.exprs[0]).place, "the set is always empty");
      break;
    default: break;
    }
    for (ExprId e : s.exprs) expr(e);
    if (s.choice >= 0) choice(hir_.choices[static_cast<std::size_t>(s.choice)]);
    inner(s, [&](StmtId each) { statement(each); });
  }

  void choice(const hir::Choice& c) {
    for (ExprId e : {c.ask, c.least, c.most, c.set}) expr(e);
    if (c.least >= 0 && c.most >= 0 && rangeOf(c.least).low > rangeOf(c.most).high)
      sink_.report(make(Code::neverTrue, at(c.least).place,
                        {"at least " + std::to_string(rangeOf(c.least).low) + " and at most " +
                         std::to_string(rangeOf(c.most).high)}));
    for (ExprId e : c.provided) expr(e);
    for (const hir::ChoiceAlternative& a : c.alternatives) {
      never(a.when);
      expr(a.when);
    }
  }

  /// An activation within an activation, also in what it calls.
  bool nested(StmtId id, std::set<std::int32_t>& called) {
    if (id < 0) return false;
    const hir::Stmt& s = at(id, 0);
    if (s.kind == StmtKind::activation) {
      if (toldActivations_.insert(id).second)
        sink_.report(make(Code::misplacedStatement, s.place,
                          {"activation", "a place that is in no other activation, nor called from one"}));
      return true;
    }
    bool found = s.kind == StmtKind::call && s.index >= 0 && called.insert(s.index).second &&
                 nested(hir_.procedures[static_cast<std::size_t>(s.index)].body, called);
    if (s.kind == StmtKind::perform && s.index >= 0)
      for (std::int32_t action : hir_.menus[static_cast<std::size_t>(s.index)].actions)
        if (called.insert(-1 - action).second)
          found = nested(hir_.actions[static_cast<std::size_t>(action)].body, called) || found;
    inner(s, [&](StmtId each) { found = nested(each, called) || found; });
    return found;
  }

  bool alwaysEmpty(ExprId set) const {
    const hir::Expr& e = at(set);
    if (e.kind == ExprKind::emptySet) return true;
    return e.kind == ExprKind::range && rangeOf(e.args[1]).high < rangeOf(e.args[0]).low;
  }

  /// `if a { } else if a { }`: the second is never reached.
  void branches(StmtId id) {
    if (never(at(id, 0).exprs[0]) || chained_.count(id)) return;
    std::set<std::string> conditions;
    for (StmtId now = id; now >= 0 && at(now, 0).kind == StmtKind::if_; now = at(now, 0).other) {
      chained_.insert(now);
      ExprId condition = at(now, 0).exprs[0];
      if (condition < 0 || at(condition).type.kind == TypeKind::error) return;
      if (!conditions.insert(expressionKey(hir_, condition)).second)
        dead(at(condition).place, "a branch before it has the same condition");
    }
  }

  const hir::Hir& hir_;
  const Package& package_;
  DiagnosticSink& sink_;
  std::map<LocalId, Range> ranges_;
  std::map<LocalId, ExprId> lets_;
  std::vector<std::pair<LocalId, ExprId>> sets_;
  std::set<ExprId> seen_;
  std::set<StmtId> chained_, toldActivations_;
};

} // namespace

std::string expressionKey(const hir::Hir& hir, ExprId id, const LocalNames& names) {
  if (id < 0) return "-";
  const hir::Expr& e = hir.exprs[static_cast<std::size_t>(id)];
  if (e.kind == ExprKind::error || e.type.kind == TypeKind::error)
    return "!" + std::to_string(id); // equal to none
  if (e.kind == ExprKind::assume) return expressionKey(hir, e.args.front(), names);
  if (e.kind == ExprKind::local)
    for (auto i = names.rbegin(); i != names.rend(); ++i)
      if (i->first == e.local) return i->second;
  std::string key =
      std::to_string(static_cast<int>(e.kind)) + "." + std::to_string(e.op) + "." + std::to_string(e.index);
  if (e.kind == ExprKind::local) key += "l" + std::to_string(e.local);
  if (e.kind == ExprKind::constant || e.kind == ExprKind::hexHas || e.kind == ExprKind::sideHas ||
      e.kind == ExprKind::between)
    key += "=" + std::to_string(e.value) + "t" + std::to_string(static_cast<int>(e.type.kind)) + "," +
           std::to_string(e.type.id);
  for (Word member : e.members) key += "," + std::to_string(member);
  if (e.args.empty()) return key;
  // An element that the expression itself looks at has the same name everywhere.
  LocalNames inside = names;
  auto elements = std::count_if(names.begin(), names.end(),
                                [](const auto& name) { return name.second.starts_with('_'); });
  if (e.local >= 0 && e.kind != ExprKind::local)
    inside.emplace_back(e.local, "_" + std::to_string(elements) + ";");
  key += "(";
  for (ExprId arg : e.args) key += expressionKey(hir, arg, inside) + ";";
  return key + ")";
}

void checkDeadRules(const hir::Hir& hir, const Package& package, DiagnosticSink& sink) {
  DeadRules(hir, package, sink).run();
}

} // namespace hellwig
