// SPDX-License-Identifier: Apache-2.0
// The clock of a game. A time means the first moment, from that of turn 1 on, at which the clock shows it; so
// times past midnight, or past noon on a dial of twelve hours, stand in the order in which they come.
#include "compiler/world_parts.h"

#include <cctype>

namespace hellwig {
namespace {

/// Is a time after 12:59 or before 1:00 written in this text?
bool tellsMoreThanTwelve(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    auto digit = [&](std::size_t i) {
      return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
    };
    if (colon == 0 || !digit(colon - 1) || !digit(colon + 1) || !digit(colon + 2) || digit(colon + 3))
      continue;
    std::size_t from = colon - 1;
    if (from > 0 && digit(from - 1)) --from;
    if (from > 0 && digit(from - 1)) continue;
    int hour = 0;
    for (std::size_t i = from; i < colon; ++i) hour = hour * 10 + (text[i] - '0');
    if (hour == 0 || hour > 12) return true;
  }
  return false;
}

} // namespace

Word World::timeOf(int hour, int minute) const {
  const int day = 60 * module.hoursOfClock;
  const int later = (hour * 60 + minute - clockStart) % day;
  return clockStart + (later < 0 ? later + day : later);
}

std::string World::clockText(Word time) const {
  const Word hour = time / 60 % 24;
  std::string minutes = std::to_string(time % 60);
  return std::to_string(module.hoursOfClock == 12 ? (hour + 11) % 12 + 1 : hour) +
         (minutes.size() < 2 ? ":0" : ":") + minutes;
}

void Building::setClock() {
  for (const FoldedDecl& decl : folded.decls) {
    if (!decl.inForce || decl.kind != NodeKind::SequenceDecl) continue;
    for (NodeRef item : itemsOf(package, decl.node)) {
      NodeRef start = childOf(package, item, Role::start);
      if (kindOf(package, item) != NodeKind::Turns || kindOf(package, start) != NodeKind::OddsLiteral)
        continue;
      auto parts = treeOf(package, start).pairOf(start.node);
      if (!parts || parts->first > 23 || parts->second > 59) continue;
      // A game that writes no time beyond twelve hours reads its clock from a dial.
      bool dial = true;
      for (const SourceFile& file : package.files)
        for (std::uint32_t t = 0; t < file.tree.fileTokenCount() && dial; ++t) {
          const Token& token = file.tree.token(t);
          if (token.kind != TokenKind::odds && token.kind != TokenKind::cell) continue;
          dial = !tellsMoreThanTwelve(file.tree.source().text({token.offset, token.length}));
        }
      world.module.hoursOfClock = dial ? 12 : 24;
      world.clockStart = parts->first * 60 + parts->second;
      return;
    }
  }
}

} // namespace hellwig
