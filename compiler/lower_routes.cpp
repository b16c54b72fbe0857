// SPDX-License-Identifier: Apache-2.0
// Routes: the bodies that a search asks for each edge, and the same clauses as sets where they read one end
// alone.
#include "compiler/lower_body.h"

#include <algorithm>

namespace hellwig::lowering {

using hir::ClauseKind;
using hir::ExprKind;
using hir::Field;
using hir::TypeKind;

namespace {

hir::Type wordType(TypeKind kind, bool optional = false) {
  hir::Type type;
  type.kind = kind;
  type.optional = optional;
  return type;
}

/// Lowers one route; a `Maker` is a body under way with the names that it may use.
class RouteLowering {
public:
  RouteLowering(Context& shared, const hir::Route& source, Route& target)
      : context(shared), route(source), out(target) {}

  void run();

private:
  struct Maker {
    BodyLowering body;
    Env* env;
  };
  enum class Shape { whole, originOnly, travelling, edge, end };

  /// The clauses of a step read the mover's hex as its a; what else reads the edges of a node asks the mover.
  Maker makeEdge(const char* what, BodyKind kind, const hir::RouteEdge& edge, bool readsNode = true) {
    return make(what, kind, Shape::edge, edge.from, edge.to, readsNode && edge.kind == EdgeKind::step);
  }
  Maker make(const char* what, BodyKind kind, Shape shape, hir::LocalId a = -1, hir::LocalId b = -1,
             bool alias = true) {
    Maker maker{BodyLowering(context, "route " + route.name + what, kind, route.place), nullptr};
    const ValueType hex = context.valueType(wordType(TypeKind::hex));
    const ValueType fraction = context.valueType(wordType(TypeKind::fraction));
    maker.env = maker.body.bindScope(route.scope, true);
    if (shape == Shape::originOnly) maker.body.keepTemps();
    if (shape != Shape::whole) maker.body.bindParameter(maker.env, route.origin, hex);
    if (shape == Shape::edge || shape == Shape::end || shape == Shape::travelling)
      maker.body.bindParameter(maker.env, route.spent, fraction);
    if (shape == Shape::edge) {
      const Reg at = static_cast<Reg>(maker.body.parameterWords());
      maker.body.bindParameter(maker.env, a, hex);
      maker.body.bindParameter(maker.env, b, hex);
      if (route.hasMover && kind != BodyKind::procedure && alias) maker.body.aliasHex({0, maker.env}, at);
    }
    if (shape == Shape::end) {
      const Reg at = static_cast<Reg>(maker.body.parameterWords());
      maker.body.bindParameter(maker.env, a, hex);
      if (route.hasMover) maker.body.aliasHex({0, maker.env}, at);
    }
    maker.body.bindLocals(maker.env, route.scope);
    return maker;
  }
  std::uint32_t done(Maker& maker, std::uint16_t words) {
    const std::uint32_t index = context.reserveBody();
    maker.body.finishInto(index, words);
    return index;
  }

  std::uint32_t expression(const char* what, hir::ExprId id, std::uint16_t words) {
    Maker m = make(what, BodyKind::pure, Shape::whole);
    const Reg reg = m.body.alloc(words);
    m.body.eval({id, m.env}, reg);
    m.body.ret(reg, words);
    return done(m, words);
  }
  void figureInto(Maker& m, const hir::CostFigure& figure, Reg reg);
  std::uint32_t forbidBody(const std::vector<const hir::Clause*>& clauses, Maker m);
  std::uint32_t preferBody(const std::vector<hir::Prefer>& lines, Maker m);
  bool isStatic(Maker& m, const hir::RouteEdge& step, hir::ExprId id);
  bool oneEnd(BodyLowering& body, Env* env, hir::ExprId id, hir::LocalId other);
  bool readsPlace(BodyLowering& body, Ref ref, bool inlining) const;
  bool namesMover(BodyLowering& body, Ref ref) const;
  bool holdsMover(BodyLowering& body, Ref set) const;
  void edge(const hir::RouteEdge& step);
  void effects(const hir::RouteEdge& edge, RouteEdge& to);
  void budget();
  void alsoWays();
  bool maybeUnlimited(hir::ExprId id) const;
  /// Clauses are not made into sets: those of a route of several fields differ from node to node.
  bool plain() const { return context.options.plainSets || route.byNodes; }
  void stops(const hir::RouteEdge& step, RouteEdge& to);
  void endClauses();
  void goal();
  void hooks();
  bool readsMover();
  /// The set of hexes for which one of the conditions holds (-1: always); noBody if some is not a matter of
  /// the hex alone. `rest` gets the positions of those that are not; without it all must be.
  std::uint32_t setBody(const char* what, const std::vector<hir::ExprId>& conditions, hir::LocalId hexLocal,
                        hir::LocalId other, std::vector<std::size_t>* rest);
  /// The same into registers of a body under way; false if nothing was said.
  bool setInto(Maker& m, Reg all, const std::vector<hir::ExprId>& conditions, hir::LocalId hexLocal,
               hir::LocalId other, std::vector<std::size_t>* rest);
  void setsBody();

