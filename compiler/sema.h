// SPDX-License-Identifier: Apache-2.0
// Names and types: from a folded package to the typed program.
#pragma once

#include "compiler/fold.h"
#include "compiler/hir.h"
#include "compiler/lower.h"
#include "compiler/world.h"
#include "runtime/test_program.h"

#include <deque>
#include <memory>

namespace hellwig {

/// What typing yields for one selection.
struct Checked {
  World world;
  hir::Hir hir;
  TestProgram test; ///< of the test asked for; its bodies are indices into `extras` until lowered
  std::vector<ExtraBody> extras;
  std::deque<hir::Scope> testScopes; ///< scopes that `extras` point to
};

/// Types the rules of a folded package and the tests given. The sink gets what is wrong; the result is fit
/// for lowering only if it got no error and there was at most one test.
std::unique_ptr<Checked> analyse(Package& package, const Folded& folded, const std::vector<NodeRef>& tests,
                                 DiagnosticSink& sink);

} // namespace hellwig
