// SPDX-License-Identifier: Apache-2.0
// Typing of set-ups: `place` becomes a loop over counters with a pick of a hex each. What the heads of
// set-ups say is typed for each kind of counter that it fits.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};
constexpr Type hexType{TypeKind::hex, 0, false, false};

/// The parts of a condition at its topmost `and`.
void conjunctsOf(const SyntaxTree& t, NodeId node, std::vector<NodeId>& out) {
  if (t.kind(node) == NodeKind::Binary && t.op(node) == TokenKind::kw_and) {
    conjunctsOf(t, t.child(node, Role::left), out);
    conjunctsOf(t, t.child(node, Role::right), out);
  } else {
    out.push_back(node);
  }
}

} // namespace

// ---- Small makers

ExprId Sema::both(const Env& env, NodeId node, ExprId a, ExprId b) {
  if (a < 0) return b;
  return make(env, node, ExprKind::and_, boolean, {a, b});
}

ExprId Sema::either(const Env& env, NodeId node, ExprId a, ExprId b) {
  return make(env, node, ExprKind::or_, boolean, {a, b});
}

ExprId Sema::isKind(const Env& env, NodeId node, LocalId unit, std::uint16_t kind) {
  ExprId u = make(env, node, ExprKind::local, env.scope->locals[static_cast<std::size_t>(unit)].type);
  at(u).local = unit;
  ExprId e = make(env, node, ExprKind::isKind, boolean, {u});
  at(e).index = kind;
  return e;
}

ExprId Sema::counterSet(const Env& env, NodeId node, std::uint16_t kind,
                        const std::vector<std::uint16_t>& members) {
  ExprId e = make(env, node, ExprKind::constantSet, setOf(typeOf(TypeKind::counter, kind)));
  for (std::uint16_t c : members) at(e).members.push_back(c);
  std::sort(at(e).members.begin(), at(e).members.end());
  return e;
}

std::uint16_t Sema::rootKind(std::uint16_t kind) const {
  const auto& kinds = out_->world.module.kinds;
  while (kinds[kind].base >= 0) kind = static_cast<std::uint16_t>(kinds[kind].base);
  return kind;
}

template<class Make> ExprId Sema::quietly(Make make, bool& good) {
  DiagnosticSink quiet;
  DiagnosticSink* loud = std::exchange(sink_, &quiet);
  ExprId e = make();
  sink_ = loud;
  good = !quiet.hasErrors() && e >= 0;
  return e;
}

template<class Make> ExprId Sema::fitted(Env& env, NodeId node, LocalId unit, std::uint16_t kind, Make make) {
  ExprId u = local(env, node, unit);
  env.facts.push_back({pathKey(u), true, kind});
  bool good = false;
  ExprId whole = quietly(make, good);
  env.facts.pop_back();
  if (good) return whole;
  ExprId all = -1;
  for (std::uint16_t k = 0; k < world().module.kinds.size(); ++k) {
    if (world().module.kinds[k].base != kind) continue;
    ExprId part = fitted(env, node, unit, k, make);
    if (part < 0) continue;
    ExprId other = notExpr(env, isKind(env, node, unit, k), node);
    all = both(env, node, all, either(env, node, other, part));
  }
  return all;
}

// ---- Heads

/// The heads that hold for a `place` of the block under way.
std::vector<Sema::SetupHead> Sema::headsAround() const {
  std::vector<SetupHead> heads;
  std::int32_t side = -1;
  if (setupSide_ >= 0) {
    const hir::Expr& by = out_->hir.exprs[static_cast<std::size_t>(setupSide_)];
    if (by.kind == ExprKind::constant) side = static_cast<std::int32_t>(by.value);
  }
  if (valid(setupNode_.node)) heads.push_back({setupNode_, -1});
  for (const SetupHead& head : setupHeads_) {
    if (head.side >= 0 && side >= 0 && head.side != side) continue;
    heads.push_back({head.node, side >= 0 ? -1 : head.side});
  }
  return heads;
}

