// SPDX-License-Identifier: Apache-2.0
// Proofs: what is known, on the way to where one stands, of values that may be none and of counters of
// several kinds.
#include "compiler/sema_internal.h"

namespace hellwig {

/// A path names the same value as long as nothing changes that it reads. Two expressions of the same path are the same
/// but for the names of the elements that they range over, which are numbered from the outermost in.
std::string Sema::pathKey(ExprId id) const {
  std::vector<LocalId> elements;
  return pathKey(id, elements);
}

std::string Sema::pathKey(ExprId id, std::vector<LocalId>& elements) const {
  if (id < 0) return "-;";
  const hir::Expr& e = out_->hir.exprs[static_cast<std::size_t>(id)];
  switch (e.kind) {
  case ExprKind::error: return {};
  case ExprKind::local: {
    for (std::size_t i = elements.size(); i-- > 0;)
      if (elements[i] == e.local) return "i" + std::to_string(i) + ";";
    return "l" + std::to_string(e.local) + ";";
  }
  case ExprKind::global: return "g" + std::to_string(e.index) + ";";
  case ExprKind::constant: return "k" + std::to_string(e.value) + ";";
  case ExprKind::assume: return pathKey(e.args.front(), elements);
  default: break;
  }
  std::string key = "e" + std::to_string(static_cast<int>(e.kind)) + "." + std::to_string(e.index) + "." +
                    std::to_string(e.op) + "." + std::to_string(e.value);
  for (Word member : e.members) key += "," + std::to_string(member);
  key += "(";
  // The set of a quantifier is computed before there is an element.
  const bool binds = e.local >= 0;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    if (binds && i == 1) elements.push_back(e.local);
    std::string part = pathKey(e.args[i], elements);
    if (part.empty()) {
      if (binds && i >= 1) elements.pop_back();
      return {};
    }
    key += part + ",";
  }
  if (binds && e.args.size() > 1) elements.pop_back();
  return key + ")";
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
      if (!path.empty()) env.facts.push_back({path, true, -1, e.args[0]});
    }
    return;
  case ExprKind::isKind:
    if (holds) {
      std::string path = pathKey(e.args[0]);
      if (!path.empty()) env.facts.push_back({path, true, e.index, e.args[0]});
    }
    return;
  case ExprKind::equal:
    // What equals something that is there is there itself.
    if (holds)
      for (std::size_t side = 0; side < 2; ++side) {
        ExprId one = e.args[side], other = e.args[1 - side];
        if (type(one).optional && !type(other).optional && type(other).kind != TypeKind::nothing) {
          std::string path = pathKey(one);
          if (!path.empty()) env.facts.push_back({path, true, -1, one});
        }
      }
    return;
  case ExprKind::between:
    // What bears a river is a hexside.
    if (holds && e.op == 0) {
      hir::Expr side;
      side.kind = ExprKind::builtin;
      side.op = static_cast<std::uint8_t>(hir::Builtin::hexsideBetween);
      side.type = optionalOf(typeOf(TypeKind::hexside));
      side.args = e.args;
      side.place = e.place;
      hir().exprs.push_back(std::move(side));
      auto made = static_cast<ExprId>(hir().exprs.size() - 1);
      if (std::string path = pathKey(made); !path.empty()) env.facts.push_back({path, true, -1, made});
    }
    return;
  case ExprKind::in:
    if (holds && type(e.args[0]).optional) {
      std::string path = pathKey(e.args[0]);
      if (!path.empty()) env.facts.push_back({path, true, -1, e.args[0]});
    }
    return;
  case ExprKind::field:
    if (holds && static_cast<hir::Field>(e.op) == hir::Field::onMap)
      if (std::string path = pathKey(e.args[0]); !path.empty()) env.facts.push_back({"m" + path, false, -1});
    return;
  default: return;
  }
}

/// Behind what may change anything, only what hangs on locals alone is still known.
void Sema::forget(Env& env, bool all) {
  Writes everything;
  everything.all = true;
  if (all)
    env.facts.clear();
  else
    forgetWrites(env, everything);
}

void Sema::forgetLocal(Env& env, LocalId local) {
  const std::string key = "l" + std::to_string(local) + ";";
  std::erase_if(env.facts, [&](const Fact& fact) { return fact.path.find(key) != std::string::npos; });
}

/// What rests on something that is written is known no longer.
void Sema::forgetWrites(Env& env, const Writes& writes) {
  std::erase_if(env.facts, [&](const Fact& fact) { return fact.expr < 0 || reads(fact.expr, writes, 0); });
}

} // namespace hellwig
