// SPDX-License-Identifier: Apache-2.0
// The record file: what is written is read back, and whatever was changed, cut off or invented is refused
// with its line.
#include "runtime/record.h"
#include "runtime/record_text.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/file.h>
#include <unistd.h>

namespace hellwig {
namespace {

Record sample() {
  Record record;
  record.header.title = "The \"small\" war";
  record.header.packageHash = "0123456789abcdef";
  record.header.scenario = "First day";
  record.header.options = {"Snow storm", "Road, column"};
  record.header.seed = 18446744073709551615u;
  const auto add = [&record](std::uint16_t owner, Answer answer, const char* text, bool concession = false) {
    record.entries.push_back({owner, std::move(answer), text, concession});
  };
  add(0, {3, {}}, "Infantry 1");
  add(0, {-1, {0, 4, 1023}}, "Infantry 1, Cavalry 2");
  add(1, {-1, {}}, "none");
  add(1, {0, {}}, "back\\slash \"quoted\"\nand Grüneisen");
  add(1, {}, "concedes", true);
  return record;
}

bool same(const Record& a, const Record& b) {
  const auto sameEntry = [](const RecordEntry& x, const RecordEntry& y) {
    return x.owner == y.owner && x.answer == y.answer && x.text == y.text && x.concession == y.concession;
  };
  return a.header.title == b.header.title && a.header.packageHash == b.header.packageHash &&
         a.header.scenario == b.header.scenario && a.header.options == b.header.options &&
         a.header.mods == b.header.mods && a.header.seed == b.header.seed &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), sameEntry);
}

/// Lines with checksums that fit, so that what they say is what is tested.
std::string signedText(const std::vector<std::string>& lines) {
  std::string out;
  std::uint64_t state = record_text::chainStart;
  for (const std::string& line : lines) {
    state = record_text::chain(record_text::chain(state, line), "\n");
    out += out.empty() ? line + "\n" : line + " #" + record_text::hex64(state) + "\n";
  }
  return out;
}

std::vector<std::string> headerLines() {
  return {"hellwig record 1", "game \"G\"", "package \"p\"", "scenario \"\"",
          "options",          "mods",       "seed 7",        "generator \"xoshiro256**\""};
}

std::string withEntries(const std::vector<std::string>& entries) {
  std::vector<std::string> lines = headerLines();
  lines.insert(lines.end(), entries.begin(), entries.end());
  return signedText(lines);
}

RecordError errorOf(const std::string& text) {
  const auto read = readRecord(text);
  const RecordError* error = std::get_if<RecordError>(&read);
  return error != nullptr ? *error : RecordError{};
}

TEST(RecordText, ReadsBackWhatItWrites) {
  const Record record = sample();
  const auto read = readRecord(writeRecord(record));
  ASSERT_TRUE(std::holds_alternative<Record>(read)) << std::get<RecordError>(read).message;
  EXPECT_TRUE(same(record, std::get<Record>(read)));
}

// The numbers of an allotment stand in round brackets, in the order of its elements.
TEST(RecordText, KeepsTheNumbersOfAnAllotment) {
  Record record = sample();
  record.entries.push_back({1, {-1, {}, {2, -3, 0}}, "2, -3, 0", false});
  const std::string text = writeRecord(record);
  EXPECT_NE(text.find("6 1 (2 -3 0) \"2, -3, 0\""), std::string::npos) << text;
  const auto read = readRecord(text);
  ASSERT_TRUE(std::holds_alternative<Record>(read)) << std::get<RecordError>(read).message;
  EXPECT_EQ(std::get<Record>(read).entries.back().answer.numbers, (std::vector<std::int32_t>{2, -3, 0}));
  EXPECT_EQ(errorOf(withEntries({"1 0 (2 x) \"\"", "end 1"})).line, 9u);
  EXPECT_EQ(errorOf(withEntries({"1 0 (2 99999999999) \"\"", "end 1"})).line, 9u);
  EXPECT_EQ(errorOf(withEntries({"1 0 (2 \"\"", "end 1"})).line, 9u);
}

