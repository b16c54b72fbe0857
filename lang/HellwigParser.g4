// SPDX-License-Identifier: Apache-2.0
// The grammar of Hellwig. No predicates, no actions; parses in SLL mode. Start rules: `file` for a source file, `hole`
// for one expression (between braces in a text), `list`, `heading`, `typeOnly` and `keys` for the cells of tables.
//
// How it is written, so that parsing can go on after a mistake (syntax_errors.cpp):
//   * Every list in braces is a rule of its own, `xBody : '{' xItem* '}'`, with one loop. Only the items of such lists
//     (and of `file`) recover; every other rule passes an error on. What begins no item is skipped by the loop itself.
//   * Each kind of item is a rule of its own, so that the tree can be built from a table (tree_builder.cpp).
//   * Order within braces (rows last, nothing behind `return`) is checked on the tree, with better messages.
//   * `not`, unary `-`, `set of` and `else if` are loops: however many there are, the stack does not grow.
// `where` and `by` stand only in `condition`; the tree builder hangs them where they belong.
parser grammar HellwigParser;
options { tokenVocab = HellwigLexer; }

file     : decl* EOF ;
hole     : expr EOF ;
typeOnly : type EOF ;
list     : expr (',' expr)* EOF ;
heading  : field EOF ;
keys     : key (',' key)* EOF ;
key      : 'any' name? | '-'? keyEnd ('-' keyEnd | '..' ('-'? keyEnd)?)? | '..' '-'? keyEnd | expr ;
keyEnd   : INT | ODDS | FRACTION ;

decl
    : gameDecl | modDecl | rulebookDecl
    | typeDecl | terrainDecl | recordDecl | counterDecl | kindsDecl | groupDecl | boxDecl | stateDecl
    | tableDecl | valueDecl | permissionDecl | zoneDecl | routeDecl | arcsDecl | hiddenDecl | victoryDecl
    | sequenceDecl | procedureDecl | actionDecl | hookDecl
    | mapDecl | forcesDecl | setupDecl | arriveDecl | lookDecl
    | optionDecl | scenarioDecl | testDecl
    | amendDecl | replaceDecl | removeDecl
    ;

// ---- Small parts

mark      : MARK ;
text      : TEXT ;
intNumber : INT ;
names     : name (',' name)* ;
params    : '(' (param (',' param)*)? ')' ;
param     : name ':' type ;
field     : word ':' type ;
fieldBody : '{' fieldList* '}' ;
fieldList : field (',' field)* ;
assign    : word '=' expr ;
assigns   : assign (',' assign)* ;

type       : ('set' 'of')* ( procType | simpleType ) ;
procType   : 'procedure' params ;
simpleType : ('hex' | 'hexside' | 'path' | name) '?'? ;

row     : PIPE (cell PIPE)+ mark? ;
cell    : CELL ;
rowBody : '{' row* '}' ;

// ---- Game, ledger

gameDecl : 'game' text mark? gameBody ;
gameBody : '{' gameItem* '}' ;
gameItem : credit | languageItem | sideItem | optionsItem ;
credit   : ('designer' | 'publisher' | 'credit') text ;
languageItem : 'language' intNumber ;
sideItem     : 'side' name text? ;
optionsItem  : 'options' names ;
modDecl      : 'mod' text 'of' text mark? ;
rulebookDecl : 'rulebook' text? rowBody ;

// ---- Types, things, state

typeDecl    : 'type' name mark? ('is' names mark? | rowBody) ;
terrainDecl : 'terrain' ('hex' | 'hexside' | 'path' | 'feature') name mark? ('is' names mark? | rowBody) ;
recordDecl  : 'record' name fieldBody ;

counterDecl : 'counter' name (',' name)? ('is' name)? mark? counterBody ;
counterBody : '{' counterItem* '}' ;
counterItem : printed | faces | stateClause | show ;
printed     : 'printed' printedItem (',' printedItem)* mark? ;
printedItem : word (':' type ('=' expr)? | '=' expr) ;
faces       : 'faces' name fieldBody? mark? ;
show        : 'show' name intNumber? 'when' expr mark? ;
kindsDecl   : 'kinds' 'of' name mark? rowBody ;
groupDecl   : 'group' name (',' name)? mark? groupBody ;
groupBody   : '{' groupItem* '}' ;
groupItem   : printed | stateClause ;
boxDecl     : 'box' name ('each' ('side' | 'turn'))? text? mark? ;

