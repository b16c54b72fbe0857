// SPDX-License-Identifier: Apache-2.0
// hellwig explain: the page of a diagnostic.
#include "cli/command.h"
#include "cli/console.h"
#include "lang/diagnostic.h"
#include "lang/diagnostic_pages.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <optional>

namespace hellwig::cli {
namespace {

/// "HW0203", "hw0203" and "203" all mean the same.
std::optional<unsigned> numberOf(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (word.starts_with("HW")) word.erase(0, 2);
  if (word.empty() || word.size() > 4 ||
      !std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  return static_cast<unsigned>(std::stoul(word));
}

/// Markdown for a terminal: no hints for the tests, and code moved in instead of fenced.
std::string shown(std::string_view page) {
  std::string out;
  bool code = false, blank = true;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    std::string line(page.substr(at, end - at));
    at = end + 1;
    if (line.starts_with("<!--")) continue;
    if (line.starts_with("```")) {
      code = !code;
      continue;
    }
    if (!code && line.starts_with("# ")) line.erase(0, 2);
    if (line.empty() && blank) continue;
    blank = line.empty();
    out += (code && !line.empty() ? "    " : "") + line + "\n";
  }
  return out;
}

std::string titleOf(std::string_view page) {
  const std::size_t from = page.find(": ");
  return from == std::string_view::npos ? "" : std::string(page.substr(from + 2, page.find('\n') - from - 2));
}

int list() {
  for (const DiagnosticInfo& info : allDiagnostics()) {
    const std::vector<DiagnosticPage>& pages = diagnosticPages();
    const auto page =
        std::find_if(pages.begin(), pages.end(), [&](const auto& p) { return p.code == info.code; });
    std::cout << codeText(info.code) << "  " << filled(std::string(severityName(info.severity)), 8)
              << (page == pages.end() ? std::string(info.message) : titleOf(page->text)) << "\n";
  }
  return fine;
}

int run(const Arguments& arguments) {
  if (arguments.rest().empty()) return list();
  const std::string word = arguments.only("code");
  const std::optional<unsigned> number = numberOf(word);
  std::vector<std::string> known;
  for (const DiagnosticInfo& info : allDiagnostics()) {
    known.push_back(codeText(info.code));
    if (!number || static_cast<unsigned>(info.code) != *number) continue;
    for (const DiagnosticPage& page : diagnosticPages())
      if (page.code == info.code) {
        std::cout << shown(page.text);
        return fine;
      }
    std::cout << known.back() << ": " << info.message << "\n";
    return fine;
  }
  const std::string asked = number ? codeText(static_cast<DiagnosticCode>(*number)) : word;
  throw UsageError{"there is no code '" + word + "'" + meant(asked, known) +
                   "\n'hellwig explain' alone lists all codes."};
}

} // namespace

Command explainCommand() {
  return {"explain",
          "[CODE]",
          "what a diagnostic such as HW0213 means, and how it is mended",
          "Without a code it lists them all.",
          {},
          run};
}

} // namespace hellwig::cli