/// The `provided` of heads for the counter in the local `unit`. What does not fit its kind counts as met.
void Sema::headConditions(Env& env, LocalId unit, const std::vector<SetupHead>& heads,
                          std::vector<ExprId>& out) {
  const std::uint16_t kind = env.scope->locals[static_cast<std::size_t>(unit)].type.id;
  for (const SetupHead& head : heads) {
    const SyntaxTree& t = tree(head.node.file);
    NodeId provided = t.child(head.node.node, Role::provided);
    if (!valid(provided)) continue;
    std::vector<NodeId> parts;
    conjunctsOf(t, provided, parts);
    std::uint16_t here = std::exchange(env.file, head.node.file);
    std::vector<Env::Name> names = std::exchange(env.names, {});
    for (NodeId part : parts) {
      ExprId c = fitted(env, part, unit, kind, [&] { return condition(env, part); });
      if (c < 0) continue;
      fittedHeads_.push_back({head.node.file, part});
      if (head.side >= 0) {
        ExprId u = local(env, part, unit);
        ExprId owner = make(env, part, ExprKind::field, sideType, {u});
        at(owner).op = static_cast<std::uint8_t>(hir::Field::side);
        ExprId same =
            make(env, part, ExprKind::equal, boolean, {owner, constant(env, part, sideType, head.side)});
        c = either(env, part, notExpr(env, same, part), c);
      }
      out.push_back(c);
    }
    env.file = here;
    env.names = std::move(names);
  }
}

/// Types a part of a head that fits no kind of counter once more, aloud.
void Sema::reportUnfitted() {
  for (const SetupHead& head : allHeads_) {
    const SyntaxTree& t = tree(head.node.file);
    NodeId provided = t.child(head.node.node, Role::provided);
    if (!valid(provided)) continue;
    std::vector<NodeId> parts;
    conjunctsOf(t, provided, parts);
    for (NodeId part : parts) {
      NodeRef ref{head.node.file, part};
      if (std::find(fittedHeads_.begin(), fittedHeads_.end(), ref) != fittedHeads_.end()) continue;
      Env env;
      env.file = head.node.file;
      env.scope = &hir().setupScope;
      env.owner = "setup";
      bool fits = world().module.kinds.empty();
      for (std::uint16_t k = 0; k < world().module.kinds.size() && !fits; ++k) {
        if (world().module.kinds[k].base >= 0) continue;
        LocalId unit = addLocal(env, "it", typeOf(TypeKind::counter, k));
        LocalId hex = addLocal(env, "hex", hexType);
        env.it = unit;
        env.hexOf.push_back({unit, hex});
        fits = fitted(env, part, unit, k, [&] { return condition(env, part); }) >= 0;
        env.hexOf.pop_back();
      }
      if (fits) continue;
      LocalId unit = addLocal(env, "it", typeOf(TypeKind::counter, 0));
      env.it = unit;
      env.hexOf.push_back({unit, addLocal(env, "hex", hexType)});
      condition(env, part);
    }
  }
}

// ---- The whole

