// SPDX-License-Identifier: Apache-2.0
// hellwig replay: plays a record again, verifies it, and tells the game.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/map_view.h"
#include "cli/package_access.h"
#include "cli/story.h"
#include "runtime/record.h"
#include "runtime/record_text.h"

#include <filesystem>
#include <iostream>

namespace hellwig::cli {
namespace {

int refuse(const std::string& path, const RecordError& error, bool json) {
  if (json)
    printJson(llvm::json::Object{{"file", jsonText(path)},
                                 {"ok", false},
                                 {"line", static_cast<std::int64_t>(error.line)},
                                 {"reason", jsonText(error.message)},
                                 {"good_decisions", static_cast<std::int64_t>(error.lastGoodEntry)}});
  std::cerr << path << ": " << (error.line != 0 ? "line " + std::to_string(error.line) + ": " : "")
            << error.message << "\n";
  return failed;
}

void printJsonResult(const std::string& path, Session& session, bool salvaged) {
  const Machine& machine = session.machine();
  const Module& module = machine.program().module();
  llvm::json::Array decisions;
  for (const RecordEntry& entry : session.record().entries)
    decisions.push_back(
        llvm::json::Object{{"side", module.sides[entry.owner].name}, {"text", jsonText(entry.text)}});
  llvm::json::Object out;
  out["file"] = jsonText(path);
  out["ok"] = machine.status() != Status::faulted;
  out["salvaged"] = salvaged;
  out["game"] = jsonText(module.title);
  out["scenario"] = jsonText(module.scenario);
  out["seed"] = session.record().header.seed;
  out["decisions"] = std::move(decisions);
  out["over"] = machine.result().over;
  if (machine.result().over) {
    const std::int32_t winner = machine.result().winner;
    out["winner"] = winner < 0 ? llvm::json::Value(nullptr)
                               : llvm::json::Value(module.sides[static_cast<std::size_t>(winner)].name);
    out["text"] = jsonText(machine.result().text);
  }
  out["turn"] = machine.global(globalTurn);
  out["hash"] = record_text::hex64(machine.hash());
  printJson(std::move(out));
}

int run(const Arguments& arguments) {
  if (arguments.rest().empty()) throw UsageError{"which FILE.hlr?"};
  if (arguments.rest().size() > 2)
    throw UsageError{"one FILE.hlr and one GAME are enough: '" + arguments.rest()[2] + "' is too much"};
  // Either order is understood: the record is the file.
  std::string path = arguments.rest()[0], folder = arguments.rest().size() > 1 ? arguments.rest()[1] : "";
  std::error_code ignored;
  if (!folder.empty() && std::filesystem::is_directory(path, ignored)) std::swap(path, folder);
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  const bool salvage = arguments.has("--salvage");

  std::variant<Record, RecordError> read = loadRecordFile(path);
  bool salvaged = false;
  if (const RecordError* error = std::get_if<RecordError>(&read)) {
    const RecordError problem = *error;
    if (salvage && problem.line != 0) read = loadRecordFile(path, true);
    if (!salvage || std::holds_alternative<RecordError>(read)) return refuse(path, problem, json);
    std::cerr << path << ": line " << problem.line << ": " << problem.message << "\n"
              << path << ": opened up to decision " << std::get<Record>(read).entries.size() << "\n";
    salvaged = true;
  }
  Record record = std::get<Record>(std::move(read));
  if (folder.empty()) folder = gameFolderOf(record.header.title);
  RecordError problem;
  const std::shared_ptr<const Program> program = loadProgramFor(folder, record.header, problem);
  if (program == nullptr) return refuse(path, problem, json);

  const Module& module = program->module();
  const bool tell = !json && !arguments.has("--quiet");
  Storyteller story(std::cout, module, outputHasColour());
  if (tell) std::cout << gameHeading(module, record.header.seed) << "\n";
  const SessionListener listener = tell ? story.listener(-1) : SessionListener{};
  std::variant<Session, RecordError> replayed = Session::replay(program, record, listener);
  if (const RecordError* error = std::get_if<RecordError>(&replayed)) {
    const RecordError wrong = *error;
    const bool foreign = wrong.line < record_text::firstEntryLine;
    if (!salvage || foreign) return refuse(path, wrong, json);
    std::cerr << path << ": line " << wrong.line << ": " << wrong.message << "\n"
              << path << ": opened up to decision " << wrong.lastGoodEntry << "\n";
    record.entries.resize(wrong.lastGoodEntry);
    salvaged = true;
    replayed = Session::replay(program, record);
    if (const RecordError* again = std::get_if<RecordError>(&replayed)) return refuse(path, *again, json);
  }
  Session& session = std::get<Session>(replayed);
  Machine& machine = session.machine();
  if (const std::string out = arguments.text("-o"); !out.empty()) {
    if (const std::string wrong = saveRecordFile(out, session.record()); !wrong.empty()) {
      std::cerr << "hellwig replay: " << wrong << "\n";
      return failed;
    }
  }
  const int code = machine.status() == Status::faulted ? failed : fine;
  if (json) {
    printJsonResult(path, session, salvaged);
    return code;
  }
  if (tell) story.tellChanges(machine);
  std::cout << (tell ? "\n" : "") << drawMap(machine, {outputHasColour(), -1});
  if (machine.status() == Status::decision)
    std::cout << "\nThe game goes on: turn " << machine.global(globalTurn) << ", "
              << module.sides[machine.pending().owner].display << ": " << machine.promptText() << "\n";
  story.tellEnd(machine);
  std::cout << counted(session.record().entries.size(), "decision", "decisions") << ", state "
            << record_text::hex64(machine.hash()) << "\n";
  return code;
}

} // namespace

Command replayCommand() {
  return {"replay",
          "FILE.hlr [GAME]",
          "replay a recorded game, verify it and tell it",
          "Without GAME the folder 'games' is searched for the game that the record names. A record that is "
          "damaged,\n"
          "or of another game, is refused with its line and the reason.",
          {{"--salvage", "", "open a damaged record up to its last good line"},
           {"-o", "FILE.hlr", "write what was replayed as a new record"},
           {"--quiet", "", "do not tell the game, only its end"},
           {"--format", "text|json", "how to print"}},
          run};
}

} // namespace hellwig::cli
