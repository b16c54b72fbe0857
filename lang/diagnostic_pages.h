// SPDX-License-Identifier: Apache-2.0
// The page of each diagnostic, as it stands in docs/diagnostics: what it means, an example, the mend.
#pragma once

#include "lang/diagnostic.h"

#include <string_view>
#include <vector>

namespace hellwig {

struct DiagnosticPage {
  DiagnosticCode code;
  std::string_view text; // Markdown
};
// All pages in the order of their numbers; the file is made when the program is built.
const std::vector<DiagnosticPage>& diagnosticPages();

} // namespace hellwig
