// SPDX-License-Identifier: Apache-2.0
// Typing of what stands after a dot and before a bracket: fields, values, tables, permissions, route queries.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type hexSet{TypeKind::hex, 0, true, false};

Type optionalIf(bool optional, Type type) {
  return optional ? optionalOf(type) : type;
}

} // namespace

// ---- After a dot

ExprId Sema::member(Env& env, NodeId node, Type hint) {
  const SyntaxTree& t = tree(env);
  NodeId baseNode = t.child(node, Role::base), nameNode = t.child(node, Role::name);
  std::string wanted = t.nameOf(nameNode);
  if (t.kind(baseNode) == NodeKind::Member && t.nameOf(baseNode) == "printed") return printedField(env, node);
  if (t.kind(baseNode) == NodeKind::NameExpr) {
    std::string baseName = t.nameOf(baseNode);
    bool isLocal = std::any_of(env.names.begin(), env.names.end(),
                               [&](const Env::Name& n) { return n.name == baseName; });
    if (const auto* symbols = isLocal ? nullptr : world().find(baseName)) {
      for (const Symbol& s : *symbols)
        if (s.kind == SymbolKind::enumeration) {
          const EnumInfo& info = world().module.enums[s.id];
          auto value = std::find(info.names.begin(), info.names.end(), wanted);
          if (value != info.names.end())
            return constant(env, node, typeOf(TypeKind::enumeration, s.id), value - info.names.begin());
        }
      if (ExprId inside = insideOwner(env, node, baseName, wanted); inside >= 0) return inside;
    }
  }
  // `u.reduced.cf`: what is printed on a named face.
  if (t.kind(baseNode) == NodeKind::Member && !t.has(baseNode, NodeFlags::hasArgs)) {
    std::string face = t.nameOf(baseNode);
    NodeId counterNode = t.child(baseNode, Role::base);
    bool isFace =
        std::any_of(world().faceFields.begin(), world().faceFields.end(), [&](const FaceField& field) {
          const Type kind = typeOf(TypeKind::counter, field.kind);
          return field.name == wanted && faceNamed(kind, face) >= 0;
        });
    if (isFace) {
      ExprId counter = expr(env, counterNode);
      if (type(counter).kind == TypeKind::error) return counter;
      const std::int32_t named = faceNamed(type(counter), face);
      if (named >= 0)
        if (ExprId e = faceField(env, node, counter, wanted, named); e >= 0) return e;
    }
  }
  ExprId base = expr(env, baseNode, hint.set ? Type{} : Type{});
  if (type(base).kind == TypeKind::error) return base;
  if (t.has(node, NodeFlags::hasArgs)) {
    report(DiagnosticCode::notCallable, env, nameNode, {wanted});
    return error(env, node);
  }
  return memberOf(env, node, base, wanted, nameNode);
}

ExprId Sema::printedField(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId printed = t.child(node, Role::base), nameNode = t.child(node, Role::name);
  std::string wanted = t.nameOf(nameNode);
  ExprId base = expr(env, t.child(printed, Role::base));
  if (type(base).kind == TypeKind::error) return base;
  if (ExprId e = faceField(env, node, base, wanted, -1); e >= 0) return e;
  std::int32_t column = type(base).set ? -1 : world().columnOf(certain(type(base)), wanted);
  if (column < 0 || !world().columnFacts[static_cast<std::size_t>(column)].printed) {
    report(DiagnosticCode::unknownField, env, nameNode, {"printed." + wanted, name(type(base))});
    return error(env, node);
  }
  ExprId e =
      make(env, node, ExprKind::column,
           optionalIf(type(base).optional, world().columnTypes[static_cast<std::size_t>(column)]), {base});
  at(e).index = column;
  return known(env, e);
}

