// SPDX-License-Identifier: Apache-2.0
// A game with its record: every answer is written down, any can be taken back.
#include "runtime/record.h"

#include "runtime/record_text.h"

#include <algorithm>

namespace hellwig {
namespace {

// Undo of the latest answers restores an image at once; before that it replays at most `sparse` answers.
constexpr std::size_t recent = 32;
constexpr std::size_t sparse = 64;

void runOn(Machine& machine) {
  while (machine.status() == Status::ready) machine.step();
}

bool apply(Machine& machine, const RecordEntry& entry) {
  const bool done = entry.concession ? machine.concede(entry.owner) : machine.answer(entry.answer);
  runOn(machine);
  return done;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + record_text::quote(name);
  return out.empty() ? "none" : out;
}

RecordHeader headerOf(const Module& module, std::uint64_t seed) {
  RecordHeader header;
  header.title = module.title;
  header.packageHash = module.packageHash;
  header.scenario = module.scenario;
  header.options = module.options;
  header.mods = module.mods;
  header.seed = seed;
  return header;
}

/// The line of the header that does not fit the program, with the reason; line 0 if all fit.
RecordError compareHeader(const RecordHeader& record, const RecordHeader& program) {
  using namespace record_text;
  if (record.title != program.title)
    return {game, "this is a record of the game " + quote(record.title) + ", not of " + quote(program.title),
            0};
  if (record.mods != program.mods)
    return {mods,
            "this record was made with mods: " + listed(record.mods) +
                "; the game is loaded with: " + listed(program.mods),
            0};
  if (record.packageHash != program.packageHash)
    return {package,
            "this record was made with another state of the game's files: package " + record.packageHash +
                ", here " + program.packageHash,
            0};
  if (record.scenario != program.scenario)
    return {scenario,
            "this is a record of the scenario " + quote(record.scenario) + ", not of " +
                quote(program.scenario),
            0};
  if (record.options != program.options)
    return {options,
            "this record was made with options: " + listed(record.options) +
                "; the game is loaded with: " + listed(program.options),
            0};
  return {};
}

std::string sideName(const Module& module, std::uint16_t side) {
  return side < module.sides.size() ? module.sides[side].display : "side " + std::to_string(side);
}

} // namespace

Session::Session(std::shared_ptr<const Program> program, std::uint64_t seed, const SessionListener& listener)
    : machine_(program) {
  listen(listener);
  record_.header = headerOf(program->module(), seed);
  machine_.start(seed);
  runOn(machine_);
}

Session::Session(Session&& other) noexcept
    : machine_(std::move(other.machine_)), record_(std::move(other.record_)), marks_(std::move(other.marks_)),
      path_(std::move(other.path_)), saveError_(std::move(other.saveError_)) {
  machine_.listen({});
}

Session& Session::operator=(Session&& other) noexcept {
  machine_ = std::move(other.machine_);
  record_ = std::move(other.record_);
  marks_ = std::move(other.marks_);
  path_ = std::move(other.path_);
  saveError_ = std::move(other.saveError_);
  machine_.listen({});
  return *this;
}

void Session::listen(const SessionListener& listener) {
  if (!listener.hear)
    machine_.listen({});
  else
    machine_.listen([this, hear = listener.hear](const LogEvent& event) { hear(machine_, event); },
                    listener.view);
}

std::variant<Session, RecordError> Session::replay(std::shared_ptr<const Program> program,
                                                   const Record& record, const SessionListener& listener) {
  const Module& module = program->module();
  if (RecordError error = compareHeader(record.header, headerOf(module, record.header.seed)); error.line != 0)
    return error;
  Session session(program, record.header.seed, listener);
  for (std::size_t i = 0; i < record.entries.size(); ++i) {
    const RecordEntry& entry = record.entries[i];
    const auto fail = [&](std::string message) {
      return RecordError{static_cast<std::uint32_t>(record_text::firstEntryLine + i), std::move(message),
                         static_cast<std::uint32_t>(i)};
    };
    Machine& machine = session.machine_;
    if (machine.status() == Status::faulted)
      return fail("the game stopped before this decision: " + machine.fault().message);
    if (machine.status() != Status::decision) return fail("the game was over before this decision");
    if (entry.concession) {
      if (!session.concede(entry.owner)) return fail("there is no such side that could concede");
      continue;
    }
    const std::uint16_t owner = machine.pending().owner;
    if (entry.owner != owner)
      return fail("the decision belongs to the " + sideName(module, owner) + ", the record has one of the " +
                  sideName(module, entry.owner));
    std::string why;
    if (!machine.isLegal(entry.answer, &why))
      return fail("the answer " + record_text::quote(entry.text) + " is not possible here" +
                  (why.empty() ? "" : ": " + why));
    const std::string text = machine.optionText(entry.answer, {owner});
    if (text != entry.text)
      return fail("the option is called " + record_text::quote(text) + ", the record has " +
                  record_text::quote(entry.text));
    if (!session.answer(entry.answer, &why)) return fail("the answer was refused: " + why);
  }
  return session;
}

void Session::remember(std::size_t entry, const Machine& machine) {
  std::erase_if(marks_, [&](const Mark& mark) {
    return mark.entry >= entry || (mark.entry + recent < entry && mark.entry % sparse != 0);
  });
  marks_.push_back({entry, machine.saveImage(), machine.rollCount(), machine.revealCount()});
}

void Session::save() {
  if (!path_.empty()) saveError_ = saveRecordFile(path_, record_);
}

bool Session::answer(const Answer& answer, std::string* why) {
  if (machine_.status() != Status::decision) {
    if (why != nullptr) *why = "no decision is pending";
    return false;
  }
  if (!machine_.isLegal(answer, why)) return false;
  const std::uint16_t owner = machine_.pending().owner;
  RecordEntry entry{owner, answer, machine_.optionText(answer, {owner}), false};
  remember(record_.entries.size(), machine_);
  if (!machine_.answer(answer)) {
    marks_.pop_back();
    return false;
  }
  record_.entries.push_back(std::move(entry));
  runOn(machine_);
  save();
  return true;
}

bool Session::concede(std::uint16_t side) {
  if (machine_.status() != Status::decision || side >= machine_.program().module().sides.size()) return false;
  remember(record_.entries.size(), machine_);
  if (!machine_.concede(side)) {
    marks_.pop_back();
    return false;
  }
  record_.entries.push_back({side, {}, "concedes", true});
  runOn(machine_);
  save();
  return true;
}

bool Session::canUndoAlone(std::string* why) const {
  const auto refuse = [&](const char* reason) {
    if (why != nullptr) *why = reason;
    return false;
  };
  if (record_.entries.empty()) return refuse("nothing has been decided yet");
  if (record_.entries.back().concession) return refuse("the game was conceded");
  // The last entry always has a mark: remember() makes it and undo() restores it.
  const Mark& mark = marks_.back();
  if (machine_.rollCount() != mark.rolls) return refuse("a die has been rolled since");
  if (machine_.revealCount() != mark.reveals) return refuse("something hidden has been shown since");
  return true;
}

bool Session::undo() {
  if (record_.entries.empty()) return false;
  const std::size_t n = record_.entries.size() - 1;
  if (!machine_.restoreImage(marks_.back().image)) return false;
  marks_.pop_back();
  record_.entries.pop_back();
  // The answer before may have lost its mark to the thinning; make it anew by replaying up to it.
  if (n > 0 && (marks_.empty() || marks_.back().entry != n - 1)) {
    Machine again = machine_;
    std::size_t i = marks_.back().entry; // that of entry 0 is always kept
    again.restoreImage(marks_.back().image);
    for (; i < n; ++i) {
      remember(i, again);
      apply(again, record_.entries[i]);
    }
  }
  save();
  return true;
}

Machine Session::at(std::size_t n) const {
  n = std::min(n, record_.entries.size());
  Machine machine = machine_;
  if (n == record_.entries.size()) return machine;
  const Mark* from = &marks_.front();
  for (const Mark& mark : marks_)
    if (mark.entry <= n) from = &mark;
  machine.restoreImage(from->image);
  for (std::size_t i = from->entry; i < n; ++i) apply(machine, record_.entries[i]);
  return machine;
}

void Session::autosave(std::string path) {
  path_ = std::move(path);
  save();
}

} // namespace hellwig
