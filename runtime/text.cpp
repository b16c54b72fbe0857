// SPDX-License-Identifier: Apache-2.0
// Values as a reader sees them, and the instructions that emit texts and explanations.
#include "runtime/machine_core.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace hellwig {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string ratioText(Word w, char between) {
  if (denominatorOf(w) == 1 && between == '/') return std::to_string(numeratorOf(w));
  return std::to_string(numeratorOf(w)) + between + std::to_string(denominatorOf(w));
}

} // namespace

std::string MachineCore::display(Word value, ValueType type) {
  if (value == none) return "none";
  auto known = [value](std::size_t count) { return static_cast<std::uint64_t>(value) < count; };
  const auto id = static_cast<std::size_t>(value);
  switch (type.kind) {
  case ValueKind::nothing: return "";
  case ValueKind::integer: return std::to_string(value);
  case ValueKind::fraction: return ratioText(value, '/');
  case ValueKind::odds: return ratioText(value, ':');
  case ValueKind::boolean: return value != 0 ? "yes" : "no";
  case ValueKind::text:
    if (known(module_.strings.size())) return module_.strings[id];
    break;
  case ValueKind::time: {
    const Word minutes = ((value % 1440) + 1440) % 1440;
    const std::string two = std::to_string(minutes % 60);
    // On a dial of twelve hours noon and midnight are 12.
    const Word hour = module_.hoursOfClock == 12 ? (minutes / 60 + 11) % 12 + 1 : minutes / 60;
    return std::to_string(hour) + (two.size() < 2 ? ":0" : ":") + two;
  }
  case ValueKind::side:
    if (known(module_.sides.size())) return module_.sides[id].display;
    break;
  case ValueKind::hex:
    if (known(module_.board.label.size())) return module_.board.label[id];
    break;
  case ValueKind::hexside:
    if (known(static_cast<std::size_t>(module_.board.hexsides)))
      return hexsideLabel(module_.board, static_cast<int>(value));
    break;
  case ValueKind::direction:
    if (known(6)) return std::string(directionName(module_.board.shape, static_cast<int>(value)));
    if (known(12)) return std::string(cornerName(module_.board.shape, static_cast<int>(value) - 6));
    break;
  case ValueKind::area:
    if (known(module_.areas.size()))
      return module_.areas[id].label.empty() ? module_.areas[id].name : module_.areas[id].label;
    break;
  case ValueKind::box:
    if (known(module_.boxes.size())) return module_.boxes[id].display;
    break;
  case ValueKind::enumeration:
    if (type.id < module_.enums.size() && known(module_.enums[type.id].values.size()))
      return module_.enums[type.id].values[id];
    break;
  case ValueKind::counter:
    if (known(module_.counters.size())) {
      if (hiddenFrom(static_cast<std::uint32_t>(value), viewer_))
        return "a hidden " + lower(module_.kinds[module_.counters[id].kind].name);
      return shownName(module_.counters[id]);
    }
    break;
  case ValueKind::group:
    if (known(module_.groups.size())) return shownName(module_.groups[id]);
    break;
  case ValueKind::phase:
    if (known(module_.phases.size())) return module_.phases[id].name;
    break;
  case ValueKind::path:
  case ValueKind::record: break;
  }
  return "?";
}

std::string MachineCore::displaySet(const SetWord* set, ValueType type) {
  type.isSet = false;
  std::uint32_t words = 0;
  std::uint16_t domain = domainHexes;
  switch (type.kind) {
  case ValueKind::counter: domain = domainCounters; break;
  case ValueKind::hex: domain = domainHexes; break;
  case ValueKind::hexside: domain = domainHexsides; break;
  case ValueKind::side: domain = domainSides; break;
  case ValueKind::direction: domain = domainDirections; break;
  case ValueKind::area: domain = domainAreas; break;
  case ValueKind::box: domain = domainBoxes; break;
  case ValueKind::group: domain = domainGroups; break;
  case ValueKind::integer: domain = domainInts; break;
  case ValueKind::enumeration: domain = static_cast<std::uint16_t>(firstEnumDomain + type.id); break;
  default: return "?";
  }
  if (domain >= module_.domains.size()) return "?";
  words = program_.domainWords(domain);
  std::vector<std::uint16_t> order;
  orderOf(set, words, domain, order);
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i != 0) text += i + 1 == order.size() ? " and " : ", ";
    text += display(domain == domainInts ? order[i] + Word{lowestSetInt} : Word{order[i]}, type);
  }
  return text.empty() ? "none" : text;
}

