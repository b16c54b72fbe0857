// SPDX-License-Identifier: Apache-2.0
// Search by least cost over nodes of several fields.
#include "runtime/node_search.h"

#include <algorithm>

namespace hellwig {

// ---- Rows of words

std::uint64_t NodeTable::hash(const Word* row) const {
  std::uint64_t h = 0x9e3779b97f4a7c15U;
  for (std::size_t i = 0; i < width_; ++i) {
    h = (h ^ static_cast<std::uint64_t>(row[i])) * 0xff51afd7ed558ccdU;
    h ^= h >> 32;
  }
  return h;
}

std::int32_t NodeTable::idOf(const Word* row) {
  if (count_ * 2 >= slots_.size()) {
    std::vector<std::int32_t> wider(slots_.size() * 2, -1);
    for (std::size_t id = 0; id < count_; ++id) {
      std::size_t at = hash(words_.data() + id * width_) & (wider.size() - 1);
      while (wider[at] >= 0) at = (at + 1) & (wider.size() - 1);
      wider[at] = static_cast<std::int32_t>(id);
    }
    slots_.swap(wider);
  }
  std::size_t at = hash(row) & (slots_.size() - 1);
  for (; slots_[at] >= 0; at = (at + 1) & (slots_.size() - 1))
    if (std::equal(row, row + width_, words_.data() + static_cast<std::size_t>(slots_[at]) * width_))
      return slots_[at];
  slots_[at] = static_cast<std::int32_t>(count_++);
  const std::vector<Word> copy(row, row + width_); // the row may be one of ours
  words_.insert(words_.end(), copy.begin(), copy.end());
  return slots_[at];
}

// ---- The search

NodeSearch::NodeSearch(MachineCore& core, NodeQuery& query, bool lenient)
    : core_(core), query_(query), route_(query.route()), lenient_(lenient), table_(query.width()),
      baseTable_(query.width()) {}

std::int64_t NodeSearch::scaled(Word fraction) {
  const std::int64_t denominator = denominatorOf(fraction);
  if (scale_ % denominator != 0) refine(denominator / std::gcd(scale_, denominator));
  return numeratorOf(fraction) * (scale_ / denominator);
}

/// Costs are whole numbers of a unit; one that does not fit makes the unit finer.
void NodeSearch::refine(std::int64_t factor) {
  scale_ *= factor;
  if (scale_ > INT32_MAX) core_.raise(FaultCode::overflow);
  const auto wider = [&](std::int64_t& cost) {
    if (__builtin_mul_overflow(cost, factor, &cost)) core_.raise(FaultCode::overflow);
  };
  for (NodeLabel& label : labels_) {
    wider(label.cost);
    for (std::int64_t& sum : label.prefer) wider(sum);
  }
  for (Entry& entry : heap_) {
    wider(entry.cost);
    for (std::int64_t& sum : entry.prefer) wider(sum);
  }
  for (Start& start : starts_)
    if (start.limit != RouteSearch::unlimitedCost) wider(start.limit);
}

void NodeSearch::addStart(Start start, const Word* fields, std::int64_t cost, std::int32_t edges,
                          std::int32_t steps, bool stepped) {
  if (start.budget != unlimitedWord) {
    const std::int64_t limit = scaled(start.budget);
    start.limit = std::max<std::int64_t>(limit, 0);
  }
  starts_.push_back(start);
  NodeLabel label;
  label.fields = table_.idOf(fields);
  label.start = static_cast<std::int32_t>(starts_.size() - 1);
  label.cost = cost;
  label.edges = edges;
  label.steps = steps;
  label.stepped = stepped;
  const auto id = static_cast<std::int32_t>(labels_.size());
  if (!known_.try_emplace(key(label), id).second) return;
  labels_.push_back(label);
  heap_.push_back({0, label.cost, label.prefer, label.edges, id});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

void NodeSearch::begin() {
  byStart_ = query_.starts().size() > 1 && (route_.readsOrigin || route_.budgetReadsOrigin);
  std::vector<Word> fields(query_.width());
  for (const std::int32_t hex : query_.starts()) {
    query_.startFields(hex, fields.data());
    Start start;
    start.hex = hex;
    start.budget = query_.budget(fields.data());
    start.fields = table_.idOf(fields.data());
    addStart(start, fields.data(), 0, 0, 0, false);
  }
}

void NodeSearch::beginAt(const Word* start, const Word* fields, Word spent, std::int32_t steps, bool stepped,
                         Word budget) {
  Start begun;
  begun.hex = start[0];
  begun.budget = budget;
  begun.fields = -1; // a move under way may come back to where it began
  const std::int64_t cost = scaled(spent);
  addStart(begun, fields, cost, 1, steps, stepped);
}

Word NodeSearch::origin(std::int32_t id) const {
  return starts_[static_cast<std::size_t>(label(id).start)].hex;
}

std::array<std::uint64_t, 2> NodeSearch::key(const NodeLabel& label) const {
  std::uint64_t rest = (label.stops ? 1U : 0U) | (label.ends ? 2U : 0U) | (label.over ? 4U : 0U);
  if (query_.minimum() && label.stepped) rest |= 8;
  if (query_.length() >= 0) rest |= static_cast<std::uint64_t>(label.steps) << 8;
  if (byStart_) rest |= static_cast<std::uint64_t>(label.start) << 32;
  // What an edge beyond the search does is its own: two such edges are two ends.
  std::uint64_t node = static_cast<std::uint32_t>(label.fields);
  if (label.ends) node |= (static_cast<std::uint64_t>(label.edge.item) << 16 | label.edge.choice) << 32;
  return {node, rest};
}

int NodeSearch::compare(const NodeLabel& a, const NodeLabel& b) {
  if (a.violations != b.violations) return a.violations < b.violations ? -1 : 1;
  if (a.cost != b.cost) return a.cost < b.cost ? -1 : 1;
  for (std::size_t i = 0; i < a.prefer.size(); ++i)
    if (a.prefer[i] != b.prefer[i]) return a.prefer[i] < b.prefer[i] ? -1 : 1;
  return a.edges != b.edges ? (a.edges < b.edges ? -1 : 1) : 0;
}

/// Of two ways with as many edges, which has the lower rank where they first differ, or the earlier start.
bool NodeSearch::earlier(std::int32_t a, std::uint32_t rankA, std::int32_t b, std::uint32_t rankB) const {
  int order = 0; // of the difference nearest to the start seen so far
  for (;;) {
    if (rankA != rankB) order = rankA < rankB ? -1 : 1;
    if (a == b || a < 0 || b < 0) break;
    const NodeLabel &la = label(a), &lb = label(b);
    if (la.parent < 0 || lb.parent < 0) {
      order = la.start < lb.start ? -1 : la.start > lb.start ? 1 : order;
      break;
    }
    rankA = la.edge.rank;
    rankB = lb.edge.rank;
    a = la.parent;
    b = lb.parent;
  }
  return order < 0;
}

bool NodeSearch::better(std::int32_t a, std::int32_t b) const {
  const int order = compare(label(a), label(b));
  if (order != 0) return order < 0;
  if (a == b || label(a).parent < 0 || label(b).parent < 0) return label(a).start < label(b).start;
  return earlier(label(a).parent, label(a).edge.rank, label(b).parent, label(b).edge.rank);
}

bool NodeSearch::later(const Entry& a, const Entry& b) {
  if (a.violations != b.violations) return a.violations > b.violations;
  if (a.cost != b.cost) return a.cost > b.cost;
  if (a.prefer != b.prefer) return a.prefer > b.prefer;
  if (a.edges != b.edges) return a.edges > b.edges;
  return a.id > b.id;
}

void NodeSearch::relax(NodeLabel next) {
  const auto [at, fresh] = known_.try_emplace(key(next), static_cast<std::int32_t>(labels_.size()));
  if (fresh) {
    if (labels_.size() >= static_cast<std::size_t>(RouteSearch::defaultNodeLimit)) {
      full_ = true;
      return;
    }
    labels_.push_back(next);
  } else {
    NodeLabel& old = labels_[static_cast<std::size_t>(at->second)];
    if (old.settled || old.parent < 0) return;
    const int order = compare(next, old);
    if (order > 0 || (order == 0 && !earlier(next.parent, next.edge.rank, old.parent, old.edge.rank))) return;
    old = next;
    if (order == 0) return;
  }
  heap_.push_back({next.violations, next.cost, next.prefer, next.edges, at->second});
  std::push_heap(heap_.begin(), heap_.end(), later);
}

bool NodeSearch::onTheWay(std::int32_t id, std::int32_t to) const {
  for (; id >= 0; id = label(id).parent)
    if (hex(id) == to) return true;
  return false;
}

std::int32_t NodeSearch::baseOf(std::int32_t fields) {
  if (static_cast<std::size_t>(fields) >= baseOf_.size())
    baseOf_.resize(static_cast<std::size_t>(fields) + 1, -1);
  std::int32_t& base = baseOf_[static_cast<std::size_t>(fields)];
  if (base < 0) {
    std::vector<Word> row(table_.row(fields), table_.row(fields) + query_.width());
    row[1] = 0;
    base = baseTable_.idOf(row.data());
    if (static_cast<std::size_t>(base) >= bases_.size()) bases_.resize(static_cast<std::size_t>(base) + 1);
  }
  return base;
}

bool NodeSearch::cameFromMatters(std::int32_t id) const {
  if (!route_.overCameFrom) return true;
  const auto fields = static_cast<std::size_t>(label(id).fields);
  const std::int32_t base = fields < baseOf_.size() ? baseOf_[fields] : -1;
  return base < 0 || bases_[static_cast<std::size_t>(base)].read;
}

void NodeSearch::expand(std::int32_t id, bool steps) {
  const NodeLabel from = label(id);
  const Start start = starts_[static_cast<std::size_t>(from.start)];
  const Word origin = start.hex;
  const std::vector<Word> here(fields(id), fields(id) + query_.width());
  std::vector<Word> there(query_.width());
  query_.take(here.data());
  steps = steps && (query_.length() < 0 || from.steps < query_.length());
  query_.edges(origin, fraction(from.cost), steps, true, edges_);
  for (const NodeEdge& edge : edges_) {
    const bool step = edge.kind == EdgeKind::step;
    if (step && query_.length() >= 0 && onTheWay(id, static_cast<std::int32_t>(edge.q))) continue;
    query_.take(here.data());
    const Word spent = fraction(label(id).cost);
    const EdgeVerdict verdict = query_.judge(edge, origin, spent, lenient_);
    if (!lenient_ && !verdict.open()) continue;
    NodeLabel next;
    std::int64_t cost = verdict.open() ? scaled(verdict.cost) : 0;
    std::array<std::int64_t, RouteSearch::maxPreferences> prefer{};
    if (verdict.open())
      for (std::size_t i = 0; i < prefer.size(); ++i) prefer[i] = scaled(verdict.prefer[i]);
    // The scale may have become finer meanwhile.
    const NodeLabel& now = label(id);
    const std::int64_t limit = starts_[static_cast<std::size_t>(now.start)].limit;
    if (step && query_.minimum() && !now.stepped && limit != RouteSearch::unlimitedCost)
      cost = std::min(cost, limit);
    next.violations = now.violations + (verdict.open() ? 0 : 1) + (now.stops ? 1 : 0);
    next.over = now.over;
    if (limit != RouteSearch::unlimitedCost && cost > limit - now.cost && !now.over) {
      if (!lenient_ || !step) continue;
      next.over = true;
      ++next.violations;
    }
    if (__builtin_add_overflow(now.cost, cost, &next.cost)) core_.raise(FaultCode::overflow);
    for (std::size_t i = 0; i < prefer.size(); ++i)
      if (__builtin_add_overflow(now.prefer[i], prefer[i], &next.prefer[i])) core_.raise(FaultCode::overflow);
    if (!query_.follow(edge, origin, spent, here.data(), there.data())) continue;
    next.fields = table_.idOf(there.data());
    next.start = now.start;
    next.parent = id;
    next.edges = now.edges + 1;
    next.steps = now.steps + (step ? 1 : 0);
    next.stepped = now.stepped || step;
    next.edge = edge;
    next.stops = verdict.stops;
    next.ends = route_.edges[edge.item].endsSearch;
    relax(next);
    if (full_) return;
  }
}

bool NodeSearch::run(const std::function<bool(std::int32_t)>& settled) {
  while (!heap_.empty() && !full_) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    NodeLabel& at = labels_[static_cast<std::size_t>(entry.id)];
    if (at.settled || at.cost != entry.cost || at.violations != entry.violations || at.edges != entry.edges ||
        at.prefer != entry.prefer)
      continue;
    at.settled = true;
    std::int32_t base = -1;
    const std::uint64_t before = query_.cameFromReads();
    if (route_.overCameFrom) base = baseOf(at.fields);
    const bool over = settled(entry.id);
    const auto learn = [&] {
      if (base >= 0 && query_.cameFromReads() != before) bases_[static_cast<std::size_t>(base)].read = true;
    };
    learn();
    if (over) return true;
    const NodeLabel& now = label(entry.id);
    if (now.ends || (now.stops && !lenient_)) continue;
    // Where the mover came from changes nothing at a node whose clauses do not read it: it was left by the
    // better way already, but for turns and actions, which lead to nodes where it may be read.
    const bool known = base >= 0 && bases_[static_cast<std::size_t>(base)].left &&
                       !bases_[static_cast<std::size_t>(base)].read && query_.length() < 0 &&
                       !query_.minimum() && !byStart_ && !lenient_;
    expand(entry.id, !known);
    learn();
    if (base >= 0) bases_[static_cast<std::size_t>(base)].left = true;
  }
  return !full_;
}

bool NodeSearch::isEnd(std::int32_t id) {
  const NodeLabel& at = label(id);
  if (at.ends) return true;
  if (at.edges == 0 && !query_.startsAreEnds()) return false;
  if (query_.length() >= 0 && at.steps != query_.length()) return false;
  // A mover that stands on the map does not move to where it begins.
  const std::int32_t begun = starts_[static_cast<std::size_t>(at.start)].fields;
  if (begun >= 0 && !query_.startsAreEnds()) {
    const Word *a = fields(id), *b = table_.row(begun);
    if (a[0] == b[0] && std::equal(a + 2, a + query_.width(), b + 2)) return false;
  }
  const std::vector<Word> here(fields(id), fields(id) + query_.width());
  query_.take(here.data());
  return query_.isEnd(origin(id), spent(id));
}

void NodeSearch::chain(std::int32_t id, std::vector<std::int32_t>& out) const {
  out.clear();
  for (; id >= 0; id = label(id).parent) out.push_back(id);
  std::reverse(out.begin(), out.end());
}

PathRecord NodeSearch::path(std::int32_t id) const {
  PathRecord record;
  record.wide = true;
  record.cost = spent(id);
  record.fields.assign(fields(id) + 2, fields(id) + query_.width());
  // What an edge beyond the search does is its own, so that its end is another than that of another edge.
  if (label(id).ends) record.fields.push_back(label(id).edge.item << 16 | label(id).edge.choice);
  std::vector<std::int32_t> ids;
  chain(id, ids);
  record.first = hex(ids.front());
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const NodeEdge& edge = label(ids[i]).edge;
    record.edges.push_back({edge.kind, query_.way().number, edge.item, edge.choice, hex(ids[i])});
  }
  return record;
}

