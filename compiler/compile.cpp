// SPDX-License-Identifier: Apache-2.0
// The phases in order: fold, type, lower; and the combinations that a check goes through.
#include "compiler/compile.h"

#include "compiler/consequences.h"
#include "compiler/lower.h"
#include "compiler/package_nodes.h"
#include "compiler/sema.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hellwig {
namespace {

/// Keeps what is new among diagnostics that several combinations give.
class OnceSink {
public:
  explicit OnceSink(DiagnosticSink& out) : out_(out) {
    for (const Diagnostic& d : out.all()) seen_.insert(key(d));
  }
  void take(const DiagnosticSink& from) {
    for (const Diagnostic& d : from.all())
      if (seen_.insert(key(d)).second) out_.report(d);
  }

private:
  using Key = std::tuple<int, const SourceText*, std::uint32_t, std::uint32_t>;
  static Key key(const Diagnostic& d) {
    return {static_cast<int>(d.code), d.file.get(), d.range.offset, d.range.length};
  }
  DiagnosticSink& out_;
  std::set<Key> seen_;
};

/// Options that can be chosen with a scenario: the game's and those of the scenario and what it extends.
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

std::vector<std::string> defaultOptions(const Package& package, const std::string& scenario) {
  std::vector<std::string> out;
  for (const std::string& name : optionsFor(package, scenario))
    for (const OptionInfo& option : package.options)
      if (option.name == name && option.defaultOn) out.push_back(name);
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

/// What a test chooses; reports names that there are not.
Selection selectionOf(const Package& package, NodeRef test, DiagnosticSink& sink) {
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

void nameModule(Module& module, const Package& package, const Selection& selection) {
  module.title = package.title;
  module.packageHash = package.hash;
  module.scenario = selection.scenario;
  module.options.clear();
  for (const OptionInfo& option : package.options)
    if (std::find(selection.options.begin(), selection.options.end(), option.name) != selection.options.end())
      module.options.push_back(option.name);
  module.mods = package.mods;
  module.files.clear();
  for (const SourceFile& file : package.files) module.files.push_back(file.path);
}

} // namespace

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

void checkPackage(Package& package, DiagnosticSink& sink) {
  checkSelections(package, sink);
  OnceSink once(sink);
  auto check = [&](const Selection& selection, const std::vector<NodeRef>& tests) {
    DiagnosticSink found;
    Folded folded = fold(package, selection, found);
    analyse(package, folded, tests, found);
    once.take(found);
  };
  std::vector<std::string> scenarios;
  for (const ScenarioInfo& s : package.scenarios)
    if (s.playable) scenarios.push_back(s.name);
  if (scenarios.empty()) scenarios.emplace_back();
  for (const std::string& scenario : scenarios) {
    std::vector<std::string> all = optionsFor(package, scenario);
    std::set<std::vector<std::string>> sets{{}, all, defaultOptions(package, scenario)};
    for (const std::string& option : all) sets.insert({option});
    for (const std::vector<std::string>& options : sets) check({scenario, options, ""}, {});
  }
  // Tests of one selection are typed together.
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>, std::vector<NodeRef>> tests;
  DiagnosticSink found;
  for (const TestRef& test : testsOf(package)) {
    Selection selection = selectionOf(package, test.node, found);
    tests[{selection.scenario, selection.options, selection.map}].push_back(test.node);
  }
  once.take(found);
  for (const auto& [selection, nodes] : tests)
    check({std::get<0>(selection), std::get<1>(selection), std::get<2>(selection)}, nodes);
  leaveOutConsequences(package, sink);
}

std::optional<Module> compile(Package& package, const Selection& selection, DiagnosticSink& sink) {
  if (package.syntaxErrors) return std::nullopt;
  std::size_t before = sink.errorCount();
  Folded folded = fold(package, selection, sink);
  auto checked = analyse(package, folded, {}, sink);
  if (sink.errorCount() != before) return std::nullopt;
  Module module = std::move(checked->world.module);
  nameModule(module, package, selection);
  lower(checked->hir, package, module, checked->extras);
  return module;
}

std::vector<TestRef> testsOf(const Package& package) {
  std::vector<TestRef> out;
  for (std::size_t f = 0; f < package.files.size(); ++f) {
    const SyntaxTree& t = package.files[f].tree;
    for (NodeId item : t.children(t.root(), Role::item)) {
      if (t.kind(item) != NodeKind::TestDecl || t.has(item, NodeFlags::faulty)) continue;
      TestRef ref;
      ref.node = {static_cast<std::uint16_t>(f), item};
      ref.title = t.textOf(t.child(item, Role::text));
      ref.file = package.files[f].path;
      ref.line = t.source().lineOf(t.range(item).offset);
      out.push_back(std::move(ref));
    }
  }
  return out;
}

std::optional<CompiledTest> compileTest(Package& package, const TestRef& test, DiagnosticSink& sink) {
  if (package.syntaxErrors) return std::nullopt;
  std::size_t before = sink.errorCount();
  Selection selection = selectionOf(package, test.node, sink);
  Folded folded = fold(package, selection, sink);
  auto checked = analyse(package, folded, {test.node}, sink);
  if (sink.errorCount() != before) return std::nullopt;
  CompiledTest out;
  out.module = std::move(checked->world.module);
  nameModule(out.module, package, selection);
  lower(checked->hir, package, out.module, checked->extras);
  out.program = std::move(checked->test);
  // What typing numbered among the extra bodies is now a body of the module.
  auto settle = [&](std::uint32_t& body) {
    if (body != noBody) body = checked->extras[body].body;
  };
  for (TestStep& step : out.program.steps) {
    settle(step.body);
    settle(step.setBody);
    settle(step.textBody);
    settle(step.foundBody);
    settle(step.explain.argumentsBody);
    for (std::uint32_t& item : step.items) settle(item);
    for (TestBind& bind : step.binds) {
      settle(bind.body);
      settle(bind.byBody);
      for (std::uint32_t& item : bind.items) settle(item);
    }
    for (TestStep::Setting& setting : step.settings) settle(setting.body);
  }
  return out;
}

} // namespace hellwig
