// SPDX-License-Identifier: Apache-2.0
// Typing of decisions: picks, subsets, menus, alternatives.
#include "compiler/sema_internal.h"

namespace hellwig {
namespace {

constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type fraction{TypeKind::fraction, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};

} // namespace

/// A line `prefer ..` of a choice or a route.
hir::Prefer Sema::prefer(Env& env, NodeId item) {
  const SyntaxTree& t = tree(env);
  hir::Prefer out;
  NodeId value = t.child(item, Role::value);
  if (t.op(item) == TokenKind::none) {
    out.kind = hir::Prefer::Kind::holds;
    out.expr = condition(env, value);
  } else {
    out.kind = t.op(item) == TokenKind::kw_least ? hir::Prefer::Kind::least : hir::Prefer::Kind::greatest;
    out.expr = exprOf(env, value, fraction);
  }
  return out;
}

void Sema::alternatives(Env& env, NodeId node, Role role, hir::Choice& choice) {
  const SyntaxTree& t = tree(env);
  for (NodeId item : t.children(node, role)) {
    if (faulty(env, item)) continue;
    hir::ChoiceAlternative out;
    out.pass = t.has(item, NodeFlags::pass);
    out.marks = marks(env, item);
    std::vector<Fact> around = env.facts;
    if (NodeId when = t.child(item, Role::when); valid(when)) {
      out.when = condition(env, when);
      learn(env, out.when, true);
    }
    if (NodeId label = t.child(item, Role::text); valid(label))
      out.text = text(env, label);
    else if (out.pass)
      out.text = plainText("Pass");
    if (NodeId body = t.child(item, Role::body); valid(body)) out.body = block(env, body);
    env.facts = std::move(around);
    choice.alternatives.push_back(std::move(out));
  }
  NodeId otherwise = t.child(node, Role::otherwise);
  if (!valid(otherwise)) return;
  choice.hasOtherwise = true;
  for (const hir::ChoiceAlternative& a : choice.alternatives)
    if (a.when < 0) {
      // The word itself stands before the braces and their mark.
      TextRange at = t.range(otherwise);
      if (std::size_t word = t.source().text().rfind("otherwise", at.offset); word != std::string_view::npos)
        at = {static_cast<std::uint32_t>(word), 9};
      report(Diagnostic(DiagnosticCode::vainOtherwise, t.sharedSource(), at));
      break;
    }
  std::vector<Fact> around = env.facts;
  choice.otherwise = block(env, otherwise);
  // A mark before the braces cites what happens when there is nothing to choose.
  if (NodeId mark = t.child(node, Role::otherwiseMark); valid(mark))
    st(choice.otherwise).marks = markOf(env, mark);
  env.facts = std::move(around);
}

StmtId Sema::choose(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId countNode = t.child(node, Role::count), setNode = t.child(node, Role::set),
         bodyNode = t.child(node, Role::body);
  hir::Choice choice;
  using HowMany = hir::Choice::HowMany;
  if (valid(t.child(node, Role::eachName))) {
    refuse(env, node, "choose x for each");
    return -1;
  }
  if (NodeId ask = t.child(node, Role::ask); valid(ask)) choice.ask = exprOf(env, ask, sideType);
  if (valid(countNode)) {
    NodeId left = t.child(countNode, Role::left), right = t.child(countNode, Role::right);
    switch (t.op(countNode)) {
    case TokenKind::kw_any: choice.howMany = HowMany::any; break;
    case TokenKind::kw_some: choice.howMany = HowMany::some; break;
    case TokenKind::kw_each: choice.howMany = HowMany::each; break;
    case TokenKind::kw_exactly:
      choice.howMany = HowMany::range;
      choice.least = exprOf(env, left, integer);
      choice.most = choice.least;
      break;
    case TokenKind::kw_up:
      choice.howMany = HowMany::range;
      choice.most = exprOf(env, right, integer);
      break;
    default:
      choice.howMany = HowMany::range;
      choice.least = exprOf(env, left, integer);
      choice.most = exprOf(env, right, integer);
      break;
    }
  }
  if (choice.howMany == HowMany::each && !valid(bodyNode)) {
    report(DiagnosticCode::incompleteRule, env, node,
           {"`choose each`", "what is done with each? it needs a block"});
    return -1;
  }
  choice.set = setExpr(env, setNode);
  bool subset =
      choice.howMany == HowMany::any || choice.howMany == HowMany::some || choice.howMany == HowMany::range;
  Type element = type(choice.set).kind == TypeKind::error ? Type{} : certain(elementOf(type(choice.set)));
  Type bound = subset && element.kind != TypeKind::error ? setOf(element) : element;
  choice.name = t.nameOf(node);
  choice.local = addLocal(env, choice.name, bound);
  choice.element = choice.local;

  alternatives(env, node, Role::alternative, choice);

  std::size_t names = env.names.size();
  std::vector<Fact> around = env.facts;
  if (NodeId prompt = t.child(node, Role::text); valid(prompt)) choice.prompt = text(env, prompt);
  env.names.push_back({choice.name, choice.local});
  if (!subset && element.kind != TypeKind::error) hangFacts(env, choice.set, choice.local);
  for (NodeId item : t.children(node, Role::provided)) {
    ExprId c = condition(env, t.child(item, Role::condition));
    marks(env, item);
    choice.provided.push_back(c);
    learn(env, c, true);
  }
  for (NodeId item : t.children(node, Role::prefer)) {
    if (subset) {
      refuse(env, item, "prefer on a subset");
      continue;
    }
    choice.prefer.push_back(prefer(env, item));
  }
  std::uint16_t m = marks(env, node);
  if (valid(bodyNode)) {
    bool outer = env.inLoop;
    if (choice.howMany == HowMany::each) {
      env.inLoop = true;
      forgetLoop(env, bodyNode);
    }
    choice.body = block(env, bodyNode);
    env.inLoop = outer;
    env.names.resize(names);
    std::erase_if(env.facts, [&](const Fact& fact) {
      for (const Fact& old : around)
        if (old.path == fact.path) return false;
      return true;
    });
  }
  hir().choices.push_back(std::move(choice));
  StmtId s = makeStmt(env, node, hir::StmtKind::choose);
  st(s).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
  st(s).marks = m;
  forgetStatement(env, s);
  return s;
}

StmtId Sema::menu(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  hir::Choice choice;
  choice.howMany = hir::Choice::HowMany::menu;
  if (NodeId ask = t.child(node, Role::ask); valid(ask)) choice.ask = exprOf(env, ask, sideType);
  if (NodeId prompt = t.child(node, Role::text); valid(prompt)) choice.prompt = text(env, prompt);
  alternatives(env, node, Role::item, choice);
  std::uint16_t m = marks(env, node);
  hir().choices.push_back(std::move(choice));
  StmtId s = makeStmt(env, node, hir::StmtKind::choose);
  st(s).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
  st(s).marks = m;
  forgetStatement(env, s);
  return s;
}

} // namespace hellwig
