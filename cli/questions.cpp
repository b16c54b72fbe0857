// SPDX-License-Identifier: Apache-2.0
// why and explain.
#include "cli/questions.h"

#include "cli/arguments.h"
#include "cli/names.h"
#include "runtime/explanation.h"

#include <algorithm>

namespace hellwig::cli {
namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '?')) text.remove_suffix(1);
  return std::string(text);
}

/// Explaining is only possible where the compiler left a body for it.
std::string reasonOrNothing(Machine& machine, const Explanation& explanation, std::int32_t viewer,
                            const std::string& otherwise) {
  const std::string text = explanationText(machine, explanation, true, {viewer});
  return text.empty() ? otherwise : text;
}

const NamedBody* namedBody(const Module& module, std::string_view& words) {
  const NamedBody* best = nullptr;
  for (const NamedBody& named : module.named) {
    if (!words.starts_with(named.name)) continue;
    if (words.size() > named.name.size() && words[named.name.size()] != ' ' &&
        words[named.name.size()] != '(')
      continue;
    if (best == nullptr || named.name.size() > best->name.size()) best = &named;
  }
  if (best != nullptr) {
    words.remove_prefix(best->name.size());
    while (!words.empty() && (words.front() == '(' || words.front() == ' ')) words.remove_prefix(1);
    while (!words.empty() && (words.back() == ')' || words.back() == ' ')) words.remove_suffix(1);
  }
  return best;
}

std::uint16_t domainOf(const Module& module, const ValueType& type) {
  for (std::size_t d = 0; d < module.domains.size(); ++d) {
    const ValueType& element = module.domains[d].element;
    if (element.kind == type.kind && (type.kind != ValueKind::enumeration || element.id == type.id))
      return static_cast<std::uint16_t>(d);
  }
  return domainCounters;
}

/// Words for the parameters of a body, from what was typed. False if something is missing.
bool takeArguments(const Machine& machine, const std::vector<ValueType>& types, std::string_view& words,
                   std::vector<Word>& arguments) {
  const Module& module = machine.program().module();
  for (const ValueType& type : types) {
    if (!type.isSet) {
      const std::optional<Word> thing = takeThing(machine, type, words);
      if (!thing) return false;
      arguments.push_back(*thing);
      continue;
    }
    // A set takes as many things of its kind as follow with commas; the next parameter begins without one.
    ValueType element = type;
    element.isSet = false;
    const std::uint32_t setWords = machine.program().domainWords(domainOf(module, type));
    const std::size_t from = arguments.size();
    arguments.resize(from + setWords, 0);
    for (bool more = true; more;) {
      const std::optional<Word> thing = takeThing(machine, element, words);
      if (!thing) return false;
      const auto bit =
          static_cast<std::size_t>(type.kind == ValueKind::integer ? *thing - lowestSetInt : *thing);
      if (bit / 64 >= setWords) return false;
      auto word = static_cast<std::uint64_t>(arguments[from + bit / 64]);
      word |= std::uint64_t{1} << (bit % 64);
      arguments[from + bit / 64] = static_cast<Word>(word);
      more = words.starts_with(",") || words.starts_with(" and ");
    }
  }
  return trimmed(words).empty();
}

std::string typeWord(const Module& module, const ValueType& type) {
  const std::string many = type.isSet ? "set of " : "";
  switch (type.kind) {
  case ValueKind::integer: return many + "number";
  case ValueKind::hex: return many + "hex";
  case ValueKind::side: return many + "side";
  case ValueKind::counter: return many + module.kinds[type.id].name;
  case ValueKind::enumeration: return many + module.enums[type.id].name;
  case ValueKind::direction: return many + "direction";
  case ValueKind::boolean: return "yes or no";
  case ValueKind::box: return many + "box";
  case ValueKind::area: return many + "area";
  default: return many + "thing";
  }
}

