// SPDX-License-Identifier: Apache-2.0
// Values, permissions and zones with their explanations, and texts.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::ClauseKind;
using hir::ExprKind;
using hir::StepOp;
using hir::TypeKind;

// ---- Texts

void BodyLowering::textWords(const std::string& words) {
  if (!words.empty()) emit(Op::textString, 0, 0, 0, context.string(words));
}

void BodyLowering::lowerText(hir::TextId text, Env* env) {
  if (text < 0) return;
  for (const hir::TextPart& part : context.hir.texts[static_cast<std::size_t>(text)].parts) {
    if (part.expr < 0) {
      textWords(part.words);
      continue;
    }
    const Temps temps(*this);
    const Ref ref{part.expr, env};
    if (shownFacing(ref)) continue;
    const Reg reg = evalAny(ref);
    veil(ref, false);
    emit(Op::textValue, reg, 0, 0, context.type(typeOf(ref)));
  }
}

void BodyLowering::veil(Ref ref, bool explanation) {
  if (!ref || !context.hidden.any()) return;
  for (const HiddenReads::Read& read : context.hidden.of(ref.id)) {
    const Temps temps(*this);
    emit(Op::veil, evalAny({read.counter, ref.env}), explanation ? 1 : 0);
  }
}

void BodyLowering::cite(std::uint16_t marks) {
  if (marks != 0) emit(Op::cite, 0, 0, 0, marks);
  cover(marks);
}

void BodyLowering::cover(std::uint16_t marks) {
  if (context.options.coverage && marks != 0) emit(Op::cover, 0, 0, 0, marks);
}

// ---- Figures: a base and steps

/// Applies one step to the figure; jumps to `skip` if it does not act. Returns the register of its operand.
Reg BodyLowering::stepOn(const hir::Step& step, Env* env, const hir::Type& type, Reg reg, Label& skip) {
  const AtPlace line(*this, step.place);
  const std::uint16_t words = context.words(type);
  if (step.when >= 0) branch({step.when, env}, false, skip);
  if (type.optional && step.op != StepOp::become) jump(Op::jumpNone, reg, 0, skip);
  const bool fractions = type.kind == TypeKind::fraction;
  const auto roundTo = [&](Reg fraction) {
    if (step.rounding == Rounding::none && fractions) return setCopy(reg, fraction, 1);
    const int way = step.rounding == Rounding::none ? 0 : static_cast<int>(step.rounding) - 1;
    emit(Op::round, reg, fraction, way);
    if (fractions) emit(Op::toFraction, reg, reg);
  };
  if (step.op == StepOp::round) {
    if (fractions) roundTo(reg);
    return reg;
  }
  const Ref ref{step.operand, env};
  Reg operand = evalAny(ref);
  if (type.set) {
    switch (step.op) {
    case StepOp::add: emit(Op::setOr, reg, reg, operand, 0, words); break;
    case StepOp::subtract: emit(Op::setAndNot, reg, reg, operand, 0, words); break;
    default: setCopy(reg, operand, words); break;
    }
    return operand;
  }
  if (step.op == StepOp::become) {
    setCopy(reg, operand, words);
    return operand;
  }
  if (typeOf(ref).optional) {
    Label some;
    jump(Op::jumpSome, operand, 0, some);
    emit(Op::loadNone, reg);
    jump(skip);
    bind(some);
  }
  const bool operandFraction = typeOf(ref).kind == TypeKind::fraction;
  if (fractions && !operandFraction && typeOf(ref).kind == TypeKind::integer) {
    const Reg converted = alloc();
    emit(Op::toFraction, converted, operand);
    operand = converted;
  }
  switch (step.op) {
  case StepOp::add:
    emit(fractions ? Op::fadd : type.kind == TypeKind::d66 ? Op::d66Add : Op::add, reg, reg, operand);
    break;
  case StepOp::subtract: emit(fractions ? Op::fsub : Op::sub, reg, reg, operand); break;
  case StepOp::multiply:
  case StepOp::divide: {
    const bool multiply = step.op == StepOp::multiply;
    if (!fractions && !operandFraction && multiply) {
      emit(Op::mul, reg, reg, operand);
      break;
    }
    const Reg exact = alloc();
    if (fractions) {
      emit(multiply ? Op::fmul : Op::fdiv, exact, reg, operand);
    } else if (!operandFraction) {
      emit(Op::div, exact, reg, operand);
    } else {
      emit(Op::toFraction, exact, reg);
      emit(multiply ? Op::fmul : Op::fdiv, exact, exact, operand);
    }
    roundTo(exact);
    break;
  }
  case StepOp::atLeast:
  case StepOp::atMost: {
    const bool least = step.op == StepOp::atLeast;
    if (type.kind == TypeKind::odds) {
      const Reg below = alloc();
      Label keep;
      emit(Op::olt, below, least ? reg : operand, least ? operand : reg);
      jump(Op::jumpUnless, below, 0, keep);
      setCopy(reg, operand, 1);
      bind(keep);
    } else {
      emit(fractions ? (least ? Op::flarger : Op::fsmaller) : (least ? Op::larger : Op::smaller), reg, reg,
           operand);
    }
    break;
  }
  default: break;
  }
  return operand;
}

