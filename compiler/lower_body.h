// SPDX-License-Identifier: Apache-2.0
// Lowering of one body: its code, registers and labels, and the lowering of whatever may stand in it.
//
// Registers are handed out in stack order: parameters, the locals of the body, then temporaries, which a
// `Temps` object gives back. A call's window is taken on top, for the callee's frame begins in it; so nothing
// that lives lies above it.
#pragma once

#include "compiler/lower_context.h"
#include "compiler/world.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hellwig::lowering {

using Reg = std::uint16_t;
inline constexpr Reg noReg = 0xffff;

struct Env;
/// An expression with what its locals mean.
struct Ref {
  hir::ExprId id = -1;
  Env* env = nullptr;
  explicit operator bool() const { return id >= 0; }
};
/// What a local stands for: a register, or (parameters of what is inlined) an expression, which is pure.
struct Binding {
  Reg reg = 0;
  bool bound = false, byName = false;
  Ref expr;
};
struct Env {
  std::vector<Binding> locals;
};

/// The element of a set that a condition is about; with `viaHex` the element is the hex of that counter.
struct Elem {
  Env* env = nullptr;
  hir::LocalId local = -1;
  hir::Type type;
  bool viaHex = false;
};

/// One of several conditions that must all hold: an expression or its negation, or that a clause does not
/// forbid.
struct Conjunct {
  Ref ref;
  bool negate = false;
  const hir::Clause* clause = nullptr;
  Env* env = nullptr;
};

/// The word of the element that is bit 0 in a set of such elements.
inline int lowest(const hir::Type& element) {
  return element.kind == hir::TypeKind::integer ? lowestSetInt : 0;
}

struct Label {
  std::vector<std::uint32_t> uses;
  std::int64_t at = -1;
};

/// How a body ends when a clause has decided, and what it emits.
struct Verdict {
  bool explain = false;
  Word forbidden = 0, allowed = 1;
  std::uint16_t marks = 0;        ///< of the permission, zone or route as a whole
  Label* whenForbidden = nullptr; ///< plain bodies inside a loop: jump there instead of a `ret`
  Label* whenAllowed = nullptr;
};

class BodyLowering {
public:
  BodyLowering(Context& context, std::string name, BodyKind kind, const Place& place);

  // ---- lower_body.cpp: code, registers, names
  Env* newEnv(const hir::Scope& scope);
  /// An environment whose first locals are the parameters, in registers 0..; the others get registers after
  /// them, but for those in `unbound`.
  Env* bindScope(const hir::Scope& scope, bool parametersOnly = false);
  /// The next parameter register for a local that the caller of the body hands over (-1: handed over, but not
  /// named).
  void bindParameter(Env* env, hir::LocalId local, const ValueType& type);
  void bindLocals(Env* env, const hir::Scope& scope); ///< registers for all that have none
  std::uint16_t parameterWords() const { return body_.parameters; }
  void finishInto(std::uint32_t body, std::uint16_t resultWords);
  Body finish(std::uint16_t resultWords);

  std::uint32_t emit(Op op, std::int64_t a = 0, std::int64_t b = 0, std::int64_t c = 0, std::int64_t d = 0,
                     std::int64_t e = 0);
  void jump(Op op, std::int64_t a, std::int64_t b, Label& label);
  void jump(Label& label) { jump(Op::jump, 0, 0, label); }
  void bind(Label& label);
  std::uint32_t here() const { return static_cast<std::uint32_t>(body_.code.size()); }
  void jumpBack(std::uint32_t target) { emit(Op::jumpBack, 0, 0, 0, target); }
  void ret(Reg from, std::uint16_t words) { emit(Op::ret, from, 0, 0, 0, words); }
  void retImm(Word value);
  Reg alloc(std::uint32_t words = 1);
  /// Temporaries are not used twice, so that what one holds is not computed again (see lower_tidy.h). For
  /// short bodies without calls.
  void keepTemps() { keepsTemps_ = !context.options.plainSets; }
  void loadWord(Reg dst, Word value);
  Reg wordReg(Word value); ///< a fresh temporary with it

  /// Gives back the temporaries taken since it was made.
  class Temps {
  public:
    explicit Temps(BodyLowering& body) : body_(body), top_(body.top_) {}
    ~Temps() { body_.release(top_); }
    Temps(const Temps&) = delete;
    Temps& operator=(const Temps&) = delete;

