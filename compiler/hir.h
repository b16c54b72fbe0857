// SPDX-License-Identifier: Apache-2.0
// The typed program: what names and types have made of the folded syntax, and what is lowered to bytecode.
// Expressions, statements and clauses are plain nodes named by index. Everything implicit has become explicit
// here: an int where a fraction is wanted is a `toFraction`, one thing where a set is wanted a `single`, a
// proved optional an `assume`.
#pragma once

#include "compiler/package.h"
#include "runtime/module.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace hellwig::hir {

// ---- Types

enum class TypeKind : std::uint8_t {
  error,   // already reported; fits everything
  nothing, // of `none`
  integer,
  fraction,
  boolean,
  text,
  odds,
  time,
  d66,
  side,
  hex,
  hexside,
  direction,
  path,
  area,
  box,
  enumeration, // id: Module::enums
  counter,     // id: Module::kinds
  group,       // id: group kind
  record,
  row,      // id of both: Module::records; a row is that of a table and cannot be set
  label,    // word: a string that no other label has
  procedure // id: World::procedureTypes; word: a string; only as the result of a table
};
struct Type {
  TypeKind kind = TypeKind::error;
  std::uint16_t id = 0;
  bool set = false;
  bool optional = false; ///< never together with set
  bool allotted = false; ///< a number for each of some of these things; only of a local
  bool operator==(const Type&) const = default;
};

// ---- Indices. -1 stands for "absent" in all of them.

using ExprId = std::int32_t;
using StmtId = std::int32_t;
using TextId = std::int32_t;
using LocalId = std::int32_t; ///< into Scope::locals of the body that it stands in

/// Variables of one body: parameters first, then whatever binds a name or an `it`.
struct Local {
  std::string name;
  Type type;
};
struct Scope {
  std::vector<Local> locals;
  std::uint16_t parameters = 0;
};

// ---- Expressions

