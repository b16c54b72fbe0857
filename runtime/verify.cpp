// SPDX-License-Identifier: Apache-2.0
// The verifier's view of declarations: sizes, ids, and the shapes of what bodies are given and hand back.
#include "runtime/verify.h"
#include "runtime/path_block.h"

#include "runtime/poses.h"

#include <algorithm>
#include <bit>

namespace hellwig {

namespace {

class ModuleVerifier {
public:
  explicit ModuleVerifier(const Module& module) : m_(module) {}

  std::optional<std::string> run() {
    board();
    if (error_.empty()) things();
    if (error_.empty()) domains();
    if (error_.empty()) sets();
    if (error_.empty()) fields();
    if (error_.empty()) memberships();
    if (error_.empty()) tables();
    if (error_.empty()) arcs();
    if (error_.empty()) zonesAndRoutes();
    if (error_.empty()) decisions();
    if (error_.empty()) rest();
    if (!error_.empty()) return error_;
    if (auto wrong = verifyBodies(m_)) return wrong;
    fragments();
    if (!error_.empty()) return error_;
    std::vector<BodyNeeds> needs;
    return computeNeeds(m_, needs);
  }

private:
  bool need(bool holds, const std::string& what) {
    if (!holds && error_.empty()) error_ = what;
    return error_.empty();
  }
  bool range(std::int64_t id, std::size_t count, const std::string& what) {
    return need(id >= 0 && static_cast<std::size_t>(id) < count, what + " names what does not exist");
  }
  bool smallSet(const std::vector<std::uint64_t>& set, std::uint32_t size, const std::string& what) {
    if (!need(set.size() == (size + 63) / 64, what + ": a set of another size")) return false;
    return need(size % 64 == 0 || set[size / 64] >> (size % 64) == 0,
                what + ": an element outside the domain");
  }
  /// A body with these parameters and results; `kind` is the most it may do.
  bool body(std::uint32_t id, std::uint32_t parameters, std::uint32_t results, BodyKind kind,
            const std::string& what) {
    if (!range(id, m_.bodies.size(), what)) return false;
    const Body& b = m_.bodies[id];
    return need(b.parameters == parameters, what + ": " + b.name + " takes other arguments") &&
           need(b.resultWords == results, what + ": " + b.name + " has another result") &&
           need(b.kind == BodyKind::pure || b.kind == kind, what + ": " + b.name + " is of another kind");
  }
  bool bodyOrNone(std::uint32_t id, std::uint32_t parameters, std::uint32_t results, BodyKind kind,
                  const std::string& what) {
    return id == noBody || body(id, parameters, results, kind, what);
  }
  bool mark(std::uint32_t id, const std::string& what) {
    return range(id, m_.marks.size(), what + ": a mark");
  }

  void board() {
    need(m_.formatVersion == 2, "the module is of another format");
    Board again;
    const std::string wrong = buildBoard(m_.board.spec, again);
    if (!need(wrong.empty(), "the map: " + wrong)) return;
    need(again.n == m_.board.n && again.words == m_.board.words && again.hexsides == m_.board.hexsides &&
             m_.board.inPlay.size() == again.inPlay.size() && m_.board.label == again.label,
         "the map is not what its description makes");
    if (!error_.empty()) return;
    smallSet(m_.board.inPlay, static_cast<std::uint32_t>(m_.board.n), "the map");
    if (!error_.empty()) return;
    restrictToPlay(again, m_.board.inPlay.data());
    need(again.neighbour == m_.board.neighbour && again.adjacent == m_.board.adjacent &&
             again.hexsideOf == m_.board.hexsideOf,
         "the map is not what its description makes");
  }

