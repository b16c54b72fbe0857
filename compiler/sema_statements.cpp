// SPDX-License-Identifier: Apache-2.0
// Typing of statements, procedures, hooks and the sequence.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};
constexpr Type hexType{TypeKind::hex, 0, false, false};

} // namespace

StmtId Sema::makeStmt(const Env& env, NodeId node, hir::StmtKind kind) {
  hir::Stmt s;
  s.kind = kind;
  s.place = placeOf(env, node);
  hir().stmts.push_back(std::move(s));
  return static_cast<StmtId>(hir().stmts.size() - 1);
}

StmtId Sema::block(Env& env, NodeId node) {
  if (!valid(node)) return makeStmt(env, tree(env).root(), hir::StmtKind::block);
  StmtId id = makeStmt(env, node, hir::StmtKind::block);
  const SyntaxTree& t = tree(env);
  std::size_t names = env.names.size();
  std::vector<Fact> before = env.facts;
  std::vector<StmtId> list;
  for (NodeId item : t.children(node, Role::item)) {
    if (faulty(env, item)) continue;
    StmtId s = statement(env, item);
    if (s >= 0) list.push_back(s);
  }
  st(id).statements = std::move(list);
  env.names.resize(names);
  // What a block has made uncertain stays so behind it; what it proved was true inside.
  std::vector<Fact> kept;
  for (const Fact& fact : before)
    if (factOf(env, fact.path)) kept.push_back(fact);
  env.facts = std::move(kept);
  return id;
}

bool Sema::answers(StmtId id) const {
  if (id < 0) return false;
  const hir::Stmt& s = out_->hir.stmts[static_cast<std::size_t>(id)];
  switch (s.kind) {
  case hir::StmtKind::block: return !s.statements.empty() && answers(s.statements.back());
  case hir::StmtKind::return_:
  case hir::StmtKind::win:
  case hir::StmtKind::draw: return true;
  case hir::StmtKind::if_: return s.other >= 0 && answers(s.body) && answers(s.other);
  case hir::StmtKind::match: {
    bool all = !s.arms.empty();
    for (const hir::MatchArm& arm : s.arms) all = all && answers(arm.body);
    return all && (s.other < 0 || answers(s.other));
  }
  default: return false;
  }
}

namespace {
/// Does the block leave what stands around it, so that what follows knows that its condition did not hold?
bool leaves(const hir::Hir& hir, StmtId id) {
  if (id < 0) return false;
  const hir::Stmt& s = hir.stmts[static_cast<std::size_t>(id)];
  switch (s.kind) {
  case hir::StmtKind::block: return !s.statements.empty() && leaves(hir, s.statements.back());
  case hir::StmtKind::return_:
  case hir::StmtKind::stop:
  case hir::StmtKind::next:
  case hir::StmtKind::win:
  case hir::StmtKind::draw: return true;
  default: return false;
  }
}
} // namespace

