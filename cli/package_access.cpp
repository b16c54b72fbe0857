// SPDX-License-Identifier: Apache-2.0
// Opening, choosing, compiling.
#include "cli/package_access.h"

#include "cli/console.h"
#include "runtime/test_runner.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <set>
#include <unistd.h>

namespace hellwig::cli {
namespace {

namespace fs = std::filesystem;

/// The name as the package writes it: exactly, or else but for capitals. Empty if there is none.
std::string matched(const std::string& word, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), word) != names.end()) return word;
  const auto same = [&](const std::string& name) {
    return std::equal(word.begin(), word.end(), name.begin(), name.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    });
  };
  const auto found = std::find_if(names.begin(), names.end(), same);
  return found == names.end() ? "" : *found;
}

std::string pick(const std::string& word, const std::vector<std::string>& names, const char* what) {
  std::string name = matched(word, names);
  if (!name.empty()) return name;
  std::string message = std::string("the game has no ") + what + " '" + word + "'" + meant(word, names);
  if (names.empty()) throw UsageError{message};
  message += "\nIt has:";
  for (const std::string& known : names) message += "\n  " + known;
  throw UsageError{message};
}

/// Does `scenario` extend the scenario that declares the option?
bool offered(const Package& package, const OptionInfo& option, std::string scenario) {
  if (option.scenario.empty()) return true;
  for (std::size_t steps = 0; steps <= package.scenarios.size(); ++steps) {
    if (scenario == option.scenario) return true;
    const auto found = std::find_if(package.scenarios.begin(), package.scenarios.end(),
                                    [&](const ScenarioInfo& info) { return info.name == scenario; });
    if (found == package.scenarios.end()) return false;
    scenario = found->base;
  }
  return false;
}

std::vector<std::string> playableScenarios(const Package& package) {
  std::vector<std::string> names;
  for (const ScenarioInfo& scenario : package.scenarios)
    if (scenario.playable) names.push_back(scenario.name);
  return names;
}

std::shared_ptr<const Program> load(std::optional<Module> module, std::string& problem) {
  if (!module) return nullptr;
  std::variant<std::shared_ptr<const Program>, std::string> loaded = Program::load(std::move(*module));
  if (const std::string* error = std::get_if<std::string>(&loaded)) {
    problem = "the compiled module is not sound (a fault of the compiler): " + *error;
    return nullptr;
  }
  return std::get<std::shared_ptr<const Program>>(loaded);
}

} // namespace

std::vector<OptionSpec> selectionOptions() {
  return {{"--scenario", "NAME", "the scenario; default: the first of the game"},
          {"--option", "NAME", "switch an optional rule on (may be given several times)"},
          {"--no-option", "NAME", "switch off one that is on by default"}};
}

std::shared_ptr<Package> openPackage(const std::string& folder, DiagnosticSink& sink) {
  return loadPackage(folder, sink);
}

Selection chooseSelection(const Package& package, const Arguments& arguments) {
  Selection selection;
  const std::vector<std::string> scenarios = playableScenarios(package);
  if (arguments.has("--scenario"))
    selection.scenario = pick(arguments.text("--scenario"), scenarios, "scenario");
  else if (!scenarios.empty())
    selection.scenario = scenarios.front();

  std::vector<std::string> known, on, off;
  for (const OptionInfo& option : package.options)
    if (offered(package, option, selection.scenario)) known.push_back(option.name);
  for (const std::string& word : arguments.all("--option")) on.push_back(pick(word, known, "option"));
  for (const std::string& word : arguments.all("--no-option")) off.push_back(pick(word, known, "option"));
  for (const OptionInfo& option : package.options) {
    if (!offered(package, option, selection.scenario)) continue;
    const auto in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), option.name) != names.end();
    };
    if (in(on) && in(off)) throw UsageError{"option '" + option.name + "' cannot be both on and off"};
    if (in(on) || (onByDefault(package, option, selection.scenario) && !in(off))) selection.options.push_back(option.name);
  }
  return selection;
}

