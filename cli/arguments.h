// SPDX-License-Identifier: Apache-2.0
// Reading a command line: options declared as data, so that parsing, help and suggestions come from one list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hellwig::cli {

struct OptionSpec {
  std::string name;  ///< "--games"
  std::string value; ///< what follows it, for help ("N"); empty for a switch
  std::string help;
};

/// Thrown for a command line that means nothing; the text is for the user. main() ends with exit code 2.
struct UsageError {
  std::string message;
};

class Arguments {
public:
  /// `--name value`, `--name=value`, switches, and the rest in order; what follows `--` is never an option.
  /// Throws UsageError for an unknown option (with the nearest one) or a missing value.
  Arguments(const std::vector<std::string>& words, const std::vector<OptionSpec>& specs);

  bool has(std::string_view name) const;
  /// The last value given, or `otherwise`.
  std::string text(std::string_view name, std::string otherwise = {}) const;
  std::vector<std::string> all(std::string_view name) const;
  /// A whole number from `least` to `most`; throws UsageError for anything else.
  std::uint64_t number(std::string_view name, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) const;
  /// One of the words allowed; throws UsageError with the nearest one.
  std::string oneOf(std::string_view name, const std::vector<std::string>& allowed) const;

  const std::vector<std::string>& rest() const { return rest_; }
  /// The only word that is no option, or `otherwise` if there is none and that is not empty.
  std::string only(std::string_view what, std::string otherwise = {}) const;

private:
  struct Given {
    std::string name, value;
  };
  std::vector<Given> given_;
  std::vector<std::string> rest_;
};

/// "; did you mean X?" or nothing.
std::string meant(std::string_view word, const std::vector<std::string>& candidates);

} // namespace hellwig::cli
