// SPDX-License-Identifier: Apache-2.0
// A module made ready to run: verified once, with the layout of its image and its static sets. Shared,
// read-only, by any number of machines and threads.
#pragma once

#include "runtime/module.h"
#include "runtime/poses.h"
#include "runtime/table_index.h"

#include <array>
#include <memory>
#include <string>
#include <variant>

namespace hellwig {

class StepCostTables;

inline constexpr std::size_t spanKinds = static_cast<std::size_t>(SpanKind::never) + 1;

/// Offsets, in words, of the parts of an image. Its first words are those of image.h (HeaderWord).
struct ImageLayout {
  std::uint32_t globals = 0; ///< first word of each global is globals + globalOffset[g]
  std::vector<std::uint32_t> globalOffset;
  std::vector<std::uint32_t> column,
      plane; ///< by column: word where values (packed, `bytes` each) and planes begin; for constant columns
             ///< in Program::constants() instead of the image
  std::uint32_t hexOf = 0, boxOf = 0, nextInStack = 0, cameFrom = 0; ///< int16 a counter
  std::uint32_t arrival = 0;                                         ///< uint32 a counter
  std::uint32_t stackTop = 0;                                        ///< int16 a hex: top counter or -1
  std::uint32_t onMap = 0;                                           ///< plane of counters
  std::uint32_t boxPlane = 0;                                        ///< a plane of counters for each box
  std::uint32_t victoryTruth =
      0; ///< a word for each victory clause: bit s = held for side s at the last rest
  std::uint32_t unsettled = 0;        ///< set of hexes in which something has changed (only with a settleBody)
  std::uint32_t hiddenBefore = 0;     ///< planes of counters hidden from side 0, 1 at the last decision
  std::uint32_t authoritativeEnd = 0; ///< what is hashed ends here (with calls and frames in use besides)
  std::uint32_t zoneUnion = 0;        ///< for each zone and side a plane of hexes (derived, not hashed)
  std::uint32_t sideHexes =
      0; ///< for each side a plane of the hexes where its counters stand (derived, kept up to date)
  /// Where the game has arcs (else 0), derived and kept up to date: the pose of each counter (int16), a plane
  /// of the counters on the map that cover several hexes, a plane of the hexes covered besides lead hexes.
  std::uint32_t pose = 0, wide = 0, spread = 0;
  std::uint32_t zoneStale = 0;    ///< a word for each side: bit z = the union of zone z is stale
  std::uint32_t victoryDirty = 0; ///< watch bits written since the last test of victory
  std::uint32_t calls =
      0; ///< call records, maxDepth of them, two words each: body | pc << 32, frame (from `frames`)
  std::uint32_t frames = 0; ///< registers, maxFrameWords
  std::uint32_t total = 0;
  std::uint32_t maxDepth = 0, maxFrameWords = 0;
};

/// How a column is reached: what the interpreter needs of Column, packed.
struct ColumnAccess {
  std::uint32_t offset = 0, planeOffset = 0; ///< words, in the image or (constant) in Program::constants()
  std::uint32_t count = 0;                   ///< things that have it
  std::uint16_t setWords = 0;
  std::uint8_t bytes = 8, planes = 0;
  bool constant = false, ofCounters = false;
  bool membership = false; ///< the group of one kind above each thing
  bool poses = false; ///< the shape or facing of counters depends on it
  std::uint64_t watch = 0;
  std::uint64_t zonesAll = 0; ///< zones that go stale for both sides when it is written
  std::uint64_t zonesOwn = 0; ///< zones that go stale for the side of the counter (ownOnly)
};
struct GlobalAccess {
  std::uint32_t offset = 0, words = 1;
  std::uint64_t watch = 0, zonesAll = 0;
  bool poses = false;
};
struct BodyAccess {
  const Instruction* code = nullptr; ///< fused: it may hold what no module does
  std::uint16_t registers = 0, parameters = 0, resultWords = 0;
  bool clear = false; ///< a procedure: its registers begin as zeros, since they are part of the state
  std::uint32_t needWords = 0; ///< words from its frame on, all that it may call included
  std::uint32_t needDepth = 0; ///< call records, its own included
};

class Program {
public:
  /// Verifies the module, lays out its image and computes its static sets. On failure the text says what is
  /// wrong and where.
  static std::variant<std::shared_ptr<const Program>, std::string> load(Module module);

