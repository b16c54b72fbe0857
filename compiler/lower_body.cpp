// SPDX-License-Identifier: Apache-2.0
// Code, registers, labels and names of one body.
#include "compiler/lower_body.h"

#include <algorithm>
#include <stdexcept>

namespace hellwig::lowering {

using hir::ExprKind;

BodyLowering::BodyLowering(Context& shared, std::string name, BodyKind kind, const Place& place)
    : context(shared) {
  body_.name = std::move(name);
  body_.kind = kind;
  body_.place = context.sourcePlace(place);
  line_ = body_.place.line;
}

// ---- Names

Env* BodyLowering::newEnv(const hir::Scope& scope) {
  envs_.emplace_back();
  envs_.back().locals.resize(scope.locals.size());
  return &envs_.back();
}

Env* BodyLowering::bindScope(const hir::Scope& scope, bool parametersOnly) {
  Env* env = newEnv(scope);
  for (std::uint16_t i = 0; i < scope.parameters; ++i) {
    env->locals[i].reg = alloc(context.words(scope.locals[i].type));
    env->locals[i].bound = true;
    body_.parameterTypes.push_back(context.valueType(scope.locals[i].type));
  }
  body_.parameters = static_cast<std::uint16_t>(top_);
  if (!parametersOnly) bindLocals(env, scope);
  return env;
}

void BodyLowering::bindParameter(Env* env, hir::LocalId local, const ValueType& type) {
  const Reg reg = alloc();
  if (local >= 0) {
    env->locals[static_cast<std::size_t>(local)].reg = reg;
    env->locals[static_cast<std::size_t>(local)].bound = true;
  }
  body_.parameterTypes.push_back(type);
  body_.parameters = static_cast<std::uint16_t>(top_);
}

Reg BodyLowering::rawParameters(std::uint32_t words) {
  const Reg first = alloc(words);
  body_.parameters = static_cast<std::uint16_t>(top_);
  return first;
}

void BodyLowering::bindLocals(Env* env, const hir::Scope& scope) {
  for (std::size_t i = 0; i < scope.locals.size(); ++i) {
    if (env->locals[i].bound) continue;
    env->locals[i].reg = alloc(context.words(scope.locals[i].type));
    env->locals[i].bound = true;
  }
}

Ref BodyLowering::resolve(Ref ref) const {
  while (ref) {
    const hir::Expr& e = at(ref);
    if (e.kind == ExprKind::assume) {
      ref = arg(ref, 0);
    } else if (e.kind == ExprKind::local && ref.env->locals[static_cast<std::size_t>(localOf(e))].byName) {
      ref = ref.env->locals[static_cast<std::size_t>(localOf(e))].expr;
    } else {
      break;
    }
  }
  return ref;
}

Env* BodyLowering::inlineEnv(Ref callRef, const hir::Scope& scope) {
  const auto key = std::make_pair(callRef.id, callRef.env);
  if (const auto found = inlined_.find(key); found != inlined_.end()) return found->second;
  Env* env = newEnv(scope);
  for (std::uint16_t i = 0; i < scope.parameters; ++i) {
    env->locals[i].byName = true;
    env->locals[i].expr = arg(callRef, i);
  }
  inlined_.emplace(key, env);
  return env;
}

Ref BodyLowering::see(Ref ref) {
  for (;;) {
    ref = resolve(ref);
    if (context.options.plainSets || at(ref).kind != ExprKind::call) return ref;
    const hir::Value& value = context.hir.values[static_cast<std::size_t>(at(ref).index)];
    if (!value.steps.empty() || value.base < 0) return ref;
    for (std::uint16_t i = 0; i < value.scope.parameters; ++i)
      if (typeOf(arg(ref, i)).optional && !value.scope.locals[i].type.optional) return ref;
    ref = {value.base, inlineEnv(ref, value.scope)};
  }
}

std::optional<Ref> BodyLowering::argIf(Ref ref, std::size_t i) const {
  if (i >= at(ref).args.size() || at(ref).args[i] < 0) return std::nullopt;
  return arg(ref, i);
}

bool BodyLowering::isConstant(Ref ref, Word* value) const {
  ref = resolve(ref);
  const hir::Expr& e = at(ref);
  if (e.type.set) return false;
  if (e.kind == ExprKind::constant) {
    if (value != nullptr) *value = e.value;
    return true;
  }
  Word inner = 0;
  if (e.kind == ExprKind::toFraction && isConstant(arg(ref, 0), &inner) && inner != none) {
    if (value != nullptr) *value = packRatio(static_cast<std::int32_t>(inner), 1);
    return true;
  }
  return false;
}

bool BodyLowering::isLocal(Ref ref, const Env* env, hir::LocalId local) const {
  ref = resolve(ref);
  return at(ref).kind == ExprKind::local && ref.env == env && localOf(at(ref)) == local;
}

// ---- Code

std::uint32_t BodyLowering::emit(Op op, std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d,
                                 std::int64_t e) {
  Instruction in;
  in.op = op;
  in.a = static_cast<std::uint16_t>(a);
  in.b = static_cast<std::uint16_t>(b);
  in.c = static_cast<std::uint16_t>(c);
  in.d = static_cast<std::int32_t>(d);
  in.e = static_cast<std::uint16_t>(e);
  body_.code.push_back(in);
  body_.lines.push_back(line_);
  body_.citing.push_back(citing_);
  return here() - 1;
}

void BodyLowering::jump(Op op, std::int64_t a, std::int64_t b, Label& label) {
  label.uses.push_back(emit(op, a, b));
}

void BodyLowering::bind(Label& label) {
  label.at = here();
  for (const std::uint32_t use : label.uses)
    if (use < body_.code.size()) body_.code[use].d = static_cast<std::int32_t>(label.at);
}

void BodyLowering::retImm(Word value) {
  const Temps temps(*this);
  const Reg reg = wordReg(value);
  ret(reg, 1);
}

Reg BodyLowering::alloc(std::uint32_t words) {
  const std::uint32_t reg = top_;
  top_ += words;
  maxTop_ = std::max(maxTop_, top_);
  if (maxTop_ > 0xffff) throw std::length_error("a body needs too many registers: " + body_.name);
  return static_cast<Reg>(reg);
}

void BodyLowering::loadWord(Reg dst, Word value) {
  if (value == none) {
    emit(Op::loadNone, dst);
  } else if (value >= std::numeric_limits<std::int32_t>::min() &&
             value <= std::numeric_limits<std::int32_t>::max()) {
    emit(Op::loadImm, dst, 0, 0, value);
  } else {
    emit(Op::load, dst, 0, 0, context.constant(value));
  }
}

Reg BodyLowering::wordReg(Word value) {
  const Reg reg = alloc();
  loadWord(reg, value);
  return reg;
}

void BodyLowering::setPlace(const Place& place) {
  const std::uint32_t line = context.line(place);
  if (line != 0) line_ = line;
}

void BodyLowering::rollBack(const Snapshot& to) {
  body_.code.resize(to.code);
  body_.lines.resize(to.code);
  body_.citing.resize(to.code);
  while (fragments_.size() > to.fragments) fragments_.pop_back();
  top_ = to.top;
}

// ---- Fragments and the end

void BodyLowering::fragment(std::function<void()> code, std::function<void(std::int32_t)> place) {
  fragments_.push_back({top_, line_, citing_, std::move(code), std::move(place)});
}

void BodyLowering::textFragmentFor(std::uint32_t instruction, hir::TextId text, Env* env) {
  if (text < 0) return;
  fragment([this, text, env] { lowerText(text, env); },
           [this, instruction](std::int32_t pc) { body_.code[instruction].d = pc; });
}

Body BodyLowering::finish(std::uint16_t resultWords) {
  while (!fragments_.empty()) {
    const Fragment next = std::move(fragments_.front());
    fragments_.pop_front();
    top_ = next.top;
    line_ = next.line;
    citing_ = next.citing;
    next.place(static_cast<std::int32_t>(here()));
    next.code();
    emit(Op::endFragment);
  }
  body_.resultWords = resultWords;
  body_.registers = static_cast<std::uint16_t>(std::max<std::uint32_t>({maxTop_, resultWords, 1}));
  return std::move(body_);
}

void BodyLowering::finishInto(std::uint32_t index, std::uint16_t resultWords) {
  Body body = finish(resultWords);
  context.module.bodies[index] = std::move(body);
}

} // namespace hellwig::lowering
