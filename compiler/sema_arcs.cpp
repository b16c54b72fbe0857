// SPDX-License-Identifier: Apache-2.0
// Typing of arcs and of what they give: footprints, aspects; and of the values of terrain that stand
// somewhere, as sets.
#include "compiler/sema_internal.h"

#include <algorithm>
#include <set>

namespace hellwig {
namespace {

constexpr Type hexSet{TypeKind::hex, 0, true, false};

/// Whether an expression, with all that it calls, reads where counters stand other than by `u.hex`.
class StacksReader {
public:
  explicit StacksReader(const hir::Hir& hir) : hir_(hir) {}

  bool reads(ExprId id) {
    if (id < 0) return false;
    const hir::Expr& e = hir_.exprs[static_cast<std::size_t>(id)];
    switch (e.kind) {
    case ExprKind::kindSet:
    case ExprKind::sideCounters:
    case ExprKind::atHexes:
    case ExprKind::hexesOfCounters:
    case ExprKind::footprint:
    case ExprKind::aspectHexes:
    case ExprKind::aspectOf:
    case ExprKind::reach:
    case ExprKind::connected:
    case ExprKind::path:
    case ExprKind::zoneOfSide:
    case ExprKind::zoneOfCounters:
    case ExprKind::zoneOwners: return true;
    case ExprKind::builtin:
      if (static_cast<hir::Builtin>(e.op) == hir::Builtin::distanceOver) return true;
      break;
    case ExprKind::call:
      if (seen_.insert({0, e.index}).second) {
        const hir::Value& value = hir_.values[static_cast<std::size_t>(e.index)];
        if (reads(value.base)) return true;
        for (const hir::Step& step : value.steps)
          if (reads(step.operand) || reads(step.when)) return true;
      }
      break;
    case ExprKind::can:
      if (seen_.insert({1, e.index}).second &&
          reads(hir_.permissions[static_cast<std::size_t>(e.index)].clauses))
        return true;
      break;
    default: break;
    }
    return std::any_of(e.args.begin(), e.args.end(), [this](ExprId arg) { return reads(arg); });
  }

private:
  bool reads(const std::vector<hir::Clause>& clauses) {
    return std::any_of(clauses.begin(), clauses.end(), [this](const hir::Clause& c) {
      return reads(c.when) || reads(c.set) || reads(c.from) || reads(c.to) || reads(c.inner);
    });
  }
  const hir::Hir& hir_;
  std::set<std::pair<int, std::int32_t>> seen_;
};

} // namespace

void Sema::arcs() {
  for (std::size_t i = 0; i < world().arcsDecls.size(); ++i) {
    const NodeRef decl = world().arcsDecls[i];
    hir::Arcs& arcs = hir().arcs.emplace_back();
    arcs.place = placeOf(decl);
    Env env;
    env.file = decl.file;
    env.scope = &arcs.scope;
    env.owner = "arcs";
    bindParameters(env, arcs.scope, decl, true);
    const NodeId by = tree(env).child(decl.node, Role::by);
    if (valid(by))
      arcs.shape = exprOf(env, by, typeOf(TypeKind::enumeration, world().module.arcs[i].shapeType));
  }
  for (const FoldedDecl& decl : folded_.decls)
    if (decl.kind == NodeKind::ArcsDecl && decl.inForce)
      for (const Piece& piece : decl.amendments) checkHead(piece.node, decl.node);
}

/// Where a counter stands follows from its shape, so the shape cannot follow from where counters stand.
void Sema::checkArcs() {
  for (std::size_t i = 0; i < hir().arcs.size(); ++i) {
    const NodeRef decl = world().arcsDecls[i];
    const NodeId by = tree(decl.file).child(decl.node, Role::by);
    if (valid(by) && StacksReader(hir()).reads(hir().arcs[i].shape))
      report(Diagnostic(DiagnosticCode::arcsOnStacks, tree(decl.file).sharedSource(),
                        tree(decl.file).range(by)));
  }
}

/// `u.footprint`, and `u.front` for an aspect `front`; -1: it is neither.
ExprId Sema::arcsField(Env& env, NodeId node, ExprId base, const std::string& wanted) {
  const Type t = type(base);
  if (wanted == "footprint") return make(env, node, ExprKind::footprint, hexSet, {prove(env, base, node)});
  const std::int32_t arcs = world().arcsOf(t.id);
  if (arcs < 0 || world().columnOf(certain(t), wanted) >= 0) return -1;
  const std::vector<std::string>& aspects =
      world().module.enums[world().module.arcs[static_cast<std::size_t>(arcs)].aspectType].names;
  const auto aspect = std::find(aspects.begin(), aspects.end(), wanted);
  if (aspect == aspects.end()) return -1;
  ExprId e = make(env, node, ExprKind::aspectHexes, hexSet, {prove(env, base, node)});
  at(e).value = aspect - aspects.begin();
  return e;
}

/// `footprint(u, f = e, ..)`, `aspect(u, h, f = e, ..)`.
ExprId Sema::arcsCall(Env& env, NodeId node, const std::string& callee) {
  const SyntaxTree& t = tree(env);
  const bool footprint = callee == "footprint";
  const std::size_t plain = footprint ? 1 : 2;
  std::vector<NodeId> given, settings;
  for (NodeId arg : t.children(node, Role::arg))
    (valid(t.child(arg, Role::name)) ? settings : given).push_back(arg);
  if (given.size() != plain) {
    report(DiagnosticCode::wrongArgumentCount, env, node,
           {callee, std::to_string(plain), std::to_string(given.size())});
    return error(env, node);
  }
  const NodeId counterNode = t.child(given[0], Role::value);
  ExprId u = expr(env, counterNode);
  if (type(u).kind == TypeKind::error) return u;
  if (type(u).kind != TypeKind::counter || type(u).set) {
    report(DiagnosticCode::typeMismatch, env, counterNode, {name(type(u)), "a counter"});
    return error(env, node);
  }
  u = prove(env, u, counterNode);
  if (type(u).kind == TypeKind::error) return u;
  const std::int32_t arcs = world().arcsOf(type(u).id);
  if (arcs < 0 && !footprint) {
    report(DiagnosticCode::unknownField, env, counterNode, {callee, name(type(u))});
    return error(env, node);
  }
  std::vector<ExprId> args{u};
  bool optional = false;
  if (!footprint) {
    const NodeId hexNode = t.child(given[1], Role::value);
    args.push_back(
        coerce(env, expr(env, hexNode, typeOf(TypeKind::hex)), typeOf(TypeKind::hex), hexNode, true));
    optional = type(args.back()).kind == TypeKind::error;
  }
  std::vector<Word> columns;
  for (NodeId setting : settings) {
    const NodeId nameNode = t.child(setting, Role::name), value = t.child(setting, Role::value);
    const std::string field = t.nameOf(nameNode);
    Type wanted = typeOf(TypeKind::hex);
    Word column = -1;
    if (field != "hex") {
      column = world().columnOf(type(u), field);
      if (column < 0) {
        report(DiagnosticCode::unknownField, env, nameNode, {field, name(type(u))});
        return error(env, node);
      }
      const auto index = static_cast<std::size_t>(column);
      wanted = world().columnTypes[index];
      if (world().module.columns[index].constant || wanted.set) {
        report(DiagnosticCode::notAssignable, env, nameNode, {field, "it does not change in play"});
        return error(env, node);
      }
    }
    columns.push_back(column);
    args.push_back(exprOf(env, value, wanted));
    optional = optional || type(args.back()).kind == TypeKind::error;
  }
  if (optional) return error(env, node);
  ExprId e = -1;
  if (footprint)
    e = make(env, node, ExprKind::footprint, hexSet, std::move(args));
  else
    e = make(env, node, ExprKind::aspectOf,
             optionalOf(typeOf(TypeKind::enumeration,
                               world().module.arcs[static_cast<std::size_t>(arcs)].aspectType)),
             std::move(args));
  at(e).members = std::move(columns);
  return footprint ? e : known(env, e);
}

/// The sheet that a name stands for, or -1.
std::int32_t Sema::sheetNamed(const Env& env, NodeId node) const {
  if (tree(env).kind(node) != NodeKind::NameExpr) return -1;
  if (const auto* symbols = out_->world.find(tree(env).nameOf(node)))
    for (const Symbol& symbol : *symbols)
      if (symbol.kind == SymbolKind::sheet) return static_cast<std::int32_t>(symbol.value);
  return -1;
}

/// `edge(d, sheet)`, `row(sheet, n)` and the like.
ExprId Sema::lineCall(Env& env, NodeId node, const std::string& callee) {
  const SyntaxTree& t = tree(env);
  constexpr Type integer{TypeKind::integer, 0, false, false};
  std::vector<NodeId> args;
  std::int32_t sheet = -1;
  std::size_t all = 0;
  for (NodeId arg : t.children(node, Role::arg)) {
    const NodeId value = t.child(arg, Role::value);
    ++all;
    const std::int32_t named = sheetNamed(env, value);
    if (named >= 0 && sheet < 0)
      sheet = named;
    else
      args.push_back(value);
  }
  const bool edge = callee == "edge", pair = callee == "rows" || callee == "columns";
  const std::size_t wanted = pair ? 2 : 1;
  if (args.size() != wanted) {
    report(DiagnosticCode::wrongArgumentCount, env, node,
           {callee, std::to_string(wanted), std::to_string(all)});
    return error(env, node);
  }
  std::vector<ExprId> operands;
  hir::Builtin which = hir::Builtin::edge;
  if (edge) {
    static const std::array<const char*, 4> words{"north", "south", "east", "west"};
    const auto word = std::find(words.begin(), words.end(), t.text(args[0]));
    if (word == words.end()) {
      report(DiagnosticCode::wordNotOneOf, env, args[0],
             {std::string(t.text(args[0])), "north, south, east, west"});
      return error(env, node);
    }
    operands = {constant(env, args[0], integer, word - words.begin())};
  } else {
    which = callee.starts_with("row") ? hir::Builtin::rows : hir::Builtin::columns;
    ExprId low = exprOf(env, args[0], integer);
    operands = {low, pair ? exprOf(env, args[1], integer) : low};
  }
  operands.push_back(constant(env, node, integer, sheet));
  ExprId e = make(env, node, ExprKind::builtin, hexSet, std::move(operands));
  at(e).op = static_cast<std::uint8_t>(which);
  return e;
}

/// `Edge between a and b`, `Site at h`, `Way at h`: the values of a terrain that stand there; -1 if the base
/// of the filter names no terrain.
ExprId Sema::terrainSet(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  const NodeId baseNode = t.child(node, Role::base), operandNode = t.child(node, Role::operand);
  const TokenKind op = t.op(node);
  if (t.kind(baseNode) != NodeKind::NameExpr || (op != TokenKind::kw_between && op != TokenKind::kw_at))
    return -1;
  const std::string wanted = t.nameOf(baseNode);
  for (const Env::Name& local : env.names)
    if (local.name == wanted) return -1;
  const auto* symbols = world().find(wanted);
  if (symbols == nullptr) return -1;
  for (const Symbol& s : *symbols) {
    using Terrain = EnumFacts::Terrain;
    if (s.kind != SymbolKind::enumeration) continue;
    const Terrain terrain = world().enumFacts[s.id].terrain;
    if (terrain == Terrain::no || terrain == Terrain::hex) continue;
    const Type hex = typeOf(TypeKind::hex), hexside = typeOf(TypeKind::hexside);
    hir::TerrainPlace place = hir::TerrainPlace::hexside;
    std::vector<ExprId> args;
    if (op == TokenKind::kw_between) {
      if (terrain == Terrain::feature) {
        report(DiagnosticCode::typeMismatch, env, baseNode, {"a feature", "a hexside or path"});
        return error(env, node);
      }
      const NodeId secondNode = t.child(node, Role::operand2);
      args = {exprOf(env, operandNode, hex), exprOf(env, secondNode, hex)};
      place = hir::TerrainPlace::path;
      if (terrain == Terrain::hexside) {
        ExprId side = make(env, node, ExprKind::builtin, optionalOf(hexside), args);
        at(side).op = static_cast<std::uint8_t>(hir::Builtin::hexsideBetween);
        args = {side};
        place = hir::TerrainPlace::hexside;
      }
    } else {
      const bool ofHexside = terrain == Terrain::hexside;
      args = {exprOf(env, operandNode, ofHexside ? hexside : hex)};
      place = ofHexside                     ? hir::TerrainPlace::hexside
              : terrain == Terrain::feature ? hir::TerrainPlace::feature
                                            : hir::TerrainPlace::through;
    }
    ExprId e =
        make(env, node, ExprKind::terrainValues, setOf(typeOf(TypeKind::enumeration, s.id)), std::move(args));
    at(e).op = static_cast<std::uint8_t>(place);
    at(e).index = world().enumFacts[s.id].mapColumn;
    return e;
  }
  return -1;
}

} // namespace hellwig
