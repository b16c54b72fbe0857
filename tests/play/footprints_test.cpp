// SPDX-License-Identifier: Apache-2.0
// Random play of a small game with lines of two and three hexes: in every state the stacks, sets, zones and
// routes are held against what the fields of the counters say.
#include "compiler/compile.h"
#include "runtime/players.h"
#include "runtime/program.h"
#include "runtime/record.h"
#include "tests/compiler/package_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hellwig {
namespace {

const char* const linesGame = R"hlw(game "Lines" { language 1  side Red "Reds"  side Blue "Blues" }
box Lost
terrain hex Ground { | ground | code | cost | | clear | . | 1 | | woods | w | 2 | }
type Aspect is front, rear, flank
type Shape is block, ring, pair, triple
type Formation { | formation | shape | | column | block | | square | ring | | line | pair | | long | triple | }
state dusk = no

counter Unit, units { printed reach: int = 2 }
counter Battalion, battalions is Unit {
  state formation: Formation = column
  state tired = no resets each player turn
}
counter Leader, leaders is Unit { }

value shape(b: Battalion): Shape = b.formation.shape {
  become block when b.tired or (dusk and b is long)
}
arcs(b: Battalion) by b.shape {
  | shape  | faces   | hex | front       | flank | rear |
  | block  | side    | -   | 5 0 1       | 2 4   | 3    |
  | ring   | nothing | -   | 0 1 2 3 4 5 | -     | -    |
  | pair   | corner  | -   | 5 0         | 4     | 2 3  |
  | pair   | corner  | 1   | 5 0         | 1     | 2 3  |
  | triple | corner  | -   | 5 0         | -     | 2 3  |
  | triple | corner  | 1   | 5 0         | 1     | 2 3  |
  | triple | corner  | 4   | 5 0         | 4     | 2 3  |
}
zone zoc(b: Battalion) covers h in b.front { forbid when b is square "a square has no zone" }
zone beside_it(u: Unit) covers h in hexes adjacent to u { forbid when h is woods "woods" }

route march(b: Battalion) {
  budget 3
  step from a to b2 {
    cost greatest of it.terrain.cost over b.footprint
    forbid when any units of b.enemy at footprint(b, hex = b2) "an enemy stands there"
    stop   when b2 in b.enemy.zoc "an enemy zone"
  }
  end at h { for each k in b.footprint { forbid when any units of b.enemy at k "an enemy stands there" } }
}
route ride(l: Leader) {
  budget 3
  step from a to b { forbid when any units of l.enemy at b "an enemy stands there"  stop when b in l.enemy.zoc "a zone" }
  end at h { forbid when any units at h "somebody is there" }
}

value at_hex(h: hex): set of Unit      = units at h
value beside(h: hex): set of Unit      = units adjacent to h
value covered(s: side): set of hex     = hexes of (units of s)
value of_one(u: Unit): set of hex      = u.footprint
value leads(h: hex): set of Unit       = units where it.hex is h
value in_woods(s: side): set of Unit   = units of s where it.hex is woods
value occupied(h: hex): bool           = any units at h
value crowded: set of hex              = hexes where any units at it where it.reach is 2
value away(u: Unit, v: Unit): int      = distance(u, v)

map Field {
  grid   pointed, even rows pushed right
  size   8 by 7
  number column row
  fill   clear
  woods at 0303 0404 0504
}
forces Red  { Battalion { | name | formation | facing | at | | A | line | n | 0305 | | B | long | se | 0507 | | E | column | s | 0207 | } Leader { | name | at | | L | 0306 | } }
forces Blue { Battalion { | name | formation | facing | at | | C | line | s | 0402 | | D | long | wsw | 0701 | | F | column | n | 0101 | } Leader { | name | at | | M | 0403 | } }

value last_turn: int = 5
sequence {
  turns 1 to last_turn {
    player turn Red, Blue { phase Movement { do moves() } }
    set dusk to turn > 2
  }
}
procedure moves() {
  repeat at most 5 times {
    choose u from units of player "Which?" or pass "Done"
    choose "What with {u}?" {
      "Form"  when u is Battalion { do form(u) }
      "Wheel" when u is Battalion { do wheel(u) }
      "Tire"  when u is Battalion { do tire(u) }
      "March" when u is Battalion { do march_off(u) }
      "Ride"  when u is Leader    { do ride_off(u) }
      "Away"  when (count of units at Lost) < 2 { move u to Lost }
      pass "Nothing"
    }
  }
}
procedure form(u: Unit)  { if u is Battalion { choose f from Formation "Form?"  set u.formation to f } }
procedure wheel(u: Unit) { if u is Battalion { choose d from direction "Which way?"  set u.facing to d } }
procedure tire(u: Unit)  { if u is Battalion { set u.tired to yes } }
procedure march_off(u: Unit) {
  if u is Battalion { choose h from reach march(u) "Where?" or pass "Stay"  move u to h by march(u) }
}
procedure ride_off(u: Unit) {
  if u is Leader { choose h from reach ride(u) "Where?" or pass "Stay"  move u to h by ride(u) }
}
victory { at end draw "Night" }
scenario Main { play on Field within hexes except (hexes of hex 0806) }
)hlw";

