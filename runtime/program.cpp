// SPDX-License-Identifier: Apache-2.0
// Makes a verified module ready to run: the layout of its image, packed constants, static sets.
#include "runtime/program.h"

#include "runtime/cost_reach.h"
#include "runtime/flood_query.h"
#include "runtime/fuse.h"
#include "runtime/machine_core.h"
#include "runtime/verify.h"

#include <algorithm>

namespace hellwig {

class ProgramLoader {
public:
  static std::variant<std::shared_ptr<const Program>, std::string> load(Module module) {
    if (auto wrong = verifyModule(module)) return *wrong;
    auto program = std::make_shared<Program>();
    ProgramLoader loader(*program);
    // The tables of the board are taken from its description, so that nothing rests on what a file says of
    // them.
    std::vector<SetWord> inPlay = module.board.inPlay;
    const BoardSpec spec = module.board.spec;
    program->module_ = std::move(module);
    buildBoard(spec, program->module_.board);
    restrictToPlay(program->module_.board, inPlay.data());
    loader.measure();
    loader.access();
    if (!loader.layOut()) return std::string("the image would be larger than 256 MiB");
    loader.fill();
    for (const Table& table : program->module_.tables) program->tables_.emplace_back(table);
    program->stepCosts_ = std::make_unique<StepCostTables>(program->module_);
    loader.known();
    loader.staticSets();
    loader.firstPoses();
    return std::shared_ptr<const Program>(program);
  }

private:
  explicit ProgramLoader(Program& program) : p_(program) {}

  void measure() {
    const Module& m = p_.module_;
    p_.counterWords_ = static_cast<std::uint32_t>((m.counters.size() + 63) / 64);
    p_.hexWords_ = static_cast<std::uint32_t>(m.board.words);
    p_.pathShape_ = hellwig::pathShape(m);
    p_.travelShape_ = hellwig::travelShape(m);
    p_.hexsideWords_ = static_cast<std::uint32_t>((m.board.hexsides + 63) / 64);
    p_.counterZones_.assign(m.counters.size(), 0);
    p_.sideCounters_.assign(2 * p_.counterWords_, 0);
    for (std::uint32_t u = 0; u < m.counters.size(); ++u) {
      p_.counterSide_.push_back(m.counters[u].side);
      setBit(p_.sideCounters_.data() + m.counters[u].side * p_.counterWords_, static_cast<int>(u));
      for (std::size_t z = 0; z < m.zones.size(); ++z)
        if (hasBit(m.kinds[m.zones[z].kind].members.data(), static_cast<int>(u)))
          p_.counterZones_[u] |= std::uint64_t{1} << z;
    }
    for (std::size_t z = 0; z < m.zones.size(); ++z)
      if (!m.zones[z].ownOnly && (m.zones[z].watches & Module::placeWatch) != 0)
        p_.zonesOnPlaces_ |= std::uint64_t{1} << z;
    p_.poses_.build(m);
    for (std::size_t i = 0; i < m.columns.size(); ++i)
      if (m.columns[i].owner == Owner::side && m.columns[i].name == "conceded" && !m.columns[i].constant &&
          m.columns[i].setWords == 0)
        p_.concededColumn_ = static_cast<std::int32_t>(i);
  }

  void access() {
    const Module& m = p_.module_;
    std::vector<BodyNeeds> needs;
    computeNeeds(m, needs);
    BodyNeeds most;
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
      const Body& body = m.bodies[i];
      p_.code_.push_back(fuse(m, body.code));
      p_.bodies_.push_back({p_.code_.back().data(), body.registers, body.parameters, body.resultWords,
                            body.kind == BodyKind::procedure, needs[i].words, needs[i].depth});
      most.words = std::max(most.words, needs[i].words);
      most.depth = std::max(most.depth, needs[i].depth);
    }
    // Room for the play itself, a fragment in a copy of a frame, and the same again for what a host runs
    // aside.
    p_.layout_.maxFrameWords = 4 * most.words + 64;
    p_.layout_.maxDepth = 4 * most.depth + 8;
  }

