// SPDX-License-Identifier: Apache-2.0
// Tidying of finished bodies: see lower_tidy.h.
//
// Known facts are kept along the code in its order. Jumps but `jumpBack` go forward, so where paths meet,
// what held before the first of the jumps that come there and was not overwritten since holds on all of them.
#include "compiler/lower_tidy.h"

#include "runtime/path_block.h"

#include <algorithm>

namespace hellwig::lowering {

namespace {

struct Roles {
  OperandRole a, b, c, d, e;
};
constexpr Roles roles[] = {
#define HELLWIG_INSTRUCTION(name, A, B, C, D, E)                                                             \
  {OperandRole::A, OperandRole::B, OperandRole::C, OperandRole::D, OperandRole::E},
#include "runtime/instructions.def"
#undef HELLWIG_INSTRUCTION
};

const Roles& rolesOf(const Instruction& in) {
  return roles[static_cast<std::size_t>(in.op)];
}

struct Range {
  std::uint32_t first = 0, words = 0;
  bool overlaps(const Range& other) const {
    return first < other.first + other.words && other.first < first + words;
  }
  bool operator==(const Range&) const = default;
};
struct Effects {
  std::vector<Range> reads, writes;
};

bool jumps(const Instruction& in) {
  switch (in.op) {
  case Op::roll:
  case Op::rollOneOf:
  case Op::win:
  case Op::drawGame:
  case Op::say: return false;
  default: return rolesOf(in).d == OperandRole::j;
  }
}
bool endsFlow(Op op) {
  return op == Op::jump || op == Op::jumpBack || op == Op::ret || op == Op::endFragment || op == Op::fault;
}
/// Instructions that never fault and only write registers: they may go where nobody reads what they write.
bool isIdle(Op op) {
  switch (op) {
  case Op::move:
  case Op::load:
  case Op::loadImm:
  case Op::loadNone:
  case Op::eq:
  case Op::ne:
  case Op::lt:
  case Op::le:
  case Op::isNone:
  case Op::not_:
  case Op::setCopy:
  case Op::setClear:
  case Op::setConst:
  case Op::setAnd:
  case Op::setOr:
  case Op::setAndNot:
  case Op::setNot:
  case Op::setFull:
  case Op::setFill:
  case Op::staticSet:
  case Op::counters:
  case Op::countersEver:
  case Op::plane:
  case Op::hexPlane:
  case Op::planeOfValue:
  case Op::hexPlaneOfValue: return true;
  default: return false;
  }
}
bool answersBoolean(Op op) {
  switch (op) {
  case Op::eq:
  case Op::ne:
  case Op::lt:
  case Op::le:
  case Op::isNone:
  case Op::not_:
  case Op::setHas:
  case Op::setAny:
  case Op::setEq:
  case Op::inZone:
  case Op::isKind:
  case Op::onMap:
  case Op::anyAtHex:
  case Op::anyReach:
  case Op::anyReachIn:
  case Op::hexsideHas:
  case Op::pathBetween:
  case Op::lineBlocked: return true;
  default: return false;
  }
}

class Tidy {
public:
  Tidy(const Module& module, Body& body) : m_(module), body_(body), code_(body.code) {}

  void run() {
    threadJumps();
    if (body_.kind != BodyKind::pure || hasFragments()) return;
    for (int round = 0; round < 3; ++round) {
      useBooleans();
      forward();
      dropUnread();
      if (!compact()) break;
    }
  }

private:
  bool hasFragments() const {
    return std::any_of(code_.begin(), code_.end(),
                       [](const Instruction& in) { return in.op == Op::endFragment; });
  }
  std::uint32_t wordsOf(std::uint32_t domain) const { return (m_.domains[domain].size + 63) / 64; }

  // ---- Jumps

  void threadJumps() {
    for (std::size_t pc = 0; pc < code_.size(); ++pc) {
      Instruction& in = code_[pc];
      if (!jumps(in) || in.op == Op::jumpBack) continue;
      while (code_[static_cast<std::size_t>(in.d)].op == Op::jump)
        in.d = code_[static_cast<std::size_t>(in.d)].d;
      const Instruction& target = code_[static_cast<std::size_t>(in.d)];
      if (in.op == Op::jump && target.op == Op::jumpBack) in = target;
    }
  }