  void things() {
    need(m_.sides.size() == 2, "there must be two sides");
    need(m_.counters.size() <= mostCounters && m_.boxes.size() <= mostCounters &&
             m_.areas.size() <= mostCounters && m_.groups.size() <= mostCounters &&
             m_.kinds.size() <= mostCounters && m_.enums.size() <= mostCounters &&
             m_.phases.size() <= mostCounters && m_.bodies.size() <= (1U << 20),
         "too many things");
    need(!m_.marks.empty(), "the empty set of marks is missing");
    for (const MarkSet& set : m_.marks)
      for (const std::uint16_t rule : set.rules) range(rule, m_.rules.size(), "a mark");
    for (const PhaseInfo& phase : m_.phases)
      for (const std::uint16_t id : phase.marks) mark(id, "phase " + phase.name);
    for (const EnumInfo& info : m_.enums)
      need(info.values.size() == info.names.size() && info.values.size() <= mostCounters,
           "type " + info.name + " has another number of names than of values");
    for (const CounterInfo& counter : m_.counters) {
      const std::string what = "counter " + counter.name;
      need(counter.side < 2, what + " has no side");
      range(counter.kind, m_.kinds.size(), what);
      need(counter.startHex >= -1 && counter.startHex < m_.board.n && counter.startBox >= -1 &&
               counter.startBox < static_cast<std::int32_t>(m_.boxes.size()) &&
               (counter.startHex < 0 || counter.startBox < 0),
           what + " begins nowhere");
    }
    need(m_.groupKinds.size() <= 64 && m_.records.size() <= mostCounters, "too many kinds of group or records");
    for (const GroupInfo& group : m_.groups) {
      need(group.side < 2, "group " + group.name + " has no side");
      range(group.kind, m_.groupKinds.size(), "group " + group.name);
    }
    for (const RecordInfo& record : m_.records)
      for (const RecordField& field : record.fields)
        need(field.type.kind != ValueKind::record && field.type.kind != ValueKind::path,
             "record " + record.name + ": a field of no fixed size");
    for (const MapLabel& label : m_.labels)
      for (const std::uint16_t hex : label.hexes)
        range(hex, static_cast<std::size_t>(m_.board.n), "a label of the map");
  }

  void domains() {
    const std::size_t sizes[firstEnumDomain] = {m_.counters.size(),
                                                static_cast<std::size_t>(m_.board.n),
                                                static_cast<std::size_t>(m_.board.hexsides),
                                                2,
                                                6,
                                                m_.areas.size(),
                                                m_.boxes.size(),
                                                m_.groups.size(),
                                                setIntCount,
                                                mostPaths};
    if (!need(m_.domains.size() == firstEnumDomain + m_.enums.size(),
              "the domains are not those of the types"))
      return;
    for (std::size_t i = 0; i < m_.domains.size(); ++i)
      need(m_.domains[i].size ==
               (i < firstEnumDomain ? sizes[i] : m_.enums[i - firstEnumDomain].values.size()),
           "domain " + std::to_string(i) + " has another size");
  }

  void sets() {
    const auto counters = static_cast<std::uint32_t>(m_.counters.size());
    for (const KindInfo& kind : m_.kinds) {
      smallSet(kind.members, counters, "kind " + kind.name);
      need(kind.base >= -1 && kind.base < static_cast<int>(m_.kinds.size()),
           "kind " + kind.name + " has no base");
    }
    for (const AreaInfo& area : m_.areas)
      smallSet(area.hexes, static_cast<std::uint32_t>(m_.board.n), "area " + area.name);
    for (const Module::StaticSet& set : m_.staticSets)
      if (range(set.domain, m_.domains.size(), "a static set"))
        body(set.body, 1, 1, BodyKind::pure, "a static set");
  }

