// SPDX-License-Identifier: Apache-2.0
// Writing and reading .hlm. Each part of a module lists its fields once, for both directions.
#include "runtime/module_io.h"

#include <concepts>
#include <type_traits>

namespace hellwig {

namespace {

constexpr std::uint8_t magic[4] = {'H', 'L', 'M', '\n'};
constexpr std::uint32_t fileVersion = 2;

std::uint64_t fnv(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < count; ++i) h = (h ^ bytes[i]) * 0x100000001b3U;
  return h;
}

class Writer {
public:
  static constexpr bool reading = false;
  std::vector<std::uint8_t> out;

  template<std::integral T> void number(const T& v) {
    const auto u = static_cast<std::uint64_t>(v);
    for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<std::uint8_t>(u >> (8 * i)));
  }
  void text(const std::string& s) {
    number(static_cast<std::uint32_t>(s.size()));
    out.insert(out.end(), s.begin(), s.end());
  }
  template<class T, class Each> void list(const std::vector<T>& v, std::size_t, Each&& each) {
    number(static_cast<std::uint32_t>(v.size()));
    // Fields are listed for both directions, so they take what they could write to.
    for (const T& x : v) each(const_cast<T&>(x));
  }
  void wrong() {}
};

/// Writes down what would be written: "u16 str [u8 bool]".
class Describer {
public:
  static constexpr bool reading = false;
  std::string out;

  template<std::integral T> void number(const T&) {
    if constexpr (std::same_as<T, bool>)
      word("bool");
    else
      word((std::signed_integral<T> ? "i" : "u") + std::to_string(8 * sizeof(T)));
  }
  void text(const std::string&) { word("str"); }
  template<class T, class Each> void list(const std::vector<T>&, std::size_t, Each&& each) {
    std::string before = std::move(out);
    out.clear();
    T one{};
    each(one);
    const std::string inner = std::move(out);
    out = std::move(before);
    word("[" + inner + "]");
  }
  void wrong() {}

private:
  void word(const std::string& w) { out += (out.empty() ? "" : " ") + w; }
};

class Reader {
public:
  static constexpr bool reading = true;
  Reader(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) {}

  bool failed() const { return failed_; }
  bool atEnd() const { return at_ == end_; }
  void wrong() { failed_ = true; }

  template<std::integral T> void number(T& v) {
    if (left() < sizeof(T)) {
      failed_ = true;
      v = 0;
      return;
    }
    std::uint64_t u = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) u |= static_cast<std::uint64_t>(at_[i]) << (8 * i);
    at_ += sizeof(T);
    if constexpr (std::same_as<T, bool>) {
      if (u > 1) failed_ = true;
      v = u == 1;
    } else {
      v = static_cast<T>(u);
    }
  }
  void text(std::string& s) {
    std::uint32_t count = 0;
    number(count);
    if (failed_ || left() < count) {
      failed_ = true;
      return;
    }
    s.assign(reinterpret_cast<const char*>(at_), count);
    at_ += count;
  }
  /// `least` is the number of bytes that an element takes at least. Elements are read one by one, so that a
  /// count that lies costs nothing.
  template<class T, class Each> void list(std::vector<T>& v, std::size_t least, Each&& each) {
    std::uint32_t count = 0;
    number(count);
    if (failed_ || left() / least < count) {
      failed_ = true;
      return;
    }
    v.clear();
    for (std::uint32_t i = 0; i < count && !failed_; ++i) {
      v.emplace_back();
      each(v.back());
    }
  }

private:
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool failed_ = false;
};

template<class A> void io(A& a, std::string& s) {
  a.text(s);
}
template<class A, std::integral T> void io(A& a, T& v) {
  a.number(v);
}
template<class A, std::integral T> void io(A& a, std::vector<T>& v) {
  a.list(v, sizeof(T), [&a](T& x) { a.number(x); });
}
template<class A> void io(A& a, std::vector<std::string>& v) {
  a.list(v, 4, [&a](std::string& s) { a.text(s); });
}
/// An enumeration whose last value is `last`.
template<class A, class E> void choice(A& a, E& e, E last) {
  auto v = static_cast<std::underlying_type_t<E>>(e);
  a.number(v);
  if constexpr (A::reading) {
    if (v > static_cast<std::underlying_type_t<E>>(last)) {
      a.wrong();
      v = 0;
    }
    e = static_cast<E>(v);
  }
}
template<class A, class... Fields> void all(A& a, Fields&... fields) {
  (io(a, fields), ...);
}
/// A list of structs whose fields are listed below; each takes at least four bytes.
template<class A, class T> void structs(A& a, std::vector<T>& v) {
  a.list(v, 4, [&a](T& x) { fields(a, x); });
}

