// SPDX-License-Identifier: Apache-2.0
// The value of --players.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hellwig::cli {

/// "greedy" or "random,greedy": a name for both sides, or one a side. Throws UsageError for an unknown name.
std::vector<std::string> playerNames(std::string_view text);

} // namespace hellwig::cli
