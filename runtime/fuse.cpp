// SPDX-License-Identifier: Apache-2.0
// Finds sequences that can be fused: see fused.def.
#include "runtime/fuse.h"

namespace hellwig {

namespace {

class Fuser {
public:
  explicit Fuser(std::vector<Instruction>& code) : code_(code) {}

  void run() {
    for (std::size_t pc = 0; pc < code_.size(); pc += fuseAt(pc)) {
    }
  }

private:
  bool is(std::size_t pc, Op op) const { return pc < code_.size() && code_[pc].op == op; }

  /// How many instructions were made into one, or 1.
  std::size_t fuseAt(std::size_t pc) {
    Instruction& in = code_[pc];
    switch (in.op) {
    case Op::modImm:
      if (in.d == 0 || !is(pc + 1, Op::addImm) || code_[pc + 1].b != in.a) return 1;
      return put(pc, FusedOp::modAdd, 2);
    case Op::getGlobal:
      if (!is(pc + 1, Op::addImm) || !is(pc + 2, Op::setGlobal) || code_[pc + 1].b != in.a ||
          code_[pc + 2].a != code_[pc + 1].a || code_[pc + 2].d != in.d)
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
    default: return 1;
    }
  }

  std::size_t put(std::size_t pc, FusedOp op, std::size_t count) {
    code_[pc].op = static_cast<Op>(op);
    return count;
  }

  std::vector<Instruction>& code_;
};

} // namespace

std::vector<Instruction> fuse(const std::vector<Instruction>& code) {
  std::vector<Instruction> fused = code;
  Fuser(fused).run();
  return fused;
}

} // namespace hellwig
