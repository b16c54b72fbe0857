// SPDX-License-Identifier: Apache-2.0
// What a loop over a set can have computed before it begins: hexes that bar lines, and of conditions with a
// set of their own all that does not mention the element of the loop.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::Builtin;
using hir::ExprKind;
using hir::TypeKind;

BodyLowering::Prepared BodyLowering::prepareLine(const Conjunct& one,
                                                 std::initializer_list<const Elem*> elems) {
  Prepared prepared;
  prepared.conjunct = one;
  if (one.clause == nullptr || one.clause->kind != hir::ClauseKind::through || context.options.plainSets)
    return prepared;
  const Snapshot before = snapshot();
  prepared.blockers = alloc(context.domainWords(domainHexes));
  bool free = true;
  for (const Elem* elem : elems)
    for (const hir::Clause& inner : one.clause->inner)
      if (inner.when >= 0 && mentions({inner.when, one.env}, *elem) != 0) free = false;
  if (free && lineIsSet(*one.clause, one.env, prepared.blockers))
    prepared.line = true;
  else
    rollBack(before);
  return prepared;
}

std::vector<BodyLowering::Prepared> BodyLowering::prepare(const std::vector<Conjunct>& rest,
                                                          const Elem& elem) {
  std::vector<Prepared> out;
  for (const Conjunct& one : rest) {
    Prepared prepared = prepareLine(one, {&elem});
    if (one.clause == nullptr) prepared.inner = prepareAny(one, elem);
    out.push_back(std::move(prepared));
  }
  return out;
}

bool BodyLowering::leansOnGuard(Ref ref) const {
  const hir::Expr& e = at(ref);
  if (e.kind == ExprKind::assume) return true;
  if (e.kind == ExprKind::local && ref.env->locals[static_cast<std::size_t>(localOf(e))].byName)
    return leansOnGuard(ref.env->locals[static_cast<std::size_t>(localOf(e))].expr);
  for (std::size_t i = 0; i < e.args.size(); ++i)
    if (e.args[i] >= 0 && leansOnGuard(arg(ref, i))) return true;
  return false;
}

namespace {

/// Whether code computes without ever failing, so that it may run though nobody asks for what it computes.
bool neverFails(const std::vector<Instruction>& code, std::size_t from) {
  for (std::size_t i = from; i < code.size(); ++i) {
    switch (code[i].op) {
    case Op::jump:
    case Op::jumpIf:
    case Op::jumpUnless:
    case Op::jumpEmpty:
    case Op::jumpAny:
    case Op::move:
    case Op::loadImm:
    case Op::load:
    case Op::getGlobal:
    case Op::enemyOf:
    case Op::setCopy:
    case Op::setClear:
    case Op::setConst:
    case Op::setAnd:
    case Op::setOr:
    case Op::setAndNot:
    case Op::setNot:
    case Op::setFull:
    case Op::setFill:
    case Op::staticSet:
    case Op::counters:
    case Op::countersEver:
    case Op::countersOf:
    case Op::ofSide:
    case Op::atHexes:
    case Op::plane:
    case Op::hexPlane:
    case Op::planeOfValue:
    case Op::hexPlaneOfValue:
    case Op::hexesOf:
    case Op::zoneOfSide: break;
    default: return false;
    }
  }
  return true;
}

} // namespace

