// SPDX-License-Identifier: Apache-2.0
// Reading and writing one image: columns, planes, places and stacks of counters, with the marks that writing
// leaves.
#pragma once

#include "runtime/program.h"

#include <cstring>

namespace hellwig {

/// The first words of every image.
enum HeaderWord : std::uint32_t {
  headerMagic,  ///< names the program, so that the image of another is refused
  headerStatus, ///< Status
  headerStage,  ///< Stage
  headerRandom, ///< four words
  headerRolls = headerRandom + 4,
  headerReveals,
  headerArrival,    ///< the latest number given to a counter that entered a hex
  headerDepth,      ///< call records in use
  headerTruthKnown, ///< 1 when victoryTruth holds what was true when the sequence began
  headerEndCause,   ///< EndCause
  headerEndDetail,  ///< clause, or side that conceded
  headerWinner,     ///< side + 1; 0: a draw
  headerSpans,      ///< spans under way of each SpanKind, six words
  headerPhases = headerSpans + 6, ///< phases begun since the start
  headerWords
};
enum class Stage : std::uint8_t { nothing, setup, sequence, test, body };
enum class EndCause : std::uint8_t { running, clause, fragment, sequenceOver, concession };

/// A view of an image. Ids must be in range; the callers check those that come from registers.
class Image {
public:
  Image(const Program& program, std::uint64_t* words)
      : program_(&program), layout_(&program.layout()), words_(words) {}

  std::uint64_t* words() const { return words_; }
  std::uint64_t* at(std::uint32_t offset) const { return words_ + offset; }
  std::uint64_t& header(HeaderWord i) const { return words_[i]; }
  template<class T> T* array(std::uint32_t offset) const { return reinterpret_cast<T*>(words_ + offset); }

  std::int32_t hexOf(std::uint32_t counter) const { return array<std::int16_t>(layout_->hexOf)[counter]; }
  std::int32_t boxOf(std::uint32_t counter) const { return array<std::int16_t>(layout_->boxOf)[counter]; }
  std::int32_t below(std::uint32_t counter) const {
    return array<std::int16_t>(layout_->nextInStack)[counter];
  }
  std::int32_t top(std::uint32_t hex) const { return array<std::int16_t>(layout_->stackTop)[hex]; }
  std::int32_t cameFrom(std::uint32_t counter) const {
    return array<std::int16_t>(layout_->cameFrom)[counter];
  }
  std::uint32_t arrival(std::uint32_t counter) const {
    return array<std::uint32_t>(layout_->arrival)[counter];
  }
  std::uint64_t* onMap() const { return words_ + layout_->onMap; }
  /// The hexes in whose stacks counters of a side are.
  std::uint64_t* sideHexes(std::uint32_t side) const {
    return words_ + layout_->sideHexes + side * program_->hexWords();
  }
  std::uint64_t* boxPlane(std::uint32_t box) const {
    return words_ + layout_->boxPlane + box * program_->counterWords();
  }

  // Counters that cover several hexes: their lead hex is hexOf, and the stack there holds them. The hexes
  // that they cover besides are told by their poses.
  bool hasPoses() const { return layout_->pose != 0; }
  std::int32_t pose(std::uint32_t counter) const { return array<std::int16_t>(layout_->pose)[counter]; }
  std::uint64_t* wide() const { return words_ + layout_->wide; }
  std::uint64_t* spread() const { return words_ + layout_->spread; }
  bool isWide(std::uint32_t counter) const {
    return hasPoses() && (wide()[counter / 64] >> (counter % 64) & 1) != 0;
  }
  void setPose(std::uint32_t counter, std::int32_t pose);
  /// Whether a counter of `wide` covers a hex that is not its lead hex.
  bool coversBesides(std::uint32_t counter, std::uint32_t hex) const;
  /// Whether some counter of `among` does.
  bool coveredBesides(std::uint32_t hex, const std::uint64_t* among) const;

