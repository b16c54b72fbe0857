// SPDX-License-Identifier: Apache-2.0
// Decisions, dice, victory, hidden counters: what the machine asks, and what it takes without asking.
#include "module_builder.h"

#include <algorithm>

namespace hellwig::test {
namespace {

/// A sequence with one decision over counters of a set given as bits; the answer ends in globals `answer`,
/// `chosen`.
struct OneDecision {
  ModuleBuilder b{5, 4, 6};
  std::uint16_t answer, chosen;
  BodyBuilder sequence;
  Decision d;
  // Registers: 0 set, 1 open, 2 owner, 3 least, 4 most, 5 answer, 6 chosen, 7 chosenSet, 8 verdict, 9 count.
  OneDecision(ChoiceKind kind, std::uint64_t set, Word open, Word least = 0, Word most = 64)
      : answer(b.addGlobal("answer", 0)), chosen(b.addGlobal("chosen", 0)),
        sequence(b.body("sequence", BodyKind::procedure, 0, 12, 0)) {
    sequence.op(Op::load, 0, 0, 0, b.constant(static_cast<Word>(set)));
    sequence.op(Op::loadImm, 1, 0, 0, static_cast<int>(open));
    sequence.op(Op::loadImm, 2, 0, 0, 1);
    sequence.op(Op::loadImm, 3, 0, 0, static_cast<int>(least));
    sequence.op(Op::loadImm, 4, 0, 0, static_cast<int>(most));
    d.kind = kind;
    d.domain = domainCounters;
    d.set = 0;
    d.open = 1;
    d.owner = 2;
    d.least = 3;
    d.most = 4;
    d.answer = 5;
    d.chosen = 6;
    d.chosenSet = 7;
    d.verdict = 8;
    b.m.sequenceBody = sequence.id;
  }
  void alternatives(int count, bool pass) {
    for (int i = 0; i < count; ++i) {
      d.alternatives.emplace_back();
      d.alternatives.back().pass = pass && i + 1 == count;
    }
  }
  std::shared_ptr<const Program> load() {
    sequence.op(Op::decide, 0, 0, 0, 0);
    sequence.op(Op::setGlobal, 5, 0, 0, answer);
    sequence.op(Op::setGlobal, d.kind == ChoiceKind::subset ? 7 : 6, 0, 0, chosen);
    sequence.op(Op::ret);
    b.m.decisions.push_back(d);
    b.m.decisionBody.push_back(sequence.id);
    return b.load();
  }
};

// Counters 2, 3 and 5 by one action, 0 by another, an action by its name, a closed one, the pass.
TEST(Decisions, AlternativesThatStandForElements) {
  OneDecision one(ChoiceKind::menu, 0b101100, 0b10111);
  one.sequence.op(Op::loadImm, 9, 0, 0, 0b1);
  for (int i = 0; i < 5; ++i) {
    Alternative& alternative = one.d.alternatives.emplace_back();
    alternative.picks = i == 0 || i == 2 || i == 3;
    alternative.domain = domainCounters;
    alternative.set = i == 0 ? 0 : 9;
    alternative.chosen = 6;
    alternative.pass = i == 4;
  }
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  ASSERT_EQ(m.step(), Status::decision);
  // 0 1 2: the elements of the first; 3: the second; 4: that of the third; the fourth is closed and takes
  // none.
  EXPECT_EQ(m.pending().optionCount, 6u);
  const std::int32_t alternatives[] = {0, 0, 0, 1, 2, 4}, elements[] = {2, 3, 5, -1, 0, -1};
  for (std::uint32_t k = 0; k < 6; ++k) {
    std::int32_t alternative = -1;
    const Answer answer = m.optionAt(k);
    EXPECT_EQ(answer.option, static_cast<std::int32_t>(k));
    EXPECT_TRUE(m.isLegal(answer));
    EXPECT_EQ(m.elementOf(answer, &alternative), elements[k]);
    EXPECT_EQ(alternative, alternatives[k]);
  }
  EXPECT_FALSE(m.isLegal({6, {}}));
  EXPECT_FALSE(m.isLegal({-1, {}}));
  Machine copy = m;
  ASSERT_TRUE(copy.answer(copy.optionAt(2)));
  EXPECT_EQ(copy.step(), Status::ended);
  EXPECT_EQ(copy.global(one.answer), 0);
  EXPECT_EQ(copy.global(one.chosen), 5);
  EXPECT_EQ(m.elementOf(m.optionAt(2)), 5); // the copy has its own image
}

TEST(Decisions, OneOfSeveral) {
  OneDecision one(ChoiceKind::one, 0b101100, 0b10);
  one.alternatives(2, true);
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  ASSERT_EQ(m.step(), Status::decision);
  EXPECT_EQ(m.pending().owner, 1);
  EXPECT_EQ(m.pending().elementCount, 3u);
  EXPECT_EQ(m.pending().optionCount, 4u);
  EXPECT_EQ(m.elementOf(m.optionAt(0)), 2);
  EXPECT_EQ(m.elementOf(m.optionAt(2)), 5);
  std::int32_t alternative = -1;
  EXPECT_EQ(m.elementOf(m.optionAt(3), &alternative), -1);
  EXPECT_EQ(alternative, 1);
  EXPECT_EQ(m.optionText(m.optionAt(1)), "Unit 4");
  EXPECT_EQ(m.optionText(m.optionAt(3)), "Pass");
  std::string why;
  EXPECT_FALSE(m.isLegal({3, {}}, &why)) << "the first alternative is not open";
  EXPECT_EQ(why, "this is not open now");
  EXPECT_FALSE(m.answer({5, {}}));
  EXPECT_FALSE(m.answer({-1, {0}}));
  EXPECT_TRUE(m.answer(m.optionAt(2)));
  EXPECT_EQ(m.step(), Status::ended);
  EXPECT_EQ(m.global(one.answer), -1);
  EXPECT_EQ(m.global(one.chosen), 5);
  EXPECT_EQ(m.result().winner, -1);
}

TEST(Decisions, StackComesFromTheTop) {
  OneDecision one(ChoiceKind::one, 0b111, 0);
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  m.place(1, 7, -1);
  m.place(0, 7, -1);
  m.place(2, 7, -1);
  ASSERT_EQ(m.step(), Status::decision);
  EXPECT_EQ(m.elementOf({0, {}}), 2);
  EXPECT_EQ(m.elementOf({1, {}}), 0);
  EXPECT_EQ(m.elementOf({2, {}}), 1);
}

TEST(Decisions, ForcedIsTakenAndLogged) {
  OneDecision one(ChoiceKind::one, 0b1000, 0);
  one.alternatives(1, true);
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  std::vector<std::string> log;
  m.listen([&](const LogEvent& event) {
    if (event.kind == LogEvent::Kind::forced) log.push_back(event.text);
  });
  m.start(1);
  EXPECT_EQ(m.step(), Status::ended);
  EXPECT_EQ(m.global(one.chosen), 3);
  EXPECT_EQ(log, std::vector<std::string>{"Unit 4"});
}

TEST(Decisions, APassAloneIsForced) {
  OneDecision one(ChoiceKind::one, 0, 1);
  one.alternatives(1, true);
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  EXPECT_EQ(m.step(), Status::ended);
  EXPECT_EQ(m.global(one.answer), 0);
}

TEST(Decisions, NothingToChoose) {
  for (const bool may : {true, false}) {
    OneDecision one(ChoiceKind::one, 0, 0);
    one.d.mayBeNothing = may;
    auto program = one.load();
    ASSERT_TRUE(program);
    Machine m(program);
    m.start(1);
    if (may) {
      EXPECT_EQ(m.step(), Status::ended);
      EXPECT_EQ(m.global(one.answer), -2);
    } else {
      EXPECT_EQ(m.step(), Status::faulted);
      EXPECT_EQ(m.fault().code, FaultCode::nothingToChoose);
    }
  }
}

TEST(Decisions, SubsetsByNumbersAlone) {
  // exactly 2 of 2: forced; 1 to 2 of 3: free; at least 3 of 2: nothing; up to 1 of none: the empty set.
  struct Case {
    std::uint64_t set;
    Word least, most;
    Status status;
    Word chosen;
  };
  for (const Case& c : {Case{0b110, 2, 2, Status::ended, 0b110}, Case{0b1110, 1, 2, Status::decision, 0},
                        Case{0b110, 3, 9, Status::faulted, 0}, Case{0, 0, 1, Status::ended, 0},
                        Case{0b110, 0, 0, Status::ended, 0}}) {
    OneDecision one(ChoiceKind::subset, c.set, 0, c.least, c.most);
    auto program = one.load();
    ASSERT_TRUE(program);
    Machine m(program);
    m.start(1);
    EXPECT_EQ(m.step(), c.status);
    if (c.status == Status::ended) {
      EXPECT_EQ(m.global(one.answer), -1);
      EXPECT_EQ(m.global(one.chosen), c.chosen);
    }
    if (c.status == Status::decision) {
      EXPECT_EQ(m.pending().optionCount, 0u);
      EXPECT_EQ(m.pending().least, 1);
      EXPECT_EQ(m.pending().most, 2);
      EXPECT_FALSE(m.isLegal({-1, {}}));
      EXPECT_FALSE(m.isLegal({-1, {1, 0}}));
      EXPECT_FALSE(m.isLegal({-1, {0, 1, 2}}));
      EXPECT_FALSE(m.isLegal({0, {}}));
      EXPECT_EQ(m.optionText({-1, {0, 2}}), "Unit 2 and Unit 4");
      EXPECT_TRUE(m.answer({-1, {0, 2}}));
      EXPECT_EQ(m.step(), Status::ended);
      EXPECT_EQ(m.global(one.chosen), 0b1010);
    }
  }
}

TEST(Decisions, ProvidedTestsTheWholeAnswer) {
  // Provided the number chosen is 3: of two elements no answer is legal, of four some are.
  for (const std::uint64_t set : {std::uint64_t{0b11}, std::uint64_t{0b1111}}) {
    OneDecision one(ChoiceKind::subset, set, 0b1, 1, 64);
    one.alternatives(1, true);
    auto& s = one.sequence;
    const auto over = s.op(Op::jump);
    one.d.provided = s.here();
    s.op(Op::setCount, 9, 7, 0, 0, 1);
    s.op(Op::loadImm, 10, 0, 0, 3);
    s.op(Op::eq, 8, 9, 10);
    s.op(Op::endFragment);
    s.land(over);
    auto program = one.load();
    ASSERT_TRUE(program);
    Machine m(program);
    m.start(1);
    if (set == 0b11) {
      EXPECT_EQ(m.step(), Status::ended) << "the pass is the one answer";
      EXPECT_EQ(m.global(one.answer), 0);
    } else {
      ASSERT_EQ(m.step(), Status::decision);
      const auto before = m.saveImage();
      EXPECT_FALSE(m.isLegal({-1, {0, 1}}));
      EXPECT_TRUE(m.isLegal({-1, {0, 1, 3}}));
      EXPECT_EQ(m.saveImage(), before) << "testing an answer changes nothing";
    }
  }
}

TEST(Decisions, TextsOfPromptsAndReasons) {
  OneDecision one(ChoiceKind::one, 0b110, 0);
  auto& s = one.sequence;
  const auto over = s.op(Op::jump);
  one.d.prompt = s.here();
  s.op(Op::textString, 0, 0, 0, one.b.string("Which of "));
  s.op(Op::textValue, 0, 0, 0, 3);
  s.op(Op::endFragment);
  one.d.why = s.here();
  s.op(Op::textValue, 6, 0, 0, 1);
  s.op(Op::textString, 0, 0, 0, one.b.string(" has moved"));
  s.op(Op::cite, 0, 0, 0, 1);
  s.op(Op::cite, 0, 0, 0, 1);
  s.op(Op::reason, static_cast<int>(ReasonKind::forbid));
  s.op(Op::endFragment);
  s.land(over);
  one.b.m.rules.push_back({"R-1", "Moving", "", ""});
  one.b.m.marks.push_back({{0}, ""});
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  ASSERT_EQ(m.step(), Status::decision);
  EXPECT_EQ(m.promptText(), "Which of Unit 2 and Unit 3");
  const Explanation why = m.whyNotOption(4);
  ASSERT_EQ(why.lines.size(), 1u);
  EXPECT_EQ(why.lines[0].text, "Unit 5 has moved");
  EXPECT_EQ(why.lines[0].rules, std::vector<std::uint16_t>{0}) << "a rule is cited once";
  EXPECT_TRUE(m.whyNotOption(1).lines.empty());
}

TEST(Dice, Scripted) {
  ModuleBuilder b;
  const auto g = b.addGlobal("sum", 0);
  auto s = b.body("sequence", BodyKind::procedure, 0, 4, 0);
  s.op(Op::roll, 0, static_cast<int>(DieKind::d6), 0, -1);
  s.op(Op::roll, 1, static_cast<int>(DieKind::d66), 0, -1);
  s.op(Op::add, 0, 0, 1);
  s.op(Op::loadImm, 1, 0, 0, 0b10110);
  s.op(Op::rollOneOf, 1, 1, 1 + domainCounters, -1, 1);
  s.op(Op::add, 0, 0, 1);
  s.op(Op::loadImm, 1, 0, 0, 0b1000);
  s.op(Op::rollOneOf, 1, 1, 0, -1, 1); // one element: nothing is rolled
  s.op(Op::add, 0, 0, 1);
  s.op(Op::setGlobal, 0, 0, 0, g);
  s.op(Op::ret);
  b.m.sequenceBody = s.id;
  auto program = b.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  m.scriptDice(true);
  EXPECT_EQ(m.step(), Status::dieWanted);
  m.giveDice(std::vector<std::int32_t>{4, 35});
  EXPECT_EQ(m.step(), Status::dieWanted);
  EXPECT_EQ(m.rolled(), (std::vector<std::int32_t>{4, 35}));
  m.giveDice(std::vector<std::int32_t>{3, 1});
  EXPECT_EQ(m.step(), Status::ended);
  EXPECT_EQ(m.global(g), 4 + 35 + 4 + 3) << "the third of counters 1, 2, 4 is 4; then counter 3";
  EXPECT_EQ(m.diceLeft(), 1u);
  EXPECT_EQ(m.rollCount(), 3u);
}

TEST(Dice, ComeFromTheSeed) {
  ModuleBuilder b;
  auto s = b.body("sequence", BodyKind::procedure, 0, 2, 0);
  for (int i = 0; i < 20; ++i) s.op(Op::roll, 0, static_cast<int>(DieKind::twoD6), 0, -1);
  s.op(Op::ret);
  b.m.sequenceBody = s.id;
  auto program = b.load();
  ASSERT_TRUE(program);
  auto play = [&](std::uint64_t seed) {
    Machine m(program);
    m.start(seed);
    m.step();
    return m.rolled();
  };
  EXPECT_EQ(play(5), play(5));
  EXPECT_NE(play(5), play(6));
  for (const std::int32_t value : play(7)) {
    EXPECT_GE(value, 2);
    EXPECT_LE(value, 12);
  }
}

/// A sequence that sets a global to 0, 1, .. and rests after each; victory when it is at least a limit.
struct VictoryGame {
  ModuleBuilder b;
  std::uint16_t g;
  std::shared_ptr<const Program> program;
  VictoryGame(const std::vector<int>& values, int limit) : g(b.addGlobal("points", 0, 2)) {
    auto holds = b.body("condition", BodyKind::pure, 1, 4, 1);
    holds.op(Op::getGlobal, 1, 0, 0, g);
    holds.op(Op::loadImm, 2, 0, 0, limit);
    holds.op(Op::le, 1, 2, 1);
    holds.op(Op::ret, 1, 0, 0, 0, 1);
    auto s = b.body("sequence", BodyKind::procedure, 0, 2, 0);
    for (const int value : values) {
      s.op(Op::loadImm, 0, 0, 0, value);
      s.op(Op::setGlobal, 0, 0, 0, g);
      s.op(Op::rest, 1);
    }
    s.op(Op::ret);
    VictoryClause clause;
    clause.conditionBody = holds.id;
    clause.watches = 2;
    b.m.victory.push_back(clause);
    b.m.sequenceBody = s.id;
    program = b.load();
  }
  std::pair<bool, Word> play() {
    Machine m(program);
    m.start(1);
    EXPECT_EQ(m.step(), Status::ended);
    return {m.result().winner == 0, m.global(g)};
  }
};

TEST(Victory, FiresWhenItBecomesTrue) {
  EXPECT_EQ(VictoryGame({0, 3, 6, 9}, 5).play(), (std::pair<bool, Word>{true, 6}));
  EXPECT_EQ(VictoryGame({0, 3, 4}, 5).play(), (std::pair<bool, Word>{false, 4}));
  // What holds at the first rest has not become true; it must fail and hold again.
  EXPECT_EQ(VictoryGame({7, 8, 9}, 5).play(), (std::pair<bool, Word>{false, 9}));
  EXPECT_EQ(VictoryGame({7, 1, 8, 9}, 5).play(), (std::pair<bool, Word>{true, 8}));
}

TEST(Victory, Concession) {
  OneDecision one(ChoiceKind::one, 0b11, 0);
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  EXPECT_FALSE(m.concede(0)) << "only when a decision is pending";
  ASSERT_EQ(m.step(), Status::decision);
  EXPECT_TRUE(m.concede(0));
  EXPECT_EQ(m.status(), Status::ended);
  EXPECT_EQ(m.result().winner, 1);
  EXPECT_EQ(m.result().text, "Red conceded");
}

TEST(Hidden, TextsAndReveals) {
  OneDecision one(ChoiceKind::one, 0b111, 0);
  ModuleBuilder& b = one.b;
  const auto face = b.addColumn("concealed", Owner::counter, 1, 2, 1);
  auto hidden = b.body("hidden", BodyKind::pure, 1, 2, 1);
  hidden.op(Op::get, 1, 0, 0, face);
  hidden.op(Op::ret, 1, 0, 0, 0, 1);
  auto from = b.body("from", BodyKind::pure, 1, 2, 1);
  from.op(Op::sideOf, 1, 0);
  from.op(Op::enemyOf, 1, 1);
  from.op(Op::ret, 1, 0, 0, 0, 1);
  Hidden rule;
  rule.conditionBody = hidden.id;
  rule.fromBody = from.id;
  b.m.hidden.push_back(rule);
  auto program = one.load();
  ASSERT_TRUE(program);
  Machine m(program);
  m.start(1);
  ASSERT_EQ(m.step(), Status::decision);
  EXPECT_TRUE(m.isHidden(0, 1));
  EXPECT_FALSE(m.isHidden(0, 0));
  EXPECT_EQ(m.optionText({0, {}}, {1}), "a hidden unit");
  EXPECT_EQ(m.optionText({0, {}}, {0}), "Unit 1");
  EXPECT_EQ(m.optionText({0, {}}), "Unit 1");
}

} // namespace
} // namespace hellwig::test
