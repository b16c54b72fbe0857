// SPDX-License-Identifier: Apache-2.0
// Typing of routes: their own items, those of amendments, and those that `like` copies.
#include "compiler/sema_internal.h"

#include <algorithm>
#include <deque>
#include <functional>
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

/// Types one route. Figures that stand once are made from the innermost contribution outwards, so that each
/// may call what it replaces `original`; clauses add up, those of later layers in front.
class RouteTyping {
public:
  RouteTyping(Sema& owner, std::size_t index)
      : sema(owner), index_(index), route(owner.hir().routes[index]),
        decl(owner.folded_.decls[static_cast<std::size_t>(owner.routeDecl_[index])]) {}

  void run();

private:
  using Item = std::function<void(Env&, NodeId, std::size_t)>;
  static constexpr std::int32_t unknownPath = -2;

  const SyntaxTree& tree(const Env& env) const { return sema.tree(env); }
  void contributions();
  void forEachItem(std::size_t part, const Item& work);
  void over();
  void figures();
  void clausesOf(std::size_t part);
  void effects();
  void finish();
  hir::CostFigure figure(Env& env, NodeId item, const hir::CostFigure& old, std::size_t part);
  void allowUnlimited(Env& env, NodeId value);
  bool needsMover(const Env& env, NodeId item, const std::string& what);

  // ---- edges
  std::pair<std::int32_t, std::int32_t> pathOf(Env& env, NodeId item, bool tell);
  /// The place of the edges of an item, made if it is new; -1 if the item is faulty.
  std::int32_t edgeOf(Env& env, NodeId item, bool tell);
  /// Runs `work` with the names that the clauses of an edge may use.
  template<class Work> void withinEdge(Env& env, NodeId item, std::size_t edge, bool readsNode, Work work);
  template<class Work> void travelling(Env& env, Work work);
  void edgeItems(Env& env, NodeId item, std::size_t part);
  void hook(Env& env, NodeId item);
  void also(Env& env, NodeId item);
  bool onlyOver(StmtId id) const;

  // ---- waivers
  std::vector<Sema::Waiver> fitting(std::size_t part) const;
  void noteUses(const std::vector<Sema::Waiver>& used);
  void applyWaivers(std::vector<hir::Clause>& list, std::size_t part);
  ExprId waivedWhen(ExprId when, std::uint16_t marks, std::size_t part, Place place);

  Sema& sema;
  std::size_t index_;
  hir::Route& route;
  const FoldedDecl& decl;
  std::vector<Part> parts;
  std::deque<Env> envs;
  std::vector<Sema::Waiver> waivers;
  Env root;
};

void Sema::route(std::size_t index) {
  RouteTyping(*this, index).run();
}

// ---- Contributions

void RouteTyping::contributions() {
  std::set<std::int32_t> seen;
  const auto own = sema.routeDecl_[index_];
  gather(sema.folded_, sema.package_, sema.partsOf(decl, true), own, false, parts, seen,
         [&](std::int32_t d) { return sema.partsOf(sema.folded_.decls[static_cast<std::size_t>(d)], true); });
  const SyntaxTree& declTree = sema.tree(decl.node.file);
  if (NodeId like = declTree.child(decl.node.node, Role::base); valid(like) && seen.size() < 2) {
    std::vector<std::string> known;
    for (const auto& [routeName, unused] : sema.routesByName_)
      if (routeName != decl.name) known.push_back(routeName);
    std::sort(known.begin(), known.end());
    std::string near = nearest(declTree.nameOf(like), known);
    Diagnostic d(DiagnosticCode::unknownName, declTree.sharedSource(), declTree.range(like),
                 {declTree.nameOf(like), "route"});
    if (!near.empty()) d.fix = Fix{declTree.range(like), near, "did you mean `" + near + "`?"};
    sema.report(std::move(d));
  }
  root.file = decl.node.file;
  root.scope = &route.scope;
  route.origin = sema.addLocal(root, "origin", hexType);
  route.spent = sema.addLocal(root, "spent", fraction);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    envs.push_back(sema.envFor(route.scope, parts[p].node, "route " + decl.name));
    NodeId body = tree(envs.back()).child(parts[p].node.node, Role::body);
    if (!parts[p].copied)
      route.marks = joinMarks(sema.world(), route.marks, sema.marks(envs.back(), parts[p].node.node));
    if (!parts[p].copied && !(parts[p].node == decl.node)) sema.checkHead(parts[p].node, decl.node);
    sema.collectWaivers(envs.back(), body, p, waivers);
  }
}