  Context& context;
  const hir::Route& route;
  Route& out;
  Env* moverEnv = nullptr; ///< in which local 0 is the mover
};

void RouteLowering::figureInto(Maker& m, const hir::CostFigure& figure, Reg reg) {
  const Ref base{figure.base, m.env};
  if (m.body.typeOf(base).kind == TypeKind::integer) {
    m.body.eval(base, reg);
    Label missing;
    if (m.body.typeOf(base).optional) m.body.jump(Op::jumpNone, reg, 0, missing);
    m.body.emit(Op::toFraction, reg, reg);
    m.body.bind(missing);
    hir::Type type = wordType(TypeKind::fraction, true);
    m.body.steps(figure.steps, m.env, type, reg);
    return;
  }
  m.body.figure(base, figure.steps, wordType(TypeKind::fraction, true), reg);
}

std::uint32_t RouteLowering::forbidBody(const std::vector<const hir::Clause*>& clauses, Maker m) {
  for (const hir::Clause* clause : clauses)
    m.body.clauses({*clause}, m.env, Verdict{false, 1, 0, route.marks, nullptr, nullptr});
  m.body.retImm(0);
  return done(m, 1);
}

std::uint32_t RouteLowering::preferBody(const std::vector<hir::Prefer>& lines, Maker m) {
  const auto words = static_cast<std::uint16_t>(lines.size());
  const Reg first = m.body.alloc(words);
  for (std::uint16_t i = 0; i < words; ++i) {
    const BodyLowering::Temps temps(m.body);
    const hir::Prefer& line = lines[i];
    const auto reg = static_cast<Reg>(first + i);
    const Ref ref{line.expr, m.env};
    if (line.kind == hir::Prefer::Kind::holds) {
      Label yes;
      m.body.loadWord(reg, packRatio(0, 1));
      m.body.branch(ref, true, yes);
      m.body.loadWord(reg, packRatio(1, 1));
      m.body.bind(yes);
      continue;
    }
    m.body.eval(ref, reg);
    if (m.body.typeOf(ref).kind != TypeKind::fraction) m.body.emit(Op::toFraction, reg, reg);
    if (line.kind == hir::Prefer::Kind::greatest) m.body.emit(Op::fneg, reg, reg);
  }
  m.body.ret(first, words);
  return done(m, words);
}

// ---- What a clause reads

bool RouteLowering::namesMover(BodyLowering& body, Ref ref) const {
  if (!route.hasMover) return false;
  const Elem mover{moverEnv, 0, route.scope.locals[0].type, false};
  return (body.mentions(ref, mover) & (BodyLowering::byElement | BodyLowering::byRaw)) != 0;
}

/// May the mover be in this set, though it is lifted from the map?
bool RouteLowering::holdsMover(BodyLowering& body, Ref set) const {
  set = body.resolve(set);
  const hir::Expr& e = body.at(set);
  switch (e.kind) {
  case ExprKind::local:
  case ExprKind::kindEver:
  case ExprKind::call:
  case ExprKind::global:
  case ExprKind::column: return true;
  case ExprKind::single:
  case ExprKind::list: return namesMover(body, set);
  default: break;
  }
  for (std::size_t i = 0; i < e.args.size(); ++i)
    if (e.args[i] >= 0 && body.typeOf(body.arg(set, i)).set && holdsMover(body, body.arg(set, i)))
      return true;
  return false;
}

/// May this read where the mover stands, other than by `mover.hex` itself?
bool RouteLowering::readsPlace(BodyLowering& body, Ref ref, bool inlining) const {
  ref = inlining ? body.see(ref) : body.resolve(ref);
  const hir::Expr& e = body.at(ref);
  const auto index = static_cast<std::size_t>(e.index);
  switch (e.kind) {
  case ExprKind::field: {
    const Field field = static_cast<Field>(e.op);
    const bool place = field == Field::hex || field == Field::box || field == Field::onMap ||
                       field == Field::arrival || field == Field::cameFrom;
    if (place && namesMover(body, body.arg(ref, 0)) && (inlining || field != Field::hex)) return true;
    break;
  }
  case ExprKind::call:
    if (context.effects.value(index).counterPlace && namesMover(body, ref)) return true;
    break;
  case ExprKind::can:
    if (context.effects.permission(index).counterPlace && namesMover(body, ref)) return true;
    break;
  case ExprKind::reach:
  case ExprKind::connected:
  case ExprKind::path:
    if (namesMover(body, ref)) return true;
    break;
  case ExprKind::footprint:
  case ExprKind::aspectHexes:
  case ExprKind::aspectOf:
    if (namesMover(body, body.arg(ref, 0))) return true;
    break;
  case ExprKind::builtin:
    if (static_cast<hir::Builtin>(e.op) == hir::Builtin::distanceOver && namesMover(body, ref)) return true;
    break;
  case ExprKind::hexesOfCounters:
  case ExprKind::zoneOfCounters:
  case ExprKind::atHexes:
    if (holdsMover(body, body.arg(ref, 0))) return true;
    break;
  default: break;
  }
  for (std::size_t i = 0; i < e.args.size(); ++i)
    if (e.args[i] >= 0 && readsPlace(body, body.arg(ref, i), inlining)) return true;
  return false;
}

bool RouteLowering::oneEnd(BodyLowering& body, Env* env, hir::ExprId id, hir::LocalId other) {
  moverEnv = env;
  if (id < 0) return true;
  const Ref ref{id, env};
  for (const hir::LocalId local : {other, route.spent}) {
    if (local < 0) continue;
    if (body.mentions(ref, {env, local, route.scope.locals[static_cast<std::size_t>(local)].type, false}) !=
        0)
      return false;
  }
  return !route.hasMover || !readsPlace(body, ref, true);
}

/// Whether a clause of an edge reads only its ends and what never changes.
bool RouteLowering::isStatic(Maker& m, const hir::RouteEdge& step, hir::ExprId id) {
  if (id < 0) return true;
  const Elem a{m.env, step.from, wordType(TypeKind::hex), false},
      b{m.env, step.to, wordType(TypeKind::hex), false};
  return m.body.isStatic({id, m.env}, a, &b);
}

bool RouteLowering::readsMover() {
  if (!route.hasMover) return false;
  Maker m = make("", BodyKind::pure, Shape::whole);
  bool reads = false;
  moverEnv = m.env;
  const auto expr = [&](hir::ExprId id) {
    reads = reads || (id >= 0 && readsPlace(m.body, {id, m.env}, false));
  };
  const auto list = [&](const auto& self, const std::vector<hir::Clause>& clauses) -> void {
    for (const hir::Clause& clause : clauses) {
      for (const hir::ExprId id : {clause.when, clause.set, clause.from, clause.to}) expr(id);
      self(self, clause.inner);
    }
  };
  const auto figure = [&](const hir::CostFigure& cost) {
    expr(cost.base);
    for (const hir::Step& step : cost.steps) {
      expr(step.operand);
      expr(step.when);
    }
  };
  for (const hir::RouteEdge& step : route.edges) {
    list(list, step.clauses);
    figure(step.cost);
    for (const hir::Stop& stop : step.stops) expr(stop.when);
    for (const hir::Prefer& prefer : step.prefer) expr(prefer.expr);
  }
  list(list, route.endClauses);
  for (const hir::Prefer& prefer : route.endPrefer) expr(prefer.expr);
  expr(route.goal);
  return reads;
}

// ---- Sets

std::uint32_t RouteLowering::setBody(const char* what, const std::vector<hir::ExprId>& conditions,
                                     hir::LocalId hexLocal, hir::LocalId other,
                                     std::vector<std::size_t>* rest) {
  if (plain() || hexLocal < 0) {
    for (std::size_t i = 0; rest != nullptr && i < conditions.size(); ++i) rest->push_back(i);
    return noBody;
  }
  Maker m = make(what, BodyKind::pure, Shape::originOnly);
  const std::uint16_t words = context.domainWords(domainHexes);
  const Reg all = m.body.alloc(words);
  if (!setInto(m, all, conditions, hexLocal, other, rest)) return noBody;
  m.body.ret(all, words);
  return done(m, words);
}

bool RouteLowering::setInto(Maker& m, Reg all, const std::vector<hir::ExprId>& conditions,
                            hir::LocalId hexLocal, hir::LocalId other, std::vector<std::size_t>* rest) {
  const std::uint16_t words = context.domainWords(domainHexes);
  const Elem elem{m.env, hexLocal, wordType(TypeKind::hex), false};
  bool any = false;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const BodyLowering::Temps temps(m.body);
    const Reg set = any ? m.body.alloc(words) : all;
    bool said = oneEnd(m.body, m.env, conditions[i], other);
    if (said) {
      if (conditions[i] < 0)
        m.body.emit(Op::setFull, set, 0, 0, domainHexes, words);
      else
        said = m.body.refine(elem, {{conditions[i], m.env}, false, nullptr, nullptr}, set, true);
    }
    if (!said) {
      if (rest == nullptr) return false;
      rest->push_back(i);
      continue;
    }
    if (any) m.body.emit(Op::setOr, all, all, set, 0, words);
    any = true;
  }
  return any;
}

/// Where the machine answers by a flood, it asks for the budget and all the sets at once: what they have in
/// common is then computed once.
void RouteLowering::setsBody() {
  if (plain() || out.edges.size() != 1 || out.lengthBody != noBody) return;
  const RouteEdge& edge = out.edges[0];
  if (edge.costBody != noBody || edge.along >= 0 || edge.preferCount != 0 || edge.effectBody != noBody ||
      !edge.forbidIsSet || edge.restForbidBody != noBody || !edge.stopIsSet || !out.endIsSet ||
      !out.goalIsSet)
    return;
  const std::uint16_t words = context.domainWords(domainHexes);
  Maker m = make(", all sets", BodyKind::pure, Shape::originOnly);
  const hir::RouteEdge& step = route.edges[0];
  struct Part {
    std::vector<hir::ExprId> conditions;
    hir::LocalId hex, other;
  };
  std::vector<Part> parts;
  const auto part = [&](std::uint32_t body, hir::LocalId hex, hir::LocalId other, const auto& list) {
    if (body == noBody) return;
    parts.push_back({{}, hex, other});
    for (const auto& one : list) parts.back().conditions.push_back(one.when);
  };
  part(edge.blockedSetBody, step.to, step.from, step.clauses);
  part(edge.stopSetBody, step.to, step.from, step.stops);
  part(out.endBlockedSetBody, route.endHex, -1, route.endClauses);
  if (out.goalSetBody != noBody) parts.push_back({{route.goal}, route.goalHex, -1});
  if (parts.empty()) return;
  const std::uint16_t first = out.budgetBody == noBody ? 0 : 1;
  const auto total = static_cast<std::uint16_t>(first + words * parts.size());
  const Reg results = m.body.alloc(total);
  if (first != 0) figureInto(m, route.budget, results);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!setInto(m, static_cast<Reg>(results + first + words * i), parts[i].conditions, parts[i].hex,
                 parts[i].other, nullptr))
      return;
  m.body.ret(results, total);
  out.setsBody = done(m, total);
}