enum class ExprKind : std::uint8_t {
  error,
  constant,  // word `value` (also `none`)
  emptySet,  // of type
  local,     // index: LocalId
  global,    // index: Module::globals (turn, clock, player, state of the game; a set if type.set)
  column,    // index: Module::columns; args[0]: the thing (optional: none is absorbed)
  faceField, // `members`: columns, one a face; index: the column that says which face lies up; args[0]
  field,     // op: Field; args[0]
  call,      // index: Hir::values; args
  tableCall, // index: Module::tables; args: keys, then as many shifts (-1: none; positive to the right)
  builtin,   // op: Builtin; args
  negate,
  not_, // args[0]
  add,
  subtract,
  multiply,
  divide,
  modulo, // ints, fractions (both operands alike; divide: ints or fractions give a fraction); d66 + int
  and_,
  or_, // from left to right, no further than needed
  smaller,
  larger,
  round,      // op: Rounding; fraction to int
  toFraction, // int to fraction
  single,     // one thing to the set of it (none: the empty set)
  assume,     // an optional that is proved not to be none: no code
  otherwise,  // args[0] if not none, else args[1]
  if_,        // condition, then, else
  less,
  lessEqual, // ints, times, enumerations as words; fractions; odds. `time` by the game's clock
  stepped, // a figure with its steps: args[0] the base, then operand and condition of each (-1: none); index:
           // Hir::figures
  equal,
  notEqual, // words or sets, optional or not
  isNone,   // args[0]
  isKind,   // args[0] counter is of kind `index`
  in,       // args[0] in the set args[1]
  hexHas,
  sideHas, // args[0] hex or hexside bears feature/path/hexside value `value` of terrain column `index`
  between, // yes if hexside or path value `value` of column `index` stands between the hexes args[0] and
           // args[1]; op 0 hexside, 1 path
  // Sets
  kindSet,      // counters of kind `index` on the map
  kindEver,     // on the map or off
  sideCounters, // the counters of kind `index`, on the map, of side args[0]  (made from `of`, when args[0] is
                // a side)
  allOf,        // every element of the type: hexes in play, hexsides, sides, directions, values
  constantSet,  // the members are `members`
  list,         // args: elements (words)
  range,        // ints from args[0] to args[1]
  ofSide,       // counters args[0] whose side is args[1]
  atHexes,      // counters args[0] (on the map) in the set of hexes args[1]
  atBox,        // counters args[0] (sets over all counters) that are in box args[1]
  hexesOfCounters, // the hexes that the counters args[0] cover
  fieldIs,         // things args[0] whose column `index` is args[1]
  hexesOfArea,     // args[0] area, or a set of areas
  beyond,        // the hexes beyond those of args[0]; op: 0 north 1 south 2 east 3 west, 4 more with `on or`
  terrainValues, // of the terrain whose column is `index`; op: TerrainPlace; args: where
  // Of a counter args[0] that may face or cover several hexes. The last arguments are values that its fields
  // `members` (columns; -1: its hex) are supposed to have.
  footprint,
  aspectHexes,   // across its hexsides of aspect `value`
  aspectOf,      // that it turns to the hex args[1]
  adjacentHexes, // hexes adjacent to the set of hexes args[0], none in it
  withinHexes,   // at most args[1] hexes from the set of hexes args[0]
  unite,
  except_,
  intersect,
  where, // args[0] set, args[1] condition; local: the element
  // Over a set: args[0] set, args[1] condition or -1, args[2] figure (sum, least, greatest, by) or -1; local:
  // the element
  any,
  none_,
  all,
  count,
  sum,
  least,
  greatest,
  first, // first in the standard order; with args[2]: the least of it (op 0) or the greatest (op 1), ties in
         // the standard order
  // Permissions, routes, zones
  can,        // index: Hir::permissions; args
  reach,      // index: Hir::routes; args: the set of hexes
  connected,  // bool
  path,       // args, then the hex to go to or -1
  paths,      // args: the paths to its ends, each named by its place in a list (Type::id of the set: which)
  pathField,  // op 0 first, 1 last, 2 length, 3 cost, 4 hexes; args[0] a path
  zoneOfSide, // index: Hir::zones; args[0] side
  zoneOfCounters, // args[0] set of counters
  zoneOwners,     // args[0] hex: the counters whose zone covers it
  allotted,       // the number of the element args[0] in the allotment args[1], a local
  // Bundles of words
  makeRecord,     // args: the fields in order
  recordField,    // op: field; args[0] a record or row
  listMember      // reserved for lists written out in `for each`: args in the order written
};
enum class Field : std::uint8_t { side, enemyOfCounter, enemyOfSide, hex, box, onMap, arrival, cameFrom };
enum class TerrainPlace : std::uint8_t {
  hexside, // args[0] a hexside, or none
  path,    // between args[0] and args[1]
  feature, // in the hex args[0]
  through  // paths through the hex args[0]
};
enum class Builtin : std::uint8_t {
  boxOfTurn, /* of the turn args[0]: box `index` is that of the first of `members`, the second is the last */
  distanceHexes /*two hexes*/,
  distanceSets /*two sets of hexes: the least, none if one is empty*/,
  distanceOver /*hexes or counters: the least over what these cover*/,
  direction,
  neighbour,
  edge /*dir constant, sheet or -1*/,
  rows /*from, to, sheet or -1*/,
  columns,
  odds,
  next,
  previous /*values of a type: op range in Type*/,
  minutes,
  even,
  d66,
  hexsideBetween,
  hexsidesOf,
  hexesOfHexside
};

struct Expr {
  ExprKind kind = ExprKind::error;
  std::uint8_t op = 0;
  Type type;
  std::int32_t index = -1;
  LocalId local = -1;
  Word value = 0;
  std::vector<ExprId> args;
  std::vector<Word> members; ///< constantSet
  Place place;
};

// ---- Texts

struct TextPart {
  std::string words; ///< if expr is -1
  ExprId expr = -1;
};
struct Text {
  std::vector<TextPart> parts;
};

// ---- Arcs (Module::arcs has the rest)

