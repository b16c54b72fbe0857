// SPDX-License-Identifier: Apache-2.0
// Builds a board from its description: numbers, places, neighbours, hexsides; and the look-ups by number and
// name.
#include "runtime/board.h"

#include "runtime/board_tables.h"

#include <algorithm>
#include <cctype>

namespace hellwig {

namespace {

// The steps of cube coordinates clockwise from the one that a pointed grid calls ne. A flat grid is turned by
// one: its n is what a pointed grid calls nw.
constexpr int stepQ[6] = {1, 1, 0, -1, -1, 0};
constexpr int stepR[6] = {-1, 0, 1, 1, 0, -1};

constexpr std::string_view pointedNames[6] = {"ne", "e", "se", "sw", "w", "nw"};
constexpr std::string_view flatNames[6] = {"n", "ne", "se", "s", "sw", "nw"};
constexpr std::string_view pointedCorners[6] = {"n", "ene", "ese", "s", "wsw", "wnw"};
constexpr std::string_view flatCorners[6] = {"nnw", "nne", "e", "sse", "ssw", "w"};

// How printed numbers of a sheet become offset coordinates: x = signX * column + shiftX, and y likewise.
struct Placement {
  bool placed = false;
  int signX = 1, signY = 1, shiftX = 0, shiftY = 0;
};

struct Extent {
  int low, high;
};

Extent extentX(const SheetSpec& sheet, const Placement& place) {
  int a = place.signX * sheet.firstColumn + place.shiftX;
  int b = place.signX * (sheet.firstColumn + sheet.columns - 1) + place.shiftX;
  return {std::min(a, b), std::max(a, b)};
}

Extent extentY(const SheetSpec& sheet, const Placement& place) {
  int a = place.signY * sheet.firstRow + place.shiftY;
  int b = place.signY * (sheet.firstRow + sheet.rows - 1) + place.shiftY;
  return {std::min(a, b), std::max(a, b)};
}

std::string sheetTitle(const SheetSpec& sheet) {
  return sheet.name.empty() ? "the sheet" : "sheet " + sheet.name;
}

std::string checkSpec(const BoardSpec& spec) {
  bool rows = spec.push == Push::left || spec.push == Push::right;
  if (spec.shape == GridShape::pointed && !rows) return "in a pointed grid rows are pushed left or right";
  if (spec.shape == GridShape::flat && rows) return "in a flat grid columns are pushed up or down";
  if (spec.digits < 1 || spec.digits > 4) return "a column or row number has 1 to 4 digits";
  if (spec.sheets.empty()) return "the map has no hexes";
  int limit = 1;
  for (int i = 0; i < spec.digits; ++i) limit *= 10;
  long total = 0;
  for (const SheetSpec& sheet : spec.sheets) {
    if (sheet.columns < 1 || sheet.rows < 1) return sheetTitle(sheet) + " has no columns or no rows";
    if (sheet.firstColumn < 0 || sheet.firstRow < 0) return sheetTitle(sheet) + " has a negative number";
    if (sheet.columns > maxBoardHexes || sheet.rows > maxBoardHexes)
      return "a board has at most " + std::to_string(maxBoardHexes) + " hexes";
    if (sheet.firstColumn + sheet.columns > limit || sheet.firstRow + sheet.rows > limit)
      return sheetTitle(sheet) + " has numbers of more than " + std::to_string(spec.digits) + " digits";
    total += static_cast<long>(sheet.columns) * sheet.rows;
    for (const SheetSpec& other : spec.sheets)
      if (&other != &sheet && other.prefix == sheet.prefix)
        return sheetTitle(other) + " and " + sheetTitle(sheet) + " have the same prefix";
  }
  if (total > maxBoardHexes) return "a board has at most " + std::to_string(maxBoardHexes) + " hexes";
  int sheetCount = static_cast<int>(spec.sheets.size());
  for (const JoinSpec& join : spec.joins) {
    if (join.first < 0 || join.first >= sheetCount || join.second < 0 || join.second >= sheetCount)
      return "a join names a sheet that does not exist";
    if (join.first == join.second) return sheetTitle(spec.sheets[join.first]) + " cannot be joined to itself";
    int turned = (static_cast<int>(join.firstEdge) + 2) % 4;
    if (turned != static_cast<int>(join.secondEdge))
      return "a join needs opposite edges: east to west, or north to south";
  }
  return "";
}

// Where `to` lies when its edge touches the edge `side` of `from`.
Placement placeBeside(const SheetSpec& fromSheet, const Placement& from, Compass side,
                      const SheetSpec& toSheet) {
  Placement to;
  to.placed = true;
  to.signX = toSheet.countedEastToWest ? -1 : 1;
  to.signY = toSheet.countedSouthToNorth ? -1 : 1;
  Extent fromX = extentX(fromSheet, from), fromY = extentY(fromSheet, from);
  Extent toX = extentX(toSheet, to), toY = extentY(toSheet, to);
  if (side == Compass::east || side == Compass::west) {
    to.shiftX = side == Compass::east ? fromX.high + 1 - toX.low : fromX.low - 1 - toX.high;
    to.shiftY = to.signY == from.signY ? from.shiftY : fromY.low - toY.low;
  } else {
    to.shiftY = side == Compass::south ? fromY.high + 1 - toY.low : fromY.low - 1 - toY.high;
    to.shiftX = to.signX == from.signX ? from.shiftX : fromX.low - toX.low;
  }
  return to;
}

std::string placeSheets(const BoardSpec& spec, std::vector<Placement>& places) {
  places.assign(spec.sheets.size(), Placement{});
  places[0] = {true, spec.sheets[0].countedEastToWest ? -1 : 1, spec.sheets[0].countedSouthToNorth ? -1 : 1,
               0, 0};
  bool changed = true;
  auto follow = [&](int from, Compass side, int to) -> std::string {
    if (!places[from].placed) return "";
    Placement place = placeBeside(spec.sheets[from], places[from], side, spec.sheets[to]);
    // Whether a line is pushed depends on its printed number, so lines may only be renumbered by an even
    // amount.
    int shift = spec.shape == GridShape::pointed ? place.shiftY : place.shiftX;
    if (shift & 1)
      return sheetTitle(spec.sheets[from]) + " and " + sheetTitle(spec.sheets[to]) +
             " do not fit: where they are joined, a pushed line meets one that is not pushed";
    if (!places[to].placed) {
      places[to] = place;
      changed = true;
    } else if (places[to].shiftX != place.shiftX || places[to].shiftY != place.shiftY) {
      return "the joins of " + sheetTitle(spec.sheets[to]) + " contradict each other";
    }
    return "";
  };
  while (changed) {
    changed = false;
    for (const JoinSpec& join : spec.joins) {
      std::string error = follow(join.first, join.firstEdge, join.second);
      if (error.empty()) error = follow(join.second, join.secondEdge, join.first);
      if (!error.empty()) return error;
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!places[i].placed) return sheetTitle(spec.sheets[i]) + " is not joined to the others";
  return "";
}

// The cube coordinates of offset coordinates.
void cubeOfOffset(GridShape shape, bool oddFurther, int x, int y, int& q, int& r) {
  int line = shape == GridShape::pointed ? y : x;
  int half = oddFurther ? (line - (line & 1)) / 2 : (line + (line & 1)) / 2;
  q = shape == GridShape::pointed ? x - half : x;
  r = shape == GridShape::pointed ? y : y - half;
}

std::string digitsOf(int number, int digits) {
  std::string text = std::to_string(number);
  return std::string(static_cast<std::size_t>(digits) - std::min<std::size_t>(text.size(), digits), '0') +
         text;
}

void makeHexes(const BoardSpec& spec, const std::vector<Placement>& places, Board& board) {
  bool columnsFirst = spec.numbering == Numbering::columnRow;
  for (std::size_t s = 0; s < spec.sheets.size(); ++s) {
    const SheetSpec& sheet = spec.sheets[s];
    Sheet made{sheet.name,    sheet.prefix, board.n,           sheet.columns * sheet.rows,
               sheet.columns, sheet.rows,   sheet.firstColumn, sheet.firstRow};
    for (int i = 0; i < made.hexes; ++i) {
      int column = sheet.firstColumn + (columnsFirst ? i / sheet.rows : i % sheet.columns);
      int row = sheet.firstRow + (columnsFirst ? i % sheet.rows : i / sheet.columns);
      int x = places[s].signX * column + places[s].shiftX;
      int y = places[s].signY * row + places[s].shiftY;
      int q, r;
      cubeOfOffset(spec.shape, board.oddFurther, x, y, q, r);
      auto narrow = [](int value) { return static_cast<std::int16_t>(value); };
      board.hex.push_back({narrow(column), narrow(row), narrow(static_cast<int>(s)), narrow(q), narrow(r),
                           narrow(x), narrow(y), 0});
      std::string first = digitsOf(columnsFirst ? column : row, spec.digits);
      std::string second = digitsOf(columnsFirst ? row : column, spec.digits);
      board.label.push_back(sheet.prefix + first + second);
    }
    board.n += made.hexes;
    board.sheets.push_back(std::move(made));
  }
}

std::string makeCells(Board& board) {
  int lowQ = board.hex[0].q, highQ = lowQ, lowR = board.hex[0].r, highR = lowR;
  for (const Hex& hex : board.hex) {
    lowQ = std::min<int>(lowQ, hex.q);
    highQ = std::max<int>(highQ, hex.q);
    lowR = std::min<int>(lowR, hex.r);
    highR = std::max<int>(highR, hex.r);
  }
  board.cellMinQ = lowQ - 1;
  board.cellMinR = lowR - 1;
  board.cellWidth = highQ - lowQ + 3;
  board.cellHeight = highR - lowR + 3;
  // A long thin board, placed slantwise, would need a table out of all proportion to its hexes.
  if (static_cast<long>(board.cellWidth) * board.cellHeight > 64L * 1024 * 1024)
    return "the board is too long";
  board.cells.assign(static_cast<std::size_t>(board.cellWidth) * board.cellHeight, noHex);
  for (int h = 0; h < board.n; ++h) {
    Hex& hex = board.hex[h];
    hex.cell = (hex.q - board.cellMinQ) + (hex.r - board.cellMinR) * board.cellWidth;
    std::int16_t& cell = board.cells[hex.cell];
    if (cell != noHex) return "hexes " + board.label[cell] + " and " + board.label[h] + " lie in one place";
    cell = static_cast<std::int16_t>(h);
  }
  int turn = board.shape == GridShape::flat ? 5 : 0;
  for (int d = 0; d < 6; ++d)
    board.cellStep[d] = stepQ[(d + turn) % 6] + stepR[(d + turn) % 6] * board.cellWidth;
  return "";
}

void makeHexsides(Board& board) {
  board.adjacent.resize(static_cast<std::size_t>(board.n) * 6);
  board.hexsideOf.assign(static_cast<std::size_t>(board.n) * 6, noHexside);
  for (int h = 0; h < board.n; ++h)
    for (int d = 0; d < 6; ++d)
      board.adjacent[h * 6 + d] = board.cells[board.hex[h].cell + board.cellStep[d]];
  for (int h = 0; h < board.n; ++h)
    for (int d = 0; d < 6; ++d) {
      int other = board.adjacent[h * 6 + d];
      if (other != noHex && other < h) continue;
      board.hexsideOf[h * 6 + d] = board.hexsides;
      if (other != noHex) board.hexsideOf[other * 6 + oppositeDirection(d)] = board.hexsides;
      board.hexside.push_back(
          {static_cast<std::int16_t>(h), static_cast<std::int16_t>(other), static_cast<std::int8_t>(d)});
      ++board.hexsides;
    }
}

bool sameText(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
         });
}

} // namespace