void RouteTyping::forEachItem(std::size_t part, const Item& work) {
  Env& env = envs[part];
  NodeId body = tree(env).child(parts[part].node.node, Role::body);
  if (!valid(body)) return;
  for (NodeId item : tree(env).children(body, Role::item))
    if (!sema.faulty(env, item)) work(env, item, part);
}

std::vector<Sema::Waiver> RouteTyping::fitting(std::size_t part) const {
  std::vector<Sema::Waiver> out;
  for (const Sema::Waiver& w : waivers)
    if (!parts[w.part].copied || parts[part].copied) out.push_back(w);
  return out;
}
void RouteTyping::noteUses(const std::vector<Sema::Waiver>& used) {
  for (const Sema::Waiver& f : used)
    for (Sema::Waiver& w : waivers)
      if (w.node == f.node && w.part == f.part) w.used = w.used || f.used;
}
void RouteTyping::applyWaivers(std::vector<hir::Clause>& list, std::size_t part) {
  std::vector<Sema::Waiver> those = fitting(part);
  sema.waive(list, part, those);
  noteUses(those);
}
ExprId RouteTyping::waivedWhen(ExprId when, std::uint16_t marks, std::size_t part, Place place) {
  std::vector<Sema::Waiver> those = fitting(part);
  ExprId result = sema.waived(when, marks, part, those, place);
  noteUses(those);
  return result;
}

template<class Work> void RouteTyping::travelling(Env& env, Work work) {
  const std::size_t names = env.names.size(), facts = env.facts.size();
  env.names.push_back({"origin", route.origin});
  env.names.push_back({"spent", route.spent});
  work();
  env.names.resize(names);
  env.facts.resize(std::min(facts, env.facts.size()));
}

bool RouteTyping::needsMover(const Env& env, NodeId item, const std::string& what) {
  if (route.hasMover) return true;
  sema.report(DiagnosticCode::routeWithoutMover, env, item, {what});
  return false;
}

// ---- Nodes

/// The fields that make up a node; the contribution that counts first says it.
void RouteTyping::over() {
  bool said = false;
  for (std::size_t p = 0; p < parts.size() && !said; ++p)
    forEachItem(p, [&](Env& env, NodeId item, std::size_t) {
      const SyntaxTree& t = tree(env);
      if (t.kind(item) != NodeKind::Over) return;
      said = true;
      for (NodeId field : t.children(item, Role::name)) {
        const std::string name = t.nameOf(field);
        if (name == "hex") continue;
        if (!needsMover(env, field, "`over " + name + "`")) return;
        if (name == "came_from") {
          route.overCameFrom = true;
          continue;
        }
        const Type mover = route.scope.locals[0].type;
        const std::int32_t column = sema.world().columnOf(mover, name);
        const bool state = column >= 0 &&
                           !sema.world().module.columns[static_cast<std::size_t>(column)].constant &&
                           sema.world().module.columns[static_cast<std::size_t>(column)].setWords == 0;
        if (!state) {
          sema.report(DiagnosticCode::noNodeField, env, field, {name, sema.name(mover)});
          continue;
        }
        const auto id = static_cast<std::uint16_t>(column);
        if (std::find(route.over.begin(), route.over.end(), id) != route.over.end()) continue;
        if (name == "facing") route.facing = static_cast<std::int32_t>(route.over.size());
        route.over.push_back(id);
      }
    });
  route.byNodes = route.overCameFrom || !route.over.empty();
}

// ---- Figures

/// Where `unlimited` may stand: as the whole budget, as a branch of an `if`, behind `otherwise`.
void RouteTyping::allowUnlimited(Env& env, NodeId value) {
  const SyntaxTree& t = tree(env);
  if (!valid(value)) return;
  switch (t.kind(value)) {
  case NodeKind::Paren: return allowUnlimited(env, t.child(value, Role::value));
  case NodeKind::If:
    allowUnlimited(env, t.child(value, Role::then));
    return allowUnlimited(env, t.child(value, Role::elseBody));
  case NodeKind::Otherwise: return allowUnlimited(env, t.child(value, Role::right));
  case NodeKind::Constant:
    if (t.op(value) == TokenKind::kw_unlimited) env.unlimited.push_back(value);
    return;
  default: return;
  }
}

