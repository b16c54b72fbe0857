// SPDX-License-Identifier: Apache-2.0
// hellwig fmt: lays out rule files in the one way that all have.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"
#include "lang/format.h"
#include "lang/syntax.h"
#include "runtime/atomic_file.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace hellwig::cli {
namespace {

namespace fs = std::filesystem;

/// The files meant: a file itself, of a folder all .hlw files in it and below it.
std::vector<std::string> filesOf(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
      files.push_back(word);
      continue;
    }
    const std::size_t from = files.size();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(word, error))
      if (entry.path().extension() == ".hlw") files.push_back(entry.path().string());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(from), files.end());
  }
  return files;
}

int run(const Arguments& arguments) {
  if (arguments.rest().empty()) throw UsageError{"which files or GAME?"};
  const bool checkOnly = arguments.has("--check");
  int code = fine;
  for (const std::string& path : filesOf(arguments.rest())) {
    DiagnosticSink sink;
    const std::shared_ptr<const SourceText> source = SourceText::load(path, path, sink);
    std::string text;
    if (source != nullptr) {
      const SyntaxTree tree = parse(source, sink);
      if (!sink.hasErrors()) text = format(tree);
    }
    if (sink.hasErrors()) {
      // What is not understood is not moved about.
      printDiagnostics(sink);
      code = failed;
      continue;
    }
    if (text == source->text()) continue;
    if (checkOnly) {
      std::cout << path << ": would be laid out anew\n";
      code = failed;
      continue;
    }
    if (const std::string problem = writeFileAtomically(path, text); !problem.empty()) {
      std::cerr << "hellwig fmt: " << problem << "\n";
      code = failed;
    } else {
      std::cout << path << ": laid out anew\n";
    }
  }
  return code;
}

} // namespace

Command fmtCommand() {
  return {"fmt",
          "FILES|GAME ..",
          "lay out .hlw files",
          "Files with errors are left as they are.",
          {{"--check", "", "change nothing; exit with 1 if a file would change"}},
          run};
}

} // namespace hellwig::cli