StmtId Sema::statement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  switch (t.kind(node)) {
  case NodeKind::Let: {
    NodeId value = t.child(node, Role::value), typeNode = t.child(node, Role::type);
    std::string localName = t.nameOf(node);
    Type wanted = valid(typeNode) ? resolveType(world(), package_, {env.file, typeNode}, *sink_) : Type{};
    StmtId s = -1;
    LocalId id = -1;
    if (t.kind(value) == NodeKind::Do) {
      id = addLocal(env, localName, wanted);
      s = doStatement(env, value, id);
    } else {
      ExprId e = valid(typeNode) ? exprOf(env, value, wanted) : expr(env, value);
      Type localType = valid(typeNode) ? wanted : type(e);
      if (localType.kind == TypeKind::nothing) {
        report(DiagnosticCode::typeMismatch, env, value,
               {"none", "a value: give the name a type, `let x: T? = none`"});
        localType = Type{};
      }
      id = addLocal(env, localName, localType);
      s = makeStmt(env, node, hir::StmtKind::let);
      st(s).exprs = {e};
      st(s).local = id;
    }
    if (const auto* symbols = world().find(localName); symbols && !symbols->empty() && localName.size() > 1)
      report(std::move(diagnostic(DiagnosticCode::hiddenName, env, t.child(node, Role::name),
                                  {localName, nounWords(symbols->front())})
                           .also(tree(symbols->front().place.file).sharedSource(),
                                 symbols->front().place.range, "declared here")));
    env.names.push_back({localName, id});
    st(s).marks = marks(env, node);
    return s;
  }
  case NodeKind::Set: return assignment(env, node);
  case NodeKind::Roll: {
    NodeId dice = t.child(node, Role::dice), set = t.child(node, Role::set);
    StmtId s = makeStmt(env, node, hir::StmtKind::roll);
    Type result = integer;
    TextId purpose = text(env, t.child(node, Role::text));
    if (valid(dice)) {
      static const std::pair<const char*, DieKind> kinds[] = {{"d6", DieKind::d6},
                                                              {"2d6", DieKind::twoD6},
                                                              {"d10", DieKind::d10},
                                                              {"d100", DieKind::d100},
                                                              {"d66", DieKind::d66}};
      std::string die = t.nameOf(dice);
      bool found = false;
      for (auto [word, kind] : kinds)
        if (die == word) {
          st(s).op = static_cast<std::uint8_t>(kind);
          found = true;
          if (kind == DieKind::d66) result = typeOf(TypeKind::d66);
        }
      if (!found)
        report(DiagnosticCode::wordNotOneOf, env, dice, {die, "d6, 2d6, d10, d100, d66, `one of ..`"});
    } else {
      ExprId from = setExpr(env, set);
      st(s).exprs = {from};
      result = optionalOf(certain(elementOf(type(from))));
    }
    LocalId id = addLocal(env, t.nameOf(node), result);
    st(s).local = id;
    st(s).text = purpose;
    st(s).marks = marks(env, node);
    env.names.push_back({t.nameOf(node), id});
    return s;
  }
  case NodeKind::Do: return doStatement(env, node, -1);
  case NodeKind::IfStmt: {
    StmtId s = makeStmt(env, node, hir::StmtKind::if_);
    NodeId conditionNode = t.child(node, Role::condition), elseNode = t.child(node, Role::elseBody);
    StmtId before = -1;
    ExprId c = -1;
    bool negated = t.kind(conditionNode) == NodeKind::Not;
    NodeId plain = negated ? t.child(conditionNode, Role::operand) : conditionNode;
    if (t.kind(plain) == NodeKind::Do) {
      LocalId answer = addLocal(env, "answer", typeOf(TypeKind::boolean));
      before = doStatement(env, plain, answer);
      c = local(env, plain, answer);
      if (negated) c = notExpr(env, c, conditionNode);
    } else {
      c = condition(env, conditionNode);
    }
    std::vector<Fact> around = env.facts;
    learn(env, c, true);
    StmtId thenBody = block(env, t.child(node, Role::body));
    std::vector<Fact> afterThen = env.facts;
    env.facts = around;
    learn(env, c, false);
    StmtId elseBody = -1;
    if (valid(elseNode))
      elseBody = t.kind(elseNode) == NodeKind::IfStmt ? statement(env, elseNode) : block(env, elseNode);
    std::vector<Fact> afterElse = env.facts;
    bool thenLeaves = leaves(hir(), thenBody), elseLeaves = leaves(hir(), elseBody);
    // Behind it, what is known on every way that goes on.
    if (thenLeaves && !elseLeaves)
      env.facts = afterElse;
    else if (elseLeaves && !thenLeaves) {
      env.facts = afterThen;
      learn(env, c, true);
    } else {
      env.facts.clear();
      for (const Fact& fact : around) {
        auto same = [&](const Fact& other) { return other.path == fact.path; };
        if (std::any_of(afterThen.begin(), afterThen.end(), same) &&
            std::any_of(afterElse.begin(), afterElse.end(), same))
          env.facts.push_back(fact);
      }
    }
    st(s).exprs = {c};
    st(s).body = thenBody;
    st(s).other = elseBody;
    st(s).marks = marks(env, node);
    if (before < 0) return s;
    StmtId both = makeStmt(env, node, hir::StmtKind::block);
    st(both).statements = {before, s};
    return both;
  }
  case NodeKind::Match: return matchStatement(env, node);
  case NodeKind::ForEach: return forEach(env, node);
  case NodeKind::Repeat: {
    StmtId s = makeStmt(env, node, hir::StmtKind::repeat);
    NodeId countNode = t.child(node, Role::count), whileNode = t.child(node, Role::whileTrue);
    ExprId n = exprOf(env, countNode, integer);
    if (at(n).kind == ExprKind::constant && at(n).value > 100000)
      report(DiagnosticCode::numberOutOfRange, env, countNode,
             {std::to_string(at(n).value), "0 .. 100000, the bound of a `repeat`"});
    forget(env, false);
    ExprId c = valid(whileNode) ? condition(env, whileNode) : -1;
    bool outer = std::exchange(env.inLoop, true);
    learn(env, c, true);
    StmtId body = block(env, t.child(node, Role::body));
    env.inLoop = outer;
    st(s).exprs = {n, c};
    st(s).body = body;
    st(s).marks = marks(env, node);
    return s;
  }
  case NodeKind::Stop:
  case NodeKind::Next: {
    bool stop = t.kind(node) == NodeKind::Stop;
    if (!env.inLoop && !(stop && env.inHook)) {
      report(DiagnosticCode::misplacedStatement, env, node, {stop ? "stop" : "next", "a loop"});
      return -1;
    }
    return makeStmt(env, node, stop ? hir::StmtKind::stop : hir::StmtKind::next);
  }
  case NodeKind::Return: {
    StmtId s = makeStmt(env, node, hir::StmtKind::return_);
    NodeId value = t.child(node, Role::value);
    bool wanted = env.returns.kind != TypeKind::nothing;
    if (env.inSequence) {
      report(DiagnosticCode::misplacedStatement, env, node, {"return", "a procedure"});
      return -1;
    }
    if (valid(value) && !wanted) {
      report(diagnostic(DiagnosticCode::typeMismatch, env, value, {"an answer", "no answer"})
                 .withHelp("a procedure that answers says of what type: `procedure p(..): T`"));
      return s;
    }
    if (!valid(value) && wanted) {
      report(DiagnosticCode::typeMismatch, env, node, {"nothing", name(env.returns)});
      return s;
    }
    if (valid(value) && t.kind(value) == NodeKind::Do) {
      LocalId answer = addLocal(env, "answer", env.returns);
      StmtId called = doStatement(env, value, answer);
      st(s).exprs = {local(env, value, answer)};
      StmtId both = makeStmt(env, node, hir::StmtKind::block);
      st(both).statements = {called, s};
      return both;
    }
    if (valid(value)) {
      ExprId e = exprOf(env, value, env.returns);
      st(s).exprs = {e};
    }
    return s;
  }
  case NodeKind::Choose: return choose(env, node);
  case NodeKind::Menu: return menu(env, node);
  case NodeKind::Move: return moveStatement(env, node);
  case NodeKind::Win: {
    ExprId winner = exprOf(env, t.child(node, Role::value), sideType);
    StmtId s = makeStmt(env, node, hir::StmtKind::win);
    TextId words = text(env, t.child(node, Role::text));
    st(s).exprs = {winner};
    st(s).text = words;
    st(s).marks = marks(env, node);
    return s;
  }
  case NodeKind::Draw:
  case NodeKind::Say: {
    StmtId s = makeStmt(env, node, t.kind(node) == NodeKind::Draw ? hir::StmtKind::draw : hir::StmtKind::say);
    TextId words = text(env, t.child(node, Role::text));
    st(s).text = words;
    st(s).marks = marks(env, node);
    return s;
  }
  case NodeKind::Turns:
  case NodeKind::PlayerTurn:
  case NodeKind::Phase:
  case NodeKind::Activation: return spanStatement(env, node);
  case NodeKind::Place:
    report(DiagnosticCode::misplacedStatement, env, node, {"place", "a set-up or a test"});
    return -1;
  case NodeKind::Perform: return perform(env, node);
  case NodeKind::Walk: refuse(env, node, "walk"); return -1;
  case NodeKind::Error: return -1;
  default:
    report(DiagnosticCode::misplacedStatement, env, node,
           {std::string(t.source().text(t.opRange(node))), "a test"});
    return -1;
  }
}

