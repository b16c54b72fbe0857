// SPDX-License-Identifier: Apache-2.0
// Lowering of expressions that yield a word, and of conditions as jumps.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::Builtin;
using hir::ExprKind;
using hir::Field;
using hir::TypeKind;

namespace {

bool isCondition(ExprKind kind) {
  switch (kind) {
  case ExprKind::and_:
  case ExprKind::or_:
  case ExprKind::less:
  case ExprKind::lessEqual:
  case ExprKind::equal:
  case ExprKind::notEqual:
  case ExprKind::in:
  case ExprKind::any:
  case ExprKind::none_:
  case ExprKind::all:
  case ExprKind::hexHas:
  case ExprKind::between: return true;
  default: return false;
  }
}
constexpr std::int32_t lowestImm = -32768, highestImm = 32767;

} // namespace

/// What a call of a small value without steps stands for, where its arguments cost nothing to read again.
Ref BodyLowering::inlineSmall(Ref ref) {
  ref = resolve(ref);
  if (context.options.plainSets) return ref;
  const hir::Expr& e = at(ref);
  if (e.kind != ExprKind::call || e.type.set) return ref;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const Ref given = resolve(arg(ref, i));
    const bool own = at(given).kind == ExprKind::local &&
                     given.env->locals[static_cast<std::size_t>(localOf(at(given)))].bound;
    if (!own && at(given).kind != ExprKind::constant) return ref;
  }
  const Ref inner = see(ref);
  if (inner.id == ref.id || !(typeOf(inner) == e.type)) return ref;
  int nodes = 0;
  const auto count = [&](const auto& self, Ref part) -> void {
    ++nodes;
    for (std::size_t i = 0; nodes <= 12 && i < at(part).args.size(); ++i)
      if (at(part).args[i] >= 0) self(self, arg(part, i));
  };
  count(count, inner);
  return nodes <= 12 ? inner : ref;
}

Reg BodyLowering::evalAny(Ref ref) {
  const Ref known = resolve(ref);
  const hir::Expr& e = at(known);
  if (e.kind == ExprKind::local) {
    const Binding& binding = known.env->locals[static_cast<std::size_t>(localOf(e))];
    if (binding.bound) return binding.reg;
  }
  if (e.kind == ExprKind::recordField) {
    const Ref record = resolve(arg(known, 0));
    if (at(record).kind == ExprKind::local) {
      const Binding& binding = record.env->locals[static_cast<std::size_t>(localOf(at(record)))];
      if (binding.bound) return static_cast<Reg>(binding.reg + context.fieldOffset(at(record).type.id, e.op));
    }
  }
  const Reg reg = alloc(context.words(e.type));
  eval(known, reg);
  return reg;
}

// An operand that may be none makes the result none.
Reg BodyLowering::operand(Ref ref, Absorb& absorb) {
  const Reg reg = evalAny(ref);
  if (typeOf(ref).optional) {
    absorb.used = true;
    jump(Op::jumpNone, reg, 0, absorb.none);
  }
  return reg;
}

void BodyLowering::absorbed(Absorb& absorb, Reg dst) {
  if (!absorb.used) return;
  Label end;
  jump(end);
  bind(absorb.none);
  emit(Op::loadNone, dst);
  bind(end);
}

const BodyLowering::SideFact* BodyLowering::sideFact(Ref counter) const {
  counter = resolve(counter);
  const hir::Expr& e = at(counter);
  if (e.kind != ExprKind::local) return nullptr;
  for (const SideFact& fact : sideFacts_)
    if (fact.env == counter.env && fact.local == localOf(e)) return &fact;
  return nullptr;
}

const std::pair<Ref, Reg>* BodyLowering::hexAlias(Ref counter) const {
  counter = resolve(counter);
  const hir::Expr& e = at(counter);
  if (e.kind != ExprKind::local) return nullptr;
  for (const auto& alias : hexAliases_)
    if (alias.first.env == counter.env && alias.first.id == localOf(e)) return &alias;
  return nullptr;
}

