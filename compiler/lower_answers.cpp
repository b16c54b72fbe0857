// SPDX-License-Identifier: Apache-2.0
// Whole answers, subsets and allotments: the ranges of an allotment, what is asked of the answer as a whole,
// and which of it rests on sums, so that the machine can decide it exactly.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::ExprKind;
using hir::TypeKind;

/// The least and the greatest number of each element, as blocks.
void BodyLowering::allotmentRanges(const Asking& asking) {
  const hir::Choice& choice = asking.choice;
  const Decision& d = asking.decision;
  const std::uint16_t block = allotmentBlock(asking.element);
  const Elem elem{asking.env, choice.element, asking.element, false};
  emit(Op::allotClear, d.least, 0, 0, 0, block);
  emit(Op::allotClear, d.most, 0, 0, 0, block);
  const Temps temps(*this);
  const Reg work = alloc(asking.words);
  const ElementScope it(*this, elem);
  setCopy(work, d.set, asking.words);
  Label end;
  const std::uint32_t again = here();
  nextOf(asking.element, it.reg(), work, end);
  {
    const Temps inner(*this);
    const Reg low = evalAny({choice.least, asking.env}), high = evalAny({choice.most, asking.env});
    emit(Op::allotSet, d.least, it.reg(), low, lowest(asking.element), block);
    emit(Op::allotSet, d.most, it.reg(), high, lowest(asking.element), block);
  }
  jumpBack(again);
  bind(end);
}

// ---- What rests on sums

bool BodyLowering::reads(hir::ExprId id, hir::LocalId local) const {
  if (id < 0) return false;
  const hir::Expr& e = context.expr(id);
  if (e.kind == ExprKind::local && localOf(e) == local) return true;
  for (const hir::ExprId arg : e.args)
    if (reads(arg, local)) return true;
  return false;
}

/// Alike as written; `names` pairs the elements that their sets bind.
bool BodyLowering::sameExpr(hir::ExprId a, hir::ExprId b,
                            std::vector<std::pair<hir::LocalId, hir::LocalId>>& names) const {
  while (a >= 0 && context.expr(a).kind == ExprKind::assume) a = context.expr(a).args[0];
  while (b >= 0 && context.expr(b).kind == ExprKind::assume) b = context.expr(b).args[0];
  if (a < 0 || b < 0) return a == b;
  const hir::Expr &x = context.expr(a), &y = context.expr(b);
  if (x.kind != y.kind || x.op != y.op || x.index != y.index || x.value != y.value ||
      x.members != y.members || x.args.size() != y.args.size())
    return false;
  if (x.kind == ExprKind::local) {
    for (const auto& [left, right] : names)
      if (left == localOf(x) || right == localOf(y)) return left == localOf(x) && right == localOf(y);
    return localOf(x) == localOf(y);
  }
  if (x.local >= 0 || y.local >= 0) names.emplace_back(x.local, y.local);
  for (std::size_t i = 0; i < x.args.size(); ++i)
    if (!sameExpr(x.args[i], y.args[i], names)) return false;
  return true;
}

