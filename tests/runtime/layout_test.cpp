// SPDX-License-Identifier: Apache-2.0
// The layout of a module in docs/file-formats.md is the one that is written.
#include "runtime/module_io.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace hellwig {
namespace {

/// The lines of the block ```layout: name and what it consists of; a line that begins with blanks goes on.
std::map<std::string, std::string> layoutLines() {
  std::ifstream in(std::string(HELLWIG_SOURCE_DIR) + "/docs/file-formats.md");
  std::map<std::string, std::string> out;
  std::string name;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```layout") {
      inside = true;
      continue;
    }
    if (!inside) continue;
    if (line == "```") break;
    std::istringstream words(line);
    if (line[0] != ' ') words >> name;
    for (std::string word; words >> word;) out[name] += (out[name].empty() ? "" : " ") + word;
  }
  return out;
}

/// Names replaced by what they stand for.
std::string writtenOut(const std::map<std::string, std::string>& lines, const std::string& text) {
  std::string out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool list = word.front() == '[';
    const std::string name = list ? word.substr(1, word.size() - 2) : word;
    const auto line = lines.find(name);
    const std::string meant = line == lines.end() ? name : writtenOut(lines, line->second);
    out += (out.empty() ? "" : " ") + (list ? "[" + meant + "]" : meant);
  }
  return out;
}

TEST(ModuleLayout, IsTheOneOfTheDocumentation) {
  const std::map<std::string, std::string> lines = layoutLines();
  ASSERT_TRUE(lines.count("Module"));
  EXPECT_EQ(writtenOut(lines, lines.at("Module")), moduleLayout())
      << "docs/file-formats.md, block `layout`, differs from the fields in runtime/module_io.cpp";
}

} // namespace
} // namespace hellwig
