// SPDX-License-Identifier: Apache-2.0
// Runs a command line inside the test and keeps what it prints.
#pragma once

#include "cli/command.h"

#include <iostream>
#include <sstream>
#include <string>

namespace hellwig::cli {

struct Ran {
  int code;
  std::string out, err;
};

/// `input` is what standard input holds.
inline Ran runWords(const std::vector<std::string>& words, const std::string& input = "") {
  std::ostringstream out, err;
  std::istringstream in(input);
  std::streambuf* const oldOut = std::cout.rdbuf(out.rdbuf());
  std::streambuf* const oldErr = std::cerr.rdbuf(err.rdbuf());
  std::streambuf* const oldIn = std::cin.rdbuf(in.rdbuf());
  const int code = runCommandLine(words);
  std::cin.rdbuf(oldIn);
  std::cin.clear();
  std::cerr.rdbuf(oldErr);
  std::cout.rdbuf(oldOut);
  return {code, out.str(), err.str()};
}

} // namespace hellwig::cli
