// SPDX-License-Identifier: Apache-2.0
// Checks of what layers add without seeing each other: hooks of one owner at one point in several files must
// not depend on their order, and what is hidden should not be told by what a player may do.
#include "compiler/hidden_reads.h"
#include "compiler/lower_effects.h"
#include "compiler/sema_internal.h"

#include <algorithm>
#include <functional>

namespace hellwig {
namespace {

/// What a hook may do and on what that rests, with all that it calls.
struct Touch {
  std::set<std::int32_t> columnsSet, globalsSet;
  bool moves = false, chance = false;
  lowering::Reads reads;
};

class Touching {
public:
  Touching(const hir::Hir& hir, lowering::Effects& effects) : hir_(hir), effects_(effects) {}
  Touch of(const hir::Hook& hook) {
    Touch out;
    called_.clear();
    effects_.addExpr(out.reads, hook.when);
    statement(hook.body, out);
    return out;
  }

private:
  void statement(StmtId id, Touch& out) {
    if (id < 0) return;
    const hir::Stmt& s = hir_.stmts[static_cast<std::size_t>(id)];
    for (ExprId e : s.exprs) effects_.addExpr(out.reads, e);
    switch (s.kind) {
    case hir::StmtKind::setColumn: out.columnsSet.insert(s.index); break;
    case hir::StmtKind::setGlobal: out.globalsSet.insert(s.index); break;
    case hir::StmtKind::move:
    case hir::StmtKind::moveBy:
    case hir::StmtKind::moveAlong: out.moves = true; break;
    case hir::StmtKind::walk:
    case hir::StmtKind::perform: out.moves = out.chance = true; break;
    case hir::StmtKind::roll:
    case hir::StmtKind::choose: out.chance = true; break;
    case hir::StmtKind::win:
    case hir::StmtKind::draw: out.chance = true; break;
    case hir::StmtKind::call:
      if (called_.insert(s.index).second)
        statement(hir_.procedures[static_cast<std::size_t>(s.index)].body, out);
      break;
    default: break;
    }
    for (StmtId inner : s.statements) statement(inner, out);
    statement(s.body, out);
    statement(s.other, out);
    for (const hir::MatchArm& arm : s.arms) statement(arm.body, out);
    if (s.choice < 0) return;
    const hir::Choice& c = hir_.choices[static_cast<std::size_t>(s.choice)];
    for (ExprId e : {c.ask, c.least, c.most, c.set}) effects_.addExpr(out.reads, e);
    for (ExprId e : c.provided) effects_.addExpr(out.reads, e);
    for (const hir::Prefer& p : c.prefer) effects_.addExpr(out.reads, p.expr);
    for (const hir::ChoiceAlternative& a : c.alternatives) {
      effects_.addExpr(out.reads, a.when);
      statement(a.body, out);
    }
    statement(c.body, out);
    statement(c.otherwise, out);
  }