std::string buildBoard(const BoardSpec& spec, Board& board) {
  board = Board{};
  std::string error = checkSpec(spec);
  std::vector<Placement> places;
  if (error.empty()) error = placeSheets(spec, places);
  if (!error.empty()) return error;
  board.spec = spec;
  board.shape = spec.shape;
  board.numbering = spec.numbering;
  board.digits = spec.digits;
  bool further = spec.push == Push::right || spec.push == Push::down;
  board.oddFurther = (spec.pushedParity == Parity::odd) == further;
  makeHexes(spec, places, board);
  error = makeCells(board);
  if (!error.empty()) return error;
  board.words = wordsFor(board.n);
  makeHexsides(board);
  makeShiftPlan(board);
  makeSightPatterns(board);
  std::vector<SetWord> all(board.words);
  setAll(all.data(), board.n, board.words);
  restrictToPlay(board, all.data());
  return "";
}

void restrictToPlay(Board& board, const SetWord* mask) {
  std::vector<SetWord> all(board.words);
  setAll(all.data(), board.n, board.words);
  andSet(all.data(), all.data(), mask, board.words);
  board.inPlay = std::move(all);
  auto playing = [&board](int h) { return h != noHex && hasBit(board.inPlay.data(), h); };
  board.neighbour.assign(board.adjacent.size(), noHex);
  for (int h = 0; h < board.n; ++h)
    for (int d = 0; d < 6 && playing(h); ++d)
      if (playing(board.adjacent[h * 6 + d])) board.neighbour[h * 6 + d] = board.adjacent[h * 6 + d];
  board.playCells = board.cells;
  for (std::int16_t& cell : board.playCells)
    if (!playing(cell)) cell = noHex;
  makeBalls(board);
}

