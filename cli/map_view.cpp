// SPDX-License-Identifier: Apache-2.0
// Draws hexes on a canvas of characters.
#include "cli/map_view.h"

#include "cli/console.h"
#include "cli/story.h"

#include <algorithm>
#include <set>

namespace hellwig::cli {
namespace {

class Canvas {
public:
  Canvas(int width, int height) : width_(width), cells_(static_cast<std::size_t>(width * height), {" ", 0}) {}

  /// Writes UTF-8 text from a place on, one character a cell.
  void put(int x, int y, std::string_view text, int colour = 0) {
    while (!text.empty()) {
      std::string character = firstCharacters(text, 1);
      text.remove_prefix(character.size());
      cells_[static_cast<std::size_t>(y * width_ + x++)] = {std::move(character), colour};
    }
  }

  std::string text(bool colours) const {
    std::string out;
    for (std::size_t from = 0; from < cells_.size(); from += static_cast<std::size_t>(width_)) {
      std::size_t end = from + static_cast<std::size_t>(width_);
      while (end > from && cells_[end - 1].text == " " && cells_[end - 1].colour == 0) --end;
      int colour = 0;
      for (std::size_t i = from; i < end; ++i) {
        if (colours && cells_[i].colour != colour) {
          colour = cells_[i].colour;
          out += "\x1b[" + std::to_string(colour) + "m";
        }
        out += cells_[i].text;
      }
      if (colour != 0) out += "\x1b[0m";
      out += "\n";
    }
    return out;
  }

private:
  struct Cell {
    std::string text;
    int colour; // an SGR number; 0 plain
  };
  int width_;
  std::vector<Cell> cells_;
};

constexpr int sideColours[] = {44, 41, 42, 45};
constexpr int faintColour = 2;

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// A letter for each terrain; the commonest is a dot.
std::vector<std::string> terrainLetters(const Machine& machine) {
  const Module& module = machine.program().module();
  if (module.terrainColumn < 0) return {};
  const Column& column = module.columns[static_cast<std::size_t>(module.terrainColumn)];
  const EnumInfo& terrain = module.enums[column.type.id];
  std::vector<std::size_t> count(terrain.names.size());
  for (int h = 0; h < module.board.n; ++h) {
    const Word value =
        machine.column(static_cast<std::uint16_t>(module.terrainColumn), static_cast<std::uint32_t>(h));
    if (value >= 0 && static_cast<std::size_t>(value) < count.size())
      ++count[static_cast<std::size_t>(value)];
  }
  const auto commonest = std::max_element(count.begin(), count.end()) - count.begin();
  std::set<std::string> used;
  std::vector<std::string> letters(terrain.names.size());
  for (std::size_t v = 0; v < letters.size(); ++v) {
    if (static_cast<std::ptrdiff_t>(v) == commonest) {
      letters[v] = ".";
      continue;
    }
    letters[v] = "?";
    for (std::string_view rest = terrain.names[v]; !rest.empty();) {
      const std::string letter = firstCharacters(rest, 1);
      rest.remove_prefix(letter.size());
      if (used.insert(upper(letter)).second) {
        letters[v] = upper(letter);
        break;
      }
    }
  }
  return letters;
}

/// Is the counter on another face than its first?
bool flipped(const Machine& machine, std::uint16_t counter) {
  const std::int32_t column = faceColumn(machine.program().module(), counter);
  return column >= 0 && machine.column(static_cast<std::uint16_t>(column), counter) > 0;
}

class Drawing {
public:
  Drawing(Machine& machine, const MapStyle& style)
      : machine_(machine), style_(style), module_(machine.program().module()), board_(module_.board),
        letters_(terrainLetters(machine)) {
    std::size_t label = 0;
    for (int h = 0; h < board_.n; ++h)
      if (inPlay(h)) label = std::max(label, textWidth(board_.label[static_cast<std::size_t>(h)]));
    // Number and terrain, or side, three signs of a counter and a state: at least five, and odd.
    content_ = std::max(5, static_cast<int>(label) + 1) | 1;
  }