std::vector<const hir::Clause*> pointers(const std::vector<hir::Clause>& clauses) {
  std::vector<const hir::Clause*> out;
  for (const hir::Clause& clause : clauses) out.push_back(&clause);
  return out;
}

bool forbidsOnly(const std::vector<hir::Clause>& clauses) {
  return std::all_of(clauses.begin(), clauses.end(), [](const hir::Clause& c) {
    return c.kind != ClauseKind::allow && forbidsOnly(c.inner);
  });
}

void RouteLowering::edge(const hir::RouteEdge& step) {
  RouteEdge to;
  to.kind = step.kind;
  to.name = step.name;
  to.along = step.alongValue;
  to.alongColumn = step.alongColumn;
  if (step.kind != EdgeKind::step) to.fixedCost = packRatio(0, 1);
  if (step.choices >= 0) {
    hir::Type element = context.expr(step.choices).type;
    const std::uint16_t words = context.setWords(element);
    element.set = false;
    to.choice = context.valueType(element);
    to.choiceDomain = context.domainOf(element);
    Maker m = make(", choices", BodyKind::pure, Shape::travelling);
    const Reg reg = m.body.alloc(words);
    m.body.eval({step.choices, m.env}, reg);
    m.body.ret(reg, words);
    to.choicesBody = done(m, words);
  }
  effects(step, to);
  if (!step.clauses.empty()) {
    to.forbidBody = forbidBody(pointers(step.clauses), makeEdge(", step", BodyKind::pure, step));
    std::vector<const hir::Clause*> asked = pointers(step.clauses);
    if (forbidsOnly(step.clauses) && !plain()) {
      // Simple clauses become sets where they can; what is left is asked for each edge.
      std::vector<hir::ExprId> conditions;
      std::vector<const hir::Clause*> left, simple;
      for (const hir::Clause& clause : step.clauses) {
        if (clause.kind == ClauseKind::forbid) {
          conditions.push_back(clause.when);
          simple.push_back(&clause);
        } else {
          left.push_back(&clause);
        }
      }
      std::vector<std::size_t> rest;
      to.blockedSetBody = setBody(", hexes barred", conditions, step.to, step.from, &rest);
      for (const std::size_t i : rest) left.push_back(simple[i]);
      if (!left.empty()) to.restForbidBody = forbidBody(left, makeEdge(", step", BodyKind::pure, step));
      asked = left;
      to.forbidIsSet = true;
    }
    Maker m = makeEdge("", BodyKind::pure, step);
    to.forbidIsStatic = !context.options.coverage && !asked.empty() &&
                        std::all_of(asked.begin(), asked.end(), [&](const hir::Clause* clause) {
                          return clause->kind == ClauseKind::forbid && isStatic(m, step, clause->when);
                        });
  } else {
    to.forbidIsSet = true;
  }
  if (step.cost.base >= 0) {
    Maker m = makeEdge(", cost", BodyKind::pure, step);
    Word value = 0;
    m.body.cover(context.joinMarks(step.cost.marks, step.marks));
    if (!context.options.coverage && step.cost.steps.empty() &&
        m.body.isConstant({step.cost.base, m.env}, &value) && value != none) {
      const bool whole = m.body.typeOf({step.cost.base, m.env}).kind == TypeKind::integer;
      to.fixedCost = whole ? packRatio(static_cast<std::int32_t>(value), 1) : value;
    } else {
      const Reg reg = m.body.alloc();
      figureInto(m, step.cost, reg);
      m.body.ret(reg, 1);
      to.costIsStatic = !context.options.coverage && isStatic(m, step, step.cost.base);
      for (const hir::Step& one : step.cost.steps)
        to.costIsStatic = to.costIsStatic && isStatic(m, step, one.operand) && isStatic(m, step, one.when);
      to.costBody = done(m, 1);
    }
  }
  if (!step.clauses.empty() || to.costBody != noBody) {
    Maker m = makeEdge(", step", BodyKind::explain, step);
    Label allowed;
    const auto marks = context.joinMarks(route.marks, step.marks);
    m.body.clauses(step.clauses, m.env, Verdict{true, 1, 0, marks, nullptr, &allowed});
    m.body.bind(allowed);
    if (to.costBody != noBody) {
      const Reg reg = m.body.alloc();
      Label some;
      figureInto(m, step.cost, reg);
      m.body.jump(Op::jumpSome, reg, 0, some);
      m.body.cite(step.cost.marks);
      m.body.cite(marks);
      m.body.emit(Op::reason, static_cast<int>(ReasonKind::cost));
      m.body.retImm(2);
      m.body.bind(some);
    }
    m.body.retImm(0);
    to.whyBody = done(m, 1);
  }
  stops(step, to);
  if (!step.prefer.empty()) {
    to.preferBody = preferBody(step.prefer, makeEdge(", prefer", BodyKind::pure, step));
    to.preferCount = static_cast<std::uint16_t>(step.prefer.size());
  }
  out.edges.push_back(to);
}

