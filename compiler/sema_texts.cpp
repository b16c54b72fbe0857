// SPDX-License-Identifier: Apache-2.0
// Texts with their holes, and the words that label what has no text of its own.
#include "compiler/sema_internal.h"

#include <cctype>

namespace hellwig {

TextId Sema::text(Env& env, NodeId node) {
  if (!valid(node)) return -1;
  const SyntaxTree& t = tree(env);
  hir::Text out;
  for (NodeId part : t.children(node, Role::part)) {
    if (t.kind(part) == NodeKind::TextPart) {
      out.parts.push_back({t.textOf(part), -1});
      continue;
    }
    ExprId e = expr(env, t.child(part, Role::value));
    if (type(e).kind == TypeKind::error) continue;
    if (isBundle(type(e))) {
      report(DiagnosticCode::typeMismatch, env, t.child(part, Role::value),
             {name(type(e)), "something that can be shown: one of its fields"});
      continue;
    }
    out.parts.push_back({"", e});
  }
  hir().texts.push_back(std::move(out));
  return static_cast<TextId>(hir().texts.size() - 1);
}

TextId Sema::plainText(std::string words) {
  hir().texts.push_back({{{std::move(words), -1}}});
  return static_cast<TextId>(hir().texts.size() - 1);
}

/// The words of a piece of source, blanks folded, quotes dropped, `_` shown as a blank.
std::string Sema::words(const Env& env, NodeId node) const {
  std::string out;
  if (!valid(node)) return out;
  bool blank = false;
  for (char c : tree(env).text(node)) {
    if (std::isspace(static_cast<unsigned char>(c)) || c == '_') {
      blank = !out.empty();
      continue;
    }
    if (c == '\'') continue;
    if (blank) out += ' ';
    blank = false;
    out += c;
  }
  return out;
}

} // namespace hellwig
