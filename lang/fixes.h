// SPDX-License-Identifier: Apache-2.0
// Which of the changes that diagnostics offer may be made without asking, and making them.
#pragma once

#include "lang/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace hellwig {

/// A fix is safe if there is only one thing that can have been meant, and the change says just that: `is` for
/// `=`, `do` before a call, quotes round a name, a fraction for a decimal. A nearest name is safe if it is
/// one slip away (two in a long word) and no other name or word of the package is as near.
class FixJudge {
public:
  /// `words`: the names and words that occur in the package; those of the language are known.
  explicit FixJudge(std::vector<std::string> words);
  bool isSafe(const Diagnostic& diagnostic) const;

private:
  bool isOnlyName(std::string_view written, std::string_view meant) const;
  std::vector<std::string> words_;
};

struct MadeFixes {
  std::string text;              ///< with the changes made
  std::vector<std::size_t> made; ///< which of the fixes, in the order of the text
};
/// Makes those changes that do not touch one another; of two that do, the first in the text.
MadeFixes makeFixes(std::string_view text, const std::vector<Fix>& fixes);

} // namespace hellwig
