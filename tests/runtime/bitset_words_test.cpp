// SPDX-License-Identifier: Apache-2.0
// Packed sets against std::set.
#include "runtime/bitset_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace hellwig {
namespace {

std::vector<SetWord> pack(const std::set<int>& set, int words) {
  std::vector<SetWord> packed(static_cast<std::size_t>(words));
  for (int i : set) setBit(packed.data(), i);
  return packed;
}

TEST(BitsetWords, AgreeWithSets) {
  std::mt19937 random(9);
  for (int words : {1, 2, 3, 4, 7, 128})
    for (int round = 0; round < 30; ++round) {
      std::set<int> a, b;
      int size = static_cast<int>(random() % (words * 64 + 1)) / (round % 4 + 1);
      for (int i = 0; i < size; ++i) {
        a.insert(static_cast<int>(random() % (words * 64)));
        b.insert(static_cast<int>(random() % (words * 64)));
      }
      if (round % 5 == 0) b.insert(a.begin(), a.end());
      auto x = pack(a, words), y = pack(b, words), out = x;
      std::set<int> both, either, without, one;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(without, without.end()));
      std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(one, one.end()));
      andSet(out.data(), x.data(), y.data(), words);
      EXPECT_EQ(out, pack(both, words));
      orSet(out.data(), x.data(), y.data(), words);
      EXPECT_EQ(out, pack(either, words));
      andNotSet(out.data(), x.data(), y.data(), words);
      EXPECT_EQ(out, pack(without, words));
      xorSet(out.data(), x.data(), y.data(), words);
      EXPECT_EQ(out, pack(one, words));
      EXPECT_EQ(countBits(x.data(), words), static_cast<int>(a.size()));
      EXPECT_EQ(countCommonBits(x.data(), y.data(), words), static_cast<int>(both.size()));
      EXPECT_EQ(anyBit(x.data(), words), !a.empty());
      EXPECT_EQ(anyCommonBit(x.data(), y.data(), words), !both.empty());
      EXPECT_EQ(isSubset(x.data(), y.data(), words), without.empty());
      EXPECT_EQ(equalSets(x.data(), y.data(), words), a == b);
      EXPECT_EQ(lowestBit(x.data(), words), a.empty() ? -1 : *a.begin());
      std::vector<int> listed;
      forEachBit(x.data(), words, [&](int i) { listed.push_back(i); });
      EXPECT_EQ(listed, std::vector<int>(a.begin(), a.end()));
      listed.clear();
      for (int i = nextBit(x.data(), 0, words); i >= 0; i = nextBit(x.data(), i + 1, words))
        listed.push_back(i);
      EXPECT_EQ(listed, std::vector<int>(a.begin(), a.end()));
      for (std::size_t i = 0; i < listed.size(); ++i)
        ASSERT_EQ(nthBit(x.data(), static_cast<int>(i), words), listed[i]);
      EXPECT_EQ(nthBit(x.data(), static_cast<int>(listed.size()), words), -1);
    }
}

TEST(BitsetWords, SingleBitsAndWholeSets) {
  std::vector<SetWord> set(4, ~SetWord{0});
  setAll(set.data(), 130, 4);
  EXPECT_EQ(set, (std::vector<SetWord>{~SetWord{0}, ~SetWord{0}, 3, 0}));
  setAll(set.data(), 128, 4);
  EXPECT_EQ(set, (std::vector<SetWord>{~SetWord{0}, ~SetWord{0}, 0, 0}));
  putBit(set.data(), 63, false);
  putBit(set.data(), 200, true);
  clearBit(set.data(), 64);
  EXPECT_FALSE(hasBit(set.data(), 63));
  EXPECT_FALSE(hasBit(set.data(), 64));
  EXPECT_TRUE(hasBit(set.data(), 200));
  EXPECT_EQ(countBits(set.data(), 4), 127);
  clearSet(set.data(), 4);
  EXPECT_FALSE(anyBit(set.data(), 4));
  EXPECT_EQ(wordsFor(0), 0);
  EXPECT_EQ(wordsFor(64), 1);
  EXPECT_EQ(wordsFor(65), 2);
}

TEST(BitsetWords, SelectInEveryPlace) {
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(selectInWord(SetWord{1} << i, 0), i);
    EXPECT_EQ(selectInWord(~SetWord{0}, i), i);
  }
}

} // namespace
} // namespace hellwig
