// SPDX-License-Identifier: Apache-2.0
// The verifier's view of code: every operand of every instruction, jumps, fragments, and the graph of calls.
#include "runtime/path_block.h"
#include "runtime/verify.h"

#include <algorithm>

namespace hellwig {

namespace {

struct Roles {
  const char* name;
  OperandRole a, b, c, d, e;
};
const Roles roles[] = {
#define HELLWIG_INSTRUCTION(name, A, B, C, D, E)                                                             \
  {#name, OperandRole::A, OperandRole::B, OperandRole::C, OperandRole::D, OperandRole::E},
#include "runtime/instructions.def"
#undef HELLWIG_INSTRUCTION
};
constexpr std::size_t opCount = sizeof(roles) / sizeof(roles[0]);

bool isPlayOp(Op op) {
  switch (op) {
  case Op::joinGroup:
  case Op::moveToHex:
  case Op::moveToBox:
  case Op::moveAlong:
  case Op::set:
  case Op::setGlobal:
  case Op::setSet:
  case Op::setGlobalSet:
  case Op::resetSpan:
  case Op::roll:
  case Op::rollOneOf:
  case Op::decide:
  case Op::rest:
  case Op::settleTake:
  case Op::spanBegin:
  case Op::spanEnd:
  case Op::victoryCheck:
  case Op::win:
  case Op::drawGame:
  case Op::say:
  case Op::happened: return true;
  default: return false;
  }
}
bool isEmitOp(Op op) {
  switch (op) {
  case Op::textString:
  case Op::textValue:
  case Op::cite:
  case Op::veil:
  case Op::explainBase:
  case Op::explainStep:
  case Op::reason: return true;
  default: return false;
  }
}
bool endsFlow(Op op) {
  switch (op) {
  case Op::jump:
  case Op::jumpBack:
  case Op::ret:
  case Op::endFragment:
  case Op::fault:
  case Op::win:
  case Op::drawGame: return true;
  default: return false;
  }
}
// Whether operand d is a jump, rather than the place of a fragment.
bool isJump(Op op) {
  switch (op) {
  case Op::roll:
  case Op::rollOneOf:
  case Op::win:
  case Op::drawGame:
  case Op::say: return false;
  default: return roles[static_cast<std::size_t>(op)].d == OperandRole::j;
  }
}

class BodyVerifier {
public:
  BodyVerifier(const Module& module, std::uint32_t id) : m_(module), body_(module.bodies[id]), id_(id) {}

  std::optional<std::string> run() {
    if (body_.code.empty()) return "body " + body_.name + " has no code";
    if (body_.code.size() > (1U << 24)) return "body " + body_.name + " has too much code";
    if (body_.lines.size() != body_.code.size())
      return "body " + body_.name + " does not tell the line of each instruction";
    if (!body_.citing.empty() && body_.citing.size() != body_.code.size())
      return "body " + body_.name + " does not tell the marks of each instruction";
    for (const std::uint16_t marks : body_.citing)
      if (marks >= m_.marks.size()) return "body " + body_.name + " cites marks that there are not";
    if (body_.parameters > body_.registers || body_.resultWords > body_.registers)
      return "body " + body_.name + " has more parameters or results than registers";
    if (static_cast<std::uint8_t>(body_.kind) > static_cast<std::uint8_t>(BodyKind::effect))
      return "body " + body_.name + " is of no known kind";
    for (pc_ = 0; pc_ < body_.code.size(); ++pc_) {
      check(body_.code[pc_]);
      if (!error_.empty()) break;
    }
    if (error_.empty() && !endsFlow(body_.code.back().op)) {
      pc_ = body_.code.size() - 1;
      fail("the code runs off its end");
    }
    if (error_.empty()) return std::nullopt;
    return error_;
  }

private:
  void fail(const std::string& what) {
    if (!error_.empty()) return;
    const auto op = static_cast<std::size_t>(body_.code[pc_].op);
    error_ = "body " + body_.name + ", instruction " + std::to_string(pc_) + " (" +
             (op < opCount ? roles[op].name : "?") + "): " + what;
  }
  void need(bool holds, const char* what) {
    if (!holds) fail(what);
  }
  void range(std::int64_t id, std::size_t count, const char* what) {
    if (id < 0 || static_cast<std::size_t>(id) >= count) fail(std::string("there is no such ") + what);
  }
  void registers(std::uint32_t first, std::uint64_t words) {
    if (first + words > body_.registers) fail("a register outside the frame");
  }
  std::uint32_t counterWords() const { return setWordsOf(m_, domainCounters); }
  std::uint32_t hexWords() const { return setWordsOf(m_, domainHexes); }
  std::uint32_t pathWords() const { return pathShape(m_).words(); }

  // Words of the set operands W, R, RW.
  std::uint64_t setWords(const Instruction& in) {
    switch (in.op) {
    case Op::textValue: {
      const ValueType& type = m_.types[in.d];
      if (type.kind == ValueKind::path) return pathWords();
      if (!type.isSet) return 1;
      std::uint32_t domain = 0;
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
      case ValueKind::enumeration: domain = firstEnumDomain + std::uint32_t{type.id}; break;
      default: return 1;
      }
      if (domain >= m_.domains.size()) {
        fail("a set of an unknown type");
        return 1;
      }
      return setWordsOf(m_, domain);
    }
    default: return in.e;
    }
  }

  void operand(OperandRole role, std::uint32_t value, const Instruction& in) {
    switch (role) {
    case OperandRole::w:
    case OperandRole::r:
    case OperandRole::rw: registers(value, 1); break;
    case OperandRole::W:
    case OperandRole::R:
    case OperandRole::RW: registers(value, setWords(in)); break;
    case OperandRole::WC:
    case OperandRole::RC:
    case OperandRole::RWC: registers(value, counterWords()); break;
    case OperandRole::WH:
    case OperandRole::RH: registers(value, hexWords()); break;
    case OperandRole::WS:
    case OperandRole::RS: registers(value, setWordsOf(m_, domainHexsides)); break;
    case OperandRole::WP:
    case OperandRole::RP: registers(value, pathWords()); break;
    case OperandRole::WL:
    case OperandRole::RL: registers(value, pathListWords); break;
    case OperandRole::WT:
    case OperandRole::RT:
    case OperandRole::RWT: registers(value, travelShape(m_).words()); break;
    case OperandRole::n:
      // An empty hand-over of `ret` is the one set of no words.
      need((value >= 1 || in.op == Op::ret) && value <= 4096, "a set of too few or too many words");
      break;
    default: break;
    }
  }

  void wide(OperandRole role, std::int64_t d, const Instruction& in) {
    switch (role) {
    case OperandRole::j:
      if (isJump(in.op)) {
        range(d, body_.code.size(), "place to jump to");
        if (in.op != Op::jumpBack) need(d > static_cast<std::int64_t>(pc_), "only jumpBack may go back");
      } else {
        need(d >= -1 && d < static_cast<std::int64_t>(body_.code.size()), "there is no such fragment");
        if (error_.empty() && d > 0)
          if (const auto wrong = verifyFragment(m_, id_, d)) fail(*wrong);
      }
      break;
    case OperandRole::k:
      range(d, m_.constants.size(), "constant");
      if (in.op == Op::setConst || in.op == Op::footprintIf || in.op == Op::aspectIf)
        need(d + in.e <= static_cast<std::int64_t>(m_.constants.size()), "too few constants");
      break;
    case OperandRole::col: range(d, m_.columns.size(), "column"); break;
    case OperandRole::tab: range(d, m_.tables.size(), "table"); break;
    case OperandRole::body: range(d, m_.bodies.size(), "body"); break;
    case OperandRole::route: range(d, m_.routes.size(), "route"); break;
    case OperandRole::zone: range(d, m_.zones.size(), "zone"); break;
    case OperandRole::dec: range(d, m_.decisions.size(), "decision"); break;
    case OperandRole::str: range(d, m_.strings.size(), "string"); break;
    case OperandRole::typ: range(d, m_.types.size(), "type"); break;
    case OperandRole::sset: range(d, m_.staticSets.size(), "static set"); break;
    case OperandRole::dom:
      range(d, m_.domains.size(), "domain");
      if (error_.empty())
        need(in.e == setWordsOf(m_, static_cast<std::uint32_t>(d)), "not the words of the domain");
      break;
    case OperandRole::mark: range(d, m_.marks.size(), "mark"); break;
    case OperandRole::span: range(d, 6, "span"); break;
    default: break;
    }
  }

  void check(const Instruction& in) {
    if (static_cast<std::size_t>(in.op) >= opCount) return fail("there is no such instruction");
    const Roles& role = roles[static_cast<std::size_t>(in.op)];
    if (isPlayOp(in.op)) need(body_.kind == BodyKind::procedure, "only a procedure may do this");
    if (in.op == Op::poke || in.op == Op::pokeHex)
      need(body_.kind == BodyKind::effect, "only an effect may do this");
    if (isEmitOp(in.op))
      need(body_.kind == BodyKind::procedure || body_.kind == BodyKind::explain, "a pure body may not emit");
    // The width of a set may follow from d, so d comes first.
    wide(role.d, in.d, in);
    if (!error_.empty()) return;
    operand(role.a, in.a, in);
    operand(role.b, in.b, in);
    operand(role.c, in.c, in);
    operand(role.e, in.e, in);
    if (!error_.empty()) return;
    special(in);
  }

  void column(const Instruction& in, Owner owner, bool sets) {
    const Column& c = m_.columns[in.d];
    need(c.owner == owner, "a column of other things");
    need((c.setWords != 0) == sets, "a column of another shape");
  }
  void kind(const Instruction& in) { range(in.d, m_.kinds.size(), "kind"); }

  void special(const Instruction& in) {
    switch (in.op) {
    case Op::call: {
      const Body& callee = m_.bodies[in.d];
      registers(in.a, std::max(callee.parameters, callee.resultWords));
      if (body_.kind == BodyKind::pure || body_.kind == BodyKind::effect)
        need(callee.kind == BodyKind::pure, "a pure body may call pure ones alone");
      if (body_.kind == BodyKind::explain)
        need(callee.kind == BodyKind::pure || callee.kind == BodyKind::explain,
             "an explaining body may not call a procedure");
      if (body_.kind == BodyKind::procedure)
        need(callee.kind != BodyKind::effect, "only a search has effects");
      break;
    }
    case Op::ret: need(in.e == body_.resultWords, "not the words of the result"); break;
    case Op::fault:
      need(in.d >= 1 && in.d <= static_cast<int>(FaultCode::wrongDie), "there is no such fault");
      break;
    case Op::round: need(in.c <= 2, "there is no such rounding"); break;
    case Op::joinGroup:
      range(in.d, m_.groupKinds.size(), "kind of group");
      need(in.e <= 1, "neither a counter nor a group");
      break;
    case Op::fieldIs: {
      const Column& field = m_.columns[in.d];
      need(field.setWords == 0, "a column of sets");
      need(in.e == (field.initial.size() + 63) / 64, "not the words of the domain");
      break;
    }
    case Op::staticSet:
      need(in.e == setWordsOf(m_, m_.staticSets[in.d].domain), "not the words of the domain");
      break;
    case Op::counters:
    case Op::countersEver:
    case Op::countersOf:
    case Op::atBox:
    case Op::isKind: kind(in); break;
    case Op::plane:
      column(in, Owner::counter, false);
      need(in.c < m_.columns[in.d].planes, "there is no such plane");
      break;
    case Op::hexPlane:
      column(in, Owner::hex, false);
      need(in.c < m_.columns[in.d].planes, "there is no such plane");
      break;
    case Op::planeOfValue:
      column(in, Owner::counter, false);
      need(m_.columns[in.d].planes != 0, "a column without planes");
      break;
    case Op::hexPlaneOfValue:
      column(in, Owner::hex, false);
      need(m_.columns[in.d].planes != 0, "a column without planes");
      break;
    case Op::get: need(m_.columns[in.d].setWords == 0, "a column of sets"); break;
    case Op::set:
      need(m_.columns[in.d].setWords == 0, "a column of sets");
      need(!m_.columns[in.d].constant, "a constant column");
      break;
    case Op::setSet: need(!m_.columns[in.d].constant, "a constant column"); [[fallthrough]];
    case Op::getSet: need(m_.columns[in.d].setWords == in.e, "not the words of the column"); break;
    case Op::getGlobal:
    case Op::setGlobal:
      range(in.d, m_.globals.size(), "global");
      if (error_.empty()) need(m_.globals[in.d].words == 1, "a global of several words");
      break;
    case Op::getGlobalSet:
    case Op::setGlobalSet:
      range(in.d, m_.globals.size(), "global");
      if (error_.empty()) need(m_.globals[in.d].words == in.e, "not the words of the global");
      break;
    case Op::hexesHolding: need(in.e <= 1, "neither at least nor more than"); break;
    case Op::beyond: need(in.c < 8, "there is no such direction"); break;
    case Op::edgeHexes:
      need(in.b < 4, "there is no such edge");
      need(in.d >= -1 && in.d < static_cast<int>(m_.board.sheets.size()), "there is no such sheet");
      break;
    case Op::atHexes: need(in.d >= 0 && in.d <= 3, "not 0 to 3"); break;
    case Op::lineHexes: need(in.e <= m_.board.sheets.size(), "there is no such sheet"); [[fallthrough]];
    case Op::adjacentTo:
    case Op::lineStart:
    case Op::lineBlocked:
      need(in.d == 0 || in.d == 1, "neither 0 nor 1");
      if (in.op == Op::lineStart) registers(in.a, 3);
      if (in.op == Op::lineBlocked) registers(in.e, hexWords());
      break;
    case Op::lineNext:
      registers(in.a, 2);
      registers(in.b, 3);
      need(in.e <= 1, "neither 0 nor 1");
      break;
    case Op::footprintIf:
    case Op::aspectIf:
      registers(in.c, in.e + (in.op == Op::aspectIf ? 1U : 0U));
      for (std::uint16_t i = 0; i < in.e; ++i) {
        const Word column = m_.constants[static_cast<std::size_t>(in.d) + i];
        if (column == -1) continue;
        need(column >= 0 && static_cast<std::uint64_t>(column) < m_.columns.size(), "no such column");
        if (!error_.empty()) return;
        const Column& c = m_.columns[static_cast<std::size_t>(column)];
        need(c.owner == Owner::counter && c.setWords == 0 && !c.constant, "a field that is not of counters");
      }
      break;
    case Op::distanceOver: need(in.d >= 0 && in.d <= 3, "not 0 to 3"); break;
    case Op::hexsideValues: need(m_.columns[in.d].owner == Owner::hexside, "a column of other things"); break;
    case Op::pathValues:
    case Op::hexValues:
      column(in, Owner::hex, false);
      if (in.op == Op::hexValues) need(in.c <= 1, "neither 0 nor 1");
      break;
    case Op::hexsideHas:
    case Op::crossingHexes:
      need(m_.columns[in.d].owner == Owner::hexside, "a column of other things");
      need(in.e < std::max<std::uint32_t>(m_.columns[in.d].setWords, 1) * 64, "there is no such value");
      break;
    case Op::pathBetween:
      column(in, Owner::hex, false);
      need(in.e <= 9, "there is no such path");
      break;
    case Op::reach:
    case Op::anyReach:
    case Op::anyReachIn:
    case Op::path:
    case Op::paths:
    case Op::travelStart: registers(in.c, m_.routes[in.d].parameters); break;
    case Op::moveAlong: need(in.d == 0 || in.d == 1, "neither 0 nor 1"); break;
    case Op::poke:
      column(in, Owner::counter, false);
      need(!m_.columns[in.d].constant, "a constant column");
      break;
    case Op::walkOffer:
    case Op::walkEdge:
      need(in.c < m_.decisions.size() && m_.decisionBody[in.c] == id_, "a decision of another body");
      break;
    case Op::travelArgs: {
      std::vector<std::uint16_t> ways;
      waysOf(m_, static_cast<std::uint16_t>(in.d), ways);
      need(in.c < ways.size() && ways[in.c] == in.e, "there is no such way");
      if (error_.empty()) registers(in.a, std::uint64_t{m_.routes[in.e].parameters} + 4);
      break;
    }
    case Op::pathGet: need(in.c <= 3, "there is no such part"); break;
    case Op::table: {
      const Table& table = m_.tables[in.d];
      need(in.e == table.resultWords, "not the words of the result");
      registers(in.a, table.resultWords);
      registers(in.b, table.axes.size());
      registers(in.c, table.axes.size());
      break;
    }
    case Op::roll: need(in.b <= static_cast<int>(DieKind::d66), "there is no such die"); break;
    case Op::rollOneOf:
      need(in.c <= m_.domains.size(), "there is no such domain");
      if (error_.empty() && in.c != 0) need(in.e == setWordsOf(m_, in.c - 1U), "not the words of the domain");
      break;
    case Op::decide: need(m_.decisionBody[in.d] == id_, "a decision of another body"); break;
    case Op::rest: need(in.a <= 1, "neither 0 nor 1"); break;
    case Op::spanBegin:
      need(in.d >= -1 && in.d < static_cast<int>(m_.phases.size()), "there is no such phase");
      [[fallthrough]];
    case Op::spanEnd: need(in.a < 6, "there is no such span"); break;
    case Op::victoryCheck: need(in.a <= static_cast<int>(VictoryWhen::atEnd), "there is no such time"); break;
    case Op::happened: range(in.d, m_.bodies.size(), "procedure"); break;
    case Op::say: need(in.d > 0, "there is no such fragment"); break;
    case Op::explainStep: need(in.c <= static_cast<int>(StepKind::atMost), "there is no such step"); break;
    case Op::reason: need(in.a <= static_cast<int>(ReasonKind::cost), "there is no such reason"); break;
    default: break;
    }
  }

  const Module& m_;
  const Body& body_;
  std::uint32_t id_;
  std::size_t pc_ = 0;
  std::string error_;
};

} // namespace

std::optional<std::string> verifyFragment(const Module& module, std::uint32_t id, std::int64_t pc) {
  const Body& body = module.bodies[id];
  if (pc < 0 || pc >= static_cast<std::int64_t>(body.code.size())) return "there is no such fragment";
  // Fragments are short, so what has been seen is kept as a list rather than a mark for each instruction.
  std::vector<std::int64_t> open{pc}, seen;
  while (!open.empty()) {
    const std::int64_t at = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), at) != seen.end()) continue;
    seen.push_back(at);
    if (seen.size() > 4096) return "a fragment is too long";
    if (at < 0 || at >= static_cast<std::int64_t>(body.code.size())) return "a fragment leaves the code";
    const Instruction& in = body.code[at];
    if (static_cast<std::size_t>(in.op) >= opCount) return "a fragment holds no instruction";
    if (isPlayOp(in.op)) return "a fragment may not change the game";
    if (in.op == Op::call &&
        (in.d < 0 || static_cast<std::size_t>(in.d) >= module.bodies.size() ||
         module.bodies[in.d].kind == BodyKind::procedure || module.bodies[in.d].kind == BodyKind::effect))
      return "a fragment may not call a procedure";
    if (isJump(in.op)) open.push_back(in.d);
    if (!endsFlow(in.op)) open.push_back(at + 1);
  }
  return std::nullopt;
}

