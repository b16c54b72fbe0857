// SPDX-License-Identifier: Apache-2.0
// Decisions: what may be chosen, the alternatives, what follows each answer, and why something may not be
// chosen.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::Choice;
using hir::ExprKind;
using HowMany = hir::Choice::HowMany;

BodyLowering::Asking BodyLowering::beginDecision(const hir::Stmt& stmt, Env* env, const Choice& choice) {
  Asking asking{stmt, choice, env, {}, {}, 1, 0};
  Decision& d = asking.decision;
  d.binds = choice.name;
  d.marks = stmt.marks;
  d.place = context.sourcePlace(stmt.place);
  const bool menu = choice.howMany == HowMany::menu || choice.set < 0;
  const bool allotment = choice.howMany == HowMany::allotment;
  const bool subset =
      !menu && !allotment && choice.howMany != HowMany::one && choice.howMany != HowMany::each;
  d.kind = menu        ? ChoiceKind::menu
           : allotment ? ChoiceKind::allotment
           : subset    ? ChoiceKind::subset
                       : ChoiceKind::one;
  asking.element.kind = hir::TypeKind::side;
  if (!menu) {
    asking.element = typeOf({choice.set, env});
    asking.element.set = false;
  }
  d.domain = context.domainOf(asking.element);
  asking.words = context.domainWords(d.domain);
  d.owner = alloc();
  d.set = alloc(asking.words);
  d.open = alloc();
  const std::uint16_t bound = allotment ? allotmentBlock(asking.element) : std::uint16_t{1};
  d.least = alloc(bound);
  d.most = alloc(bound);
  d.answer = alloc();
  d.verdict = alloc();
  const Reg local = choice.local >= 0 ? env->locals[static_cast<std::size_t>(choice.local)].reg : noReg;
  const bool whole = subset || allotment;
  const bool paths = !menu && asking.element.kind == hir::TypeKind::path;
  if (paths) {
    keepPaths({choice.set, env});
    d.paths = pathsOf(asking.element);
  }
  d.chosen = whole || local == noReg || paths ? alloc() : local;
  d.chosenSet = !whole ? d.set : local != noReg ? local : alloc(allotment ? bound : asking.words);
  bool pass = false;
  for (const hir::ChoiceAlternative& one : choice.alternatives) pass = pass || one.pass;
  d.mayBeNothing = choice.hasOtherwise || pass;
  asking.index = static_cast<std::uint32_t>(context.module.decisions.size());
  context.module.decisions.emplace_back();
  context.module.decisionBody.push_back(bodyIndex_);
  return asking;
}

void BodyLowering::openAlternatives(const Asking& asking) {
  const Reg open = asking.decision.open;
  loadWord(open, 0);
  for (std::size_t i = 0; i < asking.choice.alternatives.size(); ++i) {
    const Temps temps(*this);
    Label closed;
    const hir::ChoiceAlternative& one = asking.choice.alternatives[i];
    if (one.when >= 0) branch({one.when, asking.env}, false, closed);
    emit(Op::addImm, open, open, 0, std::int64_t{1} << i);
    bind(closed);
  }
}