ExprId Sema::builtinField(Env& env, NodeId node, ExprId base, const std::string& wanted) {
  const Type t = type(base);
  auto field = [&](hir::Field which, Type result) {
    ExprId e = make(env, node, ExprKind::field, optionalIf(t.optional, result), {base});
    at(e).op = static_cast<std::uint8_t>(which);
    return known(env, e);
  };
  if (t.set) return -1;
  switch (t.kind) {
  case TypeKind::counter: {
    if (wanted == "side") return field(hir::Field::side, typeOf(TypeKind::side));
    if (wanted == "enemy") return field(hir::Field::enemyOfCounter, typeOf(TypeKind::side));
    if (wanted == "hex") {
      ExprId plain = at(base).kind == ExprKind::assume ? at(base).args.front() : base;
      if (at(plain).kind == ExprKind::local)
        for (auto i = env.hexOf.rbegin(); i != env.hexOf.rend(); ++i)
          if (i->first == at(plain).local) return local(env, node, i->second);
      checkOnMap(env, node, base);
      return field(hir::Field::hex, typeOf(TypeKind::hex));
    }
    if (wanted == "box") return field(hir::Field::box, optionalOf(typeOf(TypeKind::box)));
    if (wanted == "on_map") return field(hir::Field::onMap, boolean);
    if (wanted == "arrival") return field(hir::Field::arrival, integer);
    if (wanted == "name") return constantField(env, node, base, wanted, typeOf(TypeKind::text));
    if (wanted == "came_from") return field(hir::Field::cameFrom, optionalOf(typeOf(TypeKind::hex)));
    if (wanted == "entry") return entryOf(env, node, base);
    return arcsField(env, node, base, wanted);
  }
  case TypeKind::group: {
    if (wanted == "name") return constantField(env, node, base, wanted, typeOf(TypeKind::text));
    if (wanted != "side" && wanted != "enemy") return -1;
    ExprId side = constantField(env, node, base, "side", typeOf(TypeKind::side));
    if (wanted == "side") return side;
    ExprId e = make(env, node, ExprKind::field, type(side), {side});
    at(e).op = static_cast<std::uint8_t>(hir::Field::enemyOfSide);
    return e;
  }
  case TypeKind::side:
    if (wanted == "enemy") return field(hir::Field::enemyOfSide, typeOf(TypeKind::side));
    if (wanted == "conceded" && world().columnOf(t, wanted) < 0) {
      // It is kept for games that ask for it.
      Column column;
      column.name = "conceded";
      column.owner = Owner::side;
      column.type = moduleType(boolean);
      column.initial = {0, 0};
      column.defaultValue = 0;
      world().module.columns.push_back(std::move(column));
      world().columnTypes.push_back(boolean);
      world().columnFacts.emplace_back();
    }
    return -1;
  case TypeKind::path: {
    static const std::pair<const char*, Type> fields[] = {{"first", typeOf(TypeKind::hex)},
                                                          {"last", typeOf(TypeKind::hex)},
                                                          {"length", integer},
                                                          {"cost", typeOf(TypeKind::fraction)},
                                                          {"hexes", hexSet}};
    for (std::uint8_t i = 0; i < 5; ++i)
      if (wanted == fields[i].first) {
        // A field of none is none; but a set is never none, so its path must be there.
        if (fields[i].second.set) base = prove(env, base, node);
        ExprId e =
            make(env, node, ExprKind::pathField, optionalIf(type(base).optional, fields[i].second), {base});
        at(e).op = i;
        return e;
      }
    return -1;
  }
  default: return -1;
  }
}

