// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for source text: parsing loses nothing and never fails, the formatter keeps the words.

#include "lang/diagnostic.h"
#include "lang/format.h"
#include "lang/syntax.h"

#include <cstdlib>
#include <string>

namespace {

using namespace hellwig;

std::string joined(const SyntaxTree& tree, bool withSpace) {
  std::string all;
  for (uint32_t i = 0; i < tree.fileTokenCount(); ++i) {
    if (!withSpace && tree.token(i).kind == TokenKind::space) continue;
    std::string_view text = tree.text(static_cast<TokenId>(i));
    if (!withSpace && tree.token(i).kind == TokenKind::comment)
      text = text.substr(0, text.find_last_not_of(" \t") + 1);
    all += text;
  }
  return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1u << 16) return 0;
  DiagnosticSink sink;
  auto source = SourceText::make("fuzz.hlw", std::string(reinterpret_cast<const char*>(data), size), sink);
  if (!source) return 0;
  SyntaxTree tree = parse(source, sink);
  if (joined(tree, true) != source->text()) std::abort();
  if (tree.hasErrors() != sink.hasErrors()) std::abort();
  render(sink);
  for (uint32_t i = 0; i < tree.nodeCount(); ++i) {
    auto node = static_cast<NodeId>(i);
    if (tree.range(node).end() > source->text().size()) std::abort();
    if (tree.kind(node) == NodeKind::Cell) {
      DiagnosticSink cells;
      for (CellGrammar grammar :
           {CellGrammar::keys, CellGrammar::expression, CellGrammar::heading, CellGrammar::letters})
        parseCell(tree, node, grammar, cells);
    }
    if (tree.nodeCount() > 100000) break;
  }
  std::string once = format(tree);
  if (!tree.hasErrors()) {
    SyntaxTree again = parse(std::make_shared<SourceText>("again.hlw", once), sink);
    if (joined(again, false) != joined(tree, false) || format(again) != once) std::abort();
  }
  return 0;
}