  const hir::Hir& hir_;
  lowering::Effects& effects_;
  std::set<std::int32_t> called_;
};

bool holds(const std::vector<bool>& bits, std::int32_t index) {
  return static_cast<std::size_t>(index) < bits.size() && bits[static_cast<std::size_t>(index)];
}

} // namespace

void Sema::checkHooks() {
  lowering::Effects effects(hir(), world().module);
  Touching touching(hir(), effects);
  auto samePoint = [&](const hir::Hook& a, const hir::Hook& b) {
    if (a.point != b.point || a.before != b.before) return false;
    const bool kinds = a.point == hir::HookPoint::enter || a.point == hir::HookPoint::leave ||
                       a.point == hir::HookPoint::move;
    if (!kinds) return a.index == b.index;
    return world().isKindOf(static_cast<std::uint16_t>(a.index), static_cast<std::uint16_t>(b.index)) ||
           world().isKindOf(static_cast<std::uint16_t>(b.index), static_cast<std::uint16_t>(a.index));
  };
  auto point = [&](const hir::Hook& hook) -> std::string {
    const std::string when = hook.before ? "before " : "after ";
    switch (hook.point) {
    case hir::HookPoint::turn: return "`" + when + "turn`";
    case hir::HookPoint::playerTurn: return "`" + when + "player turn`";
    case hir::HookPoint::phase:
      return "`" + when + "phase " + world().module.phases[static_cast<std::size_t>(hook.index)].name + "`";
    case hir::HookPoint::activation: return "`" + when + "activation`";
    case hir::HookPoint::setup: return "`" + when + "setup`";
    case hir::HookPoint::procedure:
      return "`" + when + hir().procedures[static_cast<std::size_t>(hook.index)].name + "`";
    case hir::HookPoint::enter: return "`" + when + "enter`";
    case hir::HookPoint::leave: return "`" + when + "leave`";
    case hir::HookPoint::move: return "`" + when + "move`";
    case hir::HookPoint::settle: return "`" + when + "settle`";
    }
    return when;
  };
  // Why the order of two hooks matters, or "".
  auto depends = [&](const Touch& a, const Touch& b) -> std::string {
    for (std::int32_t c : a.columnsSet)
      if (b.columnsSet.count(c) || holds(b.reads.columns, c))
        return "both have to do with `" + world().module.columns[static_cast<std::size_t>(c)].name + "`";
    for (std::int32_t g : a.globalsSet)
      if (b.globalsSet.count(g) || holds(b.reads.globals, g))
        return "both have to do with `" + world().module.globals[static_cast<std::size_t>(g)].name + "`";
    if (a.moves && (b.moves || b.reads.places))
      return "one moves counters, and the other has to do with where they are";
    if (a.chance && b.chance) return "both roll or ask";
    return {};
  };
  for (std::size_t i = 0; i < hir().hooks.size() && i < hookLayers_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const hir::Hook& a = hir().hooks[j];
      const hir::Hook& b = hir().hooks[i];
      if (hookLayers_[i] != hookLayers_[j] || a.place.file == b.place.file || !samePoint(a, b)) continue;
      const Touch first = touching.of(a), second = touching.of(b);
      std::string why = depends(first, second);
      if (why.empty()) why = depends(second, first);
      if (why.empty()) continue;
      const TextRange here{b.place.range.offset, b.before ? 6U : 5U},
          there{a.place.range.offset, a.before ? 6U : 5U};
      report(
          Diagnostic(DiagnosticCode::dependentHooks, tree(b.place.file).sharedSource(), here, {point(b), why})
              .also(tree(a.place.file).sharedSource(), there, "the other hook"));
    }
}

/// A clause that reads a hidden field of somebody else's counter tells a player of it by what he may do,
/// unless a clause before it forbids while the counter is hidden.
void Sema::checkLeaks() {
  HiddenReads hidden(hir(), world().module);
  if (!hidden.any()) return;
  auto kindIsHidden = [&](const Type& t) {
    return t.kind == TypeKind::counter && !t.set &&
           std::any_of(hir().hidden.begin(), hir().hidden.end(), [&](const hir::Hidden& h) {
             return world().isKindOf(h.kind, t.id) || world().isKindOf(t.id, h.kind);
           });
  };
  // `doer`: the parameter whose own side asks.
  auto check = [&](const std::vector<hir::Clause>& clauses, const hir::Scope& scope, LocalId doer) {
    std::set<LocalId> guarded;
    for (const hir::Clause& clause : clauses) {
      for (const HiddenReads::Read& read : hidden.of(clause.when)) {
        const LocalId local = at(read.counter).local;
        if (local == doer || local >= static_cast<LocalId>(scope.parameters) || guarded.count(local) ||
            !kindIsHidden(scope.locals[static_cast<std::size_t>(local)].type))
          continue;
        const std::string& field = world().module.columns[read.column].name;
        report(Diagnostic(DiagnosticCode::leaksHidden, tree(clause.place.file).sharedSource(),
                          clause.place.range, {"a player", field})
                   .withHelp("let a clause before it forbid while the counter is hidden, or show `" + field +
                             "`"));
        guarded.insert(local);
      }
      if (clause.kind == hir::ClauseKind::forbid)
        for (LocalId p = 0; p < static_cast<LocalId>(scope.parameters); ++p)
          if (hidden.asks(clause.when, p)) guarded.insert(p);
    }
  };
  for (const hir::Permission& permission : hir().permissions) {
    LocalId doer = -1;
    for (LocalId p = 0; p < static_cast<LocalId>(permission.scope.parameters) && doer < 0; ++p)
      if (permission.scope.locals[static_cast<std::size_t>(p)].type.kind == TypeKind::counter) doer = p;
    check(permission.clauses, permission.scope, doer);
  }
  for (const hir::Zone& zone : hir().zones) check(zone.clauses, zone.scope, -1);
}

} // namespace hellwig
