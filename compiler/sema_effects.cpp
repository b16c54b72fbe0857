// SPDX-License-Identifier: Apache-2.0
// What statements may change, hooks and all that is called included: a proof survives what cannot touch it.
// Fields are told apart by their kind of thing, not by the thing.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {

void Writes::join(const Writes& other) {
  all = all || other.all;
  places = places || other.places;
  columns.insert(other.columns.begin(), other.columns.end());
  globals.insert(other.globals.begin(), other.globals.end());
  locals.insert(other.locals.begin(), other.locals.end());
}

/// Does an expression read what is written?
bool Sema::reads(ExprId id, const Writes& writes, int depth) const {
  if (id < 0) return false;
  const hir::Expr& e = out_->hir.exprs[static_cast<std::size_t>(id)];
  bool here = false;
  switch (e.kind) {
  case ExprKind::column:
  case ExprKind::fieldIs:
  case ExprKind::faceField:
    here = !out_->world.module.columns[static_cast<std::size_t>(e.index)].constant &&
           (writes.all || writes.columns.count(e.index) != 0);
    break;
  case ExprKind::global: here = writes.all || writes.globals.count(e.index) != 0; break;
  case ExprKind::field: {
    const auto field = static_cast<hir::Field>(e.op);
    const bool fixed =
        field == hir::Field::side || field == hir::Field::enemyOfCounter || field == hir::Field::enemyOfSide;
    here = !fixed && (writes.all || writes.places);
    break;
  }
  case ExprKind::call: {
    // Rules form no cycle, but a faulty one may; what is still being typed may read anything.
    const hir::Value& value = out_->hir.values[static_cast<std::size_t>(e.index)];
    if (depth > 60 || valueState_[static_cast<std::size_t>(e.index)] != 2) return true;
    here = reads(value.base, writes, depth + 1);
    for (const hir::Step& step : value.steps)
      here = here || reads(step.when, writes, depth + 1) || reads(step.operand, writes, depth + 1);
    break;
  }
  case ExprKind::can:
  case ExprKind::reach:
  case ExprKind::connected:
  case ExprKind::path:
  case ExprKind::zoneOfSide:
  case ExprKind::zoneOfCounters:
  case ExprKind::zoneOwners:
    return writes.all || writes.places || !writes.columns.empty() || !writes.globals.empty();
  case ExprKind::kindSet:
  case ExprKind::sideCounters:
  case ExprKind::atHexes:
  case ExprKind::atBox:
  case ExprKind::first:
  case ExprKind::hexesOfCounters: here = writes.all || writes.places; break;
  default: break;
  }
  return here ||
         std::any_of(e.args.begin(), e.args.end(), [&](ExprId arg) { return reads(arg, writes, depth); });
}

// ---- Statements that are typed

/// What a procedure may change, with its hooks. Of one that is still being typed: anything.
const Writes& Sema::writesOf(std::int32_t procedure) {
  auto index = static_cast<std::size_t>(procedure);
  if (procedureWrites_.size() <= index) procedureWrites_.resize(hir().procedures.size());
  if (procedureWrites_[index]) return *procedureWrites_[index];
  static const Writes anything{true, true, {}, {}, {}};
  if (procedureState_[index] != 2) return anything;
  // A circle, told elsewhere, meets this while it is worked out.
  procedureWrites_[index] = std::make_unique<Writes>(anything);
  Writes writes;
  addWrites(hir().procedures[index].body, writes);
  addHookWrites(hir::HookPoint::procedure, procedure, writes);
  writes.locals.clear();
  *procedureWrites_[index] = std::move(writes);
  return *procedureWrites_[index];
}

/// Hooks at a point; index -1: whatever they are hooks on.
void Sema::addHookWrites(hir::HookPoint point, std::int32_t index, Writes& out) {
  for (std::size_t h = 0; h < hir().hooks.size(); ++h) {
    if (hir().hooks[h].point != point || (index >= 0 && hir().hooks[h].index != index)) continue;
    if (h < pendingHooks_.size() && pendingHooks_[h].state == 1) {
      out.all = true; // it is being typed: a circle
      continue;
    }
    needHook(h);
    Writes hook;
    addWrites(hir().hooks[h].body, hook);
    hook.locals.clear();
    out.join(hook);
  }
}

