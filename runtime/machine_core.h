// SPDX-License-Identifier: Apache-2.0
// The inside of the machine: one object for each visit, which holds pointers into program, image and host
// alone.
#pragma once

#include "runtime/answer_table.h"
#include "runtime/image.h"
#include "runtime/machine.h"
#include "runtime/route_search.h"

#include <deque>
#include <memory>

namespace hellwig {

using SetWord = std::uint64_t;

/// Thrown by instructions, caught where the machine was entered.
struct FaultError {
  FaultCode code;
};

/// Where texts, marks and lines of an explanation go while a fragment or an explaining body runs.
struct Emission {
  std::string text;
  std::vector<std::uint16_t> marks; ///< mark sets
  Explanation* lines = nullptr;
  bool veilValue = false,
       veiled = false; ///< the next value, all of it: it rests on what the reader may not know
};

/// Memory of a search by cost (cost_reach.h).
struct CostScratch {
  std::vector<std::vector<std::uint16_t>> buckets; ///< hexes by what they cost
  std::vector<std::uint32_t> least;                ///< the least cost of each hex
};

/// Memory of one search; searches nest, so there is a stack of these.
struct SearchArena {
  RouteSearch search;
  CostScratch costs;
  std::vector<Word> arguments;
  std::vector<std::uint64_t> sets; ///< clauses as sets
  std::vector<std::uint64_t> scratch;
  std::vector<std::int32_t> nodes;
};

/// What belongs to a machine and is not part of the state.
struct Machine::Host {
  std::function<void(const LogEvent&)> listener;
  TextView listenerView;
  std::uint64_t fuel = 50'000'000;
  bool scripted = false;
  bool plainSearch = false;
  bool counting = false;                        ///< count procedures called
  std::vector<std::uint8_t>* covered = nullptr; ///< by mark set: what bears it has acted
  std::deque<std::int32_t> dice;
  static constexpr std::ptrdiff_t rolledKept = 1000;
  std::vector<std::int32_t> rolled; ///< at least the latest `rolledKept`
  std::vector<std::uint32_t> happened;
  std::vector<std::pair<std::uint16_t, std::vector<Word>>>
      callsMade; ///< with their arguments, while dice are scripted
  std::vector<std::unique_ptr<SearchArena>> arenas;
  std::uint32_t arenaDepth = 0;
  std::vector<std::uint16_t> lifted;          ///< counters off the map for a search
  std::uint32_t liftSerial = 0, liftNext = 0; ///< names the set of lifted counters
  std::vector<std::uint64_t> liftUnions; ///< zone unions with counters lifted, a plane for each zone and side
  std::vector<std::uint32_t> liftUnionSerial;
  std::vector<std::uint64_t> order;     ///< scratch
  std::vector<std::uint16_t> held;      ///< scratch: how many counters each hex holds
  std::vector<std::uint64_t> floodSets; ///< sets of the floods under way, a stack of them
  std::size_t floodTop = 0;
  std::vector<std::uint64_t> floodLayers; ///< scratch
  /// Costs of edges that never change, by route and item, at hex * 6 + direction; `unknownCost` until asked.
  std::vector<std::vector<std::vector<Word>>> staticCosts;
  // While a route of several fields is searched:
  std::uint64_t cameFromReads = 0;      ///< how often a clause read where the mover came from
  std::int32_t watchedMover = -1;       ///< for that
  const Route* effects = nullptr;       ///< whose effects act on the mover lifted last
  std::vector<std::int32_t> sightItems; ///< items of the line asked last, in pairs
  std::int64_t sightLine = -1;
};

/// The subsets or allotments that a decision admits by number and ranges alone: a number for each element,
/// for a subset 0 or 1.
struct WholeAnswers {
  std::vector<std::uint16_t> order; ///< the elements, in the standard order
  std::vector<std::int32_t> low, high;
  std::int32_t least = 0, most = 0; ///< of a subset: how many
};

class MachineCore {
public:
  explicit MachineCore(Machine& machine);