template<class A> void fields(A& a, ValueType& v) {
  choice(a, v.kind, ValueKind::record);
  all(a, v.id, v.isSet, v.optional);
}
template<class A> void fields(A& a, SheetSpec& v) {
  all(a, v.name, v.prefix, v.columns, v.rows, v.firstColumn, v.firstRow, v.countedEastToWest,
      v.countedSouthToNorth);
}
template<class A> void fields(A& a, JoinSpec& v) {
  all(a, v.first, v.second);
  choice(a, v.firstEdge, Compass::west);
  choice(a, v.secondEdge, Compass::west);
}
template<class A> void fields(A& a, BoardSpec& v) {
  choice(a, v.shape, GridShape::flat);
  choice(a, v.pushedParity, Parity::odd);
  choice(a, v.push, Push::down);
  choice(a, v.numbering, Numbering::rowColumn);
  io(a, v.digits);
  structs(a, v.sheets);
  structs(a, v.joins);
}
template<class A> void fields(A& a, Domain& v) {
  fields(a, v.element);
  io(a, v.size);
}
template<class A> void fields(A& a, EnumInfo& v) {
  all(a, v.name, v.values, v.names);
}
template<class A> void fields(A& a, SideInfo& v) {
  all(a, v.name, v.display);
}
template<class A> void fields(A& a, BoxInfo& v) {
  all(a, v.name, v.display);
}
template<class A> void fields(A& a, AreaInfo& v) {
  all(a, v.name, v.label, v.hexes);
}
template<class A> void fields(A& a, PhaseInfo& v) {
  all(a, v.name, v.marks);
}
template<class A> void fields(A& a, KindInfo& v) {
  all(a, v.name, v.plural, v.base, v.members);
}
template<class A> void fields(A& a, GroupKindInfo& v) {
  all(a, v.name, v.plural, v.members, v.counterColumn, v.groupColumn);
}
template<class A> void fields(A& a, GroupInfo& v) {
  all(a, v.name, v.display, v.side, v.kind);
}
template<class A> void fields(A& a, RecordField& v) {
  io(a, v.name);
  fields(a, v.type);
}
template<class A> void fields(A& a, RecordInfo& v) {
  io(a, v.name);
  structs(a, v.fields);
}
template<class A> void fields(A& a, CounterInfo& v) {
  all(a, v.name, v.display, v.side, v.kind, v.startHex, v.startBox, v.copiesOf);
}
template<class A> void fields(A& a, MarkSet& v) {
  all(a, v.rules, v.reconstructed);
}
template<class A> void fields(A& a, RuleInfo& v) {
  all(a, v.id, v.title, v.printedUnder, v.note);
}
template<class A> void fields(A& a, Column& v) {
  io(a, v.name);
  choice(a, v.owner, Owner::enumeration);
  io(a, v.ownerId);
  fields(a, v.type);
  all(a, v.constant, v.bytes, v.planes);
  choice(a, v.resets, SpanKind::never);
  all(a, v.setWords, v.initial, v.defaultValue);
}
template<class A> void fields(A& a, Global& v) {
  io(a, v.name);
  fields(a, v.type);
  io(a, v.words);
  choice(a, v.resets, SpanKind::never);
  io(a, v.initial);
}
template<class A> void fields(A& a, Instruction& v) {
  auto op = static_cast<std::uint16_t>(v.op);
  all(a, op, v.a, v.b, v.c, v.d, v.e);
  v.op = static_cast<Op>(op);
}
template<class A> void fields(A& a, SourcePlace& v) {
  all(a, v.file, v.line);
}
template<class A> void fields(A& a, Body& v) {
  io(a, v.name);
  choice(a, v.kind, BodyKind::effect);
  all(a, v.parameters, v.registers, v.resultWords);
  fields(a, v.place);
  structs(a, v.parameterTypes);
  structs(a, v.code);
  io(a, v.lines);
  io(a, v.citing);
}
template<class A> void fields(A& a, TableAxis::Key& v) {
  all(a, v.low, v.high, v.index);
}
template<class A> void fields(A& a, TableAxis& v) {
  io(a, v.scale);
  choice(a, v.rounding, Rounding::near);
  all(a, v.clampBelow, v.clampAbove);
  structs(a, v.keys);
  all(a, v.positions, v.anyOther);
}
template<class A> void fields(A& a, Table& v) {
  io(a, v.name);
  structs(a, v.axes);
  all(a, v.resultWords, v.cells, v.filled, v.marks, v.tableMarks, v.hasOtherwise, v.otherwise);
  fields(a, v.result);
}
template<class A> void fields(A& a, ArcsPart& v) {
  all(a, v.way, v.aspect);
}
template<class A> void fields(A& a, ArcsShape& v) {
  choice(a, v.faces, Faces::nothing);
  structs(a, v.parts);
}
template<class A> void fields(A& a, Arcs& v) {
  all(a, v.kind, v.shapeType, v.aspectType, v.facingColumn, v.shapeBody);
  structs(a, v.shapes);
  all(a, v.columns, v.globals, v.onPlaces, v.ofOthers);
}
template<class A> void fields(A& a, Zone& v) {
  all(a, v.name, v.kind, v.coverBody, v.unionBody, v.whyBody, v.watches, v.ownOnly);
}
template<class A> void fields(A& a, RouteEdge& v) {
  choice(a, v.kind, EdgeKind::entry);
  io(a, v.name);
  all(a, v.forbidBody, v.costBody, v.stopBody, v.preferBody, v.preferCount, v.fixedCost, v.whyBody,
      v.stopWhyBody, v.effectBody, v.effectPlay, v.endsSearch, v.choicesBody);
  fields(a, v.choice);
  all(a, v.choiceDomain, v.blockedSetBody, v.stopSetBody, v.restForbidBody, v.stopIsSet, v.forbidIsSet,
      v.costIsStatic, v.forbidIsStatic, v.stopIsStatic, v.along, v.alongColumn);
}
template<class A> void fields(A& a, AlsoWay& v) {
  all(a, v.route, v.argumentsBody);
}
template<class A> void fields(A& a, Route& v) {
  all(a, v.name, v.hasMover, v.byNodes, v.over, v.overCameFrom, v.facing, v.budgetReadsOrigin, v.readsMover,
      v.readsOrigin, v.parameters, v.startBody, v.budgetBody, v.lengthBody, v.minimumBody, v.forbidBody,
      v.forbidWhyBody);
  structs(a, v.edges);
  all(a, v.endForbidBody, v.endWhyBody, v.endBlockedSetBody, v.endIsSet, v.goalBody, v.goalSetBody,
      v.goalIsSet, v.setsBody, v.endPreferBody, v.endPreferCount);
  structs(a, v.also);
  io(a, v.budgetMarks);
  for (EdgeHooks& hooks : v.hooks) all(a, hooks.before, hooks.after);
}
template<class A> void fields(A& a, Alternative& v) {
  all(a, v.label, v.pass, v.marks, v.name, v.picks, v.binds, v.domain, v.set, v.chosen, v.why, v.whyRoute,
      v.whyArgs);
}
template<class A> void fields(A& a, AnswerSum& v) {
  all(a, v.gives, v.element, v.figure, v.fraction);
}
template<class A> void fields(A& a, AnswerTest& v) {
  io(a, v.sum);
  choice(a, v.compare, AnswerTest::Compare::unequal);
  io(a, v.bound);
}
template<class A> void fields(A& a, AnswerPrefer& v) {
  all(a, v.rank, v.figure, v.best);
  choice(a, v.by, AnswerPrefer::By::test);
  io(a, v.sum);
}
template<class A> void fields(A& a, Decision& v) {
  io(a, v.binds);
  choice(a, v.kind, ChoiceKind::allotment);
  all(a, v.domain, v.owner, v.set, v.open, v.least, v.most, v.answer, v.chosen, v.chosenSet, v.provided,
      v.verdict);
  structs(a, v.sums);
  structs(a, v.tests);
  all(a, v.providedTests, v.exact);
  structs(a, v.prefers);
  io(a, v.mayBeNothing);
  structs(a, v.alternatives);
  all(a, v.prompt, v.marks, v.why, v.whyRoute, v.whyArgs, v.paths);
  fields(a, v.place);
}
template<class A> void fields(A& a, VictoryClause& v) {
  choice(a, v.when, VictoryWhen::atEnd);
  choice(a, v.winner, VictoryClause::Winner::draw);
  all(a, v.conditionBody, v.winnerBody, v.textBody, v.watches, v.marks);
}
template<class A> void fields(A& a, Hidden& v) {
  all(a, v.kind, v.conditionBody, v.fromBody, v.shownColumns, v.showsHex, v.showsSide, v.marks);
}
template<class A> void fields(A& a, NamedBody& v) {
  choice(a, v.what, NamedBody::What::table);
  io(a, v.name);
  structs(a, v.parameterTypes);
  all(a, v.body, v.explainBody);
  fields(a, v.result);
}
template<class A> void fields(A& a, PhaseEntry& v) {
  choice(a, v.span, SpanKind::never);
  all(a, v.phase, v.pc);
}
template<class A> void fields(A& a, Module::StaticSet& v) {
  all(a, v.domain, v.body);
}
template<class A> void fields(A& a, LookProperty& v) {
  all(a, v.subject, v.name, v.property, v.value);
}
template<class A> void fields(A& a, MapLabel& v) {
  all(a, v.text, v.hexes);
}

