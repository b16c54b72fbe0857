// SPDX-License-Identifier: Apache-2.0
// Read sets by a walk over the typed program, kept for each value, permission, zone and route.
#include "compiler/lower_effects.h"

namespace hellwig::lowering {

using hir::ExprKind;

namespace {

void mark(std::vector<bool>& bits, std::int32_t index) {
  if (index < 0) return;
  const auto i = static_cast<std::size_t>(index);
  if (bits.size() <= i) bits.resize(i + 1);
  bits[i] = true;
}
void joinBits(std::vector<bool>& into, const std::vector<bool>& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i]) into[i] = true;
}

} // namespace

void Reads::join(const Reads& other) {
  joinBits(columns, other.columns);
  joinBits(globals, other.globals);
  places = places || other.places;
  counterPlace = counterPlace || other.counterPlace;
  otherThings = otherThings || other.otherThings;
}

template<class Fill> const Reads& Effects::memoized(Memo& memo, std::size_t index, Fill&& fill) {
  if (memo.size() <= index) memo.resize(index + 1);
  if (memo[index] == nullptr) {
    auto reads = std::make_unique<Reads>();
    fill(*reads);
    if (memo.size() <= index) memo.resize(index + 1);
    memo[index] = std::move(reads);
  }
  return *memo[index];
}

void Effects::addExpr(Reads& reads, hir::ExprId id) {
  if (id < 0) return;
  const hir::Expr& e = hir_.exprs[static_cast<std::size_t>(id)];
  for (const hir::ExprId arg : e.args) addExpr(reads, arg);
  const auto handedIn = [&](hir::ExprId arg) {
    const hir::Expr& a = hir_.exprs[static_cast<std::size_t>(arg)];
    return a.kind == ExprKind::local && localOf(a) == 0;
  };
  const auto index = static_cast<std::size_t>(e.index);
  switch (e.kind) {
  case ExprKind::global: mark(reads.globals, e.index); break;
  case ExprKind::column: {
    const Column& column = module_.columns[index];
    if (!column.constant) mark(reads.columns, e.index);
    if (!column.constant && !handedIn(e.args[0])) reads.otherThings = true;
    break;
  }
  case ExprKind::faceField:
    mark(reads.columns, e.index);
    if (!handedIn(e.args[0])) reads.otherThings = true;
    break;
  case ExprKind::fieldIs:
    if (!module_.columns[index].constant) mark(reads.columns, e.index);
    reads.otherThings = true;
    break;
  case ExprKind::field:
    switch (static_cast<hir::Field>(e.op)) {
    case hir::Field::hex:
    case hir::Field::box:
    case hir::Field::onMap:
    case hir::Field::arrival:
    case hir::Field::cameFrom:
      reads.places = true;
      reads.counterPlace = true;
      if (!handedIn(e.args[0])) reads.otherThings = true;
      break;
    default: break;
    }
    break;
  case ExprKind::call:
    reads.join(value(index));
    for (const hir::ExprId arg : e.args)
      if (hir_.exprs[static_cast<std::size_t>(arg)].type.kind == hir::TypeKind::counter && !handedIn(arg))
        reads.otherThings = true;
    break;
  case ExprKind::can:
    reads.join(permission(index));
    reads.otherThings = true;
    break;
  case ExprKind::reach:
  case ExprKind::connected:
  case ExprKind::path:
  case ExprKind::paths:
    reads.join(route(index));
    reads.places = reads.otherThings = true;
    break;
  case ExprKind::zoneOfSide:
  case ExprKind::zoneOfCounters:
  case ExprKind::zoneOwners:
    reads.join(zone(index));
    reads.places = reads.otherThings = true;
    break;
  case ExprKind::kindSet:
  case ExprKind::sideCounters:
  case ExprKind::atHexes:
  case ExprKind::atBox:
  case ExprKind::first: reads.places = reads.otherThings = true; break;
  case ExprKind::kindEver: reads.otherThings = true; break;
  case ExprKind::hexesOfCounters:
    reads.places = true;
    reads.counterPlace = true;
    break;
  case ExprKind::footprint:
  case ExprKind::aspectHexes:
  case ExprKind::aspectOf:
    reads.places = true;
    reads.counterPlace = true;
    if (!handedIn(e.args[0])) reads.otherThings = true;
    for (std::size_t i = 0; i < module_.arcs.size(); ++i) {
      mark(reads.columns, module_.arcs[i].facingColumn);
      reads.join(arcs(i));
    }
    break;
  case ExprKind::builtin:
    if (static_cast<hir::Builtin>(e.op) == hir::Builtin::distanceOver) {
      reads.places = reads.counterPlace = true;
      for (const hir::ExprId arg : e.args)
        if (hir_.exprs[static_cast<std::size_t>(arg)].type.kind == hir::TypeKind::counter && !handedIn(arg))
          reads.otherThings = true;
    }
    break;
  default: break;
  }
}