/// `turn` and `clock` are those of the first turn, `player` the first side.
StmtId Sema::firstTurn(Env& env) {
  NodeRef turns;
  for (const FoldedDecl& decl : folded_.decls) {
    if (decl.kind != NodeKind::SequenceDecl || !decl.inForce) continue;
    const SyntaxTree& t = tree(decl.node.file);
    NodeId body = t.child(decl.node.node, Role::body);
    if (!valid(body)) break;
    for (NodeId item : t.children(body, Role::item))
      if (t.kind(item) == NodeKind::Turns && !valid(turns.node)) turns = {decl.node.file, item};
  }
  if (!valid(turns.node)) return -1;
  std::uint16_t here = std::exchange(env.file, turns.file);
  const SyntaxTree& t = tree(turns.file);
  StmtId all = makeStmt(env, turns.node, hir::StmtKind::block);
  std::vector<StmtId> list;
  auto assign = [&](std::uint16_t global, ExprId value) {
    StmtId s = makeStmt(env, turns.node, hir::StmtKind::setGlobal);
    st(s).index = global;
    st(s).exprs = {value};
    list.push_back(s);
  };
  bool good = false;
  ExprId first = quietly([&] { return exprOf(env, t.child(turns.node, Role::from), integer); }, good);
  if (good) assign(globalTurn, first);
  NodeId startNode = t.child(turns.node, Role::start);
  if (good && valid(startNode)) {
    ExprId start = quietly([&] { return exprOf(env, startNode, typeOf(TypeKind::time)); }, good);
    const Word every = t.intOf(t.child(turns.node, Role::every)).value_or(0);
    // The time given is that of turn 1, whether or not it is played.
    if (good && at(start).kind == ExprKind::constant) {
      NodeId node = turns.node;
      ExprId before = make(env, node, ExprKind::subtract, integer, {first, constant(env, node, integer, 1)});
      ExprId passed =
          make(env, node, ExprKind::multiply, integer, {before, constant(env, node, integer, every)});
      ExprId minutes = constant(env, node, integer, at(start).value);
      assign(globalClock, make(env, node, ExprKind::add, integer, {minutes, passed}));
    }
  }
  assign(globalPlayer, constant(env, turns.node, sideType, 0));
  st(all).statements = std::move(list);
  env.file = here;
  return all;
}

void Sema::setup() {
  setupHeads_.clear();
  std::vector<Piece> blocks;
  Env env;
  env.scope = &hir().setupScope;
  env.owner = "setup";
  env.pure = false;
  env.inSequence = true;
  env.inSetup = true;
  env.returns = typeOf(TypeKind::nothing);
  hir().setupStart = firstTurn(env);
  for (const Piece& piece : folded_.setups) {
    const SyntaxTree& t = tree(piece.node.file);
    if (t.has(piece.node.node, NodeFlags::faulty)) continue;
    env.file = piece.node.file;
    allHeads_.push_back({piece.node, -1});
    if (valid(t.child(piece.node.node, Role::body))) {
      blocks.push_back(piece);
      continue;
    }
    std::int32_t side = -1;
    if (NodeId by = t.child(piece.node.node, Role::by); valid(by)) {
      ExprId e = exprOf(env, by, sideType);
      if (at(e).kind == ExprKind::constant) side = static_cast<std::int32_t>(at(e).value);
    }
    marks(env, piece.node.node);
    setupHeads_.push_back({piece.node, side});
  }
  nameCounters();
  StmtId all = -1;
  std::vector<StmtId> list;
  for (const Piece& piece : blocks) {
    const NodeRef ref = piece.node;
    env.file = ref.file;
    const SyntaxTree& t = tree(ref.file);
    if (all < 0) all = makeStmt(env, ref.node, hir::StmtKind::block);
    setupNode_ = ref;
    NodeId by = t.child(ref.node, Role::by);
    setupSide_ = valid(by) ? exprOf(env, by, sideType) : -1;
    std::uint16_t m = marks(env, ref.node);
    // In a set-up `player` is who sets up, else the first side.
    StmtId player = makeStmt(env, ref.node, hir::StmtKind::setGlobal);
    ExprId who = setupSide_ >= 0 ? setupSide_ : constant(env, ref.node, sideType, 0);
    st(player).index = globalPlayer;
    st(player).exprs = {who};
    list.push_back(player);
    StmtId inner = block(env, t.child(ref.node, Role::body));
    st(inner).marks = m;
    // An answer that skips the rest skips that of this set-up alone.
    StmtId own = makeStmt(env, ref.node, hir::StmtKind::block);
    st(own).op = 1;
    st(own).statements = {inner};
    list.push_back(own);
  }
  if (all >= 0) st(all).statements = std::move(list);
  hir().setup = all;
  setupNode_ = {};
  setupSide_ = -1;
  reportUnfitted();
}

// ---- place

