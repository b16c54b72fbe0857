// SPDX-License-Identifier: Apache-2.0
// hellwig check --fix: making the safe changes that diagnostics offer.
#pragma once

#include "compiler/package.h"
#include "lang/diagnostic.h"

#include <string>
#include <vector>

namespace hellwig::cli {

/// Marks the fixes in the sink that may be made without asking.
void judgeFixes(const Package& package, DiagnosticSink& sink);

struct FixReport {
  struct Made {
    std::string file, written, replacement;
    DiagnosticCode code;
    LineColumn at;
    TextRange range;
  };
  std::vector<Made> made;
  std::vector<std::string> problems; ///< files that could not be written, and why
};
/// Writes the safe fixes into the files of the package's own folder (of a mod never into the game's): each
/// file as a whole or not at all. Fixes that touch one another are left for the next run.
FixReport makeSafeFixes(const Package& package, const DiagnosticSink& sink);

} // namespace hellwig::cli