StmtId Sema::assignment(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId target = t.child(node, Role::target), value = t.child(node, Role::value);
  while (t.kind(target) == NodeKind::Paren) target = t.child(target, Role::value);
  auto finish = [&](hir::StmtKind kind, std::int32_t index, LocalId id, std::vector<ExprId> before,
                    Type wanted) {
    StmtId s = -1;
    if (t.kind(value) == NodeKind::Do) {
      LocalId answer = addLocal(env, "answer", wanted);
      StmtId called = doStatement(env, value, answer);
      s = makeStmt(env, node, kind);
      before.push_back(local(env, value, answer));
      st(s).exprs = before;
      st(s).index = index;
      st(s).local = id;
      StmtId both = makeStmt(env, node, hir::StmtKind::block);
      st(both).statements = {called, s};
      return both;
    }
    ExprId e = exprOf(env, value, wanted);
    s = makeStmt(env, node, kind);
    before.push_back(e);
    st(s).exprs = before;
    st(s).index = index;
    st(s).local = id;
    st(s).marks = marks(env, node);
    return s;
  };
  if (t.kind(target) == NodeKind::NameExpr) {
    std::string wanted = t.nameOf(target);
    for (auto i = env.names.rbegin(); i != env.names.rend(); ++i) {
      if (i->name != wanted) continue;
      if (i->local < static_cast<LocalId>(env.scope->parameters)) {
        report(DiagnosticCode::notAssignable, env, target,
               {wanted, "it is a parameter; `let` makes a name of your own"});
        return -1;
      }
      LocalId id = i->local;
      StmtId s =
          finish(hir::StmtKind::setLocal, -1, id, {}, env.scope->locals[static_cast<std::size_t>(id)].type);
      std::string key = "l" + std::to_string(id) + ";";
      std::erase_if(env.facts, [&](const Fact& fact) { return fact.path.find(key) != std::string::npos; });
      return s;
    }
    for (const TestLocal& l : testLocals_)
      if (env.test && l.name == wanted) return finish(hir::StmtKind::setGlobal, l.global, -1, {}, l.type);
    if (const auto* symbols = world().find(wanted))
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::state) {
          StmtId s = finish(hir::StmtKind::setGlobal, symbol.id, -1, {}, world().globalTypes[symbol.id]);
          forget(env, false);
          return s;
        }
    if (world().find(wanted) || valuesByName_.count(wanted) || wanted == "turn" || wanted == "player" ||
        wanted == "clock") {
      report(DiagnosticCode::notAssignable, env, target, {wanted, "it is no state"});
      return -1;
    }
    nameExpr(env, target, Type{});
    return -1;
  }
  if (t.kind(target) == NodeKind::Member && !t.has(target, NodeFlags::hasArgs)) {
    NodeId nameNode = t.child(target, Role::name);
    std::string field = t.nameOf(nameNode);
    ExprId base = expr(env, t.child(target, Role::base));
    if (type(base).kind == TypeKind::error) return -1;
    base = prove(env, base, target);
    if (type(base).kind == TypeKind::error) return -1;
    std::int32_t column = type(base).set ? -1 : world().columnOf(certain(type(base)), field);
    if (column < 0) {
      if (type(base).kind == TypeKind::counter && (field == "hex" || field == "box")) {
        report(diagnostic(DiagnosticCode::notAssignable, env, nameNode,
                          {field, "a counter is moved: `move u to ..`"}));
        return -1;
      }
      if (type(base).kind == TypeKind::counter && field == "facing") {
        refuse(env, nameNode, field);
        return -1;
      }
      std::vector<std::string> known;
      for (std::size_t c = 0; c < world().module.columns.size(); ++c)
        if (!world().module.columns[c].constant && !type(base).set &&
            world().columnOf(certain(type(base)), world().module.columns[c].name) >= 0)
          known.push_back(world().module.columns[c].name);
      Diagnostic d = diagnostic(DiagnosticCode::unknownField, env, nameNode, {field, name(type(base))});
      if (std::string near = nearest(field, known); !near.empty())
        d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
      report(std::move(d));
      return -1;
    }
    if (world().module.columns[static_cast<std::size_t>(column)].constant) {
      report(DiagnosticCode::notAssignable, env, nameNode, {field, "it is printed"});
      return -1;
    }
    StmtId s = finish(hir::StmtKind::setColumn, column, -1, {base},
                      world().columnTypes[static_cast<std::size_t>(column)]);
    forgetColumn(env, column);
    return s;
  }
  report(DiagnosticCode::notAssignable, env, target,
         {std::string(t.text(target)), "only names of your own and states can be set"});
  return -1;
}