/// `sum of E over S`, `count of S`, also with conditions, where S is what is chosen or allotted to.
std::optional<BodyLowering::Sum> BodyLowering::sumOf(const Asking& asking, Ref ref) {
  const hir::Choice& choice = asking.choice;
  const bool subset = asking.decision.kind == ChoiceKind::subset;
  bool converted = false;
  for (;; ref = arg(ref, 0)) {
    ref = resolve(ref);
    if (at(ref).kind != ExprKind::toFraction) break;
    converted = true;
  }
  if (ref.env != asking.env) return std::nullopt;
  const hir::Expr& e = at(ref);
  const bool quantifier = e.kind == ExprKind::any || e.kind == ExprKind::none_ || e.kind == ExprKind::all;
  if (e.kind != ExprKind::sum && e.kind != ExprKind::count && !quantifier) return std::nullopt;
  Sum sum;
  sum.elem = elementOf(ref);
  const std::optional<Ref> condition = argIf(ref, 1);
  if (e.kind == ExprKind::sum) {
    sum.figure = arg(ref, 2);
    if (typeOf(sum.figure).optional || (subset && reads(sum.figure.id, choice.local))) return std::nullopt;
    sum.fraction = typeOf(sum.figure).kind == TypeKind::fraction;
  }
  sum.fraction = sum.fraction || converted;
  if (condition) {
    if (subset && reads(condition->id, choice.local)) return std::nullopt;
    sum.ofThat = *condition;
    sum.negate = e.kind == ExprKind::all;
  }
  Ref set = resolve(arg(ref, 0));
  while (at(set).kind == ExprKind::where && set.env == asking.env) {
    std::vector<Conjunct> all;
    const Ref filter = arg(set, 1);
    if (reads(filter.id, choice.local)) return std::nullopt;
    split(filter, false, all);
    sum.filters.emplace_back(elementOf(set), all);
    set = resolve(arg(set, 0));
  }
  if (set.env != asking.env) return std::nullopt;
  std::vector<std::pair<hir::LocalId, hir::LocalId>> names;
  const bool whole = subset ? at(set).kind == ExprKind::local && localOf(at(set)) == choice.local
                            : !reads(set.id, choice.local) && sameExpr(set.id, choice.set, names);
  if (!whole) return std::nullopt;
  return sum;
}

std::uint16_t BodyLowering::addSum(Asking& asking, const Sum& sum) {
  Decision& d = asking.decision;
  AnswerSum out;
  out.element = alloc();
  out.figure = alloc();
  out.fraction = sum.fraction;
  d.sums.push_back(out);
  const auto place = d.sums.size() - 1;
  fragment(
      [this, sum, out] {
        Label nothing, end;
        const auto given = [&](const Elem& elem, const auto& code) {
          const ElementScope it(*this, elem);
          setCopy(it.reg(), out.element, 1);
          code();
        };
        for (const auto& [elem, all] : sum.filters)
          given(elem, [&, &conditions = all] { branchUnless(conditions, nothing); });
        given(sum.elem, [&] {
          if (sum.ofThat) branch(sum.ofThat, sum.negate, nothing);
          if (!sum.figure) {
            loadWord(out.figure, sum.fraction ? packRatio(1, 1) : 1);
            return;
          }
          eval(sum.figure, out.figure);
          if (sum.fraction && typeOf(sum.figure).kind != TypeKind::fraction)
            emit(Op::toFraction, out.figure, out.figure);
        });
        jump(end);
        bind(nothing);
        loadWord(out.figure, sum.fraction ? packRatio(0, 1) : 0);
        bind(end);
      },
      [this, index = asking.index, place](std::int32_t pc) {
        context.module.decisions[index].sums[place].gives = pc;
      });
  return static_cast<std::uint16_t>(place);
}