  // ---- machine.cpp: entering and leaving
  Status step(SpanKind* untilSpan);
  void begin(std::uint64_t seed, Stage stage);
  bool enter(std::uint32_t body, std::uint32_t pc, std::span<const Word> arguments, Stage stage);
  bool aside(std::uint32_t body, std::span<const Word> arguments, std::string* error);
  void setStatus(Status status) { image_.header(headerStatus) = static_cast<std::uint64_t>(status); }
  Status status() const { return static_cast<Status>(image_.header(headerStatus)); }
  void recordFault(FaultCode code);
  std::vector<std::string> callChain(SourcePlace* place) const;
  std::uint32_t framesInUse() const;
  /// Runs `work` with the machine's place kept; false if it faulted.
  template<class Work> bool quietly(Work&& work);

  // ---- interpreter.cpp
  /// Runs until the record at `base` has returned (Status::idle) or the play stops.
  Status execute(std::uint32_t base);
  /// Runs a body whose frame begins at `frame`: arguments stand in its first registers, results come back
  /// there.
  void runBody(std::uint32_t body, Word* frame);
  /// Runs a fragment of the body on top in a copy of its frame. `prepare` may write the copy before, `finish`
  /// read it after.
  template<class Prepare, class Finish> void runFragment(std::int32_t pc, Prepare&& prepare, Finish&& finish);
  [[noreturn]] void raise(FaultCode code) const { throw FaultError{code}; }

  // ---- operations.cpp: instructions that are too long for the loop
  void fractionOp(Op op, Word* r, const Instruction& in);
  void setOperation(Op op, Word* r, const Instruction& in);
  void mapOperation(Op op, Word* r, const Instruction& in);
  /// Whether a hexside bears a value of its terrain: the column holds a bit for each.
  bool bears(const ColumnAccess& column, std::uint32_t hexside, unsigned value) const {
    return column.setWords != 0 ? hasBit(image_.getSet(column, hexside), static_cast<int>(value))
                                : (image_.get(column, hexside) >> value & 1) != 0;
  }
  bool lineNext(Word* r, const Instruction& in);
  bool nextCounter(Word* r, const Instruction& in);
  void lookUp(Word* r, const Instruction& in);
  void resetSpan(SpanKind span);
  void moveAlong(std::uint32_t counter, const Word* path, bool test);
  void pathOperation(Op op, Word* r, const Instruction& in);
  const SetWord* checkedSet(const Word* r, std::uint32_t size) const;

  // ---- groups.cpp
  void hangLike(bool group, std::uint32_t thing, std::uint32_t from, std::uint16_t kind);
  void joinGroup(const Word* r, const Instruction& in);
  void fieldIs(Word* r, const Instruction& in);

  // ---- footprints.cpp: counters that face or cover several hexes
  std::int32_t poseNow(std::uint32_t counter);   ///< as its fields are
  std::int32_t quietPose(std::uint32_t counter); ///< noPose where its shape cannot be told
  std::int32_t poseOf(std::uint32_t counter); ///< kept with the state; of a lifted counter as its fields are
  bool isLifted(std::uint32_t counter) const;
  void settlePose(std::uint32_t counter);
  void refreshPoses(); ///< of all counters; no change that games settle
  /// After a write of something that poses depend on (-1: of no counter), and after a move.
  void wrote(std::int64_t counter);
  void moved(std::uint32_t counter);
  /// Adds the hexes that a counter covers; none off the map.
  void coverInto(std::uint32_t counter, SetWord* out);
  bool meets(std::uint32_t counter, const SetWord* hexes) const; ///< a counter on the map
  /// Whether a counter of `mayBeWide` arcs would be in play as a whole with its lead hex there.
  bool staysInPlay(std::uint32_t counter, std::int32_t hex);
  std::int32_t coverDistance(Word a, bool counterA, Word b, bool counterB);
  void footprintOperation(Op op, Word* r, const Instruction& in);
  void terrainValues(Op op, Word* r, const Instruction& in);

  // ---- zones.cpp
  const SetWord* zoneUnion(std::uint32_t zone, std::uint32_t side);
  void cover(std::uint32_t zone, std::uint32_t counter, SetWord* into);
  void zoneOfCounters(std::uint32_t zone, const SetWord* counters, SetWord* out);
  void zoneOwners(std::uint32_t zone, std::uint32_t hex, SetWord* out);

