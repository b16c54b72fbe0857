// SPDX-License-Identifier: Apache-2.0
// Reinforcements: `arrive` gives counters their `entry`. Where no rule asks for it they come in by themselves
// when a player turn of their side begins.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};
constexpr Type hexType{TypeKind::hex, 0, false, false};
constexpr Type hexSet{TypeKind::hex, 0, true, false};
constexpr Type areaType{TypeKind::area, 0, false, false};

} // namespace

/// A global of the module that no name of the game means.
std::uint16_t Sema::addGlobal(const std::string& globalName, Type globalType) {
  Global g;
  g.name = globalName;
  g.type = moduleType(globalType);
  // How large paths are is known when the routes are lowered (declareRoutes).
  g.words = static_cast<std::uint16_t>(globalType.set ? world().setWords(elementOf(globalType)) : 1);
  g.initial.assign(g.words, 0);
  if (!globalType.set) g.initial.front() = none;
  world().module.globals.push_back(std::move(g));
  world().globalTypes.push_back(globalType);
  return static_cast<std::uint16_t>(world().module.globals.size() - 1);
}

/// The value `entry` of the counters of a kind that is no sub-kind; what it is follows when all rules are
/// typed.
std::int32_t Sema::entryValue(std::uint16_t root) {
  auto [found, fresh] = entryValues_.emplace(root, static_cast<std::int32_t>(hir().values.size()));
  if (!fresh) return found->second;
  hir().values.emplace_back();
  hir::Value& value = hir().values.back();
  value.name = "entry";
  value.scope.locals.push_back({"it", typeOf(TypeKind::counter, root)});
  value.scope.parameters = 1;
  value.result = hexSet;
  value.baseWords = "entry";
  hir::Expr empty;
  empty.kind = ExprKind::emptySet;
  empty.type = hexSet;
  hir().exprs.push_back(std::move(empty));
  value.base = static_cast<ExprId>(hir().exprs.size() - 1);
  valueDecl_.push_back(-1);
  valueState_.push_back(2);
  return found->second;
}

/// `u.entry`, `entry(u)`.
ExprId Sema::entryOf(Env& env, NodeId node, ExprId counter) {
  // The hexes of a set, even an empty one, so there must be a counter.
  counter = prove(env, counter, node);
  if (type(counter).kind == TypeKind::error) return error(env, node);
  if (!env.test) entryRead_.insert(type(counter).id);
  ExprId e = make(env, node, ExprKind::call, hexSet, {counter});
  at(e).index = entryValue(rootKind(type(counter).id));
  return e;
}

namespace {

/// One `arrive` for the counters of one root kind.
struct Arrival {
  NodeRef node;
  bool later = false, together = false;
  std::uint16_t root = 0;
  Type counter;                       ///< what its counters have in common
  std::vector<std::uint16_t> members; ///< those named outright; empty: a computed set
  std::int32_t named = -1;            ///< Hir::values: the set of them
  std::int32_t value = -1;            ///< Hir::values: its part of `entry`
  std::int32_t way = -1;              ///< global: by which area or hex the first came
  std::vector<Word> ways;             ///< areas to come by
};

} // namespace

