// SPDX-License-Identifier: Apache-2.0
// Telling a game: its log, turn by turn, in words.
#pragma once

#include "runtime/record.h"

#include <ostream>
#include <string>
#include <vector>

namespace hellwig::cli {

/// The ids of a mark set: " [MO-037, MO-041]" or nothing.
std::string citationOf(const Module& module, std::uint16_t marks);

/// Writes what the machine it is attached to logs. Headings of spans in which nothing happens are left out.
/// Must outlive the machine's play.
class Storyteller {
public:
  Storyteller(std::ostream& out, const Module& module, bool colour)
      : out_(out), module_(module), colour_(colour) {}
  void attach(Machine& machine, std::int32_t viewer);
  SessionListener listener(std::int32_t viewer);
  /// The last line: who won and why.
  void tellResult(const Machine& machine);

private:
  void hear(const LogEvent& event);
  void heading(const std::string& text);
  std::ostream& out_;
  const Module& module_;
  bool colour_;
  std::vector<std::string> headings_; ///< not yet written: the spans begun since the last line
};

/// "The Battle of Mollwitz, Historical Set-up (options: Snow storm), seed 7".
std::string gameHeading(const Module& module, std::uint64_t seed);
/// The fault with its place and calls, several lines.
std::string faultText(const Machine& machine);

} // namespace hellwig::cli