StmtId Sema::doStatement(Env& env, NodeId node, LocalId answer) {
  const SyntaxTree& t = tree(env);
  NodeId callNode = t.child(node, Role::call), nameNode = t.child(callNode, Role::name);
  std::string callee = t.nameOf(callNode);
  if (t.child(node, Role::with) != NodeId::none || world().tablesByName.count(callee)) {
    refuse(env, node, "do a table");
    return makeStmt(env, node, hir::StmtKind::nothing);
  }
  std::int32_t p = -1;
  if (callee == "original" && env.originalCallable >= 0 && (env.owner.starts_with("procedure") || env.owner.starts_with("action")))
    p = env.originalCallable;
  else if (auto found = proceduresByName_.find(callee); found != proceduresByName_.end())
    p = found->second.front();
  if (p < 0) {
    std::vector<std::string> known;
    for (const auto& [procedure, unused] : proceduresByName_) known.push_back(procedure);
    std::sort(known.begin(), known.end());
    Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {callee, "procedure"});
    if (std::string near = nearest(callee, known); !near.empty())
      d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return makeStmt(env, node, hir::StmtKind::nothing);
  }
  hir::Procedure& procedure = hir().procedures[static_cast<std::size_t>(p)];
  std::vector<ExprId> args;
  if (!arguments(env, callNode, procedure.scope, callee, args, false))
    return makeStmt(env, node, hir::StmtKind::nothing);
  StmtId s = makeStmt(env, node, hir::StmtKind::call);
  st(s).index = p;
  st(s).exprs = std::move(args);
  if (answer >= 0) {
    if (procedure.result.kind == TypeKind::nothing) {
      report(DiagnosticCode::typeMismatch, env, node, {"a procedure without an answer", "an answer"});
      st(s).kind = hir::StmtKind::nothing;
      return s;
    }
    Type& wanted = env.scope->locals[static_cast<std::size_t>(answer)].type;
    if (wanted.kind == TypeKind::error)
      wanted = procedure.result;
    else if (!fits(procedure.result, wanted) || procedure.result.set != wanted.set)
      report(DiagnosticCode::typeMismatch, env, node, {name(procedure.result), name(wanted)});
    st(s).local = answer;
  }
  st(s).marks = marks(env, node);
  forget(env, false);
  return s;
}

