// SPDX-License-Identifier: Apache-2.0
// Writing a file so that at every moment either the old or the new text is there in full.
#pragma once

#include <string>
#include <string_view>

namespace hellwig {

/// Empty, or why it could not be written; then the old file is as it was. The new text is written beside the
/// file under the name `FILE.new`; what an earlier writer that was killed left there is written over.
std::string writeFileAtomically(const std::string& path, std::string_view text);

} // namespace hellwig
