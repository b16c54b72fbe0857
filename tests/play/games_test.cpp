// SPDX-License-Identifier: Apache-2.0
// Every game that ships, and every package of the benchmarks and the documentation, is clean and passes its
// own tests.
#include "runtime/test_runner.h"
#include "tests/play/play_fixture.h"

#include <algorithm>

namespace hellwig {
namespace {

class Packages : public testing::TestWithParam<const char*> {};

TEST_P(Packages, CheckClean) {
  DiagnosticSink sink;
  std::shared_ptr<Package> package = loadPackage(sourceFolder(GetParam()), sink);
  ASSERT_TRUE(package);
  checkPackage(*package, sink);
  EXPECT_EQ(render(sink), "");
}

TEST_P(Packages, PassTheirTests) {
  DiagnosticSink sink;
  std::shared_ptr<Package> package = loadPackage(sourceFolder(GetParam()), sink);
  ASSERT_TRUE(package);
  for (const TestRef& test : testsOf(*package)) {
    // Of a mod its own tests: those of the game may expect what it changes.
    if (!package->mods.empty() && package->files[test.node.file].owner == 0) continue;
    DiagnosticSink found;
    std::optional<CompiledTest> compiled = compileTest(*package, test, found);
    ASSERT_TRUE(compiled) << render(found);
    auto loaded = Program::load(std::move(compiled->module));
    ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const Program>>(loaded))
        << std::get<std::string>(loaded);
    TestOutcome outcome = runTest(std::get<std::shared_ptr<const Program>>(loaded), compiled->program);
    for (const TestFailure& failure : outcome.failures)
      ADD_FAILURE() << test.file << ":" << failure.place.line << ": " << test.title << ": "
                    << failure.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, Packages,
                         testing::Values("games/mollwitz", "games/mollwitz-column",
                                         "tests/bench/packages/hex", "tests/bench/packages/loops",
                                         "tests/bench/packages/march", "tests/play/packages/menus",
                                         "tests/play/packages/losses", "tests/play/packages/muster",
                                         "tests/play/packages/layers", "tests/play/packages/examples",
                                         "tests/play/packages/lines", "tests/play/packages/sheets",
                                         "tests/play/packages/routes", "tests/play/packages/walks",
                                         "docs/examples/skirmish"),
                         [](const testing::TestParamInfo<const char*>& parameter) {
                           std::string name = parameter.param;
                           name = name.substr(name.rfind('/') + 1);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
} // namespace hellwig
