// SPDX-License-Identifier: Apache-2.0
// Decisions: what may be chosen, what is forced, whether an answer is legal, and taking it.
#include "runtime/machine_core.h"

#include <algorithm>

namespace hellwig {

namespace {

constexpr int mostTries = 10000;

std::int32_t clampInt(Word v, std::int32_t low, std::int32_t high) {
  return static_cast<std::int32_t>(std::clamp<Word>(v, low, high));
}

} // namespace

Word* MachineCore::decisionFrame() const {
  return frames_ + calls_[2 * image_.header(headerDepth) - 1];
}

// Elements by id; but counters that lie in one stack come from the top down.
void MachineCore::orderOf(const SetWord* set, std::uint32_t words, std::uint16_t domain,
                          std::vector<std::uint16_t>& out) {
  out.clear();
  forEachBit(set, static_cast<int>(words), [&out](int i) { out.push_back(static_cast<std::uint16_t>(i)); });
  if (domain != domainCounters || out.size() < 2) return;
  const std::size_t counters = module_.counters.size();
  if (out.back() >= counters) return;
  const std::int32_t hex = image_.hexOf(out.front());
  for (const std::uint16_t u : out)
    if (hex < 0 || image_.hexOf(u) != hex) return;
  std::stable_sort(out.begin(), out.end(), [this](std::uint16_t a, std::uint16_t b) {
    return image_.arrival(a) > image_.arrival(b);
  });
}

std::int32_t MachineCore::elementAt(std::uint32_t k) {
  const Pending& pending = machine_.pending_;
  if (k >= pending.elementCount) return -1;
  bool byId = pending.domain != domainCounters;
  if (!byId) {
    const int words = static_cast<int>(pending.elements.size());
    const int first = lowestBit(pending.elements.data(), words);
    const int second = nextBit(pending.elements.data(), first + 1, words);
    const std::int32_t hex = image_.hexOf(static_cast<std::uint32_t>(first));
    byId = hex < 0 || second < 0 || image_.hexOf(static_cast<std::uint32_t>(second)) != hex;
  }
  if (byId)
    return nthBit(pending.elements.data(), static_cast<int>(k), static_cast<int>(pending.elements.size()));
  std::vector<std::uint16_t> order;
  orderOf(pending.elements.data(), static_cast<std::uint32_t>(pending.elements.size()), pending.domain,
          order);
  return order[k];
}

void MachineCore::loadPending() {
  const std::uint64_t* record = calls_ + 2 * (image_.header(headerDepth) - 1);
  const Body& body = module_.bodies[static_cast<std::uint32_t>(record[0])];
  const Instruction& in = body.code[record[0] >> 32];
  const auto id = static_cast<std::uint16_t>(in.d);
  const Decision& decision = module_.decisions[id];
  const Word* r = decisionFrame();
  Pending& pending = machine_.pending_;
  pending = Pending{};
  pending.decision = id;
  pending.owner = static_cast<std::uint16_t>(r[decision.owner] & 1);
  pending.kind = decision.kind;
  pending.domain = decision.domain;
  if (decision.kind != ChoiceKind::menu) {
    const std::uint32_t words = program_.domainWords(decision.domain);
    pending.elements = {reinterpret_cast<const std::uint64_t*>(r + decision.set), words};
    pending.elementCount =
        static_cast<std::uint32_t>(countBits(pending.elements.data(), static_cast<int>(words)));
  }
  const std::size_t alternatives = decision.alternatives.size();
  if (alternatives != 0)
    pending.openAlternatives =
        static_cast<std::uint32_t>(r[decision.open]) & (alternatives >= 32 ? ~0U : (1U << alternatives) - 1);
  pending.optionCount = static_cast<std::uint32_t>(std::popcount(pending.openAlternatives));
  if (decision.kind == ChoiceKind::subset) {
    const auto count = static_cast<std::int32_t>(pending.elementCount);
    pending.least = clampInt(r[decision.least], 0, INT32_MAX);
    pending.most = clampInt(r[decision.most], -1, count);
  } else {
    pending.optionCount += pending.elementCount;
  }
}

bool MachineCore::provided(const Decision& decision, const SetWord* chosen, std::uint32_t words) {
  if (decision.provided == noFragment) return true;
  bool verdict = false;
  runFragment(
      decision.provided,
      [&](Word* copy) {
        std::copy(chosen, chosen + words, reinterpret_cast<SetWord*>(copy + decision.chosenSet));
      },
      [&](const Word* copy) { verdict = copy[decision.verdict] != 0; });
  return verdict;
}

// Looks for a legal subset in standard order: all, single elements, then by size; the empty set last.
bool MachineCore::findSubset(const Decision& decision, const Word* r, std::int32_t least, std::int32_t most,
                             std::vector<SetWord>& found) {
  const std::uint32_t words = program_.domainWords(decision.domain);
  const SetWord* set = reinterpret_cast<const SetWord*>(r + decision.set);
  std::vector<std::uint16_t> order;
  orderOf(set, words, decision.domain, order);
  const auto count = static_cast<std::int32_t>(order.size());
  int tries = 0;
  found.assign(words, 0);
  if (count >= least && count <= most && count > 0) {
    std::copy(set, set + words, found.begin());
    ++tries;
    if (provided(decision, found.data(), words)) return true;
  }
  std::vector<std::int32_t> places;
  for (std::int32_t size = std::max(least, 1); size <= std::min(most, count - (size == count)); ++size) {
    places.resize(static_cast<std::size_t>(size));
    for (std::int32_t i = 0; i < size; ++i) places[i] = i;
    for (;;) {
      if (++tries > mostTries) break;
      std::fill(found.begin(), found.end(), 0);
      for (const std::int32_t p : places) setBit(found.data(), order[p]);
      if (provided(decision, found.data(), words)) return true;
      std::int32_t i = size - 1;
      while (i >= 0 && places[i] == count - size + i) --i;
      if (i < 0) break;
      ++places[i];
      for (std::int32_t k = i + 1; k < size; ++k) places[k] = places[k - 1] + 1;
    }
    if (tries > mostTries) break;
  }
  std::fill(found.begin(), found.end(), 0);
  return least <= 0 && most >= 0 && provided(decision, found.data(), words);
}

bool MachineCore::decide(std::uint16_t id, Word* r) {
  const Decision& decision = module_.decisions[id];
  countReveals();
  const Word owner = r[decision.owner];
  if (owner != 0 && owner != 1) raise(owner == none ? FaultCode::missingValue : FaultCode::outOfRange);
  if (decision.kind != ChoiceKind::menu) checkedSet(r + decision.set, module_.domains[decision.domain].size);
  loadPending();
  const Pending& pending = machine_.pending_;
  Answer answer;
  bool forced = false, nothing = false;
  if (decision.kind != ChoiceKind::subset) {
    nothing = pending.optionCount == 0;
    forced = pending.optionCount == 1;
    if (forced)
      answer.option = pending.elementCount == 1 ? 0
                                                : static_cast<std::int32_t>(pending.elementCount) +
                                                      std::countr_zero(pending.openAlternatives);
  } else {
    const auto count = static_cast<std::int32_t>(pending.elementCount);
    const std::int32_t least = pending.least, most = pending.most;
    std::vector<SetWord> found;
    bool subsets = least <= most;
    // With nothing in the set the empty answer counts only where there is no other.
    if (count == 0 && (pending.optionCount != 0 || decision.mayBeNothing)) subsets = false;
    if (subsets && decision.provided != noFragment) subsets = findSubset(decision, r, least, most, found);
    const bool single = least <= most && (most == 0 || least == count);
    nothing = !subsets && pending.optionCount == 0;
    if (subsets && single && pending.optionCount == 0) {
      forced = true;
      for (std::int32_t i = 0; i < most; ++i) answer.members.push_back(static_cast<std::uint16_t>(i));
    } else if (!subsets && pending.optionCount == 1) {
      forced = true;
      answer.option = count + std::countr_zero(pending.openAlternatives);
    }
  }
  if (nothing) {
    if (!decision.mayBeNothing) raise(FaultCode::nothingToChoose);
    r[decision.answer] = -2;
    return true;
  }
  if (forced) {
    take(answer, LogEvent::Kind::forced);
    return true;
  }
  if (aside_) raise(FaultCode::badHook);
  setStatus(Status::decision);
  return false;
}

bool MachineCore::isLegal(const Answer& answer, std::string* why) {
  auto refuse = [why](const char* text) {
    if (why != nullptr) *why = text;
    return false;
  };
  if (status() != Status::decision) return refuse("no decision is pending");
  const Pending& pending = machine_.pending_;
  const Decision& decision = module_.decisions[pending.decision];
  const auto count = static_cast<std::int32_t>(pending.elementCount);
  if (answer.option >= 0) {
    if (!answer.members.empty()) return refuse("an option has no members");
    if (answer.option < count)
      return pending.kind == ChoiceKind::one ? true : refuse("a set of elements is asked for");
    const std::int64_t alternative = std::int64_t{answer.option} - count;
    if (alternative >= static_cast<std::int64_t>(decision.alternatives.size()))
      return refuse("there is no such option");
    return (pending.openAlternatives >> alternative & 1) != 0 ? true : refuse("this is not open now");
  }
  if (pending.kind != ChoiceKind::subset) return refuse("there is no such option");
  const auto size = static_cast<std::int32_t>(answer.members.size());
  if (size < pending.least) return refuse("too few are chosen");
  if (size > pending.most) return refuse("too many are chosen");
  const std::uint32_t words = program_.domainWords(pending.domain);
  std::vector<std::uint16_t> order;
  orderOf(pending.elements.data(), words, pending.domain, order);
  std::vector<SetWord> chosen(words, 0);
  for (std::size_t i = 0; i < answer.members.size(); ++i) {
    if (answer.members[i] >= order.size()) return refuse("there is no such element");
    if (i != 0 && answer.members[i] <= answer.members[i - 1]) return refuse("the elements are not in order");
    setBit(chosen.data(), order[answer.members[i]]);
  }
  bool legal = false;
  quietly([&] { legal = provided(decision, chosen.data(), words); });
  return legal ? true : refuse("these cannot be chosen together");
}

// Writes the registers of the decision under way, whose answer is legal, and logs it.
void MachineCore::take(const Answer& answer, LogEvent::Kind kind) {
  const Pending& pending = machine_.pending_;
  const Decision& decision = module_.decisions[pending.decision];
  if (host_.listener) {
    const EmissionScope scope(*this, nullptr, host_.listenerView.viewer);
    LogEvent event;
    event.kind = kind;
    event.side = pending.owner;
    event.text = fragmentText(decision.prompt);
    const std::string option = optionText(answer);
    event.text += (event.text.empty() ? "" : ": ") + option;
    event.decision = pending.decision;
    const auto elements = static_cast<std::int32_t>(pending.elementCount);
    if (answer.option >= elements) event.alternative = answer.option - elements;
    if (answer.option >= 0 && answer.option < elements)
      event.chosen.push_back(elementAt(static_cast<std::uint32_t>(answer.option)));
    if (!answer.members.empty()) {
      std::vector<std::uint16_t> all;
      orderOf(pending.elements.data(), static_cast<std::uint32_t>(pending.elements.size()), pending.domain,
              all);
      for (const std::uint16_t member : answer.members) event.chosen.push_back(all[member]);
    }
    // The alternative that was taken may cite a rule of its own.
    const std::uint16_t marks =
        event.alternative < 0 ? std::uint16_t{0} : decision.alternatives[event.alternative].marks;
    std::vector<std::uint16_t> own;
    addMarks(marks, own);
    addMarks(decision.marks, own);
    event.rules = std::move(own);
    tellLog(std::move(event), 0);
  }
  Word* r = decisionFrame();
  const auto count = static_cast<std::int32_t>(pending.elementCount);
  if (answer.option >= count || (answer.option >= 0 && decision.kind == ChoiceKind::menu)) {
    r[decision.answer] = answer.option - count;
    return;
  }
  if (decision.kind == ChoiceKind::one) {
    const std::int32_t element = elementAt(static_cast<std::uint32_t>(answer.option));
    r[decision.answer] = -1;
    r[decision.chosen] = decision.domain == domainInts ? element + lowestSetInt : element;
    return;
  }
  const std::uint32_t words = program_.domainWords(decision.domain);
  std::vector<std::uint16_t> order;
  orderOf(pending.elements.data(), words, decision.domain, order);
  SetWord* chosen = reinterpret_cast<SetWord*>(r + decision.chosenSet);
  clearSet(chosen, static_cast<int>(words));
  for (const std::uint16_t member : answer.members) setBit(chosen, order[member]);
  r[decision.answer] = -1;
}

std::string MachineCore::optionText(const Answer& answer) {
  const Pending& pending = machine_.pending_;
  const Decision& decision = module_.decisions[pending.decision];
  const ValueType type =
      decision.kind == ChoiceKind::menu ? ValueType{} : module_.domains[pending.domain].element;
  auto shown = [&](Word element) {
    return display(pending.domain == domainInts ? element + lowestSetInt : element, type);
  };
  const auto count = static_cast<std::int32_t>(pending.elementCount);
  if (answer.option >= count) {
    const std::size_t i = static_cast<std::size_t>(answer.option - count);
    if (i >= decision.alternatives.size()) return "?";
    const Alternative& alternative = decision.alternatives[i];
    return alternative.label == noFragment ? "Pass" : fragmentText(alternative.label);
  }
  if (answer.option >= 0) return shown(elementAt(static_cast<std::uint32_t>(answer.option)));
  const std::uint32_t words = static_cast<std::uint32_t>(pending.elements.size());
  std::vector<std::uint16_t> order;
  orderOf(pending.elements.data(), words, pending.domain, order);
  std::string text;
  for (std::size_t i = 0; i < answer.members.size(); ++i) {
    if (i != 0) text += i + 1 == answer.members.size() ? " and " : ", ";
    text += answer.members[i] < order.size() ? shown(order[answer.members[i]]) : "?";
  }
  return text.empty() ? "none" : text;
}

} // namespace hellwig
