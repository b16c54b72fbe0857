// SPDX-License-Identifier: Apache-2.0
// The one random generator of the project: xoshiro256** seeded by splitmix64.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace hellwig {

// The splitmix64 sequence of Sebastiano Vigna (public domain). It serves only to spread a seed over the state
// of the generator below. Advances `state` and returns the next output.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The generator xoshiro256** 1.0 of David Blackman and Sebastiano Vigna (public domain). Records name it so
// that a game can be replayed; a change of the algorithm needs a new name.
//
// Plain data of four words, so that it is saved, compared and cloned with the state that holds it. A state of
// four zeros is not valid: it yields only zeros. fromSeed never makes it.
struct Random {
  static constexpr const char* name = "xoshiro256**";

  std::array<std::uint64_t, 4> state;

  // Every seed is allowed; equal seeds give equal sequences on every machine.
  static constexpr Random fromSeed(std::uint64_t seed) {
    Random r{};
    for (std::uint64_t& word : r.state) word = splitmix64(seed);
    return r;
  }

  // The next 64 bits.
  constexpr std::uint64_t next() {
    const std::uint64_t result = rotateLeft(state[1] * 5, 7) * 9;
    const std::uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotateLeft(state[3], 45);
    return result;
  }

  // A number of 0 .. n - 1, each exactly as likely; n is at least 1. Lemire's method: the high half of a
  // 32-bit draw times n, drawn again in the rare cases that would favour some numbers. It takes the upper
  // half of each 64-bit output, at least one, also for n = 1.
  constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = (next() >> 32) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  friend constexpr bool operator==(const Random&, const Random&) = default;

private:
  static constexpr std::uint64_t rotateLeft(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
};

static_assert(std::is_trivially_copyable_v<Random> && sizeof(Random) == 32);

} // namespace hellwig