  private:
    BodyLowering& body_;
    std::uint32_t top_;
  };
  class AtPlace {
  public:
    AtPlace(BodyLowering& body, const Place& place) : body_(body), line_(body.line_) {
      body_.setPlace(place);
    }
    ~AtPlace() { body_.line_ = line_; }
    AtPlace(const AtPlace&) = delete;
    AtPlace& operator=(const AtPlace&) = delete;

  private:
    BodyLowering& body_;
    std::uint32_t line_;
  };
  /// The instructions emitted while it lives stand under these marks, too.
  class Citing {
  public:
    Citing(BodyLowering& body, std::uint16_t marks) : body_(body), before_(body.citing_) {
      if (marks != 0) body_.citing_ = body_.context.joinMarks(marks, before_);
    }
    ~Citing() { body_.citing_ = before_; }
    Citing(const Citing&) = delete;
    Citing& operator=(const Citing&) = delete;

  private:
    BodyLowering& body_;
    std::uint16_t before_;
  };
  void setPlace(const Place& place);

  const hir::Expr& at(Ref ref) const { return context.expr(ref.id); }
  const hir::Type& typeOf(Ref ref) const { return at(ref).type; } ///< as written, before it is resolved
  Ref arg(Ref ref, std::size_t i) const { return {at(ref).args[i], ref.env}; }
  std::optional<Ref> argIf(Ref ref, std::size_t i) const;
  Ref resolve(Ref ref) const; ///< behind names bound to expressions and behind proofs
  Ref see(Ref ref);           ///< and into values without steps
  bool isConstant(Ref ref, Word* value = nullptr) const;
  bool isLocal(Ref ref, const Env* env, hir::LocalId local) const;

  // ---- lower_expr.cpp: words
  void eval(Ref ref, Reg dst); ///< a word, a set or a path block
  Reg evalAny(Ref ref);        ///< in its own register if it is a local, else in a temporary
  /// Jumps to the label if the condition (none counting as no) is `sense`; else goes on.
  void branch(Ref ref, bool sense, Label& label);
  /// Jumps to `label` if one of the conditions fails.
  void branchUnless(const std::vector<Conjunct>& all, Label& label);
  Reg window(const std::vector<Ref>& args, std::uint32_t resultWords, std::uint32_t extra = 0);
  void call(std::uint32_t body, const std::vector<Ref>& args, std::uint16_t resultWords, Reg dst);

  // ---- lower_sets.cpp: sets and what ranges over them
  void evalSet(Ref ref, Reg dst);
  void evalQuantified(Ref ref, Reg dst);
  void branchQuantifier(Ref ref, bool sense, Label& label);
  /// Reduces the set in `set` to the elements for which all conditions hold.
  void filter(Reg set, const Elem& elem, const std::vector<Conjunct>& all, Ref from);
  Elem elementOf(Ref ref) const; ///< of a `where` or a quantifier
  void setCopy(Reg dst, Reg src, std::uint16_t words);
  void nextOf(const hir::Type& element, Reg dst, Reg set, Label& end); ///< by id
  void insert(const hir::Type& element, Reg set, Reg word, bool remove = false);
  void has(const hir::Type& element, Reg dst, Reg set, Reg word);
  /// Registers for the list of paths that a set of paths names, as long as the caller keeps its temporaries.
  void keepPaths(Ref set);
  Reg pathsOf(const hir::Type& element) const { return pathLists_.at(element.id); }
  bool constantMembers(Ref ref, std::vector<Word>& bits) const; ///< of `hexHas` over all hexes
  Reg startOrder(const hir::Type& element, Reg set);
  void nextInOrder(const hir::Type& element, Reg dst, Reg set, Reg order, Label& end);

  // ---- lower_arcs.cpp: counters that face or cover several hexes
  bool mayBeWide(std::int32_t kind) const { return hellwig::mayBeWide(context.module, kind); }
  void evalFootprint(Ref ref, Reg dst);
  void evalAspect(Ref ref, Reg dst);
  /// Emits the facing of a counter as it shows; false: the expression is none.
  bool shownFacing(Ref ref);

