// SPDX-License-Identifier: Apache-2.0
// A game with its record: undo to the byte, replay to the same state, and what of it is refused.
#include "runtime/players.h"
#include "runtime/record.h"
#include "runtime/record_text.h"
#include "tests/runtime/gathering.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace hellwig {
namespace {

Session playedOut(const std::shared_ptr<const Program>& program, std::uint64_t seed) {
  Session session(program, seed);
  const auto player = randomPlayer(seed);
  while (session.machine().status() == Status::decision) {
    const bool done = session.answer(player->choose(session.machine()));
    EXPECT_TRUE(done);
    if (!done) break;
  }
  return session;
}

TEST(Session, WritesDownEveryAnswer) {
  Session session(gathering::load(gathering::module()), 5);
  ASSERT_TRUE(session.answer({3, {}}));
  ASSERT_TRUE(session.answer({-1, {0, 7}}));
  ASSERT_TRUE(session.answer({8, {}}));
  const std::vector<RecordEntry>& entries = session.record().entries;
  ASSERT_EQ(entries.size(), 3u);
  // Four columns of two rows, numbered column and row: the fourth hex in the order of numbers is 0202.
  EXPECT_EQ(entries[0].text, "0202");
  EXPECT_EQ(entries[0].owner, 0);
  EXPECT_EQ(entries[1].text, "0101 and 0402");
  EXPECT_EQ(entries[2].text, "Pass");
  EXPECT_EQ(entries[2].owner, 1);
  EXPECT_EQ(session.record().header.title, "Gathering");
  EXPECT_EQ(session.record().header.seed, 5u);
}

TEST(Session, RefusesWhatIsNotLegal) {
  Session session(gathering::load(gathering::module()), 5);
  const std::vector<std::uint64_t> before = session.machine().saveImage();
  std::string why;
  EXPECT_FALSE(session.answer({9, {}}, &why));
  EXPECT_FALSE(why.empty());
  EXPECT_FALSE(session.answer({-1, {1, 2}}));
  EXPECT_FALSE(session.concede(2));
  EXPECT_EQ(session.machine().saveImage(), before);
  EXPECT_TRUE(session.record().entries.empty());
  ASSERT_TRUE(session.answer({0, {}}));
  EXPECT_FALSE(session.answer({-1, {4}}, &why)); // an odd number
}

TEST(Session, UndoGoesBackByteForByte) {
  const auto program = gathering::load(gathering::module());
  Session session(program, 11);
  const auto player = randomPlayer(1);
  std::vector<std::vector<std::uint64_t>> images;
  while (session.machine().status() == Status::decision) {
    images.push_back(session.machine().saveImage());
    ASSERT_TRUE(session.answer(player->choose(session.machine())));
  }
  ASSERT_EQ(images.size(), 2u * gathering::rounds);
  // To the start and forward again, twice, so that thinned-out states are made anew.
  const Record whole = session.record();
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t n = images.size(); n-- > 0;) {
      ASSERT_TRUE(session.undo());
      ASSERT_EQ(session.machine().saveImage(), images[n]) << n;
      ASSERT_EQ(session.record().entries.size(), n);
    }
    EXPECT_FALSE(session.undo());
    for (const RecordEntry& entry : whole.entries) ASSERT_TRUE(session.answer(entry.answer));
  }
}

TEST(Session, AnyEarlierStateCanBeLookedAt) {
  const auto program = gathering::load(gathering::module());
  Session session(program, 12);
  const auto player = randomPlayer(2);
  std::vector<std::uint64_t> hashes = {session.machine().hash()};
  while (session.machine().status() == Status::decision) {
    ASSERT_TRUE(session.answer(player->choose(session.machine())));
    hashes.push_back(session.machine().hash());
  }
  for (std::size_t n = 0; n < hashes.size(); ++n) EXPECT_EQ(session.at(n).hash(), hashes[n]) << n;
  EXPECT_EQ(session.at(1000).hash(), hashes.back());
}

// A round is a hex, a set of hexes, a die.
TEST(Session, WhoMayTakeBackAlone) {
  Session session(gathering::load(gathering::module()), 5);
  std::string why;
  EXPECT_FALSE(session.canUndoAlone(&why));
  ASSERT_TRUE(session.answer({3, {}}));
  EXPECT_TRUE(session.canUndoAlone());
  ASSERT_TRUE(session.answer({-1, {}}));
  EXPECT_FALSE(session.canUndoAlone(&why));
  EXPECT_EQ(why, "a die has been rolled since");
  ASSERT_TRUE(session.undo()); // both agreed
  EXPECT_TRUE(session.canUndoAlone());
  ASSERT_TRUE(session.concede(0));
  EXPECT_EQ(session.machine().result().winner, 1);
  EXPECT_FALSE(session.canUndoAlone());
}