void BodyLowering::figure(Ref base, const std::vector<hir::Step>& list, const hir::Type& type, Reg dst) {
  eval(base, dst);
  steps(list, base.env, type, dst);
}

void BodyLowering::steps(const std::vector<hir::Step>& list, Env* env, const hir::Type& type, Reg reg) {
  for (const hir::Step& step : list) {
    const Temps temps(*this);
    Label skip;
    stepOn(step, env, type, reg, skip);
    cover(step.marks);
    bind(skip);
  }
}

namespace {

StepKind kindOf(const hir::Step& step) {
  switch (step.op) {
  case StepOp::add: return StepKind::add;
  case StepOp::subtract: return StepKind::subtract;
  case StepOp::multiply:
    switch (step.rounding) {
    case Rounding::up: return StepKind::multiplyRoundUp;
    case Rounding::down: return StepKind::multiplyRoundDown;
    case Rounding::near: return StepKind::multiplyRoundNear;
    default: return StepKind::multiply;
    }
  case StepOp::divide:
    switch (step.rounding) {
    case Rounding::up: return StepKind::divideRoundUp;
    case Rounding::down: return StepKind::divideRoundDown;
    case Rounding::near: return StepKind::divideRoundNear;
    default: return StepKind::divide;
    }
  case StepOp::round:
    switch (step.rounding) {
    case Rounding::up: return StepKind::roundUp;
    case Rounding::near: return StepKind::roundNear;
    default: return StepKind::roundDown;
    }
  case StepOp::become: return StepKind::become;
  case StepOp::atLeast: return StepKind::atLeast;
  case StepOp::atMost: return StepKind::atMost;
  }
  return StepKind::add;
}

} // namespace

// A set is shown by how many elements it has.
void BodyLowering::explainFigure(Ref base, const std::vector<hir::Step>& list, const hir::Type& type, Reg dst,
                                 const std::string& baseWords, std::uint16_t baseMarks, std::uint16_t marks) {
  const std::uint16_t words = context.words(type);
  hir::Type shown = type;
  if (type.set) {
    shown = hir::Type{};
    shown.kind = TypeKind::integer;
  }
  const auto shownReg = [&](Reg reg) {
    if (!type.set) return reg;
    const Reg count = alloc();
    emit(Op::setCount, count, reg, 0, 0, words);
    return count;
  };
  eval(base, dst);
  {
    const Temps temps(*this);
    veil(base, true);
    textWords(baseWords);
    cite(baseMarks);
    cite(marks);
    emit(Op::explainBase, shownReg(dst), 0, 0, context.type(shown));
  }
  for (const hir::Step& step : list) {
    const Temps temps(*this);
    Label skip;
    const Reg before = alloc(words);
    setCopy(before, dst, words);
    Reg operand = stepOn(step, base.env, type, dst, skip);
    if (type.set) {
      const Reg same = alloc();
      emit(Op::setEq, same, before, dst, 0, words);
      jump(Op::jumpIf, same, 0, skip);
      operand = shownReg(operand);
    } else {
      jump(Op::jumpEq, before, dst, skip); // a step that changes nothing has no line
    }
    hir::Type lineType = shown;
    Reg after = shownReg(dst);
    if (step.op != StepOp::round && type.kind == TypeKind::integer && !type.set &&
        typeOf({step.operand, base.env}).kind == TypeKind::fraction) {
      lineType.kind = TypeKind::fraction;
      const Reg exact = alloc();
      emit(Op::toFraction, exact, after);
      after = exact;
    }
    veil({step.operand, base.env}, true);
    veil({step.when, base.env}, true);
    if (step.label >= 0)
      lowerText(step.label, base.env);
    else
      textWords(step.words);
    cite(step.marks);
    emit(Op::explainStep, after, operand, static_cast<int>(kindOf(step)), context.type(lineType));
    bind(skip);
  }
}

