// SPDX-License-Identifier: Apache-2.0
// Contexts to nodes: expressions, and the hanging of each `where` on the phrase it belongs to.
//
// The grammar has a rule for each level of precedence; a level with nothing of its own makes no node.

#include "lang/context_reader.h"

#include <algorithm>

namespace hellwig {
namespace {

using P = HellwigParser;
using antlr4::tree::ParseTree;

using Context = antlr4::ParserRuleContext;

Context* childRule(Context* context, size_t rule) {
  for (ParseTree* child : context->children)
    if (auto* inner = asRule(child); inner && inner->getRuleIndex() == rule && inner->getStart())
      return inner;
  return nullptr;
}

Context* onlyRule(Context* context) {
  for (ParseTree* child : context->children)
    if (auto* inner = asRule(child); inner && inner->getStart()) return inner;
  return nullptr;
}

} // namespace

NodeId ContextReader::readExpression(Context* context) {
  // Most levels hold a single operand; going down here saves a call for each.
  for (;;) {
    size_t rule = context->getRuleIndex();
    switch (rule) {
    case P::RuleIfExpr: return readIfExpression(context);
    case P::RuleDoExpr: return readDo(context);
    case P::RuleText: return read(context);
    case P::RuleCondition: return readCondition(context);
    case P::RuleOrExpr:
    case P::RuleAndExpr:
    case P::RuleSum:
      if (context->children.size() > 1) return readBinaryChain(context);
      break;
    case P::RuleNotExpr:
      if (context->children.size() > 1) return readNot(context);
      break;
    case P::RuleQuantifier: return readQuantifier(context);
    case P::RuleComparison:
      if (context->children.size() > 1) return readComparison(context);
      break;
    case P::RuleOperand:
      if (context->children.size() > 1) return readOperand(context);
      break;
    case P::RuleProduct:
      if (context->children.size() > 1) return readProduct(context);
      break;
    case P::RuleUnary:
      if (context->children.size() > 1) return readUnary(context);
      break;
    case P::RuleSetPhrase:
      if (context->children.size() > 1) return readSetPhrase(context);
      break;
    case P::RuleQuery: return readQuery(context);
    case P::RulePostfix:
      if (context->children.size() > 1) return readPostfix(context);
      break;
    case P::RulePrimary: return readPrimary(context);
    case P::RuleCall: return readCall(context);
    case P::RuleKeys: return readKeys(context);
    case P::RuleKey: return readKey(context);
    default: break;
    }
    Context* inner = onlyRule(context);
    if (!inner) {
      if (end(context) <= first(context)) return NodeId::none;
      NodeId error = open(NodeKind::Error, context);
      builder_.markFaulty(error);
      return error;
    }
    context = inner;
  }
}

NodeId ContextReader::binary(NodeKind kind, TokenKind op, NodeId left, NodeId right) {
  NodeId node = builder_.add(kind, valid(left) ? builder_.node(left).firstToken : 0,
                             valid(right)  ? endOf(right)
                             : valid(left) ? endOf(left)
                                           : 0);
  builder_.node(node).op = op;
  ChildList children(builder_, node);
  children.append(left, Role::left);
  children.append(right, Role::right);
  if (!valid(left) || !valid(right)) builder_.markFaulty(node);
  return node;
}

NodeId ContextReader::readIfExpression(Context* context) {
  NodeId node = open(NodeKind::If, context);
  ChildList children(builder_, node);
  Role role = Role::condition;
  for (ParseTree* child : context->children) {
    TokenKind kind = terminalKind(child);
    if (kind == TokenKind::kw_then) role = Role::then;
    if (kind == TokenKind::kw_else) role = Role::elseBody;
    if (auto* rule = asRule(child)) children.append(readExpression(rule), role);
  }
  return node;
}

NodeId ContextReader::readDo(Context* context) {
  uint32_t at = first(context);
  bool negated = false;
  NodeId node = builder_.add(NodeKind::Do, at, end(context));
  ChildList children(builder_, node);
  for (ParseTree* child : context->children) {
    if (terminalKind(child) == TokenKind::kw_not) negated = true;
    if (terminalKind(child) == TokenKind::kw_do)
      builder_.node(node).firstToken = terminal(child)->treePosition;
    if (ruleOf(child) == P::RuleCall) children.append(readCall(static_cast<Context*>(child)), Role::call);
    if (ruleOf(child) == P::RuleArgs)
      for (ParseTree* arg : static_cast<Context*>(child)->children)
        if (ruleOf(arg) == P::RuleArg) children.append(read(static_cast<Context*>(arg)), Role::with);
  }
  if (context->exception) builder_.markFaulty(node);
  if (!negated) return node;
  NodeId wrapped = builder_.add(NodeKind::Not, at, endOf(node));
  ChildList(builder_, wrapped).append(node, Role::operand);
  return wrapped;
}

// ---- where, by

// Makes `id` a new node of this kind that holds what it was as its child.
NodeId ContextReader::wrapInPlace(NodeId id, NodeKind kind, Role role) {
  Node old = builder_.node(id);
  NodeId copy = builder_.add(old.kind, old.firstToken, old.endToken);
  Node moved = old;
  moved.role = role;
  moved.nextSibling = NodeId::none;
  builder_.node(copy) = moved;
  Node& outer = builder_.node(id);
  outer.kind = kind;
  outer.op = TokenKind::none;
  outer.flags = old.flags & NodeFlags::faulty;
  outer.firstChild = copy;
  return copy;
}

// Hangs a condition on the phrase that ends just before its `where`, down the right edge of what stands
// there.
bool ContextReader::hangWhere(NodeId phrase, NodeId condition, TextRange where, NodeId& hungOn) {
  if (!valid(phrase) || !valid(condition)) return true;
  std::vector<NodeId> path;
  NodeId at = phrase;
  auto down = [&](Role role) {
    NodeId next = NodeId::none;
    for (NodeId c : tree_.children(at, role)) next = c;
    path.push_back(at);
    at = next;
  };
  bool found = false;
  // Conditions within conditions; beyond any sense, and the search would take long.
  constexpr size_t mostNested = 1000;
  while (valid(at) && !found) {
    if (path.size() > mostNested) {
      builder_.report(builder_.make(DiagnosticCode::nestedTooDeep, where, {std::to_string(mostNested)}));
      builder_.markFaulty(phrase);
      return false;
    }
    switch (tree_.kind(at)) {
    case NodeKind::Binary:
    case NodeKind::Compare:
    case NodeKind::In: down(Role::right); break;
    case NodeKind::Not:
    case NodeKind::Negate: down(Role::operand); break;
    case NodeKind::Quantifier:
    case NodeKind::Aggregate:
      if (valid(tree_.child(at, Role::where))) {
        down(Role::where);
      } else {
        ChildList(builder_, at).append(condition, Role::where);
        found = true;
      }
      break;
    case NodeKind::Where: down(Role::condition); break;
    case NodeKind::Paren: {
      // A set may stand in brackets; a condition in brackets has ended.
      NodeKind inner = NodeKind::Error;
      if (NodeId value = tree_.child(at, Role::value); valid(value)) inner = tree_.kind(value);
      bool condition_ = inner == NodeKind::Compare || inner == NodeKind::In || inner == NodeKind::Has ||
                        inner == NodeKind::Not || inner == NodeKind::Quantifier || inner == NodeKind::Binary;
      if (condition_) {
        at = NodeId::none;
      } else {
        wrapInPlace(at, NodeKind::Where, Role::base);
        ChildList(builder_, at).append(condition, Role::condition);
        found = true;
      }
      break;
    }
    case NodeKind::Filter:
    case NodeKind::Query:
    case NodeKind::NameExpr:
    case NodeKind::Call:
    case NodeKind::Member:
    case NodeKind::ListParen:
    case NodeKind::HexLiteral:
    case NodeKind::HexsideLiteral:
      wrapInPlace(at, NodeKind::Where, Role::base);
      ChildList(builder_, at).append(condition, Role::condition);
      found = true;
      break;
    case NodeKind::Constant:
      if (TokenKind op = tree_.op(at);
          op == TokenKind::kw_hexes || op == TokenKind::kw_hexsides || op == TokenKind::kw_it) {
        wrapInPlace(at, NodeKind::Where, Role::base);
        ChildList(builder_, at).append(condition, Role::condition);
        found = true;
      } else {
        at = NodeId::none;
      }
      break;
    default: at = NodeId::none; break;
    }
  }
  if (!found) {
    Diagnostic told = builder_.make(DiagnosticCode::misplacedWhere, where,
                                    {"this `where` has no set, quantifier or count just before it"});
    told.help.push_back(
        "a `where` belongs to the phrase that ends just before it; brackets close what has ended");
    builder_.report(std::move(told));
    builder_.markFaulty(phrase);
    return false;
  }
  hungOn = at;
  path.push_back(at);
  for (NodeId node : path)
    builder_.node(node).endToken = std::max(builder_.node(node).endToken, endOf(condition));
  if (tree_.has(condition, NodeFlags::faulty))
    for (NodeId node : path) builder_.markFaulty(node);
  return true;
}

NodeId ContextReader::readCondition(Context* context) {
  NodeId whole = NodeId::none, key = NodeId::none, phrase = NodeId::none;
  TokenKind order = TokenKind::none;
  bool isKey = false;
  TextRange where;
  size_t outerDoubles = doubleComparisons_.size();
  for (ParseTree* child : context->children) {
    TokenKind kind = terminalKind(child);
    if (kind == TokenKind::kw_where && valid(terminal(child)->id)) where = tree_.range(terminal(child)->id);
    if (kind == TokenKind::kw_by) isKey = true;
    if (kind == TokenKind::kw_least || kind == TokenKind::kw_greatest) order = kind;
    auto* rule = asRule(child);
    if (!rule || !rule->getStart()) continue;
    size_t doubles = doubleComparisons_.size();
    NodeId part = readExpression(rule);
    if (!valid(part)) continue;
    if (isKey) {
      key = part;
    } else if (!valid(whole)) {
      whole = part;
    } else {
      if (!hangWhere(whole, part, where, phrase)) break;
      // `count of us where it.x <= 2 <= 3`: the brackets end the phrase before the second comparison.
      for (size_t i = doubles; i < doubleComparisons_.size(); ++i) {
        auto second = static_cast<TokenId>(doubleComparisons_[i].secondOperator);
        uint32_t begin = tree_.range(static_cast<TokenId>(tree_.node(phrase).firstToken)).offset;
        TextRange before{begin, 0};
        uint32_t stop = tree_.range(static_cast<TokenId>(doubleComparisons_[i].secondOperator - 1)).end();
        for (uint32_t t = doubleComparisons_[i].secondOperator; t-- > 0;)
          if (!isTrivia(tree_.token(t).kind)) {
            stop = tree_.range(static_cast<TokenId>(t)).end();
            break;
          }
        before.length = stop - begin;
        std::string bracketed = "(" + std::string(tree_.source().text(before)) + ")";
        builder_.report(builder_
                            .make(DiagnosticCode::misplacedWhere, tree_.range(second),
                                  {"two comparisons in a row: this `where` takes all that follows it"})
                            .withFix(before, bracketed, "brackets end it"));
        builder_.markFaulty(phrase);
      }
      doubleComparisons_.resize(doubles);
    }
  }
  // Outside of any `where`.
  if (where.length == 0 || outerDoubles < doubleComparisons_.size()) {
    for (size_t i = outerDoubles; i < doubleComparisons_.size(); ++i)
      builder_.report(builder_.make(DiagnosticCode::twoComparisons,
                                    tree_.range(static_cast<TokenId>(doubleComparisons_[i].secondOperator))));
    doubleComparisons_.resize(outerDoubles);
  }
  if (valid(whole) && context->exception) builder_.markFaulty(whole);
  if (!isKey || !valid(whole)) return whole;
  NodeId by =
      builder_.add(NodeKind::By, builder_.node(whole).firstToken, valid(key) ? endOf(key) : endOf(whole));
  builder_.node(by).op = order;
  ChildList children(builder_, by);
  children.append(whole, Role::base);
  children.append(key, Role::key);
  if (!valid(key)) builder_.markFaulty(by);
  return by;
}

// ---- Operators

NodeId ContextReader::readBinaryChain(Context* context) {
  NodeId left = NodeId::none;
  TokenKind op = TokenKind::none;
  bool first = true;
  for (ParseTree* child : context->children) {
    if (terminal(child)) {
      op = terminalKind(child);
    } else if (auto* rule = asRule(child); rule && rule->getStart()) {
      NodeId part = readExpression(rule);
      left = first ? part : binary(NodeKind::Binary, op, left, part);
      first = false;
    }
  }
  if (valid(left) && context->exception) builder_.markFaulty(left);
  return left;
}

NodeId ContextReader::readNot(Context* context) {
  NodeId node = NodeId::none;
  std::vector<uint32_t> nots;
  for (ParseTree* child : context->children) {
    if (terminalKind(child) == TokenKind::kw_not)
      nots.push_back(terminal(child)->treePosition);
    else if (auto* rule = asRule(child); rule && rule->getStart())
      node = readExpression(rule);
  }
  for (size_t i = nots.size(); i-- > 0;) {
    NodeId wrapped = builder_.add(NodeKind::Not, nots[i], valid(node) ? endOf(node) : nots[i] + 1);
    ChildList(builder_, wrapped).append(node, Role::operand);
    if (!valid(node)) builder_.markFaulty(wrapped);
    node = wrapped;
  }
  return node;
}

// The optional name of the element and the set of a quantifier or aggregate.
void ContextReader::shareElement(ChildList& children, Context* context) {
  for (ParseTree* child : context->children) {
    if (ruleOf(child) == P::RuleName) children.append(read(static_cast<Context*>(child)), Role::name);
    if (ruleOf(child) == P::RuleSetPhrase)
      children.append(readExpression(static_cast<Context*>(child)), Role::set);
  }
}

NodeId ContextReader::readQuantifier(Context* context) {
  NodeId node = open(NodeKind::Quantifier, context);
  if (!context->children.empty()) builder_.node(node).op = terminalKind(context->children[0]);
  ChildList children(builder_, node);
  shareElement(children, context);
  return node;
}

NodeId ContextReader::readComparison(Context* context) {
  NodeId left = NodeId::none;
  size_t count = 0;
  uint32_t begin = first(context);
  for (ParseTree* child : context->children) {
    auto* rule = asRule(child);
    if (!rule || !rule->getStart()) continue;
    if (rule->getRuleIndex() != P::RuleComparing) {
      left = readExpression(rule);
      continue;
    }
    if (++count == 2) doubleComparisons_.push_back({begin, first(rule)});
    NodeKind kind = NodeKind::Compare;
    TokenKind op = TokenKind::none;
    bool negated = false;
    NodeId right = NodeId::none;
    for (ParseTree* part : rule->children) {
      TokenKind word = terminalKind(part);
      if (word == TokenKind::kw_not || word == TokenKind::kw_no)
        negated = true;
      else if (word == TokenKind::kw_in)
        kind = NodeKind::In;
      else if (word == TokenKind::kw_has)
        kind = NodeKind::Has;
      else if (word != TokenKind::none)
        op = word;
      else if (auto* operand = asRule(part))
        right = read(operand);
    }
    NodeId node = binary(kind, op, left, right);
    if (kind == NodeKind::Has && valid(right)) builder_.node(right).role = Role::name;
    if (negated) builder_.node(node).flags |= NodeFlags::negated;
    if (rule->exception || count > 1) builder_.markFaulty(node);
    left = node;
  }
  return left;
}

NodeId ContextReader::readOperand(Context* context) {
  NodeId left = NodeId::none;
  TokenKind op = TokenKind::none;
  for (ParseTree* child : context->children) {
    if (terminal(child)) {
      op = terminalKind(child);
    } else if (auto* rule = asRule(child); rule && rule->getStart()) {
      NodeId part = readExpression(rule);
      if (op == TokenKind::none)
        left = part;
      else
        left = binary(op == TokenKind::dotDot ? NodeKind::RangeTo : NodeKind::Otherwise, TokenKind::none,
                      left, part);
    }
  }
  if (valid(left) && context->exception) builder_.markFaulty(left);
  return left;
}

NodeId ContextReader::readProduct(Context* context) {
  NodeId left = NodeId::none;
  TokenKind op = TokenKind::none;
  bool first = true, rounded = false;
  for (ParseTree* child : context->children) {
    if (const ParseToken* token = terminal(child)) {
      TokenKind kind = terminalKind(child);
      if (kind == TokenKind::kw_rounded) {
        rounded = true;
      } else if (rounded) {
        NodeId node = builder_.add(NodeKind::Rounded,
                                   valid(left) ? builder_.node(left).firstToken : token->treePosition,
                                   token->treePosition + 1);
        builder_.node(node).op = kind;
        ChildList(builder_, node).append(left, Role::value);
        left = node;
      } else {
        op = kind;
      }
    } else if (auto* rule = asRule(child); rule && rule->getStart()) {
      NodeId part = readExpression(rule);
      left = first ? part : binary(NodeKind::Binary, op, left, part);
      first = false;
    }
  }
  if (valid(left) && context->exception) builder_.markFaulty(left);
  return left;
}

NodeId ContextReader::readUnary(Context* context) {
  std::vector<uint32_t> signs;
  TokenKind op = TokenKind::none;
  uint32_t begin = first(context);
  for (ParseTree* child : context->children) {
    TokenKind kind = terminalKind(child);
    if (kind == TokenKind::minus) {
      signs.push_back(terminal(child)->treePosition);
      continue;
    }
    if (const ParseToken* token = terminal(child)) begin = token->treePosition;
    if (kind != TokenKind::none) op = kind;
    break;
  }
  NodeId node = NodeId::none;
  if (op == TokenKind::none) {
    if (Context* inner = childRule(context, P::RuleSetPhrase)) node = readExpression(inner);
  } else {
    node = builder_.add(NodeKind::Aggregate, begin, end(context));
    builder_.node(node).op = op;
    if (context->exception) builder_.markFaulty(node);
    ChildList children(builder_, node);
    if (Context* of = childRule(context, P::RuleSum)) children.append(readExpression(of), Role::of);
    shareElement(children, context);
  }
  for (size_t i = signs.size(); i-- > 0;) {
    NodeId wrapped = builder_.add(NodeKind::Negate, signs[i], valid(node) ? endOf(node) : signs[i] + 1);
    ChildList(builder_, wrapped).append(node, Role::operand);
    if (!valid(node)) builder_.markFaulty(wrapped);
    node = wrapped;
  }
  return node;
}

// ---- Sets

NodeId ContextReader::readSetPhrase(Context* context) {
  NodeId node = NodeId::none;
  for (ParseTree* child : context->children) {
    auto* rule = asRule(child);
    if (!rule || !rule->getStart()) continue;
    node = rule->getRuleIndex() == P::RuleFilter ? readFilter(node, rule) : readExpression(rule);
  }
  return node;
}

NodeId ContextReader::readFilter(NodeId base, Context* context) {
  NodeId node = builder_.add(NodeKind::Filter, valid(base) ? builder_.node(base).firstToken : first(context),
                             end(context));
  if (context->exception) builder_.markFaulty(node);
  ChildList children(builder_, node);
  children.append(base, Role::base);
  Role role = Role::operand;
  for (ParseTree* child : context->children) {
    TokenKind kind = terminalKind(child);
    if (kind == TokenKind::kw_or) builder_.node(node).flags |= NodeFlags::orOn;
    bool first = builder_.node(node).op == TokenKind::none;
    if (first && kind != TokenKind::none && kind != TokenKind::kw_on && kind != TokenKind::kw_or)
      builder_.node(node).op = kind;
    if (auto* rule = asRule(child); rule && rule->getStart()) {
      children.append(readExpression(rule), role);
      role = Role::operand2;
    }
  }
  return node;
}

NodeId ContextReader::readQuery(Context* context) {
  NodeId node = open(NodeKind::Query, context);
  if (!context->children.empty()) builder_.node(node).op = terminalKind(context->children[0]);
  ChildList children(builder_, node);
  for (ParseTree* child : context->children) {
    if (ruleOf(child) == P::RuleCall) children.append(readCall(static_cast<Context*>(child)), Role::call);
    if (ruleOf(child) == P::RulePostfix)
      children.append(readExpression(static_cast<Context*>(child)), Role::to);
  }
  return node;
}

NodeId ContextReader::readPostfix(Context* context) {
  NodeId node = NodeId::none;
  for (ParseTree* child : context->children) {
    auto* rule = asRule(child);
    if (!rule || !rule->getStart()) continue;
    if (rule->getRuleIndex() != P::RuleMember) {
      node = readExpression(rule);
      continue;
    }
    NodeId member =
        builder_.add(NodeKind::Member, valid(node) ? builder_.node(node).firstToken : first(rule), end(rule));
    if (rule->exception) builder_.markFaulty(member);
    ChildList children(builder_, member);
    children.append(node, Role::base);
    for (ParseTree* part : rule->children) {
      if (ruleOf(part) == P::RuleWord) children.append(read(static_cast<Context*>(part)), Role::name);
      if (ruleOf(part) == P::RuleArgs) {
        builder_.node(member).flags |= NodeFlags::hasArgs;
        appendAll(children, static_cast<Context*>(part), Role::arg);
      }
    }
    node = member;
  }
  return node;
}

void ContextReader::appendAll(ChildList& children, Context* context, Role role) {
  for (ParseTree* child : context->children)
    if (auto* rule = asRule(child); rule && rule->getStart()) children.append(read(rule), role);
}

NodeId ContextReader::readCall(Context* context) {
  NodeId node = open(NodeKind::Call, context);
  ChildList children(builder_, node);
  for (ParseTree* child : context->children) {
    if (ruleOf(child) == P::RuleName) children.append(read(static_cast<Context*>(child)), Role::name);
    if (ruleOf(child) == P::RuleArgs) {
      if (static_cast<Context*>(child)->exception) builder_.markFaulty(node);
      appendAll(children, static_cast<Context*>(child), Role::arg);
    }
  }
  return node;
}

NodeId ContextReader::readPrimary(Context* context) {
  if (context->children.empty()) return NodeId::none;
  ParseTree* head = context->children[0];
  if (ruleOf(head) == P::RuleName) {
    if (childRule(context, P::RuleArgs)) return readCall(context);
    NodeId name = leaf(NodeKind::NameExpr, context);
    return name;
  }
  TokenKind kind = terminalKind(head);
  auto withOp = [&](NodeKind nodeKind) {
    NodeId node = open(nodeKind, context);
    builder_.node(node).op = kind;
    return node;
  };
  switch (kind) {
  case TokenKind::integer: return leaf(NodeKind::IntLiteral, context);
  case TokenKind::fraction: return leaf(NodeKind::FractionLiteral, context);
  case TokenKind::odds: return leaf(NodeKind::OddsLiteral, context);
  case TokenKind::kw_hex:
  case TokenKind::kw_hexside: {
    NodeId node = open(kind == TokenKind::kw_hex ? NodeKind::HexLiteral : NodeKind::HexsideLiteral, context);
    ChildList children(builder_, node);
    appendAll(children, context, Role::ref);
    return node;
  }
  case TokenKind::kw_can: {
    NodeId node = open(NodeKind::Can, context);
    ChildList children(builder_, node);
    appendAll(children, context, Role::call);
    return node;
  }
  case TokenKind::leftParen: {
    size_t items = 0;
    bool closed = true;
    for (ParseTree* child : context->children) {
      if (ruleOf(child) == P::RuleExpr) ++items;
      if (isErrorNode(child)) closed = false;
    }
    NodeId node = open(items > 1 ? NodeKind::ListParen : NodeKind::Paren, context);
    ChildList children(builder_, node);
    appendAll(children, context, items > 1 ? Role::item : Role::value);
    if (!closed || items == 0) builder_.markFaulty(node);
    return node;
  }
  case TokenKind::none: return NodeId::none;
  default: return withOp(NodeKind::Constant);
  }
}

// ---- Keys of tables

NodeId ContextReader::readKeys(Context* context) {
  NodeId node = open(NodeKind::Keys, context);
  ChildList children(builder_, node);
  for (ParseTree* child : context->children)
    if (ruleOf(child) == P::RuleKey) children.append(readKey(static_cast<Context*>(child)), Role::key);
  // The end of the file of the small parse is no part of the keys.
  if (valid(builder_.node(node).firstChild))
    for (NodeId key : tree_.children(node)) builder_.node(node).endToken = endOf(key);
  return node;
}

NodeId ContextReader::readKey(Context* context) {
  TokenKind head = context->children.empty() ? TokenKind::none : terminalKind(context->children[0]);
  if (head == TokenKind::kw_any) {
    NodeId node = open(NodeKind::AnyKey, context);
    builder_.node(node).op = TokenKind::kw_any;
    if (Context* name = childRule(context, P::RuleName)) {
      NodeId other = read(name);
      if (tree_.nameOf(other) == "other")
        builder_.node(node).op = TokenKind::kw_other;
      else {
        builder_.report(
            builder_.make(DiagnosticCode::badCell, tree_.range(node), {"a key: it is `any` or `any other`"}));
        builder_.markFaulty(node);
      }
    }
    return node;
  }
  if (Context* expression = childRule(context, P::RuleExpr)) return readExpression(expression);
  // `3-5`, `-3 .. -1`, `..2`, `4:20 ..`, `7`: ends, each with an optional sign, and what stands between them.
  NodeId ends[2] = {NodeId::none, NodeId::none};
  size_t side = 0;
  uint32_t sign = 0;
  bool signedEnd = false, isRange = false;
  for (ParseTree* child : context->children) {
    TokenKind kind = terminalKind(child);
    if (kind == TokenKind::dotDot || (kind == TokenKind::minus && valid(ends[0]) && side == 0)) {
      isRange = true;
      side = 1;
    } else if (kind == TokenKind::minus) {
      signedEnd = true;
      sign = terminal(child)->treePosition;
    } else if (ruleOf(child) == P::RuleKeyEnd) {
      auto* rule = static_cast<Context*>(child);
      TokenKind what = rule->children.empty() ? TokenKind::none : terminalKind(rule->children[0]);
      NodeId node = leaf(what == TokenKind::odds       ? NodeKind::OddsLiteral
                         : what == TokenKind::fraction ? NodeKind::FractionLiteral
                                                       : NodeKind::IntLiteral,
                         rule);
      if (signedEnd) {
        NodeId negated = builder_.add(NodeKind::Negate, sign, endOf(node));
        ChildList(builder_, negated).append(node, Role::operand);
        node = negated;
        signedEnd = false;
      }
      ends[side] = node;
    }
  }
  if (!isRange) return ends[0];
  NodeId range = open(NodeKind::RangeTo, context);
  ChildList children(builder_, range);
  children.append(ends[0], Role::left);
  children.append(ends[1], Role::right);
  return range;
}

// ---- Texts

NodeId ContextReader::readText(TokenId token) {
  return readTextParts(token);
}

NodeId ContextReader::readTextParts(TokenId token) {
  auto index = static_cast<uint32_t>(token);
  NodeId text = builder_.add(NodeKind::Text, index, index + 1);
  TextRange all = tree_.range(token);
  std::string_view source = tree_.source().text(all);
  size_t stop = source.size();
  if (stop >= 2 && source.back() == '"' && tree_.token(token).kind == TokenKind::text) --stop;
  ChildList children(builder_, text);
  size_t begin = 1;
  auto part = [&](size_t to) {
    if (to > begin) {
      auto at = static_cast<uint32_t>(
          builder_.addToken(TokenKind::textPart,
                            {all.offset + static_cast<uint32_t>(begin), static_cast<uint32_t>(to - begin)}));
      children.append(builder_.add(NodeKind::TextPart, at, at + 1), Role::part);
    }
  };
  for (size_t i = 1; i < stop; ++i) {
    if (source[i] == '\\') {
      char escaped = i + 1 < stop ? source[i + 1] : '\0';
      if (std::string_view("\"\\{}n").find(escaped) == std::string_view::npos || escaped == '\0') {
        // A character of several bytes is shown whole.
        size_t width = 1;
        while (i + 1 + width < stop && (static_cast<unsigned char>(source[i + 1 + width]) & 0xc0) == 0x80)
          ++width;
        if (i + 1 >= stop) width = 0;
        TextRange range{all.offset + static_cast<uint32_t>(i), static_cast<uint32_t>(1 + width)};
        builder_.report(
            builder_.make(DiagnosticCode::unknownEscape, range, {std::string(tree_.source().text(range))}));
        builder_.markFaulty(text);
      }
      ++i;
    } else if (source[i] == '{') {
      size_t close = source.find('}', i);
      if (close == std::string_view::npos || close >= stop) {
        builder_.report(builder_.make(DiagnosticCode::badHole, {all.offset + static_cast<uint32_t>(i), 1}));
        builder_.markFaulty(text);
        break;
      }
      part(i);
      NodeId hole = readHole({all.offset + static_cast<uint32_t>(i), static_cast<uint32_t>(close + 1 - i)});
      children.append(hole, Role::part);
      i = close;
      begin = close + 1;
    }
  }
  part(stop);
  return text;
}

NodeId ContextReader::readHole(TextRange range) {
  auto brace = static_cast<uint32_t>(builder_.addToken(TokenKind::leftBrace, {range.offset, 1}));
  NodeId value = parseFragment(builder_, {range.offset + 1, range.length - 2}, Fragment::expression,
                               DiagnosticCode::badHole);
  auto close = static_cast<uint32_t>(builder_.addToken(TokenKind::rightBrace, {range.end() - 1, 1}));
  NodeId hole = builder_.add(NodeKind::Hole, brace, close + 1);
  ChildList(builder_, hole).append(value, Role::value);
  if (!valid(value)) builder_.markFaulty(hole);
  return hole;
}

} // namespace hellwig
