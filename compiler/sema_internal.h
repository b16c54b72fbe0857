// SPDX-License-Identifier: Apache-2.0
// The typing of one folded package; its parts stand in sema_*.cpp, one concern a file.
#pragma once

#include "compiler/sema.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
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
/// A record, or the row of a table: several words that are neither compared nor shown.
inline bool isBundle(const Type& type) {
  return !type.set && (type.kind == TypeKind::record || type.kind == TypeKind::row);
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
  ExprId expr = -1; ///< what was read when it was proved
};
/// What a statement may change.
struct Writes {
  bool all = false, places = false; ///< anything; where counters are
  std::set<std::int32_t> columns, globals;
  std::set<LocalId> locals; ///< of the body it stands in
  void join(const Writes& other);
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
  bool pure = true;            ///< values, permissions, conditions
  bool test = false;           ///< locals are globals
  std::vector<LocalId> onMap;  ///< elements of sets of counters on the map
  std::vector<LocalId> offMap; ///< counters that come from a box, or were moved to one
  std::vector<std::pair<LocalId, LocalId>>
      hexOf;                          ///< `it.hex` reads this local instead (place; steps of routes)
  NodeId orLeft = NodeId::none;       ///< left of the `or` whose right side is typed
  ExprId original = -1;               ///< what `original` means here
  std::int32_t originalCallable = -1; ///< value, permission or procedure that `original(..)` calls
  bool inSequence = false, inLoop = false, inHook = false;
  bool inSetup = false;                 ///< `place` may stand here
  StmtId originalPhase = -1;            ///< what `do original()` does in the replacement of a phase
  const hir::Route* effectOf = nullptr; ///< in an `effect`: of this route
  std::vector<NodeId> unlimited;        ///< where this word may stand
  Type returns;                         ///< of the procedure; kind nothing: no answer
  std::string owner;                    ///< "value defense", for messages
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
  friend class RouteTyping;

  // ---- sema.cpp: the whole, names of rules
  void declareRules();
  void finish();
  std::vector<Part> partsOf(const FoldedDecl& decl, bool amendmentsFirst) const;
  void bindParameters(Env& env, hir::Scope& scope, NodeRef decl, bool declareLocals);
  Env envFor(hir::Scope& scope, NodeRef decl, std::string owner);
  LocalId addLocal(Env& env, std::string name, Type type);
  void checkHead(NodeRef amendment, NodeRef base);
  Type resultType(Env& env, NodeId typeNode);
  bool thingsApart(const Type& a, const Type& b) const;

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
  ExprId condition(Env& env, NodeId node,
                   NodeId beside = NodeId::none); ///< a bool; `beside`: left of its `or`
  ExprId number(Env& env, NodeId node);           ///< int or fraction
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
  /// `x is V`: the field of x whose type has V; `given` instead of a constant V, of the type that `values`
  /// names.
  ExprId isFieldValue(Env& env, NodeId node, ExprId left, const std::vector<Symbol>& values,
                      const std::string& name, ExprId given = -1);
  bool ownsColumn(const Type& thing, std::size_t column) const;
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
  std::string pathKey(ExprId e, std::vector<LocalId>& elements) const;
  void learn(Env& env, ExprId condition, bool holds);
  const Fact* factOf(const Env& env, const std::string& path) const;
  void forget(Env& env, bool all);
  void forgetLocal(Env& env, LocalId local);
  void forgetWrites(Env& env, const Writes& writes);

  // ---- sema_effects.cpp: what statements change
  bool reads(ExprId id, const Writes& writes, int depth) const;
  const Writes& writesOf(std::int32_t procedure);
  void addHookWrites(hir::HookPoint point, std::int32_t index, Writes& out);
  void addMoveWrites(bool byRoute, Writes& out);
  void addSpanWrites(Writes& out);
  void addMemberships(Writes& out);
  void addWrites(StmtId id, Writes& out);
  void forgetStatement(Env& env, StmtId id);
  void forgetLoop(Env& env, NodeId body);
  bool standsInSequence(const Env& env);
  void forgetSettled(Env& env);

