// SPDX-License-Identifier: Apache-2.0
// The marks of a package as they are written: for the ledger, which asks for them whatever is in force.
#pragma once

#include "compiler/package.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hellwig {

struct Citation {
  std::string file;
  std::uint32_t line = 0;
  std::vector<std::string> ids;
  bool reconstructed = false;
  std::string reason; ///< why, as the mark says
};

/// All marks outside of tests, in the order of files and places.
std::vector<Citation> citationsOf(const Package& package);
/// The rule ids on the head of a test.
std::vector<std::string> headMarksOf(const Package& package, NodeRef test);

} // namespace hellwig
