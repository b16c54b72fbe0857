// SPDX-License-Identifier: Apache-2.0
// Menus of actions: one decision that offers the first picks of all actions that are open, and the pass.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::Choice;

/// Its name or its elements as one of the alternatives of the menu, which are open as its `when` and its set
/// have it.
void BodyLowering::offerAction(const hir::Stmt& stmt, Asking& menu, std::int32_t index) {
  const hir::Action& action = context.hir.actions[static_cast<std::size_t>(index)];
  Env* env = newEnv(action.scope);
  const std::size_t place = menu.decision.alternatives.size();
  menu.decision.alternatives.emplace_back();
  {
    Alternative& offer = menu.decision.alternatives.back();
    offer.name = action.name;
    offer.marks = action.marks;
  }
  std::string shown = action.name;
  for (char& c : shown)
    if (c == '_') c = ' ';
  fragment([this, shown] { textWords(shown); },
           [this, decision = menu.index, place](std::int32_t pc) {
             context.module.decisions[decision].alternatives[place].label = pc;
           });
  Label closed;
  if (action.pick < 0) {
    const Temps temps(*this);
    if (action.when >= 0) branch({action.when, env}, false, closed);
    emit(Op::addImm, menu.decision.open, menu.decision.open, 0, std::int64_t{1} << place);
    bind(closed);
    return;
  }
  const Choice& choice = context.hir.choices[static_cast<std::size_t>(action.pick)];
  Asking pick{stmt, choice, env, {}, typeOf({choice.set, env}), 1, menu.index};
  pick.element.set = false;
  Decision& d = pick.decision;
  d.kind = ChoiceKind::one;
  d.domain = context.domainOf(pick.element);
  pick.words = context.domainWords(d.domain);
  d.set = alloc(pick.words);
  d.chosen = alloc();
  env->locals[static_cast<std::size_t>(choice.local)] = {d.chosen, true, false, {}};
  emit(Op::setClear, d.set, 0, 0, 0, pick.words);
  if (action.when >= 0) branch({action.when, env}, false, closed);
  computeSet(pick, noReg);
  emit(Op::addImm, menu.decision.open, menu.decision.open, 0, std::int64_t{1} << place);
  bind(closed);
  Alternative& offer = menu.decision.alternatives[place];
  offer.picks = true;
  offer.binds = choice.name;
  offer.domain = d.domain;
  offer.set = d.set;
  offer.chosen = d.chosen;
  // A route explains nothing where its arguments were never reckoned out.
  if (action.when < 0) {
    offer.whyRoute = d.whyRoute;
    offer.whyArgs = d.whyArgs;
  }
  whyFragment(pick, action.when, [this, decision = menu.index, place](std::int32_t pc) {
    context.module.decisions[decision].alternatives[place].why = pc;
  });
}

void BodyLowering::perform(const hir::Stmt& stmt, Env* env) {
  const Choice& choice = context.hir.choices[static_cast<std::size_t>(stmt.choice)];
  static const std::vector<std::int32_t> noActions;
  const std::vector<std::int32_t>& actions =
      stmt.index < 0 ? noActions : context.hir.menus[static_cast<std::size_t>(stmt.index)].actions;
  const Reg left = alloc();
  eval({stmt.exprs[0], env}, left);
  Label end;
  const std::uint32_t again = here();
  jump(Op::jumpLtImm, left, 1, end);
  const Temps temps(*this);
  Asking menu = beginDecision(stmt, env, choice);
  menu.decision.mayBeNothing = true;
  emit(Op::rest, 0);
  if (choice.ask >= 0)
    eval({choice.ask, env}, menu.decision.owner);
  else
    emit(Op::getGlobal, menu.decision.owner, 0, 0, globalPlayer);
  loadWord(menu.decision.open, 0);
  for (const std::int32_t action : actions) offerAction(stmt, menu, action);
  const std::size_t offers = menu.decision.alternatives.size();
  for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
    Label closed;
    if (choice.alternatives[i].when >= 0) branch({choice.alternatives[i].when, env}, false, closed);
    emit(Op::addImm, menu.decision.open, menu.decision.open, 0, std::int64_t{1} << (offers + i));
    bind(closed);
  }
  emitDecision(menu);
  std::vector<Label> labels(offers);
  Label next;
  for (std::size_t i = 0; i < offers; ++i)
    jump(Op::jumpEqImm, menu.decision.answer, static_cast<std::int64_t>(i), labels[i]);
  jump(end); // the pass, or nothing on offer
  for (std::size_t i = 0; i < offers; ++i) {
    bind(labels[i]);
    const auto index = static_cast<std::size_t>(actions[i]);
    std::uint32_t body = context.ids.action[index];
    if (resting) {
      if (context.ids.actionResting[index] == noBody)
        context.ids.actionResting[index] = context.reserveBody();
      body = context.ids.actionResting[index];
    }
    const Temps call(*this);
    const Reg first = alloc();
    if (menu.decision.alternatives[i].picks) setCopy(first, menu.decision.alternatives[i].chosen, 1);
    emit(Op::call, first, 0, 0, static_cast<std::int32_t>(body));
    jump(next);
  }
  bind(next);
  if (resting) fullRest();
  emit(Op::addImm, left, left, 0, -1);
  jumpBack(again);
  bind(end);
}

namespace {

void lowerAction(Context& context, std::size_t i, std::uint32_t index, bool resting) {
  const hir::Action& action = context.hir.actions[i];
  BodyLowering body(context, "action " + action.name, BodyKind::procedure, action.place);
  body.setBodyIndex(index);
  body.resting = resting;
  body.result.kind = hir::TypeKind::nothing;
  Env* env = body.newEnv(action.scope);
  if (action.pick >= 0) {
    const Choice& choice = context.hir.choices[static_cast<std::size_t>(action.pick)];
    body.bindParameter(env, choice.local,
                       context.valueType(action.scope.locals[static_cast<std::size_t>(choice.local)].type));
  }
  body.bindLocals(env, action.scope);
  const BodyLowering::Citing under(body, action.marks);
  body.cover(action.marks);
  body.block(action.body, env);
  body.ret(0, 0);
  body.finishInto(index, 0);
}

} // namespace

void lowerActions(Context& context) {
  for (std::size_t i = 0; i < context.hir.actions.size(); ++i)
    lowerAction(context, i, context.ids.action[i], false);
  // An action that rests may perform a menu whose actions then rest, too.
  std::vector<bool> done(context.hir.actions.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (done[i] || context.ids.actionResting[i] == noBody) continue;
      done[i] = more = true;
      lowerAction(context, i, context.ids.actionResting[i], true);
    }
  }
}

} // namespace hellwig::lowering
