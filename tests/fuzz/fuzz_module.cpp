// SPDX-License-Identifier: Apache-2.0
// Feeds bytes to the reader of compiled modules, verifies what comes out and plays it for a moment: whatever
// the bytes, nothing but a refusal, a fault or the end of the fuel may come of it.
#include "runtime/machine.h"
#include "runtime/module_io.h"

#include <vector>

namespace {

using namespace hellwig;

// Length and checksum made right, so that the bytes behind them matter.
std::vector<std::uint8_t> sealed(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes = {'H', 'L', 'M', '\n', 1, 0, 0, 0};
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(size) >> (8 * i)));
  bytes.insert(bytes.end(), data, data + size);
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : bytes) h = (h ^ byte) * 0x100000001b3U;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(h >> (8 * i)));
  return bytes;
}

void play(std::shared_ptr<const Program> program) {
  Machine machine(program);
  machine.setFuel(2000);
  machine.start(program->module().bodies.size());
  Random random = Random::fromSeed(program->module().strings.size());
  for (int i = 0; i < 20 && machine.step() == Status::decision; ++i) {
    static_cast<void>(machine.promptText({0}));
    const std::uint32_t options = machine.pending().optionCount;
    if (options == 0 || !machine.answer(machine.optionAt(random.below(options)))) break;
  }
  static_cast<void>(machine.restoreImage(machine.saveImage()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static_cast<void>(readModule({data, size}));
  auto module = readModule(sealed(data, size));
  if (!std::holds_alternative<Module>(module)) return 0;
  auto program = Program::load(std::move(std::get<Module>(module)));
  if (std::holds_alternative<std::shared_ptr<const Program>>(program))
    play(std::get<std::shared_ptr<const Program>>(program));
  return 0;
}