void Sema::addMoveWrites(bool byRoute, Writes& out) {
  out.places = true;
  for (hir::HookPoint point : {hir::HookPoint::enter, hir::HookPoint::leave, hir::HookPoint::move})
    addHookWrites(point, -1, out);
  if (!byRoute) return;
  if (!routesTyped_) {
    out.all = true;
    return;
  }
  const auto add = [&](StmtId body) {
    if (body >= 0 && !routeHooksOpen_.insert(body).second) return;
    Writes inner;
    addWrites(body, inner);
    inner.locals.clear();
    out.join(inner);
    routeHooksOpen_.erase(body);
  };
  for (const hir::Route& route : hir().routes) {
    for (const hir::Route::Hook& hook : route.hooks) add(hook.body);
    for (const hir::RouteEdge& edge : route.edges) {
      for (StmtId effect : edge.effects) add(effect);
      if (edge.kind != EdgeKind::turn) continue;
      for (std::uint16_t column : route.over) out.columns.insert(column);
    }
  }
}

/// The begin and end of spans: their hooks, and the fields that return to their defaults.
void Sema::addSpanWrites(Writes& out) {
  for (hir::HookPoint point :
       {hir::HookPoint::turn, hir::HookPoint::playerTurn, hir::HookPoint::phase, hir::HookPoint::activation})
    addHookWrites(point, -1, out);
  const Module& module = world().module;
  for (std::size_t c = 0; c < module.columns.size(); ++c)
    if (module.columns[c].resets != SpanKind::never) out.columns.insert(static_cast<std::int32_t>(c));
  for (std::size_t g = 0; g < module.globals.size(); ++g)
    if (module.globals[g].resets != SpanKind::never || g < firstFreeGlobal)
      out.globals.insert(static_cast<std::int32_t>(g));
}

void Sema::addMemberships(Writes& out) {
  for (const GroupKindInfo& kind : world().module.groupKinds) {
    out.columns.insert(kind.counterColumn);
    out.columns.insert(kind.groupColumn);
  }
}

void Sema::addWrites(StmtId id, Writes& out) {
  if (id < 0) return;
  const hir::Stmt s = st(id); // typing hooks on the way may move the statements
  using hir::StmtKind;
  switch (s.kind) {
  case StmtKind::setGlobal: out.globals.insert(s.index); break;
  case StmtKind::setColumn: out.columns.insert(s.index); break;
  case StmtKind::joinGroup: addMemberships(out); break;
  case StmtKind::setLocal:
  case StmtKind::setField: out.locals.insert(s.local); break;
  case StmtKind::call: {
    out.join(writesOf(s.index));
    for (ExprId arg : s.exprs)
      if (arg >= 0 && type(arg).kind == TypeKind::record && at(arg).kind == ExprKind::local)
        out.locals.insert(at(arg).local);
    break;
  }
  case StmtKind::move: addMoveWrites(false, out); break;
  case StmtKind::setHex: out.places = true; break;
  case StmtKind::moveBy:
  case StmtKind::moveAlong: addMoveWrites(true, out); break;
  case StmtKind::turns:
  case StmtKind::playerTurn:
  case StmtKind::phase:
  case StmtKind::activation:
    addSpanWrites(out);
    addHookWrites(hir::HookPoint::settle, -1, out);
    break;
  case StmtKind::perform: out.all = true; break; // menus are named when all has been typed
  case StmtKind::block:
  case StmtKind::let:
  case StmtKind::roll:
  case StmtKind::if_:
  case StmtKind::match:
  case StmtKind::forEach:
  case StmtKind::repeat:
  case StmtKind::stop:
  case StmtKind::next:
  case StmtKind::return_:
  case StmtKind::win:
  case StmtKind::draw:
  case StmtKind::say:
  case StmtKind::choose:
  case StmtKind::nothing: break;
  default: out.all = true; break;
  }
  for (StmtId inner : s.statements) addWrites(inner, out);
  addWrites(s.body, out);
  addWrites(s.other, out);
  for (const hir::MatchArm& arm : s.arms) addWrites(arm.body, out);
  if (s.choice < 0) return;
  const hir::Choice choice = hir().choices[static_cast<std::size_t>(s.choice)];
  addWrites(choice.body, out);
  addWrites(choice.otherwise, out);
  for (const hir::ChoiceAlternative& alternative : choice.alternatives) addWrites(alternative.body, out);
}

/// Behind a statement whose parts were typed each for itself.
void Sema::forgetStatement(Env& env, StmtId id) {
  Writes writes;
  addWrites(id, writes);
  forgetWrites(env, writes);
  for (LocalId local : writes.locals) forgetLocal(env, local);
}

// ---- Full rests: hooks on `settle` run between any two statements that stand in the sequence