  /// The fields that say what hangs under which groups: words of groups that stand higher.
  void memberships() {
    for (std::size_t k = 0; k < m_.groupKinds.size(); ++k) {
      const GroupKindInfo& kind = m_.groupKinds[k];
      const std::string what = "kind of group " + kind.name;
      if (!smallSet(kind.members, static_cast<std::uint32_t>(m_.groups.size()), what)) return;
      for (const bool ofGroups : {false, true}) {
        const std::uint16_t id = ofGroups ? kind.groupColumn : kind.counterColumn;
        if (!range(id, m_.columns.size(), what)) return;
        const Column& column = m_.columns[id];
        need(column.owner == (ofGroups ? Owner::group : Owner::counter) && !column.constant &&
                 column.setWords == 0 && column.bytes >= 2,
             what + ": its field is of another shape");
        if (!error_.empty()) return;
        for (std::size_t i = 0; i < column.initial.size(); ++i) {
          const Word above = column.initial[i];
          if (above == none) continue;
          if (!range(above, m_.groups.size(), what)) return;
          need(m_.groups[static_cast<std::size_t>(above)].kind == k &&
                   (!ofGroups || m_.groups[i].kind > k),
               what + ": a group hangs under one of its own kind, or a lower one");
        }
      }
    }
  }

  std::size_t things(const Column& column) {
    switch (column.owner) {
    case Owner::counter: return m_.counters.size();
    case Owner::hex: return static_cast<std::size_t>(m_.board.n);
    case Owner::hexside: return static_cast<std::size_t>(m_.board.hexsides);
    case Owner::side: return 2;
    case Owner::group: return m_.groups.size();
    case Owner::box: return m_.boxes.size();
    case Owner::area: return m_.areas.size();
    case Owner::enumeration: return m_.enums[column.ownerId].values.size();
    }
    return 0;
  }
  static bool fits(Word value, std::uint8_t bytes) {
    if (value == none || bytes == 8) return true;
    const Word limit = Word{1} << (8 * bytes - 1);
    return value > -limit && value < limit;
  }

  void fields() {
    if (!need(m_.columns.size() <= 60000 && m_.globals.size() <= 60000, "too many fields")) return;
    need(m_.columnWatch.size() == m_.columns.size() && m_.globalWatch.size() == m_.globals.size(),
         "not every field has its watch bits");
    std::uint64_t words = 0;
    for (const Column& column : m_.columns) {
      const std::string what = "field " + column.name;
      need(static_cast<std::uint8_t>(column.owner) <= static_cast<std::uint8_t>(Owner::enumeration),
           what + " has no owner");
      need(static_cast<std::uint8_t>(column.resets) <= static_cast<std::uint8_t>(SpanKind::never),
           what + " is reset at no time");
      if (!error_.empty()) return;
      if (column.owner == Owner::enumeration && !range(column.ownerId, m_.enums.size(), what)) return;
      if (column.owner == Owner::counter && !range(column.ownerId, m_.kinds.size(), what)) return;
      need(column.bytes == 1 || column.bytes == 2 || column.bytes == 4 || column.bytes == 8,
           what + " has no width");
      need(column.planes <= 64 && (column.setWords == 0 || (column.planes == 0 && column.bytes == 8)),
           what + " has planes and is a set");
      need(column.setWords <= 4096, what + " is too wide");
      const std::size_t count = things(column);
      need(column.initial.size() == count * std::max<std::size_t>(1, column.setWords),
           what + " has another number of values than of things");
      if (!error_.empty()) return;
      if (column.setWords == 0) {
        need(fits(column.defaultValue, column.bytes), what + ": the default is too large");
        for (const Word value : column.initial)
          need(fits(value, column.bytes), what + ": a value is too large");
      }
      words += column.initial.size() + std::uint64_t{column.planes} * (count / 64 + 1) + 1;
    }
    need(m_.globals.size() >= firstFreeGlobal, "the fixed globals are missing");
    for (std::size_t i = 0; i < m_.globals.size(); ++i) {
      const Global& global = m_.globals[i];
      need(global.words >= 1 && global.initial.size() == global.words &&
               (i >= firstFreeGlobal || global.words == 1),
           "global " + global.name + " has another size");
      need(static_cast<std::uint8_t>(global.resets) <= static_cast<std::uint8_t>(SpanKind::never),
           "global " + global.name + " is reset at no time");
      words += global.words;
    }
    need(words <= mostImageWords / 2, "the fields take too much memory");
    need(m_.terrainColumn >= -1 && m_.terrainColumn < static_cast<std::int32_t>(m_.columns.size()),
         "there is no column of terrain");
    for (const std::vector<std::uint16_t>* list : {&m_.pathColumns, &m_.hexsideColumns, &m_.featureColumns})
      for (const std::uint16_t column : *list) range(column, m_.columns.size(), "a column for display");
  }