std::shared_ptr<const Program> linesProgram() {
  PackageFixture fixture{std::string(linesGame)};
  std::optional<Module> module =
      compile(*fixture.package, defaultSelection(*fixture.package, "Main"), fixture.sink);
  for (const std::string& report : fixture.reports()) ADD_FAILURE() << report;
  if (!module) return nullptr;
  auto loaded = Program::load(std::move(*module));
  if (auto* program = std::get_if<std::shared_ptr<const Program>>(&loaded)) return *program;
  ADD_FAILURE() << std::get<std::string>(loaded);
  return nullptr;
}

class Looker {
public:
  explicit Looker(Machine& machine) : machine_(machine), module_(machine.program().module()) {}

  std::vector<Word> ask(const std::string& name, std::initializer_list<Word> arguments) {
    for (const NamedBody& body : module_.named)
      if (body.what == NamedBody::What::value && body.name == name) {
        const std::vector<Word> args(arguments);
        if (auto answer = machine_.evaluate(body.body, args)) return *answer;
      }
    ADD_FAILURE() << "no answer of " << name;
    return {};
  }
  std::set<int> set(const std::string& name, std::initializer_list<Word> arguments) {
    std::set<int> out;
    const std::vector<Word> words = ask(name, arguments);
    for (std::size_t w = 0; w < words.size(); ++w)
      for (int b = 0; b < 64; ++b)
        if ((static_cast<std::uint64_t>(words[w]) >> b & 1U) != 0) out.insert(static_cast<int>(w) * 64 + b);
    return out;
  }
  Word field(const char* name, std::uint32_t counter) {
    for (std::size_t c = 0; c < module_.columns.size(); ++c)
      if (module_.columns[c].name == name && module_.columns[c].owner == Owner::counter)
        return machine_.column(static_cast<std::uint16_t>(c), counter);
    ADD_FAILURE() << "no field " << name;
    return 0;
  }
  /// What the fields of a counter say that it covers.
  std::set<int> covers(std::uint32_t u) {
    const std::int32_t lead = machine_.hexOf(static_cast<std::uint16_t>(u));
    std::set<int> out;
    if (lead < 0) return out;
    out.insert(lead);
    if (module_.kinds[module_.counters[u].kind].name != "Battalion") return out;
    const Word formation = field("formation", u), facing = field("facing", u);
    const bool dusk = machine_.global(duskGlobal()) != 0;
    if (field("tired", u) != 0 || formation < 2 || (formation == 3 && dusk)) return out;
    const auto beside = [&](Word direction) {
      const int h = module_.board.neighbour[static_cast<std::size_t>(lead * 6 + direction % 6)];
      if (h >= 0) out.insert(h);
    };
    beside(facing + 1);
    if (formation == 3) beside(facing + 4);
    return out;
  }
  std::uint16_t duskGlobal() const {
    for (std::size_t g = 0; g < module_.globals.size(); ++g)
      if (module_.globals[g].name == "dusk") return static_cast<std::uint16_t>(g);
    return 0;
  }

