// SPDX-License-Identifier: Apache-2.0
// Plays a `test` block (language design, section 20) and tells what did not come as expected.
#pragma once

#include "runtime/program.h"
#include "runtime/test_program.h"

#include <memory>
#include <string>
#include <vector>

namespace hellwig {

struct TestFailure {
  SourcePlace place;
  std::string message; ///< in the author's terms: what was expected, what was found
};
struct TestOutcome {
  bool passed = true;
  std::vector<std::uint8_t>
      covered; ///< by mark set: what bears it acted or decided; if `coverage` was asked for
  std::vector<TestFailure> failures; ///< the first ends the test, but for expectations, which are all tried
};
/// The module of the program must be the one that was compiled for this test. For `coverage` it must have
/// been compiled so; the games of `play n games` do not count.
TestOutcome runTest(std::shared_ptr<const Program> program, const TestProgram& test, bool coverage = false);

} // namespace hellwig
