// SPDX-License-Identifier: Apache-2.0
// Arcs: the chart that says which hexes a counter covers and what its hexsides are, and the field `facing`.

#include "compiler/world_parts.h"

#include <algorithm>
#include <array>

namespace hellwig {

using hir::Type;
using hir::TypeKind;

namespace {

/// The columns that the chart of arcs begins with, once they have been put in this order.
enum ArcsColumn : std::size_t { shapeColumn, hexColumn, facesColumn, firstAspect };

/// Hexsides written with blanks or commas between them; `-` is none. False: something else stands there.
bool readHexsides(std::string_view text, std::vector<std::uint8_t>& out) {
  if (text == "-") return true;
  bool room = true;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == ',') {
      room = true;
    } else if (c >= '0' && c <= '5' && room) {
      out.push_back(static_cast<std::uint8_t>(c - '0'));
      room = false;
    } else {
      return false;
    }
  }
  return !out.empty();
}

using Place2 = std::pair<int, int>;
Place2 stepFrom(Place2 from, int hexside) {
  int q = 0, r = 0;
  directionStep(GridShape::pointed, hexside, q, r);
  return {from.first + q, from.second + r};
}

class ArcsReader {
public:
  ArcsReader(Building& building, const FoldedDecl& decl) : b_(building), decl_(decl) {}

  void run() {
    marksOf(b_.world, b_.package, decl_.node, b_.sink);
    if (!declareFacing() || !readChart() || !findTypes()) return;
    shapes_.resize(b_.world.module.enums[arcs_.shapeType].names.size());
    for (const ChartRow& row : chart_.rows) takeRow(row);
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) checkShape(shape);
    b_.world.module.arcs.push_back(std::move(arcs_));
    b_.world.arcsDecls.push_back(decl_.node);
  }

