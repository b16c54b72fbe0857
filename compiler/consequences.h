// SPDX-License-Identifier: Apache-2.0
// One slip, one message: what is only the consequence of another message is left out.
#pragma once

#include "compiler/package.h"

namespace hellwig {

/// Puts in order what the phases have told of a package and leaves out what follows from something else that
/// was told: a name that a faulty declaration would have made, a type that it would have had, more than one
/// message on a line that cannot be read. One name that is missing in several places is told once, with the
/// other places.
void leaveOutConsequences(const Package& package, DiagnosticSink& sink);

} // namespace hellwig
