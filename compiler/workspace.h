// SPDX-License-Identifier: Apache-2.0
// A package under work: texts go in, one after another as they are edited; what is wrong with them comes out.
// Trees of files that did not change are kept, and so is what was found for combinations that a change does
// not concern. For the command line, the editor and a language server.
#pragma once

#include "compiler/combinations.h"
#include "compiler/package.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hellwig {

class Workspace {
public:
  /// Reads and parses a folder, files in parallel; of a mod also the game that it names.
  explicit Workspace(const std::string& folder);
  /// A package in memory without any file yet.
  Workspace();

  /// The package as parsed, null if there is no file. It must not be changed.
  const Package* package() const { return package_ && !package_->files.empty() ? package_.get() : nullptr; }

  /// The text of a file, new or changed, by its path below the folder (in a game that a mod names, by the
  /// path there). The same text again is no change. `owner` counts for new files: 1 for those of a mod.
  void setText(const std::string& path, std::string text, std::uint16_t owner = 0);
  void remove(const std::string& path);

  /// Types one more combination, that with the default selection first; false if all are done. A host that
  /// must stay quick calls it when it has time.
  bool checkNext();
  /// Types all that are left, on several cores.
  void checkAll();
  bool isChecked() const { return next_ == combinations_.size(); }

  /// What is known of the texts as they are: all once isChecked(). In the order of files and places.
  DiagnosticSink diagnostics() const;

private:
  /// A file and what parsing it told. Versions name trees: no two have the same.
  struct Version {
    std::uint64_t number = 0;
    std::vector<Diagnostic> told;
  };
  using Found = std::shared_ptr<const std::vector<Diagnostic>>;
  /// A copy of the package for one thread: reading cells writes to trees.
  struct Lane {
    Package package;
    std::vector<std::uint64_t> versions;
  };

  void changed();
  void bring(Lane& lane) const;
  std::string keyOf(const Folded& folded, const Combination& combination) const;
  void check(std::size_t combination, Lane& lane);

  std::shared_ptr<Package> package_;
  std::vector<Version> versions_; ///< of the package's files
  std::uint64_t lastVersion_ = 0;
  std::vector<Diagnostic> loading_; ///< what reading the folder told besides

  std::vector<Combination> combinations_;
  std::vector<Diagnostic> selecting_; ///< what making combinations told
  std::string shared_;                ///< what every combination depends on
  std::vector<Found> found_;          ///< of each combination
  std::vector<std::string> keys_;
  std::size_t next_ = 0; ///< the first that is not checked
  std::unordered_map<std::string, Found> known_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

} // namespace hellwig
