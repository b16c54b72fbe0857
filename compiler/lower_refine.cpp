// SPDX-License-Identifier: Apache-2.0
// Conditions on an element as operations on sets of elements: planes, membership, places, sets computed at
// load.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::Builtin;
using hir::ExprKind;
using hir::Field;
using hir::TypeKind;

bool BodyLowering::isElement(Ref ref, const Elem& elem) const {
  ref = resolve(ref);
  if (!elem.viaHex) return isLocal(ref, elem.env, elem.local);
  return at(ref).kind == ExprKind::field && static_cast<Field>(at(ref).op) == Field::hex &&
         isLocal(arg(ref, 0), elem.env, elem.local);
}

unsigned BodyLowering::mentions(Ref ref, const Elem& elem) {
  const Ref given = resolve(ref);
  ref = see(ref);
  if (ref.id != given.id || ref.env != given.env) {
    // A value may ignore an element that it is handed; a call of it reads that element all the same.
    unsigned out = mentions(ref, elem);
    for (std::size_t i = 0; out == 0 && i < at(given).args.size(); ++i)
      if (at(given).args[i] >= 0 && mentions(arg(given, i), elem) != 0) out = byRaw;
    return out;
  }
  if (isElement(ref, elem)) return byElement;
  const hir::Expr& e = at(ref);
  if (e.kind == ExprKind::local) return isLocal(ref, elem.env, elem.local) ? byRaw : 0;
  if (e.kind == ExprKind::field && isLocal(arg(ref, 0), elem.env, elem.local)) {
    const auto field = static_cast<Field>(e.op);
    if (field == Field::side || field == Field::enemyOfCounter) {
      if (sideFact(arg(ref, 0)) != nullptr) return 0;
      return bySide | (elem.viaHex ? byRaw : byElement);
    }
  }
  unsigned out = 0;
  for (std::size_t i = 0; i < e.args.size(); ++i)
    if (e.args[i] >= 0) out |= mentions(arg(ref, i), elem);
  return out;
}

// ---- Conjuncts

bool BodyLowering::inlinable(const hir::Permission& permission) const {
  const auto forbids = [](const auto& self, const std::vector<hir::Clause>& list) -> bool {
    for (const hir::Clause& clause : list)
      if (clause.kind == hir::ClauseKind::allow || !self(self, clause.inner)) return false;
    return true;
  };
  return forbids(forbids, permission.clauses);
}

void BodyLowering::split(Ref ref, bool negate, std::vector<Conjunct>& out, const Elem* elem) {
  ref = resolve(ref);
  switch (at(ref).kind) {
  case ExprKind::and_:
  case ExprKind::or_:
    if ((at(ref).kind == ExprKind::and_) != negate) {
      split(arg(ref, 0), negate, out, elem);
      split(arg(ref, 1), negate, out, elem);
      return;
    }
    break;
  case ExprKind::not_:
    if (!typeOf(arg(ref, 0)).optional) {
      split(arg(ref, 0), !negate, out, elem);
      return;
    }
    break;
  case ExprKind::can: {
    const hir::Permission& permission = context.hir.permissions[static_cast<std::size_t>(at(ref).index)];
    if (negate || elem == nullptr || context.options.plainSets || !inlinable(permission)) break;
    Env* env = inlineEnv(ref, permission.scope);
    for (const hir::Clause& clause : permission.clauses) {
      if (clause.kind == hir::ClauseKind::forbid && clause.when >= 0)
        split({clause.when, env}, true, out, elem);
      else
        out.push_back({{}, false, &clause, env});
    }
    return;
  }
  case ExprKind::call: {
    if (elem == nullptr) break;
    const Ref inner = see(ref);
    if (inner.id == ref.id) break;
    split(inner, negate, out, elem);
    return;
  }
  default: break;
  }
  out.push_back({ref, negate, nullptr, nullptr});
}

