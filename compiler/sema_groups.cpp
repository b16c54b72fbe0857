// SPDX-License-Identifier: Apache-2.0
// Typing of what concerns groups, faces and names: `units of g`, `x in g`, `u.reduced.cf`, `u has reduced`, `u.name`.
#include "compiler/package_nodes.h"
#include "compiler/sema_internal.h"
#include "compiler/world_parts.h"

#include <algorithm>

namespace hellwig {
namespace {

constexpr Type boolean{TypeKind::boolean, 0, false, false};

} // namespace

// ---- Groups

/// All groups of a kind, but for those that `remove forces` has dropped.
ExprId Sema::groupsOfKind(const Env& env, NodeId node, std::uint16_t kind) {
  ExprId e = make(env, node, ExprKind::constantSet, setOf(typeOf(TypeKind::group, kind)));
  const auto& members = world().module.groupKinds[kind].members;
  for (std::size_t g = 0; g < world().module.groups.size(); ++g)
    if (g / 64 < members.size() && (members[g / 64] >> (g % 64) & 1U) != 0)
      at(e).members.push_back(static_cast<Word>(g));
  return e;
}

/// Counters or groups of `set` that belong to `owner`: a group, or (groups) a side.
ExprId Sema::ofGroup(Env& env, NodeId node, ExprId set, ExprId owner, NodeId ownerNode) {
  const Type things = type(set);
  owner = prove(env, owner, ownerNode);
  if (type(owner).kind == TypeKind::error) return error(env, node);
  if (type(owner).kind == TypeKind::side && !type(owner).set) {
    auto ofOne = [&](Word side) {
      ExprId part = make(env, node, ExprKind::constantSet, things);
      for (std::size_t g = 0; g < world().module.groups.size(); ++g)
        if (world().module.groups[g].kind == things.id && world().module.groups[g].side == side)
          at(part).members.push_back(static_cast<Word>(g));
      return part;
    };
    ExprId whose = -1;
    if (at(owner).kind == ExprKind::constant) {
      whose = ofOne(at(owner).value);
    } else {
      ExprId first = make(env, node, ExprKind::equal, boolean,
                          {owner, constant(env, ownerNode, typeOf(TypeKind::side), 0)});
      ExprId one = ofOne(0), two = ofOne(1);
      whose = make(env, node, ExprKind::if_, things, {first, one, two});
    }
    return make(env, node, ExprKind::intersect, things, {set, whose});
  }
  const std::int32_t column = groupColumn(things, type(owner));
  if (column < 0) {
    report(DiagnosticCode::typeMismatch, env, ownerNode,
           {name(type(owner)), things.kind == TypeKind::group
                                   ? "a side, or a group of a kind above " + name(elementOf(things))
                                   : "a side or a group"});
    return error(env, node);
  }
  ExprId e = make(env, node, ExprKind::fieldIs, things, {set, owner});
  at(e).index = column;
  return e;
}

/// The column that says under which group of a kind a thing hangs, or -1.
std::int32_t Sema::groupColumn(const Type& thing, const Type& group) const {
  if (group.kind != TypeKind::group || group.set || group.id >= out_->world.module.groupKinds.size()) return -1;
  const GroupKindInfo& info = out_->world.module.groupKinds[group.id];
  if (thing.kind == TypeKind::counter) return info.counterColumn;
  return thing.kind == TypeKind::group && thing.id > group.id ? info.groupColumn : -1;
}

/// `x in g`.
ExprId Sema::inGroup(Env& env, NodeId node, ExprId thing, ExprId group, NodeId groupNode) {
  group = prove(env, group, groupNode);
  const std::int32_t column = groupColumn(certain(type(thing)), type(group));
  if (type(group).kind == TypeKind::error) return group;
  if (column < 0) {
    report(DiagnosticCode::neverTrue, env, node,
           {"a " + name(certain(type(thing))) + " never hangs under a " + name(type(group))});
    return error(env, node);
  }
  ExprId above = make(env, node, ExprKind::column, optionalOf(certain(type(group))), {thing});
  at(above).index = column;
  return make(env, node, ExprKind::equal, boolean, {above, group});
}

/// What an author calls `owner.name`: a counter, a set of them, or a group that the order of battle has there; -1: none.
ExprId Sema::insideOwner(Env& env, NodeId node, const std::string& ownerName, const std::string& wanted) {
  const auto* owners = world().find(ownerName);
  if (!owners) return -1;
  const std::vector<Symbol> list = *owners; // making a set of part of a label may move what is found
  for (const Symbol& owner : list) {
    if (owner.kind != SymbolKind::side && owner.kind != SymbolKind::group) continue;
    if (owner.kind == SymbolKind::group) {
      // Its own fields and values come first.
      const Type group = typeOf(TypeKind::group, owner.id);
      if (world().columnOf(group, wanted) >= 0 || wanted == "side" || wanted == "enemy" || wanted == "name") continue;
      if (auto values = valuesByName_.find(wanted); values != valuesByName_.end()) {
        bool fitting = false;
        for (std::int32_t v : values->second) {
          const hir::Scope& scope = hir().values[static_cast<std::size_t>(v)].scope;
          fitting = fitting || (scope.parameters == 1 && fits(group, scope.locals[0].type));
        }
        if (fitting) continue;
      }
    }
    std::vector<Symbol> found = world().inside(owner, wanted);
    if (found.empty()) continue;
    if (found.size() == 1) return symbolExpr(env, node, found.front());
    // Of a side, the set of a row's copies is meant rather than one of several counters in groups.
    report(diagnostic(DiagnosticCode::ambiguousName, env, node,
                      {wanted, nounWords(found[0]), owner.kind == SymbolKind::side ? "another of that side"
                                                                                   : "another of that group"})
               .withHelp("put its group before it, as in `Group." + writtenName(wanted) + "`"));
    return error(env, node);
  }
  return -1;
}

/// A field of counters or groups that never changes and is made only where a rule asks for it.
std::int32_t Sema::constantColumn(Owner owner, const std::string& field, const Type& fieldType) {
  auto [it, fresh] = constantColumns_.try_emplace({static_cast<int>(owner), field}, -1);
  if (!fresh) return it->second;
  Module& module = world().module;
  Column column;
  column.name = field;
  column.owner = owner;
  column.type = moduleType(fieldType);
  column.constant = true;
  column.bytes = fieldType.kind == TypeKind::side ? 1 : 4;
  auto add = [&](const std::string& called, std::uint16_t side) {
    column.initial.push_back(fieldType.kind == TypeKind::side ? Word{side} : internString(module, called));
  };
  if (owner == Owner::counter)
    for (const CounterInfo& counter : module.counters) add(counter.name, counter.side);
  else
    for (const GroupInfo& group : module.groups) add(group.name, group.side);
  it->second = static_cast<std::int32_t>(module.columns.size());
  module.columns.push_back(std::move(column));
  world().columnTypes.push_back(fieldType);
  world().columnFacts.emplace_back();
  return it->second;
}

ExprId Sema::constantField(Env& env, NodeId node, ExprId base, const std::string& field, const Type& fieldType) {
  const Owner owner = type(base).kind == TypeKind::group ? Owner::group : Owner::counter;
  Type result = fieldType;
  result.optional = type(base).optional;
  ExprId e = make(env, node, ExprKind::column, result, {base});
  at(e).index = constantColumn(owner, field, fieldType);
  return e;
}

// ---- Faces

/// What is printed on the face that lies up, or (face >= 0) on a named one; -1: there is no such field.
ExprId Sema::faceField(Env& env, NodeId node, ExprId base, const std::string& wanted, std::int32_t face) {
  const Type t = type(base);
  if (t.set || t.kind != TypeKind::counter) return -1;
  const FaceField* field = world().faceField(t.id, wanted);
  if (!field || field->columns.empty()) return -1;
  Type result = field->type;
  if (t.optional) result = optionalOf(result);
  if (face >= 0) {
    if (static_cast<std::size_t>(face) >= field->columns.size()) return -1;
    const std::uint16_t column = field->columns[static_cast<std::size_t>(face)];
    ExprId e = make(env, node, ExprKind::column, world().columnTypes[column], {base});
    at(e).index = column;
    // Of a face that the counter lacks there is no figure: reading it is a fault.
    return result.set || result.optional ? e : make(env, node, ExprKind::assume, result, {e});
  }
  const std::int32_t up = world().columnOf(certain(t), "face");
  if (up < 0) return -1;
  ExprId e = make(env, node, ExprKind::faceField, result, {base});
  at(e).index = up;
  for (std::uint16_t column : field->columns) at(e).members.push_back(column);
  return e;
}

/// The number of the face called so, of counters of a kind, or -1.
std::int32_t Sema::faceNamed(const Type& thing, const std::string& wanted) const {
  const World& w = out_->world;
  if (thing.set || thing.kind != TypeKind::counter || w.kindFacts[thing.id].faceEnum < 0) return -1;
  const auto& names = w.module.enums[static_cast<std::size_t>(w.kindFacts[thing.id].faceEnum)].names;
  auto found = std::find(names.begin(), names.end(), wanted);
  return found == names.end() ? -1 : static_cast<std::int32_t>(found - names.begin());
}

/// `u has reduced`: is anything printed on that face?
ExprId Sema::hasFace(Env& env, NodeId node, ExprId counter, std::int32_t face) {
  ExprId any = -1;
  bool fields = false;
  for (const FaceField& field : world().faceFields) {
    if (!world().isKindOf(type(counter).id, field.kind) || static_cast<std::size_t>(face) >= field.columns.size())
      continue;
    if (field.type.set) continue;
    fields = true;
    const std::uint16_t column = field.columns[static_cast<std::size_t>(face)];
    ExprId read = make(env, node, ExprKind::column, world().columnTypes[column], {counter});
    at(read).index = column;
    ExprId there = notExpr(env, make(env, node, ExprKind::isNone, boolean, {read}), node);
    any = any < 0 ? there : make(env, node, ExprKind::or_, boolean, {any, there});
  }
  return fields ? any : constant(env, node, boolean, 1);
}

} // namespace hellwig