  std::string draw() {
    place();
    Canvas canvas(width_, height_);
    for (int h = 0; h < board_.n; ++h)
      if (inPlay(h)) drawHex(canvas, h);
    return canvas.text(style_.colour) + legend() + stacks() + boxes();
  }

private:
  bool inPlay(int h) const {
    return ((board_.inPlay[static_cast<std::size_t>(h) / 64] >> (h % 64)) & 1) != 0;
  }
  bool pointed() const { return board_.shape == GridShape::pointed; }

  /// Top left corners of the hexes on the canvas, from cube coordinates, so that any offset comes out right.
  void place() {
    const int half = (content_ + 1) / 2;
    at_.resize(static_cast<std::size_t>(board_.n));
    int left = 1 << 30, top = 1 << 30, right = 0, bottom = 0;
    for (int h = 0; h < board_.n; ++h) {
      const Hex& hex = board_.hex[static_cast<std::size_t>(h)];
      Corner& corner = at_[static_cast<std::size_t>(h)];
      corner = pointed() ? Corner{(2 * hex.q + hex.r) * half, 3 * hex.r}
                         : Corner{hex.q * (content_ + 2), (2 * hex.r + hex.q) * 2};
      if (!inPlay(h)) continue;
      left = std::min(left, corner.x);
      top = std::min(top, corner.y);
    }
    for (int h = 0; h < board_.n; ++h) {
      Corner& corner = at_[static_cast<std::size_t>(h)];
      corner.x -= left;
      corner.y -= top;
      if (!inPlay(h)) continue;
      right = std::max(right, corner.x + content_ + 4);
      bottom = std::max(bottom, corner.y + (pointed() ? 4 : 5));
    }
    width_ = right;
    height_ = bottom;
  }

  std::string hidden(std::uint16_t counter) {
    return machine_.isHidden(counter, style_.viewer)
               ? sideMark(module_, module_.counters[counter].side) + "???"
               : "";
  }
  std::string counterText(std::uint16_t counter) {
    const std::string secret = hidden(counter);
    if (!secret.empty()) return secret;
    return counterMark(module_, counter) + (flipped(machine_, counter) ? "*" : "");
  }

  void drawHex(Canvas& canvas, int h) {
    const auto [x, y] = at_[static_cast<std::size_t>(h)];
    std::string terrain;
    if (module_.terrainColumn >= 0) {
      const Word value =
          machine_.column(static_cast<std::uint16_t>(module_.terrainColumn), static_cast<std::uint32_t>(h));
      if (value >= 0 && static_cast<std::size_t>(value) < letters_.size())
        terrain = letters_[static_cast<std::size_t>(value)];
    }
    const std::string first =
        filled(board_.label[static_cast<std::size_t>(h)], static_cast<std::size_t>(content_) - 1) + terrain;
    const std::vector<std::uint16_t> stack = machine_.stackAt(static_cast<std::uint16_t>(h));
    std::string second;
    int colour = 0;
    if (!stack.empty()) {
      second = counterText(stack.front());
      if (stack.size() > 1) second = firstCharacters(second, static_cast<std::size_t>(content_) - 1) + "+";
      colour = sideColours[module_.counters[stack.front()].side % std::size(sideColours)];
    }
    if (pointed()) {
      const int half = (content_ + 1) / 2, inset = half / 2;
      canvas.put(x + inset, y, "/");
      canvas.put(x + half + inset, y, "\\");
      for (int line = 1; line <= 2; ++line) {
        canvas.put(x, y + line, "|");
        canvas.put(x + content_ + 1, y + line, "|");
      }
      canvas.put(x + inset, y + 3, "\\");
      canvas.put(x + half + inset, y + 3, "/");
      canvas.put(x + 1, y + 1, first, faintColour);
      canvas.put(x + 1, y + 2, second, colour);
    } else {
      const std::string edge(static_cast<std::size_t>(content_), '_');
      canvas.put(x + 2, y, edge);
      canvas.put(x + 1, y + 1, "/");
      canvas.put(x + 2 + content_, y + 1, "\\");
      canvas.put(x, y + 2, "/");
      canvas.put(x + 3 + content_, y + 2, "\\");
      canvas.put(x, y + 3, "\\");
      canvas.put(x + 3 + content_, y + 3, "/");
      canvas.put(x + 1, y + 4, "\\" + edge + "/");
      canvas.put(x + 2, y + 1, first, faintColour);
      canvas.put(x + 2, y + 2, second, colour);
    }
  }

