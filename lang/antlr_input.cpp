// SPDX-License-Identifier: Apache-2.0
// The lexer's output as our own tokens, and a plain list as input of the parser.

#include "lang/antlr_input.h"

#include <map>
#include <unordered_map>

namespace hellwig {
namespace {

std::vector<TokenKind> kindTable() {
  std::map<std::string, TokenKind> byName = {
      {"MARK", TokenKind::mark},         {"OPENMARK", TokenKind::openMark},
      {"TEXT", TokenKind::text},         {"OPENTEXT", TokenKind::openText},
      {"QNAME", TokenKind::quotedName},  {"OPENQNAME", TokenKind::openName},
      {"FRACTION", TokenKind::fraction}, {"ODDS", TokenKind::odds},
      {"INT", TokenKind::integer},       {"LABEL", TokenKind::label},
      {"ID", TokenKind::name},           {"CELL", TokenKind::cell},
      {"OTHER", TokenKind::unknown},     {"PIPE", TokenKind::pipe},
      {"FOREIGNCOMMENT", TokenKind::comment},
      {"VICTORY_AT", TokenKind::kw_at}};
  antlr4::ANTLRInputStream empty;
  HellwigLexer lexer(&empty);
  const antlr4::dfa::Vocabulary& vocabulary = lexer.getVocabulary();
  std::map<std::string, TokenKind> bySpelling;
  for (int k = 0; k <= static_cast<int>(TokenKind::kw_other); ++k)
    bySpelling.emplace(spelling(static_cast<TokenKind>(k)), static_cast<TokenKind>(k));
  std::vector<TokenKind> table(vocabulary.getMaxTokenType() + 1, TokenKind::unknown);
  for (size_t type = 1; type < table.size(); ++type) {
    std::string literal = vocabulary.getLiteralName(type);
    if (literal.size() > 2) {
      table[type] = bySpelling.at(literal.substr(1, literal.size() - 2));
    } else if (auto known = byName.find(vocabulary.getSymbolicName(type)); known != byName.end()) {
      table[type] = known->second;
    }
  }
  return table;
}

// ANTLR counts code points; this gives the byte at which each begins. Empty if all are single bytes.
std::vector<uint32_t> codePointStarts(std::string_view text) {
  std::vector<uint32_t> starts;
  bool ascii = true;
  for (char c : text) ascii &= static_cast<unsigned char>(c) < 0x80;
  if (ascii) return starts;
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) starts.push_back(static_cast<uint32_t>(i));
  starts.push_back(static_cast<uint32_t>(text.size()));
  return starts;
}

// The types of words that are spelt by letters alone.
std::unordered_map<std::string_view, size_t> wordTable() {
  static const std::vector<std::string> words = [] {
    antlr4::ANTLRInputStream empty;
    HellwigLexer lexer(&empty);
    const antlr4::dfa::Vocabulary& vocabulary = lexer.getVocabulary();
    std::vector<std::string> list(vocabulary.getMaxTokenType() + 1);
    for (size_t type = 1; type < list.size(); ++type)
      if (std::string literal = vocabulary.getLiteralName(type); literal.size() > 2)
        list[type] = literal.substr(1, literal.size() - 2);
    return list;
  }();
  std::unordered_map<std::string_view, size_t> table;
  for (size_t type = 1; type < words.size(); ++type)
    if (!words[type].empty()) table.emplace(words[type], type);
  return table;
}

// The type of a text that is one number or one word of plain letters, as most cells and holes are; else 0. A
// lexer need not be set up for these.
size_t plainType(std::string_view text) {
  bool digits = !text.empty(), letters = !text.empty();
  for (char c : text) {
    digits = digits && c >= '0' && c <= '9';
    letters = letters && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_');
  }
  if (digits) return HellwigLexer::INT;
  if (!letters) return 0;
  static const std::unordered_map<std::string_view, size_t> table = wordTable();
  auto word = table.find(text);
  return word != table.end() ? word->second : static_cast<size_t>(HellwigLexer::ID);
}

} // namespace

TokenKind kindOfType(size_t antlrType) {
  static const std::vector<TokenKind> table = kindTable();
  return antlrType < table.size() ? table[antlrType] : TokenKind::none;
}

std::vector<LexedToken> lex(const SourceText& source, TextRange range) {
  std::string_view text = source.text(range);
  // ANTLR's stream drops a byte order mark at the beginning; it is white space, so it is left out by hand
  // here.
  uint32_t base = range.offset;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") {
    text.remove_prefix(3);
    base += 3;
  }
  std::vector<LexedToken> tokens;
  if (size_t type = plainType(text); type != 0) {
    tokens.push_back({type, base, static_cast<uint32_t>(text.size())});
    return tokens;
  }
  std::vector<uint32_t> starts = codePointStarts(text);
  antlr4::ANTLRInputStream input{std::string(text)};
  HellwigLexer lexer(&input);
  lexer.removeErrorListeners();
  for (;;) {
    std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    if (token->getType() == antlr4::Token::EOF) break;
    size_t begin = token->getStartIndex(), end = token->getStopIndex() + 1;
    uint32_t first = static_cast<uint32_t>(starts.empty() ? begin : starts[begin]);
    uint32_t last = static_cast<uint32_t>(starts.empty() ? end : starts[end]);
    tokens.push_back({token->getType(), base + first, last - first});
  }
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].type == HellwigLexer::KW_AT &&
        (tokens[i + 1].type == HellwigLexer::KW_END || tokens[i + 1].type == HellwigLexer::KW_ONCE))
      tokens[i].type = HellwigLexer::VICTORY_AT;
  // `next(v)` is a call; the statement `next` has no brackets.
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].type == HellwigLexer::KW_NEXT && tokens[i + 1].type == HellwigLexer::LEFTPAREN)
      tokens[i].type = HellwigLexer::ID;
  return tokens;
}

TokenList::TokenList(std::vector<ParseToken> tokens) : tokens_(std::move(tokens)) {
  for (size_t i = 0; i < tokens_.size(); ++i) tokens_[i].index = i;
}

void TokenList::consume() {
  if (position_ + 1 < tokens_.size()) ++position_;
}

size_t TokenList::LA(ssize_t offset) {
  size_t wanted =
      offset > 0 ? position_ + static_cast<size_t>(offset) - 1 : position_ - static_cast<size_t>(-offset);
  return wanted < tokens_.size() ? tokens_[wanted].getType() : antlr4::Token::EOF;
}

antlr4::Token* TokenList::LT(ssize_t offset) {
  if (offset < 0 && static_cast<size_t>(-offset) > position_) return nullptr;
  size_t wanted =
      offset > 0 ? position_ + static_cast<size_t>(offset) - 1 : position_ - static_cast<size_t>(-offset);
  return &tokens_[std::min(wanted, tokens_.size() - 1)];
}

antlr4::Token* TokenList::get(size_t index) const {
  return &tokens_[std::min(index, tokens_.size() - 1)];
}

namespace {
// Deep enough for 200 nested brackets also in a build with sanitizers, and well below the usual 8 MiB of a
// thread.
constexpr std::ptrdiff_t stackLimit = 5 << 20;
} // namespace

GuardedParser::GuardedParser(antlr4::TokenStream* input)
    : HellwigParser(input), stackBase_(static_cast<const char*>(__builtin_frame_address(0))) {}

void GuardedParser::enterRule(antlr4::ParserRuleContext* context, size_t state, size_t ruleIndex) {
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  if (stackBase_ - here > stackLimit) throw NestedTooDeep{getTokenStream()->index()};
  HellwigParser::enterRule(context, state, ruleIndex);
}

} // namespace hellwig
