// SPDX-License-Identifier: Apache-2.0
// The compiled form of one game with one scenario, set of options and mods: plain data that the compiler
// writes and the machine runs. Nothing here has behaviour; module_io.h writes and reads it as .hlm, verify.h
// checks it.
#pragma once

#include "runtime/board.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // enumerators may be called `none`, too
#endif

namespace hellwig {

// ---- Words and types

using Word = std::int64_t;
/// The value of an optional that is missing. No id, int, fraction or odds has this bit pattern.
inline constexpr Word none = std::numeric_limits<Word>::min();

/// Fractions and odds: numerator in the low 32 bits (signed), denominator in the high 32 bits (positive; 0
/// only in odds).
constexpr Word packRatio(std::int32_t numerator, std::int32_t denominator) {
  return static_cast<Word>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(denominator)) << 32) |
                           static_cast<std::uint32_t>(numerator));
}
/// A budget without a limit.
inline constexpr Word unlimitedWord = packRatio(1, 0);
constexpr std::int32_t numeratorOf(Word w) {
  return static_cast<std::int32_t>(static_cast<std::uint64_t>(w) & 0xffffffffU);
}
constexpr std::int32_t denominatorOf(Word w) {
  return static_cast<std::int32_t>(static_cast<std::uint64_t>(w) >> 32);
}

enum class ValueKind : std::uint8_t {
  nothing,
  integer,
  fraction,
  boolean,
  text,
  odds,
  time,
  side,
  hex,
  hexside,
  direction,
  path,
  area,
  box,
  enumeration, // a `type` or `terrain`; ValueType::id names it in Module::enums
  counter,     // id names the kind
  group, // id names the kind
  phase,
  record // id: Module::records
};

/// An allotment held in registers: a number for each element of a domain, two to a word as signed 32-bit
/// numbers, the first in the low half. Elements without a number have the least one.
constexpr std::uint32_t allotmentWords(std::uint32_t domainSize) {
  return (domainSize + 1) / 2;
}
inline constexpr std::int32_t notAllotted = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t allotted(const Word* block, std::uint32_t element) {
  const Word word = block[element / 2];
  return element % 2 == 0 ? numeratorOf(word) : denominatorOf(word);
}
constexpr void setAllotted(Word* block, std::uint32_t element, std::int32_t number) {
  Word& word = block[element / 2];
  word = element % 2 == 0 ? packRatio(number, denominatorOf(word)) : packRatio(numeratorOf(word), number);
}

/// The type of a word or set, as far as display and options need it.
struct ValueType {
  ValueKind kind = ValueKind::nothing;
  std::uint16_t id = 0;
  bool isSet = false;
  bool optional = false;
  bool operator==(const ValueType&) const = default;
};

/// Sets are bit sets over a domain. Domains 0.. are fixed (below); further ones are one for each enumeration.
enum FixedDomain : std::uint16_t {
  domainCounters,
  domainHexes,
  domainHexsides,
  domainSides,
  domainDirections,
  domainAreas,
  domainBoxes,
  domainGroups,
  domainInts,
  domainPaths, ///< the places of a list of paths (path_block.h)
  firstEnumDomain
};
struct Domain {
  ValueType element;
  std::uint32_t size = 0; ///< number of elements; words = (size + 63) / 64
};
/// Ints in sets lie in -512 .. 511.
inline constexpr int lowestSetInt = -512;
inline constexpr std::uint32_t setIntCount = 1024;
/// As many paths as a list may hold.
inline constexpr std::uint32_t mostPaths = 10000;

// ---- Things

