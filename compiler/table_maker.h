// SPDX-License-Identifier: Apache-2.0
// The making of one table: its inputs and their axes (table_axes.cpp), its results and cells (tables.cpp).
#pragma once

#include "compiler/world_parts.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hellwig::tables {

using hir::Type;
using hir::TypeKind;

/// An inclusive stretch of values of an input; `none` is an open end.
struct Stretch {
  Word low = none, high = none;
};
/// What one heading or cell says of an input: some stretches, or `any`, `any other`.
struct KeyEntry {
  std::vector<Stretch> stretches;
  bool any = false, anyOther = false;
  bool bad = false;
  NodeRef cell;
};

/// One input of a table while it is being built.
struct Input {
  std::string name;
  Type type;
  NodeRef param;
  std::vector<Word> domain; ///< all its values, where they can be counted
  bool infinite = true;
  TableAxis axis;
  std::vector<KeyEntry> entries;                     ///< as printed
  std::vector<std::vector<std::uint16_t>> positions; ///< of each entry
  bool ordered() const { return type.kind == TypeKind::odds || type.kind == TypeKind::fraction; }
};

class TableMaker {
public:
  TableMaker(Building& building, const FoldedDecl& decl)
      : b_(building), world_(building.world), decl_(decl) {}

  void make();

private:
  Package& package() { return b_.package; }
  Diagnostic at(NodeRef ref, DiagnosticCode code, const std::vector<std::string>& arguments = {}) {
    return diagnosticAt(package(), ref, code, arguments);
  }

  // -- reading
  bool readInputs();
  void readClauses();
  bool layOut();
  Input* inputNamed(const std::string& name) {
    for (Input& input : inputs_)
      if (input.name == name) return &input;
    return nullptr;
  }
  KeyEntry readKeys(const Input& input, NodeRef cell);
  Stretch readStretch(const Input& input, NodeRef key, bool& bad);
  // -- axes
  int compare(const Input& input, Word a, Word b) const;
  bool less(const Input& input, Word a, Word b) const { return compare(input, a, b) < 0; }
  bool covers(const Input& input, const Stretch& stretch, Word value) const {
    return (stretch.low == none || compare(input, stretch.low, value) <= 0) &&
           (stretch.high == none || compare(input, value, stretch.high) <= 0);
  }
  /// Does the stretch take in the whole piece?
  bool holds(const Input& input, const Stretch& stretch, const Stretch& piece) const {
    return (stretch.low == none || (piece.low != none && compare(input, stretch.low, piece.low) <= 0)) &&
           (stretch.high == none || (piece.high != none && compare(input, piece.high, stretch.high) <= 0));
  }
  bool meet(const Input& input, const Stretch& a, const Stretch& b) const {
    return (a.low == none || b.high == none || compare(input, a.low, b.high) <= 0) &&
           (b.low == none || a.high == none || compare(input, b.low, a.high) <= 0);
  }
  void makeAxis(Input& input, bool mayOverlap);
  void splitAxis(Input& input);
  void checkAxis(const Input& input);
  std::uint16_t entryOf(Input& input, NodeRef cell);
  // -- cells
  Type inferResult(const std::vector<NodeRef>& cells);
  Type resultType(NodeRef declared, const std::vector<NodeRef>& cells);
  std::optional<std::vector<Word>> resultWords(NodeRef cell, const Type& type);
  bool layOutRows(std::size_t leading, const std::vector<std::vector<std::uint16_t>>& rowEntries,
                  std::size_t cells);
  void put(const std::vector<std::uint16_t>& entries, NodeRef cell, const std::vector<Word>* words,
           std::uint16_t marks);
  void checkCells();
  std::string valueName(const Type& type, Word word) const;
  std::string stretchName(const Input& input, const Stretch& stretch) const;
  std::string positionName(const Input& input, std::uint16_t position) const;

  Building& b_;
  World& world_;
  const FoldedDecl& decl_;
  Table table_;
  World::TableFacts facts_;
  std::vector<Input> inputs_;
  Chart chart_;
  std::string cellsOf_;
  NodeRef otherwise_;
  bool faulty_ = false;
  std::vector<NodeRef> source_; ///< by cell: where it was filled
  std::set<std::pair<std::uint16_t, std::uint32_t>> overlapsReported_;
};

} // namespace hellwig::tables