bool BodyLowering::refine(const Elem& elem, const Conjunct& one, Reg set, bool full) {
  if (context.options.plainSets || elem.type.kind == TypeKind::path) return false;
  const Snapshot before = snapshot();
  bool done = false;
  if (one.clause != nullptr)
    done = refineClause(elem, *one.clause, one.env, false, set, full);
  else
    done = refineRef(elem, one.ref, one.negate, set, full);
  if (!done) rollBack(before);
  release(before.top);
  return done;
}

/// The elements for which a clause does not forbid.
bool BodyLowering::refineClause(const Elem& elem, const hir::Clause& clause, Env* env, bool negate, Reg set,
                                bool full) {
  const std::uint16_t words = context.setWords(elem.type);
  if (clause.kind == hir::ClauseKind::forbid) {
    if (clause.when >= 0) return refineRef(elem, {clause.when, env}, !negate, set, full);
    if (!negate)
      emit(Op::setClear, set, 0, 0, 0, words);
    else if (full)
      emit(Op::setFull, set, 0, 0, context.domainOf(elem.type), words);
    return true;
  }
  // A line or a loop is a condition of its own; as a set only if it is the same for all elements.
  const auto mentioned = [&](const auto& self, const hir::Clause& c) -> bool {
    for (const hir::ExprId id : {c.when, c.set, c.from, c.to})
      if (id >= 0 && mentions({id, env}, elem) != 0) return true;
    for (const hir::Clause& inner : c.inner)
      if (self(self, inner)) return true;
    return false;
  };
  if (negate || clause.kind == hir::ClauseKind::allow || mentioned(mentioned, clause)) return false;
  Label forbidden, end;
  if (full) emit(Op::setFull, set, 0, 0, context.domainOf(elem.type), words);
  clauses({clause}, env, Verdict{false, 0, 1, 0, &forbidden, nullptr});
  jump(end);
  bind(forbidden);
  emit(Op::setClear, set, 0, 0, 0, words);
  bind(end);
  return true;
}

bool BodyLowering::refineRef(const Elem& elem, Ref ref, bool negate, Reg set, bool full) {
  const Temps temps(*this);
  return refineNow(elem, ref, negate, set, full);
}

void BodyLowering::broadcast(const Elem& elem, Ref ref, bool negate, Reg set, bool full) {
  const std::uint16_t words = context.setWords(elem.type);
  Label no, end;
  if (full) {
    branch(ref, negate, no);
    emit(Op::setFull, set, 0, 0, context.domainOf(elem.type), words);
    jump(end);
    bind(no);
  } else {
    branch(ref, !negate, end);
  }
  emit(Op::setClear, set, 0, 0, 0, words);
  bind(end);
}

