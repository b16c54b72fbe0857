// SPDX-License-Identifier: Apache-2.0
// Diagnostics as text with the line and the span marked, and as JSON.

#include "lang/diagnostic.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace hellwig {
namespace {

constexpr std::string_view bold = "\x1b[1m", red = "\x1b[31m", yellow = "\x1b[33m", blue = "\x1b[36m",
                           plain = "\x1b[0m";

std::string_view colourOf(Severity severity) {
  switch (severity) {
  case Severity::note: return blue;
  case Severity::warning: return yellow;
  case Severity::error: return red;
  }
  return plain;
}

constexpr uint32_t excerptWidth = 480;

class Printer {
public:
  explicit Printer(const PrintStyle& style) : style_(style) {}

  void place(const SourceText& file, TextRange range) {
    LineColumn at = file.position(range.offset);
    out += file.path();
    out += ':';
    out += std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
  }

  void paint(std::string_view colour, std::string_view text) {
    if (style_.colour) out += colour;
    out += text;
    if (style_.colour) out += plain;
  }

  // The line in which the span begins, and `^~~~` under the part of the span that stands in it. Tabs and
  // other control characters are shown as blanks and marks are counted in code points, so that the two lines
  // match.
  void excerpt(const SourceText& file, TextRange range, std::string_view colour) {
    uint32_t number = file.lineOf(range.offset);
    TextRange line = file.line(number);
    std::string gutter = std::to_string(number);
    if (gutter.size() < 4) gutter.insert(0, 4 - gutter.size(), ' ');
    out += gutter + " | ";
    std::string marks;
    uint32_t end = std::max(range.end(), range.offset + 1);
    // Of a very long line the part around the beginning of the span is enough.
    uint32_t from = line.offset, last = line.end();
    if (last - from > excerptWidth) {
      if (range.offset > from + excerptWidth / 2) from = range.offset - excerptWidth / 2;
      last = std::min(last, from + excerptWidth);
      while (from < range.offset && (file.text()[from] & 0xc0) == 0x80) ++from;
      while (last < line.end() && (file.text()[last] & 0xc0) == 0x80) ++last;
    }
    for (uint32_t i = from; i < last; ++i) {
      unsigned char c = static_cast<unsigned char>(file.text()[i]);
      out += c < 0x20 || c == 0x7f ? ' ' : static_cast<char>(c);
      if ((c & 0xc0) == 0x80) continue;
      marks += i < range.offset || i >= end ? ' ' : marks.find('^') == std::string::npos ? '^' : '~';
    }
    if (marks.find('^') == std::string::npos) marks += '^';
    marks.erase(marks.find_last_not_of(' ') + 1);
    out += "\n     | ";
    paint(colour, marks);
    out += '\n';
  }

  std::string out;

private:
  const PrintStyle& style_;
};

std::string withoutLineEnds(std::string text) {
  size_t at = 0;
  while ((at = text.find('\n', at)) != std::string::npos) text.replace(at, 1, "\\n");
  return text;
}

llvm::json::Object placeJson(const SourceText& file, TextRange range) {
  LineColumn begin = file.position(range.offset), end = file.position(range.end());
  return llvm::json::Object{{"file", file.path()},   {"line", begin.line},      {"column", begin.column},
                            {"endLine", end.line},   {"endColumn", end.column}, {"offset", range.offset},
                            {"length", range.length}};
}

} // namespace

std::string render(const Diagnostic& diagnostic, const PrintStyle& style) {
  Printer printer(style);
  if (diagnostic.file) printer.place(*diagnostic.file, diagnostic.range);
  printer.paint(colourOf(diagnostic.severity),
                std::string(severityName(diagnostic.severity)) + " " + codeText(diagnostic.code) + ":");
  printer.out += ' ';
  printer.paint(bold, diagnostic.message);
  printer.out += '\n';
  if (diagnostic.file) printer.excerpt(*diagnostic.file, diagnostic.range, colourOf(diagnostic.severity));
  for (const SecondaryPlace& place : diagnostic.places) {
    if (!place.file) {
      printer.out += "note: " + place.message + '\n';
      continue;
    }
    printer.place(*place.file, place.range);
    printer.out += "note: " + place.message + '\n';
    printer.excerpt(*place.file, place.range, blue);
  }
  if (diagnostic.fix) {
    printer.out += "help: " + diagnostic.fix->label;
    // A label that shows the new text already is not followed by it once more.
    std::string shown = diagnostic.fix->replacement;
    shown.erase(0, shown.find_first_not_of(' '));
    shown.erase(shown.find_last_not_of(' ') + 1);
    if (!shown.empty() && diagnostic.fix->label.find(shown) == std::string::npos)
      printer.out += ": `" + withoutLineEnds(shown) + "`";
    printer.out += '\n';
  }
  for (const std::string& help : diagnostic.help) printer.out += "help: " + help + '\n';
  return printer.out;
}

std::string render(const DiagnosticSink& sink, const PrintStyle& style) {
  std::string out;
  for (const Diagnostic& diagnostic : sink.all()) out += render(diagnostic, style);
  return out;
}

std::string renderJson(const DiagnosticSink& sink) {
  // llvm::json takes only valid UTF-8; paths and messages may quote anything.
  auto clean = [](const std::string& text) { return llvm::json::fixUTF8(text); };
  llvm::json::Array array;
  for (const Diagnostic& diagnostic : sink.all()) {
    llvm::json::Object object =
        diagnostic.file ? placeJson(*diagnostic.file, diagnostic.range) : llvm::json::Object{};
    object["code"] = codeText(diagnostic.code);
    object["severity"] = std::string(severityName(diagnostic.severity));
    object["message"] = clean(diagnostic.message);
    llvm::json::Array places;
    for (const SecondaryPlace& place : diagnostic.places) {
      llvm::json::Object entry = place.file ? placeJson(*place.file, place.range) : llvm::json::Object{};
      entry["message"] = clean(place.message);
      places.push_back(std::move(entry));
    }
    if (!places.empty()) object["places"] = std::move(places);
    if (diagnostic.fix)
      object["fix"] = llvm::json::Object{{"offset", diagnostic.fix->range.offset},
                                         {"length", diagnostic.fix->range.length},
                                         {"replacement", clean(diagnostic.fix->replacement)},
                                         {"label", clean(diagnostic.fix->label)},
                                         {"safe", diagnostic.fix->safe}};
    llvm::json::Array help;
    for (const std::string& text : diagnostic.help) help.push_back(clean(text));
    if (!help.empty()) object["help"] = std::move(help);
    array.push_back(std::move(object));
  }
  std::string out;
  llvm::raw_string_ostream stream(out);
  stream << llvm::formatv("{0:2}", llvm::json::Value(std::move(array)));
  return stream.str();
}

} // namespace hellwig
