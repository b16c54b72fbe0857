// SPDX-License-Identifier: Apache-2.0
// One game under way. All of its state is a flat image; the host runs it to the next decision, looks at the
// options and answers. Nothing but an answer changes the state.
#pragma once

#include "runtime/program.h"
#include "runtime/random.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hellwig {

enum class Status : std::uint8_t {
  ready,     ///< more to run: call step()
  decision,  ///< a free decision is pending
  dieWanted, ///< scripted dice have run out (only with scriptDice)
  spanEnded, ///< the span that runToSpanEnd waits for is over
  ended,     ///< won or drawn
  faulted,
  idle ///< a body started by startBody has returned
};

/// The answer to a decision. `option` numbers what may be chosen in the standard order: elements first, then
/// the alternatives as written, open and closed; one that stands for elements takes a number for each of them
/// (Pending::optionOf). For a subset `option` is -1 and `members` holds the numbers of its elements in
/// ascending order; for an allotment `numbers` holds the number of each element, in the standard order. An
/// alternative of these is numbered like any other.
struct Answer {
  std::int32_t option = -1;
  std::vector<std::uint16_t> members;
  std::vector<std::int32_t> numbers = {};
  bool operator==(const Answer&) const = default;
};

/// What is pending. Views into the image: valid until the machine moves on.
struct Pending {
  std::uint16_t decision = 0; ///< Module::decisions
  std::uint16_t owner = 0;    ///< side
  ChoiceKind kind = ChoiceKind::one;
  std::uint16_t domain = 0;
  std::span<const std::uint64_t> elements; ///< set of elements that may be chosen
  std::uint32_t elementCount = 0;
  std::uint32_t openAlternatives = 0;  ///< bit i
  std::int32_t least = 0, most = 0;    ///< subset
  std::vector<std::int32_t> low, high; ///< allotment: the bounds of each element, in the standard order
  /// Alternatives that stand for elements, ascending. One that is closed has none.
  struct Offer {
    std::uint16_t alternative = 0, domain = 0;
    std::span<const std::uint64_t> elements;
    std::uint32_t count = 0;
  };
  std::vector<Offer> offers;
  /// Number of single-number options: elements (one) plus open alternatives and what they stand for; for a
  /// subset or an allotment these alone.
  std::uint32_t optionCount = 0;

  /// The number of an alternative, or of the element at a place of what it stands for.
  std::int32_t optionOf(std::int32_t alternative, std::uint32_t place = 0) const;
  /// What a number beyond the elements stands for: an alternative, and a place in its elements or -1.
  std::pair<std::int32_t, std::int32_t> alternativeOf(std::int32_t option) const;
  const Offer* offerOf(std::int32_t alternative) const;
};

struct Fault {
  FaultCode code = FaultCode::none;
  std::string message; ///< in the author's terms
  SourcePlace place;
  std::vector<std::string> calls; ///< innermost first: "value defense (combat.hlw:18)"
};

struct GameResult {
  bool over = false;
  std::int32_t winner = -1; ///< side, -1: a draw
  std::string text;         ///< why, as the victory clause says
};

/// Text as one side may see it. viewer -1 sees everything.
struct TextView {
  std::int32_t viewer = -1;
};

/// What happened, for logs; texts are made for a viewer when asked. Sent only if somebody listens.
struct LogEvent {
  enum class Kind : std::uint8_t { span, roll, say, decision, forced, victory, move } kind = Kind::say;
  std::string text;                 ///< "Phase Movement", "Attack on Infantry 3: 4", ..
  std::int32_t side = -1;           ///< who acted, or -1
  std::vector<std::uint16_t> rules; ///< Module::rules cited by the statements, prompts, spans and procedures
                                    ///< that led to this; the innermost first, without repetition
  bool nothing = false;             ///< decision, forced: a pass or the empty set
  std::int32_t decision = -1;       ///< decision, forced: Module::decisions
  std::int32_t alternative = -1;    ///< decision, forced: the alternative taken, or -1
  std::vector<std::int32_t> chosen; ///< decision, forced: the elements taken
  std::vector<std::int32_t> numbers; ///< decision, forced: those of an allotment
};

