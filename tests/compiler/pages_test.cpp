// SPDX-License-Identifier: Apache-2.0
// Every code has a page in docs/diagnostics whose example provokes this code and no other, and whose mended
// example is clean (of all but what is not compiled yet). The examples are added to the game in golden/base;
// docs/diagnostics.md tells the form.

#include "memory_package.h"

#include "lang/diagnostic.h"
#include "lang/diagnostic_pages.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace hellwig {
namespace {

const fs::path root = HELLWIG_SOURCE_DIR;
const fs::path pages = root / "docs/diagnostics";

/// What no example can show: files that the disk or the encoding spoils, two hundred brackets.
const std::set<DiagnosticCode> withoutExample = {DiagnosticCode::notUtf8, DiagnosticCode::fileTooLarge,
                                                 DiagnosticCode::unreadableFile,
                                                 DiagnosticCode::nestedTooDeep};

struct Page {
  std::string title, prose, directives;
  std::vector<std::string> examples;
};

Page readPage(const std::string& text) {
  Page page;
  std::istringstream in(text);
  bool code = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```hlw") {
      code = true;
      page.examples.emplace_back();
    } else if (line == "```") {
      code = false;
    } else if (code) {
      page.examples.back() += line + "\n";
    } else if (line.starts_with("<!-- without ") && line.ends_with(" -->")) {
      page.directives += "// " + line.substr(5, line.size() - 9) + "\n";
    } else if (line.starts_with("# ")) {
      page.title = line.substr(2);
    } else if (page.examples.empty()) {
      page.prose += line + "\n";
    }
  }
  return page;
}

DiagnosticSink check(const std::string& example) {
  DiagnosticSink sink;
  MemoryPackage package;
  for (const auto& [path, text] :
       addedTo(textsBelow(root / "tests/compiler/golden/base"), "example.hlw", example))
    package.add(path, text, sink);
  package.check(sink);
  return sink;
}

TEST(DiagnosticPages, EveryCodeHasAPageWithAnExampleAndItsMend) {
  for (const DiagnosticInfo& info : allDiagnostics()) {
    const std::string code = codeText(info.code), name = "docs/diagnostics/" + code + ".md";
    const Page page = readPage(readFile(pages / (code + ".md")));
    if (page.title.empty()) {
      ADD_FAILURE()
          << name << " is missing: a first line `# " << code
          << ": WHAT IS WRONG`, what it means, and two blocks ```hlw .. ```: an example that provokes "
          << code << ", and the same mended. `" << info.message << "`";
      continue;
    }
    EXPECT_TRUE(page.title.starts_with(code + ": ")) << name << " begins with: " << page.title;
    EXPECT_GT(page.prose.size(), 60u) << name << " says too little of what the code means";
    if (withoutExample.count(info.code) != 0) continue;
    if (page.examples.size() != 2) {
      ADD_FAILURE() << name << " has " << page.examples.size()
                    << " blocks ```hlw .. ```; an example and its mend are wanted";
      continue;
    }
    const DiagnosticSink wrong = check(page.directives + page.examples[0]);
    EXPECT_FALSE(wrong.all().empty()) << name << ": the example provokes nothing";
    for (const Diagnostic& diagnostic : wrong.all())
      EXPECT_EQ(codeText(diagnostic.code), code) << name << ": the example tells something else, too\n"
                                                 << render(diagnostic);
    const DiagnosticSink mended = check(page.directives + page.examples[1]);
    for (const Diagnostic& diagnostic : mended.all())
      EXPECT_EQ(diagnostic.code, DiagnosticCode::notCompiled) << name << ": the mended example is not clean\n"
                                                              << render(diagnostic);
  }
}

TEST(DiagnosticPages, EveryPageIsOfACode) {
  std::set<std::string> codes;
  for (const DiagnosticInfo& info : allDiagnostics()) codes.insert(codeText(info.code) + ".md");
  for (const auto& entry : fs::directory_iterator(pages))
    EXPECT_EQ(codes.count(entry.path().filename().string()), 1u)
        << entry.path() << " is the page of no code in lang/diagnostics.def";
}

TEST(DiagnosticPages, AreBuiltIn) {
  for (const DiagnosticPage& page : diagnosticPages())
    EXPECT_EQ(page.text, readFile(pages / (codeText(page.code) + ".md"))) << codeText(page.code);
}

} // namespace
} // namespace hellwig
