// SPDX-License-Identifier: Apache-2.0
// The hellwig command.
#include "cli/command.h"

int main(int count, char** words) {
  return hellwig::cli::runCommandLine({words + 1, words + count});
}