stateDecl   : 'state' ('of' ('hex' | 'hexside' | name))? stateItem (',' stateItem)* ('resets' 'each' span)? mark? ;
stateClause : 'state' stateItem (',' stateItem)* ('resets' 'each' span)? mark? ;
stateItem   : word (':' type)? '=' expr ;
span        : 'turn' | 'player' 'turn' | 'own' 'turn' | 'phase' | 'activation' ;

// ---- Tables

tableDecl : 'table' name params (':' type)? mark? tableBody ;
tableBody : '{' tableItem* '}' ;
tableItem : roundItem | clampItem | cellsItem | missingItem | row ;
roundItem   : 'round' name ('up' | 'down' | 'near') mark? ;
clampItem   : 'clamp' name ('below' | 'above')? mark? ;
cellsItem   : 'cells' name ;
missingItem : 'otherwise' expr mark? ;

// ---- Values, permissions, zones, victory

valueDecl : 'value' word params? (':' type)? '=' expr mark? stepBody? ;
stepBody  : '{' stepItem* '}' ;
stepItem  : step | waive ;
step      : stepOp ('when' expr)? ('as' text)? mark? ;
stepOp
    : ('add' | 'subtract' | 'become') expr
    | ('multiply' | 'divide') 'by' expr (',' rounding)?
    | rounding
    | 'at' ('least' | 'most') expr
    ;
rounding  : 'round' ('up' | 'down' | 'near') ;

permissionDecl : 'permission' name params mark? clauseBody ;
clauseBody : '{' clause* '}' ;
clause     : ruleClause | forEachClause | through | across | waive ;
ruleClause : ('forbid' | 'allow') ('when' expr)? text? mark? ;
forEachClause : 'for' 'each' name 'in' expr mark? clauseBody ;
through    : 'through' name 'between' postfix 'and' postfix ('split' ('both' | 'either'))? mark? clauseBody ;
across     : 'across' name 'between' postfix 'and' postfix mark? clauseBody ;
waive      : 'waive' mark 'when' expr mark? ;

zoneDecl   : 'zone' name '(' param ')' 'covers' name 'in' expr mark? clauseBody? ;
hiddenDecl : 'hidden' param 'from' expr ('when' expr)? ('shows' word (',' word)*)? mark? ;

victoryDecl   : 'victory' mark? victoryBody ;
victoryBody   : '{' victoryClause* '}' ;
victoryClause : (VICTORY_AT 'once' | 'each' 'turn' | VICTORY_AT 'end') (winner 'wins' | 'draw') text? ('when' expr)? mark? ;
winner        : anySide | postfix ;
anySide       : 'any' 'side' name ;

// ---- Routes, arcs

routeDecl : 'route' name params ('like' name)? mark? routeBody ;
routeBody : '{' routeItem* '}' ;
routeItem
    : over | start | budget | length | minimum | clause
    | routeStep | routeTurn | routeAction | routeEnd | goal | routeHook | also
    ;
over        : 'over' word (',' word)* ;
start       : 'start' expr mark? ;
budget      : 'budget' expr mark? stepBody? ;
length      : 'length' expr mark? ;
minimum     : 'minimum' 'one' 'step' ('when' expr)? mark? ;
routeStep   : 'step' 'from' name 'to' name ('along' name)? mark? edgeBody ;
routeTurn   : 'turn' 'by' name mark? edgeBody ;
routeAction : 'action' name ('to' name 'from' expr)? mark? edgeBody ;
routeEnd    : 'end' 'at' name mark? endBody ;
goal        : 'goal' 'at' name 'when' expr mark? ;
routeHook   : ('before' | 'after') routePoint ('when' expr)? mark? block ;
routePoint  : 'step' ('from' name 'to' name)? | 'turn' | 'action' | 'each' ;
also        : 'also' call mark? ;
edgeBody    : '{' edgeItem* '}' ;
edgeItem    : cost | stopItem | effect | prefer | clause ;
endBody     : '{' endItem* '}' ;
endItem     : clause | prefer ;
cost        : 'cost' expr mark? stepBody? ;
stopItem    : 'stop' ('when' expr)? text? mark? ;
effect      : 'effect' mark? block ;
prefer      : 'prefer' ('least' | 'greatest')? expr mark? ;