void MachineCore::addMarks(std::uint16_t mark, std::vector<std::uint16_t>& rules) const {
  if (mark >= module_.marks.size()) return;
  for (const std::uint16_t rule : module_.marks[mark].rules)
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
}

void MachineCore::emitLine(Op op, Word* r, const Instruction& in) {
  if (emission_ == nullptr) return;
  Emission& out = *emission_;
  // A runaway module must not fill the memory.
  constexpr std::size_t mostText = 1 << 16, mostLines = 10000;
  if (out.text.size() > mostText || out.marks.size() > mostLines ||
      (out.lines != nullptr && out.lines->lines.size() > mostLines))
    raise(FaultCode::outOfRange);
  auto finish = [&](ExplanationLine line) {
    line.text = std::move(out.text);
    for (const std::uint16_t mark : out.marks) addMarks(mark, line.rules);
    if (out.veiled) { // neither the figure nor the rule that decided may be told
      line = ExplanationLine{};
      line.kind = ExplanationLine::Kind::reason;
      line.text = "not possible";
      if (out.lines != nullptr) out.lines->lines.clear();
    }
    out.text.clear();
    out.marks.clear();
    if (out.lines != nullptr) out.lines->lines.push_back(std::move(line));
  };
  ExplanationLine line;
  switch (op) {
  case Op::textString: out.text += module_.strings[in.d]; break;
  case Op::textValue: {
    const ValueType type = module_.types[in.d];
    if (std::exchange(out.veilValue, false))
      out.text += "?";
    else if (type.isSet)
      out.text += displaySet(reinterpret_cast<const SetWord*>(r + in.a), type);
    else if (type.kind == ValueKind::path)
      out.text += displayPath(r + in.a);
    else
      out.text += display(r[in.a], type);
    break;
  }
  case Op::veil: {
    const Word counter = r[in.a];
    if (viewer_ < 0 || static_cast<std::uint64_t>(counter) >= module_.counters.size() ||
        !hiddenFrom(static_cast<std::uint32_t>(counter), viewer_))
      break;
    (in.b == 0 ? out.veilValue : out.veiled) = true;
    break;
  }
  case Op::cite: out.marks.push_back(static_cast<std::uint16_t>(in.d)); break;
  case Op::explainBase:
    line.kind = ExplanationLine::Kind::base;
    line.figure = r[in.a];
    line.type = static_cast<std::uint16_t>(in.d);
    finish(line);
    break;
  case Op::explainStep:
    line.kind = ExplanationLine::Kind::step;
    line.step = static_cast<StepKind>(in.c);
    line.figure = r[in.a];
    line.operand = r[in.b];
    line.type = static_cast<std::uint16_t>(in.d);
    finish(line);
    break;
  case Op::reason:
    line.kind = ExplanationLine::Kind::reason;
    line.reason = static_cast<ReasonKind>(in.a);
    finish(line);
    break;
  default: break;
  }
}

std::string MachineCore::fragmentText(std::int32_t fragment) {
  if (fragment < 0) return "";
  Emission emission;
  const EmissionScope scope(*this, &emission, viewer_);
  if (!quietly([&] {
        runFragment(
            fragment, [](Word*) {}, [](const Word*) {});
      }))
    emission.text += "?";
  return emission.text;
}

} // namespace hellwig
