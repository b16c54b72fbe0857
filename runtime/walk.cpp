// SPDX-License-Identifier: Apache-2.0
// A walk: which edges its owner may take next, and which one the answer means.
#include "runtime/travel.h"

#include <algorithm>

namespace hellwig {

namespace {

/// The answer of the decision that stands for this edge, or -1; `item` says what an action is.
std::int32_t alternativeFor(const Decision& decision, EdgeKind kind, const RouteEdge* item) {
  for (std::size_t i = 0; i < decision.alternatives.size(); ++i) {
    const Alternative& one = decision.alternatives[i];
    bool is = false;
    if (kind != EdgeKind::action) {
      is = one.picks && one.name.empty() &&
           one.domain == (kind == EdgeKind::turn ? domainDirections : domainHexes);
    } else if (item != nullptr && one.name == item->name && !one.pass) {
      const bool picks = item->choicesBody != noBody;
      is = one.picks == picks && (!picks || one.domain == item->choiceDomain);
    }
    if (is) return static_cast<std::int32_t>(i);
  }
  return -1;
}

/// The edges of a travel with the items that span them.
class WalkEdges {
public:
  WalkEdges(MachineCore& core, const Word* travel) : core_(core), edges_(travelEdgesFrom(core, travel)) {
    waysOf(core.module_, static_cast<std::uint16_t>(travel[travelRoute]), ways_);
  }
  const std::vector<TravelEdge>& all() const { return edges_; }
  const Route& route(const TravelEdge& edge) const { return core_.module_.routes[ways_[edge.edge.way]]; }
  const RouteEdge* item(const TravelEdge& edge) const {
    const Route& of = route(edge);
    return edge.edge.kind == EdgeKind::entry || edge.edge.item >= of.edges.size() ? nullptr
                                                                                  : &of.edges[edge.edge.item];
  }
  static std::int32_t element(const TravelEdge& edge) {
    const bool hex = edge.edge.kind == EdgeKind::step || edge.edge.kind == EdgeKind::entry;
    return hex ? edge.edge.hex : edge.edge.choice;
  }

private:
  MachineCore& core_;
  std::vector<TravelEdge> edges_;
  std::vector<std::uint16_t> ways_;
};

} // namespace

void MachineCore::walkOffer(const Word* travel, const Word* visited, std::uint32_t words,
                            const Decision& decision, Word* r) {
  Word& open = r[decision.open];
  open = 0;
  for (std::size_t i = 0; i < decision.alternatives.size(); ++i) {
    const Alternative& one = decision.alternatives[i];
    if (one.picks)
      clearSet(reinterpret_cast<SetWord*>(r + one.set), static_cast<int>(program_.domainWords(one.domain)));
    if (one.pass && travelMayEnd(*this, travel)) open |= Word{1} << i;
  }
  if (travel[travelTaken] >= mostWalkEdges) return;
  const auto count = static_cast<std::size_t>(std::clamp<Word>(visited[0], 0, Word{words} - 1));
  const WalkEdges edges(*this, travel);
  for (const TravelEdge& edge : edges.all()) {
    if (!edge.endInReach) continue;
    const RouteEdge* item = edges.item(edge);
    // Back to where it was only if that costs something that can run out. Where an effect may lead nobody
    // knows.
    const bool known = item == nullptr || !item->endsSearch;
    const bool spends = numeratorOf(edge.cost) > 0 && edges.route(edge).budgetBody != noBody;
    const Word* end = visited + 1 + count;
    if (known && !spends && std::find(visited + 1, end, static_cast<Word>(edge.node)) != end) continue;
    const std::int32_t place = alternativeFor(decision, edge.edge.kind, item);
    if (place < 0) continue;
    const Alternative& one = decision.alternatives[static_cast<std::size_t>(place)];
    open |= Word{1} << place;
    const std::int32_t element = WalkEdges::element(edge);
    if (one.picks && element >= 0 && static_cast<std::uint32_t>(element) < module_.domains[one.domain].size)
      setBit(reinterpret_cast<SetWord*>(r + one.set), element);
  }
}

Word MachineCore::walkEdge(const Word* travel, const Decision& decision, const Word* r) {
  const Word answer = r[decision.answer];
  const WalkEdges edges(*this, travel);
  for (const TravelEdge& edge : edges.all()) {
    const std::int32_t place = alternativeFor(decision, edge.edge.kind, edges.item(edge));
    if (place < 0 || place != answer) continue;
    const Alternative& one = decision.alternatives[static_cast<std::size_t>(place)];
    const Word chosen = one.picks ? r[one.chosen] - (one.domain == domainInts ? lowestSetInt : 0) : 0;
    if (!one.picks || chosen == WalkEdges::element(edge)) return packEdge(edge.edge);
  }
  return none;
}

void MachineCore::walkVisit(Word* visited, std::uint32_t words, const Word* travel) {
  const Word count = std::clamp<Word>(visited[0], 0, Word{words} - 1);
  if (count + 1 >= Word{words}) return;
  visited[count + 1] = static_cast<Word>(travelNode(*this, travel));
  visited[0] = count + 1;
}

} // namespace hellwig
