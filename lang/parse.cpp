// SPDX-License-Identifier: Apache-2.0
// Parsing of a file: lexing, the check of braces, the generated parser, and our own tree from what it gives.

#include "lang/brace_check.h"
#include "lang/context_reader.h"
#include "lang/syntax_errors.h"

#include <algorithm>
#include <cctype>

namespace hellwig {
namespace {

using P = HellwigParser;

// Deeper trees could not be walked by recursion; no rule of any game comes near.
constexpr size_t depthLimit = 1500;

// Numbers beyond 32 bits, also as parts of fractions and odds.
bool numberTooLarge(std::string_view text) {
  uint64_t value = 0;
  for (char c : text) {
    value = c >= '0' && c <= '9' ? value * 10 + static_cast<uint64_t>(c - '0') : 0;
    if (value > 0x7fffffff) return true;
  }
  return false;
}

bool isNumber(size_t type) {
  return type == P::INT || type == P::FRACTION || type == P::ODDS;
}

void checkNumber(TreeBuilder& builder, const LexedToken& token) {
  if (!isNumber(token.type) || token.length < 10) return;
  TextRange range{token.offset, token.length};
  std::string text(builder.tree().source().text(range));
  if (numberTooLarge(text)) builder.report(builder.make(DiagnosticCode::numberTooLarge, range, {text}));
}

class FileParse {
public:
  FileParse(SyntaxTree& tree, DiagnosticSink& sink) : tree_(tree), builder_(tree, sink) {}

  void run() {
    lexed_ = lex(tree_.source(), {0, static_cast<uint32_t>(tree_.source().text().size())});
    addTokens();
    BraceCheck braces = checkBraces(lexed_, builder_);
    if (braces.tooDeep) {
      giveUpOn(lexed_.empty() ? 0 : treeIndex_.front());
      return;
    }
    TokenList tokens = parseTokens(braces);
    GuardedParser parser(&tokens);
    parser.removeErrorListeners();
    parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
        antlr4::atn::PredictionMode::SLL);
    auto errors = std::make_shared<SyntaxErrors>(builder_, tokens, false);
    parser.setErrorHandler(errors);
    try {
      antlr4::ParserRuleContext* file = parser.file();
      builder_.setRoot(ContextReader(builder_).read(file));
    } catch (const NestedTooDeep& deep) {
      report(DiagnosticCode::nestedTooDeep, tokens.at(deep.tokenIndex));
      giveUpOn(0);
      return;
    }
    reportStrayBraces(braces, *errors);
    checkDepth();
  }

private:
  // All tokens of the file, with white space and comments from the gaps between the lexer's.
  void addTokens() {
    uint32_t at = 0;
    std::vector<LexedToken> kept;
    for (LexedToken& token : lexed_) {
      addGap(at, token.offset);
      TextRange range{token.offset, token.length};
      if (token.type == P::FOREIGNCOMMENT) {
        builder_.addToken(TokenKind::comment, range);
        builder_.report(
            builder_.make(DiagnosticCode::foreignComment, range)
                .withHelp("`" +
                          std::string(tree_.source().text(
                              {range.offset,
                               range.length > 2 && tree_.source().text()[range.offset] == '#' ? 1U : 2U})) +
                          "` begins none"));
        at = range.end();
        continue;
      }
      treeIndex_.push_back(static_cast<uint32_t>(builder_.addToken(kindOfType(token.type), range)));
      at = range.end();
      checkNumber(builder_, token);
      // What is open ends with its line; the parser takes it as if it were closed.
      switch (token.type) {
      case P::OPENTEXT:
        token.type = P::TEXT;
        builder_.report(
            builder_.make(DiagnosticCode::openText, range).withFix({range.end(), 0}, "\"", "close it"));
        break;
      case P::OPENMARK:
        token.type = P::MARK;
        builder_.report(
            builder_.make(DiagnosticCode::openMark, range).withFix({range.end(), 0}, "]", "close it"));
        break;
      case P::CELL: reportOpenMark(range); break;
      case P::OPENQNAME:
        token.type = P::QNAME;
        reportOpenName(range);
        break;
      default: break;
      }
      kept.push_back(token);
    }
    lexed_ = std::move(kept);
    addGap(at, static_cast<uint32_t>(tree_.source().text().size()));
    builder_.endOfFileTokens();
  }