  /// The places that some jump goes to, and the first instruction that jumps there.
  void findTargets() {
    firstJump_.assign(code_.size(), notJumpedTo);
    lastBack_.assign(code_.size(), 0);
    count_.assign(code_.size(), 0);
    for (std::uint32_t pc = 0; pc < code_.size(); ++pc) {
      if (!jumps(code_[pc])) continue;
      const auto to = static_cast<std::size_t>(code_[pc].d);
      ++count_[to];
      if (code_[pc].op == Op::jumpBack)
        lastBack_[to] = pc;
      else
        firstJump_[to] = std::min(firstJump_[to], pc);
    }
  }

  /// `if c then 1 else 0` of what is a boolean already.
  void useBooleans() {
    findTargets();
    for (std::size_t pc = 1; pc + 4 < code_.size(); ++pc) {
      Instruction& branch = code_[pc];
      if (branch.op != Op::jumpUnless && branch.op != Op::jumpIf) continue;
      const Instruction &before = code_[pc - 1], &first = code_[pc + 1], &over = code_[pc + 2],
                        &second = code_[pc + 3];
      const int yes = branch.op == Op::jumpUnless ? 1 : 0;
      if (!answersBoolean(before.op) || before.a != branch.a ||
          static_cast<std::size_t>(branch.d) != pc + 3 || first.op != Op::loadImm || first.d != yes ||
          second.op != Op::loadImm || second.d != 1 - yes || count_[pc] != 0 || count_[pc + 1] != 0 ||
          count_[pc + 2] != 0 || count_[pc + 3] != 1)
        continue;
      Instruction made;
      made.op = Op::move;
      made.b = branch.a;
      if (over.op == Op::jump && static_cast<std::size_t>(over.d) == pc + 4 && first.a == second.a) {
        made.a = first.a;
        code_[pc] = made;
        for (std::size_t i = 1; i <= 3; ++i) code_[pc + i] = Instruction{};
      }
    }
  }

  // ---- What instructions read and write

  Range range(OperandRole role, std::uint32_t value, const Instruction& in) const {
    switch (role) {
    case OperandRole::w:
    case OperandRole::r:
    case OperandRole::rw: return {value, 1};
    case OperandRole::W:
    case OperandRole::R:
    case OperandRole::RW: return {value, in.e};
    case OperandRole::WP:
    case OperandRole::RP: return {value, pathShape(m_).words()};
    case OperandRole::WL:
    case OperandRole::RL: return {value, pathListWords};
    case OperandRole::WT:
    case OperandRole::RT:
    case OperandRole::RWT: return {value, travelShape(m_).words()};
    case OperandRole::WC:
    case OperandRole::RC:
    case OperandRole::RWC: return {value, wordsOf(domainCounters)};
    case OperandRole::WH:
    case OperandRole::RH: return {value, wordsOf(domainHexes)};
    case OperandRole::WS:
    case OperandRole::RS: return {value, wordsOf(domainHexsides)};
    default: return {};
    }
  }
  static bool readsOnly(OperandRole role) {
    return role == OperandRole::r || role == OperandRole::R || role == OperandRole::RC ||
           role == OperandRole::RH || role == OperandRole::RS || role == OperandRole::RP ||
           role == OperandRole::RL || role == OperandRole::RT;
  }
  static bool writesOnly(OperandRole role) {
    return role == OperandRole::w || role == OperandRole::W || role == OperandRole::WC ||
           role == OperandRole::WH || role == OperandRole::WS || role == OperandRole::WP ||
           role == OperandRole::WL || role == OperandRole::WT;
  }

