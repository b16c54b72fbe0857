// SPDX-License-Identifier: Apache-2.0
// Every code about words and syntax is triggered by a file golden/HWnnnn.hlw, whose messages stand in
// HWnnnn.txt. HELLWIG_UPDATE_GOLDEN=1 writes the .txt files anew; each is to be read before it is kept.

#include "lang_fixture.h"

#include <cstdlib>
#include <fstream>

namespace hellwig {
namespace {

const std::filesystem::path goldenFolder = std::filesystem::path(HELLWIG_SOURCE_DIR) / "tests/lang/golden";

TEST(Golden, MessagesOfEveryFile) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(goldenFolder)) {
    if (entry.path().extension() != ".hlw") continue;
    ++files;
    Parsed parsed = parseText(readFile(entry.path()), entry.path().filename().string());
    std::filesystem::path expected = entry.path();
    expected.replace_extension(".txt");
    if (std::getenv("HELLWIG_UPDATE_GOLDEN"))
      std::ofstream(expected, std::ios::binary) << render(parsed.sink);
    EXPECT_EQ(render(parsed.sink), readFile(expected)) << entry.path();
    EXPECT_TRUE(parsed.tree.hasErrors()) << entry.path();
    EXPECT_EQ(joinTokens(parsed.tree), parsed.tree.source().text()) << entry.path();
  }
  EXPECT_GT(files, 30u);
}

TEST(Golden, EveryCodeOfWordsAndSyntaxHasAFile) {
  // These need a file that cannot be read or a cell that is read by its column: source_text_test, cell_test.
  const std::vector<std::string> elsewhere = {"HW0106", "HW0107", "HW0108", "HW0218", "HW0227"};
  for (const DiagnosticInfo& info : allDiagnostics()) {
    std::string code = codeText(info.code);
    if (static_cast<unsigned>(info.code) >= 300) break;
    if (std::find(elsewhere.begin(), elsewhere.end(), code) != elsewhere.end()) continue;
    EXPECT_NE(readFile(goldenFolder / (code + ".txt")).find(code), std::string::npos) << code;
  }
}

} // namespace
} // namespace hellwig
