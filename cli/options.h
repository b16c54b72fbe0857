// SPDX-License-Identifier: Apache-2.0
// What may be answered to a pending decision, as a person sees and types it.
#pragma once

#include "runtime/machine.h"

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hellwig::cli {

struct OptionList {
  std::vector<Answer> answers;
  std::vector<std::string> texts;
  std::vector<std::string> places; ///< where the counter of an option stands: a hex, a box; else empty
  std::size_t elements = 0;        ///< of a subset: how many of them are members; the rest are alternatives
  std::int32_t pass = -1;          ///< the option that passes, or -1
  bool hexes = false;              ///< they are hexes
  bool numbers = false; ///< they are numbers, which are typed as they are and have no places in the list
};

/// The options of the pending decision, as `viewer` may see them.
OptionList listOptions(Machine& machine, std::int32_t viewer);

/// The options with their numbers, in columns. Many counters are told by the hex or box where they are, many
/// hexes without numbers.
void showOptions(std::ostream& out, Machine& machine, const OptionList& options, std::int32_t viewer);

/// What a line means as an answer. Only its beginning may: the rest is for the decision after it, as in
/// "1 Pz 1411" for a unit and a hex. `problem` says why there is no answer.
struct Reading {
  std::optional<Answer> answer;
  std::string rest;
  std::string problem;
};
Reading readAnswer(const Machine& machine, const OptionList& options, std::string_view line);

} // namespace hellwig::cli
