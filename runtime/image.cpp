// SPDX-License-Identifier: Apache-2.0
// Writing an image: every write that alters something marks the zones and victory clauses that watch it.
#include "runtime/image.h"

#include <algorithm>
#include <bit>

namespace hellwig {

namespace {

template<class T> bool storeAs(std::uint64_t* base, std::uint32_t i, Word value) {
  constexpr Word least = std::numeric_limits<T>::min();
  if (value == none)
    value = least;
  else if (value <= least || value > std::numeric_limits<T>::max())
    return false;
  const T narrow = static_cast<T>(value);
  std::memcpy(reinterpret_cast<char*>(base) + std::size_t{i} * sizeof(T), &narrow, sizeof(T));
  return true;
}

} // namespace

bool Image::store(std::uint64_t* base, std::uint8_t bytes, std::uint32_t i, Word value) {
  switch (bytes) {
  case 1: return storeAs<std::int8_t>(base, i, value);
  case 2: return storeAs<std::int16_t>(base, i, value);
  case 4: return storeAs<std::int32_t>(base, i, value);
  default: base[i] = static_cast<std::uint64_t>(value); return true;
  }
}

bool Image::store(const ColumnAccess& column, std::uint32_t thing, Word before, Word value) {
  if (!store(words_ + column.offset, column.bytes, thing, value)) return false;
  if (column.planes != 0) {
    const std::size_t planeWords = (column.count + 63) / 64;
    std::uint64_t* planes = words_ + column.planeOffset + thing / 64;
    const std::uint64_t bit = std::uint64_t{1} << (thing % 64);
    if (static_cast<std::uint64_t>(before) < column.planes) planes[before * planeWords] &= ~bit;
    if (static_cast<std::uint64_t>(value) < column.planes) planes[value * planeWords] |= bit;
  }
  return true;
}

bool Image::suppose(const ColumnAccess& column, std::uint32_t thing, Word value, Word& before) {
  before = get(column, thing);
  return before == value || store(column, thing, before, value);
}

bool Image::set(const ColumnAccess& column, std::uint32_t thing, Word value) {
  const Word before = load(words_ + column.offset, column.bytes, thing);
  if (before == value) return true;
  if (!store(column, thing, before, value)) return false;
  std::uint64_t* stale = words_ + layout_->zoneStale;
  stale[0] |= column.zonesAll;
  stale[1] |= column.zonesAll;
  if (column.ofCounters) {
    stale[program_->sideOf(thing)] |= column.zonesOwn & program_->zonesOf(thing);
  } else {
    stale[0] |= column.zonesOwn;
    stale[1] |= column.zonesOwn;
  }
  words_[layout_->victoryDirty] |= column.watch;
  return true;
}

void Image::setSet(const ColumnAccess& column, std::uint32_t thing, const std::uint64_t* value) {
  std::uint64_t* to = words_ + column.offset + static_cast<std::size_t>(thing) * column.setWords;
  if (std::equal(value, value + column.setWords, to)) return;
  std::copy(value, value + column.setWords, to);
  std::uint64_t* stale = words_ + layout_->zoneStale;
  stale[0] |= column.zonesAll | column.zonesOwn;
  stale[1] |= column.zonesAll | column.zonesOwn;
  words_[layout_->victoryDirty] |= column.watch;
}

void Image::setGlobal(const GlobalAccess& global, const Word* value) {
  Word* to = reinterpret_cast<Word*>(words_ + global.offset);
  if (std::equal(value, value + global.words, to)) return;
  std::copy(value, value + global.words, to);
  touchGlobal(global);
}

void Image::touchPlace(std::uint32_t counter) {
  std::uint64_t* stale = words_ + layout_->zoneStale;
  stale[0] |= program_->zonesOnPlaces();
  stale[1] |= program_->zonesOnPlaces();
  stale[program_->sideOf(counter)] |= program_->zonesOf(counter);
  words_[layout_->victoryDirty] |= Module::placeWatch;
}

void Image::leftHex(std::uint32_t counter, std::uint32_t hex) {
  const std::uint32_t side = program_->sideOf(counter);
  for (std::int32_t u = top(hex); u >= 0; u = below(static_cast<std::uint32_t>(u)))
    if (program_->sideOf(static_cast<std::uint32_t>(u)) == side) return;
  if (hasPoses() && coveredBesides(hex, program_->sideCounters(side))) return;
  sideHexes(side)[hex / 64] &= ~(std::uint64_t{1} << (hex % 64));
}

// ---- Counters of several hexes

bool Image::coversBesides(std::uint32_t counter, std::uint32_t hex) const {
  bool found = false;
  program_->poses().eachBesides(program_->module().board, pose(counter), hexOf(counter),
                                [&](int h) { found = found || h == static_cast<int>(hex); });
  return found;
}

bool Image::coveredBesides(std::uint32_t hex, const std::uint64_t* among) const {
  if ((spread()[hex / 64] >> (hex % 64) & 1) == 0) return false;
  for (std::uint32_t i = 0; i < program_->counterWords(); ++i)
    for (std::uint64_t rest = wide()[i] & among[i]; rest != 0; rest &= rest - 1)
      if (coversBesides(i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), hex)) return true;
  return false;
}

