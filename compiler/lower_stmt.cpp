// SPDX-License-Identifier: Apache-2.0
// Statements: blocks, assignments, loops, calls, hooks.
#include "compiler/lower_body.h"
#include "runtime/path_block.h"

#include <algorithm>

namespace hellwig::lowering {

using hir::ExprKind;
using hir::StmtKind;
using hir::TypeKind;

void BodyLowering::block(hir::StmtId id, Env* env, bool repeatBody) {
  if (id < 0) return;
  const hir::Stmt& stmt = context.hir.stmts[static_cast<std::size_t>(id)];
  const Temps temps(*this);
  const Citing under(*this, stmt.kind == StmtKind::block ? stmt.marks : std::uint16_t{0});
  if (stmt.kind == StmtKind::block) cover(stmt.marks);
  Label end;
  blocks_.push_back({repeatBody ? loops_.back().end : &end, cleanups_.size()});
  const std::size_t steps = entrySteps_.size();
  if (stmt.kind == StmtKind::block) {
    for (const hir::StmtId inner : stmt.statements) {
      statement(inner, env);
      const hir::Stmt& done = context.hir.stmts[static_cast<std::size_t>(inner)];
      if (inSequence && done.kind == StmtKind::let)
        entrySteps_.push_back([this, &done, env] {
          eval({done.exprs[0], env}, env->locals[static_cast<std::size_t>(done.local)].reg);
        });
    }
  } else {
    statement(id, env);
  }
  entrySteps_.resize(steps);
  blocks_.pop_back();
  bind(end);
}

void BodyLowering::statement(hir::StmtId id, Env* env) {
  const hir::Stmt& stmt = context.hir.stmts[static_cast<std::size_t>(id)];
  const AtPlace line(*this, stmt.place);
  const Citing under(*this, stmt.marks);
  if (stmt.kind != StmtKind::phase) cover(stmt.marks); // a phase covers itself when it takes place
  const auto localReg = [&](hir::LocalId local) { return env->locals[static_cast<std::size_t>(local)].reg; };
  const auto expr = [&](std::size_t i) { return Ref{stmt.exprs[i], env}; };
  if (stmt.kind == StmtKind::block) {
    for (const hir::StmtId inner : stmt.statements)
      if (stmt.op == 0)
        statement(inner, env);
      else if (!onlyCall(inner, env))
        block(inner, env);
    return;
  }
  const Temps temps(*this);
  switch (stmt.kind) {
  case StmtKind::let: eval(expr(0), localReg(stmt.local)); break;
  case StmtKind::setLocal: {
    // Arithmetic writes its result last; whatever else may read the local after a part of it is written.
    switch (at(resolve(expr(0))).kind) {
    case ExprKind::constant:
    case ExprKind::local:
    case ExprKind::add:
    case ExprKind::subtract:
    case ExprKind::multiply:
    case ExprKind::modulo: eval(expr(0), localReg(stmt.local)); break;
    default: {
      const Reg value = evalAny(expr(0));
      setCopy(localReg(stmt.local), value, context.words(typeOf(expr(0))));
      break;
    }
    }
    break;
  }
  case StmtKind::setGlobal: {
    const Reg value = evalAny(expr(0));
    if (typeOf(expr(0)).set || typeOf(expr(0)).kind == TypeKind::path)
      emit(Op::setGlobalSet, value, 0, 0, stmt.index, context.words(typeOf(expr(0))));
    else
      emit(Op::setGlobal, value, 0, 0, stmt.index);
    break;
  }
  case StmtKind::setColumn: {
    if (searching) {
      emit(Op::poke, evalAny(expr(1)), 0, 0, stmt.index);
      break;
    }
    const Reg thing = evalAny(expr(0)), value = evalAny(expr(1));
    if (typeOf(expr(1)).set)
      emit(Op::setSet, thing, value, 0, stmt.index, context.words(typeOf(expr(1))));
    else
      emit(Op::set, thing, value, 0, stmt.index);
    break;
  }
  case StmtKind::setField: {
    const Reg value = evalAny(expr(0));
    const std::uint16_t offset = context.fieldOffset(static_cast<std::uint16_t>(stmt.index), stmt.op);
    setCopy(static_cast<Reg>(localReg(stmt.local) + offset), value, context.words(typeOf(expr(0))));
    break;
  }
  case StmtKind::joinGroup: {
    const Reg thing = evalAny(expr(0)), group = evalAny(expr(1));
    emit(Op::joinGroup, thing, group, 0, stmt.index, typeOf(expr(0)).kind == TypeKind::group ? 1 : 0);
    break;
  }
  case StmtKind::roll:
    if (!stmt.exprs.empty()) {
      const Reg set = evalAny(expr(0));
      textFragmentFor(emit(Op::rollOneOf, localReg(stmt.local), set, 0, 0, context.words(typeOf(expr(0)))),
                      stmt.text, env);
    } else {
      textFragmentFor(emit(Op::roll, localReg(stmt.local), stmt.op), stmt.text, env);
    }
    break;
  case StmtKind::call: callProcedure(stmt, env, false); break;
  case StmtKind::if_: {
    Label other, end;
    branch(expr(0), false, other);
    block(stmt.body, env);
    if (stmt.other >= 0) {
      jump(end);
      bind(other);
      block(stmt.other, env);
    } else {
      bind(other);
    }
    bind(end);
    break;
  }
  case StmtKind::match: match(stmt, env); break;
  case StmtKind::forEach:
    if (stmt.list)
      forEachListed(stmt, env);
    else if (stmt.exprs.size() > 1 && stmt.exprs[1] >= 0)
      forEachBy(stmt, env);
    else
      forEach(stmt, env);
    break;
  case StmtKind::repeat: repeat(stmt, env); break;
  case StmtKind::stop:
    if (!loops_.empty()) {
      leaveTo(loops_.back().cleanups);
      jump(*loops_.back().end);
    } else if (hookEnd_ != nullptr) {
      leaveTo(hookCleanups_);
      loadWord(hookStopped_, 1);
      jump(*hookEnd_);
    }
    break;
  case StmtKind::next:
    if (!loops_.empty()) {
      leaveTo(loops_.back().cleanups);
      jump(*loops_.back().again);
    }
    break;
  case StmtKind::return_: returnNow(stmt, env); break;
  case StmtKind::move: moveStatement(stmt, env); break;
  case StmtKind::setHex: {
    if (searching) {
      emit(Op::pokeHex, evalAny(expr(1)));
      break;
    }
    const Reg mover = evalAny(expr(0)), to = evalAny(expr(1));
    standIn(mover, to, typeOf(expr(0)).id);
    break;
  }
  case StmtKind::moveBy: moveBy(stmt, env, false); break;
  case StmtKind::moveAlong: moveBy(stmt, env, true); break;
  case StmtKind::win: {
    const Reg side = evalAny(expr(0));
    textFragmentFor(emit(Op::win, side), stmt.text, env);
    break;
  }
  case StmtKind::draw: textFragmentFor(emit(Op::drawGame), stmt.text, env); break;
  case StmtKind::say: textFragmentFor(emit(Op::say), stmt.text, env); break;
  case StmtKind::choose: choose(stmt, env); break;
  case StmtKind::perform: perform(stmt, env); break;
  case StmtKind::walk: walk(stmt, env); break;
  case StmtKind::turns: turns(stmt, env); break;
  case StmtKind::playerTurn: playerTurn(stmt, env); break;
  case StmtKind::phase: phase(stmt, env); break;
  case StmtKind::activation: activation(stmt, env); break;
  case StmtKind::block:
  case StmtKind::nothing: break;
  }
  if (resting) fullRest();
}

void BodyLowering::leaveTo(std::size_t cleanups) {
  const std::vector<std::function<void()>> saved = cleanups_;
  while (cleanups_.size() > cleanups) {
    const std::function<void()> epilogue = cleanups_.back();
    cleanups_.pop_back();
    epilogue();
  }
  cleanups_ = saved;
}

void BodyLowering::returnNow(const hir::Stmt& stmt, Env* env) {
  if (hookEnd_ != nullptr) {
    leaveTo(hookCleanups_);
    jump(*hookEnd_);
    return;
  }
  if (stmt.exprs.empty() || stmt.exprs[0] < 0) {
    leaveTo(0);
    handBack(0, 0);
    return;
  }
  const std::uint16_t words = context.words(result);
  const Reg answer = alloc(words);
  eval({stmt.exprs[0], env}, answer);
  leaveTo(0);
  handBack(answer, words);
}

/// Ends a procedure or hook: its answer, then the records that it was given, as it leaves them.
void BodyLowering::handBack(Reg answer, std::uint16_t words) {
  std::uint32_t total = words;
  for (const auto& [reg, size] : records_) total += size;
  if (records_.empty()) return ret(words == 0 ? Reg{0} : answer, words);
  const Temps temps(*this);
  const Reg all = alloc(total);
  setCopy(all, answer, words);
  std::uint32_t to = all + std::uint32_t{words};
  for (const auto& [reg, size] : records_) {
    setCopy(static_cast<Reg>(to), reg, size);
    to += size;
  }
  ret(all, static_cast<std::uint16_t>(total));
}

/// The parameters of this body that are records, to be handed back.
void BodyLowering::keepRecords(const hir::Scope& scope, const Env* env) {
  for (std::uint16_t p = 0; p < scope.parameters; ++p)
    if (isRecord(scope.locals[p].type))
      records_.emplace_back(env->locals[p].reg, context.words(scope.locals[p].type));
}

void BodyLowering::match(const hir::Stmt& stmt, Env* env) {
  const Reg value = evalAny({stmt.exprs[0], env});
  std::vector<Label> arms(stmt.arms.size());
  Label end;
  for (std::size_t i = 0; i < arms.size(); ++i)
    for (const Word key : stmt.arms[i].keys) {
      if (key == none) {
        jump(Op::jumpNone, value, 0, arms[i]);
      } else if (key >= -32768 && key <= 32767) {
        jump(Op::jumpEqImm, value, key, arms[i]);
      } else {
        const Temps temps(*this);
        jump(Op::jumpEq, value, wordReg(key), arms[i]);
      }
    }
  block(stmt.other, env);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    jump(end);
    bind(arms[i]);
    block(stmt.arms[i].body, env);
  }
  bind(end);
}

