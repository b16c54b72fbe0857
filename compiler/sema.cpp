// SPDX-License-Identifier: Apache-2.0
// The typing of a folded package: names of rules first, then what stands in them.
#include "compiler/dead_rules.h"
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {

Sema::Sema(Package& package, const Folded& folded, DiagnosticSink& sink)
    : package_(package), folded_(folded), sink_(&sink), out_(std::make_unique<Checked>()) {}

std::unique_ptr<Checked> Sema::run(const std::vector<NodeRef>& tests) {
  out_->world = WorldBuilder(package_, folded_, *sink_, tests).build();
  declarePhases();
  declareRules();
  arcs();
  values();
  permissions();
  zones();
  resolveProcedureTables();
  hooks();
  routes();
  routesTyped_ = true;
  procedures();
  actions();
  for (std::size_t h = 0; h < pendingHooks_.size(); ++h) needHook(h);
  setup();
  sequence();
  arrivals();
  victory();
  hiddenClauses();
  for (NodeRef node : tests) {
    testLocals_.clear();
    test(node);
  }
  finish();
  return std::move(out_);
}

std::unique_ptr<Checked> analyse(Package& package, const Folded& folded, const std::vector<NodeRef>& tests,
                                 DiagnosticSink& sink) {
  return Sema(package, folded, sink).run(tests);
}

// ---- Reporting

void Sema::report(Diagnostic d) {
  // What a layer has taken away may not be referred to any more.
  if (d.code == DiagnosticCode::unknownName || d.code == DiagnosticCode::unknownField ||
      d.code == DiagnosticCode::notCallable)
    for (const Piece& piece : folded_.removals) {
      const SyntaxTree& t = tree(piece.node.file);
      NodeId removed = t.child(piece.node.node, Role::name);
      if (d.message.find("`" + t.nameOf(removed) + "`") == std::string::npos) continue;
      d.fix.reset();
      d.places.push_back({t.sharedSource(), t.range(removed), "it is removed here"});
    }
  sink_->report(std::move(d));
}

Diagnostic Sema::diagnostic(DiagnosticCode code, const Env& env, NodeId node,
                            std::vector<std::string> args) const {
  if (!valid(node)) node = tree(env).root();
  return Diagnostic(code, tree(env).sharedSource(), tree(env).range(node), args);
}

void Sema::report(DiagnosticCode code, const Env& env, NodeId node, std::vector<std::string> args) {
  report(diagnostic(code, env, node, std::move(args)));
}

void Sema::refuse(const Env& env, NodeId node, const std::string& what) {
  report(DiagnosticCode::notCompiled, env, node, {what});
}

// ---- Environments

LocalId Sema::addLocal(Env& env, std::string localName, Type localType) {
  env.scope->locals.push_back({std::move(localName), localType});
  return static_cast<LocalId>(env.scope->locals.size() - 1);
}

/// Binds the parameter names of a declaration to the first locals of its scope; the first declaration makes
/// these locals.
void Sema::bindParameters(Env& env, hir::Scope& scope, NodeRef decl, bool declareLocals) {
  const SyntaxTree& t = tree(decl.file);
  LocalId i = 0;
  for (NodeId param : t.children(decl.node, Role::param)) {
    if (declareLocals) {
      NodeId typeNode = t.child(param, Role::type);
      Type parameterType =
          valid(typeNode) ? resolveType(world(), package_, {decl.file, typeNode}, *sink_) : Type{};
      for (const hir::Local& other : scope.locals)
        if (other.name == t.nameOf(param)) report(DiagnosticCode::duplicateName, env, param, {other.name});
      const std::string written = t.nameOf(typeNode);
      for (const char* die : {"d6", "2d6", "d10", "d100"})
        if (written == die) dice_[{&scope, static_cast<LocalId>(scope.locals.size())}] = written;
      scope.locals.push_back({t.nameOf(param), parameterType});
      scope.parameters = static_cast<std::uint16_t>(scope.locals.size());
    }
    if (i < static_cast<LocalId>(scope.parameters)) env.names.push_back({t.nameOf(param), i});
    ++i;
  }
}

Env Sema::envFor(hir::Scope& scope, NodeRef decl, std::string owner) {
  Env env;
  env.file = decl.file;
  env.scope = &scope;
  env.owner = std::move(owner);
  bindParameters(env, scope, decl, false);
  return env;
}

/// What makes up a declaration: itself and its amendments; for clauses those of later layers stand in front.
std::vector<Part> Sema::partsOf(const FoldedDecl& decl, bool amendmentsFirst) const {
  std::vector<Part> parts;
  if (!decl.implicit) parts.push_back({decl.node, false});
  for (const Piece& piece : decl.amendments) {
    if (!amendmentsFirst) {
      parts.push_back({piece.node, false});
      continue;
    }
    // Amendments of one layer stand in the order written, later layers before earlier ones.
    std::size_t place = 0;
    while (place < parts.size() && !(parts[place].node == decl.node)) {
      auto earlier = std::find_if(decl.amendments.begin(), decl.amendments.end(),
                                  [&](const Piece& other) { return other.node == parts[place].node; });
      if (earlier == decl.amendments.end() || earlier->layer < piece.layer) break;
      ++place;
    }
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(place), {piece.node, false});
  }
  return parts;
}