struct EnumInfo {
  std::string name;
  std::vector<std::string> values; ///< names as displayed ("no effect" for no_effect)
  std::vector<std::string> names;  ///< names as written
};
struct SideInfo {
  std::string name, display;
};
struct BoxInfo {
  std::string name, display;
};
struct AreaInfo {
  std::string name, label;
  std::vector<std::uint64_t> hexes;
};
struct PhaseInfo {
  std::string name;
  std::vector<std::uint16_t> marks;
};
struct KindInfo {
  std::string name, plural;
  std::int16_t base = -1;             ///< kind of which this is a sub-kind
  std::vector<std::uint64_t> members; ///< counters of this kind and its sub-kinds
};
/// A kind of group. Kinds are listed from the outermost in: a group hangs under groups of earlier kinds alone.
struct GroupKindInfo {
  std::string name, plural;
  std::vector<std::uint64_t> members;                 ///< groups of this kind
  std::uint16_t counterColumn = 0, groupColumn = 0; ///< of counters and of groups: the group of this kind above
};
struct GroupInfo {
  std::string name, display;
  std::uint16_t side = 0, kind = 0;
};
/// A bundle of fields: a record, or the row of a table with several results.
struct RecordField {
  std::string name;
  ValueType type;
};
struct RecordInfo {
  std::string name;
  std::vector<RecordField> fields;
};
struct CounterInfo {
  std::string name;    ///< as the order of battle has it: "Infantry 1"
  std::string display; ///< what tells it from others of its name, "Infantry 1 of Prussia"; empty: its name alone
  std::uint16_t side = 0, kind = 0;
  std::int32_t startHex = -1, startBox = -1; ///< at most one is not -1; neither: nowhere (dropped)
  std::uint16_t copiesOf = 0;                ///< string: name of the row ("Infantry")
};

/// The name of a counter or group as a reader is shown it.
template<class Named> const std::string& shownName(const Named& thing) {
  return thing.display.empty() ? thing.name : thing.display;
}

/// Rule ids cited together; ids index Module::rules.
struct MarkSet {
  std::vector<std::uint16_t> rules;
  std::string reconstructed;
};
struct RuleInfo {
  std::string id, title, printedUnder, note;
}; ///< a row of the rulebook; note: "", "no rule", "reading ..."

// ---- Columns: the fields of things

enum class Owner : std::uint8_t { counter, hex, hexside, side, group, box, area, enumeration };
enum class SpanKind : std::uint8_t { turn, playerTurn, ownTurn, phase, activation, never };
struct Column {
  std::string name;
  Owner owner = Owner::counter;
  std::uint16_t ownerId = 0; ///< kind or enumeration; else 0
  ValueType type;
  bool constant = false; ///< printed fields, properties, terrain: values stay as `initial` has them
  std::uint8_t bytes =
      8; ///< width of a value in the image: 1, 2, 4 or 8 (signed; the least value stands for none)
  std::uint8_t planes =
      0; ///< number of bit planes, one for each value 0.. (bool and enumerations of at most 8 values), else 0
  SpanKind resets = SpanKind::never;
  std::uint16_t setWords = 0; ///< for columns of sets: words of each value (bytes is 8), else 0
  std::vector<Word> initial;  ///< a word (or setWords words) for each thing of the owner's domain
  Word defaultValue = 0;      ///< what a reset returns to (scalars)
};

/// Globals: words of the game. The first are fixed.
enum FixedGlobal : std::uint16_t {
  globalTurn,
  globalClock,
  globalPlayer,
  globalEntrySide,
  globalWinner, ///< none until the game is won
  firstFreeGlobal
};
struct Global {
  std::string name;
  ValueType type;
  std::uint16_t words = 1;
  SpanKind resets = SpanKind::never;
  std::vector<Word> initial; ///< `words` words
};

// ---- Code

enum class Op : std::uint16_t {
#define HELLWIG_INSTRUCTION(name, A, B, C, D, E) name,
#include "runtime/instructions.def"
#undef HELLWIG_INSTRUCTION
};
struct Instruction {
  Op op = Op::nop;
  std::uint16_t a = 0, b = 0, c = 0;
  std::int32_t d = 0;
  std::uint16_t e = 0, unused = 0;
};
static_assert(sizeof(Instruction) == 16);

struct SourcePlace {
  std::uint16_t file = 0;
  std::uint32_t line = 0;
};

enum class BodyKind : std::uint8_t {
  pure,
  procedure,
  explain,
  effect
}; ///< pure: no play instruction; explain: pure that also emits; effect: pure that also pokes the mover of a
   ///< search