  bool layOut() {
    const Module& m = p_.module_;
    ImageLayout& l = p_.layout_;
    std::uint64_t end = headerWords, constantEnd = 0;
    auto take = [](std::uint64_t& from, std::uint64_t words) {
      const std::uint64_t at = from;
      from += words;
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(at, UINT32_MAX));
    };
    l.globals = headerWords;
    for (std::size_t g = 0; g < m.globals.size(); ++g) {
      GlobalAccess access;
      access.words = m.globals[g].words;
      access.offset = take(end, access.words);
      access.watch = m.globalWatch[g];
      for (std::size_t z = 0; z < m.zones.size(); ++z)
        if ((m.zones[z].watches & access.watch) != 0) access.zonesAll |= std::uint64_t{1} << z;
      access.poses = p_.poses_.readsGlobal(g);
      l.globalOffset.push_back(access.offset - l.globals);
      p_.globals_.push_back(access);
    }
    for (std::size_t i = 0; i < m.columns.size(); ++i) {
      const Column& column = m.columns[i];
      ColumnAccess access;
      access.setWords = column.setWords;
      access.bytes = column.bytes;
      access.planes = column.planes;
      access.constant = column.constant;
      access.ofCounters = column.owner == Owner::counter;
      access.poses = p_.poses_.readsColumn(i);
      access.count =
          static_cast<std::uint32_t>(column.initial.size() / std::max<std::size_t>(1, column.setWords));
      if (!column.constant) {
        access.watch = m.columnWatch[i];
        for (std::size_t z = 0; z < m.zones.size(); ++z)
          if ((m.zones[z].watches & access.watch) != 0)
            (m.zones[z].ownOnly ? access.zonesOwn : access.zonesAll) |= std::uint64_t{1} << z;
      }
      std::uint64_t& to = column.constant ? constantEnd : end;
      access.offset =
          take(to, column.setWords != 0 ? column.initial.size() : (access.count * column.bytes + 7U) / 8);
      access.planeOffset = take(to, std::uint64_t{column.planes} * ((access.count + 63) / 64));
      l.column.push_back(access.offset);
      l.plane.push_back(access.planeOffset);
      p_.columns_.push_back(access);
    }
    for (const GroupKindInfo& kind : m.groupKinds)
      p_.columns_[kind.counterColumn].membership = p_.columns_[kind.groupColumn].membership = true;
    const std::uint64_t counters = m.counters.size();
    l.hexOf = take(end, counters / 4 + 1);
    l.boxOf = take(end, counters / 4 + 1);
    l.nextInStack = take(end, counters / 4 + 1);
    l.cameFrom = take(end, counters / 4 + 1);
    l.arrival = take(end, counters / 2 + 1);
    l.stackTop = take(end, static_cast<std::uint64_t>(m.board.n) / 4 + 1);
    l.onMap = take(end, p_.counterWords_);
    l.boxPlane = take(end, m.boxes.size() * p_.counterWords_);
    l.victoryTruth = take(end, m.victory.size());
    l.hiddenBefore = take(end, m.hidden.empty() ? 0 : 2 * p_.counterWords_);
    l.unsettled = take(end, m.settleBody == noBody ? 0 : p_.hexWords_);
    l.authoritativeEnd = take(end, 0);
    l.zoneUnion = take(end, m.zones.size() * 2 * p_.hexWords_);
    l.sideHexes = take(end, std::uint64_t{2} * p_.hexWords_);
    if (p_.poses_.any()) {
      l.pose = take(end, counters / 4 + 1);
      l.wide = take(end, p_.counterWords_);
      l.spread = take(end, p_.hexWords_);
    }
    l.zoneStale = take(end, 2);
    l.victoryDirty = take(end, 1);
    l.calls = take(end, std::uint64_t{2} * l.maxDepth);
    l.frames = take(end, l.maxFrameWords);
    l.total = take(end, 0);
    p_.constants_.assign(constantEnd, 0);
    return end <= mostImageWords;
  }

  void fill() {
    const Module& m = p_.module_;
    const ImageLayout& l = p_.layout_;
    p_.initialImage_.assign(l.calls, 0);
    std::uint64_t* words = p_.initialImage_.data();
    Image image(p_, words);
    std::uint64_t magic = 0xcbf29ce484222325U;
    for (const std::uint64_t part : {std::uint64_t{l.total}, std::uint64_t{l.authoritativeEnd},
                                     std::uint64_t{m.bodies.size()}, std::uint64_t{m.counters.size()},
                                     std::uint64_t{m.strings.size()}, std::uint64_t{m.constants.size()}})
      magic = (magic ^ part) * 0x100000001b3U;
    for (const std::string* text : {&m.packageHash, &m.scenario, &m.title})
      for (const char c : *text) magic = (magic ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    words[headerMagic] = magic;
    for (std::size_t g = 0; g < m.globals.size(); ++g)
      std::copy(m.globals[g].initial.begin(), m.globals[g].initial.end(),
                reinterpret_cast<Word*>(words) + p_.globals_[g].offset);
    for (std::size_t i = 0; i < m.columns.size(); ++i) {
      const Column& column = m.columns[i];
      const ColumnAccess& access = p_.columns_[i];
      std::uint64_t* base = access.constant ? p_.constants_.data() : words;
      if (access.setWords != 0) {
        std::copy(column.initial.begin(), column.initial.end(),
                  reinterpret_cast<Word*>(base) + access.offset);
        continue;
      }
      for (std::uint32_t thing = 0; thing < access.count; ++thing) {
        const Word value = column.initial[thing];
        Image::store(base + access.offset, access.bytes, thing, value);
        if (static_cast<std::uint64_t>(value) < access.planes)
          setBit(base + access.planeOffset + static_cast<std::size_t>(value) * ((access.count + 63) / 64),
                 static_cast<int>(thing));
      }
    }
    for (std::uint32_t u = 0; u < m.counters.size(); ++u) {
      image.pokeHex(u, -1);
      image.array<std::int16_t>(l.boxOf)[u] = -1;
      image.array<std::int16_t>(l.nextInStack)[u] = -1;
      image.setCameFrom(u, -1);
      if (image.hasPoses()) image.array<std::int16_t>(l.pose)[u] = noPose;
    }
    std::fill_n(image.array<std::int16_t>(l.stackTop), m.board.n, std::int16_t{-1});
    for (std::uint32_t u = 0; u < m.counters.size(); ++u) {
      if (m.counters[u].startHex >= 0)
        image.moveToHex(u, static_cast<std::uint32_t>(m.counters[u].startHex));
      else if (m.counters[u].startBox >= 0)
        image.moveToBox(u, m.counters[u].startBox);
    }
    image.forgetDerived();
  }

  // What would be found anew at every use.
  void known() {
    const Module& m = p_.module_;
    for (const Route& route : m.routes) p_.floods_.push_back(floods(route));
    for (std::size_t i = 0; i < m.columns.size(); ++i)
      if (!m.columns[i].constant)
        p_.resetColumns_[static_cast<std::size_t>(m.columns[i].resets)].push_back(
            static_cast<std::uint16_t>(i));
    for (std::size_t g = 0; g < m.globals.size(); ++g)
      p_.resetGlobals_[static_cast<std::size_t>(m.globals[g].resets)].push_back(
          static_cast<std::uint16_t>(g));
  }

  // A static set depends on constants alone; its body is run on the image before anything has happened.
  void staticSets() {
    const Module& m = p_.module_;
    for (const Module::StaticSet& set : m.staticSets)
      p_.staticSets_.emplace_back(setWordsOf(m, set.domain), std::uint64_t{0});
    if (m.staticSets.empty()) return;
    Machine machine(std::shared_ptr<const Program>(std::shared_ptr<void>(), &p_));
    for (std::size_t i = 0; i < m.staticSets.size(); ++i)
      for (std::uint32_t element = 0; element < m.domains[m.staticSets[i].domain].size; ++element) {
        const Word argument =
            m.staticSets[i].domain == domainInts ? Word{element} + lowestSetInt : static_cast<Word>(element);
        // A fault counts as no, since the element may be one that is never asked for.
        const auto holds = machine.evaluate(m.staticSets[i].body, {&argument, 1});
        if (holds && holds->front() != 0) setBit(p_.staticSets_[i].data(), static_cast<int>(element));
      }
  }

  // The shape of a counter is a matter of rules, so it is asked when they can be run.
  void firstPoses() {
    if (!p_.poses_.any()) return;
    Machine machine(std::shared_ptr<const Program>(std::shared_ptr<void>(), &p_));
    MachineCore core(machine);
    Image image(p_, p_.initialImage_.data());
    for (std::uint32_t u = 0; u < p_.module_.counters.size(); ++u) image.setPose(u, core.quietPose(u));
    image.forgetDerived();
  }

  Program& p_;
};

Program::Program() = default;
Program::~Program() = default;

std::variant<std::shared_ptr<const Program>, std::string> Program::load(Module module) {
  return ProgramLoader::load(std::move(module));
}

} // namespace hellwig
