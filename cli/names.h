// SPDX-License-Identifier: Apache-2.0
// Finding what a person means: hexes by number, counters and other things by name.
#pragma once

#include "runtime/machine.h"

#include <optional>
#include <string>
#include <string_view>

namespace hellwig::cli {

/// Removes blanks, commas and the words "to", "at", "and" from the front.
void skipBetween(std::string_view& words);

/// The thing of a type that the words begin with (the longest name counts, capitals do not), which is then
/// taken off them. A counter may be qualified by its side ("Austria Infantry 1", "Austria.Infantry 1").
/// Without a qualifier those on the map come first. Nothing is taken if nothing fits.
std::optional<Word> takeThing(const Machine& machine, const ValueType& type, std::string_view& words);

} // namespace hellwig::cli