ExprId Sema::memberOf(Env& env, NodeId node, ExprId base, const std::string& wanted, NodeId nameNode) {
  const Type t = type(base);
  if (ExprId e = builtinField(env, node, base, wanted); e >= 0) return e;

  // Values with one parameter of this type; a set type, too, for one thing is the set of itself.
  if (auto found = valuesByName_.find(wanted); found != valuesByName_.end()) {
    std::int32_t exact = -1, wide = -1;
    for (std::int32_t v : found->second) {
      const hir::Scope& scope = hir().values[static_cast<std::size_t>(v)].scope;
      if (scope.parameters != 1 || !fits(certain(t), scope.locals[0].type)) continue;
      if (scope.locals[0].type.set == t.set)
        exact = v;
      else
        wide = v;
    }
    std::int32_t v = exact >= 0 ? exact : wide;
    if (v >= 0) return callValue(env, node, v, {base});
  }
  if (ExprId e = recordField(env, node, base, wanted, nameNode); e >= 0) return e;
  if (ExprId e = faceField(env, node, base, wanted, -1); e >= 0) return e;
  if (!t.set) {
    std::int32_t column = world().columnOf(certain(t), wanted);
    if (column >= 0) {
      ExprId e = make(env, node, ExprKind::column,
                      optionalIf(t.optional, world().columnTypes[static_cast<std::size_t>(column)]), {base});
      at(e).index = column;
      return known(env, e);
    }
  }
  if (auto found = zonesByName_.find(wanted); found != zonesByName_.end()) {
    std::int32_t z = found->second.front();
    std::uint16_t kind = hir().zones[static_cast<std::size_t>(z)].kind;
    ExprId e = -1;
    if (t.kind == TypeKind::side && !t.set)
      e = make(env, node, ExprKind::zoneOfSide, hexSet, {prove(env, base, node)});
    else if (t.kind == TypeKind::counter)
      e = make(env, node, ExprKind::zoneOfCounters, hexSet, {coerce(env, base, setOf(certain(t)), node)});
    else if (t.kind == TypeKind::group && !t.set) {
      ExprId all = make(env, node, ExprKind::kindSet, setOf(typeOf(TypeKind::counter, kind)));
      at(all).index = kind;
      e = make(env, node, ExprKind::zoneOfCounters, hexSet, {ofGroup(env, node, all, base, node)});
    } else if (t.kind == TypeKind::hex && !t.set)
      e = make(env, node, ExprKind::zoneOwners, setOf(typeOf(TypeKind::counter, kind)),
               {prove(env, base, node)});
    if (e >= 0) {
      at(e).index = z;
      return e;
    }
  }
  // A field that only a sub-kind has is there once the kind is proved.
  std::vector<std::string> candidates;
  for (std::size_t c = 0; c < world().module.columns.size(); ++c)
    if (!t.set && world().columnOf(certain(t), world().module.columns[c].name) >= 0)
      candidates.push_back(world().module.columns[c].name);
  for (const auto& [value, list] : valuesByName_)
    for (std::int32_t v : list) {
      const hir::Scope& scope = hir().values[static_cast<std::size_t>(v)].scope;
      if (scope.parameters == 1 && fits(certain(t), scope.locals[0].type)) candidates.push_back(value);
    }
  for (const auto& [zone, list] : zonesByName_) candidates.push_back(zone);
  if (t.kind == TypeKind::counter)
    for (const char* f :
         {"side", "enemy", "hex", "box", "on_map", "arrival", "came_from", "entry", "name", "footprint"})
      candidates.emplace_back(f);
  if (t.kind == TypeKind::side) {
    candidates.emplace_back("enemy");
    candidates.emplace_back("conceded");
    for (const auto& [noun, meanings] : world().nouns)
      if (std::any_of(meanings.begin(), meanings.end(), [](const Symbol& s) {
            return s.kind == SymbolKind::counter || s.kind == SymbolKind::counters;
          }))
        candidates.push_back(noun);
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  Diagnostic d = diagnostic(DiagnosticCode::unknownField, env, nameNode, {wanted, name(t)});
  std::string near = nearest(wanted, candidates);
  if (!near.empty()) d.fix = Fix{tree(env).range(nameNode), near, "did you mean `" + near + "`?"};
  hintMember(env, node, t, wanted, d);
  report(std::move(d));
  return error(env, node);
}

// ---- Calls

bool Sema::arguments(Env& env, NodeId node, const hir::Scope& scope, const std::string& callee,
                     std::vector<ExprId>& args, bool absorb) {
  const SyntaxTree& t = tree(env);
  std::vector<NodeId> nodes;
  for (NodeId arg : t.children(node, Role::arg)) nodes.push_back(arg);
  if (nodes.size() != scope.parameters) {
    std::string heads;
    for (std::uint16_t p = 0; p < scope.parameters; ++p)
      heads += (p ? ", " : "") + scope.locals[p].name + ": " + name(scope.locals[p].type);
    report(diagnostic(DiagnosticCode::wrongArgumentCount, env, node,
                      {callee, std::to_string(scope.parameters), std::to_string(nodes.size())})
               .withHelp("it is declared as `" + callee + "(" + heads + ")`"));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    NodeId value = t.child(nodes[i], Role::value);
    if (NodeId argName = t.child(nodes[i], Role::name); valid(argName)) {
      std::string heads;
      bool known = false;
      for (std::uint16_t p = 0; p < scope.parameters; ++p) {
        heads += (p ? ", " : "") + scope.locals[p].name;
        known = known || scope.locals[p].name == t.nameOf(argName);
      }
      Diagnostic d =
          known ? diagnostic(DiagnosticCode::unexpected, env, argName, {"`" + t.nameOf(argName) + " =`", ""})
                : diagnostic(DiagnosticCode::unknownArgument, env, argName, {callee, t.nameOf(argName)});
      d.help.push_back("arguments have no names here, and stand in order: `" + callee + "(" + heads + ")`");
      report(std::move(d));
      return false;
    }
    const Type wanted = scope.locals[i].type;
    ExprId e = i < args.size() ? args[i] : expr(env, value, wanted);
    e = coerce(env, e, wanted, value, absorb);
    if (i < args.size())
      args[i] = e;
    else
      args.push_back(e);
    // One slip may make several arguments wrong: the first tells enough.
    if (type(e).kind == TypeKind::error) return false;
  }
  return good;
}

/// Which of several declarations of one name fits the arguments; types the arguments on the way.
std::int32_t Sema::choose(Env& env, NodeId node, const std::string& callee,
                          const std::vector<std::int32_t>& candidates,
                          const std::vector<const hir::Scope*>& scopes, std::vector<ExprId>& args) {
  if (candidates.size() == 1) return candidates[0];
  const SyntaxTree& t = tree(env);
  std::size_t i = 0;
  for (NodeId arg : t.children(node, Role::arg)) {
    Type hint = i < scopes[0]->parameters ? scopes[0]->locals[i].type : Type{};
    if (hint.kind == TypeKind::counter || hint.kind == TypeKind::group) hint = Type{};
    args.push_back(expr(env, t.child(arg, Role::value), hint));
    if (type(args.back()).kind == TypeKind::error) return -1;
    ++i;
  }
  std::int32_t best = -1;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (scopes[c]->parameters != args.size()) continue;
    bool good = true;
    for (std::size_t a = 0; a < args.size(); ++a)
      good = good && fits(certain(type(args[a])), scopes[c]->locals[a].type);
    if (good && best < 0) best = candidates[c];
  }
  if (best < 0) report(DiagnosticCode::noDeclarationFits, env, node, {callee});
  return best;
}

