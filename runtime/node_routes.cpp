// SPDX-License-Identifier: Apache-2.0
// Ends and best paths of a way, and paths as they stand in registers.
#include "runtime/node_routes.h"

#include <algorithm>
#include <map>
#include <set>

namespace hellwig {

bool BestPath::better(const BestPath& than) const {
  if (!than.found) return true;
  if (rank.size() == than.rank.size())
    for (std::size_t i = 0; i < rank.size(); ++i) {
      if (fractionLess(rank[i], than.rank[i])) return true;
      if (fractionLess(than.rank[i], rank[i])) return false;
    }
  if (fractionLess(record.cost, than.record.cost)) return true;
  if (fractionLess(than.record.cost, record.cost)) return false;
  for (std::size_t i = 0; i < prefer.size(); ++i) {
    const Word a = prefer[i] == 0 ? packRatio(0, 1) : prefer[i],
               b = than.prefer[i] == 0 ? packRatio(0, 1) : than.prefer[i];
    if (fractionLess(a, b)) return true;
    if (fractionLess(b, a)) return false;
  }
  return record.edges.size() < than.record.edges.size();
}

void nodeEnds(MachineCore& core, const Way& way, const std::function<bool(std::int32_t)>& end) {
  NodeQuery query(core, way);
  if (query.forbidden() || !query.begin()) return;
  NodeSearch search(core, query);
  search.begin();
  std::vector<bool> seen(static_cast<std::size_t>(core.module_.board.n), false);
  if (!search.run([&](std::int32_t id) {
        const auto hex = static_cast<std::size_t>(search.hex(id));
        if (seen[hex] || !search.isEnd(id)) return false;
        seen[hex] = true;
        return end(static_cast<std::int32_t>(hex));
      }))
    core.raise(FaultCode::tooManyNodes);
}

void nodeBest(MachineCore& core, const Way& way, std::int32_t to, BestPath& best) {
  NodeQuery query(core, way);
  if (query.forbidden() || !query.begin()) return;
  NodeSearch search(core, query);
  search.begin();
  const bool ranked = to < 0 && query.route().endPreferBody != noBody;
  std::int32_t found = -1;
  std::vector<Word> foundRank, rank;
  const auto sums = [&](std::int32_t a, std::int32_t b) { // whether a is dearer than b
    const NodeLabel &la = search.label(a), &lb = search.label(b);
    if (la.cost != lb.cost) return la.cost > lb.cost;
    return la.prefer != lb.prefer ? la.prefer > lb.prefer : la.edges > lb.edges;
  };
  if (!search.run([&](std::int32_t id) {
        // Nodes come from the best to the worst, but for those that differ at a turning alone.
        if (!ranked && found >= 0 && sums(id, found)) return true;
        if ((to >= 0 && search.hex(id) != to) || !search.isEnd(id)) return false;
        if (ranked) query.rank(search.origin(id), search.spent(id), rank);
        bool takes = found < 0;
        if (!takes) {
          int order = 0;
          for (std::size_t i = 0; i < rank.size() && order == 0; ++i)
            order = fractionLess(rank[i], foundRank[i]) ? -1 : fractionLess(foundRank[i], rank[i]) ? 1 : 0;
          takes = order < 0 || (order == 0 && search.better(id, found));
        }
        if (takes) {
          found = id;
          foundRank = rank;
        }
        return false;
      }))
    core.raise(FaultCode::tooManyNodes);
  if (found < 0) return;
  BestPath mine;
  mine.found = true;
  mine.rank = foundRank;
  for (std::size_t i = 0; i < mine.prefer.size(); ++i)
    mine.prefer[i] = search.fraction(search.label(found).prefer[i]);
  mine.record = search.path(found);
  if (mine.better(best)) best = std::move(mine);
}

void nodePaths(MachineCore& core, const Way& way, const std::function<void(PathRecord&&)>& found) {
  NodeQuery query(core, way);
  if (query.forbidden() || !query.begin()) return;
  NodeSearch search(core, query);
  search.begin();
  bool complete = false;
  if (query.length() >= 0) {
    complete = search.everyPath([&](PathRecord&& record) {
      found(std::move(record));
      return true;
    });
  } else {
    std::vector<std::int32_t> ends;
    complete = search.run([&](std::int32_t id) {
      if (search.isEnd(id)) ends.push_back(id);
      return false;
    });
    // Ends that differ in where the mover came from, which no clause reads there, are one.
    std::set<std::vector<Word>> seen;
    for (const std::int32_t id : ends) {
      if (!search.cameFromMatters(id)) {
        std::vector<Word> node(search.fields(id), search.fields(id) + query.width());
        node[1] = 0;
        if (!seen.insert(std::move(node)).second) continue;
      }
      found(search.path(id));
    }
  }
  if (!complete) core.raise(FaultCode::tooManyNodes);
}

// ---- Paths in registers

namespace {

bool isWide(const MachineCore& core, std::uint16_t route) {
  std::vector<std::uint16_t> ways;
  waysOf(core.module_, route, ways);
  return std::any_of(ways.begin(), ways.end(),
                     [&](std::uint16_t way) { return core.module_.routes[way].byNodes; });
}

/// The number of each way's first item among those of all ways.
std::vector<std::size_t> firstItems(const MachineCore& core, std::uint16_t route) {
  std::vector<std::uint16_t> ways;
  waysOf(core.module_, route, ways);
  std::vector<std::size_t> first;
  std::size_t items = 0;
  for (const std::uint16_t way : ways) {
    first.push_back(items);
    items += core.module_.routes[way].edges.size();
  }
  return first;
}

void packEdges(const MachineCore& core, std::uint16_t route, const PathRecord& record, bool wide, Word* out) {
  if (wide) {
    for (std::size_t i = 0; i < record.edges.size(); ++i) out[i] = packEdge(record.edges[i]);
    return;
  }
  const std::vector<std::size_t> first = firstItems(core, route);
  for (std::size_t i = 0; i < record.edges.size(); ++i) {
    const PathEdge& edge = record.edges[i];
    const std::size_t item = edge.item >= 7 ? 7 : first[edge.way] + edge.item;
    if (i % 4 == 0) out[i / 4] = 0;
    out[i / 4] |= static_cast<Word>(std::uint64_t{packStep(edge.hex, item)} << (16 * (i % 4)));
  }
}

std::size_t wordsOf(const PathRecord& record, bool wide) {
  return wide ? record.edges.size() : (record.edges.size() + 3) / 4;
}

} // namespace

void writePath(const MachineCore& core, Word* block, std::uint16_t route, const Word* arguments,
               const PathRecord* record) {
  const PathShape& shape = core.program_.pathShape();
  std::fill(block, block + shape.words(), 0);
  block[pathRoute] = route;
  if (record == nullptr) {
    for (const PathWord word : {pathEdges, pathCost, pathFirst, pathLast}) block[word] = none;
    return;
  }
  const bool wide = isWide(core, route);
  if (wordsOf(*record, wide) > shape.edgeWords) core.raise(FaultCode::tooManyNodes);
  block[pathEdges] = static_cast<Word>(record->edges.size());
  block[pathCost] = record->cost;
  block[pathFirst] = record->first;
  block[pathLast] = record->last();
  block[pathSteps] = record->steps();
  block[pathWide] = wide;
  std::copy(arguments, arguments + core.module_.routes[route].parameters, block + pathHead);
  packEdges(core, route, *record, wide, block + shape.edges());
}

void writePaths(const MachineCore& core, Word* list, std::uint16_t route, const Word* arguments,
                std::vector<PathRecord>&& records, bool every) {
  if (!every) {
    // The same end by several ways: the best path stays, of equals that of the first way.
    std::vector<PathRecord> best;
    std::map<std::pair<std::int32_t, std::vector<Word>>, std::size_t> places;
    for (PathRecord& record : records) {
      const auto [at, fresh] = places.try_emplace({record.last(), record.fields}, best.size());
      if (fresh) {
        best.push_back(std::move(record));
        continue;
      }
      PathRecord& same = best[at->second];
      if (fractionLess(record.cost, same.cost) ||
          (record.cost == same.cost && record.edges.size() < same.edges.size()))
        same = std::move(record);
    }
    records = std::move(best);
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const PathRecord& a, const PathRecord& b) { return a.last() < b.last(); });
  const PathShape& shape = core.program_.pathShape();
  const bool wide = isWide(core, route);
  std::size_t used = listHead + shape.arguments;
  for (const PathRecord& record : records) used += 3 + wordsOf(record, wide);
  if (used > pathListWords) core.raise(FaultCode::tooManyNodes);
  std::fill(list, list + pathListWords, 0);
  list[listCount] = static_cast<Word>(records.size());
  list[listUsed] = static_cast<Word>(used);
  list[listRoute] = route;
  list[listWide] = wide;
  std::copy(arguments, arguments + core.module_.routes[route].parameters, list + listHead);
  Word* to = list + listHead + shape.arguments;
  for (const PathRecord& record : records) {
    to[0] = static_cast<Word>(record.edges.size() | std::uint64_t{record.steps()} << 32);
    to[1] = record.cost;
    to[2] = static_cast<Word>(static_cast<std::uint64_t>(record.first) |
                              static_cast<std::uint64_t>(record.last()) << 32);
    packEdges(core, route, record, wide, to + 3);
    to += 3 + wordsOf(record, wide);
  }
}