struct Body {
  std::string name; ///< in the author's terms: "value defense", "procedure attack"
  BodyKind kind = BodyKind::pure;
  std::uint16_t parameters = 0; ///< words of arguments in registers 0..
  std::uint16_t registers = 0;  ///< words of the frame; arguments of calls stand inside it
  std::uint16_t resultWords = 0;
  SourcePlace place;
  std::vector<ValueType> parameterTypes; ///< one a parameter (a set takes several words)
  std::vector<Instruction> code;         ///< the first instruction is the entry
  std::vector<std::uint32_t> lines;      ///< source line of each instruction, as long as `code`
  std::vector<std::uint16_t> citing; ///< mark set of each instruction: those of its statement and what that
                                     ///< stands in, the innermost first; empty if nothing is cited
};
inline constexpr std::uint32_t noBody = 0xffffffffU;
inline constexpr std::int32_t noFragment = -1;

// ---- Tables

enum class Rounding : std::uint8_t { none, down, up, near };
struct TableAxis {
  std::uint8_t scale = 0; ///< how keys compare: 0 words (ids, ints, times), 1 odds or fractions
  Rounding rounding = Rounding::none;
  bool clampBelow = false, clampAbove = false;
  struct Key {
    Word low, high;
    std::uint16_t index;
  };                           ///< inclusive; `none` as low or high is an open end; index in print order
  std::vector<Key> keys;       ///< a position may have several keys (`a, b`)
  std::uint16_t positions = 0; ///< number of positions in print order
  std::int32_t anyOther = -1;  ///< position that takes what no key covers, or -1
};
struct Table {
  std::string name;
  std::vector<TableAxis> axes;
  std::uint16_t resultWords =
      1; ///< words of one result (a row of several results: the words of its fields in order)
  std::vector<Word>
      cells; ///< positions of axis 0 slowest; `none` scalars where a result is missing and optional
  std::vector<std::uint8_t> filled; ///< for each cell: 0 = no such cell (fault, or `otherwise`)
  std::vector<std::uint16_t>
      marks; ///< for each cell a mark set (cell, row and heading marks together), 0 = none
  std::uint16_t tableMarks = 0;
  bool hasOtherwise = false;
  std::vector<Word> otherwise; ///< resultWords words
  ValueType result;
};

// ---- Arcs: which hexes a counter covers, and what its hexsides are

enum class Faces : std::uint8_t { side, corner, nothing };
/// Hexsides count clockwise from the one that the facing names.
struct ArcsPart {
  std::vector<std::uint8_t> way;   ///< hexsides crossed from the lead hex to this one; none: the lead hex
  std::vector<std::int8_t> aspect; ///< of each of the six hexsides; -1: another hex of the counter lies there
};
struct ArcsShape {
  Faces faces = Faces::side;
  std::vector<ArcsPart> parts; ///< the lead hex first
};
struct Arcs {
  std::uint16_t kind = 0;                  ///< counters that have them
  std::uint16_t shapeType = 0;             ///< enumeration of the shapes
  std::uint16_t aspectType = 0;            ///< enumeration of the aspects, the more telling ones first
  std::int32_t facingColumn = -1;          ///< column of counters: a direction
  std::uint32_t shapeBody = noBody;        ///< (u) -> its shape
  std::vector<ArcsShape> shapes;           ///< by shape
  std::vector<std::uint16_t> columns;      ///< what the shape depends on
  std::vector<std::uint16_t> globals;      ///< likewise
  bool onPlaces = false, ofOthers = false; ///< it depends on where counters are; on other counters
};
inline constexpr std::size_t mostParts = 19;

// ---- Zones, routes

struct Zone {
  std::string name;
  std::uint16_t kind = 0;           ///< counters that have it
  std::uint32_t coverBody = noBody; ///< (u) -> set of hexes: S less what is forbidden
  std::uint32_t unionBody =
      noBody; ///< (side) -> set of hexes: the union over the side's counters on the map; noBody: ask each
  std::uint32_t whyBody = noBody; ///< explain (u, h) -> bool; the deciding clause
  std::uint64_t watches = 0;      ///< watch bits (see Module::columnWatch) that make the cached union stale
  bool ownOnly = false;           ///< a counter's zone depends on that counter, the map and globals alone
};

/// What takes a mover from one node to the next. `entry`: from off the map to a start, which costs nothing.
enum class EdgeKind : std::uint8_t { step, turn, action, entry };
inline constexpr std::size_t edgeKinds = 4;