void lowerValues(Context& context) {
  for (std::size_t i = 0; i < context.hir.values.size(); ++i) {
    const hir::Value& value = context.hir.values[i];
    const std::uint16_t words = context.words(value.result);
    hir::Type figure = value.result;
    if (value.workedAsFraction) figure.kind = TypeKind::fraction;
    for (const bool explain : {false, true}) {
      BodyLowering body(context, "value " + value.name, explain ? BodyKind::explain : BodyKind::pure,
                        value.place);
      Env* env = body.bindScope(value.scope);
      const Reg result = body.alloc(words);
      if (explain)
        body.explainFigure({value.base, env}, value.steps, figure, result, value.baseWords, value.baseMarks,
                           value.marks);
      else
        body.figure({value.base, env}, value.steps, figure, result);
      if (value.workedAsFraction) body.wholeFigure(result, figure);
      if (!explain) body.cover(context.joinMarks(value.baseMarks, value.marks));
      body.ret(result, words);
      body.finishInto(explain ? context.ids.valueExplain[i] : context.ids.value[i], words);
    }
  }
}

/// A fraction that is whole, or none, as an int.
void BodyLowering::wholeFigure(Reg reg, const hir::Type& type) {
  Label nothing;
  if (type.optional) jump(Op::jumpNone, reg, 0, nothing);
  emit(Op::round, reg, reg, 0);
  bind(nothing);
}

// ---- Clauses

Elem BodyLowering::clauseElement(const hir::Clause& clause, Env* env) const {
  hir::Type type;
  switch (clause.kind) {
  case ClauseKind::through: type.kind = TypeKind::hex; break;
  case ClauseKind::across: type.kind = TypeKind::hexside; break;
  default: type = context.expr(clause.set).type; break;
  }
  type.set = false;
  return {env, clause.local, type, false};
}

void BodyLowering::clauses(const std::vector<hir::Clause>& list, Env* env, const Verdict& verdict) {
  for (const hir::Clause& clause : list) {
    const Temps temps(*this);
    const AtPlace line(*this, clause.place);
    decide(clause, env, verdict);
  }
}

void BodyLowering::reasonOf(const hir::Clause& clause, Env* env, const Verdict& verdict) {
  if (clause.handsOn >= 0) {
    // The marks of this clause join those of the reason that the other permission gives.
    cite(clause.marks);
    cite(verdict.marks);
    const Ref other = resolve({clause.handsOn, env});
    std::vector<Ref> args;
    for (std::size_t i = 0; i < at(other).args.size(); ++i) args.push_back(arg(other, i));
    const Temps temps(*this);
    const Reg first = window(args, 1);
    emit(Op::call, first, 0, 0,
         static_cast<std::int32_t>(context.ids.permissionExplain[static_cast<std::size_t>(at(other).index)]));
    return;
  }
  veil({clause.when, env}, true);
  lowerText(clause.reason, env);
  cite(clause.marks);
  cite(verdict.marks);
  emit(Op::reason,
       static_cast<int>(clause.kind == ClauseKind::allow ? ReasonKind::allow : ReasonKind::forbid));
}

void BodyLowering::forbidNow(const hir::Clause& clause, Env* env, const Verdict& verdict) {
  if (verdict.explain)
    reasonOf(clause, env, verdict);
  else
    cover(context.joinMarks(clause.marks, verdict.marks));
  if (verdict.whenForbidden != nullptr)
    jump(*verdict.whenForbidden);
  else
    retImm(verdict.forbidden);
}

void BodyLowering::allowNow(const hir::Clause&, const Verdict& verdict) {
  if (verdict.whenAllowed != nullptr)
    jump(*verdict.whenAllowed);
  else
    retImm(verdict.allowed);
}

