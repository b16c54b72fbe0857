// SPDX-License-Identifier: Apache-2.0
// Playing a `test` block: its steps stand beside a machine that plays on only as far as answers and dice go.
#include "runtime/test_runner.h"

#include "runtime/explanation.h"
#include "runtime/machine.h"
#include "runtime/players.h"

#include <algorithm>
#include <deque>

namespace hellwig {
namespace {

/// Ends the test where it stands.
struct Stop {};

std::string joinRules(const Module& module, const std::vector<std::uint16_t>& rules) {
  std::string out;
  for (std::uint16_t rule : rules) out += (out.empty() ? "" : ", ") + module.rules[rule].id;
  return out.empty() ? "no rule" : out;
}

class TestRun {
public:
  TestRun(std::shared_ptr<const Program> program, const TestProgram& test, bool coverage)
      : program_(program), module_(program->module()), test_(test), machine_(program) {
    if (!coverage) return;
    machine_.setPlainSearch(true);
    machine_.coverInto(&outcome_.covered);
  }

  TestOutcome run() {
    machine_.beginTest(1);
    machine_.scriptDice(true);
    machine_.listen([this](const LogEvent& event) {
      if (event.kind == LogEvent::Kind::forced) forced_.push_back(event);
    });
    placed_.assign(module_.counters.size(), false);
    setUp_ = !test_.runsSetup;
    // Without a scenario the map is empty: the test places what it needs.
    if (setUp_)
      for (std::size_t c = 0; c < module_.counters.size(); ++c)
        if (module_.counters[c].startHex >= 0) machine_.place(static_cast<std::uint16_t>(c), -1, -1);
    try {
      for (const TestStep& step : test_.steps) {
        step_ = &step;
        if (!setUp_ && step.kind != TestStep::Kind::decide && step.kind != TestStep::Kind::dice) playSetup();
        perform(step);
      }
      if (!setUp_) playSetup();
      step_ = answers_.empty() ? nullptr : answers_.front().step;
      if (!answers_.empty()) fail("the answer " + describe(answers_.front().bind) + " was never asked for");
      step_ = lastDice_;
      if (machine_.diceLeft() != 0)
        fail(std::to_string(machine_.diceLeft()) + " of the dice were never rolled");
    } catch (const Stop&) {
    }
    return std::move(outcome_);
  }

private:
  // ---- Telling

  void fail(std::string message) {
    outcome_.passed = false;
    outcome_.failures.push_back({step_ ? step_->place : test_.place, std::move(message)});
  }
  [[noreturn]] void failAndStop(std::string message) {
    fail(std::move(message));
    throw Stop{};
  }
  void failOnFault() {
    if (machine_.status() != Status::faulted) return;
    std::string text = faultText(machine_.fault());
    if (machine_.fault().code == FaultCode::wrongDie)
      text = "`dice` gives " + std::to_string(machine_.nextDie()) + ": " + text;
    failAndStop(text);
  }
  static std::string faultText(const Fault& fault) {
    std::string text = fault.message.empty() ? "a fault in it" : fault.message;
    for (const std::string& call : fault.calls) text += "\n    in " + call;
    return text;
  }

  // ---- Evaluating

  std::vector<Word> words(std::uint32_t body) {
    auto result = machine_.evaluate(body, {});
    if (!result) failAndStop("this cannot be reckoned out: " + faultText(machine_.fault()));
    return *result;
  }
  Word word(std::uint32_t body) {
    std::vector<Word> all = words(body);
    return all.empty() ? none : all.front();
  }
  std::vector<std::int32_t> elements(std::uint32_t body, const ValueType& type) {
    std::vector<Word> all = words(body);
    std::vector<std::int32_t> out;
    if (!type.isSet) {
      if (!all.empty() && all.front() != none) out.push_back(static_cast<std::int32_t>(all.front()));
      return out;
    }
    for (std::size_t w = 0; w < all.size(); ++w)
      for (unsigned bit = 0; bit < 64; ++bit)
        if ((static_cast<std::uint64_t>(all[w]) >> bit) & 1U)
          out.push_back(static_cast<std::int32_t>(w * 64 + bit));
    return out;
  }
  std::string shown(std::uint32_t body, const ValueType& type) {
    std::vector<Word> all = words(body);
    return type.isSet ? machine_.display(std::span<const Word>(all), type)
                      : machine_.display(all.empty() ? none : all.front(), type);
  }

  // ---- Answers

  struct Queued {
    const TestBind* bind;
    const TestStep* step;
  };

