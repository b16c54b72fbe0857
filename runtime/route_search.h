// SPDX-License-Identifier: Apache-2.0
// Least-cost search over nodes that a caller's edges span: exact costs, and the rules by which one path is
// best.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hellwig {

// A search for movement, supply and the like, where clauses are asked edge by edge (flood.h serves where they
// are sets). Nodes are keys of up to 61 bits, for instance a hex, or a hex packed with a facing. The best
// path to each node is the one of least cost, then of the least sum of each preference in order, then of
// fewest edges, then that whose edge has the lower rank at the first difference. A node whose edge said
// `stops` is reached but not left; it is another node than the same key reached without, so both may be
// found.
//
// An object keeps its memory between searches and allocates nothing once it has grown to the size of what it
// is asked. It is not shared between threads.
class RouteSearch {
public:
  static constexpr int maxPreferences = 4;
  static constexpr int defaultNodeLimit = 100000;
  static constexpr std::int64_t unlimitedCost = std::numeric_limits<std::int64_t>::max();

  struct Node {
    std::uint64_t key;
    std::int64_t cost;      // so far
    std::int32_t edges;     // so far; 0 exactly for starts
    std::int32_t parent;    // the node before, -1 for starts
    std::uint32_t rank;     // of the edge that led here, as the caller gave it
    std::int32_t heapPlace; // -1 once settled
    bool stops;
    std::array<std::int64_t, maxPreferences> preference; // sums so far
  };

  enum class Outcome : std::uint8_t {
    exhausted, // all nodes in reach are settled
    ended,     // `settled` asked for the end
    nodeLimit, // more nodes than the limit
    negative   // an edge had a negative cost or preference
  };

  // An edge to be followed. Ranks order the edges of one node: for steps the direction 0 .. 5, then whatever
  // turns and actions follow.
  struct Edge {
    std::uint64_t to = 0;
    std::int64_t cost = 1;
    std::uint32_t rank = 0;
    bool stops = false;
    std::array<std::int64_t, maxPreferences> preference{};
  };

  // Forgets the last search. Keys below `denseKeys` are all that occur, if it is not 0; a table of that size
  // is then used, and else a hash table. `preferences` is how many are compared.
  void begin(std::uint64_t denseKeys, int preferences = 0, std::int64_t budget = unlimitedCost,
             int nodeLimit = defaultNodeLimit) {
    nodes_.clear();
    heap_.clear();
    order_.clear();
    preferences_ = preferences;
    budget_ = budget;
    nodeLimit_ = nodeLimit;
    full_ = false;
    dense_ = denseKeys != 0 && denseKeys <= (std::uint64_t{1} << 20);
    std::size_t wanted = dense_ ? static_cast<std::size_t>(denseKeys) * kinds : 1024;
    if (slots_.size() < wanted) {
      slots_.assign(wanted, Slot{});
      stamp_ = 0;
    }
    mask_ = 1;
    while (mask_ * 2 <= slots_.size()) mask_ *= 2;
    --mask_;
    if (++stamp_ == 0) {
      for (Slot& slot : slots_) slot = Slot{};
      stamp_ = 1;
    }
  }

  // A place to begin. Of paths that differ only in their start, the one from the start added first is best.
  void addStart(std::uint64_t key) {
    if (find(key, startKind) < 0 && create(key, startKind) < 0) full_ = true;
  }

  // Settles nodes from the best to the worst. For each it calls settled(id), which returns true to end the
  // search, then, unless the node may not be left, expand(id, follow), which calls follow(edge) for every
  // legal edge, in any order; edges over the budget are dropped. A start that is reached again is a node of
  // its own, with edges > 0; it is settled but not expanded, because what lies beyond it was found from the
  // start. References to nodes do not survive a call of follow; copy what is needed.
  template<class Settled, class Expand> Outcome run(Settled&& settled, Expand&& expand) {
    bool negative = false;
    while (!full_ && !heap_.empty()) {
      std::int32_t id = popBest();
      order_.push_back(id);
      if (settled(id)) return Outcome::ended;
      if (nodes_[id].stops || (nodes_[id].edges > 0 && find(nodes_[id].key, startKind) >= 0)) continue;
      expand(id, [&](const Edge& edge) {
        negative = negative || edge.cost < 0;
        for (int i = 0; i < preferences_; ++i) negative = negative || edge.preference[i] < 0;
        if (negative || full_ || edge.cost > budget_ - nodes_[id].cost) return;
        if (!relax(id, edge)) full_ = true;
      });
      if (negative) return Outcome::negative;
    }
    return full_ ? Outcome::nodeLimit : Outcome::exhausted;
  }

  // Valid until the next begin. Settled nodes from best to worst:
  const std::vector<std::int32_t>& settledOrder() const { return order_; }
  const Node& node(std::int32_t id) const { return nodes_[id]; }
  int nodeCount() const { return static_cast<int>(nodes_.size()); }

  // Whether path a is better than path b, both ending in settled nodes: by cost, preferences, edges, ranks,
  // starts.
  bool better(std::int32_t a, std::int32_t b) const {
    int order = compareSums(nodes_[a], nodes_[b]);
    return order != 0 ? order < 0 : earlier(a, b);
  }

  // Writes the nodes of the path from its start to `id`.
  void path(std::int32_t id, std::vector<std::int32_t>& out) const {
    out.resize(static_cast<std::size_t>(nodes_[id].edges) + 1);
    for (std::size_t i = out.size(); i-- > 0; id = nodes_[id].parent) out[i] = id;
  }

private:
  enum Kind : std::uint8_t { freeKind, stopKind, startKind, kinds };
  struct Slot {
    std::uint64_t key = 0; // with the kind; unused in the dense table
    std::uint32_t stamp = 0;
    std::int32_t id = -1;
  };