  Effects effects(const Instruction& in) const {
    Effects out;
    const Roles& role = rolesOf(in);
    const auto operand = [&](OperandRole kind, std::uint32_t value) {
      const Range where = range(kind, value, in);
      if (where.words == 0) return;
      if (!writesOnly(kind)) out.reads.push_back(where);
      if (!readsOnly(kind)) out.writes.push_back(where);
    };
    operand(role.a, in.a);
    operand(role.b, in.b);
    operand(role.c, in.c);
    operand(role.e, in.e);
    switch (in.op) {
    case Op::call:
      // The callee's frame lies on everything above.
      out.reads.push_back({in.a, m_.bodies[static_cast<std::size_t>(in.d)].parameters});
      out.writes.push_back({in.a, 0x20000U - in.a});
      break;
    case Op::reach:
    case Op::anyReach:
    case Op::anyReachIn:
    case Op::path:
    case Op::paths: out.reads.push_back({in.c, m_.routes[static_cast<std::size_t>(in.d)].parameters}); break;
    case Op::table: {
      const auto axes = static_cast<std::uint32_t>(m_.tables[static_cast<std::size_t>(in.d)].axes.size());
      out.reads.push_back({in.b, axes});
      out.reads.push_back({in.c, axes});
      break;
    }
    case Op::footprintIf: out.reads.push_back({in.c, in.e}); break;
    case Op::aspectIf: out.reads.push_back({in.c, in.e + 1U}); break;
    case Op::lineStart: out.writes.push_back({in.a, 3}); break;
    case Op::lineNext:
      out.writes.push_back({in.a, 2});
      out.reads.push_back({in.b, 3});
      out.writes.push_back({in.b, 3});
      break;
    default: break;
    }
    return out;
  }

  // ---- Forward: values known, copies

  struct Fact {
    Instruction made; ///< with its operands as they are read; a is where the value is
    Range where;
    std::vector<Range> reads;
    std::uint32_t at = 0;
    bool copy = false; ///< of reads[0]
  };

  static bool same(const Instruction& a, const Instruction& b) {
    return a.op == b.op && a.b == b.b && a.c == b.c && a.d == b.d && a.e == b.e;
  }
  const Fact* known(const Instruction& in) const {
    for (const Fact& fact : facts_)
      if (!fact.copy && same(fact.made, in)) return &fact;
    return nullptr;
  }
  const Fact* complement(const Range& where) const {
    for (const Fact& fact : facts_)
      if (!fact.copy && fact.made.op == Op::setNot && fact.where == where) return &fact;
    return nullptr;
  }
  void forget(const std::vector<Range>& writes) {
    std::erase_if(facts_, [&](const Fact& fact) {
      return std::any_of(writes.begin(), writes.end(), [&](const Range& w) {
        return w.overlaps(fact.where) || std::any_of(fact.reads.begin(), fact.reads.end(),
                                                     [&](const Range& r) { return w.overlaps(r); });
      });
    });
  }
  void makeCopy(Instruction& in, const Range& to, std::uint32_t from) const {
    Instruction made;
    made.op = to.words == 1 ? Op::move : Op::setCopy;
    made.a = static_cast<std::uint16_t>(to.first);
    made.b = static_cast<std::uint16_t>(from);
    made.e = static_cast<std::uint16_t>(to.words == 1 ? 0 : to.words);
    in = made;
  }

  void source(OperandRole role, std::uint16_t& value, const Instruction& in) const {
    if (!readsOnly(role)) return;
    const Range where = range(role, value, in);
    for (const Fact& fact : facts_)
      if (fact.copy && fact.where == where) value = static_cast<std::uint16_t>(fact.reads[0].first);
  }

  /// Whether a register is a hex that the caller handed over.
  bool isGivenHex(std::uint32_t reg) const {
    std::uint32_t at = 0;
    for (const ValueType& type : body_.parameterTypes) {
      if (type.isSet || type.kind == ValueKind::path) return false; // what lies behind is not looked for
      if (at++ == reg) return type.kind == ValueKind::hex && !type.optional;
    }
    return false;
  }

