// SPDX-License-Identifier: Apache-2.0
// Names as typed by a person.
#include "cli/names.h"

#include <charconv>

namespace hellwig::cli {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool inWord(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Does the text begin with the name, as a word of its own?
bool begins(std::string_view text, std::string_view name) {
  if (name.empty() || text.size() < name.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (lower(text[i]) != lower(name[i])) return false;
  return text.size() == name.size() || !inWord(text[name.size()]) || !inWord(name.back());
}

/// Keeps the longest name that fits; of equally long ones the first.
struct Best {
  std::string_view text;
  std::size_t length = 0;
  Word value = 0;
  void offer(std::string_view name, Word candidate, std::size_t before = 0) {
    if (begins(text.substr(before), name) && before + name.size() > length) {
      length = before + name.size();
      value = candidate;
    }
  }
};

void offerCounters(const Machine& machine, const ValueType& type, Best& best) {
  const Module& module = machine.program().module();
  const auto& members = module.kinds[type.id].members;
  for (const bool mapped : {true, false}) {
    for (std::size_t c = 0; c < module.counters.size(); ++c) {
      if (c / 64 >= members.size() || ((members[c / 64] >> (c % 64)) & 1) == 0) continue;
      if ((machine.hexOf(static_cast<std::uint16_t>(c)) >= 0) != mapped) continue;
      const CounterInfo& counter = module.counters[c];
      best.offer(counter.name, static_cast<Word>(c));
      best.offer(counter.display, static_cast<Word>(c));
      for (const std::string* side : {&module.sides[counter.side].name, &module.sides[counter.side].display})
        if (begins(best.text, *side)) {
          const std::size_t from = best.text.find_first_not_of(" .", side->size());
          if (from != std::string_view::npos) best.offer(counter.name, static_cast<Word>(c), from);
        }
    }
  }
}

} // namespace

void skipBetween(std::string_view& words) {
  for (;;) {
    while (!words.empty() && (words.front() == ' ' || words.front() == ',')) words.remove_prefix(1);
    bool found = false;
    for (const std::string_view word : {"to", "at", "and"})
      if (begins(words, word) && words.size() > word.size()) {
        words.remove_prefix(word.size());
        found = true;
        break;
      }
    if (!found) return;
  }
}

std::optional<Word> takeThing(const Machine& machine, const ValueType& type, std::string_view& words) {
  const Module& module = machine.program().module();
  const Board& board = module.board;
  std::string_view text = words;
  skipBetween(text);
  Best best{text};
  const auto offerNamed = [&](const auto& list, const auto& name) {
    for (std::size_t i = 0; i < list.size(); ++i) best.offer(name(list[i]), static_cast<Word>(i));
  };
  if (type.optional) best.offer("none", none);
  switch (type.kind) {
  case ValueKind::integer: {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end != text.data())
      best = {text, static_cast<std::size_t>(end - text.data()), value};
    break;
  }
  case ValueKind::boolean:
    best.offer("no", 0);
    best.offer("yes", 1);
    break;
  case ValueKind::hex: offerNamed(board.label, [](const std::string& label) { return label; }); break;
  case ValueKind::hexside:
    for (std::size_t i = 0; i < board.hexside.size(); ++i)
      best.offer(hexsideLabel(board, static_cast<int>(i)), static_cast<Word>(i));
    break;
  case ValueKind::direction:
    for (int d = 0; d < 6; ++d) {
      best.offer(directionName(board.shape, d), d);
      best.offer(cornerName(board.shape, d), d);
    }
    break;
  case ValueKind::side:
    offerNamed(module.sides, [](const SideInfo& side) { return side.name; });
    offerNamed(module.sides, [](const SideInfo& side) { return side.display; });
    break;
  case ValueKind::area: offerNamed(module.areas, [](const AreaInfo& area) { return area.name; }); break;
  case ValueKind::box:
    offerNamed(module.boxes, [](const BoxInfo& box) { return box.name; });
    offerNamed(module.boxes, [](const BoxInfo& box) { return box.display; });
    break;
  case ValueKind::enumeration:
    offerNamed(module.enums[type.id].names, [](const std::string& name) { return name; });
    offerNamed(module.enums[type.id].values, [](const std::string& name) { return name; });
    break;
  case ValueKind::phase: offerNamed(module.phases, [](const PhaseInfo& phase) { return phase.name; }); break;
  case ValueKind::group:
    for (const bool display : {false, true})
      offerNamed(module.groups,
                 [display](const GroupInfo& group) { return display ? group.display : group.name; });
    break;
  case ValueKind::counter: offerCounters(machine, type, best); break;
  default: break;
  }
  if (best.length == 0) return std::nullopt;
  words = text.substr(best.length);
  return best.value;
}

} // namespace hellwig::cli