/// A comparison of a sum with what does not depend on the answer becomes a test; false: it is none.
bool BodyLowering::addTest(Asking& asking, const Conjunct& condition) {
  using Compare = AnswerTest::Compare;
  if (condition.clause != nullptr) return false;
  const Ref ref = resolve(condition.ref);
  const hir::Expr& e = at(ref);
  const bool negate = condition.negate;
  Decision& d = asking.decision;
  const auto test = [&](const Sum& sum, Compare compare, const std::optional<Ref>& bound) {
    AnswerTest out;
    out.sum = addSum(asking, sum);
    out.compare = compare;
    out.bound = alloc();
    if (!bound) {
      loadWord(out.bound, sum.fraction ? packRatio(0, 1) : 0);
    } else {
      const Temps temps(*this);
      eval(*bound, out.bound);
      if (sum.fraction && typeOf(*bound).kind != TypeKind::fraction)
        emit(Op::toFraction, out.bound, out.bound);
    }
    d.tests.push_back(out);
    return true;
  };
  switch (e.kind) {
  case ExprKind::any:
  case ExprKind::none_:
  case ExprKind::all: {
    const std::optional<Sum> sum = sumOf(asking, ref);
    if (!sum) return false;
    return test(*sum, (e.kind == ExprKind::any) != negate ? Compare::above : Compare::equal, std::nullopt);
  }
  case ExprKind::less:
  case ExprKind::lessEqual:
  case ExprKind::equal:
  case ExprKind::notEqual: break;
  default: return false;
  }
  const TypeKind kind = typeOf(arg(ref, 0)).kind;
  if (kind != TypeKind::integer && kind != TypeKind::fraction) return false;
  std::size_t side = 0;
  std::optional<Sum> sum = sumOf(asking, arg(ref, 0));
  if (!sum) {
    side = 1;
    sum = sumOf(asking, arg(ref, 1));
  }
  const Ref bound = arg(ref, 1 - side);
  if (!sum || reads(bound.id, asking.choice.local) || typeOf(bound).optional) return false;
  // A fraction on either side makes both fractions.
  sum->fraction = sum->fraction || kind == TypeKind::fraction;
  Compare compare = Compare::below;
  switch (e.kind) {
  case ExprKind::less:
    compare = side == 0 ? (negate ? Compare::atLeast : Compare::below)
                        : (negate ? Compare::atMost : Compare::above);
    break;
  case ExprKind::lessEqual:
    compare = side == 0 ? (negate ? Compare::above : Compare::atMost)
                        : (negate ? Compare::below : Compare::atLeast);
    break;
  default: compare = (e.kind == ExprKind::equal) != negate ? Compare::equal : Compare::unequal; break;
  }
  return test(*sum, compare, bound);
}

void BodyLowering::addPrefer(Asking& asking, const hir::Prefer& prefer) {
  using By = AnswerPrefer::By;
  Decision& d = asking.decision;
  const Ref ref{prefer.expr, asking.env};
  AnswerPrefer out;
  out.figure = alloc();
  out.best = alloc();
  loadWord(out.best, packRatio(0, 1));
  if (prefer.kind == hir::Prefer::Kind::holds) {
    std::vector<Conjunct> all;
    split(ref, false, all);
    if (all.size() == 1 && addTest(asking, all[0])) {
      out.by = By::test;
      out.sum = static_cast<std::uint16_t>(d.tests.size() - 1);
    }
  } else if (const std::optional<Sum> sum = sumOf(asking, ref)) {
    out.by = prefer.kind == hir::Prefer::Kind::least ? By::least : By::greatest;
    out.sum = addSum(asking, *sum);
  }
  const std::size_t place = d.prefers.size();
  d.prefers.push_back(out);
  fragment(
      [this, prefer, ref, figure = out.figure] {
        if (prefer.kind == hir::Prefer::Kind::holds) {
          Label no, end;
          branch(ref, false, no);
          loadWord(figure, packRatio(0, 1));
          jump(end);
          bind(no);
          loadWord(figure, packRatio(1, 1));
          bind(end);
          return;
        }
        eval(ref, figure);
        if (typeOf(ref).kind != TypeKind::fraction) emit(Op::toFraction, figure, figure);
        if (prefer.kind == hir::Prefer::Kind::greatest) emit(Op::fneg, figure, figure);
      },
      [this, index = asking.index, place](std::int32_t pc) {
        context.module.decisions[index].prefers[place].rank = pc;
      });
}

void BodyLowering::wholeAnswers(Asking& asking) {
  const hir::Choice& choice = asking.choice;
  Decision& d = asking.decision;
  std::vector<Conjunct> all;
  for (const hir::ExprId id : choice.provided) split({id, asking.env}, false, all);
  d.exact = true;
  for (const Conjunct& condition : all)
    if (!addTest(asking, condition)) d.exact = false;
  d.providedTests = static_cast<std::uint16_t>(d.tests.size());
  for (const hir::Prefer& prefer : choice.prefer) {
    addPrefer(asking, prefer);
    if (d.prefers.back().by == AnswerPrefer::By::tries) d.exact = false;
  }
}

} // namespace hellwig::lowering
