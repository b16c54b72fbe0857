// SPDX-License-Identifier: Apache-2.0
// The phases in order: fold, type, lower.
#include "compiler/compile.h"

#include "compiler/combinations.h"
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

void checkPackage(Package& package, DiagnosticSink& sink) {
  const std::vector<Combination> combinations = combinationsOf(package, sink);
  OnceSink once(sink);
  for (const Combination& combination : combinations) {
    DiagnosticSink found;
    const Folded folded = fold(package, combination.selection, found);
    analyse(package, folded, combination.tests, found);
    once.take(found.all());
  }
  leaveOutConsequences(package, sink);
}

std::optional<Module> compile(Package& package, const Selection& selection, DiagnosticSink& sink,
                              const LowerOptions& options) {
  if (package.syntaxErrors) return std::nullopt;
  std::size_t before = sink.errorCount();
  Folded folded = fold(package, selection, sink);
  auto checked = analyse(package, folded, {}, sink);
  if (sink.errorCount() != before) return std::nullopt;
  Module module = std::move(checked->world.module);
  nameModule(module, package, selection);
  lower(checked->hir, package, module, checked->extras, options);
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

std::optional<CompiledTest> compileTest(Package& package, const TestRef& test, DiagnosticSink& sink,
                                        const LowerOptions& options) {
  if (package.syntaxErrors) return std::nullopt;
  std::size_t before = sink.errorCount();
  std::optional<Selection> chosen = selectionOf(package, test.node, sink);
  if (!chosen) return std::nullopt;
  const Selection& selection = *chosen;
  Folded folded = fold(package, selection, sink);
  auto checked = analyse(package, folded, {test.node}, sink);
  if (sink.errorCount() != before) return std::nullopt;
  CompiledTest out;
  out.module = std::move(checked->world.module);
  nameModule(out.module, package, selection);
  lower(checked->hir, package, out.module, checked->extras, options);
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
