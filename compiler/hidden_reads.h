// SPDX-License-Identifier: Apache-2.0
// Of which counters an expression reads a field that a `hidden` may keep from a player: for the warning of
// leaks, and so that texts and reasons tell no more than their reader may know.
#pragma once

#include "compiler/hir.h"
#include "runtime/module.h"

#include <map>
#include <vector>

namespace hellwig {

class HiddenReads {
public:
  HiddenReads(const hir::Hir& hir, const Module& module);
  bool any() const { return any_; }
  struct Read {
    hir::ExprId counter;  ///< an expression that is a local
    std::uint16_t column; ///< a field that is read of it
  };
  /// Reads of counters in locals that stand outside of the expression.
  std::vector<Read> of(hir::ExprId expr);
  /// Does the expression ask whether the counter in this local is hidden?
  bool asks(hir::ExprId expr, hir::LocalId counter) const;

private:
  using Params = std::map<hir::LocalId, std::uint16_t>;
  const Params& params(bool permission, std::size_t index);
  void walk(hir::ExprId expr, std::vector<Read>& out, std::vector<hir::LocalId>& bound);
  void walk(const std::vector<hir::Clause>& clauses, std::vector<Read>& out,
            std::vector<hir::LocalId>& bound);
  hir::ExprId localIn(hir::ExprId expr) const;

  const hir::Hir& hir_;
  std::vector<bool> hidden_, asked_; ///< by column
  bool any_ = false;
  std::map<std::pair<bool, std::size_t>, Params> params_;
};

} // namespace hellwig