  // ---- play.cpp: dice, log, spans, victory
  bool roll(DieKind die, std::int32_t purpose, Word* out);
  /// The same for a d6 that is neither scripted nor logged.
  Word rollD6() {
    auto& random = *reinterpret_cast<Random*>(image_.words() + headerRandom);
    const auto value = static_cast<std::int32_t>(random.below(6)) + 1;
    noteRoll(value);
    return value;
  }
  void noteRoll(std::int32_t value) {
    ++image_.header(headerRolls);
    if (!host_.counting) return;
    if (host_.rolled.size() == 2 * Machine::Host::rolledKept)
      host_.rolled.erase(host_.rolled.begin(), host_.rolled.begin() + Machine::Host::rolledKept);
    host_.rolled.push_back(value);
  }
  bool rollOneOf(const SetWord* set, std::uint32_t words, std::int32_t domain, std::int32_t purpose,
                 Word* out);
  void logFragment(LogEvent::Kind kind, std::int32_t fragment, std::string suffix);
  /// Tells whoever listens, with the rules that led here besides those in `marks`.
  void tellLog(LogEvent event, std::uint16_t marks, bool place = true);
  /// The marks of the statements, spans and procedures under way.
  void citePlace(std::vector<std::uint16_t>& rules) const;
  void cover(std::uint16_t marks) const {
    if (host_.covered != nullptr && marks < host_.covered->size()) (*host_.covered)[marks] = 1;
  }
  void spanBegin(SpanKind span, bool log, std::int32_t phase);
  bool restPlay();
  bool testVictory(VictoryWhen when);
  void learnTruth();
  void endGame(EndCause cause, std::uint64_t detail, std::int32_t winner, std::string text);
  std::string endText(EndCause cause, std::uint64_t detail, std::int32_t winner);
  bool concede(std::uint16_t side);
  bool hiddenFrom(std::uint32_t counter, std::int32_t viewer);
  void countReveals();
  void sampleHidden(std::int32_t viewer, Random& random);

  // ---- decisions.cpp
  bool decide(std::uint16_t decision, Word* r); ///< true: answered, play goes on
  void loadPending();                           ///< pending_ from the registers of the decision under way
  const Decision& decisionUnderWay(std::uint16_t* id = nullptr) const;
  bool isSoundDecision() const; ///< do its registers hold an owner and sets of their domains?
  void orderOf(const SetWord* set, std::uint32_t words, std::uint16_t domain,
               std::vector<std::uint16_t>& out);
  std::int32_t elementAt(std::span<const std::uint64_t> elements, std::uint16_t domain, std::uint32_t k);
  bool isLegal(const Answer& answer, std::string* why);
  void take(const Answer& answer, LogEvent::Kind kind);
  void logAnswer(const Answer& answer, LogEvent::Kind kind);
  std::string optionText(const Answer& answer);
  Word* decisionFrame() const;

  // ---- answers.cpp: subsets and allotments
  WholeAnswers wholeAnswers(const Decision& decision, const Word* r);
  /// Is there a legal one? The ranks of the best go to the registers of the `prefer` lines.
  bool anyWhole(const Decision& decision, Word* r, const WholeAnswers& whole,
                std::vector<std::int32_t>* witness);
  bool provided(const Decision& decision, const WholeAnswers& whole,
                const std::vector<std::int32_t>& numbers);
  std::vector<Word> ranksOf(const Decision& decision, const WholeAnswers& whole,
                            const std::vector<std::int32_t>& numbers);
  bool isLegalWhole(const Decision& decision, const Answer& answer, std::string* why);
  std::optional<Answer> drawWhole(const Decision& decision, Random& random);
  AnswerTable answerTable(const Decision& decision, const Word* r, const WholeAnswers& whole, bool ranked);
  void putWhole(const Decision& decision, const WholeAnswers& whole, const std::vector<std::int32_t>& numbers,
                Word* frame) const;

  // ---- text.cpp
  std::string display(Word value, ValueType type);
  std::string displaySet(const SetWord* set, ValueType type);
  std::string displayPath(const Word* block);
  void addMarks(std::uint16_t mark, std::vector<std::uint16_t>& rules) const;
  void emitLine(Op op, Word* r, const Instruction& in);
  std::string fragmentText(std::int32_t fragment);