  void tables() {
    for (const Table& table : m_.tables) {
      const std::string what = "table " + table.name;
      std::uint64_t cells = 1;
      need(table.axes.size() <= 32 && table.resultWords >= 1, what + " has another shape");
      for (const TableAxis& axis : table.axes) {
        need(axis.scale <= 1 && static_cast<std::uint8_t>(axis.rounding) <= 3 && axis.positions >= 1,
             what + ": an axis of no known kind");
        need(axis.anyOther >= -1 && axis.anyOther < axis.positions, what + ": no such position");
        for (const TableAxis::Key& key : axis.keys)
          need(key.index < axis.positions, what + ": no such position");
        if (!error_.empty()) return;
        cells *= axis.positions;
        if (!need(cells <= (1U << 22), what + " is too large")) return;
      }
      need(table.cells.size() == cells * table.resultWords && table.filled.size() == cells &&
               table.marks.size() == cells,
           what + " has another number of cells than its keys make");
      need(!table.hasOtherwise || table.otherwise.size() == table.resultWords,
           what + ": otherwise has another size");
      for (const std::uint16_t id : table.marks) mark(id, what);
      mark(table.tableMarks, what);
    }
  }

  void arcs() {
    std::size_t poses = 0;
    for (const Arcs& arcs : m_.arcs) {
      const std::string what = "arcs";
      if (!range(arcs.kind, m_.kinds.size(), what) || !range(arcs.shapeType, m_.enums.size(), what) ||
          !range(arcs.aspectType, m_.enums.size(), what) ||
          !range(arcs.facingColumn, m_.columns.size(), what))
        return;
      const Column& facing = m_.columns[static_cast<std::size_t>(arcs.facingColumn)];
      need(facing.owner == Owner::counter && facing.setWords == 0 && !facing.constant,
           what + ": the facing is no field of counters");
      body(arcs.shapeBody, 1, 1, BodyKind::pure, what);
      for (const std::uint16_t column : arcs.columns) range(column, m_.columns.size(), what);
      for (const std::uint16_t global : arcs.globals) range(global, m_.globals.size(), what);
      need(arcs.shapes.size() == m_.enums[arcs.shapeType].values.size(), what + " lack a shape");
      poses += 6 * arcs.shapes.size();
      need(poses <= mostPoses, "too many shapes");
      const auto aspects = static_cast<std::int64_t>(m_.enums[arcs.aspectType].values.size());
      for (const ArcsShape& shape : arcs.shapes) {
        need(static_cast<std::uint8_t>(shape.faces) <= static_cast<std::uint8_t>(Faces::nothing),
             what + ": it faces nothing known");
        if (!need(!shape.parts.empty() && shape.parts.size() <= mostParts, what + ": no hexes, or too many"))
          return;
        need(shape.parts.front().way.empty(), what + ": the lead hex does not stand first");
        for (const ArcsPart& part : shape.parts) {
          if (!need(part.aspect.size() == 6 && part.way.size() <= mostParts, what + ": no hex")) return;
          for (const std::uint8_t hexside : part.way) need(hexside < 6, what + ": there is no such hexside");
          for (const std::int8_t aspect : part.aspect)
            need(aspect >= -1 && aspect < aspects && aspect < 127, what + ": there is no such aspect");
        }
      }
    }
    need(m_.arcs.size() <= 1000, "too many arcs");
  }

