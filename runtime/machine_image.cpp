// SPDX-License-Identifier: Apache-2.0
// The image as words outside the machine: identity, saving, restoring with suspicion, dice and hidden things
// of copies.
#include "runtime/machine_core.h"

#include <algorithm>

namespace hellwig {

std::uint64_t Machine::hash() const {
  // Four lanes, so that the multiplications overlap.
  std::uint64_t lanes[4] = {0x9E3779B97F4A7C15U, 0xC2B2AE3D27D4EB4FU, 0x165667B19E3779F9U,
                            0x27D4EB2F165667C5U};
  constexpr std::uint64_t factor = 0x9FB21C651E98DF25U;
  const ImageLayout& layout = program_->layout();
  const std::uint64_t depth = image_[headerDepth];
  auto take = [&lanes](const std::uint64_t* words, std::size_t count) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
      for (std::size_t k = 0; k < 4; ++k) {
        lanes[k] = (lanes[k] ^ words[i + k]) * factor;
        lanes[k] ^= lanes[k] >> 31;
      }
    for (; i < count; ++i) {
      lanes[i & 3] = (lanes[i & 3] ^ words[i]) * factor;
      lanes[i & 3] ^= lanes[i & 3] >> 31;
    }
  };
  take(image_.get(), layout.authoritativeEnd);
  take(image_.get() + layout.calls, 2 * depth);
  take(image_.get() + layout.frames, MachineCore(const_cast<Machine&>(*this)).framesInUse());
  std::uint64_t h = 0;
  for (const std::uint64_t lane : lanes) {
    h = (h ^ lane) * factor;
    h ^= h >> 29;
  }
  return h;
}

std::vector<std::uint64_t> Machine::saveImage() const {
  const ImageLayout& layout = program_->layout();
  const std::uint64_t depth = image_[headerDepth];
  const std::uint32_t used = MachineCore(const_cast<Machine&>(*this)).framesInUse();
  std::vector<std::uint64_t> saved;
  saved.reserve(layout.authoritativeEnd + 2 * depth + used);
  auto append = [&](std::uint32_t from, std::size_t count) {
    saved.insert(saved.end(), image_.get() + from, image_.get() + from + count);
  };
  append(0, layout.authoritativeEnd);
  append(layout.calls, 2 * depth);
  append(layout.frames, used);
  return saved;
}

namespace {

// Whether the call records could have come about: each was called by the one below at its place.
bool callsFit(const Program& program, const std::uint64_t* calls, std::uint64_t depth, Status status,
              std::uint64_t& frameWords) {
  const Module& module = program.module();
  frameWords = 0;
  for (std::uint64_t i = 0; i < depth; ++i) {
    const std::uint64_t body = calls[2 * i] & 0xffffffffU, pc = calls[2 * i] >> 32, frame = calls[2 * i + 1];
    if (body >= module.bodies.size() || pc >= module.bodies[body].code.size()) return false;
    if (i == 0 && frame != 0) return false;
    if (i != 0) {
      const Body& caller = module.bodies[calls[2 * i - 2] & 0xffffffffU];
      const std::uint64_t callerPc = calls[2 * i - 2] >> 32;
      if (callerPc == 0) return false;
      const Instruction& in = caller.code[callerPc - 1];
      if (in.op != Op::call || static_cast<std::uint64_t>(in.d) != body || frame != calls[2 * i - 1] + in.a)
        return false;
    }
    frameWords = frame + module.bodies[body].registers;
    if (i + 1 < depth) continue;
    const Op op = module.bodies[body].code[pc].op;
    if (status == Status::decision && op != Op::decide) return false;
    if (status == Status::dieWanted && op != Op::roll && op != Op::rollOneOf) return false;
  }
  if (depth == 0 && (status == Status::decision || status == Status::dieWanted)) return false;
  return depth == 0 || program.bodies()[calls[0] & 0xffffffffU].needWords <= program.layout().maxFrameWords;
}

} // namespace

