// SPDX-License-Identifier: Apache-2.0
// Turns, player turns, phases and activations, the sequence with the places where it can be entered, and
// set-up.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::HookPoint;
using hir::StmtKind;

void BodyLowering::addEntry(SpanKind kind, std::int32_t phase) {
  if (!inSequence) return;
  Entry entry;
  entry.entry.span = kind;
  entry.entry.phase = static_cast<std::uint16_t>(std::max(phase, 0));
  entry.target = here();
  entry.steps = entrySteps_;
  entries_.push_back(std::move(entry));
}

void BodyLowering::span(SpanKind kind, HookPoint point, std::int32_t index, const hir::Stmt& stmt, Env* env,
                        const std::function<void()>& after) {
  const auto kindNumber = static_cast<int>(kind);
  emit(Op::spanBegin, kindNumber, kind == SpanKind::activation ? 0 : 1, 0, index);
  if (kind == SpanKind::playerTurn) emit(Op::resetSpan, 0, 0, 0, static_cast<int>(SpanKind::ownTurn));
  callHooks(point, true, index, {}, noReg);
  const auto epilogue = [this, kind, kindNumber, point, index, after] {
    callHooks(point, false, index, {}, noReg);
    if (kind == SpanKind::turn) emit(Op::victoryCheck, static_cast<int>(VictoryWhen::eachTurn));
    emit(Op::resetSpan, 0, 0, 0, kindNumber);
    emit(Op::spanEnd, kindNumber, 0, 0, index);
    after();
  };
  cleanups_.push_back(epilogue);
  if (inSequence)
    entrySteps_.push_back([this, kindNumber, index] { emit(Op::spanBegin, kindNumber, 0, 0, index); });
  if (kind != SpanKind::phase || !onlyCall(stmt.body, env)) block(stmt.body, env);
  if (inSequence) entrySteps_.pop_back();
  cleanups_.pop_back();
  epilogue();
}

/// A procedure that is all that a phase does: its statements stand in the phase.
bool BodyLowering::onlyCall(hir::StmtId id, Env* env) {
  const hir::Stmt* only = soleCall(context.hir, id);
  if (!resting || only == nullptr) return false;
  const AtPlace line(*this, only->place);
  const Citing under(*this, only->marks);
  cover(only->marks);
  const Temps temps(*this);
  callProcedure(*only, env, true);
  fullRest();
  return true;
}

void BodyLowering::fullRest() {
  if (context.ids.settle != noBody) {
    const Temps temps(*this);
    emit(Op::call, alloc(), 0, 0, static_cast<std::int32_t>(context.ids.settle));
  }
  emit(Op::rest, 1);
}

void BodyLowering::turns(const hir::Stmt& stmt, Env* env) {
  const Reg turn = alloc(), last = alloc(), start = alloc();
  const bool clock = stmt.exprs.size() > 2 && stmt.exprs[2] >= 0;
  eval({stmt.exprs[0], env}, turn);
  const auto bounds = [this, &stmt, env, last, start, clock] {
    eval({stmt.exprs[1], env}, last);
    if (clock) eval({stmt.exprs[2], env}, start);
  };
  const auto tell = [this, &stmt, turn, start, clock] {
    emit(Op::setGlobal, turn, 0, 0, globalTurn);
    if (!clock) return;
    const Temps temps(*this);
    const Reg now = alloc();
    emit(Op::addImm, now, turn, 0, -1);
    emit(Op::mulImm, now, now, 0, stmt.value);
    emit(Op::add, now, now, start);
    emit(Op::setGlobal, now, 0, 0, globalClock);
  };
  bounds();
  if (inSequence)
    entrySteps_.push_back([this, turn, bounds, tell] {
      emit(Op::getGlobal, turn, 0, 0, globalTurn);
      bounds();
      tell();
    });
  Label end;
  const std::uint32_t again = here();
  jump(Op::jumpLt, last, turn, end);
  tell();
  addEntry(SpanKind::turn, -1);
  span(SpanKind::turn, HookPoint::turn, -1, stmt, env, [] {});
  emit(Op::addImm, turn, turn, 0, 1);
  jumpBack(again);
  bind(end);
  if (inSequence) entrySteps_.pop_back();
}

void BodyLowering::playerTurn(const hir::Stmt& stmt, Env* env) {
  std::vector<Reg> sides;
  for (std::size_t i = 0; i < stmt.exprs.size(); ++i) sides.push_back(alloc());
  const Reg index = alloc(), side = alloc();
  const auto compute = [this, &stmt, env, sides] {
    for (std::size_t i = 0; i < sides.size(); ++i) eval({stmt.exprs[i], env}, sides[i]);
  };
  compute();
  loadWord(index, 0);
  if (inSequence)
    entrySteps_.push_back([this, compute, sides, index, side] {
      compute();
      emit(Op::getGlobal, side, 0, 0, globalEntrySide);
      loadWord(index, 0);
      for (std::size_t i = 1; i < sides.size(); ++i) {
        Label other;
        jump(Op::jumpNe, side, sides[i], other);
        loadWord(index, static_cast<Word>(i));
        bind(other);
      }
      selectWord(side, index, sides);
      emit(Op::setGlobal, side, 0, 0, globalPlayer);
    });
  Label end;
  const std::uint32_t again = here();
  jump(Op::jumpGeImm, index, static_cast<std::int64_t>(sides.size()), end);
  selectWord(side, index, sides);
  emit(Op::setGlobal, side, 0, 0, globalPlayer);
  addEntry(SpanKind::playerTurn, -1);
  span(SpanKind::playerTurn, HookPoint::playerTurn, -1, stmt, env, [] {});
  emit(Op::addImm, index, index, 0, 1);
  jumpBack(again);
  bind(end);
  if (inSequence) entrySteps_.pop_back();
}

