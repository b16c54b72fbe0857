// SPDX-License-Identifier: Apache-2.0
// The search for the ways of a mover whose nodes are several fields: least cost, exactly, with the rules by
// which one path is best. Routes over hexes alone are searched by routes.cpp.
#pragma once

#include "runtime/node_query.h"

#include <functional>
#include <unordered_map>

namespace hellwig {

/// Rows of words, each told apart from the others and named by a number.
class NodeTable {
public:
  explicit NodeTable(std::size_t width) : width_(width), slots_(64, -1) {}
  std::int32_t idOf(const Word* row); ///< the row's number, a new one if it was not known
  const Word* row(std::int32_t id) const { return words_.data() + static_cast<std::size_t>(id) * width_; }

private:
  std::uint64_t hash(const Word* row) const;
  std::size_t width_;
  std::vector<Word> words_;
  std::vector<std::int32_t> slots_; ///< a power of two of them, -1: free
  std::size_t count_ = 0;
};

/// A node as it was reached: its fields, and what else decides how the way may go on.
struct NodeLabel {
  std::int32_t fields = -1; ///< in the table
  std::int32_t start = 0;   ///< which of the starts
  std::int32_t parent = -1; ///< -1 for starts
  std::int32_t edges = 0, steps = 0;
  std::int64_t violations = 0; ///< only where bars are passable
  std::int64_t cost = 0;       ///< in units of the search
  std::array<std::int64_t, RouteSearch::maxPreferences> prefer{};
  NodeEdge edge;        ///< that led here
  bool stops = false;   ///< may not be left
  bool ends = false;    ///< an effect did more than a search can follow: it counts as an end
  bool stepped = false; ///< a step was taken
  bool over = false;    ///< over the budget, where bars are passable
  bool settled = false;
};

class NodeSearch {
public:
  /// `lenient`: every bar is passable and counts a violation.
  NodeSearch(MachineCore& core, NodeQuery& query, bool lenient = false);

  /// Begins at the starts of the query, or goes on from a node of a move under way.
  void begin();
  void beginAt(const Word* start, const Word* fields, Word spent, std::int32_t steps, bool stepped,
               Word budget);

  /// Settles nodes from the best to the worst and calls settled(id) for each until it returns true. False if
  /// there are more nodes than a search may have.
  bool run(const std::function<bool(std::int32_t)>& settled);

  /// Whether a node settled is an end. May be asked while the search runs, of the node just settled.
  bool isEnd(std::int32_t id);

  const NodeLabel& label(std::int32_t id) const { return labels_[static_cast<std::size_t>(id)]; }
  const Word* fields(std::int32_t id) const { return table_.row(label(id).fields); }
  std::int32_t hex(std::int32_t id) const { return static_cast<std::int32_t>(fields(id)[0]); }
  Word spent(std::int32_t id) const { return fraction(label(id).cost); }
  Word origin(std::int32_t id) const;
  Word budgetOf(std::int32_t id) const { return starts_[static_cast<std::size_t>(label(id).start)].budget; }
  Word fraction(std::int64_t cost) const { return reduceFraction(cost, scale_); }
  /// Whether a clause read where the mover came from, at this node but for that.
  bool cameFromMatters(std::int32_t id) const;
  /// Whether the way to a is better than that to b: cost, prefer lines, edges, the first difference.
  bool better(std::int32_t a, std::int32_t b) const;
  PathRecord path(std::int32_t id) const;
  void chain(std::int32_t id, std::vector<std::int32_t>& out) const; ///< from the start on

  /// Every path of exactly length() steps, no hex and no node twice.
  bool everyPath(const std::function<bool(PathRecord&&)>& found);

private:
  struct Start {
    std::int32_t fields = -1;
    Word hex = none, budget = unlimitedWord;
    std::int64_t limit = RouteSearch::unlimitedCost;
  };
  struct Entry {
    std::int64_t violations, cost;
    std::array<std::int64_t, RouteSearch::maxPreferences> prefer;
    std::int32_t edges, id;
  };
  struct KeyHash {
    std::size_t operator()(const std::array<std::uint64_t, 2>& key) const {
      return static_cast<std::size_t>((key[0] * 0x9e3779b97f4a7c15U) ^ (key[1] * 0xc2b2ae3d27d4eb4fU));
    }
  };

  void addStart(Start start, const Word* fields, std::int64_t cost, std::int32_t edges, std::int32_t steps,
                bool stepped);
  std::int64_t scaled(Word fraction);
  void refine(std::int64_t factor);
  void expand(std::int32_t id, bool steps);
  void relax(NodeLabel next);
  bool onTheWay(std::int32_t id, std::int32_t hex) const; ///< was the hex entered, or is it the start?
  std::array<std::uint64_t, 2> key(const NodeLabel& label) const;
  static int compare(const NodeLabel& a, const NodeLabel& b);
  bool earlier(std::int32_t a, std::uint32_t rankA, std::int32_t b, std::uint32_t rankB) const;
  std::int32_t baseOf(std::int32_t fields);
  static bool later(const Entry& a, const Entry& b);

  MachineCore& core_;
  NodeQuery& query_;
  const Route& route_;
  const bool lenient_;
  bool byStart_ = false; ///< what a node is depends on where the way began
  NodeTable table_;
  std::vector<Start> starts_;
  std::vector<NodeLabel> labels_;
  std::vector<Entry> heap_;
  std::unordered_map<std::array<std::uint64_t, 2>, std::int32_t, KeyHash> known_;
  /// Of nodes but for where the mover came from: whether one of them was left, and a clause read it there.
  struct Base {
    bool left = false, read = false;
  };
  NodeTable baseTable_;
  std::vector<Base> bases_;
  std::vector<std::int32_t> baseOf_; ///< by number of the node
  std::int64_t scale_ = 1;
  bool full_ = false;
  std::vector<NodeEdge> edges_;
};

} // namespace hellwig