std::shared_ptr<BodyLowering::Inner> BodyLowering::prepareAny(const Conjunct& one, const Elem& elem) {
  if (context.options.plainSets) return nullptr;
  Ref ref = see(one.ref);
  bool negate = one.negate;
  while (at(ref).kind == ExprKind::not_ && !typeOf(arg(ref, 0)).optional) {
    ref = see(arg(ref, 0));
    negate = !negate;
  }
  if (at(ref).kind != ExprKind::any && at(ref).kind != ExprKind::none_) return nullptr;
  if (at(see(arg(ref, 0))).kind == ExprKind::reach) return nullptr;
  const Ranged range = ranged(ref, false);
  if (range.conjuncts.empty() || mentions(range.set, elem) != 0 || leansOnGuard(range.set)) return nullptr;
  const Snapshot before = snapshot();
  const std::size_t facts = sideFacts_.size();
  const std::uint16_t words = context.setWords(range.elem.type);
  auto inner = std::make_shared<Inner>();
  inner->elem = range.elem;
  inner->wantsOne = (at(ref).kind == ExprKind::any) != negate;
  inner->base = alloc(words);
  eval(range.set, inner->base);
  learnSides(range.set, range.elem, range.conjuncts);
  const auto stays = [&](Ref condition) {
    return mentions(condition, elem) == 0 && !leansOnGuard(condition);
  };
  const auto refinable = [&](const Conjunct& conjunct) { // tried, and taken back
    const Snapshot trial = snapshot();
    const bool done = refine(range.elem, conjunct, inner->base, false);
    rollBack(trial);
    return done;
  };
  std::vector<Conjunct> varying;
  for (const Conjunct& conjunct : range.conjuncts) {
    if (conjunct.clause != nullptr || !stays(conjunct.ref) ||
        !refine(range.elem, conjunct, inner->base, false))
      varying.push_back(conjunct);
  }
  for (const Conjunct& conjunct : varying) {
    if (!refinable(conjunct)) {
      inner->rest.push_back(prepareLine(conjunct, {&elem, &range.elem}));
      continue;
    }
    Conjunct other;
    Reg either = noReg;
    if (conjunct.clause == nullptr) {
      Ref whole = see(conjunct.ref);
      bool no = conjunct.negate;
      while (at(whole).kind == ExprKind::not_ && !typeOf(arg(whole, 0)).optional) {
        whole = see(arg(whole, 0));
        no = !no;
      }
      if (at(whole).kind == (no ? ExprKind::and_ : ExprKind::or_))
        for (const std::size_t i : {0U, 1U}) {
          if (either != noReg || !stays(arg(whole, i))) continue;
          const Snapshot trial = snapshot();
          either = alloc(words);
          setCopy(either, inner->base, words);
          other = {arg(whole, 1 - i), no, nullptr, nullptr};
          if (!refine(range.elem, {arg(whole, i), no, nullptr, nullptr}, either, false) ||
              !refinable(other)) {
            rollBack(trial);
            either = noReg;
          }
        }
    }
    if (either != noReg)
      inner->eitherOr.emplace_back(other, either);
    else
      inner->vary.push_back(conjunct);
  }
  if (neverFails(body_.code, before.code)) return inner;
  rollBack(before);
  sideFacts_.resize(facts);
  return nullptr;
}

void BodyLowering::keepNear(const Prepared& prepared, const Elem& elem, Reg set) {
  if (!prepared.inner || !prepared.inner->wantsOne) return;
  const Inner& inner = *prepared.inner;
  hir::Type hex;
  hex.kind = TypeKind::hex;
  const auto placeOf = [&](const Elem& one) {
    return Elem{one.env, one.local, hex, one.type.kind != TypeKind::hex};
  };
  if (inner.elem.type.kind != TypeKind::counter ||
      (elem.type.kind != TypeKind::counter && elem.type.kind != TypeKind::hex))
    return;
  const Elem there = placeOf(elem), mine = placeOf(inner.elem);
  for (const Prepared& one : inner.rest) {
    if (!one.conjunct.ref) continue;
    Ref ref = see(one.conjunct.ref);
    bool negate = one.conjunct.negate;
    while (at(ref).kind == ExprKind::not_ && !typeOf(arg(ref, 0)).optional) {
      ref = see(arg(ref, 0));
      negate = !negate;
    }
    if (at(ref).kind != ExprKind::less && at(ref).kind != ExprKind::lessEqual) continue;
    // d < k and d <= k, or that k <= d and k < d are not so.
    const std::size_t i = negate ? 1 : 0;
    const bool strict = (at(ref).kind == ExprKind::less) != negate;
    const Ref distance = see(arg(ref, i)), limit = see(arg(ref, 1 - i));
    if (at(distance).kind != ExprKind::builtin ||
        static_cast<Builtin>(at(distance).op) != Builtin::distanceHexes || at(distance).type.optional)
      continue;
    const Ref a = arg(distance, 0), b = arg(distance, 1);
    if (!((isElement(a, there) && isElement(b, mine)) || (isElement(a, mine) && isElement(b, there))))
      continue;
    if (at(limit).kind != ExprKind::column || !isElement(arg(limit, 0), inner.elem)) continue;
    const Column& column = context.module.columns[static_cast<std::size_t>(at(limit).index)];
    if (!column.constant || column.owner != Owner::counter || at(limit).type.kind != TypeKind::integer)
      continue;
    std::map<Word, std::vector<Word>> byLimit; // the counters of each limit
    const std::uint16_t words = context.setWords(inner.elem.type),
                        hexWords = context.domainWords(domainHexes);
    const auto& members = context.module.kinds[inner.elem.type.id].members;
    for (std::size_t u = 0; u < column.initial.size() && u < context.module.counters.size(); ++u) {
      if ((members[u / 64] >> (u % 64) & 1U) == 0) continue;
      std::vector<Word>& bits = byLimit[column.initial[u]];
      bits.resize(words, 0);
      bits[u / 64] =
          static_cast<Word>(static_cast<std::uint64_t>(bits[u / 64]) | (std::uint64_t{1} << (u % 64)));
    }
    if (byLimit.size() > 6 || byLimit.contains(none)) continue;
    const Temps temps(*this);
    const Reg near = alloc(hexWords), counters = alloc(words), hexes = alloc(hexWords), radius = alloc();
    emit(Op::setClear, near, 0, 0, 0, hexWords);
    for (const auto& [value, bits] : byLimit) {
      const Word most = strict ? value - 1 : value;
      if (most < 0) continue;
      emit(Op::setConst, counters, 0, 0, context.constants(bits), words);
      emit(Op::setAnd, counters, counters, inner.base, 0, words);
      emit(Op::hexesOf, hexes, counters);
      loadWord(radius, most);
      emit(Op::within, hexes, hexes, radius);
      emit(Op::setOr, near, near, hexes, 0, hexWords);
    }
    if (elem.type.kind == TypeKind::hex)
      emit(Op::setAnd, set, set, near, 0, hexWords);
    else
      emit(Op::atHexes, set, set, near);
    return;
  }
}