/// An item `step`, `turn` or `action`: the edges of one sort that leave a node.
struct RouteEdge {
  EdgeKind kind = EdgeKind::step;
  std::string name; ///< of an action
  // Bodies get the route's parameters, then origin (hex), spent (fraction) and two words: of a step the hexes
  // a and b, of a turn n and the new facing, of an action x (none if it has none) and none, of an entry none
  // and the hex.
  std::uint32_t forbidBody = noBody; ///< -> bool: barred; noBody: never
  std::uint32_t costBody = noBody;   ///< -> fraction or none (barred); noBody: fixedCost
  std::uint32_t stopBody = noBody;   ///< -> bool: may not leave b; noBody: never
  std::uint32_t preferBody = noBody; ///< -> one fraction for each prefer line
  std::uint16_t preferCount = 0;
  Word fixedCost = packRatio(1, 1);
  std::uint32_t whyBody =
      noBody; ///< explain -> 0 allowed, 1 forbidden (reason emitted), 2 cost none (cost's marks emitted)
  std::uint32_t stopWhyBody = noBody; ///< explain -> bool, reason emitted
  std::uint32_t effectBody = noBody;  ///< effect -> nothing: sets fields of the mover, in a search
  std::uint32_t effectPlay = noBody;  ///< procedure -> nothing: the same, in play
  bool endsSearch = false; ///< its effect does more than a search can follow: it counts as reaching an end
  std::uint32_t choicesBody = noBody; ///< of an action `to x from S`: (parameters, origin, spent) -> S
  ValueType choice;                   ///< what x is; nothing: the action has none
  std::uint16_t choiceDomain = 0;
  // The same clauses as sets, where they read one end of the edge alone: (parameters, origin) -> set of
  // hexes. What these say is left out of `restForbidBody`; where all is said by sets it is noBody and the
  // search is a flood.
  std::uint32_t blockedSetBody = noBody; ///< hexes b that may not be entered
  std::uint32_t stopSetBody = noBody;    ///< hexes b that may not be left
  std::uint32_t restForbidBody = noBody; ///< like forbidBody, the clauses that need both ends
  bool stopIsSet = false;                ///< stopSetBody (or nothing) says all of `stop`
  bool forbidIsSet =
      false; ///< blockedSetBody with restForbidBody say all of `forbid` (else forbidBody must be asked)
  /// The bodies read nothing but a, b and what never changes, so that their answer for an edge may be kept:
  /// costBody, restForbidBody (forbidBody where forbidIsSet does not hold), stopBody.
  bool costIsStatic = false, forbidIsStatic = false, stopIsStatic = false;
  std::int32_t along = -1; ///< path value, -1: every neighbour
  std::int32_t alongColumn = -1;
};
/// `also q(..)`: whatever q allows for these arguments, too.
struct AlsoWay {
  std::uint16_t route = 0;
  std::uint32_t argumentsBody = noBody; ///< (parameters) -> those of q; noBody: the same
};
/// (parameters, origin, spent and the two words of the edge) -> bool, the move ends: procedures.
struct EdgeHooks {
  std::uint32_t before = noBody, after = noBody;
};
struct Route {
  std::string name;
  bool hasMover = false; ///< the first parameter is the counter that is lifted
  /// A node is more than a hex, or an edge more than a step: node_search.h searches it, and not by sets.
  bool byNodes = false;
  std::vector<std::uint16_t> over; ///< columns of the mover that make up a node besides its hex
  bool overCameFrom = false;       ///< and the hex that it came from
  std::int32_t facing = -1;        ///< place in `over` of what turns change
  bool budgetReadsOrigin = false;  ///< budgetBody gets the origin behind the parameters
  bool readsMover =
      false; ///< clauses read fields of the mover that the search varies (its hex must be set at each node)
  bool readsOrigin =
      true; ///< some clause reads where the search began, so that several starts are searched apart
  std::uint16_t parameters = 0;     ///< words
  std::uint32_t startBody = noBody; ///< (parameters) -> set of hexes; noBody: the mover's hex
  std::uint32_t budgetBody =
      noBody; ///< (parameters) -> fraction or none (nothing to spend); noBody: unlimited
  std::uint32_t lengthBody = noBody;  ///< (parameters) -> int
  std::uint32_t minimumBody = noBody; ///< (parameters) -> bool: minimum one step
  std::uint32_t forbidBody = noBody;  ///< (parameters) -> bool: forbidden as a whole
  std::uint32_t forbidWhyBody = noBody;
  std::vector<RouteEdge> edges;         ///< as written: steps, then turns, then actions
  std::uint32_t endForbidBody = noBody; ///< (parameters, origin, spent, h) -> bool
  std::uint32_t endWhyBody = noBody;
  std::uint32_t endBlockedSetBody =
      noBody; ///< (parameters, origin) -> set of hexes where it may not end; with endIsSet it says all
  bool endIsSet = false;
  std::uint32_t goalBody = noBody; ///< (parameters, origin, spent, h) -> bool
  std::uint32_t goalSetBody =
      noBody; ///< (parameters, origin) -> set of hexes; with goalIsSet it says all of goalBody
  bool goalIsSet = false;
  std::uint32_t endPreferBody =
      noBody; ///< (parameters, origin, spent, h) -> one fraction a line, greater ones negated: least is best
  std::uint16_t endPreferCount = 0;
  /// Where all clauses of the route are sets and steps cost the same (one item, no length, no prefer in the
  /// item, forbidIsSet without restForbidBody, stopIsSet, endIsSet, goalIsSet), else noBody: (parameters,
  /// origin) -> one after another, each only where its own body is not noBody: the word of budgetBody, then
  /// the sets of hexes (each of the words of that domain) of blockedSetBody, stopSetBody, endBlockedSetBody,
  /// goalSetBody.
  std::uint32_t setsBody = noBody;
  std::vector<AlsoWay> also;
  std::uint16_t budgetMarks = 0;
  std::array<EdgeHooks, edgeKinds> hooks; ///< of the route, by the kind of the edge
};