// ---- Loops

/// May running this take a counter off the map?
bool BodyLowering::mayMove(hir::StmtId id) const {
  if (id < 0) return false;
  const hir::Stmt& stmt = context.hir.stmts[static_cast<std::size_t>(id)];
  switch (stmt.kind) {
  case StmtKind::move:
  case StmtKind::moveBy:
  case StmtKind::moveAlong:
  case StmtKind::setHex:
  case StmtKind::call:
  case StmtKind::choose:
  case StmtKind::perform:
  case StmtKind::walk:
  case StmtKind::phase:
  case StmtKind::activation:
  case StmtKind::turns:
  case StmtKind::playerTurn: return true;
  default: break;
  }
  if (mayMove(stmt.body) || mayMove(stmt.other)) return true;
  for (const hir::StmtId inner : stmt.statements)
    if (mayMove(inner)) return true;
  for (const hir::MatchArm& arm : stmt.arms)
    if (mayMove(arm.body)) return true;
  return false;
}

void BodyLowering::loopBody(hir::StmtId body, Env* env, Label& end, Label& again, bool repeatBody) {
  loops_.push_back({&end, &again, cleanups_.size()});
  block(body, env, repeatBody);
  loops_.pop_back();
}

void BodyLowering::forEach(const hir::Stmt& stmt, Env* env) {
  hir::Type element = typeOf({stmt.exprs[0], env});
  element.set = false;
  const std::uint16_t words = context.setWords(element);
  keepPaths({stmt.exprs[0], env});
  const Reg set = alloc(words), x = env->locals[static_cast<std::size_t>(stmt.local)].reg;
  eval({stmt.exprs[0], env}, set);
  const bool watch = element.kind == TypeKind::counter && mayMove(stmt.body);
  Reg onMap = 0;
  if (watch) { // those on the map now that are no longer when their turn comes are passed over
    onMap = alloc(words);
    emit(Op::counters, onMap, 0, 0, element.id);
    emit(Op::setAnd, onMap, onMap, set, 0, words);
  }
  const Reg order = startOrder(element, set);
  if (inSequence)
    entrySteps_.push_back([this, &stmt, env, set, x, order, element] {
      Label nothing;
      eval({stmt.exprs[0], env}, set);
      if (element.kind == TypeKind::counter) emit(Op::orderCounters, order, set);
      loadWord(x, none);
      nextInOrder(element, x, set, order, nothing);
      bind(nothing);
    });
  Label end, next;
  const std::uint32_t again = here();
  nextInOrder(element, x, set, order, end);
  if (watch) {
    Label stay;
    const Temps temps(*this);
    const Reg flag = alloc();
    emit(Op::onMap, flag, x);
    jump(Op::jumpIf, flag, 0, stay);
    has(element, flag, onMap, x);
    jump(Op::jumpIf, flag, 0, next);
    bind(stay);
  }
  loopBody(stmt.body, env, end, next);
  bind(next);
  jumpBack(again);
  bind(end);
  if (inSequence) entrySteps_.pop_back();
}

