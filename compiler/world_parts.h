// SPDX-License-Identifier: Apache-2.0
// What the parts of the world builder share. Not for other phases: they use world.h.
#pragma once

#include "compiler/package_nodes.h"
#include "compiler/world.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hellwig {

// ---- Constants

/// Where a constant stands: counters named there are looked up among those of `side` first; errors in a cell
/// are worded as such.
struct ConstantContext {
  int side = -1;
  bool cell = false;
  Word group = -1; ///< in which counters are looked for first of all
};
/// The words of a constant (of a set: as many as its domain needs), or nullopt (reported).
std::optional<std::vector<Word>> constantWords(World& world, Package& package, NodeRef expr,
                                               const hir::Type& expected, DiagnosticSink& sink,
                                               ConstantContext context = {});
/// All types that a constant could have. `-`, `none` and what is faulty or unknown: none of them.
std::vector<hir::Type> constantTypes(const World& world, const Package& package, NodeRef expr);
/// Is it `none`, `-` or an empty place?
bool isNothing(const Package& package, NodeRef expr);
/// The string's index in Module::strings.
Word internString(Module& module, std::string_view text);
/// A ratio in lowest terms; nullopt if it does not fit.
std::optional<Word> ratioWord(std::int64_t numerator, std::int64_t denominator);

// ---- Charts

struct ChartHeading {
  std::string text; ///< the name, without quotes
  NodeRef cell;
  NodeRef type; ///< of `week: text`
};
struct ChartRow {
  std::vector<NodeRef> cells; ///< one a heading; node none where an amendment gives none
  std::vector<NodeRef> rows;  ///< Row nodes that made it, for their marks
  bool faulty = false;        ///< a cell is missing or cannot be told: say nothing of what lacks
};
struct Chart {
  std::vector<ChartHeading> headings;
  std::vector<ChartRow> rows;
  std::int32_t find(std::string_view heading) const;
};

/// A hex set of the board.
using HexSet = std::vector<std::uint64_t>;

/// The order of battle as it is gathered from several declarations.
struct ForceRow {
  std::string name; ///< "" until unnamed counters get theirs
  NodeRef place;    ///< the Row
  int originalCopies = 1, copies = 1;
  std::set<int> dropped;                ///< copies taken out by `remove forces`
  std::int32_t box = -2;                ///< of the declaration's head; -1: none given, -2: unknown (reported)
  std::map<std::string, NodeRef> cells; ///< by heading; Cell or Assign
  std::map<int, std::map<std::string, NodeRef>> copyCells; ///< for one copy alone, from 1
  std::optional<NodeRef> madeBy;                           ///< `place new` of a test
};
struct ForceNode {
  std::string type, name;      ///< kind; group's name or ""
  std::int32_t kind = -1;      ///< counter kind, or -1 for a group
  std::int32_t groupKind = -1; ///< kind of group
  bool dropped = false;        ///< a group taken out by `remove forces`
  NodeRef place;
  std::map<std::string, NodeRef> settings; ///< Assign nodes
  std::vector<ForceRow> rows;
  std::vector<ForceNode> nodes;
};

/// The work of WorldBuilder::build, in the order in which the parts are called.
struct Building {
  World& world;
  Package& package;
  const Folded& folded;
  const std::vector<NodeRef>& tests; ///< whose counters are made, too
  DiagnosticSink& sink;

  Building(World& w, Package& p, const Folded& f, const std::vector<NodeRef>& t, DiagnosticSink& s)
      : world(w), package(p), folded(f), tests(t), sink(s) {}
  void run();

