// SPDX-License-Identifier: Apache-2.0
// Typing of a `test` block: each statement becomes a step whose expressions are bodies of their own; the
// names that the test gives are globals of its module.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type sideType{TypeKind::side, 0, false, false};
constexpr Type hexType{TypeKind::hex, 0, false, false};

SpanKind spanOf(TokenKind op) {
  return op == TokenKind::kw_turn     ? SpanKind::turn
         : op == TokenKind::kw_player ? SpanKind::playerTurn
                                      : SpanKind::phase;
}

} // namespace

ExprId Sema::testGlobal(Env& env, NodeId node, const std::string& wanted) {
  for (const TestLocal& l : testLocals_) {
    if (l.name != wanted) continue;
    ExprId e = make(env, node, ExprKind::global, l.type);
    at(e).index = l.global;
    return known(env, e);
  }
  return error(env, node);
}

std::uint32_t Sema::extraExpr(hir::Scope& scope, ExprId e) {
  ExtraBody extra;
  extra.name = "test";
  extra.scope = &scope;
  extra.expr = e;
  out_->extras.push_back(extra);
  return static_cast<std::uint32_t>(out_->extras.size() - 1);
}

/// A statement of a test as a procedure of its own.
std::uint32_t Sema::extraBlock(Env& env, NodeId node, StmtId statement) {
  ExtraBody extra;
  extra.name = "test";
  extra.scope = env.scope;
  extra.block = makeStmt(env, node, hir::StmtKind::block);
  st(extra.block).statements = {statement};
  out_->extras.push_back(std::move(extra));
  return static_cast<std::uint32_t>(out_->extras.size() - 1);
}

void Sema::test(NodeRef ref) {
  const SyntaxTree& t = tree(ref.file);
  TestProgram& test = out_->test;
  test.title = t.textOf(t.child(ref.node, Role::text));
  test.place = {ref.file, t.source().lineOf(t.range(ref.node).offset)};
  Env env;
  env.file = ref.file;
  test.marks = marks(env, ref.node);
  NodeId body = t.child(ref.node, Role::body);
  if (!valid(body)) return;
  env.test = true;
  env.owner = "test";
  env.returns = typeOf(TypeKind::nothing);
  for (NodeId item : t.children(body, Role::item)) {
    if (faulty(env, item)) continue;
    // Each step has a scope of its own, for the elements of its sets; what the test names outlives it as a
    // global.
    out_->testScopes.emplace_back();
    env.scope = &out_->testScopes.back();
    env.names.clear();
    testStatement(env, item);
    forget(env, true);
  }
}