/// An amendment repeats the head: as many parameters, of the same types.
void Sema::checkHead(NodeRef amendment, NodeRef base) {
  const SyntaxTree& a = tree(amendment.file);
  const SyntaxTree& b = tree(base.file);
  std::vector<std::string> given, wanted;
  for (NodeId param : a.children(amendment.node, Role::param))
    given.emplace_back(a.text(a.child(param, Role::type)));
  for (NodeId param : b.children(base.node, Role::param))
    wanted.emplace_back(b.text(b.child(param, Role::type)));
  if (given.empty() && !a.has(amendment.node, NodeFlags::hasParams) &&
      a.kind(amendment.node) == NodeKind::ValueDecl) {
    // What stands behind the name may be left off.
    return;
  }
  if (given == wanted) return;
  std::string head = b.nameOf(base.node) + "(";
  bool first = true;
  for (NodeId param : b.children(base.node, Role::param)) {
    head += (first ? "" : ", ") + std::string(b.text(param));
    first = false;
  }
  head += ")";
  Diagnostic d(DiagnosticCode::headDiffers, a.sharedSource(), a.range(a.child(amendment.node, Role::name)),
               {a.nameOf(amendment.node), head});
  // The figure of a combat that knows both sides is often what was meant.
  if (given.size() > wanted.size())
    for (const auto& [valueName, list] : valuesByName_)
      for (std::int32_t v : list) {
        const hir::Value& value = hir().values[static_cast<std::size_t>(v)];
        if (value.scope.parameters == given.size() &&
            valueName.find(b.nameOf(base.node)) != std::string::npos)
          d.help.push_back("`" + valueName + "` has as many parameters: amend that one?");
      }
  report(std::move(
      std::move(d).also(b.sharedSource(), b.range(b.child(base.node, Role::name)), "declared here")));
}

/// The type of what a procedure or value answers: no bundle of fields, which would have no owner.
Type Sema::resultType(Env& env, NodeId typeNode) {
  Type result = resolveType(world(), package_, {env.file, typeNode}, *sink_);
  if (result.kind != TypeKind::record) return result;
  report(DiagnosticCode::recordMisplaced, env, typeNode, {name(result), "an answer"});
  return {};
}

/// Can nothing be of both types? So declarations of one name are told apart.
bool Sema::thingsApart(const Type& a, const Type& b) const {
  auto thing = [](const Type& type) {
    return !type.set && (type.kind == TypeKind::counter || type.kind == TypeKind::group);
  };
  if (a.kind == TypeKind::counter && b.kind == TypeKind::counter)
    return !out_->world.isKindOf(a.id, b.id) && !out_->world.isKindOf(b.id, a.id);
  return thing(a) && thing(b) && (a.kind != b.kind || a.id != b.id);
}

// ---- Names of rules