std::optional<std::string> verifyBodies(const Module& module) {
  for (std::uint32_t i = 0; i < module.bodies.size(); ++i)
    if (auto wrong = BodyVerifier(module, i).run()) return wrong;
  return std::nullopt;
}

// ---- The graph of calls

namespace {

class NeedsWalk {
public:
  NeedsWalk(const Module& module, std::vector<BodyNeeds>& needs) : m_(module), needs_(needs) {
    needs_.assign(module.bodies.size(), {});
    state_.assign(module.bodies.size(), 0);
    for (const Hidden& hidden : module.hidden) {
      hidden_.push_back(hidden.conditionBody);
      hidden_.push_back(hidden.fromBody);
    }
    for (const Arcs& arcs : module.arcs) shapes_.push_back(arcs.shapeBody);
    for (const VictoryClause& clause : module.victory) {
      victory_.push_back(clause.conditionBody);
      if (clause.winner == VictoryClause::Winner::side) victory_.push_back(clause.winnerBody);
      victory_.push_back(clause.textBody);
    }
  }

  std::optional<std::string> run() {
    for (std::uint32_t i = 0; i < m_.bodies.size(); ++i)
      if (!visit(i)) return error_;
    return std::nullopt;
  }

private:
  bool visit(std::uint32_t id) {
    if (state_[id] == 2) return true;
    const Body& body = m_.bodies[id];
    if (state_[id] == 1 || ++active_ > mostDepth) {
      error_ = (state_[id] == 1 ? "calls form a cycle through " : "calls go too deep at ") + body.name;
      return false;
    }
    state_[id] = 1;
    std::uint64_t words = body.registers;
    std::uint32_t depth = 0;
    auto below = [&](std::uint32_t callee, std::uint32_t offset) {
      if (callee == noBody) return true;
      if (!visit(callee)) return false;
      words = std::max<std::uint64_t>(words, std::uint64_t{offset} + needs_[callee].words);
      depth = std::max(depth, needs_[callee].depth);
      return true;
    };
    auto all = [&](const std::vector<std::uint32_t>& bodies) {
      for (const std::uint32_t b : bodies)
        if (!below(b, body.registers)) return false;
      return true;
    };
    for (const Instruction& in : body.code) {
      bool fine = true;
      switch (in.op) {
      case Op::call: fine = below(static_cast<std::uint32_t>(in.d), in.a); break;
      case Op::zoneOfSide:
      case Op::inZone:
      case Op::zoneOfCounters:
      case Op::zoneOwners:
        fine = below(m_.zones[in.d].coverBody, body.registers) &&
               below(m_.zones[in.d].unionBody, body.registers);
        break;
      // What changes poses, or asks for that of a lifted counter, runs the bodies that tell shapes.
      case Op::joinGroup:
      case Op::set:
      case Op::setSet:
      case Op::setGlobal:
      case Op::setGlobalSet:
      case Op::resetSpan:
      case Op::moveToHex:
      case Op::moveToBox:
      case Op::hexesOf:
      case Op::footprint:
      case Op::footprintIf:
      case Op::aspect:
      case Op::aspectIf:
      case Op::aspectHexes:
      case Op::facingShown:
      case Op::distanceOver: fine = all(shapes_); break;
      case Op::reach:
      case Op::anyReach:
      case Op::anyReachIn:
      case Op::path:
      case Op::paths:
      case Op::travelStart:
      case Op::travelAlong:
      case Op::travelTest:
      case Op::travelTake:
      case Op::travelArgs:
      case Op::walkOffer:
      case Op::walkEdge:
      case Op::walkVisit: {
        std::vector<std::uint32_t> bodies = shapes_;
        fine = routeBodies(static_cast<std::uint32_t>(in.d), bodies, 0) && all(bodies);
        break;
      }
      case Op::moveAlong: {
        fine = all(shapes_);
        for (std::uint32_t route = 0; route < m_.routes.size() && fine && in.d != 0; ++route) {
          std::vector<std::uint32_t> bodies;
          fine = routeBodies(route, bodies, 0) && all(bodies);
        }
        break;
      }
      case Op::textValue:
      case Op::roll:
      case Op::rollOneOf:
      case Op::say:
      case Op::win:
      case Op::drawGame:
      case Op::decide: fine = all(hidden_); break;
      case Op::rest:
      case Op::victoryCheck: fine = all(victory_); break;
      default: break;
      }
      if (!fine) return false;
    }
    --active_;
    if (words > mostFrameWords) {
      error_ = "the frames from " + body.name + " on are too large";
      return false;
    }
    needs_[id] = {static_cast<std::uint32_t>(words), depth + 1};
    state_[id] = 2;
    return true;
  }