void BodyLowering::decide(const hir::Clause& clause, Env* env, const Verdict& verdict) {
  switch (clause.kind) {
  case ClauseKind::forbid: {
    if (!verdict.explain && verdict.whenForbidden != nullptr && clause.when >= 0 &&
        !context.options.coverage) {
      branch({clause.when, env}, true, *verdict.whenForbidden);
      return;
    }
    Label next;
    if (clause.when >= 0) branch({clause.when, env}, false, next);
    forbidNow(clause, env, verdict);
    bind(next);
    return;
  }
  case ClauseKind::allow: {
    Label next;
    if (clause.when >= 0) branch({clause.when, env}, false, next);
    if (verdict.explain)
      reasonOf(clause, env, verdict);
    else
      cover(context.joinMarks(clause.marks, verdict.marks));
    allowNow(clause, verdict);
    bind(next);
    return;
  }
  case ClauseKind::forEach: {
    const Elem elem = clauseElement(clause, env);
    const Reg set = alloc(context.setWords(elem.type));
    eval({clause.set, env}, set);
    const ElementScope element(*this, elem);
    const Reg order = startOrder(elem.type, set);
    Label end;
    const std::uint32_t again = here();
    nextInOrder(elem.type, element.reg(), set, order, end);
    clauses(clause.inner, env, verdict);
    jumpBack(again);
    bind(end);
    return;
  }
  case ClauseKind::through:
  case ClauseKind::across: lineClause(clause, env, verdict); return;
  }
}

/// The hexes that bar a line, where the clauses within are a matter of the hex alone.
bool BodyLowering::lineIsSet(const hir::Clause& clause, Env* env, Reg blockers) {
  if (clause.kind != ClauseKind::through || context.options.plainSets || clause.inner.empty()) return false;
  const std::uint16_t words = context.domainWords(domainHexes);
  const Elem elem = clauseElement(clause, env);
  for (std::size_t i = 0; i < clause.inner.size(); ++i) {
    const hir::Clause& inner = clause.inner[i];
    if (inner.kind != ClauseKind::forbid) return false;
    const Temps temps(*this);
    const Reg hexes = i == 0 ? blockers : alloc(words);
    if (inner.when < 0)
      emit(Op::setFull, hexes, 0, 0, domainHexes, words);
    else if (!refine(elem, {{inner.when, env}, false, nullptr, nullptr}, hexes, true))
      return false;
    if (i > 0) emit(Op::setOr, blockers, blockers, hexes, 0, words);
  }
  return true;
}

/// Verdict of the clauses within for one item of a line: 0 none decides, 1 forbidden, 2 allowed.
void BodyLowering::innerVerdict(const hir::Clause& clause, Env* env, Reg element, Reg item, Reg dst) {
  Label forbidden, allowed, end;
  setCopy(element, item, 1);
  clauses(clause.inner, env, Verdict{false, 0, 1, 0, &forbidden, &allowed});
  emit(Op::loadImm, dst, 0, 0, 0);
  jump(end);
  bind(forbidden);
  emit(Op::loadImm, dst, 0, 0, 1);
  jump(end);
  bind(allowed);
  emit(Op::loadImm, dst, 0, 0, 2);
  bind(end);
}

