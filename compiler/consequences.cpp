// SPDX-License-Identifier: Apache-2.0
// Which messages follow from others: see consequences.h.
#include "compiler/consequences.h"

#include "compiler/package_nodes.h"

#include <algorithm>
#include <map>
#include <set>

namespace hellwig {
namespace {

using Code = DiagnosticCode;

bool among(Code code, std::initializer_list<Code> list) {
  return std::find(list.begin(), list.end(), code) != list.end();
}
/// Words and syntax.
bool ofSyntax(const Diagnostic& d) {
  return static_cast<unsigned>(d.code) < 300;
}
/// Something is not there; the first word in backquotes is its name.
bool ofAbsence(const Diagnostic& d) {
  return among(d.code, {Code::unknownName, Code::unknownField, Code::unknownRuleId, Code::noFieldForIs,
                        Code::nothingToAmend, Code::unknownLetter, Code::nothingToWaive, Code::noSuchForces,
                        Code::unknownHeading});
}
bool ofTypes(const Diagnostic& d) {
  return among(d.code,
               {Code::typeMismatch, Code::notComparable, Code::unprovedOptional, Code::needlessOtherwise});
}

std::string quoted(std::string_view message) {
  std::size_t open = message.find('`');
  std::size_t close = open == std::string_view::npos ? open : message.find('`', open + 1);
  return close == std::string_view::npos ? std::string()
                                         : std::string(message.substr(open + 1, close - open - 1));
}
std::string lastQuoted(std::string_view message) {
  std::size_t close = message.rfind('`');
  std::size_t open =
      close == std::string_view::npos || close == 0 ? std::string_view::npos : message.rfind('`', close - 1);
  return open == std::string_view::npos ? std::string()
                                        : std::string(message.substr(open + 1, close - open - 1));
}

bool ofName(char c) {
  auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u >= 0x80;
}
bool hasWord(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    bool before = at > 0 && ofName(text[at - 1]);
    bool after = at + word.size() < text.size() && ofName(text[at + word.size()]);
    if (!before && !after) return true;
  }
  return false;
}

/// A declaration, or one in an option or scenario.
struct Unit {
  std::uint16_t file = 0;
  NodeKind kind = NodeKind::Error;
  TextRange range;
  std::string name;
};

class Sieve {
public:
  Sieve(const Package& package, std::vector<Diagnostic> told) : package_(package), told_(std::move(told)) {
    for (std::size_t f = 0; f < package.files.size(); ++f) {
      const SyntaxTree& tree = package.files[f].tree;
      files_[&tree.source()] = static_cast<std::uint16_t>(f);
      addUnits(static_cast<std::uint16_t>(f), tree, tree.root());
    }
    for (const Diagnostic& d : told_) facts_.push_back(factsOf(d));
  }

  std::vector<Diagnostic> run() {
    std::vector<Diagnostic> kept;
    std::map<std::string, std::size_t> absent;
    std::set<std::string> once;
    for (std::size_t i = 0; i < told_.size(); ++i) {
      if (follows(i)) continue;
      const Diagnostic& d = told_[i];
      if (std::string key = repeatKey(i); !key.empty() && !once.insert(key).second) continue;
      if (ofAbsence(d) && !facts_[i].word.empty()) {
        auto [first, isNew] = absent.emplace(facts_[i].word, kept.size());
        if (!isNew) {
          Diagnostic& other = kept[first->second];
          if (other.places.size() < 3) other.places.push_back({d.file, d.range, "and here"});
          continue;
        }
      }
      kept.push_back(d);
    }
    return kept;
  }

private:
  struct Facts {
    const Unit* unit = nullptr;
    std::uint32_t line = 0;
    std::string word; // what the message is about
  };