void RouteLowering::stops(const hir::RouteEdge& step, RouteEdge& to) {
  to.stopIsSet = !plain();
  if (step.stops.empty()) {
    to.stopIsSet = true;
    return;
  }
  std::vector<hir::ExprId> conditions;
  for (const hir::Stop& stop : step.stops) conditions.push_back(stop.when);
  to.stopSetBody = setBody(", hexes to stop in", conditions, step.to, step.from, nullptr);
  to.stopIsSet = to.stopSetBody != noBody;
  Maker plainMaker = makeEdge(", stop", BodyKind::pure, step);
  Maker why = makeEdge(", stop", BodyKind::explain, step);
  for (const hir::Stop& stop : step.stops) {
    Label nextPlain, nextWhy;
    if (stop.when >= 0) plainMaker.body.branch({stop.when, plainMaker.env}, false, nextPlain);
    plainMaker.body.cover(stop.marks);
    plainMaker.body.retImm(1);
    plainMaker.body.bind(nextPlain);
    if (stop.when >= 0) why.body.branch({stop.when, why.env}, false, nextWhy);
    why.body.lowerText(stop.reason, why.env);
    why.body.cite(stop.marks);
    why.body.cite(context.joinMarks(route.marks, step.marks));
    why.body.emit(Op::reason, static_cast<int>(ReasonKind::stop));
    why.body.retImm(1);
    why.body.bind(nextWhy);
  }
  to.stopIsStatic =
      !context.options.coverage && std::all_of(conditions.begin(), conditions.end(),
                                               [&](hir::ExprId id) { return isStatic(plainMaker, step, id); });
  plainMaker.body.retImm(0);
  why.body.retImm(0);
  to.stopBody = done(plainMaker, 1);
  to.stopWhyBody = done(why, 1);
}

