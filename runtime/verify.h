// SPDX-License-Identifier: Apache-2.0
// Checks that a module can do nothing but compute, fault or run out of fuel.
#pragma once

#include "runtime/module.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hellwig {

/// What is wrong with the module, naming body and instruction or the declaration; nothing if it may be run.
std::optional<std::string> verifyModule(const Module& module);

/// What a body and all it may call take of the image.
struct BodyNeeds {
  std::uint32_t words = 0; ///< registers from its frame on
  std::uint32_t depth = 0; ///< call records
};
/// The needs of all bodies; the text if calls form a cycle or go too deep. All ids in the code must be in
/// range.
std::optional<std::string> computeNeeds(const Module& module, std::vector<BodyNeeds>& needs);

/// Words of a set of the domain.
inline std::uint32_t setWordsOf(const Module& module, std::uint32_t domain) {
  return (module.domains[domain].size + 63) / 64;
}

/// Bounds of what a module may ask for.
inline constexpr std::uint32_t mostCounters = 30000, mostZones = 64, mostFrameWords = 1 << 20,
                               mostDepth = 400, mostEdgeItems = 64, mostWays = 16;
inline constexpr std::uint64_t mostImageWords = (std::uint64_t{256} << 20) / 8;

// ---- parts of verifyModule, each in its file

/// verify_code.cpp: the bodies. Everything else has been checked.
std::optional<std::string> verifyBodies(const Module& module);
/// Whether `pc` begins a fragment of the body that only computes and emits, and comes to an end.
std::optional<std::string> verifyFragment(const Module& module, std::uint32_t body, std::int64_t pc);

} // namespace hellwig
