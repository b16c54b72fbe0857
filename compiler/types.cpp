// SPDX-License-Identifier: Apache-2.0
// Types as they are written, named and stored.

#include "compiler/package_nodes.h"
#include "compiler/world.h"

#include <array>
#include <utility>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

constexpr std::array<std::pair<std::string_view, TypeKind>, 18> builtinTypes = {{
    {"int", TypeKind::integer},
    {"fraction", TypeKind::fraction},
    {"bool", TypeKind::boolean},
    {"text", TypeKind::text},
    {"odds", TypeKind::odds},
    {"time", TypeKind::time},
    {"d6", TypeKind::integer},
    {"2d6", TypeKind::integer},
    {"d10", TypeKind::integer},
    {"d100", TypeKind::integer},
    {"d66", TypeKind::d66},
    {"side", TypeKind::side},
    {"hex", TypeKind::hex},
    {"hexside", TypeKind::hexside},
    {"direction", TypeKind::direction},
    {"path", TypeKind::path},
    {"area", TypeKind::area},
    {"box", TypeKind::box},
}};

std::string elementName(const World& world, const Type& type) {
  switch (type.kind) {
  case TypeKind::error: return "faulty";
  case TypeKind::nothing: return "none";
  case TypeKind::integer: return "int";
  case TypeKind::fraction: return "fraction";
  case TypeKind::boolean: return "bool";
  case TypeKind::text: return "text";
  case TypeKind::odds: return "odds";
  case TypeKind::time: return "time";
  case TypeKind::d66: return "d66";
  case TypeKind::side: return "side";
  case TypeKind::hex: return "hex";
  case TypeKind::hexside: return "hexside";
  case TypeKind::direction: return "direction";
  case TypeKind::path: return "path";
  case TypeKind::area: return "area";
  case TypeKind::box: return "box";
  case TypeKind::enumeration:
    return type.id < world.module.enums.size() ? world.module.enums[type.id].name : "value";
  case TypeKind::counter:
    return type.id < world.module.kinds.size() ? world.module.kinds[type.id].name : "counter";
  case TypeKind::group: return "group";
  case TypeKind::record: return "record";
  case TypeKind::row:
    return type.id < world.module.tables.size() ? "row of " + world.module.tables[type.id].name : "row";
  }
  return {};
}

} // namespace

Type resolveType(const World& world, Package& package, NodeRef type, DiagnosticSink& sink) {
  Type result;
  if (isFaulty(package, type)) return result;
  switch (kindOf(package, type)) {
  case NodeKind::TypeSet: {
    Type element = resolveType(world, package, childOf(package, type, Role::type), sink);
    if (element.kind == TypeKind::error) return result;
    switch (element.kind) {
    case TypeKind::fraction:
    case TypeKind::time:
    case TypeKind::odds:
    case TypeKind::text:
    case TypeKind::boolean:
      sink.report(diagnosticAt(package, type, DiagnosticCode::noSuchSet, {elementName(world, element)}));
      return result;
    default: break;
    }
    element.set = true;
    element.optional = false;
    return element;
  }
  case NodeKind::TypeProcedure:
    sink.report(diagnosticAt(package, type, DiagnosticCode::notCompiled, {"procedure"}));
    return result;
  case NodeKind::TypeName: break;
  default: return result;
  }
  std::string name = nameOf(package, type);
  if (name.empty()) {
    switch (opOf(package, type)) {
    case TokenKind::kw_hex: name = "hex"; break;
    case TokenKind::kw_hexside: name = "hexside"; break;
    case TokenKind::kw_path: name = "path"; break;
    default: return result;
    }
  }
  result.optional = hasFlag(package, type, NodeFlags::optional);
  for (const auto& [word, kind] : builtinTypes)
    if (word == name) {
      result.kind = kind;
      return result;
    }
  if (const std::vector<Symbol>* symbols = world.find(name)) {
    for (const Symbol& symbol : *symbols) {
      if (symbol.kind == SymbolKind::enumeration)
        result.kind = TypeKind::enumeration;
      else if (symbol.kind == SymbolKind::counterKind)
        result.kind = TypeKind::counter;
      else if (symbol.kind == SymbolKind::groupKind)
        return Type(); // reported where it is declared
      else
        continue;
      result.id = symbol.id;
      return result;
    }
    for (const Symbol& symbol : *symbols)
      if (symbol.kind == SymbolKind::plural) {
        const std::string& kind = world.module.kinds[symbol.id].name;
        Diagnostic diagnostic = diagnosticAt(package, type, DiagnosticCode::wrongKindOfName,
                                             {name, "the set of the counters on the map", "a type"});
        sink.report(std::move(diagnostic)
                        .withFix(placeOf(package, type).range, "set of " + writtenName(kind),
                                 "the type is `set of " + kind + "`"));
        return Type();
      }
  }
  std::vector<std::string> known;
  for (const auto& entry : builtinTypes) known.emplace_back(entry.first);
  for (const EnumInfo& info : world.module.enums) known.push_back(info.name);
  for (const KindInfo& info : world.module.kinds) known.push_back(info.name);
  sink.report(
      suggesting(diagnosticAt(package, type, DiagnosticCode::unknownName, {name, "type"}), name, known));
  return Type();
}