void RouteLowering::endClauses() {
  if (!route.endClauses.empty()) {
    out.endForbidBody =
        forbidBody(pointers(route.endClauses), make(", end", BodyKind::pure, Shape::end, route.endHex));
    if (forbidsOnly(route.endClauses)) {
      std::vector<hir::ExprId> conditions;
      bool simple = true;
      for (const hir::Clause& clause : route.endClauses) {
        conditions.push_back(clause.when);
        simple = simple && clause.kind == ClauseKind::forbid;
      }
      if (simple)
        out.endBlockedSetBody = setBody(", hexes not to end in", conditions, route.endHex, -1, nullptr);
      out.endIsSet = out.endBlockedSetBody != noBody;
    }
    Maker m = make(", end", BodyKind::explain, Shape::end, route.endHex);
    m.body.clauses(route.endClauses, m.env, Verdict{true, 1, 0, route.marks, nullptr, nullptr});
    m.body.retImm(0);
    out.endWhyBody = done(m, 1);
  } else {
    out.endIsSet = true;
  }
  if (!route.endPrefer.empty()) {
    out.endPreferBody =
        preferBody(route.endPrefer, make(", prefer", BodyKind::pure, Shape::end, route.endHex));
    out.endPreferCount = static_cast<std::uint16_t>(route.endPrefer.size());
  }
}

