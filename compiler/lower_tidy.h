// SPDX-License-Identifier: Apache-2.0
// Makes finished bodies shorter without changing what they answer.
#pragma once

#include "runtime/module.h"

namespace hellwig::lowering {

/// Every body of the module: jumps to jumps go to their end; in pure bodies, which see a state that does not
/// change, what was computed already is not computed again, copies are read where they came from, and what
/// nobody reads goes.
void tidyBodies(Module& module);

} // namespace hellwig::lowering
