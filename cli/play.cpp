// SPDX-License-Identifier: Apache-2.0
// hellwig play: a game at the terminal, between a person and the computer or between two computer players.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/map_view.h"
#include "cli/package_access.h"
#include "cli/person.h"
#include "cli/player_names.h"
#include "cli/story.h"
#include "runtime/players.h"
#include "runtime/record.h"

#include <iostream>
#include <random>

namespace hellwig::cli {
namespace {

/// Two seeds for each game: the dice have one, the computer players another.
std::uint64_t playerSeed(std::uint64_t seed, std::uint64_t side) {
  std::uint64_t state = seed ^ (0x9E3779B97F4A7C15u * (side + 1));
  return splitmix64(state);
}

std::int32_t sideNamed(const Module& module, const std::string& word) {
  std::vector<std::string> names;
  for (std::size_t side = 0; side < module.sides.size(); ++side) {
    if (module.sides[side].name == word || module.sides[side].display == word)
      return static_cast<std::int32_t>(side);
    names.push_back(module.sides[side].name);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw UsageError{"the game has no side '" + word + "'; its sides are " + list + meant(word, names)};
}

std::int32_t askSide(const Module& module) {
  for (;;) {
    std::cout << "Which side do you play?";
    for (std::size_t side = 0; side < module.sides.size(); ++side)
      std::cout << "  " << side + 1 << " " << module.sides[side].display;
    std::cout << "\n> " << std::flush;
    std::string line;
    if (!std::getline(std::cin, line)) return -1;
    for (std::size_t side = 0; side < module.sides.size(); ++side)
      if (line == std::to_string(side + 1) || line == module.sides[side].name ||
          line == module.sides[side].display)
        return static_cast<std::int32_t>(side);
  }
}

/// Plays on to the end, or until the person quits.
int playOn(Session& session, std::int32_t side, const std::vector<std::string>& names, Storyteller& story) {
  Machine& machine = session.machine();
  const Module& module = machine.program().module();
  const std::uint64_t seed = session.record().header.seed;
  const bool colour = outputHasColour(), terminal = inputIsTerminal() && outputIsTerminal();
  std::vector<std::unique_ptr<Player>> players;
  for (std::size_t s = 0; s < module.sides.size(); ++s)
    players.push_back(makePlayer(names[s], playerSeed(seed, s)));
  Person person(std::cin, std::cout, static_cast<std::uint16_t>(std::max(side, 0)), colour,
                !inputIsTerminal());

  session.listen(story.listener(side));
  Word shownTurn = -1;
  std::string saveError;
  while (machine.status() == Status::decision) {
    if (session.lastSaveError() != saveError) {
      saveError = session.lastSaveError();
      if (!saveError.empty()) std::cerr << "hellwig play: the record was not saved: " << saveError << "\n";
    }
    const std::uint16_t owner = machine.pending().owner;
    if (side < 0 || owner != static_cast<std::uint16_t>(side)) {
      std::string why;
      if (!session.answer(players[owner]->choose(machine), &why)) {
        std::cerr << "hellwig play: the computer player found no answer: " << why << "\n";
        return failed;
      }
      continue;
    }
    // A person at a terminal sees the map at the start of each of his turns; a script asks for it.
    if (terminal && machine.global(globalTurn) != shownTurn)
      std::cout << "\n" << drawMap(machine, {colour, side});
    shownTurn = machine.global(globalTurn);
    if (person.decide(session) == Person::Did::quit) {
      std::cout << "The game is not finished.\n";
      return fine;
    }
  }
  story.tellChanges(machine);
  std::cout << "\n" << drawMap(machine, {colour, -1});
  story.tellEnd(machine);
  if (!session.lastSaveError().empty()) return failed;
  return machine.status() == Status::faulted ? failed : fine;
}

void tellRefused(const std::string& path, const RecordError& error) {
  std::cerr << path << ": " << (error.line != 0 ? "line " + std::to_string(error.line) + ": " : "")
            << error.message << "\n";
}

std::uint64_t chosenSeed(const Arguments& arguments) {
  if (arguments.has("--seed")) return arguments.number("--seed", 0, 0, ~std::uint64_t{0});
  return std::random_device{}() % 1'000'000;
}

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const std::vector<std::string> names = playerNames(arguments.text("--players", "greedy"));
  if (arguments.has("--auto") && arguments.has("--side"))
    throw UsageError{"--auto lets the computer play both sides; it cannot be used with --side"};

  std::optional<Record> old;
  const std::string from = arguments.text("--continue");
  if (!from.empty()) {
    for (const char* fixed : {"--seed", "--scenario", "--option", "--no-option"})
      if (arguments.has(fixed))
        throw UsageError{std::string(fixed) + " cannot be used with --continue: the record has it already"};
    std::variant<Record, RecordError> read = loadRecordFile(from);
    if (const RecordError* error = std::get_if<RecordError>(&read)) {
      tellRefused(from, *error);
      return failed;
    }
    old = std::get<Record>(std::move(read));
  }
  RecordError problem;
  const std::shared_ptr<const Program> program =
      old ? loadProgramFor(folder, old->header, problem) : loadProgram(folder, arguments);
  if (program == nullptr) {
    if (!problem.message.empty()) tellRefused(from, problem);
    return failed;
  }

  const Module& module = program->module();
  std::int32_t side = -1;
  if (arguments.has("--side"))
    side = sideNamed(module, arguments.text("--side"));
  else if (!arguments.has("--auto") && inputIsTerminal() && outputIsTerminal()) {
    side = askSide(module);
    if (side < 0) return fine;
  }
  const std::uint64_t seed = old ? old->header.seed : chosenSeed(arguments);
  std::cout << gameHeading(module, seed) << "\n";
  Storyteller story(std::cout, module, outputHasColour());
  const SessionListener listener = story.listener(side);

  const auto play = [&](Session& session) {
    const std::string path = arguments.text("--record", from);
    if (!path.empty()) session.autosave(path);
    if (!session.lastSaveError().empty()) {
      std::cerr << "hellwig play: " << session.lastSaveError() << "\n";
      return static_cast<int>(failed);
    }
    return playOn(session, side, names, story);
  };
  if (!old) {
    Session session(program, seed, listener);
    return play(session);
  }
  std::variant<Session, RecordError> replayed = Session::replay(program, *old, listener);
  if (const RecordError* error = std::get_if<RecordError>(&replayed)) {
    tellRefused(from, *error);
    return failed;
  }
  return play(std::get<Session>(replayed));
}

} // namespace

Command playCommand() {
  std::vector<OptionSpec> options = {
      {"--auto", "", "two computer players play to the end"},
      {"--side", "SIDE", "the side that you play; default: you are asked at a terminal"},
      {"--players", "P[,P]", "random or greedy, for both sides or one for each; default greedy"},
      {"--seed", "N", "of the dice; default: by chance"},
      {"--record", "FILE.hlr", "write the record at every decision"},
      {"--continue", "FILE.hlr", "go on with a recorded game; its record grows"}};
  for (OptionSpec& option : selectionOptions()) options.push_back(std::move(option));
  return {"play",
          "GAME",
          "play a game",
          "Without a terminal and without --side two computer players play. With --side the answers are read "
          "from\n"
          "standard input, one a line; 'help' tells the commands.",
          options,
          run};
}

} // namespace hellwig::cli