// The set is computed once; who of the rest comes next is found anew in each round.
void BodyLowering::forEachBy(const hir::Stmt& stmt, Env* env) {
  hir::Type element = typeOf({stmt.exprs[0], env});
  element.set = false;
  const std::uint16_t words = context.setWords(element);
  keepPaths({stmt.exprs[0], env});
  const bool paths = element.kind == TypeKind::path;
  const Reg set = alloc(words), work = alloc(words),
            x = env->locals[static_cast<std::size_t>(stmt.local)].reg;
  const Reg best = alloc(), chosen = alloc(), order = alloc();
  eval({stmt.exprs[0], env}, set);
  if (element.kind == TypeKind::counter) emit(Op::orderCounters, order, set);
  const Ref key{stmt.exprs[1], env};
  const TypeKind kind = typeOf(key).kind;
  const bool least = stmt.op == 0;
  Label end, next, found;
  const std::uint32_t again = here();
  setCopy(work, set, words);
  loadWord(chosen, none);
  {
    const Temps temps(*this);
    Label take, keep;
    const std::uint32_t look = here();
    nextInOrder(element, x, work, order, found);
    const Reg figure = evalAny(key);
    jump(Op::jumpNone, chosen, 0, take);
    if (kind == TypeKind::fraction || kind == TypeKind::odds) {
      const Reg better = alloc();
      emit(kind == TypeKind::fraction ? Op::flt : Op::olt, better, least ? figure : best,
           least ? best : figure);
      jump(Op::jumpUnless, better, 0, keep);
    } else {
      jump(Op::jumpGe, least ? figure : best, least ? best : figure, keep);
    }
    bind(take);
    setCopy(best, figure, 1);
    setCopy(chosen, paths ? static_cast<Reg>(x + pathPlace) : x, 1);
    bind(keep);
    jumpBack(look);
  }
  bind(found);
  jump(Op::jumpNone, chosen, 0, end);
  if (paths)
    emit(Op::pathAt, x, pathsOf(element), chosen);
  else
    setCopy(x, chosen, 1);
  insert(element, set, x, true);
  loopBody(stmt.body, env, end, next);
  bind(next);
  jumpBack(again);
  bind(end);
}

