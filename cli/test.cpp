// SPDX-License-Identifier: Apache-2.0
// hellwig test: runs the tests that a game's package holds.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"

#include <iostream>

namespace hellwig::cli {
namespace {

llvm::json::Value toJson(const TestReport& report) {
  llvm::json::Object test;
  test["name"] = jsonText(report.name);
  test["file"] = jsonText(report.file);
  test["line"] = static_cast<std::int64_t>(report.line);
  test["passed"] = report.passed;
  llvm::json::Array failures;
  for (const TestReport::Failure& failure : report.failures)
    failures.push_back(llvm::json::Object{{"file", jsonText(failure.file)},
                                          {"line", static_cast<std::int64_t>(failure.line)},
                                          {"message", jsonText(failure.message)}});
  test["failures"] = std::move(failures);
  return test;
}

void print(const TestReport& report) {
  if (report.passed) return;
  std::cout << "FAILED " << report.file << ":" << report.line << ": " << report.name << "\n";
  for (const TestReport::Failure& failure : report.failures) {
    std::cout << "  " << failure.file << ":" << failure.line << ": ";
    for (const char c : failure.message) std::cout << c << (c == '\n' ? "    " : "");
    std::cout << "\n";
  }
}

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  DiagnosticSink sink;
  const std::shared_ptr<Package> package = openPackage(folder, sink);
  std::int64_t passed = 0, failures = 0;
  llvm::json::Array tests;
  if (package != nullptr && !sink.hasErrors())
    runPackageTests(*package, arguments.text("--filter"), arguments.has("--game-tests"), sink,
                    [&](const TestReport& report) {
                      (report.passed ? passed : failures) += 1;
                      if (json)
                        tests.push_back(toJson(report));
                      else
                        print(report);
                    });
  const bool bad = package == nullptr || sink.hasErrors();
  if (bad) printDiagnostics(sink);
  if (json)
    printJson(llvm::json::Object{{"game", jsonText(folder)},
                                 {"compiled", !bad},
                                 {"passed", passed},
                                 {"failed", failures},
                                 {"tests", std::move(tests)}});
  else
    std::cout << passed << " passed, " << failures << " failed\n";
  if (!bad && passed + failures == 0 && arguments.has("--filter")) {
    std::cerr << "hellwig test: no test has '" << arguments.text("--filter") << "' in its name\n";
    return wrongUse;
  }
  return bad || failures != 0 ? failed : fine;
}

} // namespace

Command testCommand() {
  return {"test",
          "GAME",
          "run the tests written in a game's package",
          "The last line says how many passed and failed.",
          {{"--game-tests", "", "of a mod: the tests of the game it changes, too"},
           {"--filter", "TEXT", "only tests whose name contains this"},
           {"--format", "text|json", "how to print"}},
          run};
}

} // namespace hellwig::cli
