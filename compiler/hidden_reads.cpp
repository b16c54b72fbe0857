// SPDX-License-Identifier: Apache-2.0
// Reads of hidden fields: see hidden_reads.h.
#include "compiler/hidden_reads.h"

#include <algorithm>
#include <functional>

namespace hellwig {

using hir::ExprId;
using hir::ExprKind;

HiddenReads::HiddenReads(const hir::Hir& hir, const Module& module)
    : hir_(hir), hidden_(module.columns.size(), false), asked_(module.columns.size(), false) {
  auto isKindOf = [&](std::int32_t kind, std::int32_t base) {
    while (kind >= 0 && kind != base) kind = module.kinds[static_cast<std::size_t>(kind)].base;
    return kind >= 0;
  };
  for (const hir::Hidden& h : hir.hidden) {
    // That it is hidden is known, and so is what that rests on.
    std::function<void(ExprId)> ask = [&](ExprId id) {
      if (id < 0) return;
      const hir::Expr& e = hir.exprs[static_cast<std::size_t>(id)];
      if (e.kind == ExprKind::column) asked_[static_cast<std::size_t>(e.index)] = true;
      for (ExprId arg : e.args) ask(arg);
    };
    ask(h.condition);
    for (std::size_t c = 0; c < module.columns.size(); ++c) {
      const Column& column = module.columns[c];
      if (column.owner != Owner::counter) continue;
      if (!isKindOf(column.ownerId, h.kind) && !isKindOf(h.kind, column.ownerId)) continue;
      if (std::find(h.columns.begin(), h.columns.end(), c) == h.columns.end()) hidden_[c] = any_ = true;
    }
  }
  for (std::size_t c = 0; c < hidden_.size(); ++c)
    if (asked_[c]) hidden_[c] = false;
}

ExprId HiddenReads::localIn(ExprId id) const {
  while (id >= 0 && hir_.exprs[static_cast<std::size_t>(id)].kind == ExprKind::assume)
    id = hir_.exprs[static_cast<std::size_t>(id)].args.front();
  return id >= 0 && hir_.exprs[static_cast<std::size_t>(id)].kind == ExprKind::local ? id : -1;
}

void HiddenReads::walk(ExprId id, std::vector<Read>& out, std::vector<hir::LocalId>& bound) {
  if (id < 0) return;
  const hir::Expr& e = hir_.exprs[static_cast<std::size_t>(id)];
  if (e.kind != ExprKind::local && e.local >= 0) bound.push_back(e.local);
  if (e.kind == ExprKind::column && hidden_[static_cast<std::size_t>(e.index)])
    if (ExprId counter = localIn(e.args.front()); counter >= 0)
      out.push_back({counter, static_cast<std::uint16_t>(e.index)});
  if (e.kind == ExprKind::call || e.kind == ExprKind::can)
    for (const auto& [param, column] : params(e.kind == ExprKind::can, static_cast<std::size_t>(e.index)))
      if (static_cast<std::size_t>(param) < e.args.size())
        if (ExprId counter = localIn(e.args[static_cast<std::size_t>(param)]); counter >= 0)
          out.push_back({counter, column});
  for (ExprId arg : e.args) walk(arg, out, bound);
}

void HiddenReads::walk(const std::vector<hir::Clause>& clauses, std::vector<Read>& out,
                       std::vector<hir::LocalId>& bound) {
  for (const hir::Clause& clause : clauses) {
    if (clause.local >= 0) bound.push_back(clause.local);
    for (ExprId e : {clause.when, clause.set, clause.from, clause.to}) walk(e, out, bound);
    walk(clause.inner, out, bound);
  }
}

const HiddenReads::Params& HiddenReads::params(bool permission, std::size_t index) {
  auto [found, fresh] = params_.try_emplace({permission, index});
  if (!fresh) return found->second; // also where rules need each other, which is told elsewhere
  std::vector<Read> reads;
  std::vector<hir::LocalId> bound;
  std::uint16_t parameters = 0;
  if (permission) {
    parameters = hir_.permissions[index].scope.parameters;
    walk(hir_.permissions[index].clauses, reads, bound);
  } else {
    const hir::Value& value = hir_.values[index];
    parameters = value.scope.parameters;
    walk(value.base, reads, bound);
    for (const hir::Step& step : value.steps) {
      walk(step.operand, reads, bound);
      walk(step.when, reads, bound);
    }
  }
  Params& own = params_[{permission, index}];
  for (const Read& read : reads) {
    hir::LocalId local = hir_.exprs[static_cast<std::size_t>(read.counter)].local;
    if (local < static_cast<hir::LocalId>(parameters)) own.emplace(local, read.column);
  }
  return own;
}

std::vector<HiddenReads::Read> HiddenReads::of(ExprId expr) {
  std::vector<Read> out;
  std::vector<hir::LocalId> bound;
  if (any_) walk(expr, out, bound);
  std::erase_if(out, [&](const Read& read) {
    hir::LocalId local = hir_.exprs[static_cast<std::size_t>(read.counter)].local;
    return std::find(bound.begin(), bound.end(), local) != bound.end();
  });
  return out;
}

bool HiddenReads::asks(ExprId id, hir::LocalId counter) const {
  if (id < 0) return false;
  const hir::Expr& e = hir_.exprs[static_cast<std::size_t>(id)];
  if (e.kind == ExprKind::column && asked_[static_cast<std::size_t>(e.index)])
    if (ExprId local = localIn(e.args.front());
        local >= 0 && hir_.exprs[static_cast<std::size_t>(local)].local == counter)
      return true;
  return std::any_of(e.args.begin(), e.args.end(), [&](ExprId arg) { return asks(arg, counter); });
}

} // namespace hellwig
