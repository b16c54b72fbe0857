// SPDX-License-Identifier: Apache-2.0
// Proofs: what is known, on the way to where one stands, of values that may be none and of counters of
// several kinds.
#include "compiler/sema_internal.h"

namespace hellwig {

/// A path names the same value as long as nothing changes that it reads: a local, a state, and fields and
/// pure calls on them.
std::string Sema::pathKey(ExprId id) const {
  if (id < 0) return {};
  const hir::Expr& e = out_->hir.exprs[static_cast<std::size_t>(id)];
  auto inner = [&](const char* head) -> std::string {
    std::string key = head + std::to_string(e.index) + "." + std::to_string(e.op) + "(";
    for (ExprId arg : e.args) {
      std::string part = pathKey(arg);
      if (part.empty()) return {};
      key += part + ",";
    }
    return key + ")";
  };
  switch (e.kind) {
  case ExprKind::local: return "l" + std::to_string(e.local) + ";";
  case ExprKind::global: return "g" + std::to_string(e.index) + ";";
  case ExprKind::constant: return "k" + std::to_string(e.value) + ";";
  case ExprKind::assume: return pathKey(e.args.front());
  case ExprKind::column: return inner("c");
  case ExprKind::field: return inner("f");
  case ExprKind::call: return inner("v");
  case ExprKind::tableCall: return inner("t");
  case ExprKind::builtin: return inner("b");
  default: return {};
  }
}

const Fact* Sema::factOf(const Env& env, const std::string& path) const {
  for (auto i = env.facts.rbegin(); i != env.facts.rend(); ++i)
    if (i->path == path) return &*i;
  return nullptr;
}

ExprId Sema::known(Env& env, ExprId e) {
  const Type given = type(e);
  if (given.set || env.facts.empty() || (!given.optional && given.kind != TypeKind::counter)) return e;
  std::string path = pathKey(e);
  if (path.empty()) return e;
  Type proved = given;
  for (const Fact& fact : env.facts) {
    if (fact.path != path) continue;
    if (fact.some) proved.optional = false;
    if (fact.kind >= 0 && given.kind == TypeKind::counter &&
        world().isKindOf(static_cast<std::uint16_t>(fact.kind), given.id)) {
      proved.id = static_cast<std::uint16_t>(fact.kind);
      proved.optional = false;
    }
  }
  if (proved == given) return e;
  hir::Expr assumed;
  assumed.kind = ExprKind::assume;
  assumed.type = proved;
  assumed.args = {e};
  assumed.place = at(e).place;
  hir().exprs.push_back(std::move(assumed));
  return static_cast<ExprId>(hir().exprs.size() - 1);
}

void Sema::learn(Env& env, ExprId id, bool holds) {
  if (id < 0) return;
  const hir::Expr& e = at(id);
  switch (e.kind) {
  case ExprKind::not_: learn(env, e.args[0], !holds); return;
  case ExprKind::and_:
    if (!holds) return;
    {
      std::vector<ExprId> both = e.args;
      for (ExprId part : both) learn(env, part, true);
    }
    return;
  case ExprKind::or_:
    if (holds) return;
    {
      std::vector<ExprId> both = e.args;
      for (ExprId part : both) learn(env, part, false);
    }
    return;
  case ExprKind::isNone:
    if (!holds) {
      std::string path = pathKey(e.args[0]);
      if (!path.empty()) env.facts.push_back({path, true, -1});
    }
    return;
  case ExprKind::isKind:
    if (holds) {
      std::string path = pathKey(e.args[0]);
      if (!path.empty()) env.facts.push_back({path, true, e.index});
    }
    return;
  case ExprKind::equal:
    // What equals something that is there is there itself.
    if (holds)
      for (std::size_t side = 0; side < 2; ++side) {
        ExprId one = e.args[side], other = e.args[1 - side];
        if (type(one).optional && !type(other).optional && type(other).kind != TypeKind::nothing) {
          std::string path = pathKey(one);
          if (!path.empty()) env.facts.push_back({path, true, -1});
        }
      }
    return;
  case ExprKind::in:
    if (holds && type(e.args[0]).optional) {
      std::string path = pathKey(e.args[0]);
      if (!path.empty()) env.facts.push_back({path, true, -1});
    }
    return;
  case ExprKind::field:
    if (holds && static_cast<hir::Field>(e.op) == hir::Field::onMap)
      if (std::string path = pathKey(e.args[0]); !path.empty()) env.facts.push_back({"m" + path, false, -1});
    return;
  default: return;
  }
}

/// After a statement that may change things, only what hangs on locals alone is still known.
void Sema::forget(Env& env, bool all) {
  std::erase_if(env.facts, [&](const Fact& fact) {
    return all || fact.path.find_first_of("gcfvtb") != std::string::npos;
  });
}

void Sema::forgetColumn(Env& env, std::int32_t column) {
  const std::string read = "c" + std::to_string(column) + ".";
  std::erase_if(env.facts, [&](const Fact& fact) {
    // A value may read the field as well, so what rests on a call is given up, too.
    return fact.path.find(read) != std::string::npos || fact.path.find_first_of("vtb") != std::string::npos;
  });
}

} // namespace hellwig