/// A figure that stands once replaces `old`, which is `original` in it.
hir::CostFigure RouteTyping::figure(Env& env, NodeId item, const hir::CostFigure& old, std::size_t p) {
  const SyntaxTree& t = tree(env);
  hir::CostFigure out;
  out.place = sema.placeOf(env, item);
  out.marks = joinMarks(sema.world(), sema.marks(env, item), old.marks);
  NodeId value = t.child(item, Role::value), body = t.child(item, Role::body);
  const bool budget = t.kind(item) == NodeKind::Budget;
  if (budget && t.kind(value) == NodeKind::Constant && t.op(value) == TokenKind::kw_unlimited) {
    out.unlimited = true;
    return out;
  }
  const bool mentions = t.text(value).find("original") != std::string_view::npos;
  if (old.unlimited)
    env.original = sema.constant(env, value, fraction, unlimitedWord);
  else if (old.base >= 0 && old.steps.empty())
    env.original = old.base;
  else if (old.base >= 0 && mentions) {
    // With its steps it is a figure of its own; all that it reads hangs on the expression, too.
    std::vector<ExprId> args{old.base};
    if (sema.type(old.base).kind == TypeKind::integer) args[0] = sema.toFraction(env, value, old.base);
    for (const hir::Step& step : old.steps) {
      args.push_back(step.operand);
      args.push_back(step.when);
    }
    env.original = sema.make(env, value, ExprKind::stepped,
                             sema.type(old.base).optional ? optionalOf(fraction) : fraction, std::move(args));
    sema.at(env.original).index = static_cast<std::int32_t>(sema.hir().figures.size());
    sema.hir().figures.push_back(old);
  } else if (old.base < 0 && mentions && !budget)
    env.original =
        sema.constant(env, value, fraction, packRatio(1, 1)); // what a step costs unless it is said
  if (budget) allowUnlimited(env, value);
  ExprId e = sema.expr(env, value, fraction);
  env.unlimited.clear();
  env.original = -1;
  if (sema.type(e).kind == TypeKind::nothing)
    e = sema.constant(env, value, optionalOf(fraction), none);
  else
    e = sema.coerce(env, e, optionalOf(fraction), value);
  out.base = e;
  out.marks = joinMarks(sema.world(), out.marks, sema.headingMarks(e));
  if (valid(body)) {
    out.steps = sema.steps(env, body, optionalOf(fraction)); // none: barred
    for (hir::Step& s : out.steps) s.when = waivedWhen(s.when, s.marks, p, s.place);
  }
  return out;
}

void RouteTyping::figures() {
  for (std::size_t p = parts.size(); p-- > 0;)
    forEachItem(p, [&](Env& env, NodeId item, std::size_t) {
      const SyntaxTree& t = tree(env);
      switch (t.kind(item)) {
      case NodeKind::Budget: {
        const std::size_t names = env.names.size();
        env.names.push_back({"origin", route.origin});
        route.budget = figure(env, item, route.budget, p);
        env.names.resize(names);
        break;
      }
      case NodeKind::Start:
        route.start = sema.coerce(env, sema.setExpr(env, t.child(item, Role::value), hexSet), hexSet, item);
        break;
      case NodeKind::Length:
        env.original = route.length;
        route.length = sema.exprOf(env, t.child(item, Role::value), integer);
        env.original = -1;
        break;
      case NodeKind::Minimum: {
        route.minimumOneStep = true;
        NodeId when = t.child(item, Role::when);
        route.minimumWhen = valid(when) ? sema.condition(env, when) : -1;
        break;
      }
      default: break;
      }
    });
  const auto& uses = sema.useCounts_[&route.scope];
  const auto origin = static_cast<std::size_t>(route.origin);
  route.budgetReadsOrigin = origin < uses.size() && uses[origin] != 0;
  route.byNodes = route.byNodes || route.budgetReadsOrigin;
  for (std::size_t p = parts.size(); p-- > 0;)
    forEachItem(p, [&](Env& env, NodeId item, std::size_t) {
      const SyntaxTree& t = tree(env);
      const std::int32_t at = edgeOf(env, item, true);
      if (at < 0) return;
      const auto edge = static_cast<std::size_t>(at);
      NodeId body = t.child(item, Role::body);
      if (!valid(body)) return;
      withinEdge(env, item, edge, true, [&] {
        for (NodeId inner : t.children(body, Role::item))
          if (t.kind(inner) == NodeKind::Cost && !sema.faulty(env, inner)) {
            hir::CostFigure made = figure(env, inner, route.edges[edge].cost, p);
            route.edges[edge].cost = std::move(made);
          }
      });
    });
}

