// SPDX-License-Identifier: Apache-2.0
// Typing of `walk u by r(..)`.
#include "compiler/sema_internal.h"

namespace hellwig {

StmtId Sema::walk(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId target = t.child(node, Role::target), callNode = t.child(node, Role::call);
  hir::Choice choice;
  choice.howMany = hir::Choice::HowMany::menu;
  if (NodeId ask = t.child(node, Role::ask); valid(ask))
    choice.ask = exprOf(env, ask, typeOf(TypeKind::side));
  ExprId u = expr(env, target);
  if (type(u).kind == TypeKind::error) return -1;
  if (type(u).kind != TypeKind::counter || type(u).set) {
    report(DiagnosticCode::typeMismatch, env, target, {name(type(u)), "a counter"});
    return -1;
  }
  u = prove(env, u, target);
  std::vector<ExprId> args;
  std::int32_t r = resolveRoute(env, callNode, args);
  if (r < 0 || type(u).kind == TypeKind::error) return -1;
  const hir::Route& route = hir().routes[static_cast<std::size_t>(r)];
  std::string mover = route.hasMover && !args.empty() ? pathKey(args.front()) : std::string();
  if (mover.empty() || mover != pathKey(u)) {
    report(DiagnosticCode::walkOfAnother, env, callNode, {std::string(t.text(target)), route.name});
    return -1;
  }
  if (NodeId prompt = t.child(node, Role::text); valid(prompt)) choice.prompt = text(env, prompt);
  std::uint16_t m = marks(env, node);
  hir().choices.push_back(std::move(choice));
  StmtId s = makeStmt(env, node, hir::StmtKind::walk);
  st(s).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
  st(s).exprs = {u};
  st(s).exprs.insert(st(s).exprs.end(), args.begin(), args.end());
  st(s).index = r;
  st(s).marks = m;
  forget(env, false);
  return s;
}

} // namespace hellwig