  void addUnits(std::uint16_t file, const SyntaxTree& tree, NodeId parent) {
    // What was skipped may have declared names, too.
    for (NodeId junk : tree.children(parent, Role::junk))
      units_.push_back({file, NodeKind::Error, tree.range(junk), {}});
    for (NodeId item : tree.children(parent, Role::item)) {
      units_.push_back({file, tree.kind(item), tree.range(item), tree.nameOf(item)});
      if (tree.kind(item) == NodeKind::OptionDecl || tree.kind(item) == NodeKind::ScenarioDecl)
        addUnits(file, tree, tree.child(item, Role::body));
    }
  }
  std::string_view textOf(const Unit& unit) const {
    return package_.files[unit.file].tree.source().text(unit.range);
  }

  Facts factsOf(const Diagnostic& d) const {
    Facts facts;
    facts.word = quoted(d.message);
    if (ofAbsence(d) && facts.word.starts_with("printed.")) facts.word.erase(0, 8);
    // `Cavalry 1` is the first copy of `Cavalry`.
    if (std::size_t blank = facts.word.rfind(' ');
        ofAbsence(d) && blank != std::string::npos &&
        facts.word.find_first_not_of("0123456789", blank + 1) == std::string::npos)
      facts.word.resize(blank);
    if (!d.file) return facts;
    facts.line = d.file->lineOf(d.range.offset);
    auto file = files_.find(d.file.get());
    if (file == files_.end()) return facts;
    for (const Unit& unit : units_)
      if (unit.file == file->second && unit.range.offset <= d.range.offset &&
          d.range.offset <= unit.range.end() && (!facts.unit || unit.range.length < facts.unit->range.length))
        facts.unit = &unit;
    return facts;
  }

  std::string_view lineText(const Diagnostic& d, std::uint32_t line) const {
    return d.file ? d.file->text(d.file->line(line)) : std::string_view();
  }

  /// The name that is declared, on its line, before the place of a message: `left` of `let left: int = ..`.
  std::string declaredBefore(const Diagnostic& d, std::uint32_t line) const {
    if (!d.file) return {};
    TextRange range = d.file->line(line);
    std::string_view head = d.file->text({range.offset, d.range.offset - range.offset});
    std::size_t equals = head.rfind('=');
    if (equals == std::string_view::npos) return {};
    if (!hasWord(head, "let") && !hasWord(head, "state") && !hasWord(head, "printed")) return {};
    head = head.substr(0, equals);
    std::size_t start = head.find_last_of(",({");
    if (start != std::string_view::npos) head = head.substr(start + 1);
    if (std::size_t colon = head.find(':'); colon != std::string_view::npos) head = head.substr(0, colon);
    while (!head.empty() && !ofName(head.back())) head.remove_suffix(1);
    std::size_t begin = head.size();
    while (begin > 0 && ofName(head[begin - 1])) --begin;
    return std::string(head.substr(begin));
  }

  /// Does message i follow from another one?
  bool follows(std::size_t i) const {
    for (std::size_t j = 0; j < told_.size(); ++j)
      if (j != i && told_[j].severity == Severity::error && followsFrom(i, j) &&
          (j < i || !followsFrom(j, i)))
        return true;
    return false;
  }

