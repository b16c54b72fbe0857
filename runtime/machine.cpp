// SPDX-License-Identifier: Apache-2.0
// The machine as its host sees it: playing, faults, the image, and what tests need.
#include "runtime/machine_core.h"

#include <algorithm>
#include <bit>

namespace hellwig {

// ---- The core

MachineCore::MachineCore(Machine& machine)
    : machine_(machine), program_(*machine.program_), module_(program_.module()), layout_(program_.layout()),
      image_(program_, machine.image_.get()), host_(*machine.host_),
      frames_(reinterpret_cast<Word*>(machine.image_.get() + layout_.frames)),
      calls_(machine.image_.get() + layout_.calls), framesEnd_(frames_ + layout_.maxFrameWords),
      top_(frames_ + framesInUse()), fuel_(static_cast<std::int64_t>(host_.fuel)) {}

std::uint32_t MachineCore::framesInUse() const {
  const std::uint64_t depth = image_.words()[headerDepth];
  if (depth == 0) return 0;
  const std::uint64_t* record = calls_ + 2 * (depth - 1);
  return static_cast<std::uint32_t>(record[1]) +
         program_.bodies()[static_cast<std::uint32_t>(record[0])].registers;
}

namespace {

const char* faultText(FaultCode code) {
  switch (code) {
  case FaultCode::none: return "no fault";
  case FaultCode::divisionByZero: return "division by zero";
  case FaultCode::overflow: return "a number is too large";
  case FaultCode::missingValue: return "none where a value must be";
  case FaultCode::offMap: return "the hex of a counter that is off the map";
  case FaultCode::nothingToChoose: return "nothing to choose";
  case FaultCode::noTableCell: return "the table has no cell for this";
  case FaultCode::outOfRange: return "a value is out of range";
  case FaultCode::unreachable: return "a place that play cannot come to";
  case FaultCode::noFuel: return "too much work between two decisions";
  case FaultCode::tooManyNodes: return "a search came to too many places";
  case FaultCode::badOdds: return "a ratio that is none";
  case FaultCode::setElement: return "an element that cannot be in this set";
  case FaultCode::stackTooDeep: return "calls too deep";
  case FaultCode::negativeCost: return "a negative cost";
  case FaultCode::badHook: return "a decision where none may be made";
  case FaultCode::unsettled: return "settling has changed something a hundred times and found no end";
  case FaultCode::wrongDie: return "the number given by `dice` is none that this die can show";
  }
  return "a fault";
}

} // namespace

std::vector<std::string> MachineCore::callChain(SourcePlace* place) const {
  std::vector<std::string> chain;
  const auto depth = static_cast<std::int64_t>(image_.words()[headerDepth]);
  for (std::int64_t i = depth; i-- > 0;) {
    const std::uint64_t* record = calls_ + 2 * i;
    const auto id = static_cast<std::uint32_t>(record[0]);
    const Body& body = module_.bodies[id];
    std::uint64_t pc = record[0] >> 32;
    // A record below holds the place after its call; one that asked a route or a zone, its own place.
    if (i + 1 < depth && pc > 0 && body.code[pc - 1].op == Op::call) --pc;
    const std::uint32_t line =
        pc < body.lines.size() && body.lines[pc] != 0 ? body.lines[pc] : body.place.line;
    if (i + 1 == depth && place != nullptr) *place = SourcePlace{body.place.file, line};
    std::string text = body.name;
    if (body.place.file < module_.files.size())
      text += " (" + module_.files[body.place.file] + ":" + std::to_string(line) + ")";
    chain.push_back(std::move(text));
  }
  return chain;
}

void MachineCore::citePlace(std::vector<std::uint16_t>& rules) const {
  const auto depth = static_cast<std::int64_t>(image_.words()[headerDepth]);
  for (std::int64_t i = depth; i-- > 0;) {
    const std::uint64_t* record = calls_ + 2 * i;
    const Body& body = module_.bodies[static_cast<std::uint32_t>(record[0])];
    std::uint64_t pc = record[0] >> 32;
    // A record below holds the place after its call.
    if (i + 1 < depth && pc > 0 && pc <= body.code.size() && body.code[pc - 1].op == Op::call) --pc;
    if (pc >= body.citing.size()) continue;
    addMarks(body.citing[pc], rules);
  }
}

void MachineCore::recordFault(FaultCode code) {
  machine_.fault_ = Fault{};
  machine_.fault_.code = code;
  machine_.fault_.message = faultText(code);
  machine_.fault_.calls = callChain(&machine_.fault_.place);
}

void MachineCore::begin(std::uint64_t seed, Stage stage) {
  const std::vector<std::uint64_t>& initial = program_.initialImage();
  std::copy(initial.begin(), initial.end(), image_.words());
  const Random random = Random::fromSeed(seed);
  for (std::uint32_t i = 0; i < 4; ++i) image_.words()[headerRandom + i] = random.state[i];
  image_.header(headerStage) = static_cast<std::uint64_t>(stage);
  image_.forgetDerived();
  machine_.pending_ = Pending{};
  machine_.result_ = GameResult{};
  machine_.fault_ = Fault{};
  host_.rolled.clear();
  host_.happened.clear();
  host_.callsMade.clear();
  host_.counting = true;
  top_ = frames_;
}

bool MachineCore::enter(std::uint32_t body, std::uint32_t pc, std::span<const Word> arguments, Stage stage) {
  if (body >= module_.bodies.size() || pc >= module_.bodies[body].code.size() ||
      arguments.size() != module_.bodies[body].parameters)
    return false;
  std::fill(frames_, frames_ + program_.bodies()[body].registers, 0);
  std::copy(arguments.begin(), arguments.end(), frames_);
  calls_[0] = body | static_cast<std::uint64_t>(pc) << 32;
  calls_[1] = 0;
  image_.header(headerDepth) = 1;
  image_.header(headerStage) = static_cast<std::uint64_t>(stage);
  top_ = frames_ + framesInUse();
  setStatus(Status::ready);
  return true;
}

Status MachineCore::step(SpanKind* untilSpan) {
  const Status before = status();
  if (before != Status::ready && before != Status::dieWanted) return before;
  if (before == Status::dieWanted) setStatus(Status::ready);
  if (untilSpan != nullptr) {
    untilSpan_ = static_cast<std::int32_t>(*untilSpan);
    untilDepth_ = std::max(1, static_cast<std::int32_t>(image_.words()[headerSpans + untilSpan_]));
  }
  try {
    for (;;) {
      if (image_.header(headerDepth) == 0) {
        top_ = frames_;
        const auto stage = static_cast<Stage>(image_.header(headerStage));
        if (stage == Stage::body || stage == Stage::nothing) {
          setStatus(Status::idle);
          return Status::idle;
        }
        if (stage != Stage::setup || module_.sequenceBody == noBody) {
          testVictory(VictoryWhen::atEnd);
          return Status::ended;
        }
        enter(module_.sequenceBody, 0, {}, Stage::sequence);
      }
      const Status stopped = execute(0);
      if (stopped == Status::idle) continue;
      if (stopped == Status::dieWanted) setStatus(Status::dieWanted);
      return stopped;
    }
  } catch (const FaultError& fault) {
    recordFault(fault.code);
    setStatus(Status::faulted);
    // Play does not go on from here, and what was under way may be bodies that no call instruction began.
    image_.header(headerDepth) = 0;
    top_ = frames_;
    return Status::faulted;
  }
}

bool MachineCore::aside(std::uint32_t body, std::span<const Word> arguments, std::string* error) {
  if (body >= module_.bodies.size() || arguments.size() != module_.bodies[body].parameters) {
    if (error != nullptr) *error = "no such procedure";
    return false;
  }
  const std::size_t used = layout_.frames + framesInUse();
  const std::vector<std::uint64_t> kept(image_.words(), image_.words() + used);
  const Pending pending = machine_.pending_;
  aside_ = true;
  std::string problem;
  std::uint64_t depth = image_.header(headerDepth);
  const Status before = status();
  try {
    if (framesEnd_ - top_ < static_cast<std::ptrdiff_t>(program_.bodies()[body].needWords))
      raise(FaultCode::stackTooDeep);
    std::copy(arguments.begin(), arguments.end(), top_);
    // A body that yields would leave its record behind, so the depth tells whether it has come to its end.
    runBody(body, top_);
    if (image_.header(headerDepth) != depth)
      problem = status() == Status::ended ? "the game ended" : "a die is wanting";
  } catch (const FaultError& fault) {
    problem = faultText(fault.code);
    const std::vector<std::string> chain = callChain(nullptr);
    if (!chain.empty()) problem += " in " + chain.front();
  }
  aside_ = false;
  machine_.pending_ = pending;
  if (problem.empty()) {
    setStatus(before);
    return true;
  }
  if (status() == Status::ended) machine_.result_ = GameResult{};
  std::copy(kept.begin(), kept.end(), image_.words());
  if (error != nullptr) *error = problem;
  return false;
}

// ---- Life

Machine::Machine(std::shared_ptr<const Program> program)
    : program_(std::move(program)),
      image_(std::make_unique_for_overwrite<std::uint64_t[]>(program_->layout().total)),
      host_(std::make_unique<Host>()) {
  std::copy(program_->initialImage().begin(), program_->initialImage().end(), image_.get());
  MachineCore(*this).begin(0, Stage::nothing);
  image_[headerStatus] = static_cast<std::uint64_t>(Status::idle);
}

Machine::Machine(const Machine& other)
    : program_(other.program_),
      image_(std::make_unique_for_overwrite<std::uint64_t[]>(program_->layout().total)),
      host_(std::make_unique<Host>()) {
  *this = other;
}

Machine& Machine::operator=(const Machine& other) {
  if (this == &other) return *this;
  if (program_ != other.program_) {
    program_ = other.program_;
    image_ = std::make_unique_for_overwrite<std::uint64_t[]>(program_->layout().total);
  }
  if (host_ == nullptr) host_ = std::make_unique<Host>();
  host_->fuel = other.host_->fuel;
  host_->plainSearch = other.host_->plainSearch;
  host_->scripted = other.host_->scripted;
  host_->dice = other.host_->dice;
  // What lies above the frames in use has no meaning.
  const ImageLayout& layout = program_->layout();
  const std::uint64_t depth = other.image_[headerDepth];
  std::size_t used = layout.frames;
  if (depth != 0) {
    const std::uint64_t* record = other.image_.get() + layout.calls + 2 * (depth - 1);
    used += record[1] + program_->bodies()[static_cast<std::uint32_t>(record[0])].registers;
  }
  std::memcpy(image_.get(), other.image_.get(), used * sizeof(std::uint64_t));
  pending_ = other.pending_;
  if (!pending_.elements.empty())
    pending_.elements = {image_.get() + (other.pending_.elements.data() - other.image_.get()),
                         other.pending_.elements.size()};
  for (Pending::Offer& offer : pending_.offers)
    offer.elements = {image_.get() + (offer.elements.data() - other.image_.get()), offer.elements.size()};
  result_ = other.result_;
  fault_ = other.fault_;
  return *this;
}

Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

// ---- Playing

void Machine::start(std::uint64_t seed) {
  MachineCore core(*this);
  core.begin(seed, Stage::setup);
  core.setStatus(Status::ready);
  if (program_->module().setupBody != noBody) core.enter(program_->module().setupBody, 0, {}, Stage::setup);
}

Status Machine::step() {
  return MachineCore(*this).step(nullptr);
}
Status Machine::runToSpanEnd(SpanKind span) {
  return MachineCore(*this).step(&span);
}
Status Machine::status() const {
  return static_cast<Status>(image_[headerStatus]);
}

bool Machine::isLegal(const Answer& answer, std::string* why) {
  return MachineCore(*this).isLegal(answer, why);
}

bool Machine::answer(const Answer& given) {
  MachineCore core(*this);
  if (!core.isLegal(given, nullptr)) return false;
  core.take(given, LogEvent::Kind::decision);
  core.calls_[2 * image_[headerDepth] - 2] += std::uint64_t{1} << 32;
  core.setStatus(Status::ready);
  return true;
}

Answer Machine::optionAt(std::uint32_t k) const {
  Answer answer;
  if (status() != Status::decision || k >= pending_.optionCount) return answer;
  const std::uint32_t elements = pending_.kind == ChoiceKind::one ? pending_.elementCount : 0;
  if (k < elements) {
    answer.option = static_cast<std::int32_t>(k);
    return answer;
  }
  k -= elements;
  for (std::uint32_t open = pending_.openAlternatives; open != 0; open &= open - 1) {
    const std::int32_t alternative = std::countr_zero(open);
    const Pending::Offer* offer = pending_.offers.empty() ? nullptr : pending_.offerOf(alternative);
    const std::uint32_t count = offer == nullptr ? 1 : offer->count;
    if (k < count) {
      answer.option = pending_.optionOf(alternative, k);
      return answer;
    }
    k -= count;
  }
  return answer;
}

std::int32_t Machine::elementOf(const Answer& answer, std::int32_t* alternative) const {
  if (alternative != nullptr) *alternative = -1;
  if (answer.option < 0) return -1;
  MachineCore core(const_cast<Machine&>(*this));
  const auto element = [&core](std::span<const std::uint64_t> elements, std::uint16_t domain,
                               std::int32_t place) {
    const std::int32_t found = core.elementAt(elements, domain, static_cast<std::uint32_t>(place));
    return domain == domainInts && found >= 0 ? found + lowestSetInt : found;
  };
  if (answer.option < static_cast<std::int32_t>(pending_.elementCount))
    return element(pending_.elements, pending_.domain, answer.option);
  const auto [index, place] = pending_.alternativeOf(answer.option);
  if (alternative != nullptr) *alternative = index;
  const Pending::Offer* offer = pending_.offerOf(index);
  return offer == nullptr || place < 0 ? -1 : element(offer->elements, offer->domain, place);
}

std::optional<Answer> Machine::drawWhole(Random& random) {
  if (status() != Status::decision) return std::nullopt;
  MachineCore core(*this);
  std::optional<Answer> answer;
  core.quietly([&] { answer = core.drawWhole(program_->module().decisions[pending_.decision], random); });
  return answer;
}

bool Machine::concede(std::uint16_t side) {
  return MachineCore(*this).concede(side);
}

// ---- Looking

Word Machine::global(std::uint16_t g) const {
  return g < program_->globals().size() ? static_cast<Word>(image_[program_->globals()[g].offset]) : none;
}
Word Machine::column(std::uint16_t c, std::uint32_t thing) const {
  if (c >= program_->columns().size() || thing >= program_->columns()[c].count) return none;
  const ColumnAccess& access = program_->columns()[c];
  const Image image(*program_, image_.get());
  return access.setWords != 0 ? static_cast<Word>(*image.getSet(access, thing)) : image.get(access, thing);
}
bool Machine::plane(std::uint16_t c, std::uint16_t value, std::uint32_t thing) const {
  if (c >= program_->columns().size()) return false;
  const ColumnAccess& access = program_->columns()[c];
  if (thing >= access.count || value >= access.planes) return false;
  return hasBit(Image(*program_, image_.get()).planeOf(access, value), static_cast<int>(thing));
}
std::int32_t Machine::hexOf(std::uint16_t counter) const {
  return counter < program_->module().counters.size() ? Image(*program_, image_.get()).hexOf(counter) : -1;
}
std::int32_t Machine::boxOf(std::uint16_t counter) const {
  return counter < program_->module().counters.size() ? Image(*program_, image_.get()).boxOf(counter) : -1;
}
std::vector<std::uint16_t> Machine::covered(std::uint16_t counter) const {
  std::vector<std::uint16_t> hexes;
  const std::int32_t lead = hexOf(counter);
  if (lead < 0) return hexes;
  hexes.push_back(static_cast<std::uint16_t>(lead));
  const Image image(*program_, image_.get());
  if (image.isWide(counter))
    program_->poses().eachBesides(program_->module().board, image.pose(counter), lead,
                                  [&hexes](int h) { hexes.push_back(static_cast<std::uint16_t>(h)); });
  return hexes;
}
std::string Machine::facing(std::uint16_t counter) const {
  const std::int32_t arcs =
      counter < program_->module().counters.size() ? program_->poses().arcsOf(counter) : -1;
  if (arcs < 0) return "";
  const auto column =
      static_cast<std::size_t>(program_->module().arcs[static_cast<std::size_t>(arcs)].facingColumn);
  const Image image(*program_, image_.get());
  const Word facing = image.get(program_->columns()[column], counter);
  const Faces faces = program_->poses().faces(image.pose(counter));
  if (faces == Faces::nothing || static_cast<std::uint64_t>(facing) >= 6) return "";
  const GridShape shape = program_->module().board.shape;
  return std::string(faces == Faces::corner ? cornerName(shape, static_cast<int>(facing))
                                            : directionName(shape, static_cast<int>(facing)));
}
std::vector<std::uint16_t> Machine::stackAt(std::uint16_t hex) const {
  std::vector<std::uint16_t> stack;
  if (hex >= program_->module().board.n) return stack;
  const Image image(*program_, image_.get());
  for (std::int32_t u = image.top(hex); u >= 0; u = image.below(static_cast<std::uint32_t>(u)))
    stack.push_back(static_cast<std::uint16_t>(u));
  if (image.hasPoses() && hasBit(image.spread(), hex)) {
    forEachBit(image.wide(), static_cast<int>(program_->counterWords()), [&](int u) {
      if (image.coversBesides(static_cast<std::uint32_t>(u), hex))
        stack.push_back(static_cast<std::uint16_t>(u));
    });
    std::stable_sort(stack.begin(), stack.end(), [&image](std::uint16_t a, std::uint16_t b) {
      return image.arrival(a) > image.arrival(b);
    });
  }
  return stack;
}
std::vector<std::uint16_t> Machine::inBox(std::uint16_t box) const {
  std::vector<std::uint16_t> counters;
  if (box >= program_->module().boxes.size()) return counters;
  forEachBit(Image(*program_, image_.get()).boxPlane(box), static_cast<int>(program_->counterWords()),
             [&counters](int u) { counters.push_back(static_cast<std::uint16_t>(u)); });
  return counters;
}
bool Machine::isHidden(std::uint16_t counter, std::int32_t viewer) {
  return counter < program_->module().counters.size() && MachineCore(*this).hiddenFrom(counter, viewer);
}

std::string Machine::promptText(TextView view) {
  if (status() != Status::decision) return "";
  MachineCore core(*this);
  core.viewer_ = view.viewer;
  const Decision& decision = program_->module().decisions[pending_.decision];
  return decision.prompt == noFragment ? "" : core.fragmentText(decision.prompt);
}
std::string Machine::optionText(const Answer& answer, TextView view) {
  if (status() != Status::decision) return "";
  MachineCore core(*this);
  core.viewer_ = view.viewer;
  return core.optionText(answer);
}
std::string Machine::display(Word value, ValueType type, TextView view) {
  MachineCore core(*this);
  core.viewer_ = view.viewer;
  return core.display(value, type);
}
std::string Machine::display(std::span<const Word> value, ValueType type, TextView view) {
  MachineCore core(*this);
  core.viewer_ = view.viewer;
  if (value.empty()) return "";
  if (!type.isSet && type.kind != ValueKind::path) return core.display(value[0], type);
  // Padded, since nothing vouches for the length of what a host hands in.
  std::vector<Word> padded(value.begin(), value.end());
  padded.resize(std::max<std::size_t>(
      value.size(), pathBlockWords(static_cast<std::uint32_t>(program_->module().board.n)) + 1024));
  if (type.kind == ValueKind::path) return core.displayPath(padded.data());
  return core.displaySet(reinterpret_cast<const std::uint64_t*>(padded.data()), type);
}

std::optional<std::vector<Word>> Machine::evaluate(std::uint32_t body, std::span<const Word> arguments) {
  const Module& module = program_->module();
  if (body >= module.bodies.size() || module.bodies[body].kind == BodyKind::procedure ||
      arguments.size() != module.bodies[body].parameters)
    return std::nullopt;
  MachineCore core(*this);
  std::vector<Word> result;
  const bool done = core.quietly([&] {
    try {
      if (core.framesEnd_ - core.top_ < static_cast<std::ptrdiff_t>(program_->bodies()[body].needWords))
        core.raise(FaultCode::stackTooDeep);
      std::copy(arguments.begin(), arguments.end(), core.top_);
      core.runBody(body, core.top_);
      result.assign(core.top_, core.top_ + module.bodies[body].resultWords);
    } catch (const FaultError& fault) {
      core.recordFault(fault.code);
      throw;
    }
  });
  if (!done) return std::nullopt;
  return result;
}

Explanation Machine::explain(std::uint32_t body, std::span<const Word> arguments, std::vector<Word>* value,
                             TextView view) {
  Explanation explanation;
  const Module& module = program_->module();
  if (body >= module.bodies.size() || module.bodies[body].kind == BodyKind::procedure ||
      arguments.size() != module.bodies[body].parameters)
    return explanation;
  MachineCore core(*this);
  Emission emission;
  emission.lines = &explanation;
  const EmissionScope scope(core, &emission, view.viewer);
  core.quietly([&] {
    if (core.framesEnd_ - core.top_ < static_cast<std::ptrdiff_t>(program_->bodies()[body].needWords))
      core.raise(FaultCode::stackTooDeep);
    std::copy(arguments.begin(), arguments.end(), core.top_);
    core.runBody(body, core.top_);
    if (value != nullptr) value->assign(core.top_, core.top_ + module.bodies[body].resultWords);
  });
  return explanation;
}

Explanation Machine::whyNotReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to,
                                 TextView view) {
  const Module& module = program_->module();
  if (route >= module.routes.size() || to >= module.board.n ||
      arguments.size() != module.routes[route].parameters)
    return {};
  MachineCore core(*this);
  core.viewer_ = view.viewer;
  return core.whyNotReach(route, arguments, to);
}
Explanation Machine::explainReach(std::uint16_t route, std::span<const Word> arguments, std::uint16_t to,
                                  TextView view) {
  const Module& module = program_->module();
  if (route >= module.routes.size() || to >= module.board.n ||
      arguments.size() != module.routes[route].parameters)
    return {};
  MachineCore core(*this);
  core.viewer_ = view.viewer;
  return core.explainReach(route, arguments, to);
}

