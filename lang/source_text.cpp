// SPDX-License-Identifier: Apache-2.0
// Loading and checking of source text, and its table of lines.

#include "lang/source_text.h"

#include "lang/diagnostic.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace hellwig {

SourceText::SourceText(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  lineStarts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    bool ends = text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'));
    if (ends) lineStarts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

uint32_t SourceText::lineOf(uint32_t offset) const {
  auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  return static_cast<uint32_t>(after - lineStarts_.begin());
}

LineColumn SourceText::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  uint32_t number = lineOf(offset);
  LineColumn at{number, 1};
  for (uint32_t i = lineStarts_[number - 1]; i < offset; ++i)
    if ((static_cast<unsigned char>(text_[i]) & 0xc0) != 0x80) ++at.column;
  return at;
}

TextRange SourceText::line(uint32_t number) const {
  uint32_t begin = lineStarts_[number - 1];
  uint32_t end = number < lineCount() ? lineStarts_[number] : static_cast<uint32_t>(text_.size());
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return {begin, end - begin};
}

size_t firstInvalidUtf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
    unsigned char c = byte(i);
    size_t length = c < 0x80                 ? 1
                    : c >= 0xc2 && c <= 0xdf ? 2
                    : c >= 0xe0 && c <= 0xef ? 3
                    : c >= 0xf0 && c <= 0xf4 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xc0) != 0x80) return i;
    // Overlong forms, surrogates and what lies beyond U+10FFFF.
    if ((c == 0xe0 && byte(i + 1) < 0xa0) || (c == 0xed && byte(i + 1) >= 0xa0) ||
        (c == 0xf0 && byte(i + 1) < 0x90) || (c == 0xf4 && byte(i + 1) >= 0x90))
      return i;
    i += length;
  }
  return text.size();
}

std::shared_ptr<const SourceText> SourceText::make(const std::string& shownPath, std::string text,
                                                   DiagnosticSink& sink) {
  if (text.size() > maxBytes) {
    sink.report(Diagnostic(DiagnosticCode::fileTooLarge, std::make_shared<SourceText>(shownPath, ""), {},
                           {std::to_string(text.size()), std::to_string(maxBytes)}));
    return nullptr;
  }
  size_t bad = firstInvalidUtf8(text);
  if (bad < text.size()) {
    // The text up to the bad byte is valid, so it can be shown.
    uint32_t offset = static_cast<uint32_t>(bad);
    text.resize(bad);
    auto shown = std::make_shared<SourceText>(shownPath, std::move(text));
    sink.report(Diagnostic(DiagnosticCode::notUtf8, shown, {offset, 0}));
    return nullptr;
  }
  return std::make_shared<SourceText>(shownPath, std::move(text));
}

std::shared_ptr<const SourceText> SourceText::load(const std::string& path, const std::string& shownPath,
                                                   DiagnosticSink& sink) {
  auto unreadable = [&](const std::string& why) {
    sink.report(
        Diagnostic(DiagnosticCode::unreadableFile, std::make_shared<SourceText>(shownPath, ""), {}, {why}));
    return nullptr;
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(std::generic_category().message(errno));
  // Reading stops just past the bound, so that a device or an endless pipe does no harm.
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= maxBytes) {
    file.read(buffer, sizeof buffer);
    text.append(buffer, static_cast<size_t>(file.gcount()));
    if (!file) break;
  }
  if (file.bad() || (file.fail() && !file.eof())) return unreadable("reading failed");
  return make(shownPath, std::move(text), sink);
}

} // namespace hellwig