void BodyLowering::lineClause(const hir::Clause& clause, Env* env, const Verdict& verdict) {
  const bool across = clause.kind == ClauseKind::across;
  const Elem elem = clauseElement(clause, env);
  const Reg from = alloc(), to = alloc();
  eval({clause.from, env}, from);
  eval({clause.to, env}, to);
  if (!verdict.explain && !across) {
    const Snapshot before = snapshot();
    const Reg blockers = alloc(context.domainWords(domainHexes));
    if (lineIsSet(clause, env, blockers)) {
      const Reg blocked = alloc();
      Label free;
      emit(Op::lineBlocked, blocked, from, to, clause.splitEither ? 1 : 0, blockers);
      if (verdict.whenForbidden != nullptr) {
        jump(Op::jumpIf, blocked, 0, *verdict.whenForbidden);
      } else {
        jump(Op::jumpUnless, blocked, 0, free);
        retImm(verdict.forbidden);
      }
      bind(free);
      return;
    }
    rollBack(before);
  }
  const ElementScope element(*this, elem);
  const Reg cursor = alloc(3), items = alloc(2), first = alloc(), second = alloc();
  const auto other = static_cast<Reg>(items + 1);
  Label end, single, forbiddenFirst, forbiddenSecond, allowed;
  emit(Op::lineStart, cursor, from, to, across ? 1 : 0);
  const std::uint32_t again = here();
  end.uses.push_back(emit(Op::lineNext, items, cursor, 0, 0, across ? 1 : 0));
  innerVerdict(clause, env, element.reg(), items, first);
  jump(Op::jumpNone, other, 0, single);
  Label missing, both;
  jump(Op::jumpLtImm, other, 0, missing); // what is off the board decides nothing
  innerVerdict(clause, env, element.reg(), other, second);
  jump(both);
  bind(missing);
  loadWord(second, 0);
  bind(both);
  Label next;
  if (clause.splitEither) {
    jump(Op::jumpEqImm, first, 1, forbiddenFirst);
    jump(Op::jumpEqImm, second, 1, forbiddenSecond);
  } else {
    jump(Op::jumpNe, first, second, next);
    jump(Op::jumpEqImm, first, 1, forbiddenFirst);
  }
  jump(Op::jumpNe, first, second, next);
  jump(Op::jumpEqImm, first, 2, allowed);
  bind(next);
  jumpBack(again);
  bind(single);
  jump(Op::jumpEqImm, first, 1, forbiddenFirst);
  jump(Op::jumpEqImm, first, 2, allowed);
  jumpBack(again);
  const auto decided = [&](Label& label, Reg item) {
    bind(label);
    if (verdict.explain) {
      setCopy(element.reg(), item, 1);
      Verdict inner = verdict;
      if (clause.marks != 0) cite(clause.marks);
      clauses(clause.inner, env, inner);
    }
    if (verdict.whenForbidden != nullptr)
      jump(*verdict.whenForbidden);
    else
      retImm(verdict.forbidden);
  };
  decided(forbiddenFirst, items);
  decided(forbiddenSecond, other);
  bind(allowed);
  if (verdict.explain) setCopy(element.reg(), items, 1);
  if (verdict.explain) clauses(clause.inner, env, verdict);
  allowNow(clause, verdict);
  bind(end);
}

void lowerPermissions(Context& context) {
  for (std::size_t i = 0; i < context.hir.permissions.size(); ++i) {
    const hir::Permission& permission = context.hir.permissions[i];
    for (const bool explain : {false, true}) {
      BodyLowering body(context, "permission " + permission.name,
                        explain ? BodyKind::explain : BodyKind::pure, permission.place);
      Env* env = body.bindScope(permission.scope);
      body.clauses(permission.clauses, env, Verdict{explain, 0, 1, permission.marks, nullptr, nullptr});
      body.cover(permission.marks);
      body.retImm(1);
      body.finishInto(explain ? context.ids.permissionExplain[i] : context.ids.permission[i], 1);
    }
  }
}

// ---- Zones

void lowerZones(Context& context) {
  for (std::size_t i = 0; i < context.hir.zones.size(); ++i) {
    const hir::Zone& zone = context.hir.zones[i];
    Zone& out = context.module.zones[i];
    out.name = zone.name;
    out.kind = zone.kind;
    hir::Type hex;
    hex.kind = TypeKind::hex;
    const std::uint16_t words = context.domainWords(domainHexes);
    {
      BodyLowering body(context, "zone " + zone.name, BodyKind::pure, zone.place);
      body.keepTemps();
      Env* env = body.bindScope(zone.scope);
      const Reg set = body.alloc(words);
      body.zoneCover(zone, env, set);
      body.cover(zone.marks);
      body.ret(set, words);
      out.coverBody = context.reserveBody();
      body.finishInto(out.coverBody, words);
    }
    if (!context.options.plainSets) {
      hir::Type sideType;
      sideType.kind = TypeKind::side;
      BodyLowering whole(context, "zone " + zone.name + ", of a side", BodyKind::pure, zone.place);
      whole.keepTemps();
      const auto side = static_cast<Reg>(whole.parameterWords());
      whole.bindParameter(nullptr, -1, context.valueType(sideType));
      const Reg set = whole.alloc(words);
      if (whole.zoneUnion(zone, side, set)) {
        whole.ret(set, words);
        out.unionBody = context.reserveBody();
        whole.finishInto(out.unionBody, words);
      }
    }
    BodyLowering body(context, "zone " + zone.name, BodyKind::explain, zone.place);
    Env* env = body.bindScope(zone.scope, true);
    body.bindParameter(env, zone.hex, context.valueType(hex));
    body.bindLocals(env, zone.scope);
    const Reg set = body.alloc(words), covered = body.alloc();
    Label inside;
    body.eval({zone.set, env}, set);
    body.emit(Op::setHas, covered, set, env->locals[static_cast<std::size_t>(zone.hex)].reg, 0, words);
    body.jump(Op::jumpIf, covered, 0, inside);
    body.retImm(0);
    body.bind(inside);
    body.clauses(zone.clauses, env, Verdict{true, 0, 1, zone.marks, nullptr, nullptr});
    body.cite(zone.marks);
    body.emit(Op::reason, static_cast<int>(ReasonKind::allow));
    body.retImm(1);
    out.whyBody = context.reserveBody();
    body.finishInto(out.whyBody, 1);
  }
}

