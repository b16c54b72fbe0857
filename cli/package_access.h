// SPDX-License-Identifier: Apache-2.0
// The one place where the commands reach the compiler: opening a game, choosing scenario and options,
// compiling and loading it.
#pragma once

#include "cli/arguments.h"
#include "compiler/compile.h"
#include "lang/diagnostic.h"
#include "runtime/program.h"
#include "runtime/record.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hellwig::cli {

/// --scenario, --option, --no-option: for commands that compile one combination.
std::vector<OptionSpec> selectionOptions();

/// Reads and parses a game's folder. Problems are in the sink; null if there is nothing to work with.
std::shared_ptr<Package> openPackage(const std::string& folder, DiagnosticSink& sink);
/// The default scenario (the first playable one) or the one asked for, and its options. Throws UsageError for
/// names that the package does not have.
Selection chooseSelection(const Package& package, const Arguments& arguments);
/// The selection that a record was made with. A problem says in which line what the package does not have.
RecordError selectionOf(const Package& package, const RecordHeader& header, Selection& selection);

/// Opens, compiles and loads; tells problems on standard error. Null if the game cannot be run.
std::shared_ptr<const Program> loadProgram(const std::string& folder, const Arguments& arguments);
std::shared_ptr<const Program> loadProgramFor(const std::string& folder, const RecordHeader& header,
                                              RecordError& problem);

/// The folder in `games` whose game has this title: for a record that is given without a GAME.
std::string gameFolderOf(const std::string& title);

struct TestReport {
  std::string name, file;
  std::uint32_t line = 0;
  bool passed = false;
  struct Failure {
    std::string file;
    std::uint32_t line = 0;
    std::string message; ///< what was expected and what was found
  };
  std::vector<Failure> failures;
};
/// Of a mod: does the test stand in the mod itself? Of a game: yes.
bool isOwn(const Package& package, const TestRef& test);
/// Runs the test blocks whose name contains `filter`, one after another; of a mod its own, and those of the
/// game only if `ofTheGame`. What does not compile is in the sink.
void runPackageTests(Package& package, const std::string& filter, bool ofTheGame, DiagnosticSink& sink,
                     const std::function<void(const TestReport&)>& done);

/// Prints what is in the sink to standard error.
void printDiagnostics(const DiagnosticSink& sink);

} // namespace hellwig::cli
