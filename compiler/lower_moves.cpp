// SPDX-License-Identifier: Apache-2.0
// Moving counters: at once and along a path. Where hooks look on, lower_travel.cpp has the edges.
#include "compiler/lower_body.h"
#include "runtime/path_block.h"

namespace hellwig::lowering {

using hir::HookPoint;
using hir::TypeKind;

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

void BodyLowering::standIn(Reg counter, Reg to, std::int32_t kind) {
  const Temps temps(*this);
  const bool leaves = !context.hooksAt(HookPoint::leave, true, kind).empty() ||
                      !context.hooksAt(HookPoint::leave, false, kind).empty();
  const Reg from = alloc();
  Label away, left;
  loadWord(from, none);
  if (leaves) {
    const Reg flag = alloc();
    emit(Op::onMap, flag, counter);
    jump(Op::jumpUnless, flag, 0, away);
    emit(Op::hexOf, from, counter);
    engineHooks(HookPoint::leave, true, kind, {counter, from}, noReg);
    bind(away);
  }
  engineHooks(HookPoint::enter, true, kind, {counter, to}, noReg);
  emit(Op::moveToHex, counter, to);
  if (leaves) {
    jump(Op::jumpNone, from, 0, left);
    engineHooks(HookPoint::leave, false, kind, {counter, from}, noReg);
    bind(left);
  }
  engineHooks(HookPoint::enter, false, kind, {counter, to}, noReg);
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
    path = alloc(pathShape(context.module).words());
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
  followPath(stmt, env, counter, path);
  engineHooks(HookPoint::move, false, kind, {counter}, noReg);
}

/// By the procedure of its route where anybody looks on, else at once.
void BodyLowering::followPath(const hir::Stmt& stmt, Env* env, Reg counter, Reg path) {
  const bool along = stmt.kind == hir::StmtKind::moveAlong;
  const hir::Type mover = typeOf({stmt.exprs[0], env});
  const auto words = static_cast<std::uint16_t>(pathShape(context.module).words());
  const auto follow = [&](std::int32_t route) {
    const Temps temps(*this);
    const Reg first = alloc(1U + words);
    setCopy(first, counter, 1);
    setCopy(static_cast<Reg>(first + 1), path, words);
    emit(Op::call, first, 0, 0,
         static_cast<std::int32_t>(context.ids.travelAlong[static_cast<std::size_t>(route)]));
  };
  if (!along) {
    if (context.ids.travelAlong[static_cast<std::size_t>(stmt.index)] != noBody)
      follow(stmt.index);
    else
      emit(Op::moveAlong, counter, path);
    return;
  }
  Label end;
  for (const std::int32_t route : stmt.routes) {
    if (context.ids.travelAlong[static_cast<std::size_t>(route)] == noBody) continue;
    const hir::Type other = context.hir.routes[static_cast<std::size_t>(route)].scope.locals[0].type;
    if (!context.isKindOf(mover.id, other.id) && !context.isKindOf(other.id, mover.id)) continue;
    Label no;
    {
      const Temps temps(*this);
      jump(Op::jumpNe, path + pathRoute, wordReg(route), no);
    }
    follow(route);
    jump(end);
    bind(no);
  }
  emit(Op::moveAlong, counter, path, 0, 1);
  bind(end);
}

void BodyLowering::leftBy(Reg counter, Reg arrival, Label& left) {
  const Temps temps(*this);
  const Reg now = alloc();
  emit(Op::onMap, now, counter);
  jump(Op::jumpUnless, now, 0, left);
  emit(Op::arrivalOf, now, counter);
  jump(Op::jumpNe, now, arrival, left);
}

} // namespace hellwig::lowering
