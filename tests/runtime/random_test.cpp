// SPDX-License-Identifier: Apache-2.0
// Test vectors of the random generator.
//
// The splitmix64 outputs for seed 0 are the published ones (0xE220A8397B1DCDAF ..). All others were computed
// by an independent script in Python with integers of any length, written from the definitions of the
// algorithms; it gives the published outputs 11520, 0, 1509978240, 1215971899390074240 for the state {1, 2,
// 3, 4}.

#include "runtime/random.h"

#include <gtest/gtest.h>

#include <array>

namespace hellwig {
namespace {

TEST(Random, SplitmixOfSeedZero) {
  std::uint64_t state = 0;
  EXPECT_EQ(splitmix64(state), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(splitmix64(state), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(splitmix64(state), 0x06C45D188009454Fu);
  EXPECT_EQ(splitmix64(state), 0xF88BB8A8724C81ECu);
}

TEST(Random, XoshiroFromAWrittenState) {
  Random random{{1, 2, 3, 4}};
  for (std::uint64_t expected :
       {std::uint64_t{11520}, std::uint64_t{0}, std::uint64_t{1509978240}, std::uint64_t{1215971899390074240},
        std::uint64_t{1216172134540287360}, std::uint64_t{607988272756665600},
        std::uint64_t{16172922978634559625u}, std::uint64_t{8476171486693032832}})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, XoshiroFromSeeds) {
  Random zero = Random::fromSeed(0);
  EXPECT_EQ(zero.next(), 0x99EC5F36CB75F2B4u);
  EXPECT_EQ(zero.next(), 0xBF6E1F784956452Au);
  EXPECT_EQ(zero.next(), 0x1A5F849D4933E6E0u);
  EXPECT_EQ(zero.next(), 0x6AA594F1262D2D2Cu);
  Random seven = Random::fromSeed(7);
  EXPECT_EQ(seven.next(), 0xB358FAF74EF9765Au);
  EXPECT_EQ(seven.next(), 0x475C3D964F482CD2u);
  EXPECT_EQ(seven.next(), 0xD6F1D349952C7996u);
  EXPECT_EQ(seven.next(), 0xFB2938731E807240u);
}

TEST(Random, DiceOfSeedSeven) {
  Random random = Random::fromSeed(7);
  for (std::uint32_t expected : {5, 2, 6, 6, 6, 6, 1, 1, 3, 1, 4, 5, 6, 6, 3, 4, 2, 3, 1, 1})
    EXPECT_EQ(random.below(6) + 1, expected);
}

// With n = 2^31 + 1 the rule of rejection refuses a draw whose low half is below 2^31 - 1, nearly every
// second.
TEST(Random, RejectionIsPartOfTheSequence) {
  Random random = Random::fromSeed(7);
  for (std::uint32_t expected : {2127856246u, 224274149u, 1162578065u, 1571653532u, 2016413269u, 1891612607u})
    EXPECT_EQ(random.below(0x80000001u), expected);
}

TEST(Random, BelowOneDrawsAndIsZero) {
  Random random = Random::fromSeed(7);
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_EQ(random.next(), 0x475C3D964F482CD2u);
}

// Chi-square over 600000 rolls; with 5 degrees of freedom 25.7 is exceeded once in 10000 generators.
TEST(Random, DiceAreEven) {
  Random random = Random::fromSeed(2026);
  std::array<int, 6> counts{};
  for (int i = 0; i < 600000; ++i) ++counts[random.below(6)];
  double chiSquare = 0;
  for (int count : counts) chiSquare += (count - 100000.0) * (count - 100000.0) / 100000.0;
  EXPECT_LT(chiSquare, 25.7);
}

TEST(Random, CopyContinuesAlike) {
  Random random = Random::fromSeed(1);
  random.next();
  Random copy = random;
  EXPECT_EQ(copy, random);
  EXPECT_EQ(copy.next(), random.next());
  EXPECT_EQ(copy, random);
}

} // namespace
} // namespace hellwig
