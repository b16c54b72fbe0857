// SPDX-License-Identifier: Apache-2.0
// The typing of one folded package; its parts stand in sema_*.cpp, one concern a file.
#pragma once

#include "compiler/sema.h"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hellwig {

using hir::ExprId;
using hir::ExprKind;
using hir::LocalId;
using hir::StmtId;
using hir::TextId;
using hir::Type;
using hir::TypeKind;

inline Type typeOf(TypeKind kind, std::uint16_t id = 0) {
  return Type{kind, id, false, false};
}
inline Type setOf(Type type) {
  type.set = true;
  type.optional = false;
  return type;
}
inline Type elementOf(Type type) {
  type.set = false;
  return type;
}
inline Type optionalOf(Type type) {
  if (!type.set && type.kind != TypeKind::error) type.optional = true;
  return type;
}
inline Type certain(Type type) {
  type.optional = false;
  return type;
}
inline bool isNumber(const Type& type) {
  return !type.set &&
         (type.kind == TypeKind::integer || type.kind == TypeKind::fraction || type.kind == TypeKind::d66);
}

/// What is known of a path on the way to where one stands: that it is not none, or of which kind it is.
struct Fact {
  std::string path;
  bool some = false;
  std::int32_t kind = -1;
};

/// Where an expression stands: which names are visible and what may be done.
struct Env {
  std::uint16_t file = 0;
  hir::Scope* scope = nullptr;
  struct Name {
    std::string name;
    LocalId local;
  };
  std::vector<Name> names; ///< the innermost last
  LocalId it = -1;
  std::vector<Fact> facts;
  bool pure = true;           ///< values, permissions, conditions
  bool test = false;          ///< locals are globals
  std::vector<LocalId> onMap; ///< elements of sets of counters on the map
  std::vector<std::pair<LocalId, LocalId>>
      hexOf;                          ///< `it.hex` reads this local instead (place; steps of routes)
  ExprId original = -1;               ///< what `original` means here
  std::int32_t originalCallable = -1; ///< value, permission or procedure that `original(..)` calls
  bool inSequence = false, inLoop = false, inHook = false;
  Type returns;      ///< of the procedure; kind nothing: no answer
  std::string owner; ///< "value defense", for messages
};

/// One contribution to a declaration, with its names bound to the parameters of the whole.
struct Part {
  NodeRef node;        ///< the declaration or amendment
  bool copied = false; ///< taken over by `like`
};

class Sema {
public:
  Sema(Package& package, const Folded& folded, DiagnosticSink& sink);
  std::unique_ptr<Checked> run(const std::vector<NodeRef>& tests);

private:
  // ---- sema.cpp: the whole, names of rules
  void declarePhases();
  void declareRules();
  void finish();
  std::vector<Part> partsOf(const FoldedDecl& decl, bool amendmentsFirst) const;
  void bindParameters(Env& env, hir::Scope& scope, NodeRef decl, bool declareLocals);
  Env envFor(hir::Scope& scope, NodeRef decl, std::string owner);
  LocalId addLocal(Env& env, std::string name, Type type);
  void checkHead(NodeRef amendment, NodeRef base);

  const SyntaxTree& tree(std::uint16_t file) const { return package_.files[file].tree; }
  const SyntaxTree& tree(const Env& env) const { return package_.files[env.file].tree; }
  Place placeOf(const Env& env, NodeId node) const { return {env.file, tree(env).range(node)}; }
  Place placeOf(NodeRef ref) const { return {ref.file, tree(ref.file).range(ref.node)}; }
  Diagnostic diagnostic(DiagnosticCode code, const Env& env, NodeId node,
                        std::vector<std::string> args = {}) const;
  void report(DiagnosticCode code, const Env& env, NodeId node, std::vector<std::string> args = {});
  void report(Diagnostic diagnostic);
  void refuse(const Env& env, NodeId node, const std::string& what);
  bool faulty(const Env& env, NodeId node) const {
    return !valid(node) || tree(env).has(node, NodeFlags::faulty);
  }
  std::uint16_t markOf(const Env& env, NodeId mark) {
    return markSetOf(world(), package_, env.file, {mark}, *sink_);
  }
  std::uint16_t marks(const Env& env, NodeId node) {
    return marksOf(world(), package_, {env.file, node}, *sink_);
  }
  std::string words(const Env& env, NodeId node) const;
  World& world() { return out_->world; }
  hir::Hir& hir() { return out_->hir; }
  hir::Expr& at(ExprId id) { return out_->hir.exprs[static_cast<std::size_t>(id)]; }
  const Type& type(ExprId id) const { return out_->hir.exprs[static_cast<std::size_t>(id)].type; }
  std::string name(const Type& type) { return world().typeName(type); }

