// SPDX-License-Identifier: Apache-2.0
// Terminal and JSON helpers.
#include "cli/console.h"

#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace hellwig::cli {

bool inputIsTerminal() {
  return ::isatty(STDIN_FILENO) == 1;
}
bool outputIsTerminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}
bool errorsAreTerminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

bool outputHasColour() {
  const char* term = std::getenv("TERM");
  return outputIsTerminal() && std::getenv("NO_COLOR") == nullptr && term != nullptr &&
         std::string_view(term) != "dumb";
}

namespace {
bool beginsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}
} // namespace

std::size_t textWidth(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += beginsCharacter(c) ? 1 : 0;
  return width;
}

std::string firstCharacters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (beginsCharacter(text[end]) && seen++ == count) break;
  return std::string(text.substr(0, end));
}

std::string filled(std::string text, std::size_t width) {
  const std::size_t now = textWidth(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return std::to_string(number) + " " + std::string(number == 1 ? one : many);
}

std::string decimal(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

void printJson(const llvm::json::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  json.value(value);
  json.flush();
  stream.flush();
  std::cout << text << "\n";
}

llvm::json::Value jsonText(std::string_view text) {
  const llvm::StringRef ref(text.data(), text.size());
  return llvm::json::isUTF8(ref) ? llvm::json::Value(ref.str()) : llvm::json::Value(llvm::json::fixUTF8(ref));
}

} // namespace hellwig::cli