  bool followsFrom(std::size_t i, std::size_t j) const {
    const Diagnostic &d = told_[i], &cause = told_[j];
    const Facts &what = facts_[i], &why = facts_[j];
    const bool sameUnit = what.unit && what.unit == why.unit;
    const bool sameLine = d.file && d.file == cause.file && what.line == why.line;

    // A line that cannot be read is told once; a declaration whose end is missing swallows what comes behind.
    if (ofSyntax(cause) && sameLine && (!ofSyntax(d) || j < i)) return true;
    if (cause.code == Code::notClosed && ofSyntax(d) && sameUnit && j < i) return true;
    if (cause.code == Code::incomplete && cause.message.find("`{`") != std::string::npos &&
        d.file == cause.file && what.line > why.line && sameDeclaration(d, why.line, what.line))
      return true;
    if (ofSyntax(d)) return cause.code == Code::nothingToAmend && sameUnit;
    // What is amended is not there: nothing in the amendment can be judged.
    if (cause.code == Code::nothingToAmend && sameUnit && !(d.code == Code::nothingToAmend)) return true;

    if (what.unit && why.unit && !sameUnit && ofSyntax(cause) && !why.unit->name.empty() &&
        what.word == why.unit->name)
      return true;
    if (ofAbsence(d) && absenceFollows(d, what, cause, why, sameUnit)) return true;
    if (d.code == Code::nothingToWaive &&
        (sameUnit || (ofSyntax(cause) && why.unit && ofClauses(why.unit->kind))))
      return true;
    // What was skipped leaves a clause without its condition, a way without its answer.
    if (ofSyntax(cause) && sameUnit &&
        (what.unit->kind == NodeKind::MapDecl || d.severity == Severity::warning ||
         among(d.code, {Code::forbidWithoutReason, Code::missingReturn, Code::missingCase})))
      return true;
    if (d.code == Code::noUnconditionalEnd && sameUnit) return true;
    if (among(d.code, {Code::missingField, Code::tableOverlap, Code::tableGap}) && sameUnit &&
        among(cause.code, {Code::duplicateHeading, Code::unknownHeading, Code::unequalRow, Code::missingInput,
                           Code::unknownName}))
      return true;
    if (d.code == Code::cellType && sameLine && cause.code == Code::unequalRow) return true;
    if (cause.code == Code::unequalRow && sameLine) return true;
    if (d.code == Code::missingCase && sameUnit && cause.code == Code::duplicateCase) return true;
    if (d.code == Code::hexOffMap &&
        (among(cause.code, {Code::missingMapItem, Code::badMap, Code::mapRowCount}) ||
         noMap(cause, why.line) || (ofSyntax(cause) && why.unit && why.unit->kind == NodeKind::MapDecl)))
      return true;
    // What a declaration with the wrong type would have been.
    if (ofTypes(d) && d.file && (j < i || !sameUnit) &&
        among(cause.code, {Code::typeMismatch, Code::fieldAndValue, Code::cellType})) {
      std::string_view line = lineText(d, what.line);
      if (!sameLine && hasWord(line, declaredBefore(cause, why.line))) return true;
      if (cause.code == Code::fieldAndValue && hasWord(line, why.word)) return true;
      if (!sameUnit && why.unit && why.unit->kind == NodeKind::ValueDecl && hasWord(line, why.unit->name) &&
          headMismatch(cause, *why.unit))
        return true;
    }
    return false;
  }

  /// Whether no line between two begins a declaration in the first column.
  static bool sameDeclaration(const Diagnostic& d, std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t line = from + 1; line <= to; ++line) {
      std::string_view text = d.file->text(d.file->line(line));
      if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') return false;
    }
    return true;
  }
  /// A value whose figure is not of the type in its head.
  static bool headMismatch(const Diagnostic& cause, const Unit& unit) {
    return cause.code == Code::typeMismatch && cause.range.offset >= unit.range.offset &&
           cause.file->text({unit.range.offset, cause.range.offset - unit.range.offset}).ends_with("= ");
  }
  /// Whether the scenario's map is not known.
  bool noMap(const Diagnostic& d, std::uint32_t line) const {
    return (d.code == Code::unknownName && d.message.starts_with("there is no map")) ||
           (ofSyntax(d) && hasWord(lineText(d, line), "play"));
  }

