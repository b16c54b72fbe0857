// SPDX-License-Identifier: Apache-2.0
// From log events to lines of text.
#include "cli/story.h"

#include "runtime/explanation.h"

#include <algorithm>

namespace hellwig::cli {
namespace {

/// Two headings of the same level begin alike: "Turn 3", "Phase Attack", "Player turn Prussians".
std::string level(const std::string& heading) {
  return heading.substr(0, heading.find_first_of(" :"));
}

} // namespace

std::string citationOf(const Module& module, std::uint16_t marks) {
  return marks < module.marks.size() ? citation(module, module.marks[marks].rules) : "";
}

std::int32_t faceColumn(const Module& module, std::uint16_t counter) {
  for (std::size_t c = 0; c < module.columns.size(); ++c) {
    const Column& column = module.columns[c];
    if (column.owner != Owner::counter || column.constant || column.name != "face" ||
        column.type.kind != ValueKind::enumeration)
      continue;
    const std::vector<std::uint64_t>& members = module.kinds[column.ownerId].members;
    if (counter / 64u < members.size() && ((members[counter / 64u] >> (counter % 64u)) & 1) != 0)
      return static_cast<std::int32_t>(c);
  }
  return -1;
}

bool Storyteller::isNothing(const LogEvent& event) const {
  if (event.decision < 0) return false;
  const Decision& decision = module_.decisions[static_cast<std::size_t>(event.decision)];
  if (event.alternative >= 0) return decision.alternatives[static_cast<std::size_t>(event.alternative)].pass;
  return event.chosen.empty();
}

SessionListener Storyteller::listener(std::int32_t viewer) {
  viewer_ = viewer;
  return {[this](const Machine& machine, const LogEvent& event) { hear(machine, event); }, {viewer}};
}

void Storyteller::heading(const std::string& text, const std::vector<std::uint16_t>& rules) {
  // A span ends its like and all that was inside; those of them in which nothing happened are never told.
  const auto like =
      std::find_if(open_.begin(), open_.end(), [&](const Open& one) { return one.level == level(text); });
  const auto depth = static_cast<std::size_t>(like - open_.begin());
  open_.resize(depth);
  std::erase_if(headings_, [depth](const Heading& heading) { return heading.depth >= depth; });
  headings_.push_back({text + cited(rules), depth});
  open_.push_back({level(text), rules});
}

std::string Storyteller::cited(const std::vector<std::uint16_t>& rules) const {
  std::vector<std::uint16_t> own;
  for (const std::uint16_t rule : rules)
    if (std::none_of(open_.begin(), open_.end(), [&](const Open& span) {
          return std::find(span.rules.begin(), span.rules.end(), rule) != span.rules.end();
        }))
      own.push_back(rule);
  return citation(module_, own);
}

void Storyteller::tell(const std::string& line) {
  for (const auto& [text, depth] : headings_) {
    const bool turn = depth == 0;
    if (turn) out_ << "\n";
    if (colour_) out_ << (turn ? "\x1b[1m" : "\x1b[4m");
    out_ << text;
    if (colour_) out_ << "\x1b[0m";
    out_ << "\n";
  }
  headings_.clear();
  out_ << "  " << line << "\n";
}

std::vector<Storyteller::Seen> Storyteller::look(const Machine& machine) const {
  std::vector<Seen> seen(module_.counters.size());
  for (std::size_t c = 0; c < seen.size(); ++c) {
    const auto counter = static_cast<std::uint16_t>(c);
    const std::int32_t face = faceColumn(module_, counter);
    seen[c] = {machine.boxOf(counter),
               face < 0 ? 0 : machine.column(static_cast<std::uint16_t>(face), counter)};
  }
  return seen;
}

void Storyteller::tellChanges(const Machine& machine) {
  std::vector<Seen> now = look(machine);
  if (seen_.empty()) seen_ = now;
  Machine& asked =
      const_cast<Machine&>(machine); // asking what is hidden runs a condition, but changes nothing
  for (std::size_t c = 0; c < now.size(); ++c) {
    if (now[c].box == seen_[c].box && now[c].face == seen_[c].face) continue;
    const auto counter = static_cast<std::uint16_t>(c);
    if (viewer_ >= 0 && asked.isHidden(counter, viewer_)) continue;
    const CounterInfo& info = module_.counters[c];
    const std::string who = "> " + module_.sides[info.side].display + ", " + info.name + ": ";
    if (now[c].box != seen_[c].box && now[c].box >= 0)
      tell(who + module_.boxes[static_cast<std::size_t>(now[c].box)].display);
    else if (now[c].face != seen_[c].face) {
      const Column& column = module_.columns[static_cast<std::size_t>(faceColumn(module_, counter))];
      const std::vector<std::string>& faces = module_.enums[column.type.id].values;
      if (now[c].face >= 0 && static_cast<std::size_t>(now[c].face) < faces.size())
        tell(who + faces[static_cast<std::size_t>(now[c].face)]);
    }
  }
  seen_ = std::move(now);
}

void Storyteller::hear(const Machine& machine, const LogEvent& event) {
  tellChanges(machine);
  if (event.kind == LogEvent::Kind::span) {
    player_ = event.side;
    if (!event.text.empty()) heading(event.text, event.rules);
    return;
  }
  const bool forced = event.kind == LogEvent::Kind::forced;
  // Who won is told at the end.
  if (event.text.empty() || (forced && isNothing(event)) || event.kind == LogEvent::Kind::victory) return;
  std::string line = event.text;
  if (const std::size_t question = line.find("?: "); question != std::string::npos)
    line.erase(question + 1, 1);
  const bool decided = forced || event.kind == LogEvent::Kind::decision;
  if (decided && event.side >= 0 && event.side != player_)
    line = module_.sides[static_cast<std::size_t>(event.side)].display + ": " + line;
  if (forced) line += " (no choice)";
  tell(line + cited(event.rules));
}

void Storyteller::tellEnd(const Machine& machine) {
  if (machine.status() == Status::faulted) {
    out_ << "\n" << faultText(machine);
    return;
  }
  const GameResult& result = machine.result();
  if (!result.over) return;
  out_ << "\n";
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
