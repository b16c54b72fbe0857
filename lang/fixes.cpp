// SPDX-License-Identifier: Apache-2.0
// Safe fixes.

#include "lang/fixes.h"

#include <algorithm>
#include <numeric>

namespace hellwig {
namespace {

const std::vector<std::string>& wordsOfTheLanguage() {
  static const std::vector<std::string> words = {
#define HELLWIG_SOFT(word) #word,
#define HELLWIG_RESERVED(word) #word,
#include "lang/syntax_tokens.def"
  };
  return words;
}

std::string_view withoutQuotes(std::string_view name) {
  if (name.size() >= 2 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
  return name;
}

} // namespace

FixJudge::FixJudge(std::vector<std::string> words) : words_(std::move(words)) {
  words_.insert(words_.end(), wordsOfTheLanguage().begin(), wordsOfTheLanguage().end());
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

bool FixJudge::isOnlyName(std::string_view written, std::string_view meant) const {
  const unsigned distance = spellingDistance(written, meant);
  if (written.size() < 3 || distance > (written.size() >= 8 ? 2U : 1U)) return false;
  return std::none_of(words_.begin(), words_.end(), [&](const std::string& word) {
    return word != written && word != meant && spellingDistance(written, word) <= distance;
  });
}

bool FixJudge::isSafe(const Diagnostic& diagnostic) const {
  if (!diagnostic.fix || !diagnostic.file) return false;
  const Fix& fix = *diagnostic.fix;
  const std::string_view text = diagnostic.file->text();
  if (fix.range.offset > text.size() || fix.range.length > text.size() - fix.range.offset) return false;
  if (fix.label.starts_with("did you mean"))
    return isOnlyName(withoutQuotes(diagnostic.file->text(fix.range)), withoutQuotes(fix.replacement));
  switch (diagnostic.code) {
  case DiagnosticCode::unknownSign:
  case DiagnosticCode::reservedWord:
  case DiagnosticCode::decimalNumber:
  case DiagnosticCode::cellWithoutPipe:
  case DiagnosticCode::equalsInCondition:
  case DiagnosticCode::otherwiseForElse:
  case DiagnosticCode::elementWithIn:
  case DiagnosticCode::stepWithoutWord:
  case DiagnosticCode::setWithEquals:
  case DiagnosticCode::callWithoutDo:
  case DiagnosticCode::nameOfSeveralWords:
  case DiagnosticCode::plusInCell:
  case DiagnosticCode::onTurn:
  case DiagnosticCode::hookWording:
  case DiagnosticCode::removeWithoutForces:
  case DiagnosticCode::bareField:
  case DiagnosticCode::textForThing: return true;
  // Where it was to end is certain only if nothing stands in it that might lie behind its end.
  case DiagnosticCode::openText:
  case DiagnosticCode::openMark:
    return diagnostic.file->text(diagnostic.range).substr(1).find_first_of("\"[]{}|/") ==
           std::string_view::npos;
  default: return false;
  }
}

MadeFixes makeFixes(std::string_view text, const std::vector<Fix>& fixes) {
  std::vector<std::size_t> order(fixes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(fixes[a].range.offset, fixes[a].range.end()) <
           std::pair(fixes[b].range.offset, fixes[b].range.end());
  });
  MadeFixes out;
  std::size_t done = 0;
  for (const std::size_t index : order) {
    const Fix& fix = fixes[index];
    if (!out.made.empty() && fix.range.offset <= done) continue;
    out.text += text.substr(done, fix.range.offset - done);
    out.text += fix.replacement;
    done = fix.range.end();
    out.made.push_back(index);
  }
  out.text += text.substr(done);
  return out;
}

} // namespace hellwig
