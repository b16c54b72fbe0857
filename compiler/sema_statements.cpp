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
  std::vector<LocalId> offMap = env.offMap;
  std::vector<StmtId> list;
  for (NodeId item : t.children(node, Role::item)) {
    if (faulty(env, item)) continue;
    StmtId s = statement(env, item);
    if (s >= 0) list.push_back(s);
    forgetSettled(env);
  }
  st(id).statements = std::move(list);
  env.names.resize(names);
  // What a block has made uncertain stays so behind it; what it proved was true inside.
  std::vector<Fact> kept;
  for (const Fact& fact : before)
    if (factOf(env, fact.path)) kept.push_back(fact);
  env.facts = std::move(kept);
  env.offMap = std::move(offMap);
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
  case hir::StmtKind::choose: {
    // Whichever way it is answered; what has no block of its own goes on behind it.
    const hir::Choice& choice = out_->hir.choices[static_cast<std::size_t>(s.choice)];
    using HowMany = hir::Choice::HowMany;
    bool all = choice.howMany == HowMany::menu || (choice.howMany != HowMany::each && answers(choice.body));
    for (const hir::ChoiceAlternative& alternative : choice.alternatives)
      all = all && answers(alternative.body);
    return all && (!choice.hasOtherwise || answers(choice.otherwise));
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
      if (isBundle(localType) && localType.optional) {
        e = prove(env, e, value);
        localType = type(e);
        }
        if (localType.kind == TypeKind::path && localType.set) {
          report(DiagnosticCode::severalPaths, env, value);
          localType = Type{};
      }
      id = addLocal(env, localName, localType);
      mayBeOff(env, e, id);
      if (std::string die = dieOf(env, e); !die.empty()) dice_[{env.scope, id}] = die;
      s = makeStmt(env, node, hir::StmtKind::let);
      st(s).exprs = {e};
      st(s).local = id;
    }
    warnHidden(env, t.child(node, Role::name));
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
    if (!st(s).exprs.empty()) mayBeOff(env, st(s).exprs[0], id);
    if (valid(dice)) dice_[{env.scope, id}] = t.nameOf(dice);
    st(s).local = id;
    st(s).text = purpose;
    st(s).marks = marks(env, node);
    warnHidden(env, t.child(node, Role::name));
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
    forgetLoop(env, t.child(node, Role::body));
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
    if (env.inSequence || env.originalPhase >= 0) {
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
    if (env.inSetup) return placeStatement(env, node);
    report(DiagnosticCode::misplacedStatement, env, node, {"place", "a set-up or a test"});
    return -1;
  case NodeKind::Perform: return perform(env, node);
  case NodeKind::Walk: return walk(env, node);
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
      dice_.erase({env.scope, id}); // it may hold anything from here on
      StmtId s =
          finish(hir::StmtKind::setLocal, -1, id, {}, env.scope->locals[static_cast<std::size_t>(id)].type);
      forgetLocal(env, id);
      return s;
    }
    for (const TestLocal& l : testLocals_)
      if (env.test && l.name == wanted) return finish(hir::StmtKind::setGlobal, l.global, -1, {}, l.type);
    if (const auto* symbols = world().find(wanted))
      for (const Symbol& symbol : *symbols)
        if (symbol.kind == SymbolKind::state) {
          StmtId s = finish(hir::StmtKind::setGlobal, symbol.id, -1, {}, world().globalTypes[symbol.id]);
          Writes writes;
          writes.globals.insert(symbol.id);
          forgetWrites(env, writes);
          return s;
        }
    // A test says whose turn it is, and which.
    if (env.test && !world().find(wanted)) {
      if (wanted == "turn") return finish(hir::StmtKind::setGlobal, globalTurn, -1, {}, integer);
      if (wanted == "player") return finish(hir::StmtKind::setGlobal, globalPlayer, -1, {}, sideType);
      if (wanted == "clock")
        return finish(hir::StmtKind::setGlobal, globalClock, -1, {}, typeOf(TypeKind::time));
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
    if (isBundle(type(base))) return setRecordField(env, node, base, nameNode, value);
    std::int32_t column = type(base).set ? -1 : world().columnOf(certain(type(base)), field);
    if (column < 0) {
      ExprId mover = base;
      while (at(mover).kind == ExprKind::assume) mover = at(mover).args[0];
      if (env.effectOf != nullptr && field == "hex" && at(mover).kind == ExprKind::local &&
          at(mover).local == 0) {
        StmtId s = makeStmt(env, node, hir::StmtKind::setHex);
        st(s).exprs = {base, exprOf(env, value, typeOf(TypeKind::hex))};
        st(s).marks = marks(env, node);
        forget(env, false);
        return s;
      }
      if (type(base).kind == TypeKind::counter && (field == "hex" || field == "box")) {
        report(diagnostic(DiagnosticCode::notAssignable, env, nameNode,
                          {field, "a counter is moved: `move u to ..`"}));
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
    Writes writes;
    const std::int16_t group = world().columnFacts[static_cast<std::size_t>(column)].membership;
    StmtId s =
        finish(group >= 0 ? hir::StmtKind::joinGroup : hir::StmtKind::setColumn, group >= 0 ? group : column,
               -1, {base}, world().columnTypes[static_cast<std::size_t>(column)]);
    if (group >= 0)
      addMemberships(writes);
    else
      writes.columns.insert(column);
    forgetWrites(env, writes);
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
  if (callee == "original" && env.originalPhase >= 0 && answer < 0) {
    if (!t.children(callNode, Role::arg).empty())
      report(DiagnosticCode::wrongArgumentCount, env, callNode,
             {"original", "0", std::to_string(t.children(callNode, Role::arg).size())});
    StmtId s = makeStmt(env, node, hir::StmtKind::block);
    st(s).op = 1;
    st(s).statements = {env.originalPhase};
    marks(env, node);
    forget(env, false);
    return s;
  }
  if (auto table = world().tablesByName.find(callee);
      table != world().tablesByName.end() &&
      (!proceduresByName_.count(callee) || valid(t.child(node, Role::with)))) {
    StmtId started = doTable(env, node, table->second.front());
    if (answer >= 0)
      report(DiagnosticCode::typeMismatch, env, node, {"a procedure without an answer", "an answer"});
    return started;
  }
  std::int32_t p = -1;
  if (callee == "original" && env.originalCallable >= 0 &&
      (env.owner.starts_with("procedure") || env.owner.starts_with("action")))
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
  if (!arguments(env, callNode, procedure.scope, callee, args, false) || !recordsApart(env, node, args))
    return makeStmt(env, node, hir::StmtKind::nothing);
  if (NodeId with = t.child(node, Role::with); valid(with)) {
    report(DiagnosticCode::startsNoProcedure, env, nameNode, {callee});
    return makeStmt(env, node, hir::StmtKind::nothing);
  }
  needProcedure(p);
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
  forgetWrites(env, writesOf(p));
  forgetRecords(env, st(s).exprs);
  return s;
}

StmtId Sema::moveStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId target = t.child(node, Role::target), to = t.child(node, Role::to), by = t.child(node, Role::by),
         along = t.child(node, Role::alongPath);
  ExprId u = expr(env, target);
  if (type(u).kind == TypeKind::counter && !env.test) movedKinds_.push_back(type(u).id);
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
    if (at(u).kind == ExprKind::local && !env.test) {
      std::erase(env.offMap, at(u).local);
      if (target2.kind == TypeKind::box) env.offMap.push_back(at(u).local);
    }
  }
  st(s).marks = marks(env, node);
  forgetStatement(env, s);
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
  if (element.kind == TypeKind::path) element.id = 0;
  std::size_t names = env.names.size();
  forgetLoop(env, t.child(node, Role::body));
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
  warnHidden(env, t.child(node, Role::name));
  env.names.push_back({t.nameOf(node), id});
  if (set >= 0) mayBeOff(env, set, id);
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
    std::uint16_t m = marks(env, arm);
    env.facts = around;
    out.body = block(env, t.child(arm, Role::body));
    st(out.body).marks = m;
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

/// The body of a turn, before it the place where reinforcements come in by themselves.
StmtId Sema::withArrivals(const Env& env, NodeId node, StmtId body, bool playerTurn) {
  if (folded_.arrives.empty()) return body;
  StmtId start = makeStmt(env, node, hir::StmtKind::block), all = makeStmt(env, node, hir::StmtKind::block);
  st(all).statements = {start, body};
  turnStarts_.emplace_back(start, playerTurn);
  return all;
}

StmtId Sema::spanStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId body = t.child(node, Role::body), byNode = t.child(node, Role::by);
  // Its hooks run before its first statement and behind its last; a turn comes again and again.
  Writes span;
  addSpanWrites(span);
  forgetWrites(env, span);
  if (t.kind(node) == NodeKind::Turns || t.kind(node) == NodeKind::PlayerTurn) forgetLoop(env, body);
  struct Behind {
    Sema& sema;
    Env& env;
    const Writes& span;
    ~Behind() { sema.forgetWrites(env, span); }
  } behind{*this, env, span};
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
    st(s).body = withArrivals(env, node, inner, false);
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
    st(s).body = withArrivals(env, node, inner, true);
    st(s).marks = marks(env, node);
    return s;
  }
  default: break;
  }
  if (t.kind(node) == NodeKind::Activation) {
    ExprId by = valid(byNode) ? exprOf(env, byNode, sideType) : -1;
    StmtId inner = block(env, body);
    StmtId s = makeStmt(env, node, hir::StmtKind::activation);
    st(s).exprs = {by};
    st(s).body = inner;
    st(s).marks = marks(env, node);
    return s;
  }
  return phaseStatement(env, node);
}

