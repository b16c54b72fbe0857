// SPDX-License-Identifier: Apache-2.0
// The table of subcommands, their help, and which one a command line asks for.
#include "cli/command.h"
#include "cli/console.h"
#include "runtime/module.h"

#include <algorithm>
#include <exception>
#include <iostream>

namespace hellwig::cli {
namespace {

std::vector<Command> allCommands() {
  return {checkCommand(),   playCommand(),  testCommand(),    simulateCommand(),
          replayCommand(),  buildCommand(), disasmCommand(),  fmtCommand(),
          explainCommand(), whyCommand(),   coverageCommand()};
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 2, width), ' ');
  return text;
}

void printOverview(std::ostream& out, const std::vector<Command>& commands) {
  out << "hellwig: wargames from their rules\n\nUsage: hellwig COMMAND [OPTIONS] ..\n\nCommands:\n";
  for (const Command& command : commands)
    out << "  " << padded(command.name + " " + command.operands, 26) << command.summary << "\n";
  out << "\n'hellwig COMMAND --help' tells the options of a command, 'hellwig --version' the version.\n"
         "GAME is a folder with .hlw files. Exit code: 0 fine; 1 errors, or a game or test failed; 2 wrong "
         "use.\n";
}

void printHelp(std::ostream& out, const Command& command) {
  out << "hellwig " << command.name << ": " << command.summary << "\n\nUsage: hellwig " << command.name
      << " [OPTIONS] " << command.operands << "\n";
  if (!command.details.empty()) out << "\n" << command.details << "\n";
  out << "\nOptions:\n";
  for (const OptionSpec& option : command.options)
    out << "  " << padded(option.name + (option.value.empty() ? "" : " " + option.value), 26) << option.help
        << "\n";
}

int runCommand(const Command& command, const std::vector<std::string>& words) {
  try {
    const Arguments arguments(words, command.options);
    if (arguments.has("--help")) {
      printHelp(std::cout, command);
      return fine;
    }
    return command.run(arguments);
  } catch (const UsageError& error) {
    std::cerr << "hellwig " << command.name << ": " << error.message << "\nSee 'hellwig " << command.name
              << " --help'.\n";
    return wrongUse;
  }
}

} // namespace

int runCommandLine(const std::vector<std::string>& words) {
  std::vector<Command> commands = allCommands();
  for (Command& command : commands) command.options.push_back({"--help", "", "this text"});
  if (words.empty()) {
    printOverview(std::cerr, commands);
    return wrongUse;
  }
  const std::string& name = words.front();
  const auto find = [&](const std::string& word) {
    return std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == word; });
  };
  if (name == "--help" || name == "-h" || name == "help") {
    const auto command = words.size() > 1 ? find(words[1]) : commands.end();
    if (command != commands.end())
      printHelp(std::cout, *command);
    else
      printOverview(std::cout, commands);
    return fine;
  }
  if (name == "--version") {
    std::cout << "hellwig " << HELLWIG_VERSION << " (module format " << Module{}.formatVersion << ")\n";
    return fine;
  }
  const auto command = find(name);
  if (command == commands.end()) {
    std::vector<std::string> names;
    for (const Command& c : commands) names.push_back(c.name);
    std::cerr << "hellwig: unknown command '" << name << "'" << meant(name, names)
              << "\nSee 'hellwig --help'.\n";
    return wrongUse;
  }
  try {
    const int code = runCommand(*command, {words.begin() + 1, words.end()});
    std::cout.flush();
    if (!std::cout) {
      std::cerr << "hellwig: the output could not be written\n";
      return failed;
    }
    return code;
  } catch (const std::exception& problem) {
    std::cerr << "hellwig: " << problem.what() << "\n";
    return failed;
  }
}

} // namespace hellwig::cli