/// Of one element: `prefer C` keeps those for which it holds, if there are any; `prefer least e` the best.
void BodyLowering::preferElements(const Asking& asking, Reg set) {
  const Elem elem{asking.env, asking.choice.local, asking.element, false};
  for (const hir::Prefer& prefer : asking.choice.prefer) {
    const Temps temps(*this);
    const Ref ref{prefer.expr, asking.env};
    const Reg kept = alloc(asking.words);
    if (prefer.kind == hir::Prefer::Kind::holds) {
      std::vector<Conjunct> all;
      split(ref, false, all, &elem);
      setCopy(kept, set, asking.words);
      filter(kept, elem, all, {asking.choice.set, asking.env});
      Label nobody;
      nobody.uses.push_back(emit(Op::jumpEmpty, kept, 0, 0, 0, asking.words));
      setCopy(set, kept, asking.words);
      bind(nobody);
      continue;
    }
    const bool least = prefer.kind == hir::Prefer::Kind::least;
    const hir::TypeKind kind = typeOf(ref).kind;
    const Reg work = alloc(asking.words), best = alloc();
    const ElementScope x(*this, elem);
    setCopy(work, set, asking.words);
    emit(Op::setClear, kept, 0, 0, 0, asking.words);
    loadWord(best, none);
    Label end, take, add, worse;
    const std::uint32_t again = here();
    nextOf(asking.element, x.reg(), work, end);
    const Reg figure = evalAny(ref);
    jump(Op::jumpNone, best, 0, take);
    jump(Op::jumpEq, figure, best, add);
    if (kind == hir::TypeKind::fraction || kind == hir::TypeKind::odds) {
      const Reg better = alloc();
      emit(kind == hir::TypeKind::fraction ? Op::flt : Op::olt, better, least ? figure : best,
           least ? best : figure);
      jump(Op::jumpUnless, better, 0, worse);
    } else {
      jump(Op::jumpGe, least ? figure : best, least ? best : figure, worse);
    }
    bind(take);
    setCopy(best, figure, 1);
    emit(Op::setClear, kept, 0, 0, 0, asking.words);
    bind(add);
    insert(asking.element, kept, x.reg());
    bind(worse);
    jumpBack(again);
    bind(end);
    setCopy(set, kept, asking.words);
  }
}

void BodyLowering::computeDecision(Asking& asking, Reg done) {
  const Choice& choice = asking.choice;
  Decision& d = asking.decision;
  emit(Op::rest, 0);
  if (choice.ask >= 0)
    eval({choice.ask, asking.env}, d.owner);
  else
    emit(Op::getGlobal, d.owner, 0, 0, globalPlayer);
  openAlternatives(asking);
  if (d.kind == ChoiceKind::menu) {
    emit(Op::setClear, d.set, 0, 0, 0, asking.words);
    return;
  }
  computeSet(asking, done);
  if (d.kind == ChoiceKind::subset) {
    const auto bound = [&](Reg reg, hir::ExprId id, bool isLeast) {
      if (id >= 0)
        eval({id, asking.env}, reg);
      else if (isLeast)
        loadWord(reg, choice.howMany == HowMany::some ? 1 : 0);
      else
        emit(Op::setCount, reg, d.set, 0, 0, asking.words);
    };
    bound(d.least, choice.howMany == HowMany::range ? choice.least : -1, true);
    bound(d.most, choice.howMany == HowMany::range ? choice.most : -1, false);
  }
  if (d.kind == ChoiceKind::allotment) allotmentRanges(asking);
  if (d.kind != ChoiceKind::one) wholeAnswers(asking);
}

void BodyLowering::computeSet(Asking& asking, Reg done) {
  const Choice& choice = asking.choice;
  Decision& d = asking.decision;
  const Ref set{choice.set, asking.env};
  const Ref reach = see(set);
  if (at(reach).kind == ExprKind::reach) {
    // The arguments stay where they are, so that a refused hex can be explained by the route.
    d.whyArgs = routeArguments(reach);
    d.whyRoute = at(reach).index;
    emit(Op::reach, d.set, 0, d.whyArgs, d.whyRoute);
  } else {
    eval(set, d.set);
  }
  if (d.kind != ChoiceKind::one) return;
  const Elem elem{asking.env, choice.local, asking.element, false};
  std::vector<Conjunct> all;
  for (const hir::ExprId id : choice.provided) split({id, asking.env}, false, all, &elem);
  filter(d.set, elem, all, set);
  if (done != noReg) emit(Op::setAndNot, d.set, d.set, done, 0, asking.words);
  preferElements(asking, d.set);
}

