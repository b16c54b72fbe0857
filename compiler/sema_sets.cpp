// SPDX-License-Identifier: Apache-2.0
// Typing of sets: filters, `where`, quantifiers and aggregates.
#include "compiler/sema_internal.h"

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type hexSet{TypeKind::hex, 0, true, false};

std::string elementWord(const Type& t) {
  switch (t.kind) {
  case TypeKind::counter: return "unit";
  case TypeKind::hex: return "hex";
  case TypeKind::hexside: return "hexside";
  case TypeKind::side: return "side";
  case TypeKind::group: return "group";
  default: return "element";
  }
}

} // namespace

// ---- Elements

bool Sema::onMapElement(const Env& env) const {
  for (LocalId l : env.onMap)
    if (l == env.it) return true;
  return false;
}

template<class Body> LocalId Sema::withElement(Env& env, ExprId set, NodeId nameNode, Body body) {
  Type element = certain(elementOf(type(set)));
  LocalId id = addLocal(env, valid(nameNode) ? tree(env).nameOf(nameNode) : "it", element);
  std::size_t names = env.names.size(), facts = env.facts.size(), onMap = env.onMap.size();
  LocalId outerIt = env.it;
  if (valid(nameNode)) {
    warnHidden(env, nameNode);
    env.names.push_back({tree(env).nameOf(nameNode), id});
  } else
    env.it = id;
  ExprKind kind = at(set).kind;
  if (kind == ExprKind::kindSet || kind == ExprKind::sideCounters) env.onMap.push_back(id);
  mayBeOff(env, set, id);
  hangFacts(env, set, id);
  body(id);
  env.it = outerIt;
  env.names.resize(names);
  env.facts.resize(facts);
  env.onMap.resize(onMap);
  return id;
}

void Sema::hangFacts(Env& env, ExprId set, LocalId element) {
  while (set >= 0) {
    const hir::Expr& e = at(set);
    if (e.kind == ExprKind::where) {
      auto found = filterFacts_.find({set, e.local});
      if (found != filterFacts_.end()) {
        const std::string old = "l" + std::to_string(e.local) + ";",
                          now = "l" + std::to_string(element) + ";";
        for (Fact fact : found->second) {
          for (std::size_t p = fact.path.find(old); p != std::string::npos;
               p = fact.path.find(old, p + now.size()))
            fact.path.replace(p, old.size(), now);
          env.facts.push_back(std::move(fact));
        }
      }
    }
    bool filters = e.kind == ExprKind::where || e.kind == ExprKind::ofSide || e.kind == ExprKind::atHexes ||
                   e.kind == ExprKind::fieldIs || e.kind == ExprKind::intersect || e.kind == ExprKind::except_;
    set = filters && !e.args.empty() ? e.args[0] : -1;
  }
}

ExprId Sema::elementCondition(Env& env, NodeId node, LocalId element, const Type& elementType) {
  auto& counts = useCounts_[env.scope];
  counts.resize(env.scope->locals.size());
  std::uint32_t before = counts[static_cast<std::size_t>(element)];
  std::size_t errors = sink_->errorCount();
  ExprId c = condition(env, node);
  bool failed = sink_->errorCount() != errors || type(c).kind == TypeKind::error;
  if (!failed && useCounts_[env.scope][static_cast<std::size_t>(element)] == before) {
    report(DiagnosticCode::whereWithoutElement, env, node, {elementWord(elementType)});
    return c;
  }
  if (!failed) {
    // `any units at h where it.moved and turn > 3`: the last part says nothing of the unit.
    const SyntaxTree& t = tree(env);
    if (t.kind(node) == NodeKind::Binary &&
        (t.op(node) == TokenKind::kw_and || t.op(node) == TokenKind::kw_or)) {
      NodeId last = t.child(node, Role::right);
      DiagnosticSink quiet;
      DiagnosticSink* loud = std::exchange(sink_, &quiet);
      std::uint32_t now = useCounts_[env.scope][static_cast<std::size_t>(element)];
      std::size_t facts = env.facts.size();
      if (at(c).args.size() == 2) learn(env, at(c).args[0], t.op(node) == TokenKind::kw_and);
      condition(env, last);
      env.facts.resize(facts);
      sink_ = loud;
      if (useCounts_[env.scope][static_cast<std::size_t>(element)] == now && !quiet.hasErrors())
        report(diagnostic(DiagnosticCode::whereEndsWithoutElement, env, last, {elementWord(elementType)})
                   .withHelp("the `where` takes all that follows; bracket what ends sooner: `(.. where " +
                             std::string(t.text(t.child(node, Role::left))) + ") " +
                             (t.op(node) == TokenKind::kw_and ? "and " : "or ") + std::string(t.text(last)) +
                             "`")
                   .withHelp("if it is meant so, bracket it: `.. where (" + std::string(t.text(node)) + ")`"));
    }
  }
  return c;
}

