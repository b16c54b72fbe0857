// SPDX-License-Identifier: Apache-2.0
// Records: bundles of fields that procedures hand to one another.

#include "compiler/world_parts.h"

namespace hellwig {

using hir::Type;
using hir::TypeKind;

void Building::declareRecordNames() {
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::RecordDecl || decl.name.empty()) continue;
    auto id = static_cast<std::uint16_t>(world.module.records.size());
    addSymbol(decl.name, {SymbolKind::record, id, 0, -1, namePlaceOf(package, decl.node)});
    world.module.records.push_back({decl.name, {}});
    world.recordFacts.push_back({{}, {}, namePlaceOf(package, decl.node)});
    recordDecls.push_back(decl.node);
  }
}

/// A field holds one value or set; a bundle in a bundle would have no fixed owner.
Type Building::resolveFieldType(NodeRef type) {
  Type result = resolveType(world, package, type, sink);
  const char* what = result.kind == TypeKind::record || result.kind == TypeKind::row ? "a field of another"
                     : result.kind == TypeKind::path                                 ? "a path"
                                                                                     : nullptr;
  if (!what) return result;
  if (result.kind == TypeKind::path)
    sink.report(diagnosticAt(package, type, DiagnosticCode::wrongKindOfName,
                             {"path", "the type of locals and parameters alone", "another type"}));
  else
    sink.report(diagnosticAt(package, type, DiagnosticCode::recordMisplaced, {world.typeName(result), what}));
  return {};
}

void Building::declareRecordFields() {
  for (std::size_t r = 0; r < recordDecls.size(); ++r)
    for (NodeRef field : itemsOf(package, recordDecls[r])) {
      std::string name = nameOf(package, field, Role::name);
      if (kindOf(package, field) != NodeKind::Field || name.empty()) continue;
      bool twice = false;
      for (const RecordField& other : world.module.records[r].fields) twice = twice || other.name == name;
      if (twice) {
        sink.report(diagnosticAt(package, namePlaceOf(package, field), DiagnosticCode::duplicateName, {name}));
        continue;
      }
      Type type = resolveFieldType(childOf(package, field, Role::type));
      world.module.records[r].fields.push_back({name, moduleType(type)});
      world.recordFacts[r].types.push_back(type);
      world.recordFacts[r].marks.push_back(0);
    }
}

} // namespace hellwig