  // ---- sema_groups.cpp: groups, faces, names
  ExprId groupsOfKind(const Env& env, NodeId node, std::uint16_t kind);
  ExprId ofGroup(Env& env, NodeId node, ExprId set, ExprId owner, NodeId ownerNode);
  ExprId inGroup(Env& env, NodeId node, ExprId thing, ExprId group, NodeId groupNode);
  std::int32_t groupColumn(const Type& thing, const Type& group) const;
  ExprId insideOwner(Env& env, NodeId node, const std::string& ownerName, const std::string& wanted);
  std::int32_t constantColumn(Owner owner, const std::string& field, const Type& fieldType);
  ExprId constantField(Env& env, NodeId node, ExprId base, const std::string& field, const Type& fieldType);
  ExprId faceField(Env& env, NodeId node, ExprId base, const std::string& wanted, std::int32_t face);
  std::int32_t faceNamed(const Type& thing, const std::string& wanted) const;
  ExprId hasFace(Env& env, NodeId node, ExprId counter, std::int32_t face);

  // ---- sema_records.cpp: records, rows of tables, procedures named in tables
  ExprId makeRecord(Env& env, NodeId node, std::uint16_t record);
  ExprId recordField(Env& env, NodeId node, ExprId base, const std::string& wanted, NodeId nameNode);
  bool recordsApart(Env& env, NodeId node, const std::vector<ExprId>& args);
  void forgetRecords(Env& env, const std::vector<ExprId>& args);
  StmtId setRecordField(Env& env, NodeId node, ExprId base, NodeId nameNode, NodeId value);
  void resolveProcedureTables();
  StmtId doTable(Env& env, NodeId node, std::uint16_t table);
  std::string dieOf(const Env& env, ExprId e) const;

  // ---- sema_hints.cpp: what was probably meant
  void hintName(const Env& env, NodeId node, const std::string& word, Diagnostic& d) const;
  void hintMismatch(const Env& env, NodeId node, const Type& given, const Type& wanted, Diagnostic& d);
  void hintAlternatives(const Env& env, NodeId beside, NodeId node, Diagnostic& d) const;
  void hintMember(const Env& env, NodeId node, const Type& owner, const std::string& word, Diagnostic& d);
  void listValues(const Type& wanted, Diagnostic& d);
  ExprId namedAlike(Env& env, NodeId node);
  bool hasMember(const Type& one, const std::string& word);
  void checkShows();
  bool joinsThings(Env& env, NodeId left, NodeId right);
  bool reportFieldForValue(Env& env, NodeId node, ExprId left, NodeId right);
  void warnHidden(const Env& env, NodeId nameNode);
  bool fromBox(ExprId set) const;
  void mayBeOff(Env& env, ExprId set, LocalId element) const;
  void checkOnMap(Env& env, NodeId node, ExprId base);
  bool someDieShows(std::int32_t number) const;

  // ---- sema_calls.cpp: members, calls
  ExprId member(Env& env, NodeId node, Type hint);
  ExprId memberOf(Env& env, NodeId node, ExprId base, const std::string& name, NodeId nameNode);
  ExprId builtinField(Env& env, NodeId node, ExprId base, const std::string& name);
  ExprId printedField(Env& env, NodeId node);
  ExprId call(Env& env, NodeId node);
  ExprId builtinCall(Env& env, NodeId node, const std::string& name);
  ExprId callValue(Env& env, NodeId node, std::int32_t value, std::vector<ExprId> args);
  ExprId tableCall(Env& env, NodeId node, std::uint16_t table);
  void checkDie(Env& env, NodeId node, ExprId key, std::uint16_t table, std::size_t input);
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

