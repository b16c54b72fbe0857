// SPDX-License-Identifier: Apache-2.0
// Packages in memory, made of a base and what a case adds to it.
#pragma once

#include "compiler/compile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace hellwig {

namespace fs = std::filesystem;

inline std::string readFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

using Texts = std::map<std::string, std::string>; // path below the package's folder, text

inline Texts textsBelow(const fs::path& folder) {
  Texts out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".hlw")
      out[fs::relative(entry.path(), folder).generic_string()] = readFile(entry.path());
  return out;
}

/// What a text adds to a base, as the file `path`: a line `// file PATH` begins another file (below `mod/` it
/// belongs to a mod), and `// without PATH` leaves out a file of the base.
inline Texts addedTo(Texts files, std::string path, const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("// without ")) files.erase(line.substr(11));
    if (line.starts_with("// file "))
      path = line.substr(8);
    else
      files[path] += line + "\n";
  }
  return files;
}

/// A package in memory: files sorted by path, those below mod/ behind the game's, as loadPackage has them.
class MemoryPackage {
public:
  void add(const std::string& path, const std::string& text, DiagnosticSink& sink) {
    auto source = SourceText::make(path, text, sink);
    if (!source) return;
    SourceFile file;
    file.path = path;
    file.tree = parse(source, sink);
    file.owner = path.starts_with("mod2/") ? 2 : path.starts_with("mod/") ? 1 : 0;
    keep(std::move(file));
  }
  void keep(SourceFile file) {
    if (file.owner >= 1 && package_.mods.empty()) package_.mods.emplace_back("Mod");
    if (file.owner == 2 && package_.mods.size() < 2) package_.mods.emplace_back("Second mod");
    package_.files.push_back(std::move(file));
  }
  void check(DiagnosticSink& sink) {
    std::sort(package_.files.begin(), package_.files.end(), [](const SourceFile& a, const SourceFile& b) {
      return std::pair(a.owner, a.path) < std::pair(b.owner, b.path);
    });
    package_.folder = "memory";
    describePackage(package_);
    checkPackage(package_, sink);
  }

private:
  Package package_;
};

} // namespace hellwig