Explanation Machine::whyNotOption(std::uint32_t element, TextView view, std::int32_t alternative) {
  Explanation explanation;
  if (status() != Status::decision) return explanation;
  const Decision& decision = program_->module().decisions[pending_.decision];
  std::uint16_t domain = decision.domain, chosen = decision.chosen, whyArgs = decision.whyArgs;
  std::int32_t why = decision.why, whyRoute = decision.whyRoute;
  std::span<const std::uint64_t> elements = pending_.elements;
  if (alternative >= 0) {
    const Pending::Offer* offer = pending_.offerOf(alternative);
    if (offer == nullptr) return explanation;
    const Alternative& one = decision.alternatives[static_cast<std::size_t>(alternative)];
    domain = one.domain, chosen = one.chosen, whyArgs = one.whyArgs, why = one.why, whyRoute = one.whyRoute;
    elements = offer->count == 0 ? std::span<const std::uint64_t>{} : offer->elements;
  } else if (decision.kind == ChoiceKind::menu) {
    return explanation;
  }
  if (element >= program_->module().domains[domain].size ||
      (element < elements.size() * 64 && hasBit(elements.data(), static_cast<int>(element))))
    return explanation;
  MachineCore core(*this);
  if (whyRoute >= 0 && domain == domainHexes) {
    const Route& route = program_->module().routes[static_cast<std::size_t>(whyRoute)];
    const Word* registers = core.decisionFrame() + whyArgs;
    const std::vector<Word> arguments(registers, registers + route.parameters);
    explanation = whyNotReach(static_cast<std::uint16_t>(whyRoute), arguments,
                              static_cast<std::uint16_t>(element), view);
    if (!explanation.lines.empty()) return explanation;
  }
  if (why == noFragment) return explanation;
  Emission emission;
  emission.lines = &explanation;
  const EmissionScope scope(core, &emission, view.viewer);
  core.quietly([&] {
    const Word asked = static_cast<Word>(element) + (domain == domainInts ? lowestSetInt : 0);
    core.runFragment(
        why, [&](Word* copy) { copy[chosen] = asked; }, [](const Word*) {});
  });
  return explanation;
}