void BodyLowering::selectWord(Reg dst, Reg index, const std::vector<Reg>& words) {
  Label end;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Label other;
    if (i + 1 < words.size()) jump(Op::jumpNeImm, index, static_cast<std::int64_t>(i), other);
    setCopy(dst, words[i], 1);
    if (i + 1 < words.size()) jump(end);
    bind(other);
  }
  bind(end);
}

void BodyLowering::forEachListed(const hir::Stmt& stmt, Env* env) {
  std::vector<Reg> things;
  std::vector<hir::ExprId> written = stmt.exprs;
  if (written.size() == 1 && (context.expr(written[0]).kind == ExprKind::list ||
                              context.expr(written[0]).kind == ExprKind::listMember))
    written = context.expr(written[0]).args;
  for (const hir::ExprId id : written) {
    things.push_back(alloc());
    eval({id, env}, things.back());
  }
  const Reg index = alloc(), x = env->locals[static_cast<std::size_t>(stmt.local)].reg;
  loadWord(index, 0);
  if (inSequence)
    entrySteps_.push_back([this, written, env, things, index, x] {
      for (std::size_t i = 0; i < written.size(); ++i) eval({written[i], env}, things[i]);
      loadWord(index, 0);
      setCopy(x, things[0], 1);
    });
  Label end, next;
  const std::uint32_t again = here();
  jump(Op::jumpGeImm, index, static_cast<std::int64_t>(things.size()), end);
  selectWord(x, index, things);
  jump(Op::jumpNone, x, 0, next);
  loopBody(stmt.body, env, end, next);
  bind(next);
  emit(Op::addImm, index, index, 0, 1);
  jumpBack(again);
  bind(end);
  if (inSequence) entrySteps_.pop_back();
}

void BodyLowering::repeat(const hir::Stmt& stmt, Env* env) {
  const Reg left = alloc();
  eval({stmt.exprs[0], env}, left);
  if (inSequence) entrySteps_.push_back([this, &stmt, env, left] { eval({stmt.exprs[0], env}, left); });
  Label end, next;
  const std::uint32_t again = here();
  jump(Op::jumpLtImm, left, 1, end);
  if (stmt.exprs.size() > 1 && stmt.exprs[1] >= 0) branch({stmt.exprs[1], env}, false, end);
  loopBody(stmt.body, env, end, next, true);
  bind(next);
  emit(Op::addImm, left, left, 0, -1);
  jumpBack(again);
  bind(end);
  if (inSequence) entrySteps_.pop_back();
}

