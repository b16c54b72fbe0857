// SPDX-License-Identifier: Apache-2.0
// Lowering of arcs, and of what is asked of counters that face or cover several hexes.
#include "compiler/lower_body.h"

namespace hellwig::lowering {

using hir::ExprKind;

void BodyLowering::evalFootprint(Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  const Reg counter = evalAny(arg(ref, 0));
  if (e.kind == ExprKind::aspectHexes) {
    emit(Op::aspectHexes, dst, counter, e.value);
    return;
  }
  const auto supposed = static_cast<std::uint16_t>(e.members.size());
  if (supposed == 0) {
    emit(Op::footprint, dst, counter);
    return;
  }
  const Reg values = alloc(supposed);
  for (std::uint16_t i = 0; i < supposed; ++i) {
    const Temps temps(*this);
    eval(arg(ref, 1U + i), static_cast<Reg>(values + i));
  }
  emit(Op::footprintIf, dst, counter, values, context.constants(e.members), supposed);
}

void BodyLowering::evalAspect(Ref ref, Reg dst) {
  const hir::Expr& e = at(ref);
  const auto supposed = static_cast<std::uint16_t>(e.members.size());
  const Reg counter = evalAny(arg(ref, 0));
  const Reg hex = alloc(1U + supposed);
  Label missing, end;
  eval(arg(ref, 1), hex);
  const bool optional = typeOf(arg(ref, 1)).optional;
  if (optional) jump(Op::jumpNone, hex, 0, missing);
  for (std::uint16_t i = 0; i < supposed; ++i) {
    const Temps temps(*this);
    eval(arg(ref, 2U + i), static_cast<Reg>(hex + 1 + i));
  }
  if (supposed == 0)
    emit(Op::aspect, dst, counter, hex);
  else
    emit(Op::aspectIf, dst, counter, hex, context.constants(e.members), supposed);
  if (!optional) return;
  jump(end);
  bind(missing);
  emit(Op::loadNone, dst);
  bind(end);
}

bool BodyLowering::shownFacing(Ref ref) {
  const Ref field = resolve(ref);
  const hir::Expr& e = at(field);
  if (e.kind != ExprKind::column || typeOf(arg(field, 0)).optional) return false;
  for (const Arcs& arcs : context.module.arcs)
    if (arcs.facingColumn == e.index) {
      const Reg shown = alloc();
      emit(Op::facingShown, shown, evalAny(arg(field, 0)));
      emit(Op::textValue, shown, 0, 0, context.type(typeOf(ref)));
      return true;
    }
  return false;
}

void lowerArcs(Context& context) {
  for (std::size_t i = 0; i < context.hir.arcs.size(); ++i) {
    const hir::Arcs& given = context.hir.arcs[i];
    const std::uint32_t body = expressionBody(context, "arcs", given.scope, given.shape, given.place);
    const Reads& reads = context.effects.arcs(i);
    Arcs& arcs = context.module.arcs[i];
    arcs.shapeBody = body;
    for (std::size_t c = 0; c < reads.columns.size(); ++c)
      if (reads.columns[c]) arcs.columns.push_back(static_cast<std::uint16_t>(c));
    for (std::size_t g = 0; g < reads.globals.size(); ++g)
      if (reads.globals[g]) arcs.globals.push_back(static_cast<std::uint16_t>(g));
    arcs.onPlaces = reads.places;
    arcs.ofOthers = reads.otherThings;
  }
}

} // namespace hellwig::lowering
