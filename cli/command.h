// SPDX-License-Identifier: Apache-2.0
// What a subcommand of hellwig is. Each has a file of its own; main.cpp lists them.
#pragma once

#include "cli/arguments.h"

#include <string>
#include <vector>

namespace hellwig::cli {

enum ExitCode : int { fine = 0, failed = 1, wrongUse = 2 };

struct Command {
  std::string name;
  std::string operands; ///< "GAME"
  std::string summary;  ///< one line
  std::string details;  ///< further lines of its help, may be empty
  std::vector<OptionSpec> options;
  int (*run)(const Arguments&) = nullptr;
};

Command checkCommand();
Command buildCommand();
Command playCommand();
Command testCommand();
Command simulateCommand();
Command replayCommand();
Command disasmCommand();
Command fmtCommand();
Command explainCommand();
Command whyCommand();
Command coverageCommand();

/// Runs a command line (without the program's name) and returns the exit code.
int runCommandLine(const std::vector<std::string>& words);

} // namespace hellwig::cli
