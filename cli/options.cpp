// SPDX-License-Identifier: Apache-2.0
// Options in words, and words as options.
#include "cli/options.h"

#include "cli/arguments.h"
#include "cli/console.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace hellwig::cli {
namespace {

constexpr std::size_t lineWidth = 100;
/// More options than this are told by place.
constexpr std::size_t manyOptions = 24;

char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lowered(x) == lowered(y); });
}

bool separates(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == ':' || c == '\'' || c == '"';
}

std::string_view skipped(std::string_view words) {
  while (!words.empty() && separates(words.front())) words.remove_prefix(1);
  return words;
}

std::string_view firstWord(std::string_view words) {
  std::size_t end = 0;
  while (end < words.size() && !separates(words[end])) ++end;
  return words.substr(0, end);
}

std::optional<std::size_t> wholeNumber(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// How much of the line is the text, blanks and capitals apart ("1Pz" is "1 Pz"); 0 if it does not begin so
/// or ends within a word.
std::size_t lengthOf(std::string_view text, std::string_view line) {
  std::size_t at = 0, t = 0;
  while (true) {
    while (t < text.size() && separates(text[t])) ++t;
    if (t == text.size()) break;
    while (at < line.size() && separates(line[at])) ++at;
    if (at == line.size() || lowered(line[at]) != lowered(text[t])) return 0;
    ++at;
    ++t;
  }
  return at == line.size() || separates(line[at]) ? at : 0;
}

struct Match {
  std::size_t option = 0, length = 0;
};
/// The option whose text is the longest beginning of the line.
Match longest(const OptionList& options, std::string_view line, std::size_t count) {
  Match best;
  for (std::size_t i = 0; i < count; ++i)
    if (const std::size_t length = lengthOf(options.texts[i], line); length > best.length) best = {i, length};
  return best;
}

std::string placeOf(Machine& machine, ValueType type, Word element) {
  if (type.kind != ValueKind::counter || element < 0) return {};
  const auto counter = static_cast<std::uint16_t>(element);
  const Module& module = machine.program().module();
  if (const std::int32_t hex = machine.hexOf(counter); hex >= 0)
    return machine.display(hex, {ValueKind::hex});
  const std::int32_t box = machine.boxOf(counter);
  return box < 0 ? std::string() : module.boxes[static_cast<std::size_t>(box)].display;
}

std::string outOfRange(std::string_view number, std::size_t count) {
  return "there is no option " + std::string(number) + "; there are 1 to " + std::to_string(count);
}

Reading readSubset(const OptionList& options, std::string_view line) {
  Answer answer;
  if (sameWord(line, "none")) return {answer, {}, {}};
  if (sameWord(line, "all")) {
    for (std::size_t i = 0; i < options.elements; ++i)
      answer.members.push_back(options.answers[i].members.front());
    return {answer, {}, {}};
  }
  for (std::string_view rest = skipped(line); !rest.empty(); rest = skipped(rest)) {
    if (const Match match = longest(options, rest, options.elements); match.length != 0) {
      answer.members.push_back(options.answers[match.option].members.front());
      rest.remove_prefix(match.length);
      continue;
    }
    const std::string_view word = firstWord(rest);
    const std::optional<std::size_t> number = wholeNumber(word);
    if (!number || *number < 1 || *number > options.elements)
      return {std::nullopt,
              {},
              "'" + std::string(word) + "' is not a number from 1 to " + std::to_string(options.elements)};
    answer.members.push_back(options.answers[*number - 1].members.front());
    rest.remove_prefix(word.size());
  }
  std::sort(answer.members.begin(), answer.members.end());
  answer.members.erase(std::unique(answer.members.begin(), answer.members.end()), answer.members.end());
  return {answer, {}, {}};
}

Reading readAllotment(const Pending& pending, std::string_view line) {
  Answer answer;
  for (std::string_view rest = skipped(line); !rest.empty(); rest = skipped(rest)) {
    const std::string_view word = firstWord(rest);
    const bool negative = word.front() == '-';
    const std::optional<std::size_t> number = wholeNumber(word.substr(negative ? 1 : 0));
    if (!number || *number > INT32_MAX) return {std::nullopt, {}, "'" + std::string(word) + "' is no number"};
    answer.numbers.push_back(static_cast<std::int32_t>(*number) * (negative ? -1 : 1));
    rest.remove_prefix(word.size());
  }
  if (answer.numbers.size() == pending.elementCount) return {answer, {}, {}};
  return {std::nullopt, {}, std::to_string(pending.elementCount) + " numbers are wanted, one for each"};
}

/// The one option that begins like the line, for those who abbreviate.
Reading readBeginning(const OptionList& options, std::string_view line) {
  std::optional<std::size_t> only;
  for (std::size_t i = options.elements; i < options.texts.size(); ++i) {
    const std::string& text = options.texts[i];
    if (text.size() < line.size() || !sameWord(std::string_view(text).substr(0, line.size()), line)) continue;
    if (only) return {std::nullopt, {}, "'" + std::string(line) + "' could be several options"};
    only = i;
  }
  if (only) return {options.answers[*only], {}, {}};
  return {};
}

const std::vector<std::string> commandWords = {"why",  "explain", "undo",     "save", "map",
                                               "help", "pass",    "quit",     "list", "concede",
                                               "none", "all",     "end phase"};

} // namespace