Reg BodyLowering::window(const std::vector<Ref>& args, std::uint32_t resultWords, std::uint32_t extra) {
  std::uint32_t words = 0;
  for (const Ref arg : args) words += context.words(typeOf(arg));
  const Reg first = alloc(std::max({words + extra, resultWords, 1U}));
  std::uint32_t at = first;
  for (const Ref arg : args) {
    const Temps temps(*this);
    eval(arg, static_cast<Reg>(at));
    at += context.words(typeOf(arg));
  }
  return first;
}

void BodyLowering::call(std::uint32_t body, const std::vector<Ref>& args, std::uint16_t resultWords,
                        Reg dst) {
  const Temps temps(*this);
  const Reg first = window(args, resultWords);
  emit(Op::call, first, 0, 0, static_cast<std::int32_t>(body));
  setCopy(dst, first, resultWords);
}

void BodyLowering::setCopy(Reg dst, Reg src, std::uint16_t words) {
  if (dst == src || words == 0) return;
  if (words == 1)
    emit(Op::move, dst, src);
  else
    emit(Op::setCopy, dst, src, 0, 0, words);
}

void BodyLowering::eval(Ref ref, Reg dst) {
  ref = resolve(ref);
  const hir::Expr& e = at(ref);
  const AtPlace line(*this, e.place);
  const Temps temps(*this);
  if (e.type.set) {
    if (e.kind != ExprKind::local && e.kind != ExprKind::call && e.kind != ExprKind::if_ &&
        e.kind != ExprKind::recordField && e.kind != ExprKind::faceField) {
      evalSet(ref, dst);
      return;
    }
  }
  const std::uint16_t words = context.words(e.type);
  Absorb absorb;
  switch (e.kind) {
  case ExprKind::constant: loadWord(dst, e.value); break;
  case ExprKind::local: setCopy(dst, evalAny(ref), words); break;
  case ExprKind::global:
    if (e.type.kind == TypeKind::path) // only what tests name is kept so
      emit(Op::getGlobalSet, dst, 0, 0, e.index, context.words(e.type));
    else
      emit(Op::getGlobal, dst, 0, 0, e.index);
    break;
  case ExprKind::column: {
    const Reg thing = operand(arg(ref, 0), absorb);
    emit(Op::get, dst, thing, 0, e.index);
    break;
  }
  case ExprKind::faceField: {
    const Reg thing = operand(arg(ref, 0), absorb), face = alloc();
    emit(Op::get, face, thing, 0, e.index);
    Label end;
    for (std::size_t i = 0; i < e.members.size(); ++i) {
      Label other;
      const bool last = i + 1 == e.members.size();
      if (!last) jump(Op::jumpNeImm, face, static_cast<std::int64_t>(i), other);
      emit(e.type.set ? Op::getSet : Op::get, dst, thing, 0, e.members[i], e.type.set ? words : 0);
      if (!last) jump(end);
      bind(other);
    }
    bind(end);
    break;
  }
  case ExprKind::makeRecord: {
    const hir::Type record = e.type;
    for (std::size_t f = 0; f < e.args.size(); ++f)
      eval(arg(ref, f), static_cast<Reg>(dst + context.fieldOffset(record.id, f)));
    break;
  }
  case ExprKind::recordField: {
    const Ref record = arg(ref, 0);
    const Reg whole = evalAny(record);
    setCopy(dst, static_cast<Reg>(whole + context.fieldOffset(typeOf(record).id, e.op)), words);
    break;
  }
  case ExprKind::field: {
    const Ref thing = arg(ref, 0);
    if (const SideFact* fact = sideFact(thing)) {
      if (static_cast<Field>(e.op) == Field::side) return setCopy(dst, fact->side, 1);
      if (static_cast<Field>(e.op) == Field::enemyOfCounter) return setCopy(dst, fact->enemy, 1);
    }
    if (static_cast<Field>(e.op) == Field::hex)
      if (const auto* alias = hexAlias(thing)) return setCopy(dst, alias->second, 1);
    const Reg reg = operand(thing, absorb);
    switch (static_cast<Field>(e.op)) {
    case Field::side: emit(Op::sideOf, dst, reg); break;
    case Field::enemyOfSide: emit(Op::enemyOf, dst, reg); break;
    case Field::enemyOfCounter: {
      const Reg side = alloc();
      emit(Op::sideOf, side, reg);
      emit(Op::enemyOf, dst, side);
      break;
    }
    case Field::hex: emit(Op::hexOf, dst, reg); break;
    case Field::box: emit(Op::boxOf, dst, reg); break;
    case Field::onMap: emit(Op::onMap, dst, reg); break;
    case Field::arrival: emit(Op::arrivalOf, dst, reg); break;
    case Field::cameFrom: emit(Op::cameFrom, dst, reg); break;
    }
    break;
  }
  case ExprKind::call: {
    if (const Ref inner = inlineSmall(ref); inner.id != ref.id) {
      eval(inner, dst);
      break;
    }
    const hir::Value& value = context.hir.values[static_cast<std::size_t>(e.index)];
    std::vector<Ref> args;
    for (std::size_t i = 0; i < e.args.size(); ++i) args.push_back(arg(ref, i));
    const Reg first = window(args, words);
    std::uint32_t at = first;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (!typeOf(args[i]).set && typeOf(args[i]).optional && !value.scope.locals[i].type.optional &&
          !e.type.set) {
        absorb.used = true;
        jump(Op::jumpNone, at, 0, absorb.none);
      }
      at += context.words(typeOf(args[i]));
    }
    emit(Op::call, first, 0, 0,
         static_cast<std::int32_t>(context.ids.value[static_cast<std::size_t>(e.index)]));
    setCopy(dst, first, words);
    break;
  }
  case ExprKind::can: {
    std::vector<Ref> args;
    for (std::size_t i = 0; i < e.args.size(); ++i) args.push_back(arg(ref, i));
    call(context.ids.permission[static_cast<std::size_t>(e.index)], args, 1, dst);
    break;
  }
  case ExprKind::tableCall: evalTable(ref, dst); break;
  case ExprKind::allotted: {
    const Reg thing = evalAny(arg(ref, 0)), block = evalAny(arg(ref, 1));
    hir::Type element = typeOf(arg(ref, 1));
    element.allotted = false;
    emit(Op::allotGet, dst, block, thing, lowest(element), allotmentBlock(element));
    break;
  }
  case ExprKind::builtin: evalBuiltin(ref, dst); break;
  case ExprKind::negate: {
    const Reg reg = operand(arg(ref, 0), absorb);
    emit(e.type.kind == TypeKind::fraction ? Op::fneg : Op::neg, dst, reg);
    break;
  }
  case ExprKind::not_: {
    const Reg reg = operand(arg(ref, 0), absorb);
    emit(Op::not_, dst, reg);
    break;
  }
  case ExprKind::add:
  case ExprKind::subtract:
  case ExprKind::multiply:
  case ExprKind::divide:
  case ExprKind::modulo:
  case ExprKind::smaller:
  case ExprKind::larger: evalArithmetic(ref, dst); break;
  case ExprKind::round: {
    const Reg reg = operand(arg(ref, 0), absorb);
    emit(Op::round, dst, reg, e.op - 1);
    break;
  }
  case ExprKind::toFraction: {
    Word value = 0;
    if (isConstant(ref, &value)) {
      loadWord(dst, value);
      break;
    }
    const Reg reg = operand(arg(ref, 0), absorb);
    emit(Op::toFraction, dst, reg);
    break;
  }
  case ExprKind::otherwise: {
    Label end;
    eval(arg(ref, 0), dst);
    jump(Op::jumpSome, dst, 0, end);
    eval(arg(ref, 1), dst);
    bind(end);
    break;
  }
  case ExprKind::if_: {
    Label other, end;
    branch(arg(ref, 0), false, other);
    eval(arg(ref, 1), dst);
    jump(end);
    bind(other);
    eval(arg(ref, 2), dst);
    bind(end);
    break;
  }
  case ExprKind::isNone: emit(Op::isNone, dst, evalAny(arg(ref, 0))); break;
  case ExprKind::isKind: {
    const Reg reg = operand(arg(ref, 0), absorb);
    emit(Op::isKind, dst, reg, 0, e.index);
    break;
  }
  case ExprKind::sideHas: {
    const Reg reg = operand(arg(ref, 0), absorb);
    emit(Op::hexsideHas, dst, reg, 0, e.index, e.value);
    break;
  }
  case ExprKind::less:
  case ExprKind::lessEqual:
    if (typeOf(arg(ref, 0)).optional || typeOf(arg(ref, 1)).optional) {
      const Reg a = operand(arg(ref, 0), absorb), b = operand(arg(ref, 1), absorb);
      const TypeKind kind = typeOf(arg(ref, 0)).kind;
      const bool strict = e.kind == ExprKind::less;
      emit(kind == TypeKind::fraction ? (strict ? Op::flt : Op::fle)
           : kind == TypeKind::odds   ? (strict ? Op::olt : Op::ole)
                                      : (strict ? Op::lt : Op::le),
           dst, a, b);
      break;
    }
    evalBool(ref, dst);
    break;
  case ExprKind::sum:
  case ExprKind::least:
  case ExprKind::greatest:
  case ExprKind::count:
  case ExprKind::first: evalQuantified(ref, dst); break;
  case ExprKind::connected: emit(Op::anyReach, dst, 0, routeArguments(ref), e.index); break;
  case ExprKind::stepped: {
    const hir::CostFigure& figureOf = context.hir.figures[static_cast<std::size_t>(e.index)];
    figure(arg(ref, 0), figureOf.steps, e.type, dst);
    break;
  }
  case ExprKind::path: {
    const hir::Route& route = context.hir.routes[static_cast<std::size_t>(e.index)];
    std::vector<Ref> args;
    for (std::size_t i = 0; i < route.scope.parameters; ++i) args.push_back(arg(ref, i));
    const std::optional<Ref> to = argIf(ref, route.scope.parameters);
    Reg hex = 0;
    if (to)
      hex = evalAny(*to);
    else
      hex = wordReg(none);
    emit(Op::path, dst, hex, window(args, 0), e.index);
    break;
  }
  case ExprKind::aspectOf: evalAspect(ref, dst); break;
  case ExprKind::pathField: {
    const Reg path = operand(arg(ref, 0), absorb);
    emit(Op::pathGet, dst, path, e.op);
    break;
  }
  default:
    if (isCondition(e.kind))
      evalBool(ref, dst);
    else
      emit(Op::loadNone, dst);
    break;
  }
  absorbed(absorb, dst);
}