  /// How many ways a route has; an error if they never end.
  std::size_t ways(std::uint32_t route, int nesting) {
    if (!need(nesting <= 16, "also forms a cycle through route " + m_.routes[route].name)) return 0;
    std::size_t count = 1;
    for (const AlsoWay& way : m_.routes[route].also) {
      if (!range(way.route, m_.routes.size(), "route " + m_.routes[route].name)) return 0;
      count += ways(way.route, nesting + 1);
      if (!need(count <= mostWays, "route " + m_.routes[route].name + " has too many ways")) return 0;
    }
    return count;
  }

  void zonesAndRoutes() {
    const auto hexWords = static_cast<std::uint32_t>(m_.board.words);
    need(m_.zones.size() <= mostZones, "there are more than 64 zones");
    for (const Zone& zone : m_.zones) {
      const std::string what = "zone " + zone.name;
      range(zone.kind, m_.kinds.size(), what);
      body(zone.coverBody, 1, hexWords, BodyKind::pure, what);
      bodyOrNone(zone.unionBody, 1, hexWords, BodyKind::pure, what);
      bodyOrNone(zone.whyBody, 2, 1, BodyKind::explain, what);
    }
    need(m_.routes.size() <= mostCounters, "too many routes");
    for (std::uint32_t route = 0; route < m_.routes.size() && error_.empty(); ++route) ways(route, 0);
    if (!error_.empty()) return;
    for (const Route& route : m_.routes) {
      const std::string what = "route " + route.name;
      const std::uint32_t p = route.parameters;
      const BodyKind pure = BodyKind::pure, explain = BodyKind::explain;
      need(!route.hasMover || p >= 1, what + " has no mover");
      need(p <= 4096, what + " has too many parameters");
      need(route.hasMover || route.startBody != noBody, what + " begins nowhere");
      bodyOrNone(route.startBody, p, hexWords, pure, what);
      bodyOrNone(route.budgetBody, route.budgetReadsOrigin ? p + 1 : p, 1, pure, what);
      need(!route.budgetReadsOrigin || route.byNodes, what + ": one budget for several starts");
      bodyOrNone(route.lengthBody, p, 1, pure, what);
      bodyOrNone(route.minimumBody, p, 1, pure, what);
      bodyOrNone(route.forbidBody, p, 1, pure, what);
      bodyOrNone(route.forbidWhyBody, p, 1, explain, what);
      bodyOrNone(route.endForbidBody, p + 3, 1, pure, what);
      bodyOrNone(route.endWhyBody, p + 3, 1, explain, what);
      bodyOrNone(route.endBlockedSetBody, p + 1, hexWords, pure, what);
      bodyOrNone(route.goalBody, p + 3, 1, pure, what);
      bodyOrNone(route.goalSetBody, p + 1, hexWords, pure, what);
      if (route.setsBody != noBody && route.edges.size() == 1) {
        std::uint32_t words = route.budgetBody != noBody ? 1 : 0;
        for (const std::uint32_t id : {route.edges[0].blockedSetBody, route.edges[0].stopSetBody,
                                       route.endBlockedSetBody, route.goalSetBody})
          if (id != noBody) words += hexWords;
        body(route.setsBody, p + 1, words, pure, what);
      } else {
        need(route.setsBody == noBody, what + " has the sets of one item, but not one item");
      }
      bodyOrNone(route.endPreferBody, p + 3, route.endPreferCount, pure, what);
      need(!route.endIsSet || route.endBlockedSetBody != noBody || route.endForbidBody == noBody,
           what + ": its end is no set");
      need(!route.goalIsSet || route.goalSetBody != noBody || route.goalBody == noBody,
           what + ": its goal is no set");
      need(route.endPreferCount <= 4 && (route.endPreferCount == 0 || route.endPreferBody != noBody),
           what + " prefers too much");
      need(route.over.size() <= 16 && route.edges.size() <= mostEdgeItems,
           what + " has too many fields or items");
      need(route.facing >= -1 && route.facing < static_cast<std::int32_t>(route.over.size()),
           what + ": turns change no field of it");
      need(route.hasMover || (route.over.empty() && !route.overCameFrom),
           what + " has fields of a mover, but no mover");
      for (const std::uint16_t id : route.over) {
        if (!range(id, m_.columns.size(), what)) return;
        const Column& column = m_.columns[id];
        need(column.owner == Owner::counter && column.setWords == 0 && !column.constant,
             what + ": a node cannot have the field " + column.name);
      }
      if (!error_.empty()) return;
      for (const RouteEdge& edge : route.edges) {
        need(edge.kind != EdgeKind::entry, what + ": an item of no known kind");
        need(route.byNodes || (edge.kind == EdgeKind::step && edge.effectBody == noBody && !edge.endsSearch),
             what + ": an item that only a search of several fields can follow");
        need(edge.kind != EdgeKind::turn ||
                 (route.facing >= 0 &&
                  m_.columns[route.over[static_cast<std::size_t>(route.facing)]].type.kind ==
                      ValueKind::direction),
             what + ": it turns, but does not face");
        need(edge.kind == EdgeKind::step || edge.along < 0, what + ": only a step follows a path");
        need(edge.effectBody == noBody || route.hasMover, what + ": an effect on no mover");
        if (edge.effectBody != noBody) body(edge.effectBody, p + 4, 0, BodyKind::effect, what);
        bodyOrNone(edge.effectPlay, p + 4, 0, BodyKind::procedure, what);
        need((edge.choicesBody == noBody) == (edge.choice.kind == ValueKind::nothing) &&
                 (edge.choicesBody == noBody || edge.kind == EdgeKind::action),
             what + ": only an action has a choice");
        if (edge.choicesBody != noBody && range(edge.choiceDomain, m_.domains.size(), what)) {
          body(edge.choicesBody, p + 2, setWordsOf(m_, edge.choiceDomain), pure, what);
          need(edge.choiceDomain != domainPaths, what + ": an action to a path");
        }
        bodyOrNone(edge.forbidBody, p + 4, 1, pure, what);
        bodyOrNone(edge.restForbidBody, p + 4, 1, pure, what);
        bodyOrNone(edge.costBody, p + 4, 1, pure, what);
        bodyOrNone(edge.stopBody, p + 4, 1, pure, what);
        bodyOrNone(edge.preferBody, p + 4, edge.preferCount, pure, what);
        bodyOrNone(edge.whyBody, p + 4, 1, explain, what);
        bodyOrNone(edge.stopWhyBody, p + 4, 1, explain, what);
        bodyOrNone(edge.blockedSetBody, p + 1, hexWords, pure, what);
        bodyOrNone(edge.stopSetBody, p + 1, hexWords, pure, what);
        need(edge.preferCount <= 4 && (edge.preferCount == 0 || edge.preferBody != noBody),
             what + " prefers too much");
        need(denominatorOf(edge.fixedCost) > 0 && numeratorOf(edge.fixedCost) >= 0,
             what + ": a cost below 0");
        if (edge.along >= 0) {
          need(edge.along <= 9, what + ": there is no such path");
          if (range(edge.alongColumn, m_.columns.size(), what)) {
            const Column& column = m_.columns[edge.alongColumn];
            need(column.owner == Owner::hex && column.setWords == 0, what + ": a column of other things");
          }
        }
      }
      for (const AlsoWay& way : route.also) {
        if (!range(way.route, m_.routes.size(), what)) return;
        const Route& other = m_.routes[way.route];
        if (way.argumentsBody != noBody)
          body(way.argumentsBody, p, other.parameters, pure, what);
        else
          need(other.parameters == p, what + ": a way of other parameters");
        need(other.hasMover == route.hasMover, what + ": a way of other parameters");
      }
      mark(route.budgetMarks, what);
      for (const EdgeHooks& hooks : route.hooks)
        for (const std::uint32_t hook : {hooks.before, hooks.after})
          bodyOrNone(hook, p + 4, 1, BodyKind::procedure, what);
    }
  }

