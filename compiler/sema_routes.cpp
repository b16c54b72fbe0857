// SPDX-License-Identifier: Apache-2.0
// Typing of routes: their own items, those of amendments, and those that `like` copies.
#include "compiler/sema_internal.h"

#include <algorithm>
#include <set>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type integer{TypeKind::integer, 0, false, false};
constexpr Type fraction{TypeKind::fraction, 0, false, false};
constexpr Type hexType{TypeKind::hex, 0, false, false};
constexpr Type hexSet{TypeKind::hex, 0, true, false};

} // namespace

void Sema::routes() {
  for (std::size_t i = 0; i < hir().routes.size(); ++i) route(i);
}

/// A route's contributions in the order in which their clauses count: amendments (later layers first),
/// itself, copied ones.
static void gather(const Folded& folded, const Package& package, const std::vector<Part>& own,
                   std::int32_t decl, bool copied, std::vector<Part>& out, std::set<std::int32_t>& seen,
                   const std::function<std::vector<Part>(std::int32_t)>& partsOfDecl) {
  if (!seen.insert(decl).second) return;
  for (Part part : own) {
    part.copied = copied;
    out.push_back(part);
  }
  const FoldedDecl& d = folded.decls[static_cast<std::size_t>(decl)];
  const SyntaxTree& t = package.files[d.node.file].tree;
  NodeId base = t.child(d.node.node, Role::base);
  if (!valid(base)) return;
  std::string wanted = t.nameOf(base);
  for (std::size_t i = 0; i < folded.decls.size(); ++i) {
    const FoldedDecl& other = folded.decls[i];
    if (other.kind != NodeKind::RouteDecl || !other.inForce || other.name != wanted) continue;
    auto index = static_cast<std::int32_t>(i);
    gather(folded, package, partsOfDecl(index), index, true, out, seen, partsOfDecl);
    return;
  }
}