  // ---- lower_refine.cpp: conditions as set operations
  void split(Ref ref, bool negate, std::vector<Conjunct>& out, const Elem* elem = nullptr);
  bool refine(const Elem& elem, const Conjunct& condition, Reg set,
              bool full); ///< false: nothing was emitted
  unsigned mentions(Ref ref, const Elem& elem);
  bool isElement(Ref ref, const Elem& elem) const;
  /// Whether it reads nothing but the elements and what never changes.
  bool isStatic(Ref ref, const Elem& elem, const Elem* other = nullptr);
  static constexpr unsigned byElement = 1, byRaw = 2, bySide = 4;

  // ---- lower_rules.cpp: values, permissions, zones, texts
  void lowerText(hir::TextId text, Env* env);
  void textWords(const std::string& words);
  void veil(Ref ref, bool explanation); ///< before what rests on fields that may be hidden
  void cite(std::uint16_t marks);
  /// For the coverage of tests: what bears these marks acts or decides here.
  void cover(std::uint16_t marks);
  void steps(const std::vector<hir::Step>& list, Env* env, const hir::Type& type, Reg figure);
  void figure(Ref base, const std::vector<hir::Step>& steps, const hir::Type& type, Reg dst);
  void wholeFigure(Reg reg, const hir::Type& type);
  void explainFigure(Ref base, const std::vector<hir::Step>& steps, const hir::Type& type, Reg dst,
                     const std::string& baseWords, std::uint16_t baseMarks, std::uint16_t marks);
  void clauses(const std::vector<hir::Clause>& list, Env* env, const Verdict& verdict);
  bool lineIsSet(const hir::Clause& clause, Env* env, Reg blockers);
  bool inlinable(const hir::Permission& permission) const;
  void zoneCover(const hir::Zone& zone, Env* env, Reg set);
  /// The union over the counters of a side, where what bars a hex is a matter of the counter alone; false: it
  /// is not.
  bool zoneUnion(const hir::Zone& zone, Reg side, Reg set);
  Env* inlineEnv(Ref call, const hir::Scope& scope);

  // ---- lower_stmt.cpp, lower_moves.cpp, lower_choice.cpp, lower_spans.cpp
  void statement(hir::StmtId id, Env* env);
  void block(hir::StmtId id, Env* env, bool repeatBody = false);
  void callHooks(hir::HookPoint point, bool before, std::int32_t index, const std::vector<Reg>& args,
                 Reg stopped);
  /// A hook's block, its condition before it; `stop` outside of a loop ends it and says so in `stopped`.
  void hookBlock(hir::ExprId when, hir::StmtId statements, Env* env, Reg stopped, std::uint16_t marks = 0);
  bool onlyCall(hir::StmtId id, Env* env);
  void fullRest();       ///< settles what has changed, then tests victory
  void handBack(Reg answer, std::uint16_t words);
  void keepRecords(const hir::Scope& scope, const Env* env);
  void engineHooks(hir::HookPoint point, bool before, std::int32_t kind, const std::vector<Reg>& args,
                   Reg stopped);
  /// Goes to `left` if since `arrival` was read something else has moved the counter or taken it off the map.
  void leftBy(Reg counter, Reg arrival, Label& left);
  /// The mover stands in another hex, with the hooks on `leave` and `enter`, but none on `move`.
  void standIn(Reg counter, Reg to, std::int32_t kind);
  /// Registers that the caller hands over, without names.
  Reg rawParameters(std::uint32_t words);
  void finishSequence(); ///< the stubs at which it can be entered

  bool resting = false;    ///< statements stand in the sequence
  bool searching = false;  ///< statements are an effect that a search follows
  bool inSequence = false; ///< of the sequence's own body: spans get entries
  hir::Type result;        ///< of the procedure

  Context& context;

private:
  friend class Temps;
  friend class AtPlace;
  friend class Citing;

  struct Loop {
    Label* end;
    Label* again;
    std::size_t cleanups;
  };
  struct Block {
    Label* end; ///< where the rest of it is skipped to
    std::size_t cleanups;
  };
  struct Fragment {
    std::uint32_t top;
    std::uint32_t line;
    std::uint16_t citing;
    std::function<void()> code;
    std::function<void(std::int32_t)> place; ///< told where it begins
  };
  struct SideFact {
    const Env* env;
    hir::LocalId local;
    Reg side, enemy;
  };
  struct Snapshot {
    std::size_t code, fragments;
    std::uint32_t top;
  };
  struct Entry {
    PhaseEntry entry;
    std::uint32_t target;
    std::vector<std::function<void()>> steps;
  };