void Sema::testStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  TestStep step;
  step.place = {env.file, t.source().lineOf(t.range(node).offset)};
  auto body = [&](ExprId e) { return type(e).kind == TypeKind::error ? noBody : extraExpr(*env.scope, e); };
  auto addGlobal = [&](const std::string& localName, Type localType) {
    for (TestLocal& l : testLocals_)
      if (l.name == localName) {
        report(DiagnosticCode::duplicateName, env, node, {localName});
        return l.global;
      }
    std::uint16_t index = this->addGlobal(localName, localType);
    testLocals_.push_back({localName, index, localType});
    return index;
  };
  /// A call whose refusal or explanation is asked: the subject and a body with its argument words.
  auto argumentsBody = [&](std::vector<ExprId> args) {
    ExtraBody extra;
    extra.name = "test";
    extra.scope = env.scope;
    extra.arguments = std::move(args);
    out_->extras.push_back(std::move(extra));
    return static_cast<std::uint32_t>(out_->extras.size() - 1);
  };
  /// The numbers of a list, as they are given to the elements of an allotment.
  auto numbers = [&](NodeId list) {
    std::vector<std::uint32_t> items;
    if (!valid(list) || t.kind(list) != NodeKind::ListParen) return items;
    for (NodeId item : t.children(list, Role::item)) {
      ExprId e = expr(env, item);
      if (type(e).kind != TypeKind::integer || type(e).set) return std::vector<std::uint32_t>{};
      items.push_back(body(e));
    }
    return items;
  };
  /// What of an expectation can be explained: the first value, permission, reach or zone in it.
  std::function<bool(ExprId, ExplainTarget&)> explains = [&](ExprId id, ExplainTarget& out) -> bool {
    if (id < 0) return false;
    const hir::Expr e = at(id);
    switch (e.kind) {
    case ExprKind::call:
      out.kind = ExplainTarget::Kind::value;
      out.subject = static_cast<std::uint32_t>(e.index);
      out.argumentsBody = argumentsBody(e.args);
      return true;
    case ExprKind::tableCall:
      out.kind = ExplainTarget::Kind::table;
      out.subject = static_cast<std::uint32_t>(e.index);
      out.argumentsBody = argumentsBody(
          {e.args.begin(),
           e.args.begin() + static_cast<std::ptrdiff_t>(
                                world().tableFacts[static_cast<std::size_t>(e.index)].keys.size())});
      return true;
    case ExprKind::can:
      out.kind = ExplainTarget::Kind::permission;
      out.subject = static_cast<std::uint32_t>(e.index);
      out.argumentsBody = argumentsBody(e.args);
      return true;
    case ExprKind::in: {
      ExprId set = e.args[1];
      const hir::Expr s = at(set);
      if (s.kind == ExprKind::reach) {
        out.kind = ExplainTarget::Kind::reach;
        out.subject = static_cast<std::uint32_t>(s.index);
        std::vector<ExprId> args = s.args;
        args.push_back(e.args[0]);
        out.argumentsBody = argumentsBody(std::move(args));
        return true;
      }
      if (s.kind == ExprKind::zoneOfSide) {
        out.kind = ExplainTarget::Kind::zone;
        out.subject = static_cast<std::uint32_t>(s.index);
        out.argumentsBody = argumentsBody({s.args[0], e.args[0]});
        return true;
      }
      break;
    }
    default: break;
    }
    for (ExprId arg : e.args)
      if (explains(arg, out)) return true;
    return false;
  };
  auto push = [&] { out_->test.steps.push_back(std::move(step)); };
  // A name whose statement is faulty is known all the same: what uses it is not reported again.
  struct NameAnyway {
    Sema& sema;
    std::string name;
    std::size_t before;
    ~NameAnyway() {
      if (!name.empty() && sema.testLocals_.size() == before) sema.testLocals_.push_back({name, 0, Type{}});
    }
  } nameAnyway{*this,
               t.kind(node) == NodeKind::Place || t.kind(node) == NodeKind::Let ? t.nameOf(node)
                                                                                : std::string(),
               testLocals_.size()};

  switch (t.kind(node)) {
  case NodeKind::Use:
  case NodeKind::UseMap: return;
  case NodeKind::UseScenario: out_->test.runsSetup = true; return;
  case NodeKind::Begin: {
    step.kind = TestStep::Kind::begin;
    step.span = spanOf(t.op(node));
    step.name = t.nameOf(node);
    if (step.span == SpanKind::phase && phaseNamed(step.name) < 0) {
      std::vector<std::string> known;
      for (const PhaseInfo& p : world().module.phases) known.push_back(p.name);
      NodeId nameNode = t.child(node, Role::name);
      Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {step.name, "phase"});
      if (std::string near = nearest(step.name, known); !near.empty())
        d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
      report(std::move(d));
      return;
    }
    if (NodeId of = t.child(node, Role::of); valid(of)) step.body = body(exprOf(env, of, sideType));
    if (NodeId turn = t.child(node, Role::turn); valid(turn)) step.number = t.intOf(turn).value_or(1);
    return push();
  }
  case NodeKind::EndOf:
    step.kind = TestStep::Kind::end;
    step.span = spanOf(t.op(node));
    return push();
  case NodeKind::Dice:
    step.kind = TestStep::Kind::dice;
    for (NodeId value : t.children(node, Role::value)) {
      step.numbers.push_back(t.intOf(value).value_or(0));
      if (!someDieShows(static_cast<std::int32_t>(step.numbers.back())))
        report(DiagnosticCode::noSuchDie, env, value, {std::string(t.text(value))});
    }
    return push();
  case NodeKind::Settle: step.kind = TestStep::Kind::settle; return push();
  case NodeKind::PlayGames:
    step.kind = TestStep::Kind::playGames;
    step.number = t.intOf(t.child(node, Role::count)).value_or(0);
    return push();
  case NodeKind::Decide:
    step.kind = TestStep::Kind::decide;
    for (NodeId item : t.children(node, Role::item)) {
      TestBind bind;
      NodeId value = t.child(item, Role::value), by = t.child(item, Role::by);
      if (NodeId bound = t.child(item, Role::name); valid(bound)) bind.name = t.nameOf(bound);
      if (t.has(item, NodeFlags::pass)) {
        bind.kind = TestBind::Kind::pass;
      } else if (valid(value) && t.kind(value) == NodeKind::Text) {
        bind.kind = TestBind::Kind::text;
        bind.text = t.textOf(value);
      } else {
        if (valid(value) && t.kind(value) == NodeKind::NameExpr && !valid(t.child(item, Role::name)) &&
            isAction(t.nameOf(value)))
          bind.action = t.nameOf(value);
        // The name of an action need not be that of anything else.
        DiagnosticSink quiet;
        DiagnosticSink* told = bind.action.empty() ? sink_ : std::exchange(sink_, &quiet);
        ExprId e = expr(env, value);
        sink_ = bind.action.empty() ? sink_ : told;
        // A number of four digits that a hex bears is that hex.
        if (std::string words(t.text(value)); t.kind(value) == NodeKind::IntLiteral && words.size() >= 4 &&
                                              hexByLabel(world().module.board, words) >= 0)
          report(diagnostic(DiagnosticCode::wording, env, value, {"hex " + words})
                     .withFix(t.range(value), "hex " + words, "write `hex " + words + "`"));
        if (type(e).kind == TypeKind::area) e = coerce(env, e, setOf(hexType), value);
        bind.type = moduleType(type(e));
        bind.body = body(e);
        bind.items = numbers(value);
        if (bind.body == noBody && bind.action.empty()) continue;
      }
      if (valid(by)) bind.byBody = body(exprOf(env, by, sideType));
      step.binds.push_back(std::move(bind));
    }
    step.marks = marks(env, node);
    return push();
  case NodeKind::Expect: {
    step.kind = TestStep::Kind::expect;
    NodeId value = t.child(node, Role::value), because = t.child(node, Role::because);
    step.words = std::string(t.text(value));
    step.marks = marks(env, node);
    // `winner is S` asks the host.
    if (t.kind(value) == NodeKind::Compare && t.op(value) == TokenKind::kw_is &&
        t.kind(t.child(value, Role::left)) == NodeKind::NameExpr &&
        t.nameOf(t.child(value, Role::left)) == "winner" && !world().find("winner")) {
      NodeId right = t.child(value, Role::right);
      step.kind = TestStep::Kind::expectWinner;
      step.number = t.has(value, NodeFlags::negated) ? 1 : 0;
      if (!(t.kind(right) == NodeKind::Constant && t.op(right) == TokenKind::kw_none))
        step.body = body(exprOf(env, right, sideType));
      return push();
    }
    ExprId e = condition(env, value);
    if (type(e).kind == TypeKind::error) return;
    step.body = body(e);
    if (valid(because)) {
      step.text = t.textOf(because);
      step.hasText = true;
    }
    // Of what has no explanation (a state, where a counter stands) a mark says which rule is tried, no more.
    if (!explains(e, step.explain) && step.hasText)
      report(DiagnosticCode::nothingToExplain, env, value, {});
    // Both figures of a comparison are shown when it fails.
    const hir::Expr compared = at(at(e).kind == ExprKind::not_ ? at(e).args[0] : e);
    if (compared.kind == ExprKind::equal || compared.kind == ExprKind::less ||
        compared.kind == ExprKind::lessEqual) {
      if (type(compared.args[0]).kind != TypeKind::nothing) {
        step.foundBody = body(compared.args[0]);
        step.type = moduleType(type(compared.args[0]));
      }
    }
    return push();
  }
  case NodeKind::ExpectRefused: {
    NodeId callNode = t.child(node, Role::call), words = t.child(node, Role::text);
    step.words = std::string(t.text(node));
    step.marks = marks(env, node);
    if (valid(words)) {
      TextId reason = text(env, words);
      step.hasText = true;
      ExtraBody extra;
      extra.name = "test";
      extra.scope = env.scope;
      extra.text = reason;
      out_->extras.push_back(std::move(extra));
      step.textBody = static_cast<std::uint32_t>(out_->extras.size() - 1);
    }
    if (!valid(callNode)) {
      step.kind = TestStep::Kind::expectRefusedOption;
      step.name = t.nameOf(node);
      ExprId e = expr(env, t.child(node, Role::value));
      step.type = moduleType(type(e));
      step.body = body(e);
      step.items = numbers(t.child(node, Role::value));
      if (step.body == noBody) return;
      return push();
    }
    step.kind = TestStep::Kind::expectRefused;
    std::string callee = t.nameOf(callNode);
    NodeId to = t.child(node, Role::to);
    std::vector<ExprId> args;
    if (valid(to) || (routesByName_.count(callee) && !permissionsByName_.count(callee))) {
      std::int32_t r = resolveRoute(env, callNode, args);
      if (r < 0) return;
      if (!valid(to)) {
        report(DiagnosticCode::incompleteRule, env, node,
               {"the refusal of a route", "to which hex? `expect refused " + callee + "(..) to hex ..`"});
        return;
      }
      args.push_back(exprOf(env, to, hexType));
      if (type(args.back()).kind == TypeKind::error) return;
      step.explain.kind = ExplainTarget::Kind::reach;
      step.explain.subject = static_cast<std::uint32_t>(r);
    } else {
      auto found = permissionsByName_.find(callee);
      if (found == permissionsByName_.end()) {
        std::vector<std::string> known;
        for (const auto& [permission, unused] : permissionsByName_) known.push_back(permission);
        for (const auto& [routeName, unused] : routesByName_) known.push_back(routeName);
        std::sort(known.begin(), known.end());
        NodeId nameNode = t.child(callNode, Role::name);
        Diagnostic d =
            diagnostic(DiagnosticCode::unknownName, env, nameNode, {callee, "permission or route"});
        if (std::string near = nearest(callee, known); !near.empty())
          d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
        report(std::move(d));
        return;
      }
      std::vector<const hir::Scope*> scopes;
      for (std::int32_t p : found->second)
        scopes.push_back(&hir().permissions[static_cast<std::size_t>(p)].scope);
      std::int32_t p = choose(env, callNode, callee, found->second, scopes, args);
      if (p < 0 || !arguments(env, callNode, hir().permissions[static_cast<std::size_t>(p)].scope, callee,
                              args, false))
        return;
      step.explain.kind = ExplainTarget::Kind::permission;
      step.explain.subject = static_cast<std::uint32_t>(p);
    }
    step.explain.argumentsBody = argumentsBody(std::move(args));
    return push();
  }
  case NodeKind::ExpectDecision:
    step.kind = TestStep::Kind::expectDecision;
    step.text = t.textOf(t.child(node, Role::text));
    step.marks = marks(env, node);
    return push();
  case NodeKind::ExpectChoices: {
    step.kind = TestStep::Kind::expectChoices;
    ExprId e = setExpr(env, t.child(node, Role::value));
    step.type = moduleType(type(e));
    step.body = body(e);
    step.marks = marks(env, node);
    if (step.body == noBody) return;
    return push();
  }
  case NodeKind::ExpectHappened: {
    NodeId callNode = t.child(node, Role::call);
    auto found = proceduresByName_.find(t.nameOf(callNode));
    if (found == proceduresByName_.end()) {
      std::vector<std::string> known;
      for (const auto& [procedure, unused] : proceduresByName_) known.push_back(procedure);
      std::sort(known.begin(), known.end());
      NodeId nameNode = t.child(callNode, Role::name);
      Diagnostic d =
          diagnostic(DiagnosticCode::unknownName, env, nameNode, {t.nameOf(callNode), "procedure"});
      if (std::string near = nearest(t.nameOf(callNode), known); !near.empty())
        d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
      report(std::move(d));
      return;
    }
    step.kind = TestStep::Kind::expectHappened;
    step.procedure = static_cast<std::uint32_t>(found->second.front());
    // Without arguments any call of it will do.
    if (!t.children(callNode, Role::arg).empty()) {
      std::vector<ExprId> args;
      if (!arguments(env, callNode, hir().procedures[step.procedure].scope, t.nameOf(callNode), args, false))
        return;
      step.body = argumentsBody(std::move(args));
    }
    step.name = t.nameOf(callNode);
    step.number = t.has(node, NodeFlags::once) ? 1 : -1;
    return push();
  }
  case NodeKind::ExpectRolled:
    step.kind = TestStep::Kind::expectRolled;
    step.number = t.intOf(t.child(node, Role::count)).value_or(0);
    return push();
  case NodeKind::ExpectHidden:
    step.kind = TestStep::Kind::expectHidden;
    {
      ExprId who = expr(env, t.child(node, Role::target));
      step.body = body(coerce(env, who, certain(elementOf(type(who))), node));
      step.setBody = body(exprOf(env, t.child(node, Role::from), sideType));
    }
    step.marks = marks(env, node);
    if (step.body == noBody || step.setBody == noBody) return;
    return push();
  case NodeKind::Place: return testPlace(env, node);
  case NodeKind::Let: {
    NodeId value = t.child(node, Role::value), typeNode = t.child(node, Role::type);
    Type wanted = valid(typeNode) ? resolveType(world(), package_, {env.file, typeNode}, *sink_) : Type{};
    StmtId called = -1;
    ExprId e = -1;
    if (t.kind(value) == NodeKind::Do) {
      LocalId answer = addLocal(env, t.nameOf(node), wanted);
      bool outer = std::exchange(env.pure, false);
      called = doStatement(env, value, answer);
      env.pure = outer;
      e = local(env, value, answer);
      step.starts = true;
    } else {
      e = valid(typeNode) ? exprOf(env, value, wanted) : expr(env, value);
    }
    if (type(e).kind == TypeKind::error) return;
    if (type(e).kind == TypeKind::nothing) {
      report(DiagnosticCode::typeMismatch, env, value,
             {"none", "a value: give the name a type, `let x: T? = none`"});
      return;
    }
    std::uint16_t global = addGlobal(t.nameOf(node), valid(typeNode) ? wanted : type(e));
    StmtId s = makeStmt(env, node, hir::StmtKind::setGlobal);
    st(s).index = global;
    st(s).exprs = {e};
    if (called >= 0) {
      StmtId both2 = makeStmt(env, node, hir::StmtKind::block);
      st(both2).statements = {called, s};
      s = both2;
    }
    step.body = extraBlock(env, node, s);
    return push();
  }
  default: {
    bool outer = std::exchange(env.pure, false);
    StmtId s = statement(env, node);
    env.pure = outer;
    if (s < 0) return;
    step.body = extraBlock(env, node, s);
    step.kind = TestStep::Kind::run;
    step.starts = t.kind(node) == NodeKind::Do;
    push();
  }
  }
}