bool BodyLowering::refineNow(const Elem& elem, Ref written, bool negate, Reg set, bool full) {
  const Ref ref = see(written);
  const hir::Expr& e = at(ref);
  const AtPlace line(*this, e.place);
  const std::uint16_t words = context.setWords(elem.type);
  const unsigned how = mentions(ref, elem);
  if (how == 0) {
    broadcast(elem, ref, negate, set, full);
    return true;
  }
  const auto either = [&](Ref a, bool negateA, Ref b, bool negateB) {
    const Reg other = alloc(words);
    if (!full) setCopy(other, set, words);
    if (!refineRef(elem, a, negateA, other, full) || !refineRef(elem, b, negateB, set, full)) return false;
    emit(Op::setOr, set, set, other, 0, words);
    return true;
  };
  switch (e.kind) {
  case ExprKind::not_:
    if (typeOf(arg(ref, 0)).optional) return false;
    return refineRef(elem, arg(ref, 0), !negate, set, full);
  case ExprKind::and_:
  case ExprKind::or_:
    if ((e.kind == ExprKind::and_) == negate) return either(arg(ref, 0), negate, arg(ref, 1), negate);
    {
      // What is the same for all elements empties the set in the end, rather than filling it to begin with.
      const std::size_t first = full && mentions(arg(ref, 0), elem) == 0 ? 1 : 0;
      return refineRef(elem, arg(ref, first), negate, set, full) &&
             refineRef(elem, arg(ref, 1 - first), negate, set, false);
    }
  case ExprKind::if_: {
    const Reg other = alloc(words);
    if (!full) setCopy(other, set, words);
    if (!refineRef(elem, arg(ref, 0), false, other, full) ||
        !refineRef(elem, arg(ref, 1), negate, other, false) ||
        !refineRef(elem, arg(ref, 0), true, set, full) || !refineRef(elem, arg(ref, 2), negate, set, false))
      return false;
    emit(Op::setOr, set, set, other, 0, words);
    return true;
  }
  case ExprKind::can: {
    const hir::Permission& permission = context.hir.permissions[static_cast<std::size_t>(e.index)];
    if (!inlinable(permission)) return false;
    Env* env = inlineEnv(ref, permission.scope);
    if (negate) { // those that some clause forbids
      const Reg allowed = alloc(words);
      bool all = full;
      if (!full) setCopy(allowed, set, words);
      for (const hir::Clause& clause : permission.clauses) {
        if (!refineClause(elem, clause, env, false, allowed, all)) return false;
        all = false;
      }
      if (full && permission.clauses.empty())
        emit(Op::setFull, allowed, 0, 0, context.domainOf(elem.type), words);
      if (full)
        emit(Op::setNot, set, allowed, 0, context.domainOf(elem.type), words);
      else
        emit(Op::setAndNot, set, set, allowed, 0, words);
      return true;
    }
    bool all = full;
    for (const hir::Clause& clause : permission.clauses) {
      if (!refineClause(elem, clause, env, false, set, all)) return false;
      all = false;
    }
    if (all) emit(Op::setFull, set, 0, 0, context.domainOf(elem.type), words);
    return true;
  }
  case ExprKind::notEqual:
  case ExprKind::none_: negate = !negate; break; // the leaf below is that of `equal`, `any`
  case ExprKind::all: return false;
  default: break;
  }
  if (negate && e.type.optional) return false;

  const auto combine = [&](Reg leaf, bool inverted) {
    if (!inverted) {
      if (full)
        setCopy(set, leaf, words);
      else
        emit(Op::setAnd, set, set, leaf, 0, words);
    } else if (full) {
      emit(Op::setNot, set, leaf, 0, context.domainOf(elem.type), words);
    } else {
      emit(Op::setAndNot, set, set, leaf, 0, words);
    }
  };
  const Snapshot before = snapshot();
  {
    const Reg leaf = full && !negate ? set : alloc(words);
    if (absolute(elem, ref, leaf)) {
      if (leaf != set) combine(leaf, negate);
      return true;
    }
    rollBack(before);
  }
  if (e.kind == ExprKind::less || e.kind == ExprKind::lessEqual) {
    const Reg leaf = alloc(words);
    bool inverted = false;
    if (absoluteDistance(elem, ref, leaf, inverted) || hexesWithCount(elem, ref, leaf, inverted)) {
      combine(leaf, inverted != negate);
      return true;
    }
    rollBack(before);
  }
  {
    const Reg leaf = full && !negate ? set : alloc(words);
    if (staticLeaf(elem, ref, leaf)) {
      if (leaf != set) combine(leaf, negate);
      return true;
    }
    rollBack(before);
  }
  if (elem.type.kind == TypeKind::counter && !elem.viaHex) {
    // A condition on the hex of the counter alone: the hexes for which it holds, then the counters there.
    hir::Type hex;
    hex.kind = TypeKind::hex;
    const Elem place{elem.env, elem.local, hex, true};
    if ((mentions(ref, place) & (byRaw | bySide)) == 0) {
      const Reg hexes = alloc(context.domainWords(domainHexes));
      if (refineRef(place, ref,
                    (e.kind == ExprKind::notEqual || e.kind == ExprKind::none_) ? !negate : negate, hexes,
                    true)) {
        if (full) emit(Op::setFull, set, 0, 0, context.domainOf(elem.type), words);
        // The hex of a counter is its lead hex.
        emit(Op::atHexes, set, set, hexes, mayBeWide(elem.type.id) ? 2 : 0);
        return true;
      }
      rollBack(before);
    }
  }
  return false;
}