void Sema::procedures() {
  for (std::size_t i = 0; i < hir().procedures.size(); ++i) needProcedure(static_cast<std::int32_t>(i));
}

void Sema::needProcedure(std::int32_t index) {
  const auto i = static_cast<std::size_t>(index);
  if (procedureState_.size() < hir().procedures.size()) procedureState_.resize(hir().procedures.size());
  if (procedureState_[i] != 0) return;
  procedureState_[i] = 1;
  hir::Procedure& procedure = hir().procedures[i];
  const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(procedureDecl_[i])];
  Env env = envFor(procedure.scope, decl.node, "procedure " + decl.name);
  env.pure = false;
  env.returns = procedure.result;
  if (decl.original >= 0) {
    env.originalCallable = declRule_[decl.original];
    const Type& was = hir().procedures[static_cast<std::size_t>(env.originalCallable)].result;
    auto answer = [&](const Type& type) {
      return type.kind == TypeKind::nothing ? "without answer" : name(type);
    };
    if (!(was == procedure.result))
      report(DiagnosticCode::replacedType, env, tree(env).child(decl.node.node, Role::name),
             {decl.name, answer(was), answer(procedure.result)});
  }
  procedure.marks = marks(env, decl.node.node);
  StmtId body = block(env, tree(env).child(decl.node.node, Role::body));
  procedure.body = body;
  procedureState_[i] = 2;
  if (procedure.result.kind != TypeKind::nothing && procedure.result.kind != TypeKind::error &&
      !answers(procedure.body) && !tree(env).has(decl.node.node, NodeFlags::faulty))
    report(DiagnosticCode::missingReturn, env, tree(env).child(decl.node.node, Role::name), {decl.name});
}