  // The slot of a key, which is either its own or the empty one where it would stand.
  Slot& slotFor(std::uint64_t key, Kind kind) {
    if (dense_) return slots_[key * kinds + kind];
    std::uint64_t full = key << 2 | kind;
    std::uint64_t place = full * 0x9e3779b97f4a7c15ULL;
    place ^= place >> 32;
    for (;; ++place) {
      Slot& slot = slots_[place & mask_];
      if (slot.stamp != stamp_ || slot.key == full) return slot;
    }
  }

  std::int32_t find(std::uint64_t key, Kind kind) {
    const Slot& slot = slotFor(key, kind);
    return slot.stamp == stamp_ ? slot.id : -1;
  }

  // A new node at the end of the heap, or -1 if there are too many.
  std::int32_t create(std::uint64_t key, Kind kind) {
    if (static_cast<int>(nodes_.size()) >= nodeLimit_) return -1;
    if (!dense_ && nodes_.size() * 2 > mask_) grow();
    std::int32_t id = static_cast<std::int32_t>(nodes_.size());
    slotFor(key, kind) = {key << 2 | kind, stamp_, id};
    nodes_.push_back({key, 0, 0, -1, 0, -1, kind == stopKind, {}});
    heap_.push_back(id);
    nodes_[id].heapPlace = static_cast<std::int32_t>(heap_.size()) - 1;
    return id;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = 1;
    while (mask_ * 2 <= slots_.size()) mask_ *= 2;
    --mask_;
    for (const Slot& slot : old)
      if (slot.stamp == stamp_) slotFor(slot.key >> 2, static_cast<Kind>(slot.key & 3)) = slot;
  }

  // Follows an edge; false if there is no room for its node.
  bool relax(std::int32_t from, const Edge& edge) {
    Kind kind = edge.stops ? stopKind : freeKind;
    std::int32_t id = find(edge.to, kind);
    Node next{edge.to, nodes_[from].cost + edge.cost, nodes_[from].edges + 1, from, edge.rank, -1, edge.stops,
              {}};
    for (int i = 0; i < preferences_; ++i)
      next.preference[i] = nodes_[from].preference[i] + edge.preference[i];
    if (id < 0) {
      id = create(edge.to, kind);
      if (id < 0) return false;
    } else {
      if (nodes_[id].heapPlace < 0) return true;
      int order = compareSums(next, nodes_[id]);
      if (order > 0 || (order == 0 && !earlierEdge(from, edge.rank, nodes_[id].parent, nodes_[id].rank)))
        return true;
    }
    next.heapPlace = nodes_[id].heapPlace;
    nodes_[id] = next;
    siftUp(next.heapPlace);
    return true;
  }

  int compareSums(const Node& a, const Node& b) const {
    if (a.cost != b.cost) return a.cost < b.cost ? -1 : 1;
    for (int i = 0; i < preferences_; ++i)
      if (a.preference[i] != b.preference[i]) return a.preference[i] < b.preference[i] ? -1 : 1;
    return a.edges != b.edges ? (a.edges < b.edges ? -1 : 1) : 0;
  }

  // Of two paths with as many edges, whether a has the lower rank where they first differ (or the earlier
  // start).
  bool earlier(std::int32_t a, std::int32_t b) const {
    if (a == b) return false;
    if (nodes_[a].parent < 0) return a < b;
    return earlierEdge(nodes_[a].parent, nodes_[a].rank, nodes_[b].parent, nodes_[b].rank);
  }
  bool earlierEdge(std::int32_t a, std::uint32_t rankA, std::int32_t b, std::uint32_t rankB) const {
    int order = 0; // of the difference nearest to the start seen so far
    while (a != b) {
      if (rankA != rankB) order = rankA < rankB ? -1 : 1;
      if (nodes_[a].parent < 0) return a < b;
      rankA = nodes_[a].rank;
      rankB = nodes_[b].rank;
      a = nodes_[a].parent;
      b = nodes_[b].parent;
    }
    if (rankA != rankB) order = rankA < rankB ? -1 : 1;
    return order < 0;
  }

  bool sooner(std::int32_t a, std::int32_t b) const {
    int order = compareSums(nodes_[a], nodes_[b]);
    return order != 0 ? order < 0 : a < b;
  }

  void put(std::size_t place, std::int32_t id) {
    heap_[place] = id;
    nodes_[id].heapPlace = static_cast<std::int32_t>(place);
  }

  void siftUp(std::int32_t from) {
    std::size_t place = static_cast<std::size_t>(from);
    std::int32_t id = heap_[place];
    while (place > 0) {
      std::size_t parent = (place - 1) / 2;
      if (!sooner(id, heap_[parent])) break;
      put(place, heap_[parent]);
      place = parent;
    }
    put(place, id);
  }

  std::int32_t popBest() {
    std::int32_t best = heap_[0], last = heap_.back();
    heap_.pop_back();
    nodes_[best].heapPlace = -1;
    if (heap_.empty()) return best;
    std::size_t place = 0;
    for (;;) {
      std::size_t child = place * 2 + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && sooner(heap_[child + 1], heap_[child])) ++child;
      if (!sooner(heap_[child], last)) break;
      put(place, heap_[child]);
      place = child;
    }
    put(place, last);
    return best;
  }

  std::vector<Node> nodes_;
  std::vector<std::int32_t> heap_, order_;
  std::vector<Slot> slots_;
  std::uint64_t mask_ = 0;
  std::uint32_t stamp_ = 0;
  std::int64_t budget_ = unlimitedCost;
  int preferences_ = 0, nodeLimit_ = defaultNodeLimit;
  bool dense_ = true, full_ = false;
};

} // namespace hellwig