std::string usage(const Module& module, const NamedBody& named) {
  std::string out = named.name + " wants";
  for (std::size_t i = 0; i < named.parameterTypes.size(); ++i)
    out += (i == 0 ? ": " : ", ") + typeWord(module, named.parameterTypes[i]);
  return out + (named.parameterTypes.empty() ? " nothing more" : "");
}

/// The hexes, costs or reason of a route; its last argument is a hex that the route itself does not take.
std::string explainRoute(Machine& machine, const NamedBody& named, std::string_view words, TextView view,
                         bool& understood) {
  const Module& module = machine.program().module();
  std::vector<ValueType> types = named.parameterTypes;
  types.push_back({ValueKind::hex, 0, false, false});
  std::vector<Word> arguments;
  if (!takeArguments(machine, types, words, arguments)) {
    understood = false;
    return usage(module, named) + " and the hex to reach.";
  }
  const auto to = static_cast<std::uint16_t>(arguments.back());
  arguments.pop_back();
  const auto route = static_cast<std::uint16_t>(named.body);
  const std::string way =
      explanationText(machine, machine.explainReach(route, arguments, to, view), true, {view.viewer});
  if (!way.empty()) return way;
  const Explanation why = machine.whyNotReach(route, arguments, to, view);
  return "no: " + reasonOrNothing(machine, why, view.viewer, "no way leads there");
}

/// The hexes on offer may be the reach of a counter, as in `choose h from reach march(u)`: then its route
/// tells why a hex is not among them. Empty if no route of one counter has just these ends.
std::string whyNotOnTheWay(Machine& machine, std::uint16_t to, TextView view) {
  const Module& module = machine.program().module();
  const Pending& pending = machine.pending();
  for (const NamedBody& named : module.named) {
    if (named.what != NamedBody::What::route || named.parameterTypes.size() != 1 ||
        named.parameterTypes[0].kind != ValueKind::counter || named.parameterTypes[0].isSet)
      continue;
    const auto route = static_cast<std::uint16_t>(named.body);
    const auto& members = module.kinds[named.parameterTypes[0].id].members;
    for (std::size_t c = 0; c < module.counters.size(); ++c) {
      if (module.counters[c].side != pending.owner || machine.hexOf(static_cast<std::uint16_t>(c)) < 0 ||
          ((members[c / 64] >> (c % 64)) & 1) == 0)
        continue;
      const auto counter = static_cast<Word>(c);
      const std::vector<std::uint64_t> ends = machine.reach(route, {&counter, 1});
      if (std::equal(ends.begin(), ends.end(), pending.elements.begin(), pending.elements.end()))
        return explanationText(machine, machine.whyNotReach(route, {&counter, 1}, to, view), true, view);
    }
  }
  return {};
}

/// Of each action on offer that begins with a choice: why this is not among its elements.
std::string whyNotOffered(Machine& machine, std::string_view words, std::int32_t viewer, bool& understood) {
  const Module& module = machine.program().module();
  const Pending& pending = machine.pending();
  const Decision& decision = module.decisions[pending.decision];
  std::string out;
  for (const Pending::Offer& offer : pending.offers) {
    std::string_view rest = words;
    const ValueType element = module.domains[offer.domain].element;
    const std::optional<Word> thing = takeThing(machine, element, rest);
    if (!thing || !trimmed(rest).empty()) continue;
    const auto bit =
        static_cast<std::uint32_t>(element.kind == ValueKind::integer ? *thing - lowestSetInt : *thing);
    const bool among = offer.count != 0 && bit / 64 < offer.elements.size() &&
                       ((offer.elements[bit / 64] >> (bit % 64)) & 1) != 0;
    const std::string& name = decision.alternatives[offer.alternative].name;
    const std::string reason =
        among ? "it is among the options"
              : reasonOrNothing(machine, machine.whyNotOption(bit, {viewer}, offer.alternative), viewer,
                                "it is not among the options");
    out += (out.empty() ? "" : "\n") + (name.empty() ? reason : name + ": " + reason);
  }
  if (!out.empty()) return out;
  understood = false;
  return "Why what? Name what might be chosen here.";
}

