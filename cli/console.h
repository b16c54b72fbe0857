// SPDX-License-Identifier: Apache-2.0
// What the commands share in talking to a terminal or a program: colour, text width, JSON.
#pragma once

#include <llvm/Support/JSON.h>

#include <string>
#include <string_view>

namespace hellwig::cli {

bool inputIsTerminal();
bool outputIsTerminal();
bool errorsAreTerminal();
/// Colour for standard output: it is a terminal, NO_COLOR is not set and TERM is not "dumb".
bool outputHasColour();

/// Number of characters of UTF-8 text; its first `count` characters; the text filled up with blanks.
std::size_t textWidth(std::string_view text);
std::string firstCharacters(std::string_view text, std::size_t count);
std::string filled(std::string text, std::size_t width);
/// "1 file", "12 files".
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);
/// A number with `digits` decimals.
std::string decimal(double value, int digits);

/// Standard output, indented by two, with a line end.
void printJson(const llvm::json::Value& value);
/// JSON text must be UTF-8; anything else is replaced.
llvm::json::Value jsonText(std::string_view text);

} // namespace hellwig::cli
