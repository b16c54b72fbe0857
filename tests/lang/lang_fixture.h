// SPDX-License-Identifier: Apache-2.0
// Helpers of the tests of lang/: parsing of text in memory, and the files that tests read.
#pragma once

#include "lang/diagnostic.h"
#include "lang/syntax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hellwig {

struct Parsed {
  DiagnosticSink sink;
  SyntaxTree tree;
};

inline Parsed parseText(const std::string& text, const std::string& path = "test.hlw") {
  Parsed result;
  result.tree = parse(std::make_shared<SourceText>(path, text), result.sink);
  return result;
}

// "3:7 HW0211" for each message, in order.
inline std::vector<std::string> places(const DiagnosticSink& sink) {
  std::vector<std::string> all;
  for (const Diagnostic& diagnostic : sink.all()) {
    LineColumn at = diagnostic.file->position(diagnostic.range.offset);
    all.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
                  codeText(diagnostic.code));
  }
  return all;
}

inline std::string joinTokens(const SyntaxTree& tree) {
  std::string all;
  for (uint32_t i = 0; i < tree.fileTokenCount(); ++i) all += tree.text(static_cast<TokenId>(i));
  return all;
}

// The tree of `value x = EXPRESSION` below the value, in one line: Kind[op](role:child, ..) and the text of
// leaves.
inline std::string shape(const SyntaxTree& tree, NodeId id) {
  const Node& node = tree[id];
  if (!valid(node.firstChild)) return std::string(tree.text(id));
  std::string out(nodeKindName(node.kind));
  if (node.op != TokenKind::none) out += "[" + std::string(spelling(node.op)) + "]";
  if (node.flags & NodeFlags::negated) out += "!";
  out += "(";
  bool first = true;
  for (NodeId child : tree.children(id)) {
    if (!first) out += ", ";
    first = false;
    out += std::string(roleName(tree[child].role)) + ":" + shape(tree, child);
  }
  return out + ")";
}

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The sources of all games of the project, the packages of tests and documentation, and excerpts with
// constructs that those lack.
inline std::vector<std::filesystem::path> sourceFiles() {
  std::vector<std::filesystem::path> files;
  for (const char* folder :
       {"games", "docs/examples", "tests/lang/data", "tests/bench/packages", "tests/cli/duel"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(HELLWIG_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".hlw") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace hellwig
