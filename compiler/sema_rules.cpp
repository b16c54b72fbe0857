// SPDX-License-Identifier: Apache-2.0
// Typing of values, permissions, zones, victory and hidden information, with what layers add to them.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type hexSet{TypeKind::hex, 0, true, false};

Rounding roundingOf(TokenKind op) {
  return op == TokenKind::kw_up ? Rounding::up : op == TokenKind::kw_down ? Rounding::down : Rounding::near;
}

} // namespace

// ---- Steps

/// The marks of the headings of all properties that an expression reads.
std::uint16_t Sema::headingMarks(ExprId id) {
  if (id < 0) return 0;
  std::uint16_t all = 0;
  std::vector<ExprId> open{id};
  while (!open.empty()) {
    ExprId e = open.back();
    open.pop_back();
    if (e < 0) continue;
    const hir::Expr& node = at(e);
    if (node.kind == ExprKind::column &&
        world().module.columns[static_cast<std::size_t>(node.index)].owner == Owner::enumeration)
      all = joinMarks(world(), all, world().columnFacts[static_cast<std::size_t>(node.index)].marks);
    if (node.kind == ExprKind::recordField && type(node.args[0]).kind == TypeKind::row)
      all = joinMarks(world(), all, world().recordFacts[type(node.args[0]).id].marks[node.op]);
    open.insert(open.end(), at(e).args.begin(), at(e).args.end());
  }
  return all;
}

hir::Step Sema::step(Env& env, NodeId node, const Type& result, bool first, Rounding behind) {
  const SyntaxTree& t = tree(env);
  hir::Step out;
  out.place = placeOf(env, node);
  out.marks = marks(env, node);
  NodeId valueNode = t.child(node, Role::value), whenNode = t.child(node, Role::when);
  if (NodeId rounding = t.child(node, Role::rounding); valid(rounding))
    out.rounding = roundingOf(t.op(rounding));
  std::size_t facts = env.facts.size();
  if (valid(whenNode)) {
    out.when = condition(env, whenNode);
    learn(env, out.when, true);
  }
  const Type figure = certain(result);
  bool number = isNumber(figure);
  auto needsNumber = [&] {
    if (number || figure.kind == TypeKind::error) return true;
    report(DiagnosticCode::typeMismatch, env, node,
           {"a step on a number", "a step that fits " + name(result)});
    return false;
  };
  auto factor = [&](hir::StepOp op) {
    out.op = op;
    if (!needsNumber()) return;
    ExprId e = this->number(env, valueNode);
    // Arithmetic with none is none, where the figure may be that.
    if (!result.optional) e = prove(env, e, valueNode);
    if (type(e).kind == TypeKind::error) return;
    bool exact = op == hir::StepOp::multiply && type(e).kind == TypeKind::integer;
    // An int is rounded at once where the next step rounds it.
    if (figure.kind == TypeKind::integer && out.rounding == Rounding::none && !exact) out.rounding = behind;
    if (figure.kind == TypeKind::integer && out.rounding == Rounding::none && !exact) {
      report(DiagnosticCode::stepLeavesFraction, env, node);
      return;
    }
    if (figure.kind == TypeKind::fraction || out.rounding != Rounding::none)
      e = toFraction(env, valueNode, e);
    if (op == hir::StepOp::divide && at(e).kind == ExprKind::constant &&
        (type(e).kind == TypeKind::fraction ? numeratorOf(at(e).value) == 0 : at(e).value == 0))
      report(DiagnosticCode::divisionByZero, env, valueNode);
    out.operand = e;
  };
  switch (t.op(node)) {
  case TokenKind::kw_add:
  case TokenKind::kw_subtract:
    out.op = t.op(node) == TokenKind::kw_add ? hir::StepOp::add : hir::StepOp::subtract;
    if (!result.set && !needsNumber()) break;
    out.operand = coerce(env, expr(env, valueNode, figure), figure, valueNode, result.optional);
    break;
  case TokenKind::kw_become:
    out.op = hir::StepOp::become;
    out.operand = exprOf(env, valueNode, result);
    if (!valid(whenNode) && !first) report(DiagnosticCode::vainSteps, env, node);
    break;
  case TokenKind::kw_multiply: factor(hir::StepOp::multiply); break;
  case TokenKind::kw_divide: factor(hir::StepOp::divide); break;
  case TokenKind::kw_round:
    out.op = hir::StepOp::round;
    needsNumber();
    break;
  case TokenKind::kw_least:
  case TokenKind::kw_most:
    out.op = t.op(node) == TokenKind::kw_least ? hir::StepOp::atLeast : hir::StepOp::atMost;
    out.operand = exprOf(env, valueNode, figure);
    break;
  default: break;
  }
  env.facts.resize(facts);
  out.marks =
      joinMarks(world(), out.marks, joinMarks(world(), headingMarks(out.operand), headingMarks(out.when)));
  if (NodeId label = t.child(node, Role::text); valid(label)) out.label = text(env, label);
  // The words of a bare number would only repeat it.
  bool literal = out.operand >= 0 && at(out.operand).kind == ExprKind::constant;
  out.words = valid(whenNode)                ? words(env, whenNode)
              : valid(valueNode) && !literal ? words(env, valueNode)
                                             : "";
  return out;
}

