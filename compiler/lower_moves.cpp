// SPDX-License-Identifier: Apache-2.0
// Moving counters: at once, along a path, and edge by edge where hooks look on.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::HookPoint;
using hir::TypeKind;

bool BodyLowering::hasEngineHooks(std::int32_t kind) const {
  for (const HookPoint point : {HookPoint::enter, HookPoint::leave})
    for (const bool before : {true, false})
      if (!context.hooksAt(point, before, kind).empty()) return true;
  return false;
}

void BodyLowering::engineHooks(HookPoint point, bool before, std::int32_t kind, const std::vector<Reg>& args,
                               Reg stopped) {
  for (const std::int32_t index : context.hooksAt(point, before, kind)) {
    const hir::Hook& hook = context.hir.hooks[static_cast<std::size_t>(index)];
    const Temps temps(*this);
    Label other;
    if (!context.isKindOf(kind, hook.index)) {
      const Reg is = alloc();
      emit(Op::isKind, is, args[0], 0, hook.index);
      jump(Op::jumpUnless, is, 0, other);
    }
    const Reg first = alloc(2);
    for (std::uint16_t i = 0; i < hook.scope.parameters && i < args.size(); ++i)
      setCopy(static_cast<Reg>(first + i), args[i], 1);
    emit(Op::call, first, 0, 0, static_cast<std::int32_t>(context.ids.hook[static_cast<std::size_t>(index)]));
    if (stopped != noReg) emit(Op::or_, stopped, stopped, first);
    bind(other);
  }
}

void BodyLowering::moveOneTo(Reg counter, Reg to, bool box, std::int32_t kind) {
  const Temps temps(*this);
  const bool leaves = !context.hooksAt(HookPoint::leave, true, kind).empty() ||
                      !context.hooksAt(HookPoint::leave, false, kind).empty();
  const Reg from = alloc();
  if (leaves) {
    Label away;
    const Reg flag = alloc();
    loadWord(from, none);
    emit(Op::onMap, flag, counter);
    jump(Op::jumpUnless, flag, 0, away);
    emit(Op::hexOf, from, counter);
    engineHooks(HookPoint::leave, true, kind, {counter, from}, noReg);
    bind(away);
  }
  if (!box) {
    engineHooks(HookPoint::move, true, kind, {counter}, noReg);
    engineHooks(HookPoint::enter, true, kind, {counter, to}, noReg);
  }
  emit(box ? Op::moveToBox : Op::moveToHex, counter, to);
  if (leaves) {
    Label away;
    jump(Op::jumpNone, from, 0, away);
    engineHooks(HookPoint::leave, false, kind, {counter, from}, noReg);
    bind(away);
  }
  if (box) return;
  engineHooks(HookPoint::enter, false, kind, {counter, to}, noReg);
  engineHooks(HookPoint::move, false, kind, {counter}, noReg);
}

void BodyLowering::moveStatement(const hir::Stmt& stmt, Env* env) {
  const Ref what{stmt.exprs[0], env}, where{stmt.exprs[1], env};
  if (typeOf(what).set) return moveSet(stmt, env);
  const bool box = typeOf(where).kind == TypeKind::box;
  const Reg counter = alloc(), to = alloc();
  eval(what, counter);
  eval(where, to);
  moveOneTo(counter, to, box, typeOf(what).id);
}

// Who came first goes first, so that those of one stack keep their order.
void BodyLowering::moveSet(const hir::Stmt& stmt, Env* env) {
  const Ref what{stmt.exprs[0], env}, where{stmt.exprs[1], env};
  hir::Type element = typeOf(what);
  element.set = false;
  const std::uint16_t words = context.setWords(element);
  const Reg set = alloc(words), work = alloc(words), to = alloc();
  const Reg x = alloc(), first = alloc(), least = alloc(), arrival = alloc();
  eval(what, set);
  eval(where, to);
  Label end, found;
  const std::uint32_t again = here();
  setCopy(work, set, words);
  loadWord(first, none);
  const std::uint32_t look = here();
  Label take, keep;
  nextOf(element, x, work, found);
  emit(Op::arrivalOf, arrival, x);
  jump(Op::jumpNone, first, 0, take);
  jump(Op::jumpGe, arrival, least, keep);
  bind(take);
  setCopy(first, x, 1);
  setCopy(least, arrival, 1);
  bind(keep);
  jumpBack(look);
  bind(found);
  jump(Op::jumpNone, first, 0, end);
  insert(element, set, first, true);
  moveOneTo(first, to, typeOf(where).kind == TypeKind::box, element.id);
  jumpBack(again);
  bind(end);
}

