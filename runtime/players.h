// SPDX-License-Identifier: Apache-2.0
// Computer players. They know of a game what any host knows: its legal options and, if it has one, its
// `interest`.
#pragma once

#include "runtime/machine.h"

#include <memory>
#include <string_view>

namespace hellwig {

class Player {
public:
  virtual ~Player() = default;
  /// A legal answer to the pending decision of the machine, which is left as it was.
  virtual Answer choose(Machine& machine) = 0;
};

/// Draws among the options, each as likely as any other; for a subset first a size, then members, rejecting
/// what is not legal.
std::unique_ptr<Player> randomPlayer(std::uint64_t seed);
/// One ply on `interest`: applies each option (a bounded number of subsets) to a copy with dice of its own in
/// which what its owner cannot see is dealt anew, plays on with forced answers alone, and takes the best;
/// ties at random.
std::unique_ptr<Player> greedyPlayer(std::uint64_t seed);
/// "random" or "greedy"; null for another name.
std::unique_ptr<Player> makePlayer(std::string_view name, std::uint64_t seed);

} // namespace hellwig
