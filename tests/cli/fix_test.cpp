// SPDX-License-Identifier: Apache-2.0
// check --fix: what is certain is mended, all else stays byte for byte; and the pages of `explain`.
#include "tests/cli/run_command.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <llvm/Support/JSON.h>

namespace hellwig::cli {
namespace {

namespace fs = std::filesystem;

class FixTest : public testing::Test {
protected:
  void SetUp() override {
    const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("hellwig_fix_" + std::string(info.name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "game");
    std::ifstream file(std::string(HELLWIG_DUEL) + "/duel.hlw", std::ios::binary);
    sound_ = {std::istreambuf_iterator<char>(file), {}};
    write("game/duel.hlw", sound_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string game() const { return (folder_ / "game").string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Ran fix() const { return runWords({"check", "--fix", game()}); }

  fs::path folder_;
  std::string sound_;
};

/// Slips, each of which is certain, in the form `written` with its mend; the rest of the lines stays.
constexpr const char* slips = "// An extra, with its own     spacing.\r\n"
                              "type Mood is calm, wild\r\n"
                              "state mood: Mood = calm\r\n"
                              "value half: fraction = 0.5   // a decimal\r\n"
                              "value is_wild: bool = (mood = wild)\r\n"
                              "value bonus(n: int): int = if n > 1 then 2 otherwise 3\r\n"
                              "value more(n: int): int = n {\r\n"
                              "  +2 when mood is wild\r\n"
                              "}\r\n"
                              "procedure rage() { set mood = wild }\r\n"
                              "procedure rage_twice() {\r\n"
                              "\trage()\r\n"
                              "  do rage()\r\n"
                              "}\r\n"
                              "option Wild at 4+ { value wildness: int = 4 }\r\n";
constexpr const char* mended = "// An extra, with its own     spacing.\r\n"
                               "type Mood is calm, wild\r\n"
                               "state mood: Mood = calm\r\n"
                               "value half: fraction = 1/2   // a decimal\r\n"
                               "value is_wild: bool = (mood is wild)\r\n"
                               "value bonus(n: int): int = if n > 1 then 2 else 3\r\n"
                               "value more(n: int): int = n {\r\n"
                               "  add 2 when mood is wild\r\n"
                               "}\r\n"
                               "procedure rage() { set mood to wild }\r\n"
                               "procedure rage_twice() {\r\n"
                               "\tdo rage()\r\n"
                               "  do rage()\r\n"
                               "}\r\n"
                               "option 'Wild at 4+' { value wildness: int = 4 }\r\n";

TEST_F(FixTest, MendsWhatIsCertainAndNothingElse) {
  write("game/extra.hlw", slips);
  const Ran ran = fix();
  EXPECT_EQ(read("game/extra.hlw"), mended);
  EXPECT_EQ(read("game/duel.hlw"), sound_);
  EXPECT_EQ(ran.code, fine) << ran.out;
  EXPECT_NE(ran.out.find("extra.hlw:4:24: HW0109: `0.5` is now `1/2`"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("extra.hlw:12:2: HW0216: put in `do `"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("no errors, 7 changes made"), std::string::npos) << ran.out;
  EXPECT_EQ(runWords({"check", game()}).code, fine);
  // Nothing is left beside the files, and a second run changes nothing.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "game"), {}), 2);
  EXPECT_EQ(fix().out.find("made"), std::string::npos);
  EXPECT_EQ(read("game/extra.hlw"), mended);
}

TEST_F(FixTest, TakesTheNearestNameOnlyIfNoOtherIsAsNear) {
  write("game/extra.hlw", "type Mood is calm, wild\n"
                          "state mood_of_all: Mood = calm\n"
                          "value is_wild: bool = mood_of_al is wild\n");
  EXPECT_EQ(fix().code, fine);
  EXPECT_EQ(read("game/extra.hlw"), "type Mood is calm, wild\n"
                                    "state mood_of_all: Mood = calm\n"
                                    "value is_wild: bool = mood_of_all is wild\n");
  const std::string two = "type Mood is calm, wild\n"
                          "state mood_1: Mood = calm, mood_2: Mood = calm\n"
                          "value is_wild: bool = mood_3 is wild\n";
  write("game/extra.hlw", two);
  const Ran ran = fix();
  EXPECT_EQ(ran.code, failed);
  EXPECT_EQ(read("game/extra.hlw"), two);
  EXPECT_NE(ran.out.find("did you mean"), std::string::npos);
}

TEST_F(FixTest, WithoutTheSwitchNothingIsWritten) {
  write("game/extra.hlw", slips);
  EXPECT_EQ(runWords({"check", game()}).code, failed);
  EXPECT_EQ(read("game/extra.hlw"), slips);
}

TEST_F(FixTest, TheJsonHasTheChangeAndWhetherItIsSafe) {
  write("game/extra.hlw", "value half: fraction = 0.5\n");
  const Ran ran = runWords({"check", "--format", "json", game()});
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(ran.out);
  ASSERT_TRUE(static_cast<bool>(value));
  const llvm::json::Object* first = value->getAsObject()->getArray("diagnostics")->front().getAsObject();
  const llvm::json::Object* change = first->getObject("fix");
  ASSERT_NE(change, nullptr);
  EXPECT_EQ(change->getInteger("offset"), 23);
  EXPECT_EQ(change->getInteger("length"), 3);
  EXPECT_EQ(change->getString("replacement"), llvm::StringRef("1/2"));
  EXPECT_EQ(change->getBoolean("safe"), true);

  const Ran fixed = runWords({"check", "--fix", "--format", "json", game()});
  llvm::Expected<llvm::json::Value> after = llvm::json::parse(fixed.out);
  ASSERT_TRUE(static_cast<bool>(after));
  EXPECT_EQ(after->getAsObject()->getInteger("errors"), 0);
  EXPECT_EQ(after->getAsObject()->getArray("fixed")->front().getAsObject()->getString("replacement"),
            llvm::StringRef("1/2"));
}

TEST_F(FixTest, OfAModOnlyTheModsFilesChange) {
  const std::string slip = sound_ + "\nvalue half: fraction = 0.5\n";
  write("game/duel.hlw", slip);
  write("mod/mod.hlw", "mod \"Wilder\" of \"../game\"\nvalue third: fraction = 0.25\n");
  runWords({"check", "--fix", (folder_ / "mod").string()});
  EXPECT_EQ(read("game/duel.hlw"), slip);
  EXPECT_EQ(read("mod/mod.hlw"), "mod \"Wilder\" of \"../game\"\nvalue third: fraction = 1/4\n");
}

TEST(Explain, TellsAPage) {
  const Ran ran = runWords({"explain", "HW0211"});
  EXPECT_EQ(ran.code, fine);
  EXPECT_TRUE(ran.out.starts_with("HW0211: ")) << ran.out;
  EXPECT_NE(ran.out.find("\n    permission rest(u: Unit) {\n"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("```"), std::string::npos);
  EXPECT_EQ(runWords({"explain", "hw0211"}).out, ran.out);
  EXPECT_EQ(runWords({"explain", "211"}).out, ran.out);
}

TEST(Explain, ListsThemAllAndOffersTheNearest) {
  const Ran all = runWords({"explain"});
  EXPECT_EQ(all.code, fine);
  EXPECT_NE(all.out.find("HW0101  error"), std::string::npos);
  EXPECT_NE(all.out.find("HW0705  warning"), std::string::npos);
  const Ran unknown = runWords({"explain", "HW9101"});
  EXPECT_EQ(unknown.code, wrongUse);
  EXPECT_NE(unknown.err.find("did you mean 'HW0101'"), std::string::npos) << unknown.err;
  EXPECT_EQ(runWords({"explain", "banana"}).code, wrongUse);
}

} // namespace
} // namespace hellwig::cli
