// SPDX-License-Identifier: Apache-2.0
// Groups: what hangs under which. Each counter and group keeps, for every kind of group, the one above it, so
// that nothing is looked for when it is read; joining a group writes them all, and those of all that hangs
// below.
#include "runtime/machine_core.h"

#include <bit>

namespace hellwig {

namespace {

std::uint32_t checkedThing(Word id, std::uint32_t count) {
  if (static_cast<std::uint64_t>(id) >= count)
    throw FaultError{id == none ? FaultCode::missingValue : FaultCode::outOfRange};
  return static_cast<std::uint32_t>(id);
}

} // namespace

/// Copies the groups of kinds before `kind` that stand above `from` to `thing`.
void MachineCore::hangLike(bool group, std::uint32_t thing, std::uint32_t from, std::uint16_t kind) {
  for (std::uint16_t k = 0; k < kind; ++k) {
    const GroupKindInfo& info = module_.groupKinds[k];
    const Word above = image_.get(program_.columns()[info.groupColumn], from);
    image_.set(program_.columns()[group ? info.groupColumn : info.counterColumn], thing, above);
  }
}

void MachineCore::joinGroup(const Word* r, const Instruction& in) {
  const bool group = in.e != 0;
  const auto kind = static_cast<std::uint16_t>(in.d);
  const auto groups = static_cast<std::uint32_t>(module_.groups.size());
  const std::uint32_t thing =
      checkedThing(r[in.a], group ? groups : static_cast<std::uint32_t>(module_.counters.size()));
  const Word to = r[in.b];
  if (to != none && module_.groups[checkedThing(to, groups)].kind != kind) raise(FaultCode::outOfRange);
  if (group && module_.groups[thing].kind <= kind) raise(FaultCode::outOfRange);
  const auto columnOf = [&](std::uint16_t k) -> const ColumnAccess& {
    const GroupKindInfo& info = module_.groupKinds[k];
    return program_.columns()[group ? info.groupColumn : info.counterColumn];
  };
  if (to == none) {
    if (image_.get(columnOf(kind), thing) == none) return;
  } else {
    hangLike(group, thing, static_cast<std::uint32_t>(to), kind);
  }
  image_.set(columnOf(kind), thing, to);
  for (std::uint16_t k = kind + 1; k < module_.groupKinds.size(); ++k) image_.set(columnOf(k), thing, none);
  if (!group) {
    if (image_.hasPoses()) wrote(thing);
    return;
  }
  // All that hangs below the group follows it.
  const std::uint16_t own = module_.groups[thing].kind;
  const GroupKindInfo& info = module_.groupKinds[own];
  for (std::uint32_t u = 0; u < module_.counters.size(); ++u)
    if (image_.get(program_.columns()[info.counterColumn], u) == static_cast<Word>(thing))
      hangLike(false, u, thing, own);
  for (std::uint32_t g = 0; g < groups; ++g)
    if (image_.get(program_.columns()[info.groupColumn], g) == static_cast<Word>(thing))
      hangLike(true, g, thing, own);
  if (image_.hasPoses()) wrote(-1);
}

void MachineCore::fieldIs(Word* r, const Instruction& in) {
  const ColumnAccess& column = program_.columns()[in.d];
  auto* to = reinterpret_cast<SetWord*>(r + in.a);
  const auto* from = reinterpret_cast<const SetWord*>(r + in.b);
  const Word value = r[in.c];
  for (std::uint32_t i = 0; i < in.e; ++i) {
    SetWord kept = 0;
    for (SetWord rest = from[i]; rest != 0; rest &= rest - 1) {
      const std::uint32_t thing = i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      if (thing >= column.count) raise(FaultCode::setElement);
      if (image_.get(column, thing) == value) kept |= rest & -rest;
    }
    to[i] = kept;
  }
}

} // namespace hellwig
