// SPDX-License-Identifier: Apache-2.0
// Moves edge by edge: for each route on whose way somebody looks on, a procedure that takes one edge, with
// all that happens before and after it, and one that follows a path.
#include "compiler/lower_body.h"
#include "runtime/path_block.h"

namespace hellwig::lowering {

using hir::HookPoint;

namespace {

bool hasEngineHooks(const Context& context, std::int32_t kind) {
  for (const HookPoint point : {HookPoint::enter, HookPoint::leave})
    for (const bool before : {true, false})
      if (!context.hooksAt(point, before, kind).empty()) return true;
  return false;
}

/// Whether something happens on the way: a hook, an effect, a turn.
bool isWatched(const Context& context, std::size_t index) {
  const hir::Route& route = context.hir.routes[index];
  if (!route.hasMover) return false;
  if (hasEngineHooks(context, route.scope.locals[0].type.id)) return true;
  std::vector<std::uint16_t> ways;
  waysOf(context.module, static_cast<std::uint16_t>(index), ways);
  for (const std::uint16_t way : ways)
    if (context.hir.routes[way].byNodes || !context.hir.routes[way].hooks.empty()) return true;
  return false;
}

class TravelLowering {
public:
  TravelLowering(Context& shared, std::size_t index)
      : context_(shared), route_(shared.hir.routes[index]), id_(static_cast<std::int32_t>(index)),
        words_(travelShape(shared.module).words()), kind_(route_.scope.locals[0].type.id) {
    waysOf(context_.module, static_cast<std::uint16_t>(index), ways_);
  }

  void edge();
  void along();

private:
  const Route& way(std::size_t w) const { return context_.module.routes[ways_[w]]; }
  /// Calls a body of way w with what bodies of edges get; its answer, if it has one, is in the register.
  Reg callWay(BodyLowering& body, Reg travel, std::size_t w, std::uint32_t callee) {
    const Reg first = body.alloc(way(w).parameters + 4U);
    body.emit(Op::travelArgs, first, travel, static_cast<std::int64_t>(w), id_, ways_[w]);
    body.emit(Op::call, first, 0, 0, static_cast<std::int32_t>(callee));
    return first;
  }
  bool occurs(EdgeKind kind) const {
    if (kind == EdgeKind::entry || kind == EdgeKind::step) return true;
    for (std::size_t w = 0; w < ways_.size(); ++w)
      for (const RouteEdge& edge : way(w).edges)
        if (edge.kind == kind) return true;
    return false;
  }
  void hooks(BodyLowering& body, Reg travel, Reg counter, Reg arrival, EdgeKind kind, bool before,
             Reg stopped, Label& end);
  void effects(BodyLowering& body, Reg travel, EdgeKind kind);
  void step(BodyLowering& body, Reg travel, Reg counter, Reg arrival, EdgeKind kind, Reg stopped, Label& end);