void RouteLowering::goal() {
  if (route.goal < 0) {
    out.goalIsSet = true;
    return;
  }
  Maker m = make(", goal", BodyKind::pure, Shape::end, route.goalHex);
  const Reg reg = m.body.alloc();
  Label no, end;
  m.body.branch({route.goal, m.env}, false, no);
  m.body.loadWord(reg, 1);
  m.body.jump(end);
  m.body.bind(no);
  m.body.loadWord(reg, 0);
  m.body.bind(end);
  m.body.ret(reg, 1);
  out.goalBody = done(m, 1);
  out.goalSetBody = setBody(", goals", {route.goal}, route.goalHex, -1, nullptr);
  out.goalIsSet = out.goalSetBody != noBody;
}

/// What an edge does to the mover: once as a search follows it, once in play.
void RouteLowering::effects(const hir::RouteEdge& edge, RouteEdge& to) {
  if (edge.effects.empty()) return;
  to.endsSearch = edge.endsSearch;
  for (const bool search : {true, false}) {
    if (search && edge.endsSearch) continue;
    Maker m = makeEdge(", effect", search ? BodyKind::effect : BodyKind::procedure, edge, false);
    const std::uint32_t index = context.reserveBody();
    m.body.setBodyIndex(index);
    m.body.searching = search;
    for (const hir::StmtId effect : edge.effects) m.body.block(effect, m.env);
    m.body.ret(0, 0);
    m.body.finishInto(index, 0);
    (search ? to.effectBody : to.effectPlay) = index;
  }
}