ExprId Sema::callValue(Env& env, NodeId node, std::int32_t value, std::vector<ExprId> args) {
  needValue(value);
  hir::Value& v = hir().values[static_cast<std::size_t>(value)];
  Type result = v.result;
  for (std::size_t i = 0; i < args.size(); ++i) {
    args[i] = coerce(env, args[i], v.scope.locals[i].type, node, true);
    if (type(args[i]).optional && !v.scope.locals[i].type.optional) result = optionalOf(result);
  }
  ExprId e = make(env, node, ExprKind::call, result, std::move(args));
  at(e).index = value;
  return known(env, e);
}

ExprId Sema::call(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId nameNode = t.child(node, Role::name);
  std::string callee = t.nameOf(nameNode);
  if (LocalId allotment = allotmentNamed(env, callee); allotment >= 0)
    return allottedNumber(env, node, allotment);
  if (callee == "original" && env.originalCallable >= 0 && env.owner.starts_with("value")) {
    std::vector<ExprId> args;
    if (!arguments(env, node, hir().values[static_cast<std::size_t>(env.originalCallable)].scope, callee,
                   args, true))
      return error(env, node);
    return callValue(env, node, env.originalCallable, std::move(args));
  }
  if (auto found = valuesByName_.find(callee); found != valuesByName_.end()) {
    std::vector<const hir::Scope*> scopes;
    for (std::int32_t v : found->second) scopes.push_back(&hir().values[static_cast<std::size_t>(v)].scope);
    std::vector<ExprId> args;
    std::int32_t v = choose(env, node, callee, found->second, scopes, args);
    if (v < 0) return error(env, node);
    if (!arguments(env, node, hir().values[static_cast<std::size_t>(v)].scope, callee, args, true))
      return error(env, node);
    return callValue(env, node, v, std::move(args));
  }
  if (auto found = world().tablesByName.find(callee); found != world().tablesByName.end())
    return tableCall(env, node, found->second.front());
  if (const auto* symbols = world().find(callee))
    for (const Symbol& symbol : *symbols)
      if (symbol.kind == SymbolKind::record) return makeRecord(env, node, symbol.id);
  if (ExprId e = builtinCall(env, node, callee); e >= 0) return e;
  if (ExprId e = boxOfSide(env, node, callee); e >= 0) return e;

  // A printed field read like a value: attack(u).
  std::vector<NodeId> argNodes;
  for (NodeId arg : t.children(node, Role::arg)) argNodes.push_back(arg);
  std::vector<std::string> candidates = {"distance", "direction", "neighbour", "edge",    "row",
                                         "rows",     "column",    "odds",      "smaller", "larger",
                                         "next",     "previous",  "minutes",   "even",    "d66"};
  if (argNodes.size() == 1) {
    ExprId base = expr(env, t.child(argNodes[0], Role::value));
    if (type(base).kind == TypeKind::error) return base;
    if (!type(base).set && (world().columnOf(certain(type(base)), callee) >= 0 || zonesByName_.count(callee)))
      return memberOf(env, node, base, callee, nameNode);
    if (ExprId e = builtinField(env, node, base, callee); e >= 0) return e;
  }
  for (const auto& [value, unused] : valuesByName_) candidates.push_back(value);
  for (const auto& [table, unused] : world().tablesByName) candidates.push_back(table);
  std::sort(candidates.begin(), candidates.end());
  Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {callee, "value, table or function"});
  std::string near = nearest(callee, candidates);
  static const std::pair<std::string_view, const char*> foreign[] = {
      {"max", "larger"},     {"min", "smaller"},        {"dist", "distance"},
      {"range", "distance"}, {"neighbor", "neighbour"}, {"length", "count of"},
      {"size", "count of"},  {"len", "count of"},       {"count", "count of"}};
  for (auto [word, own] : foreign)
    if (callee == word) near = own;
  if (permissionsByName_.count(callee) && (env.pure || !proceduresByName_.count(callee)))
    d.help.push_back("`" + callee + "` is a permission: ask `can " + callee + "(..)`");
  else if (routesByName_.count(callee))
    d.fix = Fix{t.range(nameNode), "reach " + callee,
                "`" + callee + "` is a route: write `reach " + callee + "(..)` for the hexes it leads to"};
  else if (proceduresByName_.count(callee))
    d.help.push_back("`" + callee + "` is a procedure: it is started with `do` and changes the game");
  else if (!near.empty())
    d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
  report(std::move(d));
  return error(env, node);
}