void Sema::declareRules() {
  auto describe = [&](NodeRef ref) { return placeOf(ref); };
  std::vector<bool> isOriginal(folded_.decls.size(), false);
  for (const FoldedDecl& decl : folded_.decls)
    if (decl.original >= 0) isOriginal[static_cast<std::size_t>(decl.original)] = true;
  for (std::size_t i = 0; i < folded_.decls.size(); ++i) {
    const FoldedDecl& decl = folded_.decls[i];
    const bool asOriginal = isOriginal[i];
    if (!decl.inForce && !asOriginal) continue;
    Env env;
    env.file = decl.node.file;
    auto enter = [&](auto& rules, auto& declOf, auto& byName) -> auto& {
      rules.emplace_back();
      auto& rule = rules.back();
      rule.name = decl.name;
      rule.place = describe(decl.node);
      NodeId nameNode = tree(env).child(decl.node.node, Role::name);
      if (valid(nameNode)) rule.place.range = tree(env).range(nameNode);
      bindParameters(env, rule.scope, decl.node, true);
      auto index = static_cast<std::int32_t>(rules.size() - 1);
      declOf.push_back(static_cast<std::int32_t>(i));
      declRule_[static_cast<std::int32_t>(i)] = index;
      if (decl.inForce) byName[decl.name].push_back(index);
      return rule;
    };
    switch (decl.kind) {
    case NodeKind::ValueDecl: {
      hir::Value& value = enter(hir().values, valueDecl_, valuesByName_);
      valueState_.push_back(0);
      if (decl.implicit) {
        // Every printed figure is a value that may be amended.
        std::int32_t column =
            value.scope.parameters == 1 ? world().columnOf(value.scope.locals[0].type, decl.name) : -1;
        if (column < 0 && value.scope.parameters == 1) {
          env.scope = &value.scope;
          ExprId face = faceField(env, decl.node.node, local(env, decl.node.node, 0), decl.name, -1);
          if (face >= 0) {
            value.base = face;
            value.result = type(face);
            value.baseWords = "printed";
            break;
          }
        }
        if (column < 0 || !world().columnFacts[static_cast<std::size_t>(column)].printed) {
          std::vector<std::string> known;
          for (const auto& [valueName, unused] : valuesByName_)
            if (valueName != decl.name) known.push_back(valueName);
          for (std::size_t c = 0; c < world().module.columns.size(); ++c)
            if (world().columnFacts[c].printed && world().module.columns[c].owner == Owner::counter)
              known.push_back(world().module.columns[c].name);
          std::sort(known.begin(), known.end());
          NodeId nameNode = tree(env).child(decl.node.node, Role::name);
          Diagnostic d(DiagnosticCode::nothingToAmend, tree(env).sharedSource(), tree(env).range(nameNode),
                       {"value", decl.name});
          std::string near = nearest(decl.name, known);
          if (!near.empty() && near != decl.name)
            d.fix = Fix{tree(env).range(nameNode), near, "did you mean `" + near + "`?"};
          report(std::move(d));
          valuesByName_[decl.name].pop_back();
          if (valuesByName_[decl.name].empty()) valuesByName_.erase(decl.name);
          valueState_.back() = 2;
          break;
        }
        env.scope = &value.scope;
        value.result = world().columnTypes[static_cast<std::size_t>(column)];
        ExprId u = local(env, decl.node.node, 0);
        value.base = make(env, decl.node.node, ExprKind::column, value.result, {u});
        at(value.base).index = column;
        value.baseWords = "printed";
      } else if (NodeId typeNode = tree(env).child(decl.node.node, Role::type); valid(typeNode)) {
        DiagnosticSink quiet;
        value.result = resolveType(world(), package_, {env.file, typeNode}, quiet);
      }
      break;
    }
    case NodeKind::PermissionDecl: enter(hir().permissions, permissionDecl_, permissionsByName_); break;
    case NodeKind::ZoneDecl: {
      hir::Zone& zone = enter(hir().zones, zoneDecl_, zonesByName_);
      Type kind = zone.scope.locals.empty() ? Type{} : zone.scope.locals[0].type;
      if (kind.kind != TypeKind::error && (kind.kind != TypeKind::counter || kind.set))
        report(Diagnostic(DiagnosticCode::typeMismatch, tree(env).sharedSource(), zone.place.range,
                          {name(kind), "a kind of counter"}));
      zone.kind = kind.id;
      break;
    }
    case NodeKind::RouteDecl: {
      hir::Route& route = enter(hir().routes, routeDecl_, routesByName_);
      const hir::Scope& scope = route.scope;
      route.hasMover =
          scope.parameters > 0 && scope.locals[0].type.kind == TypeKind::counter && !scope.locals[0].type.set;
      break;
    }
    case NodeKind::ProcedureDecl: {
      hir::Procedure& procedure = enter(hir().procedures, procedureDecl_, proceduresByName_);
      procedure.result = typeOf(TypeKind::nothing);
      if (NodeId typeNode = tree(env).child(decl.node.node, Role::type); valid(typeNode))
        procedure.result = resultType(env, typeNode);
      break;
    }
    case NodeKind::ActionDecl: {
      // What replaces an action may do it as a procedure.
      std::unordered_map<std::string, std::vector<std::int32_t>> unnamed;
      if (asOriginal)
        enter(hir().procedures, procedureDecl_, unnamed).result = typeOf(TypeKind::nothing);
      else
        enter(hir().actions, actionDecl_, unnamed);
      break;
    }
    default: break;
    }
  }
  // Declarations of one name must be told apart by the kind of a counter.
  auto overlaps = [&](const auto& byName, const auto& rules) {
    for (const auto& [ruleName, list] : byName)
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j) {
          const auto& a = rules[static_cast<std::size_t>(list[i])];
          const auto& b = rules[static_cast<std::size_t>(list[j])];
          bool apart = false;
          for (std::size_t p = 0; p < a.scope.parameters && p < b.scope.parameters; ++p) {
            const Type& x = a.scope.locals[p].type;
            const Type& y = b.scope.locals[p].type;
            apart = apart || x.kind == TypeKind::error || y.kind == TypeKind::error || thingsApart(x, y);
          }
          if (apart && a.scope.parameters == b.scope.parameters) continue;
          report(std::move(Diagnostic(DiagnosticCode::overlappingDeclarations,
                                      tree(b.place.file).sharedSource(), b.place.range, {ruleName})
                               .also(tree(a.place.file).sharedSource(), a.place.range, "the other one")));
        }
  };
  overlaps(valuesByName_, hir().values);
  overlaps(permissionsByName_, hir().permissions);
  overlaps(routesByName_, hir().routes);
  // A field and a value may not share a name on one type, but for a printed field.
  for (const auto& [valueName, list] : valuesByName_)
    for (std::int32_t v : list) {
      const hir::Value& value = hir().values[static_cast<std::size_t>(v)];
      if (value.scope.parameters != 1 || value.scope.locals[0].type.set ||
          value.scope.locals[0].type.kind == TypeKind::error)
        continue;
      std::int32_t column = world().columnOf(value.scope.locals[0].type, valueName);
      if (column < 0 || world().columnFacts[static_cast<std::size_t>(column)].printed) continue;
      const Place& field = world().columnFacts[static_cast<std::size_t>(column)].place;
      report(std::move(Diagnostic(DiagnosticCode::fieldAndValue, tree(value.place.file).sharedSource(),
                                  value.place.range, {valueName, name(value.scope.locals[0].type)})
                           .also(tree(field.file).sharedSource(), field.range, "the field")));
    }
  for (const char* wanted : {"interest"})
    if (auto found = valuesByName_.find(wanted); found != valuesByName_.end())
      for (std::int32_t v : found->second) {
        const hir::Scope& scope = hir().values[static_cast<std::size_t>(v)].scope;
        if (scope.parameters == 1 && scope.locals[0].type == typeOf(TypeKind::side)) hir().interest = v;
      }
  if (auto found = permissionsByName_.find("see"); found != permissionsByName_.end())
    for (std::int32_t p : found->second) {
      const hir::Scope& scope = hir().permissions[static_cast<std::size_t>(p)].scope;
      if (scope.parameters == 2 && scope.locals[0].type == typeOf(TypeKind::hex) &&
          scope.locals[1].type == typeOf(TypeKind::hex))
        hir().see = p;
    }
}

void Sema::finish() {
  nameMenus();
  std::size_t errors = sink_->errorCount();
  checkRecursion();
  checkArcs();
  // Where something could not be typed, what is missing may be what shows the way.
  checkDeadRules(hir(), world().module, package_, *sink_);
  if (errors == 0) checkChoices(hir(), package_, *sink_);
  checkMoveHooks();
  checkHooks();
  checkLeaks();
  checkVictory();
}

} // namespace hellwig
