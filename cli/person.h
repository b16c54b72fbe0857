// SPDX-License-Identifier: Apache-2.0
// A person at the terminal (or a script at standard input): shows what is to be decided, reads what is typed,
// answers questions about the game on the way.
#pragma once

#include "cli/map_view.h"
#include "runtime/record.h"

#include <istream>
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
  struct Options {
    std::vector<Answer> answers;
    std::vector<std::string> texts;
    std::size_t elements = 0; ///< of a subset: how many of the texts are members; the rest are alternatives
  };
  Options list(Machine& machine);
  void show(Machine& machine, const Options& options);
  bool read(std::string& line);
  /// What the line means as an answer; nothing if it is none. `problem` says why.
  std::optional<Answer> understand(Machine& machine, const Options& options, const std::string& line,
                                   std::string& problem) const;
  std::optional<Answer> understandAllotment(const Pending& pending, const std::string& line,
                                            std::string& problem) const;
  std::optional<Answer> understandSubset(const Options& options, const std::string& line,
                                         std::string& problem) const;
  bool undo(Session& session);
  void save(const Session& session, const std::string& path);
  void drawPosition(Machine& machine);
  void help();

  std::istream& in_;
  std::ostream& out_;
  std::uint16_t side_;
  bool colour_, echo_;
};

} // namespace hellwig::cli