/// A table of a die has a cell for what the die can show. Of any other number it must say what it does.
void Sema::checkDie(Env& env, NodeId node, ExprId key, std::uint16_t table, std::size_t input) {
  const World::TableFacts& facts = world().tableFacts[table];
  const Table& made = world().module.tables[table];
  if (input >= facts.keyDice.size() || facts.keyDice[input].empty() || input >= made.axes.size()) return;
  const TableAxis& axis = made.axes[input];
  if (made.hasOtherwise || axis.anyOther >= 0 || axis.keys.empty() || dieOf(env, key) == facts.keyDice[input])
    return;
  const bool below = axis.clampBelow || axis.keys.front().low == none;
  const bool above = axis.clampAbove || axis.keys.back().high == none;
  ExprId plain = key;
  while (at(plain).kind == ExprKind::assume) plain = at(plain).args[0];
  if (at(plain).kind == ExprKind::constant) {
    const Word n = at(plain).value;
    if ((below || n >= axis.keys.front().low) && (above || n <= axis.keys.back().high)) return;
  }
  if (below && above) return;
  report(DiagnosticCode::numberForDie, env, node, {facts.keyNames[input], facts.keyDice[input]});
}

ExprId Sema::tableCall(Env& env, NodeId node, std::uint16_t table) {
  const SyntaxTree& t = tree(env);
  const World::TableFacts facts = world().tableFacts[table];
  std::vector<ExprId> args, shifts;
  bool shifted = false, good = true, optional = false;
  std::size_t i = 0;
  for (NodeId arg : t.children(node, Role::arg)) {
    NodeId value = t.child(arg, Role::value), shift = t.child(arg, Role::shift);
    if (i < facts.keys.size()) {
      ExprId e = coerce(env, expr(env, value, facts.keys[i]), facts.keys[i], value, true);
      good = good && type(e).kind != TypeKind::error;
      if (type(e).kind != TypeKind::error) checkDie(env, value, e, table, i);
      optional = optional || type(e).optional;
      args.push_back(e);
      ExprId s = -1;
      if (valid(shift)) {
        NodeId amount = t.child(shift, Role::value);
        if (std::string way(t.text(amount)); way == "left" || way == "right") {
          report(DiagnosticCode::incompleteRule, env, shift, {"`shifted " + way + "`", "by how many keys?"});
          good = false;
          shifts.push_back(-1);
          ++i;
          continue;
        }
        s = exprOf(env, amount, integer);
        if (t.op(shift) == TokenKind::kw_left) s = make(env, amount, ExprKind::negate, integer, {s});
        shifted = true;
        good = good && type(s).kind != TypeKind::error;
      }
      shifts.push_back(s);
    }
    ++i;
  }
  if (i != facts.keys.size()) {
    report(DiagnosticCode::wrongArgumentCount, env, node,
           {t.nameOf(node), std::to_string(facts.keys.size()), std::to_string(i)});
    return error(env, node);
  }
  if (!good) return error(env, node);
  if (shifted) args.insert(args.end(), shifts.begin(), shifts.end());
  ExprId e = make(env, node, ExprKind::tableCall, optionalIf(optional, facts.result), std::move(args));
  at(e).index = table;
  return known(env, e);
}

