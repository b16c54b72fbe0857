// SPDX-License-Identifier: Apache-2.0
// The common case of a question to a route: one item, every clause a set, steps alike. It is answered by a
// flood, without the bookkeeping of a search.
#pragma once

#include "runtime/machine_core.h"

namespace hellwig {

/// Whether a route is of this form; the budget may still turn out to be unlimited, and the mover off the map.
bool floods(const Route& route);

class FloodQuery {
public:
  FloodQuery(MachineCore& core, const Route& route, const Word* arguments);
  ~FloodQuery();
  FloodQuery(const FloodQuery&) = delete;
  FloodQuery& operator=(const FloodQuery&) = delete;

  /// Evaluates the clauses; false if there is no end at all. Of several starts it is asked only if no clause
  /// reads the origin.
  bool begin(bool& severalOrigins);
  /// Whether some end lies in `goals` (null: anywhere).
  bool any(const SetWord* goals);
  /// Adds the ends to `out`.
  void all(SetWord* out);
  /// Writes the best path to hex `to` as a path block names it; false if `to` is no end.
  bool path(std::int32_t to, std::uint16_t route, Word* block);

private:
  const SetWord* ask(std::uint32_t body, bool withOrigin);
  bool askTogether();
  bool askApart();
  void takeBudget(Word budget);
  bool takeEnds(const SetWord* barred, const SetWord* goal);
  void readMoverAt(std::int32_t hex);
  const SetWord* copied(int into, const SetWord* from);
  SetWord* set(int n) { return sets_ + static_cast<std::size_t>(n) * words_; }
  bool startIsEnd(const SetWord* goals);

  MachineCore& core_;
  const Route& route_;
  const Word* arguments_;
  const int words_;
  SetWord* sets_ = nullptr; ///< starts, blocked, stop, allowed, scratch
  std::size_t arenaTop_ = 0;
  Image::Lifted lifted_;
  bool isLifted_ = false, onMap_ = false;
  std::uint32_t serialBefore_ = 0;
  std::int32_t origin_ = 0;
  int steps_ = unlimitedSteps_;
  Word budget_ = none; ///< none: unlimited
  const SetWord* blocked_ = nullptr;
  const SetWord* stop_ = nullptr;
  static constexpr int unlimitedSteps_ = 0x7fffffff;
};

} // namespace hellwig