StmtId Sema::moveStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId target = t.child(node, Role::target), to = t.child(node, Role::to), by = t.child(node, Role::by),
         along = t.child(node, Role::alongPath);
  ExprId u = expr(env, target);
  if (type(u).kind != TypeKind::error && type(u).kind != TypeKind::counter) {
    report(DiagnosticCode::typeMismatch, env, target, {name(type(u)), "a counter"});
    return -1;
  }
  u = prove(env, u, target);
  StmtId s = -1;
  if (valid(along)) {
    ExprId p = exprOf(env, along, typeOf(TypeKind::path));
    s = makeStmt(env, node, hir::StmtKind::moveAlong);
    st(s).exprs = {u, p};
  } else if (valid(by)) {
    ExprId h = exprOf(env, to, hexType);
    std::vector<ExprId> args;
    std::int32_t r = resolveRoute(env, by, args);
    if (r < 0) return -1;
    s = makeStmt(env, node, hir::StmtKind::moveBy);
    st(s).exprs = {u, h};
    st(s).exprs.insert(st(s).exprs.end(), args.begin(), args.end());
    st(s).index = r;
  } else {
    ExprId x = expr(env, to);
    Type target2 = certain(type(x));
    if (target2.kind != TypeKind::error &&
        (target2.set || (target2.kind != TypeKind::hex && target2.kind != TypeKind::box))) {
      report(DiagnosticCode::typeMismatch, env, to, {name(type(x)), "a hex or a box"});
      return -1;
    }
    x = prove(env, x, to);
    s = makeStmt(env, node, hir::StmtKind::move);
    st(s).exprs = {u, x};
  }
  st(s).marks = marks(env, node);
  forget(env, false);
  return s;
}

StmtId Sema::forEach(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId setNode = t.child(node, Role::set);
  ExprId key = -1;
  std::uint8_t greatest = 0;
  NodeId byNode = NodeId::none;
  if (t.kind(setNode) == NodeKind::By) {
    byNode = setNode;
    greatest = t.op(byNode) == TokenKind::kw_greatest ? 1 : 0;
    setNode = t.child(byNode, Role::base);
  }
  ExprId set = setExpr(env, setNode);
  if (type(set).kind == TypeKind::error) {
    // The body is typed all the same, so that its own slips are told in the same run.
    set = -1;
  }
  Type element = set < 0 ? Type{} : certain(elementOf(type(set)));
  std::size_t names = env.names.size();
  forget(env, false);
  std::vector<Fact> around = env.facts;
  LocalId id = addLocal(env, t.nameOf(node), element);
  if (valid(byNode) && set >= 0) {
    // In the key the element is `it`, as in a `where`.
    LocalId outer = std::exchange(env.it, id);
    hangFacts(env, set, id);
    key = prove(env, number(env, t.child(byNode, Role::key)), byNode);
    env.it = outer;
    env.facts = around;
  }
  env.names.push_back({t.nameOf(node), id});
  if (set >= 0) hangFacts(env, set, id);
  bool outer = std::exchange(env.inLoop, true);
  StmtId body = block(env, t.child(node, Role::body));
  env.inLoop = outer;
  env.names.resize(names);
  std::erase_if(env.facts, [&](const Fact& fact) {
    return std::none_of(around.begin(), around.end(), [&](const Fact& old) { return old.path == fact.path; });
  });
  StmtId s = makeStmt(env, node, hir::StmtKind::forEach);
  st(s).local = id;
  st(s).body = body;
  st(s).op = greatest;
  if (set >= 0 && at(set).kind == ExprKind::list) {
    st(s).list = true;
    st(s).exprs = at(set).args;
  } else {
    st(s).exprs = {set, key};
  }
  st(s).marks = marks(env, node);
  return s;
}

