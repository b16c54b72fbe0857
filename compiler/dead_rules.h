// SPDX-License-Identifier: Apache-2.0
// What can never hold, never apply or never be reached, and decisions that may find nothing to choose.
#pragma once

#include "compiler/hir.h"
#include "compiler/package.h"

namespace hellwig {

/// Looks through all rules of one typed package, after everything is typed.
void checkDeadRules(const hir::Hir& hir, const Package& package, DiagnosticSink& sink);

/// Reports each `choose` of which nothing shows that there is something to choose.
void checkChoices(const hir::Hir& hir, const Package& package, DiagnosticSink& sink);

/// The same text for expressions that are the same: what locals and constants they read, by what operations.
/// A local for which `names` has something is written so.
using LocalNames = std::vector<std::pair<hir::LocalId, std::string>>;
std::string expressionKey(const hir::Hir& hir, hir::ExprId id, const LocalNames& names = {});

} // namespace hellwig
