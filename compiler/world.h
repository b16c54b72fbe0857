// SPDX-License-Identifier: Apache-2.0
// Everything that a package declares as data, resolved for one selection: types, terrain, counters, boxes,
// state, map, order of battle, rulebook, tables. It fills the data half of the module and says what each name
// means; rules come after it.
#pragma once

#include "compiler/fold.h"
#include "compiler/hir.h"
#include "lang/diagnostic.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hellwig {

enum class SymbolKind : std::uint8_t {
  enumeration, // a type or terrain: id = Module::enums
  enumValue,   // id = enumeration, value
  counterKind, // id = Module::kinds
  plural,      // id = kind: the set of its counters on the map
  counter,     // value = Module::counters
  counters,    // a set: copies of a row, or the bearers of a label; id = World::counterSets
  side,
  box,
  map,
  area,
  sheet,    // value = Module::sides, boxes, -, areas, -
  hexLabel, // value = hex
  state,    // of the game: id = Module::globals
  option,
  scenario,
  groupKind,   // id = Module::groupKinds
  groupPlural, // id = kind: the set of all groups of the kind
  group,       // id = kind, value = Module::groups
  record       // id = Module::records
};
struct Symbol {
  SymbolKind kind = SymbolKind::enumeration;
  std::uint16_t id = 0;
  Word value = 0;
  std::int16_t side = -1; ///< counters, groups: whose they are
  Place place;            ///< where it is declared
};

/// What the module does not say of an enumeration.
struct EnumFacts {
  enum class Terrain : std::uint8_t { no, hex, hexside, path, feature } terrain = Terrain::no;
  std::int32_t mapColumn = -1; ///< hex: column of hexes with its value; hexside: column of hexsides with a
                               ///< bit for each value; path: column of hexes with, for value v, six bits from
                               ///< bit 6 v; feature: column of hexes, a bit a value
  std::vector<std::uint16_t> properties; ///< columns whose owner is this enumeration
  std::vector<std::uint16_t> valueMarks; ///< mark set of each value's row
  Place place;
};
/// What the module does not say of a column.
struct ColumnFacts {
  std::uint16_t marks = 0; ///< of the heading or clause
  bool printed = false;
  bool face = false; ///< the state `face`
  bool onFace = false; ///< a field of one face
  std::int16_t membership = -1; ///< kind of group: the group of that kind above the thing
  Place place;
};
struct KindFacts {
  std::int32_t faceEnum = -1;         ///< enumeration of its faces
  std::vector<std::uint16_t> columns; ///< its own and its bases'
  Place place;
};

struct GroupKindFacts {
  std::vector<std::uint16_t> columns; ///< its fields and the groups above it
  Place place;
};
/// `faces F { f: T }`: what is printed on each face. A counter whose row gives nothing for a face lacks it.
struct FaceField {
  std::string name;
  std::uint16_t kind = 0; ///< of counters, with its sub-kinds
  hir::Type type;
  std::vector<std::uint16_t> columns; ///< one a face
  Place place;
};
/// A procedure named in a cell of a table, with the arguments that the cell gives it.
struct ProcedureCell {
  Word word = 0; ///< what stands in the table: a string
  NodeRef expr;
};

class World {
public:
  Module module;
  std::unordered_map<std::string, std::vector<Symbol>> nouns;
  std::unordered_map<std::string, std::vector<std::uint16_t>> tablesByName; ///< Module::tables (one each)
  std::vector<EnumFacts> enumFacts;                                         ///< by enumeration
  std::vector<ColumnFacts> columnFacts;                                     ///< by column
  std::vector<hir::Type> columnTypes;                                       ///< by column
  std::vector<hir::Type> globalTypes;                                       ///< by global
  std::vector<KindFacts> kindFacts;                                         ///< by kind
  std::vector<GroupKindFacts> groupKindFacts;                               ///< by kind of group
  std::vector<FaceField> faceFields;
  struct TurnBoxes {
    std::int32_t box = 0;     ///< of the first turn
    Word first = 1, last = 0; ///< turns
  };
  std::unordered_map<std::string, TurnBoxes> turnBoxes; ///< `box B each turn`
  std::unordered_map<std::string, std::vector<Word>> labels; ///< by name: the labels so called, one a side
  struct RecordFacts {
    std::vector<hir::Type> types;     ///< of the fields
    std::vector<std::uint16_t> marks; ///< of the headings of a table
    Place place;
  };
  std::vector<RecordFacts> recordFacts; ///< by record
  /// Parameters that a `procedure(..)` in a table is started with; named by the type's id.
  std::vector<std::vector<hir::Type>> procedureTypes;
  struct TableFacts {
    std::vector<hir::Type> keys;
    std::vector<std::string> keyNames, keyDice; ///< of inputs that are dice: their word
    hir::Type result;
    std::vector<Place> keyPlaces;
    Place place;
    std::vector<std::uint16_t> headingMarks;
    std::vector<ProcedureCell> procedures; ///< of a table of procedures
  };
  std::vector<TableFacts> tableFacts;                  ///< by table
  std::vector<NodeRef> arcsDecls;                      ///< by Module::arcs
  std::vector<std::vector<std::uint64_t>> counterSets; ///< for SymbolKind::counters
  std::unordered_map<std::string, std::vector<NodeRef>>
      citations; ///< rule id to where it is cited (gathered by marks())

