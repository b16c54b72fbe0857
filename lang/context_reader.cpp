// SPDX-License-Identifier: Apache-2.0
// Contexts to nodes: declarations, clauses, statements, lists in braces, rows.

#include "lang/context_reader.h"

#include <algorithm>

namespace hellwig {
namespace {

using P = HellwigParser;
using antlr4::tree::ParseTree;

bool isBody(size_t rule) {
  switch (rule) {
  case P::RuleFieldBody:
  case P::RuleRowBody:
  case P::RuleGameBody:
  case P::RuleCounterBody:
  case P::RuleGroupBody:
  case P::RuleTableBody:
  case P::RuleStepBody:
  case P::RuleClauseBody:
  case P::RuleVictoryBody:
  case P::RuleRouteBody:
  case P::RuleEdgeBody:
  case P::RuleEndBody:
  case P::RuleMapBody:
  case P::RuleForceBody:
  case P::RuleLookBody:
  case P::RuleLookPropBody:
  case P::RuleDeclBody:
  case P::RuleScenarioBody:
  case P::RulePhaseBody:
  case P::RuleBlock:
  case P::RuleTestBody: return true;
  default: return false;
  }
}

// Rules that only group children, which then belong to the node around.
bool isTransparent(size_t rule) {
  switch (rule) {
  case P::RuleNames:
  case P::RuleParams:
  case P::RuleAssigns:
  case P::RuleSettings:
  case P::RuleArgs:
  case P::RuleStepOp:
  case P::RuleRemovable:
  case P::RuleArriveTime:
  case P::RuleMatchBody:
  case P::RuleMenuBody:
  case P::RuleWinner: return true;
  default: return false;
  }
}

// The role that a child of this rule has whatever stands before it; none if the word before decides.
Role fixedRole(size_t rule) {
  switch (rule) {
  case P::RuleMark: return Role::mark;
  case P::RuleType: return Role::type;
  case P::RuleParam: return Role::param;
  case P::RuleAssign:
  case P::RuleSetting: return Role::with;
  case P::RuleStateItem:
  case P::RulePrintedItem:
  case P::RuleLegendEntry:
  case P::RuleBind:
  case P::RuleMenuItem: return Role::item;
  case P::RuleSpan: return Role::resets;
  case P::RuleRounding: return Role::rounding;
  case P::RuleAnySide: return Role::winner;
  case P::RuleHookPoint:
  case P::RuleRoutePoint: return Role::point;
  case P::RuleMapRef: return Role::ref;
  case P::RuleGridShape: return Role::shape;
  case P::RuleGridParity: return Role::parity;
  case P::RuleGridLines: return Role::lines;
  case P::RuleGridPush: return Role::direction;
  case P::RuleFeatureKind: return Role::type;
  case P::RuleOdds: return Role::turn;
  case P::RuleProvided: return Role::provided;
  case P::RulePrefer: return Role::prefer;
  case P::RuleAlternative:
  case P::RulePerformPass: return Role::alternative;
  case P::RuleNumber: return Role::count;
  case P::RuleShift: return Role::shift;
  case P::RuleArm:
  case P::RuleMatchItem: return Role::arm;
  default: return isBody(rule) ? Role::body : Role::none;
  }
}

bool isExpression(size_t rule) {
  return rule == P::RuleExpr || rule == P::RulePostfix || rule == P::RuleCall;
}

} // namespace

// ---- Small parts

size_t ContextReader::ruleOf(ParseTree* child) {
  auto* rule = asRule(child);
  return rule ? rule->getRuleIndex() : noIndex;
}

const ParseToken* ContextReader::terminal(ParseTree* child) {
  if (!isTerminal(child)) return nullptr;
  return static_cast<const ParseToken*>(static_cast<antlr4::tree::TerminalNode*>(child)->getSymbol());
}

TokenKind ContextReader::terminalKind(ParseTree* child) {
  const ParseToken* token = terminal(child);
  return token ? kindOfType(token->getType()) : TokenKind::none;
}

uint32_t ContextReader::first(Context* context) const {
  auto* token = static_cast<const ParseToken*>(context->getStart());
  return token ? token->treePosition : 0;
}

uint32_t ContextReader::end(Context* context) const {
  auto* start = static_cast<const ParseToken*>(context->getStart());
  auto* stop = static_cast<const ParseToken*>(context->getStop());
  if (!start) return 0;
  if (!stop || stop->index == noIndex || stop->index < start->index) return start->treePosition;
  return stop->treePosition + (valid(stop->id) ? 1 : 0);
}

// Whether a child still belongs to the context: recovery may have gone back to before it.
bool ContextReader::within(ParseTree* child, Context* context) const {
  auto* stop = static_cast<const ParseToken*>(context->getStop());
  if (!stop) return true;
  const ParseToken* token = terminal(child);
  if (!token) {
    auto* rule = asRule(child);
    token = rule ? static_cast<const ParseToken*>(rule->getStart()) : nullptr;
  }
  return !token || token->index == noIndex || token->index <= stop->index;
}

NodeId ContextReader::open(NodeKind kind, Context* context) {
  NodeId id = builder_.add(kind, first(context), end(context));
  if (context->exception) builder_.markFaulty(id);
  return id;
}

NodeId ContextReader::leaf(NodeKind kind, Context* context) {
  return open(kind, context);
}

// ---- Rules

NodeId ContextReader::read(Context* context) {
  size_t rule = context->getRuleIndex();
  if (isWrapper(rule)) {
    for (ParseTree* child : context->children)
      if (auto* inner = asRule(child); inner && inner->getStart()) {
        NodeId id = read(inner);
        if (!valid(id)) continue;
        // What recovery skipped is an error node of the wrapper, for that is the item of the list.
        if (context->exception) {
          builder_.markFaulty(id);
          builder_.node(id).endToken = std::max(builder_.node(id).endToken, end(context));
        }
        return id;
      }
    NodeId error = open(NodeKind::Error, context);
    builder_.markFaulty(error);
    return error;
  }
  if (isBody(rule)) return readBody(context);
  const RuleShape& shape = ruleShape(rule);
  if (shape.known) return readShape(shape, context);
  switch (rule) {
  case P::RuleFile: {
    NodeId file = builder_.add(NodeKind::File, 0, tree_.fileTokenCount());
    ChildList children(builder_, file);
    appendItems(file, children, context, Role::item);
    return file;
  }
  case P::RuleMark: return leaf(NodeKind::Mark, context);
  case P::RuleText: {
    auto* token = static_cast<const ParseToken*>(context->getStart());
    return token && valid(token->id) && end(context) > first(context) ? readText(token->id) : NodeId::none;
  }
  case P::RuleIntNumber: return leaf(NodeKind::IntLiteral, context);
  case P::RuleOdds: return leaf(NodeKind::OddsLiteral, context);
  case P::RuleName:
  case P::RuleWord:
  case P::RuleFeatureKind:
    return end(context) > first(context) ? leaf(NodeKind::Name, context) : NodeId::none;
  case P::RuleGridShape:
  case P::RuleGridParity:
  case P::RuleGridLines:
  case P::RuleGridPush: {
    NodeId word = leaf(NodeKind::Word, context);
    if (!context->children.empty()) builder_.node(word).op = terminalKind(context->children[0]);
    return word;
  }
  case P::RuleType: return readType(context);
  case P::RuleRow: return readRow(context);
  case P::RuleCell: return readCell(context);
  case P::RuleMapRef: return readMapRef(context);
  case P::RuleHexRef: return leaf(NodeKind::HexRef, context);
  case P::RuleIfStmt: return readIf(context);
  case P::RuleDecision: return readDecision(context);
  case P::RuleTypeOnly:
    for (ParseTree* child : context->children)
      if (ruleOf(child) == P::RuleType) return read(static_cast<Context*>(child));
    return NodeId::none;
  case P::RuleHeading:
    for (ParseTree* child : context->children)
      if (ruleOf(child) == P::RuleField) return read(static_cast<Context*>(child));
    return NodeId::none;
  case P::RuleList: {
    std::vector<NodeId> items;
    for (ParseTree* child : context->children)
      if (ruleOf(child) == P::RuleExpr) items.push_back(read(static_cast<Context*>(child)));
    if (items.size() == 1) return items[0];
    NodeId list = builder_.add(NodeKind::ListParen, first(context),
                               items.empty() ? first(context) : endOf(items.back()));
    ChildList children(builder_, list);
    for (NodeId item : items) children.append(item, Role::item);
    return list;
  }
  case P::RuleExpect: {
    NodeId inner = NodeId::none;
    for (ParseTree* child : context->children)
      if (ruleOf(child) == P::RuleExpectation) inner = read(static_cast<Context*>(child));
    if (!valid(inner)) return open(NodeKind::Error, context);
    builder_.node(inner).firstToken = first(context);
    builder_.node(inner).endToken = end(context);
    ChildList children(builder_, inner);
    for (ParseTree* child : context->children)
      if (ruleOf(child) == P::RuleMark) children.append(read(static_cast<Context*>(child)), Role::mark);
    if (context->exception) builder_.markFaulty(inner);
    return inner;
  }
  default: return readExpression(context);
  }
}

NodeId ContextReader::readShape(const RuleShape& shape, Context* context) {
  NodeId id = open(shape.kind, context);
  ChildList children(builder_, id);
  fill(id, children, shape, context);
  if (shape.kind == NodeKind::Step && builder_.node(id).op == TokenKind::none)
    builder_.node(id).op = TokenKind::kw_round;
  if (shape.kind == NodeKind::Shift && builder_.node(id).op == TokenKind::none)
    builder_.node(id).op = TokenKind::kw_right;
  return id;
}

void ContextReader::fill(NodeId id, ChildList& children, const RuleShape& shape, Context* context) {
  auto rolesAfter = [&](TokenKind word) -> const std::vector<Role>* {
    for (const RuleShape::RoleEntry& entry : shape.roles)
      if (entry.after == word) return &entry.roles;
    return nullptr;
  };
  const std::vector<Role>* roles = rolesAfter(TokenKind::none);
  size_t taken = 0;
  auto walk = [&](auto&& self, Context* at) -> void {
    for (size_t i = 0; i < at->children.size(); ++i) {
      ParseTree* child = at->children[i];
      if (!within(child, context)) continue;
      if (isErrorNode(child)) {
        children.append(junk(at, i), Role::junk);
        builder_.markFaulty(id);
        continue;
      }
      if (const ParseToken* token = terminal(child)) {
        TokenKind kind = kindOfType(token->getType());
        Node& node = builder_.node(id);
        if (node.op == TokenKind::none &&
            std::find(shape.ops.begin(), shape.ops.end(), kind) != shape.ops.end())
          node.op = kind;
        for (auto [word, flag] : shape.flags)
          if (word == kind) node.flags |= flag;
        if (const std::vector<Role>* after = rolesAfter(kind)) {
          roles = after;
          taken = 0;
        }
        continue;
      }
      auto* rule = static_cast<Context*>(child);
      if (!rule->getStart()) continue;
      size_t index = rule->getRuleIndex();
      if (index == P::RuleParams) builder_.node(id).flags |= NodeFlags::hasParams;
      if (isTransparent(index)) {
        if (rule->exception) builder_.markFaulty(id);
        self(self, rule);
        continue;
      }
      Role role = roles ? (*roles)[std::min(taken, roles->size() - 1)] : Role::none;
      bool decidedByWord = fixedRole(index) == Role::none && index != P::RuleText;
      if (decidedByWord || shape.kind == NodeKind::LookProp) ++taken;
      appendChild(id, children, shape, rule, role);
    }
  };
  walk(walk, context);
}

void ContextReader::appendChild(NodeId id, ChildList& children, const RuleShape& shape, Context* child,
                                Role role) {
  size_t rule = child->getRuleIndex();
  if (rule == P::RuleOtherwiseBranch || rule == P::RuleElseBranch) {
    bool isElse = rule == P::RuleElseBranch;
    if (child->exception) builder_.markFaulty(id);
    for (ParseTree* part : child->children) {
      if (ruleOf(part) == P::RuleMark)
        children.append(read(static_cast<Context*>(part)), isElse ? Role::elseMark : Role::otherwiseMark);
      if (ruleOf(part) == P::RuleBlock)
        children.append(read(static_cast<Context*>(part)), isElse ? Role::elseBody : Role::otherwise);
    }
    return;
  }
  if (rule == P::RuleMatchItem) {
    for (ParseTree* part : child->children)
      if (auto* inner = asRule(part)) {
        if (child->exception) builder_.markFaulty(id);
        appendChild(id, children, shape, inner, Role::arm);
      }
    return;
  }
  if (Role fixed = fixedRole(rule); fixed != Role::none) {
    role = fixed;
    if (rule == P::RuleMark && shape.kind == NodeKind::Waive && !valid(tree_.child(id, Role::waived)))
      role = Role::waived;
    if (rule == P::RuleOdds) builder_.node(id).op = TokenKind::odds;
  } else if (rule == P::RuleText) {
    role = shape.textRole;
    if (shape.kind == NodeKind::ModDecl && valid(tree_.child(id, Role::text))) role = Role::base;
  } else if (rule == P::RuleIntNumber) {
    if (shape.numberRole != Role::none) role = shape.numberRole;
  } else if (isExpression(rule)) {
    // `word = e` and `e` begin alike: without a word what stands there is the value (or the target).
    if (shape.kind == NodeKind::Place && (role == Role::name || role == Role::base)) role = Role::target;
    if (role == Role::name) role = Role::value;
    if (shape.kind == NodeKind::VictoryClause && role != Role::when) role = Role::winner;
  }
  children.append(read(child), role);
}

// Several tokens in a row that fit nowhere; leaves childIndex at the last of them.
NodeId ContextReader::junk(Context* context, size_t& childIndex) {
  const ParseToken* from = nullptr;
  const ParseToken* to = nullptr;
  for (; childIndex < context->children.size(); ++childIndex) {
    if (!isErrorNode(context->children[childIndex])) break;
    const ParseToken* token = terminal(context->children[childIndex]);
    if (!token || token->index == noIndex || !valid(token->id)) continue;
    if (!from) from = token;
    to = token;
  }
  --childIndex;
  if (!from) return NodeId::none;
  NodeId error = builder_.add(NodeKind::Error, from->treePosition, to->treePosition + 1);
  builder_.markFaulty(error);
  return error;
}

NodeId ContextReader::readBody(Context* context) {
  NodeId block = open(NodeKind::Block, context);
  ChildList children(builder_, block);
  appendItems(block, children, context, Role::item);
  checkItems(block);
  return block;
}

void ContextReader::appendItems(NodeId block, ChildList& children, Context* context, Role itemRole) {
  size_t fieldLists = 0;
  for (size_t i = 0; i < context->children.size(); ++i) {
    ParseTree* child = context->children[i];
    if (isErrorNode(child)) {
      children.append(junk(context, i), Role::junk);
      continue;
    }
    auto* rule = asRule(child);
    if (!rule || !rule->getStart()) continue;
    if (rule->getRuleIndex() == P::RuleFieldList) {
      if (++fieldLists > 1) {
        builder_.report(builder_.make(DiagnosticCode::unexpected,
                                      tree_.range(static_cast<TokenId>(first(rule))),
                                      {"this field", ": a comma is wanted before it"}));
        builder_.markFaulty(block);
      }
      for (size_t k = 0; k < rule->children.size(); ++k) {
        if (isErrorNode(rule->children[k]))
          children.append(junk(rule, k), Role::junk);
        else if (auto* field = asRule(rule->children[k]))
          children.append(read(field), Role::item);
      }
      continue;
    }
    NodeId item = read(rule);
    if (valid(item)) children.append(item, tree_.kind(item) == NodeKind::Row ? Role::row : itemRole);
    // What was skipped to go on is the last part of the item.
    if (valid(item) && rule->exception && isWrapper(rule->getRuleIndex())) {
      ChildList parts(builder_, item);
      for (size_t k = 0; k < rule->children.size(); ++k)
        if (isErrorNode(rule->children[k])) parts.append(junk(rule, k), Role::junk);
    }
  }
}

// What the grammar leaves open about the order in braces.
void ContextReader::checkItems(NodeId block) {
  NodeId lastRow = NodeId::none, leave = NodeId::none;
  bool toldRows = false, toldLeave = false;
  size_t headings = 0;
  for (NodeId child : tree_.children(block)) {
    const Node node = tree_.node(child);
    if (node.role == Role::row) {
      size_t cells = tree_.children(child, Role::cell).size();
      if (!valid(lastRow)) headings = cells;
      bool sameLine = valid(lastRow) && tree_.source().lineOf(tree_.range(lastRow).end()) ==
                                            tree_.source().lineOf(tree_.range(child).offset);
      // Several rows may share a line, but then each has all its cells; if not, two pipes enclose an empty
      // one.
      bool torn = sameLine && (cells < headings || tree_.children(lastRow, Role::cell).size() < headings);
      if (torn && !tree_.has(lastRow, NodeFlags::faulty) && !tree_.has(child, NodeFlags::faulty)) {
        TextRange before = tree_.range(lastRow), now = tree_.range(child);
        TextRange gap{before.end() - 1, now.offset + 1 - (before.end() - 1)};
        if (NodeId mark = tree_.child(lastRow, Role::mark); valid(mark))
          builder_.report(builder_.make(DiagnosticCode::markInCell, tree_.range(mark)));
        else
          builder_.report(
              builder_.make(DiagnosticCode::emptyCell, gap).withFix(gap, "| - |", "write `| - |`"));
        builder_.markFaulty(child);
        builder_.markFaulty(block);
      }
      lastRow = child;
    } else if (node.role == Role::item) {
      if (valid(lastRow) && !toldRows && !(node.flags & NodeFlags::faulty)) {
        builder_.report(
            builder_.make(DiagnosticCode::rowsNotLast, tree_.range(static_cast<TokenId>(node.firstToken)))
                .also(tree_.sharedSource(), tree_.range(lastRow), "the row before it"));
        builder_.markFaulty(block);
        toldRows = true;
      }
      if (valid(leave) && !toldLeave) {
        builder_.report(
            builder_
                .make(DiagnosticCode::afterLeave, tree_.range(static_cast<TokenId>(node.firstToken)),
                      {std::string(tree_.text(static_cast<TokenId>(tree_.node(leave).firstToken)))})
                .also(tree_.sharedSource(), tree_.range(leave), "this leaves the block"));
        builder_.markFaulty(block);
        toldLeave = true;
      }
      // In a list of edges `stop` may carry a condition and other items follow it; a statement may not.
      bool leaves = node.kind == NodeKind::Return || node.kind == NodeKind::Next;
      if (leaves) leave = child;
    }
  }
}

NodeId ContextReader::readType(Context* context) {
  // `set of` may be repeated: the innermost type is read first, then wrapped.
  NodeId type = NodeId::none;
  std::vector<uint32_t> sets;
  for (ParseTree* child : context->children) {
    if (terminalKind(child) == TokenKind::kw_set) sets.push_back(terminal(child)->treePosition);
    auto* rule = asRule(child);
    if (!rule) continue;
    if (rule->getRuleIndex() == P::RuleProcType) {
      type = open(NodeKind::TypeProcedure, rule);
      ChildList children(builder_, type);
      for (ParseTree* part : rule->children)
        if (ruleOf(part) == P::RuleParams)
          for (ParseTree* param : static_cast<Context*>(part)->children)
            if (ruleOf(param) == P::RuleParam)
              children.append(read(static_cast<Context*>(param)), Role::param);
    } else {
      type = open(NodeKind::TypeName, rule);
      ChildList children(builder_, type);
      for (ParseTree* part : rule->children) {
        if (ruleOf(part) == P::RuleName) {
          children.append(read(static_cast<Context*>(part)), Role::name);
        } else if (TokenKind kind = terminalKind(part); kind == TokenKind::question) {
          builder_.node(type).flags |= NodeFlags::optional;
        } else if (kind != TokenKind::none) {
          builder_.node(type).op = kind;
          uint32_t at = terminal(part)->treePosition;
          children.append(builder_.add(NodeKind::Name, at, at + 1), Role::name);
        }
      }
    }
  }
  if (!valid(type)) return NodeId::none;
  for (size_t i = sets.size(); i-- > 0;) {
    NodeId set = builder_.add(NodeKind::TypeSet, sets[i], builder_.node(type).endToken);
    ChildList(builder_, set).append(type, Role::type);
    type = set;
  }
  if (context->exception) builder_.markFaulty(type);
  return type;
}

NodeId ContextReader::readRow(Context* context) {
  NodeId row = open(NodeKind::Row, context);
  ChildList children(builder_, row);
  NodeId last = NodeId::none;
  for (size_t i = 0; i < context->children.size(); ++i) {
    ParseTree* child = context->children[i];
    if (isErrorNode(child)) {
      children.append(junk(context, i), Role::junk);
    } else if (ruleOf(child) == P::RuleCell) {
      last = read(static_cast<Context*>(child));
      children.append(last, Role::cell);
    } else if (ruleOf(child) == P::RuleMark) {
      children.append(read(static_cast<Context*>(child)), Role::mark);
    } else if (const ParseToken* pipe = terminal(child); pipe && valid(pipe->id) && valid(last)) {
      // A cell ends with its line; the next pipe may already be that of the next row.
      TextRange cell = tree_.range(last);
      const SourceText& source = tree_.source();
      if (source.lineOf(cell.offset) != source.lineOf(tree_.range(pipe->id).offset)) {
        builder_.report(builder_.make(DiagnosticCode::cellWithoutPipe, cell)
                            .withFix({cell.end(), 0}, " |", "end the cell with ` |`"));
        builder_.markFaulty(row);
      }
      last = NodeId::none;
    }
  }
  return row;
}

// A cell is one token of the file; the marks at its end become finer tokens of their own.
NodeId ContextReader::readCell(Context* context) {
  if (end(context) <= first(context)) return NodeId::none;
  NodeId cell = leaf(NodeKind::Cell, context);
  TextRange range = tree_.range(cell);
  std::string_view text = tree_.source().text(range);
  std::vector<TextRange> marks;
  size_t stop = text.size();
  while (stop > 0 && text[stop - 1] == ']') {
    size_t start = text.rfind('[', stop - 1);
    if (start == std::string_view::npos || start == 0) break;
    marks.push_back({range.offset + static_cast<uint32_t>(start), static_cast<uint32_t>(stop - start)});
    stop = text.find_last_not_of(" \t", start - 1);
    stop = stop == std::string_view::npos ? 0 : stop + 1;
  }
  ChildList children(builder_, cell);
  for (size_t i = marks.size(); i-- > 0;) {
    auto token = static_cast<uint32_t>(builder_.addToken(TokenKind::mark, marks[i]));
    children.append(builder_.add(NodeKind::Mark, token, token + 1), Role::mark);
  }
  return cell;
}

NodeId ContextReader::readMapRef(Context* context) {
  std::vector<NodeId> refs;
  TokenKind joint = TokenKind::none;
  for (ParseTree* child : context->children) {
    if (ruleOf(child) == P::RuleHexRef) {
      refs.push_back(read(static_cast<Context*>(child)));
    } else if (const ParseToken* token = terminal(child)) {
      TokenKind kind = kindOfType(token->getType());
      if (kind == TokenKind::fraction && valid(token->id)) {
        // `0610/0611` is one word of the file, but two hexes.
        TextRange both = tree_.range(token->id);
        auto slash = static_cast<uint32_t>(tree_.source().text(both).find('/'));
        for (TextRange part :
             {TextRange{both.offset, slash}, TextRange{both.offset + slash + 1, both.length - slash - 1}}) {
          auto at = static_cast<uint32_t>(builder_.addToken(TokenKind::integer, part));
          refs.push_back(builder_.add(NodeKind::HexRef, at, at + 1));
        }
        joint = TokenKind::slash;
      } else if (kind == TokenKind::slash || kind == TokenKind::dotDot) {
        joint = kind;
      }
    }
  }
  if (refs.size() == 1 && joint == TokenKind::none) return refs[0];
  if (refs.empty()) return NodeId::none;
  NodeId pair = open(joint == TokenKind::dotDot ? NodeKind::HexRange : NodeKind::HexPair, context);
  ChildList children(builder_, pair);
  children.append(refs[0], Role::left);
  if (refs.size() > 1) children.append(refs[1], Role::right);
  return pair;
}

// `if .. else if .. else`: a chain of nested nodes, built from the last.
NodeId ContextReader::readIf(Context* context) {
  struct Branch {
    Context* context;
    uint32_t firstToken;
  };
  std::vector<Branch> branches{{context, first(context)}};
  Context* elseBranch = nullptr;
  for (ParseTree* child : context->children) {
    if (ruleOf(child) == P::RuleElseIf) {
      auto* rule = static_cast<Context*>(child);
      uint32_t at = first(rule);
      // The nested statement begins with its `if`, the second word.
      for (ParseTree* part : rule->children)
        if (terminalKind(part) == TokenKind::kw_if) at = terminal(part)->treePosition;
      branches.push_back({rule, at});
    } else if (ruleOf(child) == P::RuleElseBranch) {
      elseBranch = static_cast<Context*>(child);
    }
  }
  NodeId inner = NodeId::none;
  for (size_t i = branches.size(); i-- > 0;) {
    NodeId node = builder_.add(NodeKind::IfStmt, branches[i].firstToken, end(context));
    if (branches[i].context->exception || context->exception) builder_.markFaulty(node);
    ChildList children(builder_, node);
    for (size_t k = 0; k < branches[i].context->children.size(); ++k) {
      ParseTree* child = branches[i].context->children[k];
      if (!within(child, context)) continue;
      if (isErrorNode(child)) {
        children.append(junk(branches[i].context, k), Role::junk);
        continue;
      }
      switch (ruleOf(child)) {
      case P::RuleExpr: children.append(read(static_cast<Context*>(child)), Role::condition); break;
      case P::RuleMark: children.append(read(static_cast<Context*>(child)), Role::mark); break;
      case P::RuleBlock: children.append(read(static_cast<Context*>(child)), Role::body); break;
      default: break;
      }
    }
    if (valid(inner))
      children.append(inner, Role::elseBody);
    else if (elseBranch)
      appendChild(node, children, ruleShape(P::RuleMatchStmt), elseBranch, Role::none);
    inner = node;
  }
  return inner;
}

NodeId ContextReader::readDecision(Context* context) {
  NodeId ask = NodeId::none, inner = NodeId::none;
  for (ParseTree* child : context->children) {
    auto* rule = asRule(child);
    if (!rule || !rule->getStart()) continue;
    if (rule->getRuleIndex() == P::RuleAskPrefix) {
      for (ParseTree* part : rule->children)
        if (ruleOf(part) == P::RuleExpr) ask = read(static_cast<Context*>(part));
    } else {
      inner = read(rule);
    }
  }
  if (!valid(inner)) {
    NodeId error = open(NodeKind::Error, context);
    builder_.markFaulty(error);
    return error;
  }
  if (valid(ask)) {
    // The question comes first among the children.
    NodeId rest = builder_.node(inner).firstChild;
    builder_.node(inner).firstChild = NodeId::none;
    ChildList(builder_, inner).append(ask, Role::ask);
    builder_.node(ask).nextSibling = rest;
  }
  builder_.node(inner).firstToken = first(context);
  builder_.node(inner).endToken = end(context);
  if (context->exception) builder_.markFaulty(inner);
  return inner;
}

} // namespace hellwig
