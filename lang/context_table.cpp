// SPDX-License-Identifier: Apache-2.0
// Which rule of the grammar becomes which kind of node, and which word gives a child its role.

#include "lang/context_reader.h"

#include <map>

namespace hellwig {
namespace {

using P = HellwigParser;

struct Line {
  size_t rule;
  NodeKind kind;
  // `word=role` for the children behind that word (`^` is the beginning of the rule; `a/b` for the first
  // child and those behind it). Besides, everywhere: when=when, with=with, provided=provided, by=by and `=`
  // =value.
  const char* roles;
  const char* ops = "";   // `a|b`: the first of these words in the rule is Node::op
  const char* flags = ""; // `word=number`
  Role numberRole = Role::none;
  Role textRole = Role::text;
};

const Line lines[] = {
    {P::RuleGameDecl, NodeKind::GameDecl, ""},
    {P::RuleCredit, NodeKind::Credit, "", "designer|publisher|credit"},
    {P::RuleLanguageItem, NodeKind::Language, "language=value"},
    {P::RuleSideItem, NodeKind::Side, "side=name"},
    {P::RuleOptionsItem, NodeKind::Options, "options=name"},
    {P::RuleModDecl, NodeKind::ModDecl, ""},
    {P::RuleRulebookDecl, NodeKind::RulebookDecl, ""},
    {P::RuleTypeDecl, NodeKind::TypeDecl, "type=name is=value"},
    {P::RuleTerrainDecl, NodeKind::TerrainDecl, "terrain=name is=value", "hex|hexside|path|feature"},
    {P::RuleRecordDecl, NodeKind::RecordDecl, "record=name"},
    {P::RuleCounterDecl, NodeKind::CounterDecl, "counter=name/plural is=base"},
    {P::RulePrinted, NodeKind::Printed, ""},
    {P::RulePrintedItem, NodeKind::PrintedItem, "^=name"},
    {P::RuleFaces, NodeKind::Faces, "faces=name"},
    {P::RuleShow, NodeKind::Show, "show=name", "", "", Role::count},
    {P::RuleKindsDecl, NodeKind::KindsDecl, "of=name"},
    {P::RuleGroupDecl, NodeKind::GroupDecl, "group=name/plural"},
    {P::RuleBoxDecl, NodeKind::BoxDecl, "box=name", "side|turn"},
    {P::RuleStateDecl, NodeKind::StateDecl, "of=of", "hex|hexside"},
    {P::RuleStateClause, NodeKind::State, ""},
    {P::RuleStateItem, NodeKind::StateItem, "^=name"},
    {P::RuleSpan, NodeKind::Span, "", "turn|player|own|phase|activation"},
    {P::RuleTableDecl, NodeKind::TableDecl, "table=name"},
    {P::RuleRoundItem, NodeKind::Round, "round=name", "up|down|near"},
    {P::RuleClampItem, NodeKind::Clamp, "clamp=name", "below|above"},
    {P::RuleCellsItem, NodeKind::CellsOf, "cells=name"},
    {P::RuleMissingItem, NodeKind::Missing, "otherwise=value"},
    {P::RuleValueDecl, NodeKind::ValueDecl, "value=name"},
    {P::RuleStep, NodeKind::Step, "add=value subtract=value become=value by=value least=value most=value",
     "add|subtract|become|multiply|divide|least|most"},
    {P::RuleRounding, NodeKind::Rounding, "", "up|down|near"},
    {P::RulePermissionDecl, NodeKind::PermissionDecl, "permission=name"},
    {P::RuleRuleClause, NodeKind::Clause, "", "forbid|allow"},
    {P::RuleForEachClause, NodeKind::ForEach, "each=name in=set"},
    {P::RuleThrough, NodeKind::Through, "through=name between=left and=right", "both|either"},
    {P::RuleAcross, NodeKind::Across, "across=name between=left and=right"},
    {P::RuleWaive, NodeKind::Waive, ""},
    {P::RuleZoneDecl, NodeKind::ZoneDecl, "zone=name covers=element in=set"},
    {P::RuleHiddenDecl, NodeKind::HiddenDecl, "from=from shows=show"},
    {P::RuleVictoryDecl, NodeKind::VictoryDecl, ""},
    {P::RuleVictoryClause, NodeKind::VictoryClause, "", "once|each|end", "draw=8"},
    {P::RuleAnySide, NodeKind::AnySide, "side=name"},
    {P::RuleRouteDecl, NodeKind::RouteDecl, "route=name like=base"},
    {P::RuleOver, NodeKind::Over, "over=name"},
    {P::RuleStart, NodeKind::Start, "start=value"},
    {P::RuleBudget, NodeKind::Budget, "budget=value"},
    {P::RuleLength, NodeKind::Length, "length=value"},
    {P::RuleMinimum, NodeKind::Minimum, ""},
    {P::RuleRouteStep, NodeKind::RouteStep, "from=from to=to along=alongPath"},
    {P::RuleRouteTurn, NodeKind::RouteTurn, "by=name"},
    {P::RuleRouteAction, NodeKind::RouteAction, "action=name to=to from=from"},
    {P::RuleRouteEnd, NodeKind::RouteEnd, "at=name"},
    {P::RuleGoal, NodeKind::Goal, "at=name"},
    {P::RuleRouteHook, NodeKind::RouteHook, "", "before|after"},
    {P::RuleRoutePoint, NodeKind::HookPoint, "from=from to=to", "step|turn|action|each"},
    {P::RuleAlso, NodeKind::Also, "also=call"},
    {P::RuleCost, NodeKind::Cost, "cost=value"},
    {P::RuleStopItem, NodeKind::Stop, ""},
    {P::RuleEffect, NodeKind::Effect, ""},
    {P::RulePrefer, NodeKind::Prefer, "prefer=value", "least|greatest"},
    {P::RuleArcsDecl, NodeKind::ArcsDecl, ""},
    {P::RuleMapDecl, NodeKind::MapDecl, "map=name"},
    {P::RuleGrid, NodeKind::Grid, ""},
    {P::RuleSizeItem, NodeKind::Size, "size=columns by=rows"},
    {P::RuleNumberItem, NodeKind::Number, "digits=digits", "column|row"},
    {P::RuleFill, NodeKind::Fill, "fill=name"},
    {P::RuleLegend, NodeKind::Legend, ""},
    {P::RuleLegendEntry, NodeKind::LegendEntry, "^=key"},
    {P::RuleSheet, NodeKind::Sheet, "sheet=name prefix=prefix size=columns by=rows counted=from to=to"},
    {P::RuleJoin, NodeKind::Join, "join=left/leftEdge to=right/rightEdge"},
    {P::RuleMapRows, NodeKind::MapRows, ""},
    {P::RuleMapPlace, NodeKind::MapPlace, "place=name"},
    {P::RuleArea, NodeKind::Area, "area=name"},
    {P::RuleLevel, NodeKind::Level, "level=value"},
    {P::RuleFeature, NodeKind::Feature, "^=name", "along|on|at"},
    {P::RuleForcesDecl, NodeKind::ForcesDecl, "forces=name at=at"},
    {P::RuleForceNode, NodeKind::ForceNode, "^=type/name"},
    {P::RuleSetupDecl, NodeKind::SetupDecl, ""},
    {P::RuleSetting, NodeKind::Setting, "^=name from=value", "=|from"},
    {P::RuleAssign, NodeKind::Assign, "^=name"},
    {P::RuleArriveDecl, NodeKind::ArriveDecl, "arrive=item turn=turn in=in", "turn|any|later", "together=8"},
    {P::RuleLookDecl, NodeKind::LookDecl, ""},
    {P::RuleLookItem, NodeKind::LookItem, "^=type/name"},
    {P::RuleLookProp, NodeKind::LookProp, "^=name/value", "", "", Role::value, Role::value},
    {P::RuleOptionDecl, NodeKind::OptionDecl, "option=name", "on|off"},
    {P::RuleScenarioDecl, NodeKind::ScenarioDecl, "scenario=name extends=base"},
    {P::RulePlayOn, NodeKind::PlayOn, "on=name within=within"},
    {P::RuleAmendDecl, NodeKind::AmendDecl, "amend=item"},
    {P::RuleAmendValue, NodeKind::ValueDecl, "value=name"},
    {P::RuleAmendPhase, NodeKind::PhaseAmend, "phase=name"},
    {P::RuleAmendZone, NodeKind::ZoneDecl, "zone=name covers=element in=set"},
    {P::RuleAmendTable, NodeKind::TableDecl, "table=name"},
    {P::RuleAmendTerrain, NodeKind::TerrainDecl, "terrain=name", "hex|hexside|path|feature"},
    {P::RuleAmendArcs, NodeKind::ArcsDecl, ""},
    {P::RuleAmendType, NodeKind::TypeDecl, "type=name"},
    {P::RuleAmendKinds, NodeKind::KindsDecl, "of=name"},
    {P::RulePhaseWhen, NodeKind::PhaseWhen, ""},
    {P::RulePhaseHook, NodeKind::PhaseHook, "", "before|after"},
    {P::RuleReplaceDecl, NodeKind::ReplaceDecl, "replace=item"},
    {P::RuleRemoveDecl, NodeKind::RemoveDecl,
     "value=name permission=name zone=name route=name procedure=name phase=name action=name table=name "
     "option=name "
     "scenario=name forces=target arrive=target",
     "value|permission|zone|route|procedure|phase|action|table|option|scenario|forces|arrive"},
    {P::RuleSequenceDecl, NodeKind::SequenceDecl, ""},
    {P::RuleProcedureDecl, NodeKind::ProcedureDecl, "procedure=name"},
    {P::RuleActionDecl, NodeKind::ActionDecl, "action=name during=during"},
    {P::RuleHookDecl, NodeKind::HookDecl, "", "before|after"},
    {P::RuleHookPoint, NodeKind::HookPoint, "^=name", "turn|player|phase|activation|setup|move"},
    {P::RuleTurns, NodeKind::Turns, "turns=from to=to from=start every=every"},
    {P::RulePlayerTurn, NodeKind::PlayerTurn, "turn=item"},
    {P::RulePhase, NodeKind::Phase, "phase=name"},
    {P::RuleActivation, NodeKind::Activation, ""},
    {P::RuleLet, NodeKind::Let, "let=name"},
    {P::RuleSetStmt, NodeKind::Set, "set=target to=value"},
    {P::RuleRoll, NodeKind::Roll, "roll=name ==dice of=set"},
    {P::RuleDoStmt, NodeKind::Do, "do=call"},
    {P::RuleMatchStmt, NodeKind::Match, "match=value"},
    {P::RuleArm, NodeKind::Arm, "^=key"},
    {P::RuleForEach, NodeKind::ForEach, "each=name in=set"},
    {P::RuleRepeat, NodeKind::Repeat, "most=count while=whileTrue"},
    {P::RuleMove, NodeKind::Move, "move=target to=to along=alongPath"},
    {P::RulePlace, NodeKind::Place, "place=name ==target new=base like=target at=at in=in", "", "new=8"},
    {P::RuleWin, NodeKind::Win, "win=value"},
    {P::RuleDraw, NodeKind::Draw, ""},
    {P::RuleSay, NodeKind::Say, ""},
    {P::RuleReturnStmt, NodeKind::Return, "return=value"},
    {P::RuleStopStmt, NodeKind::Stop, ""},
    {P::RuleNextStmt, NodeKind::Next, ""},
    {P::RuleChoose, NodeKind::Choose, "choose=name each=eachName in=eachSet from=set"},
    {P::RuleNumber, NodeKind::Count, "^=left exactly=left to=right", "any|some|each|exactly|up|to"},
    {P::RuleProvided, NodeKind::Provided, "provided=condition"},
    {P::RuleAlternative, NodeKind::Alternative, "", "", "pass=8"},
    {P::RuleMenuItem, NodeKind::Alternative, "", "", "pass=8"},
    {P::RulePerformPass, NodeKind::Alternative, "", "", "pass=8"},
    {P::RuleMenu, NodeKind::Menu, ""},
    {P::RulePerform, NodeKind::Perform, "perform=name most=count"},
    {P::RuleWalk, NodeKind::Walk, "walk=target by=call"},
    {P::RuleTestDecl, NodeKind::TestDecl, ""},
    {P::RuleUseItem, NodeKind::Use, "use=name"},
    {P::RuleTestScenario, NodeKind::UseScenario, "scenario=name"},
    {P::RuleTestMap, NodeKind::UseMap, "map=name"},
    {P::RuleBegin, NodeKind::Begin, "phase=name of=of", "turn|player|phase", "", Role::turn},
    {P::RuleEndOf, NodeKind::EndOf, "", "turn|player|phase"},
    {P::RuleDice, NodeKind::Dice, "dice=value"},
    {P::RuleDecide, NodeKind::Decide, ""},
    {P::RuleBind, NodeKind::Bind, "^=name", "", "pass=8"},
    {P::RuleSettle, NodeKind::Settle, ""},
    {P::RulePlayGames, NodeKind::PlayGames, "play=count"},
    {P::RuleExpectRefused, NodeKind::ExpectRefused, "refused=call to=to"},
    {P::RuleExpectRefusedSet, NodeKind::ExpectRefused, "refused=name"},
    {P::RuleExpectDecision, NodeKind::ExpectDecision, ""},
    {P::RuleExpectChoices, NodeKind::ExpectChoices, "are=value"},
    {P::RuleExpectHappened, NodeKind::ExpectHappened, "happened=call", "", "once=8"},
    {P::RuleExpectRolled, NodeKind::ExpectRolled, "rolled=count"},
    {P::RuleExpectHidden, NodeKind::ExpectHidden, "hidden=target from=from"},
    {P::RuleExpectTrue, NodeKind::Expect, "^=value", "", "", Role::none, Role::because},
    {P::RuleParam, NodeKind::Param, "^=name"},
    {P::RuleField, NodeKind::Field, "^=name"},
    {P::RuleArg, NodeKind::Arg, "^=name"},
    {P::RuleShift, NodeKind::Shift, "shifted=value", "left|right"},
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    size_t stop = std::min(text.find(separator, begin), text.size());
    if (stop > begin) parts.emplace_back(text.substr(begin, stop - begin));
    begin = stop + 1;
  }
  return parts;
}

struct Tables {
  std::vector<RuleShape> shapes;

