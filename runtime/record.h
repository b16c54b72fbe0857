// SPDX-License-Identifier: Apache-2.0
// The record of a game (.hlr): a header that names program and seed, then a line a decision; the state is
// what replaying it gives. Saves, undo, replays and play by mail are this one file.
#pragma once

#include "runtime/machine.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace hellwig {

struct RecordHeader {
  std::uint32_t formatVersion = 1;
  std::string title, packageHash, scenario;
  std::vector<std::string> options, mods;
  std::uint64_t seed = 0;
};
struct RecordEntry {
  std::uint16_t owner = 0; ///< side
  Answer answer;
  std::string text; ///< the option as its owner saw it
  bool concession = false;
};
struct Record {
  RecordHeader header;
  std::vector<RecordEntry> entries;
};

/// What a record file says is wrong, with its line (1-based).
struct RecordError {
  std::uint32_t line = 0;
  std::string message;
  std::uint32_t lastGoodEntry = 0; ///< entries that are whole
};

/// Text of a record: UTF-8 lines, each with a checksum that chains to the line before.
std::string writeRecord(const Record& record);
/// Reads a record. With `salvage`, a damaged tail is cut off at the last good line instead of refused.
std::variant<Record, RecordError> readRecord(const std::string& text, bool salvage = false);
/// Writes atomically: a new file beside the old one, flushed, then renamed over it. Empty text if it went
/// well, else the reason.
std::string saveRecordFile(const std::string& path, const Record& record);
std::variant<Record, RecordError> loadRecordFile(const std::string& path, bool salvage = false);

/// Hears the log from the first event on, with the machine as it is at that moment. A session that is copied
/// or moved leaves it behind.
struct SessionListener {
  std::function<void(const Machine&, const LogEvent&)> hear;
  TextView view;
};

/// A game with its record: answers, undo, replay.
class Session {
public:
  Session(std::shared_ptr<const Program> program, std::uint64_t seed, const SessionListener& listener = {});
  /// Replays a record to its end. A record of another package, scenario, options or an answer or text that
  /// does not fit is an error.
  static std::variant<Session, RecordError>
  replay(std::shared_ptr<const Program> program, const Record& record, const SessionListener& listener = {});

  Session(const Session&) = default;
  Session& operator=(const Session&) = default;
  Session(Session&& other) noexcept;
  Session& operator=(Session&& other) noexcept;
  void listen(const SessionListener& listener);

  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  const Record& record() const { return record_; }
  /// Answers the pending decision and runs to the next; the reason in *why if it is not legal.
  bool answer(const Answer& answer, std::string* why = nullptr);
  bool concede(std::uint16_t side);
  /// Can the last answer be taken back by its owner alone: no die, no reveal, no answer of another side
  /// since?
  bool canUndoAlone(std::string* why = nullptr) const;
  /// Takes back the last answer (the caller has asked both sides if canUndoAlone is false). The image is then
  /// as it was, byte for byte.
  bool undo();
  /// State as it was before entry n (for a time line).
  Machine at(std::size_t n) const;
  /// If set, the record is saved here at every answer; lastSaveError is empty if that went well.
  void autosave(std::string path);
  const std::string& lastSaveError() const { return saveError_; }

private:
  Session() = delete;
  /// Keeps the state of `machine` as that before the entry.
  void remember(std::size_t entry, const Machine& machine);
  void save();
  Machine machine_;
  Record record_;
  struct Mark {
    std::size_t entry;
    std::vector<std::uint64_t> image;
    std::uint64_t rolls, reveals;
  };
  std::vector<Mark> marks_; ///< the state before each entry kept (a ring of the latest, and every 64th)
  std::string path_, saveError_;
};

} // namespace hellwig
