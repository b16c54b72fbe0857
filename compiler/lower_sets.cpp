// SPDX-License-Identifier: Apache-2.0
// Lowering of sets, of `where`, and of what ranges over a set.
#include "compiler/lower_body.h"

#include "runtime/path_block.h"

#include <algorithm>

namespace hellwig::lowering {

using hir::Builtin;
using hir::ExprKind;
using hir::TypeKind;

namespace {

hir::Type elementType(hir::Type set) {
  set.set = false;
  return set;
}

/// Where in its registers an element has the number by which a set names it.
Reg numberOf(const hir::Type& element, Reg word) {
  return element.kind == TypeKind::path ? static_cast<Reg>(word + pathPlace) : word;
}

} // namespace

void BodyLowering::keepPaths(Ref set) {
  for (set = see(set); typeOf(set).kind == TypeKind::path;) {
    if (at(set).kind == ExprKind::paths) {
      pathLists_[at(set).type.id] = alloc(pathListWords);
      return;
    }
    if (at(set).args.empty()) return;
    set = see(arg(set, 0));
  }
}

void BodyLowering::nextOf(const hir::Type& element, Reg dst, Reg set, Label& end) {
  if (element.kind == TypeKind::path) {
    end.uses.push_back(emit(Op::next, numberOf(element, dst), set, 0, 0, context.setWords(element)));
    emit(Op::pathAt, dst, pathsOf(element), numberOf(element, dst));
    return;
  }
  const std::uint32_t at = emit(element.kind == TypeKind::integer ? Op::intNext : Op::next, dst, set, 0, 0,
                                context.setWords(element));
  end.uses.push_back(at);
}

void BodyLowering::insert(const hir::Type& element, Reg set, Reg word, bool remove) {
  emit(remove ? Op::setRemove : Op::setInsert, set, numberOf(element, word), 0, lowest(element),
       context.setWords(element));
}

void BodyLowering::has(const hir::Type& element, Reg dst, Reg set, Reg word) {
  emit(Op::setHas, dst, set, numberOf(element, word), lowest(element), context.setWords(element));
}

Reg BodyLowering::startOrder(const hir::Type& element, Reg set) {
  const Reg order = alloc();
  if (element.kind == TypeKind::counter) emit(Op::orderCounters, order, set);
  return order;
}

void BodyLowering::nextInOrder(const hir::Type& element, Reg dst, Reg set, Reg order, Label& end) {
  if (element.kind != TypeKind::counter) return nextOf(element, dst, set, end);
  end.uses.push_back(emit(Op::nextCounter, dst, set, order));
}

/// `h has F` over all hexes, from the terrain as it is printed.
bool BodyLowering::constantMembers(Ref ref, std::vector<Word>& bits) const {
  const hir::Expr& e = at(ref);
  const Column& column = context.module.columns[static_cast<std::size_t>(e.index)];
  const Board& board = context.module.board;
  bits.assign(context.domainWords(domainHexes), 0);
  const bool path = std::find(context.module.pathColumns.begin(), context.module.pathColumns.end(),
                              e.index) != context.module.pathColumns.end();
  const auto value = static_cast<unsigned>(e.value);
  for (int hex = 0; hex < board.n; ++hex) {
    bool bears = false;
    if (column.owner == Owner::hexside) {
      for (int d = 0; d < 6; ++d) {
        const auto side = static_cast<std::size_t>(board.hexsideOf[static_cast<std::size_t>(hex * 6 + d)]);
        const auto word = static_cast<std::uint64_t>(side < column.initial.size() ? column.initial[side] : 0);
        bears = bears || ((word >> value) & 1U) != 0;
      }
    } else {
      const auto at = static_cast<std::size_t>(hex);
      const auto word = static_cast<std::uint64_t>(at < column.initial.size() ? column.initial[at] : 0);
      bears = path ? ((word >> (6 * value)) & 63U) != 0 : ((word >> value) & 1U) != 0;
    }
    if (bears) {
      Word& out = bits[static_cast<std::size_t>(hex / 64)];
      out = static_cast<Word>(static_cast<std::uint64_t>(out) | (std::uint64_t{1} << (hex % 64)));
    }
  }
  return true;
}

bool BodyLowering::singleOf(Ref ref, Ref& thing) const {
  ref = resolve(ref);
  if (at(ref).kind == ExprKind::single) {
    thing = arg(ref, 0);
    return !typeOf(thing).optional;
  }
  // The hexes that one counter covers are its hex, as long as no counter covers several.
  return false;
}

Reg BodyLowering::routeArguments(Ref reach) {
  const hir::Route& route = context.hir.routes[static_cast<std::size_t>(at(reach).index)];
  std::vector<Ref> args;
  for (std::size_t i = 0; i < route.scope.parameters; ++i) args.push_back(arg(reach, i));
  return window(args, 0);
}

void BodyLowering::evalSet(Ref ref, Reg dst) {
  ref = resolve(ref);
  const hir::Expr& e = at(ref);
  const AtPlace line(*this, e.place);
  const Temps temps(*this);
  const hir::Type element = elementType(e.type);
  const std::uint16_t words = context.words(e.type);
  Label empty, end;
  bool guarded = false;
  const auto word = [&](std::size_t i) { // an operand that is none makes the set empty
    const Reg reg = evalAny(arg(ref, i));
    if (typeOf(arg(ref, i)).optional) {
      guarded = true;
      jump(Op::jumpNone, reg, 0, empty);
    }
    return reg;
  };
  const auto both = [&](Op op) {
    eval(arg(ref, 0), dst);
    const Reg other = evalAny(arg(ref, 1));
    emit(op, dst, dst, other, 0, words);
  };
  Ref thing;
  switch (e.kind) {
  case ExprKind::emptySet: emit(Op::setClear, dst, 0, 0, 0, words); break;
  case ExprKind::global: emit(Op::getGlobalSet, dst, 0, 0, e.index, words); break;
  case ExprKind::column: emit(Op::getSet, dst, word(0), 0, e.index, words); break;
  case ExprKind::single: {
    const Reg one = evalAny(arg(ref, 0));
    if (element.kind == TypeKind::hex) {
      emit(Op::hexSet, dst, one);
    } else {
      emit(Op::setClear, dst, 0, 0, 0, words);
      insert(element, dst, one);
    }
    break;
  }
  case ExprKind::kindSet: emit(Op::counters, dst, 0, 0, e.index); break;
  case ExprKind::kindEver: emit(Op::countersEver, dst, 0, 0, e.index); break;
  case ExprKind::sideCounters: emit(Op::countersOf, dst, word(0), 0, e.index); break;
  case ExprKind::allOf: emit(Op::setFull, dst, 0, 0, context.domainOf(element), words); break;
  case ExprKind::constantSet: {
    std::vector<Word> bits(words, 0);
    for (const Word member : e.members) {
      const auto bit = static_cast<std::uint64_t>(member - lowest(element));
      if (bit / 64 < words)
        bits[bit / 64] =
            static_cast<Word>(static_cast<std::uint64_t>(bits[bit / 64]) | (std::uint64_t{1} << (bit % 64)));
    }
    emit(Op::setConst, dst, 0, 0, context.constants(bits), words);
    break;
  }
  case ExprKind::list:
    emit(Op::setClear, dst, 0, 0, 0, words);
    for (std::size_t i = 0; i < e.args.size(); ++i) {
      const Temps inner(*this);
      insert(element, dst, evalAny(arg(ref, i)));
    }
    break;
  case ExprKind::range: {
    const Reg low = word(0), high = word(1);
    emit(Op::setRange, dst, low, high, lowest(element), words);
    break;
  }
  case ExprKind::ofSide: {
    const Reg side = word(1);
    const Reg from = evalAny(arg(ref, 0));
    emit(Op::ofSide, dst, from, side);
    break;
  }
  case ExprKind::fieldIs: {
    const Reg value = word(1);
    const Reg from = evalAny(arg(ref, 0));
    emit(Op::fieldIs, dst, from, value, e.index, words);
    break;
  }
  case ExprKind::atHexes: {
    if (singleOf(arg(ref, 1), thing)) {
      const Reg from = evalAny(arg(ref, 0)), hex = evalAny(thing);
      emit(Op::atHex, dst, from, hex);
    } else {
      const Reg from = evalAny(arg(ref, 0)), hexes = evalAny(arg(ref, 1));
      emit(Op::atHexes, dst, from, hexes);
    }
    break;
  }
  case ExprKind::atBox: {
    const Reg box = word(1);
    const Ref from = resolve(arg(ref, 0));
    if (at(from).kind == ExprKind::kindEver) {
      emit(Op::atBox, dst, box, 0, at(from).index);
    } else {
      const Reg set = evalAny(from);
      emit(Op::atBox, dst, box, 0, element.id);
      emit(Op::setAnd, dst, dst, set, 0, words);
    }
    break;
  }
  case ExprKind::hexesOfCounters: {
    // One counter has a hex, or none.
    const Ref from = resolve(arg(ref, 0));
    if (at(from).kind == ExprKind::single && !typeOf(arg(from, 0)).optional && !context.options.plainSets) {
      const Reg counter = evalAny(arg(from, 0)), there = alloc();
      emit(Op::onMap, there, counter);
      jump(Op::jumpUnless, there, 0, empty);
      guarded = true;
      if (mayBeWide(typeOf(arg(from, 0)).id)) {
        emit(Op::footprint, dst, counter);
        break;
      }
      emit(Op::hexOf, there, counter);
      emit(Op::hexSet, dst, there);
      break;
    }
    emit(Op::hexesOf, dst, evalAny(from));
    break;
  }
  case ExprKind::hexesOfArea: {
    const hir::Type areas = typeOf(arg(ref, 0));
    if (!areas.set) {
      emit(Op::areaHexes, dst, word(0));
      break;
    }
    const hir::Type area = elementType(areas);
    const Reg left = alloc(context.setWords(area)), one = alloc(), hexes = alloc(words);
    eval(arg(ref, 0), left);
    emit(Op::setClear, dst, 0, 0, 0, words);
    Label done;
    const std::uint32_t again = here();
    nextOf(area, one, left, done);
    emit(Op::areaHexes, hexes, one);
    emit(Op::setOr, dst, dst, hexes, 0, words);
    jumpBack(again);
    bind(done);
    break;
  }
  case ExprKind::beyond: emit(Op::beyond, dst, evalAny(arg(ref, 0)), e.op); break;
  case ExprKind::footprint:
  case ExprKind::aspectHexes: evalFootprint(ref, dst); break;
  case ExprKind::terrainValues: {
    const Reg first = word(0);
    switch (static_cast<hir::TerrainPlace>(e.op)) {
    case hir::TerrainPlace::hexside: emit(Op::hexsideValues, dst, first, 0, e.index, words); break;
    case hir::TerrainPlace::path: emit(Op::pathValues, dst, first, word(1), e.index, words); break;
    case hir::TerrainPlace::feature: emit(Op::hexValues, dst, first, 0, e.index, words); break;
    case hir::TerrainPlace::through: emit(Op::hexValues, dst, first, 1, e.index, words); break;
    }
    break;
  }
  case ExprKind::adjacentHexes: {
    const Ref centre = resolve(arg(ref, 0));
    const Ref counters = at(centre).kind == ExprKind::hexesOfCounters ? resolve(arg(centre, 0)) : Ref{};
    if (singleOf(centre, thing)) {
      emit(Op::neighbours, dst, evalAny(thing));
    } else if (counters && singleOf(counters, thing) && !context.options.plainSets &&
               !mayBeWide(typeOf(thing).id)) {
      const Reg counter = evalAny(thing), there = alloc();
      emit(Op::onMap, there, counter);
      jump(Op::jumpUnless, there, 0, empty);
      guarded = true;
      emit(Op::hexOf, there, counter);
      emit(Op::neighbours, dst, there);
    } else {
      emit(Op::adjacentTo, dst, evalAny(centre));
    }
    break;
  }
  case ExprKind::withinHexes: {
    const Reg radius = word(1);
    if (singleOf(arg(ref, 0), thing))
      emit(Op::withinHex, dst, evalAny(thing), radius);
    else
      emit(Op::within, dst, evalAny(arg(ref, 0)), radius);
    break;
  }
  case ExprKind::unite: both(Op::setOr); break;
  case ExprKind::except_: both(Op::setAndNot); break;
  case ExprKind::intersect: both(Op::setAnd); break;
  case ExprKind::where: filteredSet(ref, dst); break;
  case ExprKind::reach: emit(Op::reach, dst, 0, routeArguments(ref), e.index); break;
  case ExprKind::paths: {
    if (pathLists_.count(e.type.id) == 0) pathLists_[e.type.id] = alloc(pathListWords);
    const Reg list = pathLists_[e.type.id];
    emit(Op::paths, list, 0, routeArguments(ref), e.index);
    const Reg zero = wordReg(0), last = alloc();
    emit(Op::pathCount, last, list);
    emit(Op::addImm, last, last, 0, -1);
    emit(Op::setRange, dst, zero, last, 0, words);
    break;
  }
  case ExprKind::pathField: emit(Op::pathHexes, dst, word(0)); break;
  case ExprKind::zoneOfSide: emit(Op::zoneOfSide, dst, word(0), 0, e.index); break;
  case ExprKind::zoneOfCounters: emit(Op::zoneOfCounters, dst, evalAny(arg(ref, 0)), 0, e.index); break;
  case ExprKind::zoneOwners: emit(Op::zoneOwners, dst, word(0), 0, e.index); break;
  case ExprKind::tableCall: evalTable(ref, dst); break;
  case ExprKind::builtin:
    switch (static_cast<Builtin>(e.op)) {
    case Builtin::edge: {
      Word direction = 0, sheet = -1;
      isConstant(arg(ref, 0), &direction);
      if (const std::optional<Ref> second = argIf(ref, 1)) isConstant(*second, &sheet);
      emit(Op::edgeHexes, dst, direction, 0, sheet);
      break;
    }
    case Builtin::rows:
    case Builtin::columns: {
      const Reg low = word(0);
      const Reg high = word(1);
      Word sheet = -1;
      isConstant(arg(ref, 2), &sheet);
      emit(Op::lineHexes, dst, low, high, static_cast<Builtin>(e.op) == Builtin::rows ? 0 : 1, sheet + 1);
      break;
    }
    case Builtin::hexsidesOf: emit(Op::hexsidesOf, dst, word(0)); break;
    case Builtin::hexesOfHexside: {
      const hir::Type hexside = elementType(typeOf(arg(ref, 0)));
      if (typeOf(arg(ref, 0)).set) {
        emit(Op::hexesOfSides, dst, evalAny(arg(ref, 0)));
      } else {
        const Reg side = word(0), sides = alloc(context.setWords(hexside));
        emit(Op::setClear, sides, 0, 0, 0, context.setWords(hexside));
        insert(hexside, sides, side);
        emit(Op::hexesOfSides, dst, sides);
      }
      break;
    }
    default: emit(Op::setClear, dst, 0, 0, 0, words); break;
    }
    break;
  default: emit(Op::setClear, dst, 0, 0, 0, words); break;
  }
  if (guarded) {
    jump(end);
    bind(empty);
    emit(Op::setClear, dst, 0, 0, 0, words);
    bind(end);
  }
}

// ---- where

Elem BodyLowering::elementOf(Ref ref) const {
  return {ref.env, at(ref).local, elementType(typeOf(arg(ref, 0))), false};
}

/// The side to which all counters of a set belong, if the set says so.
Ref BodyLowering::sideOfSet(Ref ref) {
  for (;;) {
    ref = see(ref);
    Ref side;
    switch (at(ref).kind) {
    case ExprKind::sideCounters: side = arg(ref, 0); break;
    case ExprKind::ofSide: side = arg(ref, 1); break;
    case ExprKind::where:
    case ExprKind::atHexes:
    case ExprKind::atBox:
    case ExprKind::fieldIs:
    case ExprKind::intersect:
    case ExprKind::except_: ref = arg(ref, 0); continue;
    default: return {};
    }
    return typeOf(side).optional ? Ref{} : side;
  }
}

/// Where all elements of a set are of one side, that is computed once, in registers that stay taken.
void BodyLowering::learnSides(Ref set, const Elem& elem, const std::vector<Conjunct>& all) {
  if (elem.type.kind != TypeKind::counter || context.options.plainSets) return;
  bool asks = false;
  for (const Conjunct& one : all) asks = asks || (one.ref && (mentions(one.ref, elem) & bySide) != 0);
  const Ref side = asks ? sideOfSet(set) : Ref{};
  if (!side) return;
  const Reg own = alloc(), enemy = alloc();
  eval(side, own);
  emit(Op::enemyOf, enemy, own);
  sideFacts_.push_back({elem.env, elem.local, own, enemy});
}

void BodyLowering::filter(Reg set, const Elem& elem, const std::vector<Conjunct>& all, Ref from) {
  if (all.empty()) return;
  const Temps temps(*this);
  const std::size_t facts = sideFacts_.size();
  if (from) learnSides(from, elem, all);
  std::vector<Conjunct> rest;
  Label empty, end;
  for (const Conjunct& one : all) {
    if (isFree(one, elem))
      branch(one.ref, one.negate,
             empty); // the same for all elements: nothing further is computed if it fails
    else if (!refine(elem, one, set, false))
      rest.push_back(one);
  }
  if (!rest.empty()) loopFilter(set, elem, rest);
  sideFacts_.resize(facts);
  if (empty.uses.empty()) return;
  jump(end);
  bind(empty);
  emit(Op::setClear, set, 0, 0, 0, context.setWords(elem.type));
  bind(end);
}

bool BodyLowering::isFree(const Conjunct& one, const Elem& elem) {
  return !context.options.plainSets && one.clause == nullptr && mentions(one.ref, elem) == 0;
}

void BodyLowering::loopFilter(Reg set, const Elem& elem, const std::vector<Conjunct>& rest) {
  const Temps temps(*this);
  const std::uint16_t words = context.setWords(elem.type);
  const ElementScope element(*this, elem);
  const std::size_t facts = sideFacts_.size();
  const std::vector<Prepared> prepared = prepare(rest, elem);
  for (const Prepared& one : prepared) keepNear(one, elem, set);
  const Reg work = alloc(words);
  setCopy(work, set, words);
  Label end, drop;
  const std::uint32_t again = here();
  nextOf(elem.type, element.reg(), work, end);
  for (const Prepared& one : prepared) preparedFails(one, drop);
  jumpBack(again);
  bind(drop);
  insert(elem.type, set, element.reg(), true);
  jumpBack(again);
  bind(end);
  sideFacts_.resize(facts);
}

void BodyLowering::filteredSet(Ref ref, Reg dst) {
  eval(arg(ref, 0), dst);
  const std::optional<Ref> condition = argIf(ref, 1);
  if (!condition) return;
  const Temps temps(*this);
  const Elem elem = elementOf(ref);
  std::vector<Conjunct> all;
  split(*condition, false, all, &elem);
  filter(dst, elem, all, arg(ref, 0));
}

// ---- Quantifiers

BodyLowering::Ranged BodyLowering::ranged(Ref ref, bool negate) {
  Ranged out{arg(ref, 0), elementOf(ref), {}};
  std::optional<Ref> condition = argIf(ref, 1);
  if (!condition && !negate) {
    // `any v` where v is a set with a `where` of its own: that one may end at the first element, too.
    const Ref set = see(out.set);
    if (at(set).kind == ExprKind::where && !context.options.plainSets) {
      out.set = arg(set, 0);
      out.elem = elementOf(set);
      condition = argIf(set, 1);
    }
  }
  if (condition) split(*condition, negate, out.conjuncts, &out.elem);
  return out;
}

bool BodyLowering::routeQuantifier(Ref ref, Reg dst) {
  const Ref reach = see(arg(ref, 0));
  const bool paths = at(reach).kind == ExprKind::paths; // there is a path where there is an end
  if (at(reach).kind != ExprKind::reach && !paths) return false;
  const bool all = at(ref).kind == ExprKind::all;
  const std::optional<Ref> condition = argIf(ref, 1);
  if (!condition) {
    if (all) return false;
    emit(Op::anyReach, dst, 0, routeArguments(reach), at(reach).index);
    return true;
  }
  if (context.options.plainSets || paths) return false;
  const Snapshot before = snapshot();
  const Elem elem = elementOf(ref);
  std::vector<Conjunct> conjuncts;
  split(*condition, all, conjuncts, &elem);
  const std::uint16_t words = context.domainWords(domainHexes);
  const Reg goals = alloc(words);
  for (std::size_t i = 0; i < conjuncts.size(); ++i) {
    if (refine(elem, conjuncts[i], goals, i == 0)) continue;
    rollBack(before);
    return false;
  }
  emit(Op::anyReachIn, dst, goals, routeArguments(reach), at(reach).index);
  return true;
}

void BodyLowering::branchQuantifier(Ref ref, bool sense, Label& label) {
  const hir::Expr& e = at(ref);
  const Temps temps(*this);
  const bool all = e.kind == ExprKind::all;
  const bool found = (e.kind == ExprKind::any) == sense; // jump to the label when an element is found?
  {
    const Reg truth = alloc();
    if (routeQuantifier(ref, truth)) {
      jump(found ? Op::jumpIf : Op::jumpUnless, truth, 0, label);
      return;
    }
  }
  const Ranged range = ranged(ref, all);
  keepPaths(range.set);
  if (all && range.conjuncts.empty()) { // `all S` without a condition: every element satisfies it
    if (sense) jump(label);
    return;
  }
  const std::uint16_t words = context.setWords(range.elem.type);
  if (range.conjuncts.empty()) {
    const Ref set = see(range.set);
    Ref hex;
    if (at(set).kind == ExprKind::atHexes && singleOf(arg(set, 1), hex)) {
      const Reg from = evalAny(arg(set, 0)), at = evalAny(hex), truth = alloc();
      emit(Op::anyAtHex, truth, from, at);
      jump(found ? Op::jumpIf : Op::jumpUnless, truth, 0, label);
      return;
    }
    const Reg members = evalAny(range.set);
    label.uses.push_back(emit(found ? Op::jumpAny : Op::jumpEmpty, members, 0, 0, 0, words));
    return;
  }
  Label end;
  const Reg set = alloc(words);
  for (const Conjunct& one : range.conjuncts)
    if (isFree(one, range.elem)) branch(one.ref, one.negate, found ? end : label);
  eval(range.set, set);
  const std::size_t facts = sideFacts_.size();
  learnSides(range.set, range.elem, range.conjuncts);
  std::vector<Conjunct> rest;
  for (const Conjunct& one : range.conjuncts)
    if (!isFree(one, range.elem) && !refine(range.elem, one, set, false)) rest.push_back(one);
  if (rest.empty()) {
    label.uses.push_back(emit(found ? Op::jumpAny : Op::jumpEmpty, set, 0, 0, 0, words));
  } else {
    Label miss;
    const ElementScope element(*this, range.elem);
    // With nothing to loop over, what the loop would need is not computed.
    jump(Op::jumpEmpty, set, 0, found ? end : label);
    body_.code.back().e = words;
    const std::vector<Prepared> prepared = prepare(rest, range.elem);
    for (const Prepared& one : prepared) keepNear(one, range.elem, set);
    const std::uint32_t again = here();
    nextOf(range.elem.type, element.reg(), set, found ? end : label);
    for (const Prepared& one : prepared) preparedFails(one, miss);
    jump(found ? label : end);
    bind(miss);
    jumpBack(again);
  }
  bind(end);
  sideFacts_.resize(facts);
}

void BodyLowering::evalQuantified(Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  const hir::Type element = elementType(typeOf(arg(ref, 0)));
  const std::uint16_t words = context.setWords(element);
  const std::optional<Ref> figureRef = argIf(ref, 2);
  const bool paths = element.kind == TypeKind::path;
  keepPaths(arg(ref, 0));
  Reg set = 0;
  if (e.kind == ExprKind::count && !argIf(ref, 1)) {
    set = evalAny(arg(ref, 0));
  } else {
    set = alloc(words);
    filteredSet(ref, set);
  }
  if (e.kind == ExprKind::count) {
    emit(Op::setCount, dst, set, 0, 0, words);
    return;
  }
  if (e.kind == ExprKind::first && !figureRef) {
    if (paths) {
      Label nothing;
      const Reg number = alloc();
      emit(Op::setLowest, number, set, 0, 0, words);
      emit(Op::loadNone, dst);
      jump(Op::jumpNone, number, 0, nothing);
      emit(Op::pathAt, dst, pathsOf(element), number);
      bind(nothing);
      return;
    }
    if (element.kind != TypeKind::counter) {
      emit(Op::setLowest, dst, set, 0, lowest(element), words);
      return;
    }
    Label end;
    const Reg order = startOrder(element, set);
    emit(Op::loadNone, dst);
    nextInOrder(element, dst, set, order, end);
    bind(end);
    return;
  }
  const Elem elem{ref.env, e.local, element, false};
  const ElementScope it(*this, elem);
  const hir::Type type = typeOf(*figureRef);
  const bool fractions = type.kind == TypeKind::fraction;
  const bool byOrder = e.kind == ExprKind::first;
  const bool odds = type.kind == TypeKind::odds;
  const bool least = e.kind == ExprKind::least || (byOrder && e.op == 0);
  const Reg order = byOrder ? startOrder(element, set) : Reg{0};
  const Reg best = byOrder ? alloc() : dst;
  Label end, nothing;
  const Reg total = alloc();
  if (e.kind == ExprKind::sum)
    loadWord(total, fractions ? packRatio(0, 1) : 0);
  else
    emit(Op::loadNone, total);
  if (byOrder) emit(Op::loadNone, best);
  const std::uint32_t again = here();
  if (byOrder)
    nextInOrder(element, it.reg(), set, order, end);
  else
    nextOf(element, it.reg(), set, end);
  {
    const Temps temps(*this);
    const Reg figure = evalAny(*figureRef);
    if (type.optional) jump(Op::jumpNone, figure, 0, nothing);
    if (e.kind == ExprKind::sum) {
      emit(fractions ? Op::fadd : Op::add, total, total, figure);
    } else {
      Label take, keep;
      jump(Op::jumpNone, total, 0, take);
      if (fractions || odds) {
        const Reg better = alloc();
        emit(fractions ? Op::flt : Op::olt, better, least ? figure : total, least ? total : figure);
        jump(Op::jumpUnless, better, 0, keep);
      } else {
        jump(Op::jumpGe, least ? figure : total, least ? total : figure, keep);
      }
      bind(take);
      setCopy(total, figure, 1);
      if (byOrder) setCopy(best, numberOf(element, it.reg()), 1);
      bind(keep);
    }
  }
  jumpBack(again);
  if (type.optional) {
    bind(nothing);
    if (byOrder)
      jumpBack(again); // who has no figure is never the first by it
    else
      emit(Op::loadNone, total);
  }
  bind(end);
  if (byOrder && paths) {
    Label missing;
    emit(Op::loadNone, dst);
    jump(Op::jumpNone, best, 0, missing);
    emit(Op::pathAt, dst, pathsOf(element), best);
    bind(missing);
    return;
  }
  setCopy(dst, byOrder ? best : total, 1);
}

} // namespace hellwig::lowering