  // ---- sema_arcs.cpp: arcs, footprints, aspects, terrain as sets
  void arcs();
  void checkArcs();
  ExprId arcsField(Env& env, NodeId node, ExprId base, const std::string& wanted);
  ExprId arcsCall(Env& env, NodeId node, const std::string& callee);
  std::int32_t sheetNamed(const Env& env, NodeId node) const;
  ExprId lineCall(Env& env, NodeId node, const std::string& callee);
  ExprId terrainSet(Env& env, NodeId node);

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
  bool roundsWhole(const std::vector<Part>& parts) const;
  void checkWhole(const hir::Value& value);
  void permissions();
  void zones();
  void victory();
  void hiddenClauses();
  std::vector<hir::Step> steps(Env& env, NodeId body, const Type& result);
  /// `behind`: how the next step rounds, without condition.
  hir::Step step(Env& env, NodeId node, const Type& result, bool first, Rounding behind);
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
  StmtId withArrivals(const Env& env, NodeId node, StmtId body, bool playerTurn);
  StmtId choose(Env& env, NodeId node);
  StmtId menu(Env& env, NodeId node);
  void allotmentBounds(Env& env, NodeId node, const Type& element, hir::Choice& choice);
  LocalId allotmentNamed(const Env& env, const std::string& wanted) const;
  ExprId allottedNumber(Env& env, NodeId node, LocalId allotment);
  hir::Prefer prefer(Env& env, NodeId item);
  void alternatives(Env& env, NodeId node, Role role, hir::Choice& choice);
  bool answers(StmtId id) const; ///< every way through it ends in `return`
  void procedures();
  void needProcedure(std::int32_t index); ///< types a procedure now, since what it changes is asked
  void hooks();
  void needHook(std::size_t index);
  void sequence();
  std::int32_t phaseNamed(const std::string& name) const;

  // ---- sema_actions.cpp
  void actions();
  StmtId perform(Env& env, NodeId node);
  bool isAction(const std::string& wanted) const;
  void pickFirst(hir::Action& action);
  std::int32_t menuNamed(const std::string& wanted) const;
  void nameMenus();

  // ---- sema_phases.cpp
  void declarePhases();
  StmtId phaseStatement(Env& env, NodeId node);
  bool phaseIsThere(const Env& env, NodeId nameNode, const std::string& phase);

  // ---- sema_walk.cpp
  StmtId walk(Env& env, NodeId node);

  // ---- sema_setup.cpp
  void setup();
  StmtId firstTurn(Env& env);
  StmtId placeStatement(Env& env, NodeId node);
  /// Counters of one root kind that a `place` or `arrive` is about.
  struct Placed {
    std::uint16_t root = 0;
    ExprId set = -1;
  };
  std::vector<Placed> placedCounters(Env& env, NodeRef statement);
  StmtId placeOne(Env& env, NodeId node, LocalId unit);
  ExprId placer(Env& env, NodeId node, LocalId unit);
  ExprId countersNamed(Env& env, NodeId node); ///< a set of counters, a group standing for its own; -1: told
  ExprId countersOfGroups(Env& env, NodeId node, ExprId groups);
  ExprId hexesFor(Env& env, NodeId node); ///< a set of hexes (areas in a list, too), or a box
  void reportUnfitted();
  StmtId placeSetting(Env& env, NodeId node, LocalId unit, NodeRef setting, bool own);
  StmtId settingStatement(Env& env, NodeId node, LocalId unit, NodeRef setting, std::int32_t column,
                          std::int32_t guard);
  /// A head `setup [by S] [with ..] [provided C]` with the side for whose counters it holds (-1: all).
  struct SetupHead {
    NodeRef node;
    std::int32_t side;
  };
  std::vector<SetupHead> headsAround() const;
  void headConditions(Env& env, LocalId unit, const std::vector<SetupHead>& heads, std::vector<ExprId>& out);
  /// What `make` types for the counters of a kind, or else for those of its sub-kinds that it fits; what fits
  /// none is -1. The others count as met.
  template<class Make> ExprId fitted(Env& env, NodeId node, LocalId unit, std::uint16_t kind, Make make);
  template<class Make> ExprId quietly(Make make, bool& good);
  ExprId isKind(const Env& env, NodeId node, LocalId unit, std::uint16_t kind);
  ExprId both(const Env& env, NodeId node, ExprId a, ExprId b);
  ExprId either(const Env& env, NodeId node, ExprId a, ExprId b);
  ExprId counterSet(const Env& env, NodeId node, std::uint16_t kind,
                    const std::vector<std::uint16_t>& members);
  void warnOfStacking(const Env& env, NodeId node, std::uint16_t kind);
  std::uint16_t rootKind(std::uint16_t kind) const;
  std::vector<SetupHead> setupHeads_, allHeads_;
  std::vector<NodeRef> settingsFitted_; ///< settings of heads that concern some counter
  std::vector<NodeRef> fittedHeads_;    ///< conjuncts of heads that fit the counters of some kind
  NodeRef setupNode_;
  ExprId setupSide_ = -1;