// ---- Sets

ExprId Sema::setExpr(Env& env, NodeId node, Type hint) {
  ExprId e = expr(env, node, hint);
  const Type t = type(e);
  if (t.kind == TypeKind::error || t.set) return e;
  if (t.kind == TypeKind::area && hint.kind != TypeKind::area) return coerce(env, e, hexSet, node);
  if (t.kind == TypeKind::nothing) {
    if (hint.kind != TypeKind::error) return coerce(env, e, setOf(hint), node);
    report(DiagnosticCode::typeMismatch, env, node, {"none", "a set"});
    return error(env, node);
  }
  switch (t.kind) {
  case TypeKind::counter:
  case TypeKind::hex:
  case TypeKind::hexside:
  case TypeKind::side:
  case TypeKind::direction:
  case TypeKind::box:
  case TypeKind::group:
  case TypeKind::area:
  case TypeKind::integer:
  case TypeKind::enumeration: return coerce(env, e, setOf(certain(t)), node);
  default: report(DiagnosticCode::typeMismatch, env, node, {name(t), "a set"}); return error(env, node);
  }
}

ExprId Sema::hexSetOf(Env& env, ExprId e, NodeId node) {
  const Type t = type(e);
  switch (t.kind) {
  case TypeKind::error: return e;
  case TypeKind::hex:
  case TypeKind::area: return coerce(env, e, hexSet, node);
  case TypeKind::path:
    if (t.set) break;
    {
      ExprId h = make(env, node, ExprKind::pathField, hexSet, {prove(env, e, node)});
      at(h).op = 4;
      return h;
    }
  case TypeKind::counter:
    return make(env, node, ExprKind::hexesOfCounters, hexSet, {coerce(env, e, setOf(certain(t)), node)});
  case TypeKind::hexside: {
    ExprId sides = coerce(env, e, setOf(certain(t)), node);
    ExprId h = make(env, node, ExprKind::builtin, hexSet, {sides});
    at(h).op = static_cast<std::uint8_t>(hir::Builtin::hexesOfHexside);
    return h;
  }
  default: break;
  }
  report(DiagnosticCode::typeMismatch, env, node, {name(t), "hexes, counters or an area"});
  return error(env, node);
}

/// The same set of counters, on the map or off.
ExprId Sema::everywhere(ExprId set) {
  hir::Expr e = at(set);
  switch (e.kind) {
  case ExprKind::kindSet: e.kind = ExprKind::kindEver; break;
  case ExprKind::sideCounters: {
    hir::Expr all = e;
    all.kind = ExprKind::kindEver;
    all.args.clear();
    hir().exprs.push_back(all);
    ExprId base = static_cast<ExprId>(hir().exprs.size() - 1);
    e.kind = ExprKind::ofSide;
    e.args = {base, e.args[0]};
    break;
  }
  case ExprKind::ofSide:
  case ExprKind::fieldIs:
  case ExprKind::except_:
  case ExprKind::where:
  case ExprKind::intersect: e.args[0] = everywhere(e.args[0]); break;
  case ExprKind::unite:
    e.args[0] = everywhere(e.args[0]);
    e.args[1] = everywhere(e.args[1]);
    break;
  default: return set;
  }
  hir().exprs.push_back(std::move(e));
  return static_cast<ExprId>(hir().exprs.size() - 1);
}