// ---- Calls and hooks

void BodyLowering::callProcedure(const hir::Stmt& stmt, Env* env, bool restingCallee) {
  const auto index = static_cast<std::size_t>(stmt.index);
  const hir::Procedure& procedure = context.hir.procedures[index];
  std::vector<Ref> args;
  for (const hir::ExprId id : stmt.exprs) args.push_back({id, env});
  const std::uint16_t words =
      procedure.result.kind == TypeKind::nothing ? std::uint16_t{0} : context.words(procedure.result);
  const Reg first = window(args, context.handedBack(procedure.scope, procedure.result));
  std::uint16_t given = 0;
  for (const hir::ExprId id : stmt.exprs)
    given = static_cast<std::uint16_t>(given + context.words(context.expr(id).type));
  const Reg shown = given == 0 ? alloc() : first;
  emit(Op::happened, shown, 0, 0, stmt.index, std::max<std::uint16_t>(given, 1));
  const bool rests = restingCallee && context.ids.procedureResting[index] != noBody;
  emit(Op::call, first, 0, 0,
       static_cast<std::int32_t>(rests ? context.ids.procedureResting[index] : context.ids.procedure[index]));
  if (stmt.local >= 0) setCopy(env->locals[static_cast<std::size_t>(stmt.local)].reg, first, words);
  // What the procedure has made of the records that have a name here.
  std::uint32_t from = first + std::uint32_t{words};
  for (std::uint16_t p = 0; p < procedure.scope.parameters; ++p) {
    if (!isRecord(procedure.scope.locals[p].type)) continue;
    const std::uint16_t size = context.words(procedure.scope.locals[p].type);
    const Ref argument = resolve(args[p]);
    if (at(argument).kind == ExprKind::local)
      setCopy(argument.env->locals[static_cast<std::size_t>(localOf(at(argument)))].reg, static_cast<Reg>(from), size);
    from += size;
  }
}

void BodyLowering::callHooks(hir::HookPoint point, bool before, std::int32_t index,
                             const std::vector<Reg>& args, Reg stopped) {
  for (const std::int32_t hook : context.hooksAt(point, before, index)) {
    const Temps temps(*this);
    const hir::Scope& scope = context.hir.hooks[static_cast<std::size_t>(hook)].scope;
    std::uint32_t words = 1;
    for (std::uint16_t i = 0; i < scope.parameters; ++i) words += context.words(scope.locals[i].type);
    const Reg first = alloc(words); // room for what comes back, too
    std::uint32_t to = first;
    for (std::uint16_t i = 0; i < scope.parameters; ++i) {
      const std::uint16_t size = context.words(scope.locals[i].type);
      if (i < args.size()) setCopy(static_cast<Reg>(to), args[i], size);
      to += size;
    }
    emit(Op::call, first, 0, 0, static_cast<std::int32_t>(context.ids.hook[static_cast<std::size_t>(hook)]));
    if (stopped != noReg) emit(Op::or_, stopped, stopped, first);
    std::uint32_t from = first + 1U;
    for (std::uint16_t i = 0; i < scope.parameters && i < args.size(); ++i) {
      if (!isRecord(scope.locals[i].type)) continue;
      const std::uint16_t size = context.words(scope.locals[i].type);
      setCopy(args[i], static_cast<Reg>(from), size);
      from += size;
    }
  }
}

void BodyLowering::hookBlock(hir::ExprId when, hir::StmtId statements, Env* env, Reg stopped,
                             std::uint16_t marks) {
  Label end;
  hookEnd_ = &end;
  hookCleanups_ = cleanups_.size();
  hookStopped_ = stopped;
  const Citing under(*this, marks);
  if (when >= 0) branch({when, env}, false, end);
  cover(marks);
  block(statements, env);
  hookEnd_ = nullptr;
  bind(end);
}