  /// Complements are read as what they are the complement of.
  void useComplements(Instruction& in) const {
    const auto under = [&](std::uint16_t set, std::uint32_t words) -> const Fact* {
      return complement({set, words});
    };
    switch (in.op) {
    case Op::setNot:
      if (const Fact* fact = under(in.b, in.e); fact != nullptr && fact->made.d == in.d)
        makeCopy(in, {in.a, in.e}, fact->made.b);
      break;
    case Op::setAnd:
    case Op::setAndNot:
      if (const Fact* fact = under(in.c, in.e)) {
        in.op = in.op == Op::setAnd ? Op::setAndNot : Op::setAnd;
        in.c = fact->made.b;
      }
      break;
    case Op::atHexes:
      if (const Fact* fact = under(in.c, wordsOf(domainHexes))) {
        in.c = fact->made.b;
        in.d ^= 1;
      }
      break;
    case Op::inZone:
      // In a zone whose hexes are known a hex is looked up.
      if (!isGivenHex(in.b) || written(in.b)) break;
      for (const Fact& fact : facts_) {
        if (fact.copy || fact.made.op != Op::zoneOfSide || fact.made.b != in.c || fact.made.d != in.d)
          continue;
        in.op = Op::setHas;
        in.c = in.b;
        in.b = static_cast<std::uint16_t>(fact.where.first);
        in.d = 0;
        in.e = static_cast<std::uint16_t>(fact.where.words);
        break;
      }
      break;
    default: break;
    }
  }
  bool written(std::uint32_t reg) const {
    return std::any_of(code_.begin(), code_.end(), [&](const Instruction& in) {
      const std::vector<Range> writes = effects(in).writes;
      return std::any_of(writes.begin(), writes.end(), [&](const Range& w) { return w.overlaps({reg, 1}); });
    });
  }

  void forward() {
    findTargets();
    facts_.clear();
    bool reached = true;
    for (std::uint32_t pc = 0; pc < code_.size(); ++pc) {
      Instruction& in = code_[pc];
      if (firstJump_[pc] != notJumpedTo) {
        const std::uint32_t from = firstJump_[pc];
        std::erase_if(facts_, [&](const Fact& fact) { return fact.at >= from; });
        reached = true;
      }
      if (lastBack_[pc] != 0)
        for (std::uint32_t i = pc; i <= lastBack_[pc]; ++i) forget(effects(code_[i]).writes);
      if (!reached) continue;
      const Roles& role = rolesOf(in);
      source(role.a, in.a, in);
      source(role.b, in.b, in);
      source(role.c, in.c, in);
      source(role.e, in.e, in);
      useComplements(in);
      Effects effect = effects(in);
      const bool computes =
          writesOnly(rolesOf(in).a) && effect.writes.size() == 1 && !jumps(in) && in.op != Op::call;
      const bool copies = in.op == Op::move || in.op == Op::setCopy;
      if (computes && !copies) {
        if (const Fact* fact = known(in)) {
          if (fact->where == effect.writes[0]) {
            in = Instruction{};
            continue;
          }
          makeCopy(in, effect.writes[0], fact->where.first);
          effect = effects(in);
        }
      }
      const bool nowCopies = in.op == Op::move || in.op == Op::setCopy;
      if (nowCopies && in.a == in.b) {
        in = Instruction{};
        continue;
      }
      forget(effect.writes);
      const bool own = computes && std::any_of(effect.reads.begin(), effect.reads.end(),
                                               [&](const Range& r) { return r.overlaps(effect.writes[0]); });
      if (computes && !own) facts_.push_back({in, effect.writes[0], effect.reads, pc, nowCopies});
      if (endsFlow(in.op)) reached = false;
    }
  }

  // ---- Backward: what nobody reads