std::string why(Machine& machine, std::string_view words, std::int32_t viewer, bool& understood) {
  const Module& module = machine.program().module();
  const bool decides = machine.status() == Status::decision;
  const Pending& pending = machine.pending();
  const ValueType element = decides ? module.domains[pending.domain].element : ValueType{};
  std::string_view rest = words;
  const auto isOption = [&](Word thing) {
    const auto bit =
        static_cast<std::size_t>(element.kind == ValueKind::integer ? thing - lowestSetInt : thing);
    return bit / 64 < pending.elements.size() && ((pending.elements[bit / 64] >> (bit % 64)) & 1) != 0;
  };
  const auto whyNot = [&](Word thing) -> std::string {
    if (isOption(thing)) return "It is among the options.";
    const auto bit =
        static_cast<std::uint32_t>(element.kind == ValueKind::integer ? thing - lowestSetInt : thing);
    std::string reason = explanationText(machine, machine.whyNotOption(bit, {viewer}), true, {viewer});
    if (reason.empty() && element.kind == ValueKind::hex)
      reason = whyNotOnTheWay(machine, static_cast<std::uint16_t>(bit), {viewer});
    return !reason.empty()
               ? reason
               : std::string("It is not among the options here; no rule gives a reason of its own.");
  };

  // A counter and a hex: the routes of the counter.
  for (std::size_t kind = 0; kind < module.kinds.size(); ++kind) {
    std::string_view after = words;
    const std::optional<Word> counter =
        takeThing(machine, {ValueKind::counter, static_cast<std::uint16_t>(kind), false, false}, after);
    if (!counter || trimmed(after).empty()) continue;
    const std::optional<Word> hex = takeThing(machine, {ValueKind::hex, 0, false, false}, after);
    if (!hex || !trimmed(after).empty()) continue;
    std::string out;
    for (const NamedBody& named : module.named) {
      if (named.what != NamedBody::What::route || named.parameterTypes.size() != 1 ||
          named.parameterTypes[0].kind != ValueKind::counter || named.parameterTypes[0].isSet)
        continue;
      const auto& members = module.kinds[named.parameterTypes[0].id].members;
      if (((members[static_cast<std::size_t>(*counter) / 64] >> (*counter % 64)) & 1) == 0) continue;
      const Explanation why = machine.whyNotReach(static_cast<std::uint16_t>(named.body), {&*counter, 1},
                                                  static_cast<std::uint16_t>(*hex), {viewer});
      out += (out.empty() ? "" : "\n") + named.name + ": " +
             reasonOrNothing(machine, why, viewer, "it can go there");
    }
    return out.empty() ? "No route leads a counter of this kind." : out;
  }

  if (!decides) {
    understood = false;
    return "No decision is pending, so nothing is refused. Ask for a counter and a hex: why Infantry 2 0508.";
  }
  if (!pending.offers.empty()) return whyNotOffered(machine, words, viewer, understood);
  if (const std::optional<Word> thing = takeThing(machine, element, rest); thing && trimmed(rest).empty())
    return whyNot(*thing);
  // What is asked for is of another kind than the options: a counter stands for its hex, a hex for what is in
  // it.
  rest = words;
  const std::optional<Word> hex = takeThing(machine, {ValueKind::hex, 0, false, false}, rest);
  if (hex && trimmed(rest).empty() && element.kind == ValueKind::counter) {
    std::string out;
    for (const std::uint16_t counter : machine.stackAt(static_cast<std::uint16_t>(*hex)))
      out += (out.empty() ? "" : "\n") + machine.display(counter, element, {viewer}) + ": " + whyNot(counter);
    return out.empty() ? "Nothing is in that hex." : out;
  }
  for (std::size_t kind = 0; kind < module.kinds.size() && element.kind == ValueKind::hex; ++kind) {
    rest = words;
    const std::optional<Word> counter =
        takeThing(machine, {ValueKind::counter, static_cast<std::uint16_t>(kind), false, false}, rest);
    if (!counter || !trimmed(rest).empty()) continue;
    const std::int32_t at = machine.hexOf(static_cast<std::uint16_t>(*counter));
    return at < 0 ? "It is not on the map." : whyNot(at);
  }
  understood = false;
  return "Why what? Name a hex or a counter, or a counter and a hex: why 0508; why Infantry 2; why Infantry "
         "2 "
         "0508.";
}

