// SPDX-License-Identifier: Apache-2.0
// Random damage: tokens left out, doubled, exchanged, bytes changed. Whatever comes of it, parsing ends,
// nothing of the file is lost, every message has its place in the file, and cells and formatter stand it.

#include "lang/format.h"
#include "lang_fixture.h"

#include <random>
#include <thread>

namespace hellwig {
namespace {

void checkAll(const std::string& text) {
  Parsed parsed = parseText(text);
  SyntaxTree& tree = parsed.tree;
  ASSERT_EQ(joinTokens(tree), text);
  ASSERT_EQ(tree.hasErrors(), parsed.sink.hasErrors());
  for (const Diagnostic& diagnostic : parsed.sink.all()) {
    ASSERT_LE(diagnostic.range.end(), text.size());
    ASSERT_FALSE(render(diagnostic).empty());
  }
  std::vector<NodeId> open{tree.root()}, cells;
  while (!open.empty()) {
    NodeId node = open.back();
    open.pop_back();
    ASSERT_LE(tree.range(node).end(), text.size());
    if (tree.kind(node) == NodeKind::Cell) cells.push_back(node);
    for (NodeId child : tree.children(node)) open.push_back(child);
  }
  DiagnosticSink sink;
  for (size_t i = 0; i < cells.size(); i += 5) {
    parseCell(tree, cells[i], CellGrammar::keys, sink);
    parseCell(tree, cells[i], CellGrammar::expression, sink);
    parseCell(tree, cells[i], CellGrammar::heading, sink);
  }
  std::string once = format(tree);
  if (!tree.hasErrors()) {
    ASSERT_EQ(format(parseText(once).tree), once);
  }
}

TEST(Mutation, DamagedTokens) {
  std::mt19937 random(20211205);
  for (const auto& path : sourceFiles()) {
    std::string text = readFile(path);
    if (text.size() > 12000) continue;
    Parsed parsed = parseText(text);
    uint32_t count = parsed.tree.fileTokenCount();
    for (int round = 0; round < 12; ++round) {
      std::vector<std::string> tokens;
      for (uint32_t i = 0; i < count; ++i) tokens.emplace_back(parsed.tree.text(static_cast<TokenId>(i)));
      for (int k = 0; k <= round % 4; ++k) {
        size_t at = random() % count, other = random() % count;
        switch (random() % 3) {
        case 0: tokens[at].clear(); break;
        case 1: tokens[at] += tokens[at]; break;
        default: std::swap(tokens[at], tokens[other]); break;
        }
      }
      std::string damaged;
      for (const std::string& token : tokens) damaged += token;
      checkAll(damaged);
      if (HasFatalFailure()) FAIL() << path << " round " << round;
    }
  }
}

TEST(Mutation, DamagedBytes) {
  std::mt19937 random(7);
  const std::string signs = "{}()[]|\"'\\\n,.:=+-*/<> a1";
  for (const auto& path : sourceFiles()) {
    std::string text = readFile(path);
    if (text.size() > 8000) continue;
    for (int round = 0; round < 12; ++round) {
      std::string damaged = text;
      for (int k = 0; k < 1 + round; ++k) damaged[random() % damaged.size()] = signs[random() % signs.size()];
      // A sign in the middle of a character of several bytes makes a file that is not loaded at all.
      if (firstInvalidUtf8(damaged) != damaged.size()) continue;
      checkAll(damaged);
      if (HasFatalFailure()) FAIL() << path << " round " << round;
    }
  }
}

TEST(Mutation, TruncatedFiles) {
  std::mt19937 random(11);
  for (const auto& path : sourceFiles()) {
    std::string text = readFile(path);
    for (int round = 0; round < 4; ++round) {
      std::string cut = text.substr(0, random() % text.size());
      if (firstInvalidUtf8(cut) != cut.size()) continue;
      checkAll(cut);
      if (HasFatalFailure()) FAIL() << path << " round " << round;
    }
  }
}

TEST(Mutation, SeveralThreadsParseAtOnce) {
  std::vector<std::filesystem::path> files = sourceFiles();
  std::vector<size_t> alone, together(files.size());
  for (const auto& path : files) alone.push_back(parseText(readFile(path)).tree.nodeCount());
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (size_t i = t; i < files.size(); i += 4)
        together[i] = parseText(readFile(files[i])).tree.nodeCount();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

} // namespace
} // namespace hellwig
