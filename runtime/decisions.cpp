// SPDX-License-Identifier: Apache-2.0
// Decisions: what may be chosen, what is forced, whether an answer is legal, and taking it.
#include "runtime/machine_core.h"

#include <algorithm>

namespace hellwig {

namespace {

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

std::int32_t MachineCore::elementAt(std::span<const std::uint64_t> elements, std::uint16_t domain,
                                    std::uint32_t k) {
  const int words = static_cast<int>(elements.size());
  bool byId = domain != domainCounters;
  if (!byId) {
    const int first = lowestBit(elements.data(), words);
    if (first < 0) return -1;
    const int second = nextBit(elements.data(), first + 1, words);
    const std::int32_t hex = image_.hexOf(static_cast<std::uint32_t>(first));
    byId = hex < 0 || second < 0 || image_.hexOf(static_cast<std::uint32_t>(second)) != hex;
  }
  if (byId) return nthBit(elements.data(), static_cast<int>(k), words);
  std::vector<std::uint16_t> order;
  orderOf(elements.data(), static_cast<std::uint32_t>(elements.size()), domain, order);
  return k < order.size() ? order[k] : -1;
}

// ---- Numbers of options

const Pending::Offer* Pending::offerOf(std::int32_t alternative) const {
  for (const Offer& offer : offers)
    if (offer.alternative == alternative) return &offer;
  return nullptr;
}

std::int32_t Pending::optionOf(std::int32_t alternative, std::uint32_t place) const {
  std::int32_t option = static_cast<std::int32_t>(elementCount) + alternative;
  for (const Offer& offer : offers)
    if (offer.alternative < alternative) option += static_cast<std::int32_t>(offer.count) - 1;
  return option + static_cast<std::int32_t>(place);
}

std::pair<std::int32_t, std::int32_t> Pending::alternativeOf(std::int32_t option) const {
  std::int32_t rest = option - static_cast<std::int32_t>(elementCount), passed = 0;
  for (const Offer& offer : offers) {
    const std::int32_t between = offer.alternative - passed, count = static_cast<std::int32_t>(offer.count);
    if (rest < between) break;
    if (rest - between < count) return {offer.alternative, rest - between};
    rest -= between + count;
    passed = offer.alternative + 1;
  }
  return {passed + rest, -1};
}

const Decision& MachineCore::decisionUnderWay(std::uint16_t* id) const {
  const std::uint64_t* record = calls_ + 2 * (image_.header(headerDepth) - 1);
  const Body& body = module_.bodies[static_cast<std::uint32_t>(record[0])];
  const auto index = static_cast<std::uint16_t>(body.code[record[0] >> 32].d);
  if (id != nullptr) *id = index;
  return module_.decisions[index];
}

bool MachineCore::isSoundDecision() const {
  const Decision& decision = decisionUnderWay();
  const Word* r = decisionFrame();
  const auto sound = [&](std::uint16_t set, std::uint16_t domain) {
    const std::uint32_t size = module_.domains[domain].size;
    const SetWord* words = reinterpret_cast<const SetWord*>(r + set);
    return size % 64 == 0 || words[size / 64] >> (size % 64) == 0;
  };
  bool all = r[decision.owner] == 0 || r[decision.owner] == 1;
  if (decision.kind != ChoiceKind::menu) all = all && sound(decision.set, decision.domain);
  for (const Alternative& alternative : decision.alternatives)
    if (alternative.picks) all = all && sound(alternative.set, alternative.domain);
  return all;
}

void MachineCore::loadPending() {
  std::uint16_t id = 0;
  const Decision& decision = decisionUnderWay(&id);
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
  for (std::size_t i = 0; i < alternatives; ++i) {
    const Alternative& alternative = decision.alternatives[i];
    if (!alternative.picks) continue;
    const std::uint32_t words = program_.domainWords(alternative.domain), bit = 1U << i;
    Pending::Offer offer{static_cast<std::uint16_t>(i),
                         alternative.domain,
                         {reinterpret_cast<const std::uint64_t*>(r + alternative.set), words},
                         0};
    if ((pending.openAlternatives & bit) != 0)
      offer.count = static_cast<std::uint32_t>(countBits(offer.elements.data(), static_cast<int>(words)));
    if (offer.count == 0) pending.openAlternatives &= ~bit;
    pending.optionCount += offer.count == 0 ? 0 : offer.count - 1;
    pending.offers.push_back(offer);
  }
  pending.optionCount += static_cast<std::uint32_t>(std::popcount(pending.openAlternatives));
  if (decision.kind == ChoiceKind::subset) {
    const auto count = static_cast<std::int32_t>(pending.elementCount);
    pending.least = clampInt(r[decision.least], 0, INT32_MAX);
    pending.most = clampInt(r[decision.most], -1, count);
  } else if (decision.kind == ChoiceKind::allotment) {
    WholeAnswers whole = wholeAnswers(decision, r);
    pending.low = std::move(whole.low);
    pending.high = std::move(whole.high);
  } else {
    pending.optionCount += pending.elementCount;
  }
}

bool MachineCore::decide(std::uint16_t id, Word* r) {
  const Decision& decision = module_.decisions[id];
  countReveals();
  const Word owner = r[decision.owner];
  if (owner != 0 && owner != 1) raise(owner == none ? FaultCode::missingValue : FaultCode::outOfRange);
  if (decision.kind != ChoiceKind::menu) checkedSet(r + decision.set, module_.domains[decision.domain].size);
  for (const Alternative& alternative : decision.alternatives)
    if (alternative.picks) checkedSet(r + alternative.set, module_.domains[alternative.domain].size);
  loadPending();
  const Pending& pending = machine_.pending_;
  Answer answer;
  bool forced = false, nothing = false;
  const bool isWhole = decision.kind == ChoiceKind::subset || decision.kind == ChoiceKind::allotment;
  if (!isWhole) {
    nothing = pending.optionCount == 0;
    forced = pending.optionCount == 1;
    if (forced)
      answer.option =
          pending.elementCount == 1 ? 0 : pending.optionOf(std::countr_zero(pending.openAlternatives));
  } else {
    const WholeAnswers whole = wholeAnswers(decision, r);
    // With nothing in the set the empty answer counts only where there is no other.
    const bool instead = whole.order.empty() && (pending.optionCount != 0 || decision.mayBeNothing);
    const bool any = !instead && anyWhole(decision, r, whole, nullptr);
    const bool single = decision.kind == ChoiceKind::allotment
                            ? whole.low == whole.high
                            : whole.most == 0 || whole.least == static_cast<std::int32_t>(whole.order.size());
    nothing = !any && pending.optionCount == 0;
    if (any && single && pending.optionCount == 0) {
      forced = true;
      if (decision.kind == ChoiceKind::allotment) answer.numbers = whole.low;
      for (std::int32_t i = 0; i < whole.most; ++i) answer.members.push_back(static_cast<std::uint16_t>(i));
    } else if (!any && pending.optionCount == 1) {
      forced = true;
      answer.option = pending.optionOf(std::countr_zero(pending.openAlternatives));
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
  if (answer.option < 0) {
    if (decision.kind != ChoiceKind::subset && decision.kind != ChoiceKind::allotment)
      return refuse("there is no such option");
    return isLegalWhole(decision, answer, why);
  }
  if (!answer.members.empty() || !answer.numbers.empty()) return refuse("an option has no members");
  if (answer.option < static_cast<std::int32_t>(pending.elementCount)) {
    if (pending.kind == ChoiceKind::one) return true;
    return refuse(pending.kind == ChoiceKind::allotment ? "a number for each element is asked for"
                                                        : "a set of elements is asked for");
  }
  const std::int32_t alternative = pending.alternativeOf(answer.option).first;
  if (alternative >= static_cast<std::int32_t>(decision.alternatives.size()))
    return refuse("there is no such option");
  return (pending.openAlternatives >> alternative & 1) != 0 ? true : refuse("this is not open now");
}

void MachineCore::logAnswer(const Answer& answer, LogEvent::Kind kind) {
  const Pending& pending = machine_.pending_;
  const Decision& decision = module_.decisions[pending.decision];
  const EmissionScope scope(*this, nullptr, host_.listenerView.viewer);
  LogEvent event;
  event.kind = kind;
  event.side = pending.owner;
  event.text = fragmentText(decision.prompt);
  const std::string option = optionText(answer);
  event.text += (event.text.empty() ? "" : ": ") + option;
  event.decision = pending.decision;
  // The alternative that was taken may cite a rule of its own.
  std::vector<std::uint16_t> own;
  if (answer.option >= static_cast<std::int32_t>(pending.elementCount)) {
    const auto [alternative, place] = pending.alternativeOf(answer.option);
    event.alternative = alternative;
    addMarks(decision.alternatives[static_cast<std::size_t>(alternative)].marks, own);
    if (place >= 0) {
      const Pending::Offer& offer = *pending.offerOf(alternative);
      event.chosen.push_back(elementAt(offer.elements, offer.domain, static_cast<std::uint32_t>(place)));
    }
  } else if (answer.option >= 0) { // of a path: where it ends
    event.chosen.push_back(
        pending.domain == domainPaths
            ? machine_.endOfPath(answer)
            : elementAt(pending.elements, pending.domain, static_cast<std::uint32_t>(answer.option)));
  }
  addMarks(decision.marks, own);
  event.rules = std::move(own);
  if (answer.option < 0 && !answer.members.empty()) {
    std::vector<std::uint16_t> all;
    orderOf(pending.elements.data(), static_cast<std::uint32_t>(pending.elements.size()), pending.domain,
            all);
    for (const std::uint16_t member : answer.members) event.chosen.push_back(all[member]);
  }
  event.numbers = answer.numbers;
  tellLog(std::move(event), 0);
}

// Writes the registers of the decision under way, whose answer is legal, and logs it.
void MachineCore::take(const Answer& answer, LogEvent::Kind kind) {
  if (host_.listener) logAnswer(answer, kind);
  const Pending& pending = machine_.pending_;
  const Decision& decision = module_.decisions[pending.decision];
  Word* r = decisionFrame();
  const auto word = [](std::int32_t element, std::uint16_t domain) {
    return Word{element} + (domain == domainInts ? lowestSetInt : 0);
  };
  const auto count = static_cast<std::int32_t>(pending.elementCount);
  if (answer.option >= 0 && (answer.option >= count || decision.kind == ChoiceKind::menu)) {
    const auto [alternative, place] = pending.alternativeOf(answer.option);
    r[decision.answer] = alternative;
    if (place < 0) return;
    const Pending::Offer& offer = *pending.offerOf(alternative);
    r[decision.alternatives[static_cast<std::size_t>(alternative)].chosen] =
        word(elementAt(offer.elements, offer.domain, static_cast<std::uint32_t>(place)), offer.domain);
    return;
  }
  r[decision.answer] = -1;
  if (decision.kind == ChoiceKind::one) {
    r[decision.chosen] =
        word(elementAt(pending.elements, pending.domain, static_cast<std::uint32_t>(answer.option)),
             pending.domain);
    return;
  }
  const WholeAnswers whole = wholeAnswers(decision, r);
  std::vector<std::int32_t> numbers = answer.numbers;
  if (decision.kind == ChoiceKind::subset) {
    numbers.assign(whole.order.size(), 0);
    for (const std::uint16_t member : answer.members) numbers[member] = 1;
  }
  putWhole(decision, whole, numbers, r);
}

std::string MachineCore::optionText(const Answer& answer) {
  const Pending& pending = machine_.pending_;
  const Decision& decision = module_.decisions[pending.decision];
  const auto shown = [&](std::int32_t element, std::uint16_t domain) -> std::string {
    if (element < 0) return "?";
    if (domain == domainPaths && decision.paths >= 0) {
      std::vector<Word> block(program_.pathShape().words());
      const bool found = quietly([&] { pathAt(decisionFrame() + decision.paths, element, block.data()); });
      return found ? displayPath(block.data()) : "?";
    }
    return display(Word{element} + (domain == domainInts ? lowestSetInt : 0),
                   module_.domains[domain].element);
  };
  const auto count = static_cast<std::int32_t>(pending.elementCount);
  if (answer.option >= count) {
    const auto [index, place] = pending.alternativeOf(answer.option);
    const auto i = static_cast<std::size_t>(index);
    if (i >= decision.alternatives.size()) return "?";
    const Alternative& alternative = decision.alternatives[i];
    if (!alternative.picks) return alternative.label == noFragment ? "Pass" : fragmentText(alternative.label);
    std::string text = alternative.label == noFragment ? "" : fragmentText(alternative.label);
    const Pending::Offer& offer = *pending.offerOf(index);
    const std::string element =
        place < 0
            ? "?"
            : shown(elementAt(offer.elements, offer.domain, static_cast<std::uint32_t>(place)), offer.domain);
    return text.empty() ? element : text + ": " + element;
  }
  if (answer.option >= 0)
    return shown(elementAt(pending.elements, pending.domain, static_cast<std::uint32_t>(answer.option)),
                 pending.domain);
  const std::uint32_t words = static_cast<std::uint32_t>(pending.elements.size());
  std::vector<std::uint16_t> order;
  orderOf(pending.elements.data(), words, pending.domain, order);
  std::string text;
  for (std::size_t i = 0; i < answer.members.size(); ++i) {
    if (i != 0) text += i + 1 == answer.members.size() ? " and " : ", ";
    text += answer.members[i] < order.size() ? shown(order[answer.members[i]], pending.domain) : "?";
  }
  for (std::size_t i = 0; i < answer.numbers.size() && i < order.size(); ++i)
    text += (i == 0 ? "" : ", ") + shown(order[i], pending.domain) + ": " + std::to_string(answer.numbers[i]);
  return text.empty() ? "none" : text;
}

} // namespace hellwig