std::uint32_t edgesOfPath(const MachineCore& core, const Word* block) {
  const Word edges = block[pathEdges];
  if (edges == none) core.raise(FaultCode::missingValue);
  const PathShape& shape = core.program_.pathShape();
  const std::uint64_t room = block[pathWide] != 0 ? shape.edgeWords : std::uint64_t{shape.edgeWords} * 4;
  if (static_cast<std::uint64_t>(edges) > room ||
      static_cast<std::uint64_t>(block[pathRoute]) >= core.module_.routes.size())
    core.raise(FaultCode::outOfRange);
  return static_cast<std::uint32_t>(edges);
}

PathEdge edgeOfPath(const MachineCore& core, const Word* block, std::uint32_t i) {
  const Word* edges = block + core.program_.pathShape().edges();
  PathEdge edge;
  if (block[pathWide] != 0) {
    edge = unpackEdge(edges[i]);
  } else {
    const auto step = static_cast<std::uint16_t>(static_cast<std::uint64_t>(edges[i / 4]) >> (16 * (i % 4)));
    edge.hex = hexOfStep(step);
    edge.item = anyItem;
    if (itemOfStep(step) < 7) {
      const auto first = firstItems(core, static_cast<std::uint16_t>(block[pathRoute]));
      for (std::size_t w = first.size(); w-- > 0;)
        if (first[w] <= itemOfStep(step)) {
          edge.way = static_cast<std::uint8_t>(w);
          edge.item = static_cast<std::uint8_t>(itemOfStep(step) - first[w]);
          break;
        }
    }
  }
  if (edge.hex < 0 || edge.hex >= core.module_.board.n) core.raise(FaultCode::outOfRange);
  return edge;
}