  Tables() {
    std::map<std::string, Role, std::less<>> roles;
    std::map<std::string, TokenKind, std::less<>> tokens;
#define HELLWIG_ROLE(role, name) roles.emplace(#role, Role::role);
#include "lang/syntax_roles.def"
    for (int k = 0; k <= static_cast<int>(TokenKind::kw_other); ++k)
      tokens.emplace(spelling(static_cast<TokenKind>(k)), static_cast<TokenKind>(k));
    shapes.resize(HellwigParser::RuleReserved + 1);
    for (const Line& line : lines) {
      RuleShape& shape = shapes[line.rule];
      shape.known = true;
      shape.kind = line.kind;
      shape.numberRole = line.numberRole;
      shape.textRole = line.textRole;
      for (const char* common : {"when=when", "with=with", "provided=provided", "by=by", "==value"})
        addRole(shape, common, roles, tokens);
      for (const std::string& entry : split(line.roles, ' ')) addRole(shape, entry, roles, tokens);
      for (const std::string& word : split(line.ops, '|')) shape.ops.push_back(tokens.at(word));
      for (const std::string& entry : split(line.flags, ' ')) {
        size_t equals = entry.find('=');
        shape.flags.emplace_back(tokens.at(entry.substr(0, equals)),
                                 static_cast<uint8_t>(std::stoi(entry.substr(equals + 1))));
      }
    }
  }

