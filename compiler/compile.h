// SPDX-License-Identifier: Apache-2.0
// What a host asks of the compiler: check a package, compile it for one selection, compile its tests.
#pragma once

#include "compiler/fold.h"
#include "compiler/lower.h"
#include "compiler/package.h"
#include "runtime/module.h"
#include "runtime/test_program.h"

#include <optional>
#include <string>
#include <vector>

namespace hellwig {

/// The scenario named (or the first that can be played) with the options that are on by default.
Selection defaultSelection(const Package& package, const std::string& scenario = "");

/// Types every combination that the language asks for: each scenario with no option, with each alone, with
/// the defaults and with all; and every test. What several of them tell is told once.
void checkPackage(Package& package, DiagnosticSink& sink);

/// The module for one selection, or nullopt if the sink got an error.
std::optional<Module> compile(Package& package, const Selection& selection, DiagnosticSink& sink,
                              const LowerOptions& options = {});

struct TestRef {
  NodeRef node;
  std::string title, file;
  std::uint32_t line = 0;
};
struct CompiledTest {
  Module module;
  TestProgram program;
};
std::vector<TestRef> testsOf(const Package& package);
/// A module of its own for one test, with the options and the scenario that it names.
std::optional<CompiledTest> compileTest(Package& package, const TestRef& test, DiagnosticSink& sink,
                                        const LowerOptions& options = {});
/// The options that can be chosen with a scenario, in the order in which they apply.
std::vector<std::string> optionsFor(const Package& package, const std::string& scenario);

} // namespace hellwig
