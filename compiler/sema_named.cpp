// SPDX-License-Identifier: Apache-2.0
// Who names which counters outright in a `place` or `arrive`: a later owner has the last word, and one owner
// names a counter once.
#include "compiler/sema_internal.h"

#include <algorithm>
#include <functional>

namespace hellwig {
namespace {

constexpr Type hexSet{TypeKind::hex, 0, true, false};

} // namespace

/// The counters of groups as `forces` has them; -1 if these are no groups.
ExprId Sema::countersOfGroups(Env& env, NodeId node, ExprId id) {
  const hir::Expr groups = at(id);
  if (groups.type.kind != TypeKind::group) return -1;
  std::vector<Word> named = groups.members;
  if (groups.kind == ExprKind::constant) named = {groups.value};
  if (groups.kind != ExprKind::constant && groups.kind != ExprKind::constantSet) return -1;
  const std::uint16_t column = world().module.groupKinds[groups.type.id].counterColumn;
  const std::vector<Word>& above = world().module.columns[column].initial;
  std::vector<std::uint16_t> members;
  for (std::size_t c = 0; c < above.size(); ++c)
    if (above[c] != none && std::find(named.begin(), named.end(), above[c]) != named.end())
      members.push_back(static_cast<std::uint16_t>(c));
  const std::uint16_t kind =
      members.empty() ? std::uint16_t{0} : world().module.counters[members.front()].kind;
  return counterSet(env, node, kind, members);
}

/// The set that a target of `place` or `arrive` stands for, or -1 (told).
ExprId Sema::countersNamed(Env& env, NodeId node) {
  ExprId e = expr(env, node, setOf(typeOf(TypeKind::counter)));
  const Type given = type(e);
  if (given.kind == TypeKind::error) return -1;
  if (given.kind == TypeKind::counter) return e;
  if (ExprId counters = countersOfGroups(env, node, e); counters >= 0) return counters;
  report(DiagnosticCode::typeMismatch, env, node, {name(given), "counters"});
  return -1;
}

/// Where something is placed: hexes, or a box.
ExprId Sema::hexesFor(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  // Hex numbers stand bare behind `at`.
  if (t.kind(node) == NodeKind::IntLiteral) {
    std::string label(t.text(node));
    int hex = hexByLabel(world().module.board, label);
    if (hex < 0) {
      report(DiagnosticCode::hexOffMap, env, node, {label});
      return error(env, node);
    }
    return coerce(env, constant(env, node, typeOf(TypeKind::hex), hex), hexSet, node);
  }
  ExprId e = expr(env, node, typeOf(TypeKind::hex));
  if (type(e).kind == TypeKind::box && !type(e).set) return e;
  return coerce(env, e, hexSet, node);
}

/// Are these counters named outright (themselves, the copies of a row, a label, a group, a list of such)?
/// Then which.
bool Sema::outright(ExprId id, std::vector<std::uint16_t>& counters) const {
  const hir::Expr& e = out_->hir.exprs[static_cast<std::size_t>(id)];
  if (e.type.kind != TypeKind::counter) return false;
  switch (e.kind) {
  case ExprKind::constant:
    if (e.value == none) return false;
    counters.push_back(static_cast<std::uint16_t>(e.value));
    return true;
  case ExprKind::constantSet:
    for (Word member : e.members) counters.push_back(static_cast<std::uint16_t>(member));
    return true;
  case ExprKind::single:
  case ExprKind::list:
  case ExprKind::unite:
    return std::all_of(e.args.begin(), e.args.end(), [&](ExprId arg) { return outright(arg, counters); });
  default: return false;
  }
}

/// Is the counter struck from what the statement names?
bool Sema::strikes(NodeRef statement, std::uint16_t counter) const {
  const CounterInfo& info = out_->world.module.counters[counter];
  if (info.startHex < 0 && info.startBox < 0) return true; // dropped from the forces
  auto found = naming_.find(counter);
  return found != naming_.end() && !(found->second.statement == statement);
}

void Sema::nameCounters() {
  struct Named {
    Naming by;
    NodeRef at;
    std::vector<std::uint16_t> counters;
  };
  std::vector<Named> all;
  Env env;
  env.scope = &hir().setupScope;
  env.owner = "setup";
  auto take = [&](NodeRef statement, Role role, Naming by) {
    env.file = statement.file;
    for (NodeId target : tree(env).children(statement.node, role)) {
      if (faulty(env, target)) continue;
      // Names that are told only where they are used; a local of the set-up is none of the forces.
      DiagnosticSink quiet;
      DiagnosticSink* loud = std::exchange(sink_, &quiet);
      ExprId e = countersNamed(env, target);
      sink_ = loud;
      std::vector<std::uint16_t> counters;
      if (e >= 0 && !quiet.hasErrors() && outright(e, counters)) {
        std::sort(counters.begin(), counters.end());
        all.push_back({by, {statement.file, target}, std::move(counters)});
      }
    }
  };
  for (const Piece& piece : folded_.setups) {
    const SyntaxTree& t = tree(piece.node.file);
    std::function<void(NodeId)> walk = [&](NodeId node) {
      if (t.kind(node) == NodeKind::Place) {
        NodeRef ref{piece.node.file, node};
        take(ref, Role::target, {ref, piece.layer, false});
        return;
      }
      for (NodeId child : t.children(node)) walk(child);
    };
    walk(piece.node.node);
  }
  for (const Piece& piece : folded_.arrives) take(piece.node, Role::item, {piece.node, piece.layer, true});
  const std::size_t removals = all.size();
  for (const Piece& piece : folded_.arriveRemovals) {
    take(piece.node, Role::target, {{}, piece.layer, true});
    marks(env, piece.node.node);
  }

  std::map<std::uint16_t, const Named*> owner;
  for (std::size_t i = 0; i < removals; ++i)
    for (std::uint16_t c : all[i].counters) {
      const Named*& before = owner[c];
      if (before && before->by.layer == all[i].by.layer && !(before->at == all[i].at)) {
        const CounterInfo& info = world().module.counters[c];
        const SyntaxTree& t = tree(all[i].at.file);
        const SyntaxTree& other = tree(before->at.file);
        report(Diagnostic(DiagnosticCode::namedTwice, t.sharedSource(), t.range(all[i].at.node), {info.name})
                   .also(other.sharedSource(), other.range(before->at.node), "it is named here, too"));
      }
      if (!before || before->by.layer <= all[i].by.layer) before = &all[i];
    }
  for (std::size_t i = removals; i < all.size(); ++i) {
    bool any = false;
    for (std::uint16_t c : all[i].counters) {
      auto found = owner.find(c);
      if (found == owner.end() || !found->second->by.arrives || found->second->by.layer >= all[i].by.layer)
        continue;
      any = true;
      found->second = &all[i];
    }
    if (!any) {
      const SyntaxTree& t = tree(all[i].at.file);
      report(Diagnostic(DiagnosticCode::nothingArrives, t.sharedSource(), t.range(all[i].at.node),
                        {std::string(t.text(all[i].at.node))}));
    }
  }
  for (const auto& [c, named] : owner) {
    naming_[c] = named->by;
    if (named->by.arrives && valid(named->by.statement.node)) arrivesByName_.insert(c);
  }
}

} // namespace hellwig
