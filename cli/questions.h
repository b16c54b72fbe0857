// SPDX-License-Identifier: Apache-2.0
// Answers to `why` and `explain` in a game under way.
#pragma once

#include "runtime/machine.h"

#include <string>

namespace hellwig::cli {

struct Reply {
  std::string text;
  bool understood = true; ///< false: the text says what can be asked
};

/// Why a hex or counter is not among the options pending; of a counter and a hex, why its routes do not lead
/// there. `words`: "0508", "Infantry 2", "Infantry 2 0508".
Reply answerWhy(Machine& machine, std::string_view words, std::int32_t viewer);

/// A value, permission, route or zone with its arguments: "defense Infantry 2", "attack Cavalry 1, Hussars".
Reply answerExplain(Machine& machine, std::string_view words, std::int32_t viewer);

/// Either: what begins with the name of a value, permission, route or zone is explained.
Reply answerQuestion(Machine& machine, std::string_view words, std::int32_t viewer);

} // namespace hellwig::cli
