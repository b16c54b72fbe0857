// SPDX-License-Identifier: Apache-2.0
// Which state the pure parts of a program read, with all that they call: for watch bits and for what a search
// must lift.
#pragma once

#include "compiler/hir.h"
#include "runtime/module.h"

#include <memory>
#include <vector>

namespace hellwig::lowering {

/// The local that an expression of the kind `local` names.
inline hir::LocalId localOf(const hir::Expr& e) {
  return e.local >= 0 ? e.local : e.index;
}

struct Reads {
  std::vector<bool> columns, globals; ///< by index; shorter than the module's where nothing further is read
  bool places = false;                ///< where counters are
  bool counterPlace = false;          ///< the place of a counter by its name (`u.hex`), not only through sets
  bool otherThings = false;           ///< anything of counters besides those handed in
  void join(const Reads& other);
};

class Effects {
public:
  Effects(const hir::Hir& program, const Module& out) : hir_(program), module_(out) {}

  void addExpr(Reads& reads, hir::ExprId expr);
  void addClauses(Reads& reads, const std::vector<hir::Clause>& clauses);
  void addFigure(Reads& reads, const hir::CostFigure& figure);
  void addStmt(Reads& reads, hir::StmtId id);
  void addText(Reads& reads, hir::TextId text);
  const Reads& arcs(std::size_t index);
  const Reads& value(std::size_t index);
  const Reads& permission(std::size_t index);
  const Reads& zone(std::size_t index);
  const Reads& route(std::size_t index);

private:
  using Memo = std::vector<std::unique_ptr<Reads>>;
  template<class Fill> const Reads& memoized(Memo& memo, std::size_t index, Fill&& fill);
  void addSteps(Reads& reads, const std::vector<hir::Step>& steps);

  const hir::Hir& hir_;
  const Module& module_;
  Memo arcs_, values_, permissions_, zones_, routes_;
};

/// Gives columns and globals that zones and victory clauses read their bits, and fills `watches` of both.
void assignWatches(const hir::Hir& hir, Effects& effects, Module& module);

} // namespace hellwig::lowering
