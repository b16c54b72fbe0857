// SPDX-License-Identifier: Apache-2.0
// Assembles little modules by hand for the tests of the machine.
#pragma once

#include "runtime/machine.h"
#include "runtime/verify.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace hellwig::test {

struct BodyBuilder;

/// A module with a board of pointed hexes, two sides, one kind of counters and the fixed globals. Counters
/// begin nowhere unless placed.
struct ModuleBuilder {
  Module m;

  explicit ModuleBuilder(int columns = 5, int rows = 4, int counters = 4) {
    BoardSpec spec;
    SheetSpec sheet;
    sheet.name = "map";
    sheet.columns = columns;
    sheet.rows = rows;
    spec.sheets.push_back(sheet);
    EXPECT_EQ(buildBoard(spec, m.board), "");
    m.title = "test";
    m.files = {"test.hlw"};
    m.strings = {""};
    m.sides = {{"Red", "Red"}, {"Blue", "Blue"}};
    m.boxes = {{"Lost", "Lost"}, {"Reserve", "Reserve"}};
    m.marks.resize(1);
    KindInfo unit;
    unit.name = "Unit";
    unit.plural = "units";
    m.kinds.push_back(unit);
    for (int i = 0; i < counters; ++i) {
      CounterInfo counter;
      counter.name = "Unit " + std::to_string(i + 1);
      counter.side = static_cast<std::uint16_t>(i % 2);
      m.counters.push_back(counter);
    }
    for (const char* name : {"turn", "clock", "player", "entry side"}) addGlobal(name, 0);
    addGlobal("winner", none);
    m.types = {{ValueKind::integer, 0, false, false},  {ValueKind::counter, 0, false, false},
               {ValueKind::hex, 0, false, false},      {ValueKind::counter, 0, true, false},
               {ValueKind::fraction, 0, false, false}, {ValueKind::boolean, 0, false, false}};
    finish();
  }

  std::uint16_t addGlobal(const std::string& name, Word initial, std::uint64_t watch = 0) {
    Global global;
    global.name = name;
    global.type = {ValueKind::integer, 0, false, false};
    global.initial = {initial};
    m.globals.push_back(global);
    m.globalWatch.push_back(watch);
    return static_cast<std::uint16_t>(m.globals.size() - 1);
  }
  std::uint16_t addColumn(const std::string& name, Owner owner, std::uint8_t bytes, std::uint8_t planes,
                          Word initial, std::uint64_t watch = 0, bool constant = false) {
    Column column;
    column.name = name;
    column.owner = owner;
    column.type = {ValueKind::integer, 0, false, false};
    column.bytes = bytes;
    column.planes = planes;
    column.constant = constant;
    column.defaultValue = initial;
    std::size_t count = 0;
    switch (owner) {
    case Owner::counter: count = m.counters.size(); break;
    case Owner::hex: count = static_cast<std::size_t>(m.board.n); break;
    case Owner::hexside: count = static_cast<std::size_t>(m.board.hexsides); break;
    case Owner::side: count = 2; break;
    default: break;
    }
    column.initial.assign(count, initial);
    m.columns.push_back(column);
    m.columnWatch.push_back(watch);
    return static_cast<std::uint16_t>(m.columns.size() - 1);
  }
  std::int32_t constant(Word w) {
    m.constants.push_back(w);
    return static_cast<std::int32_t>(m.constants.size() - 1);
  }
  std::int32_t string(const std::string& text) {
    m.strings.push_back(text);
    return static_cast<std::int32_t>(m.strings.size() - 1);
  }
  std::uint16_t counterWords() const { return static_cast<std::uint16_t>((m.counters.size() + 63) / 64); }
  std::uint16_t hexWords() const { return static_cast<std::uint16_t>(m.board.words); }

  /// Brings what depends on counts up to date.
  ModuleBuilder& finish() {
    const auto counters = static_cast<std::uint32_t>(m.counters.size());
    m.kinds[0].members.assign((counters + 63) / 64, 0);
    for (std::uint32_t i = 0; i < counters; ++i) m.kinds[0].members[i / 64] |= std::uint64_t{1} << (i % 64);
    m.domains.assign(firstEnumDomain, Domain{});
    const ValueKind kinds[] = {ValueKind::counter,   ValueKind::hex,  ValueKind::hexside, ValueKind::side,
                               ValueKind::direction, ValueKind::area, ValueKind::box,     ValueKind::group,
                               ValueKind::integer,   ValueKind::path};
    const std::size_t sizes[] = {counters,
                                 static_cast<std::size_t>(m.board.n),
                                 static_cast<std::size_t>(m.board.hexsides),
                                 2,
                                 6,
                                 m.areas.size(),
                                 m.boxes.size(),
                                 m.groups.size(),
                                 setIntCount,
                                 mostPaths};
    for (int i = 0; i < firstEnumDomain; ++i) {
      m.domains[i].element.kind = kinds[i];
      m.domains[i].size = static_cast<std::uint32_t>(sizes[i]);
    }
    for (const EnumInfo& info : m.enums) {
      Domain domain;
      domain.element = {ValueKind::enumeration,
                        static_cast<std::uint16_t>(m.domains.size() - firstEnumDomain), false, false};
      domain.size = static_cast<std::uint32_t>(info.values.size());
      m.domains.push_back(domain);
    }
    return *this;
  }

  BodyBuilder body(const std::string& name, BodyKind kind, std::uint16_t parameters, std::uint16_t registers,
                   std::uint16_t results);

  std::shared_ptr<const Program> load() {
    finish();
    auto loaded = Program::load(m);
    if (auto* wrong = std::get_if<std::string>(&loaded)) {
      ADD_FAILURE() << *wrong;
      return nullptr;
    }
    return std::get<std::shared_ptr<const Program>>(loaded);
  }
  std::string problem() {
    finish();
    return verifyModule(m).value_or("");
  }
};

/// Emits code into one body; `id` is its number.
struct BodyBuilder {
  Module* m;
  std::uint32_t id;

  Body& body() const { return m->bodies[id]; }
  std::int32_t here() const { return static_cast<std::int32_t>(body().code.size()); }
  std::int32_t op(Op op, int a = 0, int b = 0, int c = 0, std::int32_t d = 0, int e = 0) const {
    Instruction in;
    in.op = op;
    in.a = static_cast<std::uint16_t>(a);
    in.b = static_cast<std::uint16_t>(b);
    in.c = static_cast<std::uint16_t>(c);
    in.d = d;
    in.e = static_cast<std::uint16_t>(e);
    body().code.push_back(in);
    body().lines.push_back(static_cast<std::uint32_t>(body().code.size()));
    return here() - 1;
  }
  /// Makes the jump (or fragment) at `from` lead here.
  void land(std::int32_t from) const { body().code[from].d = here(); }
};

inline BodyBuilder ModuleBuilder::body(const std::string& name, BodyKind kind, std::uint16_t parameters,
                                       std::uint16_t registers, std::uint16_t results) {
  Body body;
  body.name = name;
  body.kind = kind;
  body.parameters = parameters;
  body.registers = registers;
  body.resultWords = results;
  body.place = {0, 1};
  m.bodies.push_back(body);
  return {&m, static_cast<std::uint32_t>(m.bodies.size() - 1)};
}

} // namespace hellwig::test
