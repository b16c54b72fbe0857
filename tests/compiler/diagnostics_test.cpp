// SPDX-License-Identifier: Apache-2.0
// What a designer is told: golden messages for every code, and a corpus of single slips in real packages.
//
// golden/NAME.hlw is added to the game in golden/base; NAME.txt holds what the check tells. In such a file a
// line
// `// file PATH` begins another file (below `mod/` and `mod2/` it belongs to a mod), and `// without PATH`
// leaves out a file of the base. HELLWIG_UPDATE_GOLDEN=1 writes the .txt files anew; each is to be read
// before it is kept.
//
// tests/corpus/broken.txt explains its own form. HELLWIG_SLIPS=FILE scores another file of slips, for a fresh
// measurement; what its packages tell before a slip is made is left out of account.

#include "compiler/compile.h"
#include "lang/diagnostic.h"
#include "memory_package.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace hellwig {
namespace {

namespace fs = std::filesystem;
const fs::path root = HELLWIG_SOURCE_DIR;
const fs::path goldenFolder = root / "tests/compiler/golden";

// ---- Golden messages

Texts goldenFiles(const fs::path& file) {
  return addedTo(textsBelow(goldenFolder / "base"), file.filename().string(), readFile(file));
}

std::string goldenMessages(const fs::path& file) {
  DiagnosticSink sink;
  MemoryPackage package;
  for (const auto& [path, text] : goldenFiles(file)) package.add(path, text, sink);
  package.check(sink);
  return render(sink);
}

std::vector<fs::path> goldenCases() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(goldenFolder))
    if (entry.path().extension() == ".hlw") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(GoldenDiagnostics, TheBaseIsSound) {
  DiagnosticSink sink;
  MemoryPackage package;
  for (const auto& [path, text] : textsBelow(goldenFolder / "base")) package.add(path, text, sink);
  package.check(sink);
  EXPECT_EQ(render(sink), "");
}

TEST(GoldenDiagnostics, EveryCaseTellsWhatWasJudgedRight) {
  const bool update = std::getenv("HELLWIG_UPDATE_GOLDEN") != nullptr;
  std::vector<fs::path> cases = goldenCases();
  EXPECT_GT(cases.size(), 60u);
  for (const fs::path& file : cases) {
    std::string found = goldenMessages(file);
    fs::path expected = file;
    expected.replace_extension(".txt");
    if (update) std::ofstream(expected, std::ios::binary) << found;
    EXPECT_EQ(found, readFile(expected)) << file;
    // The first message is about what gave the case its name.
    std::string code = file.filename().string().substr(0, 6);
    EXPECT_NE(found.substr(0, found.find('\n')).find(code), std::string::npos) << file << "\n" << found;
  }
}

TEST(GoldenDiagnostics, EveryCodeHasACase) {
  std::string told;
  for (const fs::path& folder : {goldenFolder, root / "tests/lang/golden"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".txt") told += readFile(entry.path());
  // What needs an unreadable file or a single cell is tested where the reading is.
  for (const auto& entry : fs::directory_iterator(root / "tests/lang"))
    if (entry.path().extension() == ".cpp") told += readFile(entry.path());
  for (const DiagnosticInfo& info : allDiagnostics())
    EXPECT_TRUE(told.find(codeText(info.code)) != std::string::npos ||
                told.find("DiagnosticCode::" + std::string(info.name)) != std::string::npos)
        << codeText(info.code) << " " << info.name << " is told by no case";
}

// ---- The corpus of slips

struct Slip {
  std::string title, package, file, before, after;
  int line = 0;                 // of the first message, counted from the first line of the change
  std::string elsewhere, there; // or: a file, and words of the line in it
  std::vector<std::string> wanted;
  std::size_t several = 1; // how many messages are right
};

std::vector<Slip> readSlips(const fs::path& path) {
  std::vector<Slip> slips;
  std::istringstream in(readFile(path));
  std::string package;
  bool freshBefore = true, freshAfter = true;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::size_t blank = line.find(' ');
    std::string word = line.substr(0, blank), rest = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (word == "package") {
      package = rest;
    } else if (word == "slip") {
      slips.emplace_back();
      slips.back().title = rest;
      slips.back().package = package;
      freshBefore = freshAfter = true;
    } else if (word == "in") {
      slips.back().file = rest;
    } else if (word == "-") {
      slips.back().before += (freshBefore ? "" : "\n") + rest;
      freshBefore = false;
    } else if (word == "+") {
      slips.back().after += (freshAfter ? "" : "\n") + rest;
      freshAfter = false;
    } else if (word == "line") {
      slips.back().line = std::stoi(rest);
    } else if (word == "at") {
      std::size_t colon = rest.find(": ");
      slips.back().elsewhere = rest.substr(0, colon);
      slips.back().there = rest.substr(colon + 2);
    } else if (word == "tells") {
      std::istringstream words(rest);
      for (std::string one; words >> one;) slips.back().wanted.push_back(one);
    } else if (word == "messages") {
      slips.back().several = static_cast<std::size_t>(std::stoi(rest));
    } else {
      ADD_FAILURE() << "broken.txt: " << line;
    }
  }
  return slips;
}