void BodyLowering::evalBool(Ref ref, Reg dst) {
  Label no, end;
  branch(ref, false, no);
  emit(Op::loadImm, dst, 0, 0, 1);
  jump(end);
  bind(no);
  emit(Op::loadImm, dst, 0, 0, 0);
  bind(end);
}

void BodyLowering::evalArithmetic(Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  const bool fractions = typeOf(arg(ref, 0)).kind == TypeKind::fraction;
  Absorb absorb;
  Word k = 0;
  const bool imm = !fractions && isConstant(arg(ref, 1), &k) && k > -1'000'000'000 && k < 1'000'000'000;
  const bool d66 = typeOf(arg(ref, 0)).kind == TypeKind::d66;
  const Reg a = operand(arg(ref, 0), absorb);
  if (imm && !d66 &&
      (e.kind == ExprKind::add || e.kind == ExprKind::subtract || e.kind == ExprKind::multiply ||
       (e.kind == ExprKind::modulo && k != 0))) {
    switch (e.kind) {
    case ExprKind::add: emit(Op::addImm, dst, a, 0, k); break;
    case ExprKind::subtract: emit(Op::addImm, dst, a, 0, -k); break;
    case ExprKind::multiply: emit(Op::mulImm, dst, a, 0, k); break;
    default: emit(Op::modImm, dst, a, 0, k); break;
    }
    absorbed(absorb, dst);
    return;
  }
  const Reg b = operand(arg(ref, 1), absorb);
  switch (e.kind) {
  case ExprKind::add: emit(d66 ? Op::d66Add : fractions ? Op::fadd : Op::add, dst, a, b); break;
  case ExprKind::subtract:
    if (d66) {
      const Reg minus = alloc();
      emit(Op::neg, minus, b);
      emit(Op::d66Add, dst, a, minus);
    } else {
      emit(fractions ? Op::fsub : Op::sub, dst, a, b);
    }
    break;
  case ExprKind::multiply: emit(fractions ? Op::fmul : Op::mul, dst, a, b); break;
  case ExprKind::divide: emit(fractions ? Op::fdiv : Op::div, dst, a, b); break;
  case ExprKind::modulo: emit(Op::mod, dst, a, b); break;
  default: {
    const bool smaller = e.kind == ExprKind::smaller;
    if (typeOf(arg(ref, 0)).kind == TypeKind::odds) {
      const Reg less = alloc();
      Label second, end;
      emit(Op::olt, less, smaller ? a : b, smaller ? b : a);
      jump(Op::jumpUnless, less, 0, second);
      emit(Op::move, dst, a);
      jump(end);
      bind(second);
      emit(Op::move, dst, b);
      bind(end);
    } else if (fractions) {
      emit(smaller ? Op::fsmaller : Op::flarger, dst, a, b);
    } else {
      emit(smaller ? Op::smaller : Op::larger, dst, a, b);
    }
    break;
  }
  }
  absorbed(absorb, dst);
}

