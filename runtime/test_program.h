// SPDX-License-Identifier: Apache-2.0
// A `test` block in the form that the test runner plays: plain data, a step a statement. Bodies are indices
// of Module::bodies and take no arguments: locals of a test are globals of its module.
#pragma once

#include "runtime/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hellwig {

/// What an expectation's explanation is taken from: a value, a permission, a hex within reach or in a zone.
struct ExplainTarget {
  enum class Kind : std::uint8_t { nothing, value, permission, reach, zone, table } kind = Kind::nothing;
  std::uint32_t subject =
      0; ///< index among the values, permissions, routes, zones or tables (value, permission: of NamedBody)
  std::uint32_t argumentsBody =
      noBody; ///< answers all argument words (reach: the hex comes last; zone: side, hex)
};
struct TestBind {
  enum class Kind : std::uint8_t { value, text, pass } kind = Kind::value;
  std::string name; ///< x of `x = e`; empty if only the value is given
  std::string text;
  std::uint32_t body = noBody; ///< the value
  ValueType type;
  std::vector<std::uint32_t>
      items;          ///< of a list of numbers: each in the order written, as an allotment takes them
  std::string action; ///< the action of a menu that the value may name instead
  std::uint32_t byBody = noBody; ///< the side that is to answer, or noBody
};
struct TestStep {
  enum class Kind : std::uint8_t {
    run,    ///< body: a procedure (statements)
    place,  ///< setBody: counters of which the first not yet placed is taken; body: the hex or box (a set of
            ///< hexes if type.isSet); global
    begin,  ///< span, name (phase), body: the side or noBody, number: turn or -1
    end,    ///< span
    dice,   ///< numbers
    decide, ///< binds
    expect, ///< body: bool; text: because; marks; explain; words: the expectation as written
    expectRefused,       ///< explain: what must be refused; text: the reason or ""; marks
    expectRefusedOption, ///< name, body: the value not among the options; text, marks
    expectDecision,      ///< text
    expectChoices,       ///< body: a set; type
    expectHappened,      ///< procedure, name; number 1: exactly once
    expectRolled,        ///< number
    expectHidden,        ///< body: the counter; setBody: the side
    expectWinner,        ///< body: the side, noBody: none; number 1: is not
    settle,
    playGames ///< number
  } kind = Kind::run;
  SourcePlace place;
  std::uint32_t body = noBody, setBody = noBody, textBody = noBody,
                foundBody = noBody; ///< foundBody: what a comparison found, of `type`
  std::int32_t global = -1;         ///< place: where the counter is kept under its name
  ValueType type;
  SpanKind span = SpanKind::never;
  std::string name, text, words;
  bool hasText = false;
  std::vector<std::uint32_t> items; ///< expectRefusedOption: as of a TestBind
  std::int32_t number = -1;
  std::uint16_t marks = 0;
  std::uint32_t procedure = 0;
  std::vector<std::int32_t> numbers;
  std::vector<TestBind> binds;
  struct Setting {
    std::uint16_t column;
    std::uint32_t body;
  };
  std::vector<Setting> settings; ///< place: `with f = e`
  ExplainTarget explain;
};
struct TestProgram {
  std::string title;
  std::uint16_t marks = 0;
  SourcePlace place;
  bool runsSetup = false; ///< a scenario was named: it is set up with the first option of every decision
  std::vector<TestStep> steps;
};

} // namespace hellwig
