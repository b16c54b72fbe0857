// SPDX-License-Identifier: Apache-2.0
// Applying fixes to files.
#include "cli/fix.h"

#include "lang/fixes.h"
#include "runtime/atomic_file.h"

#include <algorithm>
#include <set>

namespace hellwig::cli {
namespace {

std::vector<std::string> wordsOf(const Package& package) {
  std::set<std::string> words;
  for (const SourceFile& file : package.files)
    for (std::uint32_t i = 0; i < file.tree.tokenCount(); ++i) {
      const Token& token = file.tree.token(i);
      if (token.kind != TokenKind::name && token.kind != TokenKind::quotedName &&
          token.kind != TokenKind::label)
        continue;
      std::string word(file.tree.text(static_cast<TokenId>(i)));
      if (token.kind == TokenKind::quotedName && word.size() >= 2) word = word.substr(1, word.size() - 2);
      words.insert(std::move(word));
    }
  return {words.begin(), words.end()};
}

/// Of a mod only the mod's own files may change.
bool mayChange(const Package& package, const SourceFile& file) {
  return package.mods.empty() || file.owner != 0;
}

} // namespace

void judgeFixes(const Package& package, DiagnosticSink& sink) {
  sink.judgeFixes(FixJudge(wordsOf(package)));
}

FixReport makeSafeFixes(const Package& package, const DiagnosticSink& sink) {
  FixReport report;
  for (const SourceFile& file : package.files) {
    if (!mayChange(package, file)) continue;
    const SourceText& source = file.tree.source();
    std::vector<Fix> fixes;
    std::vector<const Diagnostic*> told;
    for (const Diagnostic& diagnostic : sink.all()) {
      if (diagnostic.file.get() != &source || !diagnostic.fix || !diagnostic.fix->safe) continue;
      fixes.push_back(*diagnostic.fix);
      told.push_back(&diagnostic);
    }
    if (fixes.empty()) continue;
    // Whoever changed the file since it was read would lose his change.
    DiagnosticSink reading;
    const std::shared_ptr<const SourceText> now = SourceText::load(source.path(), source.path(), reading);
    if (now == nullptr || now->text() != source.text()) {
      report.problems.push_back(source.path() + ": it was changed meanwhile, so nothing was written");
      continue;
    }
    const MadeFixes mended = makeFixes(source.text(), fixes);
    if (const std::string problem = writeFileAtomically(source.path(), mended.text); !problem.empty()) {
      report.problems.push_back(problem);
      continue;
    }
    for (const std::size_t index : mended.made) {
      const Fix& fix = fixes[index];
      report.made.push_back({source.path(), std::string(source.text(fix.range)), fix.replacement,
                             told[index]->code, source.position(fix.range.offset), fix.range});
    }
  }
  return report;
}

} // namespace hellwig::cli