ExprId Sema::builtinCall(Env& env, NodeId node, const std::string& callee) {
  const SyntaxTree& t = tree(env);
  std::vector<NodeId> args;
  for (NodeId arg : t.children(node, Role::arg)) args.push_back(t.child(arg, Role::value));
  using hir::Builtin;
  bool absorbed = false;
  auto count = [&](std::size_t low, std::size_t high) {
    if (args.size() >= low && args.size() <= high) return true;
    report(DiagnosticCode::wrongArgumentCount, env, node,
           {callee, std::to_string(low), std::to_string(args.size())});
    return false;
  };
  auto arg = [&](std::size_t i, Type wanted) {
    ExprId e = coerce(env, expr(env, args[i], wanted), wanted, args[i], true);
    absorbed = absorbed || type(e).optional;
    return e;
  };
  auto builtin = [&](Builtin which, Type result, std::vector<ExprId> operands) {
    ExprId e = make(env, node, ExprKind::builtin, optionalIf(absorbed, result), std::move(operands));
    at(e).op = static_cast<std::uint8_t>(which);
    return known(env, e);
  };
  const Type hex = typeOf(TypeKind::hex);
  if (callee == "distance") {
    if (!count(2, 2)) return error(env, node);
    ExprId a = expr(env, args[0]), b = expr(env, args[1]);
    // A counter that may cover several hexes is measured over all of them.
    const auto one = [&](ExprId e) {
      return !type(e).set && (type(e).kind == TypeKind::hex || type(e).kind == TypeKind::counter);
    };
    const auto wide = [&](ExprId e) {
      return type(e).kind == TypeKind::counter && mayBeWide(world().module, type(e).id);
    };
    if (one(a) && one(b) && (wide(a) || wide(b))) {
      absorbed = type(a).optional || type(b).optional;
      return builtin(Builtin::distanceOver, integer, {a, b});
    }
    auto oneHex = [&](ExprId& e, NodeId n) {
      if (type(e).set) return false;
      if (type(e).kind == TypeKind::hex) return true;
      if (type(e).kind != TypeKind::counter) return false;
      ExprId h = builtinField(env, n, e, "hex");
      e = h;
      return true;
    };
    bool first = oneHex(a, args[0]), second = oneHex(b, args[1]);
    if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
    if (first && second) {
      absorbed = type(a).optional || type(b).optional;
      return builtin(Builtin::distanceHexes, integer, {a, b});
    }
    // A counter and a hexside have hexes in any case; a set may be empty.
    const auto sure = [&](ExprId e) {
      return !type(e).set && !type(e).optional && type(e).kind != TypeKind::area;
    };
    const bool certainly = sure(a) && sure(b);
    a = hexSetOf(env, a, args[0]);
    b = hexSetOf(env, b, args[1]);
    if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
    ExprId d = builtin(Builtin::distanceSets, optionalOf(integer), {a, b});
    return certainly ? make(env, node, ExprKind::assume, integer, {d}) : d;
  }
  if (callee == "direction") {
    if (!count(2, 2)) return error(env, node);
    return builtin(Builtin::direction, typeOf(TypeKind::direction), {arg(0, hex), arg(1, hex)});
  }
  if (callee == "neighbour") {
    if (!count(2, 2)) return error(env, node);
    return builtin(Builtin::neighbour, optionalOf(hex), {arg(0, hex), arg(1, typeOf(TypeKind::direction))});
  }
  if (callee == "edge" || callee == "row" || callee == "column" || callee == "rows" || callee == "columns")
    return lineCall(env, node, callee);
  if (callee == "odds") {
    if (!count(2, 2)) return error(env, node);
    ExprId a = number(env, args[0]), b = number(env, args[1]);
    if (type(a).kind == TypeKind::error || type(b).kind == TypeKind::error) return error(env, node);
    absorbed = type(a).optional || type(b).optional;
    if (type(a).kind == TypeKind::fraction || type(b).kind == TypeKind::fraction) {
      a = toFraction(env, args[0], a);
      b = toFraction(env, args[1], b);
    }
    return builtin(Builtin::odds, typeOf(TypeKind::odds), {a, b});
  }
  if (callee == "smaller" || callee == "larger") {
    if (!count(2, 2)) return error(env, node);
    ExprId a = expr(env, args[0]), b = expr(env, args[1], certain(type(a)));
    if (!unify(env, a, b, args[0], args[1])) {
      if (type(a).kind != TypeKind::error && type(b).kind != TypeKind::error)
        report(DiagnosticCode::notComparable, env, node, {name(type(a)), name(type(b))});
      return error(env, node);
    }
    Type result = optionalIf(type(a).optional || type(b).optional, type(a));
    return make(env, node, callee == "smaller" ? ExprKind::smaller : ExprKind::larger, result, {a, b});
  }
  if (callee == "next" || callee == "previous") {
    if (!count(1, 1)) return error(env, node);
    ExprId a = expr(env, args[0]);
    if (type(a).kind == TypeKind::error) return a;
    if (type(a).kind != TypeKind::enumeration || type(a).set) {
      report(DiagnosticCode::typeMismatch, env, args[0], {name(type(a)), "a value of a type"});
      return error(env, node);
    }
    absorbed = type(a).optional;
    return builtin(callee == "next" ? Builtin::next : Builtin::previous, certain(type(a)), {a});
  }
  if (callee == "minutes") {
    if (!count(1, 1)) return error(env, node);
    return builtin(Builtin::minutes, integer, {arg(0, typeOf(TypeKind::time))});
  }
  if (callee == "even") {
    if (!count(1, 1)) return error(env, node);
    return builtin(Builtin::even, boolean, {arg(0, integer)});
  }
  if (callee == "d66") {
    if (!count(1, 1)) return error(env, node);
    return builtin(Builtin::d66, typeOf(TypeKind::d66), {arg(0, integer)});
  }
  if (callee == "footprint" || callee == "aspect") return arcsCall(env, node, callee);
  return -1;
}