// ---- Leaves: the set of all elements for which something holds. `notEqual` and `none_` count as `equal` and
// `any`.

bool BodyLowering::absolute(const Elem& elem, Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  const std::uint16_t words = context.setWords(elem.type);
  const auto planeOf = [&](Ref field, std::int32_t& column) {
    field = see(field);
    const hir::Expr& f = at(field);
    if (f.kind != ExprKind::column || !isElement(arg(field, 0), elem)) return false;
    const Column& c = context.module.columns[static_cast<std::size_t>(f.index)];
    if (c.planes == 0 || (c.owner != Owner::counter && c.owner != Owner::hex)) return false;
    if ((c.owner == Owner::counter) != (elem.type.kind == TypeKind::counter)) return false;
    column = f.index;
    return true;
  };
  const auto plane = [&](std::int32_t column, Word value, Reg out) {
    if (value < 0 || value >= context.module.columns[static_cast<std::size_t>(column)].planes)
      emit(Op::setClear, out, 0, 0, 0, words);
    else
      emit(elem.type.kind == TypeKind::counter ? Op::plane : Op::hexPlane, out, 0, value, column);
  };
  std::int32_t column = -1;
  switch (e.kind) {
  case ExprKind::column:
    if (!planeOf(ref, column) || e.type.kind != TypeKind::boolean) return false;
    plane(column, 1, dst);
    return true;
  case ExprKind::equal:
  case ExprKind::notEqual: {
    if (typeOf(arg(ref, 0)).set) return false;
    for (const std::size_t i : {0U, 1U}) {
      const Ref a = arg(ref, i), b = arg(ref, 1 - i);
      Word value = 0;
      if (planeOf(a, column) && isConstant(b, &value) && value != none) {
        plane(column, value, dst);
        return true;
      }
      if (planeOf(a, column) && !typeOf(a).optional && !typeOf(b).optional && mentions(b, elem) == 0) {
        emit(elem.type.kind == TypeKind::counter ? Op::planeOfValue : Op::hexPlaneOfValue, dst, evalAny(b), 0,
             column);
        return true;
      }
      if (isElement(a, elem) && mentions(b, elem) == 0) {
        const Reg one = evalAny(b);
        if (elem.type.kind == TypeKind::hex) {
          emit(Op::hexSet, dst, one);
        } else {
          emit(Op::setClear, dst, 0, 0, 0, words);
          insert(elem.type, dst, one);
        }
        return true;
      }
      const Ref side = see(a);
      if (at(side).kind == ExprKind::field && elem.type.kind == TypeKind::counter && !typeOf(b).optional &&
          isElement(arg(side, 0), elem) && mentions(b, elem) == 0) {
        const auto field = static_cast<Field>(at(side).op);
        if (field != Field::side && field != Field::enemyOfCounter) continue;
        Reg whose = evalAny(b);
        if (field == Field::enemyOfCounter) {
          const Reg enemy = alloc();
          emit(Op::enemyOf, enemy, whose);
          whose = enemy;
        }
        const Reg all = alloc(words);
        emit(Op::countersEver, all, 0, 0, elem.type.id);
        emit(Op::ofSide, dst, all, whose);
        return true;
      }
    }
    return false;
  }
  case ExprKind::in: {
    if (isElement(arg(ref, 0), elem)) {
      if (mentions(arg(ref, 1), elem) != 0) return false;
      eval(arg(ref, 1), dst);
      return true;
    }
    const Ref members = see(arg(ref, 1));
    if (planeOf(arg(ref, 0), column) && at(members).kind == ExprKind::constantSet) {
      emit(Op::setClear, dst, 0, 0, 0, words);
      const Reg one = alloc(words);
      for (const Word value : at(members).members) {
        plane(column, value, one);
        emit(Op::setOr, dst, dst, one, 0, words);
      }
      return true;
    }
    return false;
  }
  case ExprKind::hexHas: {
    if (elem.type.kind != TypeKind::hex || !isElement(arg(ref, 0), elem)) return false;
    std::vector<Word> bits;
    constantMembers(ref, bits);
    emit(Op::setConst, dst, 0, 0, context.constants(bits), words);
    return true;
  }
  case ExprKind::isKind:
    if (!isElement(arg(ref, 0), elem)) return false;
    emit(Op::countersEver, dst, 0, 0, e.index);
    return true;
  case ExprKind::field: {
    if (static_cast<Field>(e.op) != Field::onMap || elem.viaHex || !isElement(arg(ref, 0), elem))
      return false;
    emit(Op::counters, dst, 0, 0, elem.type.id);
    return true;
  }
  case ExprKind::any:
  case ExprKind::none_: return elem.type.kind == TypeKind::hex && hexesWithAny(elem, ref, dst);
  default: return false;
  }
}