  void release(std::uint32_t top) {
    if (!keepsTemps_ || top_ > 1000) top_ = top;
  }
  Snapshot snapshot() const { return {body_.code.size(), fragments_.size(), top_}; }
  void rollBack(const Snapshot& to);
  void fragment(std::function<void()> code, std::function<void(std::int32_t)> place);
  /// A fragment with a text, for the operand d of the instruction just emitted.
  void textFragmentFor(std::uint32_t instruction, hir::TextId text, Env* env);

  // expressions
  struct Absorb {
    Label none;
    bool used = false;
  };
  Reg operand(Ref ref, Absorb& absorb);
  void absorbed(Absorb& absorb, Reg dst);
  void evalBool(Ref ref, Reg dst);
  void evalBuiltin(Ref ref, Reg dst);
  void evalTable(Ref ref, Reg dst);
  void evalArithmetic(Ref ref, Reg dst);
  void compareBranch(Ref ref, bool sense, Label& label);
  void equalBranch(Ref ref, bool sense, Label& label);
  void inBranch(Ref ref, bool sense, Label& label);
  void jumpOnBool(Reg reg, bool optional, bool sense, Label& label);
  bool smallConstant(Ref ref, std::int32_t& value) const;
  Ref inlineSmall(Ref ref);
  const SideFact* sideFact(Ref counter) const;
  const std::pair<Ref, Reg>* hexAlias(Ref counter) const;

  // sets
  bool singleOf(Ref ref, Ref& thing) const;
  Ref sideOfSet(Ref ref);
  void evalWhere(Ref ref, Reg dst, bool stop);
  bool isFree(const Conjunct& one, const Elem& elem); ///< does not mention the element
  void loopFilter(Reg set, const Elem& elem, const std::vector<Conjunct>& rest);
  struct Inner;
  struct Prepared {
    Conjunct conjunct;
    Reg blockers = 0, from = 0, to = 0;
    bool line = false;
    std::shared_ptr<Inner> inner;
  };
  std::vector<Prepared> prepare(const std::vector<Conjunct>& rest, const Elem& elem);
  Prepared prepareLine(const Conjunct& one, std::initializer_list<const Elem*> elems);
  /// An `any` within a loop over `elem`: what does not mention that element is computed before the loop.
  std::shared_ptr<Inner> prepareAny(const Conjunct& one, const Elem& elem);
  void anyFails(const Inner& inner, Label& label);
  /// Takes out of the set over which the outer loop goes what is too far from all that `inner` may find.
  void keepNear(const Prepared& prepared, const Elem& elem, Reg set);
  bool leansOnGuard(Ref ref) const; ///< it is proven by a condition that stands elsewhere
  void learnSides(Ref set, const Elem& elem, const std::vector<Conjunct>& all);
  void preparedFails(const Prepared& one, Label& label);
  /// Gives the element a register if it has none (in what is inlined), as long as this lives.
  class ElementScope {
  public:
    ElementScope(BodyLowering& body, const Elem& elem)
        : binding_(elem.env->locals[static_cast<std::size_t>(elem.local)]), bind_(!binding_.bound) {
      if (bind_) {
        binding_.reg = body.alloc(body.context.words(elem.type));
        binding_.bound = true;
      }
    }
    ~ElementScope() {
      if (bind_) binding_.bound = false;
    }
    ElementScope(const ElementScope&) = delete;
    ElementScope& operator=(const ElementScope&) = delete;
    Reg reg() const { return binding_.reg; }

  private:
    Binding& binding_;
    bool bind_;
  };
  friend class ElementScope;
  /// The set and conditions of a quantifier, the `where` of its set taken in.
  struct Ranged {
    Ref set;
    Elem elem;
    std::vector<Conjunct> conjuncts;
  };
  struct Inner {
    Elem elem;
    Reg base = 0;               ///< the set, less what the conditions say that do not vary
    std::vector<Conjunct> vary; ///< as set operations, for each element of the outer loop
    std::vector<std::pair<Conjunct, Reg>> eitherOr; ///< or in that set
    std::vector<Prepared> rest;                     ///< asked for each element within
    bool wantsOne = true;
  };
  Ranged ranged(Ref ref, bool negate);
  void filteredSet(Ref ref, Reg dst);     ///< args[0] where args[1]
  bool routeQuantifier(Ref ref, Reg dst); ///< `any reach r(..)` as one instruction: its truth in dst
  Reg routeArguments(Ref reach);