/// The counters of a `place`, by root kind. Those named outright that a later owner names are struck; of a
/// computed set those are passed over that arrive.
std::vector<Sema::Placed> Sema::placedCounters(Env& env, NodeRef statement) {
  const SyntaxTree& t = tree(env);
  std::vector<Placed> out;
  auto add = [&](NodeId node, std::uint16_t kind, ExprId set) {
    const std::uint16_t root = rootKind(kind);
    for (Placed& other : out)
      if (other.root == root) {
        Type common = setOf(commonType(elementOf(type(other.set)), typeOf(TypeKind::counter, kind)));
        other.set = make(env, node, ExprKind::unite, common, {other.set, set});
        return;
      }
    out.push_back({root, set});
  };
  const bool arrive = t.kind(statement.node) == NodeKind::ArriveDecl;
  for (NodeId target : t.children(statement.node, arrive ? Role::item : Role::target)) {
    ExprId set = countersNamed(env, target);
    if (set < 0) continue;
    std::vector<std::uint16_t> named;
    if (outright(set, named)) {
      std::map<std::uint16_t, std::vector<std::uint16_t>> byRoot;
      for (std::uint16_t c : named)
        if (!strikes(statement, c)) byRoot[rootKind(world().module.counters[c].kind)].push_back(c);
      for (auto& [root, members] : byRoot) {
        Type common = typeOf(TypeKind::counter, world().module.counters[members.front()].kind);
        for (std::uint16_t c : members)
          common = commonType(common, typeOf(TypeKind::counter, world().module.counters[c].kind));
        add(target, common.id, counterSet(env, target, common.id, members));
      }
      continue;
    }
    if (type(set).kind != TypeKind::counter) {
      report(DiagnosticCode::typeMismatch, env, target, {name(type(set)), "counters"});
      continue;
    }
    if (!type(set).set) set = coerce(env, set, setOf(certain(type(set))), target);
    if (!arrive && !arrivesByName_.empty())
      set =
          make(env, target, ExprKind::except_, type(set),
               {set, counterSet(env, target, type(set).id, {arrivesByName_.begin(), arrivesByName_.end()})});
    add(target, type(set).id, set);
  }
  return out;
}

void Sema::warnOfStacking(const Env& env, NodeId node, std::uint16_t kind) {
  auto found = permissionsByName_.find("stack");
  if (found == permissionsByName_.end()) return;
  for (std::int32_t p : found->second)
    for (const hir::Local& parameter : hir().permissions[static_cast<std::size_t>(p)].scope.locals)
      if (parameter.type.kind == TypeKind::counter && world().isKindOf(kind, parameter.type.id)) {
        report(
            diagnostic(DiagnosticCode::stackingNotAsked, env, node)
                .withHelp("add `provided can stack(it, it.hex)`, here or in a `setup provided ..` for all"));
        return;
      }
}