// The arguments of `whyArgs` must live on, so the caller keeps its temporaries until the decision stands.
void BodyLowering::emitDecision(Asking& asking) {
  const std::uint32_t index = asking.index;
  const Choice& choice = asking.choice;
  Env* env = asking.env;
  Decision& d = asking.decision;
  for (const hir::ChoiceAlternative& one : choice.alternatives) {
    d.alternatives.emplace_back();
    d.alternatives.back().pass = one.pass;
    d.alternatives.back().marks = one.marks;
    if (one.text < 0) continue;
    const std::size_t i = d.alternatives.size() - 1;
    fragment(
        [this, text = one.text, env] { lowerText(text, env); },
        [this, index, i](std::int32_t pc) { context.module.decisions[index].alternatives[i].label = pc; });
  }
  if (choice.prompt >= 0)
    fragment([this, &choice, env] { lowerText(choice.prompt, env); },
             [this, index](std::int32_t pc) { context.module.decisions[index].prompt = pc; });
  const bool whole = d.kind == ChoiceKind::subset || d.kind == ChoiceKind::allotment;
  if (whole && !choice.provided.empty())
    fragment(
        [this, &choice, env, verdict = d.verdict] {
          Label no, end;
          for (const hir::ExprId id : choice.provided) branch({id, env}, false, no);
          loadWord(verdict, 1);
          jump(end);
          bind(no);
          loadWord(verdict, 0);
          bind(end);
        },
        [this, index](std::int32_t pc) { context.module.decisions[index].provided = pc; });
  if (d.kind != ChoiceKind::menu)
    whyFragment(asking, -1, [this, index](std::int32_t pc) { context.module.decisions[index].why = pc; });
  emit(Op::decide, 0, 0, 0, index);
  context.module.decisions[index] = d;
}

// ---- Why not

void BodyLowering::explainConjunct(const Conjunct& one, Label& told) {
  const Temps temps(*this);
  Label holds;
  branch(one.ref, !one.negate, holds);
  const Ref ref = resolve(one.ref);
  const hir::Expr& e = at(ref);
  if (e.kind == ExprKind::can && !one.negate) {
    std::vector<Ref> args;
    for (std::size_t i = 0; i < e.args.size(); ++i) args.push_back(arg(ref, i));
    emit(Op::call, window(args, 1), 0, 0,
         static_cast<std::int32_t>(context.ids.permissionExplain[static_cast<std::size_t>(e.index)]));
  } else if (((e.kind == ExprKind::any && !one.negate) || (e.kind == ExprKind::none_ && one.negate)) &&
             at(see(arg(ref, 0))).kind == ExprKind::reach) {
    // No hex at all: perhaps because the route is forbidden as a whole.
    const Ref reach = see(arg(ref, 0));
    const Route& route = context.module.routes[static_cast<std::size_t>(at(reach).index)];
    if (route.forbidWhyBody != noBody) emit(Op::call, routeArguments(reach), 0, 0, route.forbidWhyBody);
  }
  jump(told);
  bind(holds);
}

void BodyLowering::whyFragment(const Asking& asking, hir::ExprId when,
                               const std::function<void(std::int32_t)>& place) {
  const Choice& choice = asking.choice;
  if (asking.decision.domain == domainPaths) return;
  Env* env = asking.env;
  const bool whole = asking.decision.kind != ChoiceKind::one;
  // The conditions of the set, the innermost first; then what is provided.
  struct Filtered {
    Elem elem;
    std::vector<Conjunct> all;
  };
  std::vector<Filtered> filters;
  Ref set = see({choice.set, env});
  while (at(set).kind == ExprKind::where) {
    Filtered one{elementOf(set), {}};
    if (const std::optional<Ref> condition = argIf(set, 1)) split(*condition, false, one.all);
    filters.insert(filters.begin(), one);
    set = see(arg(set, 0));
  }
  if (!whole && !choice.provided.empty()) {
    Filtered one{{env, choice.local, asking.element, false}, {}};
    for (const hir::ExprId id : choice.provided) split({id, env}, false, one.all);
    filters.push_back(one);
  }
  std::vector<Conjunct> first;
  if (when >= 0) split({when, env}, false, first);
  if (filters.empty() && first.empty()) return;
  fragment(
      [this, set, filters, first, element = asking.element, words = asking.words,
       chosen = asking.decision.chosen] {
        Label told;
        for (const Conjunct& conjunct : first) explainConjunct(conjunct, told);
        const Reg members = alloc(words), inside = alloc();
        eval(set, members);
        has(element, inside, members, chosen);
        jump(Op::jumpUnless, inside, 0, told);
        for (const auto& one : filters) {
          const Temps temps(*this);
          const ElementScope x(*this, one.elem);
          setCopy(x.reg(), chosen, 1);
          for (const Conjunct& conjunct : one.all) explainConjunct(conjunct, told);
        }
        bind(told);
      },
      place);
}

