// SPDX-License-Identifier: Apache-2.0
// Command lines: options, values, what is refused and what is suggested.
#include "cli/arguments.h"
#include "cli/player_names.h"

#include <gtest/gtest.h>

namespace hellwig::cli {
namespace {

const std::vector<OptionSpec> specs = {
    {"--games", "N", ""}, {"--seed", "S", ""}, {"--option", "NAME", ""}, {"--auto", "", ""}};

std::string problemOf(const std::vector<std::string>& words) {
  try {
    const Arguments arguments(words, specs);
    arguments.number("--games", 1, 1, 10);
    return "";
  } catch (const UsageError& error) {
    return error.message;
  }
}

TEST(Arguments, AreReadInAnyOrder) {
  const Arguments arguments({"--games", "3", "game", "--option=Snow storm", "--auto", "--option", "Road"},
                            specs);
  EXPECT_EQ(arguments.number("--games", 1, 1, 10), 3u);
  EXPECT_EQ(arguments.number("--seed", 7, 0, 10), 7u);
  EXPECT_TRUE(arguments.has("--auto"));
  EXPECT_EQ(arguments.all("--option"), (std::vector<std::string>{"Snow storm", "Road"}));
  EXPECT_EQ(arguments.only("GAME"), "game");
}

TEST(Arguments, AfterTwoDashesNothingIsAnOption) {
  const Arguments arguments({"--", "--auto"}, specs);
  EXPECT_FALSE(arguments.has("--auto"));
  EXPECT_EQ(arguments.only("GAME"), "--auto");
}

TEST(Arguments, MistakesAreNamed) {
  EXPECT_EQ(problemOf({"--game", "3"}), "unknown option '--game'; did you mean '--games'?");
  EXPECT_EQ(problemOf({"--games"}), "option '--games' needs a value: --games N");
  EXPECT_EQ(problemOf({"--auto=yes"}), "option '--auto' takes no value");
  for (const char* value : {"0", "11", "x", "3x", "-1", "", "99999999999999999999"})
    EXPECT_NE(problemOf({"--games", value}).find("a whole number from 1 to 10"), std::string::npos) << value;
  EXPECT_THROW(Arguments({"a", "b"}, specs).only("GAME"), UsageError);
  EXPECT_THROW(Arguments({}, specs).only("GAME"), UsageError);
}

TEST(Arguments, PlayersAreOneForBothOrOneASide) {
  EXPECT_EQ(playerNames("greedy"), (std::vector<std::string>{"greedy", "greedy"}));
  EXPECT_EQ(playerNames("random,greedy"), (std::vector<std::string>{"random", "greedy"}));
  EXPECT_THROW(playerNames("clever"), UsageError);
  EXPECT_THROW(playerNames("random,"), UsageError);
  EXPECT_THROW(playerNames("random,random,random"), UsageError);
}

} // namespace
} // namespace hellwig::cli