  std::string describe(const TestBind* bind) {
    std::string head = bind->name.empty() ? "" : bind->name + " = ";
    switch (bind->kind) {
    case TestBind::Kind::pass: return "pass";
    case TestBind::Kind::text: return head + "\"" + bind->text + "\"";
    case TestBind::Kind::value:
      return bind->body == noBody ? bind->action : head + shown(bind->body, bind->type);
    }
    return head;
  }

  /// Does an answer fit the decision that is pending? If so, in *answer.
  bool fits(const TestBind& bind, Answer& answer) {
    const Pending& pending = machine_.pending();
    const Decision& decision = module_.decisions[pending.decision];
    if (bind.byBody != noBody && word(bind.byBody) != pending.owner) return false;
    auto count = static_cast<std::int32_t>(pending.elementCount);
    ambiguous_ = false;
    for (std::size_t i = 0; narrowed_ < 0 && i < decision.alternatives.size(); ++i) {
      const Alternative& alternative = decision.alternatives[i];
      bool open = (pending.openAlternatives >> i) & 1U;
      if (!open || alternative.picks) continue;
      answer = Answer{};
      answer.option = pending.optionOf(static_cast<std::int32_t>(i));
      if (bind.kind == TestBind::Kind::pass && alternative.pass) return true;
      if (bind.kind == TestBind::Kind::text && machine_.optionText(answer) == bind.text) return true;
      if (bind.kind == TestBind::Kind::value && !bind.action.empty() && bind.action == alternative.name)
        return true;
    }
    if (bind.kind != TestBind::Kind::value || bind.body == noBody) return false;
    if (!pending.offers.empty() && fitsOffer(bind, answer)) return true;
    if (decision.kind == ChoiceKind::menu || (!bind.name.empty() && bind.name != decision.binds))
      return false;
    if (decision.kind == ChoiceKind::allotment) return allots(bind.items, bind.body, bind.type, answer);
    std::vector<std::int32_t> wanted = elements(bind.body, bind.type);
    // The bits of a set of ints are counted from the lowest one; the machine answers with the ints
    // themselves.
    if (bind.type.kind == ValueKind::integer && bind.type.isSet)
      for (std::int32_t& w : wanted) w += lowestSetInt;
    answer = Answer{};
    if (decision.kind == ChoiceKind::one) {
      if (wanted.size() != 1) return false;
      for (std::int32_t k = 0; k < count; ++k) {
        answer.option = k;
        std::int32_t alternative = -1;
        const std::int32_t element = machine_.elementOf(answer, &alternative);
        if (pending.domain == domainPaths ? machine_.endOfPath(answer) == wanted.front()
                                          : element == wanted.front())
          return true;
      }
      return false;
    }
    for (std::int32_t k = 0; k < count; ++k) {
      Answer one;
      one.option = k;
      std::int32_t element = machine_.elementOf(one);
      if (std::find(wanted.begin(), wanted.end(), element) != wanted.end())
        answer.members.push_back(static_cast<std::uint16_t>(k));
    }
    return answer.members.size() == wanted.size() && machine_.isLegal(answer);
  }

  bool isOf(const Pending::Offer& offer, const ValueType& type) const {
    const ValueType& element = module_.domains[offer.domain].element;
    return element.kind == type.kind && (type.kind != ValueKind::enumeration || element.id == type.id);
  }

  /// Does it name an element of an action or the like, one of the kind that is looked for?
  bool fitsOffer(const TestBind& bind, Answer& answer) {
    const Pending& pending = machine_.pending();
    const Decision& decision = module_.decisions[pending.decision];
    std::vector<std::int32_t> wanted = elements(bind.body, bind.type);
    if (wanted.size() != 1) return false;
    if (bind.type.kind == ValueKind::integer && bind.type.isSet) wanted.front() += lowestSetInt;
    bool found = false;
    for (const Pending::Offer& offer : pending.offers) {
      if ((narrowed_ >= 0 && narrowed_ != offer.alternative) || !isOf(offer, bind.type) ||
          (!bind.name.empty() && bind.name != decision.alternatives[offer.alternative].binds))
        continue;
      for (std::uint32_t k = 0; k < offer.count; ++k) {
        Answer one;
        one.option = pending.optionOf(offer.alternative, k);
        if (machine_.elementOf(one) != wanted.front()) continue;
        ambiguous_ = found;
        if (!found) answer = one;
        found = true;
      }
    }
    return found;
  }