  // ---- sema_expr.cpp: expressions
  ExprId expr(Env& env, NodeId node, Type hint = {});
  ExprId exprOf(Env& env, NodeId node, Type wanted); ///< typed, converted and proved
  ExprId condition(Env& env, NodeId node);           ///< a bool
  ExprId number(Env& env, NodeId node);              ///< int or fraction
  ExprId coerce(Env& env, ExprId e, Type wanted, NodeId node, bool mayBeNone = false);
  ExprId prove(Env& env, ExprId e, NodeId node);
  ExprId make(const Env& env, NodeId node, ExprKind kind, Type type, std::vector<ExprId> args = {});
  ExprId constant(const Env& env, NodeId node, Type type, Word value);
  ExprId error(const Env& env, NodeId node);
  ExprId known(Env& env, ExprId e); ///< an `assume` around what facts prove
  ExprId local(Env& env, NodeId node, LocalId id);
  ExprId nameExpr(Env& env, NodeId node, Type hint);
  std::string nounWords(const Symbol& symbol);
  ExprId builtinName(Env& env, NodeId node, const std::string& name);
  ExprId symbolExpr(Env& env, NodeId node, const Symbol& symbol);
  ExprId binary(Env& env, NodeId node, Type hint);
  ExprId compare(Env& env, NodeId node);
  ExprId isExpr(Env& env, NodeId node);
  ExprId isFieldValue(Env& env, NodeId node, ExprId left, const std::vector<Symbol>& values,
                      const std::string& name);
  bool onMapElement(const Env& env) const;
  ExprId inExpr(Env& env, NodeId node);
  ExprId hasExpr(Env& env, NodeId node);
  ExprId ifExpr(Env& env, NodeId node, Type hint);
  ExprId notExpr(Env& env, ExprId e, NodeId node);
  bool unify(Env& env, ExprId& a, ExprId& b, NodeId left, NodeId right);
  ExprId toFraction(const Env& env, NodeId node, ExprId e);
  Type commonType(const Type& a, const Type& b);

  // ---- sema_facts.cpp: proofs
  std::string pathKey(ExprId e) const;
  void learn(Env& env, ExprId condition, bool holds);
  const Fact* factOf(const Env& env, const std::string& path) const;
  void forget(Env& env, bool all);
  void forgetColumn(Env& env, std::int32_t column);

  // ---- sema_calls.cpp: members, calls
  ExprId member(Env& env, NodeId node, Type hint);
  ExprId memberOf(Env& env, NodeId node, ExprId base, const std::string& name, NodeId nameNode);
  ExprId builtinField(Env& env, NodeId node, ExprId base, const std::string& name);
  ExprId printedField(Env& env, NodeId node);
  ExprId call(Env& env, NodeId node);
  ExprId builtinCall(Env& env, NodeId node, const std::string& name);
  ExprId callValue(Env& env, NodeId node, std::int32_t value, std::vector<ExprId> args);
  ExprId tableCall(Env& env, NodeId node, std::uint16_t table);
  ExprId boxOfSide(Env& env, NodeId node, const std::string& callee);
  ExprId canExpr(Env& env, NodeId node);
  ExprId queryExpr(Env& env, NodeId node);
  bool arguments(Env& env, NodeId node, const hir::Scope& scope, const std::string& name,
                 std::vector<ExprId>& args, bool absorb);
  std::int32_t choose(Env& env, NodeId node, const std::string& name,
                      const std::vector<std::int32_t>& candidates,
                      const std::vector<const hir::Scope*>& scopes, std::vector<ExprId>& args);
  std::int32_t resolveRoute(Env& env, NodeId call, std::vector<ExprId>& args);
  bool fits(const Type& given, const Type& wanted) const;

  // ---- sema_sets.cpp: sets, filters, quantifiers
  ExprId filter(Env& env, NodeId node);
  ExprId setExpr(Env& env, NodeId node, Type hint = {}); ///< any set; one thing becomes the set of it
  ExprId hexSetOf(Env& env, ExprId e, NodeId node);
  ExprId everywhere(ExprId set);
  ExprId whereExpr(Env& env, NodeId node);
  ExprId quantifier(Env& env, NodeId node);
  ExprId aggregate(Env& env, NodeId node, Type hint, NodeId byNode = NodeId::none);
  ExprId listExpr(Env& env, NodeId node, Type hint);
  /// Runs `body` with an element of the set bound to a name or to `it`.
  template<class Body> LocalId withElement(Env& env, ExprId set, NodeId nameNode, Body body);
  ExprId elementCondition(Env& env, NodeId node, LocalId element, const Type& elementType);
  void hangFacts(Env& env, ExprId set, LocalId element); ///< what a filter proved holds for this element, too

  // ---- sema_texts.cpp
  TextId text(Env& env, NodeId node);
  TextId plainText(std::string words);

