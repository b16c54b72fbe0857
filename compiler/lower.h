// SPDX-License-Identifier: Apache-2.0
// Lowering of the typed program to bytecode.
#pragma once

#include "compiler/hir.h"
#include "compiler/package.h"
#include "runtime/module.h"

#include <vector>

namespace hellwig {

/// A body that a host wants besides the game itself: an expression or a block in a scope without parameters
/// (tests).
struct ExtraBody {
  std::string name;
  const hir::Scope* scope = nullptr;
  hir::ExprId expr = -1;  ///< a pure body that answers it
  hir::StmtId block = -1; ///< or a procedure that runs it
  hir::TextId text = -1;  ///< or an explaining body that emits it
  std::vector<hir::ExprId>
      arguments; ///< or a pure body that answers these one after another, words as a call would pass them
  std::uint32_t body = noBody; ///< filled by lowering
};

struct LowerOptions {
  bool plainSets = false; ///< no clause or `where` becomes a set operation: the oracle of tests
  bool coverage = false;  ///< what acts or decides says so by its marks; needs plainSets
};

/// Fills the code half of a module whose data half the world has filled: bodies, routes, zones, decisions,
/// victory, named bodies, entries. The typed program is free of errors; lowering reports none.
void lower(const hir::Hir& hir, const Package& package, Module& module, std::vector<ExtraBody>& extras,
           const LowerOptions& options = {});

} // namespace hellwig
