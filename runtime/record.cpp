// SPDX-License-Identifier: Apache-2.0
// The text form of a record, and its file.
//
//   hellwig record 1
//   game "The Battle of N" #<checksum>
//   package 5d1c..90 #..
//   scenario "Historical Set-up" #..
//   options "Snow storm", "Road column" #..
//   mods #..
//   seed 7 #..
//   generator "xoshiro256**" #..
//   1 0 12 "Infantry 3" #..               decision number, side, number of the option, its text
//   2 0 {0 4} "Infantry 1, Cavalry 2" #..  a subset
//   3 1 concede "" #..
//   end 3 #..
//
// The checksum of a line covers it and all lines before it. The last line says how many entries there are, so
// that a file cut between two lines is noticed, too; every save writes the whole file.
#include "runtime/record.h"

#include "runtime/atomic_file.h"
#include "runtime/record_text.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hellwig {
namespace {

using namespace record_text;

constexpr std::size_t maxFileBytes = std::size_t{256} << 20;
constexpr std::size_t maxLineBytes = std::size_t{1} << 20;
constexpr std::uint64_t maxEntries = 10'000'000;
constexpr std::size_t maxNames = 1000;

std::string quotedList(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? " " : ", ") + quote(name);
  return out;
}

std::string entryText(std::size_t number, const RecordEntry& entry) {
  std::string line = std::to_string(number) + " " + std::to_string(entry.owner) + " ";
  if (entry.concession) {
    line += "concede";
  } else if (entry.answer.option >= 0) {
    line += std::to_string(entry.answer.option);
  } else if (!entry.answer.numbers.empty()) {
    for (const std::int32_t n : entry.answer.numbers)
      line += (line.back() == ' ' ? "(" : " ") + std::to_string(n);
    line += ")";
  } else {
    line += "{";
    for (std::size_t i = 0; i < entry.answer.members.size(); ++i) {
      if (i != 0) line += " ";
      line += std::to_string(entry.answer.members[i]);
    }
    line += "}";
  }
  return line + " " + quote(entry.text);
}

class Writer {
public:
  void line(const std::string& text) {
    state_ = chain(chain(state_, text), "\n");
    out_ += text;
    if (!out_.empty() && first_)
      first_ = false;
    else
      out_ += " #" + hex64(state_);
    out_ += "\n";
  }
  std::string take() { return std::move(out_); }

private:
  std::string out_;
  std::uint64_t state_ = chainStart;
  bool first_ = true;
};

/// Takes a file apart line by line and keeps the running checksum.
class Reader {
public:
  explicit Reader(const std::string& text) : rest_(text) {}

  std::uint32_t lineNumber() const { return line_; }
  bool atEnd() const { return rest_.empty(); }

  /// The next line without its checksum; an empty text in `error` if all is well.
  std::string_view next(std::string& error) {
    error.clear();
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) {
      error = rest_.empty() ? "the file ends here, but the record goes on" : "the line is cut off";
      return {};
    }
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    // Mail programs may have made CR LF of the line ends; a CR inside a text is written as an escape.
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() > maxLineBytes) {
      error = "the line is longer than a record's line can be";
      return {};
    }
    if (line_ == first) {
      state_ = chain(chain(state_, line), "\n");
      return line;
    }
    const std::size_t hash = line.size() >= 18 ? line.size() - 18 : std::string_view::npos;
    if (hash == std::string_view::npos || line.substr(hash, 2) != " #") {
      error = "the line does not end in its checksum: it was changed or cut off";
      return {};
    }
    const std::string_view body = line.substr(0, hash);
    const std::uint64_t state = chain(chain(state_, body), "\n");
    if (hex64(state) != line.substr(hash + 2)) {
      error = "the checksum does not match: this line or one before it was changed";
      return {};
    }
    state_ = state;
    return body;
  }

private:
  std::string_view rest_;
  std::uint32_t line_ = 0;
  std::uint64_t state_ = chainStart;
};

bool readNames(LineReader& reader, std::vector<std::string>& names) {
  while (!reader.atEnd()) {
    if (!names.empty() && !reader.sign(',')) return false;
    std::optional<std::string> name = reader.quoted();
    if (!name || names.size() >= maxNames) return false;
    names.push_back(std::move(*name));
  }
  return true;
}

/// One header line: false if its contents are not what belongs there.
bool readHeaderLine(std::uint32_t number, std::string_view line, RecordHeader& header) {
  LineReader reader(line);
  const auto text = [&](std::string_view word, std::string& into) {
    if (!reader.word(word)) return false;
    std::optional<std::string> value = reader.quoted();
    if (!value) return false;
    into = std::move(*value);
    return reader.atEnd();
  };
  switch (number) {
  case game: return text("game", header.title);
  case package: return text("package", header.packageHash);
  case scenario: return text("scenario", header.scenario);
  case options: return reader.word("options") && readNames(reader, header.options);
  case mods: return reader.word("mods") && readNames(reader, header.mods);
  case seed: {
    if (!reader.word("seed")) return false;
    const std::optional<std::uint64_t> value = reader.number(~std::uint64_t{0});
    if (!value) return false;
    header.seed = *value;
    return reader.atEnd();
  }
  case generator: {
    std::string name;
    return text("generator", name) && name == Random::name;
  }
  default: return false;
  }
}

const char* headerWord(std::uint32_t number) {
  switch (number) {
  case game: return "game \"..\"";
  case package: return "package \"..\"";
  case scenario: return "scenario \"..\"";
  case options: return "options ..";
  case mods: return "mods ..";
  case seed: return "seed and a number";
  default: return "generator \"xoshiro256**\"";
  }
}