std::vector<std::uint64_t> Machine::reach(std::uint16_t route, std::span<const Word> arguments) {
  std::vector<std::uint64_t> hexes(program_->hexWords(), 0);
  const Module& module = program_->module();
  if (route >= module.routes.size() || arguments.size() != module.routes[route].parameters) return hexes;
  MachineCore core(*this);
  if (!core.quietly([&] { core.reach(route, arguments.data(), hexes.data()); }))
    std::fill(hexes.begin(), hexes.end(), 0);
  return hexes;
}
std::vector<std::uint64_t> Machine::zoneOfSide(std::uint16_t zone, std::uint16_t side) {
  std::vector<std::uint64_t> hexes(program_->hexWords(), 0);
  if (zone >= program_->module().zones.size() || side > 1) return hexes;
  MachineCore core(*this);
  core.quietly([&] {
    const std::uint64_t* set = core.zoneUnion(zone, side);
    std::copy(set, set + hexes.size(), hexes.begin());
  });
  return hexes;
}
std::optional<double> Machine::interest(std::uint16_t side) {
  if (program_->module().interestBody == noBody) return std::nullopt;
  const Word argument = side;
  const auto value = evaluate(program_->module().interestBody, {&argument, 1});
  if (!value || value->empty() || denominatorOf(value->front()) <= 0) return std::nullopt;
  return static_cast<double>(numeratorOf(value->front())) / denominatorOf(value->front());
}

