// SPDX-License-Identifier: Apache-2.0
// A package made from texts in memory, and what folding and building it reports.
#pragma once

#include "compiler/fold.h"
#include "compiler/package.h"
#include "compiler/world.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hellwig {

struct PackageFixture {
  std::shared_ptr<Package> package = std::make_shared<Package>();
  DiagnosticSink sink;

  /// Files in the order given; a path that begins with "mod/" belongs to the first mod.
  explicit PackageFixture(const std::vector<std::pair<std::string, std::string>>& files) {
    for (const auto& [path, text] : files) {
      auto source = SourceText::make(path, text, sink);
      if (!source) continue;
      SourceFile file;
      file.path = path;
      file.tree = parse(source, sink);
      file.owner = path.starts_with("mod/") ? 1 : 0;
      if (file.owner == 1 && package->mods.empty()) package->mods.emplace_back("Mod");
      package->files.push_back(std::move(file));
    }
    package->folder = "memory";
    describePackage(*package);
  }
  explicit PackageFixture(const std::string& text)
      : PackageFixture(std::vector<std::pair<std::string, std::string>>{{"game.hlw", text}}) {}

  Folded fold(const Selection& selection = {}) { return hellwig::fold(*package, selection, sink); }
  World world(const Selection& selection = {}) {
    Folded folded = fold(selection);
    return WorldBuilder(*package, folded, sink).build();
  }
  /// "HW0501 the table has no cell for ..", one for each diagnostic.
  std::vector<std::string> reports() const {
    std::vector<std::string> out;
    for (const Diagnostic& diagnostic : sink.all())
      out.push_back(codeText(diagnostic.code) + " " + diagnostic.message);
    return out;
  }
  /// The text that a diagnostic points at.
  std::string spot(std::size_t index) const {
    const Diagnostic& diagnostic = sink.all().at(index);
    return diagnostic.file ? std::string(diagnostic.file->text(diagnostic.range)) : std::string();
  }
};

} // namespace hellwig
