// SPDX-License-Identifier: Apache-2.0
// The same game from the same seed ends in the same state, whatever compiler and build made the program: the
// hashes stand in final_states.txt. What is hashed is the state by its names, not the image as it is laid
// out, so that they change only if a game plays differently. HELLWIG_UPDATE_STATES=1 writes them anew.
#include "runtime/image.h"
#include "runtime/machine.h"
#include "runtime/players.h"
#include "tests/play/play_fixture.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hellwig {
namespace {

std::size_t thingsOf(const Module& module, const Column& column) {
  switch (column.owner) {
  case Owner::counter: return module.counters.size();
  case Owner::hex: return module.board.hex.size();
  case Owner::hexside: return module.board.hexside.size();
  case Owner::side: return module.sides.size();
  default: return 0;
  }
}

/// Everything that a player could see of the end, the dice still to come, and how often dice were rolled.
std::string stateText(const Machine& machine) {
  const Module& module = machine.program().module();
  std::ostringstream out;
  out << "winner " << machine.result().winner << ", " << machine.result().text << "\n";
  out << "turn " << machine.global(globalTurn) << ", rolls " << machine.rollCount() << "\n";
  const std::vector<std::uint64_t> image = machine.saveImage();
  for (std::uint32_t i = 0; i < 4; ++i) out << image[headerRandom + i] << " ";
  out << "\n";
  for (std::size_t c = 0; c < module.counters.size(); ++c) {
    const auto counter = static_cast<std::uint16_t>(c);
    out << module.counters[c].name << ": " << machine.hexOf(counter) << " " << machine.boxOf(counter) << "\n";
  }
  for (std::size_t h = 0; h < module.board.hex.size(); ++h)
    for (const std::uint16_t counter : machine.stackAt(static_cast<std::uint16_t>(h)))
      out << h << " " << counter << "\n";
  for (std::size_t i = 0; i < module.columns.size(); ++i) {
    const Column& column = module.columns[i];
    if (column.constant || column.type.isSet) continue;
    out << column.name << ":";
    for (std::size_t thing = 0; thing < thingsOf(module, column); ++thing) {
      if (column.owner == Owner::counter &&
          (module.kinds[column.ownerId].members[thing / 64] >> (thing % 64) & 1) == 0)
        continue;
      out << " " << machine.column(static_cast<std::uint16_t>(i), static_cast<std::uint32_t>(thing));
    }
    out << "\n";
  }
  return out.str();
}

std::string hashOf(const std::string& text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
  return digits;
}

std::string play(const std::shared_ptr<const Program>& program, const std::string& players,
                 std::uint64_t seed) {
  std::vector<std::unique_ptr<Player>> both;
  for (std::uint64_t side = 0; side < 2; ++side) both.push_back(makePlayer(players, 2 * seed + side));
  Machine machine(program);
  machine.start(seed);
  std::string answers;
  while (machine.step() == Status::decision) {
    const Answer answer = both[machine.pending().owner]->choose(machine);
    answers += machine.optionText(answer) + "\n";
    if (!machine.answer(answer)) return "an answer was refused";
  }
  return machine.status() == Status::ended ? hashOf(answers + stateText(machine))
                                           : "a fault: " + machine.fault().message;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '|');) {
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    out.push_back(cell);
  }
  return out;
}

TEST(Determinism, TheSameSeedsGiveTheSameFinalStates) {
  const std::string path = sourceFolder("tests/play/final_states.txt");
  std::ifstream in(path);
  std::string anew;
  int games = 0;
  std::string loaded;
  std::shared_ptr<const Program> program;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> part = cells(line);
    if (line.starts_with("#") || part.size() != 6) {
      anew += line + "\n";
      continue;
    }
    // package | scenario | option | players | seed | hash
    const std::string wanted = part[0] + "|" + part[1] + "|" + part[2];
    if (wanted != loaded) {
      program = programOf(part[0], part[1],
                          part[2].empty() ? std::vector<std::string>() : std::vector<std::string>{part[2]});
      loaded = wanted;
    }
    ASSERT_TRUE(program) << line;
    const std::string hash = play(program, part[3], std::stoull(part[4]));
    EXPECT_EQ(hash, part[5]) << line;
    anew += line.substr(0, line.rfind('|')) + "| " + hash + "\n";
    ++games;
  }
  EXPECT_GE(games, 10);
  if (std::getenv("HELLWIG_UPDATE_STATES") != nullptr) std::ofstream(path) << anew;
}

} // namespace
} // namespace hellwig
