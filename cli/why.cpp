// SPDX-License-Identifier: Apache-2.0
// hellwig why: the questions of a game under way, asked of a recorded one.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"
#include "cli/questions.h"
#include "runtime/record.h"

#include <iostream>

namespace hellwig::cli {
namespace {

int refuse(const std::string& path, const RecordError& error) {
  std::cerr << path << ": " << (error.line != 0 ? "line " + std::to_string(error.line) + ": " : "")
            << error.message << "\n";
  return failed;
}

/// The side that asks, -1 without --side: then nothing is hidden.
std::int32_t viewerOf(const Module& module, const Arguments& arguments) {
  if (!arguments.has("--side")) return -1;
  const std::string word = arguments.text("--side");
  std::vector<std::string> names;
  for (std::size_t side = 0; side < module.sides.size(); ++side) {
    if (module.sides[side].name == word || module.sides[side].display == word)
      return static_cast<std::int32_t>(side);
    names.push_back(module.sides[side].name);
  }
  throw UsageError{"the game has no side '" + word + "'" + meant(word, names)};
}

int run(const Arguments& arguments) {
  if (arguments.rest().empty()) throw UsageError{"which FILE.hlr?"};
  if (arguments.rest().size() < 2)
    throw UsageError{"what is the question? Name a counter, a hex, or a value with its arguments"};
  const std::string& path = arguments.rest().front();
  std::string question;
  for (std::size_t i = 1; i < arguments.rest().size(); ++i)
    question += (question.empty() ? "" : " ") + arguments.rest()[i];

  std::variant<Record, RecordError> read = loadRecordFile(path);
  if (const RecordError* error = std::get_if<RecordError>(&read)) return refuse(path, *error);
  Record record = std::get<Record>(std::move(read));
  if (arguments.has("--at")) {
    // Decision n is asked when those before it are answered; behind the last stands the one now pending.
    const std::uint64_t at = arguments.number("--at", 1, 1, record.entries.size() + 1);
    record.entries.resize(at - 1);
  }
  const std::string folder =
      arguments.has("--game") ? arguments.text("--game") : gameFolderOf(record.header.title);
  RecordError problem;
  const std::shared_ptr<const Program> program = loadProgramFor(folder, record.header, problem);
  if (program == nullptr) return refuse(path, problem);
  const std::int32_t viewer = viewerOf(program->module(), arguments);
  std::variant<Session, RecordError> replayed = Session::replay(program, record);
  if (const RecordError* error = std::get_if<RecordError>(&replayed)) return refuse(path, *error);
  const Reply reply = answerQuestion(std::get<Session>(replayed).machine(), question, viewer);
  if (!reply.understood) throw UsageError{reply.text};
  std::cout << reply.text << "\n";
  return fine;
}

} // namespace

Command whyCommand() {
  return {"why",
          "FILE.hlr QUESTION ..",
          "why something is refused, or how a figure comes about, in a recorded game",
          "The questions are those of 'why' and 'explain' in play:\n"
          "  0508                     why this hex is not among the options\n"
          "  Infantry 2               why this counter is not\n"
          "  Infantry 2 0508          why it cannot go there\n"
          "  defense Infantry 2       how a value, permission, route or zone comes about\n"
          "Without --game the folder 'games' is searched for the game that the record names.",
          {{"--at", "N", "when decision N was to be taken; default: at the end of the record"},
           {"--game", "GAME", "the game's folder"},
           {"--side", "SIDE", "as this side may know it; default: everything is known"}},
          run};
}

} // namespace hellwig::cli
