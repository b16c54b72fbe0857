// SPDX-License-Identifier: Apache-2.0
// Explanations in words (language design, section 19).
#pragma once

#include "runtime/machine.h"

#include <string>

namespace hellwig {

/// "9 = 7 printed + 2 town [MO-016]" for a value; a reason with its ids for a refusal; a line for each value
/// or reason that the explanation holds. Without rules the ids are left out.
std::string explanationText(Machine& machine, const Explanation& explanation, bool withRules = true,
                            TextView view = {});
/// " [MO-012, MO-016]", or "" without rules.
std::string citation(const Module& module, const std::vector<std::uint16_t>& rules);

} // namespace hellwig