arcsDecl : 'arcs' '(' param ')' 'by' expr mark? rowBody ;

// ---- Map, forces, set-up, look

mapDecl : 'map' name mark? mapBody ;
mapBody : '{' mapItem* '}' ;
mapItem
    : grid | sizeItem | numberItem | fill | legend | sheet | join | mapRows | mapPlace | area | level | feature ;
grid       : 'grid' gridShape ',' gridParity gridLines 'pushed' gridPush ;
gridShape  : 'pointed' | 'flat' ;
gridParity : 'even' | 'odd' ;
gridLines  : 'rows' | 'columns' ;
gridPush   : 'left' | 'right' | 'up' | 'down' ;
sizeItem   : 'size' intNumber 'by' intNumber ;
numberItem : 'number' ('column' 'row' | 'row' 'column') ('digits' intNumber)? ;
fill       : 'fill' name mark? ;
legend     : 'legend' legendEntry (',' legendEntry)* ;
legendEntry : (name | intNumber) '=' name ;
sheet      : 'sheet' name 'prefix' name 'size' intNumber 'by' intNumber ('counted' name 'to' name)? mark? mapBody ;
join       : 'join' name name 'to' name name mark? ;
mapRows    : 'rows' rowBody ;
mapPlace   : 'place' name 'at' mapRef+ mark? ;
area       : 'area' name text? ('at' mapRef+ | '=' expr) mark? ;
level      : 'level' intNumber 'at' mapRef+ mark? ;
feature    : featureKind name? ('along' | 'on' | 'at') mapRef+ ('with' assigns)? mark? ;
featureKind : ID | QNAME ;
mapRef     : hexRef (('..' | '/') hexRef)? | FRACTION ;
hexRef     : INT | LABEL ;

forcesDecl : 'forces' name ('at' name)? mark? forceBody ;
forceBody  : '{' forceItem* '}' ;
forceItem  : forceNode | row ;
forceNode  : name name? ('(' assigns ')')? mark? forceBody ;

setupDecl  : 'setup' ('by' expr)? ('with' settings)? ('provided' expr)? mark? block? ;
settings   : setting (',' setting)* ;
setting    : word ('=' | 'from') expr ;
arriveDecl : 'arrive' postfix (',' postfix)* arriveTime 'together'?
             'in' expr ('when' expr)? ('provided' expr)? text? mark? block? ;
arriveTime : 'from' ('turn' intNumber | odds) | 'any' 'turn' | 'later' ;
odds       : ODDS ;

lookDecl  : 'look' lookBody ;
lookBody  : '{' lookItem* '}' ;
lookItem  : word name? lookPropBody ;
lookPropBody : '{' lookProp* '}' ;
lookProp  : word lookValue (',' lookValue)* ;
lookValue : text | intNumber | name ;

// ---- Options, scenarios, mods

optionDecl   : 'option' name ('default' ('on' | 'off'))? text? mark? declBody ;
declBody     : '{' decl* '}' ;
scenarioDecl : 'scenario' name ('extends' name)? text? mark? scenarioBody ;
scenarioBody : '{' scenarioItem* '}' ;
scenarioItem : playOn | optionsItem | decl ;
playOn       : 'play' 'on' name ('within' expr)? mark? ;

amendDecl : 'amend' amendment ;
amendment
    : amendValue | amendPhase | scenarioDecl | permissionDecl | amendZone | routeDecl | counterDecl | groupDecl
    | amendTable | amendTerrain | amendType | amendKinds | amendArcs | forcesDecl | mapDecl | victoryDecl
    ;
