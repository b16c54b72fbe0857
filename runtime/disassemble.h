// SPDX-License-Identifier: Apache-2.0
// The code of a module as text, for those who look for what the compiler did.
#pragma once

#include "runtime/module.h"

#include <string>

namespace hellwig {

/// "    3  add r2, r0, r1" and so on, with the names of what operands refer to. Any module will do, verified
/// or not.
std::string disassemble(const Module& module);
std::string disassembleBody(const Module& module, std::uint32_t body);

} // namespace hellwig
