// SPDX-License-Identifier: Apache-2.0
// What the tools tell about a package: errors, warnings and notes with a stable code, their places and a
// remedy.
#pragma once

#include "lang/source_text.h"

#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hellwig {

enum class Severity : uint8_t { note, warning, error };

// Named as in diagnostics.def; the value is the number of the code (HW0203 is 203).
enum class DiagnosticCode : uint16_t {
#define HELLWIG_DIAGNOSTIC(number, name, severity, message) name = number,
#include "lang/diagnostics.def"
};

struct DiagnosticInfo {
  DiagnosticCode code;
  std::string_view name;
  Severity severity;
  std::string_view message; // with `{0}` .. for the arguments
};
// The whole list in the order of diagnostics.def.
const std::vector<DiagnosticInfo>& allDiagnostics();
const DiagnosticInfo& diagnosticInfo(DiagnosticCode code);
std::string codeText(DiagnosticCode code); // "HW0203"
std::string_view severityName(Severity severity);

// Puts the arguments into a message; `{{` and `}}` stand for braces.
std::string formatMessage(std::string_view message, const std::vector<std::string>& arguments);

using SourceRef = std::shared_ptr<const SourceText>;

// A second place that belongs to the matter.
struct SecondaryPlace {
  SourceRef file;
  TextRange range;
  std::string message;
};

// A change of the text that mends the matter; `label` says what it is, worded to follow "help: ".
struct Fix {
  TextRange range;
  std::string replacement;
  std::string label;
  bool safe = false; // it may be made without asking (lang/fixes.h judges)
};

struct Diagnostic {
  DiagnosticCode code{};
  Severity severity = Severity::error;
  SourceRef file; // null for what has no place
  TextRange range;
  std::string message;
  std::vector<SecondaryPlace> places;
  std::optional<Fix> fix;        // in `file`
  std::vector<std::string> help; // further advice without a change of text

  Diagnostic() = default;
  Diagnostic(DiagnosticCode code, SourceRef file, TextRange range,
             const std::vector<std::string>& arguments = {});

  // For building in one expression: sink.report(Diagnostic(..).also(..).withFix(..)).
  Diagnostic&& also(SourceRef where, TextRange at, std::string text) &&;
  Diagnostic&& withFix(TextRange at, std::string replacement, std::string label) &&;
  Diagnostic&& withHelp(std::string text) &&;
};

class FixJudge;

// Collects diagnostics; one thread at a time.
class DiagnosticSink {
public:
  void report(Diagnostic diagnostic);
  const std::vector<Diagnostic>& all() const { return all_; }
  size_t errorCount() const { return errors_; }
  size_t warningCount() const { return warnings_; }
  bool hasErrors() const { return errors_ != 0; }
  void append(DiagnosticSink&& other);
  // Marks the fixes that may be made without asking.
  void judgeFixes(const FixJudge& judge);
  // Orders by file (as first reported), then by place; what has no place comes last.
  void sort();
  void clear();

private:
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
  size_t warnings_ = 0;
};

struct PrintStyle {
  bool colour = false;
};

// `file:line:column: error HW0301: message`, then the line with the span marked, the other places likewise,
// and help.
std::string render(const Diagnostic& diagnostic, const PrintStyle& style = {});
std::string render(const DiagnosticSink& sink, const PrintStyle& style = {});
// An array of objects: code, severity, message, file, line, column, endLine, endColumn, offset, length,
// places, fix, help.
std::string renderJson(const DiagnosticSink& sink);

// How many letters two words differ by, capitals aside; two letters that changed places are one slip.
unsigned spellingDistance(std::string_view a, std::string_view b);
// The word of `candidates` nearest in spelling to `word`, or "" if none is near enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// Whether lengths alone leave it possible that a candidate is near: to keep lists of candidates short.
bool mayBeNear(std::string_view word, std::string_view candidate);
// Up to `count` candidates, the nearest first; all of them count, however far.
std::vector<std::string> nearestFew(std::string_view word, const std::vector<std::string>& candidates,
                                    size_t count);

} // namespace hellwig