/// Jumps to the label if the condition that was prepared fails.
void BodyLowering::anyFails(const Inner& inner, Label& label) {
  const Temps temps(*this);
  const std::uint16_t words = context.setWords(inner.elem.type);
  const Reg set = alloc(words);
  setCopy(set, inner.base, words);
  for (const Conjunct& one : inner.vary) refine(inner.elem, one, set, false);
  for (const auto& [other, either] : inner.eitherOr) {
    const Temps more(*this);
    const Reg both = alloc(words);
    emit(Op::setAnd, both, set, either, 0, words);
    refine(inner.elem, other, set, false);
    emit(Op::setOr, set, set, both, 0, words);
  }
  if (inner.rest.empty()) {
    label.uses.push_back(emit(inner.wantsOne ? Op::jumpEmpty : Op::jumpAny, set, 0, 0, 0, words));
    return;
  }
  Label done, miss;
  const ElementScope element(*this, inner.elem);
  std::vector<Prepared> rest;
  bool late = false;
  for (const Prepared& one : inner.rest) late = late || (!one.line && one.conjunct.clause != nullptr);
  if (late) {
    jump(Op::jumpEmpty, set, 0, inner.wantsOne ? label : done);
    body_.code.back().e = words;
  }
  for (const Prepared& one : inner.rest)
    rest.push_back(one.line ? one : prepareLine(one.conjunct, {&inner.elem}));
  const std::uint32_t again = here();
  nextOf(inner.elem.type, element.reg(), set, inner.wantsOne ? label : done);
  for (const Prepared& one : rest) preparedFails(one, miss);
  jump(inner.wantsOne ? done : label);
  bind(miss);
  jumpBack(again);
  bind(done);
}

void BodyLowering::preparedFails(const Prepared& one, Label& label) {
  if (one.inner) return anyFails(*one.inner, label);
  if (!one.line) return branchUnless({one.conjunct}, label);
  const Temps temps(*this);
  const hir::Clause& clause = *one.conjunct.clause;
  const Reg from = evalAny({clause.from, one.conjunct.env}), to = evalAny({clause.to, one.conjunct.env});
  const Reg blocked = alloc();
  emit(Op::lineBlocked, blocked, from, to, clause.splitEither ? 1 : 0, one.blockers);
  jump(Op::jumpIf, blocked, 0, label);
}

} // namespace hellwig::lowering
