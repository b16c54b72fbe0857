// SPDX-License-Identifier: Apache-2.0
// Typing of records and of the rows of tables: making one, its fields, handing it over.
#include "compiler/sema_internal.h"

#include <algorithm>

namespace hellwig {

/// `R(f = e, ..)`: every field once.
ExprId Sema::makeRecord(Env& env, NodeId node, std::uint16_t record) {
  const SyntaxTree& t = tree(env);
  const RecordInfo info = world().module.records[record];
  const std::vector<Type> types = world().recordFacts[record].types;
  std::vector<ExprId> fields(info.fields.size(), -1);
  bool good = true;
  for (NodeId arg : t.children(node, Role::arg)) {
    NodeId nameNode = t.child(arg, Role::name), value = t.child(arg, Role::value);
    std::vector<std::string> known;
    for (const RecordField& field : info.fields) known.push_back(field.name);
    if (!valid(nameNode)) {
      std::string heads;
      for (const std::string& field : known) heads += (heads.empty() ? "" : ", ") + field + " = ..";
      report(diagnostic(DiagnosticCode::unexpected, env, value, {"a field without its name", ""})
                 .withHelp("each field is named: `" + info.name + "(" + heads + ")`"));
      return error(env, node);
    }
    std::string wanted = t.nameOf(nameNode);
    auto found = std::find(known.begin(), known.end(), wanted);
    if (found == known.end()) {
      Diagnostic d = diagnostic(DiagnosticCode::unknownField, env, nameNode, {wanted, info.name});
      if (std::string near = nearest(wanted, known); !near.empty())
        d.fix = Fix{t.range(nameNode), near, "did you mean `" + near + "`?"};
      report(std::move(d));
      good = false;
      continue;
    }
    auto f = static_cast<std::size_t>(found - known.begin());
    if (fields[f] >= 0) {
      report(DiagnosticCode::duplicateName, env, nameNode, {wanted});
      good = false;
      continue;
    }
    fields[f] = exprOf(env, value, types[f]);
    good = good && type(fields[f]).kind != TypeKind::error;
  }
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (fields[f] < 0 && good) {
      report(DiagnosticCode::missingField, env, t.child(node, Role::name), {info.name, info.fields[f].name});
      good = false;
    }
  if (!good) return error(env, node);
  return make(env, node, ExprKind::makeRecord, typeOf(TypeKind::record, record), std::move(fields));
}

/// `b.target`, `Calendar(turn).river`; -1: the base is no bundle.
ExprId Sema::recordField(Env& env, NodeId node, ExprId base, const std::string& wanted, NodeId nameNode) {
  const Type t = type(base);
  if (t.set || (t.kind != TypeKind::record && t.kind != TypeKind::row)) return -1;
  const RecordInfo& info = world().module.records[t.id];
  for (std::size_t f = 0; f < info.fields.size(); ++f)
    if (info.fields[f].name == wanted) {
      Type fieldType = world().recordFacts[t.id].types[f];
      if (t.optional) fieldType = optionalOf(fieldType);
      ExprId e = make(env, node, ExprKind::recordField, fieldType, {base});
      at(e).op = static_cast<std::uint8_t>(f);
      return known(env, e);
    }
  std::vector<std::string> known;
  for (const RecordField& field : info.fields) known.push_back(field.name);
  Diagnostic d = diagnostic(DiagnosticCode::unknownField, env, nameNode, {wanted, name(t)});
  if (std::string near = nearest(wanted, known); !near.empty())
    d.fix = Fix{tree(env).range(nameNode), near, "did you mean `" + near + "`?"};
  report(std::move(d));
  return error(env, node);
}

/// A record that is handed to a procedure is the procedure's, too, so it must be told apart from the others.
bool Sema::recordsApart(Env& env, NodeId node, const std::vector<ExprId>& args) {
  std::vector<LocalId> seen;
  for (ExprId arg : args) {
    if (arg < 0 || type(arg).kind != TypeKind::record || type(arg).set) continue;
    ExprId plain = arg;
    while (at(plain).kind == ExprKind::assume) plain = at(plain).args[0];
    if (at(plain).kind != ExprKind::local) continue;
    if (std::find(seen.begin(), seen.end(), at(plain).local) != seen.end()) {
      report(DiagnosticCode::sameRecordTwice, env, node,
             {env.scope->locals[static_cast<std::size_t>(at(plain).local)].name});
      return false;
    }
    seen.push_back(at(plain).local);
  }
  return true;
}

/// What was known of the fields of records that a call may have changed is so no longer.
void Sema::forgetRecords(Env& env, const std::vector<ExprId>& args) {
  for (ExprId arg : args) {
    if (arg < 0 || type(arg).kind != TypeKind::record) continue;
    ExprId plain = arg;
    while (at(plain).kind == ExprKind::assume) plain = at(plain).args[0];
    if (at(plain).kind == ExprKind::local) forgetLocal(env, at(plain).local);
  }
}

/// `set b.shift to e`: where the record lives, and the field; -1: it is no field of a record (told).
StmtId Sema::setRecordField(Env& env, NodeId node, ExprId base, NodeId nameNode, NodeId value) {
  const SyntaxTree& t = tree(env);
  const Type owner = type(base);
  std::string wanted = t.nameOf(nameNode);
  if (owner.kind == TypeKind::row) {
    report(DiagnosticCode::notAssignable, env, nameNode, {wanted, "it is printed in a table"});
    return -1;
  }
  ExprId read = recordField(env, nameNode, base, wanted, nameNode);
  if (type(read).kind == TypeKind::error) return -1;
  while (at(read).kind == ExprKind::assume) read = at(read).args[0];
  const std::uint8_t field = at(read).op;
  ExprId plain = base;
  while (at(plain).kind == ExprKind::assume) plain = at(plain).args[0];
  if (at(plain).kind != ExprKind::local) {
    report(DiagnosticCode::notAssignable, env, nameNode, {wanted, "its record has no name"});
    return -1;
  }
  const LocalId local = at(plain).local;
  const Type fieldType = world().recordFacts[owner.id].types[field];
  StmtId called = -1;
  ExprId e = -1;
  if (t.kind(value) == NodeKind::Do) {
    LocalId answer = addLocal(env, "answer", fieldType);
    called = doStatement(env, value, answer);
    e = this->local(env, value, answer);
  } else {
    e = exprOf(env, value, fieldType);
  }
  StmtId s = makeStmt(env, node, hir::StmtKind::setField);
  st(s).local = local;
  st(s).op = field;
  st(s).index = owner.id;
  st(s).exprs = {e};
  st(s).marks = marks(env, node);
  forgetLocal(env, local);
  if (called < 0) return s;
  StmtId both = makeStmt(env, node, hir::StmtKind::block);
  st(both).statements = {called, s};
  return both;
}

/// The die whose roll an expression is, or "".
std::string Sema::dieOf(const Env& env, ExprId e) const {
  if (e < 0 || out_->hir.exprs[static_cast<std::size_t>(e)].kind != ExprKind::local) return {};
  auto found = dice_.find({env.scope, out_->hir.exprs[static_cast<std::size_t>(e)].local});
  return found == dice_.end() ? std::string() : found->second;
}

// ---- Procedures named in tables

/// The procedures that the cells of a table name, each with the arguments that its cell gives. Told once.
void Sema::resolveProcedureTables() {
  startedBy_.resize(world().tableFacts.size());
  for (std::size_t table = 0; table < world().tableFacts.size(); ++table) {
    const World::TableFacts facts = world().tableFacts[table];
    if (facts.result.kind != TypeKind::procedure) continue;
    const std::vector<Type> with = world().procedureTypes[facts.result.id];
    for (const ProcedureCell& cell : facts.procedures) {
      Env env;
      env.file = cell.expr.file;
      cellScopes_.emplace_back();
      env.scope = &cellScopes_.back();
      env.owner = "table";
      const SyntaxTree& t = tree(env);
      NodeId node = cell.expr.node;
      bool call = t.kind(node) == NodeKind::Call;
      std::string callee = t.nameOf(node);
      auto found = proceduresByName_.find(callee);
      if (found == proceduresByName_.end()) {
        std::vector<std::string> names;
        for (const auto& [procedure, unused] : proceduresByName_) names.push_back(procedure);
        std::sort(names.begin(), names.end());
        Diagnostic d = diagnostic(DiagnosticCode::unknownName, env, node, {callee, "procedure"});
        if (std::string near = nearest(callee, names); !near.empty())
          d.fix = Fix{t.range(call ? t.child(node, Role::name) : node), near, "did you mean `" + near + "`?"};
        report(std::move(d));
        continue;
      }
      StartedProcedure started;
      started.word = cell.word;
      started.procedure = found->second.front();
      const hir::Procedure& procedure = hir().procedures[static_cast<std::size_t>(started.procedure)];
      std::vector<NodeId> given;
      if (call)
        for (NodeId arg : t.children(node, Role::arg)) given.push_back(t.child(arg, Role::value));
      std::string wrong;
      if (procedure.result.kind != TypeKind::nothing && procedure.result.kind != TypeKind::error)
        wrong = "it answers, and nobody hears the answer";
      else if (given.size() + with.size() != procedure.scope.parameters)
        wrong = "it takes " + std::to_string(procedure.scope.parameters) + " arguments, the cell and the type give " +
                std::to_string(given.size() + with.size());
      for (std::size_t i = 0; i < with.size() && wrong.empty(); ++i) {
        const hir::Local& parameter = procedure.scope.locals[given.size() + i];
        if (!fits(with[i], parameter.type) || with[i].set != parameter.type.set ||
            (with[i].optional && !parameter.type.optional))
          wrong = "its `" + parameter.name + "` is " + name(parameter.type) + ", not " + name(with[i]);
      }
      if (!wrong.empty()) {
        report(DiagnosticCode::procedureDoesNotFit, env, node, {callee, wrong});
        continue;
      }
      bool good = true;
      for (std::size_t i = 0; i < given.size(); ++i) {
        started.bound.push_back(exprOf(env, given[i], procedure.scope.locals[i].type));
        good = good && type(started.bound.back()).kind != TypeKind::error;
      }
      if (good && !env.scope->locals.empty()) {
        report(DiagnosticCode::notConstant, env, node);
        good = false;
      }
      if (good) startedBy_[table].push_back(std::move(started));
    }
  }
}

/// `do T(k, ..) with (f)`: the procedure that the table names for these keys.
StmtId Sema::doTable(Env& env, NodeId node, std::uint16_t table) {
  const SyntaxTree& t = tree(env);
  NodeId callNode = t.child(node, Role::call);
  const World::TableFacts facts = world().tableFacts[table];
  StmtId whole = makeStmt(env, node, hir::StmtKind::block);
  if (facts.result.kind == TypeKind::error) return whole;
  if (facts.result.kind != TypeKind::procedure) {
    report(DiagnosticCode::startsNoProcedure, env, t.child(callNode, Role::name), {t.nameOf(callNode)});
    return whole;
  }
  ExprId key = tableCall(env, callNode, table);
  if (type(key).kind == TypeKind::error) return whole;
  const std::vector<Type> wanted = world().procedureTypes[facts.result.id];
  std::vector<NodeId> given;
  for (NodeId arg : t.children(node, Role::with)) given.push_back(t.child(arg, Role::value));
  if (given.size() != wanted.size()) {
    report(DiagnosticCode::wrongArgumentCount, env, node,
           {"with", std::to_string(wanted.size()), std::to_string(given.size())});
    return whole;
  }
  std::vector<StmtId> list;
  auto keep = [&](ExprId value, NodeId at) {
    LocalId id = addLocal(env, "argument", type(value));
    StmtId let = makeStmt(env, at, hir::StmtKind::let);
    st(let).local = id;
    st(let).exprs = {value};
    list.push_back(let);
    return id;
  };
  const LocalId which = keep(key, callNode);
  std::vector<ExprId> args;
  for (std::size_t i = 0; i < given.size(); ++i) {
    ExprId value = exprOf(env, given[i], wanted[i]);
    if (type(value).kind == TypeKind::error) return whole;
    // A record is handed on as it is; all else is computed once.
    if (wanted[i].kind != TypeKind::record) value = local(env, given[i], keep(value, given[i]));
    args.push_back(value);
  }
  if (!recordsApart(env, node, args)) return whole;
  StmtId match = makeStmt(env, node, hir::StmtKind::match);
  std::vector<hir::MatchArm> arms;
  for (const StartedProcedure& started : startedBy_[table]) {
    needProcedure(started.procedure);
    StmtId call = makeStmt(env, node, hir::StmtKind::call);
    st(call).index = started.procedure;
    st(call).exprs = started.bound;
    st(call).exprs.insert(st(call).exprs.end(), args.begin(), args.end());
    StmtId block = makeStmt(env, node, hir::StmtKind::block);
    st(block).statements = {call};
    arms.push_back({{started.word}, block});
  }
  st(match).exprs = {local(env, callNode, which)};
  st(match).arms = std::move(arms);
  st(match).marks = marks(env, node);
  list.push_back(match);
  for (const StartedProcedure& started : startedBy_[table]) forgetWrites(env, writesOf(started.procedure));
  forgetRecords(env, args);
  st(whole).statements = std::move(list);
  return whole;
}

} // namespace hellwig