amendValue   : 'value' word params? (':' type)? mark? stepBody ;
amendPhase   : 'phase' name mark? phaseBody ;
amendZone    : 'zone' name '(' param ')' 'covers' name ('in' expr)? mark? clauseBody ;
amendTable   : 'table' name (params (':' type)?)? mark? rowBody ;
amendTerrain : 'terrain' ('hex' | 'hexside' | 'path' | 'feature')? name mark? rowBody ;
amendType    : 'type' name mark? rowBody ;
amendKinds   : 'kinds' 'of' name mark? rowBody ;
amendArcs    : 'arcs' '(' param ')' ('by' expr)? mark? rowBody ;
phaseBody    : '{' phaseItem* '}' ;
phaseItem    : phaseWhen | phaseHook ;
phaseWhen    : 'when' expr mark? ;
phaseHook    : ('before' | 'after') ('when' expr)? mark? block ;
replaceDecl  : 'replace' (decl | phase) ;
removeDecl   : 'remove' removable ;
removable
    : 'value' word
    | ('permission' | 'zone' | 'route' | 'procedure' | 'phase' | 'action' | 'table' | 'option' | 'scenario') name
    | 'forces' postfix (',' postfix)*
    | 'arrive' postfix (',' postfix)*
    ;

// ---- Behaviour

sequenceDecl  : 'sequence' mark? block ;
procedureDecl : 'procedure' name params (':' type)? mark? block ;
actionDecl    : 'action' name 'during' names ('when' expr)? mark? block ;
hookDecl      : ('before' | 'after') hookPoint ('when' expr)? mark? block ;
hookPoint     : 'turn' | 'player' 'turn' | 'phase' name | 'activation' | 'setup' | ('move' | name) params ;

block : '{' stmt* '}' ;
stmt
    : turns | playerTurn | phase | activation | let | setStmt | roll | doStmt | ifStmt | matchStmt | forEach | repeat
    | decision | move | place | win | draw | say | returnStmt | stopStmt | nextStmt
    ;
turns      : 'turns' expr 'to' expr ('from' postfix 'every' intNumber 'minutes')? mark? block ;
playerTurn : 'player' 'turn' expr (',' expr)* mark? block ;
phase      : 'phase' name ('by' expr)? ('when' expr)? mark? block ;
activation : 'activation' ('by' expr)? mark? block ;
let        : 'let' name (':' type)? '=' expr mark? ;
setStmt    : 'set' postfix 'to' expr mark? ;
roll       : 'roll' name '=' (name | 'one' 'of' expr) text mark? ;
doStmt     : 'do' call ('with' args)? mark? ;
ifStmt     : 'if' expr mark? block elseIf* elseBranch? ;
elseIf     : 'else' 'if' expr mark? block ;
elseBranch : 'else' mark? block ;
matchStmt  : 'match' expr mark? matchBody ;
matchBody  : '{' matchItem* '}' ;
matchItem  : arm | elseBranch ;
arm        : armKey (',' armKey)* mark? block ;
armKey     : name | intNumber ;
forEach    : 'for' 'each' name 'in' expr mark? block ;
repeat     : 'repeat' 'at' 'most' expr 'times' ('while' expr)? mark? block ;
move       : 'move' postfix ('to' postfix ('by' call)? | 'along' expr) mark? ;
place      : 'place' (name '=')? ('new' name 'like')? postfix (',' postfix)* ('at' postfix | 'in' expr)
             ('with' settings)? ('provided' expr)? text? mark? ;
win        : 'win' expr text? mark? ;
draw       : 'draw' text? mark? ;
say        : 'say' text mark? ;
returnStmt : 'return' expr? mark? ;
stopStmt   : 'stop' mark? ;
nextStmt   : 'next' mark? ;

decision   : askPrefix? (choose | menu | perform | walk) ;
askPrefix  : 'ask' expr 'to' ;
choose     : 'choose' number? name ('for' 'each' name 'in' expr)? 'from' expr
             provided* prefer*
             text? mark? block? alternative* otherwiseBranch? ;
