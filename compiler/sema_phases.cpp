// SPDX-License-Identifier: Apache-2.0
// Phases: which there are, and what layers make of them. Replacements of later layers stand around those of
// earlier ones; conditions that amendments add must hold besides.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};

} // namespace

std::int32_t Sema::phaseNamed(const std::string& phase) const {
  const auto& phases = out_->world.module.phases;
  for (std::size_t i = 0; i < phases.size(); ++i)
    if (phases[i].name == phase) return static_cast<std::int32_t>(i);
  return -1;
}

/// Phases are declared where they stand: in the sequence, in procedures and actions, and in what replaces
/// one.
void Sema::declarePhases() {
  std::set<std::string> gone;
  auto removed = [&](const std::string& phase) {
    bool found =
        std::any_of(folded_.phaseRemovals.begin(), folded_.phaseRemovals.end(), [&](const Piece& piece) {
          return tree(piece.node.file).nameOf(piece.node.node) == phase;
        });
    if (found) gone.insert(phase);
    return found;
  };
  auto within = [&](NodeRef ref) {
    const SyntaxTree& t = tree(ref.file);
    std::vector<NodeId> open{ref.node};
    while (!open.empty()) {
      NodeId node = open.back();
      open.pop_back();
      const bool phase = t.kind(node) == NodeKind::Phase;
      if (phase && removed(t.nameOf(node))) continue;
      std::vector<NodeId> inner;
      for (NodeId child : t.children(node)) inner.push_back(child);
      open.insert(open.end(), inner.rbegin(), inner.rend());
      if (!phase || phaseNamed(t.nameOf(node)) >= 0) continue;
      Env env;
      env.file = ref.file;
      std::uint16_t m = marks(env, node);
      world().module.phases.push_back({t.nameOf(node), {m}});
    }
  };
  for (std::size_t i = 0; i < folded_.decls.size(); ++i) {
    const FoldedDecl& decl = folded_.decls[i];
    const bool rule = decl.kind == NodeKind::SequenceDecl || decl.kind == NodeKind::ProcedureDecl ||
                      decl.kind == NodeKind::ActionDecl;
    const bool asOriginal =
        std::any_of(folded_.decls.begin(), folded_.decls.end(),
                    [&](const FoldedDecl& other) { return other.original == static_cast<std::int32_t>(i); });
    if (rule && (decl.inForce || asOriginal)) within(decl.node);
  }
  for (const Piece& piece : folded_.phaseReplacements) {
    // The phase replaced is declared elsewhere; those inside its new body are new.
    NodeId body = tree(piece.node.file).child(piece.node.node, Role::body);
    if (valid(body)) within({piece.node.file, body});
  }
  for (const auto* list : {&folded_.phaseReplacements, &folded_.phaseAmendments, &folded_.phaseRemovals})
    for (const Piece& piece : *list) {
      Env env;
      env.file = piece.node.file;
      const std::string phase = tree(env).nameOf(piece.node.node);
      // What earlier layers made of a phase goes with it.
      const bool removedLater =
          std::any_of(folded_.phaseRemovals.begin(), folded_.phaseRemovals.end(), [&](const Piece& removal) {
            return removal.layer >= piece.layer && tree(removal.node.file).nameOf(removal.node.node) == phase;
          });
      if (removedLater && gone.count(phase)) continue;
      phaseIsThere(env, tree(env).child(piece.node.node, Role::name), phase);
    }
}

bool Sema::phaseIsThere(const Env& env, NodeId nameNode, const std::string& phase) {
  if (phaseNamed(phase) >= 0) return true;
  std::vector<std::string> known;
  for (const PhaseInfo& p : world().module.phases) known.push_back(p.name);
  Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {phase, "phase"});
  if (std::string near = nearest(phase, known); !near.empty())
    d.fix = Fix{tree(env).range(nameNode), near, "did you mean `" + near + "`?"};
  report(std::move(d));
  return false;
}

StmtId Sema::phaseStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  const std::string phase = t.nameOf(node);
  const std::int32_t index = phaseNamed(phase);
  if (index < 0) return makeStmt(env, node, hir::StmtKind::block); // a layer has removed it
  std::uint16_t m = marks(env, node);
  NodeId byNode = t.child(node, Role::by), whenNode = t.child(node, Role::when);
  ExprId by = valid(byNode) ? exprOf(env, byNode, sideType) : -1;
  ExprId when = valid(whenNode) ? condition(env, whenNode) : -1;
  StmtId inner = block(env, t.child(node, Role::body));
  for (const Piece& piece : folded_.phaseReplacements) {
    const SyntaxTree& other = tree(piece.node.file);
    if (other.nameOf(piece.node.node) != phase || other.has(piece.node.node, NodeFlags::faulty)) continue;
    // It sees no locals from around the phase.
    Env replaced = env;
    replaced.file = piece.node.file;
    replaced.names.clear();
    replaced.facts.clear();
    replaced.it = -1;
    replaced.inLoop = false;
    replaced.originalPhase = inner;
    if (NodeId own = other.child(piece.node.node, Role::by); valid(own)) by = exprOf(replaced, own, sideType);
    if (NodeId own = other.child(piece.node.node, Role::when); valid(own)) when = condition(replaced, own);
    m = joinMarks(world(), m, marks(replaced, piece.node.node));
    inner = block(replaced, other.child(piece.node.node, Role::body));
  }
  for (const Piece& piece : folded_.phaseAmendments) {
    const SyntaxTree& other = tree(piece.node.file);
    if (other.nameOf(piece.node.node) != phase) continue;
    Env amended = env;
    amended.file = piece.node.file;
    amended.names.clear();
    NodeId items = other.child(piece.node.node, Role::body);
    if (!valid(items)) continue;
    for (NodeId item : other.children(items, Role::item)) {
      if (other.kind(item) != NodeKind::PhaseWhen || other.has(item, NodeFlags::faulty)) continue;
      ExprId c = condition(amended, other.child(item, Role::when));
      when = when < 0 ? c : make(amended, item, ExprKind::and_, boolean, {when, c});
    }
  }
  StmtId s = makeStmt(env, node, hir::StmtKind::phase);
  st(s).index = index;
  st(s).exprs = {by, when};
  st(s).body = inner;
  st(s).marks = m;
  return s;
}

} // namespace hellwig