int hexByNumber(const Board& board, int sheetId, int column, int row) {
  if (sheetId < 0 || sheetId >= static_cast<int>(board.sheets.size())) return noHex;
  const Sheet& sheet = board.sheets[sheetId];
  column -= sheet.firstColumn;
  row -= sheet.firstRow;
  if (column < 0 || column >= sheet.columns || row < 0 || row >= sheet.rows) return noHex;
  return sheet.firstHex +
         (board.numbering == Numbering::columnRow ? column * sheet.rows + row : row * sheet.columns + column);
}

int hexByLabel(const Board& board, std::string_view label) {
  std::size_t digits = static_cast<std::size_t>(board.digits);
  if (label.size() < 2 * digits) return noHex;
  std::string_view prefix = label.substr(0, label.size() - 2 * digits);
  int number[2] = {0, 0};
  for (std::size_t i = 0; i < 2 * digits; ++i) {
    char c = label[prefix.size() + i];
    if (c < '0' || c > '9') return noHex;
    number[i / digits] = number[i / digits] * 10 + (c - '0');
  }
  bool columnsFirst = board.numbering == Numbering::columnRow;
  for (std::size_t s = 0; s < board.sheets.size(); ++s)
    if (board.sheets[s].prefix == prefix)
      return hexByNumber(board, static_cast<int>(s), number[columnsFirst ? 0 : 1],
                         number[columnsFirst ? 1 : 0]);
  return noHex;
}