private:
  struct Part {
    ArcsPart part;
    NodeRef row;
    Place2 place{0, 0};
  };
  struct Shape {
    Faces faces = Faces::side;
    std::vector<Part> parts;
    bool faulty = false;
  };

  void report(NodeRef at, DiagnosticCode code, const std::vector<std::string>& arguments) {
    b_.sink.report(diagnosticAt(b_.package, at, code, arguments));
  }
  const std::string& shapeName(std::size_t shape) const {
    return b_.world.module.enums[arcs_.shapeType].names[shape];
  }

  bool declareFacing() {
    NodeRef param = childOf(b_.package, decl_.node, Role::param);
    NodeRef typeNode = childOf(b_.package, param, Role::type);
    if (!present(typeNode)) return false;
    const Type kind = resolveType(b_.world, b_.package, typeNode, b_.sink);
    if (kind.kind == TypeKind::error) return false;
    if (kind.kind != TypeKind::counter || kind.set) {
      report(typeNode, DiagnosticCode::typeMismatch, {b_.world.typeName(kind), "a kind of counter"});
      return false;
    }
    arcs_.kind = kind.id;
    for (std::size_t i = 0; i < b_.world.module.arcs.size(); ++i) {
      const std::uint16_t other = b_.world.module.arcs[i].kind;
      if (!b_.world.isKindOf(kind.id, other) && !b_.world.isKindOf(other, kind.id)) continue;
      const Place before = namePlaceOf(b_.package, b_.world.arcsDecls[i]);
      b_.sink.report(
          diagnosticAt(b_.package, typeNode, DiagnosticCode::arcsTwice, {b_.world.module.kinds[kind.id].name})
              .also(sourceOf(b_.package, before.file), before.range, "the other arcs"));
      return false;
    }
    Column facing;
    facing.name = "facing";
    const Type direction{TypeKind::direction, 0, false, false};
    b_.addKindField(kind.id, decl_.node, facing, direction, 0, false);
    const std::int32_t column = b_.world.columnOf(Type{TypeKind::counter, kind.id, false, false}, "facing");
    if (column < 0 || !(b_.world.columnTypes[static_cast<std::size_t>(column)] == direction)) return false;
    b_.stateDefaultWords[static_cast<std::uint16_t>(column)] = {0};
    arcs_.facingColumn = column;
    return true;
  }

  bool readChart() {
    chart_ = b_.readChart(childOf(b_.package, decl_.node, Role::body));
    if (chart_.headings.empty()) return false;
    std::size_t at = hexColumn;
    for (const char* name : {"hex", "faces"}) {
      const std::int32_t found = chart_.find(name);
      if (found <= 0) {
        report(chart_.headings.front().cell, DiagnosticCode::missingHeading, {name});
        return false;
      }
      bring(static_cast<std::size_t>(found), at++);
    }
    if (chart_.headings.size() == firstAspect) {
      report(chart_.headings.front().cell, DiagnosticCode::arcsAspects, {"none"});
      return false;
    }
    for (const Piece& piece : decl_.amendments) {
      marksOf(b_.world, b_.package, piece.node, b_.sink);
      b_.amendChart(chart_, childOf(b_.package, piece.node, Role::body), facesColumn);
    }
    b_.citeCells(chart_);
    return true;
  }
  void bring(std::size_t from, std::size_t to) {
    const auto move = [&](auto& list) {
      auto first = list.begin();
      if (from > to)
        std::rotate(first + static_cast<std::ptrdiff_t>(to), first + static_cast<std::ptrdiff_t>(from),
                    first + static_cast<std::ptrdiff_t>(from) + 1);
      else if (from < to)
        std::rotate(first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(from) + 1,
                    first + static_cast<std::ptrdiff_t>(to) + 1);
    };
    move(chart_.headings);
    for (ChartRow& row : chart_.rows) move(row.cells);
  }

  bool findTypes() {
    std::vector<NodeRef> cells;
    for (const ChartRow& row : chart_.rows) {
      if (row.faulty) return false;
      cells.push_back(row.cells[shapeColumn]);
    }
    const ChartHeading& heading = chart_.headings[shapeColumn];
    const Type type = b_.columnTypeOf(heading.text, cells, heading.cell);
    if (type.kind == TypeKind::error) return false;
    if (type.kind != TypeKind::enumeration || type.set || type.optional) {
      report(heading.cell, DiagnosticCode::typeMismatch,
             {b_.world.typeName(type), "a value of a type in each row"});
      return false;
    }
    arcs_.shapeType = type.id;
    // The aspects: the type whose values are the headings, each once.
    std::string listed;
    for (std::size_t h = firstAspect; h < chart_.headings.size(); ++h)
      listed += (listed.empty() ? "" : ", ") + chart_.headings[h].text;
    for (std::size_t e = 0; e < b_.world.module.enums.size(); ++e) {
      const std::vector<std::string>& names = b_.world.module.enums[e].names;
      if (names.size() != chart_.headings.size() - firstAspect) continue;
      aspects_.clear();
      for (std::size_t h = firstAspect; h < chart_.headings.size(); ++h) {
        const auto value = std::find(names.begin(), names.end(), chart_.headings[h].text);
        if (value == names.end()) break;
        aspects_.push_back(static_cast<std::int8_t>(value - names.begin()));
      }
      if (aspects_.size() != names.size()) continue;
      arcs_.aspectType = static_cast<std::uint16_t>(e);
      return true;
    }
    report(chart_.headings[firstAspect].cell, DiagnosticCode::arcsAspects, {listed});
    return false;
  }

  void takeRow(const ChartRow& row) {
    const Type shapeType{TypeKind::enumeration, arcs_.shapeType, false, false};
    NodeRef name = b_.readCell(row.cells[shapeColumn], CellGrammar::expression);
    const std::optional<Word> value =
        present(name) ? constantOf(b_.world, b_.package, name, shapeType, b_.sink) : std::nullopt;
    if (!value) return;
    Shape& shape = shapes_[static_cast<std::size_t>(*value)];
    const auto textOf = [&](std::size_t column) -> std::string {
      NodeRef cell = row.cells[column];
      return present(cell) ? std::string(treeOf(b_.package, cell).cellText(cell.node)) : std::string("-");
    };
    const NodeRef at = row.rows.back();
    static constexpr std::array<const char*, 3> words{"side", "corner", "nothing"};
    const std::string faces = textOf(facesColumn);
    const auto word = std::find(words.begin(), words.end(), faces);
    if (word == words.end()) {
      shape.faulty = true;
      report(row.cells[facesColumn], DiagnosticCode::wordNotOneOf, {faces, "`side`, `corner`, `nothing`"});
    } else {
      const auto given = static_cast<Faces>(word - words.begin());
      if (!shape.parts.empty() && !shape.faulty && given != shape.faces) {
        report(row.cells[facesColumn], DiagnosticCode::arcsFaces,
               {shapeName(static_cast<std::size_t>(*value)), words[static_cast<std::size_t>(shape.faces)],
                faces});
        shape.faulty = true;
      }
      shape.faces = given;
    }
    Part part;
    part.row = at;
    part.part.aspect.assign(6, -1);
    const auto hexsides = [&](std::size_t column, std::vector<std::uint8_t>& out) {
      if (readHexsides(textOf(column), out)) return true;
      shape.faulty = true;
      report(row.cells[column], DiagnosticCode::arcsHexside, {textOf(column)});
      return false;
    };
    if (hexsides(hexColumn, part.part.way))
      for (const std::uint8_t hexside : part.part.way) part.place = stepFrom(part.place, hexside);
    for (std::size_t h = firstAspect; h < chart_.headings.size(); ++h) {
      std::vector<std::uint8_t> given;
      if (!hexsides(h, given)) continue;
      for (const std::uint8_t hexside : given) {
        if (part.part.aspect[hexside] >= 0) {
          shape.faulty = true;
          report(row.cells[h], DiagnosticCode::arcsRepeated, {"hexside " + std::to_string(hexside)});
        }
        part.part.aspect[hexside] = aspects_[h - firstAspect];
      }
    }
    if (part.part.way.size() > mostParts || shape.parts.size() == mostParts) {
      shape.faulty = true;
      report(at, DiagnosticCode::cardinality,
             {"too many hexes of `" + shapeName(static_cast<std::size_t>(*value)) + "`",
              std::to_string(mostParts)});
      return;
    }
    shape.parts.push_back(std::move(part));
  }

  void checkShape(std::size_t index) {
    Shape& shape = shapes_[index];
    ArcsShape& out = arcs_.shapes.emplace_back();
    if (shape.parts.empty()) {
      if (!shape.faulty)
        report(chart_.headings[shapeColumn].cell, DiagnosticCode::arcsShapeMissing, {shapeName(index)});
      return;
    }
    const auto lead = std::find_if(shape.parts.begin(), shape.parts.end(), [](const Part& part) {
      return part.place == Place2{0, 0};
    });
    if (lead == shape.parts.end()) {
      if (!shape.faulty) report(shape.parts.front().row, DiagnosticCode::arcsLead, {shapeName(index)});
      return;
    }
    std::rotate(shape.parts.begin(), lead, lead + 1);
    shape.parts.front().part.way.clear();
    for (std::size_t i = 0; i < shape.parts.size(); ++i) {
      if (!shape.faulty) checkPart(shape, i);
      out.parts.push_back(shape.parts[i].part);
    }
    out.faces = shape.faces;
  }

  /// Each hexside leads to another hex of the counter, or has one aspect.
  void checkPart(Shape& shape, std::size_t index) {
    const Part& part = shape.parts[index];
    for (std::size_t other = 0; other < index; ++other)
      if (shape.parts[other].place == part.place) {
        const Place before = placeOf(b_.package, shape.parts[other].row);
        b_.sink.report(diagnosticAt(b_.package, part.row, DiagnosticCode::arcsRepeated, {"this hex"})
                           .also(sourceOf(b_.package, before.file), before.range, "the other row"));
        shape.faulty = true;
        return;
      }
    for (int hexside = 0; hexside < 6; ++hexside) {
      const bool inner = std::any_of(shape.parts.begin(), shape.parts.end(), [&](const Part& other) {
        return other.place == stepFrom(part.place, hexside);
      });
      const bool has = part.part.aspect[static_cast<std::size_t>(hexside)] >= 0;
      if (inner == !has) continue;
      report(part.row, inner ? DiagnosticCode::arcsInnerHexside : DiagnosticCode::arcsHexsideMissing,
             {std::to_string(hexside)});
    }
  }

  Building& b_;
  const FoldedDecl& decl_;
  Chart chart_;
  Arcs arcs_;
  std::vector<Shape> shapes_;
  std::vector<std::int8_t> aspects_; ///< by column
};

} // namespace

void Building::declareArcs() {
  for (const FoldedDecl& decl : folded.decls)
    if (decl.inForce && decl.kind == NodeKind::ArcsDecl && !isFaulty(package, decl.node))
      ArcsReader(*this, decl).run();
}

std::int32_t World::arcsOf(std::uint16_t kind) const {
  for (std::size_t i = 0; i < module.arcs.size(); ++i)
    if (isKindOf(kind, module.arcs[i].kind)) return static_cast<std::int32_t>(i);
  return -1;
}

bool mayBeWide(const Module& module, std::int32_t kind) {
  const auto isKindOf = [&](std::int32_t a, std::int32_t b) {
    for (; a >= 0; a = module.kinds[static_cast<std::size_t>(a)].base)
      if (a == b) return true;
    return false;
  };
  for (const Arcs& arcs : module.arcs)
    if (isKindOf(kind, arcs.kind) || isKindOf(arcs.kind, kind))
      for (const ArcsShape& shape : arcs.shapes)
        if (shape.parts.size() > 1) return true;
  return false;
}

} // namespace hellwig
