// SPDX-License-Identifier: Apache-2.0
// Checks of the whole: calls form no cycle, the game has an end.
#include "compiler/sema_internal.h"

#include <algorithm>
#include <functional>

namespace hellwig {
namespace {

/// Everything that calls or is called, as one graph. A route is searched, and travelled: hooks run on the way
/// alone.
enum class Rule : std::uint8_t { value, permission, zone, route, travel, procedure, action };
struct Call {
  Rule rule;
  std::int32_t index;
  auto operator<=>(const Call&) const = default;
};

class CallGraph {
public:
  explicit CallGraph(const hir::Hir& hir) : hir_(hir) {}

  std::vector<Call> calls(Call from) {
    out_.clear();
    auto i = static_cast<std::size_t>(from.index);
    switch (from.rule) {
    case Rule::value: {
      const hir::Value& v = hir_.values[i];
      expr(v.base);
      steps(v.steps);
      break;
    }
    case Rule::permission: clauses(hir_.permissions[i].clauses); break;
    case Rule::zone:
      expr(hir_.zones[i].set);
      clauses(hir_.zones[i].clauses);
      break;
    case Rule::route: {
      const hir::Route& r = hir_.routes[i];
      expr(r.start);
      expr(r.budget.base);
      steps(r.budget.steps);
      expr(r.length);
      expr(r.minimumWhen);
      clauses(r.clauses);
      for (const hir::RouteEdge& s : r.edges) {
        clauses(s.clauses);
        expr(s.cost.base);
        steps(s.cost.steps);
        expr(s.choices);
        for (const hir::Stop& stop : s.stops) expr(stop.when);
        for (const hir::Prefer& p : s.prefer) expr(p.expr);
        if (!s.endsSearch)
          for (StmtId effect : s.effects) stmt(effect);
      }
      clauses(r.endClauses);
      for (const hir::Prefer& p : r.endPrefer) expr(p.expr);
      expr(r.goal);
      for (const hir::Also& way : r.also) {
        out_.push_back({Rule::route, way.route});
        for (ExprId arg : way.args) expr(arg);
      }
      break;
    }
    case Rule::travel: {
      const hir::Route& r = hir_.routes[i];
      out_.push_back({Rule::route, from.index});
      for (const hir::Also& way : r.also) out_.push_back({Rule::travel, way.route});
      for (const hir::RouteEdge& edge : r.edges)
        for (StmtId effect : edge.effects) stmt(effect);
      for (const hir::Route::Hook& h : r.hooks) {
        expr(h.when);
        stmt(h.body);
      }
      break;
    }
    case Rule::action:
      if (const hir::Action& action = hir_.actions[i]; action.pick >= 0)
        choice(hir_.choices[static_cast<std::size_t>(action.pick)]);
      expr(hir_.actions[i].when);
      stmt(hir_.actions[i].body);
      break;
    case Rule::procedure:
      stmt(hir_.procedures[i].body);
      for (const hir::Hook& h : hir_.hooks)
        if (h.point == hir::HookPoint::procedure && h.index == from.index) {
          expr(h.when);
          stmt(h.body);
        }
      break;
    }
    return out_;
  }

private:
  void steps(const std::vector<hir::Step>& list) {
    for (const hir::Step& s : list) {
      expr(s.operand);
      expr(s.when);
    }
  }
  void clauses(const std::vector<hir::Clause>& list) {
    for (const hir::Clause& c : list) {
      expr(c.when);
      expr(c.set);
      expr(c.from);
      expr(c.to);
      clauses(c.inner);
    }
  }
  void expr(ExprId id) {
    if (id < 0) return;
    const hir::Expr& e = hir_.exprs[static_cast<std::size_t>(id)];
    switch (e.kind) {
    case ExprKind::call: out_.push_back({Rule::value, e.index}); break;
    case ExprKind::can: out_.push_back({Rule::permission, e.index}); break;
    case ExprKind::reach:
    case ExprKind::connected:
    case ExprKind::paths:
    case ExprKind::path: out_.push_back({Rule::route, e.index}); break;
    case ExprKind::zoneOfSide:
    case ExprKind::zoneOfCounters:
    case ExprKind::zoneOwners: out_.push_back({Rule::zone, e.index}); break;
    default: break;
    }
    for (ExprId arg : e.args) expr(arg);
  }
  void stmt(StmtId id) {
    if (id < 0) return;
    const hir::Stmt& s = hir_.stmts[static_cast<std::size_t>(id)];
    if (s.kind == hir::StmtKind::call) out_.push_back({Rule::procedure, s.index});
    if (s.kind == hir::StmtKind::perform && s.index >= 0)
      for (std::int32_t action : hir_.menus[static_cast<std::size_t>(s.index)].actions)
        out_.push_back({Rule::action, action});
    if (s.kind == hir::StmtKind::moveBy || s.kind == hir::StmtKind::walk)
      out_.push_back({Rule::travel, s.index});
    for (std::int32_t route : s.routes) out_.push_back({Rule::travel, route});
    for (ExprId e : s.exprs) expr(e);
    for (StmtId inner : s.statements) stmt(inner);
    stmt(s.body);
    stmt(s.other);
    for (const hir::MatchArm& arm : s.arms) stmt(arm.body);
    if (s.choice >= 0) choice(hir_.choices[static_cast<std::size_t>(s.choice)]);
  }
  void choice(const hir::Choice& c) {
    for (ExprId e : {c.ask, c.least, c.most, c.set}) expr(e);
    for (ExprId e : c.provided) expr(e);
    for (const hir::Prefer& p : c.prefer) expr(p.expr);
    for (const hir::ChoiceAlternative& a : c.alternatives) {
      expr(a.when);
      stmt(a.body);
    }
    stmt(c.body);
    stmt(c.otherwise);
  }