  // refinement
  bool refineRef(const Elem& elem, Ref ref, bool negate, Reg set, bool full);
  bool refineNow(const Elem& elem, Ref ref, bool negate, Reg set, bool full);
  bool absolute(const Elem& elem, Ref ref, Reg dst);
  /// `distance(element, x) < k` and the like; `negated`: dst holds the elements for which it does not hold.
  bool absoluteDistance(const Elem& elem, Ref ref, Reg dst, bool& negated);
  void broadcast(const Elem& elem, Ref ref, bool negate, Reg set, bool full);
  bool hexesWithAny(const Elem& elem, Ref set, Reg dst);
  /// `(count of C at element) < k` and the like, `negated` as above.
  bool hexesWithCount(const Elem& elem, Ref ref, Reg dst, bool& negated);
  /// The counters of a set that some are looked for in, with the condition args[1] on them; see
  /// setWithoutPlace.
  bool placedCounters(const Elem& elem, Ref ref, Reg dst, Ref& radius);
  bool setWithoutPlace(const Elem& elem, Ref set, Reg dst, Ref& radius);
  bool staticLeaf(const Elem& elem, Ref ref, Reg dst);

  bool refineClause(const Elem& elem, const hir::Clause& clause, Env* env, bool negate, Reg set, bool full);

  // rules
  Reg stepOn(const hir::Step& step, Env* env, const hir::Type& type, Reg figure, Label& skip);
  void reasonOf(const hir::Clause& clause, Env* env, const Verdict& verdict);
  void forbidNow(const hir::Clause& clause, Env* env, const Verdict& verdict);
  void allowNow(const hir::Clause& clause, const Verdict& verdict);
  Elem clauseElement(const hir::Clause& clause, Env* env) const;
  void decide(const hir::Clause& clause, Env* env, const Verdict& verdict);
  void lineClause(const hir::Clause& clause, Env* env, const Verdict& verdict);
  void innerVerdict(const hir::Clause& clause, Env* env, Reg element, Reg item, Reg dst);

  // statements
  void forEach(const hir::Stmt& stmt, Env* env);
  void forEachBy(const hir::Stmt& stmt, Env* env);
  void forEachListed(const hir::Stmt& stmt, Env* env);
  void loopBody(hir::StmtId body, Env* env, Label& end, Label& again, bool repeatBody = false);
  void repeat(const hir::Stmt& stmt, Env* env);
  void match(const hir::Stmt& stmt, Env* env);
  void returnNow(const hir::Stmt& stmt, Env* env);
  void leaveTo(std::size_t cleanups); ///< the epilogues of the spans that a jump leaves
  void callProcedure(const hir::Stmt& stmt, Env* env, bool restingCallee);
  void selectWord(Reg dst, Reg index, const std::vector<Reg>& words);
  bool mayMove(hir::StmtId id) const;

  // moves
  void moveStatement(const hir::Stmt& stmt, Env* env);
  void moveOneTo(Reg counter, Reg to, bool box, std::int32_t kind);
  void moveSet(const hir::Stmt& stmt, Env* env);
  void followPath(const hir::Stmt& stmt, Env* env, Reg counter, Reg path);
  void moveBy(const hir::Stmt& stmt, Env* env, bool along);