template<class A> void fields(A& a, Module& v) {
  all(a, v.formatVersion, v.title, v.designer, v.packageHash, v.scenario, v.options, v.mods, v.files,
      v.strings);
  fields(a, v.board.spec);
  io(a, v.board.inPlay);
  structs(a, v.sides);
  structs(a, v.enums);
  structs(a, v.boxes);
  structs(a, v.areas);
  structs(a, v.kinds);
  structs(a, v.counters);
  structs(a, v.groupKinds);
  structs(a, v.groups);
  structs(a, v.records);
  structs(a, v.phases);
  structs(a, v.domains);
  structs(a, v.rules);
  structs(a, v.marks);
  structs(a, v.columns);
  structs(a, v.globals);
  io(a, v.constants);
  structs(a, v.types);
  structs(a, v.bodies);
  structs(a, v.tables);
  structs(a, v.arcs);
  structs(a, v.zones);
  structs(a, v.routes);
  structs(a, v.decisions);
  io(a, v.decisionBody);
  structs(a, v.staticSets);
  structs(a, v.victory);
  structs(a, v.hidden);
  structs(a, v.named);
  all(a, v.columnWatch, v.globalWatch, v.setupBody, v.sequenceBody, v.settleBody, v.hoursOfClock,
      v.interestBody, v.seeBody, v.terrainColumn);
  structs(a, v.entries);
  all(a, v.pathColumns, v.hexsideColumns, v.featureColumns);
  structs(a, v.look);
  structs(a, v.labels);
}

} // namespace

