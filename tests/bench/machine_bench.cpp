// SPDX-License-Identifier: Apache-2.0
// The machine beside its yardsticks, in one program: random play of two games, loops, the search of moves,
// clones.

#include "compiler/compile.h"
#include "runtime/machine.h"
#include "runtime/players.h"
#include "runtime/random.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace hellwig::bench {
namespace {

std::shared_ptr<const Program> load(const std::string& folder, const std::string& scenario = "") {
  DiagnosticSink sink;
  std::shared_ptr<Package> package = loadPackage(folder, sink);
  if (package) {
    if (std::optional<Module> module = compile(*package, defaultSelection(*package, scenario), sink)) {
      auto loaded = Program::load(std::move(*module));
      if (auto* program = std::get_if<std::shared_ptr<const Program>>(&loaded)) return *program;
      std::fprintf(stderr, "%s\n", std::get<std::string>(loaded).c_str());
    }
  }
  std::fprintf(stderr, "%s", render(sink).c_str());
  std::exit(1);
}

std::string games(const char* name) {
  return std::string(HELLWIG_SOURCE_DIR) + "/games/" + name;
}
std::string packages(const char* name) {
  return std::string(HELLWIG_SOURCE_DIR) + "/tests/bench/packages/" + name;
}

/// Plays a game to its end at random with the options listed at every decision; the decisions taken.
std::uint64_t playRandom(Machine& machine, Player& subsets, Random& random, std::uint64_t& options) {
  std::uint64_t decisions = 0;
  for (;;) {
    Status status = machine.step();
    if (status != Status::decision) return decisions;
    ++decisions;
    const Pending& pending = machine.pending();
    options += pending.optionCount + pending.elementCount;
    if (pending.kind == ChoiceKind::subset)
      machine.answer(subsets.choose(machine));
    else
      machine.answer(machine.optionAt(random.below(pending.optionCount)));
  }
}

void randomPlay(benchmark::State& state, const std::string& folder, const char* what) {
  auto program = load(folder);
  Random random = Random::fromSeed(1);
  auto subsets = randomPlayer(2);
  std::uint64_t decisions = 0, options = 0, seed = 0;
  Machine machine(program);
  for (auto _ : state) {
    machine.start(seed++);
    decisions += playRandom(machine, *subsets, random, options);
  }
  using benchmark::Counter;
  state.counters[what] = Counter(static_cast<double>(decisions), Counter::kIsRate);
  state.counters["games"] = Counter(static_cast<double>(state.iterations()), Counter::kIsRate);
  state.counters["per_game"] = static_cast<double>(decisions) / static_cast<double>(state.iterations());
  benchmark::DoNotOptimize(options);
}

/// A package that asks nothing: its whole run is measured.
void run(benchmark::State& state, const char* scenario, std::int64_t items) {
  auto program = load(packages("loops"), scenario);
  for (auto _ : state) {
    Machine machine(program);
    machine.setFuel(std::uint64_t{1} << 40);
    machine.start(1);
    if (machine.step() != Status::ended) state.SkipWithError("the loop did not end");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * items);
}

struct March {
  std::shared_ptr<const Program> program = load(packages("march"));
  Machine machine{program};
  std::vector<std::uint16_t> counters;
  std::uint16_t route = 0;
};

/// The counters of one allowance in turn, as the yardstick takes them: one of each stack.
void marchSearch(benchmark::State& state, int firstStack, int count, const char* routeName) {
  March march;
  march.machine.start(1);
  march.machine.step();
  for (std::size_t r = 0; r < march.program->module().routes.size(); ++r)
    if (march.program->module().routes[r].name == routeName) march.route = static_cast<std::uint16_t>(r);
  std::int64_t found = 0;
  int n = 0;
  for (auto _ : state) {
    const Word counter = 3 * (firstStack + n);
    n = n + 1 == count ? 0 : n + 1;
    std::vector<std::uint64_t> reached = march.machine.reach(march.route, {&counter, 1});
    for (std::uint64_t word : reached) found += __builtin_popcountll(word);
    benchmark::DoNotOptimize(reached);
  }
  state.counters["hexes"] = static_cast<double>(found) / static_cast<double>(state.iterations());
}

void cloneState(benchmark::State& state) {
  March march;
  march.machine.start(1);
  march.machine.step();
  Machine copy = march.machine;
  for (auto _ : state) {
    copy = march.machine;
    benchmark::DoNotOptimize(copy);
  }
  state.counters["bytes"] = static_cast<double>(march.machine.saveImage().size() * 8);
}

void compileGame(benchmark::State& state) {
  for (auto _ : state) {
    DiagnosticSink sink;
    std::shared_ptr<Package> package = loadPackage(games("mollwitz"), sink);
    auto module = compile(*package, defaultSelection(*package), sink);
    benchmark::DoNotOptimize(module);
  }
}

BENCHMARK_CAPTURE(randomPlay, mollwitz, games("mollwitz"), "decisions")
    ->Name("machine/mollwitz_random")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(randomPlay, hex, packages("hex"), "moves")
    ->Name("machine/hex_random")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, arithmetic, "Arithmetic", 50'000'000)
    ->Name("machine/arithmetic_50M")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, odds, "Odds", 5'000'000)->Name("machine/odds_5M")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(marchSearch, brigade, 0, 34, "march")->Name("machine/march_brigade_4");
BENCHMARK_CAPTURE(marchSearch, squadron, 34, 12, "march")->Name("machine/march_squadron_8");
BENCHMARK_CAPTURE(marchSearch, courier, 46, 4, "march")->Name("machine/march_courier_20");
BENCHMARK_CAPTURE(marchSearch, survey, 0, 1, "survey")->Name("machine/march_survey");
BENCHMARK(cloneState)->Name("machine/clone_300_counters");
BENCHMARK(compileGame)->Name("compiler/mollwitz_warm")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace hellwig::bench
