// SPDX-License-Identifier: Apache-2.0
// Folding of layers: which declarations are in force for one scenario, set of options and mods, with their
// amendments in the order in which they act. Works on syntax; nothing is resolved yet.
#pragma once

#include "compiler/package.h"

#include <string>
#include <vector>

namespace hellwig {

struct Selection {
  std::string scenario;             ///< "" only where the game declares none
  std::vector<std::string> options; ///< all that are on
  std::string map;                  ///< for tests with `map N`: play on this map without a scenario
};

enum class LayerKind : std::uint8_t { game, scenario, option, mod };
struct Layer {
  LayerKind kind = LayerKind::game;
  std::string name;
};
/// A node that belongs to a layer: an amendment, a hook, a set-up ...
struct Piece {
  NodeRef node; ///< the declaration itself (inside AmendDecl: its item)
  std::uint16_t layer = 0;
};
struct FoldedDecl {
  NodeKind kind = NodeKind::Error; ///< ValueDecl, TypeDecl, ..
  std::string name;
  NodeRef node;
  std::uint16_t layer = 0;
  std::vector<Piece> amendments; ///< in the order of layers
  std::int32_t original = -1;    ///< the declaration that it replaces
  bool inForce = true;           ///< no: replaced (kept only as an `original`) or removed
  bool implicit = false;         ///< a value that stands for a printed field: there are only amendments
};
struct Folded {
  Selection selection;
  std::vector<Layer> layers;
  std::vector<FoldedDecl> decls;
  std::vector<Piece> hooks, setups, arrives, looks, hidden; ///< in the order of layers, then files and places
  std::vector<Piece> forces;                                ///< base ones and those of layers
  std::vector<Piece> forceAmendments;                       ///< ForcesDecl in `amend`
  std::vector<Piece> forceRemovals;                         ///< RemoveDecl of forces
  std::vector<Piece> arriveRemovals;                        ///< RemoveDecl of arrivals
  std::vector<Piece> victoryAmendments;
  std::vector<Piece> phaseAmendments;   ///< PhaseAmend
  std::vector<Piece> phaseReplacements; ///< Phase in `replace`
  std::vector<Piece> phaseRemovals;     ///< RemoveDecl of phases
  std::vector<Piece> removals;          ///< RemoveDecl that took something away
  NodeRef playOn;                       ///< PlayOn in force; node none if there is none
  std::string map;                      ///< name of the map in play
};

/// Tells what clashes (names declared twice, two amendments of one owner in two files, nothing to amend).
Folded fold(const Package& package, const Selection& selection, DiagnosticSink& sink);

} // namespace hellwig
