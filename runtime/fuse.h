// SPDX-License-Identifier: Apache-2.0
// Common sequences of instructions made into one when a module is loaded.
#pragma once

#include "runtime/module.h"

#include <vector>

namespace hellwig {

inline constexpr std::uint16_t instructionCount = 0
#define HELLWIG_INSTRUCTION(name, A, B, C, D, E) +1
#include "runtime/instructions.def"
#undef HELLWIG_INSTRUCTION
    ;

/// The instructions of fused.def are numbered after those of a module.
enum class FusedOp : std::uint16_t {
  before = instructionCount - 1,
#define HELLWIG_FUSED(name) name,
#include "runtime/fused.def"
#undef HELLWIG_FUSED
};

/// The code of a verified body with what can be fused fused. Every instruction keeps its place.
std::vector<Instruction> fuse(const Module& module, const std::vector<Instruction>& code);

} // namespace hellwig
