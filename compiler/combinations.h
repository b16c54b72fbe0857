// SPDX-License-Identifier: Apache-2.0
// The selections that a check types, each with the tests that choose it.
#pragma once

#include "compiler/fold.h"
#include "compiler/package.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace hellwig {

struct Combination {
  Selection selection;
  std::vector<NodeRef> tests;
};

/// What a check goes through, the default selection first: each scenario that can be played with no option,
/// with each alone, with the defaults and with all; and whatever a test chooses besides. The sink gets what
/// is wrong with the selections themselves.
std::vector<Combination> combinationsOf(const Package& package, DiagnosticSink& sink);

/// What a test chooses; the sink gets names that there are not.
std::optional<Selection> selectionOf(const Package& package, NodeRef test, DiagnosticSink& sink);

/// Keeps what is new among diagnostics that several combinations give.
class OnceSink {
public:
  explicit OnceSink(DiagnosticSink& out);
  void take(const std::vector<Diagnostic>& from);

private:
  using Key = std::tuple<int, const SourceText*, std::uint32_t, std::uint32_t>;
  static Key key(const Diagnostic& d);

  DiagnosticSink& out_;
  std::set<Key> seen_;
};

} // namespace hellwig
