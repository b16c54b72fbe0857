// SPDX-License-Identifier: Apache-2.0
// A game's folder, read and parsed: every .hlw file in it and below it, with what a host asks before it
// compiles.
#pragma once

#include "lang/diagnostic.h"
#include "lang/syntax.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hellwig {

/// What the reading that hangs on a cell told: a cell is read once however often its package is typed.
struct CellReading {
  CellGrammar grammar = CellGrammar::expression;
  NodeId value = NodeId::none;
  std::vector<Diagnostic> told;
};
struct SourceFile {
  std::string
      path; ///< below the folder, with forward slashes; what diagnostics show has the folder before it
  SyntaxTree tree;
  std::uint16_t owner = 0;                              ///< 0: the game; else 1 + index into Package::mods
  std::unordered_map<std::uint32_t, CellReading> cells; ///< of the tree, by node
};
struct ScenarioInfo {
  std::string name, base, text;
  std::vector<std::string> options; ///< switched on with it, by itself or by what it extends
  bool playable = false; ///< has a `play on`, itself or by what it extends
};
struct OptionInfo {
  std::string name, text;
  bool defaultOn = false;
  std::string scenario; ///< the scenario in which it is declared, "" for the game's
};
struct Package {
  std::string folder, title;
  std::vector<SourceFile> files;       ///< sorted by path; the files of mods follow
  std::vector<std::string> mods;       ///< titles
  std::string hash;                    ///< of the paths and bytes of all files, 16 hexadecimal digits
  std::vector<ScenarioInfo> scenarios; ///< in the order of files and places
  std::vector<OptionInfo> options;     ///< in the order in which they apply
  bool syntaxErrors = false;
};

/// Is the option on in this scenario unless it is switched off?
bool onByDefault(const Package& package, const OptionInfo& option, const std::string& scenario);

/// A node of one of the package's files.
struct NodeRef {
  std::uint16_t file = 0;
  NodeId node = NodeId::none;
  bool operator==(const NodeRef&) const = default;
};
/// A stretch of one of the package's files.
struct Place {
  std::uint16_t file = 0;
  TextRange range;
};

/// Reads and parses a folder (files in parallel). If the folder is a mod (`mod .. of ..`), the game it names
/// is read with it. Gives nullptr if there is nothing to read; syntax errors are in the sink.
std::shared_ptr<Package> loadPackage(const std::string& folder, DiagnosticSink& sink);

/// Fills title, hash, scenarios and options from the files; loadPackage has done it. For packages made in
/// memory.
void describePackage(Package& package);

} // namespace hellwig