  // ---- routes.cpp, why_not.cpp
  void reach(std::uint16_t route, const Word* arguments, SetWord* out);
  bool anyReach(std::uint16_t route, const Word* arguments, const SetWord* goals);
  void path(std::uint16_t route, const Word* arguments, std::int32_t to, Word* block);
  void paths(std::uint16_t route, const Word* arguments, Word* list);
  void pathAt(const Word* list, Word index, Word* block);
  void poke(std::int32_t column, Word value); ///< a field of the mover of the search under way
  void pokeHex(Word hex);
  void travelStart(Word* travel, Word mover, std::uint16_t route, const Word* arguments);
  void travelBegin(Word* travel);
  bool travelTest(Word* travel, Word edge);
  void travelTake(Word* travel);
  void walkOffer(const Word* travel, const Word* visited, std::uint32_t words, const Decision& decision,
                 Word* r);
  Word walkEdge(const Word* travel, const Decision& decision, const Word* r);
  void walkVisit(Word* visited, std::uint32_t words, const Word* travel);
  void travelArguments(const Word* travel, std::uint32_t way, Word* out);
  Explanation whyNotReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to);
  Explanation explainReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to);

  Machine& machine_;
  const Program& program_;
  const Module& module_;
  const ImageLayout& layout_;
  Image image_;
  Machine::Host& host_;
  Word* frames_;
  std::uint64_t* calls_;
  Word* framesEnd_;
  Word* top_; ///< first register above all frames in use
  std::int64_t fuel_ = 0;
  Emission* emission_ = nullptr;
  std::int32_t viewer_ = -1; ///< of texts
  bool aside_ = false;       ///< a decision is a fault
  std::int32_t untilSpan_ = -1, untilDepth_ = 0;
};

/// Directs texts to `emission`, as `viewer` may see them, while it lives.
class EmissionScope {
public:
  EmissionScope(MachineCore& core, Emission* emission, std::int32_t viewer)
      : core_(core), emission_(core.emission_), viewer_(core.viewer_) {
    core.emission_ = emission;
    core.viewer_ = viewer;
  }
  ~EmissionScope() {
    core_.emission_ = emission_;
    core_.viewer_ = viewer_;
  }
  EmissionScope(const EmissionScope&) = delete;
  EmissionScope& operator=(const EmissionScope&) = delete;

private:
  MachineCore& core_;
  Emission* emission_;
  std::int32_t viewer_;
};

template<class Work> bool MachineCore::quietly(Work&& work) {
  const std::uint64_t depth = image_.header(headerDepth);
  Word* const top = top_;
  bool done = true;
  try {
    work();
  } catch (const FaultError&) {
    done = false;
  }
  image_.header(headerDepth) = depth;
  top_ = top;
  return done;
}

template<class Prepare, class Finish>
void MachineCore::runFragment(std::int32_t pc, Prepare&& prepare, Finish&& finish) {
  const std::uint64_t depth = image_.header(headerDepth);
  if (pc < 0 || depth == 0 || depth >= layout_.maxDepth) raise(FaultCode::unreachable);
  const std::uint64_t* record = calls_ + 2 * (depth - 1);
  const std::uint32_t body = static_cast<std::uint32_t>(record[0]);
  const std::uint32_t words = program_.bodies()[body].registers;
  const Word* frame = frames_ + record[1];
  Word* copy = top_;
  if (framesEnd_ - copy < static_cast<std::ptrdiff_t>(program_.bodies()[body].needWords))
    raise(FaultCode::stackTooDeep);
  std::copy(frame, frame + words, copy);
  prepare(copy);
  std::uint64_t* next = calls_ + 2 * depth;
  next[0] = body | static_cast<std::uint64_t>(pc) << 32;
  next[1] = static_cast<std::uint64_t>(copy - frames_);
  image_.header(headerDepth) = depth + 1;
  Word* const top = top_;
  execute(static_cast<std::uint32_t>(depth));
  top_ = top;
  finish(static_cast<const Word*>(copy));
}

} // namespace hellwig
