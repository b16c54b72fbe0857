// SPDX-License-Identifier: Apache-2.0
// coverage and why: what the ledger of a small game says, and the questions asked of a recorded game.
#include "tests/cli/run_command.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <llvm/Support/JSON.h>

namespace hellwig::cli {
namespace {

namespace fs = std::filesystem;
const std::string ledger = HELLWIG_LEDGER;
const std::string duel = HELLWIG_DUEL;

llvm::json::Object jsonOf(const std::string& text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    ADD_FAILURE() << "not JSON: " << text;
    return {};
  }
  return std::move(*value->getAsObject());
}

std::vector<std::string> idsIn(const llvm::json::Object& json, const char* name) {
  std::vector<std::string> out;
  const llvm::json::Array* list = json.getArray(name);
  if (list == nullptr) return {"there is no " + std::string(name)};
  for (const llvm::json::Value& one : *list)
    out.push_back(one.getAsString() ? one.getAsString()->str() : one.getAsObject()->getString("id")->str());
  return out;
}

using Ids = std::vector<std::string>;

TEST(Coverage, TellsWhatIsCitedAndWhatIsTested) {
  const Ran ran = runWords({"coverage", ledger, "--format", "json"});
  EXPECT_EQ(ran.code, fine) << ran.err;
  const llvm::json::Object json = jsonOf(ran.out);
  // Ten rules; L-5 is none. L-4 is cited by nothing.
  EXPECT_EQ(json.getInteger("rules"), 10);
  EXPECT_EQ(json.getInteger("cited"), 9);
  EXPECT_EQ(idsIn(json, "uncited"), (Ids{"L-4"}));
  EXPECT_EQ(idsIn(json, "no_rule"), (Ids{"L-5"}));
  EXPECT_EQ(idsIn(json, "readings"), (Ids{"L-6"}));
  // A step that acted (L-1), an expectation with its mark (L-2), data that a test claims (L-6), a cell that
  // was read (L-11). Not: a procedure never called (L-3), data that only a test without expectations claims
  // (L-7), a clause that never decided, though a test bears its mark (L-8), what happened in random games
  // (L-9, L-10).
  EXPECT_EQ(json.getInteger("tested"), 4);
  EXPECT_EQ(idsIn(json, "untested"), (Ids{"L-3", "L-4", "L-7", "L-8", "L-9", "L-10"}));
  const llvm::json::Array* reconstructed = json.getArray("reconstructed");
  ASSERT_NE(reconstructed, nullptr);
  ASSERT_EQ(reconstructed->size(), 1u);
  EXPECT_EQ(reconstructed->front().getAsObject()->getString("reason"), llvm::StringRef("no map shows it"));
  EXPECT_TRUE(json.getArray("failed_tests")->empty());
}

TEST(Coverage, ListsInWords) {
  const Ran ran = runWords({"coverage", ledger});
  EXPECT_TRUE(ran.out.starts_with("Ledger: 10 rules, 9 cited, 4 tested by 5 tests\n")) << ran.out;
  EXPECT_NE(ran.out.find("Nothing in the game cites:\n  L-4  Nobody cites this\n"), std::string::npos);
  EXPECT_NE(ran.out.find("L-6  The knight is strong: stronger than anybody"), std::string::npos);
  EXPECT_NE(ran.out.find("L-8: no map shows it"), std::string::npos);
}

class LedgerTest : public testing::Test {
protected:
  void SetUp() override {
    const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("hellwig_ledger_" + std::string(info.name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  static std::string textOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fs::path folder_;
};

TEST_F(LedgerTest, ATestThatFailsCountsForNothing) {
  std::string text = textOf(ledger + "/ledger.hlw");
  const std::string right = "expect u.power is 6";
  text.replace(text.find(right), right.size(), "expect u.power is 7");
  write("game/ledger.hlw", text);
  const Ran ran = runWords({"coverage", path("game"), "--format", "json"});
  EXPECT_EQ(ran.code, failed);
  const llvm::json::Object json = jsonOf(ran.out);
  EXPECT_EQ(idsIn(json, "failed_tests"), (Ids{"Woods help"}));
  EXPECT_EQ(idsIn(json, "untested").front(), "L-1");
}

TEST_F(LedgerTest, OfAModItsOwnTestsAndTheGamesOnlyWhenAsked) {
  write("game/ledger.hlw", textOf(ledger + "/ledger.hlw"));
  write("mod/mod.hlw", "mod \"More\" of \"../game\"\n"
                       "rulebook { | id | title | | M-1 | Thick woods | }\n"
                       "amend value power(u: Unit) { add 1 when u.hex is woods [M-1] }\n"
                       "test \"Thick woods\" { place u = Red.Knight at 0301  expect u.power is 7 }\n");
  const llvm::json::Object own = jsonOf(runWords({"coverage", path("mod"), "--format", "json"}).out);
  EXPECT_EQ(own.getInteger("tests"), 1);
  EXPECT_EQ(own.getInteger("rules"), 11);
  EXPECT_EQ(own.getInteger("tested"), 2); // L-1, M-1
  const Ran both = runWords({"coverage", path("mod"), "--game-tests", "--format", "json"});
  EXPECT_EQ(jsonOf(both.out).getInteger("tests"), 6);
  EXPECT_EQ(idsIn(jsonOf(both.out), "failed_tests"), (Ids{"Woods help"})); // the woods are thicker now
  EXPECT_NE(runWords({"test", path("mod")}).out.find("1 passed, 0 failed"), std::string::npos);
  EXPECT_NE(runWords({"test", path("mod"), "--game-tests"}).out.find("5 passed, 1 failed"),
            std::string::npos);
}

// ---- The log

TEST_F(LedgerTest, ALineCitesAllThatLedToItButWhatItsHeadingsCite) {
  write("game/log.hlw", "game \"Log\" { language 1  side Red  side Blue }\n"
                        "rulebook { | id | | A | | B | | C | | D | | E | | F | }\n"
                        "terrain hex Ground { | ground | code | | clear | . | }\n"
                        "map Field {\n"
                        "  grid pointed, even rows pushed right\n"
                        "  size 2 by 1\n"
                        "  number column row\n"
                        "  fill clear\n"
                        "}\n"
                        "sequence [A] {\n"
                        "  turns 1 to 1 {\n"
                        "    player turn Red {\n"
                        "      phase Storm [B] { do storm() [C] }\n"
                        "    }\n"
                        "  }\n"
                        "}\n"
                        "procedure storm() [D] { say \"It storms\" [E] }\n"
                        "after storm() [F] { say \"It abates\" }\n"
                        "victory { at end draw \"Night\" }\n"
                        "scenario 'One turn' { play on Field }\n");
  const Ran ran = runWords({"play", path("game"), "--auto", "--players", "random", "--seed", "1"});
  EXPECT_EQ(ran.code, fine) << ran.err;
  EXPECT_NE(ran.out.find("\nTurn 1 [A]\n"
                         "Player turn Red\n"
                         "Phase Storm [B]\n"
                         "  It storms [E, D, C]\n"
                         "  It abates [F, C]\n"),
            std::string::npos)
      << ran.out;
}

// ---- why

class WhyTest : public LedgerTest {
protected:
  /// Red's Knight walks to the woods and tires; then Blue is to move.
  void record() {
    const Ran ran = runWords({"play", duel, "--side", "Red", "--players", "random", "--seed", "1",
                              "--scenario", "At noon", "--record", path("game.hlr")},
                             "Knight\n0202\nquit\n");
    ASSERT_EQ(ran.code, fine) << ran.err;
  }
  Ran why(std::vector<std::string> words) const {
    std::vector<std::string> all{"why", path("game.hlr"), "--game", duel};
    all.insert(all.end(), words.begin(), words.end());
    return runWords(all);
  }
};

TEST_F(WhyTest, ExplainsFiguresAndRefusals) {
  record();
  EXPECT_EQ(why({"power", "Knight"}).out, "3 = 3 printed\n");
  EXPECT_EQ(why({"explain", "power", "Knight"}).out, "3 = 3 printed\n");
  const Ran ran = why({"Knight", "0102"});
  EXPECT_EQ(ran.code, fine) << ran.err;
  EXPECT_EQ(ran.out, "stroll: a tired unit may not move [DU-02]\n");
}

TEST_F(WhyTest, AtADecision) {
  record();
  // When the first decision was to be taken nobody was tired.
  EXPECT_EQ(why({"--at", "1", "Knight", "0202"}).out, "stroll: it can go there\n");
  EXPECT_EQ(why({"--at", "1", "Knight"}).out, "It is among the options.\n");
  // From 0101 it is three hexes to 0302, and nobody walks farther than two.
  EXPECT_EQ(why({"--at", "2", "0302"}).out, "needs 3, has 2 [DU-03]\n");
  EXPECT_EQ(why({"--at", "999", "Knight"}).code, wrongUse);
}

TEST_F(WhyTest, WrongUse) {
  record();
  EXPECT_EQ(why({}).code, wrongUse);
  EXPECT_EQ(why({"explain", "banana"}).code, wrongUse);
  EXPECT_EQ(why({"banana"}).code, wrongUse);
  EXPECT_EQ(runWords({"why", path("none.hlr"), "Knight"}).code, failed);
  EXPECT_EQ(runWords({"why"}).code, wrongUse);
}

} // namespace
} // namespace hellwig::cli
