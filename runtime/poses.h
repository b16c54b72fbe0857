// SPDX-License-Identifier: Apache-2.0
// Poses: the shapes of counters that face or cover several hexes, turned to each facing. A counter's pose is
// kept as a number; with its lead hex it tells which hexes it covers and which aspect it turns to any other.
#pragma once

#include "runtime/module.h"

#include <array>
#include <vector>

namespace hellwig {

/// The pose of a counter without arcs, or whose shape is not known: it covers its hex and has no aspects.
inline constexpr std::int32_t noPose = -1;
inline constexpr std::size_t mostPoses = 30000;

class Poses {
public:
  void build(const Module& module);

  bool any() const { return any_; }
  /// The arcs of a counter, or -1.
  std::int32_t arcsOf(std::uint32_t counter) const { return any_ ? arcsOfCounter_[counter] : -1; }
  std::int32_t pose(std::int32_t arcs, Word shape, Word facing) const;
  bool isWide(std::int32_t pose) const { return pose >= 0 && poses_[pose].count > 1; }
  Faces faces(std::int32_t pose) const { return pose < 0 ? Faces::nothing : poses_[pose].faces; }
  /// Whether counters with these arcs may cover several hexes.
  bool mayBeWide(std::int32_t arcs) const { return arcs >= 0 && mayBeWide_[arcs]; }
  bool readsColumn(std::size_t column) const { return column < columns_.size() && columns_[column]; }
  bool readsGlobal(std::size_t global) const { return global < globals_.size() && globals_[global]; }
  bool onPlaces() const { return onPlaces_; }
  bool ofOthers() const { return ofOthers_; }

  /// Calls visit(hex) for each hex in play that a counter in this pose covers beside its lead hex.
  template<class Visit>
  void eachBesides(const Board& board, std::int32_t pose, std::int32_t lead, Visit&& visit) const {
    if (pose < 0 || lead < 0) return;
    const Pose& p = poses_[pose];
    for (std::uint32_t i = p.first + 1; i < p.first + p.count; ++i)
      if (const int h = hexOf(board, parts_[i], lead); h != noHex) visit(h);
  }
  /// Whether all that a counter in this pose would cover is in play.
  bool staysInPlay(const Board& board, std::int32_t pose, std::int32_t lead) const;
  /// The aspect that it turns to hex h; -1 inside what it covers, or if it has none.
  int aspectOf(const Board& board, std::int32_t pose, std::int32_t lead, std::int32_t h) const;
  /// The hexes in play across its hexsides of this aspect, less those it covers; one that is reached across
  /// several has the aspect declared first.
  void aspectHexes(const Board& board, std::int32_t pose, std::int32_t lead, int aspect, SetWord* out) const;

private:
  struct Part {
    std::int16_t q = 0, r = 0;           ///< from the lead hex, in cube coordinates
    std::array<std::int8_t, 6> aspect{}; ///< by direction; -1: another part lies there
  };
  struct Pose {
    std::uint32_t first = 0, count = 1; ///< of parts_, the lead hex first
    Faces faces = Faces::nothing;
  };
  /// The hex of a part, in play, or -1. The lead hex counts wherever it is.
  static int hexOf(const Board& board, const Part& part, std::int32_t lead);
  int nearAspect(const Board& board, const Pose& pose, std::int32_t lead, std::int32_t h) const;

  bool any_ = false, onPlaces_ = false, ofOthers_ = false;
  std::vector<std::int16_t> arcsOfCounter_;
  std::vector<std::uint32_t> firstPose_, shapes_; ///< by arcs
  std::vector<bool> mayBeWide_, columns_, globals_;
  std::vector<Pose> poses_; ///< of each arcs six a shape, by facing
  std::vector<Part> parts_;
};

} // namespace hellwig