  // -- world.cpp
  void declareGame();
  void setClock(); // clock.cpp
  void declareOptionNames();
  void declareUncompiled();
  void declareBoxes();
  std::pair<Word, Word> turnsOfGame(NodeRef asked);
  void declareState();
  void fillState();
  void checkLookProperty(const std::string& subject, const std::string& name, NodeRef property);
  void declareLook();
  void finishColumns();
  void makeDomains();
  // -- ledger.cpp
  void declareRulebook();
  // -- charts.cpp
  Chart readChart(NodeRef body);
  /// Rows of an amendment: those whose first `keys` cells are there overwrite, others are added. `unfit` says
  /// that a heading of the amendment is none of the chart's (reported by it).
  void amendChart(Chart& chart, NodeRef body, std::size_t keys);
  std::string proseOf(NodeRef cell);
  /// Reads a cell by a grammar and gives the node; none if it is faulty.
  NodeRef readCell(NodeRef cell, CellGrammar grammar);
  std::set<std::pair<std::uint16_t, std::uint32_t>> toldCells; ///< faulty cells whose fault was told
  std::uint16_t rowMarks(const ChartRow& row, std::size_t nameColumn);
  void citeCells(const Chart& chart);
  /// The type that the cells of a column have in common, or error (reported).
  hir::Type columnTypeOf(const std::string& name, const std::vector<NodeRef>& cells, NodeRef heading);
  // -- declare_types.cpp
  void declareTypeNames();
  void declareProperties();
  void fillProperties();
  // -- declare_arcs.cpp
  void declareArcs();
  // -- declare_counters.cpp
  void declareKindNames();
  void declareKindFields();
  void declareKindItem(std::uint16_t kind, NodeRef item);
  void addKindField(std::uint16_t kind, NodeRef item, Column column, const hir::Type& type,
                    std::uint16_t marks, bool printed);
  SpanKind resetsOf(NodeRef clause) const;
  struct KindsSource {
    std::int32_t decl = -1;
    std::vector<std::int32_t> kinds;
    std::vector<ChartHeading> headings;
    std::vector<ChartRow> rows;
  };
  void takeKindsChart(const KindsSource& source);
  // -- declare_forces.cpp
  void declareForces();
  void mergeForces(NodeRef decl, bool amendment);
  void mergeForceNode(ForceNode& parent, NodeRef node, int side, std::int32_t box, bool amendment);
  void mergeForceRows(ForceNode& node, NodeRef body, std::int32_t box, bool amendment);
  void removeForces(NodeRef removal);
  void listCounters(ForceNode& node, int side, const std::string& path,
                    std::vector<const std::map<std::string, NodeRef>*> settings, std::int32_t group);
  void nameCounters();
  // -- declare_groups.cpp
  void declareGroupKinds();
  void declareGroupFields();
  void addGroupField(std::uint16_t kind, NodeRef item, Column column, const hir::Type& type,
                     std::uint16_t marks, bool printed);
  void mergeGroupRows(ForceNode& parent, const ForceNode& holder, NodeRef body, int side, std::int32_t box,
                      bool amendment);
  std::int32_t listGroup(ForceNode& node, int side, std::int32_t above);
  void hangCounters();
  std::int32_t groupNamed(NodeRef cell, std::uint16_t kind, int side, std::int32_t within);
  void fillGroups();
  // -- declare_records.cpp
  void declareRecordNames();
  void declareRecordFields();
  hir::Type resolveFieldType(NodeRef type);
  // -- declare_faces.cpp
  void declareFaceFields(std::uint16_t kind, NodeRef item, std::uint16_t faces);
  void checkFaces();
  // -- labels.cpp
  Word labelWord(int side, const std::string& name);
  Word ownLabel(std::size_t counter);
  void fillLabels();
  // -- test_counters.cpp
  struct RowFound {
    ForceNode* node;
    ForceRow* row;
    int copy;
  };
  std::vector<RowFound> rowsNamed(NodeRef name);
  void takeTests();
  void findTestCounters();
  // -- fill_counters.cpp
  void fillCounters();
  void placeCounters();
  std::vector<Word> defaultWords(std::uint16_t column);
  NodeRef givenField(std::size_t counter, const std::string& name) const;
  std::optional<std::int32_t> boxNamed(NodeRef name, int side);
  std::optional<std::int32_t> boxCalled(NodeRef call, int side);
  // -- declare_map.cpp, map_areas.cpp
  void declareBoard();
  void declareAreaNames();
  void paintMap();
  void paintRows(NodeRef item, int sheet, const std::map<std::string, std::int32_t>& letters, bool filled,
                 std::vector<Word>& terrain);
  void paintItem(NodeRef item, std::vector<Word>& terrain, std::vector<Word>& level,
                 std::vector<std::vector<Word>>& layers);
  void layPath(NodeRef item, const std::vector<std::int32_t>& hexes, int value, std::vector<Word>& layer);
  void labelMap();
  void fillHexState();
  HexSet areaSet(std::size_t area);
  std::optional<HexSet> filteredSet(NodeRef expr);
  std::optional<HexSet> calledSet(NodeRef expr);
  void evaluateAreas();
  std::optional<HexSet> hexSetOf(NodeRef expr);
  std::int32_t hexOf(NodeRef ref);
  bool hexesOf(NodeRef item, std::vector<std::int32_t>& hexes);
  std::optional<Word> intOfExpr(NodeRef expr);
  // -- tables.cpp
  void declareTables();