/// Pieces of an explanation or a reason, in order.
struct ExplanationLine {
  enum class Kind : std::uint8_t { base, step, reason } kind = Kind::base;
  StepKind step = StepKind::add;
  ReasonKind reason = ReasonKind::forbid;
  Word figure = 0, operand = 0;     ///< figure after the line
  std::uint16_t type = 0;           ///< Module::types
  std::string text;                 ///< label or reason
  std::vector<std::uint16_t> rules; ///< Module::rules, without repetition
};
struct Explanation {
  std::vector<ExplanationLine> lines;
};

class Machine {
public:
  explicit Machine(std::shared_ptr<const Program> program);
  Machine(const Machine&); ///< a clone: copies the image, not the listeners
  Machine& operator=(const Machine&);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();

  const Program& program() const { return *program_; }

  // ---- Playing
  /// Begins a game: counters at their start, set-up, sequence. Options are those of the module.
  void start(std::uint64_t seed);
  /// Runs to the next free decision, the end, or a fault. Forced decisions are answered on the way.
  Status step();
  Status status() const;
  const Pending& pending() const { return pending_; }
  /// Is this a legal answer to what is pending? A subset is tested by its `provided`, too. `why` gets the
  /// reason if not.
  bool isLegal(const Answer& answer, std::string* why = nullptr);
  /// Answers what is pending; the answer must be legal (else nothing changes and false is returned). Runs
  /// nothing.
  bool answer(const Answer& answer);
  /// The k-th single-number option (k < pending().optionCount), open ones only, in the standard order, as an
  /// Answer.
  Answer optionAt(std::uint32_t k) const;
  /// The element that a numbered option stands for, or -1 for an alternative without; the alternative's index
  /// in *alternative.
  std::int32_t elementOf(const Answer& answer, std::int32_t* alternative = nullptr) const;
  /// A legal subset or allotment by chance, for computer players; empty if none was found.
  std::optional<Answer> drawWhole(Random& random);
  /// Of a decision over paths: the hex where the path that a numbered option stands for ends, or -1.
  std::int32_t endOfPath(const Answer& answer);
  /// A side concedes (whenever a decision is pending).
  bool concede(std::uint16_t side);

  const GameResult& result() const { return result_; }
  const Fault& fault() const { return fault_; }