void BodyLowering::moveBy(const hir::Stmt& stmt, Env* env, bool along) {
  const Ref mover{stmt.exprs[0], env};
  const std::int32_t kind = typeOf(mover).id;
  const Reg counter = alloc();
  eval(mover, counter);
  Reg path = 0;
  if (along) {
    path = evalAny({stmt.exprs[1], env});
  } else {
    path = alloc(pathBlockWords(static_cast<std::uint32_t>(context.module.board.n)));
    const Temps temps(*this);
    const Reg to = alloc();
    eval({stmt.exprs[1], env}, to);
    std::vector<Ref> args;
    for (std::size_t i = 2; i < stmt.exprs.size(); ++i) args.push_back({stmt.exprs[i], env});
    emit(Op::path, path, to, window(args, 0), stmt.index);
  }
  Label found;
  jump(Op::jumpSome, path, 0, found);
  emit(Op::fault, 0, 0, 0, static_cast<int>(FaultCode::unreachable));
  bind(found);
  engineHooks(HookPoint::move, true, kind, {counter}, noReg);
  bool routeHooks = false;
  for (const hir::Route& route : context.hir.routes)
    routeHooks =
        routeHooks || (!route.hooks.empty() &&
                       (along || &route == &context.hir.routes[static_cast<std::size_t>(stmt.index)]));
  if (hasEngineHooks(kind) || routeHooks)
    hookedMove(counter, path, stmt, env, kind);
  else
    emit(Op::moveAlong, counter, path);
  engineHooks(HookPoint::move, false, kind, {counter}, noReg);
}

/// Goes to `left` if since `arrival` was read something else has moved the counter or taken it off the map.
void BodyLowering::leftBy(Reg counter, Reg arrival, Label& left) {
  const Temps temps(*this);
  const Reg now = alloc();
  emit(Op::onMap, now, counter);
  jump(Op::jumpUnless, now, 0, left);
  emit(Op::arrivalOf, now, counter);
  jump(Op::jumpNe, now, arrival, left);
}

/// Tests the edge from a to b again on the present state; `cost` gets what it costs.
void BodyLowering::retest(const hir::Stmt& stmt, Env* env, Reg origin, Reg spent, Reg a, Reg b, Reg first,
                          Reg cost, Label& barred) {
  const Route& route = context.module.routes[static_cast<std::size_t>(stmt.index)];
  const hir::Route& source = context.hir.routes[static_cast<std::size_t>(stmt.index)];
  std::vector<Ref> args;
  for (std::size_t i = 2; i < stmt.exprs.size(); ++i) args.push_back({stmt.exprs[i], env});
  const auto ask = [&](std::uint32_t body, bool edge) {
    const Reg at = window(args, 1, 4);
    std::uint32_t next = at + route.parameters;
    if (edge)
      for (const Reg reg : {origin, spent, a, b}) setCopy(static_cast<Reg>(next++), reg, 1);
    emit(Op::call, at, 0, 0, static_cast<std::int32_t>(body));
    return at;
  };
  Label taken;
  for (const RouteEdge& edge : route.edges) {
    const Temps temps(*this);
    Label other;
    if (edge.along >= 0) {
      const Reg joined = alloc();
      emit(Op::pathBetween, joined, a, b, edge.alongColumn, edge.along);
      jump(Op::jumpUnless, joined, 0, other);
    }
    if (edge.forbidBody != noBody) jump(Op::jumpIf, ask(edge.forbidBody, true), 0, other);
    if (edge.costBody != noBody) {
      setCopy(cost, ask(edge.costBody, true), 1);
      jump(Op::jumpNone, cost, 0, other);
    } else {
      loadWord(cost, edge.fixedCost);
    }
    if (route.budgetBody != noBody) {
      Label enough;
      if (source.minimumOneStep) jump(Op::jumpIf, first, 0, enough);
      const Reg total = alloc(), over = alloc();
      emit(Op::fadd, total, spent, cost);
      const Reg budget = ask(route.budgetBody, false);
      jump(Op::jumpNone, budget, 0, other);
      emit(Op::flt, over, budget, total);
      jump(Op::jumpIf, over, 0, other);
      bind(enough);
    }
    jump(taken);
    bind(other);
  }
  jump(barred);
  bind(taken);
}