  // -- small helpers
  std::uint16_t addColumn(Column column, const hir::Type& type, Place place, std::uint16_t marks);
  void addSymbol(const std::string& name, Symbol symbol);
  void refuse(NodeRef at, const std::string& what);
  /// Type of a state field or printed field: declared, or from its default.
  hir::Type fieldType(NodeRef item);
  std::vector<NodeRef> withAmendments(const FoldedDecl& decl) const;

  // -- what later parts need of earlier ones
  struct EnumSource {
    std::int32_t decl = -1;
    std::uint16_t id = 0;
    Chart chart;
    std::vector<std::pair<std::string, std::uint16_t>> letters; ///< map letters of hex terrain
  };
  std::vector<EnumSource> enumSources;
  /// Chart of the properties, by column.
  struct PropertySource {
    std::uint16_t column = 0;
    std::size_t source = 0, heading = 0;
  };
  std::vector<PropertySource> propertySources;
  std::vector<KindsSource> kindsSources;
  /// What a kind fixes for a printed field: a formula of a declaration, or a cell of a `kinds` chart.
  struct KindValue {
    NodeRef formula, cell;
  };
  std::map<std::pair<std::uint16_t, std::uint16_t>, KindValue> kindValues; ///< by kind and column
  /// Default expression of a state column.
  std::map<std::uint16_t, NodeRef> stateDefaults;
  std::map<std::uint16_t, std::vector<Word>> stateDefaultWords;
  std::map<std::uint16_t, NodeRef> globalDefaults;
  std::vector<std::vector<std::int32_t>> forceBoxes; ///< by side: boxes in the heads of the base declarations
  std::vector<std::string> groupKinds;   ///< names, by kind
  std::vector<std::string> groupColumns; ///< the same in lower case: fields, and headings that hang under a group
  std::vector<NodeRef> recordDecls; ///< by record
  std::map<std::pair<int, std::string>, Word> labelWords;
  std::map<Word, Place> labelPlaces;
  std::vector<const ForceNode*> groupNode;      ///< by group
  std::vector<std::vector<std::int32_t>> groupAbove; ///< by group: for each kind the group above it, or -1
  std::vector<std::int32_t> counterGroup;       ///< by counter: the lowest group above its node, or -1
  std::vector<char> groupDropped;
  std::vector<const ForceRow*> counterRow;                                   ///< by counter
  std::map<std::pair<int, std::string>, std::set<std::string>> counterNames; ///< by side and group
  std::vector<std::vector<const std::map<std::string, NodeRef>*>>
      counterSettings; ///< of its nodes, the inner first
  std::vector<int> counterCopy;
  std::vector<ForceNode> forceRoots; ///< by side
  std::vector<char> counterDropped;
  // -- the map
  std::vector<NodeRef> mapItems;          ///< of the map in play, amendments behind
  std::vector<std::int32_t> mapItemSheet; ///< sheet that each stands in, -1: none
  struct AreaSource {
    std::string name;
    std::vector<NodeRef> exprs;
    HexSet painted;
    int state = 0; ///< 0 not yet, 1 being evaluated, 2 done
    bool faulty = false;
  };
  std::vector<AreaSource> areaSources; ///< by area
  struct HexState {
    NodeRef assign;
    std::vector<std::int32_t> hexes;
  };
  std::vector<HexState> hexStates;
  std::int32_t hexTerrain = -1; ///< enumeration
  std::set<std::string> unknownLetters;
  bool unpaintedReported = false;
};

} // namespace hellwig