  /// The numbers of an allotment, in the order of its elements.
  bool allots(const std::vector<std::uint32_t>& items, std::uint32_t body, const ValueType& type,
              Answer& answer) {
    answer = Answer{};
    if (type.kind != ValueKind::integer) return false;
    for (const std::uint32_t item : items) answer.numbers.push_back(static_cast<std::int32_t>(word(item)));
    if (items.empty() && !type.isSet) answer.numbers.push_back(static_cast<std::int32_t>(word(body)));
    return machine_.isLegal(answer);
  }

  /// The name of an action whose elements are on offer restricts the decision to these.
  bool narrows(const TestBind& bind) {
    const Pending& pending = machine_.pending();
    const Decision& decision = module_.decisions[pending.decision];
    if (narrowed_ >= 0 || bind.kind != TestBind::Kind::value || bind.action.empty()) return false;
    if (bind.byBody != noBody && word(bind.byBody) != pending.owner) return false;
    for (const Pending::Offer& offer : pending.offers)
      if (offer.count != 0 && decision.alternatives[offer.alternative].name == bind.action) {
        narrowed_ = offer.alternative;
        return true;
      }
    return false;
  }

  bool give(const Answer& answer) {
    narrowed_ = -1;
    return machine_.answer(answer);
  }

  /// Does an answer agree with a decision that had this one answer alone?
  bool agrees(const TestBind& bind, const LogEvent& event) {
    const Decision& decision = module_.decisions[static_cast<std::size_t>(event.decision)];
    const std::string* binds = &decision.binds;
    if (event.alternative >= 0) {
      const Alternative& alternative = decision.alternatives[static_cast<std::size_t>(event.alternative)];
      if (bind.kind == TestBind::Kind::pass) return alternative.pass;
      if (bind.kind == TestBind::Kind::text) return event.text.ends_with(bind.text);
      if (!alternative.picks) return !bind.action.empty() && bind.action == alternative.name;
      binds = &alternative.binds;
    }
    if (bind.kind != TestBind::Kind::value || bind.body == noBody ||
        (!bind.name.empty() && bind.name != *binds))
      return false;
    if (decision.kind == ChoiceKind::allotment) {
      std::vector<std::int32_t> given;
      for (const std::uint32_t item : bind.items) given.push_back(static_cast<std::int32_t>(word(item)));
      if (bind.items.empty() && !bind.type.isSet) given.push_back(static_cast<std::int32_t>(word(bind.body)));
      return given == event.numbers;
    }
    std::vector<std::int32_t> wanted = elements(bind.body, bind.type), taken = event.chosen;
    if (bind.type.kind == ValueKind::integer && !bind.type.isSet)
      for (std::int32_t& w : wanted) w -= lowestSetInt;
    std::sort(taken.begin(), taken.end());
    std::sort(wanted.begin(), wanted.end());
    return wanted == taken;
  }

  /// Strikes answers that agree with decisions taken without asking.
  void strikeForced() {
    while (!forced_.empty()) {
      // The name of an action may stand before the element that was taken of it.
      const LogEvent& event = forced_.front();
      if (answers_.size() > 1 && event.alternative >= 0) {
        const Decision& decision = module_.decisions[static_cast<std::size_t>(event.decision)];
        const Alternative& alternative = decision.alternatives[static_cast<std::size_t>(event.alternative)];
        if (alternative.picks && !alternative.name.empty() &&
            answers_.front().bind->action == alternative.name)
          answers_.pop_front();
      }
      if (!answers_.empty() && agrees(*answers_.front().bind, forced_.front())) answers_.pop_front();
      forced_.pop_front();
    }
  }

  bool passPending() {
    const Pending& pending = machine_.pending();
    const Decision& decision = module_.decisions[pending.decision];
    for (std::size_t i = 0; i < decision.alternatives.size(); ++i) {
      if (!decision.alternatives[i].pass || !((pending.openAlternatives >> i) & 1U)) continue;
      Answer answer;
      answer.option = pending.optionOf(static_cast<std::int32_t>(i));
      return give(answer);
    }
    return false;
  }

  Status stepOn() {
    Status status = until_ == SpanKind::never ? machine_.step() : machine_.runToSpanEnd(until_);
    strikeForced();
    failOnFault();
    return status;
  }

  /// Plays on until a free decision for which there is no answer, a die that is wanting, or the end.
  void playOn() {
    for (;;) {
      Status status = machine_.status() == Status::decision || machine_.status() == Status::dieWanted
                          ? machine_.status()
                          : stepOn();
      if (status == Status::dieWanted) {
        if (machine_.diceLeft() == 0) return;
        status = stepOn();
        if (status == Status::dieWanted) return;
      }
      if (status != Status::decision) {
        if (status == Status::ready) continue;
        return;
      }
      if (answers_.empty()) return;
      answerPending();
    }
  }

