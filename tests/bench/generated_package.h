// SPDX-License-Identifier: Apache-2.0
// A valid package of any size, for measuring the compiler: one map, one order of battle, and as many modules
// of rules as are asked for, each with its tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hellwig::bench {

struct GeneratedSize {
  int modules = 46;            ///< files of rules, of about 90 lines
  int columns = 40, rows = 30; ///< of the map
  int units = 240;             ///< rows of the order of battle
  int scenarios = 3, options = 3;
};

/// Paths and texts of the files. With the usual size it has about 5000 lines.
std::vector<std::pair<std::string, std::string>> generatedPackage(const GeneratedSize& size = {});

} // namespace hellwig::bench
