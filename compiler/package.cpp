// SPDX-License-Identifier: Apache-2.0
// Reading a game's folder: see package.h.

#include "compiler/package.h"

#include "compiler/package_nodes.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

namespace hellwig {
namespace {

namespace fs = std::filesystem;

struct Found {
  std::string shownFolder; ///< what diagnostics show before the path
  std::string path;        ///< below the folder, with forward slashes
  std::uint16_t owner = 0;
};

/// All .hlw files of a folder, by path in the order of bytes.
std::vector<Found> findFiles(const std::string& folder, std::uint16_t owner) {
  std::vector<Found> found;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored) || it->path().extension() != ".hlw") continue;
    found.push_back({folder, it->path().lexically_relative(folder).generic_string(), owner});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.path < b.path; });
  return found;
}

/// Reads and parses files, several at a time; what they report is put in the order of the files.
std::vector<SourceFile> parseFiles(const std::vector<Found>& found, DiagnosticSink& sink) {
  std::vector<SourceFile> files(found.size());
  std::vector<char> good(found.size(), 0);
  std::vector<DiagnosticSink> sinks(found.size());
  std::atomic<std::size_t> next{0};
  auto work = [&] {
    for (std::size_t i = next++; i < found.size(); i = next++) {
      std::string full = (fs::path(found[i].shownFolder) / found[i].path).generic_string();
      auto source = SourceText::load(full, full, sinks[i]);
      files[i].path = found[i].path;
      files[i].owner = found[i].owner;
      if (!source) continue;
      files[i].tree = parse(std::move(source), sinks[i]);
      good[i] = 1;
    }
  };
  std::size_t count = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), found.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::vector<SourceFile> read;
  for (std::size_t i = 0; i < files.size(); ++i) {
    sink.append(std::move(sinks[i]));
    if (good[i] != 0) read.push_back(std::move(files[i]));
  }
  return read;
}

/// The `mod .. of ..` of a folder's files, or none.
NodeRef findMod(const std::vector<SourceFile>& files) {
  for (std::size_t f = 0; f < files.size(); ++f)
    for (NodeId item : files[f].tree.children(files[f].tree.root(), Role::item))
      if (files[f].tree.kind(item) == NodeKind::ModDecl) return {static_cast<std::uint16_t>(f), item};
  return {};
}

} // namespace

std::shared_ptr<Package> loadPackage(const std::string& folder, DiagnosticSink& sink) {
  auto package = std::make_shared<Package>();
  package->folder = folder;
  std::vector<Found> own = findFiles(folder, 0);
  std::size_t errors = sink.errorCount();
  std::vector<SourceFile> files = parseFiles(own, sink);
  if (NodeRef mod = findMod(files); present(mod)) {
    const SyntaxTree& tree = files[mod.file].tree;
    NodeId base = tree.child(mod.node, Role::base), title = tree.child(mod.node, Role::text);
    std::string below = valid(base) ? tree.textOf(base) : std::string();
    std::string gameFolder = (fs::path(folder) / below).lexically_normal().generic_string();
    std::vector<Found> game = below.empty() ? std::vector<Found>() : findFiles(gameFolder, 0);
    if (game.empty())
      sink.report(Diagnostic(DiagnosticCode::unreadableFile, tree.sharedSource(),
                             tree.range(valid(base) ? base : mod.node),
                             {"there is no game in " + gameFolder}));
    package->mods.push_back(valid(title) ? tree.textOf(title) : std::string());
    std::vector<SourceFile> base0 = parseFiles(game, sink);
    for (SourceFile& file : files) {
      file.owner = 1;
      base0.push_back(std::move(file));
    }
    files = std::move(base0);
  }
  if (files.empty()) {
    if (sink.errorCount() == errors)
      sink.report(
          Diagnostic(DiagnosticCode::unreadableFile, nullptr, {}, {"there is no .hlw file in " + folder}));
    return nullptr;
  }
  package->files = std::move(files);
  describePackage(*package);
  return package;
}

