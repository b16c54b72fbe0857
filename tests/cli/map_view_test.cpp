// SPDX-License-Identifier: Apache-2.0
// The map in characters: where hexes, terrain and counters stand.
#include "cli/console.h"
#include "tests/cli/run_command.h"

#include <gtest/gtest.h>

namespace hellwig::cli {
namespace {

TEST(MapView, DrawsThePositionAtTheStart) {
  const Ran ran = runWords({"play", HELLWIG_DUEL, "--side", "Red", "--seed", "1"}, "map\nquit\n");
  // Even rows are pushed right by half a hex; woods at 0301 and 0203; three counters a side at the edges.
  const char* const expected = " /  \\  /  \\  /  \\  /  \\\n"
                               "|0101.|0201.|0301W|0401.|\n"
                               "|RKni |     |     |BBar |\n"
                               " \\  /  \\  /  \\  /  \\  /  \\\n"
                               "   |0102.|0202.|0302.|0402.|\n"
                               "   |RArc |     |     |BSqu |\n"
                               " /  \\  /  \\  /  \\  /  \\  /\n"
                               "|0103.|0203W|0303.|0403.|\n"
                               "|RPag |     |     |BFoo |\n"
                               " \\  /  \\  /  \\  /  \\  /\n"
                               ". field   W woods   R.. Reds   B.. Blues   * flipped   + more than one\n";
  EXPECT_NE(ran.out.find(expected), std::string::npos) << ran.out;
}

TEST(Console, CountsCharactersNotBytes) {
  EXPECT_EQ(textWidth("Grüneisen"), 9u);
  EXPECT_EQ(firstCharacters("Grüneisen", 3), "Grü");
  EXPECT_EQ(filled("Grü", 5), "Grü  ");
  EXPECT_EQ(decimal(2.345, 1), "2.3");
}

} // namespace
} // namespace hellwig::cli