TEST(RecordText, IsReadable) {
  const std::string text = writeRecord(sample());
  EXPECT_TRUE(text.starts_with("hellwig record 1\ngame \"The \\\"small\\\" war\" #"));
  EXPECT_NE(text.find("\n2 0 {0 4 1023} \"Infantry 1, Cavalry 2\" #"), std::string::npos);
  EXPECT_NE(text.find("\n5 1 concede \"concedes\" #"), std::string::npos);
  EXPECT_NE(text.find("\nend 5 #"), std::string::npos);
}

// FNV-1a with 64 bits: the published values for "" and "a".
TEST(RecordText, ChecksumIsFnv1a) {
  EXPECT_EQ(record_text::chain(record_text::chainStart, ""), 0xcbf29ce484222325u);
  EXPECT_EQ(record_text::chain(record_text::chainStart, "a"), 0xaf63dc4c8601ec8cu);
}

TEST(RecordText, AChangedByteIsRefusedWithItsLine) {
  const std::string text = writeRecord(sample());
  std::uint32_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int bit : {0, 1, 5}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const RecordError error = errorOf(changed);
      ASSERT_FALSE(error.message.empty()) << "byte " << i << " of line " << line;
      // Only a change of the first line, which has no checksum of its own, may show on the second.
      EXPECT_GE(error.line, line) << error.message;
      EXPECT_LE(error.line, line + 1) << error.message;
    }
    if (text[i] == '\n') ++line;
  }
}

TEST(RecordText, ACutRecordIsRefusedWhereverItWasCut) {
  const std::string text = writeRecord(sample());
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    const RecordError error = errorOf(cut);
    ASSERT_FALSE(error.message.empty()) << "cut at " << length;
    EXPECT_EQ(error.line, 1u + static_cast<std::uint32_t>(std::count(cut.begin(), cut.end(), '\n')));
  }
}

TEST(RecordText, SalvageKeepsTheGoodLines) {
  const Record record = sample();
  const std::string text = writeRecord(record);
  const std::string cut = text.substr(0, text.find("\n4 1 ") + 10);
  const auto read = readRecord(cut, true);
  ASSERT_TRUE(std::holds_alternative<Record>(read));
  EXPECT_EQ(std::get<Record>(read).entries.size(), 3u);
  EXPECT_EQ(errorOf(cut).lastGoodEntry, 3u);
  EXPECT_EQ(errorOf(cut).line, 12u); // eight lines of header, three entries
  // A damaged header leaves nothing to go by.
  EXPECT_TRUE(std::holds_alternative<RecordError>(readRecord(text.substr(0, 60), true)));
}

TEST(RecordText, SaysWhatIsWrongWithTheFirstLine) {
  EXPECT_EQ(errorOf("hellwig record 2\n").message,
            "this is a record of format 2; this program reads format 1");
  EXPECT_EQ(errorOf("").line, 1u);
  EXPECT_NE(errorOf("game \"x\" {\n}\n").message.find("not a record"), std::string::npos);
}

TEST(RecordText, LineEndsOfMailProgramsDoNoHarm) {
  std::string text;
  for (const char c : writeRecord(sample())) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const auto read = readRecord(text);
  ASSERT_TRUE(std::holds_alternative<Record>(read)) << std::get<RecordError>(read).message;
  EXPECT_TRUE(same(sample(), std::get<Record>(read)));
}