  /// The word of a column's thing.
  Word get(const ColumnAccess& column, std::uint32_t thing) const {
    const std::uint64_t* base = (column.constant ? program_->constants().data() : words_) + column.offset;
    return load(base, column.bytes, thing);
  }
  const std::uint64_t* getSet(const ColumnAccess& column, std::uint32_t thing) const {
    return (column.constant ? program_->constants().data() : words_) + column.offset +
           static_cast<std::size_t>(thing) * column.setWords;
  }
  const std::uint64_t* planeOf(const ColumnAccess& column, std::uint32_t value) const {
    return (column.constant ? program_->constants().data() : words_) + column.planeOffset +
           static_cast<std::size_t>(value) * ((column.count + 63) / 64);
  }
  /// Writes a scalar of a column that is not constant. False if the value does not fit its width.
  bool set(const ColumnAccess& column, std::uint32_t thing, Word value);
  /// The same for as long as something is supposed: planes follow, but nothing learns of it. `before` gets
  /// what stood there.
  bool suppose(const ColumnAccess& column, std::uint32_t thing, Word value, Word& before);
  void setSet(const ColumnAccess& column, std::uint32_t thing, const std::uint64_t* value);
  void setGlobal(const GlobalAccess& global, const Word* value);
  /// The same of a global of one word.
  void setGlobalWord(const GlobalAccess& global, Word value) {
    std::uint64_t& to = words_[global.offset];
    if (to == static_cast<std::uint64_t>(value)) return;
    to = static_cast<std::uint64_t>(value);
    touchGlobal(global);
  }

  /// Puts a counter on top of a stack, or in a box (-1: nowhere). `from` is what came_from becomes; it keeps
  /// its value where the counter was off the map.
  void moveToHex(std::uint32_t counter, std::uint32_t hex);
  void moveToBox(std::uint32_t counter, std::int32_t box);
  void setCameFrom(std::uint32_t counter, std::int32_t hex) {
    array<std::int16_t>(layout_->cameFrom)[counter] = static_cast<std::int16_t>(hex);
  }

  /// Takes a counter off the map for a search and puts it back as it was. While it is lifted its hex can be
  /// poked.
  struct Lifted {
    std::uint32_t counter = 0;
    std::int16_t hex = -1, box = -1, above = -1;
    bool wasInStack = false, wasWide = false;
  };
  Lifted lift(std::uint32_t counter);
  void lower(const Lifted& lifted);
  void pokeHex(std::uint32_t counter, std::int32_t hex) {
    array<std::int16_t>(layout_->hexOf)[counter] = static_cast<std::int16_t>(hex);
  }

  /// Notes that something has changed in the hexes of a counter, for games that settle.
  void unsettle(std::uint32_t counter) {
    const std::int32_t lead = hexOf(counter);
    if (!program_->settles() || lead < 0) return;
    setBit(words_ + layout_->unsettled, lead);
    if (isWide(counter))
      program_->poses().eachBesides(program_->module().board, pose(counter), lead,
                                    [this](int h) { setBit(words_ + layout_->unsettled, h); });
  }

  /// Marks all that is derived as out of date.
  void forgetDerived();
  /// Computes planes and stacks anew from values, places and arrivals, into the image.
  void rebuildPlanes();
  bool rebuildStacks();

  static Word load(const std::uint64_t* base, std::uint8_t bytes, std::uint32_t i) {
    switch (bytes) {
    case 1: {
      std::int8_t v = reinterpret_cast<const std::int8_t*>(base)[i];
      return v == INT8_MIN ? none : v;
    }
    case 2: {
      std::int16_t v;
      std::memcpy(&v, reinterpret_cast<const char*>(base) + std::size_t{i} * 2, 2);
      return v == INT16_MIN ? none : v;
    }
    case 4: {
      std::int32_t v;
      std::memcpy(&v, reinterpret_cast<const char*>(base) + std::size_t{i} * 4, 4);
      return v == INT32_MIN ? none : v;
    }
    default: return static_cast<Word>(base[i]);
    }
  }
  /// False, and nothing is written, if the value does not fit.
  static bool store(std::uint64_t* base, std::uint8_t bytes, std::uint32_t i, Word value);

private:
  void touchGlobal(const GlobalAccess& global) {
    std::uint64_t* stale = words_ + layout_->zoneStale;
    stale[0] |= global.zonesAll;
    stale[1] |= global.zonesAll;
    words_[layout_->victoryDirty] |= global.watch;
  }
  bool store(const ColumnAccess& column, std::uint32_t thing, Word before, Word value);
  void cover(std::uint32_t counter);
  void uncover(std::uint32_t counter);
  void unlink(std::uint32_t counter);
  void touchPlace(std::uint32_t counter);
  void leftHex(std::uint32_t counter, std::uint32_t hex);
  void cameToHex(std::uint32_t counter, std::uint32_t hex) {
    sideHexes(program_->sideOf(counter))[hex / 64] |= std::uint64_t{1} << (hex % 64);
  }

  const Program* program_;
  const ImageLayout* layout_;
  std::uint64_t* words_;
};

} // namespace hellwig
