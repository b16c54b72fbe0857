// SPDX-License-Identifier: Apache-2.0
// The compiler over a generated package of 5000 lines: from the folder to a module, and from an edit to what
// is wrong.
#include "compiler/compile.h"
#include "compiler/workspace.h"
#include "tests/bench/generated_package.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace hellwig::bench {
namespace {

namespace fs = std::filesystem;

/// The generated package in a folder that goes when the program ends.
class Folder {
public:
  Folder() : path_(fs::temp_directory_path() / ("hellwig_compiler_bench_" + std::to_string(::getpid()))) {
    for (const auto& [path, text] : generatedPackage()) {
      fs::create_directories((path_ / path).parent_path());
      std::ofstream(path_ / path, std::ios::binary) << text;
      lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }
  std::size_t lines = 0;

private:
  fs::path path_;
};

const Folder& folder() {
  static const Folder made;
  return made;
}

void must(bool good, const DiagnosticSink& sink) {
  if (good) return;
  std::fprintf(stderr, "%s", render(sink).c_str());
  std::exit(1);
}

/// All files, one after another.
void parseFiles(benchmark::State& state) {
  const auto files = generatedPackage();
  for (auto _ : state)
    for (const auto& [path, text] : files) {
      DiagnosticSink sink;
      benchmark::DoNotOptimize(parse(SourceText::make(path, text, sink), sink));
    }
  state.counters["lines"] = static_cast<double>(folder().lines);
}

void compileFolder(benchmark::State& state) {
  for (auto _ : state) {
    DiagnosticSink sink;
    std::shared_ptr<Package> package = loadPackage(folder().path(), sink);
    must(package != nullptr, sink);
    std::optional<Module> module = compile(*package, defaultSelection(*package), sink);
    must(module.has_value(), sink);
    benchmark::DoNotOptimize(module);
  }
  state.counters["lines"] = static_cast<double>(folder().lines);
}

void checkFolder(benchmark::State& state) {
  for (auto _ : state) {
    Workspace workspace(folder().path());
    workspace.checkAll();
    must(!workspace.diagnostics().hasErrors(), workspace.diagnostics());
  }
}

/// A figure of one file is changed back and forth; then the default selection, or all of them, are typed.
void edit(benchmark::State& state, const char* path, const char* from, const char* to, bool all) {
  Workspace workspace(folder().path());
  workspace.checkAll();
  std::string text;
  for (const auto& [name, content] : generatedPackage())
    if (name == path) text = content;
  const std::size_t place = text.find(from);
  if (place == std::string::npos) std::exit(1);
  int turn = 0;
  for (auto _ : state) {
    std::string changed = text;
    // A comment of its own, so that no edit is one that was seen before.
    changed.replace(place, std::string(from).size(), to);
    changed += "// " + std::to_string(++turn) + "\n";
    workspace.setText(path, changed);
    if (all)
      workspace.checkAll();
    else
      workspace.checkNext();
    const DiagnosticSink told = workspace.diagnostics();
    must(!told.hasErrors(), told);
    benchmark::DoNotOptimize(told);
  }
}

BENCHMARK(parseFiles)->Name("compiler/parse_5000_lines")->Unit(benchmark::kMillisecond);
BENCHMARK(compileFolder)->Name("compiler/compile_5000_lines")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(checkFolder)->Name("compiler/check_5000_lines")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(edit, rules, "rules/07.hlw", "  add 2", "  add 3", false)
    ->Name("compiler/edit_to_first")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(edit, all, "rules/07.hlw", "  add 2", "  add 3", true)
    ->Name("compiler/edit_to_all")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(edit, option, "options/02.hlw", "add 2", "add 3", true)
    ->Name("compiler/edit_option_to_all")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace hellwig::bench
