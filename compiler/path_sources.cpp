// SPDX-License-Identifier: Apache-2.0
// Paths stand in locals and parameters alone, so where they come from is found by following both.
#include "compiler/path_sources.h"

#include <map>
#include <set>

namespace hellwig {
namespace {

using hir::ExprId;
using hir::ExprKind;
using hir::StmtId;
using hir::StmtKind;
using Routes = std::set<std::int32_t>;

class PathSources {
public:
  explicit PathSources(hir::Hir& hir) : hir_(hir) {}

  void run() {
    do {
      changed_ = false;
      for (std::size_t i = 0; i < hir_.procedures.size(); ++i) {
        scope_ = &hir_.procedures[i].scope;
        stmt(hir_.procedures[i].body);
      }
      for (hir::Action& action : hir_.actions) {
        scope_ = &action.scope;
        stmt(action.body);
      }
      for (hir::Hook& hook : hir_.hooks) {
        scope_ = &hook.scope;
        stmt(hook.body);
      }
      for (hir::Route& route : hir_.routes) {
        scope_ = &route.scope;
        for (hir::Route::Hook& hook : route.hooks) stmt(hook.body);
        for (hir::RouteEdge& edge : route.edges)
          for (StmtId effect : edge.effects) stmt(effect);
      }
      scope_ = &hir_.sequenceScope;
      stmt(hir_.sequence);
      scope_ = &hir_.setupScope;
      stmt(hir_.setup);
    } while (changed_);
  }

private:
  Routes& of(const hir::Scope* scope, hir::LocalId local) { return known_[{scope, local}]; }

  void join(Routes& to, const Routes& from) {
    const std::size_t before = to.size();
    to.insert(from.begin(), from.end());
    changed_ = changed_ || to.size() != before;
  }

  Routes sources(ExprId id) {
    if (id < 0) return {};
    const hir::Expr& e = hir_.exprs[static_cast<std::size_t>(id)];
    if (e.type.kind != hir::TypeKind::path) return {};
    if (e.kind == ExprKind::path || e.kind == ExprKind::paths) return {e.index};
    if (e.kind == ExprKind::local) return of(scope_, e.local >= 0 ? e.local : e.index);
    Routes all;
    for (ExprId arg : e.args) {
      const Routes some = sources(arg);
      all.insert(some.begin(), some.end());
    }
    return all;
  }

  void stmt(StmtId id) {
    if (id < 0) return;
    hir::Stmt& s = hir_.stmts[static_cast<std::size_t>(id)];
    switch (s.kind) {
    case StmtKind::let:
    case StmtKind::setLocal:
    case StmtKind::forEach:
      if (s.local >= 0 && !s.exprs.empty()) join(of(scope_, s.local), sources(s.exprs[0]));
      break;
    case StmtKind::call: {
      const hir::Procedure& callee = hir_.procedures[static_cast<std::size_t>(s.index)];
      for (std::size_t i = 0; i < s.exprs.size(); ++i)
        join(of(&callee.scope, static_cast<hir::LocalId>(i)), sources(s.exprs[i]));
      break;
    }
    case StmtKind::moveAlong: {
      const Routes routes = sources(s.exprs[1]);
      s.routes.assign(routes.begin(), routes.end());
      break;
    }
    default: break;
    }
    for (StmtId inner : s.statements) stmt(inner);
    stmt(s.body);
    stmt(s.other);
    for (const hir::MatchArm& arm : s.arms) stmt(arm.body);
    if (s.choice < 0) return;
    const hir::Choice& c = hir_.choices[static_cast<std::size_t>(s.choice)];
    if (c.local >= 0) join(of(scope_, c.local), sources(c.set));
    for (const hir::ChoiceAlternative& a : c.alternatives) stmt(a.body);
    stmt(c.body);
    stmt(c.otherwise);
  }

  hir::Hir& hir_;
  const hir::Scope* scope_ = nullptr;
  std::map<std::pair<const hir::Scope*, hir::LocalId>, Routes> known_;
  bool changed_ = false;
};

} // namespace

void tracePaths(hir::Hir& hir) {
  PathSources(hir).run();
}

} // namespace hellwig