std::vector<hir::Step> Sema::steps(Env& env, NodeId body, const Type& result) {
  std::vector<hir::Step> out;
  if (!valid(body)) return out;
  const SyntaxTree& t = tree(env);
  std::vector<NodeId> items;
  for (NodeId item : t.children(body, Role::item))
    if (t.kind(item) == NodeKind::Step && !faulty(env, item)) items.push_back(item);
  for (std::size_t i = 0; i < items.size(); ++i) {
    Rounding behind = Rounding::none;
    const TokenKind op = i + 1 < items.size() ? t.op(items[i + 1]) : TokenKind::kw_add;
    if (op == TokenKind::none || op == TokenKind::kw_round)
      if (NodeId rounding = t.child(items[i + 1], Role::rounding);
          valid(rounding) && !valid(t.child(items[i + 1], Role::when)))
        behind = roundingOf(t.op(rounding));
    out.push_back(step(env, items[i], result, out.empty(), behind));
    const bool taken = behind != Rounding::none && out.back().rounding == behind &&
                       out.back().op != hir::StepOp::round && !valid(t.child(items[i], Role::rounding));
    if (taken) out.back().marks = joinMarks(world(), out.back().marks, marks(env, items[++i]));
  }
  return out;
}

// ---- Waivers

void Sema::collectWaivers(Env& env, NodeId body, std::size_t part, std::vector<Waiver>& waivers) {
  if (!valid(body)) return;
  const SyntaxTree& t = tree(env);
  for (NodeId item : t.children(body, Role::item)) {
    if (t.kind(item) != NodeKind::Waive || faulty(env, item)) continue;
    Waiver w;
    NodeId waivedMark = t.child(item, Role::waived);
    for (const MarkId& id : readMark(t, waivedMark).ids) {
      auto& rules = world().module.rules;
      auto rule = std::find_if(rules.begin(), rules.end(), [&](const RuleInfo& r) { return r.id == id.id; });
      if (rule != rules.end())
        w.rules.push_back(static_cast<std::uint16_t>(rule - rules.begin()));
      else
        report(Diagnostic(DiagnosticCode::unknownRuleId, t.sharedSource(), id.range, {id.id}));
    }
    w.condition = condition(env, t.child(item, Role::when));
    marks(env, item);
    w.part = part;
    w.env = &env;
    w.node = item;
    if (!w.rules.empty()) waivers.push_back(w);
  }
}

ExprId Sema::waived(ExprId when, std::uint16_t markSet, std::size_t part, std::vector<Waiver>& waivers,
                    Place place) {
  for (Waiver& w : waivers) {
    if (w.part == part) continue;
    const auto& rules = world().module.marks[markSet].rules;
    bool bears = std::any_of(rules.begin(), rules.end(), [&](std::uint16_t rule) {
      return std::find(w.rules.begin(), w.rules.end(), rule) != w.rules.end();
    });
    if (!bears) continue;
    w.used = true;
    hir::Expr no;
    no.kind = ExprKind::not_;
    no.type = boolean;
    no.args = {w.condition};
    no.place = place;
    hir().exprs.push_back(no);
    ExprId negated = static_cast<ExprId>(hir().exprs.size() - 1);
    if (when < 0) {
      when = negated;
      continue;
    }
    hir::Expr both;
    both.kind = ExprKind::and_;
    both.type = boolean;
    both.args = {negated, when};
    both.place = place;
    hir().exprs.push_back(both);
    when = static_cast<ExprId>(hir().exprs.size() - 1);
  }
  return when;
}

