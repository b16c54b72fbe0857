// SPDX-License-Identifier: Apache-2.0
// The canonical layout of source text.
#pragma once

#include "lang/syntax.h"

#include <string>

namespace hellwig {

// The file in the canonical layout: two spaces for each depth, tables aligned column by column, at most one
// blank line in a row. The author's line breaks, comments and order stay; only white space changes, so that
// the words are the same before and after, and formatting twice changes nothing. A file with syntax errors is
// returned as it is.
std::string format(const SyntaxTree& tree);

} // namespace hellwig