  void answerPending() {
    Answer answer;
    if (narrows(*answers_.front().bind)) {
      answers_.pop_front();
      const Pending::Offer& offer = *machine_.pending().offerOf(narrowed_);
      if (offer.count > 1) return;
      // With one element alone it is as if it were not asked.
      if (!answers_.empty() && fits(*answers_.front().bind, answer)) answers_.pop_front();
      answer = Answer{};
      answer.option = machine_.pending().optionOf(narrowed_, 0);
      give(answer);
      return;
    }
    if (fits(*answers_.front().bind, answer)) {
      if (ambiguous_)
        failAndStop("several actions fit the answer " + describe(answers_.front().bind) +
                    ": name the action before it");
      answers_.pop_front();
      if (!give(answer)) failAndStop("this answer is not legal");
      return;
    }
    if (narrowed_ < 0 && passPending()) return;
    failAndStop("the answer " + describe(answers_.front().bind) + " does not fit the decision \"" +
                machine_.promptText() + "\" (" + optionsListed() + ")");
  }

  std::string optionsListed() {
    const Pending& pending = machine_.pending();
    std::string out;
    if (pending.kind == ChoiceKind::subset) {
      std::vector<Word> set;
      for (std::uint64_t w : pending.elements) set.push_back(static_cast<Word>(w));
      out = "any of " + machine_.display(std::span<const Word>(set), setType(pending.domain));
    }
    for (std::uint32_t k = 0; k < std::min<std::uint32_t>(pending.optionCount, 12); ++k)
      out += (out.empty() ? "" : ", ") + machine_.optionText(machine_.optionAt(k));
    if (pending.optionCount > 12) out += ", ..";
    return out;
  }
  ValueType setType(std::uint16_t domain) {
    ValueType type = module_.domains[domain].element;
    type.isSet = true;
    return type;
  }

  void playSetup() {
    setUp_ = true;
    if (module_.setupBody == noBody) return;
    if (!machine_.startBody(module_.setupBody, {})) failAndStop("the set-up cannot be begun");
    for (;;) {
      Status status = stepOn();
      if (status == Status::idle || status == Status::ended) break;
      if (status == Status::dieWanted) failAndStop("the set-up rolls a die for which the test gives none");
      if (status != Status::decision) continue;
      Answer answer;
      if (!answers_.empty() && fits(*answers_.front().bind, answer)) {
        answers_.pop_front();
      } else {
        answer = firstOption();
      }
      if (!give(answer)) failAndStop("the set-up finds no legal answer to \"" + machine_.promptText() + "\"");
    }
  }

  Answer firstOption() {
    const Pending& pending = machine_.pending();
    if (pending.kind != ChoiceKind::subset && pending.kind != ChoiceKind::allotment)
      return machine_.optionAt(0);
    Answer answer;
    answer.numbers = pending.low;
    if (!machine_.isLegal(answer) && pending.kind == ChoiceKind::allotment) {
      Random random = Random::fromSeed(1);
      return machine_.drawWhole(random).value_or(answer);
    }
    for (std::int32_t i = 0; i < pending.least; ++i) answer.members.push_back(static_cast<std::uint16_t>(i));
    return answer;
  }

  // ---- Steps

  void perform(const TestStep& step) {
    switch (step.kind) {
    case TestStep::Kind::run: return runStatement(step);
    case TestStep::Kind::place: return place(step);
    case TestStep::Kind::begin: return begin(step);
    case TestStep::Kind::end: return end(step);
    case TestStep::Kind::dice:
      lastDice_ = &step;
      machine_.giveDice(step.numbers);
      return;
    case TestStep::Kind::decide:
      for (const TestBind& bind : step.binds) answers_.push_back({&bind, &step});
      if (setUp_ && running_) playOn();
      return;
    case TestStep::Kind::settle: return settle();
    case TestStep::Kind::playGames: return playGames(step);
    default: return expectation(step);
    }
  }

  void settle() {
    if (machine_.status() == Status::decision || machine_.status() == Status::dieWanted)
      failAndStop("play does not rest here: " + waitsFor());
    if (module_.settleBody == noBody) return;
    if (!machine_.startBody(module_.settleBody, {})) failAndStop("this cannot be played here");
    running_ = true;
    until_ = SpanKind::never;
    playOn();
    if (machine_.status() == Status::idle) running_ = false;
  }
  std::string waitsFor() {
    return machine_.status() == Status::decision
               ? "the decision \"" + machine_.promptText() + "\" is pending (" + optionsListed() + ")"
               : "a die is wanting";
  }

