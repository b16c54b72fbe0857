// SPDX-License-Identifier: Apache-2.0
// hellwig disasm: a module's code in readable form.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"
#include "runtime/disassemble.h"
#include "runtime/module_io.h"

#include <fstream>
#include <iostream>
#include <iterator>

namespace hellwig::cli {
namespace {

/// A module file, read and verified; the reason on standard error if that fails.
std::optional<Module> loadModuleFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file && bytes.empty()) {
    std::cerr << path << ": the file cannot be read\n";
    return std::nullopt;
  }
  std::variant<Module, std::string> read =
      readModule({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (const std::string* problem = std::get_if<std::string>(&read)) {
    std::cerr << path << ": " << *problem << "\n";
    return std::nullopt;
  }
  return std::get<Module>(std::move(read));
}

int run(const Arguments& arguments) {
  const std::string what = arguments.only("GAME or FILE.hlm");
  std::optional<Module> module;
  if (what.ends_with(".hlm")) {
    module = loadModuleFile(what);
    if (!module) return failed;
  } else {
    const std::shared_ptr<const Program> program = loadProgram(what, arguments);
    if (program == nullptr) return failed;
    module = program->module();
  }
  const std::string filter = arguments.text("--body");
  std::cout << module->title << (module->scenario.empty() ? "" : ", " + module->scenario) << ", package "
            << module->packageHash << "\n";
  bool any = false;
  for (std::size_t i = 0; i < module->bodies.size(); ++i) {
    if (module->bodies[i].name.find(filter) == std::string::npos) continue;
    std::cout << "\n" << disassembleBody(*module, static_cast<std::uint32_t>(i));
    any = true;
  }
  if (any) return fine;
  std::cerr << "hellwig disasm: no body has '" << filter << "' in its name\n";
  return failed;
}

} // namespace

Command disasmCommand() {
  std::vector<OptionSpec> options = selectionOptions();
  options.insert(options.begin(), {"--body", "TEXT", "only bodies whose name contains this"});
  return {"disasm", "GAME|FILE.hlm", "print the bytecode of a game", "", options, run};
}

} // namespace hellwig::cli