void BodyLowering::evalTable(Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  const Table& table = context.module.tables[static_cast<std::size_t>(e.index)];
  const auto keys = static_cast<std::uint16_t>(table.axes.size());
  const Reg first = alloc(2U * keys);
  Absorb absorb;
  for (std::uint16_t i = 0; i < keys; ++i) {
    const Temps temps(*this);
    const Ref key = arg(ref, i);
    const Ref odds = resolve(key);
    if (at(odds).kind == ExprKind::builtin && static_cast<Builtin>(at(odds).op) == Builtin::odds &&
        !typeOf(arg(odds, 0)).optional && !typeOf(arg(odds, 1)).optional) {
      const Reg a = evalAny(arg(odds, 0)), b = evalAny(arg(odds, 1));
      emit(Op::rawOdds, first + i, a, b);
    } else {
      eval(key, static_cast<Reg>(first + i));
    }
    if (typeOf(key).optional) {
      absorb.used = true;
      jump(Op::jumpNone, first + i, 0, absorb.none);
    }
    if (const std::optional<Ref> shift = argIf(ref, static_cast<std::size_t>(keys) + i)) {
      eval(*shift, static_cast<Reg>(first + keys + i));
      if (typeOf(*shift).optional) {
        absorb.used = true;
        jump(Op::jumpNone, first + keys + i, 0, absorb.none);
      }
    } else {
      loadWord(static_cast<Reg>(first + keys + i), 0);
    }
  }
  emit(Op::table, dst, first, first + keys, e.index, table.resultWords);
  if (e.type.kind != TypeKind::row || !absorb.used) {
    absorbed(absorb, dst);
    return;
  }
  // A row of none has none in each field.
  Label end;
  jump(end);
  bind(absorb.none);
  const RecordInfo& row = context.module.records[e.type.id];
  for (std::size_t f = 0; f < row.fields.size(); ++f) {
    const auto reg = static_cast<Reg>(dst + context.fieldOffset(e.type.id, f));
    if (row.fields[f].type.isSet)
      emit(Op::setClear, reg, 0, 0, 0, context.fieldWords(row.fields[f].type));
    else
      emit(Op::loadNone, reg);
  }
  bind(end);
}

