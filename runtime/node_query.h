// SPDX-License-Identifier: Apache-2.0
// One way of a route whose nodes are more than hexes: its mover, its starts, what its clauses say of the
// edges that leave a node. node_search.h searches with it; travel.h asks it for one edge after another.
#pragma once

#include "runtime/machine_core.h"
#include "runtime/path_block.h"
#include "runtime/ratio.h"

namespace hellwig {

/// An edge that the items of a route span, legal or not.
struct NodeEdge {
  EdgeKind kind = EdgeKind::step;
  std::uint8_t item = 0;
  std::uint16_t choice = 0xffff; ///< see PathEdge
  std::uint32_t rank = 0;        ///< orders the edges of a node: steps clockwise, turns, actions as written
  Word p = none, q = none;       ///< the two words that its clauses get
};

/// What the clauses of an edge say.
struct EdgeVerdict {
  bool barred = false, noCost = false, stops = false;
  Word cost = packRatio(0, 1);
  std::array<Word, RouteSearch::maxPreferences> prefer{};
  bool open() const { return !barred && !noCost; }
};

/// Lives while the question is answered; the mover is off the map meanwhile, and as it was when it ends or
/// faults. The fields of a node stand in a row of words: the hex, the hex it came from (where the route names
/// it, else 0), the columns named in `over`.
class NodeQuery {
public:
  NodeQuery(MachineCore& core, const Way& way);
  ~NodeQuery();
  NodeQuery(const NodeQuery&) = delete;
  NodeQuery& operator=(const NodeQuery&) = delete;

  /// Whether it is forbidden as a whole, on the state as it is. Asked before the mover is lifted.
  bool forbidden();
  /// Lifts the mover.
  void lift();
  /// Lifts the mover and finds the starts, `length` and `minimum`; false if there is nowhere to begin.
  bool begin();
  /// Lifts the mover of a move under way: with `length` and `minimum`, but no starts.
  void resume();

  const Route& route() const { return route_; }
  const Way& way() const { return way_; }
  std::size_t width() const { return 2 + route_.over.size(); }
  bool wasOnMap() const { return wasOnMap_; }
  bool startsAreEnds() const { return !route_.hasMover || !wasOnMap_; }
  const std::vector<std::int32_t>& starts() const { return starts_; }
  std::int32_t length() const { return length_; } ///< -1: any
  bool minimum() const { return minimum_; }

  /// The fields as they are, of the mover or of a node taken.
  void present(Word* fields) const;
  /// The fields at a start: as they were found, but there, and come from nowhere.
  void startFields(std::int32_t hex, Word* fields) const;
  /// Gives the mover the fields of a node.
  void take(const Word* fields);

  /// What may be spent by one who starts with these fields; unlimitedWord if there is no limit.
  Word budget(const Word* startFields);

  /// The edges of the node taken: those that are steps, the others, or both.
  void edges(Word origin, Word spent, bool steps, bool others, std::vector<NodeEdge>& out);
  /// What the clauses of an edge say at the node taken; of one that is barred, whether it stops only if asked
  /// for.
  EdgeVerdict judge(const NodeEdge& edge, Word origin, Word spent, bool stopsToo = false);
  /// The fields of the node that an edge leads to from the node taken, its effects included. False if the
  /// mover would there be out of play.
  bool follow(const NodeEdge& edge, Word origin, Word spent, const Word* from, Word* to);
  /// Whether the node taken satisfies end and goal.
  bool isEnd(Word origin, Word spent);
  /// The `prefer` lines of the end, at the node taken.
  void rank(Word origin, Word spent, std::vector<Word>& out);

  Word ask(std::uint32_t body, std::initializer_list<Word> more);
  const Word* answer() const { return core_.top_; } ///< what the last body handed back

  /// Grows whenever a clause reads the hex that the mover came from.
  std::uint64_t cameFromReads() const { return core_.host_.cameFromReads; }

private:
  std::uint32_t mover() const { return static_cast<std::uint32_t>(way_.arguments[0]); }
  bool leads(const RouteEdge& item, std::int32_t a, int direction, std::int32_t& b) const;

  MachineCore& core_;
  const Way& way_;
  const Route& route_;
  Image::Lifted lifted_;
  bool isLifted_ = false, wasOnMap_ = false, minimum_ = false, zonesWatch_ = false;
  std::uint32_t serialBefore_ = 0;
  std::int32_t watchedBefore_ = -1;
  const Route* effectsBefore_ = nullptr;
  std::vector<Word> found_; ///< the fields as they were
  std::vector<std::int32_t> starts_;
  std::int32_t length_ = -1;
  Word hex_ = none; ///< of the node taken, where there is no mover to have it
};

/// The route asked for these arguments, and those it allows `also`.
std::vector<Way> waysWithArguments(MachineCore& core, std::uint16_t route, const Word* arguments);

} // namespace hellwig
