// SPDX-License-Identifier: Apache-2.0
// The subcommands on a small game: exit codes, the lines that scripts rely on, JSON, records that are
// refused.
#include "tests/cli/run_command.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace hellwig::cli {
namespace {

const std::string duel = HELLWIG_DUEL;

class CommandTest : public testing::Test {
protected:
  void SetUp() override {
    const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / ("hellwig_cli_" + std::string(info.name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  /// The small game in a folder of its own, with one stretch of its text replaced.
  std::string changedGame(const std::string& from, const std::string& to) const {
    std::ifstream file(duel + "/duel.hlw", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::filesystem::create_directories(folder_ / "game");
    write("game/duel.hlw", text);
    return path("game");
  }
  std::filesystem::path folder_;
};

llvm::json::Object jsonOf(const std::string& text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    ADD_FAILURE() << "not JSON: " << text;
    return {};
  }
  return std::move(*value->getAsObject());
}

std::string lastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

TEST_F(CommandTest, HelpAndVersion) {
  EXPECT_EQ(runWords({"--help"}).code, fine);
  EXPECT_NE(runWords({"--help"}).out.find("simulate"), std::string::npos);
  EXPECT_EQ(runWords({"--version"}).code, fine);
  for (const char* name :
       {"check", "build", "play", "test", "simulate", "replay", "disasm", "fmt", "explain", "why", "coverage"}) {
    const Ran ran = runWords({name, "--help"});
    EXPECT_EQ(ran.code, fine);
    EXPECT_TRUE(ran.out.starts_with(std::string("hellwig ") + name + ": ")) << ran.out;
  }
}

TEST_F(CommandTest, WrongUseEndsWithTwo) {
  EXPECT_EQ(runWords({}).code, wrongUse);
  const Ran unknown = runWords({"simulat", duel});
  EXPECT_EQ(unknown.code, wrongUse);
  EXPECT_NE(unknown.err.find("did you mean 'simulate'?"), std::string::npos) << unknown.err;
  EXPECT_EQ(runWords({"check"}).code, wrongUse);
  EXPECT_EQ(runWords({"check", duel, "--formt", "json"}).code, wrongUse);
  EXPECT_EQ(runWords({"check", duel, "--format", "xml"}).code, wrongUse);
  EXPECT_EQ(runWords({"play", duel, "--auto", "--side", "Red"}).code, wrongUse);
  const Ran option = runWords({"play", duel, "--auto", "--option", "Courag"});
  EXPECT_EQ(option.code, wrongUse);
  EXPECT_NE(option.err.find("did you mean 'Courage'?"), std::string::npos) << option.err;
  EXPECT_EQ(runWords({"play", duel, "--auto", "--scenario", "At night"}).code, wrongUse);
  EXPECT_EQ(runWords({"play", duel, "--side", "Green"}).code, wrongUse);
}

TEST_F(CommandTest, CheckIsCleanOrListsErrors) {
  const Ran clean = runWords({"check", duel});
  EXPECT_EQ(clean.code, fine) << clean.out;
  EXPECT_EQ(lastLine(clean.out), duel + ": 1 file, no errors");
  const std::string bad = changedGame("set u.face to tired", "set u.fcae to tired");
  const Ran errors = runWords({"check", bad});
  EXPECT_EQ(errors.code, failed);
  EXPECT_NE(errors.out.find("duel.hlw:"), std::string::npos);
  EXPECT_EQ(lastLine(errors.out), bad + ": 1 file, 1 error");
  const llvm::json::Object json = jsonOf(runWords({"check", bad, "--format", "json"}).out);
  EXPECT_EQ(json.getInteger("errors"), 1);
  EXPECT_EQ(json.getArray("diagnostics")->size(), 1u);
  EXPECT_EQ(runWords({"check", path("nowhere")}).code, failed);
}

TEST_F(CommandTest, TestCountsWhatPassed) {
  const Ran ran = runWords({"test", duel});
  EXPECT_EQ(ran.code, fine) << ran.out << ran.err;
  EXPECT_EQ(lastLine(ran.out), "2 passed, 0 failed");
  EXPECT_EQ(lastLine(runWords({"test", duel, "--filter", "Woods"}).out), "1 passed, 0 failed");
  const Ran broken = runWords({"test", changedGame("expect u.power is 5", "expect u.power is 6")});
  EXPECT_EQ(broken.code, failed);
  EXPECT_EQ(lastLine(broken.out), "1 passed, 1 failed");
  EXPECT_NE(broken.out.find("duel.hlw:"), std::string::npos) << broken.out;
}

TEST_F(CommandTest, SimulationsDependOnTheSeedAlone) {
  const auto run = [&](const char* seed, const char* threads) {
    llvm::json::Object json = jsonOf(runWords({"simulate", duel, "--games", "60", "--seed", seed, "--threads",
                                               threads, "--players", "random,greedy", "--format", "json"})
                                         .out);
    for (const char* timing : {"seconds", "games_per_second", "decisions_per_second"}) {
      EXPECT_TRUE(json.getNumber(timing).has_value()) << timing;
      json[timing] = 0; // the only members that may differ
    }
    return json;
  };
  const auto text = [](const llvm::json::Object& object) {
    std::string out;
    llvm::raw_string_ostream(out) << llvm::json::Value(llvm::json::Object(object));
    return out;
  };
  const llvm::json::Object one = run("7", "1");
  EXPECT_EQ(text(one), text(run("7", "3")));
  EXPECT_NE(text(one), text(run("8", "1")));
  EXPECT_EQ(one.getInteger("games"), 60);
  EXPECT_EQ(one.getInteger("faults"), 0);
  const llvm::json::Object& wins = *one.getObject("wins");
  EXPECT_EQ(*wins.getInteger("Red") + *wins.getInteger("Blue") + *one.getInteger("draws"), 60);
  EXPECT_GT(*one.getNumber("turns_mean"), 1.0);
  // Whoever strikes when it pays beats whoever does so at random.
  EXPECT_GT(*wins.getInteger("Blue"), *wins.getInteger("Red"));
}

TEST_F(CommandTest, AutoPlayTellsTheGameToItsEnd) {
  const Ran ran = runWords({"play", duel, "--auto", "--seed", "5"});
  EXPECT_EQ(ran.code, fine) << ran.err;
  EXPECT_NE(ran.out.find("Turn 1\n"), std::string::npos);
  EXPECT_NE(ran.out.find("Phase Movement"), std::string::npos);
  const std::string last = lastLine(ran.out);
  EXPECT_TRUE(last.starts_with("Draw in turn 8: Night falls") ||
              last.find(" win in turn ") != std::string::npos)
      << last;
  EXPECT_EQ(runWords({"play", duel, "--auto", "--seed", "5"}).out, ran.out);
}

TEST_F(CommandTest, ReplayComesToTheSameEnd) {
  ASSERT_EQ(
      runWords({"play", duel, "--auto", "--seed", "3", "--option", "Courage", "--record", path("a.hlr")})
          .code,
      fine);
  const Ran ran = runWords({"replay", path("a.hlr"), duel});
  EXPECT_EQ(ran.code, fine) << ran.err;
  const llvm::json::Object json = jsonOf(runWords({"replay", path("a.hlr"), duel, "--format", "json"}).out);
  EXPECT_EQ(json.getBoolean("ok"), true);
  EXPECT_NE(ran.out.find(json.getString("hash")->str()), std::string::npos);
}

TEST_F(CommandTest, ReplayRefusesWhatIsNotThatGame) {
  ASSERT_EQ(runWords({"play", duel, "--auto", "--seed", "3", "--record", path("a.hlr")}).code, fine);
  const std::string record = read("a.hlr");
  const auto refused = [&](const std::string& text, const std::string& reason, const std::string& game) {
    write("b.hlr", text);
    const Ran ran = runWords({"replay", path("b.hlr"), game});
    EXPECT_EQ(ran.code, failed) << ran.out;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << ran.err;
  };
  refused(record.substr(0, record.size() / 2), "the line is cut off", duel);
  // The first decision stands on line 9.
  std::string changed = record;
  changed[changed.find("\n1 0 ") + 5] ^= 1;
  refused(changed, "line 9: the checksum does not match", duel);
  refused(record, "made with another state of the game's files",
          changedGame("Night falls", "The night falls"));
  refused(record, "of the game", changedGame("\"The \\\"Duel\\\"\"", "\"The Duellists\""));
  // Half a record can be opened up to its last good line.
  write("b.hlr", record.substr(0, record.size() / 2));
  const Ran salvaged = runWords({"replay", path("b.hlr"), duel, "--salvage"});
  EXPECT_EQ(salvaged.code, fine) << salvaged.err;
  EXPECT_NE(salvaged.out.find("The game goes on"), std::string::npos) << salvaged.out;
}

TEST_F(CommandTest, BuildAndDisasm) {
  const Ran ran = runWords({"build", duel, "-o", path("duel.hlm")});
  EXPECT_EQ(ran.code, fine) << ran.err;
  const Ran code = runWords({"disasm", path("duel.hlm"), "--body", "power"});
  EXPECT_EQ(code.code, fine) << code.err;
  EXPECT_NE(code.out.find("value power"), std::string::npos) << code.out;
  EXPECT_EQ(runWords({"disasm", duel, "--body", "power"}).out, code.out);
  write("bad.hlm", "this is no module");
  EXPECT_EQ(runWords({"disasm", path("bad.hlm")}).code, failed);
}

TEST_F(CommandTest, FmtLeavesFormattedFilesAlone) {
  const std::string game = changedGame("  language 1\n", "      language   1\n\n\n\n");
  EXPECT_EQ(runWords({"fmt", "--check", game}).code, failed);
  EXPECT_EQ(runWords({"fmt", game}).code, fine);
  EXPECT_EQ(runWords({"fmt", "--check", game}).code, fine);
  EXPECT_EQ(runWords({"check", game}).code, fine);
}

} // namespace
} // namespace hellwig::cli