  void decisions() {
    if (!need(m_.decisionBody.size() == m_.decisions.size() && m_.decisions.size() <= 65000,
              "not every decision has its body"))
      return;
    for (std::size_t i = 0; i < m_.decisions.size(); ++i) {
      const Decision& d = m_.decisions[i];
      const std::string what = "decision " + std::to_string(i);
      if (!range(m_.decisionBody[i], m_.bodies.size(), what)) return;
      const std::uint32_t frame = m_.bodies[m_.decisionBody[i]].registers;
      const auto reg = [&](std::uint32_t first, std::uint32_t words = 1) {
        need(first + words <= frame, what + ": a register outside the frame");
      };
      const auto why = [&](std::int32_t route, std::uint32_t args) {
        if (route >= 0 && range(route, m_.routes.size(), what))
          reg(args, m_.routes[static_cast<std::size_t>(route)].parameters);
      };
      need(static_cast<std::uint8_t>(d.kind) <= static_cast<std::uint8_t>(ChoiceKind::allotment),
           what + " is of no kind");
      need(d.alternatives.size() <= 31, what + " has too many alternatives");
      reg(d.owner);
      reg(d.answer);
      if (!d.alternatives.empty()) reg(d.open);
      const bool subset = d.kind == ChoiceKind::subset, allotment = d.kind == ChoiceKind::allotment;
      if (d.kind != ChoiceKind::menu) {
        if (!range(d.domain, m_.domains.size(), what)) return;
        const std::uint32_t words = setWordsOf(m_, d.domain);
        reg(d.set, words);
        if (d.kind == ChoiceKind::one || d.why != noFragment) reg(d.chosen);
        const std::uint32_t block = subset ? words : allotmentWords(m_.domains[d.domain].size);
        if (subset || allotment) {
          reg(d.chosenSet, block);
          reg(d.least, subset ? 1 : block);
          reg(d.most, subset ? 1 : block);
          reg(d.verdict);
        }
      }
      const bool whole = subset || allotment;
      need(whole || (d.provided == noFragment && d.sums.empty() && d.tests.empty() && d.prefers.empty()),
           what + ": only a whole answer is tested");
      need(d.sums.size() <= 64 && d.tests.size() <= 64 && d.prefers.size() <= 64 &&
               d.providedTests <= d.tests.size(),
           what + " has too many tests");
      for (const AnswerSum& sum : d.sums) {
        reg(sum.element);
        reg(sum.figure);
        need(sum.gives != noFragment, what + ": a sum of nothing");
      }
      for (const AnswerTest& test : d.tests) {
        range(test.sum, d.sums.size(), what + ": a test");
        need(test.compare <= AnswerTest::Compare::unequal, what + ": a test of no kind");
        reg(test.bound);
      }
      for (const AnswerPrefer& prefer : d.prefers) {
        reg(prefer.figure);
        reg(prefer.best);
        need(prefer.rank != noFragment, what + ": a rank of nothing");
        need(prefer.by <= AnswerPrefer::By::test, what + ": a rank of no kind");
        if (prefer.by == AnswerPrefer::By::tries)
          need(!d.exact, what + " is not exact");
        else
          range(prefer.sum, prefer.by == AnswerPrefer::By::test ? d.tests.size() : d.sums.size(),
                what + ": a rank");
      }
      why(d.whyRoute, d.whyArgs);
      for (const Alternative& alternative : d.alternatives) {
        mark(alternative.marks, what);
        if (!alternative.picks) continue;
        if (!range(alternative.domain, m_.domains.size(), what)) return;
        reg(alternative.set, setWordsOf(m_, alternative.domain));
        reg(alternative.chosen);
        why(alternative.whyRoute, alternative.whyArgs);
      }
      need((d.kind == ChoiceKind::one && d.domain == domainPaths) == (d.paths >= 0) &&
               (d.paths < 0 || static_cast<std::uint64_t>(d.paths) + pathListWords <= frame),
           what + ": a place in no list of paths");
      mark(d.marks, what);
    }
  }

