// SPDX-License-Identifier: Apache-2.0
// Parsing of command lines.
#include "cli/arguments.h"

#include "lang/diagnostic.h"

#include <algorithm>
#include <charconv>

namespace hellwig::cli {

std::string meant(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

Arguments::Arguments(const std::vector<std::string>& words, const std::vector<OptionSpec>& specs) {
  bool options = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!options || word.size() < 2 || word[0] != '-') {
      rest_.push_back(word);
      continue;
    }
    if (word == "--") {
      options = false;
      continue;
    }
    const std::size_t equals = word.find('=');
    std::string name = word.substr(0, equals);
    if (name == "-h") name = "--help";
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto& s) { return s.name == name; });
    if (spec == specs.end()) {
      std::vector<std::string> names;
      for (const OptionSpec& s : specs) names.push_back(s.name);
      throw UsageError{"unknown option '" + name + "'" + meant(name, names)};
    }
    Given given{name, ""};
    if (spec->value.empty()) {
      if (equals != std::string::npos) throw UsageError{"option '" + name + "' takes no value"};
    } else if (equals != std::string::npos) {
      given.value = word.substr(equals + 1);
    } else if (i + 1 < words.size()) {
      given.value = words[++i];
    } else {
      throw UsageError{"option '" + name + "' needs a value: " + name + " " + spec->value};
    }
    given_.push_back(std::move(given));
  }
}

bool Arguments::has(std::string_view name) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& given) { return given.name == name; });
}

std::string Arguments::text(std::string_view name, std::string otherwise) const {
  for (const Given& given : given_)
    if (given.name == name) otherwise = given.value;
  return otherwise;
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const Given& given : given_)
    if (given.name == name) values.push_back(given.value);
  return values;
}

std::uint64_t Arguments::number(std::string_view name, std::uint64_t otherwise, std::uint64_t least,
                                std::uint64_t most) const {
  if (!has(name)) return otherwise;
  const std::string value = text(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < least || number > most)
    throw UsageError{"option '" + std::string(name) + "' needs a whole number from " + std::to_string(least) +
                     " to " + std::to_string(most) + ", not '" + value + "'"};
  return number;
}

std::string Arguments::oneOf(std::string_view name, const std::vector<std::string>& allowed) const {
  const std::string value = text(name, allowed.front());
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  std::string list;
  for (const std::string& word : allowed) list += (list.empty() ? "" : ", ") + word;
  throw UsageError{"option '" + std::string(name) + "' is one of " + list + ", not '" + value + "'" +
                   meant(value, allowed)};
}

std::string Arguments::only(std::string_view what, std::string otherwise) const {
  if (rest_.size() > 1)
    throw UsageError{"one " + std::string(what) + " is enough: '" + rest_[1] + "' is too much"};
  if (rest_.empty() && otherwise.empty()) throw UsageError{"which " + std::string(what) + "?"};
  return rest_.empty() ? otherwise : rest_.front();
}

} // namespace hellwig::cli
