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

/// Writes what a session logs, and what became of counters meanwhile: faces that changed, counters that left
/// the map. Spans in which nothing happened are left out, and so are passes where nothing else was possible.
/// Must outlive the session's play.
class Storyteller {
public:
  Storyteller(std::ostream& out, const Module& module, bool colour)
      : out_(out), module_(module), colour_(colour) {}
  /// For a session; `viewer` is the side that reads, -1 sees everything.
  SessionListener listener(std::int32_t viewer);
  /// What became of counters since the last line.
  void tellChanges(const Machine& machine);
  /// The result: who won and why; or the fault that stopped the game.
  void tellEnd(const Machine& machine);

private:
  struct Seen { ///< of a counter
    std::int32_t box;
    Word face;
  };
  void hear(const Machine& machine, const LogEvent& event);
  bool isNothing(const LogEvent& event) const; ///< a pass, or the empty set
  void tell(const std::string& line);
  /// A span begins; the rules that its heading cites are not repeated below it.
  void heading(const std::string& text, const std::vector<std::uint16_t>& rules);
  /// The rules of a line, less those of the headings above it, as " [..]".
  std::string cited(const std::vector<std::uint16_t>& rules) const;
  std::vector<Seen> look(const Machine& machine) const;

  std::ostream& out_;
  const Module& module_;
  bool colour_;
  std::int32_t player_ = -1; ///< whose turn it is
  std::int32_t viewer_ = -1;
  struct Heading {
    std::string text;
    std::size_t depth;
  };
  std::vector<Heading> headings_; ///< not yet written: the spans begun since the last line
  struct Open {
    std::string level;
    std::vector<std::uint16_t> rules;
  };
  std::vector<Open> open_; ///< the spans under way, the outermost first
  std::vector<Seen> seen_;
};

/// The face that a counter shows: the value of its state `face` and the column; -1 if it has none.
std::int32_t faceColumn(const Module& module, std::uint16_t counter);

/// "The Battle of N, Historical Set-up (options: Snow storm), seed 7".
std::string gameHeading(const Module& module, std::uint64_t seed);
/// The fault with its place and calls, several lines.
std::string faultText(const Machine& machine);

} // namespace hellwig::cli
