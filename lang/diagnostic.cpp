// SPDX-License-Identifier: Apache-2.0
// The list of diagnostics, their collection, and spelling suggestions.

#include "lang/diagnostic.h"

#include "lang/fixes.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>

namespace hellwig {

const std::vector<DiagnosticInfo>& allDiagnostics() {
  static const std::vector<DiagnosticInfo> list = {
#define HELLWIG_DIAGNOSTIC(number, name, severity, message)                                                  \
  DiagnosticInfo{DiagnosticCode::name, #name, Severity::severity, message},
#include "lang/diagnostics.def"
  };
  return list;
}

const DiagnosticInfo& diagnosticInfo(DiagnosticCode code) {
  // The list is ordered by number within the file, and every code of the enumeration is in it.
  static const std::map<DiagnosticCode, const DiagnosticInfo*> byCode = [] {
    std::map<DiagnosticCode, const DiagnosticInfo*> map;
    for (const DiagnosticInfo& info : allDiagnostics()) map.emplace(info.code, &info);
    return map;
  }();
  return *byCode.at(code);
}

std::string codeText(DiagnosticCode code) {
  std::string digits = std::to_string(static_cast<unsigned>(code));
  return "HW" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

std::string_view severityName(Severity severity) {
  switch (severity) {
  case Severity::note: return "note";
  case Severity::warning: return "warning";
  case Severity::error: return "error";
  }
  return "";
}

std::string formatMessage(std::string_view message, const std::vector<std::string>& arguments) {
  std::string out;
  for (size_t i = 0; i < message.size(); ++i) {
    char c = message[i];
    if ((c == '{' || c == '}') && i + 1 < message.size() && message[i + 1] == c) {
      out += c;
      ++i;
    } else if (c == '{' && i + 2 < message.size() && message[i + 2] == '}') {
      size_t index = static_cast<size_t>(message[i + 1] - '0');
      if (index < arguments.size()) out += arguments[index];
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

Diagnostic::Diagnostic(DiagnosticCode c, SourceRef f, TextRange r, const std::vector<std::string>& arguments)
    : code(c), severity(diagnosticInfo(c).severity), file(std::move(f)), range(r),
      message(formatMessage(diagnosticInfo(c).message, arguments)) {}

Diagnostic&& Diagnostic::also(SourceRef where, TextRange at, std::string text) && {
  places.push_back({std::move(where), at, std::move(text)});
  return std::move(*this);
}

Diagnostic&& Diagnostic::withFix(TextRange at, std::string replacement, std::string label) && {
  fix = Fix{at, std::move(replacement), std::move(label)};
  return std::move(*this);
}

Diagnostic&& Diagnostic::withHelp(std::string text) && {
  help.push_back(std::move(text));
  return std::move(*this);
}

void DiagnosticSink::report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++errors_;
  if (diagnostic.severity == Severity::warning) ++warnings_;
  all_.push_back(std::move(diagnostic));
}

void DiagnosticSink::append(DiagnosticSink&& other) {
  for (Diagnostic& diagnostic : other.all_) report(std::move(diagnostic));
  other.clear();
}

void DiagnosticSink::judgeFixes(const FixJudge& judge) {
  for (Diagnostic& diagnostic : all_)
    if (diagnostic.fix) diagnostic.fix->safe = judge.isSafe(diagnostic);
}

void DiagnosticSink::sort() {
  std::map<const SourceText*, size_t> order;
  for (const Diagnostic& diagnostic : all_)
    if (diagnostic.file) order.emplace(diagnostic.file.get(), order.size());
  auto rank = [&](const Diagnostic& d) { return d.file ? order[d.file.get()] : order.size(); };
  std::stable_sort(all_.begin(), all_.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(rank(a), a.range.offset) < std::pair(rank(b), b.range.offset);
  });
}

void DiagnosticSink::clear() {
  all_.clear();
  errors_ = warnings_ = 0;
}

std::vector<std::string> nearestFew(std::string_view word, const std::vector<std::string>& candidates,
                                    size_t count) {
  std::vector<std::pair<unsigned, size_t>> ranked;
  for (size_t i = 0; i < candidates.size(); ++i)
    ranked.emplace_back(llvm::StringRef(word).edit_distance_insensitive(candidates[i]), i);
  std::stable_sort(ranked.begin(), ranked.end());
  std::vector<std::string> few;
  for (size_t i = 0; i < ranked.size() && few.size() < count; ++i)
    few.push_back(candidates[ranked[i].second]);
  return few;
}

namespace {

// Two letters that changed places are one slip, not two.
bool swapped(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  size_t i = 0;
  while (i < a.size() && a[i] == b[i]) ++i;
  return i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] && a.substr(i + 2) == b.substr(i + 2);
}

} // namespace

unsigned spellingDistance(std::string_view a, std::string_view b) {
  return swapped(a, b) ? 1 : llvm::StringRef(a).edit_distance_insensitive(b);
}

namespace {
// A third of the word may differ; a single letter has no neighbour.
unsigned mostDifferent(std::string_view word) {
  return static_cast<unsigned>(word.size() / 3 + (word.size() >= 2 ? 1 : 0));
}
} // namespace

bool mayBeNear(std::string_view word, std::string_view candidate) {
  const size_t longer = std::max(word.size(), candidate.size()),
               shorter = std::min(word.size(), candidate.size());
  return longer - shorter <= mostDifferent(word);
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  unsigned best = mostDifferent(word);
  std::string result;
  for (const std::string& candidate : candidates) {
    if (!mayBeNear(word, candidate)) continue;
    bool exchanged = swapped(word, candidate);
    unsigned distance = spellingDistance(word, candidate);
    if (distance >= std::max<size_t>(word.size(), candidate.size())) continue;
    if (distance < best || (distance == best && (result.empty() || exchanged))) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

} // namespace hellwig
