// SPDX-License-Identifier: Apache-2.0
// hellwig build: writes a game's module to a file.
#include "cli/command.h"
#include "cli/console.h"
#include "cli/package_access.h"
#include "runtime/module_io.h"

#include <filesystem>
#include <fstream>
#include <iostream>

namespace hellwig::cli {
namespace {

std::size_t instructionCount(const Module& module) {
  std::size_t count = 0;
  for (const Body& body : module.bodies) count += body.code.size();
  return count;
}

int run(const Arguments& arguments) {
  const std::string folder = arguments.only("GAME");
  const bool json = arguments.oneOf("--format", {"text", "json"}) == "json";
  std::string path = arguments.text("-o");
  if (path.empty()) {
    const std::filesystem::path name = std::filesystem::absolute(folder).lexically_normal();
    path = (name.has_filename() ? name.filename() : name.parent_path().filename()).string() + ".hlm";
  }
  const std::shared_ptr<const Program> program = loadProgram(folder, arguments);
  if (program == nullptr) {
    if (json) printJson(llvm::json::Object{{"game", jsonText(folder)}, {"compiled", false}});
    return failed;
  }
  const Module& module = program->module();
  const auto bytes = writeModule(module);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) {
    std::cerr << "hellwig build: cannot write " << path << "\n";
    return failed;
  }
  if (json) {
    llvm::json::Object out;
    out["file"] = jsonText(path);
    out["bytes"] = static_cast<std::int64_t>(bytes.size());
    out["title"] = jsonText(module.title);
    out["package"] = jsonText(module.packageHash);
    out["scenario"] = jsonText(module.scenario);
    llvm::json::Array options;
    for (const std::string& option : module.options) options.push_back(jsonText(option));
    out["options"] = std::move(options);
    out["bodies"] = static_cast<std::int64_t>(module.bodies.size());
    out["instructions"] = static_cast<std::int64_t>(instructionCount(module));
    printJson(std::move(out));
    return fine;
  }
  std::cout << path << ": " << module.title << (module.scenario.empty() ? "" : ", " + module.scenario) << ", "
            << counted(bytes.size(), "byte", "bytes") << ", "
            << counted(instructionCount(module), "instruction", "instructions") << "\n";
  return fine;
}

} // namespace

Command buildCommand() {
  std::vector<OptionSpec> options = selectionOptions();
  options.insert(options.begin(), {"-o", "FILE.hlm", "where to write; default: the folder's name"});
  options.push_back({"--format", "text|json", "how to print"});
  return {"build", "GAME", "compile a game to a module file", "", options, run};
}

} // namespace hellwig::cli