  // ---- Looking
  Word global(std::uint16_t g) const;
  Word column(std::uint16_t column, std::uint32_t thing) const;
  bool plane(std::uint16_t column, std::uint16_t value, std::uint32_t thing) const;
  std::int32_t hexOf(std::uint16_t counter) const;                 ///< -1 off the map
  std::vector<std::uint16_t> covered(std::uint16_t counter) const; ///< hexes, the lead hex first
  /// The direction or corner that it faces, "" if it faces none.
  std::string facing(std::uint16_t counter) const;
  std::int32_t boxOf(std::uint16_t counter) const;             ///< -1 on the map
  std::vector<std::uint16_t> stackAt(std::uint16_t hex) const; ///< top first
  std::vector<std::uint16_t> inBox(std::uint16_t box) const;
  bool isHidden(std::uint16_t counter, std::int32_t viewer);
  std::string promptText(TextView view = {});
  std::string optionText(const Answer& answer, TextView view = {});
  std::string display(Word value, ValueType type, TextView view = {}); ///< a set takes display(span, type)
  std::string display(std::span<const Word> value, ValueType type, TextView view = {});
  /// Runs a pure body in the present state (a fault throws nothing: nullopt, and fault() tells it). Arguments
  /// as words.
  std::optional<std::vector<Word>> evaluate(std::uint32_t body, std::span<const Word> arguments);
  /// Runs an explaining body and returns what it emitted; its result in *value.
  Explanation explain(std::uint32_t body, std::span<const Word> arguments, std::vector<Word>* value = nullptr,
                      TextView view = {});
  /// Why hex `to` is not an end of the route for these arguments (language design, section 13, "Why not");
  /// empty if it is one.
  Explanation whyNotReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to,
                          TextView view = {});
  /// The path with its costs, a line an edge; empty if there is none.
  Explanation explainReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to,
                           TextView view = {});
  /// Why an element is not among the options pending; empty if it is or nothing can be said.
  /// `alternative`: one that stands for elements, among which it is not.
  Explanation whyNotOption(std::uint32_t element, TextView view = {}, std::int32_t alternative = -1);
  std::vector<std::uint64_t> reach(std::uint16_t route, std::span<const Word> arguments);
  std::vector<std::uint64_t> zoneOfSide(std::uint16_t zone, std::uint16_t side);
  std::optional<double> interest(std::uint16_t side);

  // ---- The image
  /// What identifies the state: authoritative words, frames in use, generator.
  std::uint64_t hash() const;
  /// The state as words; equal states of one program have equal words, whatever was asked of them before.
  std::vector<std::uint64_t> saveImage() const;
  bool restoreImage(std::span<const std::uint64_t>
                        image); ///< an image of the same program; false if its size or contents cannot be one
  std::uint64_t rollCount() const; ///< dice rolled since the start
  std::uint64_t phasesBegun() const; ///< since the start; it changes when the next phase begins
  std::uint64_t
  revealCount() const; ///< times that something hidden was shown (0 in games without hidden things)
  /// Gives the copy dice of its own, so that who looks ahead does not see those to come.
  void reseed(std::uint64_t seed);
  /// Deals hidden counters anew among their places, as `viewer` could believe (language design, section 17).
  void sampleHidden(std::int32_t viewer, Random& random);

  // ---- Limits, listeners
  void
  setFuel(std::uint64_t instructionsBetweenDecisions); ///< default 50 million; back jumps and calls count
  void listen(std::function<void(const LogEvent&)> listener, TextView view = {});

  // ---- For tests written in the language, and for the editor
  void
  beginTest(std::uint64_t seed); ///< all counters where `forces` says, no set-up run; victory not yet watched
  bool enterSequence(std::uint32_t pc); ///< an entry of Module::entries; `player`, `turn` as set by setGlobal
  bool startBody(std::uint32_t procedure,
                 std::span<const Word> arguments); ///< as if it were the whole sequence; ends in Status::idle
  /// Runs a procedure that makes no decision above what is pending; false and a fault text if it does or
  /// faults.
  bool runAside(std::uint32_t procedure, std::span<const Word> arguments, std::string* error);
  Status runToSpanEnd(SpanKind span); ///< like step(), but stops also when the innermost such span has ended
  void setGlobal(std::uint16_t g, Word value);
  void setColumn(std::uint16_t column, std::uint32_t thing, Word value);
  void setColumn(std::uint16_t column, std::uint32_t thing, std::span<const Word> value); ///< of sets
  void place(std::uint16_t counter, std::int32_t hex, std::int32_t box); ///< without hooks
  void scriptDice(bool on);                                              ///< dice come from giveDice alone
  void giveDice(std::span<const std::int32_t> dice);
  std::size_t diceLeft() const;
  std::vector<std::pair<std::uint16_t, std::uint32_t>>
  happened() const; ///< procedures called and how often, since beginTest or start
  /// How often a procedure was called with arguments that begin with these words, while dice were scripted.
  std::uint32_t happenedWith(std::uint16_t procedure, std::span<const Word> arguments) const;
  std::int32_t nextDie() const;             ///< the next of the scripted dice, 0 if there is none
  std::vector<std::int32_t> rolled() const; ///< what was rolled, in order; of very many the last thousand
  /// Use per-edge bodies and unlowered clauses alone: the oracle of property tests.
  void setPlainSearch(bool on);
  /// From now on marks, by mark set, what acts or decides; of modules that were compiled for that. Clones do
  /// not.
  void coverInto(std::vector<std::uint8_t>* covered);

private:
  friend class MachineCore;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<std::uint64_t[]> image_; ///< ImageLayout::total words
  Pending pending_;
  GameResult result_;
  Fault fault_;
  struct Host; ///< listeners, scripted dice, search arenas: not part of the state
  std::unique_ptr<Host> host_;
};

} // namespace hellwig