  const hir::Hir& hir_;
  std::vector<Call> out_;
};

} // namespace

void Sema::checkRecursion() {
  CallGraph graph(hir());
  std::map<Call, int> colour; // 1 under way, 2 done
  std::vector<Call> way;
  auto nameOf = [&](Call c) -> std::pair<std::string, Place> {
    auto i = static_cast<std::size_t>(c.index);
    switch (c.rule) {
    case Rule::value: return {hir().values[i].name, hir().values[i].place};
    case Rule::permission: return {hir().permissions[i].name, hir().permissions[i].place};
    case Rule::zone: return {hir().zones[i].name, hir().zones[i].place};
    case Rule::route:
    case Rule::travel: return {hir().routes[i].name, hir().routes[i].place};
    case Rule::procedure: return {hir().procedures[i].name, hir().procedures[i].place};
    case Rule::action: return {hir().actions[i].name, hir().actions[i].place};
    }
    return {};
  };
  std::function<void(Call)> visit = [&](Call c) {
    colour[c] = 1;
    way.push_back(c);
    for (Call next : graph.calls(c)) {
      int state = colour[next];
      if (state == 2) continue;
      if (state == 0) {
        visit(next);
        continue;
      }
      std::string circle;
      for (auto i = std::find(way.begin(), way.end(), next); i != way.end(); ++i)
        circle += nameOf(*i).first + " -> ";
      auto [ruleName, place] = nameOf(next);
      if (place.range.length == 0) continue;
      report(Diagnostic(DiagnosticCode::recursion, tree(place.file).sharedSource(), place.range,
                        {ruleName, circle + ruleName}));
    }
    way.pop_back();
    colour[c] = 2;
  };
  auto all = [&](Rule rule, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (Call c{rule, static_cast<std::int32_t>(i)}; colour[c] == 0) visit(c);
  };
  all(Rule::value, hir().values.size());
  all(Rule::permission, hir().permissions.size());
  all(Rule::zone, hir().zones.size());
  all(Rule::route, hir().routes.size());
  all(Rule::travel, hir().routes.size());
  all(Rule::procedure, hir().procedures.size());
  all(Rule::action, hir().actions.size());
}

/// Whether a statement, or what it calls, moves a counter.
bool Sema::moves(StmtId id, std::vector<std::int32_t>& called, std::vector<std::int32_t>& menus) const {
  if (id < 0) return false;
  const hir::Stmt& s = out_->hir.stmts[static_cast<std::size_t>(id)];
  if (s.kind == hir::StmtKind::move || s.kind == hir::StmtKind::moveBy ||
      s.kind == hir::StmtKind::moveAlong || s.kind == hir::StmtKind::walk)
    return true;
  if (s.kind == hir::StmtKind::call && std::find(called.begin(), called.end(), s.index) == called.end()) {
    called.push_back(s.index);
    if (moves(out_->hir.procedures[static_cast<std::size_t>(s.index)].body, called, menus)) return true;
  }
  if (s.kind == hir::StmtKind::perform && s.index >= 0 &&
      std::find(menus.begin(), menus.end(), s.index) == menus.end()) {
    menus.push_back(s.index);
    for (std::int32_t action : out_->hir.menus[static_cast<std::size_t>(s.index)].actions)
      if (moves(out_->hir.actions[static_cast<std::size_t>(action)].body, called, menus)) return true;
  }
  std::vector<StmtId> inner = s.statements;
  inner.insert(inner.end(), {s.body, s.other});
  for (const hir::MatchArm& arm : s.arms) inner.push_back(arm.body);
  if (s.choice >= 0) {
    const hir::Choice& choice = out_->hir.choices[static_cast<std::size_t>(s.choice)];
    inner.insert(inner.end(), {choice.body, choice.otherwise});
    for (const hir::ChoiceAlternative& alternative : choice.alternatives) inner.push_back(alternative.body);
  }
  return std::any_of(inner.begin(), inner.end(), [&](StmtId each) { return moves(each, called, menus); });
}

/// A hook on a counter that enters, leaves or has moved may set, roll, ask and call, but not itself move
/// counters.
void Sema::checkMoveHooks() {
  for (std::size_t i = 0; i < hir().hooks.size(); ++i) {
    // What `arrive` does when a counter has come in is play like any other.
    if (arrivalHooks_.count(i)) continue;
    const hir::Hook& hook = hir().hooks[i];
    bool ofMoves = hook.point == hir::HookPoint::enter || hook.point == hir::HookPoint::leave ||
                   hook.point == hir::HookPoint::move;
    std::vector<std::int32_t> called, menus;
    if (!ofMoves || !moves(hook.body, called, menus)) continue;
    const SyntaxTree& t = tree(hook.place.file);
    report(Diagnostic(DiagnosticCode::misplacedStatement, t.sharedSource(),
                      {hook.place.range.offset, hook.before ? 6U : 5U},
                      {"move", "a phase, a procedure or a route's own hooks: a hook on `enter`, `leave` or "
                               "`move` moves no counters"}));
  }
}

/// The conditions by which a counter shows its back are typed, though only a look at the map asks for them.
void Sema::checkShows() {
  for (const FoldedDecl& decl : folded_.decls) {
    if (!decl.inForce || decl.kind != NodeKind::CounterDecl) continue;
    const auto* symbols = world().find(decl.name);
    if (!symbols) continue;
    for (const Part& part : partsOf(decl, true)) {
      const SyntaxTree& t = tree(part.node.file);
      NodeId body = t.child(part.node.node, Role::body);
      if (!valid(body)) continue;
      for (NodeId item : t.children(body, Role::item)) {
        NodeId when = t.kind(item) == NodeKind::Show ? t.child(item, Role::when) : NodeId::none;
        if (!valid(when) || t.has(item, NodeFlags::faulty)) continue;
        hir::Scope& scope = showScopes_.emplace_back();
        Env env;
        env.file = part.node.file;
        env.scope = &scope;
        env.owner = "show";
        for (const Symbol& s : *symbols)
          if (s.kind == SymbolKind::counterKind)
            env.it = addLocal(env, "it", typeOf(TypeKind::counter, s.id));
        if (env.it >= 0) condition(env, when);
      }
    }
  }
}

/// What happens when the sequence has run out must be said: the last `at end` holds without condition.
void Sema::checkVictory() {
  for (const hir::VictoryClause& clause : hir().victory)
    if (clause.when == VictoryWhen::atEnd && clause.condition < 0) return;
  const FoldedDecl* found = nullptr;
  for (const FoldedDecl& decl : folded_.decls)
    if (decl.kind == NodeKind::VictoryDecl && decl.inForce) found = &decl;
  if (!found || hir().sequence < 0) return;
  const SyntaxTree& t = tree(found->node.file);
  if (t.has(found->node.node, NodeFlags::faulty)) return;
  report(Diagnostic(DiagnosticCode::noUnconditionalEnd, t.sharedSource(), t.opRange(found->node.node), {}));
}

} // namespace hellwig
