// SPDX-License-Identifier: Apache-2.0
// Damages compiled modules at random, gives them to the verifier, and plays those that it takes: no damage
// may do more than a refusal, a fault or the end of the fuel. With the sanitizers (preset asan) any slip ends
// it.
//
//   mutate_modules COUNT SEED FILE.hlm ..
//
// Mutation k depends on (seed, k) alone, so a slip is found again by its number: it is told on standard error
// every thousand, and `--only K` makes that one alone.
#include "runtime/machine.h"
#include "runtime/module_io.h"
#include "runtime/random.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace hellwig;

std::uint64_t fnv(const std::vector<std::uint8_t>& bytes, std::size_t size) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 0x100000001b3U;
  return h;
}

/// The checksum made right, so that the reader takes what was damaged.
void seal(std::vector<std::uint8_t>& bytes) {
  const std::uint64_t h = fnv(bytes, bytes.size() - 8);
  for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 8 + i] = static_cast<std::uint8_t>(h >> (8 * i));
}

/// Some bytes changed: anything, or one bit, or a number nudged; all over the file.
void damageBytes(std::vector<std::uint8_t>& bytes, Random& random) {
  const auto size = static_cast<std::uint32_t>(bytes.size() - 24);
  for (std::uint32_t k = random.below(4) + 1; k-- > 0;) {
    std::uint8_t& byte = bytes[16 + random.below(size)];
    switch (random.below(3)) {
    case 0: byte = static_cast<std::uint8_t>(random.below(256)); break;
    case 1: byte = static_cast<std::uint8_t>(byte ^ (1U << random.below(8))); break;
    default: byte = static_cast<std::uint8_t>(byte + (random.below(2) == 0 ? 1 : 255)); break;
    }
  }
}

/// Some operands of instructions changed, as a compiler with a slip might write them.
void damageCode(Module& module, Random& random) {
  for (std::uint32_t k = random.below(3) + 1; k-- > 0;) {
    Body& body = module.bodies[random.below(static_cast<std::uint32_t>(module.bodies.size()))];
    if (body.code.empty()) continue;
    Instruction& in = body.code[random.below(static_cast<std::uint32_t>(body.code.size()))];
    const auto near = [&](auto& operand, std::uint32_t most) {
      using T = std::remove_reference_t<decltype(operand)>;
      if (random.below(2) == 0)
        operand = static_cast<T>(random.below(most));
      else
        operand = static_cast<T>(operand + static_cast<T>(random.below(7)) - 3);
    };
    switch (random.below(6)) {
    case 0: in.op = static_cast<Op>(random.below(256)); break;
    case 1: near(in.a, body.registers + 2U); break;
    case 2: near(in.b, body.registers + 2U); break;
    case 3: near(in.c, body.registers + 2U); break;
    case 4: near(in.d, 200); break;
    default: near(in.e, 8); break;
    }
  }
}

void play(const std::shared_ptr<const Program>& program, std::uint64_t seed) {
  Random random = Random::fromSeed(seed);
  Machine machine(program);
  machine.setFuel(3000);
  machine.listen([](const LogEvent&) {});
  machine.start(seed);
  for (int i = 0; i < 25 && machine.step() == Status::decision; ++i) {
    static_cast<void>(machine.promptText({0}));
    const std::uint32_t options = machine.pending().optionCount;
    if (options == 0) break;
    const std::uint32_t k = random.below(options);
    static_cast<void>(machine.optionText(machine.optionAt(k), {1}));
    if (!machine.answer(machine.optionAt(k))) break;
  }
  for (std::uint16_t side = 0; side < program->module().sides.size() && side < 2; ++side)
    static_cast<void>(machine.interest(side));
  static_cast<void>(machine.restoreImage(machine.saveImage()));
}

} // namespace

int main(int count, char** words) {
  std::vector<std::string> arguments(words + 1, words + count);
  long only = -1;
  if (arguments.size() > 2 && arguments[0] == "--only") {
    only = std::atol(arguments[1].c_str());
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.size() < 3) {
    std::fprintf(stderr, "usage: mutate_modules [--only K] COUNT SEED FILE.hlm ..\n");
    return 2;
  }
  const long mutations = std::atol(arguments[0].c_str());
  const auto seed = static_cast<std::uint64_t>(std::atoll(arguments[1].c_str()));
  std::vector<std::vector<std::uint8_t>> files;
  std::vector<Module> modules;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    std::ifstream in(arguments[i], std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    auto module = readModule(files.back());
    if (!std::holds_alternative<Module>(module)) {
      std::fprintf(stderr, "%s: %s\n", arguments[i].c_str(), std::get<std::string>(module).c_str());
      return 2;
    }
    modules.push_back(std::move(std::get<Module>(module)));
  }
  long refusedByReader = 0, refusedByVerifier = 0, played = 0;
  for (long k = only < 0 ? 0 : only; k < (only < 0 ? mutations : only + 1); ++k) {
    if (k % 1000 == 0) std::fprintf(stderr, "mutation %ld\n", k);
    std::uint64_t state = seed ^ (0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(k + 1));
    Random random = Random::fromSeed(splitmix64(state));
    const std::uint32_t which = random.below(static_cast<std::uint32_t>(files.size()));
    Module module;
    if (random.below(2) == 0) {
      std::vector<std::uint8_t> bytes = files[which];
      damageBytes(bytes, random);
      seal(bytes);
      auto read = readModule(bytes);
      if (!std::holds_alternative<Module>(read)) {
        ++refusedByReader;
        continue;
      }
      module = std::move(std::get<Module>(read));
    } else {
      module = modules[which];
      damageCode(module, random);
    }
    auto program = Program::load(std::move(module));
    if (!std::holds_alternative<std::shared_ptr<const Program>>(program)) {
      ++refusedByVerifier;
      continue;
    }
    ++played;
    play(std::get<std::shared_ptr<const Program>>(program), random.next());
  }
  std::printf("%ld mutations: %ld refused by the reader, %ld by the verifier, %ld played\n",
              refusedByReader + refusedByVerifier + played, refusedByReader, refusedByVerifier, played);
  return 0;
}
