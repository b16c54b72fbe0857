// SPDX-License-Identifier: Apache-2.0
// Poses as differences of cube coordinates, and the aspects that follow from them.
#include "runtime/poses.h"

#include "runtime/hex_geometry.h"

#include <algorithm>
#include <climits>

namespace hellwig {

void Poses::build(const Module& module) {
  any_ = !module.arcs.empty();
  if (!any_) return;
  arcsOfCounter_.assign(module.counters.size(), -1);
  columns_.assign(module.columns.size(), false);
  globals_.assign(module.globals.size(), false);
  for (std::size_t i = 0; i < module.arcs.size(); ++i) {
    const Arcs& arcs = module.arcs[i];
    forEachBit(module.kinds[arcs.kind].members.data(), wordsFor(static_cast<int>(module.counters.size())),
               [&](int u) { arcsOfCounter_[u] = static_cast<std::int16_t>(i); });
    onPlaces_ = onPlaces_ || arcs.onPlaces;
    ofOthers_ = ofOthers_ || arcs.ofOthers;
    columns_[arcs.facingColumn] = true;
    for (const std::uint16_t column : arcs.columns) columns_[column] = true;
    for (const std::uint16_t global : arcs.globals) globals_[global] = true;
    firstPose_.push_back(static_cast<std::uint32_t>(poses_.size()));
    shapes_.push_back(static_cast<std::uint32_t>(arcs.shapes.size()));
    bool wide = false;
    for (const ArcsShape& shape : arcs.shapes) {
      wide = wide || shape.parts.size() > 1;
      for (int facing = 0; facing < 6; ++facing) {
        const int turned = shape.faces == Faces::nothing ? 0 : facing;
        poses_.push_back({static_cast<std::uint32_t>(parts_.size()),
                          static_cast<std::uint32_t>(shape.parts.size()), shape.faces});
        for (const ArcsPart& given : shape.parts) {
          Part part;
          for (const std::uint8_t hexside : given.way) {
            int q = 0, r = 0;
            directionStep(module.board.shape, (hexside + turned) % 6, q, r);
            part.q = static_cast<std::int16_t>(part.q + q);
            part.r = static_cast<std::int16_t>(part.r + r);
          }
          for (int hexside = 0; hexside < 6; ++hexside)
            part.aspect[(hexside + turned) % 6] = given.aspect[hexside];
          parts_.push_back(part);
        }
      }
    }
    mayBeWide_.push_back(wide);
  }
}

std::int32_t Poses::pose(std::int32_t arcs, Word shape, Word facing) const {
  if (arcs < 0 || static_cast<std::uint64_t>(shape) >= shapes_[arcs] ||
      static_cast<std::uint64_t>(facing) >= 6)
    return noPose;
  return static_cast<std::int32_t>(firstPose_[arcs]) + static_cast<std::int32_t>(shape) * 6 +
         static_cast<std::int32_t>(facing);
}

int Poses::hexOf(const Board& board, const Part& part, std::int32_t lead) {
  if (part.q == 0 && part.r == 0) return lead;
  const Hex& at = board.hex[lead];
  const int h = hexAt(board, at.q + part.q, at.r + part.r);
  return h != noHex && hasBit(board.inPlay.data(), h) ? h : noHex;
}

bool Poses::staysInPlay(const Board& board, std::int32_t pose, std::int32_t lead) const {
  if (!isWide(pose)) return true;
  const Pose& p = poses_[pose];
  for (std::uint32_t i = p.first; i < p.first + p.count; ++i)
    if (hexOf(board, parts_[i], lead) == noHex) return false;
  return true;
}

/// For a neighbour of what is covered; INT_MAX if h is none.
int Poses::nearAspect(const Board& board, const Pose& pose, std::int32_t lead, std::int32_t h) const {
  int best = INT_MAX;
  for (std::uint32_t i = pose.first; i < pose.first + pose.count; ++i) {
    const int at = hexOf(board, parts_[i], lead);
    if (at == noHex) continue;
    const int direction = directionToNeighbour(board, at, h);
    if (direction >= 0 && parts_[i].aspect[direction] >= 0)
      best = std::min<int>(best, parts_[i].aspect[direction]);
  }
  return best;
}

int Poses::aspectOf(const Board& board, std::int32_t id, std::int32_t lead, std::int32_t h) const {
  if (id < 0 || lead < 0) return -1;
  const Pose& pose = poses_[id];
  for (std::uint32_t i = pose.first; i < pose.first + pose.count; ++i)
    if (hexOf(board, parts_[i], lead) == h) return -1;
  int best = nearAspect(board, pose, lead, h);
  if (best != INT_MAX) return best;
  // Further off it is told by the line from the nearest part, be that in play or not: a line never leaves
  // the nearest one towards another part. Of several as near the aspect declared first counts, as it does
  // where the line leaves through a corner.
  const Hex& from = board.hex[lead];
  const Hex& to = board.hex[h];
  auto difference = [&](const Part& part) {
    return std::pair<int, int>{to.q - from.q - part.q, to.r - from.r - part.r};
  };
  auto distance = [](std::pair<int, int> d) {
    return (std::abs(d.first) + std::abs(d.second) + std::abs(d.first + d.second)) / 2;
  };
  int nearest = INT_MAX;
  for (std::uint32_t i = pose.first; i < pose.first + pose.count; ++i)
    nearest = std::min(nearest, distance(difference(parts_[i])));
  for (std::uint32_t i = pose.first; i < pose.first + pose.count; ++i) {
    const auto d = difference(parts_[i]);
    if (distance(d) != nearest || nearest == 0) continue;
    int directions[3];
    const int count = leavingDirections(board.shape, d.first, d.second, directions);
    for (int k = 0; k < count; ++k)
      if (const int aspect = parts_[i].aspect[directions[k]]; aspect >= 0) best = std::min(best, aspect);
  }
  return best == INT_MAX ? -1 : best;
}

void Poses::aspectHexes(const Board& board, std::int32_t id, std::int32_t lead, int aspect,
                        SetWord* out) const {
  clearSet(out, board.words);
  if (id < 0 || lead < 0) return;
  const Pose& pose = poses_[id];
  for (std::uint32_t i = pose.first; i < pose.first + pose.count; ++i) {
    const int at = hexOf(board, parts_[i], lead);
    if (at == noHex) continue;
    for (int d = 0; d < 6; ++d) {
      const int h = board.neighbour[at * 6 + d];
      if (h != noHex && parts_[i].aspect[d] == aspect && nearAspect(board, pose, lead, h) == aspect)
        setBit(out, h);
    }
  }
  // A way may lead back to a hex that is covered already.
  for (std::uint32_t i = pose.first; i < pose.first + pose.count; ++i)
    if (const int at = hexOf(board, parts_[i], lead); at != noHex) clearBit(out, at);
}

} // namespace hellwig