/// A field of a counter that is set up; `guard`: only of counters of this kind.
StmtId Sema::settingStatement(Env& env, NodeId node, LocalId unit, NodeRef setting, std::int32_t column,
                              std::int32_t guard) {
  const SyntaxTree& t = tree(setting.file);
  NodeId valueNode = t.child(setting.node, Role::value);
  const Type wanted = world().columnTypes[static_cast<std::size_t>(column)];
  if (guard >= 0) env.facts.push_back({pathKey(local(env, node, unit)), true, guard});
  auto assign = [&](ExprId value) {
    StmtId s = makeStmt(env, setting.node, hir::StmtKind::setColumn);
    ExprId u = local(env, setting.node, unit);
    st(s).exprs = {u, value};
    st(s).index = column;
    return s;
  };
  StmtId out = -1;
  if (t.op(setting.node) != TokenKind::kw_from) {
    ExprId value = exprOf(env, valueNode, wanted);
    if (type(value).kind != TypeKind::error) out = assign(value);
  } else {
    // The owner chooses it, before he chooses the hex.
    hir::Choice choice;
    choice.set =
        coerce(env, setExpr(env, valueNode, setOf(certain(wanted))), setOf(certain(wanted)), valueNode);
    if (type(choice.set).kind != TypeKind::error) {
      choice.name = t.nameOf(setting.node);
      choice.local = choice.element = addLocal(env, choice.name, certain(wanted));
      choice.ask = placer(env, setting.node, unit);
      hir::Text words;
      words.parts = {{"", local(env, setting.node, unit)}, {": which " + displayName(choice.name) + "?", -1}};
      hir().texts.push_back(std::move(words));
      choice.prompt = static_cast<TextId>(hir().texts.size() - 1);
      ExprId chosen = local(env, setting.node, choice.local);
      choice.body = makeStmt(env, setting.node, hir::StmtKind::block);
      StmtId set = assign(chosen);
      st(choice.body).statements = {set};
      choice.hasOtherwise = true;
      choice.otherwise = makeStmt(env, setting.node, hir::StmtKind::block);
      hir().choices.push_back(std::move(choice));
      out = makeStmt(env, setting.node, hir::StmtKind::choose);
      st(out).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
    }
  }
  if (guard >= 0) {
    env.facts.pop_back();
    if (out >= 0) {
      StmtId body = makeStmt(env, setting.node, hir::StmtKind::block);
      st(body).statements = {out};
      StmtId only = makeStmt(env, setting.node, hir::StmtKind::if_);
      ExprId is = isKind(env, setting.node, unit, static_cast<std::uint16_t>(guard));
      st(only).exprs = {is};
      st(only).body = body;
      out = only;
    }
  }
  return out;
}

/// `with f = e` or `with f from F`. One in a head concerns the counters that have the field and that it fits.
StmtId Sema::placeSetting(Env& env, NodeId node, LocalId unit, NodeRef setting, bool own) {
  const SyntaxTree& t = tree(setting.file);
  const std::string field = t.nameOf(setting.node);
  const Type counter = env.scope->locals[static_cast<std::size_t>(unit)].type;
  auto settable = [&](std::uint16_t kind) {
    std::int32_t column = world().columnOf(typeOf(TypeKind::counter, kind), field);
    return column >= 0 && !world().module.columns[static_cast<std::size_t>(column)].constant ? column : -1;
  };
  std::uint16_t here = std::exchange(env.file, setting.file);
  std::vector<Env::Name> names = env.names;
  if (!own) env.names.clear();
  StmtId out = -1;
  if (std::int32_t column = settable(counter.id); column >= 0) {
    if (own) {
      out = settingStatement(env, node, unit, setting, column, -1);
    } else {
      bool good = false;
      out = quietly([&] { return settingStatement(env, node, unit, setting, column, -1); }, good);
      if (good) settingsFitted_.push_back(setting);
      if (!good) out = -1;
    }
  } else if (own) {
    NodeId nameNode = t.child(setting.node, Role::name);
    if (world().columnOf(counter, field) >= 0) {
      report(DiagnosticCode::notAssignable, env, nameNode, {field, "it is printed"});
    } else {
      std::vector<std::string> known;
      for (const Column& c : world().module.columns)
        if (!c.constant && world().columnOf(counter, c.name) >= 0) known.push_back(c.name);
      Diagnostic d = diagnostic(DiagnosticCode::unknownField, env, nameNode, {field, name(counter)});
      if (std::string near = nearest(field, known); !near.empty())
        d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
      report(std::move(d));
    }
  }
  if (out < 0 && !own) {
    std::vector<StmtId> parts;
    for (std::uint16_t k = 0; k < world().module.kinds.size(); ++k) {
      std::int32_t base = world().module.kinds[k].base;
      std::int32_t column = settable(k);
      // The topmost sub-kinds that have the field, or that it fits.
      if (column < 0 || k == counter.id || !world().isKindOf(k, counter.id)) continue;
      if (base != counter.id && settable(static_cast<std::uint16_t>(base)) >= 0) continue;
      bool good = false;
      StmtId part = quietly([&] { return settingStatement(env, node, unit, setting, column, k); }, good);
      if (!good) continue;
      settingsFitted_.push_back(setting);
      parts.push_back(part);
    }
    if (!parts.empty()) {
      out = makeStmt(env, setting.node, hir::StmtKind::block);
      st(out).statements = std::move(parts);
    }
  }
  env.file = here;
  env.names = std::move(names);
  return out;
}