bool Machine::restoreImage(std::span<const std::uint64_t> image) {
  const ImageLayout& layout = program_->layout();
  const Module& module = program_->module();
  if (image.size() < layout.authoritativeEnd || image[headerMagic] != program_->initialImage()[headerMagic])
    return false;
  const std::uint64_t depth = image[headerDepth];
  if (depth > layout.maxDepth || image.size() < layout.authoritativeEnd + 2 * depth) return false;
  if (image[headerStatus] > static_cast<std::uint64_t>(Status::idle) ||
      image[headerStage] > static_cast<std::uint64_t>(Stage::body) || image[headerTruthKnown] > 1 ||
      image[headerEndCause] > static_cast<std::uint64_t>(EndCause::concession) || image[headerWinner] > 2)
    return false;
  const auto status = static_cast<Status>(image[headerStatus]);
  const auto cause = static_cast<EndCause>(image[headerEndCause]);
  if (cause == EndCause::clause && image[headerEndDetail] >= module.victory.size()) return false;
  if ((image[headerRandom] | image[headerRandom + 1] | image[headerRandom + 2] | image[headerRandom + 3]) ==
      0)
    return false;
  std::uint64_t frameWords = 0;
  if (!callsFit(*program_, image.data() + layout.authoritativeEnd, depth, status, frameWords) ||
      image.size() != layout.authoritativeEnd + 2 * depth + frameWords)
    return false;

  // The parts that follow from others must be what these say.
  auto words = std::make_unique_for_overwrite<std::uint64_t[]>(layout.total);
  std::copy(program_->initialImage().begin(), program_->initialImage().end(), words.get());
  std::copy_n(image.data(), layout.authoritativeEnd, words.get());
  Image copy(*program_, words.get());
  copy.rebuildPlanes();
  if (!copy.rebuildStacks() || !std::equal(words.get(), words.get() + layout.authoritativeEnd, image.data()))
    return false;
  copy.forgetDerived();
  std::copy_n(image.data() + layout.authoritativeEnd, 2 * depth, words.get() + layout.calls);
  std::copy_n(image.data() + layout.authoritativeEnd + 2 * depth, frameWords, words.get() + layout.frames);

  std::swap(image_, words);
  MachineCore core(*this);
  core.refreshPoses();
  const Pending before = pending_;
  if (status == Status::decision) {
    if (!core.isSoundDecision()) {
      std::swap(image_, words);
      pending_ = before;
      return false;
    }
    core.loadPending();
  } else {
    pending_ = Pending{};
  }
  fault_ = Fault{};
  result_ = GameResult{};
  if (status == Status::ended) {
    result_.over = true;
    result_.winner = static_cast<std::int32_t>(image_[headerWinner]) - 1;
    const auto detail = image_[headerEndDetail];
    if (cause != EndCause::fragment) {
      result_.text = core.endText(cause, detail, result_.winner);
    } else if (depth != 0) {
      // The instruction that ended the game names the fragment; the header alone is not believed.
      const std::uint64_t record = image_[layout.calls + 2 * (depth - 1)];
      const Instruction& in = module.bodies[record & 0xffffffffU].code[record >> 32];
      if ((in.op == Op::win || in.op == Op::drawGame) && in.d > 0) result_.text = core.fragmentText(in.d);
    }
  }
  return true;
}

std::uint64_t Machine::phasesBegun() const {
  return image_[headerPhases];
}

std::uint64_t Machine::rollCount() const {
  return image_[headerRolls];
}
std::uint64_t Machine::revealCount() const {
  return image_[headerReveals];
}
void Machine::reseed(std::uint64_t seed) {
  const Random random = Random::fromSeed(seed);
  for (std::uint32_t i = 0; i < 4; ++i) image_[headerRandom + i] = random.state[i];
}
void Machine::sampleHidden(std::int32_t viewer, Random& random) {
  MachineCore(*this).sampleHidden(viewer, random);
}

} // namespace hellwig