void BodyLowering::evalBuiltin(Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  Absorb absorb;
  const auto two = [&](Op op) {
    const Reg a = operand(arg(ref, 0), absorb), b = operand(arg(ref, 1), absorb);
    emit(op, dst, a, b);
  };
  const auto one = [&](Op op) { emit(op, dst, operand(arg(ref, 0), absorb)); };
  switch (static_cast<Builtin>(e.op)) {
  case Builtin::distanceHexes: two(Op::distance); break;
  case Builtin::distanceSets: two(Op::setDistance); break;
  case Builtin::distanceOver: {
    const Reg a = operand(arg(ref, 0), absorb), b = operand(arg(ref, 1), absorb);
    const auto counter = [&](std::size_t i) { return typeOf(arg(ref, i)).kind == TypeKind::counter; };
    emit(Op::distanceOver, dst, a, b, (counter(0) ? 1 : 0) + (counter(1) ? 2 : 0));
    break;
  }
  case Builtin::direction: two(Op::direction); break;
  case Builtin::neighbour: two(Op::neighbour); break;
  case Builtin::odds: two(Op::makeOdds); break;
  case Builtin::hexsideBetween: two(Op::hexsideBetween); break;
  case Builtin::boxOfTurn: {
    const Reg turn = operand(arg(ref, 0), absorb);
    Label outside, inside, end;
    jump(Op::jumpLt, turn, wordReg(e.members[0]), outside);
    jump(Op::jumpGe, wordReg(e.members[1]), turn, inside);
    bind(outside);
    emit(Op::fault, 0, 0, 0, static_cast<int>(FaultCode::outOfRange));
    bind(inside);
    emit(Op::addImm, dst, turn, 0, e.index - e.members[0]);
    bind(end);
    break;
  }
  case Builtin::minutes: one(Op::minutesOf); break;
  case Builtin::d66: one(Op::toD66); break;
  case Builtin::even: {
    const Reg reg = operand(arg(ref, 0), absorb), rest = alloc(), two_ = wordReg(0);
    emit(Op::modImm, rest, reg, 0, 2);
    emit(Op::eq, dst, rest, two_);
    break;
  }
  case Builtin::next:
  case Builtin::previous: {
    const Reg reg = operand(arg(ref, 0), absorb);
    const Word last = static_cast<Word>(context.module.domains[context.domainOf(e.type)].size) - 1;
    const bool next = static_cast<Builtin>(e.op) == Builtin::next;
    Label end;
    setCopy(dst, reg, 1);
    const Reg bound = wordReg(next ? last : 0);
    if (next)
      jump(Op::jumpGe, dst, bound, end);
    else
      jump(Op::jumpGe, bound, dst, end);
    emit(Op::addImm, dst, dst, 0, next ? 1 : -1);
    bind(end);
    break;
  }
  default: emit(Op::loadNone, dst); break;
  }
  absorbed(absorb, dst);
}