  bool routeBodies(std::uint32_t id, std::vector<std::uint32_t>& out, int nesting) {
    if (nesting > 16) {
      error_ = "also forms a cycle through route " + m_.routes[id].name;
      return false;
    }
    const Route& route = m_.routes[id];
    auto add = [&out](std::initializer_list<std::uint32_t> bodies) {
      for (const std::uint32_t body : bodies) out.push_back(body);
    };
    add({route.startBody, route.budgetBody, route.lengthBody, route.minimumBody, route.forbidBody,
         route.forbidWhyBody, route.endForbidBody, route.endWhyBody, route.endBlockedSetBody, route.goalBody,
         route.goalSetBody, route.setsBody, route.endPreferBody});
    for (const RouteEdge& edge : route.edges)
      add({edge.forbidBody, edge.costBody, edge.stopBody, edge.preferBody, edge.whyBody, edge.stopWhyBody,
           edge.blockedSetBody, edge.stopSetBody, edge.restForbidBody, edge.effectBody, edge.choicesBody});
    for (const AlsoWay& way : route.also) {
      add({way.argumentsBody});
      if (!routeBodies(way.route, out, nesting + 1)) return false;
    }
    if (out.size() > 100000) {
      error_ = "route " + route.name + " has too many clauses";
      return false;
    }
    return true;
  }

  const Module& m_;
  std::vector<BodyNeeds>& needs_;
  std::vector<std::uint8_t> state_;
  std::vector<std::uint32_t> hidden_, victory_, shapes_;
  std::uint32_t active_ = 0;
  std::string error_;
};

} // namespace

std::optional<std::string> computeNeeds(const Module& module, std::vector<BodyNeeds>& needs) {
  return NeedsWalk(module, needs).run();
}

} // namespace hellwig