// ---- Edges

/// Column and value of the path that a step follows, -1 and -1 without `along`; the value is unknownPath if
/// there is none of that name.
std::pair<std::int32_t, std::int32_t> RouteTyping::pathOf(Env& env, NodeId item, bool tell) {
  const SyntaxTree& t = tree(env);
  NodeId along = t.child(item, Role::alongPath);
  if (!valid(along)) return {-1, -1};
  const std::string wanted = t.nameOf(along);
  std::pair<std::int32_t, std::int32_t> path{-1, unknownPath};
  std::vector<std::string> known;
  for (std::size_t e = 0; e < sema.world().enumFacts.size(); ++e) {
    if (sema.world().enumFacts[e].terrain != EnumFacts::Terrain::path) continue;
    const auto& names = sema.world().module.enums[e].names;
    known.insert(known.end(), names.begin(), names.end());
    auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end() && sema.world().enumFacts[e].mapColumn >= 0)
      path = {sema.world().enumFacts[e].mapColumn, static_cast<std::int32_t>(found - names.begin())};
  }
  if (path.second == unknownPath && tell) {
    Diagnostic d = sema.diagnostic(DiagnosticCode::unknownName, env, along, {wanted, "path"});
    if (std::string near = nearest(wanted, known); !near.empty())
      d.fix = Fix{t.range(along), near, "did you mean `" + near + "`?"};
    sema.report(std::move(d));
  }
  return path;
}

std::int32_t RouteTyping::edgeOf(Env& env, NodeId item, bool tell) {
  const SyntaxTree& t = tree(env);
  hir::RouteEdge wanted;
  switch (t.kind(item)) {
  case NodeKind::RouteStep: {
    std::tie(wanted.alongColumn, wanted.alongValue) = pathOf(env, item, tell);
    if (wanted.alongValue == unknownPath) return -1;
    break;
  }
  case NodeKind::RouteTurn: wanted.kind = EdgeKind::turn; break;
  case NodeKind::RouteAction:
    wanted.kind = EdgeKind::action;
    wanted.name = t.nameOf(t.child(item, Role::name));
    break;
  default: return -1;
  }
  std::size_t at = 0;
  for (; at < route.edges.size(); ++at) {
    const hir::RouteEdge& e = route.edges[at];
    if (e.kind == wanted.kind && e.name == wanted.name && e.alongColumn == wanted.alongColumn &&
        e.alongValue == wanted.alongValue)
      break;
  }
  if (tell && wanted.kind == EdgeKind::turn) {
    if (!needsMover(env, item, "`turn by`")) return -1;
    if (route.facing < 0) {
      sema.report(DiagnosticCode::turnWithoutFacing, env, t.child(item, Role::name));
      return -1;
    }
  }
  if (tell && wanted.kind == EdgeKind::action && !needsMover(env, item, "`action`")) return -1;
  if (at == route.edges.size()) {
    if (!tell) return -1;
    switch (wanted.kind) {
    case EdgeKind::turn: wanted.from = sema.addLocal(root, "n", integer); break;
    case EdgeKind::action: break;
    default:
      wanted.from = sema.addLocal(root, "from", hexType);
      wanted.to = sema.addLocal(root, "to", hexType);
    }
    route.edges.push_back(std::move(wanted));
  }
  hir::RouteEdge& made = route.edges[at];
  route.byNodes = route.byNodes || made.kind != EdgeKind::step;
  if (NodeId from = t.child(item, Role::from); tell && made.kind == EdgeKind::action && valid(from)) {
    ExprId choices = -1;
    travelling(env, [&] { choices = sema.setExpr(env, from); });
    hir::RouteEdge& action = route.edges[at];
    if (sema.type(choices).kind == TypeKind::error) { // told already; what reads x is not told again
      if (action.from < 0) action.from = sema.addLocal(root, t.nameOf(t.child(item, Role::to)), Type{});
      return static_cast<std::int32_t>(at);
    }
    const Type element = certain(elementOf(sema.type(choices)));
    if (element.kind == TypeKind::path) {
      sema.report(DiagnosticCode::typeMismatch, env, from,
                  {sema.name(sema.type(choices)), "a set of things"});
      return -1;
    }
    action.choices = choices;
    if (action.from < 0 || route.scope.locals[static_cast<std::size_t>(action.from)].type != element)
      action.from = sema.addLocal(root, t.nameOf(t.child(item, Role::to)), element);
  }
  return static_cast<std::int32_t>(at);
}

