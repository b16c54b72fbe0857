// SPDX-License-Identifier: Apache-2.0
// Writing and reading the parts of a record line.
#include "runtime/record_text.h"

#include <charconv>

namespace hellwig::record_text {

std::uint64_t chain(std::uint64_t state, std::string_view text) {
  for (const char c : text) {
    state ^= static_cast<unsigned char>(c);
    state *= 0x100000001b3u;
  }
  return state;
}

std::string hex64(std::uint64_t value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = digits[value & 15];
  return text;
}

std::string quote(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
  return out;
}

void LineReader::skipBlanks() {
  while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
}

bool LineReader::word(std::string_view expected) {
  skipBlanks();
  if (!rest_.starts_with(expected)) return false;
  if (rest_.size() > expected.size() && rest_[expected.size()] != ' ') return false;
  rest_.remove_prefix(expected.size());
  return true;
}

bool LineReader::sign(char expected) {
  skipBlanks();
  if (rest_.empty() || rest_.front() != expected) return false;
  rest_.remove_prefix(1);
  return true;
}

std::optional<std::uint64_t> LineReader::number(std::uint64_t most) {
  skipBlanks();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (error != std::errc() || value > most) return std::nullopt;
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return value;
}

std::optional<std::string> LineReader::quoted() {
  skipBlanks();
  if (rest_.empty() || rest_.front() != '"') return std::nullopt;
  std::string out;
  for (std::size_t i = 1; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (c == '"') {
      rest_.remove_prefix(i + 1);
      return out;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    if (++i >= rest_.size()) break;
    if (rest_[i] != 'x') {
      out += rest_[i];
      continue;
    }
    if (i + 2 >= rest_.size()) break;
    unsigned byte = 0;
    const char* from = rest_.data() + i + 1;
    const auto [end, error] = std::from_chars(from, from + 2, byte, 16);
    if (error != std::errc() || end != from + 2) break;
    out += static_cast<char>(static_cast<unsigned char>(byte));
    i += 2;
  }
  return std::nullopt;
}

bool LineReader::atEnd() {
  skipBlanks();
  return rest_.empty();
}

} // namespace hellwig::record_text
