// SPDX-License-Identifier: Apache-2.0
// hellwig simulate: many games between computer players, and what came of them.
#include "runtime/simulate.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"
#include "cli/player_names.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace hellwig::cli {
namespace {

struct Summary {
  std::vector<std::uint64_t> wins; // by side
  std::uint64_t games = 0, draws = 0, faults = 0, decisions = 0;
  double turnsMean = 0;
  std::uint64_t hash = 0; // of all final states, in order
  std::string firstFault;
};

Summary summarize(const Module& module, const SimulationResult& result) {
  Summary summary;
  summary.wins.resize(module.sides.size());
  summary.games = result.outcomes.size();
  std::int64_t turns = 0;
  for (std::size_t k = 0; k < result.outcomes.size(); ++k) {
    const GameOutcome& outcome = result.outcomes[k];
    summary.decisions += outcome.decisions;
    turns += outcome.turns;
    summary.hash = (summary.hash ^ outcome.stateHash) * 0x100000001b3u;
    if (outcome.faulted) {
      if (summary.faults++ == 0) summary.firstFault = "game " + std::to_string(k) + ": " + outcome.text;
    } else if (outcome.winner < 0) {
      ++summary.draws;
    } else {
      ++summary.wins[static_cast<std::size_t>(outcome.winner)];
    }
  }
  if (summary.games != 0) summary.turnsMean = static_cast<double>(turns) / static_cast<double>(summary.games);
  return summary;
}

struct Share {
  double value, low, high;
};
/// The share of `count` among `of` with Wilson's interval of 95 %.
Share wilson(std::uint64_t count, std::uint64_t of) {
  if (of == 0) return {0, 0, 1};
  const double n = static_cast<double>(of), p = static_cast<double>(count) / n, z = 1.959964;
  const double middle = p + z * z / (2 * n), scale = 1 + z * z / n;
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {p, std::max(0.0, (middle - half) / scale), std::min(1.0, (middle + half) / scale)};
}

double rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

void printJsonSummary(const Module& module, const SimulationSpec& spec, const Summary& summary,
                      double seconds) {
  llvm::json::Object wins, shares;
  for (std::size_t side = 0; side < summary.wins.size(); ++side) {
    const Share share = wilson(summary.wins[side], summary.games);
    wins[module.sides[side].name] = static_cast<std::int64_t>(summary.wins[side]);
    shares[module.sides[side].name] =
        llvm::json::Object{{"share", share.value}, {"low", share.low}, {"high", share.high}};
  }
  llvm::json::Array options, players;
  for (const std::string& option : module.options) options.push_back(jsonText(option));
  for (std::size_t side = 0; side < module.sides.size(); ++side)
    players.push_back(jsonText(spec.players[std::min(side, spec.players.size() - 1)]));
  llvm::json::Object out;
  out["game"] = jsonText(module.title);
  out["scenario"] = jsonText(module.scenario);
  out["options"] = std::move(options);
  out["players"] = std::move(players);
  out["seed"] = spec.seed;
  out["games"] = static_cast<std::int64_t>(summary.games);
  out["wins"] = std::move(wins);
  out["shares"] = std::move(shares);
  out["draws"] = static_cast<std::int64_t>(summary.draws);
  out["faults"] = static_cast<std::int64_t>(summary.faults);
  if (summary.faults != 0) out["first_fault"] = jsonText(summary.firstFault);
  out["turns_mean"] = summary.turnsMean;
  out["decisions"] = static_cast<std::int64_t>(summary.decisions);
  out["states"] = std::to_string(summary.hash);
  out["seconds"] = seconds;
  out["games_per_second"] = rate(summary.games, seconds);
  out["decisions_per_second"] = rate(summary.decisions, seconds);
  printJson(std::move(out));
}

void printTable(const Module& module, const SimulationSpec& spec, const Summary& summary, double seconds) {
  std::cout << module.title << (module.scenario.empty() ? "" : ", " + module.scenario) << ": "
            << counted(summary.games, "game", "games") << ", seed " << spec.seed << "\n";
  for (const std::string& option : module.options) std::cout << "  option: " << option << "\n";
  const auto row = [&](const std::string& name, std::uint64_t count, const std::string& player) {
    const Share share = wilson(count, summary.games);
    std::cout << "  " << filled(name, 14) << filled(player, 9) << filled(std::to_string(count), 9)
              << decimal(share.value * 100, 1) << " %  (" << decimal(share.low * 100, 1) << " to "
              << decimal(share.high * 100, 1) << " %)\n";
  };
  for (std::size_t side = 0; side < summary.wins.size(); ++side)
    row(module.sides[side].display, summary.wins[side],
        spec.players[std::min(side, spec.players.size() - 1)]);
  row("Draws", summary.draws, "");
  if (summary.faults != 0) row("Faults", summary.faults, "");
  const double games = static_cast<double>(std::max<std::uint64_t>(summary.games, 1));
  std::cout << "  turns a game " << decimal(summary.turnsMean, 1) << ", decisions a game "
            << decimal(static_cast<double>(summary.decisions) / games, 1) << "\n  " << decimal(seconds, 2)
            << " s, " << decimal(rate(summary.games, seconds), 0) << " games/s, "
            << decimal(rate(summary.decisions, seconds), 0) << " decisions/s\n";
  if (summary.faults != 0) std::cout << "  first fault, " << summary.firstFault << "\n";
}

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  SimulationSpec spec;
  spec.games = arguments.number("--games", 100, 1, 100'000'000);
  spec.seed = arguments.number("--seed", 1, 0, ~std::uint64_t{0});
  spec.threads = static_cast<unsigned>(arguments.number("--threads", 0, 0, 1024));
  spec.players = playerNames(arguments.text("--players", "random"));
  const std::shared_ptr<const Program> program = loadProgram(folder, arguments);
  if (program == nullptr) {
    if (json) printJson(llvm::json::Object{{"game", jsonText(folder)}, {"compiled", false}});
    return failed;
  }

  const bool tell = errorsAreTerminal();
  const SimulationResult result = simulate(program, spec, [&](std::uint64_t done) {
    if (tell) std::cerr << "\r" << done << " of " << spec.games << " games" << std::flush;
  });
  if (tell) std::cerr << "\r" << std::string(50, ' ') << "\r" << std::flush;
  const Summary summary = summarize(program->module(), result);
  if (json)
    printJsonSummary(program->module(), spec, summary, result.seconds);
  else
    printTable(program->module(), spec, summary, result.seconds);
  return summary.faults != 0 ? failed : fine;
}

} // namespace

Command simulateCommand() {
  std::vector<OptionSpec> options = {
      {"--games", "N", "how many games; default 100"},
      {"--seed", "S", "game k of a run depends on (S, k) alone; default 1"},
      {"--threads", "T", "default: one for each core; the results do not depend on it"},
      {"--players", "P[,P]", "random or greedy, for both sides or one for each; default random"}};
  for (OptionSpec& option : selectionOptions()) options.push_back(std::move(option));
  options.push_back({"--format", "text|json", "how to print"});
  return {"simulate", "GAME", "play many games between computer players", "", options, run};
}

} // namespace hellwig::cli