/// `readsNode`: it reads the node that the edge leaves, so that the mover's hex is the a of a step.
template<class Work>
void RouteTyping::withinEdge(Env& env, NodeId item, std::size_t at, bool readsNode, Work work) {
  const SyntaxTree& t = tree(env);
  const hir::RouteEdge& edge = route.edges[at];
  travelling(env, [&] {
    switch (edge.kind) {
    case EdgeKind::turn: env.names.push_back({t.nameOf(t.child(item, Role::name)), edge.from}); break;
    case EdgeKind::action:
      if (NodeId to = t.child(item, Role::to); valid(to) && edge.from >= 0)
        env.names.push_back({t.nameOf(to), edge.from});
      break;
    default:
      env.names.push_back({t.nameOf(t.child(item, Role::from)), edge.from});
      env.names.push_back({t.nameOf(t.child(item, Role::to)), edge.to});
    }
    const bool alias = readsNode && edge.kind == EdgeKind::step && route.hasMover;
    if (alias) env.hexOf.push_back({0, edge.from});
    work();
    if (alias) env.hexOf.pop_back();
  });
}

void RouteTyping::edgeItems(Env& env, NodeId item, std::size_t p) {
  const SyntaxTree& t = tree(env);
  const std::int32_t found = edgeOf(env, item, false);
  if (found < 0) return;
  const auto at = static_cast<std::size_t>(found);
  route.edges[at].marks = joinMarks(sema.world(), route.edges[at].marks, sema.marks(env, item));
  NodeId body = t.child(item, Role::body);
  if (!valid(body)) return;
  std::vector<hir::Clause> list;
  withinEdge(env, item, at, true, [&] {
    for (NodeId inner : t.children(body, Role::item)) {
      if (sema.faulty(env, inner)) continue;
      switch (t.kind(inner)) {
      case NodeKind::Cost:
      case NodeKind::Effect: break;
      case NodeKind::Stop: {
        hir::Stop stop;
        stop.place = sema.placeOf(env, inner);
        if (NodeId when = t.child(inner, Role::when); valid(when)) stop.when = sema.condition(env, when);
        if (NodeId reason = t.child(inner, Role::text); valid(reason)) stop.reason = sema.text(env, reason);
        stop.marks = joinMarks(sema.world(), sema.marks(env, inner), sema.headingMarks(stop.when));
        stop.when = waivedWhen(stop.when, stop.marks, p, stop.place);
        route.edges[at].stops.push_back(stop);
        break;
      }
      case NodeKind::Prefer: route.edges[at].prefer.push_back(sema.prefer(env, inner)); break;
      default: {
        hir::Clause c;
        if (sema.clause(env, inner, c)) list.push_back(std::move(c));
      }
      }
    }
  });
  applyWaivers(list, p);
  for (hir::Clause& c : list) route.edges[at].clauses.push_back(std::move(c));
}

/// Whether a statement sets `over` fields of the mover alone, so that a search can follow it.
bool RouteTyping::onlyOver(StmtId id) const {
  if (id < 0) return true;
  const hir::Stmt& s = sema.hir().stmts[static_cast<std::size_t>(id)];
  const auto mover = [&](ExprId e) {
    while (sema.at(e).kind == ExprKind::assume) e = sema.at(e).args[0];
    return sema.at(e).kind == ExprKind::local && sema.at(e).local == 0;
  };
  switch (s.kind) {
  case hir::StmtKind::block:
    return std::all_of(s.statements.begin(), s.statements.end(),
                       [&](StmtId inner) { return onlyOver(inner); });
  case hir::StmtKind::nothing:
  case hir::StmtKind::let:
  case hir::StmtKind::setLocal: return true;
  case hir::StmtKind::if_: return onlyOver(s.body) && onlyOver(s.other);
  case hir::StmtKind::match:
    return onlyOver(s.other) && std::all_of(s.arms.begin(), s.arms.end(),
                                            [&](const hir::MatchArm& arm) { return onlyOver(arm.body); });
  case hir::StmtKind::setHex: return mover(s.exprs[0]);
  case hir::StmtKind::setColumn:
    return mover(s.exprs[0]) && std::find(route.over.begin(), route.over.end(), s.index) != route.over.end();
  default: return false;
  }
}

