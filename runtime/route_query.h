// SPDX-License-Identifier: Apache-2.0
// One question asked of one route: its arguments, its starts, what its clauses say of edges and ends.
#pragma once

#include "runtime/machine_core.h"
#include "runtime/ratio.h"

namespace hellwig {

/// Lives while the question is answered; the mover is off the map meanwhile, and back when it ends or faults.
class RouteQuery {
public:
  RouteQuery(MachineCore& core, std::uint16_t route, const Word* arguments);
  ~RouteQuery();
  RouteQuery(const RouteQuery&) = delete;
  RouteQuery& operator=(const RouteQuery&) = delete;

  /// Whether it is forbidden as a whole, on the state as it is. Asked before anything else.
  bool forbidden();
  /// Lifts the mover and finds starts, budget, length. False if there is nowhere to begin.
  bool begin();

  const Route& route() const { return route_; }
  SearchArena& arena() { return *arena_; }
  const SetWord* starts() const { return starts_; }
  std::int32_t singleStart() const { return singleStart_; } ///< -1 if there are several
  /// Whether a step to b leaves all that the mover covers in play.
  bool staysInPlay(std::int32_t b) const {
    return !wideMover_ || core_.staysInPlay(static_cast<std::uint32_t>(arena_->arguments[0]), b);
  }
  bool wideMover() const { return wideMover_; }
  bool startsAreEnds() const { return !route_.hasMover || moverOffMap_; }

  std::uint32_t moverHex() const;
  void setMoverHex(std::int32_t hex);

  // ---- clauses by bodies
  Word ask(std::uint32_t body, std::initializer_list<Word> more);
  const Word* answer() const { return core_.top_; } ///< what the last body handed back

  // ---- clauses by sets, for an origin; null where there is no such set
  const SetWord* blockedSet(std::size_t edge, std::int32_t origin);
  const SetWord* stopSet(std::size_t edge, std::int32_t origin);
  const SetWord* endBlockedSet(std::int32_t origin);
  const SetWord* goalSet(std::int32_t origin);

  /// Whether hex h, come to with `spent`, satisfies end and goal.
  bool isEnd(std::int32_t origin, Word spent, std::int32_t h);

  struct EdgeAnswer {
    bool open = false, stops = false;
    std::int64_t cost = 0; ///< scaled
    std::array<std::int64_t, RouteSearch::maxPreferences> prefer{};
  };
  /// What edge item `edge` says of a step from a to b.
  EdgeAnswer askEdge(std::size_t edge, std::int32_t origin, std::int64_t spent, std::int32_t a, int direction,
                     std::int32_t b);
  /// What an item whose clauses read nothing that changes says of a step: its cost, or none where there is
  /// none.
  Word stepAsTheMapTells(std::size_t edge, std::int32_t a, int direction, bool& faults);
  /// Whether the item leads from a in this direction; b is the hex there.
  bool leads(const RouteEdge& edge, std::int32_t a, int direction, std::int32_t& b) const;

  // ---- costs as whole numbers: a fraction times scale()
  static constexpr std::int64_t unlimited = RouteSearch::unlimitedCost;
  std::int64_t scaled(Word fraction);
  Word fraction(std::int64_t scaledCost) const { return reduceFraction(scaledCost, scale_); }
  std::int64_t budget() const { return budget_; }
  Word budgetFraction() const { return hasBudget_ ? budgetFraction_ : none; } ///< none: unlimited
  bool minimum() const { return minimum_; }
  std::int32_t length() const { return length_; } ///< -1: any
  /// Set when a cost came up that the scale cannot express; the search is done again with a finer scale.
  bool rescale();

  bool plain() const { return plain_; }

private:
  /// No cost has this bit pattern: a fraction's denominator is positive.
  static constexpr Word unknownCost = none + 1;
  Word staticCost(std::size_t index, std::int32_t origin, std::int32_t a, int direction, std::int32_t b);
  const SetWord* setOf(std::uint32_t body, std::int32_t origin, std::size_t slot);

  MachineCore& core_;
  const Route& route_;
  SearchArena* arena_ = nullptr;
  Image::Lifted lifted_;
  bool isLifted_ = false, moverOffMap_ = false, minimum_ = false, plain_ = false, needsFiner_ = false;
  bool wideMover_ = false; ///< it may cover several hexes
  std::uint32_t serialBefore_ = 0;
  const SetWord* starts_ = nullptr;
  std::vector<std::uint64_t> startSet_;
  std::int32_t singleStart_ = -1, length_ = -1;
  Word budgetFraction_ = none;
  bool hasBudget_ = false;
  std::int64_t budget_ = unlimited, scale_ = 1, finer_ = 1;
  struct KnownSet {
    std::int32_t origin = -1;
    std::size_t slot = 0;
    std::vector<std::uint64_t> hexes;
  };
  std::vector<std::unique_ptr<KnownSet>> known_;
  std::array<const SetWord*, 8> quick_{}; ///< sets of the only start, by slot
};

} // namespace hellwig