// ---- Decisions

enum class ChoiceKind : std::uint8_t { one, subset, menu, allotment };
/// An answer beside the elements of the decision. With `picks` it stands for the elements of a set of its own
/// (the first pick of an action, the hexes a walk may enter): each of them is an answer.
struct Alternative {
  std::int32_t label = noFragment; ///< fragment with its text; noFragment: "Pass", or the element alone
  bool pass = false;
  std::uint16_t marks = 0;
  std::string name; ///< of the action that it offers, as written; else empty
  bool picks = false;
  std::string binds;                             ///< name bound by its elements
  std::uint16_t domain = 0, set = 0, chosen = 0; ///< of its elements; registers: the set, the element taken
  std::int32_t why = noFragment;                 ///< like those of a decision
  std::int32_t whyRoute = -1;
  std::uint16_t whyArgs = 0;
};
/// What each element gives to a sum over a whole answer: an element that is chosen, or that has its number.
struct AnswerSum {
  std::int32_t gives = noFragment; ///< fragment: reads `element` (and, of an allotment, `chosenSet`)
  std::uint16_t element = 0;       ///< register
  std::uint16_t figure = 0;        ///< register where the fragment leaves what it gives
  bool fraction = false;           ///< figures and bounds are fractions, not ints
};
/// A condition of a whole answer that compares a sum with what stands in a register.
struct AnswerTest {
  std::uint16_t sum = 0; ///< Decision::sums
  enum class Compare : std::uint8_t {
    below,
    atMost,
    above,
    atLeast,
    equal,
    unequal
  } compare = Compare::below;
  std::uint16_t bound = 0; ///< register
};
/// A line `prefer` of a subset or an allotment: the least rank is best, earlier lines count first.
struct AnswerPrefer {
  std::int32_t rank = noFragment; ///< fragment: reads `chosenSet`, leaves a fraction in `figure`
  std::uint16_t figure = 0;
  std::uint16_t best = 0; ///< register: the machine fills it with the rank of the best answers
  enum class By : std::uint8_t { tries, least, greatest, test } by = By::tries;
  std::uint16_t sum =
      0; ///< least, greatest: the sum that ranks; test: the test (Decision::tests) that should hold
};
/// A decision names registers of the frame of its body. When `decide` runs, code before it has filled `set`,
/// `open`, `owner`, `least` and `most`; the machine fills `answer` and `chosen` (or, for a subset or an
/// allotment, `chosenSet`).
struct Decision {
  std::string binds; ///< name bound ("u"); empty for a menu
  ChoiceKind kind = ChoiceKind::one;
  std::uint16_t domain = 0;          ///< of the elements
  std::uint16_t owner = 0;           ///< register: side
  std::uint16_t set = 0;             ///< register: set of elements that may be chosen
  std::uint16_t open = 0;            ///< register: bit i = alternative i is open
  std::uint16_t least = 0, most = 0; ///< registers (subset: how many; allotment: blocks with the bounds)
  std::uint16_t answer = 0;    ///< register: -1 element(s) chosen; i alternative i; -2 nothing to choose
  std::uint16_t chosen = 0;    ///< register: element (one)
  std::uint16_t chosenSet = 0; ///< register: set (subset) or block (allotment)
  std::int32_t provided = noFragment; ///< fragment: reads chosenSet, leaves bool in `verdict`
  std::uint16_t verdict = 0;
  std::vector<AnswerSum> sums;
  std::vector<AnswerTest> tests;   ///< what `provided` says of sums, then what `prefer` lines compare
  std::uint16_t providedTests = 0; ///< how many of the tests belong to `provided`
  bool exact = false; ///< `provided` says nothing but these tests, and every `prefer` has its sum
  std::vector<AnswerPrefer> prefers;
  bool mayBeNothing = false; ///< with nothing to choose: answer -2 (there is an `otherwise`, or a pass that
                             ///< is not open); else a fault
  std::vector<Alternative> alternatives;
  std::int32_t prompt = noFragment;
  std::uint16_t marks = 0;
  std::int32_t why = noFragment; ///< explain fragment: `chosen` holds a refused element; emits the reason
                                 ///< (first conjunct that fails) if one can be given
  std::int32_t whyRoute =
      -1; ///< the set is what this route reaches: a refused hex is explained by whyNotReach
  std::uint16_t whyArgs = 0; ///< with the arguments that stand from this register on
  std::int32_t paths = -1;   ///< register: list of paths whose places are the elements (domainPaths)
  SourcePlace place;
};