/// `B(s)` of a box that each side has one of, `B(n)` of one that each turn has.
ExprId Sema::boxOfSide(Env& env, NodeId node, const std::string& callee) {
  if (auto turns = world().turnBoxes.find(callee); turns != world().turnBoxes.end()) {
    const SyntaxTree& t = tree(env);
    std::vector<NodeId> args;
    for (NodeId arg : t.children(node, Role::arg)) args.push_back(t.child(arg, Role::value));
    if (args.size() != 1) {
      report(DiagnosticCode::wrongArgumentCount, env, node, {callee, "1", std::to_string(args.size())});
      return error(env, node);
    }
    const World::TurnBoxes boxes = turns->second;
    ExprId turn = exprOf(env, args[0], integer);
    if (at(turn).kind == ExprKind::constant) {
      if (Word n = at(turn).value; n >= boxes.first && n <= boxes.last)
        return constant(env, node, typeOf(TypeKind::box), boxes.box + n - boxes.first);
      report(DiagnosticCode::numberOutOfRange, env, args[0],
             {std::to_string(at(turn).value),
              std::to_string(boxes.first) + " .. " + std::to_string(boxes.last) + ", the turns of the game"});
      return error(env, node);
    }
    ExprId e = make(env, node, ExprKind::builtin, typeOf(TypeKind::box), {turn});
    at(e).op = static_cast<std::uint8_t>(hir::Builtin::boxOfTurn);
    at(e).index = boxes.box;
    at(e).members = {boxes.first, boxes.last};
    return e;
  }
  const auto* symbols = world().find(callee);
  if (!symbols) return -1;
  std::vector<Word> boxes;
  for (const Symbol& s : *symbols)
    if (s.kind == SymbolKind::box && s.side == static_cast<std::int16_t>(boxes.size()))
      boxes.push_back(s.value);
  if (boxes.size() != 2) return -1;
  const SyntaxTree& t = tree(env);
  std::vector<NodeId> args;
  for (NodeId arg : t.children(node, Role::arg)) args.push_back(t.child(arg, Role::value));
  if (args.size() != 1) {
    report(DiagnosticCode::wrongArgumentCount, env, node, {callee, "1", std::to_string(args.size())});
    return error(env, node);
  }
  ExprId side = exprOf(env, args[0], typeOf(TypeKind::side));
  const Type box = typeOf(TypeKind::box);
  ExprId first =
      make(env, node, ExprKind::equal, boolean, {side, constant(env, args[0], typeOf(TypeKind::side), 0)});
  return make(env, node, ExprKind::if_, box,
              {first, constant(env, node, box, boxes[0]), constant(env, node, box, boxes[1])});
}

