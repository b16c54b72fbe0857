// SPDX-License-Identifier: Apache-2.0
// Shorthand for walking the trees of a package by NodeRef, and for reporting at a node.
#pragma once

#include "compiler/package.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hellwig {

inline bool present(NodeRef ref) {
  return valid(ref.node);
}
inline const SyntaxTree& treeOf(const Package& package, NodeRef ref) {
  return package.files[ref.file].tree;
}
inline NodeKind kindOf(const Package& package, NodeRef ref) {
  return present(ref) ? treeOf(package, ref).kind(ref.node) : NodeKind::Error;
}
inline TokenKind opOf(const Package& package, NodeRef ref) {
  return present(ref) ? treeOf(package, ref).op(ref.node) : TokenKind::none;
}
inline bool hasFlag(const Package& package, NodeRef ref, std::uint8_t flag) {
  return present(ref) && treeOf(package, ref).has(ref.node, flag);
}
inline bool isFaulty(const Package& package, NodeRef ref) {
  return !present(ref) || kindOf(package, ref) == NodeKind::Error || hasFlag(package, ref, NodeFlags::faulty);
}
inline NodeRef childOf(const Package& package, NodeRef ref, Role role) {
  return present(ref) ? NodeRef{ref.file, treeOf(package, ref).child(ref.node, role)} : NodeRef{};
}
inline std::vector<NodeRef> childrenOf(const Package& package, NodeRef ref, Role role) {
  std::vector<NodeRef> out;
  if (present(ref))
    for (NodeId id : treeOf(package, ref).children(ref.node, role)) out.push_back({ref.file, id});
  return out;
}
/// The items of the block of a declaration.
inline std::vector<NodeRef> itemsOf(const Package& package, NodeRef decl) {
  return childrenOf(package, childOf(package, decl, Role::body), Role::item);
}
inline std::string nameOf(const Package& package, NodeRef ref) {
  return present(ref) ? treeOf(package, ref).nameOf(ref.node) : std::string();
}
inline std::string nameOf(const Package& package, NodeRef ref, Role role) {
  return nameOf(package, childOf(package, ref, role));
}
inline Place placeOf(const Package& package, NodeRef ref) {
  return present(ref) ? Place{ref.file, treeOf(package, ref).range(ref.node)} : Place{};
}
/// The place of the name of a declaration, else of its leading keyword.
inline Place namePlaceOf(const Package& package, NodeRef ref) {
  if (!present(ref)) return {};
  NodeRef name = childOf(package, ref, Role::name);
  return present(name) ? placeOf(package, name) : Place{ref.file, treeOf(package, ref).opRange(ref.node)};
}
inline SourceRef sourceOf(const Package& package, std::uint16_t file) {
  return file < package.files.size() ? package.files[file].tree.sharedSource() : SourceRef();
}
inline Diagnostic diagnosticAt(const Package& package, Place place, DiagnosticCode code,
                               const std::vector<std::string>& arguments = {}) {
  return Diagnostic(code, sourceOf(package, place.file), place.range, arguments);
}
inline Diagnostic diagnosticAt(const Package& package, NodeRef ref, DiagnosticCode code,
                               const std::vector<std::string>& arguments = {}) {
  return diagnosticAt(package, placeOf(package, ref), code, arguments);
}
/// A name as it is written: with single quotes if it needs them.
inline std::string writtenName(std::string_view name) {
  bool plain = !name.empty(), letter = false;
  for (char c : name) {
    auto u = static_cast<unsigned char>(c);
    bool isLetter = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' || u >= 0x80;
    letter = letter || isLetter;
    plain = plain && (isLetter || (u >= '0' && u <= '9'));
  }
  return plain && letter ? std::string(name) : "'" + std::string(name) + "'";
}
/// Adds "did you mean .." with the nearest of the candidates, if one is near.
inline Diagnostic suggesting(Diagnostic diagnostic, std::string_view word,
                             const std::vector<std::string>& candidates) {
  std::string near = nearest(word, candidates);
  if (!near.empty() && near != word)
    diagnostic.fix = Fix{diagnostic.range, writtenName(near), "did you mean `" + near + "`?"};
  return diagnostic;
}

} // namespace hellwig
