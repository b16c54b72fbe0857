// SPDX-License-Identifier: Apache-2.0
// hellwig check: is the game free of errors, in every combination of scenario and options?
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"

#include <iostream>

namespace hellwig::cli {
namespace {

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  DiagnosticSink sink;
  const std::shared_ptr<Package> package = openPackage(folder, sink);
  if (package != nullptr) checkPackage(*package, sink);
  sink.sort();
  const bool bad =
      package == nullptr || sink.hasErrors() || (arguments.has("--werror") && sink.warningCount() != 0);
  const std::size_t files = package == nullptr ? 0 : package->files.size();
  if (json) {
    llvm::Expected<llvm::json::Value> list = llvm::json::parse(renderJson(sink));
    llvm::json::Object out;
    out["game"] = jsonText(folder);
    out["files"] = static_cast<std::int64_t>(files);
    out["errors"] = static_cast<std::int64_t>(sink.errorCount());
    out["warnings"] = static_cast<std::int64_t>(sink.warningCount());
    if (list)
      out["diagnostics"] = std::move(*list);
    else
      llvm::consumeError(list.takeError());
    printJson(std::move(out));
    return bad ? failed : fine;
  }
  std::cout << render(sink, PrintStyle{outputHasColour()});
  std::cout << folder << ": " << counted(files, "file", "files") << ", "
            << (sink.hasErrors() ? counted(sink.errorCount(), "error", "errors") : "no errors");
  if (sink.warningCount() != 0) std::cout << ", " << counted(sink.warningCount(), "warning", "warnings");
  std::cout << "\n";
  return bad ? failed : fine;
}

} // namespace

Command checkCommand() {
  return {"check",
          "GAME",
          "report all errors and warnings of a game's rules",
          "Checks every scenario with no option, with each alone, with the defaults and with all of them.",
          {{"--werror", "", "warnings count as errors for the exit code"},
           {"--format", "text|json", "how to print; json: errors, warnings, diagnostics"}},
          run};
}

} // namespace hellwig::cli