  // choices, actions, whole answers
  struct Asking {
    const hir::Stmt& stmt;
    const hir::Choice& choice;
    Env* env;
    Decision decision;
    hir::Type element;
    std::uint16_t words = 1; ///< of a set of elements
    std::uint32_t index = 0; ///< of the decision
  };
  void choose(const hir::Stmt& stmt, Env* env);
  void chooseEach(const hir::Stmt& stmt, Env* env, const hir::Choice& choice);
  Asking beginDecision(const hir::Stmt& stmt, Env* env, const hir::Choice& choice);
  void computeDecision(Asking& asking, Reg done);
  void computeSet(Asking& asking, Reg done); ///< into the register `set` of the decision
  void emitDecision(Asking& asking);
  void preferElements(const Asking& asking, Reg set);
  void openAlternatives(const Asking& asking);
  void takePath(const Asking& asking);
  /// Code for every answer but an element; each ends with a jump to `after`.
  void answerOtherwise(const Asking& asking, Label& after);
  /// Why an element is not among those of the choice; first comes a condition `when` of the whole, if any.
  void whyFragment(const Asking& asking, hir::ExprId when, const std::function<void(std::int32_t)>& place);
  void perform(const hir::Stmt& stmt, Env* env);
  void walk(const hir::Stmt& stmt, Env* env);
  void walkAlternatives(const hir::Stmt& stmt, Asking& asking, Reg arguments);
  void offerAction(const hir::Stmt& stmt, Asking& menu, std::int32_t action);
  std::uint16_t allotmentBlock(const hir::Type& element) const {
    return static_cast<std::uint16_t>(allotmentWords(context.module.domains[context.domainOf(element)].size));
  }
  void allotmentRanges(const Asking& asking);
  void wholeAnswers(Asking& asking);
  /// What is the same for each element of a whole answer: a sum, or a count of those that satisfy conditions.
  struct Sum {
    Ref figure; ///< none: each counts one
    Ref ofThat; ///< only those for which it holds (or not)
    bool negate = false;
    std::vector<std::pair<Elem, std::vector<Conjunct>>> filters;
    Elem elem;
    bool fraction = false;
  };
  std::optional<Sum> sumOf(const Asking& asking, Ref ref);
  bool sameExpr(hir::ExprId a, hir::ExprId b,
                std::vector<std::pair<hir::LocalId, hir::LocalId>>& names) const;
  bool reads(hir::ExprId id, hir::LocalId local) const;
  std::uint16_t addSum(Asking& asking, const Sum& sum);
  bool addTest(Asking& asking, const Conjunct& condition);
  void addPrefer(Asking& asking, const hir::Prefer& prefer);
  void explainConjunct(const Conjunct& one, Label& told);

  // spans
  void turns(const hir::Stmt& stmt, Env* env);
  void playerTurn(const hir::Stmt& stmt, Env* env);
  void phase(const hir::Stmt& stmt, Env* env);
  void activation(const hir::Stmt& stmt, Env* env);
  void span(SpanKind kind, hir::HookPoint point, std::int32_t index, const hir::Stmt& stmt, Env* env,
            const std::function<void()>& after);
  void addEntry(SpanKind kind, std::int32_t phase);

  Body body_;
  std::uint32_t line_ = 0;
  std::uint16_t citing_ = 0;
  std::uint32_t top_ = 0, maxTop_ = 0;
  bool keepsTemps_ = false;
  std::deque<Env> envs_;
  std::map<std::pair<hir::ExprId, Env*>, Env*> inlined_;
  std::vector<SideFact> sideFacts_;
  std::map<std::uint16_t, Reg> pathLists_;      ///< by Type::id of the set
  std::vector<std::pair<Ref, Reg>> hexAliases_; ///< counters whose hex a route's step has in a register
  std::deque<Fragment> fragments_;
  std::vector<Loop> loops_;
  std::vector<Block> blocks_;
  std::vector<std::function<void()>> cleanups_;
  std::vector<std::function<void()>> entrySteps_;
  std::vector<Entry> entries_;
  std::uint32_t bodyIndex_ = noBody;
  std::vector<std::pair<Reg, std::uint16_t>> records_; ///< parameters that are handed back, and their words
  Label* hookEnd_ = nullptr;
  std::size_t hookCleanups_ = 0;
  Reg hookStopped_ = 0;

public:
  void aliasHex(Ref counter, Reg hex) { hexAliases_.emplace_back(counter, hex); }
  void setBodyIndex(std::uint32_t index) { bodyIndex_ = index; }
};

/// A pure body, an expression's: parameters of the scope, then the answer.
std::uint32_t expressionBody(Context& context, const std::string& name, const hir::Scope& scope,
                             hir::ExprId expr, const Place& place);
void lowerArcs(Context& context);
void lowerValues(Context& context);
void lowerPermissions(Context& context);
void lowerZones(Context& context);
void lowerRoutes(Context& context);
void reserveTravels(Context& context);
void lowerTravels(Context& context);
void lowerProcedures(Context& context);
void lowerHooks(Context& context);
void lowerActions(Context& context);
/// The call that a block consists of, or none.
const hir::Stmt* soleCall(const hir::Hir& hir, hir::StmtId id);
void lowerSequence(Context& context);
void lowerSettling(Context& context);
void lowerVictory(Context& context);

} // namespace hellwig::lowering
