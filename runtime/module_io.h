// SPDX-License-Identifier: Apache-2.0
// Modules as bytes (.hlm): little-endian, versioned, with a checksum over all that precedes it.
#pragma once

#include "runtime/module.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace hellwig {

/// The bytes of a module: "HLM\n", format version, length of what follows, the module, FNV-1a of 64 bits. Of
/// the board its description and the hexes in play are kept; the rest is built again.
std::vector<std::uint8_t> writeModule(const Module& module);
/// The module, or what is wrong with the bytes. Whatever they are, nothing is read outside them and memory
/// stays within a fixed multiple of their number. The module still has to be verified.
std::variant<Module, std::string> readModule(std::span<const std::uint8_t> bytes);
/// How the bytes of a module's body are laid out, in the words of docs/file-formats.md, with every name written
/// out: "u32 str .. [str [u16]]". A test holds that page against it.
std::string moduleLayout();

} // namespace hellwig