  // A mark in a cell ends before the pipe.
  void reportOpenMark(TextRange range) {
    std::string_view cell = tree_.source().text(range);
    std::size_t open = cell.rfind('[');
    if (cell.starts_with('"') || open == std::string_view::npos ||
        cell.find(']', open) != std::string_view::npos)
      return;
    builder_.report(builder_
                        .make(DiagnosticCode::openMark, {range.offset + static_cast<uint32_t>(open),
                                                         range.length - static_cast<uint32_t>(open)})
                        .withFix({range.end(), 0}, "]", "close it"));
  }

  // `u's moved`: what belongs to somebody stands behind a dot.
  void reportOpenName(TextRange range) {
    std::string_view text = tree_.source().text();
    bool owner = text.substr(range.offset).starts_with("'s ") && range.offset > 0 &&
                 std::isalnum(static_cast<unsigned char>(text[range.offset - 1]));
    std::size_t word = range.offset;
    while (word > 0 && std::isalpha(static_cast<unsigned char>(text[word - 1]))) --word;
    std::string_view before = text.substr(word, range.offset - word);
    bool negated = text.substr(range.offset).starts_with("'t ") &&
                   (before == "can" || before == "isn" || before == "hasn");
    if (negated) {
      std::string own = before == "can" ? "not can" : before == "isn" ? "is not" : "has no";
      TextRange all{static_cast<uint32_t>(word), range.offset + 2 - static_cast<uint32_t>(word)};
      builder_.report(builder_.make(DiagnosticCode::foreignSpelling, all, {std::string(before) + "'t", own})
                          .withFix(all, own, "write `" + own + "`"));
    } else if (owner)
      builder_.report(builder_.make(DiagnosticCode::foreignSpelling, {range.offset, 2}, {"'s", "."})
                          .withFix({range.offset, 3}, ".", "write `.`"));
    else
      builder_.report(builder_.make(DiagnosticCode::openQuotedName, range));
  }

  void addGap(uint32_t begin, uint32_t end) {
    std::string_view text = tree_.source().text();
    while (begin < end) {
      bool comment = text[begin] == '/';
      uint32_t stop = begin;
      while (stop < end && (comment ? text[stop] != '\n' && text[stop] != '\r' : text[stop] != '/')) ++stop;
      builder_.addToken(comment ? TokenKind::comment : TokenKind::space, {begin, stop - begin});
      begin = stop;
    }
  }

  TokenList parseTokens(const BraceCheck& braces) {
    std::vector<ParseToken> list;
    list.reserve(lexed_.size() + 1);
    size_t nextStray = 0, nextSupplied = 0;
    uint32_t line = 0;
    auto supply = [&](size_t before) {
      for (; nextSupplied < braces.supplied.size() && braces.supplied[nextSupplied].first == before;
           ++nextSupplied)
        for (size_t k = 0; k < braces.supplied[nextSupplied].second; ++k)
          list.emplace_back(P::RIGHTBRACE, TokenId::none, before > 0 ? treeIndex_[before - 1] + 1 : 0);
    };
    for (size_t i = 0; i < lexed_.size(); ++i) {
      supply(i);
      uint32_t now = tree_.source().lineOf(lexed_[i].offset);
      bool stray = nextStray < braces.stray.size() && braces.stray[nextStray] == i;
      if (stray) {
        ++nextStray;
      } else {
        list.emplace_back(lexed_[i].type, static_cast<TokenId>(treeIndex_[i]), treeIndex_[i]);
        list.back().firstInLine = now != line;
      }
      line = now;
    }
    supply(lexed_.size());
    list.emplace_back(antlr4::Token::EOF, TokenId::none, tree_.fileTokenCount());
    return TokenList(std::move(list));
  }

  void report(DiagnosticCode code, const ParseToken& token) {
    TextRange range = valid(token.id) ? tree_.range(token.id) : TextRange{};
    builder_.report(builder_.make(code, range, {std::to_string(nestingLimit)}));
  }

  void giveUpOn(uint32_t firstToken) {
    NodeId file = builder_.add(NodeKind::File, 0, tree_.fileTokenCount());
    NodeId error = builder_.add(NodeKind::Error, firstToken, tree_.fileTokenCount());
    builder_.markFaulty(error);
    ChildList(builder_, file).append(error, Role::junk);
    builder_.setRoot(file);
  }

