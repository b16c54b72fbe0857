// SPDX-License-Identifier: Apache-2.0
// Which routes a path may have come from.
#pragma once

#include "compiler/hir.h"

namespace hellwig {

/// Tells each `move u along p` the routes whose path p may be: a path carries its route, but the hooks that
/// run on the way are known only from where p was found.
void tracePaths(hir::Hir& hir);

} // namespace hellwig