void Sema::waive(std::vector<hir::Clause>& clauses, std::size_t part, std::vector<Waiver>& waivers) {
  for (hir::Clause& clause : clauses) {
    if (clause.inner.empty())
      clause.when = waived(clause.when, clause.marks, part, waivers, clause.place);
    else
      waive(clause.inner, part, waivers);
  }
}

void Sema::reportUnusedWaivers(std::vector<Waiver>& waivers) {
  for (Waiver& w : waivers)
    if (!w.used) {
      const SyntaxTree& t = tree(*w.env);
      report(DiagnosticCode::nothingToWaive, *w.env, t.child(w.node, Role::waived),
             {std::string(t.text(t.child(w.node, Role::waived)))});
    }
}

// ---- Values

void Sema::needValue(std::int32_t index) {
  auto& state = valueState_[static_cast<std::size_t>(index)];
  if (state == 2) return;
  hir::Value& value = hir().values[static_cast<std::size_t>(index)];
  if (state == 1) {
    if (value.result.kind == TypeKind::error && !value.place.range.length) return;
    if (value.result.kind == TypeKind::error) {
      // Its type rests on itself, and so does it.
      std::string circle;
      for (auto i = std::find(valueStack_.begin(), valueStack_.end(), index); i != valueStack_.end(); ++i)
        circle += hir().values[static_cast<std::size_t>(*i)].name + " -> ";
      circle += value.name;
      report(Diagnostic(DiagnosticCode::recursion, tree(value.place.file).sharedSource(), value.place.range,
                        {value.name, circle}));
      value.place.range.length = 0;
    }
    return;
  }
  std::int32_t declIndex = valueDecl_[static_cast<std::size_t>(index)];
  if (declIndex < 0) {
    state = 2;
    return;
  }
  state = 1;
  valueStack_.push_back(index);
  const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(declIndex)];
  std::vector<Part> parts = partsOf(decl, false);
  std::deque<Env> envs;
  std::vector<Waiver> waivers;
  std::vector<std::pair<std::size_t, std::vector<hir::Step>>> stepsOf;

  if (!decl.implicit) {
    Env env = envFor(value.scope, decl.node, "value " + decl.name);
    if (decl.original >= 0) env.originalCallable = declRule_[decl.original];
    const SyntaxTree& t = tree(env);
    NodeId typeNode = t.child(decl.node.node, Role::type), baseNode = t.child(decl.node.node, Role::value);
    if (valid(typeNode)) value.result = resultType(env, typeNode);
    value.marks = marks(env, decl.node.node);
    value.base = expr(env, baseNode, valid(typeNode) ? value.result : Type{});
    if (valid(typeNode)) {
      // The base of a whole figure may be a fraction, if a step rounds it.
      Type wanted = value.result;
      value.workedAsFraction = wanted.kind == TypeKind::integer && !wanted.set &&
                               type(value.base).kind == TypeKind::fraction && !type(value.base).set &&
                               roundsWhole(parts);
      if (value.workedAsFraction) wanted.kind = TypeKind::fraction;
      value.base = coerce(env, value.base, wanted, baseNode);
    }
    if (!valid(typeNode)) {
      value.result = type(value.base);
      if (value.result.kind == TypeKind::nothing) {
        report(DiagnosticCode::typeMismatch, env, baseNode, {"none", "a figure: give the value a type"});
        value.result = Type{};
      }
      if (value.result.kind == TypeKind::record && !value.result.set) {
        report(DiagnosticCode::recordMisplaced, env, baseNode, {name(value.result), "an answer"});
        value.result = Type{};
      }
      if (value.result.kind == TypeKind::text && !value.result.set && t.kind(baseNode) == NodeKind::Text)
        value.result = Type{};
    }
    if (decl.original >= 0) {
      std::int32_t before = declRule_[decl.original];
      needValue(before);
      const Type& was = hir().values[static_cast<std::size_t>(before)].result;
      if (was.kind != TypeKind::error && value.result.kind != TypeKind::error && !(was == value.result))
        report(DiagnosticCode::replacedType, env, t.child(decl.node.node, Role::name),
               {decl.name, name(was), name(value.result)});
    }
    ExprKind kind = at(value.base).kind;
    bool printed = kind == ExprKind::faceField ||
                   (kind == ExprKind::column &&
                    world().columnFacts[static_cast<std::size_t>(at(value.base).index)].printed);
    value.baseWords = printed ? "printed"
                      : kind == ExprKind::call
                          ? displayName(hir().values[static_cast<std::size_t>(at(value.base).index)].name)
                          : words(env, baseNode);
    value.baseMarks = headingMarks(value.base);
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    envs.push_back(envFor(value.scope, parts[p].node, "value " + decl.name));
    Env& env = envs.back();
    NodeId body = tree(env).child(parts[p].node.node, Role::body);
    collectWaivers(env, body, p, waivers);
    Type figure = value.result;
    if (value.workedAsFraction) figure.kind = TypeKind::fraction;
    stepsOf.emplace_back(p, steps(env, body, figure));
    if (p > 0 || decl.implicit) checkHead(parts[p].node, decl.node);
  }
  for (auto& [part, list] : stepsOf)
    for (hir::Step& s : list) {
      s.when = waived(s.when, s.marks, part, waivers, s.place);
      value.steps.push_back(std::move(s));
    }
  if (value.workedAsFraction) checkWhole(value);
  reportUnusedWaivers(waivers);
  valueStack_.pop_back();
  valueState_[static_cast<std::size_t>(index)] = 2;
}