void Sema::route(std::size_t index) {
  hir::Route& route = hir().routes[index];
  const FoldedDecl& decl = folded_.decls[static_cast<std::size_t>(routeDecl_[index])];
  const SyntaxTree& declTree = tree(decl.node.file);
  std::vector<Part> parts;
  std::set<std::int32_t> seen;
  gather(folded_, package_, partsOf(decl, true), routeDecl_[index], false, parts, seen,
         [&](std::int32_t d) { return partsOf(folded_.decls[static_cast<std::size_t>(d)], true); });
  if (NodeId like = declTree.child(decl.node.node, Role::base); valid(like) && seen.size() < 2) {
    std::vector<std::string> known;
    for (const auto& [routeName, unused] : routesByName_)
      if (routeName != decl.name) known.push_back(routeName);
    std::sort(known.begin(), known.end());
    std::string near = nearest(declTree.nameOf(like), known);
    Diagnostic d(DiagnosticCode::unknownName, declTree.sharedSource(), declTree.range(like),
                 {declTree.nameOf(like), "route"});
    if (!near.empty()) d.fix = Fix{declTree.range(like), near, "did you mean `" + near + "`?"};
    report(std::move(d));
  }

  std::deque<Env> envs;
  std::vector<Waiver> waivers;
  Env root;
  root.file = decl.node.file;
  root.scope = &route.scope;
  route.origin = addLocal(root, "origin", hexType);
  route.spent = addLocal(root, "spent", fraction);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    envs.push_back(envFor(route.scope, parts[p].node, "route " + decl.name));
    NodeId body = tree(envs.back()).child(parts[p].node.node, Role::body);
    if (!parts[p].copied)
      route.marks = joinMarks(world(), route.marks, marks(envs.back(), parts[p].node.node));
    if (!parts[p].copied && !(parts[p].node == decl.node)) checkHead(parts[p].node, decl.node);
    collectWaivers(envs.back(), body, p, waivers);
  }
  auto applyWaivers = [&](std::vector<hir::Clause>& list, std::size_t p) {
    std::vector<Waiver> fitting;
    for (Waiver& w : waivers)
      if (!parts[w.part].copied || parts[p].copied) fitting.push_back(w);
    waive(list, p, fitting);
    for (const Waiver& f : fitting)
      for (Waiver& w : waivers)
        if (w.node == f.node && w.part == f.part) w.used = w.used || f.used;
  };
  auto waivedWhen = [&](ExprId when, std::uint16_t m, std::size_t p, Place place) {
    std::vector<Waiver> fitting;
    for (Waiver& w : waivers)
      if (!parts[w.part].copied || parts[p].copied) fitting.push_back(w);
    ExprId result = waived(when, m, p, fitting, place);
    for (const Waiver& f : fitting)
      for (Waiver& w : waivers)
        if (w.node == f.node && w.part == f.part) w.used = w.used || f.used;
    return result;
  };

  /// A figure that stands once: a later contribution (earlier in `parts`) replaces it and may call it
  /// `original`.
  auto figure = [&](Env& env, NodeId item, const hir::CostFigure& old, std::size_t p) {
    const SyntaxTree& t = tree(env);
    hir::CostFigure out;
    out.place = placeOf(env, item);
    out.marks = joinMarks(world(), marks(env, item), old.marks);
    NodeId value = t.child(item, Role::value), body = t.child(item, Role::body);
    if (t.kind(value) == NodeKind::Constant && t.op(value) == TokenKind::kw_unlimited) {
      out.unlimited = true;
      return out;
    }
    if (old.base >= 0 && old.steps.empty()) env.original = old.base;
    bool mentions = t.text(value).find("original") != std::string_view::npos;
    if (old.base < 0 && mentions && item != NodeId::none && t.kind(item) == NodeKind::Cost)
      env.original = constant(env, value, fraction, packRatio(1, 1));
    if (!old.steps.empty() && mentions) refuse(env, value, "original of a figure with steps");
    ExprId e = expr(env, value, fraction);
    env.original = -1;
    if (type(e).kind == TypeKind::nothing)
      e = constant(env, value, optionalOf(fraction), none);
    else
      e = coerce(env, e, optionalOf(fraction), value);
    out.base = e;
    out.marks = joinMarks(world(), out.marks, headingMarks(e));
    if (valid(body)) {
      out.steps = steps(env, body, fraction);
      for (hir::Step& s : out.steps) s.when = waivedWhen(s.when, s.marks, p, s.place);
    }
    return out;
  };

  auto stepOf = [&](std::int32_t column, std::int32_t value) -> std::size_t {
    for (std::size_t s = 0; s < route.edges.size(); ++s)
      if (route.edges[s].alongColumn == column && route.edges[s].alongValue == value) return s;
    route.edges.emplace_back();
    hir::RouteEdge& made = route.edges.back();
    made.alongColumn = column;
    made.alongValue = value;
    made.from = addLocal(root, "from", hexType);
    made.to = addLocal(root, "to", hexType);
    return route.edges.size() - 1;
  };
  /// Column and value of the path that a step follows, -1 and -1 without `along`; the value is unknownPath if
  /// there is none of that name.
  constexpr std::int32_t unknownPath = -2;
  auto pathOf = [&](Env& env, NodeId item, bool tell) -> std::pair<std::int32_t, std::int32_t> {
    const SyntaxTree& t = tree(env);
    NodeId along = t.child(item, Role::alongPath);
    if (!valid(along)) return {-1, -1};
    const std::string wanted = t.nameOf(along);
    std::pair<std::int32_t, std::int32_t> path{-1, unknownPath};
    std::vector<std::string> known;
    for (std::size_t e = 0; e < world().enumFacts.size(); ++e) {
      if (world().enumFacts[e].terrain != EnumFacts::Terrain::path) continue;
      const auto& names = world().module.enums[e].names;
      known.insert(known.end(), names.begin(), names.end());
      auto found = std::find(names.begin(), names.end(), wanted);
      if (found != names.end() && world().enumFacts[e].mapColumn >= 0)
        path = {world().enumFacts[e].mapColumn, static_cast<std::int32_t>(found - names.begin())};
    }
    if (path.second == unknownPath && tell) {
      Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, along, {wanted, "path"});
      if (std::string near = nearest(wanted, known); !near.empty())
        d.fix = Fix{t.range(along), near, "did you mean `" + near + "`?"};
      report(std::move(d));
    }
    return path;
  };
  auto travelling = [&](Env& env) {
    env.names.push_back({"origin", route.origin});
    env.names.push_back({"spent", route.spent});
  };
  // Figures that stand once are built from the innermost contribution outwards.
  for (std::size_t p = parts.size(); p-- > 0;) {
    Env& env = envs[p];
    const SyntaxTree& t = tree(env);
    NodeId body = t.child(parts[p].node.node, Role::body);
    if (!valid(body)) continue;
    for (NodeId item : t.children(body, Role::item)) {
      if (faulty(env, item)) continue;
      switch (t.kind(item)) {
      case NodeKind::Budget: route.budget = figure(env, item, route.budget, p); break;
      case NodeKind::Start:
        route.start = coerce(env, setExpr(env, t.child(item, Role::value), hexSet), hexSet, item);
        break;
      case NodeKind::Length: {
        env.original = route.length;
        route.length = exprOf(env, t.child(item, Role::value), integer);
        env.original = -1;
        break;
      }
      case NodeKind::Minimum: {
        route.minimumOneStep = true;
        NodeId when = t.child(item, Role::when);
        route.minimumWhen = valid(when) ? condition(env, when) : -1;
        break;
      }
      case NodeKind::RouteStep: {
        auto [column, value] = pathOf(env, item, true);
        if (value == unknownPath) break;
        std::size_t s = stepOf(column, value);
        NodeId stepBody = t.child(item, Role::body);
        if (!valid(stepBody)) break;
        std::size_t names = env.names.size();
        travelling(env);
        env.names.push_back({t.nameOf(t.child(item, Role::from)), route.edges[s].from});
        env.names.push_back({t.nameOf(t.child(item, Role::to)), route.edges[s].to});
        if (route.hasMover) env.hexOf.push_back({0, route.edges[s].from});
        for (NodeId inner : t.children(stepBody, Role::item))
          if (t.kind(inner) == NodeKind::Cost && !faulty(env, inner)) {
            hir::CostFigure made = figure(env, inner, route.edges[s].cost, p);
            route.edges[s].cost = std::move(made);
          }
        if (route.hasMover) env.hexOf.pop_back();
        env.names.resize(names);
        break;
      }
      default: break;
      }
    }
  }

  // Clauses add up: those of later layers stand in front.
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Env& env = envs[p];
    const SyntaxTree& t = tree(env);
    NodeId body = t.child(parts[p].node.node, Role::body);
    if (!valid(body)) continue;
    for (NodeId item : t.children(body, Role::item)) {
      if (faulty(env, item)) continue;
      switch (t.kind(item)) {
      case NodeKind::Over:
        for (NodeId field : t.children(item, Role::name))
          if (t.nameOf(field) != "hex") refuse(env, field, "over " + t.nameOf(field));
        break;
      case NodeKind::RouteStep: {
        auto [column, value] = pathOf(env, item, false); // told above if there is no such path
        if (value == unknownPath) break;
        std::size_t s = stepOf(column, value);
        NodeId stepBody = t.child(item, Role::body);
        if (!valid(stepBody)) break;
        std::size_t names = env.names.size(), facts = env.facts.size();
        travelling(env);
        env.names.push_back({t.nameOf(t.child(item, Role::from)), route.edges[s].from});
        env.names.push_back({t.nameOf(t.child(item, Role::to)), route.edges[s].to});
        if (route.hasMover) env.hexOf.push_back({0, route.edges[s].from});
        std::vector<hir::Clause> list;
        for (NodeId inner : t.children(stepBody, Role::item)) {
          if (faulty(env, inner)) continue;
          switch (t.kind(inner)) {
          case NodeKind::Cost: break;
          case NodeKind::Stop: {
            hir::Stop stop;
            stop.place = placeOf(env, inner);
            if (NodeId when = t.child(inner, Role::when); valid(when)) stop.when = condition(env, when);
            if (NodeId reason = t.child(inner, Role::text); valid(reason)) stop.reason = text(env, reason);
            stop.marks = joinMarks(world(), marks(env, inner), headingMarks(stop.when));
            stop.when = waivedWhen(stop.when, stop.marks, p, stop.place);
            route.edges[s].stops.push_back(stop);
            break;
          }
          case NodeKind::Effect: refuse(env, inner, "effect"); break;
          case NodeKind::Prefer: route.edges[s].prefer.push_back(prefer(env, inner)); break;
          default: {
            hir::Clause c;
            if (clause(env, inner, c)) list.push_back(std::move(c));
          }
          }
        }
        route.edges[s].marks = joinMarks(world(), route.edges[s].marks, marks(env, item));
        if (route.hasMover) env.hexOf.pop_back();
        env.names.resize(names);
        env.facts.resize(std::min(facts, env.facts.size()));
        applyWaivers(list, p);
        for (hir::Clause& c : list) route.edges[s].clauses.push_back(std::move(c));
        break;
      }
      case NodeKind::RouteTurn: refuse(env, item, "turn by"); break;
      case NodeKind::RouteAction: refuse(env, item, "action in a route"); break;
      case NodeKind::RouteEnd: {
        if (route.endHex < 0) route.endHex = addLocal(root, "end", hexType);
        NodeId endBody = t.child(item, Role::body);
        if (!valid(endBody)) break;
        std::size_t names = env.names.size(), facts = env.facts.size();
        travelling(env);
        env.names.push_back({t.nameOf(item), route.endHex});
        if (route.hasMover) env.hexOf.push_back({0, route.endHex});
        std::vector<hir::Clause> list;
        for (NodeId inner : t.children(endBody, Role::item)) {
          if (faulty(env, inner)) continue;
          if (t.kind(inner) == NodeKind::Prefer) {
            route.endPrefer.push_back(prefer(env, inner));
            continue;
          }
          hir::Clause c;
          if (!clause(env, inner, c)) continue;
          c.marks = joinMarks(world(), c.marks, marks(env, item));
          list.push_back(std::move(c));
        }
        if (route.hasMover) env.hexOf.pop_back();
        env.names.resize(names);
        env.facts.resize(std::min(facts, env.facts.size()));
        applyWaivers(list, p);
        for (hir::Clause& c : list) route.endClauses.push_back(std::move(c));
        break;
      }
      case NodeKind::Goal: {
        if (route.goalHex < 0) route.goalHex = addLocal(root, "goal", hexType);
        std::size_t names = env.names.size();
        travelling(env);
        env.names.push_back({t.nameOf(item), route.goalHex});
        ExprId c = condition(env, t.child(item, Role::when));
        route.goal = route.goal < 0 ? c : make(env, item, ExprKind::and_, boolean, {route.goal, c});
        env.names.resize(names);
        break;
      }
      case NodeKind::RouteHook: {
        NodeId point = t.child(item, Role::point);
        if (t.op(point) != TokenKind::kw_step && t.op(point) != TokenKind::kw_each) {
          refuse(env, point, "a hook on " + std::string(spelling(t.op(point))));
          break;
        }
        hir::Route::Hook hook;
        hook.before = t.op(item) == TokenKind::kw_before;
        std::size_t names = env.names.size();
        travelling(env);
        if (NodeId from = t.child(point, Role::from); valid(from)) {
          hook.from = addLocal(root, t.nameOf(from), hexType);
          hook.to = addLocal(root, t.nameOf(t.child(point, Role::to)), hexType);
          env.names.push_back({t.nameOf(from), hook.from});
          env.names.push_back({t.nameOf(t.child(point, Role::to)), hook.to});
        }
        env.pure = false;
        env.inHook = true;
        const std::vector<Fact> around = env.facts;
        if (NodeId when = t.child(item, Role::when); valid(when)) {
          hook.when = condition(env, when);
          learn(env, hook.when, true);
        }
        hook.body = block(env, t.child(item, Role::body));
        env.facts = around;
        env.pure = true;
        env.inHook = false;
        env.names.resize(names);
        route.hooks.push_back(hook);
        break;
      }
      case NodeKind::Also: {
        if (parts[p].copied) break;
        NodeId callNode = t.child(item, Role::call);
        std::vector<ExprId> args;
        std::int32_t other = resolveRoute(env, callNode, args);
        if (other < 0) break;
        bool same = args.size() == route.scope.parameters;
        for (std::size_t a = 0; a < args.size() && same; ++a)
          same = at(args[a]).kind == ExprKind::local && at(args[a]).local == static_cast<LocalId>(a);
        if (!same) {
          refuse(env, callNode, "also with other arguments than those of the route");
          break;
        }
        marks(env, item);
        if (std::none_of(route.also.begin(), route.also.end(),
                         [&](const hir::Also& way) { return way.route == other; }))
          route.also.push_back({other, {}});
        break;
      }
      case NodeKind::Clause:
      case NodeKind::ForEach:
      case NodeKind::Through:
      case NodeKind::Across: {
        hir::Clause c;
        if (!clause(env, item, c)) break;
        std::vector<hir::Clause> list;
        list.push_back(std::move(c));
        applyWaivers(list, p);
        route.clauses.push_back(std::move(list.front()));
        break;
      }
      default: break;
      }
    }
  }
  const auto& uses = useCounts_[&route.scope];
  route.readsOrigin = static_cast<std::size_t>(route.origin) < uses.size() &&
                      uses[static_cast<std::size_t>(route.origin)] != 0;
  std::vector<Waiver> own;
  for (Waiver& w : waivers)
    if (!parts[w.part].copied) own.push_back(w);
  reportUnusedWaivers(own);
  bool named = false; // a step along what is no path has been told
  for (const Part& p : parts)
    if (NodeId items = tree(p.node.file).child(p.node.node, Role::body); valid(items))
      for (NodeId item : tree(p.node.file).children(items, Role::item))
        named = named || tree(p.node.file).kind(item) == NodeKind::RouteStep;
  if (route.edges.empty() && !named && std::none_of(parts.begin(), parts.end(), [&](const Part& p) {
        return tree(p.node.file).has(p.node.node, NodeFlags::faulty);
      })) {
    NodeId nameNode = declTree.child(decl.node.node, Role::name);
    report(Diagnostic(DiagnosticCode::incompleteRule, declTree.sharedSource(), declTree.range(nameNode),
                      {"the route", "it has no `step from a to b { .. }`"}));
  }
}

} // namespace hellwig