void Sema::arrivals() {
  std::vector<Arrival> all;
  auto global = [&](Env& env, NodeId node, std::int32_t index) {
    ExprId e = make(env, node, ExprKind::global, world().globalTypes[static_cast<std::size_t>(index)]);
    at(e).index = index;
    return e;
  };
  auto field = [&](Env& env, NodeId node, ExprId u, hir::Field which, Type result) {
    ExprId e = make(env, node, ExprKind::field, result, {u});
    at(e).op = static_cast<std::uint8_t>(which);
    return e;
  };
  auto plainLocal = [&](Env& env, NodeId node, LocalId id, Type as) {
    ExprId e = make(env, node, ExprKind::local, env.scope->locals[static_cast<std::size_t>(id)].type);
    at(e).local = id;
    return type(e) == as ? e : make(env, node, ExprKind::assume, as, {e});
  };
  auto among = [&](Env& env, NodeId node, ExprId u, ExprId set) {
    return make(env, node, ExprKind::in, boolean, {u, set});
  };

  setupNode_ = {};
  setupSide_ = -1;
  for (const Piece& piece : folded_.arrives) {
    const NodeRef ref = piece.node;
    const SyntaxTree& t = tree(ref.file);
    if (t.has(ref.node, NodeFlags::faulty)) continue;
    // What stands in it is typed in a value of its own for each kind of counter that it names.
    hir::Scope scope;
    Env outer;
    outer.file = ref.file;
    outer.scope = &scope;
    outer.owner = "arrive";
    std::uint16_t m = marks(outer, ref.node);
    for (const Placed& placed : placedCounters(outer, ref)) {
      Arrival a;
      a.node = ref;
      a.later = t.op(ref.node) == TokenKind::kw_later;
      a.together = t.has(ref.node, NodeFlags::together);
      a.root = placed.root;
      a.counter = certain(elementOf(type(placed.set)));
      if (!outright(placed.set, a.members)) a.members.clear();
      hir::Value named;
      named.name = "arrivals";
      named.scope = scope;
      named.result = type(placed.set);
      named.base = placed.set;
      named.place = placeOf(ref);
      a.named = addValue(std::move(named));
      hir().values.emplace_back();
      a.value = static_cast<std::int32_t>(hir().values.size() - 1);
      hir::Value& value = hir().values.back();
      valueDecl_.push_back(-1);
      valueState_.push_back(2);
      value.name = "entry";
      value.scope.locals.push_back({"it", a.counter});
      value.scope.parameters = 1;
      value.result = hexSet;
      value.marks = m;
      value.baseWords = "entry";
      value.place = placeOf(ref);
      Env env;
      env.file = ref.file;
      env.scope = &value.scope;
      env.owner = "arrive";
      env.it = 0;
      NodeId node = ref.node;
      NodeId inNode = t.child(node, Role::in);
      ExprId set = hexesFor(env, inNode);
      if (type(set).kind == TypeKind::box) {
        report(DiagnosticCode::typeMismatch, env, inNode, {name(type(set)), name(hexSet)});
        set = error(env, inNode);
      }
      if (type(set).kind == TypeKind::error) set = make(env, node, ExprKind::emptySet, hexSet);
      // Those that come together keep to the way of the first.
      if (a.together) {
        std::vector<NodeId> items;
        if (t.kind(inNode) == NodeKind::ListParen)
          for (NodeId item : t.children(inNode, Role::item)) items.push_back(item);
        for (NodeId item : items) {
          ExprId area = expr(env, item);
          if (type(area).kind == TypeKind::area && at(area).kind == ExprKind::constant)
            a.ways.push_back(at(area).value);
        }
        if (a.ways.size() != items.size()) a.ways.clear();
        a.way = addGlobal("way in", optionalOf(a.ways.empty() ? hexType : areaType));
        ExprId way = global(env, node, a.way), open = make(env, node, ExprKind::isNone, boolean, {way});
        ExprId taken = make(env, node, ExprKind::assume, certain(type(way)), {way});
        ExprId there =
            make(env, node, a.ways.empty() ? ExprKind::single : ExprKind::hexesOfArea, hexSet, {taken});
        set = make(env, node, ExprKind::if_, hexSet, {open, set, there});
      }
      LocalId hex = addLocal(env, "hex", hexType);
      env.hexOf.push_back({0, hex});
      std::vector<ExprId> conditions;
      if (NodeId provided = t.child(node, Role::provided); valid(provided))
        conditions.push_back(condition(env, provided));
      headConditions(env, 0, setupHeads_, conditions);
      env.hexOf.pop_back();
      if (conditions.empty() && !a.later) warnOfStacking(env, node, a.counter.id);
      ExprId kept = set;
      if (!conditions.empty()) {
        ExprId c = -1;
        for (ExprId one : conditions) c = both(env, node, c, one);
        kept = make(env, node, ExprKind::where, hexSet, {set, c});
        at(kept).local = hex;
      }
      // From when on, and only of those that wait and have not been on the map.
      ExprId when = -1;
      if (NodeId turnNode = t.child(node, Role::turn); valid(turnNode)) {
        ExprId from = t.kind(turnNode) == NodeKind::OddsLiteral
                          ? exprOf(env, turnNode, typeOf(TypeKind::time))
                          : exprOf(env, turnNode, integer);
        const bool time = type(from).kind == TypeKind::time;
        when = make(env, node, ExprKind::lessEqual, boolean,
                    {from, global(env, node, time ? globalClock : globalTurn)});
      }
      ExprId waits = notExpr(
          env, field(env, node, plainLocal(env, node, 0, a.counter), hir::Field::onMap, boolean), node);
      when = both(env, node, when, waits);
      ExprId arrival = field(env, node, plainLocal(env, node, 0, a.counter), hir::Field::arrival, integer);
      when = both(env, node, when,
                  make(env, node, ExprKind::equal, boolean, {arrival, constant(env, node, integer, 0)}));
      if (NodeId whenNode = t.child(node, Role::when); valid(whenNode))
        when = both(env, node, when, condition(env, whenNode));
      value.base = a.later ? make(env, node, ExprKind::emptySet, hexSet)
                           : make(env, node, ExprKind::if_, hexSet,
                                  {when, kept, make(env, node, ExprKind::emptySet, hexSet)});
      all.push_back(std::move(a));
    }
  }

  auto namedSet = [&](Env& env, NodeId node, const Arrival& a) {
    ExprId e = make(env, node, ExprKind::call, hir().values[static_cast<std::size_t>(a.named)].result);
    at(e).index = a.named;
    return e;
  };
  auto entryBy = [&](Env& env, NodeId node, const Arrival& a, LocalId unit) {
    ExprId e = make(env, node, ExprKind::call, hexSet, {plainLocal(env, node, unit, a.counter)});
    at(e).index = a.value;
    return e;
  };
  auto anyOf = [&](Env& env, NodeId node, ExprId hexes) {
    ExprId e = make(env, node, ExprKind::any, boolean, {hexes, -1, -1});
    at(e).local = addLocal(env, "hex", hexType);
    return e;
  };

  // `entry` of all counters of a kind: the first clause that names the counter and lets it in anywhere.
  for (const Arrival& a : all) entryValue(a.root);
  for (auto& [root, index] : entryValues_) {
    hir::Value& value = hir().values[static_cast<std::size_t>(index)];
    Env env;
    env.scope = &value.scope;
    env.owner = "entry";
    for (auto a = all.rbegin(); a != all.rend(); ++a) {
      if (a->root != root || a->later) continue;
      env.file = a->node.file;
      NodeId node = a->node.node;
      ExprId lets = among(env, node, plainLocal(env, node, 0, typeOf(TypeKind::counter, root)),
                          namedSet(env, node, *a));
      ExprId hexes = entryBy(env, node, *a, 0);
      if (a->members.empty()) lets = both(env, node, lets, anyOf(env, node, entryBy(env, node, *a, 0)));
      value.base = make(env, node, ExprKind::if_, hexSet, {lets, hexes, value.base});
    }
  }

  // What is done when one has come in, whoever let it in.
  std::int32_t arrived = -1; // global: the counters that have come in
  for (const Arrival& a : all) {
    const SyntaxTree& t = tree(a.node.file);
    NodeId node = a.node.node, body = t.child(node, Role::body);
    if (!valid(body) && !a.together) continue;
    if (arrived < 0) arrived = addGlobal("arrived", setOf(typeOf(TypeKind::counter)));
    hir().hooks.emplace_back();
    hir::Hook& hook = hir().hooks.back();
    hook.point = hir::HookPoint::enter;
    hook.index = a.counter.id;
    hook.place = {a.node.file, t.opRange(node)};
    hook.scope.locals.push_back({"it", a.counter});
    hook.scope.locals.push_back({"hex", hexType});
    hook.scope.parameters = 2;
    Env env;
    env.file = a.node.file;
    env.scope = &hook.scope;
    env.owner = "arrive";
    env.pure = false;
    env.returns = typeOf(TypeKind::nothing);
    env.it = 0;
    hook.marks = marks(env, node);
    auto come = [&] { return global(env, node, arrived); };
    ExprId isNew = notExpr(env, among(env, node, local(env, node, 0), come()), node);
    hook.when = both(env, node, among(env, node, local(env, node, 0), namedSet(env, node, a)), isNew);
    std::vector<StmtId> list;
    StmtId note = makeStmt(env, node, hir::StmtKind::setGlobal);
    ExprId one = make(env, node, ExprKind::single, setOf(a.counter), {local(env, node, 0)});
    ExprId all2 = make(env, node, ExprKind::unite, setOf(typeOf(TypeKind::counter)), {come(), one});
    st(note).index = arrived;
    st(note).exprs = {all2};
    list.push_back(note);
    StmtId inner = valid(body) ? block(env, body) : makeStmt(env, node, hir::StmtKind::block);
    if (a.together) {
      ExprId way = constant(env, node, hexType, none);
      if (a.ways.empty()) {
        way = local(env, node, 1);
      } else {
        way = constant(env, node, optionalOf(areaType), none);
        for (auto w = a.ways.rbegin(); w != a.ways.rend(); ++w) {
          ExprId area = constant(env, node, areaType, *w);
          ExprId within =
              among(env, node, local(env, node, 1), make(env, node, ExprKind::hexesOfArea, hexSet, {area}));
          way = make(env, node, ExprKind::if_, optionalOf(areaType), {within, area, way});
        }
      }
      StmtId first = makeStmt(env, node, hir::StmtKind::setGlobal);
      st(first).index = a.way;
      st(first).exprs = {way};
      StmtId once = makeStmt(env, node, hir::StmtKind::if_);
      ExprId open = make(env, node, ExprKind::isNone, boolean, {global(env, node, a.way)});
      StmtId then = makeStmt(env, node, hir::StmtKind::block);
      st(then).statements = {first, inner};
      st(once).exprs = {open};
      st(once).body = then;
      inner = once;
    }
    list.push_back(inner);
    hook.body = makeStmt(env, node, hir::StmtKind::block);
    st(hook.body).statements = std::move(list);
    arrivalHooks_.insert(hir().hooks.size() - 1);
  }

  // Who is let in by no rule comes in by itself.
  auto byRule = [&](std::uint16_t kind) {
    return std::any_of(entryRead_.begin(), entryRead_.end(), [&](std::uint16_t read) {
      return world().isKindOf(kind, read) || world().isKindOf(read, kind);
    });
  };
  std::vector<std::uint16_t> alone;
  for (std::uint16_t c = 0; c < world().module.counters.size(); ++c)
    if (!byRule(world().module.counters[c].kind)) alone.push_back(c);
  std::vector<const Arrival*> own;
  for (const Arrival& a : all) {
    bool some = std::any_of(alone.begin(), alone.end(), [&](std::uint16_t c) {
      return world().isKindOf(world().module.counters[c].kind, a.counter.id) &&
             (a.members.empty() || std::find(a.members.begin(), a.members.end(), c) != a.members.end());
    });
    if (some && !a.later) own.push_back(&a);
    // Those that a rule is to move in are moved by none.
    if (a.later && !rulesMove(a.counter.id)) {
      const SyntaxTree& t = tree(a.node.file);
      report(Diagnostic(DiagnosticCode::nothingMovesIn, t.sharedSource(),
                        t.range(t.child(a.node.node, Role::item)), {}));
    }
  }
  if (own.empty() || turnStarts_.empty()) return;

  hir().procedures.emplace_back();
  hir::Procedure& procedure = hir().procedures.back();
  const auto index = static_cast<std::int32_t>(hir().procedures.size() - 1);
  procedureDecl_.push_back(-1);
  procedure.name = "arrivals";
  procedure.result = typeOf(TypeKind::nothing);
  procedure.scope.locals.push_back({"s", sideType});
  procedure.scope.parameters = 1;
  procedure.place = placeOf(own.front()->node);
  procedure.place.range = tree(own.front()->node.file).opRange(own.front()->node.node);
  Env env;
  env.file = own.front()->node.file;
  env.scope = &procedure.scope;
  env.owner = "procedure arrivals";
  env.pure = false;
  env.returns = typeOf(TypeKind::nothing);
  NodeId node = own.front()->node.node;
  // W: the side's counters off the map that may enter somewhere.
  std::set<std::uint16_t> roots;
  for (const Arrival* a : own) roots.insert(a->root);
  ExprId waiting = -1;
  for (std::uint16_t root : roots) {
    const Type kind = typeOf(TypeKind::counter, root);
    ExprId ever = make(env, node, ExprKind::kindEver, setOf(kind));
    at(ever).index = root;
    ExprId theirs = make(env, node, ExprKind::ofSide, setOf(kind), {ever, local(env, node, 0)});
    LocalId u = addLocal(env, "it", kind);
    ExprId c = among(env, node, local(env, node, u), counterSet(env, node, root, alone));
    c = both(env, node, c,
             notExpr(env, field(env, node, local(env, node, u), hir::Field::onMap, boolean), node));
    ExprId entry = make(env, node, ExprKind::call, hexSet, {local(env, node, u)});
    at(entry).index = entryValues_.at(root);
    c = both(env, node, c, anyOf(env, node, entry));
    ExprId set = make(env, node, ExprKind::where, setOf(kind), {theirs, c});
    at(set).local = u;
    waiting = waiting < 0 ? set : make(env, node, ExprKind::unite, type(waiting), {waiting, set});
  }
  hir::Choice each;
  each.howMany = hir::Choice::HowMany::each;
  each.ask = local(env, node, 0);
  each.set = waiting;
  each.name = "u";
  each.local = each.element = addLocal(env, "u", certain(elementOf(type(waiting))));
  each.prompt = plainText("Which reinforcement enters?");
  each.body = makeStmt(env, node, hir::StmtKind::block);
  std::vector<StmtId> arms;
  LocalId moved = addLocal(env, "entered", boolean);
  {
    StmtId none2 = makeStmt(env, node, hir::StmtKind::let);
    st(none2).local = moved;
    st(none2).exprs = {constant(env, node, boolean, 0)};
    arms.push_back(none2);
  }
  for (const Arrival* a : own) {
    env.file = a->node.file;
    node = a->node.node;
    const SyntaxTree& t = tree(env);
    // The clause that gives the counter its `entry`: the first that names it and lets it in.
    ExprId here = notExpr(env, local(env, node, moved), node);
    here = both(env, node, here, among(env, node, local(env, node, each.local), namedSet(env, node, *a)));
    here = both(env, node, here, anyOf(env, node, entryBy(env, node, *a, each.local)));
    hir::Choice where;
    where.ask = local(env, node, 0);
    where.set = entryBy(env, node, *a, each.local);
    where.name = "h";
    where.local = where.element = addLocal(env, "h", hexType);
    LocalId unit = addLocal(env, "it", a->counter);
    StmtId named = makeStmt(env, node, hir::StmtKind::let);
    st(named).local = unit;
    st(named).exprs = {plainLocal(env, node, each.local, a->counter)};
    if (NodeId prompt = t.child(node, Role::text); valid(prompt)) {
      LocalId outer = std::exchange(env.it, unit);
      where.prompt = text(env, prompt);
      env.it = outer;
    } else {
      hir::Text words;
      words.parts = {{"Where does ", -1}, {"", local(env, node, unit)}, {" enter?", -1}};
      hir().texts.push_back(std::move(words));
      where.prompt = static_cast<TextId>(hir().texts.size() - 1);
    }
    StmtId move = makeStmt(env, node, hir::StmtKind::move);
    st(move).exprs = {local(env, node, unit), local(env, node, where.local)};
    StmtId done = makeStmt(env, node, hir::StmtKind::setLocal);
    st(done).local = moved;
    st(done).exprs = {constant(env, node, boolean, 1)};
    where.body = makeStmt(env, node, hir::StmtKind::block);
    st(where.body).statements = {move, done};
    std::uint16_t m = marks(env, node);
    hir().choices.push_back(std::move(where));
    StmtId ask = makeStmt(env, node, hir::StmtKind::choose);
    st(ask).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
    st(ask).marks = m;
    StmtId then = makeStmt(env, node, hir::StmtKind::block);
    st(then).statements = {named, ask};
    StmtId only = makeStmt(env, node, hir::StmtKind::if_);
    st(only).exprs = {here};
    st(only).body = then;
    arms.push_back(only);
  }
  st(each.body).statements = std::move(arms);
  hir::ChoiceAlternative pass;
  pass.pass = true;
  pass.text = plainText("The others wait");
  each.alternatives.push_back(pass);
  hir().choices.push_back(std::move(each));
  StmtId choose = makeStmt(env, node, hir::StmtKind::choose);
  st(choose).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
  procedure.body = makeStmt(env, node, hir::StmtKind::block);
  st(procedure.body).statements = {choose};

  const bool players =
      std::any_of(turnStarts_.begin(), turnStarts_.end(), [](const auto& one) { return one.second; });
  for (const auto& turnStart : turnStarts_) {
    const auto start = turnStart.first;
    const auto playerTurn = turnStart.second;
    if (players && !playerTurn) continue;
    Env at2;
    at2.file = hir().stmts[static_cast<std::size_t>(start)].place.file;
    at2.scope = &hir().sequenceScope;
    NodeId place = tree(at2).root();
    auto call = [&](ExprId side) {
      StmtId s = makeStmt(at2, place, hir::StmtKind::call);
      st(s).place = hir().stmts[static_cast<std::size_t>(start)].place;
      st(s).index = index;
      st(s).exprs = {side};
      return s;
    };
    std::vector<StmtId> calls;
    if (playerTurn) {
      ExprId player = make(at2, place, ExprKind::global, sideType);
      at(player).index = globalPlayer;
      calls.push_back(call(player));
    } else {
      for (Word side : {0, 1}) calls.push_back(call(constant(at2, place, sideType, side)));
    }
    st(start).statements = std::move(calls);
  }
}

/// Does some rule move counters of this kind, or of one that these may be?
bool Sema::rulesMove(std::uint16_t kind) const {
  return std::any_of(movedKinds_.begin(), movedKinds_.end(), [&](std::int32_t moved) {
    auto other = static_cast<std::uint16_t>(moved);
    return out_->world.isKindOf(kind, other) || out_->world.isKindOf(other, kind);
  });
}

std::int32_t Sema::addValue(hir::Value value) {
  hir().values.push_back(std::move(value));
  valueDecl_.push_back(-1);
  valueState_.push_back(2);
  return static_cast<std::int32_t>(hir().values.size() - 1);
}

} // namespace hellwig