// ---- Victory, hidden information

enum class VictoryWhen : std::uint8_t { atOnce, eachTurn, atEnd };
struct VictoryClause {
  VictoryWhen when = VictoryWhen::atOnce;
  enum class Winner : std::uint8_t { anySide, side, draw } winner = Winner::anySide;
  std::uint32_t conditionBody = noBody; ///< (side, if anySide) -> bool; noBody: always
  std::uint32_t winnerBody = noBody;    ///< () -> side, for Winner::side
  std::uint32_t textBody = noBody;      ///< explain (side, if anySide): emits the text
  std::uint64_t watches = 0;            ///< watch bits that its truth depends on
  std::uint16_t marks = 0;
};
struct Hidden {
  std::uint16_t kind = 0;
  std::uint32_t conditionBody = noBody; ///< (u) -> bool
  std::uint32_t fromBody = noBody;      ///< (u) -> side that does not see it
  std::vector<std::uint16_t> shownColumns;
  bool showsHex = false, showsSide = false;
  std::uint16_t marks = 0;
};

// ---- What explanations are asked by name

struct NamedBody {
  enum class What : std::uint8_t { value, permission, route, zone, procedure, table } what = What::value;
  std::string name;
  std::vector<ValueType> parameterTypes;
  std::uint32_t body = noBody; ///< value, permission, procedure: body; route, zone, table: its id
  std::uint32_t explainBody =
      noBody; ///< value: emits lines; permission: -> bool allowed, emits the deciding clause
  ValueType result;
};

// ---- Entries into the sequence, set-up

struct PhaseEntry {                ///< for tests: where the sequence can be entered
  SpanKind span = SpanKind::phase; ///< turn, playerTurn or phase
  std::uint16_t phase = 0;
  std::uint32_t pc =
      0; ///< in the sequence body: a stub that reads globalTurn and globalEntrySide and goes to its place
};

// ---- Tests, written in the language (test_program.h keeps their steps)

struct LookProperty {
  std::string subject, name, property, value;
}; ///< `look`: KIND name { property value }; values joined by ", "
struct MapLabel {
  std::string text;
  std::vector<std::uint16_t> hexes;
};