  void runStatement(const TestStep& step) {
    bool pending = machine_.status() == Status::decision || machine_.status() == Status::dieWanted;
    if (pending && step.starts) failAndStop("a procedure cannot be started now: " + waitsFor());
    if (!pending && !running_) {
      if (!machine_.startBody(step.body, {})) failAndStop("this cannot be played here");
      running_ = true;
      playOn();
      if (machine_.status() == Status::idle) running_ = false;
      return;
    }
    std::string error;
    if (!machine_.runAside(step.body, {}, &error))
      failAndStop(error.empty() ? "no decision may be taken here" : error);
    running_ = machine_.status() == Status::decision || machine_.status() == Status::dieWanted;
  }

  void place(const TestStep& step) {
    ValueType counters;
    counters.isSet = true;
    std::vector<std::int32_t> candidates = elements(step.setBody, counters);
    if (candidates.empty()) {
      // One counter by its name is a word, not a set.
      failAndStop("there is no such counter");
    }
    std::int32_t counter = -1;
    for (std::int32_t c : candidates)
      if (static_cast<std::size_t>(c) < placed_.size() && !placed_[static_cast<std::size_t>(c)]) {
        counter = c;
        break;
      }
    if (counter < 0 && candidates.size() == 1) counter = candidates.front(); // it may be placed anew
    if (counter < 0) failAndStop("all of these counters have been placed already");
    placed_[static_cast<std::size_t>(counter)] = true;
    std::vector<std::int32_t> where = elements(step.body, step.type);
    if (where.empty()) failAndStop("there is no hex to place it in");
    bool box = step.type.kind == ValueKind::box;
    machine_.place(static_cast<std::uint16_t>(counter), box ? -1 : where.front(), box ? where.front() : -1);
    for (const TestStep::Setting& setting : step.settings)
      machine_.setColumn(setting.column, static_cast<std::uint32_t>(counter),
                         std::span<const Word>(words(setting.body)));
    if (step.global >= 0) machine_.setGlobal(static_cast<std::uint16_t>(step.global), counter);
  }

  void begin(const TestStep& step) {
    const PhaseEntry* entry = nullptr;
    for (const PhaseEntry& e : module_.entries)
      if (e.span == step.span &&
          (step.span != SpanKind::phase || module_.phases[e.phase].name == step.name)) {
        entry = &e;
        break;
      }
    if (!entry) failAndStop("the sequence has no such place to begin at");
    if (step.number >= 0)
      machine_.setGlobal(globalTurn, step.number);
    else if (machine_.global(globalTurn) < 1)
      machine_.setGlobal(globalTurn, 1);
    Word side = step.body == noBody ? none : word(step.body);
    machine_.setGlobal(globalEntrySide, side);
    if (side != none) machine_.setGlobal(globalPlayer, side);
    if (!machine_.enterSequence(entry->pc)) failAndStop("play cannot begin there now");
    running_ = true;
    until_ = SpanKind::never;
    playOn();
  }

  void end(const TestStep& step) {
    if (!running_) failAndStop("nothing is being played");
    until_ = step.span;
    for (;;) {
      Status status = machine_.status() == Status::decision ? Status::decision : stepOn();
      if (status == Status::spanEnded || status == Status::ended || status == Status::idle) break;
      if (status == Status::dieWanted) failAndStop("a die is wanting before the end: " + wantedDie());
      if (status != Status::decision) continue;
      Answer answer;
      if (!answers_.empty() && fits(*answers_.front().bind, answer)) {
        answers_.pop_front();
        give(answer);
      } else if (!passPending()) {
        failAndStop("the decision \"" + machine_.promptText() + "\" cannot be passed");
      }
    }
    until_ = SpanKind::never;
  }
  std::string wantedDie() { return "give `dice` before"; }

  void playGames(const TestStep& step) {
    for (std::int32_t game = 0; game < step.number; ++game) {
      Machine fresh(program_);
      auto player = randomPlayer(static_cast<std::uint64_t>(game) + 1);
      fresh.start(static_cast<std::uint64_t>(game) + 1);
      while (fresh.status() != Status::ended && fresh.status() != Status::faulted) {
        if (fresh.status() == Status::decision) {
          Answer answer = player->choose(fresh);
          if (!fresh.answer(answer))
            failAndStop("game " + std::to_string(game + 1) + ": an answer was refused");
        }
        fresh.step();
      }
      if (fresh.status() == Status::faulted)
        failAndStop("game " + std::to_string(game + 1) + ": " + faultText(fresh.fault()));
    }
  }