std::vector<std::uint8_t> writeModule(const Module& module) {
  Writer body;
  fields(body, const_cast<Module&>(module)); // the writer only reads
  Writer file;
  file.out.assign(std::begin(magic), std::end(magic));
  file.number(fileVersion);
  file.number(static_cast<std::uint64_t>(body.out.size()));
  file.out.insert(file.out.end(), body.out.begin(), body.out.end());
  file.number(fnv(file.out.data(), file.out.size()));
  return std::move(file.out);
}

std::string moduleLayout() {
  Describer describer;
  Module module;
  fields(describer, module);
  return describer.out;
}

std::variant<Module, std::string> readModule(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t head = 16, tail = 8;
  if (bytes.size() < head + tail || !std::equal(std::begin(magic), std::end(magic), bytes.data()))
    return std::string("this is no compiled module");
  Reader header(bytes.data() + 4, bytes.data() + head);
  std::uint32_t version = 0;
  std::uint64_t length = 0, sum = 0;
  all(header, version, length);
  if (version != fileVersion) return "the module is of format " + std::to_string(version);
  if (length != bytes.size() - head - tail) return std::string("the module is cut off");
  const std::uint8_t* end = bytes.data() + bytes.size() - tail;
  Reader trailer(end, end + tail);
  io(trailer, sum);
  if (sum != fnv(bytes.data(), bytes.size() - tail)) return std::string("the module is damaged");
  Module module;
  Reader reader(bytes.data() + head, end);
  fields(reader, module);
  if (reader.failed() || !reader.atEnd()) return std::string("the module cannot be read");
  const BoardSpec spec = module.board.spec;
  const std::vector<SetWord> inPlay = module.board.inPlay;
  const std::string wrong = buildBoard(spec, module.board);
  if (!wrong.empty()) return "the map: " + wrong;
  if (inPlay.size() != module.board.inPlay.size()) return std::string("the map has other hexes in play");
  restrictToPlay(module.board, inPlay.data());
  return module;
}

} // namespace hellwig