namespace {

std::uint16_t resultWords(Context& context, const hir::Procedure& procedure) {
  return context.handedBack(procedure.scope, procedure.result);
}

void lowerProcedure(Context& context, std::size_t i, std::uint32_t index, bool resting) {
  const hir::Procedure& procedure = context.hir.procedures[i];
  BodyLowering body(context, "procedure " + procedure.name, BodyKind::procedure, procedure.place);
  body.setBodyIndex(index);
  body.resting = resting;
  body.result = procedure.result;
  Env* env = body.bindScope(procedure.scope);
  const BodyLowering::Citing under(body, procedure.marks);
  body.cover(procedure.marks);
  body.keepRecords(procedure.scope, env);
  body.block(procedure.body, env);
  if (procedure.result.kind == TypeKind::nothing)
    body.handBack(0, 0);
  else
    body.emit(Op::fault, 0, 0, 0, static_cast<int>(FaultCode::missingValue));
  body.finishInto(index, resultWords(context, procedure));
}

/// The procedure with its hooks around it.
void lowerWrapper(Context& context, std::size_t i, std::uint32_t index, std::uint32_t inner) {
  const hir::Procedure& procedure = context.hir.procedures[i];
  const std::uint16_t words = resultWords(context, procedure);
  BodyLowering body(context, "procedure " + procedure.name, BodyKind::procedure, procedure.place);
  body.setBodyIndex(index);
  Env* env = body.bindScope(procedure.scope, true);
  body.keepRecords(procedure.scope, env);
  const auto answerWords = static_cast<std::uint16_t>(
      procedure.result.kind == TypeKind::nothing ? 0 : context.words(procedure.result));
  std::vector<Reg> args;
  std::uint32_t argumentWords = 0;
  for (std::uint16_t p = 0; p < procedure.scope.parameters; ++p) {
    args.push_back(env->locals[p].reg);
    argumentWords += context.words(procedure.scope.locals[p].type);
  }
  const auto point = hir::HookPoint::procedure;
  const Reg answer = body.alloc(std::max<std::uint32_t>(words, 1));
  body.callHooks(point, true, static_cast<std::int32_t>(i), args, noReg);
  {
    const BodyLowering::Temps temps(body);
    const Reg first = body.alloc(std::max<std::uint32_t>({argumentWords, words, 1}));
    body.setCopy(first, 0, static_cast<std::uint16_t>(argumentWords));
    body.emit(Op::call, first, 0, 0, static_cast<std::int32_t>(inner));
    body.setCopy(answer, first, answerWords);
    std::uint32_t from = first + std::uint32_t{answerWords};
    for (std::uint16_t p = 0; p < procedure.scope.parameters; ++p)
      if (isRecord(procedure.scope.locals[p].type)) {
        const std::uint16_t size = context.words(procedure.scope.locals[p].type);
        body.setCopy(args[p], static_cast<Reg>(from), size);
        from += size;
      }
  }
  body.callHooks(point, false, static_cast<std::int32_t>(i), args, noReg);
  body.handBack(answer, answerWords);
  body.finishInto(index, words);
}

} // namespace

void lowerProcedures(Context& context) {
  for (std::size_t i = 0; i < context.hir.procedures.size(); ++i) {
    const auto point = hir::HookPoint::procedure;
    const auto hooked = static_cast<std::int32_t>(i);
    const bool hooks =
        !context.hooksAt(point, true, hooked).empty() || !context.hooksAt(point, false, hooked).empty();
    for (const bool resting : {false, true}) {
      const std::uint32_t index = resting ? context.ids.procedureResting[i] : context.ids.procedure[i];
      if (index == noBody) continue;
      const std::uint32_t inner = hooks ? context.reserveBody() : index;
      lowerProcedure(context, i, inner, resting);
      if (hooks) lowerWrapper(context, i, index, inner);
    }
  }
}

void lowerHooks(Context& context) {
  for (std::size_t i = 0; i < context.hir.hooks.size(); ++i) {
    const hir::Hook& hook = context.hir.hooks[i];
    BodyLowering body(context, hook.before ? "hook before" : "hook after", BodyKind::procedure, hook.place);
    body.setBodyIndex(context.ids.hook[i]);
    Env* env = body.bindScope(hook.scope);
    body.keepRecords(hook.scope, env);
    const Reg stopped = body.alloc();
    body.loadWord(stopped, 0);
    body.hookBlock(hook.when, hook.body, env, stopped, hook.marks);
    body.handBack(stopped, 1);
    const hir::Type yesOrNo{TypeKind::boolean, 0, false, false};
    body.finishInto(context.ids.hook[i], context.handedBack(hook.scope, yesOrNo));
  }
}

} // namespace hellwig::lowering
