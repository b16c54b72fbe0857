// SPDX-License-Identifier: Apache-2.0
// Selections of scenario and options: see combinations.h.
#include "compiler/combinations.h"

#include "compiler/compile.h"
#include "compiler/package_nodes.h"

#include <algorithm>
#include <map>
#include <set>

namespace hellwig {
namespace {

std::vector<std::string> defaultOptions(const Package& package, const std::string& scenario) {
  std::vector<std::string> out;
  for (const std::string& name : optionsFor(package, scenario))
    for (const OptionInfo& option : package.options)
      if (option.name == name && onByDefault(package, option, scenario)) out.push_back(name);
  return out;
}

/// "there is no option `Snow strom`", with the nearest that there is.
void reportUnknown(const SyntaxTree& t, NodeId node, const char* what, const std::vector<std::string>& known,
                   DiagnosticSink& sink) {
  std::string name = t.nameOf(node);
  if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
  Diagnostic d(DiagnosticCode::unknownName, t.sharedSource(), t.range(node), {name, what});
  if (std::string near = nearest(name, known); !near.empty()) {
    near = writtenName(near);
    d.fix = Fix{t.range(node), near, "did you mean `" + near + "`?"};
  }
  sink.report(std::move(d));
}

/// Scenarios and options have names of their own, and name each other.
void checkSelections(const Package& package, DiagnosticSink& sink) {
  std::vector<std::string> scenarios, options;
  for (const ScenarioInfo& s : package.scenarios) scenarios.push_back(s.name);
  for (const OptionInfo& o : package.options) options.push_back(o.name);
  std::map<std::pair<NodeKind, std::string>, NodeRef> seen;
  auto declared = [&](NodeRef ref) {
    const SyntaxTree& t = treeOf(package, ref);
    NodeId node = t.child(ref.node, Role::name);
    if (!valid(node) || t.has(node, NodeFlags::faulty)) return;
    auto [first, isNew] = seen.emplace(std::pair(t.kind(ref.node), t.nameOf(ref.node)), ref);
    if (isNew) return;
    sink.report(
        Diagnostic(DiagnosticCode::duplicateName, t.sharedSource(), t.range(node), {t.nameOf(ref.node)})
            .also(sourceOf(package, first->second.file), namePlaceOf(package, first->second).range,
                  "it is declared here, too"));
  };
  for (std::size_t f = 0; f < package.files.size(); ++f) {
    const SyntaxTree& t = package.files[f].tree;
    for (NodeId item : t.children(t.root(), Role::item)) {
      NodeRef ref{static_cast<std::uint16_t>(f), item};
      bool scenario = t.kind(item) == NodeKind::ScenarioDecl;
      if (scenario || t.kind(item) == NodeKind::OptionDecl) declared(ref);
      if (scenario) reportUnknown(t, t.child(item, Role::base), "scenario", scenarios, sink);
      if (!scenario && t.kind(item) != NodeKind::GameDecl) continue;
      for (NodeRef part : itemsOf(package, ref)) {
        if (kindOf(package, part) == NodeKind::OptionDecl) declared(part);
        if (kindOf(package, part) == NodeKind::Options)
          for (NodeId name : t.children(part.node, Role::name))
            reportUnknown(t, name, "option", options, sink);
      }
    }
  }
}

std::size_t mapsOf(const Package& package) {
  std::size_t maps = 0;
  for (const SourceFile& file : package.files)
    for (NodeId item : file.tree.children(file.tree.root(), Role::item))
      maps += file.tree.kind(item) == NodeKind::MapDecl;
  return maps;
}

/// In the order of the package, each once: two ways to say the same selection are one.
std::vector<std::string> inOrder(const Package& package, const std::vector<std::string>& options) {
  std::vector<std::string> out;
  for (const OptionInfo& option : package.options)
    if (std::find(options.begin(), options.end(), option.name) != options.end() &&
        std::find(out.begin(), out.end(), option.name) == out.end())
      out.push_back(option.name);
  return out;
}

} // namespace

std::vector<std::string> optionsFor(const Package& package, const std::string& scenario) {
  std::set<std::string> chain;
  for (std::string name = scenario; !name.empty() && chain.insert(name).second;) {
    auto found = std::find_if(package.scenarios.begin(), package.scenarios.end(),
                              [&](const ScenarioInfo& s) { return s.name == name; });
    name = found == package.scenarios.end() ? std::string() : found->base;
  }
  std::vector<std::string> out;
  for (const OptionInfo& option : package.options)
    if (option.scenario.empty() || chain.count(option.scenario)) out.push_back(option.name);
  return out;
}

Selection defaultSelection(const Package& package, const std::string& scenario) {
  Selection selection;
  selection.scenario = scenario;
  if (scenario.empty())
    for (const ScenarioInfo& s : package.scenarios)
      if (s.playable) {
        selection.scenario = s.name;
        break;
      }
  selection.options = defaultOptions(package, selection.scenario);
  return selection;
}

std::optional<Selection> selectionOf(const Package& package, NodeRef test, DiagnosticSink& sink) {
  Selection selection;
  const SyntaxTree& t = package.files[test.file].tree;
  NodeId body = t.child(test.node, Role::body);
  if (!valid(body)) return selection;
  std::vector<std::string> used;
  for (NodeId item : t.children(body, Role::item)) {
    if (t.kind(item) == NodeKind::UseScenario) {
      std::string name = t.nameOf(item);
      std::vector<std::string> known;
      for (const ScenarioInfo& s : package.scenarios) known.push_back(s.name);
      if (std::find(known.begin(), known.end(), name) == known.end())
        reportUnknown(t, t.child(item, Role::name), "scenario", known, sink);
      else
        selection.scenario = name;
    } else if (t.kind(item) == NodeKind::UseMap) {
      selection.map = t.nameOf(item);
    }
  }
  if (selection.scenario.empty() && selection.map.empty() && mapsOf(package) > 1) {
    sink.report(
        Diagnostic(DiagnosticCode::severalMaps, t.sharedSource(), t.range(t.child(test.node, Role::text))));
    return std::nullopt;
  }
  for (const std::string& option : defaultOptions(package, selection.scenario))
    selection.options.push_back(option);
  for (NodeId item : t.children(body, Role::item)) {
    if (t.kind(item) != NodeKind::Use) continue;
    for (NodeId nameNode : t.children(item, Role::name)) {
      std::string name = t.nameOf(nameNode);
      std::vector<std::string> known;
      for (const OptionInfo& o : package.options) known.push_back(o.name);
      if (std::find(known.begin(), known.end(), name) == known.end())
        reportUnknown(t, nameNode, "option", known, sink);
      else if (std::find(selection.options.begin(), selection.options.end(), name) == selection.options.end())
        selection.options.push_back(name);
    }
  }
  return selection;
}

std::vector<Combination> combinationsOf(const Package& package, DiagnosticSink& sink) {
  checkSelections(package, sink);
  std::vector<Combination> all;
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>, std::size_t> places;
  auto add = [&](const std::string& scenario, const std::vector<std::string>& options,
                 const std::string& map) -> Combination& {
    Selection selection{scenario, inOrder(package, options), map};
    auto [at, isNew] = places.try_emplace({scenario, selection.options, map}, all.size());
    if (isNew) all.push_back({std::move(selection), {}});
    return all[at->second];
  };
  std::vector<std::string> scenarios;
  for (const ScenarioInfo& s : package.scenarios)
    if (s.playable) scenarios.push_back(s.name);
  if (scenarios.empty()) scenarios.emplace_back();
  add(scenarios.front(), defaultOptions(package, scenarios.front()), "");
  for (const std::string& scenario : scenarios) {
    const std::vector<std::string> offered = optionsFor(package, scenario);
    add(scenario, {}, "");
    for (const std::string& option : offered) add(scenario, {option}, "");
    add(scenario, defaultOptions(package, scenario), "");
    add(scenario, offered, "");
  }
  // Tests are typed together with the selection that they choose.
  for (const TestRef& test : testsOf(package)) {
    const std::optional<Selection> selection = selectionOf(package, test.node, sink);
    if (selection) add(selection->scenario, selection->options, selection->map).tests.push_back(test.node);
  }
  return all;
}

OnceSink::OnceSink(DiagnosticSink& out) : out_(out) {
  for (const Diagnostic& d : out.all()) seen_.insert(key(d));
}

void OnceSink::take(const std::vector<Diagnostic>& from) {
  for (const Diagnostic& d : from)
    if (seen_.insert(key(d)).second) out_.report(d);
}

OnceSink::Key OnceSink::key(const Diagnostic& d) {
  return {static_cast<int>(d.code), d.file.get(), d.range.offset, d.range.length};
}

} // namespace hellwig
