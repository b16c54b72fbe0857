// SPDX-License-Identifier: Apache-2.0
// What the lowering of all bodies shares: the typed program, the module under construction, and which body is
// whose.
#pragma once

#include "compiler/hidden_reads.h"
#include "compiler/lower.h"
#include "compiler/lower_effects.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hellwig::lowering {

/// What is handed to procedures by reference. No record is reached by two names at once, so a copy in and a copy back
/// come to the same.
inline bool isRecord(const hir::Type& type) {
  return type.kind == hir::TypeKind::record && !type.set;
}

/// Bodies of one route's hooks on `enter`, `leave`, `move` and of spans are found by their index in
/// Hir::hooks.
struct BodyIds {
  std::vector<std::uint32_t> value, valueExplain;           ///< by value
  std::vector<std::uint32_t> permission, permissionExplain; ///< by permission
  std::vector<std::uint32_t> procedure; ///< by procedure: what calls go to (with its hooks)
  std::vector<std::uint32_t>
      procedureResting;            ///< the same, whose statements stand in the sequence; noBody: not needed
  std::vector<std::uint32_t> hook; ///< by hook
  std::vector<std::uint32_t> action, actionResting; ///< by action; noBody: not needed
  std::uint32_t settle = noBody;   ///< where there are hooks on settle
  /// By route: procedures that take one edge and that follow a path, with all hooks; noBody where nobody
  /// looks on (lower_travel.cpp).
  std::vector<std::uint32_t> travelEdge, travelAlong;
};

class Context {
public:
  Context(const hir::Hir& program, const Package& sources, Module& out, const LowerOptions& lowerOptions)
      : hir(program), package(sources), module(out), options(lowerOptions), effects(program, out),
        hidden(program, out) {}

  const hir::Hir& hir;
  const Package& package;
  Module& module;
  LowerOptions options;
  Effects effects;
  HiddenReads hidden;
  BodyIds ids;

  const hir::Expr& expr(hir::ExprId id) const { return hir.exprs[static_cast<std::size_t>(id)]; }
  std::uint32_t line(const Place& place) const;
  SourcePlace sourcePlace(const Place& place) const { return {place.file, line(place)}; }

  std::uint16_t domainOf(const hir::Type& element) const;
  std::uint16_t setWords(const hir::Type& element) const { return domainWords(domainOf(element)); }
  std::uint16_t domainWords(std::uint16_t domain) const {
    return static_cast<std::uint16_t>((module.domains[domain].size + 63) / 64);
  }
  /// Words that a value of this type takes in registers.
  std::uint16_t words(const hir::Type& type) const;
  /// The words of a field of a record, and where they begin in it.
  std::uint16_t fieldWords(const ValueType& type) const;
  std::uint16_t fieldOffset(std::uint16_t record, std::size_t field) const;
  /// Words that a procedure hands back: its answer, then the records that it was given, as it leaves them.
  std::uint16_t handedBack(const hir::Scope& scope, const hir::Type& answer) const;
  ValueType valueType(const hir::Type& type) const;
  std::vector<ValueType> parameterTypes(const hir::Scope& scope) const;
  std::uint16_t parameterWords(const hir::Scope& scope) const;
  bool isKindOf(std::int32_t kind, std::int32_t base) const;

  std::int32_t constant(Word value) { return constants({value}); }
  std::int32_t constants(const std::vector<Word>& values);
  std::int32_t string(const std::string& text);
  std::int32_t type(const hir::Type& type);

  /// The union of two mark sets.
  std::uint16_t joinMarks(std::uint16_t a, std::uint16_t b);

  std::uint32_t reserveBody() {
    module.bodies.emplace_back();
    return static_cast<std::uint32_t>(module.bodies.size() - 1);
  }

  /// Hooks that act at a point, in order. For enter, leave and move: those whose kind a counter of `kind` may
  /// be.
  std::vector<std::int32_t> hooksAt(hir::HookPoint point, bool before, std::int32_t index) const;

private:
  std::map<std::vector<Word>, std::int32_t> constants_;
  std::unordered_map<std::string, std::int32_t> strings_;
};

} // namespace hellwig::lowering