/// Who places a counter: S of `setup by S`, else its side.
ExprId Sema::placer(Env& env, NodeId node, LocalId unit) {
  if (setupSide_ >= 0) return setupSide_;
  ExprId u = local(env, node, unit);
  ExprId side = make(env, node, ExprKind::field, sideType, {u});
  at(side).op = static_cast<std::uint8_t>(hir::Field::side);
  return side;
}

/// What is done with one counter: its settings, then its hex. Who finds none stays where it is, and the log
/// says so.
StmtId Sema::placeOne(Env& env, NodeId node, LocalId unit) {
  const SyntaxTree& t = tree(env);
  const std::vector<SetupHead> heads = headsAround();
  std::vector<StmtId> list;
  std::set<std::string> given;
  for (NodeId with : t.children(node, Role::with)) {
    if (faulty(env, with) || !given.insert(t.nameOf(with)).second) continue;
    if (StmtId s = placeSetting(env, node, unit, {env.file, with}, true); s >= 0) list.push_back(s);
  }
  for (const SetupHead& head : heads) {
    const SyntaxTree& other = tree(head.node.file);
    for (NodeId with : other.children(head.node.node, Role::with)) {
      if (other.has(with, NodeFlags::faulty) || given.count(other.nameOf(with))) continue;
      StmtId s = placeSetting(env, node, unit, {head.node.file, with}, false);
      if (s < 0) continue;
      if (head.side >= 0) {
        StmtId body = makeStmt(env, node, hir::StmtKind::block);
        st(body).statements = {s};
        ExprId u = local(env, node, unit);
        ExprId owner = make(env, node, ExprKind::field, sideType, {u});
        at(owner).op = static_cast<std::uint8_t>(hir::Field::side);
        ExprId same =
            make(env, node, ExprKind::equal, boolean, {owner, constant(env, node, sideType, head.side)});
        s = makeStmt(env, node, hir::StmtKind::if_);
        st(s).exprs = {same};
        st(s).body = body;
      } else {
        given.insert(other.nameOf(with));
      }
      list.push_back(s);
    }
  }

  NodeId in = t.child(node, Role::in), at_ = t.child(node, Role::at), whereNode = valid(in) ? in : at_;
  ExprId where = hexesFor(env, whereNode);
  StmtId moved = makeStmt(env, node, hir::StmtKind::move);
  StmtId chosen = -1;
  if (type(where).kind == TypeKind::box) {
    ExprId u = local(env, node, unit);
    st(moved).exprs = {u, prove(env, where, whereNode)};
    st(moved).marks = marks(env, node);
    chosen = moved;
  } else {
    hir::Choice choice;
    choice.set = where;
    choice.name = "hex";
    choice.local = choice.element = addLocal(env, "hex", hexType);
    choice.ask = placer(env, node, unit);
    if (NodeId prompt = t.child(node, Role::text); valid(prompt)) {
      choice.prompt = text(env, prompt);
    } else {
      hir::Text words;
      words.parts = {{"Place ", -1}, {"", local(env, node, unit)}, {" on which hex?", -1}};
      hir().texts.push_back(std::move(words));
      choice.prompt = static_cast<TextId>(hir().texts.size() - 1);
    }
    // `it.hex` is the hex looked at, though the stacks do not contain the counter yet.
    env.hexOf.push_back({unit, choice.local});
    if (NodeId provided = t.child(node, Role::provided); valid(provided))
      choice.provided.push_back(condition(env, provided));
    headConditions(env, unit, heads, choice.provided);
    env.hexOf.pop_back();
    if (choice.provided.empty())
      warnOfStacking(env, node, env.scope->locals[static_cast<std::size_t>(unit)].type.id);
    ExprId u = local(env, node, unit), h = local(env, node, choice.local);
    st(moved).exprs = {u, h};
    choice.body = makeStmt(env, node, hir::StmtKind::block);
    st(choice.body).statements = {moved};
    choice.hasOtherwise = true;
    StmtId stays = makeStmt(env, node, hir::StmtKind::say);
    hir::Text words;
    words.parts = {{"", local(env, node, unit)}, {" finds no hex and stays where it is", -1}};
    hir().texts.push_back(std::move(words));
    st(stays).text = static_cast<TextId>(hir().texts.size() - 1);
    choice.otherwise = makeStmt(env, node, hir::StmtKind::block);
    st(choice.otherwise).statements = {stays};
    std::uint16_t m = marks(env, node);
    for (const SetupHead& head : heads) {
      Env headEnv;
      headEnv.file = head.node.file;
      m = joinMarks(world(), m, marks(headEnv, head.node.node));
    }
    hir().choices.push_back(std::move(choice));
    chosen = makeStmt(env, node, hir::StmtKind::choose);
    st(chosen).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
    st(chosen).marks = m;
  }
  list.push_back(chosen);
  StmtId all = makeStmt(env, node, hir::StmtKind::block);
  st(all).statements = std::move(list);
  return all;
}

