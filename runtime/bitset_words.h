// SPDX-License-Identifier: Apache-2.0
// Packed sets: free functions over arrays of 64-bit words, bit i of the set being bit i % 64 of word i / 64.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace hellwig {

// A word of a set. (`Word` is the signed word of the machine, module.h; both names live in this namespace.)
using SetWord = std::uint64_t;

// The number of words that hold `bits` bits.
constexpr int wordsFor(int bits) {
  return (bits + 63) >> 6;
}

// All functions below take the number of words as their last argument. A destination may be the same array as
// a source, but must not overlap one in another way. Bits above the size of the set are zero in every set;
// the only function that could set them, setAll, is given the size.

inline bool hasBit(const SetWord* set, int i) {
  return (set[i >> 6] >> (i & 63)) & 1;
}
inline void setBit(SetWord* set, int i) {
  set[i >> 6] |= SetWord{1} << (i & 63);
}
inline void clearBit(SetWord* set, int i) {
  set[i >> 6] &= ~(SetWord{1} << (i & 63));
}
inline void putBit(SetWord* set, int i, bool value) {
  SetWord& word = set[i >> 6];
  word = (word & ~(SetWord{1} << (i & 63))) | (SetWord{value} << (i & 63));
}

// Most sets are of a few words, for which the head of a vectorised loop costs more than the words do: the first
// three stand apart in the commonest functions.
#define HELLWIG_EACH_WORD(i, words, act)                                                                     \
  do {                                                                                                       \
    if ((words) > 0) {                                                                                       \
      constexpr int i = 0;                                                                                   \
      act;                                                                                                   \
    }                                                                                                        \
    if ((words) > 1) {                                                                                       \
      constexpr int i = 1;                                                                                   \
      act;                                                                                                   \
    }                                                                                                        \
    if ((words) > 2) {                                                                                       \
      constexpr int i = 2;                                                                                   \
      act;                                                                                                   \
    }                                                                                                        \
    for (int i = 3; i < (words); ++i) act;                                                                   \
  } while (false)

inline void clearSet(SetWord* set, int words) {
  HELLWIG_EACH_WORD(i, words, set[i] = 0);
}

inline void copySet(SetWord* to, const SetWord* from, int words) {
  HELLWIG_EACH_WORD(i, words, to[i] = from[i]);
}

// Makes `set` the set of all of 0 .. bits - 1; `words` may be larger than wordsFor(bits).
inline void setAll(SetWord* set, int bits, int words) {
  for (int i = 0; i < words; ++i) {
    int left = bits - i * 64;
    set[i] = left >= 64 ? ~SetWord{0} : left <= 0 ? 0 : (SetWord{1} << left) - 1;
  }
}

inline void andSet(SetWord* to, const SetWord* a, const SetWord* b, int words) {
  HELLWIG_EACH_WORD(i, words, to[i] = a[i] & b[i]);
}

inline void orSet(SetWord* to, const SetWord* a, const SetWord* b, int words) {
  HELLWIG_EACH_WORD(i, words, to[i] = a[i] | b[i]);
}

inline void xorSet(SetWord* to, const SetWord* a, const SetWord* b, int words) {
  for (int i = 0; i < words; ++i) to[i] = a[i] ^ b[i];
}

// a without b.
inline void andNotSet(SetWord* to, const SetWord* a, const SetWord* b, int words) {
  HELLWIG_EACH_WORD(i, words, to[i] = a[i] & ~b[i]);
}

#undef HELLWIG_EACH_WORD

inline int countBits(const SetWord* set, int words) {
  int count = 0;
  for (int i = 0; i < words; ++i) count += std::popcount(set[i]);
  return count;
}

inline int countCommonBits(const SetWord* a, const SetWord* b, int words) {
  int count = 0;
  for (int i = 0; i < words; ++i) count += std::popcount(a[i] & b[i]);
  return count;
}

inline bool anyBit(const SetWord* set, int words) {
  for (int i = 0; i < words; ++i)
    if (set[i]) return true;
  return false;
}

inline bool anyCommonBit(const SetWord* a, const SetWord* b, int words) {
  for (int i = 0; i < words; ++i)
    if (a[i] & b[i]) return true;
  return false;
}

// Whether every element of a is in b.
inline bool isSubset(const SetWord* a, const SetWord* b, int words) {
  for (int i = 0; i < words; ++i)
    if (a[i] & ~b[i]) return false;
  return true;
}

inline bool equalSets(const SetWord* a, const SetWord* b, int words) {
  for (int i = 0; i < words; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

// The lowest element that is at least `from` (>= 0), or -1. Looping: for (i = nextBit(s, 0, w); i >= 0; i =
// nextBit(s, i + 1, w)); forEachBit is faster where the whole set is visited.
inline int nextBit(const SetWord* set, int from, int words) {
  int i = from >> 6;
  if (i >= words) return -1;
  SetWord word = set[i] & (~SetWord{0} << (from & 63));
  while (!word) {
    if (++i >= words) return -1;
    word = set[i];
  }
  return i * 64 + std::countr_zero(word);
}

// The lowest element, or -1 for the empty set.
inline int lowestBit(const SetWord* set, int words) {
  for (int i = 0; i < words; ++i)
    if (set[i]) return i * 64 + std::countr_zero(set[i]);
  return -1;
}

// The position of the nth (from 0) bit that is set in one word; the word has more than n bits.
inline int selectInWord(SetWord word, int n) {
  int base = 0;
  for (int half = 32; half >= 8; half >>= 1) {
    int low = std::popcount(word & ((SetWord{1} << half) - 1));
    if (n >= low) {
      n -= low;
      base += half;
      word >>= half;
    }
  }
  for (; n > 0; --n) word &= word - 1;
  return base + std::countr_zero(word);
}

// The nth element (from 0) in ascending order, or -1 if the set has no more than n.
inline int nthBit(const SetWord* set, int n, int words) {
  for (int i = 0; i < words; ++i) {
    int count = std::popcount(set[i]);
    if (n < count) return i * 64 + selectInWord(set[i], n);
    n -= count;
  }
  return -1;
}

// Calls visit(i) for each element in ascending order. The set may be changed meanwhile: a word is read once.
template<class Visit> inline void forEachBit(const SetWord* set, int words, Visit&& visit) {
  for (int i = 0; i < words; ++i)
    for (SetWord word = set[i]; word; word &= word - 1) visit(i * 64 + std::countr_zero(word));
}

} // namespace hellwig
