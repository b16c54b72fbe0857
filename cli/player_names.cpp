// SPDX-License-Identifier: Apache-2.0
// Reads the value of --players.
#include "cli/player_names.h"

#include "cli/arguments.h"
#include "runtime/players.h"

namespace hellwig::cli {

std::vector<std::string> playerNames(std::string_view text) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t comma = text.find(',');
    std::string name(text.substr(0, comma));
    if (makePlayer(name, 0) == nullptr)
      throw UsageError{"unknown player '" + name + "': random and greedy can play" +
                       meant(name, {"random", "greedy"})};
    names.push_back(std::move(name));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  if (names.size() > 2) throw UsageError{"--players names one player, or one for each of the two sides"};
  if (names.size() == 1) names.push_back(names.front());
  return names;
}

} // namespace hellwig::cli
