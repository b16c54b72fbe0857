// SPDX-License-Identifier: Apache-2.0
// Gathering marks from the syntax trees.
#include "compiler/citations.h"

#include "compiler/package_nodes.h"

#include <algorithm>

namespace hellwig {
namespace {

struct Tokens {
  std::uint32_t first, end;
};

} // namespace

std::vector<Citation> citationsOf(const Package& package) {
  std::vector<Citation> out;
  for (const SourceFile& file : package.files) {
    const SyntaxTree& tree = file.tree;
    std::vector<Tokens> tests;
    for (NodeId item : tree.children(tree.root(), Role::item))
      if (tree.kind(item) == NodeKind::TestDecl)
        tests.push_back({tree.node(item).firstToken, tree.node(item).endToken});
    std::vector<std::pair<std::uint32_t, Citation>> found;
    for (std::size_t i = 0; i < tree.nodeCount(); ++i) {
      const NodeId id = static_cast<NodeId>(i);
      const Node& node = tree.node(id);
      if (node.kind != NodeKind::Mark || (node.flags & NodeFlags::faulty) != 0) continue;
      // A cell may have been read several times; its mark is the same text.
      const std::uint32_t at = tree.range(id).offset;
      const auto within = [&](const Tokens& test) {
        return at >= tree.token(test.first).offset && at < tree.token(test.end - 1).offset;
      };
      if (std::any_of(tests.begin(), tests.end(), within)) continue;
      const MarkText text = readMark(tree, id);
      Citation citation{file.path, tree.source().lineOf(at), {}, text.reconstructed, text.reason};
      for (const MarkId& rule : text.ids) citation.ids.push_back(rule.id);
      found.emplace_back(at, std::move(citation));
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < found.size(); ++i)
      if (i == 0 || found[i].first != found[i - 1].first) out.push_back(std::move(found[i].second));
  }
  return out;
}

std::vector<std::string> headMarksOf(const Package& package, NodeRef test) {
  std::vector<std::string> out;
  const SyntaxTree& tree = treeOf(package, test);
  for (NodeId mark : tree.children(test.node, Role::mark))
    for (const MarkId& rule : readMark(tree, mark).ids) out.push_back(rule.id);
  return out;
}

} // namespace hellwig
