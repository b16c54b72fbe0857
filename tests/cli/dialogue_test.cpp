// SPDX-License-Identifier: Apache-2.0
// A person's side of a game, typed at standard input: options by number and name, questions, undo, save,
// concession.
#include "tests/cli/run_command.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace hellwig::cli {
namespace {

Ran play(const std::string& input, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"play", HELLWIG_DUEL, "--side", "Red", "--seed", "1"};
  words.insert(words.end(), more.begin(), more.end());
  return runWords(words, input);
}

TEST(Dialogue, ListsOptionsAndTakesThemByNumberOrName) {
  const Ran ran = play("Knight\n0201\nquit\n");
  EXPECT_EQ(ran.code, fine);
  EXPECT_NE(ran.out.find("Reds: Who walks?"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("  1 Knight"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Reds: Where to?"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("The game is not finished."), std::string::npos);
  // In the first turn nobody stands beside an enemy; the walker is asked whether to rest.
  EXPECT_NE(ran.out.find("Who rests?"), std::string::npos) << ran.out;
}

TEST(Dialogue, WrongInputIsExplainedAndAskedAgain) {
  const Ran ran = play("99\nKnigt\n1\n0304\nquit\n");
  EXPECT_NE(ran.out.find("there is no option 99; there are 1 to 4"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("did you mean 'Knight'?"), std::string::npos) << ran.out;
}

TEST(Dialogue, UndoTakesBackTheLastAnswer) {
  const Ran ran = play("undo\nKnight\nundo\nArcher\nquit\n");
  EXPECT_NE(ran.out.find("Nothing has been decided yet."), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Taken back: Knight"), std::string::npos) << ran.out;
}

TEST(Dialogue, WhyAndExplainAnswer) {
  // The knight (strength 3) stands in a field in 0101; 0201 is beside it, 0301 with its woods one hex on.
  const Ran ran = play("why 0301\nKnight\nwhy 0301\nwhy 0302\nwhy Archer 0401\nexplain power Knight\n"
                       "explain stroll Knight 0301\nexplain power\nexplain powr Knight\nmap\nhelp\nquit\n");
  const auto said = [&](const char* text) {
    EXPECT_NE(ran.out.find(text), std::string::npos) << text << ran.out;
  };
  said("> why 0301\nNothing is in that hex.\n");
  said("> why 0301\nIt is among the options.\n");
  said("> why 0302\nneeds 3, has 2 [DU-03]\n");
  said("> why Archer 0401\nstroll: the hex is taken\n");
  said("> explain power Knight\n3 = 3 printed\n");
  said("> explain stroll Knight 0301\n2 = 0 0101 + 1 0201 + 1 0301\n");
  said("> explain power\npower wants: Unit.\n");
  said("did you mean 'power'?");
  said("|0301W|");
}

TEST(Dialogue, ExplanationsCiteTheRules) {
  // The page walks into the woods of 0203: strength 1, and 2 for the woods.
  const Ran ran = play("Page\n0203\nexplain power Page\nquit\n");
  EXPECT_NE(ran.out.find("3 = 1 printed + 2 woods [DU-01]"), std::string::npos) << ran.out;
}

TEST(Dialogue, SetsAreTypedAsNumbers) {
  // The first walks and becomes tired, so one can rest: none or all.
  const Ran ran = play("1\n1\nall\nquit\n");
  EXPECT_NE(ran.out.find("Who rests?"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Choose 0 to 1 of them"), std::string::npos) << ran.out;
}

TEST(Dialogue, ALineMayAnswerTheNextQuestionToo) {
  const Ran ran = play("move knight 0201\nquit\n");
  EXPECT_EQ(ran.out.find("Where to?\n"), std::string::npos) << ran.out; // answered before it was asked
  EXPECT_NE(ran.out.find("Who rests?"), std::string::npos) << ran.out;
}

TEST(Dialogue, WhatDoesNotAnswerTheNextQuestionIsSaid) {
  const Ran ran = play("Knight 0404\nquit\n");
  EXPECT_NE(ran.out.find("'0404' does not answer what comes next."), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Where to?"), std::string::npos) << ran.out;
}

TEST(Dialogue, SetsAreTypedAsNamesToo) {
  const Ran ran = play("Knight 0201 knight\nquit\n");
  EXPECT_NE(ran.out.find("Blues"), std::string::npos) << ran.out; // the phase of rest is over
}

TEST(Dialogue, PassAndEndPhase) {
  // Staying passes; nobody is tired then, so the next question is that of the next turn.
  for (const char* typed : {"pass\nquit\n", "end phase\nquit\n"}) {
    const Ran ran = play(typed);
    EXPECT_NE(ran.out.find("Who walks? Stay"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("Reds: Who rests?"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("Turn 3"), std::string::npos) << ran.out; // the next turn is asked about again
  }
  const Ran cannot = play("Knight\nend phase\nquit\n");
  EXPECT_NE(cannot.out.find("The phase cannot end before this is decided:"), std::string::npos) << cannot.out;
}

TEST(Dialogue, ConcedingEndsTheGame) {
  const Ran ran = play("concede\n");
  EXPECT_EQ(ran.code, fine);
  EXPECT_NE(ran.out.find("The Blues win in turn 1"), std::string::npos) << ran.out;
}

TEST(Dialogue, ASavedGameGoesOn) {
  const std::string path = (std::filesystem::temp_directory_path() / "hellwig_dialogue.hlr").string();
  const Ran first = play("Knight\n0201\nsave " + path + "\nquit\n");
  EXPECT_NE(first.out.find("Saved: "), std::string::npos) << first.out;
  const Ran second = runWords({"play", HELLWIG_DUEL, "--side", "Red", "--continue", path}, "map\nquit\n");
  EXPECT_EQ(second.code, fine) << second.err;
  EXPECT_NE(second.out.find("seed 1\n"), std::string::npos) << second.out;
  EXPECT_NE(second.out.find("Who rests?"), std::string::npos) << second.out;
  std::filesystem::remove(path);
}

} // namespace
} // namespace hellwig::cli