bool BodyLowering::absoluteDistance(const Elem& elem, Ref ref, Reg dst, bool& negated) {
  if (elem.type.kind != TypeKind::hex) return false;
  const bool strict = at(ref).kind == ExprKind::less;
  for (const std::size_t i : {0U, 1U}) {
    const Ref distance = see(arg(ref, i)), limit = arg(ref, 1 - i);
    if (at(distance).kind != ExprKind::builtin ||
        static_cast<Builtin>(at(distance).op) != Builtin::distanceHexes)
      continue;
    Ref centre = arg(distance, 1);
    if (!isElement(arg(distance, 0), elem)) {
      if (!isElement(centre, elem)) continue;
      centre = arg(distance, 0);
    }
    if (mentions(centre, elem) != 0 || mentions(limit, elem) != 0 || typeOf(centre).optional ||
        typeOf(limit).optional)
      continue;
    // d < k and d <= k are balls; k < d and k <= d what lies outside of them.
    negated = i == 1;
    const bool lessByOne = strict != negated;
    const Reg hex = evalAny(centre);
    Reg radius = evalAny(limit);
    if (lessByOne) {
      const Reg smaller = alloc();
      emit(Op::addImm, smaller, radius, 0, -1);
      radius = smaller;
    }
    emit(Op::withinHex, dst, hex, radius);
    return true;
  }
  return false;
}