void describePackage(Package& package) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  auto add = [&](std::string_view bytes) {
    for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    hash = (hash ^ 0xffU) * 0x100000001b3U; // an end that UTF-8 cannot hold
  };
  package.scenarios.clear();
  package.options.clear();
  package.syntaxErrors = false;
  std::vector<std::string> order;
  std::vector<std::pair<NodeRef, std::string>> optionNodes;
  std::vector<NodeRef> scenarioNodes;
  std::set<std::string> removedOptions, removedScenarios; // what a mod takes away is not offered
  for (std::size_t f = 0; f < package.files.size(); ++f) {
    const SyntaxTree& tree = package.files[f].tree;
    add(package.files[f].path);
    add(tree.source().text());
    package.syntaxErrors = package.syntaxErrors || tree.hasErrors();
    for (NodeId item : tree.children(tree.root(), Role::item)) {
      NodeRef ref{static_cast<std::uint16_t>(f), item};
      switch (tree.kind(item)) {
      case NodeKind::RemoveDecl:
        if (tree.op(item) == TokenKind::kw_option) removedOptions.insert(tree.nameOf(item));
        if (tree.op(item) == TokenKind::kw_scenario) removedScenarios.insert(tree.nameOf(item));
        break;
      case NodeKind::GameDecl:
        if (NodeRef text = childOf(package, ref, Role::text); present(text) && package.title.empty())
          package.title = tree.textOf(text.node);
        for (NodeRef part : itemsOf(package, ref))
          if (kindOf(package, part) == NodeKind::Options)
            for (NodeRef name : childrenOf(package, part, Role::name)) order.push_back(nameOf(package, name));
        break;
      case NodeKind::OptionDecl: optionNodes.emplace_back(ref, std::string()); break;
      case NodeKind::ScenarioDecl:
        scenarioNodes.push_back(ref);
        for (NodeRef part : itemsOf(package, ref))
          if (kindOf(package, part) == NodeKind::OptionDecl)
            optionNodes.emplace_back(part, nameOf(package, ref));
        break;
      default: break;
      }
    }
  }
  static constexpr char digits[] = "0123456789abcdef";
  package.hash.clear();
  for (int shift = 60; shift >= 0; shift -= 4) package.hash += digits[(hash >> shift) & 15U];

  for (NodeRef ref : scenarioNodes) {
    ScenarioInfo info;
    info.name = nameOf(package, ref);
    if (removedScenarios.contains(info.name)) continue;
    info.base = nameOf(package, ref, Role::base);
    if (NodeRef text = childOf(package, ref, Role::text); present(text))
      info.text = treeOf(package, text).textOf(text.node);
    for (NodeRef part : itemsOf(package, ref)) {
      info.playable |= kindOf(package, part) == NodeKind::PlayOn;
      if (kindOf(package, part) == NodeKind::Options)
        for (NodeRef name : childrenOf(package, part, Role::name)) info.options.push_back(nameOf(package, name));
    }
    package.scenarios.push_back(std::move(info));
  }
  // A scenario inherits its map; as many rounds as there are scenarios reach the end of every chain.
  for (std::size_t round = 0; round < package.scenarios.size(); ++round)
    for (ScenarioInfo& info : package.scenarios)
      for (const ScenarioInfo& base : package.scenarios)
        if (!info.base.empty() && base.name == info.base) {
          info.playable |= base.playable;
          for (const std::string& option : std::vector<std::string>(base.options))
            if (std::find(info.options.begin(), info.options.end(), option) == info.options.end())
              info.options.push_back(option);
        }

  for (const auto& [ref, scenario] : optionNodes) {
    OptionInfo info;
    info.name = nameOf(package, ref);
    if (removedOptions.contains(info.name) || removedScenarios.contains(scenario)) continue;
    if (NodeRef text = childOf(package, ref, Role::text); present(text))
      info.text = treeOf(package, text).textOf(text.node);
    info.defaultOn = opOf(package, ref) == TokenKind::kw_on;
    info.scenario = scenario;
    package.options.push_back(std::move(info));
  }
  auto rank = [&](const OptionInfo& option) {
    return std::find(order.begin(), order.end(), option.name) - order.begin();
  };
  std::stable_sort(package.options.begin(), package.options.end(),
                   [&](const OptionInfo& a, const OptionInfo& b) {
                     auto left = rank(a), right = rank(b);
                     if (left != right) return left < right;
                     return left == static_cast<std::ptrdiff_t>(order.size()) && a.name < b.name;
                   });
}

bool onByDefault(const Package& package, const OptionInfo& option, const std::string& scenario) {
  if (option.defaultOn) return true;
  return std::any_of(package.scenarios.begin(), package.scenarios.end(), [&](const ScenarioInfo& info) {
    return info.name == scenario &&
           std::find(info.options.begin(), info.options.end(), option.name) != info.options.end();
  });
}

} // namespace hellwig