  void expectAll() {
    const auto counters = static_cast<std::uint32_t>(module_.counters.size());
    std::vector<std::set<int>> covered;
    for (std::uint32_t u = 0; u < counters; ++u) {
      covered.push_back(covers(u));
      const std::vector<std::uint16_t> told = machine_.covered(static_cast<std::uint16_t>(u));
      EXPECT_EQ(std::set<int>(told.begin(), told.end()), covered[u]) << module_.counters[u].name;
      if (!covered[u].empty()) {
        EXPECT_EQ(set("of_one", {u}), covered[u]);
      }
    }
    for (int h = 0; h < module_.board.n; ++h) {
      std::set<int> there, beside, leads;
      for (std::uint32_t u = 0; u < counters; ++u) {
        const int id = static_cast<int>(u);
        if (covered[u].contains(h)) there.insert(id);
        if (machine_.hexOf(static_cast<std::uint16_t>(u)) == h) leads.insert(id);
        for (int d = 0; d < 6; ++d)
          if (covered[u].contains(module_.board.neighbour[static_cast<std::size_t>(h * 6 + d)]) &&
              !covered[u].contains(h))
            beside.insert(id);
      }
      const std::vector<std::uint16_t> stack = machine_.stackAt(static_cast<std::uint16_t>(h));
      EXPECT_EQ(std::set<int>(stack.begin(), stack.end()), there);
      EXPECT_EQ(set("at_hex", {h}), there);
      EXPECT_EQ(set("beside", {h}), beside) << module_.board.label[static_cast<std::size_t>(h)];
      EXPECT_EQ(set("leads", {h}), leads);
      EXPECT_EQ(ask("occupied", {h}).front(), there.empty() ? 0 : 1);
    }
    std::set<int> both;
    for (Word side = 0; side < 2; ++side) {
      std::set<int> own, woods;
      for (std::uint32_t u = 0; u < counters; ++u) {
        if (module_.counters[u].side != side) continue;
        own.insert(covered[u].begin(), covered[u].end());
        const std::string at =
            covered[u].empty()
                ? ""
                : module_.board
                      .label[static_cast<std::size_t>(machine_.hexOf(static_cast<std::uint16_t>(u)))];
        if (at == "0303" || at == "0404" || at == "0504") woods.insert(static_cast<int>(u));
      }
      EXPECT_EQ(set("covered", {side}), own);
      EXPECT_EQ(set("in_woods", {side}), woods);
      both.insert(own.begin(), own.end());
    }
    EXPECT_EQ(set("crowded", {}), both);
  }

  void expectSearches() {
    for (std::uint16_t z = 0; z < module_.zones.size(); ++z)
      for (std::uint16_t side = 0; side < 2; ++side) {
        std::vector<std::uint64_t> sum(machine_.program().hexWords(), 0);
        for (std::uint16_t u = 0; u < module_.counters.size(); ++u) {
          const bool member = (module_.kinds[module_.zones[z].kind].members[0] >> u & 1U) != 0;
          if (!member || module_.counters[u].side != side || machine_.hexOf(u) < 0) continue;
          const Word argument = u;
          auto cover = machine_.evaluate(module_.zones[z].coverBody, {&argument, 1});
          ASSERT_TRUE(cover);
          for (std::size_t w = 0; w < sum.size(); ++w) sum[w] |= static_cast<std::uint64_t>((*cover)[w]);
        }
        EXPECT_EQ(machine_.zoneOfSide(z, side), sum) << module_.zones[z].name;
      }
    for (std::uint16_t r = 0; r < module_.routes.size(); ++r)
      for (Word u = 0; u < static_cast<Word>(module_.counters.size()); ++u) {
        const bool rider = module_.kinds[module_.counters[static_cast<std::size_t>(u)].kind].name == "Leader";
        if (rider != (module_.routes[r].name == "ride") || machine_.hexOf(static_cast<std::uint16_t>(u)) < 0)
          continue;
        const std::vector<std::uint64_t> fast = machine_.reach(r, {&u, 1});
        machine_.setPlainSearch(true);
        EXPECT_EQ(machine_.reach(r, {&u, 1}), fast);
        machine_.setPlainSearch(false);
      }
  }

private:
  Machine& machine_;
  const Module& module_;
};

TEST(Footprints, StacksFollowTheFieldsInRandomGames) {
  auto program = linesProgram();
  ASSERT_TRUE(program);
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Session session(program, seed);
    auto player = randomPlayer(seed);
    std::vector<std::vector<std::uint64_t>> images;
    while (session.machine().status() == Status::decision) {
      Machine& machine = session.machine();
      Looker looker(machine);
      looker.expectAll();
      if (images.size() % 5 == 0) looker.expectSearches();
      images.push_back(machine.saveImage());
      std::string why;
      ASSERT_TRUE(session.answer(player->choose(machine), &why)) << why;
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", decision " << images.size();
    }
    ASSERT_EQ(session.machine().status(), Status::ended) << session.machine().fault().message;
    // An image that is read again has the same stacks, and undo brings them back.
    while (!images.empty()) {
      ASSERT_TRUE(session.undo());
      ASSERT_EQ(session.machine().saveImage(), images.back());
      if (images.size() % 3 == 0) {
        Looker(session.machine()).expectAll();
        Machine again(program);
        ASSERT_TRUE(again.restoreImage(images.back()));
        Looker(again).expectAll();
        EXPECT_EQ(again.hash(), session.machine().hash());
      }
      images.pop_back();
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", back at " << images.size();
    }
  }
}

} // namespace
} // namespace hellwig