bool NodeSearch::everyPath(const std::function<bool(PathRecord&&)>& found) {
  // The labels are a stack here: each level is the node after one more edge.
  struct Level {
    std::int32_t id;
    std::vector<NodeEdge> edges;
    std::size_t next = 0;
  };
  int visited = 0;
  const std::vector<NodeLabel> starts = labels_;
  for (const NodeLabel& start : starts) {
    labels_.assign(1, start);
    std::vector<Level> levels(1);
    levels[0].id = 0;
    bool entered = true;
    while (!levels.empty()) {
      const std::int32_t id = levels.back().id;
      const std::vector<Word> here(fields(id), fields(id) + query_.width());
      const Word origin = starts_[static_cast<std::size_t>(label(id).start)].hex;
      query_.take(here.data());
      if (entered) {
        entered = false;
        if (isEnd(id) && !found(path(id))) return true;
        if (!label(id).ends && !label(id).stops) {
          query_.take(here.data());
          query_.edges(origin, spent(id), label(id).steps < query_.length(), true, levels.back().edges);
        }
      }
      if (levels.back().next == levels.back().edges.size()) {
        levels.pop_back();
        labels_.pop_back();
        continue;
      }
      const NodeEdge edge = levels.back().edges[levels.back().next++];
      const bool step = edge.kind == EdgeKind::step;
      if (step && onTheWay(id, static_cast<std::int32_t>(edge.q))) continue;
      query_.take(here.data());
      const EdgeVerdict verdict = query_.judge(edge, origin, spent(id));
      if (!verdict.open()) continue;
      std::int64_t cost = scaled(verdict.cost);
      const std::int64_t limit = starts_[static_cast<std::size_t>(label(id).start)].limit;
      if (step && query_.minimum() && !label(id).stepped && limit != RouteSearch::unlimitedCost)
        cost = std::min(cost, limit);
      if (limit != RouteSearch::unlimitedCost && cost > limit - label(id).cost) continue;
      std::vector<Word> there(query_.width());
      if (!query_.follow(edge, origin, spent(id), here.data(), there.data())) continue;
      NodeLabel next = label(id);
      next.fields = table_.idOf(there.data());
      next.parent = id;
      next.cost += cost;
      ++next.edges;
      next.steps += step ? 1 : 0;
      next.stepped = next.stepped || step;
      next.edge = edge;
      next.stops = verdict.stops;
      next.ends = route_.edges[edge.item].endsSearch;
      bool again = false;
      for (const Level& level : levels)
        again = again || (!next.ends && label(level.id).fields == next.fields);
      if (again) continue;
      if (++visited > RouteSearch::defaultNodeLimit) return false;
      labels_.push_back(next);
      levels.push_back({static_cast<std::int32_t>(labels_.size() - 1), {}, 0});
      entered = true;
    }
  }
  return true;
}

} // namespace hellwig