TEST(Session, ReplayReachesTheSameState) {
  const auto program = gathering::load(gathering::module());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Session session = playedOut(program, seed);
    const auto read = readRecord(writeRecord(session.record()));
    ASSERT_TRUE(std::holds_alternative<Record>(read));
    const auto replayed = Session::replay(program, std::get<Record>(read));
    ASSERT_TRUE(std::holds_alternative<Session>(replayed)) << std::get<RecordError>(replayed).message;
    EXPECT_EQ(std::get<Session>(replayed).machine().hash(), session.machine().hash());
    EXPECT_EQ(std::get<Session>(replayed).machine().saveImage(), session.machine().saveImage());
  }
}

TEST(Session, ReplayRefusesWhatDoesNotFit) {
  const auto program = gathering::load(gathering::module());
  const Record good = playedOut(program, 3).record();
  const auto refused = [&](const Record& record) {
    const auto replayed = Session::replay(program, record);
    const RecordError* error = std::get_if<RecordError>(&replayed);
    return error != nullptr ? *error : RecordError{};
  };
  const auto changed = [&](const auto& change) {
    Record record = good;
    change(record);
    return refused(record);
  };
  EXPECT_EQ(refused(good).message, "");
  EXPECT_EQ(changed([](Record& r) { r.header.title = "Mockery"; }).message,
            "this is a record of the game \"Mockery\", not of \"Gathering\"");
  EXPECT_EQ(changed([](Record& r) { r.header.packageHash = "ff"; }).line, record_text::package);
  EXPECT_EQ(changed([](Record& r) { r.header.scenario = "x"; }).line, record_text::scenario);
  EXPECT_EQ(changed([](Record& r) { r.header.options = {"Snow"}; }).message,
            "this record was made with options: \"Snow\"; the game is loaded with: none");
  EXPECT_EQ(changed([](Record& r) { r.header.mods = {"M"}; }).line, record_text::mods);

  const std::uint32_t third = record_text::firstEntryLine + 2;
  const RecordError owner = changed([](Record& r) { r.entries[2].owner = 0; });
  EXPECT_EQ(owner.line, third);
  EXPECT_EQ(owner.message, "the decision belongs to the Blues, the record has one of the Reds");
  EXPECT_EQ(owner.lastGoodEntry, 2u);
  EXPECT_EQ(changed([](Record& r) { r.entries[2].text = "0909"; }).line, third);
  EXPECT_EQ(changed([](Record& r) { r.entries[2].answer.option = 100; }).line, third);
  EXPECT_EQ(changed([](Record& r) { r.entries.insert(r.entries.begin() + 2, r.entries[1]); }).line, third);
  EXPECT_EQ(changed([](Record& r) { r.entries.push_back(r.entries[0]); }).message,
            "the game was over before this decision");
}

TEST(Session, SavesAtEveryAnswer) {
  const auto program = gathering::load(gathering::module());
  const std::string path = (std::filesystem::temp_directory_path() / "hellwig_session_test.hlr").string();
  Session session(program, 5);
  session.autosave(path);
  const auto saved = [&] { return std::get<Record>(loadRecordFile(path)).entries.size(); };
  EXPECT_EQ(saved(), 0u);
  ASSERT_TRUE(session.answer({3, {}}));
  EXPECT_EQ(saved(), 1u);
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(saved(), 0u);
  session.autosave("/nowhere/at/all.hlr");
  EXPECT_FALSE(session.lastSaveError().empty());
  ASSERT_TRUE(session.answer({3, {}})); // the game goes on
  std::filesystem::remove(path);
}

TEST(Session, TheListenerHearsTheGameFromItsStart) {
  std::vector<std::string> heard;
  Session session(gathering::load(gathering::module()), 5,
                  {[&](const Machine&, const LogEvent& event) { heard.push_back(event.text); }, {}});
  ASSERT_TRUE(session.answer({3, {}}));
  ASSERT_TRUE(session.answer({-1, {}}));
  ASSERT_EQ(heard.size(), 3u);
  EXPECT_EQ(heard[0], "Which hex?: 0202");
  EXPECT_TRUE(heard[2].starts_with("Luck: "));
  // A session that has moved elsewhere is silent.
  Session moved(std::move(session));
  ASSERT_TRUE(moved.answer({3, {}}));
  EXPECT_EQ(heard.size(), 3u);
}

} // namespace
} // namespace hellwig