void Image::cover(std::uint32_t counter) {
  if (!program_->poses().isWide(pose(counter))) return;
  setBit(wide(), static_cast<int>(counter));
  std::uint64_t* own = sideHexes(program_->sideOf(counter));
  program_->poses().eachBesides(program_->module().board, pose(counter), hexOf(counter), [&](int h) {
    setBit(spread(), h);
    setBit(own, h);
  });
}

void Image::uncover(std::uint32_t counter) {
  if (!isWide(counter)) return;
  clearBit(wide(), static_cast<int>(counter));
  program_->poses().eachBesides(program_->module().board, pose(counter), hexOf(counter), [&](int h) {
    const auto hex = static_cast<std::uint32_t>(h);
    if (!coveredBesides(hex, wide())) clearBit(spread(), h);
    leftHex(counter, hex);
  });
}

void Image::setPose(std::uint32_t counter, std::int32_t pose) {
  std::int16_t& now = array<std::int16_t>(layout_->pose)[counter];
  if (now == pose) return;
  const bool onBoard = (onMap()[counter / 64] >> (counter % 64) & 1) != 0;
  const bool matters = onBoard && (isWide(counter) || program_->poses().isWide(pose));
  if (matters) uncover(counter);
  now = static_cast<std::int16_t>(pose);
  if (!matters) return;
  cover(counter);
  touchPlace(counter);
}

void Image::unlink(std::uint32_t counter) {
  uncover(counter);
  std::int16_t* next = array<std::int16_t>(layout_->nextInStack);
  const std::int32_t hex = hexOf(counter);
  if (hex >= 0) {
    std::int16_t* link = array<std::int16_t>(layout_->stackTop) + hex;
    while (*link >= 0 && *link != static_cast<std::int16_t>(counter)) link = next + *link;
    if (*link >= 0) *link = next[counter];
    next[counter] = -1;
    onMap()[counter / 64] &= ~(std::uint64_t{1} << (counter % 64));
    leftHex(counter, static_cast<std::uint32_t>(hex));
  } else if (boxOf(counter) >= 0) {
    boxPlane(static_cast<std::uint32_t>(boxOf(counter)))[counter / 64] &=
        ~(std::uint64_t{1} << (counter % 64));
  }
}

void Image::moveToHex(std::uint32_t counter, std::uint32_t hex) {
  const std::int32_t before = hexOf(counter);
  unlink(counter);
  if (before >= 0 && before != static_cast<std::int32_t>(hex)) setCameFrom(counter, before);
  pokeHex(counter, static_cast<std::int32_t>(hex));
  array<std::int16_t>(layout_->boxOf)[counter] = -1;
  std::int16_t& top = array<std::int16_t>(layout_->stackTop)[hex];
  array<std::int16_t>(layout_->nextInStack)[counter] = top;
  top = static_cast<std::int16_t>(counter);
  onMap()[counter / 64] |= std::uint64_t{1} << (counter % 64);
  cameToHex(counter, hex);
  if (hasPoses()) cover(counter);
  array<std::uint32_t>(layout_->arrival)[counter] = static_cast<std::uint32_t>(++words_[headerArrival]);
  touchPlace(counter);
}

void Image::moveToBox(std::uint32_t counter, std::int32_t box) {
  const std::int32_t before = hexOf(counter);
  if (before < 0 && boxOf(counter) == box) return;
  unlink(counter);
  if (before >= 0) setCameFrom(counter, before);
  pokeHex(counter, -1);
  array<std::int16_t>(layout_->boxOf)[counter] = static_cast<std::int16_t>(box);
  if (box >= 0) boxPlane(static_cast<std::uint32_t>(box))[counter / 64] |= std::uint64_t{1} << (counter % 64);
  touchPlace(counter);
}