StmtId Sema::matchStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId valueNode = t.child(node, Role::value), elseNode = t.child(node, Role::elseBody);
  ExprId value = prove(env, expr(env, valueNode), valueNode);
  Type matched = type(value);
  bool enumeration = matched.kind == TypeKind::enumeration && !matched.set;
  if (matched.kind != TypeKind::error && !enumeration &&
      !(matched.kind == TypeKind::integer && !matched.set)) {
    report(DiagnosticCode::typeMismatch, env, valueNode,
           {name(matched), "a value of a type, or a whole number"});
    matched = Type{};
    enumeration = false;
  }
  StmtId s = makeStmt(env, node, hir::StmtKind::match);
  std::vector<hir::MatchArm> arms;
  std::vector<Word> seen;
  bool sound = matched.kind != TypeKind::error;
  std::vector<Fact> around = env.facts, after = env.facts;
  for (NodeId arm : t.children(node, Role::arm)) {
    hir::MatchArm out;
    for (NodeId key : t.children(arm, Role::key)) {
      Word word = none;
      if (t.kind(key) == NodeKind::IntLiteral) {
        if (enumeration)
          report(DiagnosticCode::typeMismatch, env, key, {"a number", name(matched)});
        else
          word = t.intOf(key).value_or(0);
      } else if (enumeration) {
        const EnumInfo& info = world().module.enums[matched.id];
        auto found = std::find(info.names.begin(), info.names.end(), t.nameOf(key));
        if (found == info.names.end()) {
          std::string near = nearest(t.nameOf(key), info.names);
          Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, key,
                                    {t.nameOf(key), "value of `" + info.name + "` called"});
          if (!near.empty()) d.fix = Fix{t.range(key), near, "did you mean `" + near + "`?"};
          report(std::move(d));
          sound = false;
        } else {
          word = found - info.names.begin();
        }
      } else if (matched.kind != TypeKind::error) {
        report(DiagnosticCode::typeMismatch, env, key, {"a name", "a whole number"});
        sound = false;
      }
      if (word == none) continue;
      if (std::find(seen.begin(), seen.end(), word) != seen.end())
        report(DiagnosticCode::duplicateCase, env, key, {std::string(t.text(key))});
      seen.push_back(word);
      out.keys.push_back(word);
    }
    marks(env, arm);
    env.facts = around;
    out.body = block(env, t.child(arm, Role::body));
    std::erase_if(after, [&](const Fact& fact) { return !factOf(env, fact.path); });
    arms.push_back(std::move(out));
  }
  StmtId elseBody = -1;
  if (valid(elseNode)) {
    env.facts = around;
    elseBody = block(env, elseNode);
    std::erase_if(after, [&](const Fact& fact) { return !factOf(env, fact.path); });
  } else if (sound && enumeration) {
    std::string missing;
    const EnumInfo& info = world().module.enums[matched.id];
    for (std::size_t v = 0; v < info.names.size(); ++v)
      if (std::find(seen.begin(), seen.end(), static_cast<Word>(v)) == seen.end())
        missing += (missing.empty() ? "`" : ", `") + info.names[v] + "`";
    if (!missing.empty()) report(DiagnosticCode::missingCase, env, valueNode, {missing});
  } else if (sound) {
    report(DiagnosticCode::missingCase, env, valueNode, {"an `else` for all other numbers"});
  }
  env.facts = std::move(after);
  st(s).exprs = {value};
  st(s).arms = std::move(arms);
  st(s).other = elseBody;
  st(s).marks = marks(env, node);
  return s;
}

std::int32_t Sema::phaseNamed(const std::string& phase) const {
  const auto& phases = out_->world.module.phases;
  for (std::size_t i = 0; i < phases.size(); ++i)
    if (phases[i].name == phase) return static_cast<std::int32_t>(i);
  return -1;
}

