// SPDX-License-Identifier: Apache-2.0
// What is printed once a face: a field `cf` of the faces `full` and `reduced` is kept as `full cf` and `reduced cf`,
// which are headings of charts, too.

#include "compiler/world_parts.h"

namespace hellwig {

using hir::Type;
using hir::TypeKind;

const FaceField* World::faceField(std::uint16_t kind, std::string_view name) const {
  for (const FaceField& field : faceFields)
    if (field.name == name && isKindOf(kind, field.kind)) return &field;
  return nullptr;
}

void Building::declareFaceFields(std::uint16_t kind, NodeRef item, std::uint16_t faces) {
  for (NodeRef field : itemsOf(package, item)) {
    FaceField made;
    made.name = nameOf(package, field, Role::name);
    if (kindOf(package, field) != NodeKind::Field || made.name.empty()) continue;
    made.kind = kind;
    made.place = namePlaceOf(package, field);
    made.type = resolveFieldType(childOf(package, field, Role::type));
    if (std::int32_t other = world.columnOf(Type{TypeKind::counter, kind, false, false}, made.name);
        other >= 0 || world.faceField(kind, made.name) != nullptr) {
      sink.report(diagnosticAt(package, made.place, DiagnosticCode::duplicateName, {made.name}));
      continue;
    }
    Type cell = made.type; // `-`: the counter lacks the face
    if (!cell.set && cell.kind != TypeKind::error) cell.optional = true;
    for (const std::string& face : world.module.enums[faces].names) {
      Column column;
      column.name = face + " " + made.name;
      column.constant = true;
      auto id = static_cast<std::uint16_t>(world.module.columns.size());
      addKindField(kind, field, std::move(column), cell, 0, true);
      if (id >= world.module.columns.size()) continue;
      world.columnFacts[id].onFace = true;
      made.columns.push_back(id);
    }
    world.faceFields.push_back(std::move(made));
  }
}

/// A counter has the fields of a face all, or lacks the face; the first face it always has.
void Building::checkFaces() {
  std::set<std::pair<const ForceRow*, std::size_t>> reported;
  for (std::size_t c = 0; c < world.module.counters.size(); ++c) {
    if (counterDropped[c] != 0 || counterRow[c]->cells.contains("")) continue;
    const CounterInfo& info = world.module.counters[c];
    std::int32_t faces = world.kindFacts[info.kind].faceEnum;
    if (faces < 0) continue;
    for (std::size_t f = 0; f < world.module.enums[static_cast<std::size_t>(faces)].names.size(); ++f) {
      bool any = f == 0;
      std::vector<std::uint16_t> lacking;
      for (const FaceField& field : world.faceFields) {
        if (!world.isKindOf(info.kind, field.kind) || f >= field.columns.size() || field.type.set) continue;
        const std::uint16_t column = field.columns[f];
        if (world.module.columns[column].initial[c] != none)
          any = true;
        else if (!field.type.optional && field.type.kind != TypeKind::error)
          lacking.push_back(column);
      }
      if (!any) continue;
      for (std::uint16_t column : lacking)
        if (reported.insert({counterRow[c], column}).second)
          sink.report(diagnosticAt(package, counterRow[c]->place, DiagnosticCode::missingField,
                                   {info.name, world.module.columns[column].name}));
    }
  }
}

} // namespace hellwig
