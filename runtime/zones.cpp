// SPDX-License-Identifier: Apache-2.0
// Zones of control: the union over the counters of a side is kept in the image until something it watches is
// written.
#include "runtime/machine_core.h"

#include <algorithm>

namespace hellwig {

void MachineCore::cover(std::uint32_t zone, std::uint32_t counter, SetWord* into) {
  Word* frame = top_;
  const std::uint32_t body = module_.zones[zone].coverBody;
  if (framesEnd_ - frame < static_cast<std::ptrdiff_t>(program_.bodies()[body].needWords))
    raise(FaultCode::stackTooDeep);
  frame[0] = counter;
  runBody(body, frame);
  orSet(into, into, reinterpret_cast<const SetWord*>(frame), static_cast<int>(program_.hexWords()));
}

const SetWord* MachineCore::zoneUnion(std::uint32_t zone, std::uint32_t side) {
  const std::uint32_t words = program_.hexWords();
  SetWord* to = image_.at(layout_.zoneUnion) + (zone * 2 + side) * words;
  std::uint64_t* stale = image_.at(layout_.zoneStale) + side;
  const std::uint64_t bit = std::uint64_t{1} << zone;
  const Zone& info = module_.zones[zone];
  bool lifted = false;
  for (const std::uint16_t u : host_.lifted)
    lifted = lifted || !info.ownOnly ||
             (program_.sideOf(u) == side && hasBit(module_.kinds[info.kind].members.data(), u));
  if (!lifted) {
    if ((*stale & bit) == 0) return to;
  } else {
    const std::size_t planes = module_.zones.size() * 2;
    if (host_.liftUnionSerial.size() != planes) {
      host_.liftUnionSerial.assign(planes, 0);
      host_.liftUnions.assign(planes * words, 0);
    }
    to = host_.liftUnions.data() + (zone * 2 + side) * words;
    if (host_.liftUnionSerial[zone * 2 + side] == host_.liftSerial) return to;
  }
  if (info.unionBody != noBody) {
    Word* frame = top_;
    if (framesEnd_ - frame < static_cast<std::ptrdiff_t>(program_.bodies()[info.unionBody].needWords))
      raise(FaultCode::stackTooDeep);
    frame[0] = side;
    runBody(info.unionBody, frame);
    copySet(to, checkedSet(frame, static_cast<std::uint32_t>(module_.board.n)), static_cast<int>(words));
  } else {
    // The union is summed up apart, since a cover may ask for another zone with counters lifted.
    std::vector<std::uint64_t> sum(words, 0);
    const SetWord* members = module_.kinds[info.kind].members.data();
    const SetWord* own = program_.sideCounters(side);
    for (std::uint32_t i = 0; i < program_.counterWords(); ++i)
      for (SetWord rest = members[i] & own[i] & image_.onMap()[i]; rest != 0; rest &= rest - 1)
        cover(zone, i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), sum.data());
    std::copy(sum.begin(), sum.end(), to);
  }
  if (lifted)
    host_.liftUnionSerial[zone * 2 + side] = host_.liftSerial;
  else
    *stale &= ~bit;
  return to;
}

void MachineCore::zoneOfCounters(std::uint32_t zone, const SetWord* counters, SetWord* out) {
  const std::uint32_t words = program_.hexWords();
  std::vector<std::uint64_t> sum(words, 0);
  const SetWord* members = module_.kinds[module_.zones[zone].kind].members.data();
  for (std::uint32_t i = 0; i < program_.counterWords(); ++i)
    for (SetWord rest = members[i] & counters[i] & image_.onMap()[i]; rest != 0; rest &= rest - 1)
      cover(zone, i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), sum.data());
  std::copy(sum.begin(), sum.end(), out);
}

void MachineCore::zoneOwners(std::uint32_t zone, std::uint32_t hex, SetWord* out) {
  const std::uint32_t words = program_.counterWords();
  std::vector<std::uint64_t> covered(program_.hexWords());
  std::vector<std::uint64_t> owners(words, 0);
  const SetWord* members = module_.kinds[module_.zones[zone].kind].members.data();
  for (std::uint32_t i = 0; i < words; ++i)
    for (SetWord rest = members[i] & image_.onMap()[i]; rest != 0; rest &= rest - 1) {
      std::fill(covered.begin(), covered.end(), 0);
      cover(zone, i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), covered.data());
      if (hasBit(covered.data(), static_cast<int>(hex))) owners[i] |= rest & -rest;
    }
  std::copy(owners.begin(), owners.end(), out);
}

} // namespace hellwig