  // Fragments of decisions are looked at when the code of their bodies has been.
  void fragments() {
    for (std::size_t i = 0; i < m_.decisions.size(); ++i) {
      const Decision& d = m_.decisions[i];
      auto fragment = [&](std::int32_t pc) {
        if (pc == noFragment || !error_.empty()) return;
        if (const auto wrong = verifyFragment(m_, m_.decisionBody[i], pc))
          error_ = "decision " + std::to_string(i) + ": " + *wrong;
      };
      fragment(d.provided);
      fragment(d.prompt);
      fragment(d.why);
      for (const AnswerSum& sum : d.sums) fragment(sum.gives);
      for (const AnswerPrefer& prefer : d.prefers) fragment(prefer.rank);
      for (const Alternative& alternative : d.alternatives) {
        fragment(alternative.label);
        fragment(alternative.why);
      }
    }
  }

  void rest() {
    need(m_.victory.size() <= 10000, "too many clauses of victory");
    for (const VictoryClause& clause : m_.victory) {
      const std::string what = "victory";
      need(static_cast<std::uint8_t>(clause.when) <= 2 && static_cast<std::uint8_t>(clause.winner) <= 2,
           what + ": a clause of no known kind");
      const std::uint32_t sides = clause.winner == VictoryClause::Winner::anySide ? 1 : 0;
      bodyOrNone(clause.conditionBody, sides, 1, BodyKind::pure, what);
      if (clause.winner == VictoryClause::Winner::side) body(clause.winnerBody, 0, 1, BodyKind::pure, what);
      if (clause.textBody != noBody && range(clause.textBody, m_.bodies.size(), what))
        body(clause.textBody, sides, m_.bodies[clause.textBody].resultWords, BodyKind::explain, what);
      mark(clause.marks, what);
    }
    for (const Hidden& hidden : m_.hidden) {
      range(hidden.kind, m_.kinds.size(), "hidden");
      bodyOrNone(hidden.conditionBody, 1, 1, BodyKind::pure, "hidden");
      bodyOrNone(hidden.fromBody, 1, 1, BodyKind::pure, "hidden");
      for (const std::uint16_t column : hidden.shownColumns) range(column, m_.columns.size(), "hidden");
      mark(hidden.marks, "hidden");
    }
    for (const NamedBody& named : m_.named) {
      const std::string what = "name " + named.name;
      using What = NamedBody::What;
      const std::size_t count = named.what == What::route   ? m_.routes.size()
                                : named.what == What::zone  ? m_.zones.size()
                                : named.what == What::table ? m_.tables.size()
                                                            : m_.bodies.size();
      if (named.body != noBody) range(named.body, count, what);
      if (named.explainBody != noBody) range(named.explainBody, m_.bodies.size(), what);
    }
    for (const std::uint32_t id : {m_.setupBody, m_.sequenceBody, m_.settleBody})
      if (id != noBody) body(id, 0, 0, BodyKind::procedure, "the sequence");
    need(m_.hoursOfClock == 24 || m_.hoursOfClock == 12, "a clock of other hours");
    bodyOrNone(m_.interestBody, 1, 1, BodyKind::pure, "interest");
    need(m_.seeBody >= -1 && m_.seeBody < static_cast<std::int64_t>(m_.bodies.size()),
         "there is no body see");
    if (!error_.empty()) return;
    for (const PhaseEntry& entry : m_.entries) {
      if (!need(m_.sequenceBody != noBody && entry.pc < m_.bodies[m_.sequenceBody].code.size(),
                "an entry outside the sequence"))
        return;
    }
  }

  const Module& m_;
  std::string error_;
};

} // namespace

std::optional<std::string> verifyModule(const Module& module) {
  return ModuleVerifier(module).run();
}

} // namespace hellwig
