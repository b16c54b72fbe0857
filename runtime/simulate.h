// SPDX-License-Identifier: Apache-2.0
// Many games of one program by computer players. Game k of a run depends on (seed, k) alone, so that any
// split over threads gives the same results.
#pragma once

#include "runtime/program.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hellwig {

struct SimulationSpec {
  std::uint64_t games = 100, seed = 1;
  unsigned threads = 0;                                    ///< 0: one for each core
  std::vector<std::string> players = {"random", "random"}; ///< one a side
};
struct GameOutcome {
  std::int32_t winner = -1; ///< side; -1 draw
  bool faulted = false;
  std::string text; ///< why it ended, or the fault
  std::int64_t turns = 0;
  std::uint64_t decisions = 0, stateHash = 0;
};
struct SimulationResult {
  std::vector<GameOutcome> outcomes; ///< by game number; shorter than asked if cancelled
  double seconds = 0;
};
SimulationResult simulate(std::shared_ptr<const Program> program, const SimulationSpec& spec,
                          const std::function<void(std::uint64_t done)>& progress = {},
                          const std::atomic<bool>* cancel = nullptr);

} // namespace hellwig
