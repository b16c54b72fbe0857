// SPDX-License-Identifier: Apache-2.0
// Lowering of a whole program: which bodies there are, in which order they are made, and what names them.
#include "compiler/lower.h"
#include "compiler/world.h"

#include "compiler/lower_body.h"
#include "compiler/lower_tidy.h"
#include "runtime/path_block.h"

#include <algorithm>

namespace hellwig {
namespace lowering {

using hir::TypeKind;

// ---- What all bodies share

std::uint32_t Context::line(const Place& place) const {
  if (place.file >= package.files.size()) return 0;
  const auto& source = package.files[place.file].tree.sharedSource();
  return source == nullptr ? 0 : source->lineOf(place.range.offset);
}

std::uint16_t Context::domainOf(const hir::Type& element) const {
  switch (element.kind) {
  case TypeKind::counter: return domainCounters;
  case TypeKind::hex: return domainHexes;
  case TypeKind::hexside: return domainHexsides;
  case TypeKind::side: return domainSides;
  case TypeKind::direction: return domainDirections;
  case TypeKind::area: return domainAreas;
  case TypeKind::box: return domainBoxes;
  case TypeKind::group: return domainGroups;
  case TypeKind::path: return domainPaths;
  case TypeKind::enumeration: return static_cast<std::uint16_t>(firstEnumDomain + element.id);
  default: return domainInts;
  }
}

std::uint16_t Context::fieldWords(const ValueType& type) const {
  if (!type.isSet) return 1;
  for (std::uint16_t d = 0; d < module.domains.size(); ++d)
    if (module.domains[d].element.kind == type.kind &&
        (type.kind != ValueKind::enumeration || module.domains[d].element.id == type.id))
      return domainWords(d);
  return 1;
}

std::uint16_t Context::fieldOffset(std::uint16_t record, std::size_t field) const {
  std::uint16_t out = 0;
  for (std::size_t f = 0; f < field && f < module.records[record].fields.size(); ++f)
    out = static_cast<std::uint16_t>(out + fieldWords(module.records[record].fields[f].type));
  return out;
}

std::uint16_t Context::words(const hir::Type& type) const {
  if (type.allotted) return static_cast<std::uint16_t>(allotmentWords(module.domains[domainOf(type)].size));
  if (type.set) return setWords(type);
  if (type.kind == TypeKind::record || type.kind == TypeKind::row)
    return fieldOffset(type.id, module.records[type.id].fields.size());
  if (type.kind == TypeKind::path) return static_cast<std::uint16_t>(pathShape(module).words());
  return 1;
}

std::uint16_t Context::handedBack(const hir::Scope& scope, const hir::Type& answer) const {
  std::uint16_t out = answer.kind == TypeKind::nothing ? std::uint16_t{0} : words(answer);
  for (std::uint16_t i = 0; i < scope.parameters; ++i)
    if (isRecord(scope.locals[i].type)) out = static_cast<std::uint16_t>(out + words(scope.locals[i].type));
  return out;
}

ValueType Context::valueType(const hir::Type& type) const {
  return moduleType(type);
}

std::vector<ValueType> Context::parameterTypes(const hir::Scope& scope) const {
  std::vector<ValueType> out;
  for (std::uint16_t i = 0; i < scope.parameters; ++i) out.push_back(valueType(scope.locals[i].type));
  return out;
}

std::uint16_t Context::parameterWords(const hir::Scope& scope) const {
  std::uint16_t out = 0;
  for (std::uint16_t i = 0; i < scope.parameters; ++i)
    out = static_cast<std::uint16_t>(out + words(scope.locals[i].type));
  return out;
}

bool Context::isKindOf(std::int32_t kind, std::int32_t base) const {
  while (kind >= 0 && kind != base) kind = module.kinds[static_cast<std::size_t>(kind)].base;
  return kind >= 0;
}

std::int32_t Context::constants(const std::vector<Word>& values) {
  const auto [at, fresh] = constants_.try_emplace(values, static_cast<std::int32_t>(module.constants.size()));
  if (fresh) module.constants.insert(module.constants.end(), values.begin(), values.end());
  return at->second;
}

std::int32_t Context::string(const std::string& text) {
  const auto [at, fresh] = strings_.try_emplace(text, static_cast<std::int32_t>(module.strings.size()));
  if (fresh) module.strings.push_back(text);
  return at->second;
}

std::int32_t Context::type(const hir::Type& type) {
  const ValueType wanted = valueType(type);
  const auto found = std::find(module.types.begin(), module.types.end(), wanted);
  if (found != module.types.end()) return static_cast<std::int32_t>(found - module.types.begin());
  module.types.push_back(wanted);
  return static_cast<std::int32_t>(module.types.size() - 1);
}

std::uint16_t Context::joinMarks(std::uint16_t a, std::uint16_t b) {
  if (a == 0 || a == b) return b;
  if (b == 0) return a;
  MarkSet joined = module.marks[a];
  for (const std::uint16_t rule : module.marks[b].rules)
    if (std::find(joined.rules.begin(), joined.rules.end(), rule) == joined.rules.end())
      joined.rules.push_back(rule);
  if (joined.reconstructed.empty()) joined.reconstructed = module.marks[b].reconstructed;
  for (std::size_t i = 0; i < module.marks.size(); ++i)
    if (module.marks[i].rules == joined.rules && module.marks[i].reconstructed == joined.reconstructed)
      return static_cast<std::uint16_t>(i);
  module.marks.push_back(joined);
  return static_cast<std::uint16_t>(module.marks.size() - 1);
}

std::vector<std::int32_t> Context::hooksAt(hir::HookPoint point, bool before, std::int32_t index) const {
  std::vector<std::int32_t> out;
  const bool kinds =
      point == hir::HookPoint::enter || point == hir::HookPoint::leave || point == hir::HookPoint::move;
  const bool any = point == hir::HookPoint::turn || point == hir::HookPoint::playerTurn ||
                   point == hir::HookPoint::activation || point == hir::HookPoint::setup ||
                   point == hir::HookPoint::settle;
  for (std::size_t i = 0; i < hir.hooks.size(); ++i) {
    const hir::Hook& hook = hir.hooks[i];
    if (hook.point != point || hook.before != before) continue;
    const bool here =
        any || (kinds ? isKindOf(index, hook.index) || isKindOf(hook.index, index) : hook.index == index);
    if (here) out.push_back(static_cast<std::int32_t>(i));
  }
  return out;
}

// ---- Single bodies

std::uint32_t expressionBody(Context& context, const std::string& name, const hir::Scope& scope,
                             hir::ExprId expr, const Place& place) {
  BodyLowering body(context, name, BodyKind::pure, place);
  Env* env = body.bindScope(scope);
  const std::uint16_t words = context.words(context.expr(expr).type);
  const Reg reg = body.alloc(words);
  body.eval({expr, env}, reg);
  body.ret(reg, words);
  const std::uint32_t index = context.reserveBody();
  body.finishInto(index, words);
  return index;
}

namespace {

/// The same for a condition, which answers yes or no even where it is none.
std::uint32_t conditionBody(Context& context, const std::string& name, const hir::Scope& scope,
                            hir::LocalId parameter, hir::ExprId expr, const Place& place) {
  BodyLowering body(context, name, BodyKind::pure, place);
  Env* env = body.bindScope(scope, true);
  if (parameter >= 0 && scope.parameters == 0)
    body.bindParameter(env, parameter,
                       context.valueType(scope.locals[static_cast<std::size_t>(parameter)].type));
  body.bindLocals(env, scope);
  Label no;
  body.branch({expr, env}, false, no);
  body.retImm(1);
  body.bind(no);
  body.retImm(0);
  const std::uint32_t index = context.reserveBody();
  body.finishInto(index, 1);
  return index;
}

void lowerHidden(Context& context) {
  for (const hir::Hidden& hidden : context.hir.hidden) {
    Hidden out;
    out.kind = hidden.kind;
    out.marks = hidden.marks;
    out.showsHex = hidden.showsHex;
    out.showsSide = hidden.showsSide;
    out.shownColumns = hidden.columns;
    if (hidden.condition >= 0)
      out.conditionBody = conditionBody(context, "hidden", hidden.scope, -1, hidden.condition, {});
    if (hidden.from >= 0)
      out.fromBody = expressionBody(context, "hidden from", hidden.scope, hidden.from, {});
    context.module.hidden.push_back(std::move(out));
  }
}

void nameBodies(Context& context) {
  const hir::Hir& hir = context.hir;
  std::vector<NamedBody>& named = context.module.named;
  for (std::size_t i = 0; i < hir.values.size(); ++i)
    named.push_back({NamedBody::What::value, hir.values[i].name, context.parameterTypes(hir.values[i].scope),
                     context.ids.value[i], context.ids.valueExplain[i],
                     context.valueType(hir.values[i].result)});
  const ValueType yesOrNo{ValueKind::boolean, 0, false, false};
  for (std::size_t i = 0; i < hir.permissions.size(); ++i)
    named.push_back({NamedBody::What::permission, hir.permissions[i].name,
                     context.parameterTypes(hir.permissions[i].scope), context.ids.permission[i],
                     context.ids.permissionExplain[i], yesOrNo});
  const ValueType hexes{ValueKind::hex, 0, true, false};
  for (std::size_t i = 0; i < hir.routes.size(); ++i)
    named.push_back({NamedBody::What::route, hir.routes[i].name, context.parameterTypes(hir.routes[i].scope),
                     static_cast<std::uint32_t>(i), noBody, hexes});
  for (std::size_t i = 0; i < hir.zones.size(); ++i)
    named.push_back({NamedBody::What::zone, hir.zones[i].name, context.parameterTypes(hir.zones[i].scope),
                     static_cast<std::uint32_t>(i), noBody, hexes});
  for (std::size_t i = 0; i < hir.procedures.size(); ++i)
    named.push_back({NamedBody::What::procedure, hir.procedures[i].name,
                     context.parameterTypes(hir.procedures[i].scope), context.ids.procedure[i], noBody,
                     context.valueType(hir.procedures[i].result)});
  for (std::size_t i = 0; i < context.module.tables.size(); ++i)
    named.push_back({NamedBody::What::table,
                     context.module.tables[i].name,
                     {},
                     static_cast<std::uint32_t>(i),
                     noBody,
                     context.module.tables[i].result});
}

} // namespace

const hir::Stmt* soleCall(const hir::Hir& hir, hir::StmtId id) {
  if (id < 0) return nullptr;
  const hir::Stmt* only = &hir.stmts[static_cast<std::size_t>(id)];
  if (only->kind == hir::StmtKind::block && only->op == 0 && only->statements.size() == 1)
    only = &hir.stmts[static_cast<std::size_t>(only->statements[0])];
  return only->kind == hir::StmtKind::call ? only : nullptr;
}

namespace {

/// Procedures that are all that a phase does get a body whose statements stand in the sequence.
void reserveResting(Context& context) {
  context.ids.procedureResting.assign(context.hir.procedures.size(), noBody);
  for (const hir::Stmt& stmt : context.hir.stmts) {
    const bool ownBlock = stmt.kind == hir::StmtKind::block && stmt.op == 1;
    if (stmt.kind != hir::StmtKind::phase && !ownBlock) continue;
    const hir::Stmt* only =
        soleCall(context.hir, ownBlock && !stmt.statements.empty() ? stmt.statements.front() : stmt.body);
    if (only == nullptr) continue;
    std::uint32_t& body = context.ids.procedureResting[static_cast<std::size_t>(only->index)];
    if (body == noBody) body = context.reserveBody();
  }
}

/// What the size of paths and of moves under way depends on.
void declareRoutes(Context& context) {
  context.module.routes.resize(context.hir.routes.size());
  for (std::size_t i = 0; i < context.hir.routes.size(); ++i) {
    const hir::Route& route = context.hir.routes[i];
    Route& out = context.module.routes[i];
    out.hasMover = route.hasMover;
    out.byNodes = route.byNodes;
    out.over = route.over;
    out.parameters = context.parameterWords(route.scope);
    for (const hir::Also& way : route.also)
      out.also.push_back({static_cast<std::uint16_t>(way.route), noBody});
    out.edges.resize(route.edges.size());
  }
  for (Global& global : context.module.globals) {
    if (global.type.kind != ValueKind::path || global.type.isSet) continue;
    global.words = static_cast<std::uint16_t>(pathShape(context.module).words());
    global.initial.assign(global.words, 0);
    global.initial.front() = none;
  }
}

void reserve(Context& context) {
  declareRoutes(context);
  const auto some = [&](std::vector<std::uint32_t>& ids, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) ids.push_back(context.reserveBody());
  };
  some(context.ids.value, context.hir.values.size());
  some(context.ids.valueExplain, context.hir.values.size());
  some(context.ids.permission, context.hir.permissions.size());
  some(context.ids.permissionExplain, context.hir.permissions.size());
  some(context.ids.procedure, context.hir.procedures.size());
  some(context.ids.hook, context.hir.hooks.size());
  some(context.ids.action, context.hir.actions.size());
  context.ids.actionResting.assign(context.hir.actions.size(), noBody);
  if (!context.hooksAt(hir::HookPoint::settle, false, -1).empty())
    context.ids.settle = context.module.settleBody = context.reserveBody();
  reserveResting(context);
  reserveTravels(context);
  context.module.zones.resize(context.hir.zones.size());
}

/// Answers several expressions one after another, as the arguments of a call stand.
std::uint32_t argumentsBody(Context& context, const std::string& name, const hir::Scope& scope,
                            const std::vector<hir::ExprId>& arguments) {
  BodyLowering body(context, name, BodyKind::pure, {});
  Env* env = body.bindScope(scope);
  std::uint16_t words = 0;
  for (hir::ExprId argument : arguments)
    words = static_cast<std::uint16_t>(words + context.words(context.expr(argument).type));
  const Reg first = body.alloc(words);
  Reg reg = first;
  for (hir::ExprId argument : arguments) {
    body.eval({argument, env}, reg);
    reg = static_cast<Reg>(reg + context.words(context.expr(argument).type));
  }
  body.ret(first, words);
  const std::uint32_t index = context.reserveBody();
  body.finishInto(index, words);
  return index;
}

void lowerExtras(Context& context, std::vector<ExtraBody>& extras) {
  const hir::Scope empty;
  for (ExtraBody& extra : extras) {
    const hir::Scope& scope = extra.scope != nullptr ? *extra.scope : empty;
    if (extra.expr >= 0) {
      extra.body = expressionBody(context, extra.name, scope, extra.expr, context.expr(extra.expr).place);
      continue;
    }
    if (!extra.arguments.empty() || (extra.block < 0 && extra.text < 0)) {
      extra.body = argumentsBody(context, extra.name, scope, extra.arguments);
      continue;
    }
    extra.body = context.reserveBody();
    const bool text = extra.text >= 0;
    const Place place =
        extra.block >= 0 ? context.hir.stmts[static_cast<std::size_t>(extra.block)].place : Place{};
    BodyLowering body(context, extra.name, text ? BodyKind::explain : BodyKind::procedure, place);
    body.setBodyIndex(extra.body);
    Env* env = body.bindScope(scope);
    if (text) {
      body.lowerText(extra.text, env);
      body.emit(Op::reason, static_cast<Reg>(ReasonKind::forbid));
    } else {
      body.block(extra.block, env);
    }
    body.ret(0, 0);
    body.finishInto(extra.body, 0);
  }
}

} // namespace

void lowerVictory(Context& context) {
  hir::Type side;
  side.kind = TypeKind::side;
  for (const hir::VictoryClause& clause : context.hir.victory) {
    VictoryClause out;
    out.when = clause.when;
    out.marks = clause.marks;
    out.winner = clause.draw           ? VictoryClause::Winner::draw
                 : clause.anySide >= 0 ? VictoryClause::Winner::anySide
                                       : VictoryClause::Winner::side;
    if (clause.condition >= 0)
      out.conditionBody = conditionBody(context, "victory clause", clause.scope, clause.anySide,
                                        clause.condition, clause.place);
    if (out.winner == VictoryClause::Winner::side && clause.winner >= 0)
      out.winnerBody = expressionBody(context, "victory clause", clause.scope, clause.winner, clause.place);
    BodyLowering body(context, "victory clause", BodyKind::explain, clause.place);
    Env* env = body.bindScope(clause.scope, true);
    if (clause.anySide >= 0 && clause.scope.parameters == 0)
      body.bindParameter(env, clause.anySide, context.valueType(side));
    body.bindLocals(env, clause.scope);
    body.lowerText(clause.text, env);
    body.cite(clause.marks);
    body.ret(0, 0);
    out.textBody = context.reserveBody();
    body.finishInto(out.textBody, 0);
    context.module.victory.push_back(out);
  }
}

} // namespace lowering