// ---- Limits, listeners, tests

void Machine::setFuel(std::uint64_t instructionsBetweenDecisions) {
  host_->fuel = std::min<std::uint64_t>(instructionsBetweenDecisions, INT64_MAX);
}
void Machine::listen(std::function<void(const LogEvent&)> listener, TextView view) {
  host_->listener = std::move(listener);
  host_->listenerView = view;
}
void Machine::beginTest(std::uint64_t seed) {
  MachineCore core(*this);
  core.begin(seed, Stage::test);
  core.setStatus(Status::idle);
}
bool Machine::enterSequence(std::uint32_t pc) {
  MachineCore core(*this);
  if (program_->module().sequenceBody == noBody) return false;
  image_[headerDepth] = 0;
  core.top_ = core.frames_;
  if (image_[headerTruthKnown] == 0) core.quietly([&] { core.learnTruth(); });
  return core.enter(program_->module().sequenceBody, pc, {}, Stage::test);
}
bool Machine::startBody(std::uint32_t procedure, std::span<const Word> arguments) {
  MachineCore core(*this);
  if (status() == Status::decision || procedure >= program_->module().bodies.size()) return false;
  image_[headerDepth] = 0;
  core.top_ = core.frames_;
  if (image_[headerTruthKnown] == 0) core.quietly([&] { core.learnTruth(); });
  return core.enter(procedure, 0, arguments, Stage::body);
}
bool Machine::runAside(std::uint32_t procedure, std::span<const Word> arguments, std::string* error) {
  return MachineCore(*this).aside(procedure, arguments, error);
}
void Machine::setGlobal(std::uint16_t g, Word value) {
  if (g >= program_->globals().size() || program_->globals()[g].words != 1) return;
  MachineCore core(*this);
  core.image_.setGlobal(program_->globals()[g], &value);
  if (program_->globals()[g].poses) core.wrote(-1);
}
void Machine::setColumn(std::uint16_t c, std::uint32_t thing, Word value) {
  if (c >= program_->columns().size()) return;
  const ColumnAccess& access = program_->columns()[c];
  if (access.constant || access.setWords != 0 || thing >= access.count) return;
  MachineCore core(*this);
  core.image_.set(access, thing, value);
  if (access.ofCounters) core.image_.unsettle(thing);
  if (access.poses) core.wrote(access.ofCounters ? static_cast<std::int64_t>(thing) : -1);
}
void Machine::setColumn(std::uint16_t c, std::uint32_t thing, std::span<const Word> value) {
  if (c >= program_->columns().size() || value.empty()) return;
  const ColumnAccess& access = program_->columns()[c];
  if (access.setWords == 0) return setColumn(c, thing, value.front());
  if (access.constant || thing >= access.count || value.size() != access.setWords) return;
  Image image(*program_, image_.get());
  image.setSet(access, thing, reinterpret_cast<const std::uint64_t*>(value.data()));
  if (access.ofCounters) image.unsettle(thing);
}
void Machine::place(std::uint16_t counter, std::int32_t hex, std::int32_t box) {
  const Module& module = program_->module();
  if (counter >= module.counters.size() || hex >= module.board.n ||
      box >= static_cast<std::int32_t>(module.boxes.size()))
    return;
  MachineCore core(*this);
  if (hex >= 0 || box >= 0) core.image_.unsettle(counter); // what is not in play at all changes nothing
  if (hex >= 0)
    core.image_.moveToHex(counter, static_cast<std::uint32_t>(hex));
  else
    core.image_.moveToBox(counter, std::max(box, -1));
  core.image_.unsettle(counter);
  core.moved(counter);
}
void Machine::scriptDice(bool on) {
  host_->scripted = on;
}
void Machine::giveDice(std::span<const std::int32_t> dice) {
  host_->dice.insert(host_->dice.end(), dice.begin(), dice.end());
}
std::size_t Machine::diceLeft() const {
  return host_->dice.size();
}
std::vector<std::pair<std::uint16_t, std::uint32_t>> Machine::happened() const {
  std::vector<std::pair<std::uint16_t, std::uint32_t>> list;
  for (std::size_t i = 0; i < host_->happened.size(); ++i)
    if (host_->happened[i] != 0) list.emplace_back(static_cast<std::uint16_t>(i), host_->happened[i]);
  return list;
}
std::uint32_t Machine::happenedWith(std::uint16_t procedure, std::span<const Word> arguments) const {
  std::uint32_t times = 0;
  for (const auto& [called, words] : host_->callsMade)
    times += called == procedure && words.size() >= arguments.size() &&
             std::equal(arguments.begin(), arguments.end(), words.begin());
  return times;
}
std::int32_t Machine::nextDie() const {
  return host_->dice.empty() ? 0 : host_->dice.front();
}
std::vector<std::int32_t> Machine::rolled() const {
  return host_->rolled;
}
void Machine::coverInto(std::vector<std::uint8_t>* covered) {
  host_->covered = covered;
  if (covered != nullptr) covered->resize(program_->module().marks.size(), 0);
}

void Machine::setPlainSearch(bool on) {
  host_->plainSearch = on;
}

} // namespace hellwig