  const Module& module() const { return module_; }
  const ImageLayout& layout() const { return layout_; }
  const std::vector<std::vector<std::uint64_t>>& staticSets() const { return staticSets_; }
  std::uint32_t counterCount() const { return static_cast<std::uint32_t>(counterSide_.size()); }
  std::uint32_t counterWords() const { return counterWords_; }
  std::uint32_t hexWords() const { return hexWords_; }
  std::uint32_t hexsideWords() const { return hexsideWords_; }
  const std::vector<ColumnAccess>& columns() const { return columns_; }
  const std::vector<GlobalAccess>& globals() const { return globals_; }
  const std::vector<BodyAccess>& bodies() const { return bodies_; }
  const std::vector<std::uint64_t>& constants() const { return constants_; }
  /// The image before anything has run: columns and globals as at first, no counter placed.
  const std::vector<std::uint64_t>& initialImage() const { return initialImage_; }
  std::uint16_t sideOf(std::uint32_t counter) const { return counterSide_[counter]; }
  Program();
  ~Program();
  /// What steps of routes cost where nothing that changes is read; worked out when first asked, by any
  /// thread.
  const StepCostTables& stepCosts() const { return *stepCosts_; }
  /// Whether a flood answers questions to a route (flood_query.h).
  bool floods(std::size_t route) const { return floods_[route]; }
  /// Columns and globals that return to their defaults with each span.
  const std::vector<std::uint16_t>& resetColumns(SpanKind span) const {
    return resetColumns_[static_cast<std::size_t>(span)];
  }
  const std::vector<std::uint16_t>& resetGlobals(SpanKind span) const {
    return resetGlobals_[static_cast<std::size_t>(span)];
  }
  const TableIndex& tableIndex(std::int32_t table) const { return tables_[static_cast<std::size_t>(table)]; }
  const std::uint64_t* sideCounters(std::uint32_t side) const {
    return sideCounters_.data() + side * counterWords_;
  }
  /// Zones that a counter may have (a bit each); zones that depend on the places of other counters.
  std::uint64_t zonesOf(std::uint32_t counter) const { return counterZones_[counter]; }
  std::uint64_t zonesOnPlaces() const { return zonesOnPlaces_; }
  const Poses& poses() const { return poses_; }
  std::int32_t concededColumn() const { return concededColumn_; }
  bool settles() const { return module_.settleBody != noBody; }
  std::uint32_t domainWords(std::uint16_t domain) const { return (module_.domains[domain].size + 63) / 64; }

private:
  friend class ProgramLoader;
  Module module_;
  ImageLayout layout_;
  std::vector<std::vector<std::uint64_t>> staticSets_;
  std::vector<ColumnAccess> columns_;
  std::vector<GlobalAccess> globals_;
  std::vector<BodyAccess> bodies_;
  std::vector<std::vector<Instruction>> code_; ///< of bodies, fused
  std::vector<TableIndex> tables_;
  std::vector<bool> floods_;
  std::array<std::vector<std::uint16_t>, spanKinds> resetColumns_, resetGlobals_;
  std::unique_ptr<StepCostTables> stepCosts_;
  std::vector<std::uint64_t> constants_, initialImage_, counterZones_, sideCounters_;
  Poses poses_;
  std::vector<std::uint16_t> counterSide_;
  std::uint64_t zonesOnPlaces_ = 0;
  std::int32_t concededColumn_ = -1;
  std::uint32_t counterWords_ = 0, hexWords_ = 0, hexsideWords_ = 0;
};

} // namespace hellwig