std::string World::typeName(const Type& type) const {
  std::string name = elementName(*this, type);
  if (type.allotted) return "an allotment";
  if (type.set) return "set of " + name;
  return type.optional ? name + " or none" : name;
}

std::uint32_t World::domainOf(const Type& element) const {
  switch (element.kind) {
  case TypeKind::counter: return domainCounters;
  case TypeKind::hex: return domainHexes;
  case TypeKind::hexside: return domainHexsides;
  case TypeKind::side: return domainSides;
  case TypeKind::direction: return domainDirections;
  case TypeKind::area: return domainAreas;
  case TypeKind::box: return domainBoxes;
  case TypeKind::group: return domainGroups;
  case TypeKind::enumeration: return firstEnumDomain + element.id;
  default: return domainInts;
  }
}

std::uint32_t World::setWords(const Type& element) const {
  std::uint32_t domain = domainOf(element);
  return domain < module.domains.size() ? (module.domains[domain].size + 63) / 64 : 0;
}

ValueType moduleType(const Type& type) {
  ValueType out;
  out.isSet = type.set;
  out.optional = type.optional;
  switch (type.kind) {
  case TypeKind::error:
  case TypeKind::nothing: out.kind = ValueKind::nothing; break;
  case TypeKind::integer:
  case TypeKind::d66: out.kind = ValueKind::integer; break;
  case TypeKind::fraction: out.kind = ValueKind::fraction; break;
  case TypeKind::boolean: out.kind = ValueKind::boolean; break;
  case TypeKind::text: out.kind = ValueKind::text; break;
  case TypeKind::odds: out.kind = ValueKind::odds; break;
  case TypeKind::time: out.kind = ValueKind::time; break;
  case TypeKind::side: out.kind = ValueKind::side; break;
  case TypeKind::hex: out.kind = ValueKind::hex; break;
  case TypeKind::hexside: out.kind = ValueKind::hexside; break;
  case TypeKind::direction: out.kind = ValueKind::direction; break;
  case TypeKind::path: out.kind = ValueKind::path; break;
  case TypeKind::area: out.kind = ValueKind::area; break;
  case TypeKind::box: out.kind = ValueKind::box; break;
  case TypeKind::enumeration:
    out.kind = ValueKind::enumeration;
    out.id = type.id;
    break;
  case TypeKind::counter:
    out.kind = ValueKind::counter;
    out.id = type.id;
    break;
  case TypeKind::group:
    out.kind = ValueKind::group;
    out.id = type.id;
    break;
  case TypeKind::record:
  case TypeKind::row:
    out.kind = ValueKind::record;
    out.id = type.id;
    break;
  }
  return out;
}

std::string displayName(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c == '_') c = ' ';
  return out;
}

} // namespace hellwig