void BodyLowering::phase(const hir::Stmt& stmt, Env* env) {
  Label skip;
  const bool by = !stmt.exprs.empty() && stmt.exprs[0] >= 0;
  if (stmt.exprs.size() > 1 && stmt.exprs[1] >= 0) branch({stmt.exprs[1], env}, false, skip);
  addEntry(SpanKind::phase, stmt.index);
  cover(stmt.marks);
  const Reg before = alloc();
  const auto enter = [this, &stmt, env, by, before] {
    if (!by) return;
    emit(Op::getGlobal, before, 0, 0, globalPlayer);
    const Temps temps(*this);
    emit(Op::setGlobal, evalAny({stmt.exprs[0], env}), 0, 0, globalPlayer);
  };
  enter();
  if (inSequence) entrySteps_.push_back(enter);
  span(SpanKind::phase, HookPoint::phase, stmt.index, stmt, env, [this, by, before] {
    if (by) emit(Op::setGlobal, before, 0, 0, globalPlayer);
  });
  if (inSequence) entrySteps_.pop_back();
  bind(skip);
}

void BodyLowering::activation(const hir::Stmt& stmt, Env* env) {
  const bool by = !stmt.exprs.empty() && stmt.exprs[0] >= 0;
  const Reg before = alloc();
  const auto enter = [this, &stmt, env, by, before] {
    if (!by) return;
    emit(Op::getGlobal, before, 0, 0, globalPlayer);
    const Temps temps(*this);
    emit(Op::setGlobal, evalAny({stmt.exprs[0], env}), 0, 0, globalPlayer);
  };
  enter();
  if (inSequence) entrySteps_.push_back(enter);
  span(SpanKind::activation, HookPoint::activation, -1, stmt, env, [this, by, before] {
    if (by) emit(Op::setGlobal, before, 0, 0, globalPlayer);
  });
  if (inSequence) entrySteps_.pop_back();
}

void BodyLowering::finishSequence() {
  // The registers of all loops are filled here, outside their blocks: temporaries stand above every one of
  // them.
  const Temps temps(*this);
  top_ = maxTop_;
  for (const Entry& entry : entries_) {
    PhaseEntry out = entry.entry;
    out.pc = here();
    for (const std::function<void()>& step : entry.steps) step();
    jumpBack(entry.target);
    context.module.entries.push_back(out);
  }
}

void lowerSequence(Context& context) {
  const hir::Hir& hir = context.hir;
  const auto placeOf = [&](hir::StmtId id) {
    return id >= 0 ? hir.stmts[static_cast<std::size_t>(id)].place : Place{};
  };
  {
    const std::uint32_t index = context.reserveBody();
    BodyLowering body(context, "set-up", BodyKind::procedure, placeOf(hir.setup));
    body.setBodyIndex(index);
    Env* env = body.bindScope(hir.setupScope);
    body.block(hir.setupStart, env);
    body.callHooks(HookPoint::setup, true, -1, {}, noReg);
    body.block(hir.setup, env);
    body.callHooks(HookPoint::setup, false, -1, {}, noReg);
    body.ret(0, 0);
    body.finishInto(index, 0);
    context.module.setupBody = index;
  }
  const std::uint32_t index = context.reserveBody();
  BodyLowering body(context, "sequence", BodyKind::procedure, placeOf(hir.sequence));
  body.setBodyIndex(index);
  body.inSequence = true;
  body.resting = true;
  Env* env = body.bindScope(hir.sequenceScope);
  body.fullRest();
  body.block(hir.sequence, env);
  body.emit(Op::victoryCheck, static_cast<int>(VictoryWhen::atEnd));
  body.ret(0, 0);
  body.finishSequence();
  body.finishInto(index, 0);
  context.module.sequenceBody = index;
}

/// Round after round, the hooks on `settle` for each hex in which something has changed since the last one.
void lowerSettling(Context& context) {
  if (context.ids.settle == noBody) return;
  const Place place =
      context.hir.hooks[static_cast<std::size_t>(context.hooksAt(HookPoint::settle, false, -1).front())]
          .place;
  BodyLowering body(context, "settle", BodyKind::procedure, place);
  body.setBodyIndex(context.ids.settle);
  const hir::Type hexType{hir::TypeKind::hex, 0, false, false};
  const std::uint16_t words = context.setWords(hexType);
  const Reg hexes = body.alloc(words), rounds = body.alloc(), hex = body.alloc();
  Label settled, endless, next;
  body.loadWord(rounds, 0);
  const std::uint32_t again = body.here();
  body.emit(Op::settleTake, hexes);
  settled.uses.push_back(body.emit(Op::jumpEmpty, hexes, 0, 0, 0, words));
  body.emit(Op::addImm, rounds, rounds, 0, 1);
  body.jump(Op::jumpGeImm, rounds, 101, endless);
  const std::uint32_t each = body.here();
  body.nextOf(hexType, hex, hexes, next);
  body.callHooks(HookPoint::settle, false, -1, {hex}, noReg);
  body.jumpBack(each);
  body.bind(next);
  body.jumpBack(again);
  body.bind(endless);
  body.emit(Op::fault, 0, 0, 0, static_cast<int>(FaultCode::unsettled));
  body.bind(settled);
  body.ret(0, 0);
  body.finishInto(context.ids.settle, 0);
}

} // namespace hellwig::lowering