/// Counters of a set in which the element names the place alone: the set without that filter. `radius`:
/// within so many hexes of the element; none: at the element.
bool BodyLowering::setWithoutPlace(const Elem& elem, Ref set, Reg dst, Ref& radius) {
  set = see(set);
  const std::uint16_t words = context.domainWords(domainCounters);
  switch (at(set).kind) {
  case ExprKind::atHexes: {
    if (mentions(arg(set, 0), elem) != 0) return false;
    const Ref place = see(arg(set, 1));
    Ref centre = place;
    if (at(place).kind == ExprKind::withinHexes) {
      radius = arg(place, 1);
      if (mentions(radius, elem) != 0 || typeOf(radius).optional) return false;
      centre = see(arg(place, 0));
    }
    if (at(centre).kind != ExprKind::single || !isElement(arg(centre, 0), elem)) return false;
    eval(arg(set, 0), dst);
    return true;
  }
  case ExprKind::ofSide: {
    if (mentions(arg(set, 1), elem) != 0 || typeOf(arg(set, 1)).optional) return false;
    if (!setWithoutPlace(elem, arg(set, 0), dst, radius)) return false;
    emit(Op::ofSide, dst, dst, evalAny(arg(set, 1)));
    return true;
  }
  case ExprKind::where: {
    const std::optional<Ref> condition = argIf(set, 1);
    if (condition && mentions(*condition, elem) != 0) return false;
    if (!setWithoutPlace(elem, arg(set, 0), dst, radius)) return false;
    if (!condition) return true;
    const Elem inner = elementOf(set);
    std::vector<Conjunct> all;
    split(*condition, false, all, &inner);
    filter(dst, inner, all, arg(set, 0));
    return true;
  }
  case ExprKind::intersect:
  case ExprKind::except_: {
    if (mentions(arg(set, 1), elem) != 0) return false;
    if (!setWithoutPlace(elem, arg(set, 0), dst, radius)) return false;
    emit(at(set).kind == ExprKind::intersect ? Op::setAnd : Op::setAndNot, dst, dst, evalAny(arg(set, 1)), 0,
         words);
    return true;
  }
  default: return false;
  }
}

bool BodyLowering::placedCounters(const Elem& elem, Ref ref, Reg dst, Ref& radius) {
  const std::optional<Ref> condition = argIf(ref, 1);
  if (typeOf(arg(ref, 0)).kind != TypeKind::counter) return false;
  if (condition && mentions(*condition, elem) != 0) return false;
  if (!setWithoutPlace(elem, arg(ref, 0), dst, radius)) return false;
  if (condition) {
    const Elem inner = elementOf(ref);
    std::vector<Conjunct> all;
    split(*condition, false, all, &inner);
    filter(dst, inner, all, arg(ref, 0));
  }
  return true;
}

bool BodyLowering::hexesWithCount(const Elem& elem, Ref ref, Reg dst, bool& negated) {
  if (elem.type.kind != TypeKind::hex) return false;
  const bool strict = at(ref).kind == ExprKind::less;
  for (const std::size_t i : {0U, 1U}) {
    const Ref count = see(arg(ref, i)), limit = arg(ref, 1 - i);
    if (at(count).kind != ExprKind::count || mentions(limit, elem) != 0 || typeOf(limit).optional ||
        typeOf(limit).kind != TypeKind::integer)
      continue;
    const Reg counters = alloc(context.domainWords(domainCounters));
    Ref radius;
    if (!placedCounters(elem, count, counters, radius) || radius) continue;
    // k < n is "more than k", k <= n "at least k"; n < k and n <= k are what these leave.
    negated = i == 0;
    emit(Op::hexesHolding, dst, counters, evalAny(limit), 0, strict != negated ? 1 : 0);
    return true;
  }
  return false;
}

bool BodyLowering::hexesWithAny(const Elem& elem, Ref ref, Reg dst) {
  const Reg counters = alloc(context.domainWords(domainCounters));
  Ref radius;
  if (!placedCounters(elem, ref, counters, radius)) return false;
  if (!radius) {
    emit(Op::hexesOf, dst, counters);
    return true;
  }
  const Reg hexes = alloc(context.domainWords(domainHexes));
  emit(Op::hexesOf, hexes, counters);
  emit(Op::within, dst, hexes, evalAny(radius));
  return true;
}

// ---- What never changes

