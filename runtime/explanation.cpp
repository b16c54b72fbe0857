// SPDX-License-Identifier: Apache-2.0
// Explanations in words: see explanation.h.
#include "runtime/explanation.h"

namespace hellwig {
namespace {

Word negated(Word figure, const ValueType& type) {
  return type.kind == ValueKind::fraction ? packRatio(-numeratorOf(figure), denominatorOf(figure)) : -figure;
}

bool negative(Word figure, const ValueType& type) {
  if (type.isSet || figure == none) return false;
  return type.kind == ValueKind::fraction ? numeratorOf(figure) < 0
                                          : type.kind == ValueKind::integer && figure < 0;
}

std::string stepWords(Machine& machine, const ExplanationLine& line, const ValueType& type, TextView view) {
  auto shown = [&](Word figure) { return machine.display(figure, type, view); };
  std::string rounding;
  switch (line.step) {
  case StepKind::multiplyRoundUp:
  case StepKind::divideRoundUp: rounding = " rounded up"; break;
  case StepKind::multiplyRoundDown:
  case StepKind::divideRoundDown: rounding = " rounded down"; break;
  case StepKind::multiplyRoundNear:
  case StepKind::divideRoundNear: rounding = " rounded near"; break;
  default: break;
  }
  switch (line.step) {
  case StepKind::add:
  case StepKind::subtract: {
    bool minus = (line.step == StepKind::subtract) != negative(line.operand, type);
    Word size = negative(line.operand, type) ? negated(line.operand, type) : line.operand;
    return (minus ? " - " : " + ") + shown(size);
  }
  case StepKind::multiply:
  case StepKind::multiplyRoundUp:
  case StepKind::multiplyRoundDown:
  case StepKind::multiplyRoundNear: return " x " + shown(line.operand) + rounding;
  case StepKind::divide:
  case StepKind::divideRoundUp:
  case StepKind::divideRoundDown:
  case StepKind::divideRoundNear: return " / " + shown(line.operand) + rounding;
  case StepKind::roundUp: return ", rounded up";
  case StepKind::roundDown: return ", rounded down";
  case StepKind::roundNear: return ", rounded near";
  case StepKind::become: return "; becomes " + shown(line.operand);
  case StepKind::atLeast: return "; at least " + shown(line.operand);
  case StepKind::atMost: return "; at most " + shown(line.operand);
  }
  return "";
}

} // namespace

std::string citation(const Module& module, const std::vector<std::uint16_t>& rules) {
  std::string out;
  for (std::uint16_t rule : rules) out.append(out.empty() ? " [" : ", ").append(module.rules[rule].id);
  if (!out.empty()) out += ']';
  return out;
}

std::string explanationText(Machine& machine, const Explanation& explanation, bool withRules, TextView view) {
  const Module& module = machine.program().module();
  std::string all, figure, line;
  bool open = false;
  auto close = [&] {
    if (!open) return;
    if (!all.empty()) all += '\n';
    if (!figure.empty()) all.append(figure).append(" = ");
    all += line;
    figure.clear();
    line.clear();
    open = false;
  };
  for (const ExplanationLine& part : explanation.lines) {
    const ValueType type = part.type < module.types.size() ? module.types[part.type] : ValueType{};
    if (part.kind != ExplanationLine::Kind::step) close();
    open = true;
    std::string label = part.text;
    switch (part.kind) {
    case ExplanationLine::Kind::base:
      figure = machine.display(part.figure, type, view);
      line = figure;
      break;
    case ExplanationLine::Kind::step:
      figure = machine.display(part.figure, type, view);
      line += stepWords(machine, part, type, view);
      break;
    case ExplanationLine::Kind::reason: break;
    }
    if (!line.empty() && !label.empty()) line += ' ';
    line += label;
    if (withRules) line += citation(module, part.rules);
  }
  close();
  return all;
}

} // namespace hellwig