provided   : 'provided' expr mark? ;
number     : 'any' | 'some' | 'each' | 'exactly' postfix | 'up' 'to' postfix | postfix 'to' postfix ;
alternative : 'or' ( text ('when' expr)? mark? block | 'pass' text? ('when' expr)? mark? block? ) ;
otherwiseBranch : 'otherwise' mark? block ;
menu       : 'choose' text? mark? menuBody otherwiseBranch? ;
menuBody   : '{' menuItem* '}' ;
menuItem   : text ('when' expr)? mark? block | 'pass' text ('when' expr)? mark? block? ;
perform    : 'perform' name 'at' 'most' expr 'times' text? ('or' performPass)? mark? ;
performPass : 'pass' text? ;
walk       : 'walk' postfix 'by' call text? mark? ;

// ---- Tests

testDecl : 'test' text mark? testBody ;
testBody : '{' testItem* '}' ;
testItem
    : useItem | testScenario | testMap | begin | endOf | dice | decide | settle | playGames | expect | stmt ;
useItem      : 'use' names ;
testScenario : 'scenario' name ;
testMap      : 'map' name ;
begin        : 'begin' ('turn' | 'player' 'turn' | 'phase' name) ('of' postfix)? ('on' 'turn' intNumber)? ;
endOf        : 'end' ('turn' | 'player' 'turn' | 'phase') ;
dice         : 'dice' intNumber (',' intNumber)* ;
decide       : 'decide' bind (',' bind)* mark? ;
bind         : ('pass' | (word '=')? expr) ('by' postfix)? ;
settle       : 'settle' ;
playGames    : 'play' intNumber 'games' ;
expect       : 'expect' expectation mark? ;
expectation
    : expectRefused | expectRefusedSet | expectDecision | expectChoices | expectHappened | expectRolled
    | expectHidden | expectTrue
    ;
expectRefused    : 'refused' call ('to' postfix)? text? ;
expectRefusedSet : 'refused' word '=' expr text? ;
expectDecision   : 'decision' text ;
expectChoices    : 'choices' 'are' expr ;
expectHappened   : 'happened' call 'once'? ;
expectRolled     : 'rolled' intNumber ;
expectHidden     : 'hidden' postfix 'from' postfix ;
expectTrue       : expr ('because' text)? ;

// ---- Expressions, loosest first

expr       : text | ifExpr | doExpr | condition ;
ifExpr     : 'if' condition 'then' expr 'else' expr ;
doExpr     : 'not'? 'do' call ('with' args)? ;
condition  : orExpr ('where' orExpr)* ('by' ('least' | 'greatest') orExpr)? ;
orExpr     : andExpr ('or' andExpr)* ;
andExpr    : notExpr ('and' notExpr)* ;
notExpr    : 'not'* (quantifier | comparison) ;
quantifier : ('any' | 'no' | 'all') (name 'from')? setPhrase ;
// At most one comparison; more are accepted only to be reported well.
comparison : operand comparing* ;
comparing
    : ('<' | '<=' | '>' | '>=') operand
    | 'is' 'not'? operand
    | 'not'? 'in' operand
    | 'has' 'no'? name
    ;
operand    : sum ('otherwise' sum)? ('..' sum)? ;
sum        : product (('+' | '-') product)* ;
product    : unary (('*' | '/' | 'mod') unary)* ('rounded' ('up' | 'down' | 'near'))? ;
unary
    : '-'* ( 'count' 'of' (name 'from')? setPhrase
           | ('sum' | 'least' | 'greatest') 'of' sum 'over' (name 'from')? setPhrase
           | 'first' 'of' (name 'from')? setPhrase
           | 'those' name 'from' setPhrase
           | setPhrase
           )
    ;
setPhrase  : base filter* ;
base       : query | postfix ;
query      : ('reach' | 'paths' | 'connected') call | 'path' call ('to' postfix)? ;
filter
    : ('of' | 'at' | 'plus' | 'except') postfix
    | 'adjacent' 'to' postfix
    | 'within' postfix 'of' postfix
    | 'between' postfix 'and' postfix
    | ('on' 'or')? ('north' | 'south' | 'east' | 'west') 'of' postfix
    ;
