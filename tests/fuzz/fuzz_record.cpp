// SPDX-License-Identifier: Apache-2.0
// libFuzzer target for records: any bytes are read or refused with a line of the file; what is read comes
// back from what is written.

#include "runtime/record.h"
#include "runtime/record_text.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using namespace hellwig;

/// Fuzzers do not guess checksums: the same lines with sums that fit, so that the parser behind them is
/// reached.
std::string signedLines(const std::string& text) {
  std::string out, line;
  std::uint64_t state = record_text::chainStart;
  for (const char c : text + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    state = record_text::chain(record_text::chain(state, line), "\n");
    out += out.empty() ? line + "\n" : line + " #" + record_text::hex64(state) + "\n";
    line.clear();
  }
  return out;
}

void check(const std::string& text) {
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto read = readRecord(text);
  if (const RecordError* error = std::get_if<RecordError>(&read)) {
    if (error->message.empty() || error->line < 1 || error->line > lines) std::abort();
    const auto salvaged = readRecord(text, true);
    if (const Record* record = std::get_if<Record>(&salvaged))
      if (record->entries.size() != error->lastGoodEntry) std::abort();
    return;
  }
  const std::string again = writeRecord(std::get<Record>(read));
  const auto second = readRecord(again);
  if (!std::holds_alternative<Record>(second) || writeRecord(std::get<Record>(second)) != again) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(text);
  check(signedLines(text));
  check(signedLines("hellwig record 1\ngame \"G\"\npackage \"p\"\nscenario \"\"\noptions\nmods\nseed 7\n"
                    "generator \"xoshiro256**\"\n" +
                    text));
  return 0;
}