  Context& context_;
  const hir::Route& route_;
  std::int32_t id_;
  std::uint32_t words_;
  std::int32_t kind_;
  std::vector<std::uint16_t> ways_;
};

/// The hooks of the first way that allows the edge.
void TravelLowering::hooks(BodyLowering& body, Reg travel, Reg counter, Reg arrival, EdgeKind kind,
                           bool before, Reg stopped, Label& end) {
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const EdgeHooks& hooks = way(w).hooks[static_cast<std::size_t>(kind)];
    const std::uint32_t hook = before ? hooks.before : hooks.after;
    if (hook == noBody) continue;
    const BodyLowering::Temps temps(body);
    Label other;
    body.jump(Op::jumpNeImm, travel + travelFirst, static_cast<std::int64_t>(w), other);
    const Reg answer = callWay(body, travel, w, hook);
    body.emit(Op::or_, stopped, stopped, answer);
    if (kind == EdgeKind::entry && before) {
      // It is not on the map yet, unless the hook has brought it there.
      const Reg now = body.alloc();
      body.emit(Op::arrivalOf, now, counter);
      body.jump(Op::jumpNe, now, arrival, end);
    } else {
      body.leftBy(counter, arrival, end);
    }
    body.bind(other);
  }
}

void TravelLowering::effects(BodyLowering& body, Reg travel, EdgeKind kind) {
  for (std::size_t w = 0; w < ways_.size(); ++w)
    for (std::size_t item = 0; item < way(w).edges.size(); ++item) {
      const RouteEdge& edge = way(w).edges[item];
      if (edge.effectPlay == noBody || edge.kind != kind) continue;
      const BodyLowering::Temps temps(body);
      Label other;
      body.jump(Op::jumpNeImm, travel + travelItem, static_cast<std::int64_t>(w * 256 + item), other);
      callWay(body, travel, w, edge.effectPlay);
      body.bind(other);
    }
}

void TravelLowering::step(BodyLowering& body, Reg travel, Reg counter, Reg arrival, EdgeKind kind,
                          Reg stopped, Label& end) {
  const Reg to = static_cast<Reg>(travel + travelQ), from = static_cast<Reg>(travel + travelP);
  const bool entry = kind == EdgeKind::entry;
  if (!entry) body.engineHooks(HookPoint::leave, true, kind_, {counter, from}, stopped);
  body.engineHooks(HookPoint::enter, true, kind_, {counter, to}, stopped);
  if (!entry) body.leftBy(counter, arrival, end);
  body.emit(Op::moveToHex, counter, to);
  effects(body, travel, kind);
  const Reg there = body.alloc();
  body.emit(Op::onMap, there, counter);
  body.jump(Op::jumpUnless, there, 0, end);
  body.emit(Op::arrivalOf, arrival, counter);
  if (!entry) body.engineHooks(HookPoint::leave, false, kind_, {counter, from}, stopped);
  body.engineHooks(HookPoint::enter, false, kind_, {counter, to}, stopped);
}

void TravelLowering::edge() {
  BodyLowering body(context_, "route " + route_.name + ", an edge", BodyKind::procedure, route_.place);
  const std::uint32_t index = context_.ids.travelEdge[static_cast<std::size_t>(id_)];
  body.setBodyIndex(index);
  const Reg travel = body.rawParameters(words_), edge = body.rawParameters(1);
  const Reg counter = static_cast<Reg>(travel + travelMover), over = static_cast<Reg>(travel + travelOver);
  const Reg legal = body.alloc(), arrival = body.alloc(), stopped = body.alloc(), flag = body.alloc();
  Label ended, stop, done;
  body.emit(Op::travelTest, legal, travel, edge, id_);
  body.jump(Op::jumpUnless, legal, 0, ended);
  body.loadWord(stopped, 0);
  body.emit(Op::arrivalOf, arrival, counter);
  std::vector<Label> others(edgeKinds);
  for (const EdgeKind kind : {EdgeKind::step, EdgeKind::turn, EdgeKind::action, EdgeKind::entry}) {
    const auto k = static_cast<std::size_t>(kind);
    if (!occurs(kind)) continue;
    body.jump(Op::jumpNeImm, travel + travelKind, static_cast<std::int64_t>(k), others[k]);
    hooks(body, travel, counter, arrival, kind, true, stopped, ended);
    // The hooks before an edge that end the move let it not be taken.
    body.jump(Op::jumpIf, stopped, 0, ended);
    if (kind == EdgeKind::step || kind == EdgeKind::entry) {
      step(body, travel, counter, arrival, kind, stopped, ended);
    } else {
      if (kind == EdgeKind::turn)
        for (std::size_t w = 0; w < ways_.size(); ++w) {
          if (way(w).facing < 0) continue;
          Label other;
          body.jump(Op::jumpNeImm, travel + travelFirst, static_cast<std::int64_t>(w), other);
          body.emit(Op::set, counter, travel + travelQ, 0,
                    way(w).over[static_cast<std::size_t>(way(w).facing)]);
          body.bind(other);
        }
      effects(body, travel, kind);
      body.emit(Op::arrivalOf, arrival, counter);
    }
    body.emit(Op::travelTake, travel, 0, 0, id_);
    // What an effect has taken off the map is seen by no hook any more.
    body.emit(Op::onMap, flag, counter);
    body.jump(Op::jumpUnless, flag, 0, ended);
    body.leftBy(counter, arrival, ended);
    hooks(body, travel, counter, arrival, kind, false, stopped, ended);
    body.jump(Op::jumpIf, stopped, 0, ended);
    body.jump(done);
    body.bind(others[k]);
  }
  body.bind(ended);
  body.loadWord(over, 1);
  body.bind(done);
  body.ret(travel, static_cast<std::uint16_t>(words_));
  body.finishInto(index, static_cast<std::uint16_t>(words_));
}

void TravelLowering::along() {
  BodyLowering body(context_, "route " + route_.name + ", along a path", BodyKind::procedure, route_.place);
  const std::uint32_t index = context_.ids.travelAlong[static_cast<std::size_t>(id_)];
  body.setBodyIndex(index);
  const Reg counter = body.rawParameters(1), path = body.rawParameters(pathShape(context_.module).words());
  const Reg number = body.alloc(), flag = body.alloc();
  const Reg travel = body.alloc(words_), edge = body.alloc();
  Label end, onMap;
  body.loadWord(number, 0);
  body.emit(Op::travelAlong, travel, counter, path, id_);
  body.emit(Op::onMap, flag, counter);
  body.jump(Op::jumpIf, flag, 0, onMap);
  // From off the map it first enters where the path begins.
  body.loadWord(number, -1);
  body.emit(Op::pathEdge, edge, path, number);
  body.loadWord(number, 0);
  body.emit(Op::call, travel, 0, 0,
            static_cast<std::int32_t>(context_.ids.travelEdge[static_cast<std::size_t>(id_)]));
  body.jump(Op::jumpIf, travel + travelOver, 0, end);
  body.bind(onMap);
  const std::uint32_t again = body.here();
  body.emit(Op::pathEdge, edge, path, number);
  body.jump(Op::jumpNone, edge, 0, end);
  body.emit(Op::addImm, number, number, 0, 1);
  body.emit(Op::call, travel, 0, 0,
            static_cast<std::int32_t>(context_.ids.travelEdge[static_cast<std::size_t>(id_)]));
  body.jump(Op::jumpIf, travel + travelOver, 0, end);
  body.jumpBack(again);
  body.bind(end);
  body.ret(0, 0);
  body.finishInto(index, 0);
}

} // namespace

void reserveTravels(Context& context) {
  context.ids.travelEdge.assign(context.hir.routes.size(), noBody);
  context.ids.travelAlong.assign(context.hir.routes.size(), noBody);
  std::vector<bool> walked(context.hir.routes.size(), false);
  for (const hir::Stmt& stmt : context.hir.stmts)
    if (stmt.kind == hir::StmtKind::walk) walked[static_cast<std::size_t>(stmt.index)] = true;
  for (std::size_t i = 0; i < context.hir.routes.size(); ++i) {
    const bool watched = isWatched(context, i);
    if (watched || walked[i]) context.ids.travelEdge[i] = context.reserveBody();
    if (watched) context.ids.travelAlong[i] = context.reserveBody();
  }
}

void lowerTravels(Context& context) {
  for (std::size_t i = 0; i < context.hir.routes.size(); ++i) {
    if (context.ids.travelEdge[i] == noBody) continue;
    TravelLowering lowering(context, i);
    lowering.edge();
    if (context.ids.travelAlong[i] != noBody) lowering.along();
  }
}

} // namespace hellwig::lowering
