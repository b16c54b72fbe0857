// SPDX-License-Identifier: Apache-2.0
// Exact fractions and odds in one word. Every function checks its operands and faults rather than compute
// nonsense.
#pragma once

#include "runtime/machine_core.h"

#include <numeric>

namespace hellwig {

[[noreturn]] inline void ratioFault(FaultCode code) {
  throw FaultError{code};
}

inline void checkFraction(Word f) {
  if (denominatorOf(f) <= 0) ratioFault(f == none ? FaultCode::missingValue : FaultCode::badOdds);
}
inline void checkOdds(Word o) {
  if (o == none) ratioFault(FaultCode::missingValue);
  if (denominatorOf(o) < 0 || numeratorOf(o) < 0 || o == 0) ratioFault(FaultCode::badOdds);
}

/// The fraction in lowest terms; overflow if a part does not fit 32 bits.
inline Word reduceFraction(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) ratioFault(FaultCode::divisionByZero);
  if (denominator != 1) {
    const std::int64_t divisor = std::gcd(numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
  }
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (numerator != static_cast<std::int32_t>(numerator) || denominator > INT32_MAX)
    ratioFault(FaultCode::overflow);
  return packRatio(static_cast<std::int32_t>(numerator), static_cast<std::int32_t>(denominator));
}
inline Word makeFraction(std::int32_t numerator, std::int32_t denominator) {
  return reduceFraction(numerator, denominator);
}
inline Word addFractions(Word a, Word b) {
  checkFraction(a);
  checkFraction(b);
  const std::int64_t an = numeratorOf(a), ad = denominatorOf(a), bn = numeratorOf(b), bd = denominatorOf(b);
  if (ad == bd) return reduceFraction(an + bn, ad);
  return reduceFraction(an * bd + bn * ad, ad * bd);
}
inline Word negateFraction(Word a) {
  checkFraction(a);
  return reduceFraction(-std::int64_t{numeratorOf(a)}, denominatorOf(a));
}
inline Word multiplyFractions(Word a, Word b) {
  checkFraction(a);
  checkFraction(b);
  return reduceFraction(std::int64_t{numeratorOf(a)} * numeratorOf(b),
                        std::int64_t{denominatorOf(a)} * denominatorOf(b));
}
inline Word divideFractions(Word a, Word b) {
  checkFraction(a);
  checkFraction(b);
  return reduceFraction(std::int64_t{numeratorOf(a)} * denominatorOf(b),
                        std::int64_t{denominatorOf(a)} * numeratorOf(b));
}
inline bool fractionLess(Word a, Word b) {
  checkFraction(a);
  checkFraction(b);
  return std::int64_t{numeratorOf(a)} * denominatorOf(b) < std::int64_t{numeratorOf(b)} * denominatorOf(a);
}
/// mode: 0 down, 1 up, 2 near (halves up).
inline Word roundFraction(Word a, std::uint16_t mode) {
  checkFraction(a);
  std::int64_t numerator = numeratorOf(a), denominator = denominatorOf(a);
  if (mode == 2) {
    numerator = 2 * numerator + denominator;
    denominator *= 2;
  } else if (mode == 1) {
    numerator += denominator - 1;
  }
  std::int64_t quotient = numerator / denominator;
  if (numerator % denominator < 0) --quotient;
  return quotient;
}
inline Word makeOdds(std::int32_t a, std::int32_t b) {
  if (a < 0 || b < 0 || (a == 0 && b == 0)) ratioFault(FaultCode::badOdds);
  const std::int32_t divisor = std::gcd(a, b);
  return packRatio(a / divisor, b / divisor);
}
/// Of checked odds (or of fractions, negative ones too).
inline bool oddsLess(Word a, Word b) {
  return std::int64_t{numeratorOf(a)} * denominatorOf(b) < std::int64_t{numeratorOf(b)} * denominatorOf(a);
}
/// Whether `key`, between `low` and `high`, is nearer to low or as near.
inline bool nearerIsLow(Word low, Word high, Word key, bool ratio) {
  if (!ratio) {
    const auto at = static_cast<std::uint64_t>(key);
    return at - static_cast<std::uint64_t>(low) <= static_cast<std::uint64_t>(high) - at;
  }
  __extension__ using Wide = __int128;
  const Wide ln = numeratorOf(low), ld = denominatorOf(low), hn = numeratorOf(high), hd = denominatorOf(high),
             kn = numeratorOf(key), kd = denominatorOf(key);
  if (ld == 0 || kd == 0) return false;
  if (hd == 0) return true;
  return (kn * ld - ln * kd) * hd * kd <= (hn * kd - kn * hd) * ld * kd;
}

} // namespace hellwig