/// Effects act in the order of the layers: the last has the last word.
void RouteTyping::effects() {
  for (std::size_t p = parts.size(); p-- > 0;)
    forEachItem(p, [&](Env& env, NodeId item, std::size_t) {
      const SyntaxTree& t = tree(env);
      const std::int32_t found = edgeOf(env, item, false);
      NodeId body = t.child(item, Role::body);
      if (found < 0 || !valid(body)) return;
      const auto at = static_cast<std::size_t>(found);
      for (NodeId inner : t.children(body, Role::item)) {
        if (t.kind(inner) != NodeKind::Effect || sema.faulty(env, inner)) continue;
        if (!needsMover(env, inner, "`effect`")) continue;
        sema.marks(env, inner);
        withinEdge(env, item, at, false, [&] {
          env.pure = false;
          env.effectOf = &route;
          StmtId statements = sema.block(env, t.child(inner, Role::body));
          env.effectOf = nullptr;
          env.pure = true;
          hir::RouteEdge& edge = route.edges[at];
          edge.effects.push_back(statements);
          edge.endsSearch = edge.endsSearch || !onlyOver(statements);
          route.byNodes = true;
        });
      }
    });
}

// ---- Hooks, other ways, ends

void RouteTyping::hook(Env& env, NodeId item) {
  const SyntaxTree& t = tree(env);
  NodeId point = t.child(item, Role::point);
  hir::Route::Hook hook;
  hook.before = t.op(item) == TokenKind::kw_before;
  switch (t.op(point)) {
  case TokenKind::kw_each: hook.each = true; break;
  case TokenKind::kw_turn: hook.kind = EdgeKind::turn; break;
  case TokenKind::kw_action: hook.kind = EdgeKind::action; break;
  default: break;
  }
  travelling(env, [&] {
    if (NodeId from = t.child(point, Role::from); valid(from)) {
      hook.from = sema.addLocal(root, t.nameOf(from), hexType);
      hook.to = sema.addLocal(root, t.nameOf(t.child(point, Role::to)), hexType);
      env.names.push_back({t.nameOf(from), hook.from});
      env.names.push_back({t.nameOf(t.child(point, Role::to)), hook.to});
    }
    env.pure = false;
    env.inHook = true;
    if (NodeId when = t.child(item, Role::when); valid(when)) {
      hook.when = sema.condition(env, when);
      sema.learn(env, hook.when, true);
    }
    hook.body = sema.block(env, t.child(item, Role::body));
    env.pure = true;
    env.inHook = false;
  });
  route.hooks.push_back(hook);
}

void RouteTyping::also(Env& env, NodeId item) {
  const SyntaxTree& t = tree(env);
  NodeId call = t.child(item, Role::call);
  hir::Also way;
  way.route = sema.resolveRoute(env, call, way.args);
  if (way.route < 0) return;
  sema.marks(env, item);
  const auto handsOn = [&](std::size_t a) {
    return a < way.args.size() && sema.at(way.args[a]).kind == ExprKind::local &&
           sema.at(way.args[a]).local == static_cast<LocalId>(a);
  };
  const hir::Route& other = sema.hir().routes[static_cast<std::size_t>(way.route)];
  if (other.hasMover != route.hasMover || (route.hasMover && !handsOn(0))) {
    sema.report(
        DiagnosticCode::alsoOtherMover, env, call,
        {route.hasMover ? "its first argument must be " + route.scope.locals[0].name : "it may have none"});
    return;
  }
  bool same = way.args.size() == route.scope.parameters;
  for (std::size_t a = 0; a < way.args.size() && same; ++a) same = handsOn(a);
  if (same) way.args.clear();
  const auto already = [&](const hir::Also& one) { return one.route == way.route && one.args == way.args; };
  if (std::none_of(route.also.begin(), route.also.end(), already)) route.also.push_back(std::move(way));
}

