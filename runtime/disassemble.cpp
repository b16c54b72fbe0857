// SPDX-License-Identifier: Apache-2.0
// The code of a module as text, from the list of instructions.
#include "runtime/disassemble.h"

namespace hellwig {

namespace {

struct Shape {
  const char* name;
  OperandRole operand[5];
};
const Shape shapes[] = {
#define HELLWIG_INSTRUCTION(name, A, B, C, D, E)                                                             \
  {#name, {OperandRole::A, OperandRole::B, OperandRole::C, OperandRole::D, OperandRole::E}},
#include "runtime/instructions.def"
#undef HELLWIG_INSTRUCTION
};

std::string numbered(const char* what, std::int64_t v) {
  std::string text = what;
  text.append(std::to_string(v));
  return text;
}

template<class List, class Name>
std::string named(const List& list, std::int64_t id, const char* what, Name&& name) {
  std::string text = numbered(what, id);
  if (id >= 0 && static_cast<std::size_t>(id) < list.size())
    text += " (" + name(list[static_cast<std::size_t>(id)]) + ")";
  return text;
}

std::string operandText(const Module& m, OperandRole role, std::int64_t v) {
  auto name = [](const auto& x) { return x.name; };
  switch (role) {
  case OperandRole::none: return "";
  case OperandRole::w:
  case OperandRole::r:
  case OperandRole::rw:
  case OperandRole::args: return numbered("r", v);
  case OperandRole::W:
  case OperandRole::R:
  case OperandRole::RW:
  case OperandRole::WC:
  case OperandRole::RC:
  case OperandRole::RWC:
  case OperandRole::WH:
  case OperandRole::RH:
  case OperandRole::WS:
  case OperandRole::RS: return numbered("s", v);
  case OperandRole::WP:
  case OperandRole::RP: return numbered("p", v);
  case OperandRole::WL:
  case OperandRole::RL: return numbered("l", v);
  case OperandRole::WT:
  case OperandRole::RT:
  case OperandRole::RWT: return numbered("t", v);
  case OperandRole::i: return std::to_string(v);
  case OperandRole::j: return numbered("@", v);
  case OperandRole::n: return numbered("words ", v);
  case OperandRole::k:
    return named(m.constants, v, "const ", [](Word w) { return w == none ? "none" : std::to_string(w); });
  case OperandRole::col: return named(m.columns, v, "column ", name);
  case OperandRole::tab: return named(m.tables, v, "table ", name);
  case OperandRole::body: return named(m.bodies, v, "body ", name);
  case OperandRole::route: return named(m.routes, v, "route ", name);
  case OperandRole::zone: return named(m.zones, v, "zone ", name);
  case OperandRole::dec: return named(m.decisions, v, "decision ", [](const Decision& d) { return d.binds; });
  case OperandRole::str:
    return named(m.strings, v, "string ", [](const std::string& s) { return "\"" + s + "\""; });
  case OperandRole::typ: return numbered("type ", v);
  case OperandRole::sset: return numbered("static set ", v);
  case OperandRole::dom: return numbered("domain ", v);
  case OperandRole::mark: return numbered("marks ", v);
  case OperandRole::span: return numbered("span ", v);
  }
  return "?";
}

} // namespace

std::string disassembleBody(const Module& m, std::uint32_t id) {
  if (id >= m.bodies.size()) return "";
  const Body& body = m.bodies[id];
  static const char* const kinds[] = {"pure", "procedure", "explain", "effect"};
  const auto kind = static_cast<std::size_t>(body.kind);
  std::string text = "body " + std::to_string(id) + ": " + body.name + ", " + (kind < 4 ? kinds[kind] : "?") +
                     ", " + std::to_string(body.parameters) + " in, " + std::to_string(body.resultWords) +
                     " out, " + std::to_string(body.registers) + " registers\n";
  for (std::size_t pc = 0; pc < body.code.size(); ++pc) {
    const Instruction& in = body.code[pc];
    const std::string number = std::to_string(pc);
    if (number.size() < 5) text.append(5 - number.size(), ' ');
    text.append(number).append("  ");
    const auto op = static_cast<std::size_t>(in.op);
    if (op >= sizeof(shapes) / sizeof(shapes[0])) {
      text.append(numbered("? ", static_cast<std::int64_t>(op))).append("\n");
      continue;
    }
    const Shape& shape = shapes[op];
    text += shape.name;
    // A name that had to give way to a word of C++ has a mark behind it.
    if (text.back() == '_') text.pop_back();
    const bool immediate =
        in.op == Op::jumpEqImm || in.op == Op::jumpNeImm || in.op == Op::jumpLtImm || in.op == Op::jumpGeImm;
    const std::int64_t values[5] = {in.a, immediate ? static_cast<std::int16_t>(in.b) : std::int64_t{in.b},
                                    in.c, in.d, in.e};
    const char* between = " ";
    for (int i = 0; i < 5; ++i) {
      const std::string operand = operandText(m, shape.operand[i], values[i]);
      if (operand.empty()) continue;
      text.append(between).append(operand);
      between = ", ";
    }
    text += "\n";
  }
  return text;
}

std::string disassemble(const Module& m) {
  std::string text;
  for (std::uint32_t i = 0; i < m.bodies.size(); ++i) text += disassembleBody(m, i) + "\n";
  return text;
}

} // namespace hellwig