/// Path number `index` of a list, as a block.
void MachineCore::pathAt(const Word* list, Word index, Word* block) {
  const PathShape& shape = program_.pathShape();
  if (list[listCount] < 0 ||
      static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(list[listCount]) ||
      static_cast<std::uint64_t>(list[listRoute]) >= module_.routes.size())
    raise(FaultCode::outOfRange);
  const bool wide = list[listWide] != 0;
  std::size_t at = listHead + shape.arguments;
  const auto edgesAt = [&](std::size_t place) { // words of the path there; it lies within the list
    if (place + 3 > pathListWords) raise(FaultCode::outOfRange);
    const std::uint64_t edges = static_cast<std::uint64_t>(list[place]) & 0xffffffffU;
    const std::uint64_t words = wide ? edges : (edges + 3) / 4;
    if (words > shape.edgeWords || place + 3 + words > pathListWords) raise(FaultCode::outOfRange);
    return static_cast<std::size_t>(words);
  };
  for (Word i = 0; i < index; ++i) at += 3 + edgesAt(at);
  const std::size_t words = edgesAt(at);
  const std::vector<Word> path(list + at, list + at + 3 + words); // the block may lie on the list
  const std::vector<Word> arguments(list + listHead, list + listHead + shape.arguments);
  const Word route = list[listRoute];
  std::fill(block, block + shape.words(), 0);
  const auto low = [](Word w) { return static_cast<Word>(static_cast<std::uint64_t>(w) & 0xffffffffU); };
  const auto high = [](Word w) { return static_cast<Word>(static_cast<std::uint64_t>(w) >> 32); };
  block[pathEdges] = low(path[0]);
  block[pathSteps] = high(path[0]);
  block[pathRoute] = route;
  block[pathCost] = path[1];
  block[pathFirst] = low(path[2]);
  block[pathLast] = high(path[2]);
  block[pathWide] = wide;
  block[pathPlace] = index;
  std::copy(arguments.begin(), arguments.end(), block + pathHead);
  std::copy(path.begin() + 3, path.end(), block + shape.edges());
}