void RouteTyping::clausesOf(std::size_t part) {
  forEachItem(part, [&](Env& env, NodeId item, std::size_t p) {
    const SyntaxTree& t = tree(env);
    switch (t.kind(item)) {
    case NodeKind::RouteStep:
    case NodeKind::RouteTurn:
    case NodeKind::RouteAction: edgeItems(env, item, p); break;
    case NodeKind::RouteEnd: {
      if (route.endHex < 0) route.endHex = sema.addLocal(root, "end", hexType);
      NodeId body = t.child(item, Role::body);
      if (!valid(body)) break;
      std::vector<hir::Clause> list;
      travelling(env, [&] {
        env.names.push_back({t.nameOf(item), route.endHex});
        if (route.hasMover) env.hexOf.push_back({0, route.endHex});
        for (NodeId inner : t.children(body, Role::item)) {
          if (sema.faulty(env, inner)) continue;
          if (t.kind(inner) == NodeKind::Prefer) {
            route.endPrefer.push_back(sema.prefer(env, inner));
            continue;
          }
          hir::Clause c;
          if (!sema.clause(env, inner, c)) continue;
          c.marks = joinMarks(sema.world(), c.marks, sema.marks(env, item));
          list.push_back(std::move(c));
        }
        if (route.hasMover) env.hexOf.pop_back();
      });
      applyWaivers(list, p);
      for (hir::Clause& c : list) route.endClauses.push_back(std::move(c));
      break;
    }
    case NodeKind::Goal:
      if (route.goalHex < 0) route.goalHex = sema.addLocal(root, "goal", hexType);
      travelling(env, [&] {
        env.names.push_back({t.nameOf(item), route.goalHex});
        ExprId c = sema.condition(env, t.child(item, Role::when));
        route.goal = route.goal < 0 ? c : sema.make(env, item, ExprKind::and_, boolean, {route.goal, c});
      });
      break;
    case NodeKind::RouteHook: hook(env, item); break;
    case NodeKind::Also:
      if (!parts[p].copied) also(env, item);
      break;
    case NodeKind::Clause:
    case NodeKind::ForEach:
    case NodeKind::Through:
    case NodeKind::Across: {
      hir::Clause c;
      if (!sema.clause(env, item, c)) break;
      std::vector<hir::Clause> list;
      list.push_back(std::move(c));
      applyWaivers(list, p);
      route.clauses.push_back(std::move(list.front()));
      break;
    }
    default: break;
    }
  });
}

void RouteTyping::finish() {
  std::stable_sort(route.edges.begin(), route.edges.end(),
                   [](const hir::RouteEdge& a, const hir::RouteEdge& b) { return a.kind < b.kind; });
  const auto& uses = sema.useCounts_[&route.scope];
  route.readsOrigin = static_cast<std::size_t>(route.origin) < uses.size() &&
                      uses[static_cast<std::size_t>(route.origin)] != 0;
  std::vector<Sema::Waiver> own;
  for (Sema::Waiver& w : waivers)
    if (!parts[w.part].copied) own.push_back(w);
  sema.reportUnusedWaivers(own);
  const bool steps = std::any_of(route.edges.begin(), route.edges.end(),
                                 [](const hir::RouteEdge& e) { return e.kind == EdgeKind::step; });
  bool named = false; // a step along what is no path has been told
  for (std::size_t p = 0; p < parts.size(); ++p)
    forEachItem(p, [&](Env& env, NodeId item, std::size_t) {
      named = named || tree(env).kind(item) == NodeKind::RouteStep;
    });
  if (steps || named || std::any_of(parts.begin(), parts.end(), [&](const Part& p) {
        return sema.tree(p.node.file).has(p.node.node, NodeFlags::faulty);
      }))
    return;
  const SyntaxTree& declTree = sema.tree(decl.node.file);
  NodeId nameNode = declTree.child(decl.node.node, Role::name);
  sema.report(Diagnostic(DiagnosticCode::incompleteRule, declTree.sharedSource(), declTree.range(nameNode),
                         {"the route", "it has no `step from a to b { .. }`"}));
}

void RouteTyping::run() {
  const SyntaxTree& t = sema.tree(decl.node.file);
  std::size_t place = 0;
  for (NodeId parameter : t.children(decl.node.node, Role::param)) {
    if (place >= route.scope.parameters) break;
    Type& given = route.scope.locals[place++].type;
    if (given.kind != TypeKind::path) continue;
    sema.report(Diagnostic(DiagnosticCode::routeOfPath, t.sharedSource(), t.range(parameter)));
    given = Type{};
  }
  contributions();
  over();
  figures();
  for (std::size_t p = 0; p < parts.size(); ++p) clausesOf(p);
  effects();
  finish();
}

} // namespace hellwig
