// SPDX-License-Identifier: Apache-2.0
// A package under work tells the same as one that is read anew, whatever was edited before.
#include "compiler/workspace.h"

#include "runtime/random.h"
#include "tests/bench/generated_package.h"

#include <gtest/gtest.h>

#include <map>

namespace hellwig {
namespace {

using Files = std::map<std::string, std::string>;

Files smallPackage() {
  Files files;
  for (auto& [path, text] : bench::generatedPackage(
           {.modules = 2, .columns = 24, .rows = 22, .units = 12, .scenarios = 2, .options = 2}))
    files[path] = text;
  return files;
}

std::string toldAnew(const Files& files) {
  Workspace workspace;
  for (const auto& [path, text] : files) workspace.setText(path, text);
  workspace.checkAll();
  return render(workspace.diagnostics());
}

Workspace workspaceOf(const Files& files) {
  Workspace workspace;
  for (const auto& [path, text] : files) workspace.setText(path, text);
  return workspace;
}

TEST(Workspace, AGoodPackageTellsNothing) {
  EXPECT_EQ(toldAnew(smallPackage()), "");
}

TEST(Workspace, TellsASlipAndThatItIsMended) {
  Files files = smallPackage();
  Workspace workspace = workspaceOf(files);
  const std::string good = files["rules/01.hlw"];
  std::string bad = good;
  bad.replace(bad.find("u.attack + u.arm"), 8, "u.atack");
  workspace.setText("rules/01.hlw", bad);
  EXPECT_FALSE(workspace.isChecked());
  workspace.checkAll();
  EXPECT_TRUE(workspace.isChecked());
  const DiagnosticSink told = workspace.diagnostics();
  ASSERT_EQ(told.errorCount(), 1U) << render(told);
  EXPECT_EQ(told.all()[0].code, DiagnosticCode::unknownField);
  EXPECT_EQ(told.all()[0].file->text(told.all()[0].range), "atack");
  workspace.setText("rules/01.hlw", good);
  workspace.checkAll();
  EXPECT_EQ(render(workspace.diagnostics()), "");
}

TEST(Workspace, TheDefaultSelectionComesFirst) {
  Files files = smallPackage();
  // One slip in the rules, one in an option that is off.
  std::string& rules = files["rules/02.hlw"];
  rules.replace(rules.find("u.attack + u.arm"), 8, "u.atack");
  std::string& option = files["options/02.hlw"];
  option.replace(option.find("artillery"), 9, "artilery");
  Workspace workspace = workspaceOf(files);
  EXPECT_EQ(workspace.diagnostics().errorCount(), 0U) << "nothing is typed yet";
  EXPECT_TRUE(workspace.checkNext());
  EXPECT_EQ(workspace.diagnostics().errorCount(), 1U) << render(workspace.diagnostics());
  int more = 1;
  while (workspace.checkNext()) ++more;
  // Two scenarios, each without option, with one, with the other, with both; the tests name no scenario.
  EXPECT_EQ(more, 2 * 4);
  EXPECT_EQ(workspace.diagnostics().errorCount(), 2U) << render(workspace.diagnostics());
}

TEST(Workspace, TheSameTextIsNoChange) {
  Files files = smallPackage();
  Workspace workspace = workspaceOf(files);
  workspace.checkAll();
  workspace.setText("map.hlw", files["map.hlw"]);
  EXPECT_TRUE(workspace.isChecked());
}

TEST(Workspace, WhatIsNoTextIsTold) {
  Workspace workspace = workspaceOf(smallPackage());
  workspace.setText("map.hlw", "\xff\xfe");
  workspace.checkAll();
  EXPECT_EQ(workspace.diagnostics().errorCount(), 1U) << "the map as it was last stays in force";
  workspace.setText("map.hlw", smallPackage()["map.hlw"] + "\n");
  workspace.checkAll();
  EXPECT_EQ(render(workspace.diagnostics()), "");
}

TEST(Workspace, WithoutFilesThereIsNothingToCheck) {
  Workspace workspace;
  EXPECT_EQ(workspace.package(), nullptr);
  EXPECT_FALSE(workspace.checkNext());
  Workspace missing("no such folder");
  missing.checkAll();
  EXPECT_EQ(missing.diagnostics().errorCount(), 1U);
}

/// Edits as people make them: a word, a line, a brace, a figure; a file that goes and comes.
class Editor {
public:
  Editor(Files& files, std::uint64_t seed) : files_(files), first_(files), random_(Random::fromSeed(seed)) {}

  /// The path of the file that was changed.
  std::string edit() {
    auto at = first_.begin();
    std::advance(at, random_.below(static_cast<std::uint32_t>(first_.size())));
    const std::string path = at->first;
    switch (random_.below(8)) {
    case 0: files_.erase(path); return path;
    case 1:
    case 2: files_[path] = at->second; return path;
    default: break;
    }
    if (files_.count(path) == 0) files_[path] = at->second;
    std::string& text = files_[path];
    if (text.empty()) return path;
    const std::size_t place = random_.below(static_cast<std::uint32_t>(text.size()));
    switch (random_.below(5)) {
    case 0: text.insert(place, "x"); break;
    case 1: text.erase(place, 1 + random_.below(6)); break;
    case 2: {
      const std::size_t begin = text.rfind('\n', place), end = text.find('\n', place);
      if (begin != std::string::npos && end != std::string::npos && begin < end)
        text.erase(begin, end - begin);
      break;
    }
    case 3: {
      const std::size_t figure = text.find_first_of("0123456789", place);
      if (figure != std::string::npos) text[figure] = static_cast<char>('0' + random_.below(10));
      break;
    }
    default: {
      const std::size_t brace = text.find_first_of("{}|\"", place);
      if (brace != std::string::npos) text.erase(brace, 1);
      break;
    }
    }
    return path;
  }

private:
  Files& files_;
  const Files first_;
  Random random_;
};

TEST(Workspace, RandomEditsTellWhatAFreshReadingTells) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Files files = smallPackage();
    Workspace workspace = workspaceOf(files);
    Editor editor(files, seed);
    for (int step = 0; step < 20; ++step) {
      const std::string path = editor.edit();
      if (auto file = files.find(path); file != files.end())
        workspace.setText(path, file->second);
      else
        workspace.remove(path);
      // Now and then a host goes on editing before all is checked.
      if (step % 3 == 1) {
        workspace.checkNext();
        continue;
      }
      workspace.checkAll();
      ASSERT_EQ(render(workspace.diagnostics()), toldAnew(files)) << "seed " << seed << ", step " << step;
    }
  }
}

} // namespace
} // namespace hellwig