void MachineCore::pathOperation(Op op, Word* r, const Instruction& in) {
  const auto hexes = static_cast<std::uint64_t>(module_.board.n);
  const Word* block = r + in.b;
  switch (op) {
  case Op::pathGet: {
    edgesOfPath(*this, block);
    const PathWord fields[] = {pathFirst, pathLast, pathSteps, pathCost};
    r[in.a] = block[fields[in.c]];
    break;
  }
  case Op::pathHexes: {
    std::vector<std::uint64_t> out(program_.hexWords(), 0);
    const std::uint32_t edges = edgesOfPath(*this, block);
    if (static_cast<std::uint64_t>(block[pathFirst]) < hexes)
      setBit(out.data(), static_cast<int>(block[pathFirst]));
    for (std::uint32_t i = 0; i < edges; ++i) setBit(out.data(), edgeOfPath(*this, block, i).hex);
    copySet(reinterpret_cast<SetWord*>(r + in.a), out.data(), static_cast<int>(program_.hexWords()));
    break;
  }
  case Op::pathEdge: {
    const Word i = r[in.c];
    const std::uint32_t edges = edgesOfPath(*this, block);
    if (i == -1) { // the entry of a mover from off the map
      if (static_cast<std::uint64_t>(block[pathFirst]) >= hexes) raise(FaultCode::outOfRange);
      r[in.a] = packEdge({EdgeKind::entry, 0, 0, 0xffff, static_cast<std::int32_t>(block[pathFirst])});
      break;
    }
    r[in.a] = static_cast<std::uint64_t>(i) >= edges
                  ? none
                  : packEdge(edgeOfPath(*this, block, static_cast<std::uint32_t>(i)));
    break;
  }
  default: raise(FaultCode::unreachable);
  }
}

std::string MachineCore::displayPath(const Word* block) {
  if (block[pathEdges] == none) return "none";
  const ValueType hex{ValueKind::hex, 0, false, false};
  std::string text =
      static_cast<std::uint64_t>(block[pathFirst]) < static_cast<std::uint64_t>(module_.board.n)
          ? display(block[pathFirst], hex)
          : "";
  std::string wrong = "?";
  const bool done = quietly([&] {
    const std::uint32_t edges = edgesOfPath(*this, block);
    std::int32_t at = static_cast<std::int32_t>(block[pathFirst]);
    for (std::uint32_t i = 0; i < edges; ++i) {
      const PathEdge edge = edgeOfPath(*this, block, i);
      if (edge.kind != EdgeKind::step && edge.hex == at) continue; // it stays where it is
      at = edge.hex;
      text += (text.empty() ? "" : " - ") + display(at, hex);
    }
  });
  return done ? text : wrong;
}

} // namespace hellwig
