// SPDX-License-Identifier: Apache-2.0
// Programs compiled from the sources of games, for tests that play them.
#pragma once

#include "compiler/compile.h"
#include "runtime/program.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace hellwig {

inline std::string sourceFolder(const std::string& below) {
  return std::string(HELLWIG_SOURCE_DIR) + "/" + below;
}

/// The program of a package for one scenario and these options besides those that are on by default; null
/// (with a test failure) if it does not compile.
inline std::shared_ptr<const Program> programOf(const std::string& folder, const std::string& scenario = "",
                                                const std::vector<std::string>& options = {}) {
  DiagnosticSink sink;
  std::shared_ptr<Package> package = loadPackage(sourceFolder(folder), sink);
  if (package) {
    Selection selection = defaultSelection(*package, scenario);
    selection.options.insert(selection.options.end(), options.begin(), options.end());
    if (std::optional<Module> module = compile(*package, selection, sink)) {
      auto loaded = Program::load(std::move(*module));
      if (auto* program = std::get_if<std::shared_ptr<const Program>>(&loaded)) return *program;
      ADD_FAILURE() << std::get<std::string>(loaded);
      return nullptr;
    }
  }
  ADD_FAILURE() << render(sink);
  return nullptr;
}

} // namespace hellwig
