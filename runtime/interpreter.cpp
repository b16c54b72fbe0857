// SPDX-License-Identifier: Apache-2.0
// The loop that runs instructions. Short ones are here, longer ones in operations.cpp and the files named
// there.
#include "runtime/fuse.h"
#include "runtime/hex_geometry.h"
#include "runtime/machine_core.h"

#include <algorithm>
#include <bit>

#if defined(__GNUC__)
#define HELLWIG_COMPUTED_GOTO 1
#pragma GCC diagnostic ignored "-Wpedantic" // labels as values
#else
#define HELLWIG_COMPUTED_GOTO 0
#endif

namespace hellwig {

namespace {

inline SetWord* setAt(Word* r, std::uint16_t i) {
  return reinterpret_cast<SetWord*>(r + i);
}
inline bool isInt(Word v) {
  return v == static_cast<std::int32_t>(v);
}
// Whether what failed was an operation on a missing value.
inline FaultCode arithmeticFault(Word a, Word b) {
  return a == none || b == none ? FaultCode::missingValue : FaultCode::overflow;
}
inline FaultCode rangeFault(Word index) {
  return index == none ? FaultCode::missingValue : FaultCode::outOfRange;
}
inline int d66Place(Word v) {
  const Word tens = v / 10, ones = v % 10;
  return v < 11 || v > 66 || tens < 1 || tens > 6 || ones < 1 || ones > 6
             ? -1
             : static_cast<int>((tens - 1) * 6 + ones - 1);
}
inline Word d66Value(Word place) {
  place = std::clamp<Word>(place, 0, 35);
  return (place / 6 + 1) * 10 + place % 6 + 1;
}

} // namespace

void MachineCore::runBody(std::uint32_t body, Word* frame) {
  const std::uint64_t depth = image_.header(headerDepth);
  const BodyAccess& access = program_.bodies()[body];
  if (depth + access.needDepth > layout_.maxDepth ||
      framesEnd_ - frame < static_cast<std::ptrdiff_t>(access.needWords))
    raise(FaultCode::stackTooDeep);
  if (access.clear) std::fill(frame + access.parameters, frame + access.registers, 0);
  std::uint64_t* record = calls_ + 2 * depth;
  record[0] = body;
  record[1] = static_cast<std::uint64_t>(frame - frames_);
  image_.header(headerDepth) = depth + 1;
  Word* const top = top_;
  execute(static_cast<std::uint32_t>(depth));
  top_ = top;
}

Status MachineCore::execute(std::uint32_t base) {
  const BodyAccess* const bodies = program_.bodies().data();
  const ColumnAccess* const columns = program_.columns().data();
  const Word* const constants = module_.constants.data();
  const std::uint32_t counterCount = program_.counterCount();
  const std::uint32_t counterWords = program_.counterWords();
  const std::uint32_t hexWords = program_.hexWords();
  const std::uint32_t hexCount = static_cast<std::uint32_t>(module_.board.n);

  std::uint64_t* record = calls_ + 2 * (image_.header(headerDepth) - 1);
  const BodyAccess* body = bodies + static_cast<std::uint32_t>(record[0]);
  const Instruction* ip = body->code + (record[0] >> 32);
  Word* r = frames_ + record[1];

  // Writes down where play stands, before anything that may fault, yield or run another body.
#define SAVE()                                                                                               \
  do {                                                                                                       \
    record[0] = static_cast<std::uint32_t>(record[0]) | static_cast<std::uint64_t>(ip - body->code) << 32;   \
    image_.header(headerDepth) = static_cast<std::uint64_t>(record - calls_) / 2 + 1;                        \
    top_ = r + body->registers;                                                                              \
  } while (false)
#define FAULT(code)                                                                                          \
  do {                                                                                                       \
    SAVE();                                                                                                  \
    raise(code);                                                                                             \
  } while (false)
#define BURN()                                                                                               \
  do {                                                                                                       \
    if (--fuel_ < 0) FAULT(FaultCode::noFuel);                                                               \
  } while (false)
#define JUMP(target)                                                                                         \
  do {                                                                                                       \
    ip = body->code + (target);                                                                              \
    DISPATCH();                                                                                              \
  } while (false)
#define CHECK(index, count)                                                                                  \
  do {                                                                                                       \
    if (static_cast<std::uint64_t>(index) >= (count)) FAULT(rangeFault(index));                              \
  } while (false)
#define A r[ip->a]
#define B r[ip->b]
#define C r[ip->c]

#if HELLWIG_COMPUTED_GOTO
  static const void* const labels[] = {
#define HELLWIG_INSTRUCTION(name, A_, B_, C_, D_, E_) &&op_##name,
#include "runtime/instructions.def"
#undef HELLWIG_INSTRUCTION
#define HELLWIG_FUSED(name) &&op_##name,
#include "runtime/fused.def"
#undef HELLWIG_FUSED
  };
#define CASE(name) op_##name
#define FUSED_CASE(name) op_##name
#define DISPATCH() goto* labels[static_cast<std::uint16_t>(ip->op)]
#define NEXT()                                                                                               \
  do {                                                                                                       \
    ++ip;                                                                                                    \
    DISPATCH();                                                                                              \
  } while (false)
  DISPATCH();
#else
#define CASE(name) case Op::name
#define FUSED_CASE(name) case static_cast<Op>(FusedOp::name)
#define DISPATCH() goto dispatch
#define NEXT()                                                                                               \
  do {                                                                                                       \
    ++ip;                                                                                                    \
    goto dispatch;                                                                                           \
  } while (false)
dispatch:
  switch (ip->op) {
#endif

  // ---- control
  CASE(nop) : NEXT();
  CASE(jump) : JUMP(ip->d);
  CASE(jumpBack) : {
    BURN();
    JUMP(ip->d);
  }
  CASE(jumpIf) : if (A != 0) JUMP(ip->d);
  NEXT();
  CASE(jumpUnless) : if (A == 0) JUMP(ip->d);
  NEXT();
  CASE(jumpNone) : if (A == none) JUMP(ip->d);
  NEXT();
  CASE(jumpSome) : if (A != none) JUMP(ip->d);
  NEXT();
  CASE(jumpEq) : if (A == B) JUMP(ip->d);
  NEXT();
  CASE(jumpNe) : if (A != B) JUMP(ip->d);
  NEXT();
  CASE(jumpLt) : if (A < B) JUMP(ip->d);
  NEXT();
  CASE(jumpGe) : if (A >= B) JUMP(ip->d);
  NEXT();
  CASE(jumpEqImm) : if (A == static_cast<std::int16_t>(ip->b)) JUMP(ip->d);
  NEXT();
  CASE(jumpNeImm) : if (A != static_cast<std::int16_t>(ip->b)) JUMP(ip->d);
  NEXT();
  CASE(jumpLtImm) : if (A < static_cast<std::int16_t>(ip->b)) JUMP(ip->d);
  NEXT();
  CASE(jumpGeImm) : if (A >= static_cast<std::int16_t>(ip->b)) JUMP(ip->d);
  NEXT();
  CASE(jumpEmpty) : {
    if (!anyBit(setAt(r, ip->a), ip->e)) JUMP(ip->d);
    NEXT();
  }
  CASE(jumpAny) : {
    if (anyBit(setAt(r, ip->a), ip->e)) JUMP(ip->d);
    NEXT();
  }
  CASE(call) : {
    BURN();
    record[0] = static_cast<std::uint32_t>(record[0]) | static_cast<std::uint64_t>(ip + 1 - body->code) << 32;
    r += ip->a;
    record += 2;
    record[0] = static_cast<std::uint32_t>(ip->d);
    record[1] = static_cast<std::uint64_t>(r - frames_);
    body = bodies + ip->d;
    ip = body->code;
    if (body->clear) {
      for (std::uint32_t i = body->parameters; i < body->registers; ++i) r[i] = 0;
    }
    DISPATCH();
  }
  CASE(ret) : {
    const std::uint32_t words = ip->e;
    if (words == 1)
      r[0] = A;
    else if (words != 0)
      std::memmove(r, r + ip->a, words * sizeof(Word));
    const auto depth = static_cast<std::uint64_t>(record - calls_) / 2;
    if (depth == base) {
      image_.header(headerDepth) = depth;
      return Status::idle;
    }
    record -= 2;
    body = bodies + static_cast<std::uint32_t>(record[0]);
    ip = body->code + (record[0] >> 32);
    r = frames_ + record[1];
    DISPATCH();
  }
  CASE(endFragment) : {
    const auto depth = static_cast<std::uint64_t>(record - calls_) / 2;
    if (depth != base || depth == 0) FAULT(FaultCode::unreachable);
    image_.header(headerDepth) = depth;
    return Status::idle;
  }
  CASE(fault) : FAULT(static_cast<FaultCode>(ip->d));

  // ---- words
  CASE(move) : A = B;
  NEXT();
  CASE(load) : A = constants[ip->d];
  NEXT();
  CASE(loadImm) : A = ip->d;
  NEXT();
  CASE(loadNone) : A = none;
  NEXT();
#define ARITHMETIC(builtin, right)                                                                           \
  do {                                                                                                       \
    Word result;                                                                                             \
    if (builtin(B, static_cast<Word>(right), &result) || !isInt(result))                                     \
      FAULT(arithmeticFault(B, static_cast<Word>(right)));                                                   \
    A = result;                                                                                              \
    NEXT();                                                                                                  \
  } while (false)
  CASE(add) : ARITHMETIC(__builtin_add_overflow, C);
  CASE(sub) : ARITHMETIC(__builtin_sub_overflow, C);
  CASE(mul) : ARITHMETIC(__builtin_mul_overflow, C);
  CASE(addImm) : ARITHMETIC(__builtin_add_overflow, ip->d);
  CASE(mulImm) : ARITHMETIC(__builtin_mul_overflow, ip->d);
#define MODULO(divisor)                                                                                      \
  do {                                                                                                       \
    const Word by = (divisor), value = B;                                                                    \
    if (by == 0) FAULT(FaultCode::divisionByZero);                                                           \
    if (!isInt(by) || !isInt(value)) FAULT(arithmeticFault(value, by));                                      \
    Word rest = by == -1 ? 0 : static_cast<std::int32_t>(value) % static_cast<std::int32_t>(by);             \
    if (rest != 0 && (rest < 0) != (by < 0)) rest += by;                                                     \
    A = rest;                                                                                                \
    NEXT();                                                                                                  \
  } while (false)
  CASE(mod) : MODULO(C);
  CASE(modImm) : MODULO(static_cast<Word>(ip->d));
  CASE(neg) : {
    const Word value = B;
    if (!isInt(value) || value == INT32_MIN) FAULT(arithmeticFault(value, 0));
    A = -value;
    NEXT();
  }
  CASE(smaller) : A = std::min(B, C);
  NEXT();
  CASE(larger) : A = std::max(B, C);
  NEXT();
  CASE(eq) : A = B == C;
  NEXT();
  CASE(ne) : A = B != C;
  NEXT();
  CASE(lt) : A = B < C;
  NEXT();
  CASE(le) : A = B <= C;
  NEXT();
  CASE(isNone) : A = B == none;
  NEXT();
  CASE(not_) : A = B == 0;
  NEXT();
  CASE(and_) : A = B & C;
  NEXT();
  CASE(or_) : A = B | C;
  NEXT();
  CASE(d66Add) : {
    const int place = d66Place(B);
    if (place < 0 || !isInt(C)) FAULT(rangeFault(B == none ? B : C));
    A = d66Value(place + C);
    NEXT();
  }
  CASE(toD66) : {
    if (d66Place(B) < 0) FAULT(rangeFault(B));
    A = B;
    NEXT();
  }
  CASE(minutesOf) : {
    if (!isInt(B)) FAULT(rangeFault(B));
    A = (B % 60 + 60) % 60;
    NEXT();
  }

  // ---- fractions and odds
#define SLOW(method)                                                                                         \
  do {                                                                                                       \
    SAVE();                                                                                                  \
    method(ip->op, r, *ip);                                                                                  \
    NEXT();                                                                                                  \
  } while (false)
  CASE(toFraction) : {
    if (!isInt(B)) FAULT(rangeFault(B));
    A = packRatio(static_cast<std::int32_t>(B), 1);
    NEXT();
  }
  CASE(div) : SLOW(fractionOp);
  CASE(fadd) : SLOW(fractionOp);
  CASE(fsub) : SLOW(fractionOp);
  CASE(fmul) : SLOW(fractionOp);
  CASE(fdiv) : SLOW(fractionOp);
  CASE(fneg) : SLOW(fractionOp);
  CASE(flt) : SLOW(fractionOp);
  CASE(fle) : SLOW(fractionOp);
  CASE(fsmaller) : SLOW(fractionOp);
  CASE(flarger) : SLOW(fractionOp);
  CASE(round) : SLOW(fractionOp);
  CASE(makeOdds) : SLOW(fractionOp);
  CASE(rawOdds) : {
    const Word b = B, c = C;
    if (b < 0 || c < 0 || b > INT32_MAX || c > INT32_MAX || (b | c) == 0) SLOW(fractionOp);
    A = packRatio(static_cast<std::int32_t>(b), static_cast<std::int32_t>(c));
    NEXT();
  }
  CASE(olt) : SLOW(fractionOp);
  CASE(ole) : SLOW(fractionOp);

  // ---- sets
  CASE(setCopy) : {
    if (ip->e <= 3)
      copySet(setAt(r, ip->a), setAt(r, ip->b), ip->e);
    else
      std::memmove(&A, &B, ip->e * sizeof(Word));
    NEXT();
  }
  CASE(setClear) : {
    clearSet(setAt(r, ip->a), ip->e);
    NEXT();
  }
  CASE(setConst) : {
    for (std::uint32_t i = 0; i < ip->e; ++i) r[ip->a + i] = constants[ip->d + i];
    NEXT();
  }
  CASE(setAnd) : {
    andSet(setAt(r, ip->a), setAt(r, ip->b), setAt(r, ip->c), ip->e);
    NEXT();
  }
  CASE(setOr) : {
    orSet(setAt(r, ip->a), setAt(r, ip->b), setAt(r, ip->c), ip->e);
    NEXT();
  }
  CASE(setAndNot) : {
    andNotSet(setAt(r, ip->a), setAt(r, ip->b), setAt(r, ip->c), ip->e);
    NEXT();
  }
  CASE(setNot) : {
    SetWord* to = setAt(r, ip->a);
    const SetWord* from = setAt(r, ip->b);
    const std::uint32_t size = module_.domains[ip->d].size;
    for (std::uint32_t i = 0; i < ip->e; ++i) {
      const std::uint32_t left = size - i * 64;
      to[i] = ~from[i] & (left >= 64 ? ~SetWord{0} : (SetWord{1} << left) - 1);
      if (ip->d == domainHexes) to[i] &= module_.board.inPlay[i];
    }
    NEXT();
  }
  CASE(setFull) : {
    if (ip->d == domainHexes)
      copySet(setAt(r, ip->a), module_.board.inPlay.data(), hexWords);
    else
      setAll(setAt(r, ip->a), static_cast<int>(module_.domains[ip->d].size), ip->e);
    NEXT();
  }
  CASE(setFill) : {
    if (ip->d == domainHexes && B != 0)
      copySet(setAt(r, ip->a), module_.board.inPlay.data(), hexWords);
    else
      setAll(setAt(r, ip->a), B != 0 ? static_cast<int>(module_.domains[ip->d].size) : 0, ip->e);
    NEXT();
  }
  CASE(setAny) : A = anyBit(setAt(r, ip->b), ip->e);
  NEXT();
  CASE(setCount) : A = countBits(setAt(r, ip->b), ip->e);
  NEXT();
  CASE(setEq) : A = equalSets(setAt(r, ip->b), setAt(r, ip->c), ip->e);
  NEXT();
  CASE(setHas) : {
    const std::uint64_t bit =
        static_cast<std::uint64_t>(C) - static_cast<std::uint64_t>(static_cast<Word>(ip->d));
    A = bit < ip->e * std::uint64_t{64} ? static_cast<Word>(setAt(r, ip->b)[bit >> 6] >> (bit & 63) & 1) : 0;
    NEXT();
  }
  CASE(setInsert) : {
    if (B == none) NEXT();
    const std::uint64_t bit =
        static_cast<std::uint64_t>(B) - static_cast<std::uint64_t>(static_cast<Word>(ip->d));
    if (bit >= ip->e * std::uint64_t{64}) FAULT(FaultCode::setElement);
    setAt(r, ip->a)[bit >> 6] |= SetWord{1} << (bit & 63);
    NEXT();
  }
  CASE(allotClear) : {
    std::fill(r + ip->a, r + ip->a + ip->e, packRatio(notAllotted, notAllotted));
    NEXT();
  }
  CASE(allotSet) : {
    const std::uint64_t place =
        static_cast<std::uint64_t>(B) - static_cast<std::uint64_t>(static_cast<Word>(ip->d));
    if (place >= ip->e * std::uint64_t{2}) FAULT(rangeFault(B));
    if (!isInt(C) || C == notAllotted) FAULT(rangeFault(C));
    setAllotted(r + ip->a, static_cast<std::uint32_t>(place), static_cast<std::int32_t>(C));
    NEXT();
  }
  CASE(allotGet) : {
    const std::uint64_t place =
        static_cast<std::uint64_t>(C) - static_cast<std::uint64_t>(static_cast<Word>(ip->d));
    if (place >= ip->e * std::uint64_t{2}) FAULT(rangeFault(C));
    const std::int32_t number = allotted(r + ip->b, static_cast<std::uint32_t>(place));
    if (number == notAllotted) FAULT(FaultCode::missingValue);
    A = number;
    NEXT();
  }
  CASE(setRemove) : {
    const std::uint64_t bit =
        static_cast<std::uint64_t>(B) - static_cast<std::uint64_t>(static_cast<Word>(ip->d));
    if (bit < ip->e * std::uint64_t{64}) setAt(r, ip->a)[bit >> 6] &= ~(SetWord{1} << (bit & 63));
    NEXT();
  }
  CASE(setRange) : SLOW(setOperation);
  CASE(setLowest) : {
    const int bit = lowestBit(setAt(r, ip->b), ip->e);
    A = bit < 0 ? none : bit + static_cast<Word>(ip->d);
    NEXT();
  }
#define TAKE_LOWEST(offset)                                                                                  \
  do {                                                                                                       \
    SetWord* set = setAt(r, ip->b);                                                                          \
    std::uint32_t i = 0;                                                                                     \
    const std::uint32_t words = ip->e;                                                                       \
    while (i < words && set[i] == 0) ++i;                                                                    \
    if (i == words) JUMP(ip->d);                                                                             \
    const Word value = static_cast<Word>(i) * 64 + std::countr_zero(set[i]) + (offset);                      \
    set[i] &= set[i] - 1;                                                                                    \
    A = value;                                                                                               \
    NEXT();                                                                                                  \
  } while (false)
  CASE(next) : TAKE_LOWEST(0);
  CASE(intNext) : TAKE_LOWEST(lowestSetInt);
  CASE(fieldIs) : {
    SAVE();
    fieldIs(r, *ip);
    NEXT();
  }
  CASE(staticSet) : {
    const std::vector<std::uint64_t>& set = program_.staticSets()[ip->d];
    copySet(setAt(r, ip->a), set.data(), static_cast<int>(set.size()));
    NEXT();
  }

  // ---- counters
  CASE(orderCounters) : SLOW(setOperation);
  CASE(nextCounter) : {
    SAVE();
    if (!nextCounter(r, *ip)) JUMP(ip->d);
    NEXT();
  }
  CASE(counters) : {
    andSet(setAt(r, ip->a), module_.kinds[ip->d].members.data(), image_.onMap(), counterWords);
    NEXT();
  }
  CASE(countersEver) : SLOW(setOperation);
  CASE(ofSide) : {
    const Word side = C;
    CHECK(side, 2);
    andSet(setAt(r, ip->a), setAt(r, ip->b), program_.sideCounters(static_cast<std::uint32_t>(side)),
           counterWords);
    NEXT();
  }
  CASE(countersOf) : {
    const Word side = B;
    CHECK(side, 2);
    const SetWord* members = module_.kinds[ip->d].members.data();
    const SetWord* own = program_.sideCounters(static_cast<std::uint32_t>(side));
    const SetWord* onMap = image_.onMap();
    SetWord* to = setAt(r, ip->a);
    for (std::uint32_t i = 0; i < counterWords; ++i) to[i] = members[i] & own[i] & onMap[i];
    NEXT();
  }
  CASE(atHex) : SLOW(setOperation);
  CASE(anyAtHex) : {
    const Word hex = C;
    CHECK(hex, hexCount);
    const SetWord* set = setAt(r, ip->b);
    Word found = 0;
    for (std::int32_t u = image_.top(static_cast<std::uint32_t>(hex)); u >= 0;
         u = image_.below(static_cast<std::uint32_t>(u)))
      if (hasBit(set, u)) {
        found = 1;
        break;
      }
    if (found == 0 && image_.hasPoses()) found = image_.coveredBesides(static_cast<std::uint32_t>(hex), set);
    A = found;
    NEXT();
  }
  CASE(atHexes) : SLOW(setOperation);
  CASE(atBox) : {
    const Word box = B;
    CHECK(box, module_.boxes.size());
    andSet(setAt(r, ip->a), module_.kinds[ip->d].members.data(),
           image_.boxPlane(static_cast<std::uint32_t>(box)), counterWords);
    NEXT();
  }
  CASE(plane) : {
    copySet(setAt(r, ip->a), image_.planeOf(columns[ip->d], ip->c), counterWords);
    NEXT();
  }
  CASE(planeOfValue) : {
    const ColumnAccess& column = columns[ip->d];
    const Word value = B;
    if (static_cast<std::uint64_t>(value) < column.planes)
      copySet(setAt(r, ip->a), image_.planeOf(column, static_cast<std::uint32_t>(value)), counterWords);
    else
      clearSet(setAt(r, ip->a), counterWords);
    NEXT();
  }
  CASE(sideOf) : {
    const Word u = B;
    CHECK(u, counterCount);
    A = program_.sideOf(static_cast<std::uint32_t>(u));
    NEXT();
  }
  CASE(enemyOf) : {
    const Word side = B;
    CHECK(side, 2);
    A = 1 - side;
    NEXT();
  }
  CASE(hexOf) : {
    const Word u = B;
    CHECK(u, counterCount);
    const std::int32_t hex = image_.hexOf(static_cast<std::uint32_t>(u));
    if (hex < 0) FAULT(FaultCode::offMap);
    A = hex;
    NEXT();
  }
  CASE(boxOf) : {
    const Word u = B;
    CHECK(u, counterCount);
    const std::int32_t box = image_.boxOf(static_cast<std::uint32_t>(u));
    A = box < 0 ? none : box;
    NEXT();
  }
  CASE(onMap) : {
    const Word u = B;
    CHECK(u, counterCount);
    A = image_.hexOf(static_cast<std::uint32_t>(u)) >= 0;
    NEXT();
  }
  CASE(arrivalOf) : {
    const Word u = B;
    CHECK(u, counterCount);
    A = image_.arrival(static_cast<std::uint32_t>(u));
    NEXT();
  }
  CASE(cameFrom) : {
    const Word u = B;
    CHECK(u, counterCount);
    const std::int32_t hex = image_.cameFrom(static_cast<std::uint32_t>(u));
    host_.cameFromReads += u == host_.watchedMover;
    A = hex < 0 ? none : hex;
    NEXT();
  }
  CASE(isKind) : {
    const Word u = B;
    CHECK(u, counterCount);
    A = hasBit(module_.kinds[ip->d].members.data(), static_cast<int>(u));
    NEXT();
  }
  CASE(joinGroup) : {
    SAVE();
    joinGroup(r, *ip);
    NEXT();
  }
  CASE(moveToHex) : {
    const Word u = A, hex = B;
    CHECK(u, counterCount);
    CHECK(hex, hexCount);
    image_.unsettle(static_cast<std::uint32_t>(u));
    image_.moveToHex(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(hex));
    image_.unsettle(static_cast<std::uint32_t>(u));
    if (image_.hasPoses()) {
      SAVE();
      moved(static_cast<std::uint32_t>(u));
    }
    NEXT();
  }
  CASE(moveToBox) : {
    const Word u = A, box = B;
    CHECK(u, counterCount);
    CHECK(box, module_.boxes.size());
    image_.unsettle(static_cast<std::uint32_t>(u));
    image_.moveToBox(static_cast<std::uint32_t>(u), static_cast<std::int32_t>(box));
    if (image_.hasPoses()) {
      SAVE();
      moved(static_cast<std::uint32_t>(u));
    }
    NEXT();
  }
  CASE(moveAlong) : {
    const Word u = A;
    CHECK(u, counterCount);
    SAVE();
    image_.unsettle(static_cast<std::uint32_t>(u));
    moveAlong(static_cast<std::uint32_t>(u), &B, ip->d != 0);
    image_.unsettle(static_cast<std::uint32_t>(u));
    NEXT();
  }

  // ---- fields
  CASE(get) : {
    const ColumnAccess& column = columns[ip->d];
    const Word thing = B;
    CHECK(thing, column.count);
    A = image_.get(column, static_cast<std::uint32_t>(thing));
    NEXT();
  }
  CASE(set) : {
    const ColumnAccess& column = columns[ip->d];
    const Word thing = A;
    CHECK(thing, column.count);
    if (column.ofCounters && program_.settles() && host_.lifted.empty() &&
        image_.get(column, static_cast<std::uint32_t>(thing)) != B)
      image_.unsettle(static_cast<std::uint32_t>(thing));
    if (!image_.set(column, static_cast<std::uint32_t>(thing), B)) FAULT(FaultCode::overflow);
    if (column.poses) {
      SAVE();
      wrote(column.ofCounters ? thing : -1);
    }
    NEXT();
  }
  CASE(getGlobal) : A = static_cast<Word>(image_.words()[program_.globals()[ip->d].offset]);
  NEXT();
  CASE(setGlobal) : {
    image_.setGlobalWord(program_.globals()[ip->d], A);
    if (program_.globals()[ip->d].poses) {
      SAVE();
      wrote(-1);
    }
    NEXT();
  }
  CASE(getSet) : {
    const ColumnAccess& column = columns[ip->d];
    const Word thing = B;
    CHECK(thing, column.count);
    copySet(setAt(r, ip->a), image_.getSet(column, static_cast<std::uint32_t>(thing)), ip->e);
    NEXT();
  }
  CASE(setSet) : {
    const ColumnAccess& column = columns[ip->d];
    const Word thing = A;
    CHECK(thing, column.count);
    if (column.ofCounters && program_.settles() &&
        !std::equal(setAt(r, ip->b), setAt(r, ip->b) + column.setWords,
                    image_.getSet(column, static_cast<std::uint32_t>(thing))))
      image_.unsettle(static_cast<std::uint32_t>(thing));
    image_.setSet(column, static_cast<std::uint32_t>(thing), setAt(r, ip->b));
    if (column.poses) {
      SAVE();
      wrote(column.ofCounters ? thing : -1);
    }
    NEXT();
  }
  CASE(getGlobalSet) : {
    copySet(setAt(r, ip->a), image_.at(program_.globals()[ip->d].offset), ip->e);
    NEXT();
  }
  CASE(setGlobalSet) : {
    image_.setGlobal(program_.globals()[ip->d], &A);
    if (program_.globals()[ip->d].poses) {
      SAVE();
      wrote(-1);
    }
    NEXT();
  }
  CASE(resetSpan) : {
    SAVE();
    resetSpan(static_cast<SpanKind>(ip->d));
    NEXT();
  }

  // ---- the map
  CASE(hexPlane) : {
    copySet(setAt(r, ip->a), image_.planeOf(columns[ip->d], ip->c), hexWords);
    NEXT();
  }
  CASE(hexPlaneOfValue) : {
    const ColumnAccess& column = columns[ip->d];
    const Word value = B;
    if (static_cast<std::uint64_t>(value) < column.planes)
      copySet(setAt(r, ip->a), image_.planeOf(column, static_cast<std::uint32_t>(value)), hexWords);
    else
      clearSet(setAt(r, ip->a), hexWords);
    NEXT();
  }
  CASE(hexesOf) : SLOW(mapOperation);
  CASE(hexesHolding) : SLOW(mapOperation);
  CASE(footprint) : SLOW(footprintOperation);
  CASE(footprintIf) : SLOW(footprintOperation);
  CASE(aspect) : SLOW(footprintOperation);
  CASE(aspectIf) : SLOW(footprintOperation);
  CASE(aspectHexes) : SLOW(footprintOperation);
  CASE(facingShown) : SLOW(footprintOperation);
  CASE(distanceOver) : SLOW(footprintOperation);
  CASE(hexsideValues) : SLOW(terrainValues);
  CASE(pathValues) : SLOW(terrainValues);
  CASE(hexValues) : SLOW(terrainValues);
  CASE(hexSet) : {
    const Word hex = B;
    SetWord* to = setAt(r, ip->a);
    if (hex != none) CHECK(hex, hexCount);
    clearSet(to, hexWords);
    if (hex != none) setBit(to, static_cast<int>(hex));
    NEXT();
  }
  CASE(areaHexes) : {
    const Word area = B;
    CHECK(area, module_.areas.size());
    copySet(setAt(r, ip->a), module_.areas[area].hexes.data(), hexWords);
    NEXT();
  }
  CASE(adjacentTo) : SLOW(mapOperation);
  CASE(neighbours) : {
    const Word hex = B;
    CHECK(hex, hexCount);
    SetWord* to = setAt(r, ip->a);
    clearSet(to, hexWords);
    const std::int16_t* adjacent = module_.board.neighbour.data() + hex * 6;
    for (int i = 0; i < 6; ++i)
      if (adjacent[i] >= 0) setBit(to, adjacent[i]);
    NEXT();
  }
  CASE(within) : SLOW(mapOperation);
  CASE(withinHex) : SLOW(mapOperation);
  CASE(beyond) : SLOW(mapOperation);
  CASE(edgeHexes) : SLOW(mapOperation);
  CASE(lineHexes) : SLOW(mapOperation);
  CASE(distance) : {
    const Word from = B, to = C;
    CHECK(from, hexCount);
    CHECK(to, hexCount);
    A = hexDistance(module_.board, static_cast<int>(from), static_cast<int>(to));
    NEXT();
  }
  CASE(setDistance) : SLOW(mapOperation);
  CASE(direction) : SLOW(mapOperation);
  CASE(neighbour) : {
    const Word hex = B, direction = C;
    CHECK(hex, hexCount);
    CHECK(direction, 6);
    const int other = module_.board.neighbour[hex * 6 + direction];
    A = other < 0 ? none : other;
    NEXT();
  }
  CASE(hexsideBetween) : SLOW(mapOperation);
  CASE(hexsideHas) : SLOW(mapOperation);
  CASE(pathBetween) : SLOW(mapOperation);
  CASE(hexsidesOf) : SLOW(mapOperation);
  CASE(hexesOfSides) : SLOW(mapOperation);
  CASE(crossingHexes) : SLOW(mapOperation);

  // ---- lines of sight
  CASE(lineStart) : SLOW(mapOperation);
  CASE(lineNext) : {
    SAVE();
    if (!lineNext(r, *ip)) JUMP(ip->d);
    NEXT();
  }
  CASE(lineBlocked) : SLOW(mapOperation);

  // ---- zones of control
  CASE(zoneOfSide) : {
    const Word side = B;
    CHECK(side, 2);
    SAVE();
    copySet(setAt(r, ip->a), zoneUnion(static_cast<std::uint32_t>(ip->d), static_cast<std::uint32_t>(side)),
            hexWords);
    NEXT();
  }
  CASE(inZone) : {
    const Word hex = B, side = C;
    CHECK(hex, hexCount);
    CHECK(side, 2);
    SAVE();
    A = hasBit(zoneUnion(static_cast<std::uint32_t>(ip->d), static_cast<std::uint32_t>(side)),
               static_cast<int>(hex));
    NEXT();
  }
  CASE(zoneOfCounters) : {
    SAVE();
    zoneOfCounters(static_cast<std::uint32_t>(ip->d), checkedSet(&B, counterCount), setAt(r, ip->a));
    NEXT();
  }
  CASE(zoneOwners) : {
    const Word hex = B;
    CHECK(hex, hexCount);
    SAVE();
    zoneOwners(static_cast<std::uint32_t>(ip->d), static_cast<std::uint32_t>(hex), setAt(r, ip->a));
    NEXT();
  }

  // ---- routes
  CASE(reach) : {
    SAVE();
    reach(static_cast<std::uint16_t>(ip->d), &C, setAt(r, ip->a));
    NEXT();
  }
  CASE(anyReach) : {
    SAVE();
    A = anyReach(static_cast<std::uint16_t>(ip->d), &C, nullptr);
    NEXT();
  }
  CASE(anyReachIn) : {
    SAVE();
    A = anyReach(static_cast<std::uint16_t>(ip->d), &C, checkedSet(&B, hexCount));
    NEXT();
  }
  CASE(path) : {
    const Word to = B;
    if (to != none) CHECK(to, hexCount);
    SAVE();
    path(static_cast<std::uint16_t>(ip->d), &C, to == none ? -1 : static_cast<std::int32_t>(to), &A);
    NEXT();
  }
  CASE(pathGet) : SLOW(pathOperation);
  CASE(pathHexes) : SLOW(pathOperation);
  CASE(pathEdge) : SLOW(pathOperation);
  CASE(paths) : {
    SAVE();
    paths(static_cast<std::uint16_t>(ip->d), &C, &A);
    NEXT();
  }
  CASE(pathCount) : {
    const Word count = B;
    A = count < 0 || count > static_cast<Word>(mostPaths) ? 0 : count;
    NEXT();
  }
  CASE(pathAt) : {
    SAVE();
    pathAt(&B, C, &A);
    NEXT();
  }
  CASE(poke) : {
    SAVE();
    poke(ip->d, A);
    NEXT();
  }
  CASE(pokeHex) : {
    SAVE();
    pokeHex(A);
    NEXT();
  }
  CASE(travelStart) : {
    SAVE();
    travelStart(&A, B, static_cast<std::uint16_t>(ip->d), &C);
    NEXT();
  }
  CASE(travelAlong) : {
    SAVE();
    if (C == none || (&C)[pathRoute] != ip->d)
      raise(C == none ? FaultCode::missingValue : FaultCode::outOfRange);
    travelStart(&A, B, static_cast<std::uint16_t>(ip->d), &C + pathHead);
    NEXT();
  }
  CASE(travelTest) : {
    SAVE();
    if ((&B)[travelRoute] != ip->d) raise(FaultCode::outOfRange);
    A = travelTest(&B, C);
    NEXT();
  }
  CASE(travelTake) : {
    SAVE();
    if ((&A)[travelRoute] != ip->d) raise(FaultCode::outOfRange);
    travelTake(&A);
    NEXT();
  }
  CASE(walkOffer) : {
    SAVE();
    if ((&A)[travelRoute] != ip->d) raise(FaultCode::outOfRange);
    walkOffer(&A, &B, ip->e, module_.decisions[ip->c], r);
    NEXT();
  }
  CASE(walkEdge) : {
    SAVE();
    if ((&B)[travelRoute] != ip->d) raise(FaultCode::outOfRange);
    A = walkEdge(&B, module_.decisions[ip->c], r);
    NEXT();
  }
  CASE(walkVisit) : {
    SAVE();
    if ((&B)[travelRoute] != ip->d) raise(FaultCode::outOfRange);
    walkVisit(&A, ip->e, &B);
    NEXT();
  }
  CASE(travelArgs) : {
    SAVE();
    if ((&B)[travelRoute] != ip->d) raise(FaultCode::outOfRange);
    travelArguments(&B, ip->c, &A);
    NEXT();
  }

  CASE(table) : {
    SAVE();
    const Table& table = module_.tables[ip->d];
    if (ip->e == 1 && emission_ == nullptr && host_.covered == nullptr) {
      const std::int64_t cell = program_.tableIndex(ip->d).cell(&B, &C);
      if (cell >= 0 && table.filled[cell] != 0) {
        A = table.cells[cell];
        NEXT();
      }
    }
    lookUp(r, *ip);
    NEXT();
  }

  // ---- play
  CASE(roll) : {
    if (ip->b == static_cast<std::uint16_t>(DieKind::d6) && !host_.scripted && !host_.listener) {
      A = rollD6();
      NEXT();
    }
    SAVE();
    if (!roll(static_cast<DieKind>(ip->b), ip->d, &A)) return Status::dieWanted;
    NEXT();
  }
  CASE(rollOneOf) : {
    SAVE();
    if (!rollOneOf(setAt(r, ip->b), ip->e, static_cast<std::int32_t>(ip->c) - 1, ip->d, &A))
      return Status::dieWanted;
    NEXT();
  }
  CASE(decide) : {
    SAVE();
    if (!decide(static_cast<std::uint16_t>(ip->d), r)) return Status::decision;
    NEXT();
  }
  CASE(rest) : {
    if (image_.words()[layout_.victoryDirty] == 0 && image_.header(headerTruthKnown) != 0) NEXT();
    SAVE();
    if (restPlay()) return Status::ended;
    NEXT();
  }
  CASE(settleTake) : {
    SetWord* to = setAt(r, ip->a);
    if (program_.settles()) {
      std::uint64_t* changed = image_.at(layout_.unsettled);
      copySet(to, changed, hexWords);
      std::fill_n(changed, hexWords, std::uint64_t{0});
      if (const std::size_t last = hexCount % 64; last != 0)
        to[hexWords - 1] &= (std::uint64_t{1} << last) - 1;
    } else {
      std::fill_n(to, hexWords, std::uint64_t{0});
    }
    NEXT();
  }
  CASE(spanBegin) : {
    SAVE();
    spanBegin(static_cast<SpanKind>(ip->a), ip->b != 0, ip->d);
    NEXT();
  }
  CASE(spanEnd) : {
    std::uint64_t& open = image_.words()[headerSpans + ip->a];
    if (open != 0) --open;
    if (untilSpan_ == ip->a && open < static_cast<std::uint64_t>(untilDepth_)) {
      ++ip;
      SAVE();
      return Status::spanEnded;
    }
    NEXT();
  }
  CASE(victoryCheck) : {
    SAVE();
    if (testVictory(static_cast<VictoryWhen>(ip->a))) return Status::ended;
    NEXT();
  }
  CASE(win) : {
    const Word side = A;
    CHECK(side, 2);
    SAVE();
    endGame(EndCause::fragment, static_cast<std::uint64_t>(ip->d), static_cast<std::int32_t>(side),
            ip->d != 0 ? fragmentText(ip->d) : std::string());
    return Status::ended;
  }
  CASE(drawGame) : {
    SAVE();
    endGame(EndCause::fragment, static_cast<std::uint64_t>(ip->d), -1,
            ip->d != 0 ? fragmentText(ip->d) : std::string());
    return Status::ended;
  }
  CASE(say) : {
    if (host_.listener) {
      SAVE();
      logFragment(LogEvent::Kind::say, ip->d, std::string());
    }
    NEXT();
  }
  CASE(cover) : {
    cover(static_cast<std::uint16_t>(ip->d));
    NEXT();
  }
  CASE(happened) : {
    if (host_.counting) {
      if (host_.happened.size() <= static_cast<std::size_t>(ip->d))
        host_.happened.resize(module_.bodies.size());
      ++host_.happened[ip->d];
      if (host_.scripted)
        host_.callsMade.emplace_back(static_cast<std::uint16_t>(ip->d), std::vector<Word>(&A, &A + ip->e));
    }
    NEXT();
  }

  // ---- texts and explanations
  CASE(textString) : SLOW(emitLine);
  CASE(textValue) : SLOW(emitLine);
  CASE(cite) : SLOW(emitLine);
  CASE(veil) : SLOW(emitLine);
  CASE(explainBase) : SLOW(emitLine);
  CASE(explainStep) : SLOW(emitLine);
  CASE(reason) : SLOW(emitLine);

#include "runtime/fused_cases.inc"

#if !HELLWIG_COMPUTED_GOTO
}
FAULT(FaultCode::unreachable);
#endif
}

} // namespace hellwig