  void dropUnread() {
    const std::size_t words = body_.registers + 1U;
    std::vector<std::vector<char>> before(code_.size() + 1, std::vector<char>(words, 0));
    std::vector<Effects> all;
    for (const Instruction& in : code_) all.push_back(effects(in));
    std::vector<char> live(words);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t pc = code_.size(); pc-- > 0;) {
        const Instruction& in = code_[pc];
        if (endsFlow(in.op))
          std::fill(live.begin(), live.end(), char{0});
        else
          live = before[pc + 1];
        if (jumps(in))
          for (std::size_t i = 0; i < words; ++i) live[i] |= before[static_cast<std::size_t>(in.d)][i];
        // `next` writes its element only if there is one; what a call leaves above its result nobody reads.
        if (!jumps(in))
          for (const Range& w : all[pc].writes)
            for (std::size_t i = w.first; i < std::min<std::size_t>(w.first + w.words, words); ++i)
              live[i] = 0;
        for (const Range& r : all[pc].reads)
          for (std::size_t i = r.first; i < std::min<std::size_t>(r.first + r.words, words); ++i) live[i] = 1;
        if (live != before[pc]) {
          before[pc] = live;
          again = true;
        }
      }
    }
    for (std::size_t pc = 0; pc + 1 < code_.size(); ++pc) {
      if (!isIdle(code_[pc].op)) continue;
      const Range& w = all[pc].writes[0];
      bool read = false;
      for (std::size_t i = w.first; i < w.first + w.words; ++i) read = read || before[pc + 1][i] != 0;
      if (!read) code_[pc] = Instruction{};
    }
    // What is computed only to be copied is computed where the copy goes.
    for (std::size_t pc = 1; pc + 1 < code_.size(); ++pc) {
      const Instruction copy = code_[pc];
      Instruction& made = code_[pc - 1];
      if ((copy.op != Op::move && copy.op != Op::setCopy) || count_[pc] != 0 ||
          !writesOnly(rolesOf(made).a) || jumps(made) || made.op == Op::call ||
          effects(made).writes.size() != 1)
        continue;
      const Range from = effects(copy).reads[0], to = effects(copy).writes[0];
      if (effects(made).writes[0] != from || from.overlaps(to)) continue;
      bool apart = true;
      for (std::size_t i = from.first; i < from.first + from.words; ++i)
        apart = apart && before[pc + 1][i] == 0;
      for (const Range& read : effects(made).reads) apart = apart && !read.overlaps(to);
      if (!apart) continue;
      made.a = copy.a;
      code_[pc] = Instruction{};
    }
  }

  /// Takes out what does nothing; false if there was nothing.
  bool compact() {
    for (std::size_t pc = 0; pc < code_.size(); ++pc)
      if (code_[pc].op == Op::jump && static_cast<std::size_t>(code_[pc].d) == pc + 1)
        code_[pc] = Instruction{};
    std::vector<char> reached(code_.size() + 1, 0);
    reached[0] = 1;
    for (std::size_t pc = 0; pc < code_.size(); ++pc) { // the target of `jumpBack` was reached before it
      if (reached[pc] == 0) continue;
      if (jumps(code_[pc])) reached[static_cast<std::size_t>(code_[pc].d)] = 1;
      if (!endsFlow(code_[pc].op)) reached[pc + 1] = 1;
    }
    std::vector<std::uint32_t> place(code_.size() + 1, 0);
    std::uint32_t kept = 0;
    for (std::size_t pc = 0; pc < code_.size(); ++pc) {
      place[pc] = kept;
      if (reached[pc] != 0 && code_[pc].op != Op::nop) ++kept;
    }
    if (kept == code_.size()) return false;
    std::vector<Instruction> code;
    std::vector<std::uint32_t> lines;
    std::vector<std::uint16_t> citing;
    for (std::size_t pc = 0; pc < code_.size(); ++pc) {
      if (reached[pc] == 0 || code_[pc].op == Op::nop) continue;
      code.push_back(code_[pc]);
      if (jumps(code.back()))
        code.back().d = static_cast<std::int32_t>(place[static_cast<std::size_t>(code.back().d)]);
      lines.push_back(body_.lines[pc]);
      citing.push_back(body_.citing[pc]);
    }
    body_.code = std::move(code);
    body_.lines = std::move(lines);
    body_.citing = std::move(citing);
    threadJumps();
    return true;
  }

  static constexpr std::uint32_t notJumpedTo = 0xffffffffU;

  const Module& m_;
  Body& body_;
  std::vector<Instruction>& code_;
  std::vector<std::uint32_t> firstJump_, lastBack_, count_;
  std::vector<Fact> facts_;
};

} // namespace

void tidyBodies(Module& module) {
  for (Body& body : module.bodies)
    if (!body.code.empty()) Tidy(module, body).run();
}

} // namespace hellwig::lowering
