// SPDX-License-Identifier: Apache-2.0
// What hosts see of set-ups, layers and views: options that a scenario switches on, concession, and texts
// that tell no more than their reader may know.
#include "tests/play/play_fixture.h"

#include "runtime/explanation.h"

namespace hellwig {
namespace {

void toDecision(Machine& machine) {
  machine.start(1);
  while (machine.status() == Status::ready) machine.step();
}

TEST(Layers, AScenarioSwitchesOptionsOnWithThoseThatExtendIt) {
  DiagnosticSink sink;
  std::shared_ptr<Package> package = loadPackage(sourceFolder("tests/play/packages/layers"), sink);
  ASSERT_TRUE(package);
  const std::vector<std::string> quiet{"Quiet"};
  EXPECT_EQ(defaultSelection(*package, "Field").options, quiet);
  EXPECT_EQ(defaultSelection(*package, "Narrow").options, quiet);
}

TEST(Layers, AClauseThatAsksForConcessionEndsTheGame) {
  auto program = programOf("tests/play/packages/layers", "Field");
  ASSERT_TRUE(program);
  Machine machine(program);
  toDecision(machine);
  ASSERT_EQ(machine.status(), Status::decision);
  EXPECT_TRUE(machine.concede(0));
  EXPECT_EQ(machine.status(), Status::ended);
  EXPECT_EQ(machine.result().winner, 1);
  EXPECT_EQ(machine.result().text, "The others gave in");
  EXPECT_EQ(machine.global(globalWinner), 1);
}

TEST(Layers, AReasonThatRestsOnWhatIsHiddenIsNotTold) {
  auto program = programOf("tests/play/packages/veil");
  ASSERT_TRUE(program);
  Machine machine(program);
  toDecision(machine);
  ASSERT_EQ(machine.status(), Status::decision);
  std::uint32_t hit = noBody, doubled = noBody;
  for (const NamedBody& named : program->module().named) {
    if (named.name == "hit") hit = named.explainBody;
    if (named.name == "doubled") doubled = named.explainBody;
  }
  ASSERT_NE(hit, noBody);
  const Word pair[] = {0, 1};
  auto told = [&](std::uint32_t body, std::span<const Word> arguments, std::int32_t viewer) {
    return explanationText(machine, machine.explain(body, arguments, nullptr, {viewer}), true, {viewer});
  };
  EXPECT_EQ(told(hit, pair, -1), "Line has a strength of 5 [V-1]");
  EXPECT_EQ(told(hit, pair, 1), "Line has a strength of 5 [V-1]");
  EXPECT_EQ(told(hit, pair, 0), "not possible");
  const Word line[] = {1};
  EXPECT_EQ(told(doubled, line, 1), "10 = 10 u.strength * 2 [V-1]");
  EXPECT_EQ(told(doubled, line, 0), "not possible");
  EXPECT_TRUE(machine.isHidden(1, 0));
  EXPECT_EQ(machine.display(1, {ValueKind::counter, 0, false, false}, {0}), "a hidden unit");
}

TEST(Layers, TheLeakIsWarnedOf) {
  DiagnosticSink sink;
  std::shared_ptr<Package> package = loadPackage(sourceFolder("tests/play/packages/veil"), sink);
  ASSERT_TRUE(package);
  checkPackage(*package, sink);
  ASSERT_EQ(sink.all().size(), 1u) << render(sink);
  EXPECT_EQ(sink.all().front().code, DiagnosticCode::leaksHidden);
}

} // namespace
} // namespace hellwig
