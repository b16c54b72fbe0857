// SPDX-License-Identifier: Apache-2.0
// The parts of a record line: quoted text, numbers, and the checksum that chains the lines of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hellwig::record_text {

/// Lines of a record file: `first` is line 1; the header has a fixed order, so entry n (0-based) stands on
/// line firstEntryLine + n.
enum HeaderLine : std::uint32_t {
  first = 1,
  game,
  package,
  scenario,
  options,
  mods,
  seed,
  generator,
  firstEntryLine
};

/// FNV-1a over all bytes so far. Each step is a bijection of the state, so a change of one byte always shows.
std::uint64_t chain(std::uint64_t state, std::string_view text);
inline constexpr std::uint64_t chainStart = 0xcbf29ce484222325u;
std::string hex64(std::uint64_t value);

/// In double quotes; quotes, backslashes and control characters are escaped, so that a line stays a line.
std::string quote(std::string_view text);

/// Reads a line from left to right. Every reader skips blanks before what it reads and leaves the place alone
/// if that is not there.
class LineReader {
public:
  explicit LineReader(std::string_view line) : rest_(line) {}
  bool word(std::string_view expected);
  bool sign(char expected);
  std::optional<std::uint64_t> number(std::uint64_t most);
  std::optional<std::string> quoted();
  bool atEnd();

private:
  void skipBlanks();
  std::string_view rest_;
};

} // namespace hellwig::record_text