std::optional<RecordEntry> readEntry(std::string_view line, std::size_t number, std::string& error) {
  LineReader reader(line);
  const std::optional<std::uint64_t> written = reader.number(maxEntries);
  if (!written || *written != number) {
    error = "decision " + std::to_string(number) + " should stand here";
    return std::nullopt;
  }
  RecordEntry entry;
  const std::optional<std::uint64_t> owner = reader.number(0xffff);
  if (!owner) {
    error = "the number of the side is missing or out of range";
    return std::nullopt;
  }
  entry.owner = static_cast<std::uint16_t>(*owner);
  if (reader.word("concede")) {
    entry.concession = true;
  } else if (reader.sign('{')) {
    while (!reader.sign('}')) {
      const std::optional<std::uint64_t> member = reader.number(0xffff);
      if (!member || (!entry.answer.members.empty() && entry.answer.members.back() >= *member)) {
        error = "the numbers of the elements are out of range or not in ascending order";
        return std::nullopt;
      }
      entry.answer.members.push_back(static_cast<std::uint16_t>(*member));
    }
  } else if (reader.sign('(')) {
    while (!reader.sign(')')) {
      const bool negative = reader.sign('-');
      const std::optional<std::uint64_t> size = reader.number(0x7fffffff);
      if (!size) {
        error = "the numbers of the allotment are out of range";
        return std::nullopt;
      }
      const auto n = static_cast<std::int32_t>(*size);
      entry.answer.numbers.push_back(negative ? -n : n);
    }
  } else {
    const std::optional<std::uint64_t> option = reader.number(0x7fffffff);
    if (!option) {
      error = "the number of the option is missing or out of range";
      return std::nullopt;
    }
    entry.answer.option = static_cast<std::int32_t>(*option);
  }
  std::optional<std::string> text = reader.quoted();
  if (!text || !reader.atEnd()) {
    error = "the text of the option is missing or not closed";
    return std::nullopt;
  }
  entry.text = std::move(*text);
  return entry;
}

std::string firstLineError(std::string_view line) {
  constexpr std::string_view head = "hellwig record ";
  if (!line.starts_with(head)) return "this is not a record: the first line should be 'hellwig record 1'";
  return "this is a record of format " + std::string(line.substr(head.size(), 20)) +
         "; this program reads format 1";
}

std::string systemReason(const std::string& doing) {
  return doing + ": " + std::strerror(errno);
}

} // namespace

std::string writeRecord(const Record& record) {
  Writer writer;
  const RecordHeader& header = record.header;
  writer.line("hellwig record " + std::to_string(header.formatVersion));
  writer.line("game " + quote(header.title));
  writer.line("package " + quote(header.packageHash));
  writer.line("scenario " + quote(header.scenario));
  writer.line("options" + quotedList(header.options));
  writer.line("mods" + quotedList(header.mods));
  writer.line("seed " + std::to_string(header.seed));
  writer.line("generator " + quote(Random::name));
  for (std::size_t i = 0; i < record.entries.size(); ++i) writer.line(entryText(i + 1, record.entries[i]));
  writer.line("end " + std::to_string(record.entries.size()));
  return writer.take();
}

std::variant<Record, RecordError> readRecord(const std::string& text, bool salvage) {
  Record record;
  Reader reader(text);
  std::string error;
  const auto fail = [&](std::string message) {
    return RecordError{reader.lineNumber(), std::move(message),
                       static_cast<std::uint32_t>(record.entries.size())};
  };
  if (text.size() > maxFileBytes) return RecordError{1, "the file is larger than a record can be", 0};

  const std::string_view firstLine = reader.next(error);
  if (firstLine != "hellwig record 1") {
    if (error.empty() || !text.starts_with("hellwig record")) error = firstLineError(firstLine);
    return fail(error);
  }
  for (std::uint32_t number = game; number < firstEntryLine; ++number) {
    const std::string_view line = reader.next(error);
    if (!error.empty()) return fail(error);
    if (!readHeaderLine(number, line, record.header))
      return fail(std::string("the header should have '") + headerWord(number) + "' here");
  }
  for (;;) {
    const std::string_view line = reader.next(error);
    if (!error.empty()) break;
    LineReader words(line);
    if (words.word("end")) {
      const std::optional<std::uint64_t> count = words.number(maxEntries);
      if (!count || *count != record.entries.size() || !words.atEnd())
        error = "the last line should say 'end " + std::to_string(record.entries.size()) + "'";
      else if (!reader.atEnd())
        error = "something follows the end of the record";
      break;
    }
    if (record.entries.size() >= maxEntries) {
      error = "the record has more decisions than a record can have";
      break;
    }
    std::optional<RecordEntry> entry = readEntry(line, record.entries.size() + 1, error);
    if (!entry) break;
    record.entries.push_back(std::move(*entry));
  }
  if (!error.empty() && !salvage) return fail(error);
  return record;
}

std::string saveRecordFile(const std::string& path, const Record& record) {
  return writeFileAtomically(path, writeRecord(record));
}

std::variant<Record, RecordError> loadRecordFile(const std::string& path, bool salvage) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return RecordError{0, systemReason("cannot open " + path), 0};
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while (text.size() <= maxFileBytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  const std::string reason = failed ? systemReason("cannot read " + path) : "";
  std::fclose(file);
  if (failed) return RecordError{0, reason, 0};
  return readRecord(text, salvage);
}

} // namespace hellwig