/// All counters that bear a bare name which is of several; -1 if it is not.
ExprId Sema::namedAlike(Env& env, NodeId node) {
  if (tree(env).kind(node) != NodeKind::NameExpr) return -1;
  const auto* symbols = world().find(tree(env).nameOf(node));
  if (!symbols || symbols->size() < 2) return -1;
  std::vector<std::uint16_t> counters;
  for (const Symbol& s : *symbols) {
    if (s.kind != SymbolKind::counter) return -1;
    counters.push_back(static_cast<std::uint16_t>(s.value));
  }
  std::sort(counters.begin(), counters.end());
  return counterSet(env, node, world().module.counters[counters.front()].kind, counters);
}

/// `place x = A, B at H with f = e`, `place x = new K like A at H`: a step for each counter.
void Sema::testPlace(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId nameNode = t.child(node, Role::name), whereNode = t.child(node, Role::at);
  if (!valid(whereNode)) whereNode = t.child(node, Role::in);
  std::vector<NodeId> targets;
  for (NodeId target : t.children(node, Role::target)) targets.push_back(target);
  if (valid(nameNode) && targets.size() > 1) report(DiagnosticCode::oneCounterNamed, env, nameNode);
  auto body = [&](ExprId e) { return type(e).kind == TypeKind::error ? noBody : extraExpr(*env.scope, e); };
  bool first = true;
  for (NodeId target : targets) {
    TestStep step;
    step.kind = TestStep::Kind::place;
    step.place = {env.file, t.source().lineOf(t.range(node).offset)};
    ExprId set = -1;
    if (t.has(node, NodeFlags::isNew)) {
      auto made = world().testCounters.find({env.file, static_cast<std::uint32_t>(node)});
      if (made == world().testCounters.end()) continue; // told where the forces are made
      set = counterSet(env, target, world().module.counters[made->second].kind, {made->second});
    } else {
      // A bare name of several counters stands for the first of them that is not yet placed.
      set = namedAlike(env, target);
      if (set < 0) set = countersNamed(env, target);
      if (set < 0) continue;
      set = coerce(env, set, setOf(certain(type(set))), target);
    }
    const Type counter = certain(elementOf(type(set)));
    step.setBody = body(set);
    ExprId where = hexesFor(env, whereNode);
    if (type(where).kind == TypeKind::error) return;
    step.body = body(where);
    step.type = moduleType(type(where));
    for (NodeId with : t.children(node, Role::with)) testSetting(env, with, counter, step);
    if (valid(nameNode) && first) {
      bool known = std::any_of(testLocals_.begin(), testLocals_.end(),
                               [&](const TestLocal& l) { return l.name == t.nameOf(nameNode); });
      if (known) {
        report(DiagnosticCode::duplicateName, env, nameNode, {t.nameOf(nameNode)});
      } else {
        std::uint16_t global = addGlobal(t.nameOf(nameNode), counter);
        testLocals_.push_back({t.nameOf(nameNode), global, counter});
        step.global = global;
      }
    }
    first = false;
    out_->test.steps.push_back(std::move(step));
  }
}

