// SPDX-License-Identifier: Apache-2.0
// Threads take game numbers from a common counter and write each outcome to its own place.
#include "runtime/simulate.h"

#include "runtime/machine.h"
#include "runtime/players.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace hellwig {
namespace {

// No game that ends needs nearly as many; one that goes round in circles is reported instead of hanging.
constexpr std::uint64_t maxDecisions = 1'000'000;

/// The seeds of game k: they depend on (seed, k) alone.
std::uint64_t gameState(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t state = seed;
  return splitmix64(state) ^ (k * 0xD1B54A32D192ED03u);
}

GameOutcome playOne(Machine& machine, const SimulationSpec& spec, std::uint64_t k,
                    const std::atomic<bool>* cancel) {
  GameOutcome outcome;
  std::uint64_t state = gameState(spec.seed, k);
  machine.start(splitmix64(state));
  std::vector<std::unique_ptr<Player>> players;
  for (std::size_t side = 0; side < machine.program().module().sides.size(); ++side)
    players.push_back(makePlayer(spec.players[std::min(side, spec.players.size() - 1)], splitmix64(state)));

  Status status = machine.status();
  for (;;) {
    while (status == Status::ready) status = machine.step();
    if (status != Status::decision) break;
    if (outcome.decisions >= maxDecisions) break;
    if (cancel != nullptr && outcome.decisions % 64 == 0 && cancel->load(std::memory_order_relaxed)) break;
    if (!machine.answer(players[machine.pending().owner]->choose(machine))) break;
    ++outcome.decisions;
    status = machine.status();
  }
  outcome.turns = machine.global(globalTurn);
  outcome.stateHash = machine.hash();
  if (status == Status::ended) {
    outcome.winner = machine.result().winner;
    outcome.text = machine.result().text;
    return outcome;
  }
  outcome.faulted = true;
  if (status == Status::faulted) {
    const Fault& fault = machine.fault();
    outcome.text = fault.message;
    const std::vector<std::string>& files = machine.program().module().files;
    if (fault.place.file < files.size())
      outcome.text += " (" + files[fault.place.file] + ":" + std::to_string(fault.place.line) + ")";
  } else if (outcome.decisions >= maxDecisions) {
    outcome.text = "the game did not end within " + std::to_string(maxDecisions) + " decisions";
  } else {
    outcome.text = "a computer player found no legal answer to: " + machine.promptText();
  }
  return outcome;
}

} // namespace

SimulationResult simulate(std::shared_ptr<const Program> program, const SimulationSpec& spec,
                          const std::function<void(std::uint64_t done)>& progress,
                          const std::atomic<bool>* cancel) {
  if (spec.players.empty()) throw std::invalid_argument("a simulation needs players");
  for (const std::string& name : spec.players)
    if (makePlayer(name, 0) == nullptr) throw std::invalid_argument("unknown player: " + name);

  const auto begin = std::chrono::steady_clock::now();
  SimulationResult result;
  result.outcomes.resize(spec.games);
  std::vector<char> finished(spec.games, 0);
  std::atomic<std::uint64_t> next = 0, done = 0;
  std::mutex mutex;
  std::condition_variable ended;
  unsigned running = 0;

  const auto cancelled = [&] { return cancel != nullptr && cancel->load(std::memory_order_relaxed); };
  const auto work = [&] {
    // A game that throws (memory has run out) must not take the others with it.
    std::unique_ptr<Machine> machine;
    for (std::uint64_t k = next++; k < spec.games && !cancelled(); k = next++) {
      try {
        if (machine == nullptr) machine = std::make_unique<Machine>(program);
        result.outcomes[k] = playOne(*machine, spec, k, cancel);
      } catch (const std::exception& problem) {
        machine.reset();
        result.outcomes[k].faulted = true;
        result.outcomes[k].text = problem.what();
      }
      // A game broken off by the caller has no outcome.
      if (cancelled()) break;
      finished[k] = 1;
      ++done;
    }
    const std::lock_guard lock(mutex);
    --running;
    ended.notify_one();
  };

  unsigned count = spec.threads != 0 ? spec.threads : std::max(1u, std::thread::hardware_concurrency());
  count = static_cast<unsigned>(
      std::min<std::uint64_t>(std::min(count, 1024u), std::max<std::uint64_t>(spec.games, 1)));
  running = count;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
  {
    // Progress is told from here alone, so that the caller need not guard what it does with it.
    std::unique_lock lock(mutex);
    while (running > 0) {
      ended.wait_for(lock, std::chrono::milliseconds(200));
      if (!progress) continue;
      lock.unlock();
      progress(done.load());
      lock.lock();
    }
  }
  for (std::thread& thread : threads) thread.join();

  std::size_t whole = 0;
  while (whole < finished.size() && finished[whole] != 0) ++whole;
  result.outcomes.resize(whole);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace hellwig