  // ---- Expectations

  void expectation(const TestStep& step) {
    switch (step.kind) {
    case TestStep::Kind::expect: {
      std::vector<Word> result = words(step.body);
      if (result.empty() || result.front() == 0) {
        std::string found = step.foundBody == noBody ? "" : ": it is " + shown(step.foundBody, step.type);
        // What was asked says why, where it can.
        if (step.explain.kind != ExplainTarget::Kind::nothing) {
          const std::string why = explanationText(machine_, explain(step.explain), true);
          if (!why.empty()) found += (found.empty() ? ": " : ", ") + why;
        }
        fail("expected " + step.words + found);
        return;
      }
      // The mark of what has no explanation, such as a state, cites alone.
      if ((step.hasText || step.marks) && step.explain.kind != ExplainTarget::Kind::nothing)
        checkExplanation(step);
      return;
    }
    case TestStep::Kind::expectRefused: return expectRefused(step);
    case TestStep::Kind::expectRefusedOption: return expectRefusedOption(step);
    case TestStep::Kind::expectWinner: {
      bool over = machine_.status() == Status::ended;
      std::int32_t winner = over ? machine_.result().winner : -1;
      std::int32_t wanted = step.body == noBody ? -1 : static_cast<std::int32_t>(word(step.body));
      bool same = winner == wanted;
      if (same == (step.number == 1))
        fail("expected " + step.words + ": " +
             (!over        ? "the game is not over"
              : winner < 0 ? "it is a draw"
                           : module_.sides[static_cast<std::size_t>(winner)].display +
                                 " has won: " + machine_.result().text));
      return;
    }
    case TestStep::Kind::expectDecision:
      if (machine_.status() != Status::decision)
        fail("expected the decision \"" + step.text + "\": none is pending");
      else if (machine_.promptText() != step.text)
        fail("expected the decision \"" + step.text + "\": it is \"" + machine_.promptText() + "\"");
      return;
    case TestStep::Kind::expectChoices: {
      if (machine_.status() != Status::decision) return fail("expected choices: no decision is pending");
      std::vector<std::int32_t> wanted = elements(step.body, step.type), found;
      const Pending& pending = machine_.pending();
      auto gather = [&found](std::span<const std::uint64_t> set) {
        for (std::size_t w = 0; w < set.size(); ++w)
          for (unsigned bit = 0; bit < 64; ++bit)
            if ((set[w] >> bit) & 1U) found.push_back(static_cast<std::int32_t>(w * 64 + bit));
      };
      gather(pending.elements);
      if (pending.domain == domainPaths) { // paths are named by their ends
        Answer answer;
        for (std::size_t k = 0; k < found.size(); ++k) {
          answer.option = static_cast<std::int32_t>(k);
          found[k] = machine_.endOfPath(answer);
        }
      }
      // Of a menu of actions: all things of this kind that some action may begin with.
      for (const Pending::Offer& offer : pending.offers)
        if (offer.count != 0 && isOf(offer, step.type) && (narrowed_ < 0 || narrowed_ == offer.alternative))
          gather(offer.elements);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      if (wanted != found)
        fail("expected the choices " + shown(step.body, step.type) + ": they are " + optionsListed());
      return;
    }
    case TestStep::Kind::expectHappened: {
      std::vector<Word> given;
      if (step.body != noBody) given = words(step.body);
      const std::uint32_t times = machine_.happenedWith(static_cast<std::uint16_t>(step.procedure), given);
      if (times == 0) fail("expected that `" + step.name + "` happened: it did not");
      if (step.number == 1 && times != 1)
        fail("expected that `" + step.name + "` happened once: it did " + std::to_string(times) + " times");
      return;
    }
    case TestStep::Kind::expectRolled: {
      std::vector<std::int32_t> rolled = machine_.rolled();
      if (rolled.empty() || rolled.back() != step.number)
        fail("expected that " + std::to_string(step.number) + " was rolled last: " +
             (rolled.empty() ? "nothing was" : "it was " + std::to_string(rolled.back())));
      return;
    }
    case TestStep::Kind::expectHidden: {
      Word counter = word(step.body), side = word(step.setBody);
      if (counter == none ||
          !machine_.isHidden(static_cast<std::uint16_t>(counter), static_cast<std::int32_t>(side)))
        fail("expected that it is hidden: it is not");
      return;
    }
    default: return;
    }
  }

