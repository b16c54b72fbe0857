// SPDX-License-Identifier: Apache-2.0
// Typing of actions and of the menus that they make up.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};

} // namespace

std::int32_t Sema::menuNamed(const std::string& wanted) const {
  const auto& menus = out_->hir.menus;
  for (std::size_t i = 0; i < menus.size(); ++i)
    if (menus[i].name == wanted) return static_cast<std::int32_t>(i);
  return -1;
}

bool Sema::isAction(const std::string& wanted) const {
  for (const hir::Route& route : out_->hir.routes)
    for (const hir::RouteEdge& edge : route.edges)
      if (edge.kind == EdgeKind::action && edge.name == wanted) return true;
  return std::any_of(out_->hir.actions.begin(), out_->hir.actions.end(),
                     [&](const hir::Action& action) { return action.name == wanted; });
}

/// A pick of one by the phasing side, without block or alternatives, that stands first is offered by the
/// menu.
void Sema::pickFirst(hir::Action& action) {
  std::vector<StmtId>& statements = st(action.body).statements;
  if (statements.empty() || st(statements.front()).kind != hir::StmtKind::choose) return;
  const std::int32_t index = st(statements.front()).choice;
  const hir::Choice& choice = hir().choices[static_cast<std::size_t>(index)];
  if (choice.howMany != hir::Choice::HowMany::one || choice.ask >= 0 || choice.body >= 0 ||
      !choice.alternatives.empty() || choice.set < 0 || type(choice.set).kind == TypeKind::path)
    return;
  action.pick = index;
  action.marks = joinMarks(world(), action.marks, st(statements.front()).marks);
  statements.erase(statements.begin());
}

void Sema::actions() {
  // Where an action stands: in the layer of the one that it replaces, within a layer by name.
  auto layer = [&](std::size_t action) {
    std::int32_t decl = actionDecl_[action];
    while (folded_.decls[static_cast<std::size_t>(decl)].original >= 0)
      decl = folded_.decls[static_cast<std::size_t>(decl)].original;
    return folded_.decls[static_cast<std::size_t>(decl)].layer;
  };
  std::vector<std::size_t> order(hir().actions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return layer(a) != layer(b) ? layer(a) < layer(b) : hir().actions[a].name < hir().actions[b].name;
  });
  for (std::size_t i : order) {
    const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(actionDecl_[i])];
    const SyntaxTree& t = tree(decl.node.file);
    for (NodeId during : t.children(decl.node.node, Role::during)) {
      std::int32_t menu = menuNamed(t.nameOf(during));
      if (menu < 0) {
        menu = static_cast<std::int32_t>(hir().menus.size());
        hir().menus.push_back({t.nameOf(during), {}});
      }
      std::vector<std::int32_t>& list = hir().menus[static_cast<std::size_t>(menu)].actions;
      if (std::find(list.begin(), list.end(), static_cast<std::int32_t>(i)) != list.end())
        report(
            Diagnostic(DiagnosticCode::duplicateName, t.sharedSource(), t.range(during), {t.nameOf(during)}));
      else
        list.push_back(static_cast<std::int32_t>(i));
    }
  }
  for (std::size_t i = 0; i < hir().actions.size(); ++i) {
    const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(actionDecl_[i])];
    hir::Action& action = hir().actions[i];
    Env env = envFor(action.scope, decl.node, "action " + decl.name);
    env.pure = false;
    env.returns = typeOf(TypeKind::nothing);
    if (decl.original >= 0) env.originalCallable = declRule_[decl.original];
    action.marks = marks(env, decl.node.node);
    const SyntaxTree& t = tree(env);
    if (NodeId when = t.child(decl.node.node, Role::when); valid(when)) {
      action.when = condition(env, when);
      learn(env, action.when, true);
    }
    action.body = block(env, t.child(decl.node.node, Role::body));
    pickFirst(action);
  }
  // A menu that nothing performs, in whatever layer, is a slip.
  std::vector<std::string> performed;
  for (const SourceFile& file : package_.files) {
    const SyntaxTree& t = file.tree;
    for (std::uint32_t n = 0; n < t.nodeCount(); ++n)
      if (t.kind(static_cast<NodeId>(n)) == NodeKind::Perform)
        performed.push_back(t.nameOf(static_cast<NodeId>(n)));
  }
  for (std::size_t i = 0; i < hir().actions.size(); ++i) {
    const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(actionDecl_[i])];
    const SyntaxTree& t = tree(decl.node.file);
    for (NodeId during : t.children(decl.node.node, Role::during)) {
      std::string menu = t.nameOf(during);
      if (std::find(performed.begin(), performed.end(), menu) != performed.end()) continue;
      Diagnostic d(DiagnosticCode::neverPerformed, t.sharedSource(), t.range(during), {decl.name, menu});
      if (std::string near = nearest(menu, performed); !near.empty())
        d.fix = Fix{t.range(during), near, "did you mean `" + near + "`?"};
      report(std::move(d));
    }
  }
}

StmtId Sema::perform(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  hir::Choice choice;
  choice.howMany = hir::Choice::HowMany::menu;
  if (NodeId ask = t.child(node, Role::ask); valid(ask)) choice.ask = exprOf(env, ask, sideType);
  NodeId countNode = t.child(node, Role::count), nameNode = t.child(node, Role::name);
  ExprId times = exprOf(env, countNode, integer);
  if (at(times).kind == ExprKind::constant && at(times).value > 100000)
    report(DiagnosticCode::numberOutOfRange, env, countNode,
           {std::to_string(at(times).value), "0 .. 100000, the bound of a `perform`"});
  if (NodeId prompt = t.child(node, Role::text); valid(prompt)) choice.prompt = text(env, prompt);
  alternatives(env, node, Role::alternative, choice);
  std::uint16_t m = marks(env, node);
  forget(env, false);
  // The menu is known by the actions that any layer gives it.
  std::vector<std::string> known;
  for (const SourceFile& file : package_.files) {
    const SyntaxTree& other = file.tree;
    for (std::uint32_t n = 0; n < other.nodeCount(); ++n)
      if (other.kind(static_cast<NodeId>(n)) == NodeKind::ActionDecl)
        for (NodeId during : other.children(static_cast<NodeId>(n), Role::during))
          known.push_back(other.nameOf(during));
  }
  std::string menu = t.nameOf(node);
  if (std::find(known.begin(), known.end(), menu) == known.end()) {
    std::sort(known.begin(), known.end());
    Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {menu, "menu of actions"});
    if (std::string near = nearest(menu, known); !near.empty())
      d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return -1;
  }
  hir().choices.push_back(std::move(choice));
  StmtId s = makeStmt(env, node, hir::StmtKind::perform);
  st(s).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
  st(s).exprs = {times};
  st(s).marks = m;
  performed_.push_back({s, menu});
  return s;
}

/// Procedures are typed before all actions are known, so menus are looked up at the end.
void Sema::nameMenus() {
  constexpr std::size_t most = 30; // with a pass, as many as a decision has alternatives
  for (const auto& [s, menu] : performed_) {
    st(s).index = menuNamed(menu);
    if (st(s).index < 0 || hir().menus[static_cast<std::size_t>(st(s).index)].actions.size() <= most)
      continue;
    const Place& place = st(s).place;
    report(Diagnostic(DiagnosticCode::cardinality, tree(place.file).sharedSource(), place.range,
                      {"actions of the menu `" + menu + "`", std::to_string(most)}));
  }
}

} // namespace hellwig