  std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t>
      testCounters; ///< `place new` (file, node) of a test to the counter made
  int clockStart = 0; ///< minutes of the day at which turn 1 begins

  // -- asked by all later phases
  /// A time as the game's clock counts it, and how it is shown.
  Word timeOf(int hour, int minute) const;
  std::string clockText(Word time) const;
  const std::vector<Symbol>* find(std::string_view noun) const;
  /// The column called `name` on things of this type (a kind's bases included), or -1.
  std::int32_t columnOf(const hir::Type& owner, std::string_view name) const;
  /// Is kind `a` the kind `b` or a sub-kind of it?
  bool isKindOf(std::uint16_t a, std::uint16_t b) const;
  /// The arcs of all counters of a kind, or -1.
  std::int32_t arcsOf(std::uint16_t kind) const;
  std::string typeName(const hir::Type& type) const; ///< in a designer's words: "set of Unit", "hex or none"
  std::uint32_t domainOf(const hir::Type& element) const; ///< Module::domains index of a set of such elements
  std::uint32_t setWords(const hir::Type& element) const;
  /// The field printed on each face that is called `name` on counters of a kind, or nullptr.
  const FaceField* faceField(std::uint16_t kind, std::string_view name) const;
  /// Does the counter, or group, begin the game below the group?
  bool beginsIn(bool counter, Word thing, Word group) const;
  /// What is called `name` in a side or group, as the order of battle has it.
  std::vector<Symbol> inside(const Symbol& owner, std::string_view name);
};

/// Builds the world of a folded package. The sink gets what is wrong; what is faulty is left out, its names
/// kept as known.
class WorldBuilder {
public:
  WorldBuilder(Package& package, const Folded& folded, DiagnosticSink& sink, std::vector<NodeRef> tests = {})
      : package_(package), folded_(folded), sink_(sink), tests_(std::move(tests)) {}
  World build();

private:
  Package& package_;
  const Folded& folded_;
  DiagnosticSink& sink_;
  std::vector<NodeRef> tests_; ///< whose counters are made, too
};

// ---- Helpers shared by the phases (each in a file of its own)

/// The mark set of the marks that are children (role mark) of a node. Unknown ids are reported with the
/// nearest known one.
std::uint16_t marksOf(World& world, Package& package, NodeRef node, DiagnosticSink& sink);
/// The set of marks that stand in other roles.
std::uint16_t markSetOf(World& world, Package& package, std::uint16_t file, const std::vector<NodeId>& marks,
                        DiagnosticSink& sink);
/// The union of two mark sets.
std::uint16_t joinMarks(World& world, std::uint16_t a, std::uint16_t b);
/// A type as written; error (reported) if it is none.
hir::Type resolveType(const World& world, Package& package, NodeRef type, DiagnosticSink& sink);
/// A constant expression of an expected type (defaults, cells, settings in forces): the word, or nullopt
/// (reported).
std::optional<Word> constantOf(World& world, Package& package, NodeRef expr, const hir::Type& expected,
                               DiagnosticSink& sink);
/// The type as the module keeps it.
ValueType moduleType(const hir::Type& type);
/// Whether some counter of the kind, or of a base or sub-kind of it, may cover several hexes.
bool mayBeWide(const Module& module, std::int32_t kind);
/// "no effect" for no_effect.
std::string displayName(std::string_view name);

} // namespace hellwig
