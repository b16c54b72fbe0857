// SPDX-License-Identifier: Apache-2.0
// The text of one source file with its table of lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hellwig {

class DiagnosticSink;

// A stretch of a file in bytes; offset + length never exceeds the file.
struct TextRange {
  uint32_t offset = 0;
  uint32_t length = 0;

  uint32_t end() const { return offset + length; }
  bool operator==(const TextRange&) const = default;
};

// A place as people count it, both from 1. The column counts code points, a tab being one.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
  bool operator==(const LineColumn&) const = default;
};

// Immutable, so that trees, diagnostics and threads can share it.
class SourceText {
public:
  // The path is what diagnostics show; nothing is read from disk. The text must be valid UTF-8 and at most
  // maxBytes long; `load` and `checkText` see to that for whatever comes from outside.
  SourceText(std::string path, std::string text);

  static constexpr size_t maxBytes = 16u << 20;

  // Reads a file. If it cannot be read, is too large or is not UTF-8, this reports why and gives nullptr.
  static std::shared_ptr<const SourceText> load(const std::string& path, const std::string& shownPath,
                                                DiagnosticSink& sink);
  // The same for text that is already in memory (an editor's buffer, a fuzzer's bytes).
  static std::shared_ptr<const SourceText> make(const std::string& shownPath, std::string text,
                                                DiagnosticSink& sink);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  std::string_view text(TextRange range) const { return text().substr(range.offset, range.length); }

  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts_.size()); }
  // The line (from 1) in which a byte stands; the end of the file belongs to the last line.
  uint32_t lineOf(uint32_t offset) const;
  LineColumn position(uint32_t offset) const;
  // The byte range of a line (from 1) without its line end.
  TextRange line(uint32_t number) const;

private:
  std::string path_;
  std::string text_;
  std::vector<uint32_t> lineStarts_;
};

// The offset of the first byte that is not part of valid UTF-8, or the size of the text.
size_t firstInvalidUtf8(std::string_view text);

} // namespace hellwig