// ---- Conditions

void BodyLowering::jumpOnBool(Reg reg, bool optional, bool sense, Label& label) {
  if (optional)
    jump(sense ? Op::jumpEqImm : Op::jumpNeImm, reg, 1, label);
  else
    jump(sense ? Op::jumpIf : Op::jumpUnless, reg, 0, label);
}

bool BodyLowering::smallConstant(Ref ref, std::int32_t& value) const {
  Word word = 0;
  if (!isConstant(ref, &word) || word < lowestImm || word > highestImm) return false;
  value = static_cast<std::int32_t>(word);
  return true;
}

void BodyLowering::branch(Ref ref, bool sense, Label& label) {
  ref = inlineSmall(ref);
  const hir::Expr& e = at(ref);
  const AtPlace line(*this, e.place);
  const Temps temps(*this);
  switch (e.kind) {
  case ExprKind::constant:
    if ((e.value == 1) == sense) jump(label);
    return;
  case ExprKind::not_:
    if (typeOf(arg(ref, 0)).optional) {
      const Reg reg = evalAny(arg(ref, 0));
      jump(sense ? Op::jumpEqImm : Op::jumpNeImm, reg, 0, label);
    } else {
      branch(arg(ref, 0), !sense, label);
    }
    return;
  case ExprKind::and_:
  case ExprKind::or_: {
    const bool and_ = e.kind == ExprKind::and_;
    if (and_ != sense) {
      branch(arg(ref, 0), sense, label);
      branch(arg(ref, 1), sense, label);
    } else {
      Label out;
      branch(arg(ref, 0), !sense, out);
      branch(arg(ref, 1), sense, label);
      bind(out);
    }
    return;
  }
  case ExprKind::less:
  case ExprKind::lessEqual: compareBranch(ref, sense, label); return;
  case ExprKind::equal: equalBranch(ref, sense, label); return;
  case ExprKind::notEqual: equalBranch(ref, !sense, label); return;
  case ExprKind::isNone: {
    const Reg reg = evalAny(arg(ref, 0));
    jump(sense ? Op::jumpNone : Op::jumpSome, reg, 0, label);
    return;
  }
  case ExprKind::in:
  case ExprKind::hexHas: inBranch(ref, sense, label); return;
  case ExprKind::any:
  case ExprKind::none_:
  case ExprKind::all: branchQuantifier(ref, sense, label); return;
  case ExprKind::between: {
    const Reg a = evalAny(arg(ref, 0)), b = evalAny(arg(ref, 1)), reg = alloc();
    Label no;
    if (e.op == 0) {
      emit(Op::hexsideBetween, reg, a, b);
      jump(Op::jumpNone, reg, 0, sense ? no : label);
      emit(Op::hexsideHas, reg, reg, 0, e.index, e.value);
    } else {
      emit(Op::pathBetween, reg, a, b, e.index, e.value);
    }
    jumpOnBool(reg, false, sense, label);
    bind(no);
    return;
  }
  case ExprKind::if_: {
    Label other, end;
    branch(arg(ref, 0), false, other);
    branch(arg(ref, 1), sense, label);
    jump(end);
    bind(other);
    branch(arg(ref, 2), sense, label);
    bind(end);
    return;
  }
  default: jumpOnBool(evalAny(ref), e.type.optional, sense, label); return;
  }
}