  // ---- sema_named.cpp: who names which counters outright
  void nameCounters();
  bool outright(ExprId e, std::vector<std::uint16_t>& counters) const;
  bool strikes(NodeRef statement, std::uint16_t counter) const;
  struct Naming {
    NodeRef statement; ///< `place` or `arrive`; none: `remove arrive`
    std::uint16_t layer = 0;
    bool arrives = false;
  };
  std::map<std::uint16_t, Naming> naming_; ///< by counter: the statement in force that names it outright
  std::set<std::uint16_t> arrivesByName_;  ///< counters that an `arrive` in force names

  // ---- sema_arrivals.cpp
  void arrivals();
  std::int32_t entryValue(std::uint16_t root);
  ExprId entryOf(Env& env, NodeId node, ExprId counter);
  std::uint16_t addGlobal(const std::string& name, Type type);
  std::map<std::uint16_t, std::int32_t> entryValues_; ///< by root kind
  std::set<std::uint16_t> entryRead_;                 ///< kinds of whose counters a rule reads `entry`
  std::int32_t addValue(hir::Value value);
  bool rulesMove(std::uint16_t kind) const;
  std::vector<std::pair<StmtId, bool>> turnStarts_; ///< where reinforcements come in by themselves: an empty
                                                    ///< block, and whether it is that of a player turn
  std::set<std::size_t> arrivalHooks_;              ///< hooks made of the blocks of `arrive`
  std::vector<std::int32_t> movedKinds_;            ///< kinds of counters that rules move

  // ---- sema_tests.cpp
  void test(NodeRef node);
  void testStatement(Env& env, NodeId node);
  void testPlace(Env& env, NodeId node);
  void testSetting(Env& env, NodeId with, const Type& counter, TestStep& step);
  std::uint32_t extraExpr(hir::Scope& scope, ExprId e);
  std::uint32_t extraBlock(Env& env, NodeId node, StmtId statement);
  ExprId testGlobal(Env& env, NodeId node, const std::string& name);

  // ---- sema_checks.cpp
  void checkRecursion();
  void checkMoveHooks();
  void checkHooks(); ///< sema_hooks.cpp
  void checkLeaks();
  std::vector<std::uint16_t> hookLayers_; ///< by hook that is written as such
  bool moves(StmtId id, std::vector<std::int32_t>& called, std::vector<std::int32_t>& menus) const;
  void checkVictory();

  std::deque<hir::Scope> showScopes_;

  Package& package_;
  const Folded& folded_;
  DiagnosticSink* sink_;
  std::unique_ptr<Checked> out_;

  std::unordered_map<std::string, std::vector<std::int32_t>> valuesByName_, permissionsByName_, routesByName_,
      proceduresByName_, zonesByName_;
  std::vector<std::int32_t> valueDecl_, permissionDecl_, zoneDecl_, routeDecl_, procedureDecl_,
      actionDecl_;                           ///< index to Folded::decls (-1: hidden)
  std::vector<std::uint8_t> procedureState_; ///< as below
  std::vector<std::unique_ptr<Writes>> procedureWrites_;
  struct PendingHook {
    Env env;
    NodeId when = NodeId::none, body = NodeId::none;
    std::uint8_t state = 0;
  };
  std::deque<PendingHook> pendingHooks_; ///< by hook
  bool routesTyped_ = false;
  bool restingKnown_ = false;
  std::set<std::string> resting_; ///< procedures that are all that some phase does
  std::set<StmtId> routeHooksOpen_;
  struct StartedProcedure {
    Word word = 0; ///< in the cells of the table
    std::int32_t procedure = -1;
    std::vector<ExprId> bound;
  };
  std::vector<std::vector<StartedProcedure>> startedBy_; ///< by table
  std::deque<hir::Scope> cellScopes_;
  std::map<std::pair<int, std::string>, std::int32_t> constantColumns_;
  /// The die of a local that holds what it showed: a table of that die has a cell for it.
  std::map<std::pair<const hir::Scope*, LocalId>, std::string> dice_;
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