/// Is there a step that rounds the figure whatever else holds?
bool Sema::roundsWhole(const std::vector<Part>& parts) const {
  for (const Part& part : parts) {
    const SyntaxTree& t = tree(part.node.file);
    NodeId body = t.child(part.node.node, Role::body);
    if (!valid(body)) continue;
    for (NodeId item : t.children(body, Role::item))
      if (t.kind(item) == NodeKind::Step && t.op(item) == TokenKind::kw_round && !valid(t.child(item, Role::when)))
        return true;
  }
  return false;
}

/// Behind the last rounding that always applies, a figure that is to be whole must stay so.
void Sema::checkWhole(const hir::Value& value) {
  std::size_t from = 0;
  for (std::size_t i = 0; i < value.steps.size(); ++i)
    if (value.steps[i].op == hir::StepOp::round && value.steps[i].when < 0) from = i + 1;
  for (std::size_t i = from; i < value.steps.size(); ++i) {
    const hir::Step& step = value.steps[i];
    if (step.operand < 0 || step.rounding != Rounding::none) continue;
    const hir::Expr& e = at(step.operand);
    const bool whole = e.kind == ExprKind::toFraction || e.type.kind == TypeKind::integer ||
                       (e.kind == ExprKind::constant && (e.value == none || denominatorOf(e.value) == 1));
    if (step.op != hir::StepOp::divide && whole) continue;
    report(Diagnostic(DiagnosticCode::stepLeavesFraction, tree(step.place.file).sharedSource(), step.place.range, {}));
  }
}

void Sema::values() {
  for (std::size_t v = 0; v < hir().values.size(); ++v) needValue(static_cast<std::int32_t>(v));
}

// ---- Permissions and zones

/// The `can` that a `forbid when not can q(..)`, or one such conjunct, hands the reason of on.
ExprId Sema::handsOn(ExprId when) const {
  if (when < 0) return -1;
  const hir::Expr& e = out_->hir.exprs[static_cast<std::size_t>(when)];
  if (e.kind == ExprKind::not_) {
    ExprId inner = e.args[0];
    return out_->hir.exprs[static_cast<std::size_t>(inner)].kind == ExprKind::can ? inner : -1;
  }
  if (e.kind == ExprKind::and_)
    for (ExprId part : e.args)
      if (ExprId found = handsOn(part); found >= 0) return found;
  return -1;
}