RecordError selectionOf(const Package& package, const RecordHeader& header, Selection& selection) {
  // The header has a line each for the game, the package, the scenario and the options.
  if (header.title != package.title)
    return {2, "this is a record of the game \"" + header.title + "\", not of \"" + package.title + "\"", 0};
  const std::vector<std::string> scenarios = playableScenarios(package);
  if (!header.scenario.empty() &&
      std::find(scenarios.begin(), scenarios.end(), header.scenario) == scenarios.end())
    return {4, "the game has no scenario \"" + header.scenario + "\", which the record was made with", 0};
  for (const std::string& name : header.options)
    if (std::none_of(package.options.begin(), package.options.end(),
                     [&](const OptionInfo& option) { return option.name == name; }))
      return {5, "the game has no option \"" + name + "\", which the record was made with", 0};
  selection.scenario = header.scenario;
  selection.options = header.options;
  return {};
}

std::shared_ptr<const Program> loadProgram(const std::string& folder, const Arguments& arguments) {
  DiagnosticSink sink;
  const std::shared_ptr<Package> package = openPackage(folder, sink);
  std::shared_ptr<const Program> program;
  std::string problem;
  if (package != nullptr && !sink.hasErrors()) {
    const Selection selection = chooseSelection(*package, arguments);
    program = load(compile(*package, selection, sink), problem);
  }
  // Warnings are for `check`; who plays wants to know only what stops him.
  if (program == nullptr) {
    printDiagnostics(sink);
    if (!problem.empty())
      std::cerr << folder << ": " << problem << "\n";
    else if (!sink.hasErrors())
      std::cerr << folder << ": this is not a game that can be run\n";
  }
  return program;
}

std::shared_ptr<const Program> loadProgramFor(const std::string& folder, const RecordHeader& header,
                                              RecordError& problem) {
  DiagnosticSink sink;
  const std::shared_ptr<Package> package = openPackage(folder, sink);
  std::shared_ptr<const Program> program;
  Selection selection;
  if (package != nullptr && !sink.hasErrors()) {
    problem = selectionOf(*package, header, selection);
    if (!problem.message.empty()) return nullptr;
    program = load(compile(*package, selection, sink), problem.message);
  }
  if (program == nullptr) {
    printDiagnostics(sink);
    if (problem.message.empty()) problem.message = folder + " has errors or cannot be read";
  }
  return program;
}

std::string gameFolderOf(const std::string& title) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("games", error)) {
    if (!entry.is_directory()) continue;
    DiagnosticSink sink;
    const std::shared_ptr<Package> package = openPackage(entry.path().string(), sink);
    if (package != nullptr && package->title == title) return entry.path().string();
  }
  throw UsageError{"which GAME? There is none called \"" + title + "\" in the folder games"};
}

bool isOwn(const Package& package, const TestRef& test) {
  return package.mods.empty() || package.files[test.node.file].owner != 0;
}

void runPackageTests(Package& package, const std::string& filter, bool ofTheGame, DiagnosticSink& sink,
                     const std::function<void(const TestReport&)>& done) {
  // An error of the game itself would come with every test.
  std::set<std::string> told;
  for (const TestRef& test : testsOf(package)) {
    if (test.title.find(filter) == std::string::npos || (!ofTheGame && !isOwn(package, test))) continue;
    TestReport report{test.title, test.file, test.line, false, {}};
    DiagnosticSink found;
    std::optional<CompiledTest> compiled = compileTest(package, test, found);
    if (!compiled) {
      for (const Diagnostic& diagnostic : found.all())
        if (diagnostic.severity == Severity::error && told.insert(render(diagnostic)).second)
          sink.report(diagnostic);
      report.failures.push_back({test.file, test.line, "the test does not compile"});
      done(report);
      continue;
    }
    std::string problem;
    const std::shared_ptr<const Program> program = load(std::move(compiled->module), problem);
    if (program == nullptr) {
      report.failures.push_back({test.file, test.line, problem});
      done(report);
      continue;
    }
    const TestOutcome outcome = runTest(program, compiled->program);
    report.passed = outcome.passed;
    const std::vector<std::string>& files = program->module().files;
    for (const TestFailure& failure : outcome.failures)
      report.failures.push_back({failure.place.file < files.size() ? files[failure.place.file] : test.file,
                                 failure.place.line, failure.message});
    done(report);
  }
}

void printDiagnostics(const DiagnosticSink& sink) {
  const PrintStyle style{errorsAreTerminal()};
  std::cerr << render(sink, style);
}

} // namespace hellwig::cli