  bool absenceFollows(const Diagnostic& d, const Facts& what, const Diagnostic& cause, const Facts& why,
                      bool sameUnit) const {
    if (what.word == "original" && why.unit) return true;
    if (noMap(cause, why.line))
      for (const Unit& unit : units_)
        if (unit.kind == NodeKind::MapDecl && hasWord(textOf(unit), what.word)) return true;
    if (ofSyntax(cause) && (!why.unit || why.unit->kind == NodeKind::Error) &&
        (hasWord(lineText(cause, why.line), what.word) ||
         (why.unit && hasWord(textOf(*why.unit), what.word))))
      return true;
    if (!why.unit) return false;
    if (sameUnit) {
      if (cause.code == Code::duplicateName && cause.range.offset < d.range.offset) return true;
      if (!ofSyntax(cause) || cause.range.offset > d.range.offset) return false;
      std::string_view line = lineText(cause, why.line);
      for (std::string_view binds : {"let", "roll", "choose", "for", "place"})
        if (hasWord(line, binds)) return true;
      return hasWord(line, what.word);
    }
    bool declares = makesNames(why.unit->kind);
    // `no effect` was to be `no_effect`.
    if (std::string apart = what.word; ofSyntax(cause) && apart.find('_') != std::string::npos) {
      std::replace(apart.begin(), apart.end(), '_', ' ');
      if (hasWord(lineText(cause, why.line), apart)) return true;
    }
    // A clause of a counter that could not be read may be where the field would be; a value whose figure is
    // wrong may have another head.
    if (d.code == Code::unknownField && ofSyntax(cause) && why.unit->kind == NodeKind::CounterDecl &&
        (d.message.starts_with(why.unit->name + " has") ||
         d.message.starts_with("set of " + why.unit->name + " has")))
      return true;
    if (d.code == Code::unknownField && why.unit->kind == NodeKind::ValueDecl &&
        what.word == why.unit->name && cause.code == Code::unknownName)
      return true;
    if (d.code == Code::unknownLetter) return why.unit->kind == NodeKind::TerrainDecl;
    if (d.code == Code::noFieldForIs && why.unit->kind == NodeKind::CounterDecl) return true;
    if (ofSyntax(cause) && declares && hasWord(lineText(cause, why.line), what.word)) return true;
    if (ofAbsence(cause) && !declares) return false;
    return (ofSyntax(cause) || declares) && hasWord(textOf(*why.unit), what.word);
  }
  static bool ofClauses(NodeKind kind) {
    return kind == NodeKind::RouteDecl || kind == NodeKind::ValueDecl || kind == NodeKind::PermissionDecl ||
           kind == NodeKind::ZoneDecl;
  }
  /// Declarations that make further names: a slip in one may be why such a name is missing.
  static bool makesNames(NodeKind kind) {
    switch (kind) {
    case NodeKind::ForcesDecl:
    case NodeKind::MapDecl:
    case NodeKind::TypeDecl:
    case NodeKind::TerrainDecl:
    case NodeKind::CounterDecl:
    case NodeKind::GroupDecl:
    case NodeKind::KindsDecl:
    case NodeKind::GameDecl:
    case NodeKind::OptionDecl:
    case NodeKind::ScenarioDecl:
    case NodeKind::StateDecl:
    case NodeKind::AmendDecl:
    case NodeKind::Error: return true;
    default: return false;
    }
  }

  /// Messages with the same key are one matter: a column that is missing for every counter, a row that
  /// overlaps in each column.
  std::string repeatKey(std::size_t i) const {
    const Diagnostic& d = told_[i];
    if (!facts_[i].unit) return {};
    std::string place =
        std::to_string(facts_[i].unit->file) + ":" + std::to_string(facts_[i].unit->range.offset);
    if (d.code == Code::missingField) return "f" + place + lastQuoted(d.message);
    if (d.code == Code::startsNowhere) return "s" + place;
    if (d.code == Code::tableOverlap) return "o" + place + ":" + std::to_string(facts_[i].line);
    return {};
  }

  const Package& package_;
  std::vector<Diagnostic> told_;
  std::vector<Facts> facts_;
  std::vector<Unit> units_;
  std::map<const SourceText*, std::uint16_t> files_;
};

} // namespace

void leaveOutConsequences(const Package& package, DiagnosticSink& sink) {
  sink.sort();
  if (sink.all().size() < 2) return;
  // Beyond so many, nobody reads on; the comparison of all with all has its bound here.
  constexpr std::size_t most = 1000;
  std::vector<Diagnostic> told(sink.all().begin(), sink.all().begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                            sink.all().size(), most)));
  std::vector<Diagnostic> kept = Sieve(package, std::move(told)).run();
  sink.clear();
  for (Diagnostic& d : kept) sink.report(std::move(d));
}

} // namespace hellwig
