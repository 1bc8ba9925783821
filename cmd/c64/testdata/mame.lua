-- Runs in MAME: loads the program, presses keys, prints the screen.
local machine = manager.machine
local space = machine.devices[":u7"].spaces["program"]
local frame, step, since = 0, 1, 0

for tag, port in pairs(machine.ioport.ports) do
  for _, field in pairs(port.fields) do
    if tag:find("RS232_RXBAUD") or tag:find("RS232_TXBAUD") then field.user_value = 11 end
    if tag:find("FLOW_CONTROL") then field.user_value = 1 end
  end
end

local function screen()
  local rows = {}
  for r = 0, 24 do
    local row = ""
    for c = 0, 39 do
      local code = space:read_u8(0xE000 + r * 40 + c) & 0x7f
      if code >= 1 and code <= 26 then row = row .. string.char(code + 96)
      elseif code >= 32 and code <= 90 then row = row .. string.char(code)
      else row = row .. "." end
    end
    rows[#rows + 1] = row
  end
  return table.concat(rows, "\n")
end

local function load()
  local f = assert(io.open("prompt64.prg", "rb"))
  local prg = f:read("a")
  f:close()
  for i = 3, #prg do space:write_u8(0x0801 + i - 3, prg:byte(i)) end
  space:write_u8(0x02a7, 1)
end

local function has(words) return function() return screen():find(words, 1, true) ~= nil end end
local function type_in(text)
  return function() machine.natkeyboard:post(text) end
end

-- What is waited for, and what is done then.
local steps = {
  { function() return frame > 30 end, load },
  { has("ready to connect"), type_in("\n") },
  { has("SERIAL"), function() end },
  { has("READY"), type_in("/stream 3000\n") },
  { has("Sentence 48"), function() end },
  { has("READY"), type_in("/say through\n") },
  { function() local _, n = screen():gsub("through", "") return n >= 2 end, function() end },
}

emu.register_frame_done(function()
  frame = frame + 1
  if frame - since > 3000 then
    print("STUCK at step " .. step .. "\n" .. screen())
    machine:exit()
    since = frame + 100000
    return
  end
  if step <= #steps and frame - since > 30 and steps[step][1]() then
    steps[step][2]()
    step, since = step + 1, frame
  elseif step > #steps and frame - since > 120 and frame - since < 100000 then
    print(screen() .. "\nDONE")
    machine:exit()
    since = frame + 200000
  end
end)