ExprId Sema::canExpr(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  NodeId callNode = t.child(node, Role::call), nameNode = t.child(callNode, Role::name);
  std::string callee = t.nameOf(callNode);
  std::vector<std::int32_t> candidates;
  if (callee == "original" && env.originalCallable >= 0 && env.owner.starts_with("permission"))
    candidates = {env.originalCallable};
  else if (auto found = permissionsByName_.find(callee); found != permissionsByName_.end())
    candidates = found->second;
  if (candidates.empty()) {
    std::vector<std::string> known;
    for (const auto& [permission, unused] : permissionsByName_) known.push_back(permission);
    std::sort(known.begin(), known.end());
    Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {callee, "permission"});
    std::string near = nearest(callee, known);
    if (!near.empty()) d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return error(env, node);
  }
  std::vector<const hir::Scope*> scopes;
  for (std::int32_t p : candidates) scopes.push_back(&hir().permissions[static_cast<std::size_t>(p)].scope);
  std::vector<ExprId> args;
  std::int32_t p = choose(env, callNode, callee, candidates, scopes, args);
  if (p < 0 ||
      !arguments(env, callNode, hir().permissions[static_cast<std::size_t>(p)].scope, callee, args, false))
    return error(env, node);
  ExprId e = make(env, node, ExprKind::can, boolean, std::move(args));
  at(e).index = p;
  return e;
}

std::int32_t Sema::resolveRoute(Env& env, NodeId callNode, std::vector<ExprId>& args) {
  const SyntaxTree& t = tree(env);
  NodeId nameNode = t.child(callNode, Role::name);
  std::string callee = t.nameOf(callNode);
  auto found = routesByName_.find(callee);
  if (found == routesByName_.end()) {
    std::vector<std::string> known;
    for (const auto& [route, unused] : routesByName_) known.push_back(route);
    std::sort(known.begin(), known.end());
    Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, nameNode, {callee, "route"});
    std::string near = nearest(callee, known);
    if (!near.empty()) d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
    report(std::move(d));
    return -1;
  }
  std::vector<const hir::Scope*> scopes;
  for (std::int32_t r : found->second) scopes.push_back(&hir().routes[static_cast<std::size_t>(r)].scope);
  std::int32_t r = choose(env, callNode, callee, found->second, scopes, args);
  if (r < 0 ||
      !arguments(env, callNode, hir().routes[static_cast<std::size_t>(r)].scope, callee, args, false))
    return -1;
  return r;
}

ExprId Sema::queryExpr(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  TokenKind op = t.op(node);
  std::vector<ExprId> args;
  std::int32_t r = resolveRoute(env, t.child(node, Role::call), args);
  NodeId toNode = t.child(node, Role::to);
  ExprId to = -1;
  if (valid(toNode)) to = exprOf(env, toNode, typeOf(TypeKind::hex));
  if (r < 0) return error(env, node);
  if (op == TokenKind::kw_paths) {
    ExprId e =
        make(env, node, ExprKind::paths, setOf(typeOf(TypeKind::path, ++hir().pathLists)), std::move(args));
    at(e).index = r;
    return e;
  }
  ExprKind kind = op == TokenKind::kw_reach       ? ExprKind::reach
                  : op == TokenKind::kw_connected ? ExprKind::connected
                                                  : ExprKind::path;
  Type result = kind == ExprKind::reach       ? hexSet
                : kind == ExprKind::connected ? boolean
                                              : optionalOf(typeOf(TypeKind::path));
  if (kind == ExprKind::path) args.push_back(to);
  ExprId e = make(env, node, kind, result, std::move(args));
  at(e).index = r;
  return e;
}

} // namespace hellwig