struct Module {
  std::uint32_t formatVersion = 2;
  std::string title, designer, packageHash; ///< packageHash: of all source files, hexadecimal
  std::string scenario;                     ///< "" where the game has none
  std::vector<std::string> options, mods;   ///< switched on
  std::vector<std::string> files;           ///< source files by SourcePlace::file
  std::vector<std::string> strings;

  Board board;
  std::vector<SideInfo> sides; ///< two
  std::vector<EnumInfo> enums;
  std::vector<BoxInfo> boxes;
  std::vector<AreaInfo> areas;
  std::vector<KindInfo> kinds;
  std::vector<CounterInfo> counters; ///< in the standard order
  std::vector<GroupKindInfo> groupKinds;
  std::vector<GroupInfo> groups; ///< in the standard order
  std::vector<RecordInfo> records;
  std::vector<PhaseInfo> phases;
  std::vector<Domain> domains;
  std::vector<RuleInfo> rules;
  std::vector<MarkSet> marks; ///< 0 is the empty set

  std::vector<Column> columns;
  std::vector<Global> globals;
  std::vector<Word> constants;
  std::vector<ValueType> types; ///< named by `typ` operands
  std::vector<Body> bodies;
  std::vector<Table> tables;
  std::vector<Arcs> arcs;
  std::vector<Zone> zones;
  std::vector<Route> routes;
  std::vector<Decision> decisions;
  std::vector<std::uint32_t> decisionBody; ///< body in which each decision stands
  /// Static sets: body (element) -> bool evaluated for each element of the domain when the module is loaded.
  struct StaticSet {
    std::uint16_t domain = 0;
    std::uint32_t body = noBody;
  };
  std::vector<StaticSet> staticSets;
  std::vector<VictoryClause> victory;
  std::vector<Hidden> hidden;
  std::vector<NamedBody> named;

  /// Watch bits: writing a column, a global or a counter's place sets its bits in the image; zones and
  /// victory clauses compare them with what they watch. Bit 0 is the places of counters.
  std::vector<std::uint64_t> columnWatch, globalWatch;
  static constexpr std::uint64_t placeWatch = 1;

  std::uint32_t setupBody = noBody; ///< procedure without parameters: hooks, set-ups of the scenario
  std::uint32_t sequenceBody = noBody;
  std::uint32_t settleBody = noBody;   ///< procedure without parameters, run at each full rest; with it the
                                       ///< machine keeps the hexes in which something has changed
  std::uint8_t hoursOfClock = 24;      ///< 12: times are shown as on a dial
  std::uint32_t interestBody = noBody; ///< value interest(s: side): fraction
  std::int32_t seeBody = -1;           ///< permission see(a, b), for display
  std::int32_t terrainColumn = -1;     ///< column of hexes with the hex terrain
  std::vector<PhaseEntry> entries;
  std::vector<std::uint16_t> pathColumns, hexsideColumns, featureColumns; ///< for display
  std::vector<LookProperty> look;
  std::vector<MapLabel> labels;
};

// ---- Small enumerations used by operands

enum class DieKind : std::uint8_t { d6, twoD6, d10, d100, d66 };
enum class StepKind : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  divideRoundUp,
  divideRoundDown,
  divideRoundNear,
  multiplyRoundUp,
  multiplyRoundDown,
  multiplyRoundNear,
  roundUp,
  roundDown,
  roundNear,
  become,
  atLeast,
  atMost
};
enum class ReasonKind : std::uint8_t { forbid, allow, stop, cost };
enum class OperandRole : std::uint8_t {
  none,
  w,
  r,
  rw,
  W,
  R,
  RW,
  WC,
  RC,
  RWC,
  WH,
  RH,
  WS,
  RS,
  WP,
  RP,
  WL,
  RL,
  WT,
  RT,
  RWT,
  i,
  j,
  k,
  n,
  col,
  tab,
  body,
  route,
  zone,
  dec,
  str,
  typ,
  sset,
  dom,
  mark,
  span,
  args
};
enum class FaultCode : std::uint8_t {
  none,
  divisionByZero,
  overflow,
  missingValue,
  offMap,
  nothingToChoose,
  noTableCell,
  outOfRange,
  unreachable,
  noFuel,
  tooManyNodes,
  badOdds,
  setElement,
  stackTooDeep,
  negativeCost,
  badHook,
  unsettled,
  wrongDie
};

} // namespace hellwig

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