bool BodyLowering::isStatic(Ref ref, const Elem& elem, const Elem* other) {
  ref = see(ref);
  if (isElement(ref, elem) || (other != nullptr && isElement(ref, *other))) return true;
  const hir::Expr& e = at(ref);
  const auto index = static_cast<std::size_t>(e.index);
  switch (e.kind) {
  case ExprKind::constant:
  case ExprKind::emptySet:
  case ExprKind::constantSet:
  case ExprKind::tableCall:
  case ExprKind::builtin:
  case ExprKind::negate:
  case ExprKind::not_:
  case ExprKind::add:
  case ExprKind::subtract:
  case ExprKind::multiply:
  case ExprKind::divide:
  case ExprKind::modulo:
  case ExprKind::and_:
  case ExprKind::or_:
  case ExprKind::smaller:
  case ExprKind::larger:
  case ExprKind::round:
  case ExprKind::toFraction:
  case ExprKind::otherwise:
  case ExprKind::if_:
  case ExprKind::less:
  case ExprKind::lessEqual:
  case ExprKind::equal:
  case ExprKind::notEqual:
  case ExprKind::isNone:
  case ExprKind::isKind:
  case ExprKind::in:
  case ExprKind::hexHas:
  case ExprKind::sideHas:
  case ExprKind::between:
  case ExprKind::hexesOfArea:
  case ExprKind::adjacentHexes:
  case ExprKind::withinHexes:
  case ExprKind::single: break;
  case ExprKind::column:
    if (!context.module.columns[index].constant) return false;
    break;
  case ExprKind::field: {
    const auto field = static_cast<Field>(e.op);
    if (field != Field::side && field != Field::enemyOfCounter && field != Field::enemyOfSide) return false;
    if (sideFact(arg(ref, 0)) != nullptr) return false;
    break;
  }
  case ExprKind::call: {
    const Reads& reads = context.effects.value(index);
    for (const bool column : reads.columns)
      if (column) return false;
    for (const bool global : reads.globals)
      if (global) return false;
    if (reads.places || reads.otherThings) return false;
    break;
  }
  default: return false;
  }
  for (std::size_t i = 0; i < e.args.size(); ++i)
    if (e.args[i] >= 0 && !isStatic(arg(ref, i), elem, other)) return false;
  return true;
}

bool BodyLowering::staticLeaf(const Elem& elem, Ref ref, Reg dst) {
  if (elem.type.kind == TypeKind::integer || !isStatic(ref, elem)) return false;
  const hir::Expr& e = at(ref);
  BodyLowering body(context, "set known from the start", BodyKind::pure, e.place);
  Binding& binding = elem.env->locals[static_cast<std::size_t>(elem.local)];
  const Binding saved = binding;
  const Reg element = body.alloc();
  body.body_.parameters = 1;
  body.body_.parameterTypes.push_back(context.valueType(elem.type));
  if (elem.viaHex) {
    body.aliasHex({elem.local, elem.env}, element);
  } else {
    binding = Binding{};
    binding.reg = element;
    binding.bound = true;
  }
  Label no;
  // The leaf of `notEqual` is that of `equal`: which of them is meant, the caller knows.
  if (e.kind == ExprKind::notEqual)
    body.branch(ref, true, no);
  else
    body.branch(ref, false, no);
  body.retImm(1);
  body.bind(no);
  body.retImm(0);
  binding = saved;
  Body made = body.finish(1);

  const std::uint16_t domain = context.domainOf(elem.type), words = context.setWords(elem.type);
  const auto same = [&](const Body& other) {
    if (other.code.size() != made.code.size()) return false;
    for (std::size_t i = 0; i < made.code.size(); ++i) {
      const Instruction &a = made.code[i], &b = other.code[i];
      if (a.op != b.op || a.a != b.a || a.b != b.b || a.c != b.c || a.d != b.d || a.e != b.e) return false;
    }
    return true;
  };
  std::vector<Module::StaticSet>& sets = context.module.staticSets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].domain != domain || !same(context.module.bodies[sets[i].body])) continue;
    emit(Op::staticSet, dst, 0, 0, static_cast<std::int32_t>(i), words);
    return true;
  }
  const std::uint32_t index = context.reserveBody();
  context.module.bodies[index] = std::move(made);
  sets.push_back({domain, index});
  emit(Op::staticSet, dst, 0, 0, static_cast<std::int32_t>(sets.size() - 1), words);
  return true;
}

} // namespace hellwig::lowering