/// One `place X, Y in S`: for each counter, in the standard order, its owner chooses a hex.
StmtId Sema::placeStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  if (t.has(node, NodeFlags::isNew) || valid(t.child(node, Role::name))) {
    report(DiagnosticCode::misplacedStatement, env, node,
           {t.has(node, NodeFlags::isNew) ? "place new" : "place x =", "a test"});
    return -1;
  }
  std::vector<Placed> placed = placedCounters(env, {env.file, node});
  if (placed.empty()) return -1;
  ExprId counters = placed.front().set;
  for (std::size_t i = 1; i < placed.size(); ++i)
    counters = make(env, node, ExprKind::unite, type(counters), {counters, placed[i].set});

  LocalId unit = addLocal(env, "it", certain(elementOf(type(counters))));
  LocalId outer = std::exchange(env.it, unit);
  std::vector<Fact> around = env.facts;
  StmtId body = -1;
  if (placed.size() == 1) {
    hangFacts(env, counters, unit);
    body = placeOne(env, node, unit);
  } else {
    // Counters of kinds that have nothing in common: each is handled as one of its own kind.
    body = makeStmt(env, node, hir::StmtKind::block);
    std::vector<StmtId> arms;
    for (const Placed& one : placed) {
      LocalId own = addLocal(env, "it", certain(elementOf(type(one.set))));
      env.it = own;
      ExprId u = make(env, node, ExprKind::local, env.scope->locals[static_cast<std::size_t>(unit)].type);
      at(u).local = unit;
      ExprId assumed = make(env, node, ExprKind::assume, certain(elementOf(type(one.set))), {u});
      StmtId let = makeStmt(env, node, hir::StmtKind::let);
      st(let).exprs = {assumed};
      st(let).local = own;
      StmtId inner = placeOne(env, node, own);
      StmtId both2 = makeStmt(env, node, hir::StmtKind::block);
      st(both2).statements = {let, inner};
      StmtId only = makeStmt(env, node, hir::StmtKind::if_);
      ExprId is = isKind(env, node, unit, one.root);
      st(only).exprs = {is};
      st(only).body = both2;
      arms.push_back(only);
    }
    st(body).statements = std::move(arms);
  }
  StmtId loop = makeStmt(env, node, hir::StmtKind::forEach);
  st(loop).local = unit;
  st(loop).exprs = {counters, -1};
  st(loop).op = 2; // counters that were off the map when the set was made do not drop out of it
  st(loop).body = body;
  env.it = outer;
  env.facts = std::move(around);
  return loop;
}

} // namespace hellwig