ExprId Sema::filter(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId baseNode = t.child(node, Role::base), operandNode = t.child(node, Role::operand);
  TokenKind op = t.op(node);
  if (ExprId values = terrainSet(env, node); values >= 0) return values;

  if (op == TokenKind::kw_between) {
    NodeId secondNode = t.child(node, Role::operand2);
    ExprId a = exprOf(env, operandNode, typeOf(TypeKind::hex)),
           b = exprOf(env, secondNode, typeOf(TypeKind::hex));
    if (t.kind(baseNode) == NodeKind::HexsideLiteral) {
      ExprId e = make(env, node, ExprKind::builtin, optionalOf(typeOf(TypeKind::hexside)), {a, b});
      at(e).op = static_cast<std::uint8_t>(hir::Builtin::hexsideBetween);
      return known(env, e);
    }
    std::string wanted = t.nameOf(baseNode);
    const auto* symbols = t.kind(baseNode) == NodeKind::NameExpr ? world().find(wanted) : nullptr;
    if (symbols)
      for (const Symbol& s : *symbols) {
        if (s.kind != SymbolKind::enumValue) continue;
        auto terrain = world().enumFacts[s.id].terrain;
        if (terrain != EnumFacts::Terrain::hexside && terrain != EnumFacts::Terrain::path) continue;
        ExprId e = make(env, node, ExprKind::between, boolean, {a, b});
        at(e).op = terrain == EnumFacts::Terrain::path ? 1 : 0;
        at(e).index = world().enumFacts[s.id].mapColumn;
        at(e).value = s.value;
        return e;
      }
    std::vector<std::string> candidates;
    for (std::size_t i = 0; i < world().enumFacts.size(); ++i)
      if (world().enumFacts[i].terrain == EnumFacts::Terrain::hexside ||
          world().enumFacts[i].terrain == EnumFacts::Terrain::path)
        for (const std::string& v : world().module.enums[i].names) candidates.push_back(v);
    std::string near = nearest(wanted, candidates);
    Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, baseNode,
                              {wanted.empty() ? std::string(t.text(baseNode)) : wanted, "hexside or path"});
    if (!near.empty()) d.fix = Fix{t.range(baseNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return error(env, node);
  }

  if (op == TokenKind::kw_of && t.kind(baseNode) == NodeKind::Constant &&
      t.op(baseNode) == TokenKind::kw_hexsides) {
    ExprId h = exprOf(env, operandNode, typeOf(TypeKind::hex));
    ExprId e = make(env, node, ExprKind::builtin, setOf(typeOf(TypeKind::hexside)), {h});
    at(e).op = static_cast<std::uint8_t>(hir::Builtin::hexsidesOf);
    return e;
  }

  ExprId base = setExpr(env, baseNode);
  const Type baseType = type(base);
  if (op == TokenKind::kw_plus || op == TokenKind::kw_except) {
    ExprId other = setExpr(env, operandNode, baseType);
    if (type(base).kind == TypeKind::error || type(other).kind == TypeKind::error) return error(env, node);
    Type common = commonType(type(base), type(other));
    if (common.kind == TypeKind::error) {
      report(DiagnosticCode::typeMismatch, env, operandNode, {name(type(other)), name(type(base))});
      return error(env, node);
    }
    common = setOf(common);
    base = coerce(env, base, common, baseNode);
    other = coerce(env, other, common, operandNode);
    return make(env, node, op == TokenKind::kw_plus ? ExprKind::unite : ExprKind::except_,
                op == TokenKind::kw_plus ? common : baseType, {base, other});
  }

  bool counters = baseType.kind == TypeKind::counter, hexes = baseType.kind == TypeKind::hex;
  const bool groups = baseType.kind == TypeKind::group && op == TokenKind::kw_of;
  if (baseType.kind != TypeKind::error && !counters && !hexes && !groups) {
    report(DiagnosticCode::typeMismatch, env, baseNode, {name(baseType), "a set of counters or hexes"});
    return error(env, node);
  }

  if (op == TokenKind::kw_at && t.kind(operandNode) == NodeKind::NameExpr &&
      t.nameOf(operandNode) == "anywhere" && counters)
    return everywhere(base);

  ExprId operand = -1;
  NodeId whereNode = operandNode;
  if (op == TokenKind::kw_within) {
    operand = exprOf(env, operandNode, integer);
    whereNode = t.child(node, Role::operand2);
  }
  ExprId x = expr(env, whereNode, op == TokenKind::kw_of ? Type{} : typeOf(TypeKind::hex));
  if (type(x).kind == TypeKind::error || baseType.kind == TypeKind::error) return error(env, node);

  if (op == TokenKind::kw_of) {
    if (groups || (counters && type(x).kind == TypeKind::group && !type(x).set))
      return ofGroup(env, node, base, x, whereNode);
    if (counters) {
      if (type(x).kind == TypeKind::side && !type(x).set) {
        x = prove(env, x, whereNode);
        if (at(base).kind == ExprKind::kindSet) {
          ExprId e = make(env, node, ExprKind::sideCounters, baseType, {x});
          at(e).index = at(base).index;
          return e;
        }
        return make(env, node, ExprKind::ofSide, baseType, {base, x});
      }
      report(DiagnosticCode::typeMismatch, env, whereNode, {name(type(x)), "a side or a group"});
      return error(env, node);
    }
    ExprId where = hexSetOf(env, x, whereNode);
    if (at(base).kind == ExprKind::allOf) return where;
    return make(env, node, ExprKind::intersect, baseType, {base, where});
  }
  if (op == TokenKind::kw_at) {
    if (counters && type(x).kind == TypeKind::box) {
      ExprId all = everywhere(base);
      ExprId e = make(env, node, ExprKind::atBox, baseType, {all, prove(env, x, whereNode)});
      return e;
    }
    ExprId where = hexSetOf(env, x, whereNode);
    return make(env, node, counters ? ExprKind::atHexes : ExprKind::intersect, baseType, {base, where});
  }
  ExprId near = hexSetOf(env, x, whereNode);
  static constexpr std::pair<TokenKind, std::uint8_t> sides[] = {
      {TokenKind::kw_north, 0}, {TokenKind::kw_south, 1}, {TokenKind::kw_east, 2}, {TokenKind::kw_west, 3}};
  for (const auto& [word, side] : sides)
    if (op == word) {
      if (counters) {
        report(DiagnosticCode::typeMismatch, env, baseNode, {name(baseType), "a set of hexes"});
        return error(env, node);
      }
      const bool orOn = t.has(node, NodeFlags::orOn);
      ExprId beyond = make(env, node, ExprKind::beyond, hexSet, {near});
      at(beyond).op = static_cast<std::uint8_t>(side + (orOn ? 4 : 0));
      if (at(base).kind == ExprKind::allOf) return beyond;
      return make(env, node, ExprKind::intersect, baseType, {base, beyond});
    }
  const ExprId centre = near;
  if (op == TokenKind::kw_adjacent)
    near = make(env, node, ExprKind::adjacentHexes, hexSet, {near});
  else if (op == TokenKind::kw_within)
    near = make(env, node, ExprKind::withinHexes, hexSet, {near, operand});
  else {
    refuse(env, node, std::string(spelling(op)) + " of");
    return error(env, node);
  }
  if (counters) {
    ExprId there = make(env, node, ExprKind::atHexes, baseType, {base, near});
    // Of several hexes one may touch X while another lies in it.
    if (op != TokenKind::kw_adjacent || !mayBeWide(world().module, baseType.id)) return there;
    return make(env, node, ExprKind::except_, baseType,
                {there, make(env, node, ExprKind::atHexes, baseType, {base, centre})});
  }
  if (at(base).kind == ExprKind::allOf) return near;
  return make(env, node, ExprKind::intersect, baseType, {base, near});
}

ExprId Sema::whereExpr(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  ExprId set = setExpr(env, t.child(node, Role::base));
  if (type(set).kind == TypeKind::error) return error(env, node);
  ExprId c = -1;
  std::vector<Fact> proved;
  LocalId element = withElement(env, set, NodeId::none, [&](LocalId id) {
    c = elementCondition(env, t.child(node, Role::condition), id, elementOf(type(set)));
    std::size_t mark = env.facts.size();
    learn(env, c, true);
    proved.assign(env.facts.begin() + static_cast<std::ptrdiff_t>(mark), env.facts.end());
  });
  // Of counters that are all of a sub-kind it is a set of these.
  Type kept = type(set);
  for (const Fact& fact : proved)
    if (fact.kind >= 0 && fact.path == "l" + std::to_string(element) + ";" && kept.kind == TypeKind::counter &&
        world().isKindOf(static_cast<std::uint16_t>(fact.kind), kept.id))
      kept.id = static_cast<std::uint16_t>(fact.kind);
  ExprId e = make(env, node, ExprKind::where, kept, {set, c});
  at(e).local = element;
  if (!proved.empty()) filterFacts_[{e, element}] = std::move(proved);
  return e;
}

ExprId Sema::quantifier(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId whereNode = t.child(node, Role::where);
  ExprId set = setExpr(env, t.child(node, Role::set));
  if (type(set).kind == TypeKind::error) return error(env, node);
  ExprId c = -1;
  LocalId element = withElement(env, set, t.child(node, Role::name), [&](LocalId id) {
    if (valid(whereNode)) c = elementCondition(env, whereNode, id, elementOf(type(set)));
  });
  TokenKind op = t.op(node);
  if (op == TokenKind::kw_all && c < 0) {
    report(DiagnosticCode::incompleteRule, env, node,
           {"`all`", "what is true of all of them? add `where ..`"});
    return error(env, node);
  }
  ExprKind kind = op == TokenKind::kw_any  ? ExprKind::any
                  : op == TokenKind::kw_no ? ExprKind::none_
                                           : ExprKind::all;
  ExprId e = make(env, node, kind, boolean, {set, c, -1});
  at(e).local = element;
  return e;
}

ExprId Sema::aggregate(Env& env, NodeId node, Type hint, NodeId byNode) {
  const SyntaxTree& t = tree(env);
  NodeId whereNode = t.child(node, Role::where), ofNode = t.child(node, Role::of),
         setNode = t.child(node, Role::set);
  TokenKind op = t.op(node);
  if (op == TokenKind::kw_first && t.kind(setNode) == NodeKind::By) {
    byNode = setNode;
    setNode = t.child(byNode, Role::base);
  }
  ExprId set = setExpr(env, setNode);
  if (type(set).kind == TypeKind::error) return error(env, node);
  ExprId c = -1, figure = -1;
  LocalId element = withElement(env, set, t.child(node, Role::name), [&](LocalId id) {
    if (valid(whereNode)) {
      c = elementCondition(env, whereNode, id, elementOf(type(set)));
      learn(env, c, true);
    }
    if (valid(ofNode)) figure = op == TokenKind::kw_sum ? number(env, ofNode) : expr(env, ofNode);
    if (valid(byNode)) figure = prove(env, number(env, t.child(byNode, Role::key)), byNode);
  });
  if (figure >= 0 && type(figure).kind == TypeKind::error) return error(env, node);
  const Type elementType = certain(elementOf(type(set)));
  ExprKind kind;
  Type result;
  switch (op) {
  case TokenKind::kw_count:
    kind = ExprKind::count;
    result = integer;
    break;
  case TokenKind::kw_sum:
    kind = ExprKind::sum;
    result = type(figure);
    if (result.kind == TypeKind::integer && hint.kind == TypeKind::fraction && !hint.set) {
      figure = toFraction(env, node, figure);
      result = type(figure);
    }
    break;
  case TokenKind::kw_least:
  case TokenKind::kw_greatest:
    kind = op == TokenKind::kw_least ? ExprKind::least : ExprKind::greatest;
    result = optionalOf(type(figure));
    if (type(figure).set || !(isNumber(result) || result.kind == TypeKind::time ||
                              result.kind == TypeKind::odds || result.kind == TypeKind::enumeration)) {
      report(DiagnosticCode::typeMismatch, env, ofNode, {name(type(figure)), "a figure"});
      return error(env, node);
    }
    break;
  case TokenKind::kw_first:
    kind = ExprKind::first;
    result = optionalOf(elementType);
    break;
  default: { // those x from S where C: the set, with its element named
    if (c < 0) return set;
    ExprId e = make(env, node, ExprKind::where, type(set), {set, c});
    at(e).local = element;
    return e;
  }
  }
  ExprId e = make(env, node, kind, result, {set, c, figure});
  at(e).local = element;
  if (valid(byNode)) at(e).op = t.op(byNode) == TokenKind::kw_greatest ? 1 : 0;
  return known(env, e);
}

ExprId Sema::listExpr(Env& env, NodeId node, Type hint) {
  const SyntaxTree& t = tree(env);
  std::vector<ExprId> items;
  std::vector<NodeId> nodes;
  Type common = typeOf(TypeKind::nothing);
  bool failed = false;
  for (NodeId item : t.children(node, Role::item)) {
    ExprId e = expr(env, item, hint.kind == TypeKind::error ? certain(common) : elementOf(hint));
    if (type(e).kind == TypeKind::error) {
      failed = true;
      continue;
    }
    Type next = commonType(common, type(e));
    if (next.kind == TypeKind::error) {
      report(DiagnosticCode::typeMismatch, env, item, {name(type(e)), name(certain(common))});
      failed = true;
      continue;
    }
    common = certain(next);
    items.push_back(e);
    nodes.push_back(item);
  }
  if (failed || items.empty()) return error(env, node);
  Type element = common;
  element.set = false;
  if (isBundle(element) || element.kind == TypeKind::path || element.kind == TypeKind::text) {
    report(DiagnosticCode::noSuchSet, env, node, {name(element)});
    return error(env, node);
  }
  // Areas count as hexes, but where areas are asked for.
  if (element.kind == TypeKind::area && hint.kind != TypeKind::area) element = typeOf(TypeKind::hex);
  // Things make a list; where a set stands among them, the list is their union.
  bool plain = true;
  for (ExprId e : items)
    plain = plain && !type(e).set && (type(e).kind != TypeKind::area || element.kind == TypeKind::area);
  if (plain) {
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = coerce(env, items[i], element, nodes[i], true);
    return make(env, node, ExprKind::list, setOf(element), items);
  }
  ExprId all = coerce(env, items[0], setOf(element), nodes[0]);
  for (std::size_t i = 1; i < items.size(); ++i)
    all = make(env, node, ExprKind::unite, setOf(element),
               {all, coerce(env, items[i], setOf(element), nodes[i])});
  return all;
}

} // namespace hellwig