struct Arcs {
  Scope scope; ///< parameter 0: the counter
  ExprId shape = -1;
  Place place;
};

// ---- Values, permissions, zones

enum class StepOp : std::uint8_t { add, subtract, multiply, divide, round, become, atLeast, atMost };
struct Step {
  StepOp op = StepOp::add;
  ExprId operand = -1;                ///< of the value's type (multiply, divide: int or fraction)
  Rounding rounding = Rounding::none; ///< of `round`, or after multiply, divide
  ExprId when = -1;
  TextId label = -1;       ///< `as`
  std::string words;       ///< the label where there is no `as`: the words of the condition, else of e
  std::uint16_t marks = 0; ///< with those of the headings of properties that it reads
  Place place;
};
struct Value {
  std::string name;
  Scope scope;
  Type result;
  bool workedAsFraction = false; ///< the figure is a fraction until a step rounds it
  ExprId base = -1;
  std::string baseWords; ///< label of the base: "printed", the name of a value called, or words
  std::uint16_t baseMarks = 0, marks = 0;
  std::vector<Step> steps;
  Place place;
};

enum class ClauseKind : std::uint8_t { forbid, allow, forEach, through, across };
struct Clause {
  ClauseKind kind = ClauseKind::forbid;
  ExprId when = -1; ///< -1: always
  TextId reason = -1;
  ExprId handsOn = -1; ///< the `can` inside `when` (as `not can q(..)`) whose reason and marks are handed on
  std::uint16_t marks = 0;
  LocalId local = -1; ///< forEach, through, across: element
  ExprId set = -1, from = -1, to = -1;
  bool splitEither = false;
  std::vector<Clause> inner;
  Place place;
};
struct Permission {
  std::string name;
  Scope scope;
  std::vector<Clause> clauses;
  std::uint16_t marks = 0;
  Place place;
};
struct Zone {
  std::string name;
  Scope scope; ///< parameter 0: the counter; local `hex`: the hex
  std::uint16_t kind = 0;
  LocalId hex = -1;
  ExprId set = -1;
  std::vector<Clause> clauses;
  std::uint16_t marks = 0;
  Place place;
};

// ---- Routes

struct Prefer {
  enum class Kind : std::uint8_t { least, greatest, holds } kind = Kind::least;
  ExprId expr = -1; ///< fraction, or bool for holds
};
struct CostFigure { ///< cost, budget: a base with steps, as in a value; a fraction (none: barred, nothing to
                    ///< spend)
  ExprId base = -1;
  std::vector<Step> steps;
  std::uint16_t marks = 0;
  bool unlimited = false;
  Place place;
};
struct Stop {
  ExprId when = -1;
  TextId reason = -1;
  std::uint16_t marks = 0;
  Place place;
};
/// An item `step`, `turn` or `action`.
struct RouteEdge {
  EdgeKind kind = EdgeKind::step;
  std::string name; ///< of an action
  /// What its clauses read: of a step the hexes a and b, of a turn n in `from`, of an action x in `from`.
  LocalId from = -1, to = -1;
  std::int32_t alongColumn = -1, alongValue = -1;
  ExprId choices = -1;         ///< of an action `to x from S`: the set
  std::vector<StmtId> effects; ///< in order: those of earlier layers first
  bool endsSearch = false;     ///< an effect does more than set `over` fields of the mover
  std::vector<Clause> clauses;
  CostFigure cost; ///< base -1: 1
  std::vector<Stop> stops;
  std::vector<Prefer> prefer;
  std::uint16_t marks = 0;
};
struct Also {
  std::int32_t route = -1;
  std::vector<ExprId> args; ///< empty: those of the route itself
};
struct Route {
  std::string name;
  Scope scope; ///< parameters; then origin, spent and the hexes named by items
  bool hasMover = false;
  bool byNodes = false;            ///< see Route::byNodes of the module
  std::vector<std::uint16_t> over; ///< columns of the mover besides its hex
  bool overCameFrom = false;
  std::int32_t facing = -1; ///< place in `over`
  bool budgetReadsOrigin = false;
  bool readsOrigin = true;
  LocalId origin = -1, spent = -1;
  ExprId start = -1;  ///< set of hexes; -1: the mover's hex
  CostFigure budget;  ///< base -1: unlimited
  ExprId length = -1; ///< int
  bool minimumOneStep = false;
  ExprId minimumWhen = -1;
  std::vector<Clause> clauses;  ///< of the route as a whole
  std::vector<RouteEdge> edges; ///< steps, then turns, then actions
  LocalId endHex = -1;
  std::vector<Clause> endClauses;
  std::vector<Prefer> endPrefer;
  LocalId goalHex = -1;
  ExprId goal = -1;
  std::vector<Also> also;
  struct Hook {
    bool before = false;
    bool each = false;              ///< on every edge
    EdgeKind kind = EdgeKind::step; ///< else on these
    LocalId from = -1, to = -1;
    ExprId when = -1;
    StmtId body = -1;
  };
  std::vector<Hook> hooks; ///< in the order in which they act
  std::uint16_t marks = 0;
  Place place;
};