/// What the statements of an effect read: they set, let and decide.
void Effects::addStmt(Reads& reads, hir::StmtId id) {
  if (id < 0) return;
  const hir::Stmt& s = hir_.stmts[static_cast<std::size_t>(id)];
  for (const hir::ExprId expr : s.exprs) addExpr(reads, expr);
  for (const hir::StmtId inner : s.statements) addStmt(reads, inner);
  addStmt(reads, s.body);
  addStmt(reads, s.other);
  for (const hir::MatchArm& arm : s.arms) addStmt(reads, arm.body);
}

void Effects::addText(Reads& reads, hir::TextId text) {
  if (text < 0) return;
  for (const hir::TextPart& part : hir_.texts[static_cast<std::size_t>(text)].parts)
    addExpr(reads, part.expr);
}

void Effects::addClauses(Reads& reads, const std::vector<hir::Clause>& clauses) {
  for (const hir::Clause& clause : clauses) {
    addExpr(reads, clause.when);
    addExpr(reads, clause.set);
    addExpr(reads, clause.from);
    addExpr(reads, clause.to);
    addClauses(reads, clause.inner);
  }
}

void Effects::addSteps(Reads& reads, const std::vector<hir::Step>& steps) {
  for (const hir::Step& step : steps) {
    addExpr(reads, step.operand);
    addExpr(reads, step.when);
  }
}

void Effects::addFigure(Reads& reads, const hir::CostFigure& figure) {
  addExpr(reads, figure.base);
  addSteps(reads, figure.steps);
}

const Reads& Effects::arcs(std::size_t index) {
  return memoized(arcs_, index, [&](Reads& reads) { addExpr(reads, hir_.arcs[index].shape); });
}
const Reads& Effects::value(std::size_t index) {
  return memoized(values_, index, [&](Reads& reads) {
    addExpr(reads, hir_.values[index].base);
    addSteps(reads, hir_.values[index].steps);
  });
}
const Reads& Effects::permission(std::size_t index) {
  return memoized(permissions_, index,
                  [&](Reads& reads) { addClauses(reads, hir_.permissions[index].clauses); });
}
const Reads& Effects::zone(std::size_t index) {
  return memoized(zones_, index, [&](Reads& reads) {
    addExpr(reads, hir_.zones[index].set);
    addClauses(reads, hir_.zones[index].clauses);
  });
}
const Reads& Effects::route(std::size_t index) {
  return memoized(routes_, index, [&](Reads& reads) {
    const hir::Route& route = hir_.routes[index];
    reads.places = reads.places || route.hasMover;
    addExpr(reads, route.start);
    addFigure(reads, route.budget);
    addExpr(reads, route.length);
    addExpr(reads, route.minimumWhen);
    addClauses(reads, route.clauses);
    for (const hir::RouteEdge& step : route.edges) {
      addClauses(reads, step.clauses);
      addFigure(reads, step.cost);
      addExpr(reads, step.choices);
      for (const hir::Stop& stop : step.stops) addExpr(reads, stop.when);
      for (const hir::Prefer& prefer : step.prefer) addExpr(reads, prefer.expr);
      if (!step.endsSearch)
        for (const hir::StmtId effect : step.effects) addStmt(reads, effect);
    }
    addClauses(reads, route.endClauses);
    for (const hir::Prefer& prefer : route.endPrefer) addExpr(reads, prefer.expr);
    addExpr(reads, route.goal);
    for (const std::uint16_t column : route.over) mark(reads.columns, column);
    for (const hir::Also& way : route.also) {
      reads.join(this->route(static_cast<std::size_t>(way.route)));
      for (const hir::ExprId arg : way.args) addExpr(reads, arg);
    }
  });
}

void assignWatches(const hir::Hir& hir, Effects& effects, Module& module) {
  std::vector<Reads> zones(hir.zones.size()), clauses(hir.victory.size());
  Reads all;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    zones[i] = effects.zone(i);
    zones[i].places = true; // the zone of a counter follows it
    all.join(zones[i]);
  }
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    effects.addExpr(clauses[i], hir.victory[i].condition);
    effects.addExpr(clauses[i], hir.victory[i].winner);
    all.join(clauses[i]);
  }
  constexpr int bits = 64;
  int next = 1;
  const auto give = [&](const std::vector<bool>& read, std::vector<std::uint64_t>& watch, std::size_t count) {
    watch.assign(count, 0);
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (!read[i]) continue;
      watch[i] = std::uint64_t{1} << next;
      if (next < bits - 1) ++next;
    }
  };
  give(all.columns, module.columnWatch, module.columns.size());
  give(all.globals, module.globalWatch, module.globals.size());
  const auto watches = [&](const Reads& reads) {
    std::uint64_t mask = reads.places ? Module::placeWatch : 0;
    for (std::size_t i = 0; i < reads.columns.size(); ++i)
      if (reads.columns[i]) mask |= module.columnWatch[i];
    for (std::size_t i = 0; i < reads.globals.size(); ++i)
      if (reads.globals[i]) mask |= module.globalWatch[i];
    return mask;
  };
  for (std::size_t i = 0; i < zones.size(); ++i) {
    module.zones[i].watches = watches(zones[i]);
    module.zones[i].ownOnly = !zones[i].otherThings;
  }
  for (std::size_t i = 0; i < clauses.size(); ++i) module.victory[i].watches = watches(clauses[i]);
}

} // namespace hellwig::lowering