void lower(const hir::Hir& hir, const Package& package, Module& module, std::vector<ExtraBody>& extras,
           const LowerOptions& options) {
  using namespace lowering;
  Context context(hir, package, module, options);
  reserve(context);
  lowerArcs(context);
  lowerValues(context);
  lowerPermissions(context);
  lowerZones(context);
  lowerRoutes(context);
  lowerTravels(context);
  lowerProcedures(context);
  lowerHooks(context);
  lowerVictory(context);
  lowerHidden(context);
  lowerSequence(context);
  lowerActions(context);
  lowerSettling(context);
  lowerExtras(context, extras);
  if (hir.interest >= 0) module.interestBody = context.ids.value[static_cast<std::size_t>(hir.interest)];
  if (hir.see >= 0)
    module.seeBody = static_cast<std::int32_t>(context.ids.permission[static_cast<std::size_t>(hir.see)]);
  // Costs of ways are shown as fractions whether or not a text of the game shows any.
  context.type(hir::Type{hir::TypeKind::fraction, 0, false, false});
  assignWatches(hir, context.effects, module);
  nameBodies(context);
  if (!options.plainSets) tidyBodies(module);
  for (Body& body : module.bodies)
    if (std::all_of(body.citing.begin(), body.citing.end(), [](std::uint16_t marks) { return marks == 0; }))
      body.citing.clear();
}

} // namespace hellwig
