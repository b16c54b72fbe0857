// SPDX-License-Identifier: Apache-2.0
// `walk u by r(..)`: its owner is asked for one edge at a time; each is taken by the route's own procedure,
// with all that happens on the way.
#include "compiler/lower_body.h"
#include "runtime/path_block.h"

namespace hellwig::lowering {

using hir::HookPoint;

/// What a walk may be answered: the hexes it may step to, the facings, the actions by name, to be done. Its
/// routes may not be lowered yet.
void BodyLowering::walkAlternatives(const hir::Stmt& stmt, Asking& asking, Reg arguments) {
  Decision& d = asking.decision;
  std::vector<std::uint16_t> ways;
  waysOf(context.module, static_cast<std::uint16_t>(stmt.index), ways);
  const auto picks = [&](std::uint16_t domain, const std::string& binds) {
    d.alternatives.emplace_back();
    Alternative& out = d.alternatives.back();
    out.picks = true;
    out.domain = domain;
    out.binds = binds;
    out.set = alloc(context.domainWords(domain));
    out.chosen = alloc();
  };
  const auto label = [&](std::string words) {
    fragment([this, words] { textWords(words); },
             [this, index = asking.index, place = d.alternatives.size() - 1](std::int32_t pc) {
               context.module.decisions[index].alternatives[place].label = pc;
             });
  };
  picks(domainHexes, "hex");
  d.alternatives.back().whyRoute = stmt.index;
  d.alternatives.back().whyArgs = arguments;
  bool turns = false;
  for (const std::uint16_t way : ways)
    for (const hir::RouteEdge& edge : context.hir.routes[way].edges) {
      if (edge.kind != EdgeKind::turn || turns) continue;
      turns = true;
      picks(domainDirections, "facing");
      label("Turn");
    }
  for (const std::uint16_t way : ways) {
    const hir::Route& source = context.hir.routes[way];
    for (const hir::RouteEdge& edge : source.edges) {
      if (edge.kind != EdgeKind::action) continue;
      const bool chooses = edge.choices >= 0;
      hir::Type element;
      if (chooses) element = context.expr(edge.choices).type;
      element.set = false;
      const std::uint16_t domain = chooses ? context.domainOf(element) : std::uint16_t{0};
      bool known = false;
      for (const Alternative& other : d.alternatives)
        known = known ||
                (other.name == edge.name && other.picks == chooses && (!chooses || other.domain == domain));
      if (known) continue;
      const hir::LocalId x = edge.from;
      if (chooses)
        picks(domain, x >= 0 ? source.scope.locals[static_cast<std::size_t>(x)].name : "");
      else
        d.alternatives.emplace_back();
      d.alternatives.back().name = edge.name;
      d.alternatives.back().marks = edge.marks;
      std::string shown = edge.name;
      for (char& c : shown)
        if (c == '_') c = ' ';
      label(shown);
    }
  }
  d.alternatives.emplace_back();
  d.alternatives.back().pass = true;
  label("Done");
}

void BodyLowering::walk(const hir::Stmt& stmt, Env* env) {
  const hir::Choice& choice = context.hir.choices[static_cast<std::size_t>(stmt.choice)];
  const std::int32_t kind = typeOf({stmt.exprs[0], env}).id;
  const std::uint32_t words = travelShape(context.module).words();
  const std::uint16_t visitedWords = mostWalkEdges + 2;
  const Reg counter = alloc(), visited = alloc(visitedWords), begun = alloc(), flag = alloc();
  eval({stmt.exprs[0], env}, counter);
  std::vector<Ref> args;
  for (std::size_t i = 1; i < stmt.exprs.size(); ++i) args.push_back({stmt.exprs[i], env});
  const Reg arguments = window(args, 0);
  Asking asking = beginDecision(stmt, env, choice);
  Decision& d = asking.decision;
  d.mayBeNothing = true;
  walkAlternatives(stmt, asking, arguments);
  const Reg travel = alloc(words), edge = alloc(); // the window of the call that takes an edge
  loadWord(begun, 0);
  loadWord(visited, 0);
  emit(Op::travelStart, travel, counter, arguments, stmt.index);
  Label end, away, started, notBegun;
  emit(Op::onMap, flag, counter);
  jump(Op::jumpUnless, flag, 0, away);
  emit(Op::walkVisit, visited, travel, 0, stmt.index, visitedWords);
  bind(away);
  const std::uint32_t again = here();
  emit(Op::rest, 0);
  if (choice.ask >= 0)
    eval({choice.ask, env}, d.owner);
  else
    emit(Op::sideOf, d.owner, counter);
  emit(Op::walkOffer, travel, visited, asking.index, stmt.index, visitedWords);
  const auto done = static_cast<std::int64_t>(d.alternatives.size() - 1);
  emitDecision(asking);
  jump(Op::jumpEqImm, d.answer, -2, end); // no way leads on: it stays where it is
  jump(Op::jumpEqImm, d.answer, done, end);
  emit(Op::walkEdge, edge, travel, asking.index, stmt.index);
  jump(Op::jumpIf, begun, 0, started);
  engineHooks(HookPoint::move, true, kind, {counter}, noReg);
  loadWord(begun, 1);
  bind(started);
  emit(Op::call, travel, 0, 0,
       static_cast<std::int32_t>(context.ids.travelEdge[static_cast<std::size_t>(stmt.index)]));
  jump(Op::jumpIf, travel + travelOver, 0, end);
  emit(Op::walkVisit, visited, travel, 0, stmt.index, visitedWords);
  jumpBack(again);
  bind(end);
  jump(Op::jumpUnless, begun, 0, notBegun);
  engineHooks(HookPoint::move, false, kind, {counter}, noReg);
  bind(notBegun);
}

} // namespace hellwig::lowering