int sheetByName(const Board& board, std::string_view name) {
  for (std::size_t s = 0; s < board.sheets.size(); ++s)
    if (board.sheets[s].name == name) return static_cast<int>(s);
  return -1;
}

int hexAt(const Board& board, int q, int r) {
  q -= board.cellMinQ;
  r -= board.cellMinR;
  if (q < 0 || q >= board.cellWidth || r < 0 || r >= board.cellHeight) return noHex;
  return board.cells[static_cast<std::size_t>(q) + static_cast<std::size_t>(r) * board.cellWidth];
}

std::string_view directionName(GridShape shape, int direction) {
  return shape == GridShape::pointed ? pointedNames[direction] : flatNames[direction];
}

int directionByName(GridShape shape, std::string_view name) {
  for (int d = 0; d < 6; ++d)
    if (sameText(directionName(shape, d), name)) return d;
  return noDirection;
}

std::string_view cornerName(GridShape shape, int direction) {
  return shape == GridShape::pointed ? pointedCorners[direction] : flatCorners[direction];
}

int cornerByName(GridShape shape, std::string_view name) {
  for (int d = 0; d < 6; ++d)
    if (sameText(cornerName(shape, d), name)) return d;
  return noDirection;
}

void directionStep(GridShape shape, int direction, int& q, int& r) {
  const int d = shape == GridShape::flat ? (direction + 5) % 6 : direction;
  q = stepQ[d];
  r = stepR[d];
}

namespace {

// The hexes in play on a sheet (or all) of which `test` holds.
template<class Test> void collect(const Board& board, int sheet, SetWord* out, Test test) {
  clearSet(out, board.words);
  for (int h = 0; h < board.n; ++h)
    if ((sheet < 0 || board.hex[h].sheet == sheet) && test(board.hex[h])) setBit(out, h);
  andSet(out, out, board.inPlay.data(), board.words);
}

} // namespace

void rowSet(const Board& board, int sheet, int row, SetWord* out) {
  collect(board, sheet, out, [row](const Hex& hex) { return hex.row == row; });
}

void columnSet(const Board& board, int sheet, int column, SetWord* out) {
  collect(board, sheet, out, [column](const Hex& hex) { return hex.column == column; });
}

void sheetSet(const Board& board, int sheet, SetWord* out) {
  collect(board, sheet, out, [](const Hex&) { return true; });
}