  // A closing brace too many, unless another mistake in the same declaration explains it (a missing `{`).
  void reportStrayBraces(const BraceCheck& braces, const SyntaxErrors& errors) {
    size_t from = 0, seen = 0;
    for (size_t stray : braces.stray) {
      for (; seen <= stray; ++seen)
        if (beginsDeclaration(lexed_[seen].type) && tree_.source().position(lexed_[seen].offset).column == 1)
          from = seen;
      bool explained = false;
      for (uint32_t at : errors.reportedAt())
        explained |= at >= lexed_[from].offset && at <= lexed_[stray].offset;
      if (!explained)
        builder_.report(builder_.make(DiagnosticCode::nothingToClose, {lexed_[stray].offset, 1}, {"}"})
                            .withFix({lexed_[stray].offset, 1}, "", "take it away"));
    }
  }

  // A declaration that nests too deep becomes an error as a whole.
  void checkDepth() {
    for (NodeId item : tree_.children(tree_.root())) {
      std::vector<std::pair<NodeId, size_t>> open{{item, 1}};
      while (!open.empty()) {
        auto [node, depth] = open.back();
        open.pop_back();
        if (depth > depthLimit) {
          builder_.report(builder_.make(DiagnosticCode::nestedTooDeep, tree_.range(node),
                                        {std::to_string(nestingLimit)}));
          Node& faulty = builder_.node(item);
          faulty.kind = NodeKind::Error;
          faulty.op = TokenKind::none;
          faulty.firstChild = NodeId::none;
          faulty.flags = NodeFlags::faulty;
          break;
        }
        for (NodeId child : tree_.children(node)) open.emplace_back(child, depth + 1);
      }
    }
  }

  SyntaxTree& tree_;
  TreeBuilder builder_;
  std::vector<LexedToken> lexed_;
  std::vector<uint32_t> treeIndex_; // of each lexed token
};

bool isConstant(size_t type) {
  return type == P::KW_YES || type == P::KW_NO || type == P::KW_NONE || type == P::KW_UNLIMITED ||
         type == P::KW_IT || type == P::KW_HEXES || type == P::KW_HEXSIDES;
}

bool isNameType(size_t type) {
  TokenKind kind = kindOfType(type);
  return kind == TokenKind::name || kind == TokenKind::label || kind == TokenKind::quotedName ||
         isSoftWord(kind);
}

// `12`, `u`, `u.hex.terrain`: most holes and cells, made without the generated parser.
NodeId readSimple(TreeBuilder& builder, const std::vector<LexedToken>& lexed, uint32_t firstToken,
                  bool hole) {
  if (lexed.size() == 1 && lexed[0].type == P::INT)
    return builder.add(NodeKind::IntLiteral, firstToken, firstToken + 1);
  // In a look `{move}` is a printed field, whatever its name; elsewhere no such name is known.
  if (hole && lexed.size() == 1 && isReservedWord(kindOfType(lexed[0].type)) && !isConstant(lexed[0].type))
    return builder.add(NodeKind::NameExpr, firstToken, firstToken + 1);
  if (lexed.size() % 2 == 0 || lexed.size() > 15 || !isNameType(lexed[0].type)) return NodeId::none;
  for (size_t i = 1; i < lexed.size(); i += 2)
    if (lexed[i].type != P::DOT ||
        !(isNameType(lexed[i + 1].type) || isKeyword(kindOfType(lexed[i + 1].type))))
      return NodeId::none;
  NodeId node = builder.add(NodeKind::NameExpr, firstToken, firstToken + 1);
  for (uint32_t i = 1; i < lexed.size(); i += 2) {
    NodeId member = builder.add(NodeKind::Member, firstToken, firstToken + i + 2);
    ChildList children(builder, member);
    children.append(node, Role::base);
    children.append(builder.add(NodeKind::Name, firstToken + i + 1, firstToken + i + 2), Role::name);
    node = member;
  }
  return node;
}

// How ranges are written elsewhere.
void hintKeys(std::string_view words, Diagnostic& told) {
  if (words.find(" to ") != std::string_view::npos || words.find("\u2013") != std::string_view::npos ||
      words.find("\u2014") != std::string_view::npos)
    told.help.push_back("a range of keys is `1-3`, or `-3 .. -1`");
  else if (words.ends_with('+') || words.starts_with('>') || words.starts_with("\u2265") ||
           words.find("more") != std::string_view::npos)
    told.help.push_back("`2..` is 2 and all above");
  else if (words.starts_with('<') || words.starts_with("\u2264") ||
           words.find("less") != std::string_view::npos || words.ends_with('-'))
    told.help.push_back("`..2` is 2 and all below");
}

} // namespace