  std::string legend() const {
    std::string out;
    if (!letters_.empty()) {
      const EnumInfo& terrain =
          module_.enums[module_.columns[static_cast<std::size_t>(module_.terrainColumn)].type.id];
      for (std::size_t v = 0; v < letters_.size(); ++v) out += letters_[v] + " " + terrain.values[v] + "   ";
    }
    for (std::size_t side = 0; side < module_.sides.size(); ++side)
      out +=
          sideMark(module_, static_cast<std::uint16_t>(side)) + ".. " + module_.sides[side].display + "   ";
    out += "* flipped   + more than one\n";
    std::string places;
    for (const MapLabel& label : module_.labels) {
      if (label.hexes.empty()) continue;
      places += (places.empty() ? "" : ", ") + label.text;
      // A long road is known by its ends.
      const bool many = label.hexes.size() > 4;
      for (std::size_t i = 0; i < label.hexes.size(); ++i)
        if (!many || i == 0 || i + 1 == label.hexes.size())
          places += (many && i != 0 ? " .. " : " ") + board_.label[label.hexes[i]];
    }
    return out + (places.empty() ? "" : places + "\n");
  }

  std::string names(const std::vector<std::uint16_t>& counters) {
    std::string out;
    for (const std::uint16_t counter : counters) {
      const std::string secret = hidden(counter);
      out += (out.empty() ? "" : ", ") + (secret.empty() ? shownName(module_.counters[counter]) : secret);
    }
    return out;
  }

  std::string stacks() {
    std::string out;
    for (int h = 0; h < board_.n; ++h) {
      const std::vector<std::uint16_t> stack = machine_.stackAt(static_cast<std::uint16_t>(h));
      if (stack.size() > 1) out += board_.label[static_cast<std::size_t>(h)] + ": " + names(stack) + "\n";
    }
    return out;
  }

  std::string boxes() {
    std::string out;
    for (std::size_t box = 0; box < module_.boxes.size(); ++box) {
      const std::vector<std::uint16_t> inside = machine_.inBox(static_cast<std::uint16_t>(box));
      for (std::size_t side = 0; side < module_.sides.size(); ++side) {
        std::vector<std::uint16_t> own;
        for (const std::uint16_t counter : inside)
          if (module_.counters[counter].side == side) own.push_back(counter);
        if (!own.empty())
          out += module_.boxes[box].display + ", " + module_.sides[side].display + ": " + names(own) + "\n";
      }
    }
    return out;
  }

  struct Corner {
    int x, y;
  };
  Machine& machine_;
  MapStyle style_;
  const Module& module_;
  const Board& board_;
  std::vector<std::string> letters_;
  int content_ = 5, width_ = 0, height_ = 0;
  std::vector<Corner> at_;
};

} // namespace

std::string sideMark(const Module& module, std::uint16_t side) {
  // The first letters tell the sides apart, or else their numbers do.
  std::set<std::string> letters;
  for (const SideInfo& info : module.sides) letters.insert(firstCharacters(info.name, 1));
  return letters.size() == module.sides.size() ? firstCharacters(module.sides[side].name, 1)
                                               : std::to_string(side + 1);
}

std::string counterMark(const Module& module, std::uint16_t counter) {
  const std::string& name = module.counters[counter].name;
  // "Infantry 12" is In12, cut to three signs I12; "Hussars" is Hus.
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string number = name.substr(digits, 2);
  std::string letters;
  // The name of a counter may begin with its side's; what tells counters apart is the last word.
  const std::size_t end = name.find_last_not_of(" #", digits == 0 ? 0 : digits - 1);
  std::size_t begin = end == std::string::npos ? 0 : name.find_last_of(' ', end);
  begin = begin == std::string::npos || end == std::string::npos ? 0 : begin + 1;
  letters = firstCharacters(std::string_view(name).substr(begin), number.size() >= 2 ? 1 : 3 - number.size());
  return sideMark(module, module.counters[counter].side) + letters + number;
}

std::string drawMap(Machine& machine, const MapStyle& style) {
  return Drawing(machine, style).draw();
}

} // namespace hellwig::cli
