// SPDX-License-Identifier: Apache-2.0
// The dialogue of a person with the game.
#include "cli/person.h"

#include "cli/arguments.h"
#include "cli/console.h"
#include "cli/questions.h"
#include "cli/story.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace hellwig::cli {
namespace {

constexpr std::size_t lineWidth = 100;

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

std::optional<std::size_t> wholeNumber(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const std::vector<std::string> commandWords = {"why",  "explain", "undo",    "save", "map", "help",
                                               "quit", "list",    "concede", "none", "all"};

} // namespace

Person::Options Person::list(Machine& machine) {
  const Pending& pending = machine.pending();
  Options options;
  if (pending.kind == ChoiceKind::subset) {
    for (std::uint32_t k = 0; k < pending.elementCount; ++k) {
      options.answers.push_back({-1, {static_cast<std::uint16_t>(k)}});
      options.texts.push_back(machine.optionText({static_cast<std::int32_t>(k), {}}, {side_}));
    }
    options.elements = options.answers.size();
  }
  for (std::uint32_t k = 0; k < pending.optionCount; ++k) {
    options.answers.push_back(machine.optionAt(k));
    options.texts.push_back(machine.optionText(options.answers.back(), {side_}));
  }
  return options;
}

void Person::show(Machine& machine, const Options& options) {
  const Module& module = machine.program().module();
  const Pending& pending = machine.pending();
  const Decision& decision = module.decisions[pending.decision];
  std::string prompt = machine.promptText({side_});
  if (prompt.empty()) prompt = "What do you choose?";
  out_ << "\n"
       << (colour_ ? "\x1b[1m" : "") << module.sides[side_].display << ": " << prompt
       << (colour_ ? "\x1b[0m" : "") << citationOf(module, decision.marks) << "\n";
  std::size_t width = 0;
  for (const std::string& text : options.texts) width = std::max(width, textWidth(text) + 6);
  const std::size_t columns = std::max<std::size_t>(1, lineWidth / std::max<std::size_t>(width, 1));
  for (std::size_t i = 0; i < options.texts.size(); ++i) {
    const bool last = (i + 1) % columns == 0 || i + 1 == options.texts.size();
    const std::string number = std::to_string(i + 1);
    const std::string item =
        std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " " + options.texts[i];
    out_ << (last ? item + "\n" : filled(item, width));
  }
  for (std::uint32_t i = 0; pending.kind == ChoiceKind::allotment && i < pending.elementCount; ++i)
    out_ << (i == 0 ? "A number for each, in this order, with blanks:\n" : "") << "      "
         << machine.optionText({static_cast<std::int32_t>(i), {}}, {side_}) << ": " << pending.low[i]
         << " to " << pending.high[i] << "\n";
  if (pending.kind == ChoiceKind::subset) {
    const auto most = std::min<std::int64_t>(pending.most, static_cast<std::int64_t>(options.elements));
    out_ << "Choose " << (pending.least == most ? "" : std::to_string(pending.least) + " to ") << most
         << " of them: numbers with blanks, 'none' or 'all'.\n";
  }
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

std::optional<Answer> Person::understandSubset(const Options& options, const std::string& line,
                                               std::string& problem) const {
  Answer answer;
  const std::string word = lowered(line);
  if (word == "none") return answer;
  if (word == "all") {
    for (std::size_t i = 0; i < options.elements; ++i)
      answer.members.push_back(options.answers[i].members.front());
    return answer;
  }
  std::string rest = line;
  std::replace(rest.begin(), rest.end(), ',', ' ');
  while (!(rest = trimmed(rest)).empty()) {
    const std::string item = rest.substr(0, rest.find(' '));
    rest.erase(0, item.size());
    const std::optional<std::size_t> number = wholeNumber(item);
    if (!number || *number < 1 || *number > options.elements) {
      problem = "'" + item + "' is not a number from 1 to " + std::to_string(options.elements);
      return std::nullopt;
    }
    answer.members.push_back(options.answers[*number - 1].members.front());
  }
  std::sort(answer.members.begin(), answer.members.end());
  answer.members.erase(std::unique(answer.members.begin(), answer.members.end()), answer.members.end());
  return answer;
}

std::optional<Answer> Person::understandAllotment(const Pending& pending, const std::string& line,
                                                  std::string& problem) const {
  Answer answer;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const bool negative = word.front() == '-';
    const std::optional<std::size_t> number = wholeNumber(word.substr(negative ? 1 : 0));
    if (!number || *number > INT32_MAX) {
      problem = "'" + word + "' is no number";
      return std::nullopt;
    }
    answer.numbers.push_back(static_cast<std::int32_t>(*number) * (negative ? -1 : 1));
  }
  if (answer.numbers.size() == pending.elementCount) return answer;
  problem = std::to_string(pending.elementCount) + " numbers are wanted, one for each";
  return std::nullopt;
}

std::optional<Answer> Person::understand(Machine& machine, const Options& options, const std::string& line,
                                         std::string& problem) const {
  // An option's own words come first, so that 0508 is the hex and not option 508; a plain number (no digits
  // of a hex) counts as the number in the list.
  const std::size_t count = options.answers.size();
  const std::optional<std::size_t> number = wholeNumber(line);
  for (std::size_t i = 0; i < count; ++i)
    if (lowered(options.texts[i]) == lowered(line) && (!number || line.size() > 2)) {
      if (i >= options.elements) return options.answers[i];
      return Answer{-1, options.answers[i].members};
    }
  if (machine.pending().kind == ChoiceKind::allotment && !line.empty() &&
      (number || line.find(' ') != line.npos))
    return understandAllotment(machine.pending(), line, problem);
  if (number && *number > options.elements && *number <= count) return options.answers[*number - 1];
  if (machine.pending().kind == ChoiceKind::subset) return understandSubset(options, line, problem);
  if (number) {
    problem = "there is no option " + line + "; there are 1 to " + std::to_string(count);
    return std::nullopt;
  }
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < count; ++i)
    if (lowered(options.texts[i]).starts_with(lowered(line))) {
      if (only) {
        problem = "'" + line + "' could be several options";
        return std::nullopt;
      }
      only = i;
    }
  if (only) return options.answers[*only];
  std::vector<std::string> words = options.texts;
  words.insert(words.end(), commandWords.begin(), commandWords.end());
  if (lowered(line) == "all" || lowered(line) == "none") {
    problem = "'" + line + "' is for a choice of several: here one option is chosen.";
    return std::nullopt;
  }
  const std::string near = meant(line, words);
  problem = "'" + line + "' is no option" + (near.empty() ? "." : near) + " Type 'help' for the commands.";
  return std::nullopt;
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
  out_ << "An option is chosen by its number or its words; several of a set as '1 3', 'none' or 'all'.\n"
          "  map                    draw the position\n"
          "  list                   show the options again\n"
          "  why HEX, why COUNTER   why it is not among the options\n"
          "  why COUNTER HEX        why the counter cannot go there\n"
          "  explain NAME ARGS      how a value of the rules comes about: explain defense Infantry 2\n"
          "  undo                   take back your last answer, if no die was rolled since\n"
          "  save FILE              write the record of the game\n"
          "  concede                give the game up\n"
          "  quit                   stop playing\n";
}

Person::Did Person::decide(Session& session) {
  Machine& machine = session.machine();
  const Options options = list(machine);
  show(machine, options);
  std::string line;
  while (read(line)) {
    const std::size_t blank = line.find(' ');
    const std::string word = lowered(line.substr(0, blank)), command = lowered(line);
    const std::string rest = blank == std::string::npos ? "" : trimmed(line.substr(blank));
    if (line.empty()) continue;
    if (word == "why") {
      out_ << answerWhy(machine, rest, side_) << "\n";
    } else if (word == "explain") {
      out_ << answerExplain(machine, rest, side_) << "\n";
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
    } else {
      std::string problem;
      const std::optional<Answer> answer = understand(machine, options, line, problem);
      if (answer && session.answer(*answer, &problem)) return Did::answered;
      out_ << (problem.empty() ? "That is not possible here." : problem) << "\n";
    }
  }
  return Did::quit;
}

} // namespace hellwig::cli