StmtId Sema::spanStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId body = t.child(node, Role::body), byNode = t.child(node, Role::by),
         whenNode = t.child(node, Role::when);
  forget(env, false);
  switch (t.kind(node)) {
  case NodeKind::Turns: {
    if (!env.inSequence) {
      report(DiagnosticCode::misplacedStatement, env, node, {"turns", "the sequence"});
      return -1;
    }
    ExprId from = exprOf(env, t.child(node, Role::from), integer),
           to = exprOf(env, t.child(node, Role::to), integer);
    ExprId start = -1;
    StmtId s = makeStmt(env, node, hir::StmtKind::turns);
    if (NodeId startNode = t.child(node, Role::start); valid(startNode)) {
      start = exprOf(env, startNode, typeOf(TypeKind::time));
      st(s).value = t.intOf(t.child(node, Role::every)).value_or(0);
    }
    StmtId inner = block(env, body);
    st(s).exprs = {from, to, start};
    st(s).body = inner;
    st(s).marks = marks(env, node);
    return s;
  }
  case NodeKind::PlayerTurn: {
    if (!env.inSequence) {
      report(DiagnosticCode::misplacedStatement, env, node, {"player turn", "the sequence"});
      return -1;
    }
    std::vector<ExprId> players;
    for (NodeId item : t.children(node, Role::item)) players.push_back(exprOf(env, item, sideType));
    StmtId inner = block(env, body);
    StmtId s = makeStmt(env, node, hir::StmtKind::playerTurn);
    st(s).exprs = std::move(players);
    st(s).body = inner;
    st(s).marks = marks(env, node);
    return s;
  }
  default: break;
  }
  ExprId by = valid(byNode) ? exprOf(env, byNode, sideType) : -1;
  if (t.kind(node) == NodeKind::Activation) {
    StmtId inner = block(env, body);
    StmtId s = makeStmt(env, node, hir::StmtKind::activation);
    st(s).exprs = {by};
    st(s).body = inner;
    st(s).marks = marks(env, node);
    return s;
  }
  std::string phase = t.nameOf(node);
  std::int32_t index = phaseNamed(phase);
  std::uint16_t m = marks(env, node);
  ExprId when = valid(whenNode) ? condition(env, whenNode) : -1;
  StmtId inner = block(env, body);
  // An amendment adds a condition; a replacement another body.
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
      when = when < 0 ? c : make(amended, item, ExprKind::and_, typeOf(TypeKind::boolean), {when, c});
    }
  }
  StmtId s = makeStmt(env, node, hir::StmtKind::phase);
  st(s).index = index;
  st(s).exprs = {by, when};
  st(s).body = inner;
  st(s).marks = m;
  return s;
}

void Sema::procedures() {
  for (std::size_t i = 0; i < hir().procedures.size(); ++i) {
    hir::Procedure& procedure = hir().procedures[i];
    const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(procedureDecl_[i])];
    Env env = envFor(procedure.scope, decl.node, "procedure " + decl.name);
    env.pure = false;
    env.returns = procedure.result;
    if (decl.original >= 0) env.originalCallable = declRule_[decl.original];
    procedure.marks = marks(env, decl.node.node);
    procedure.body = block(env, tree(env).child(decl.node.node, Role::body));
    if (procedure.result.kind != TypeKind::nothing && procedure.result.kind != TypeKind::error &&
        !answers(procedure.body) && !tree(env).has(decl.node.node, NodeFlags::faulty))
      report(DiagnosticCode::missingReturn, env, tree(env).child(decl.node.node, Role::name), {decl.name});
  }
}