void edgeSet(const Board& board, Compass side, int sheet, SetWord* out) {
  bool columns = side == Compass::north || side == Compass::south;
  int sign = side == Compass::north || side == Compass::west ? -1 : 1;
  auto line = [columns](const Hex& hex) { return columns ? hex.x : hex.y; };
  auto place = [columns, sign](const Hex& hex) { return sign * (columns ? hex.y : hex.x); };
  int low = line(board.hex[0]), high = low;
  for (const Hex& hex : board.hex) {
    low = std::min<int>(low, line(hex));
    high = std::max<int>(high, line(hex));
  }
  std::vector<int> last(static_cast<std::size_t>(high - low + 1), noHex);
  for (int h = 0; h < board.n; ++h) {
    if (!hasBit(board.inPlay.data(), h)) continue;
    int& best = last[line(board.hex[h]) - low];
    if (best == noHex || place(board.hex[h]) > place(board.hex[best])) best = h;
  }
  clearSet(out, board.words);
  for (int h : last)
    if (h != noHex && (sheet < 0 || board.hex[h].sheet == sheet)) setBit(out, h);
}

void beyondSet(const Board& board, Compass side, bool orOn, const SetWord* of, SetWord* out) {
  const bool columns = side == Compass::north || side == Compass::south;
  const bool rising = side == Compass::south || side == Compass::east;
  auto line = [&](const Hex& hex) { return columns ? hex.x : hex.y; };
  auto along = [&](const Hex& hex) { return columns ? hex.y : hex.x; };
  int low = line(board.hex[0]), high = low;
  for (const Hex& hex : board.hex) {
    low = std::min<int>(low, line(hex));
    high = std::max<int>(high, line(hex));
  }
  const int lines = high - low + 1;
  constexpr int nothing = -1;
  std::vector<int> limit(static_cast<std::size_t>(lines)), before(limit.size(), nothing), after(before);
  std::vector<bool> has(limit.size());
  forEachBit(of, board.words, [&](int h) {
    const auto l = static_cast<std::size_t>(line(board.hex[h]) - low);
    const int at = along(board.hex[h]);
    limit[l] = !has[l] ? at : rising ? std::max(limit[l], at) : std::min(limit[l], at);
    has[l] = true;
  });
  for (int l = 0, last = nothing; l < lines; ++l) before[l] = last = has[l] ? l : last;
  for (int l = lines - 1, last = nothing; l >= 0; --l) after[l] = last = has[l] ? l : last;
  clearSet(out, board.words);
  for (int h = 0; h < board.n; ++h) {
    const Hex& hex = board.hex[h];
    const int l = line(hex) - low, b = before[l], a = after[l];
    if (a == nothing && b == nothing) break;
    // On a sheet counted from the other end the line further on has the lower number.
    const SheetSpec& sheet = board.spec.sheets[hex.sheet];
    const bool falls = columns ? sheet.countedEastToWest : sheet.countedSouthToNorth;
    const bool first = a == nothing || (b != nothing && (falls ? l - b < a - l : l - b <= a - l));
    const int at = limit[first ? b : a];
    if (rising ? along(hex) > at : along(hex) < at) setBit(out, h);
  }
  if (orOn)
    orSet(out, out, of, board.words);
  else
    andNotSet(out, out, of, board.words);
  andSet(out, out, board.inPlay.data(), board.words);
}

int hexsideBetween(const Board& board, int a, int b) {
  for (int d = 0; d < 6; ++d)
    if (board.adjacent[a * 6 + d] == b) return board.hexsideOf[a * 6 + d];
  return noHexside;
}

std::string hexsideLabel(const Board& board, int hexsideId) {
  const Hexside& side = board.hexside[hexsideId];
  if (side.second != noHex) return board.label[side.first] + "/" + board.label[side.second];
  std::string text = board.label[side.first];
  for (char c : directionName(board.shape, side.direction))
    text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

int hexsideByLabel(const Board& board, std::string_view label) {
  if (std::size_t slash = label.find('/'); slash != std::string_view::npos) {
    int a = hexByLabel(board, label.substr(0, slash)), b = hexByLabel(board, label.substr(slash + 1));
    return a == noHex || b == noHex ? noHexside : hexsideBetween(board, a, b);
  }
  std::size_t end = label.find_last_of("0123456789");
  if (end == std::string_view::npos) return noHexside;
  int hexId = hexByLabel(board, label.substr(0, end + 1));
  int direction = directionByName(board.shape, label.substr(end + 1));
  return hexId == noHex || direction == noDirection ? noHexside : hexsideOf(board, hexId, direction);
}

} // namespace hellwig
