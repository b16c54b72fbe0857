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
  if (NodeId ask = t.child(node, Role::ask); valid(ask)) choice.ask = exprOf(env, ask, sideType);
  const bool allotment = valid(t.child(node, Role::eachName));
  if (allotment && (valid(countNode) || t.kind(setNode) != NodeKind::RangeTo)) {
    report(DiagnosticCode::allotmentRange, env, valid(countNode) ? countNode : setNode, {t.nameOf(node)});
    return -1;
  }
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
  // What the block changes is looked at anew for the next element.
  if (choice.howMany == HowMany::each) forgetLoop(env, bodyNode);
  choice.set = setExpr(env, allotment ? t.child(node, Role::eachSet) : setNode);
  bool subset =
      choice.howMany == HowMany::any || choice.howMany == HowMany::some || choice.howMany == HowMany::range;
  if (subset && type(choice.set).kind == TypeKind::path) {
    report(DiagnosticCode::severalPaths, env, setNode);
    return -1;
  }
  Type element = type(choice.set).kind == TypeKind::error ? Type{} : certain(elementOf(type(choice.set)));
  if (element.kind == TypeKind::path) element.id = 0;
  Type bound = subset && element.kind != TypeKind::error ? setOf(element) : element;
  choice.name = t.nameOf(node);
  if (allotment) {
    choice.howMany = HowMany::allotment;
    bound.allotted = true;
    allotmentBounds(env, node, element, choice);
  }
  choice.local = addLocal(env, choice.name, bound);
  if (!allotment) choice.element = choice.local;

  alternatives(env, node, Role::alternative, choice);

  std::size_t names = env.names.size();
  std::vector<Fact> around = env.facts;
  if (NodeId prompt = t.child(node, Role::text); valid(prompt)) choice.prompt = text(env, prompt);
  warnHidden(env, t.child(node, Role::name));
  env.names.push_back({choice.name, choice.local});
  if (!subset && !allotment && element.kind != TypeKind::error) {
    mayBeOff(env, choice.set, choice.local);
    hangFacts(env, choice.set, choice.local);
  }
  for (NodeId item : t.children(node, Role::provided)) {
    ExprId c = condition(env, t.child(item, Role::condition));
    marks(env, item);
    choice.provided.push_back(c);
    learn(env, c, true);
  }
  for (NodeId item : t.children(node, Role::prefer)) {
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

/// The range of the numbers of an allotment, which may read the element.
void Sema::allotmentBounds(Env& env, NodeId node, const Type& element, hir::Choice& choice) {
  const SyntaxTree& t = tree(env);
  NodeId eachNode = t.child(node, Role::eachName), range = t.child(node, Role::set);
  std::size_t names = env.names.size();
  std::vector<Fact> around = env.facts;
  choice.element = addLocal(env, t.nameOf(eachNode), element);
  env.names.push_back({t.nameOf(eachNode), choice.element});
  if (element.kind != TypeKind::error) hangFacts(env, choice.set, choice.element);
  choice.least = exprOf(env, t.child(range, Role::left), integer);
  choice.most = exprOf(env, t.child(range, Role::right), integer);
  env.names.resize(names);
  env.facts = std::move(around);
}

LocalId Sema::allotmentNamed(const Env& env, const std::string& wanted) const {
  for (auto i = env.names.rbegin(); i != env.names.rend(); ++i)
    if (i->name == wanted)
      return env.scope->locals[static_cast<std::size_t>(i->local)].type.allotted ? i->local : -1;
  return -1;
}

/// `x(u)`, the number that the allotment x gives to u.
ExprId Sema::allottedNumber(Env& env, NodeId node, LocalId allotment) {
  const SyntaxTree& t = tree(env);
  std::vector<NodeId> given;
  for (NodeId arg : t.children(node, Role::arg)) given.push_back(t.child(arg, Role::value));
  if (given.size() != 1) {
    report(DiagnosticCode::wrongArgumentCount, env, node,
           {t.nameOf(node), "1", std::to_string(given.size())});
    return error(env, node);
  }
  Type wanted = env.scope->locals[static_cast<std::size_t>(allotment)].type;
  wanted.allotted = false;
  ExprId element = exprOf(env, given.front(), wanted);
  if (type(element).kind == TypeKind::error || wanted.kind == TypeKind::error) return error(env, node);
  ExprId numbers = local(env, node, allotment);
  return make(env, node, ExprKind::allotted, integer, {element, numbers});
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