void Sema::hooks() {
  auto add = [&](NodeRef ref, NodeId bodyNode, NodeId whenNode, auto fill) {
    const SyntaxTree& t = tree(ref.file);
    if (t.has(ref.node, NodeFlags::faulty)) return;
    hir().hooks.emplace_back();
    hir::Hook& hook = hir().hooks.back();
    hook.before = t.op(ref.node) == TokenKind::kw_before;
    hook.place = placeOf(ref);
    Env env;
    env.file = ref.file;
    env.scope = &hook.scope;
    env.owner = "hook";
    env.pure = false;
    env.returns = typeOf(TypeKind::nothing);
    if (!fill(env, hook)) {
      hir().hooks.pop_back();
      return;
    }
    if (valid(whenNode)) {
      hook.when = condition(env, whenNode);
      learn(env, hook.when, true);
    }
    hook.marks = marks(env, ref.node);
    hook.body = block(env, bodyNode);
  };
  auto phaseHook = [&](Env& env, hir::Hook& hook, NodeId nameNode, const std::string& phase) {
    hook.point = hir::HookPoint::phase;
    hook.index = phaseNamed(phase);
    if (hook.index >= 0) return true;
    std::vector<std::string> known;
    for (const PhaseInfo& p : world().module.phases) known.push_back(p.name);
    Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {phase, "phase"});
    if (std::string near = nearest(phase, known); !near.empty())
      d.fix = Fix{tree(env).range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return false;
  };
  for (const Piece& piece : folded_.hooks) {
    const SyntaxTree& t = tree(piece.node.file);
    NodeId node = piece.node.node, point = t.child(node, Role::point);
    if (!valid(point)) continue;
    add(piece.node, t.child(node, Role::body), t.child(node, Role::when), [&](Env& env, hir::Hook& hook) {
      NodeId nameNode = t.child(point, Role::name);
      std::string pointName = t.nameOf(point);
      auto counterHook = [&](hir::HookPoint which, std::size_t parameters) {
        hook.point = which;
        bindParameters(env, hook.scope, {env.file, point}, true);
        Type first = hook.scope.locals.empty() ? Type{} : hook.scope.locals[0].type;
        if (hook.scope.parameters != parameters ||
            (first.kind != TypeKind::counter && first.kind != TypeKind::error) || first.set) {
          report(DiagnosticCode::hookWording, env, point,
                 {which == hir::HookPoint::move ? "move(u: Kind)" : pointName + "(u: Kind, h: hex)"});
          return false;
        }
        hook.index = first.id;
        return first.kind != TypeKind::error;
      };
      switch (t.op(point)) {
      case TokenKind::kw_turn: hook.point = hir::HookPoint::turn; return true;
      case TokenKind::kw_player: hook.point = hir::HookPoint::playerTurn; return true;
      case TokenKind::kw_activation: hook.point = hir::HookPoint::activation; return true;
      case TokenKind::kw_setup: hook.point = hir::HookPoint::setup; return true;
      case TokenKind::kw_phase: return phaseHook(env, hook, nameNode, pointName);
      case TokenKind::kw_move: return counterHook(hir::HookPoint::move, 1);
      default: break;
      }
      if (pointName == "enter") return counterHook(hir::HookPoint::enter, 2);
      if (pointName == "leave") return counterHook(hir::HookPoint::leave, 2);
      if (pointName == "settle") {
        refuse(env, point, "settle");
        return false;
      }
      auto found = proceduresByName_.find(pointName);
      if (found == proceduresByName_.end()) {
        std::vector<std::string> known;
        for (const auto& [procedure, unused] : proceduresByName_) known.push_back(procedure);
        std::sort(known.begin(), known.end());
        Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, valid(nameNode) ? nameNode : point,
                                  {pointName, "procedure"});
        if (std::string near = nearest(pointName, known); !near.empty())
          d.fix = Fix{t.range(valid(nameNode) ? nameNode : point), near, "did you mean `" + near + "`?"};
        report(std::move(d));
        return false;
      }
      hook.point = hir::HookPoint::procedure;
      hook.index = found->second.front();
      bindParameters(env, hook.scope, {env.file, point}, true);
      const hir::Scope& scope = hir().procedures[static_cast<std::size_t>(hook.index)].scope;
      bool same = scope.parameters == hook.scope.parameters;
      for (std::size_t p = 0; p < scope.parameters && same; ++p)
        same = scope.locals[p].type == hook.scope.locals[p].type ||
               scope.locals[p].type.kind == TypeKind::error ||
               hook.scope.locals[p].type.kind == TypeKind::error;
      if (!same) {
        std::string head = pointName + "(";
        for (std::size_t p = 0; p < scope.parameters; ++p)
          head += (p ? ", " : "") + scope.locals[p].name + ": " + name(scope.locals[p].type);
        report(DiagnosticCode::headDiffers, env, point, {pointName, head + ")"});
      }
      return same;
    });
  }
  // `amend phase N { before { } after { } }` hooks the phase.
  for (const Piece& piece : folded_.phaseAmendments) {
    const SyntaxTree& t = tree(piece.node.file);
    NodeId body = t.child(piece.node.node, Role::body);
    if (!valid(body)) continue;
    for (NodeId item : t.children(body, Role::item)) {
      if (t.kind(item) != NodeKind::PhaseHook) continue;
      add({piece.node.file, item}, t.child(item, Role::body), t.child(item, Role::when),
          [&](Env& env, hir::Hook& hook) {
            return phaseHook(env, hook, t.child(piece.node.node, Role::name), t.nameOf(piece.node.node));
          });
    }
  }
  for (const Piece& piece : folded_.phaseReplacements) {
    Env env;
    env.file = piece.node.file;
    refuse(env, piece.node.node, "replace phase");
  }
  for (const Piece& piece : folded_.arrives) {
    Env env;
    env.file = piece.node.file;
    refuse(env, piece.node.node, "arrive");
  }
}

void Sema::sequence() {
  for (const FoldedDecl& decl : folded_.decls) {
    if (decl.kind != NodeKind::SequenceDecl || !decl.inForce) continue;
    Env env;
    env.file = decl.node.file;
    env.scope = &hir().sequenceScope;
    env.owner = "sequence";
    env.pure = false;
    env.inSequence = true;
    env.returns = typeOf(TypeKind::nothing);
    marks(env, decl.node.node);
    hir().sequence = block(env, tree(env).child(decl.node.node, Role::body));
    return;
  }
}

} // namespace hellwig