  const NamedBody* named(ExplainTarget target) const {
    NamedBody::What what =
        target.kind == ExplainTarget::Kind::value ? NamedBody::What::value : NamedBody::What::permission;
    std::uint32_t nth = 0;
    for (const NamedBody& body : module_.named) {
      if (body.what != what) continue;
      if (nth++ == target.subject) return &body;
    }
    return nullptr;
  }

  Explanation explain(const ExplainTarget& target, std::vector<Word>* value = nullptr) {
    std::vector<Word> arguments = words(target.argumentsBody);
    switch (target.kind) {
    case ExplainTarget::Kind::value:
    case ExplainTarget::Kind::permission:
      if (const NamedBody* body = named(target); body && body->explainBody != noBody)
        return machine_.explain(body->explainBody, arguments, value);
      return {};
    case ExplainTarget::Kind::reach: {
      auto to = static_cast<std::uint16_t>(arguments.back());
      arguments.pop_back();
      auto route = static_cast<std::uint16_t>(target.subject);
      Explanation why = machine_.whyNotReach(route, arguments, to);
      return why.lines.empty() ? machine_.explainReach(route, arguments, to) : why;
    }
    case ExplainTarget::Kind::zone: return explainZone(target, arguments);
    case ExplainTarget::Kind::table: return explainTable(target, arguments);
    case ExplainTarget::Kind::nothing: return {};
    }
    return {};
  }

  /// The clause that decides for the first counter of the side in whose reach the hex would lie.
  Explanation explainZone(const ExplainTarget& target, const std::vector<Word>& arguments) {
    const Zone& zone = module_.zones[target.subject];
    Explanation all;
    if (zone.whyBody == noBody) return all;
    for (std::size_t c = 0; c < module_.counters.size(); ++c) {
      bool member = (module_.kinds[zone.kind].members[c / 64] >> (c % 64)) & 1U;
      if (!member || module_.counters[c].side != arguments[0] ||
          machine_.hexOf(static_cast<std::uint16_t>(c)) < 0)
        continue;
      const Word pair[] = {static_cast<Word>(c), arguments[1]};
      Explanation one = machine_.explain(zone.whyBody, pair);
      all.lines.insert(all.lines.end(), one.lines.begin(), one.lines.end());
    }
    return all;
  }

  Explanation explainTable(const ExplainTarget& target, const std::vector<Word>& arguments) {
    Explanation out;
    const std::vector<Word> shifts(arguments.size(), 0);
    const std::int64_t cell = machine_.program()
                                  .tableIndex(static_cast<std::int32_t>(target.subject))
                                  .cell(arguments.data(), shifts.data());
    if (cell < 0) return out;
    ExplanationLine line;
    const Table& table = module_.tables[target.subject];
    for (std::uint16_t set :
         {table.marks.empty() ? std::uint16_t{0} : table.marks[static_cast<std::size_t>(cell)],
          table.tableMarks})
      for (std::uint16_t rule : module_.marks[set].rules)
        if (std::find(line.rules.begin(), line.rules.end(), rule) == line.rules.end())
          line.rules.push_back(rule);
    line.text = table.name;
    out.lines.push_back(line);
    return out;
  }

  /// An expectation that bears these marks was met.
  void cited(std::uint16_t marks) {
    if (marks < outcome_.covered.size()) outcome_.covered[marks] = 1;
  }

  void checkMarks(const TestStep& step, const Explanation& found) {
    std::vector<std::uint16_t> given;
    for (const ExplanationLine& line : found.lines)
      given.insert(given.end(), line.rules.begin(), line.rules.end());
    for (std::uint16_t rule : module_.marks[step.marks].rules)
      if (std::find(given.begin(), given.end(), rule) == given.end()) {
        std::sort(given.begin(), given.end());
        given.erase(std::unique(given.begin(), given.end()), given.end());
        const std::string& words = step.words;
        fail((words.starts_with("expect ") ? "" : "expected ") + words + " by " + module_.rules[rule].id +
             ": it rests on " + joinRules(module_, given));
        return;
      }
    cited(step.marks);
  }

  void checkExplanation(const TestStep& step) {
    Explanation found = explain(step.explain);
    if (step.hasText) {
      std::string text = explanationText(machine_, found, false);
      if (text != step.text) fail("expected because \"" + step.text + "\": it is because \"" + text + "\"");
    }
    if (step.marks && step.explain.kind == ExplainTarget::Kind::nothing)
      cited(step.marks);
    else if (step.marks)
      checkMarks(step, found);
  }

