// SPDX-License-Identifier: Apache-2.0
// What happens in play beside state: dice, the log, spans, victory, what is hidden.
#include "runtime/machine_core.h"

#include <algorithm>

namespace hellwig {

namespace {

Random loadRandom(const Image& image) {
  Random random{};
  for (std::uint32_t i = 0; i < 4; ++i) random.state[i] = image.words()[headerRandom + i];
  return random;
}
void storeRandom(const Image& image, const Random& random) {
  for (std::uint32_t i = 0; i < 4; ++i) image.words()[headerRandom + i] = random.state[i];
}

bool isDieValue(DieKind die, std::int32_t v) {
  switch (die) {
  case DieKind::d6: return v >= 1 && v <= 6;
  case DieKind::twoD6: return v >= 2 && v <= 12;
  case DieKind::d10: return v >= 0 && v <= 9;
  case DieKind::d100: return v >= 0 && v <= 99;
  case DieKind::d66: return v >= 11 && v <= 66 && v % 10 >= 1 && v % 10 <= 6;
  }
  return false;
}

} // namespace

bool MachineCore::roll(DieKind die, std::int32_t purpose, Word* out) {
  std::int32_t value = 0;
  if (host_.scripted) {
    if (host_.dice.empty()) return false;
    value = host_.dice.front();
    if (!isDieValue(die, value)) raise(FaultCode::wrongDie);
    host_.dice.pop_front();
  } else {
    Random random = loadRandom(image_);
    auto draw = [&random](std::uint32_t n) { return static_cast<std::int32_t>(random.below(n)); };
    switch (die) {
    case DieKind::d6: value = draw(6) + 1; break;
    case DieKind::twoD6:
      value = draw(6) + 1;
      value += draw(6) + 1;
      break;
    case DieKind::d10: value = draw(10); break;
    case DieKind::d100: value = draw(100); break;
    case DieKind::d66:
      value = (draw(6) + 1) * 10;
      value += draw(6) + 1;
      break;
    }
    storeRandom(image_, random);
  }
  noteRoll(value);
  *out = value;
  if (host_.listener) logFragment(LogEvent::Kind::roll, purpose, std::to_string(value));
  return true;
}

bool MachineCore::rollOneOf(const SetWord* set, std::uint32_t words, std::int32_t domain,
                            std::int32_t purpose, Word* out) {
  const int count = countBits(set, static_cast<int>(words));
  if (count == 0) {
    *out = none;
    return true;
  }
  std::vector<std::uint16_t> order;
  orderOf(set, words,
          domain >= 0 ? static_cast<std::uint16_t>(domain) : static_cast<std::uint16_t>(domainHexes), order);
  std::uint32_t place = 0;
  if (count > 1) {
    if (host_.scripted) {
      if (host_.dice.empty()) return false;
      const std::int32_t value = host_.dice.front();
      if (value < 1 || value > count) raise(FaultCode::wrongDie);
      host_.dice.pop_front();
      place = static_cast<std::uint32_t>(value - 1);
    } else {
      Random random = loadRandom(image_);
      place = random.below(static_cast<std::uint32_t>(count));
      storeRandom(image_, random);
    }
    noteRoll(static_cast<std::int32_t>(place) + 1);
  }
  Word element = order[place];
  if (domain == domainInts) element += lowestSetInt;
  *out = element;
  if (host_.listener) {
    const std::string shown =
        domain >= 0 ? display(element, module_.domains[domain].element) : std::to_string(place + 1);
    logFragment(LogEvent::Kind::roll, purpose, shown);
  }
  return true;
}

void MachineCore::logFragment(LogEvent::Kind kind, std::int32_t fragment, std::string suffix) {
  LogEvent event;
  event.kind = kind;
  Emission emission;
  if (fragment > 0) {
    const EmissionScope scope(*this, &emission, host_.listenerView.viewer);
    runFragment(
        fragment, [](Word*) {}, [](const Word*) {});
  }
  event.text = std::move(emission.text);
  if (!suffix.empty()) event.text += event.text.empty() ? suffix : ": " + suffix;
  const Word player = static_cast<Word>(image_.words()[program_.globals()[globalPlayer].offset]);
  event.side = player == 0 || player == 1 ? static_cast<std::int32_t>(player) : -1;
  tellLog(std::move(event), 0);
}

void MachineCore::tellLog(LogEvent event, std::uint16_t marks, bool place) {
  addMarks(marks, event.rules);
  if (place) citePlace(event.rules);
  host_.listener(event);
}

void MachineCore::spanBegin(SpanKind span, bool log, std::int32_t phase) {
  ++image_.words()[headerSpans + static_cast<std::uint32_t>(span)];
  if (span == SpanKind::phase) ++image_.words()[headerPhases];
  // A test may enter the sequence anywhere; what encloses the place then counts as entered.
  if (host_.covered != nullptr) {
    const std::uint64_t top = calls_[2 * (image_.words()[headerDepth] - 1)];
    const Body& body = module_.bodies[static_cast<std::uint32_t>(top)];
    if (const std::uint64_t pc = top >> 32; pc < body.citing.size()) cover(body.citing[pc]);
  }
  if (!host_.listener || !log) return;
  LogEvent event;
  event.kind = LogEvent::Kind::span;
  const Word player = static_cast<Word>(image_.words()[program_.globals()[globalPlayer].offset]);
  if (player == 0 || player == 1) event.side = static_cast<std::int32_t>(player);
  if (phase >= 0) {
    event.text = "Phase " + module_.phases[phase].name;
  } else if (span == SpanKind::turn) {
    event.text =
        "Turn " + std::to_string(static_cast<Word>(image_.words()[program_.globals()[globalTurn].offset]));
  } else if (span == SpanKind::playerTurn && event.side >= 0) {
    event.text = "Player turn " + module_.sides[event.side].display;
  } else {
    event.text = "Activation";
  }
  tellLog(std::move(event), 0);
}

// ---- Victory

namespace {

bool truthOf(MachineCore& core, const VictoryClause& clause, std::uint32_t side) {
  if (clause.conditionBody == noBody) return true;
  Word* frame = core.top_;
  if (core.framesEnd_ - frame <
      static_cast<std::ptrdiff_t>(core.program_.bodies()[clause.conditionBody].needWords))
    core.raise(FaultCode::stackTooDeep);
  frame[0] = side;
  core.runBody(clause.conditionBody, frame);
  return frame[0] != 0;
}

} // namespace

void MachineCore::learnTruth() {
  std::uint64_t* truth = image_.at(layout_.victoryTruth);
  for (std::size_t i = 0; i < module_.victory.size(); ++i) {
    const VictoryClause& clause = module_.victory[i];
    if (clause.when != VictoryWhen::atOnce) continue;
    truth[i] = 0;
    const std::uint32_t sides = clause.winner == VictoryClause::Winner::anySide ? 2 : 1;
    for (std::uint32_t s = 0; s < sides; ++s)
      if (truthOf(*this, clause, s)) truth[i] |= std::uint64_t{1} << s;
  }
  image_.header(headerTruthKnown) = 1;
  image_.words()[layout_.victoryDirty] = 0;
}

bool MachineCore::restPlay() {
  if (image_.header(headerStage) == static_cast<std::uint64_t>(Stage::setup)) return false;
  if (image_.header(headerTruthKnown) == 0) {
    learnTruth();
    return false;
  }
  const std::uint64_t dirty = image_.words()[layout_.victoryDirty];
  image_.words()[layout_.victoryDirty] = 0;
  std::uint64_t* truth = image_.at(layout_.victoryTruth);
  std::int64_t fired = -1;
  std::int32_t firedSide = 0;
  for (std::size_t i = 0; i < module_.victory.size(); ++i) {
    const VictoryClause& clause = module_.victory[i];
    if (clause.when != VictoryWhen::atOnce || (clause.watches & dirty) == 0) continue;
    const std::uint32_t sides = clause.winner == VictoryClause::Winner::anySide ? 2 : 1;
    for (std::uint32_t s = 0; s < sides; ++s) {
      const std::uint64_t bit = std::uint64_t{1} << s;
      const bool holds = truthOf(*this, clause, s);
      if (holds && (truth[i] & bit) == 0 && fired < 0) {
        fired = static_cast<std::int64_t>(i);
        firedSide = static_cast<std::int32_t>(s);
      }
      truth[i] = holds ? truth[i] | bit : truth[i] & ~bit;
    }
  }
  if (fired < 0) return false;
  const VictoryClause& clause = module_.victory[fired];
  std::int32_t winner = firedSide;
  if (clause.winner == VictoryClause::Winner::draw) winner = -1;
  if (clause.winner == VictoryClause::Winner::side) {
    runBody(clause.winnerBody, top_);
    winner = static_cast<std::int32_t>(*top_);
    if (winner != 0 && winner != 1) raise(FaultCode::outOfRange);
  }
  endGame(EndCause::clause, static_cast<std::uint64_t>(fired), winner,
          endText(EndCause::clause, static_cast<std::uint64_t>(fired), firedSide));
  return true;
}

bool MachineCore::testVictory(VictoryWhen when) {
  for (std::size_t i = 0; i < module_.victory.size(); ++i) {
    const VictoryClause& clause = module_.victory[i];
    if (clause.when != when) continue;
    const std::uint32_t sides = clause.winner == VictoryClause::Winner::anySide ? 2 : 1;
    for (std::uint32_t s = 0; s < sides; ++s) {
      if (!truthOf(*this, clause, s)) continue;
      std::int32_t winner = static_cast<std::int32_t>(s);
      if (clause.winner == VictoryClause::Winner::draw) winner = -1;
      if (clause.winner == VictoryClause::Winner::side) {
        runBody(clause.winnerBody, top_);
        winner = static_cast<std::int32_t>(*top_);
        if (winner != 0 && winner != 1) raise(FaultCode::outOfRange);
      }
      endGame(EndCause::clause, i, winner, endText(EndCause::clause, i, static_cast<std::int32_t>(s)));
      return true;
    }
  }
  if (when != VictoryWhen::atEnd) return false;
  endGame(EndCause::sequenceOver, 0, -1, endText(EndCause::sequenceOver, 0, -1));
  return true;
}

std::string MachineCore::endText(EndCause cause, std::uint64_t detail, std::int32_t winner) {
  switch (cause) {
  case EndCause::clause: {
    const VictoryClause& clause = module_.victory[detail];
    if (clause.textBody == noBody) return "";
    Emission emission;
    const EmissionScope scope(*this, &emission, -1);
    top_[0] = winner < 0 ? 0 : winner;
    quietly([&] { runBody(clause.textBody, top_); });
    return emission.text;
  }
  case EndCause::concession: return module_.sides[detail & 1].display + " conceded";
  case EndCause::sequenceOver: return "The last turn is over";
  default: return "";
  }
}

void MachineCore::endGame(EndCause cause, std::uint64_t detail, std::int32_t winner, std::string text) {
  image_.header(headerEndCause) = static_cast<std::uint64_t>(cause);
  image_.header(headerEndDetail) = detail;
  image_.header(headerWinner) = static_cast<std::uint64_t>(winner + 1);
  setStatus(Status::ended);
  if (cause == EndCause::clause) cover(module_.victory[detail].marks);
  if (const Word won = winner; winner >= 0) image_.setGlobal(program_.globals()[globalWinner], &won);
  machine_.result_.over = true;
  machine_.result_.winner = winner;
  machine_.result_.text = std::move(text);
  if (!host_.listener) return;
  LogEvent event;
  event.kind = LogEvent::Kind::victory;
  event.side = winner;
  event.text = winner < 0 ? "The game is a draw" : "Victory: " + module_.sides[winner].display;
  if (!machine_.result_.text.empty()) event.text += ": " + machine_.result_.text;
  const std::uint16_t marks = cause == EndCause::clause ? module_.victory[detail].marks : std::uint16_t{0};
  tellLog(std::move(event), marks, cause == EndCause::fragment);
}

bool MachineCore::concede(std::uint16_t side) {
  if (status() != Status::decision || side > 1) return false;
  const std::int32_t column = program_.concededColumn();
  bool ended = false;
  if (column >= 0) {
    image_.set(program_.columns()[column], side, 1);
    if (program_.columns()[column].poses) wrote(-1);
    if (image_.header(headerTruthKnown) != 0) quietly([&] { ended = restPlay(); });
  }
  if (!ended) endGame(EndCause::concession, side, 1 - side, endText(EndCause::concession, side, 1 - side));
  return true;
}

// ---- Hidden information

bool MachineCore::hiddenFrom(std::uint32_t counter, std::int32_t viewer) {
  if (viewer < 0) return false;
  for (const Hidden& hidden : module_.hidden) {
    if (!hasBit(module_.kinds[hidden.kind].members.data(), static_cast<int>(counter))) continue;
    bool applies = true;
    quietly([&] {
      if (hidden.conditionBody != noBody) {
        top_[0] = counter;
        runBody(hidden.conditionBody, top_);
        applies = top_[0] != 0;
      }
      if (applies && hidden.fromBody != noBody) {
        top_[0] = counter;
        runBody(hidden.fromBody, top_);
        applies = top_[0] == viewer;
      }
    });
    if (applies) cover(hidden.marks);
    if (applies) return true;
  }
  return false;
}

void MachineCore::countReveals() {
  if (module_.hidden.empty()) return;
  const std::uint32_t words = program_.counterWords();
  for (std::uint32_t side = 0; side < 2; ++side) {
    std::uint64_t* before = image_.at(layout_.hiddenBefore) + side * words;
    for (std::uint32_t u = 0; u < module_.counters.size(); ++u) {
      const bool now = hiddenFrom(u, static_cast<std::int32_t>(side));
      if (!now && hasBit(before, static_cast<int>(u))) ++image_.header(headerReveals);
      putBit(before, static_cast<int>(u), now);
    }
  }
}

void MachineCore::sampleHidden(std::int32_t viewer, Random& random) {
  if (viewer < 0 || module_.hidden.empty()) return;
  const auto counters = static_cast<std::uint32_t>(module_.counters.size());
  std::vector<std::uint8_t> hidden(counters);
  for (std::uint32_t u = 0; u < counters; ++u) hidden[u] = hiddenFrom(u, viewer);
  auto alike = [&](std::uint32_t a, std::uint32_t b) {
    if (module_.counters[a].side != module_.counters[b].side ||
        module_.counters[a].kind != module_.counters[b].kind)
      return false;
    for (const Hidden& h : module_.hidden)
      for (const std::uint16_t c : h.shownColumns) {
        const ColumnAccess& column = program_.columns()[c];
        if (column.setWords != 0 || !column.ofCounters) continue;
        if (image_.get(column, a) != image_.get(column, b)) return false;
      }
    return true;
  };
  // Exchanging the places and the state of two counters is exchanging who they are.
  auto exchange = [&](std::uint32_t a, std::uint32_t b) {
    auto swapIn = [&]<class T>(std::uint32_t offset, T) {
      std::swap(image_.array<T>(offset)[a], image_.array<T>(offset)[b]);
    };
    swapIn(layout_.hexOf, std::int16_t{});
    swapIn(layout_.boxOf, std::int16_t{});
    swapIn(layout_.cameFrom, std::int16_t{});
    swapIn(layout_.arrival, std::uint32_t{});
    for (const ColumnAccess& column : program_.columns()) {
      // The groups of a counter belong to who it is.
      if (column.constant || !column.ofCounters || column.membership) continue;
      if (column.setWords != 0) {
        std::uint64_t* values = image_.at(column.offset);
        std::swap_ranges(values + a * column.setWords, values + (a + 1) * column.setWords,
                         values + b * column.setWords);
        continue;
      }
      const Word first = image_.get(column, a), second = image_.get(column, b);
      image_.set(column, a, second);
      image_.set(column, b, first);
    }
  };
  for (std::uint32_t u = counters; u-- > 1;) {
    if (hidden[u] == 0) continue;
    std::vector<std::uint32_t> partners;
    for (std::uint32_t v = 0; v <= u; ++v)
      if (hidden[v] != 0 && (v == u || alike(u, v))) partners.push_back(v);
    const std::uint32_t v = partners[random.below(static_cast<std::uint32_t>(partners.size()))];
    if (v != u) exchange(u, v);
  }
  image_.rebuildStacks();
  refreshPoses();
  image_.forgetDerived();
}

} // namespace hellwig