TEST(RecordText, InventedContentsAreRefused) {
  EXPECT_TRUE(std::holds_alternative<Record>(readRecord(withEntries({"1 0 3 \"x\"", "end 1"}))));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"2 0 3 \"x\"", "decision 1 should stand here"},
      {"1 70000 3 \"x\"", "number of the side"},
      {"1 0 3000000000 \"x\"", "number of the option"},
      {"1 0 -1 \"x\"", "number of the option"},
      {"1 0 {3 2} \"x\"", "ascending"},
      {"1 0 {70000} \"x\"", "out of range"},
      {"1 0 {3 \"x\"", "out of range"},
      {"1 0 3 \"x", "text of the option"},
      {"1 0 3 \"x\" y", "text of the option"},
      {"1 0 3", "text of the option"},
      {"end 1", "should say 'end 0'"},
  };
  for (const auto& [line, message] : cases) {
    const RecordError error = errorOf(withEntries({line, "end 1"}));
    EXPECT_EQ(error.line, 9u) << line;
    EXPECT_NE(error.message.find(message), std::string::npos) << line << ": " << error.message;
  }
  EXPECT_NE(errorOf(withEntries({"end 0", "1 0 3 \"x\""})).message.find("follows the end"),
            std::string::npos);
  std::vector<std::string> lines = headerLines();
  lines[6] = "seed 99999999999999999999";
  EXPECT_EQ(errorOf(signedText(lines)).line, 7u);
  lines = headerLines();
  lines[7] = "generator \"dice\"";
  EXPECT_EQ(errorOf(signedText(lines)).line, 8u);
}

class RecordFile : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("hellwig_record_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "_" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::size_t fileCount() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

TEST_F(RecordFile, IsReplacedAsAWhole) {
  const std::string path = (folder_ / "game.hlr").string();
  Record record = sample();
  ASSERT_EQ(saveRecordFile(path, record), "");
  record.entries.pop_back();
  ASSERT_EQ(saveRecordFile(path, record), "");
  EXPECT_EQ(fileCount(), 1u);
  const auto read = loadRecordFile(path);
  ASSERT_TRUE(std::holds_alternative<Record>(read));
  EXPECT_TRUE(same(record, std::get<Record>(read)));
}

TEST_F(RecordFile, WhatAKilledWriterLeftIsWrittenOver) {
  const std::string path = (folder_ / "game.hlr").string();
  std::ofstream(path + ".new") << std::string(100'000, 'x');
  ASSERT_EQ(saveRecordFile(path, sample()), "");
  EXPECT_EQ(fileCount(), 1u);
  EXPECT_TRUE(std::holds_alternative<Record>(loadRecordFile(path)));
}

TEST_F(RecordFile, IsNotWrittenByTwoAtOnce) {
  const std::string path = (folder_ / "game.hlr").string();
  const int other = ::open((path + ".new").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(other, 0);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  EXPECT_NE(saveRecordFile(path, sample()).find("by another program"), std::string::npos);
  ::close(other);
  EXPECT_EQ(saveRecordFile(path, sample()), "");
}

TEST_F(RecordFile, ALinkStaysALink) {
  const std::string path = (folder_ / "game.hlr").string(), link = (folder_ / "link.hlr").string();
  ASSERT_EQ(saveRecordFile(path, sample()), "");
  std::filesystem::create_symlink(path, link);
  ASSERT_EQ(saveRecordFile(link, sample()), "");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(RecordFile, TellsWhyItCannotBeWritten) {
  EXPECT_NE(saveRecordFile((folder_ / "nowhere" / "game.hlr").string(), sample()).find("No such file"),
            std::string::npos);
  EXPECT_NE(saveRecordFile(folder_.string(), sample()).find("not a file"), std::string::npos);
  EXPECT_EQ(fileCount(), 0u);
}

TEST_F(RecordFile, TellsWhyItCannotBeRead) {
  const auto read = loadRecordFile((folder_ / "none.hlr").string());
  ASSERT_TRUE(std::holds_alternative<RecordError>(read));
  EXPECT_EQ(std::get<RecordError>(read).line, 0u);
  EXPECT_NE(std::get<RecordError>(read).message.find("No such file"), std::string::npos);
}

} // namespace
} // namespace hellwig