void BodyLowering::hookedMove(Reg counter, Reg path, const hir::Stmt& stmt, Env* env, std::int32_t kind) {
  const bool known = stmt.kind == hir::StmtKind::moveBy;
  const Route* route = known ? &context.module.routes[static_cast<std::size_t>(stmt.index)] : nullptr;
  const Reg index = alloc(), a = alloc(), b = alloc(), origin = alloc(), spent = alloc(), cost = alloc();
  const Reg arrival = alloc(), stopped = alloc(), first = alloc(), flag = alloc();
  Label end;
  const auto step = [&](Reg from, Reg to) { // from: noReg when it comes from off the map
    if (from != noReg) engineHooks(HookPoint::leave, true, kind, {counter, from}, stopped);
    engineHooks(HookPoint::enter, true, kind, {counter, to}, stopped);
    if (from != noReg) leftBy(counter, arrival, end);
    emit(Op::moveToHex, counter, to);
    emit(Op::arrivalOf, arrival, counter);
    if (from != noReg) engineHooks(HookPoint::leave, false, kind, {counter, from}, stopped);
    engineHooks(HookPoint::enter, false, kind, {counter, to}, stopped);
    leftBy(counter, arrival, end);
  };
  loadWord(index, 0);
  loadWord(stopped, 0);
  loadWord(first, 1);
  loadWord(spent, packRatio(0, 1));
  emit(Op::pathStep, a, path, index);
  jump(Op::jumpNone, a, 0, end);
  setCopy(origin, a, 1);
  {
    Label onMap;
    emit(Op::onMap, flag, counter);
    jump(Op::jumpIf, flag, 0, onMap);
    step(noReg, a);
    jump(Op::jumpIf, stopped, 0, end);
    bind(onMap);
  }
  emit(Op::arrivalOf, arrival, counter);
  const std::uint32_t again = here();
  emit(Op::addImm, index, index, 0, 1);
  emit(Op::pathStep, b, path, index);
  jump(Op::jumpNone, b, 0, end);
  loadWord(cost, packRatio(0, 1));
  if (route != nullptr && route->also.empty()) {
    const Temps temps(*this);
    retest(stmt, env, origin, spent, a, b, first, cost, end);
  }
  const auto edgeHook = [&](std::uint32_t body) {
    if (body == noBody) return;
    const Temps temps(*this);
    std::vector<Ref> args;
    for (std::size_t i = 2; i < stmt.exprs.size(); ++i) args.push_back({stmt.exprs[i], env});
    const Reg at = window(args, 1, 4);
    std::uint32_t next = at + route->parameters;
    for (const Reg reg : {origin, spent, a, b}) setCopy(static_cast<Reg>(next++), reg, 1);
    emit(Op::call, at, 0, 0, static_cast<std::int32_t>(body));
    emit(Op::or_, stopped, stopped, at);
    leftBy(counter, arrival, end);
  };
  if (route != nullptr) edgeHook(route->hooks[static_cast<std::size_t>(EdgeKind::step)].before);
  jump(Op::jumpIf, stopped, 0, end);
  step(a, b);
  emit(Op::fadd, spent, spent, cost);
  if (route != nullptr) edgeHook(route->hooks[static_cast<std::size_t>(EdgeKind::step)].after);
  jump(Op::jumpIf, stopped, 0, end);
  loadWord(first, 0);
  setCopy(a, b, 1);
  jumpBack(again);
  bind(end);
}

} // namespace hellwig::lowering