bool Sema::clause(Env& env, NodeId node, hir::Clause& out) {
  const SyntaxTree& t = tree(env);
  if (faulty(env, node)) return false;
  out.place = placeOf(env, node);
  out.marks = marks(env, node);
  NodeId body = t.child(node, Role::body);
  switch (t.kind(node)) {
  case NodeKind::Clause: {
    out.kind = t.op(node) == TokenKind::kw_forbid ? hir::ClauseKind::forbid : hir::ClauseKind::allow;
    NodeId whenNode = t.child(node, Role::when), reason = t.child(node, Role::text);
    if (valid(whenNode)) {
      out.when = condition(env, whenNode);
      std::size_t facts = env.facts.size();
      learn(env, out.when, true);
      if (valid(reason)) out.reason = text(env, reason);
      env.facts.resize(facts);
      out.marks = joinMarks(world(), out.marks, headingMarks(out.when));
    } else if (valid(reason)) {
      out.reason = text(env, reason);
    }
    if (out.kind == hir::ClauseKind::forbid && out.reason < 0) {
      out.handsOn = handsOn(out.when);
      if (out.handsOn < 0 && (out.when < 0 || type(out.when).kind != TypeKind::error))
        report(DiagnosticCode::forbidWithoutReason, env, node);
    }
    learn(env, out.when, false);
    return true;
  }
  case NodeKind::ForEach: {
    out.kind = hir::ClauseKind::forEach;
    out.set = setExpr(env, t.child(node, Role::set));
    if (type(out.set).kind == TypeKind::error) return false;
    std::size_t names = env.names.size(), facts = env.facts.size();
    out.local = addLocal(env, t.nameOf(node), certain(elementOf(type(out.set))));
    env.names.push_back({t.nameOf(node), out.local});
    hangFacts(env, out.set, out.local);
    out.inner = clauses(env, body);
    env.names.resize(names);
    env.facts.resize(facts);
    return true;
  }
  case NodeKind::Through:
  case NodeKind::Across: {
    bool through = t.kind(node) == NodeKind::Through;
    out.kind = through ? hir::ClauseKind::through : hir::ClauseKind::across;
    out.from = exprOf(env, t.child(node, Role::left), typeOf(TypeKind::hex));
    out.to = exprOf(env, t.child(node, Role::right), typeOf(TypeKind::hex));
    out.splitEither = t.op(node) == TokenKind::kw_either;
    std::size_t names = env.names.size(), facts = env.facts.size();
    out.local = addLocal(env, t.nameOf(node), typeOf(through ? TypeKind::hex : TypeKind::hexside));
    env.names.push_back({t.nameOf(node), out.local});
    out.inner = clauses(env, body);
    env.names.resize(names);
    env.facts.resize(facts);
    return true;
  }
  default: return false;
  }
}

std::vector<hir::Clause> Sema::clauses(Env& env, NodeId body) {
  std::vector<hir::Clause> out;
  if (!valid(body)) return out;
  const SyntaxTree& t = tree(env);
  bool closed = false;
  for (NodeId item : t.children(body, Role::item)) {
    hir::Clause c;
    if (!clause(env, item, c)) continue;
    if (closed) report(DiagnosticCode::deadClause, env, item, {"the clause before it always decides"});
    closed =
        closed || ((c.kind == hir::ClauseKind::forbid || c.kind == hir::ClauseKind::allow) && c.when < 0);
    out.push_back(std::move(c));
  }
  return out;
}

void Sema::permissions() {
  for (std::size_t i = 0; i < hir().permissions.size(); ++i) {
    hir::Permission& permission = hir().permissions[i];
    const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(permissionDecl_[i])];
    std::vector<Part> parts = partsOf(decl, true);
    std::deque<Env> envs;
    std::vector<Waiver> waivers;
    std::vector<std::vector<hir::Clause>> clausesOf;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      envs.push_back(envFor(permission.scope, parts[p].node, "permission " + decl.name));
      Env& env = envs.back();
      if (decl.original >= 0) env.originalCallable = declRule_[decl.original];
      permission.marks = joinMarks(world(), permission.marks, marks(env, parts[p].node.node));
      NodeId body = tree(env).child(parts[p].node.node, Role::body);
      collectWaivers(env, body, p, waivers);
      clausesOf.push_back(clauses(env, body));
      if (!(parts[p].node == decl.node)) checkHead(parts[p].node, decl.node);
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
      waive(clausesOf[p], p, waivers);
      for (hir::Clause& c : clausesOf[p]) permission.clauses.push_back(std::move(c));
    }
    reportUnusedWaivers(waivers);
  }
}

void Sema::zones() {
  for (std::size_t i = 0; i < hir().zones.size(); ++i) {
    hir::Zone& zone = hir().zones[i];
    const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(zoneDecl_[i])];
    std::vector<Part> parts = partsOf(decl, true);
    std::deque<Env> envs;
    std::vector<Waiver> waivers;
    std::vector<std::vector<hir::Clause>> clausesOf;
    zone.hex = -1;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      envs.push_back(envFor(zone.scope, parts[p].node, "zone " + decl.name));
      Env& env = envs.back();
      const SyntaxTree& t = tree(env);
      if (zone.hex < 0) zone.hex = addLocal(env, "hex", typeOf(TypeKind::hex));
      if (NodeId set = t.child(parts[p].node.node, Role::set); valid(set) && parts[p].node == decl.node)
        zone.set = coerce(env, setExpr(env, set, hexSet), hexSet, set);
      if (NodeId element = t.child(parts[p].node.node, Role::element); valid(element))
        env.names.push_back({t.nameOf(element), zone.hex});
      zone.marks = joinMarks(world(), zone.marks, marks(env, parts[p].node.node));
      NodeId body = t.child(parts[p].node.node, Role::body);
      collectWaivers(env, body, p, waivers);
      clausesOf.push_back(clauses(env, body));
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
      waive(clausesOf[p], p, waivers);
      for (hir::Clause& c : clausesOf[p]) zone.clauses.push_back(std::move(c));
    }
    reportUnusedWaivers(waivers);
  }
}

