// SPDX-License-Identifier: Apache-2.0
// A package under work: see workspace.h.
#include "compiler/workspace.h"

#include "compiler/consequences.h"
#include "compiler/sema.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

namespace hellwig {

namespace {

std::string shownPath(const Package& package, const std::string& path) {
  return package.folder.empty() ? path : (std::filesystem::path(package.folder) / path).generic_string();
}

/// Everything that a fold says, with trees named by their versions.
class KeyWriter {
public:
  explicit KeyWriter(const std::vector<std::uint64_t>& versions) : versions_(versions) {}

  void number(std::uint64_t n) {
    for (int i = 0; i < 8; ++i) text_ += static_cast<char>(n >> (8 * i) & 0xff);
  }
  void word(const std::string& word) {
    number(word.size());
    text_ += word;
  }
  void node(NodeRef ref) {
    number(valid(ref.node) ? versions_[ref.file] : 0);
    number(static_cast<std::uint32_t>(ref.node));
  }
  void pieces(const std::vector<Piece>& pieces) {
    number(pieces.size());
    for (const Piece& piece : pieces) {
      node(piece.node);
      number(piece.layer);
    }
  }
  std::string take() { return std::move(text_); }

private:
  const std::vector<std::uint64_t>& versions_;
  std::string text_;
};

/// What typing reads of all files, whether a fold takes them in or not: the menus of actions, and whether any
/// time is past twelve, which a clock asks of every word.
void writeShared(const Package& package, const std::vector<std::uint64_t>& versions, KeyWriter& key) {
  bool clock = false;
  for (const SourceFile& file : package.files)
    for (std::uint32_t n = 0; n < file.tree.nodeCount(); ++n) {
      const auto node = static_cast<NodeId>(n);
      switch (file.tree.kind(node)) {
      case NodeKind::Perform: key.word(file.tree.nameOf(node)); break;
      case NodeKind::ActionDecl:
        for (const NodeId during : file.tree.children(node, Role::during)) key.word(file.tree.nameOf(during));
        break;
      case NodeKind::Turns:
        clock = clock || file.tree.kind(file.tree.child(node, Role::start)) == NodeKind::OddsLiteral;
        break;
      default: break;
      }
    }
  if (clock)
    for (const std::uint64_t version : versions) key.number(version);
}

} // namespace

Workspace::Workspace() : package_(std::make_shared<Package>()) {}

Workspace::Workspace(const std::string& folder) {
  DiagnosticSink sink;
  package_ = loadPackage(folder, sink);
  if (!package_) {
    package_ = std::make_shared<Package>();
    package_->folder = folder;
  }
  versions_.resize(package_->files.size());
  for (Version& version : versions_) version.number = ++lastVersion_;
  for (const Diagnostic& diagnostic : sink.all()) {
    auto file =
        std::find_if(package_->files.begin(), package_->files.end(), [&](const SourceFile& candidate) {
          return diagnostic.file && candidate.tree.sharedSource() == diagnostic.file;
        });
    auto place = static_cast<std::size_t>(file - package_->files.begin());
    (file == package_->files.end() ? loading_ : versions_[place].told).push_back(diagnostic);
  }
  changed();
}

void Workspace::setText(const std::string& path, std::string text, std::uint16_t owner) {
  auto& files = package_->files;
  auto file = std::find_if(files.begin(), files.end(),
                           [&](const SourceFile& candidate) { return candidate.path == path; });
  const bool isNew = file == files.end();
  if (!isNew && file->tree.source().text() == text) return;
  DiagnosticSink sink;
  auto source = SourceText::make(shownPath(*package_, path), std::move(text), sink);
  if (isNew) {
    if (files.empty()) loading_.clear(); // there was no file at all
    // Files stand sorted, those of mods behind the others.
    file = std::find_if(files.begin(), files.end(), [&](const SourceFile& other) {
      return other.owner != owner ? other.owner > owner : other.path > path;
    });
    const auto place = file - files.begin();
    file = files.insert(file, SourceFile{path, {}, owner, {}});
    versions_.insert(versions_.begin() + place, Version{});
    if (!source) source = std::make_shared<const SourceText>(shownPath(*package_, path), std::string());
  }
  // What is no text leaves the last that was one in its place.
  if (source) file->tree = parse(std::move(source), sink);
  versions_[static_cast<std::size_t>(file - files.begin())] = {++lastVersion_, sink.all()};
  changed();
}

void Workspace::remove(const std::string& path) {
  for (std::size_t f = 0; f < package_->files.size(); ++f)
    if (package_->files[f].path == path) {
      package_->files.erase(package_->files.begin() + static_cast<std::ptrdiff_t>(f));
      versions_.erase(versions_.begin() + static_cast<std::ptrdiff_t>(f));
      changed();
      return;
    }
}

/// What was found stays known for as long as the last check used it, so that undoing a change costs nothing.
void Workspace::changed() {
  package_->title.clear();
  describePackage(*package_);
  if (isChecked()) {
    std::unordered_map<std::string, Found> used;
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (auto at = known_.find(keys_[i]); at != known_.end()) used.insert(*at);
    known_ = std::move(used);
  }
  std::vector<std::uint64_t> versions;
  for (const Version& version : versions_) versions.push_back(version.number);
  KeyWriter shared(versions);
  writeShared(*package_, versions, shared);
  shared_ = shared.take();
  DiagnosticSink sink;
  combinations_.clear();
  if (!package_->files.empty()) combinations_ = combinationsOf(*package_, sink);
  selecting_ = sink.all();
  found_.assign(combinations_.size(), nullptr);
  keys_.assign(combinations_.size(), {});
  next_ = 0;
}

/// Makes a lane's package the one as it is now, with trees copied only where they changed.
void Workspace::bring(Lane& lane) const {
  const Package& from = *package_;
  Package fresh;
  fresh.folder = from.folder;
  fresh.title = from.title;
  fresh.mods = from.mods;
  fresh.hash = from.hash;
  fresh.scenarios = from.scenarios;
  fresh.options = from.options;
  fresh.syntaxErrors = from.syntaxErrors;
  std::vector<std::uint64_t> versions;
  for (std::size_t f = 0; f < from.files.size(); ++f) {
    const std::uint64_t version = versions_[f].number;
    auto same = std::find(lane.versions.begin(), lane.versions.end(), version);
    fresh.files.push_back(
        same == lane.versions.end()
            ? from.files[f]
            : std::move(lane.package.files[static_cast<std::size_t>(same - lane.versions.begin())]));
    versions.push_back(version);
  }
  lane.package = std::move(fresh);
  lane.versions = std::move(versions);
}

std::string Workspace::keyOf(const Folded& folded, const Combination& combination) const {
  std::vector<std::uint64_t> versions;
  for (const Version& version : versions_) versions.push_back(version.number);
  KeyWriter key(versions);
  key.word(shared_);
  key.word(folded.selection.scenario);
  for (const std::string& option : folded.selection.options) key.word(option);
  key.word(folded.selection.map);
  // Names of options and scenarios may be meant wherever a name stands.
  for (const OptionInfo& option : package_->options) key.word(option.name);
  for (const ScenarioInfo& scenario : package_->scenarios) key.word(scenario.name);
  for (const Layer& layer : folded.layers) key.word(layer.name);
  for (const FoldedDecl& decl : folded.decls) {
    key.number(static_cast<std::uint64_t>(decl.kind) << 16 | std::uint64_t{decl.layer} << 2 |
               std::uint64_t{decl.inForce} << 1 | std::uint64_t{decl.implicit});
    key.node(decl.node);
    key.word(decl.name);
    key.number(static_cast<std::uint64_t>(decl.original));
    key.pieces(decl.amendments);
  }
  for (const auto* pieces :
       {&folded.hooks, &folded.setups, &folded.arrives, &folded.looks, &folded.hidden, &folded.forces,
        &folded.forceAmendments, &folded.forceRemovals, &folded.arriveRemovals, &folded.victoryAmendments,
        &folded.phaseAmendments, &folded.phaseReplacements, &folded.phaseRemovals, &folded.removals})
    key.pieces(*pieces);
  key.node(folded.playOn);
  key.word(folded.map);
  for (const NodeRef& test : combination.tests) key.node(test);
  return key.take();
}

void Workspace::check(std::size_t i, Lane& lane) {
  const Combination& combination = combinations_[i];
  DiagnosticSink folding;
  const Folded folded = fold(lane.package, combination.selection, folding);
  keys_[i] = keyOf(folded, combination);
  if (auto known = known_.find(keys_[i]); known != known_.end() && folding.all().empty()) {
    found_[i] = known->second;
    return;
  }
  DiagnosticSink found(std::move(folding));
  analyse(lane.package, folded, combination.tests, found);
  found_[i] = std::make_shared<const std::vector<Diagnostic>>(found.all());
}

bool Workspace::checkNext() {
  if (isChecked()) return false;
  if (lanes_.empty()) lanes_.push_back(std::make_unique<Lane>());
  bring(*lanes_.front());
  check(next_, *lanes_.front());
  known_[keys_[next_]] = found_[next_];
  ++next_;
  return !isChecked();
}

void Workspace::checkAll() {
  const std::size_t left = combinations_.size() - next_;
  if (left == 0) return;
  const std::size_t count = std::min<std::size_t>(left, std::max(1U, std::thread::hardware_concurrency()));
  while (lanes_.size() < count) lanes_.push_back(std::make_unique<Lane>());
  std::atomic<std::size_t> next{next_};
  auto work = [&](Lane& lane) {
    bring(lane);
    for (std::size_t i = next++; i < combinations_.size(); i = next++) check(i, lane);
  };
  std::vector<std::thread> threads;
  for (std::size_t l = 1; l < count; ++l) threads.emplace_back([&, l] { work(*lanes_[l]); });
  work(*lanes_.front());
  for (std::thread& thread : threads) thread.join();
  for (; next_ < combinations_.size(); ++next_) known_[keys_[next_]] = found_[next_];
}

DiagnosticSink Workspace::diagnostics() const {
  DiagnosticSink sink;
  for (const Diagnostic& diagnostic : loading_) sink.report(diagnostic);
  for (const Version& version : versions_)
    for (const Diagnostic& diagnostic : version.told) sink.report(diagnostic);
  for (const Diagnostic& diagnostic : selecting_) sink.report(diagnostic);
  OnceSink once(sink);
  for (const Found& found : found_)
    if (found) once.take(*found);
  leaveOutConsequences(*package_, sink);
  sink.sort();
  return sink;
}

} // namespace hellwig
