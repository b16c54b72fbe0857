// SPDX-License-Identifier: Apache-2.0
// hellwig check: is the game free of errors, in every combination of scenario and options?
#include "cli/command.h"
#include "cli/console.h"
#include "cli/fix.h"
#include "compiler/workspace.h"

#include <iostream>

namespace hellwig::cli {
namespace {

struct Checked {
  std::unique_ptr<Workspace> workspace;
  const Package* package = nullptr;
  DiagnosticSink sink;
};

Checked check(const std::string& folder) {
  Checked out;
  out.workspace = std::make_unique<Workspace>(folder);
  out.workspace->checkAll();
  out.package = out.workspace->package();
  out.sink = out.workspace->diagnostics();
  if (out.package != nullptr) judgeFixes(*out.package, out.sink);
  return out;
}

/// A change in one line: what was written, what stands there now.
std::string told(const FixReport::Made& made) {
  std::string out = made.file + ":" + std::to_string(made.at.line) + ":" + std::to_string(made.at.column) +
                    ": " + codeText(made.code) + ": ";
  if (made.written.find_first_not_of(' ') == std::string::npos)
    return out + "put in `" + made.replacement + "`";
  if (made.replacement.empty()) return out + "took out `" + made.written + "`";
  return out + "`" + made.written + "` is now `" + made.replacement + "`";
}

llvm::json::Array toJson(const FixReport& report) {
  llvm::json::Array out;
  for (const FixReport::Made& made : report.made)
    out.push_back(llvm::json::Object{{"code", codeText(made.code)},
                                     {"file", jsonText(made.file)},
                                     {"line", made.at.line},
                                     {"column", made.at.column},
                                     {"offset", made.range.offset},
                                     {"length", made.range.length},
                                     {"written", jsonText(made.written)},
                                     {"replacement", jsonText(made.replacement)}});
  return out;
}

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  Checked checked = check(folder);
  FixReport report;
  if (arguments.has("--fix") && checked.package != nullptr) {
    report = makeSafeFixes(*checked.package, checked.sink);
    // What is told is what is left.
    if (!report.made.empty()) checked = check(folder);
    for (const std::string& problem : report.problems) std::cerr << "hellwig check: " << problem << "\n";
  }
  const DiagnosticSink& sink = checked.sink;
  const bool bad = checked.package == nullptr || sink.hasErrors() || !report.problems.empty() ||
                   (arguments.has("--werror") && sink.warningCount() != 0);
  const std::size_t files = checked.package == nullptr ? 0 : checked.package->files.size();
  if (json) {
    llvm::Expected<llvm::json::Value> list = llvm::json::parse(renderJson(sink));
    llvm::json::Object out;
    out["game"] = jsonText(folder);
    out["files"] = static_cast<std::int64_t>(files);
    out["errors"] = static_cast<std::int64_t>(sink.errorCount());
    out["warnings"] = static_cast<std::int64_t>(sink.warningCount());
    if (arguments.has("--fix")) out["fixed"] = toJson(report);
    if (list)
      out["diagnostics"] = std::move(*list);
    else
      llvm::consumeError(list.takeError());
    printJson(std::move(out));
    return bad ? failed : fine;
  }
  for (const FixReport::Made& made : report.made) std::cout << told(made) << "\n";
  std::cout << render(sink, PrintStyle{outputHasColour()});
  std::cout << folder << ": " << counted(files, "file", "files") << ", "
            << (sink.hasErrors() ? counted(sink.errorCount(), "error", "errors") : "no errors");
  if (sink.warningCount() != 0) std::cout << ", " << counted(sink.warningCount(), "warning", "warnings");
  if (!report.made.empty()) std::cout << ", " << counted(report.made.size(), "change made", "changes made");
  std::cout << "\n";
  return bad ? failed : fine;
}

} // namespace

Command checkCommand() {
  return {"check",
          "GAME",
          "report all errors and warnings of a game's rules",
          "Checks every scenario with no option, with each alone, with the defaults and with all of them.\n"
          "With --fix the changes that can only be meant in one way are written into the files first.",
          {{"--fix", "", "make the safe changes; what is told is what is left"},
           {"--werror", "", "warnings count as errors for the exit code"},
           {"--format", "text|json", "how to print; json: errors, warnings, diagnostics"}},
          run};
}

} // namespace hellwig::cli
