// SPDX-License-Identifier: Apache-2.0
// Braces and brackets before parsing: which brace is missing, which closes nothing, how deep they nest.
#pragma once

#include "lang/antlr_input.h"
#include "lang/tree_builder.h"

namespace hellwig {

inline constexpr size_t nestingLimit = 200;

struct BraceCheck {
  // Before these indices of the lexed tokens (or at their end) this many closing braces are to be supplied.
  std::vector<std::pair<size_t, size_t>> supplied;
  // Closing braces that close nothing; the parser does not see them.
  std::vector<size_t> stray;
  bool tooDeep = false; // reported; the file is not to be parsed
};

// Reports unclosed braces and too deep nesting. Stray closing braces are left to the caller, who knows
// whether another mistake has been told there already.
BraceCheck checkBraces(const std::vector<LexedToken>& tokens, TreeBuilder& builder);

// Whether a token of this type begins a declaration of a file.
bool beginsDeclaration(size_t antlrType);

} // namespace hellwig