struct Verdict {
  bool place = false, named = false;
  std::size_t follow = 0; // messages beyond those that are right
  std::string told, fault;
};

/// The parsed files of a package as they are, so that a slip parses only the file that it changes.
using Parsed = std::map<std::string, SourceFile>;
/// What a package tells before a slip is made: code, file and words, without the place, which a slip may
/// move.
using Told = std::multiset<std::string>;
std::string toldKey(const Diagnostic& d) {
  return codeText(d.code) + (d.file ? d.file->path() : std::string()) + d.message;
}

Verdict judge(const Slip& slip, const Texts& texts, const Parsed& parsed, Told before) {
  Verdict verdict;
  auto found = texts.find(slip.file);
  if (found == texts.end()) {
    verdict.fault = "there is no file " + slip.file;
    return verdict;
  }
  std::string text = found->second;
  std::size_t at = text.find(slip.before);
  if (slip.before.empty()) at = text.size(); // added at the end
  if (at == std::string::npos ||
      (!slip.before.empty() && text.find(slip.before, at + 1) != std::string::npos)) {
    verdict.fault =
        at == std::string::npos ? "the text to change is not there" : "the text to change is there twice";
    return verdict;
  }
  text.replace(at, slip.before.size(), slip.after);
  std::size_t line = 1 +
                     static_cast<std::size_t>(
                         std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                     slip.line;
  std::string file = slip.file;
  if (!slip.elsewhere.empty()) {
    file = slip.elsewhere;
    const std::string& other = file == slip.file ? text : texts.at(file);
    std::size_t there = other.find(slip.there);
    if (there == std::string::npos) {
      verdict.fault = "the words of `at` are not there";
      return verdict;
    }
    line = 1 + static_cast<std::size_t>(
                   std::count(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(there), '\n'));
  }
  DiagnosticSink sink;
  MemoryPackage package;
  for (const auto& [path, tree] : parsed)
    if (path == slip.file)
      package.add(path, text, sink);
    else
      package.keep(tree);
  package.check(sink);
  std::vector<Diagnostic> fresh;
  for (const Diagnostic& d : sink.all())
    if (auto known = before.find(toldKey(d)); known != before.end())
      before.erase(known);
    else
      fresh.push_back(d);
  for (const Diagnostic& d : fresh) verdict.told += render(d);
  if (fresh.empty()) return verdict;
  const Diagnostic& first = fresh.front();
  verdict.place = first.file && first.file->path() == file && first.file->lineOf(first.range.offset) == line;
  // What is told, without the line of the source that is shown below it.
  std::string whole = codeText(first.code) + " " + first.message;
  if (first.fix) whole += "\n" + first.fix->label;
  for (const std::string& help : first.help) whole += "\n" + help;
  verdict.named = std::all_of(slip.wanted.begin(), slip.wanted.end(),
                              [&](const std::string& word) { return whole.find(word) != std::string::npos; });
  verdict.follow = fresh.size() > slip.several ? fresh.size() - slip.several : 0;
  return verdict;
}

TEST(BrokenCorpus, SlipsAreFoundWhereTheyAre) {
  const char* other = std::getenv("HELLWIG_SLIPS");
  std::vector<Slip> slips = readSlips(other ? fs::path(other) : root / "tests/corpus/broken.txt");
  if (!other) {
    EXPECT_GE(slips.size(), 600u);
  }
  std::map<std::string, Told> before;
  std::map<std::string, Texts> texts;
  std::map<std::string, Parsed> parsed;
  for (const Slip& slip : slips) {
    auto [place, isNew] = texts.try_emplace(slip.package);
    if (!isNew) continue;
    place->second = textsBelow(root / slip.package);
    DiagnosticSink sink;
    for (const auto& [path, text] : place->second) {
      SourceFile file;
      file.path = path;
      file.tree = parse(SourceText::make(path, text, sink), sink);
      parsed[slip.package][path] = std::move(file);
    }
    MemoryPackage whole;
    for (const auto& [path, file] : parsed[slip.package]) whole.keep(file);
    whole.check(sink);
    if (!other) {
      EXPECT_EQ(render(sink), "") << slip.package << " tells something before a slip is made";
    }
    for (const Diagnostic& d : sink.all()) before[slip.package].insert(toldKey(d));
  }
  std::vector<Verdict> verdicts(slips.size());
  std::atomic<std::size_t> next{0};
  const char* only = std::getenv("HELLWIG_SLIP"); // words of a title, to look at one
  auto work = [&] {
    for (std::size_t i = next++; i < slips.size(); i = next++)
      if (!only || slips[i].title.find(only) != std::string::npos)
        verdicts[i] = judge(slips[i], texts.at(slips[i].package), parsed.at(slips[i].package),
                            before[slips[i].package]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();

  const bool show = std::getenv("HELLWIG_SHOW_CORPUS") != nullptr;
  std::size_t good = 0, single = 0, follow = 0;
  for (std::size_t i = 0; i < slips.size(); ++i) {
    const Verdict& v = verdicts[i];
    EXPECT_EQ(v.fault, "") << slips[i].title;
    bool right = v.place && v.named;
    good += right;
    single += right && v.follow == 0;
    follow += v.follow;
    if ((!right || v.follow) && v.fault.empty())
      std::printf("%s%s: %s\n%s",
                  right      ? "follow-on"
                  : !v.place ? "wrong place"
                             : "not named",
                  v.told.empty() ? " (nothing told)" : "", slips[i].title.c_str(), v.told.c_str());
    else if (show)
      std::printf("good: %s\n%s", slips[i].title.c_str(), v.told.c_str());
  }
  auto percent = [&](std::size_t n) {
    return 100.0 * static_cast<double>(n) / static_cast<double>(slips.size());
  };
  std::printf("%zu slips: %.1f %% found and named at their line, %.1f %% with that one message; %zu messages "
              "follow on\n",
              slips.size(), percent(good), percent(single), follow);
  RecordProperty("found", std::to_string(percent(good)));
  RecordProperty("single", std::to_string(percent(single)));
  if (other) return;
  EXPECT_GE(percent(good), 95.0);
  EXPECT_GE(percent(single), 95.0);
}

/// Two slips in two files of one package, neither the consequence of the other: both are told in one run.
TEST(BrokenCorpus, IndependentSlipsAreBothTold) {
  std::vector<Slip> slips;
  for (Slip& slip : readSlips(root / "tests/corpus/broken.txt"))
    if (slip.package == "games/mollwitz" && slip.elsewhere.empty() && slip.several == 1 &&
        !slip.before.empty())
      slips.push_back(std::move(slip));
  ASSERT_GT(slips.size(), 100u);
  Texts texts = textsBelow(root / "games/mollwitz");
  DiagnosticSink quiet;
  Parsed parsed;
  for (const auto& [path, text] : texts) {
    parsed[path].path = path;
    parsed[path].tree = parse(SourceText::make(path, text, quiet), quiet);
  }
  auto changed = [&](const Slip& slip) {
    std::string text = texts.at(slip.file);
    return text.replace(text.find(slip.before), slip.before.size(), slip.after);
  };
  auto check = [&](const std::map<std::string, std::string>& files) {
    DiagnosticSink sink;
    MemoryPackage package;
    for (const auto& [path, file] : parsed)
      if (auto text = files.find(path); text != files.end())
        package.add(path, text->second, sink);
      else
        package.keep(file);
    package.check(sink);
    std::set<std::string> heads;
    for (const Diagnostic& d : sink.all()) {
      std::string whole = render(d);
      heads.insert(whole.substr(0, whole.find('\n')));
    }
    return heads;
  };
  std::size_t pairs = 0, both = 0;
  for (std::size_t i = 0; i < slips.size(); i += 6) {
    std::size_t j = (i + 71) % slips.size();
    if (slips[i].file == slips[j].file) continue;
    std::string one = changed(slips[i]), two = changed(slips[j]);
    std::set<std::string> apart = check({{slips[i].file, one}});
    apart.merge(check({{slips[j].file, two}}));
    std::set<std::string> together = check({{slips[i].file, one}, {slips[j].file, two}});
    ++pairs;
    if (std::includes(together.begin(), together.end(), apart.begin(), apart.end()))
      ++both;
    else
      std::printf("only one is told: %s, %s\n", slips[i].title.c_str(), slips[j].title.c_str());
  }
  std::printf("%zu pairs of slips, of %zu both are told\n", pairs, both);
  EXPECT_GT(pairs, 25u);
  EXPECT_GE(both * 100, pairs * 90);
}

TEST(BrokenCorpus, WholePackagesGiveNoAlarm) {
  std::vector<fs::path> folders{root / "games/mollwitz"};
  for (const char* parent : {"tests/bench/packages", "docs/examples"})
    if (fs::exists(root / parent))
      for (const auto& entry : fs::directory_iterator(root / parent))
        if (entry.is_directory()) folders.push_back(entry.path());
  for (const fs::path& folder : folders) {
    DiagnosticSink sink;
    auto package = loadPackage(folder.string(), sink);
    ASSERT_NE(package, nullptr) << folder;
    checkPackage(*package, sink);
    EXPECT_EQ(render(sink), "") << folder;
  }
}

} // namespace
} // namespace hellwig