/// A field that a test gives a counter. Printed ones are given where the forces are made.
void Sema::testSetting(Env& env, NodeId with, const Type& counter, TestStep& step) {
  const SyntaxTree& t = tree(env);
  const std::string field = t.nameOf(with);
  NodeId nameNode = t.child(with, Role::name), valueNode = t.child(with, Role::value);
  const std::int32_t column = world().columnOf(counter, field);
  if (column < 0) {
    std::vector<std::string> known;
    for (const Column& c : world().module.columns)
      if (world().columnOf(counter, c.name) >= 0) known.push_back(c.name);
    Diagnostic d = diagnostic(DiagnosticCode::unknownField, env, nameNode, {field, name(counter)});
    if (std::string near = nearest(field, known); !near.empty())
      d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return;
  }
  const Type wanted = world().columnTypes[static_cast<std::size_t>(column)];
  if (world().columnFacts[static_cast<std::size_t>(column)].printed) {
    constantOf(world(), package_, {env.file, valueNode}, wanted, *sink_);
    return;
  }
  ExprId value = exprOf(env, valueNode, wanted);
  if (type(value).kind != TypeKind::error)
    step.settings.push_back({static_cast<std::uint16_t>(column), extraExpr(*env.scope, value)});
}

} // namespace hellwig