postfix    : primary member* ;
member     : '.' word args? ;
primary
    : INT | FRACTION | ODDS
    | 'yes' | 'no' | 'none' | 'unlimited' | 'it'
    | 'hex' hexRef
    | 'hexside' mapRef?
    | 'hexes' | 'hexsides'
    | 'can' call
    | name args?
    | '(' expr (',' expr)* ')'
    ;
call       : name args ;
args       : '(' (arg (',' arg)*)? ')' ;
arg        : (word '=')? expr shift? ;
shift      : 'shifted' ('left' | 'right')? sum ;

// ---- Names. A name: an ordinary word, a word with digits, a quoted name, or one of the words of the language that
// are free to be names because no expression or statement begins with them. After a dot, and where a field is declared
// or filled, any word at all.

name : ID | LABEL | QNAME | soft ;
word : name | reserved ;
soft
    : 'above' | 'action' | 'activation' | 'arcs' | 'area' | 'begin' | 'below' | 'both' | 'box' | 'budget'
    | 'cells' | 'choices' | 'clamp' | 'column' | 'columns' | 'cost' | 'counted' | 'counter' | 'covers'
    | 'credit' | 'decide' | 'decision' | 'default' | 'designer' | 'dice' | 'digits' | 'during' | 'east'
    | 'effect' | 'either' | 'end' | 'even' | 'every' | 'faces' | 'feature' | 'fill' | 'flat' | 'forces'
    | 'game' | 'games' | 'goal' | 'grid' | 'group' | 'happened' | 'hidden' | 'join' | 'kinds' | 'language'
    | 'left' | 'legend' | 'length' | 'level' | 'like' | 'look' | 'map' | 'minimum' | 'minutes' | 'new'
    | 'north' | 'number' | 'odd' | 'off' | 'once' | 'one' | 'option' | 'options' | 'over' | 'own' | 'player'
    | 'pointed' | 'prefix' | 'publisher' | 'pushed' | 'record' | 'refused' | 'right' | 'rolled' | 'row'
    | 'rows' | 'rulebook' | 'scenario' | 'sequence' | 'settle' | 'setup' | 'sheet' | 'show' | 'shows'
    | 'side' | 'size' | 'south' | 'split' | 'start' | 'state' | 'step' | 'table' | 'terrain' | 'test'
    | 'times' | 'together' | 'turn' | 'type' | 'use' | 'value' | 'victory' | 'west' | 'wins' | 'zone'
    ;
reserved
    : 'across' | 'add' | 'adjacent' | 'after' | 'all' | 'allow' | 'along' | 'also' | 'amend' | 'and'
    | 'any' | 'are' | 'arrive' | 'as' | 'ask' | 'at' | 'because' | 'become' | 'before' | 'between' | 'by'
    | 'can' | 'choose' | 'connected' | 'count' | 'divide' | 'do' | 'down' | 'draw' | 'each' | 'else'
    | 'exactly' | 'except' | 'expect' | 'extends' | 'first' | 'for' | 'forbid' | 'from' | 'greatest' | 'has'
    | 'hex' | 'hexes' | 'hexside' | 'hexsides' | 'if' | 'in' | 'is' | 'it' | 'later' | 'least' | 'let'
    | 'match' | 'mod' | 'most' | 'move' | 'multiply' | 'near' | 'next' | 'no' | 'none' | 'not' | 'of' | 'on'
    | 'or' | 'otherwise' | 'pass' | 'path' | 'paths' | 'perform' | 'permission' | 'phase' | 'place' | 'play'
    | 'plus' | 'prefer' | 'printed' | 'procedure' | 'provided' | 'reach' | 'remove' | 'repeat' | 'replace'
    | 'resets' | 'return' | 'roll' | 'round' | 'rounded' | 'route' | 'say' | 'set' | 'shifted' | 'some'
    | 'stop' | 'subtract' | 'sum' | 'then' | 'those' | 'through' | 'to' | 'turns' | 'unlimited' | 'up'
    | 'waive' | 'walk' | 'when' | 'where' | 'while' | 'win' | 'with' | 'within' | 'yes'
    ;