// ---- Victory, hidden information

void Sema::victory() {
  std::vector<NodeRef> bodies;
  for (auto i = folded_.victoryAmendments.rbegin(); i != folded_.victoryAmendments.rend(); ++i)
    bodies.push_back(i->node);
  for (const FoldedDecl& decl : folded_.decls)
    if (decl.kind == NodeKind::VictoryDecl && decl.inForce) bodies.push_back(decl.node);
  for (NodeRef ref : bodies) {
    const SyntaxTree& t = tree(ref.file);
    NodeId body = t.child(ref.node, Role::body);
    if (!valid(body)) continue;
    for (NodeId item : t.children(body, Role::item)) {
      if (t.kind(item) != NodeKind::VictoryClause || t.has(item, NodeFlags::faulty)) continue;
      hir().victory.emplace_back();
      hir::VictoryClause& out = hir().victory.back();
      Env env;
      env.file = ref.file;
      env.scope = &out.scope;
      env.owner = "victory";
      out.place = placeOf(env, item);
      out.marks = joinMarks(world(), marks(env, item), marks(env, ref.node));
      out.when = t.op(item) == TokenKind::kw_once   ? VictoryWhen::atOnce
                 : t.op(item) == TokenKind::kw_each ? VictoryWhen::eachTurn
                                                    : VictoryWhen::atEnd;
      out.draw = t.has(item, NodeFlags::draw);
      if (NodeId winner = t.child(item, Role::winner); valid(winner)) {
        if (t.kind(winner) == NodeKind::AnySide) {
          out.anySide = addLocal(env, t.nameOf(winner), typeOf(TypeKind::side));
          out.scope.parameters = 1;
          env.names.push_back({t.nameOf(winner), out.anySide});
        } else {
          out.winner = exprOf(env, winner, typeOf(TypeKind::side));
        }
      }
      if (NodeId when = t.child(item, Role::when); valid(when)) {
        out.condition = condition(env, when);
        learn(env, out.condition, true);
      }
      if (NodeId words = t.child(item, Role::text); valid(words)) out.text = text(env, words);
    }
  }
}

void Sema::hiddenClauses() {
  for (const Piece& piece : folded_.hidden) {
    const SyntaxTree& t = tree(piece.node.file);
    if (t.has(piece.node.node, NodeFlags::faulty)) continue;
    hir().hidden.emplace_back();
    hir::Hidden& out = hir().hidden.back();
    NodeId param = t.child(piece.node.node, Role::param);
    Env env;
    env.file = piece.node.file;
    env.scope = &out.scope;
    env.owner = "hidden";
    Type kind = resolveType(world(), package_, {env.file, t.child(param, Role::type)}, *sink_);
    out.kind = kind.id;
    LocalId u = addLocal(env, t.nameOf(param), kind);
    out.scope.parameters = 1;
    env.names.push_back({t.nameOf(param), u});
    out.marks = marks(env, piece.node.node);
    out.from = exprOf(env, t.child(piece.node.node, Role::from), typeOf(TypeKind::side));
    if (NodeId when = t.child(piece.node.node, Role::when); valid(when)) out.condition = condition(env, when);
    for (NodeId shown : t.children(piece.node.node, Role::show)) {
      std::string field = t.nameOf(shown);
      if (field == "hex")
        out.showsHex = true;
      else if (field == "side")
        out.showsSide = true;
      else if (std::int32_t column = world().columnOf(kind, field); column >= 0)
        out.columns.push_back(static_cast<std::uint16_t>(column));
      else if (kind.kind != TypeKind::error)
        report(DiagnosticCode::unknownField, env, shown, {field, name(kind)});
    }
  }
}

} // namespace hellwig