Image::Lifted Image::lift(std::uint32_t counter) {
  Lifted lifted;
  lifted.counter = counter;
  lifted.hex = static_cast<std::int16_t>(hexOf(counter));
  lifted.box = static_cast<std::int16_t>(boxOf(counter));
  const std::uint64_t bit = std::uint64_t{1} << (counter % 64);
  if ((onMap()[counter / 64] & bit) != 0) {
    lifted.wasInStack = true;
    lifted.wasWide = isWide(counter);
    uncover(counter);
    std::int16_t* next = array<std::int16_t>(layout_->nextInStack);
    std::int16_t* link = array<std::int16_t>(layout_->stackTop) + lifted.hex;
    while (*link != static_cast<std::int16_t>(counter)) {
      lifted.above = *link;
      link = next + *link;
    }
    *link = next[counter];
    onMap()[counter / 64] &= ~bit;
    leftHex(counter, static_cast<std::uint32_t>(lifted.hex));
  } else if (lifted.hex < 0 && lifted.box >= 0) {
    boxPlane(static_cast<std::uint32_t>(lifted.box))[counter / 64] &= ~bit;
  }
  return lifted;
}

void Image::lower(const Lifted& lifted) {
  const std::uint64_t bit = std::uint64_t{1} << (lifted.counter % 64);
  pokeHex(lifted.counter, lifted.hex);
  if (lifted.wasInStack) {
    std::int16_t* link = lifted.above >= 0 ? array<std::int16_t>(layout_->nextInStack) + lifted.above
                                           : array<std::int16_t>(layout_->stackTop) + lifted.hex;
    *link = static_cast<std::int16_t>(lifted.counter);
    onMap()[lifted.counter / 64] |= bit;
    cameToHex(lifted.counter, static_cast<std::uint32_t>(lifted.hex));
    if (lifted.wasWide) cover(lifted.counter);
  } else if (lifted.hex < 0 && lifted.box >= 0) {
    boxPlane(static_cast<std::uint32_t>(lifted.box))[lifted.counter / 64] |= bit;
  }
}

void Image::forgetDerived() {
  words_[layout_->zoneStale] = ~std::uint64_t{0};
  words_[layout_->zoneStale + 1] = ~std::uint64_t{0};
  words_[layout_->victoryDirty] = ~std::uint64_t{0};
}

void Image::rebuildPlanes() {
  for (const ColumnAccess& column : program_->columns()) {
    if (column.constant || column.planes == 0) continue;
    const std::size_t planeWords = (column.count + 63) / 64;
    std::uint64_t* planes = words_ + column.planeOffset;
    std::fill(planes, planes + planeWords * column.planes, 0);
    for (std::uint32_t thing = 0; thing < column.count; ++thing) {
      const auto value = static_cast<std::uint64_t>(get(column, thing));
      if (value < column.planes) planes[value * planeWords + thing / 64] |= std::uint64_t{1} << (thing % 64);
    }
  }
}

bool Image::rebuildStacks() {
  const Module& module = program_->module();
  const auto counters = static_cast<std::uint32_t>(module.counters.size());
  const std::uint32_t words = program_->counterWords();
  std::fill(onMap(), onMap() + words, 0);
  std::fill(sideHexes(0), sideHexes(0) + std::size_t{2} * program_->hexWords(), 0);
  std::fill(boxPlane(0), boxPlane(0) + words * module.boxes.size(), 0);
  if (hasPoses()) {
    std::fill(wide(), wide() + words, 0);
    std::fill(spread(), spread() + program_->hexWords(), 0);
  }
  std::fill_n(array<std::int16_t>(layout_->stackTop), module.board.n, std::int16_t{-1});
  std::fill_n(array<std::int16_t>(layout_->nextInStack), counters, std::int16_t{-1});
  std::vector<std::uint32_t> onBoard;
  for (std::uint32_t u = 0; u < counters; ++u) {
    const std::int32_t hex = hexOf(u), box = boxOf(u);
    if (hex < -1 || hex >= module.board.n || box < -1 ||
        box >= static_cast<std::int32_t>(module.boxes.size()) || (hex >= 0 && box >= 0) || cameFrom(u) < -1 ||
        cameFrom(u) >= module.board.n || arrival(u) > words_[headerArrival])
      return false;
    const std::uint64_t bit = std::uint64_t{1} << (u % 64);
    if (hex >= 0) {
      onBoard.push_back(u);
      cameToHex(u, static_cast<std::uint32_t>(hex));
      onMap()[u / 64] |= bit;
    } else if (box >= 0) {
      boxPlane(static_cast<std::uint32_t>(box))[u / 64] |= bit;
    }
  }
  std::stable_sort(onBoard.begin(), onBoard.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return arrival(a) < arrival(b); });
  for (const std::uint32_t u : onBoard) {
    std::int16_t& top = array<std::int16_t>(layout_->stackTop)[hexOf(u)];
    array<std::int16_t>(layout_->nextInStack)[u] = top;
    top = static_cast<std::int16_t>(u);
    if (hasPoses()) cover(u);
  }
  return true;
}

} // namespace hellwig