// ---- Statements

enum class StmtKind : std::uint8_t {
  block,     // body: statements; op 1: a decision passed in it skips the rest of this block alone
  let,       // local = exprs[0]
  setLocal,  // local = exprs[0]
  setGlobal, // index = exprs[0]
  setColumn, // exprs[0].column index = exprs[1]
  setField,  // field `op` of the record `index` in local = exprs[0]
  joinGroup, // exprs[0] counter or group hangs under exprs[1]; index: kind of group
  roll,      // local = die `op` (DieKind) or, with exprs[0], one of the set; text: the purpose
  call,      // index: Hir::procedures; exprs: arguments; local: where the answer goes or -1
  if_,       // exprs[0]; body then; other else or -1
  match,     // exprs[0]; arms; other else or -1
  forEach,   // local in exprs[0] (a set; exprs[1] key of `by` or -1, op 0 least 1 greatest); or `list`: exprs
             // in the order written; body
  repeat,    // exprs[0] times, exprs[1] while or -1; body
  stop,
  next,      // innermost loop
  return_,   // exprs[0] or none
  move,      // exprs[0] counter(s); exprs[1] hex or box
  moveBy,    // exprs[0] counter, exprs[1] hex; index: route; exprs[2..]: its arguments
  setHex,    // in an effect: exprs[0] the mover stands in the hex exprs[1]
  moveAlong, // exprs[0] counter, exprs[1] a path (local)
  win,
  draw,
  say,        // exprs[0] side; text
  choose,     // choice
  walk,       // exprs[0] counter, exprs[1..]: arguments; index: route; choice: owner (-1: its side), prompt
  perform,    // exprs[0] times at most; index: Hir::menus; choice: owner, prompt, pass
  turns,      // exprs[0] to exprs[1]; clock: exprs[2] or -1 (minutes), `value` minutes a turn; body
  playerTurn, // exprs: sides; body
  phase,      // index: Module::phases; exprs[0] by or -1, exprs[1] when or -1; body
  activation, // exprs[0] by or -1; body
  nothing     // faulty
};
struct MatchArm {
  std::vector<Word> keys;
  StmtId body = -1;
};
struct ChoiceAlternative {
  TextId text = -1;
  ExprId when = -1;
  bool pass = false;
  StmtId body = -1; ///< -1: none
  std::uint16_t marks = 0;
};
struct Choice {
  ExprId ask = -1; ///< side; -1: `player`
  enum class HowMany : std::uint8_t { one, any, some, range, each, menu, allotment } howMany = HowMany::one;
  ExprId least = -1, most = -1; ///< ints, for range (exactly n: both; up to n: least -1 is 0), allotment
  LocalId local = -1;           ///< x: the element, or the subset
  LocalId element = -1;         ///< in `provided` of a subset, x is the whole subset: then the same as local;
                                ///< of an allotment: the element that `least` and `most` may read
  std::string name;
  ExprId set = -1;
  std::vector<ExprId> provided; ///< conditions on `local`
  std::vector<Prefer> prefer;
  TextId prompt = -1;
  StmtId body = -1; ///< -1: without a block
  std::vector<ChoiceAlternative> alternatives;
  bool hasOtherwise = false;
  StmtId otherwise = -1;
};
struct Stmt {
  StmtKind kind = StmtKind::nothing;
  std::uint8_t op = 0;
  std::int32_t index = -1;
  LocalId local = -1;
  Word value = 0;
  std::vector<ExprId> exprs;
  StmtId body = -1, other = -1;
  std::vector<StmtId> statements; ///< block
  std::vector<MatchArm> arms;
  std::vector<std::int32_t> routes; ///< moveAlong: those that the path may be of
  bool list = false;
  std::int32_t choice = -1; ///< Hir::choices
  TextId text = -1;
  std::uint16_t marks = 0;
  Place place;
};