// ---- Answers

void BodyLowering::answerOtherwise(const Asking& asking, Label& after) {
  const Choice& choice = asking.choice;
  const Reg answer = asking.decision.answer;
  std::vector<Label> labels(choice.alternatives.size());
  hir::StmtId nothing = choice.otherwise;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (choice.alternatives[i].pass && !choice.hasOtherwise) nothing = choice.alternatives[i].body;
    jump(Op::jumpEqImm, answer, static_cast<std::int64_t>(i), labels[i]);
  }
  block(nothing, asking.env);
  jump(after);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    bind(labels[i]);
    const Citing under(*this, choice.alternatives[i].marks);
    cover(choice.alternatives[i].marks);
    block(choice.alternatives[i].body, asking.env);
    jump(after);
  }
}

void BodyLowering::choose(const hir::Stmt& stmt, Env* env) {
  const Choice& choice = context.hir.choices[static_cast<std::size_t>(stmt.choice)];
  if (choice.howMany == HowMany::each) return chooseEach(stmt, env, choice);
  Asking asking = beginDecision(stmt, env, choice);
  computeDecision(asking, noReg);
  emitDecision(asking);
  Label chosen, notChosen, end;
  if (asking.decision.kind != ChoiceKind::menu) jump(Op::jumpEqImm, asking.decision.answer, -1, chosen);
  answerOtherwise(asking, notChosen);
  bind(notChosen);
  if (asking.decision.kind != ChoiceKind::menu && choice.body < 0 && !blocks_.empty()) {
    leaveTo(blocks_.back().cleanups);
    if (resting) fullRest();
    jump(*blocks_.back().end);
  } else {
    jump(end);
  }
  bind(chosen);
  takePath(asking);
  block(choice.body, env);
  bind(end);
}

/// A path chosen is known by its place in the list; its local gets it.
void BodyLowering::takePath(const Asking& asking) {
  if (asking.decision.domain != domainPaths || asking.choice.local < 0) return;
  emit(Op::pathAt, asking.env->locals[static_cast<std::size_t>(asking.choice.local)].reg,
       asking.decision.paths, asking.decision.chosen);
}

void BodyLowering::chooseEach(const hir::Stmt& stmt, Env* env, const Choice& choice) {
  Asking asking = beginDecision(stmt, env, choice);
  const Reg done = alloc(asking.words), first = alloc();
  std::int64_t pass = -1;
  for (std::size_t i = 0; i < choice.alternatives.size(); ++i)
    if (choice.alternatives[i].pass) pass = static_cast<std::int64_t>(i);
  emit(Op::setClear, done, 0, 0, 0, asking.words);
  loadWord(first, 1);
  Label end, next, chosen;
  const std::uint32_t again = here();
  {
    const Temps temps(*this);
    computeDecision(asking, done);
    // When none is left it is over, or as if passed; only the first time may there be nothing to choose.
    Label ask;
    jump(Op::jumpIf, first, 0, ask);
    if (pass < 0) {
      end.uses.push_back(emit(Op::jumpEmpty, asking.decision.set, 0, 0, 0, asking.words));
    } else {
      ask.uses.push_back(emit(Op::jumpAny, asking.decision.set, 0, 0, 0, asking.words));
      loadWord(asking.decision.open, std::int64_t{1} << pass);
    }
    bind(ask);
    emitDecision(asking);
  }
  loadWord(first, 0);
  jump(Op::jumpEqImm, asking.decision.answer, -1, chosen);
  answerOtherwise(asking, end);
  bind(chosen);
  takePath(asking);
  if (asking.decision.domain == domainPaths)
    emit(Op::setInsert, done, asking.decision.chosen, 0, 0, asking.words);
  else
    insert(asking.element, done, asking.decision.chosen);
  loopBody(choice.body, env, end, next);
  bind(next);
  jumpBack(again);
  bind(end);
}

} // namespace hellwig::lowering
