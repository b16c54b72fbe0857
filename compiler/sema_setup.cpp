// SPDX-License-Identifier: Apache-2.0
// Typing of set-ups: `place` becomes a loop over counters with a pick of a hex each.
#include "compiler/sema_internal.h"

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};
constexpr Type sideType{TypeKind::side, 0, false, false};
constexpr Type hexType{TypeKind::hex, 0, false, false};
constexpr Type hexSet{TypeKind::hex, 0, true, false};

} // namespace

void Sema::setup() {
  setupHeads_.clear();
  std::vector<NodeRef> blocks;
  Env env;
  env.scope = &hir().setupScope;
  env.owner = "setup";
  env.pure = false;
  env.inSequence = true;
  env.returns = typeOf(TypeKind::nothing);
  for (const Piece& piece : folded_.setups) {
    const SyntaxTree& t = tree(piece.node.file);
    if (t.has(piece.node.node, NodeFlags::faulty)) continue;
    if (valid(t.child(piece.node.node, Role::body))) {
      blocks.push_back(piece.node);
      continue;
    }
    env.file = piece.node.file;
    std::int32_t side = -1;
    if (NodeId by = t.child(piece.node.node, Role::by); valid(by)) {
      ExprId e = exprOf(env, by, sideType);
      if (at(e).kind == ExprKind::constant) side = static_cast<std::int32_t>(at(e).value);
    }
    marks(env, piece.node.node);
    for (NodeId with : t.children(piece.node.node, Role::with))
      refuse(env, with, "with in the head of a set-up");
    setupHeads_.push_back({piece.node, side});
  }
  StmtId all = -1;
  std::vector<StmtId> list;
  for (NodeRef ref : blocks) {
    env.file = ref.file;
    const SyntaxTree& t = tree(ref.file);
    if (all < 0) all = makeStmt(env, ref.node, hir::StmtKind::block);
    setupNode_ = ref;
    NodeId by = t.child(ref.node, Role::by);
    setupSide_ = valid(by) ? exprOf(env, by, sideType) : -1;
    for (NodeId with : t.children(ref.node, Role::with)) refuse(env, with, "with in the head of a set-up");
    std::uint16_t m = marks(env, ref.node);
    // In a set-up `player` is who sets up, else the first side.
    StmtId player = makeStmt(env, ref.node, hir::StmtKind::setGlobal);
    ExprId who = setupSide_ >= 0 ? setupSide_ : constant(env, ref.node, sideType, 0);
    st(player).index = globalPlayer;
    st(player).exprs = {who};
    list.push_back(player);
    NodeId body = t.child(ref.node, Role::body);
    StmtId inner = makeStmt(env, body, hir::StmtKind::block);
    std::size_t names = env.names.size();
    std::vector<StmtId> statements;
    for (NodeId item : t.children(body, Role::item)) {
      if (faulty(env, item)) continue;
      StmtId s = t.kind(item) == NodeKind::Place ? placeStatement(env, item) : statement(env, item);
      if (s >= 0) statements.push_back(s);
    }
    env.names.resize(names);
    st(inner).statements = std::move(statements);
    st(inner).marks = m;
    list.push_back(inner);
  }
  if (all >= 0) st(all).statements = std::move(list);
  hir().setup = all;
}