/// An action of a menu. If it begins with a pick of one that the menu offers itself, `body` holds what
/// follows.
struct Action {
  std::string name;
  Scope scope;
  ExprId when = -1;
  StmtId body = -1;
  std::int32_t pick = -1; ///< Hir::choices
  std::uint16_t marks = 0;
  Place place;
};
struct ActionMenu {
  std::string name;
  std::vector<std::int32_t> actions; ///< in the order in which they are offered
};

struct Procedure {
  std::string name;
  Scope scope;
  Type result; ///< kind nothing: none
  StmtId body = -1;
  std::uint16_t marks = 0;
  Place place;
};
enum class HookPoint : std::uint8_t {
  turn,
  playerTurn,
  phase,
  activation,
  setup,
  procedure,
  enter,
  leave,
  move,
  settle ///< parameter 0: the hex
};
struct Hook {
  bool before = false;
  HookPoint point = HookPoint::turn;
  std::int32_t index = -1; ///< phase, procedure, or the counter kind of enter, leave, move
  Scope scope;             ///< parameters bind by position
  ExprId when = -1;
  StmtId body = -1;
  std::uint16_t marks = 0;
  Place place;
};

struct VictoryClause {
  VictoryWhen when = VictoryWhen::atOnce;
  bool draw = false;
  LocalId anySide = -1; ///< `any side s`
  ExprId winner = -1;
  ExprId condition = -1;
  TextId text = -1;
  Scope scope;
  std::uint16_t marks = 0;
  Place place;
};
struct Hidden {
  Scope scope; ///< parameter 0: the counter
  std::uint16_t kind = 0;
  ExprId from = -1, condition = -1;
  std::vector<std::uint16_t> columns;
  bool showsHex = false, showsSide = false;
  std::uint16_t marks = 0;
};
/// Set-up: the statements of the blocks; `place` has become `for each` and `choose`.
/// Rules stand in deques, so that a scope stays where it is while further rules are added.
struct Hir {
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::vector<Text> texts;
  std::vector<Choice> choices;
  std::deque<Arcs> arcs;
  std::deque<Value> values;
  std::deque<Permission> permissions;
  std::deque<Zone> zones;
  std::deque<Route> routes;
  std::deque<CostFigure> figures; ///< of `stepped`
  std::uint16_t pathLists = 0;    ///< expressions `paths`
  std::deque<Procedure> procedures;
  std::deque<Action> actions;
  std::vector<ActionMenu> menus;
  std::deque<Hook> hooks; ///< in the order in which they act
  std::deque<VictoryClause> victory;
  std::deque<Hidden> hidden;
  Scope sequenceScope;
  StmtId sequence = -1;
  Scope setupScope;
  StmtId setupStart = -1;     ///< what comes before the hooks on setup
  StmtId setup = -1;          ///< a block, without the hooks on setup
  std::int32_t interest = -1; ///< value
  std::int32_t see = -1;      ///< permission
};

} // namespace hellwig::hir