OptionList listOptions(Machine& machine, std::int32_t viewer) {
  const Module& module = machine.program().module();
  const Pending& pending = machine.pending();
  const Decision& decision = module.decisions[pending.decision];
  const ValueType type = module.domains[pending.domain].element;
  OptionList list;
  const auto add = [&](Answer answer, const std::string& text, const std::string& place) {
    list.answers.push_back(std::move(answer));
    list.texts.push_back(text);
    list.places.push_back(place);
  };
  if (pending.kind == ChoiceKind::subset) {
    for (std::uint32_t k = 0; k < pending.elementCount; ++k) {
      const Answer element{static_cast<std::int32_t>(k), {}};
      add({-1, {static_cast<std::uint16_t>(k)}}, machine.optionText(element, {viewer}),
          placeOf(machine, type, machine.elementOf(element)));
    }
    list.elements = list.answers.size();
  }
  for (std::uint32_t k = 0; k < pending.optionCount; ++k) {
    const Answer answer = machine.optionAt(k);
    std::int32_t alternative = -1;
    const std::int32_t element = machine.elementOf(answer, &alternative);
    const Pending::Offer* offer = alternative < 0 ? nullptr : pending.offerOf(alternative);
    const ValueType of = offer != nullptr ? module.domains[offer->domain].element : type;
    if (alternative >= 0 && decision.alternatives[static_cast<std::size_t>(alternative)].pass)
      list.pass = static_cast<std::int32_t>(list.answers.size());
    add(answer, machine.optionText(answer, {viewer}), placeOf(machine, of, element));
  }
  list.hexes = pending.kind == ChoiceKind::one && type.kind == ValueKind::hex;
  list.numbers = pending.kind == ChoiceKind::one && type.kind == ValueKind::integer;
  return list;
}