std::string explain(Machine& machine, std::string_view words, std::int32_t viewer, bool& understood) {
  const Module& module = machine.program().module();
  const std::string text = trimmed(words);
  std::string_view rest = text;
  const NamedBody* named = namedBody(module, rest);
  if (named == nullptr) {
    understood = false;
    std::vector<std::string> names;
    for (const NamedBody& body : module.named) names.push_back(body.name);
    if (text.empty()) return "Explain what? Name a value with its arguments: explain defense Infantry 2.";
    const std::string name = text.substr(0, text.find(' ')), near = meant(name, names);
    return "There is no value, permission, route or zone '" + name + "'" + (near.empty() ? "." : near);
  }
  const TextView view{viewer};
  if (named->what == NamedBody::What::route) return explainRoute(machine, *named, rest, view, understood);
  std::vector<ValueType> types = named->parameterTypes;
  std::uint32_t body = named->explainBody;
  if (named->what == NamedBody::What::zone) {
    body = module.zones[named->body].whyBody;
    if (types.size() == 1) types.push_back({ValueKind::hex, 0, false, false});
  }
  if (named->what == NamedBody::What::procedure || named->what == NamedBody::What::table)
    return "'" + named->name + "' is a " + (named->what == NamedBody::What::table ? "table" : "procedure") +
           ": it has no explanation by itself.";
  std::vector<Word> arguments;
  if (!takeArguments(machine, types, rest, arguments)) {
    understood = false;
    const bool place = types.size() > named->parameterTypes.size();
    return usage(module, *named) + (place ? " and a hex." : ".");
  }
  if (named->what == NamedBody::What::value) {
    if (body != noBody)
      return explanationText(machine, machine.explain(body, arguments, nullptr, view), true, {viewer});
    const std::optional<std::vector<Word>> value = machine.evaluate(named->body, arguments);
    return value ? machine.display(std::span<const Word>(*value), named->result, view)
                 : "This cannot be computed here.";
  }
  if (body == noBody) return "'" + named->name + "' has no clauses to explain.";
  std::vector<Word> value;
  const Explanation explanation = machine.explain(body, arguments, &value, view);
  const std::string reason = explanationText(machine, explanation, true, {viewer});
  return std::string(!value.empty() && value.front() != 0 ? "yes" : "no") +
         (reason.empty() ? "" : ": " + reason);
}

} // namespace

Reply answerWhy(Machine& machine, std::string_view words, std::int32_t viewer) {
  Reply reply;
  reply.text = why(machine, words, viewer, reply.understood);
  return reply;
}

Reply answerExplain(Machine& machine, std::string_view words, std::int32_t viewer) {
  Reply reply;
  reply.text = explain(machine, words, viewer, reply.understood);
  return reply;
}

Reply answerQuestion(Machine& machine, std::string_view words, std::int32_t viewer) {
  const std::string text = trimmed(words);
  std::string_view rest = text;
  for (const std::string_view word : {"why ", "explain "})
    if (rest.starts_with(word)) rest.remove_prefix(word.size());
  std::string_view name = rest;
  if (namedBody(machine.program().module(), name) != nullptr || text.starts_with("explain "))
    return answerExplain(machine, rest, viewer);
  return answerWhy(machine, rest, viewer);
}

} // namespace hellwig::cli