void RouteLowering::hooks() {
  for (std::size_t k = 0; k < edgeKinds; ++k)
    for (const bool before : {true, false}) {
      const auto kind = static_cast<EdgeKind>(k);
      std::vector<const hir::Route::Hook*> list;
      for (const hir::Route::Hook& hook : route.hooks)
        if (hook.before == before && (hook.each || hook.kind == kind)) list.push_back(&hook);
      if (list.empty()) continue;
      Maker m = make(before ? ", before an edge" : ", after an edge", BodyKind::procedure, Shape::edge);
      const auto b = static_cast<Reg>(m.body.parameterWords() - 1), a = static_cast<Reg>(b - 1);
      const std::uint32_t index = context.reserveBody();
      m.body.setBodyIndex(index);
      const Reg stopped = m.body.alloc(), arrival = m.body.alloc(), now = m.body.alloc();
      Label moved;
      m.body.loadWord(stopped, 0);
      if (route.hasMover) m.body.emit(Op::arrivalOf, arrival, 0);
      for (const hir::Route::Hook* hook : list) {
        if (hook->from >= 0) m.body.setCopy(m.env->locals[static_cast<std::size_t>(hook->from)].reg, a, 1);
        if (hook->to >= 0) m.body.setCopy(m.env->locals[static_cast<std::size_t>(hook->to)].reg, b, 1);
        m.body.hookBlock(hook->when, hook->body, m.env, stopped);
        if (!route.hasMover || hook == list.back()) continue;
        // A hook that moves the mover, or takes it off the map, is the last.
        m.body.emit(Op::arrivalOf, now, 0);
        m.body.jump(Op::jumpNe, now, arrival, moved);
        if (kind == EdgeKind::entry && before) continue;
        m.body.emit(Op::onMap, now, 0);
        m.body.jump(Op::jumpUnless, now, 0, moved);
      }
      m.body.bind(moved);
      m.body.ret(stopped, 1);
      m.body.finishInto(index, 1);
      EdgeHooks& at = out.hooks[k];
      (before ? at.before : at.after) = index;
    }
}

bool RouteLowering::maybeUnlimited(hir::ExprId id) const {
  if (id < 0) return false;
  const hir::Expr& e = context.expr(id);
  return (e.kind == ExprKind::constant && e.value == unlimitedWord) ||
         std::any_of(e.args.begin(), e.args.end(), [&](hir::ExprId arg) { return maybeUnlimited(arg); });
}