/// Do the statements here stand in the sequence, or in what is all that a phase does, or in an action?
bool Sema::standsInSequence(const Env& env) {
  if (env.inSequence || env.owner.starts_with("action")) return true;
  if (!env.owner.starts_with("procedure ")) return false;
  if (!restingKnown_) {
    restingKnown_ = true;
    for (const SourceFile& file : package_.files) {
      const SyntaxTree& t = file.tree;
      for (std::uint32_t n = 0; n < t.nodeCount(); ++n) {
        const auto node = static_cast<NodeId>(n);
        if (t.kind(node) != NodeKind::Phase) continue;
        NodeId only = NodeId::none;
        std::size_t items = 0;
        if (NodeId body = t.child(node, Role::body); valid(body))
          for (NodeId item : t.children(body, Role::item)) {
            only = item;
            ++items;
          }
        if (items == 1 && t.kind(only) == NodeKind::Do)
          resting_.insert(t.nameOf(t.child(t.child(only, Role::call), Role::name)));
      }
    }
  }
  return resting_.count(env.owner.substr(std::string("procedure ").size())) != 0;
}

/// What the hooks on `settle` may change is not known behind a full rest.
void Sema::forgetSettled(Env& env) {
  if (env.facts.empty() || !standsInSequence(env)) return;
  Writes writes;
  addHookWrites(hir::HookPoint::settle, -1, writes);
  forgetWrites(env, writes);
}

// ---- Loops: what a later round finds changed must not be proved before the first

/// Takes from what is known all that a block may change, before it is typed: by the names that it sets and
/// calls.
void Sema::forgetLoop(Env& env, NodeId body) {
  if (!valid(body)) return;
  const SyntaxTree& t = tree(env);
  Writes writes;
  auto setField = [&](const std::string& field) {
    for (std::size_t c = 0; c < world().module.columns.size(); ++c)
      if (world().module.columns[c].name == field) writes.columns.insert(static_cast<std::int32_t>(c));
    for (const GroupKindInfo& kind : world().module.groupKinds)
      if (world().module.columns[kind.counterColumn].name == field) addMemberships(writes);
  };
  auto localNamed = [&](const std::string& wanted) {
    for (auto i = env.names.rbegin(); i != env.names.rend(); ++i)
      if (i->name == wanted) {
        writes.locals.insert(i->local);
        return;
      }
  };
  std::vector<NodeId> open{body};
  while (!open.empty()) {
    NodeId node = open.back();
    open.pop_back();
    for (NodeId child : t.children(node)) open.push_back(child);
    switch (t.kind(node)) {
    case NodeKind::Set: {
      NodeId target = t.child(node, Role::target);
      while (t.kind(target) == NodeKind::Paren) target = t.child(target, Role::value);
      if (t.kind(target) == NodeKind::Member) {
        setField(t.nameOf(t.child(target, Role::name)));
        localNamed(t.nameOf(t.child(target, Role::base)));
        break;
      }
      localNamed(t.nameOf(target));
      if (const auto* symbols = world().find(t.nameOf(target)))
        for (const Symbol& symbol : *symbols)
          if (symbol.kind == SymbolKind::state) writes.globals.insert(symbol.id);
      break;
    }
    case NodeKind::Do: {
      NodeId call = t.child(node, Role::call);
      std::string callee = t.nameOf(t.child(call, Role::name));
      for (Role role : {Role::arg, Role::with})
        for (NodeId arg : t.children(role == Role::arg ? call : node, role)) {
          NodeId value = t.child(arg, Role::value);
          if (t.kind(value) == NodeKind::NameExpr) localNamed(t.nameOf(value)); // a record may be changed
        }
      if (auto found = proceduresByName_.find(callee); found != proceduresByName_.end()) {
        needProcedure(found->second.front());
        writes.join(writesOf(found->second.front()));
      } else if (auto table = world().tablesByName.find(callee); table != world().tablesByName.end()) {
        if (table->second.front() < startedBy_.size())
          for (const StartedProcedure& started : startedBy_[table->second.front()]) {
            needProcedure(started.procedure);
            writes.join(writesOf(started.procedure));
          }
      } else {
        writes.all = true;
      }
      break;
    }
    case NodeKind::Move: addMoveWrites(true, writes); break;
    case NodeKind::Turns:
    case NodeKind::PlayerTurn:
    case NodeKind::Phase:
    case NodeKind::Activation: addSpanWrites(writes); break;
    case NodeKind::Walk:
    case NodeKind::Perform:
    case NodeKind::Place: writes.all = true; break;
    default: break;
    }
  }
  if (standsInSequence(env)) addHookWrites(hir::HookPoint::settle, -1, writes);
  forgetWrites(env, writes);
  for (LocalId local : writes.locals) forgetLocal(env, local);
}

} // namespace hellwig