  // ---- sema_rules.cpp: values, permissions, zones, victory, hidden
  void needValue(std::int32_t index); ///< types a value now, since its type is asked
  void values();
  void permissions();
  void zones();
  void victory();
  void hiddenClauses();
  std::vector<hir::Step> steps(Env& env, NodeId body, const Type& result);
  hir::Step step(Env& env, NodeId node, const Type& result, bool first);
  std::vector<hir::Clause> clauses(Env& env, NodeId body);
  bool clause(Env& env, NodeId node, hir::Clause& out);
  ExprId handsOn(ExprId when) const;
  struct Waiver {
    std::vector<std::uint16_t> rules;
    ExprId condition;
    std::size_t part;
    Env* env;
    NodeId node;
    bool used = false;
  };
  void collectWaivers(Env& env, NodeId body, std::size_t part, std::vector<Waiver>& waivers);
  void waive(std::vector<hir::Clause>& clauses, std::size_t part, std::vector<Waiver>& waivers);
  ExprId waived(ExprId when, std::uint16_t marks, std::size_t part, std::vector<Waiver>& waivers,
                Place place);
  void reportUnusedWaivers(std::vector<Waiver>& waivers);
  std::uint16_t headingMarks(ExprId e);

  // ---- sema_routes.cpp
  void routes();
  void route(std::size_t index);

  // ---- sema_statements.cpp, sema_choices.cpp
  StmtId block(Env& env, NodeId node);
  StmtId statement(Env& env, NodeId node);
  StmtId makeStmt(const Env& env, NodeId node, hir::StmtKind kind);
  hir::Stmt& st(StmtId id) { return out_->hir.stmts[static_cast<std::size_t>(id)]; }
  StmtId assignment(Env& env, NodeId node);
  StmtId doStatement(Env& env, NodeId node, LocalId answer);
  StmtId moveStatement(Env& env, NodeId node);
  StmtId forEach(Env& env, NodeId node);
  StmtId matchStatement(Env& env, NodeId node);
  StmtId spanStatement(Env& env, NodeId node);
  StmtId choose(Env& env, NodeId node);
  StmtId menu(Env& env, NodeId node);
  void allotmentBounds(Env& env, NodeId node, const Type& element, hir::Choice& choice);
  LocalId allotmentNamed(const Env& env, const std::string& wanted) const;
  ExprId allottedNumber(Env& env, NodeId node, LocalId allotment);
  hir::Prefer prefer(Env& env, NodeId item);
  void alternatives(Env& env, NodeId node, Role role, hir::Choice& choice);
  bool answers(StmtId id) const; ///< every way through it ends in `return`
  void procedures();
  void hooks();
  void sequence();
  std::int32_t phaseNamed(const std::string& name) const;

  // ---- sema_actions.cpp
  void actions();
  StmtId perform(Env& env, NodeId node);
  bool isAction(const std::string& wanted) const;
  void pickFirst(hir::Action& action);
  std::int32_t menuNamed(const std::string& wanted) const;
  void nameMenus();

  // ---- sema_setup.cpp
  void setup();
  StmtId placeStatement(Env& env, NodeId node);
  struct SetupHead {
    NodeRef node;
    std::int32_t side;
  };
  std::vector<SetupHead> setupHeads_;
  NodeRef setupNode_;
  ExprId setupSide_ = -1;

  // ---- sema_tests.cpp
  void test(NodeRef node);
  void testStatement(Env& env, NodeId node);
  std::uint32_t extraExpr(hir::Scope& scope, ExprId e);
  std::uint32_t extraBlock(Env& env, NodeId node, StmtId statement);
  ExprId testGlobal(Env& env, NodeId node, const std::string& name);

  // ---- sema_checks.cpp
  void checkRecursion();
  void checkMoveHooks();
  bool moves(StmtId id, std::vector<std::int32_t>& called, std::vector<std::int32_t>& menus) const;
  void checkVictory();

  Package& package_;
  const Folded& folded_;
  DiagnosticSink* sink_;
  std::unique_ptr<Checked> out_;

  std::unordered_map<std::string, std::vector<std::int32_t>> valuesByName_, permissionsByName_, routesByName_,
      proceduresByName_, zonesByName_;
  std::vector<std::int32_t> valueDecl_, permissionDecl_, zoneDecl_, routeDecl_, procedureDecl_,
      actionDecl_;                       ///< index to Folded::decls (-1: hidden)
  std::vector<std::uint8_t> valueState_; ///< 0 untouched, 1 under way, 2 done
  std::vector<std::int32_t> valueStack_;
  std::unordered_map<std::int32_t, std::int32_t> declRule_; ///< Folded::decls to the index of its rule
  std::vector<std::pair<StmtId, std::string>> performed_;   ///< statements `perform` and the menus they name
  struct TestLocal {
    std::string name;
    std::uint16_t global;
    Type type;
  };
  std::vector<TestLocal> testLocals_;
  std::map<std::pair<ExprId, LocalId>, std::vector<Fact>>
      filterFacts_; ///< set expression (a where) and element to what holds of it
  /// How often each local of a scope is read: a `where` must mention its element.
  std::unordered_map<const hir::Scope*, std::vector<std::uint32_t>> useCounts_;
};

} // namespace hellwig
