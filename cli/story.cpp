// SPDX-License-Identifier: Apache-2.0
// From log events to lines of text.
#include "cli/story.h"

#include "runtime/explanation.h"

namespace hellwig::cli {
namespace {

/// Two headings of the same level begin alike: "Turn 3", "Phase Attack", "Player turn of the Prussians".
std::string level(const std::string& heading) {
  return heading.substr(0, heading.find_first_of(" :"));
}

} // namespace

std::string citationOf(const Module& module, std::uint16_t marks) {
  return marks < module.marks.size() ? citation(module, module.marks[marks].rules) : "";
}

SessionListener Storyteller::listener(std::int32_t viewer) {
  return {[this](const LogEvent& event) { hear(event); }, {viewer}};
}

void Storyteller::attach(Machine& machine, std::int32_t viewer) {
  const SessionListener mine = listener(viewer);
  machine.listen(mine.hear, mine.view);
}

void Storyteller::heading(const std::string& text) {
  // A span whose like begins before anything happened in it was empty; so were those inside it.
  for (std::size_t i = 0; i < headings_.size(); ++i)
    if (level(headings_[i]) == level(text)) {
      headings_.resize(i);
      break;
    }
  headings_.push_back(text);
}

void Storyteller::hear(const LogEvent& event) {
  if (event.text.empty()) return;
  if (event.kind == LogEvent::Kind::span) {
    heading(event.text);
    return;
  }
  for (const std::string& text : headings_) {
    const bool turn = level(text) == "Turn";
    if (turn) out_ << "\n";
    if (colour_) out_ << (turn ? "\x1b[1m" : "\x1b[4m");
    out_ << text;
    if (colour_) out_ << "\x1b[0m";
    out_ << "\n";
  }
  headings_.clear();
  const bool forced = event.kind == LogEvent::Kind::forced;
  out_ << "  " << event.text << (forced ? " (nothing else was possible)" : "")
       << citationOf(module_, event.marks) << "\n";
}

void Storyteller::tellResult(const Machine& machine) {
  if (machine.status() == Status::faulted) {
    out_ << "\n" << faultText(machine);
    return;
  }
  const GameResult& result = machine.result();
  if (!result.over) return;
  if (result.winner < 0)
    out_ << "Draw";
  else
    out_ << "The " << module_.sides[static_cast<std::size_t>(result.winner)].display << " win";
  out_ << " in turn " << machine.global(globalTurn);
  if (!result.text.empty()) out_ << ": " << result.text;
  out_ << "\n";
}

std::string gameHeading(const Module& module, std::uint64_t seed) {
  std::string out = module.title;
  if (!module.scenario.empty()) out += ", " + module.scenario;
  std::string options;
  for (const std::string& option : module.options) options += (options.empty() ? "" : ", ") + option;
  if (!options.empty()) out += " (options: " + options + ")";
  return out + ", seed " + std::to_string(seed);
}

std::string faultText(const Machine& machine) {
  const Fault& fault = machine.fault();
  const std::vector<std::string>& files = machine.program().module().files;
  std::string out = "The game stopped: " + fault.message + "\n";
  if (fault.place.file < files.size())
    out += "  at " + files[fault.place.file] + ":" + std::to_string(fault.place.line) + "\n";
  for (const std::string& call : fault.calls) out += "  in " + call + "\n";
  return out;
}

} // namespace hellwig::cli