SyntaxTree parse(std::shared_ptr<const SourceText> source, DiagnosticSink& sink) {
  SyntaxTree tree(std::move(source));
  DiagnosticSink own; // to bring the messages of the phases into the order of the file
  FileParse(tree, own).run();
  own.sort();
  sink.append(std::move(own));
  return tree;
}

SyntaxTree parseExpression(std::shared_ptr<const SourceText> source, DiagnosticSink& sink) {
  SyntaxTree tree(std::move(source));
  TreeBuilder builder(tree, sink);
  TextRange all{0, static_cast<uint32_t>(tree.source().text().size())};
  builder.setRoot(
      parseFragment(builder, all, Fragment::expression, DiagnosticCode::badCell, "an expression"));
  return tree;
}

NodeId parseFragment(TreeBuilder& builder, TextRange range, Fragment fragment, DiagnosticCode code,
                     const std::string& argument) {
  return parseFragment(builder, range, lex(builder.tree().source(), range), fragment, code, argument);
}

NodeId parseFragment(TreeBuilder& builder, TextRange range, const std::vector<LexedToken>& lexed,
                     Fragment fragment, DiagnosticCode code, const std::string& argument) {
  auto firstToken = static_cast<uint32_t>(builder.tree().tokenCount());
  std::vector<ParseToken> list;
  list.reserve(lexed.size() + 1);
  size_t depth = 0, deepest = 0;
  std::optional<TextRange> wrong;
  for (const LexedToken& token : lexed) {
    TextRange at{token.offset, token.length};
    TokenId id = builder.addToken(kindOfType(token.type), at);
    if (token.type == P::LEFTPAREN) deepest = std::max(deepest, ++depth);
    if (token.type == P::RIGHTPAREN && depth > 0) --depth;
    bool open = token.type == P::OPENTEXT || token.type == P::OPENMARK || token.type == P::OPENQNAME;
    if (open && !wrong) wrong = at;
    checkNumber(builder, token);
    list.emplace_back(token.type, id, static_cast<uint32_t>(id));
  }
  auto endToken = static_cast<uint32_t>(builder.tree().tokenCount());
  auto fail = [&](TextRange at) {
    std::vector<std::string> arguments;
    for (size_t i = 2; i < lexed.size(); ++i)
      if (lexed[i - 2].type == P::INT && lexed[i - 1].type == P::DOT && lexed[i].type == P::INT) {
        builder.report(decimalNumber(
            builder, {lexed[i - 2].offset, lexed[i].offset + lexed[i].length - lexed[i - 2].offset}));
        NodeId error = builder.add(NodeKind::Error, firstToken, endToken);
        builder.markFaulty(error);
        return error;
      }
    if (!argument.empty()) arguments.push_back(argument);
    Diagnostic told = builder.make(code, at.length > 0 || range.length == 0 ? at : range, arguments);
    if (fragment == Fragment::keys) hintKeys(builder.tree().source().text(range), told);
    builder.report(std::move(told));
    NodeId error = builder.add(NodeKind::Error, firstToken, endToken);
    builder.markFaulty(error);
    return error;
  };
  if (wrong || lexed.empty() || deepest > nestingLimit) return fail(wrong ? *wrong : range);
  if (fragment == Fragment::expression || fragment == Fragment::list)
    if (NodeId simple = readSimple(builder, lexed, firstToken, code == DiagnosticCode::badHole);
        valid(simple))
      return simple;

  list.emplace_back(antlr4::Token::EOF, TokenId::none, endToken);
  TokenList tokens(std::move(list));
  GuardedParser parser(&tokens);
  parser.removeErrorListeners();
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
      antlr4::atn::PredictionMode::SLL);
  auto errors = std::make_shared<SyntaxErrors>(builder, tokens, true);
  parser.setErrorHandler(errors);
  try {
    antlr4::ParserRuleContext* context = nullptr;
    switch (fragment) {
    case Fragment::expression: context = parser.hole(); break;
    case Fragment::list: context = parser.list(); break;
    case Fragment::heading: context = parser.heading(); break;
    case Fragment::type: context = parser.typeOnly(); break;
    case Fragment::keys: context = parser.keys(); break;
    }
    if (errors->firstError()) return fail(*errors->firstError());
    return ContextReader(builder).read(context);
  } catch (const NestedTooDeep&) {
    return fail(range);
  }
}

} // namespace hellwig
