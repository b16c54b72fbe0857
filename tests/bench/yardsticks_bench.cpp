// SPDX-License-Identifier: Apache-2.0
// Benchmarks of the yardsticks alone: how fast the same work goes in plain C++ and, for the loops, in Lua.

#include "tests/bench/yardstick_hex.h"
#include "tests/bench/yardstick_loops.h"
#include "tests/bench/yardstick_march.h"
#include "tests/bench/yardstick_mollwitz.h"

#include <benchmark/benchmark.h>

#ifdef HELLWIG_LUA
#include <lua.hpp>
#endif

namespace hellwig::bench {
namespace {

double perGame(std::int64_t sum, std::int64_t games) {
  return static_cast<double>(sum) / static_cast<double>(games);
}

void mollwitzRandom(benchmark::State& state) {
  mollwitz::Tally tally;
  std::uint64_t seed = 0;
  for (auto _ : state) mollwitz::playRandom(seed++, mollwitz::Setup::asked, tally);
  using benchmark::Counter;
  state.counters["decisions"] = Counter(static_cast<double>(tally.decisions), Counter::kIsRate);
  state.counters["games"] = Counter(static_cast<double>(tally.games), Counter::kIsRate);
  state.counters["per_game"] = perGame(tally.decisions, tally.games);
  state.counters["options"] = perGame(tally.options, tally.decisions);
}
BENCHMARK(mollwitzRandom)->Name("yardstick/mollwitz_random")->Unit(benchmark::kMicrosecond);

void hexRandom(benchmark::State& state) {
  hex::Tally tally;
  Random random = Random::fromSeed(1);
  for (auto _ : state) hex::playRandom(random, tally);
  using benchmark::Counter;
  state.counters["moves"] = Counter(static_cast<double>(tally.moves), Counter::kIsRate);
  state.counters["per_game"] = perGame(tally.moves, tally.games);
}
BENCHMARK(hexRandom)->Name("yardstick/hex_random")->Unit(benchmark::kMicrosecond);

void arithmetic(benchmark::State& state) {
  std::int32_t rounds = loops::arithmeticRounds, steps = loops::arithmeticSteps;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rounds);
    benchmark::DoNotOptimize(steps);
    benchmark::DoNotOptimize(loops::arithmetic(rounds, steps));
  }
  state.SetItemsProcessed(state.iterations() * rounds * steps);
}
BENCHMARK(arithmetic)->Name("yardstick/arithmetic_50M")->Unit(benchmark::kMillisecond);

void odds(benchmark::State& state) {
  std::int32_t rounds = loops::oddsRounds, steps = loops::oddsSteps;
  Random random = Random::fromSeed(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(rounds);
    benchmark::DoNotOptimize(steps);
    benchmark::DoNotOptimize(loops::odds(rounds, steps, random));
  }
  state.SetItemsProcessed(state.iterations() * rounds * steps);
}
BENCHMARK(odds)->Name("yardstick/odds_5M")->Unit(benchmark::kMillisecond);

// Over all the counters of one row of the forces in turn; `hexes` is how many hexes a search comes to.
void marchSearch(benchmark::State& state, int firstStack, int count) {
  const march::State start = march::begin();
  march::Reach reach;
  std::int64_t found = 0;
  int n = 0;
  for (auto _ : state) {
    march::march(start, 3 * (firstStack + n), reach);
    n = n + 1 == count ? 0 : n + 1;
    found += reach.endCount;
    benchmark::DoNotOptimize(reach);
  }
  state.counters["hexes"] = perGame(found, state.iterations());
}
BENCHMARK_CAPTURE(marchSearch, brigade, 0, 34)->Name("yardstick/march_brigade_4");
BENCHMARK_CAPTURE(marchSearch, squadron, 34, 12)->Name("yardstick/march_squadron_8");
BENCHMARK_CAPTURE(marchSearch, courier, 46, 4)->Name("yardstick/march_courier_20");

void surveySearch(benchmark::State& state) {
  const march::State start = march::begin();
  march::Reach reach;
  for (auto _ : state) {
    march::survey(start, 0, reach);
    benchmark::DoNotOptimize(reach);
  }
  state.counters["hexes"] = reach.endCount;
}
BENCHMARK(surveySearch)->Name("yardstick/march_survey");

void clone(benchmark::State& state) {
  const march::State start = march::begin();
  march::State copy;
  for (auto _ : state) {
    copy = start;
    benchmark::DoNotOptimize(copy);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sizeof(march::State)));
}
BENCHMARK(clone)->Name("yardstick/clone_300_counters");

#ifdef HELLWIG_LUA
void luaLoop(benchmark::State& state, const char* function, int rounds, int steps) {
  lua_State* lua = luaL_newstate();
  luaL_openlibs(lua);
  if (luaL_dofile(lua, HELLWIG_LOOPS_LUA) != LUA_OK) {
    state.SkipWithError("loops.lua does not load");
    lua_close(lua);
    return;
  }
  for (auto _ : state) {
    lua_getglobal(lua, function);
    lua_pushinteger(lua, rounds);
    lua_pushinteger(lua, steps);
    if (lua_pcall(lua, 2, 1, 0) != LUA_OK) {
      state.SkipWithError("loops.lua fails");
      break;
    }
    benchmark::DoNotOptimize(lua_tointeger(lua, -1));
    lua_pop(lua, 1);
  }
  state.SetItemsProcessed(state.iterations() * rounds * steps);
  lua_close(lua);
}
BENCHMARK_CAPTURE(luaLoop, arithmetic, "arithmetic", loops::arithmeticRounds, loops::arithmeticSteps)
    ->Name("lua/arithmetic_50M")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(luaLoop, odds, "odds", loops::oddsRounds, loops::oddsSteps)
    ->Name("lua/odds_5M")
    ->Unit(benchmark::kMillisecond);
#endif

} // namespace
} // namespace hellwig::bench