void BodyLowering::compareBranch(Ref ref, bool sense, Label& label) {
  const hir::Expr& e = at(ref);
  const bool strict = e.kind == ExprKind::less;
  const Ref left = arg(ref, 0), right = arg(ref, 1);
  Label no;
  const auto value = [&](Ref side) {
    const Reg reg = evalAny(side);
    if (typeOf(side).optional) jump(Op::jumpNone, reg, 0, sense ? no : label);
    return reg;
  };
  const TypeKind kind = typeOf(left).kind;
  if (kind == TypeKind::fraction || kind == TypeKind::odds) {
    const Reg a = value(left), b = value(right), reg = alloc();
    emit(kind == TypeKind::fraction ? (strict ? Op::flt : Op::fle) : (strict ? Op::olt : Op::ole), reg, a, b);
    jump(sense ? Op::jumpIf : Op::jumpUnless, reg, 0, label);
    bind(no);
    return;
  }
  std::int32_t k = 0;
  if (smallConstant(right, k) && k < highestImm) {
    const Reg a = value(left);
    jump(sense ? Op::jumpLtImm : Op::jumpGeImm, a, strict ? k : k + 1, label);
  } else if (smallConstant(left, k) && k < highestImm) {
    const Reg b = value(right);
    jump(sense ? Op::jumpGeImm : Op::jumpLtImm, b, strict ? k + 1 : k, label);
  } else {
    const Reg a = value(left), b = value(right);
    if (strict)
      jump(sense ? Op::jumpLt : Op::jumpGe, a, b, label);
    else
      jump(sense ? Op::jumpGe : Op::jumpLt, b, a, label);
  }
  bind(no);
}