bool BodyLowering::zoneUnion(const hir::Zone& zone, Reg side, Reg set) {
  Env* env = newEnv(zone.scope);
  hir::Type hex;
  hex.kind = TypeKind::hex;
  const Elem of{env, 0, zone.scope.locals[0].type, false}, covered{env, zone.hex, hex, false};
  const Ref hexes = resolve({zone.set, env});
  // The hexes beside one counter of several are not all beside it as the hexes of others are.
  if (mayBeWide(zone.kind)) return false;
  if (of.type.kind != TypeKind::counter || at(hexes).kind != ExprKind::adjacentHexes) return false;
  const Ref centre = resolve(arg(hexes, 0));
  if (at(centre).kind != ExprKind::hexesOfCounters) return false;
  const Ref one = resolve(arg(centre, 0));
  if (at(one).kind != ExprKind::single || !isElement(arg(one, 0), of)) return false;
  std::vector<Conjunct> all;
  for (const hir::Clause& clause : zone.clauses) {
    if (clause.kind != ClauseKind::forbid || clause.when < 0 || mentions({clause.when, env}, covered) != 0)
      return false;
    split({clause.when, env}, true, all, &of);
  }
  const Temps temps(*this);
  const Reg counters = alloc(context.setWords(of.type)), enemy = alloc();
  emit(Op::countersOf, counters, side, 0, zone.kind);
  emit(Op::enemyOf, enemy, side);
  sideFacts_.push_back({env, 0, side, enemy});
  filter(counters, of, all, {});
  sideFacts_.pop_back();
  emit(Op::hexesOf, set, counters);
  emit(Op::adjacentTo, set, set, 0, 1);
  return true;
}

void BodyLowering::zoneCover(const hir::Zone& zone, Env* env, Reg set) {
  eval({zone.set, env}, set);
  hir::Type hex;
  hex.kind = TypeKind::hex;
  const Elem elem{env, zone.hex, hex, false};
  hir::Permission permission;
  permission.clauses = zone.clauses;
  if (inlinable(permission) && !context.options.coverage) {
    std::vector<Conjunct> all;
    for (const hir::Clause& clause : zone.clauses) {
      if (clause.kind == ClauseKind::forbid && clause.when >= 0)
        split({clause.when, env}, true, all, &elem);
      else
        all.push_back({{}, false, &clause, env});
    }
    filter(set, elem, all, {});
    return;
  }
  const Temps temps(*this);
  const std::uint16_t words = context.domainWords(domainHexes);
  const Reg work = alloc(words);
  setCopy(work, set, words);
  Label end, drop, keep;
  const std::uint32_t again = here();
  nextOf(hex, env->locals[static_cast<std::size_t>(zone.hex)].reg, work, end);
  clauses(zone.clauses, env, Verdict{false, 0, 1, 0, &drop, &keep});
  bind(keep);
  jumpBack(again);
  bind(drop);
  insert(hex, set, env->locals[static_cast<std::size_t>(zone.hex)].reg, true);
  jumpBack(again);
  bind(end);
}

} // namespace hellwig::lowering
