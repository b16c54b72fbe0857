-- SPDX-License-Identifier: Apache-2.0
-- The loops of yardstick_loops.h in Lua 5.4, run beside them where Lua is installed. Dice come from Lua's own
-- generator, which is xoshiro256** too.

function arithmetic(rounds, steps)
  local x = 1
  for _ = 1, rounds do
    local i = 0
    for _ = 1, steps do
      i = i + 1
      if x % 7 < 3 then x = x + 3 * i else x = x - i end
      x = x % 1000003
    end
  end
  return x
end

local AE, AR, EX, DR, DE = 1, 2, 3, 4, 5
local combatResults = {
  { AE, AE, AR, AR, EX, EX, DR, DR },
  { AE, AR, AR, EX, EX, DR, DR, DE },
  { AE, AR, EX, EX, DR, DR, DE, DE },
  { AR, AR, EX, DR, DR, DE, DE, DE },
  { AR, EX, DR, DR, DE, DE, DE, DE },
  { EX, DR, DR, DE, DE, DE, DE, DE },
}

function odds(rounds, steps)
  local random = math.random
  local counts = { 0, 0, 0, 0, 0 }
  local attack, defense = 0, 0
  for _ = 1, rounds do
    for _ = 1, steps do
      attack = attack % 23 + 1
      defense = defense % 11 + 1
      local column = 1
      if attack >= defense then
        local ratio = attack // defense
        if ratio > 6 then ratio = 6 end
        column = 2 + ratio
      elseif 2 * attack >= defense then
        column = 2
      end
      local outcome = combatResults[random(6)][column]
      counts[outcome] = counts[outcome] + 1
    end
  end
  return counts[1]
end