void BodyLowering::equalBranch(Ref ref, bool sense, Label& label) {
  const Ref left = arg(ref, 0), right = arg(ref, 1);
  if (typeOf(left).set) {
    const Reg a = evalAny(left), b = evalAny(right), reg = alloc();
    emit(Op::setEq, reg, a, b, 0, context.words(typeOf(left)));
    jump(sense ? Op::jumpIf : Op::jumpUnless, reg, 0, label);
    return;
  }
  Word word = 0;
  for (const bool swap : {false, true}) {
    const Ref constant = swap ? left : right;
    if (!isConstant(constant, &word)) continue;
    const Reg reg = evalAny(swap ? right : left);
    if (word == none) {
      jump(sense ? Op::jumpNone : Op::jumpSome, reg, 0, label);
    } else if (word >= lowestImm && word <= highestImm) {
      jump(sense ? Op::jumpEqImm : Op::jumpNeImm, reg, word, label);
    } else {
      jump(sense ? Op::jumpEq : Op::jumpNe, reg, wordReg(word), label);
    }
    return;
  }
  const Reg a = evalAny(left), b = evalAny(right);
  jump(sense ? Op::jumpEq : Op::jumpNe, a, b, label);
}

void BodyLowering::inBranch(Ref ref, bool sense, Label& label) {
  const hir::Expr& e = at(ref);
  const hir::Type elementType = typeOf(arg(ref, 0));
  Label no;
  const auto element = [&] {
    const Reg reg = evalAny(arg(ref, 0));
    if (typeOf(arg(ref, 0)).optional) jump(Op::jumpNone, reg, 0, sense ? no : label);
    return reg;
  };
  const auto finish = [&](Reg reg) {
    jump(sense ? Op::jumpIf : Op::jumpUnless, reg, 0, label);
    bind(no);
  };
  if (e.kind == ExprKind::hexHas) {
    std::vector<Word> bits;
    constantMembers(ref, bits);
    const auto words = static_cast<std::uint16_t>(bits.size());
    const Reg reg = element(), set = alloc(words), found = alloc();
    emit(Op::setConst, set, 0, 0, context.constants(bits), words);
    emit(Op::setHas, found, set, reg, 0, words);
    finish(found);
    return;
  }
  const Ref set = see(arg(ref, 1));
  const hir::Expr& s = at(set);
  switch (s.kind) {
  case ExprKind::zoneOfSide: {
    const Reg hex = element();
    const Reg side = evalAny(arg(set, 0));
    if (typeOf(arg(set, 0)).optional) jump(Op::jumpNone, side, 0, sense ? no : label);
    const Reg found = alloc();
    emit(Op::inZone, found, hex, side, s.index);
    finish(found);
    return;
  }
  case ExprKind::reach: {
    const Reg hex = element(), hexes = alloc(context.words(s.type)), found = alloc();
    emit(Op::hexSet, hexes, hex);
    emit(Op::anyReachIn, found, hexes, routeArguments(set), s.index);
    finish(found);
    return;
  }
  case ExprKind::range: {
    const Reg value = element();
    const Reg low = evalAny(arg(set, 0)), high = evalAny(arg(set, 1));
    jump(Op::jumpLt, value, low, sense ? no : label);
    jump(sense ? Op::jumpGe : Op::jumpLt, high, value, label);
    bind(no);
    return;
  }
  case ExprKind::constantSet:
    if (s.members.size() <= 4 && elementType.kind != TypeKind::integer) {
      const Reg value = element();
      for (const Word member : s.members) {
        if (member < lowestImm || member > highestImm)
          jump(Op::jumpEq, value, wordReg(member), sense ? label : no);
        else
          jump(Op::jumpEqImm, value, member, sense ? label : no);
      }
      if (!sense) jump(label);
      bind(no);
      return;
    }
    break;
  default: break;
  }
  const Reg value = evalAny(arg(ref, 0)); // none is in no set
  const Reg members = evalAny(set), found = alloc();
  has(elementType, found, members, value);
  finish(found);
}

void BodyLowering::branchUnless(const std::vector<Conjunct>& all, Label& label) {
  for (const Conjunct& one : all) {
    if (one.clause != nullptr)
      clauses({*one.clause}, one.env, Verdict{false, 0, 1, 0, &label, nullptr});
    else
      branch(one.ref, one.negate, label);
  }
}

} // namespace hellwig::lowering