  void checkReason(const TestStep& step, const Explanation& why) {
    if (step.hasText) {
      Explanation wanted = machine_.explain(step.textBody, {});
      std::string text, reason;
      for (const ExplanationLine& line : wanted.lines) text += line.text;
      for (const ExplanationLine& line : why.lines)
        if (line.kind == ExplanationLine::Kind::reason) {
          reason = line.text;
          break;
        }
      if (text != reason) fail("expected the reason \"" + text + "\": it is \"" + reason + "\"");
    }
    if (step.marks) checkMarks(step, why);
  }

  void expectRefused(const TestStep& step) {
    if (step.explain.kind == ExplainTarget::Kind::permission) {
      std::vector<Word> allowed;
      Explanation why = explain(step.explain, &allowed);
      if (!allowed.empty() && allowed.front() != 0) return fail("expected a refusal: it is allowed");
      return checkReason(step, why);
    }
    std::vector<Word> arguments = words(step.explain.argumentsBody);
    auto to = static_cast<std::uint16_t>(arguments.back());
    arguments.pop_back();
    Explanation why = machine_.whyNotReach(static_cast<std::uint16_t>(step.explain.subject), arguments, to);
    if (why.lines.empty()) return fail("expected a refusal: the hex can be reached");
    checkReason(step, why);
  }

  void expectRefusedOption(const TestStep& step) {
    if (machine_.status() != Status::decision) return fail("expected a refusal: no decision is pending");
    const Pending& pending = machine_.pending();
    const Decision& decision = module_.decisions[pending.decision];
    std::int32_t alternative = -1;
    for (const Pending::Offer& offer : pending.offers)
      if (alternative < 0 && (narrowed_ < 0 || narrowed_ == offer.alternative) &&
          decision.alternatives[offer.alternative].binds == step.name)
        alternative = offer.alternative;
    if (alternative < 0 && decision.binds != step.name)
      return fail("the decision pending binds `" + decision.binds + "`, not `" + step.name + "`");
    TestBind bind;
    bind.name = step.name;
    bind.body = step.body;
    bind.type = step.type;
    bind.items = step.items;
    Answer answer;
    if (fits(bind, answer)) return fail("expected a refusal: it is among the options");
    if (!step.hasText && !step.marks) return;
    if (decision.kind == ChoiceKind::allotment) return checkReason(step, whyNotWhole(answer));
    std::vector<std::int32_t> wanted = elements(step.body, step.type);
    if (wanted.size() != 1) return fail("only one thing has a reason of its own");
    // Ints are numbered from the lowest that a set may hold.
    const bool number = step.type.kind == ValueKind::integer && !step.type.isSet;
    const auto element = static_cast<std::uint32_t>(wanted.front() - (number ? lowestSetInt : 0));
    Explanation why = machine_.whyNotOption(element, {}, alternative);
    // Of several actions that begin alike, the first that has a reason.
    for (const Pending::Offer& offer : pending.offers)
      if (why.lines.empty() && (narrowed_ < 0 || narrowed_ == offer.alternative) &&
          decision.alternatives[offer.alternative].binds == step.name)
        why = machine_.whyNotOption(element, {}, offer.alternative);
    if (why.lines.empty() && decision.kind == ChoiceKind::subset) why = whyNotWhole(answer);
    checkReason(step, why);
  }

  /// A whole answer is refused by what the decision asks of it, under the marks of the decision.
  Explanation whyNotWhole(const Answer& answer) {
    Explanation why;
    ExplanationLine line;
    line.kind = ExplanationLine::Kind::reason;
    const Decision& decision = module_.decisions[machine_.pending().decision];
    if (machine_.isLegal(answer, &line.text)) return why;
    line.rules = module_.marks[decision.marks].rules;
    why.lines.push_back(std::move(line));
    return why;
  }

  std::shared_ptr<const Program> program_;
  const Module& module_;
  const TestProgram& test_;
  Machine machine_;
  TestOutcome outcome_;
  const TestStep* step_ = nullptr;
  std::deque<Queued> answers_;
  const TestStep* lastDice_ = nullptr;
  std::deque<LogEvent> forced_;
  std::int32_t narrowed_ = -1; ///< the alternative whose name the test gave, while its elements are pending
  bool ambiguous_ = false;     ///< the answer looked at last fits several actions
  std::vector<bool> placed_;
  SpanKind until_ = SpanKind::never;
  bool setUp_ = true, running_ = false;
};

} // namespace

TestOutcome runTest(std::shared_ptr<const Program> program, const TestProgram& test, bool coverage) {
  return TestRun(std::move(program), test, coverage).run();
}

} // namespace hellwig