/// Types the block of a hook; hooks are known before any procedure is typed, since what a call changes
/// includes them.
void Sema::needHook(std::size_t index) {
  if (index >= pendingHooks_.size() || pendingHooks_[index].state != 0) return;
  PendingHook& pending = pendingHooks_[index];
  pending.state = 1;
  hir::Hook& hook = hir().hooks[index];
  Env& env = pending.env;
  if (valid(pending.when)) {
    hook.when = condition(env, pending.when);
    learn(env, hook.when, true);
  }
  StmtId body = block(env, pending.body);
  hook.body = body;
  pending.state = 2;
}

void Sema::hooks() {
  auto add = [&](NodeRef ref, std::uint16_t layer, NodeId bodyNode, NodeId whenNode, auto fill) {
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
    hookLayers_.push_back(layer);
    hook.marks = marks(env, ref.node);
    pendingHooks_.push_back({std::move(env), whenNode, bodyNode, 0});
  };
  auto phaseHook = [&](Env& env, hir::Hook& hook, NodeId nameNode, const std::string& phase,
                       std::uint16_t layer) {
    hook.point = hir::HookPoint::phase;
    hook.index = phaseNamed(phase);
    for (const Piece& removal : folded_.phaseRemovals)
      if (hook.index < 0 && removal.layer > layer &&
          tree(removal.node.file).nameOf(removal.node.node) == phase)
        return false;
    // An amendment of a phase that is not there has been told.
    return nameNode == NodeId::none ? hook.index >= 0 : phaseIsThere(env, nameNode, phase);
  };
  for (const Piece& piece : folded_.hooks) {
    const SyntaxTree& t = tree(piece.node.file);
    NodeId node = piece.node.node, point = t.child(node, Role::point);
    if (!valid(point)) continue;
    add(piece.node, piece.layer, t.child(node, Role::body), t.child(node, Role::when),
        [&](Env& env, hir::Hook& hook) {
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
          case TokenKind::kw_phase: return phaseHook(env, hook, nameNode, pointName, piece.layer);
          case TokenKind::kw_move: return counterHook(hir::HookPoint::move, 1);
          default: break;
          }
          if (pointName == "enter") return counterHook(hir::HookPoint::enter, 2);
          if (pointName == "leave") return counterHook(hir::HookPoint::leave, 2);
          if (pointName == "settle") {
            hook.point = hir::HookPoint::settle;
            bindParameters(env, hook.scope, {env.file, point}, true);
            if (!hook.before && hook.scope.parameters == 1 && hook.scope.locals[0].type == hexType)
              return true;
            report(DiagnosticCode::hookWording, env, point, {"after settle(h: hex)"});
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
      add({piece.node.file, item}, piece.layer, t.child(item, Role::body), t.child(item, Role::when),
          [&](Env& env, hir::Hook& hook) {
            return phaseHook(env, hook, NodeId::none, t.nameOf(piece.node.node), piece.layer);
          });
    }
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
    std::uint16_t m = marks(env, decl.node.node);
    hir().sequence = block(env, tree(env).child(decl.node.node, Role::body));
    st(hir().sequence).marks = m;
    return;
  }
}

} // namespace hellwig