void RouteLowering::budget() {
  if (route.budget.base < 0 || route.budget.unlimited) return;
  Maker m = make(", budget", BodyKind::pure, route.budgetReadsOrigin ? Shape::originOnly : Shape::whole);
  const Reg reg = m.body.alloc();
  Label limited;
  if (maybeUnlimited(route.budget.base)) {
    // Nothing is added to what has no limit.
    m.body.figure({route.budget.base, m.env}, {}, wordType(TypeKind::fraction, true), reg);
    const BodyLowering::Temps temps(m.body);
    m.body.jump(Op::jumpNe, reg, m.body.wordReg(unlimitedWord), limited);
    m.body.ret(reg, 1);
  }
  m.body.bind(limited);
  m.body.cover(context.joinMarks(route.budget.marks, route.marks));
  figureInto(m, route.budget, reg);
  m.body.ret(reg, 1);
  out.budgetBody = done(m, 1);
  out.budgetReadsOrigin = route.budgetReadsOrigin;
}

void RouteLowering::alsoWays() {
  for (const hir::Also& way : route.also) {
    AlsoWay made{static_cast<std::uint16_t>(way.route), noBody};
    if (!way.args.empty()) {
      Maker m = make(", another way", BodyKind::pure, Shape::whole);
      std::uint32_t words = 0;
      for (const hir::ExprId arg : way.args) words += context.words(context.expr(arg).type);
      const Reg first = m.body.alloc(words);
      std::uint32_t at = first;
      for (const hir::ExprId arg : way.args) {
        m.body.eval({arg, m.env}, static_cast<Reg>(at));
        at += context.words(context.expr(arg).type);
      }
      m.body.ret(first, static_cast<std::uint16_t>(words));
      made.argumentsBody = done(m, static_cast<std::uint16_t>(words));
    }
    out.also.push_back(made);
  }
}

void RouteLowering::run() {
  out.name = route.name;
  out.hasMover = route.hasMover;
  out.parameters = context.parameterWords(route.scope);
  out.byNodes = route.byNodes;
  out.over = route.over;
  out.overCameFrom = route.overCameFrom;
  out.facing = route.facing;
  alsoWays();
  out.budgetMarks = context.joinMarks(route.budget.marks, 0);
  if (route.start >= 0) out.startBody = expression(", start", route.start, context.domainWords(domainHexes));
  budget();
  if (route.length >= 0) out.lengthBody = expression(", length", route.length, 1);
  if (route.minimumOneStep) {
    if (route.minimumWhen >= 0) {
      out.minimumBody = expression(", minimum", route.minimumWhen, 1);
    } else {
      Maker m = make(", minimum", BodyKind::pure, Shape::whole);
      m.body.retImm(1);
      out.minimumBody = done(m, 1);
    }
  }
  if (!route.clauses.empty()) {
    Maker plain = make("", BodyKind::pure, Shape::whole);
    plain.body.clauses(route.clauses, plain.env, Verdict{false, 1, 0, route.marks, nullptr, nullptr});
    plain.body.retImm(0);
    out.forbidBody = done(plain, 1);
    Maker why = make("", BodyKind::explain, Shape::whole);
    why.body.clauses(route.clauses, why.env, Verdict{true, 1, 0, route.marks, nullptr, nullptr});
    why.body.retImm(0);
    out.forbidWhyBody = done(why, 1);
  }
  for (const hir::RouteEdge& step : route.edges) edge(step);
  endClauses();
  goal();
  setsBody();
  hooks();
  out.readsMover = readsMover();
  out.readsOrigin = route.readsOrigin;
}

} // namespace

void lowerRoutes(Context& context) {
  for (std::size_t i = 0; i < context.hir.routes.size(); ++i) {
    Route out;
    RouteLowering(context, context.hir.routes[i], out).run();
    context.module.routes[i] = std::move(out);
  }
}

} // namespace hellwig::lowering