/// One `place X, Y in S`: for each counter its owner chooses a hex; who finds none stays where it is, and the
/// log says so.
StmtId Sema::placeStatement(Env& env, NodeId node) {
  const SyntaxTree& t = tree(env);
  for (NodeId with : t.children(node, Role::with)) refuse(env, with, "with in a set-up");
  NodeId in = t.child(node, Role::in), at_ = t.child(node, Role::at);
  ExprId counters = -1;
  for (NodeId target : t.children(node, Role::target)) {
    ExprId set = setExpr(env, target);
    if (type(set).kind == TypeKind::error) return -1;
    if (type(set).kind != TypeKind::counter) {
      report(DiagnosticCode::typeMismatch, env, target, {name(type(set)), "counters"});
      return -1;
    }
    counters = counters < 0
                   ? set
                   : make(env, node, ExprKind::unite, commonType(type(counters), type(set)), {counters, set});
  }
  if (counters < 0) return -1;
  const Type element = certain(elementOf(type(counters)));

  LocalId unit = addLocal(env, "it", element);
  LocalId outer = std::exchange(env.it, unit);
  std::vector<Fact> around = env.facts;
  hangFacts(env, counters, unit);
  hir::Choice choice;
  NodeId whereNode = valid(in) ? in : at_;
  choice.set = coerce(env, setExpr(env, whereNode, hexSet), hexSet, whereNode);
  choice.name = "hex";
  choice.local = addLocal(env, "hex", hexType);
  choice.element = choice.local;
  if (setupSide_ >= 0) {
    choice.ask = setupSide_;
  } else {
    ExprId u = local(env, node, unit);
    choice.ask = make(env, node, ExprKind::field, sideType, {u});
    at(choice.ask).op = static_cast<std::uint8_t>(hir::Field::side);
  }
  if (NodeId prompt = t.child(node, Role::text); valid(prompt)) {
    choice.prompt = text(env, prompt);
  } else {
    hir::Text words;
    words.parts = {{"Place ", -1}, {"", local(env, node, unit)}, {" on which hex?", -1}};
    hir().texts.push_back(std::move(words));
    choice.prompt = static_cast<TextId>(hir().texts.size() - 1);
  }

  // `it.hex` is the hex looked at, though the stacks do not contain the counter yet.
  env.hexOf.push_back({unit, choice.local});
  auto provide = [&](std::uint16_t file, NodeId conditionNode, bool head) {
    std::uint16_t here = std::exchange(env.file, file);
    const SyntaxTree& other = tree(file);
    std::vector<NodeId> conjuncts{conditionNode};
    for (std::size_t i = 0; head && i < conjuncts.size();) {
      if (other.kind(conjuncts[i]) == NodeKind::Binary && other.op(conjuncts[i]) == TokenKind::kw_and) {
        NodeId right = other.child(conjuncts[i], Role::right);
        conjuncts[i] = other.child(conjuncts[i], Role::left);
        conjuncts.insert(conjuncts.begin() + static_cast<std::ptrdiff_t>(i) + 1, right);
      } else {
        ++i;
      }
    }
    for (NodeId c : conjuncts) {
      if (!head) {
        choice.provided.push_back(condition(env, c));
        continue;
      }
      // What does not fit this kind of counter counts as met for it.
      DiagnosticSink quiet;
      DiagnosticSink* loud = std::exchange(sink_, &quiet);
      ExprId e = condition(env, c);
      sink_ = loud;
      if (!quiet.hasErrors()) {
        choice.provided.push_back(e);
      } else if (world().module.kinds.size() == 1) {
        condition(env, c);
      }
    }
    env.file = here;
  };
  if (NodeId provided = t.child(node, Role::provided); valid(provided)) provide(env.file, provided, false);
  const SyntaxTree& headTree = tree(setupNode_.file);
  if (NodeId provided = headTree.child(setupNode_.node, Role::provided); valid(provided))
    provide(setupNode_.file, provided, true);
  for (const SetupHead& head : setupHeads_) {
    const SyntaxTree& other = tree(head.node.file);
    NodeId provided = other.child(head.node.node, Role::provided);
    if (!valid(provided)) continue;
    if (head.side >= 0 &&
        !(setupSide_ >= 0 && at(setupSide_).kind == ExprKind::constant && at(setupSide_).value == head.side))
      continue;
    provide(head.node.file, provided, true);
  }
  env.hexOf.pop_back();

  StmtId moved = makeStmt(env, node, hir::StmtKind::move);
  ExprId u = local(env, node, unit), h = local(env, node, choice.local);
  st(moved).exprs = {u, h};
  StmtId body = makeStmt(env, node, hir::StmtKind::block);
  st(body).statements = {moved};
  choice.body = body;
  choice.hasOtherwise = true;
  StmtId stays = makeStmt(env, node, hir::StmtKind::say);
  hir::Text words;
  words.parts = {{"", local(env, node, unit)}, {" finds no hex and stays where it is", -1}};
  hir().texts.push_back(std::move(words));
  st(stays).text = static_cast<TextId>(hir().texts.size() - 1);
  StmtId otherwise = makeStmt(env, node, hir::StmtKind::block);
  st(otherwise).statements = {stays};
  choice.otherwise = otherwise;
  std::uint16_t m = marks(env, node);

  hir().choices.push_back(std::move(choice));
  StmtId chosen = makeStmt(env, node, hir::StmtKind::choose);
  st(chosen).choice = static_cast<std::int32_t>(hir().choices.size() - 1);
  st(chosen).marks = m;
  StmtId each = makeStmt(env, node, hir::StmtKind::block);
  st(each).statements = {chosen};
  StmtId loop = makeStmt(env, node, hir::StmtKind::forEach);
  st(loop).local = unit;
  st(loop).exprs = {counters, -1};
  st(loop).op = 2; // counters that were off the map when the set was made do not drop out of it
  st(loop).body = each;
  env.it = outer;
  env.facts = std::move(around);
  return loop;
}

} // namespace hellwig