  // Later entries come first, so that a rule's own roles go before the common ones.
  static void addRole(RuleShape& shape, const std::string& entry,
                      const std::map<std::string, Role, std::less<>>& roles,
                      const std::map<std::string, TokenKind, std::less<>>& tokens) {
    size_t equals = entry.find('=', 1);
    RuleShape::RoleEntry made;
    std::string word = entry.substr(0, equals);
    if (word != "^") made.after = tokens.at(word);
    for (const std::string& role : split(entry.substr(equals + 1), '/')) made.roles.push_back(roles.at(role));
    shape.roles.insert(shape.roles.begin(), std::move(made));
  }
};

const Tables& tables() {
  static const Tables instance;
  return instance;
}

} // namespace

const RuleShape& ruleShape(size_t rule) {
  return tables().shapes[rule];
}

bool isWrapper(size_t rule) {
  switch (rule) {
  case P::RuleDecl:
  case P::RuleGameItem:
  case P::RuleCounterItem:
  case P::RuleGroupItem:
  case P::RuleTableItem:
  case P::RuleStepItem:
  case P::RuleClause:
  case P::RuleWinner:
  case P::RuleRouteItem:
  case P::RuleEdgeItem:
  case P::RuleEndItem:
  case P::RuleMapItem:
  case P::RuleForceItem:
  case P::RuleLookValue:
  case P::RuleScenarioItem:
  case P::RuleAmendment:
  case P::RulePhaseItem:
  case P::RuleStmt:
  case P::RuleMatchItem:
  case P::RuleArmKey:
  case P::RuleTestItem:
  case P::RuleExpectation:
  case P::RuleBase: return true;
  default: return false;
  }
}

} // namespace hellwig
