// SPDX-License-Identifier: Apache-2.0
// hellwig coverage: which printed rules are cited by the game, and which its tests exercise.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"
#include "compiler/citations.h"
#include "compiler/compile.h"
#include "runtime/test_runner.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace hellwig::cli {
namespace {

constexpr LowerOptions observed{true, true};

struct Ledger {
  std::vector<RuleInfo> rules; ///< all entries of the rulebook
  std::set<std::string> cited, acting, tested;
  std::vector<Citation> reconstructed;
  std::vector<std::string> failedTests;
  std::size_t tests = 0;
};

void addMarks(const Module& module, std::uint16_t marks, std::set<std::string>& ids) {
  for (const std::uint16_t rule : module.marks[marks].rules) ids.insert(module.rules[rule].id);
}

/// The rules cited by something that acts or decides, and so can be seen to: the others are cited by data
/// alone.
void gatherActing(const Module& module, Ledger& ledger) {
  for (const RuleInfo& rule : module.rules)
    if (std::none_of(ledger.rules.begin(), ledger.rules.end(),
                     [&](const RuleInfo& known) { return known.id == rule.id; }))
      ledger.rules.push_back(rule);
  for (const Body& body : module.bodies)
    for (const Instruction& in : body.code)
      if (in.op == Op::cover) addMarks(module, static_cast<std::uint16_t>(in.d), ledger.acting);
  for (const Table& table : module.tables) {
    addMarks(module, table.tableMarks, ledger.acting);
    for (const std::uint16_t marks : table.marks) addMarks(module, marks, ledger.acting);
  }
  for (const VictoryClause& clause : module.victory) addMarks(module, clause.marks, ledger.acting);
  for (const Hidden& hidden : module.hidden) addMarks(module, hidden.marks, ledger.acting);
}

bool expects(const TestProgram& test) {
  return std::any_of(test.steps.begin(), test.steps.end(), [](const TestStep& step) {
    using Kind = TestStep::Kind;
    switch (step.kind) {
    case Kind::expect:
    case Kind::expectRefused:
    case Kind::expectRefusedOption:
    case Kind::expectDecision:
    case Kind::expectChoices:
    case Kind::expectHappened:
    case Kind::expectRolled:
    case Kind::expectHidden:
    case Kind::expectWinner: return true;
    default: return false;
    }
  });
}

/// Compiles every scenario with all its options, which shows what the rules cite.
bool gatherScenarios(Package& package, Ledger& ledger, DiagnosticSink& sink) {
  std::vector<std::string> scenarios;
  for (const ScenarioInfo& scenario : package.scenarios)
    if (scenario.playable) scenarios.push_back(scenario.name);
  if (scenarios.empty()) scenarios.emplace_back();
  for (const std::string& scenario : scenarios) {
    const std::optional<Module> module =
        compile(package, {scenario, optionsFor(package, scenario), ""}, sink, observed);
    if (!module) return false;
    gatherActing(*module, ledger);
  }
  return true;
}

/// Plays the tests. A rule is tested if something that cites it acted or decided in a test that passed and
/// expects something, or an expectation that bears its mark was met; a rule that only data cite, if such a
/// test bears its mark on its head.
void playTests(Package& package, bool ofTheGame, Ledger& ledger, DiagnosticSink& sink) {
  std::set<std::string> claimed;
  for (const TestRef& test : testsOf(package)) {
    if (!ofTheGame && !isOwn(package, test)) continue;
    ++ledger.tests;
    std::optional<CompiledTest> compiled = compileTest(package, test, sink, observed);
    if (!compiled) {
      ledger.failedTests.push_back(test.title);
      continue;
    }
    gatherActing(compiled->module, ledger);
    auto loaded = Program::load(std::move(compiled->module));
    const auto* program = std::get_if<std::shared_ptr<const Program>>(&loaded);
    if (program == nullptr) {
      ledger.failedTests.push_back(test.title);
      continue;
    }
    const TestOutcome outcome = runTest(*program, compiled->program, true);
    if (!outcome.passed) ledger.failedTests.push_back(test.title);
    if (!outcome.passed || !expects(compiled->program)) continue;
    for (std::size_t marks = 0; marks < outcome.covered.size(); ++marks)
      if (outcome.covered[marks] != 0)
        addMarks((*program)->module(), static_cast<std::uint16_t>(marks), ledger.tested);
    for (const std::string& id : headMarksOf(package, test.node)) claimed.insert(id);
  }
  for (const std::string& id : claimed)
    if (ledger.acting.count(id) == 0) ledger.tested.insert(id);
}

struct Report {
  std::size_t rules = 0, cited = 0, tested = 0;
  std::vector<const RuleInfo*> uncited, untested, noRule, readings;
};

Report reportOf(const Ledger& ledger) {
  Report out;
  for (const RuleInfo& rule : ledger.rules) {
    if (rule.note == "no rule") {
      out.noRule.push_back(&rule);
      continue;
    }
    ++out.rules;
    if (rule.note.starts_with("reading")) out.readings.push_back(&rule);
    const bool cited = ledger.cited.count(rule.id) != 0, tested = ledger.tested.count(rule.id) != 0;
    out.cited += cited ? 1U : 0U;
    out.tested += tested ? 1U : 0U;
    if (!cited) out.uncited.push_back(&rule);
    if (!tested) out.untested.push_back(&rule);
  }
  return out;
}

std::string readingOf(const RuleInfo& rule) {
  const std::size_t first = rule.note.find('"'), last = rule.note.rfind('"');
  return first == last ? rule.note.substr(std::min<std::size_t>(rule.note.size(), 8))
                       : rule.note.substr(first + 1, last - first - 1);
}

llvm::json::Array idsOf(const std::vector<const RuleInfo*>& rules) {
  llvm::json::Array out;
  for (const RuleInfo* rule : rules) out.push_back(jsonText(rule->id));
  return out;
}

llvm::json::Object toJson(const Package& package, const Ledger& ledger, const Report& report) {
  llvm::json::Array readings, reconstructed, failures;
  for (const RuleInfo* rule : report.readings)
    readings.push_back(llvm::json::Object{{"id", jsonText(rule->id)},
                                          {"title", jsonText(rule->title)},
                                          {"reading", jsonText(readingOf(*rule))}});
  for (const Citation& one : ledger.reconstructed) {
    llvm::json::Array ids;
    for (const std::string& id : one.ids) ids.push_back(jsonText(id));
    reconstructed.push_back(llvm::json::Object{{"file", jsonText(one.file)},
                                               {"line", one.line},
                                               {"ids", std::move(ids)},
                                               {"reason", jsonText(one.reason)}});
  }
  for (const std::string& title : ledger.failedTests) failures.push_back(jsonText(title));
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  return llvm::json::Object{{"game", jsonText(package.title)},
                            {"rules", number(report.rules)},
                            {"cited", number(report.cited)},
                            {"tested", number(report.tested)},
                            {"tests", number(ledger.tests)},
                            {"failed_tests", std::move(failures)},
                            {"uncited", idsOf(report.uncited)},
                            {"untested", idsOf(report.untested)},
                            {"no_rule", idsOf(report.noRule)},
                            {"readings", std::move(readings)},
                            {"reconstructed", std::move(reconstructed)}};
}

void print(const Package& package, const Ledger& ledger, const Report& report) {
  std::cout << package.title << ": " << counted(report.rules, "rule", "rules") << ", " << report.cited
            << " cited, " << report.tested << " tested by " << counted(ledger.tests, "test", "tests") << "\n";
  const auto list = [](const char* heading, const std::vector<const RuleInfo*>& rules, bool reading) {
    if (rules.empty()) return;
    std::cout << "\n" << heading << "\n";
    for (const RuleInfo* rule : rules)
      std::cout << "  " << rule->id << "  " << rule->title << (reading ? ": " + readingOf(*rule) : "")
                << "\n";
  };
  list("Nothing in the game cites:", report.uncited, false);
  list("No test exercises:", report.untested, false);
  list("Read as:", report.readings, true);
  if (!ledger.reconstructed.empty()) std::cout << "\nReconstructed:\n";
  for (const Citation& one : ledger.reconstructed) {
    std::string ids;
    for (const std::string& id : one.ids) ids += (ids.empty() ? "" : ", ") + id;
    std::cout << "  " << one.file << ":" << one.line << "  " << (ids.empty() ? "" : ids + ": ") << one.reason
              << "\n";
  }
  list("No rule, nothing to cite:", report.noRule, false);
  if (!ledger.failedTests.empty()) std::cout << "\nThese tests fail, and count for nothing:\n";
  for (const std::string& title : ledger.failedTests) std::cout << "  " << title << "\n";
}

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  DiagnosticSink sink;
  const std::shared_ptr<Package> package = openPackage(folder, sink);
  Ledger ledger;
  if (package == nullptr || sink.hasErrors() || !gatherScenarios(*package, ledger, sink)) {
    printDiagnostics(sink);
    return failed;
  }
  for (const Citation& citation : citationsOf(*package)) {
    ledger.cited.insert(citation.ids.begin(), citation.ids.end());
    if (citation.reconstructed) ledger.reconstructed.push_back(citation);
  }
  DiagnosticSink ofTests;
  playTests(*package, arguments.has("--game-tests"), ledger, ofTests);
  const Report report = reportOf(ledger);
  if (json)
    printJson(toJson(*package, ledger, report));
  else
    print(*package, ledger, report);
  return ledger.failedTests.empty() ? fine : failed;
}

} // namespace

Command coverageCommand() {
  return {
      "coverage",
      "GAME",
      "which printed rules are cited, and which the tests exercise",
      "A rule is tested if something that cites it acted or decided in a test that passes and expects\n"
      "something, or if an expectation with its mark was met. A rule that only data cite (counters, areas)\n"
      "is tested if such a test bears its mark. The games of 'play n games' do not count.",
      {{"--game-tests", "", "of a mod: the tests of the game it changes, too"},
       {"--format", "text|json", "how to print"}},
      run};
}

} // namespace hellwig::cli
