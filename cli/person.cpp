// SPDX-License-Identifier: Apache-2.0
// The dialogue of a person with the game.
#include "cli/person.h"

#include "cli/console.h"
#include "cli/questions.h"
#include "cli/story.h"

#include <utility>

namespace hellwig::cli {
namespace {

std::string lowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

} // namespace

void Person::show(Machine& machine, const OptionList& options) {
  const Module& module = machine.program().module();
  const Decision& decision = module.decisions[machine.pending().decision];
  std::string prompt = machine.promptText({side_});
  if (prompt.empty()) prompt = "What do you choose?";
  out_ << "\n"
       << (colour_ ? "\x1b[1m" : "") << module.sides[side_].display << ": " << prompt
       << (colour_ ? "\x1b[0m" : "") << citationOf(module, decision.marks) << "\n";
  showOptions(out_, machine, options, side_);
}

bool Person::read(std::string& line) {
  out_ << "> " << std::flush;
  if (!std::getline(in_, line)) {
    out_ << "\n";
    return false;
  }
  if (echo_) out_ << line << "\n";
  line = trimmed(line);
  return true;
}

bool Person::undo(Session& session) {
  const std::vector<RecordEntry>& entries = session.record().entries;
  if (entries.empty()) {
    out_ << "Nothing has been decided yet.\n";
    return false;
  }
  if (entries.back().owner != side_) {
    out_ << "The other side has answered since; you cannot take back anything alone.\n";
    return false;
  }
  std::string why;
  if (!session.canUndoAlone(&why)) {
    out_ << "That cannot be taken back: " << why << ".\n";
    return false;
  }
  const std::string text = entries.back().text;
  if (!session.undo()) return false;
  out_ << "Taken back: " << text << "\n";
  return true;
}

void Person::save(const Session& session, const std::string& path) {
  if (path.empty()) {
    out_ << "Save where? save FILE.hlr\n";
    return;
  }
  const std::string problem = saveRecordFile(path, session.record());
  if (problem.empty())
    out_ << "Saved: " << path << " (go on with: play GAME --continue " << path << ")\n";
  else
    out_ << "Not saved: " << problem << "\n";
}

void Person::drawPosition(Machine& machine) {
  out_ << drawMap(machine, {colour_, side_});
}

void Person::help() {
  out_ << "An option is chosen by its number or its words; several of a set as '1 3', 'none' or 'all'. What\n"
          "follows is for the next question: '1 Pz 1411' chooses a unit and then its hex.\n"
          "  map                    draw the position\n"
          "  list                   show the options again\n"
          "  why HEX, why COUNTER   why it is not among the options\n"
          "  why COUNTER HEX        why the counter cannot go there\n"
          "  explain NAME ARGS      how a value of the rules comes about: explain defense Infantry 2\n"
          "  pass                   choose nothing, where that is possible\n"
          "  end phase              pass until the phase is over\n"
          "  undo                   take back your last answer, if no die was rolled since\n"
          "  save FILE              write the record of the game\n"
          "  concede                give the game up\n"
          "  quit                   stop playing\n";
}

bool Person::passes(Session& session, const OptionList& options) {
  if (!endingPhase_) return false;
  if (*endingPhase_ != session.machine().phasesBegun()) {
    endingPhase_.reset();
    return false;
  }
  if (options.pass >= 0 && session.answer(options.answers[static_cast<std::size_t>(options.pass)]))
    return true;
  endingPhase_.reset();
  out_ << "The phase cannot end before this is decided:\n";
  return false;
}

bool Person::answers(Session& session, const OptionList& options, const std::string& line) {
  Reading reading = readAnswer(session.machine(), options, line);
  if (!reading.answer || !session.answer(*reading.answer, &reading.problem)) {
    out_ << (reading.problem.empty() ? "That is not possible here." : reading.problem) << "\n";
    return false;
  }
  ahead_ = std::move(reading.rest);
  return true;
}

Person::Did Person::decide(Session& session) {
  Machine& machine = session.machine();
  const OptionList options = listOptions(machine, side_);
  if (passes(session, options)) return Did::answered;
  if (const std::string ahead = std::exchange(ahead_, {}); !ahead.empty()) {
    const Reading reading = readAnswer(machine, options, ahead);
    if (reading.answer && session.answer(*reading.answer)) {
      ahead_ = reading.rest;
      return Did::answered;
    }
    out_ << "'" << ahead << "' does not answer what comes next.\n";
  }
  show(machine, options);
  std::string line;
  while (read(line)) {
    const std::size_t blank = line.find(' ');
    const std::string word = lowered(line.substr(0, blank)), command = lowered(line);
    const std::string rest = blank == std::string::npos ? "" : trimmed(line.substr(blank));
    if (line.empty()) continue;
    if (word == "why") {
      out_ << answerWhy(machine, rest, side_).text << "\n";
    } else if (word == "explain") {
      out_ << answerExplain(machine, rest, side_).text << "\n";
    } else if (word == "save") {
      save(session, rest);
    } else if (command == "map") {
      drawPosition(machine);
    } else if (command == "list" || command == "options") {
      show(machine, options);
    } else if (command == "help" || line == "?") {
      help();
    } else if (command == "quit" || command == "exit") {
      return Did::quit;
    } else if (command == "undo") {
      if (undo(session)) return Did::undid;
    } else if (command == "concede") {
      if (session.concede(side_)) return Did::conceded;
      out_ << "Conceding is not possible here.\n";
    } else if (command == "end phase") {
      endingPhase_ = machine.phasesBegun();
      if (passes(session, options)) return Did::answered;
    } else if (answers(session, options, line)) {
      return Did::answered;
    }
  }
  return Did::quit;
}

} // namespace hellwig::cli