void showOptions(std::ostream& out, Machine& machine, const OptionList& options, std::int32_t viewer) {
  const Pending& pending = machine.pending();
  const bool many = options.texts.size() > manyOptions;
  std::size_t width = 0;
  for (const std::string& text : options.texts) width = std::max(width, textWidth(text) + 6);
  // What is told without a number is typed by its name.
  const auto item = [&](std::size_t i) {
    const std::string number = options.numbers || (many && options.hexes && options.texts[i].size() == 4)
                                   ? std::string()
                                   : std::to_string(i + 1);
    return std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " " + options.texts[i];
  };
  const auto columns = [&](const std::vector<std::size_t>& which, const std::string& head) {
    const std::size_t room = lineWidth - std::min(lineWidth, textWidth(head));
    const std::size_t perLine = std::max<std::size_t>(1, room / std::max<std::size_t>(width, 1));
    for (std::size_t n = 0; n < which.size(); ++n) {
      if (n % perLine == 0) out << (n == 0 ? head : std::string(textWidth(head), ' '));
      const bool last = (n + 1) % perLine == 0 || n + 1 == which.size();
      out << (last ? item(which[n]) + "\n" : filled(item(which[n]), width));
    }
  };
  std::map<std::string, std::vector<std::size_t>> byPlace;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < options.texts.size(); ++i)
    if (many && !options.places[i].empty())
      byPlace[options.places[i]].push_back(i);
    else
      others.push_back(i);
  std::size_t head = 0;
  for (const auto& [place, which] : byPlace) head = std::max(head, textWidth(place) + 2);
  for (const auto& [place, which] : byPlace) columns(which, filled(place + ":", head));
  columns(others, "");
  if (pending.kind == ChoiceKind::allotment) {
    out << "A number for each, in this order, with blanks:\n";
    for (std::uint32_t i = 0; i < pending.elementCount; ++i)
      out << "      " << machine.optionText({static_cast<std::int32_t>(i), {}}, {viewer}) << ": "
          << pending.low[i] << " to " << pending.high[i] << "\n";
  }
  if (pending.kind == ChoiceKind::subset) {
    const auto most = std::min<std::int64_t>(pending.most, static_cast<std::int64_t>(options.elements));
    out << "Choose " << (pending.least == most ? "" : std::to_string(pending.least) + " to ") << most
        << " of them: numbers or names with commas, 'none' or 'all'.\n";
  }
}

Reading readAnswer(const Machine& machine, const OptionList& options, std::string_view line) {
  line = skipped(line);
  const ChoiceKind kind = machine.pending().kind;
  const std::size_t count = options.answers.size();
  if (sameWord(line, "pass") && options.pass >= 0)
    return {options.answers[static_cast<std::size_t>(options.pass)], {}, {}};
  const std::string_view word = firstWord(line);
  const std::optional<std::size_t> number = wholeNumber(word);
  const auto rest = [&](std::size_t length) { return std::string(skipped(line.substr(length))); };
  // An option's own words come first, so that 0508 is the hex and not option 508, and "1 Pz" the division and
  // not the first option; a word of one or two digits alone counts as the number in the list.
  const Match match = longest(options, line, count);
  const bool listed = number && word.size() <= 2 && !options.numbers && match.length <= word.size();
  if (match.length != 0 && !listed && match.option >= options.elements)
    return {options.answers[match.option], rest(match.length), {}};
  if (kind == ChoiceKind::allotment) {
    const Reading numbers = readAllotment(machine.pending(), line);
    if (numbers.answer || number) return numbers;
  }
  if (number && *number > options.elements && *number <= count && !options.numbers)
    return {options.answers[*number - 1], rest(word.size()), {}};
  if (kind == ChoiceKind::subset) return readSubset(options, line);
  if (number) return {std::nullopt, {}, outOfRange(word, count)};
  if (Reading begun = readBeginning(options, line); begun.answer || !begun.problem.empty()) return begun;
  for (const char* filler : {"move", "choose", "to", "with", "at", "and", "from"})
    if (sameWord(word, filler) && line.size() > word.size())
      return readAnswer(machine, options, line.substr(word.size()));
  if (sameWord(line, "all") || sameWord(line, "none"))
    return {std::nullopt,
            {},
            "'" + std::string(line) + "' is for a choice of several: here one option is chosen."};
  std::vector<std::string> words = options.texts;
  words.insert(words.end(), commandWords.begin(), commandWords.end());
  const std::string near = meant(std::string(line), words);
  return {std::nullopt,
          {},
          "'" + std::string(line) + "' is no option" + (near.empty() ? "." : near) +
              " Type 'help' for the commands."};
}

} // namespace hellwig::cli
