// SPDX-License-Identifier: Apache-2.0
// A person at the terminal (or a script at standard input): shows what is to be decided, reads what is typed,
// answers questions about the game on the way.
#pragma once

#include "cli/map_view.h"
#include "cli/options.h"
#include "runtime/record.h"

#include <istream>
#include <optional>
#include <ostream>
#include <string>

namespace hellwig::cli {

class Person {
public:
  enum class Did { answered, undid, conceded, quit };

  Person(std::istream& in, std::ostream& out, std::uint16_t side, bool colour, bool echo)
      : in_(in), out_(out), side_(side), colour_(colour), echo_(echo) {}

  /// Until the pending decision of the session, which is this person's, is answered, taken back or given up.
  Did decide(Session& session);

private:
  void show(Machine& machine, const OptionList& options);
  bool read(std::string& line);
  /// Answers with the pass while a phase is being ended.
  bool passes(Session& session, const OptionList& options);
  /// Answers with what the line means and keeps its rest for the next decision; says so if it means nothing.
  bool answers(Session& session, const OptionList& options, const std::string& line);
  bool undo(Session& session);
  void save(const Session& session, const std::string& path);
  void drawPosition(Machine& machine);
  void help();

  std::istream& in_;
  std::ostream& out_;
  std::uint16_t side_;
  bool colour_, echo_;
  std::string ahead_;                        ///< typed already for the next decision
  std::optional<std::uint64_t> endingPhase_; ///< how many phases had begun when this one was to end
};

} // namespace hellwig::cli
