// SPDX-License-Identifier: Apache-2.0
// Finds sequences that can be fused: see fused.def.
#include "runtime/fuse.h"

#include "runtime/bitset_words.h"

namespace hellwig {

namespace {

class Fuser {
public:
  Fuser(const Module& module, std::vector<Instruction>& code) : module_(module), code_(code) {}

  void run() {
    for (std::size_t pc = 0; pc < code_.size(); pc += fuseAt(pc)) {
    }
  }

private:
  bool is(std::size_t pc, Op op) const { return pc < code_.size() && code_[pc].op == op; }
  /// Whether the instruction reads, as its operand b, what the one before it wrote.
  bool takes(std::size_t pc, Op op) const { return is(pc, op) && code_[pc].b == code_[pc - 1].a; }
  /// Whether all counters are of a kind.
  bool isEvery(std::int32_t kind) const {
    const std::vector<std::uint64_t>& members = module_.kinds[static_cast<std::size_t>(kind)].members;
    for (std::size_t u = 0; u < module_.counters.size(); ++u)
      if ((members[u / 64] >> (u % 64) & 1) == 0) return false;
    return true;
  }

  /// How many instructions were made into one, or 1.
  std::size_t fuseAt(std::size_t pc) {
    Instruction& in = code_[pc];
    switch (in.op) {
    case Op::modImm:
      if (in.d == 0 || !takes(pc + 1, Op::addImm)) return 1;
      return put(pc, FusedOp::modAdd, 2);
    case Op::getGlobal:
      if (!takes(pc + 1, Op::addImm) || !is(pc + 2, Op::setGlobal) || code_[pc + 2].a != code_[pc + 1].a ||
          code_[pc + 2].d != in.d)
        return 1;
      return put(pc, FusedOp::addToGlobal, 3);
    case Op::addImm: {
      if (in.a != in.b || !is(pc + 1, Op::jumpBack)) return 1;
      const Instruction& test = code_[static_cast<std::size_t>(code_[pc + 1].d)];
      if (test.op != Op::jumpLtImm || test.a != in.a) return 1;
      return put(pc, FusedOp::countDown, 2);
    }
    case Op::jumpEqImm: {
      std::uint16_t count = 1;
      while (is(pc + count, Op::jumpEqImm) && code_[pc + count].a == in.a &&
             static_cast<std::int16_t>(code_[pc + count].b) == static_cast<std::int16_t>(in.b) + count &&
             count < 256)
        ++count;
      if (count < 3) return 1;
      in.e = count;
      return put(pc, FusedOp::jumpByImm, count);
    }
    case Op::countersOf:
      return takes(pc + 1, Op::hexesOf) && isEvery(in.d) ? put(pc, FusedOp::hexesOfSide, 2) : 1;
    case Op::counters:
      return takes(pc + 1, Op::hexesOf) && isEvery(in.d) ? put(pc, FusedOp::hexesOfAll, 2) : 1;
    case Op::sideOf: return takes(pc + 1, Op::enemyOf) ? put(pc, FusedOp::enemyOfUnit, 2) : 1;
    case Op::get: return takes(pc + 1, Op::toFraction) ? put(pc, FusedOp::getFraction, 2) : 1;
    case Op::zoneOfSide:
      if (!is(pc + 1, Op::setOr) || code_[pc + 1].c != in.a || code_[pc + 1].b == in.a ||
          code_[pc + 1].e != wordsFor(module_.board.n))
        return 1;
      return put(pc, FusedOp::withZone, 2);
    default: return 1;
    }
  }

  std::size_t put(std::size_t pc, FusedOp op, std::size_t count) {
    code_[pc].op = static_cast<Op>(op);
    return count;
  }

  const Module& module_;
  std::vector<Instruction>& code_;
};

} // namespace

std::vector<Instruction> fuse(const Module& module, const std::vector<Instruction>& code) {
  std::vector<Instruction> fused = code;
  Fuser(module, fused).run();
  return fused;
}

} // namespace hellwig
