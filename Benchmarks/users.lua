-- A user of a layout, for wrk: `load-test` runs it with as many threads as connections, so that each
-- thread is one user. It asks for what a window shows, checks each answer, and ends wrk with status
-- 3 at the first wrong one.
--
-- arguments    layout, width and height of the content, width and height of the window,
--              trace (reading, flinging, jumping, mixed), factor of the pauses

local layout, trace, pace
local content, window = {}, {}
local known, version, tag   -- the last window that was answered, and of which version
local asked            -- the window that is asked for
local y, speed = 0, 0
local threadCount = 0
local statuses = {}    -- how many answers had which status; global for `done`
counts = ""
checked = 0

threads = {}

function setup(thread)
  threadCount = threadCount + 1
  thread:set("number", threadCount)
  table.insert(threads, thread)
end

function init(arguments)
  layout = arguments[1]
  content = { tonumber(arguments[2]), tonumber(arguments[3]) }
  window = { tonumber(arguments[4]), tonumber(arguments[5]) }
  trace, pace = arguments[6], tonumber(arguments[7])
  math.randomseed(number)
  math.random()
  if trace == "mixed" then trace = ({ "reading", "flinging", "jumping" })[number % 3 + 1] end
  y = math.random(0, math.max(0, math.floor(content[2] - window[2])))
end

-- Where the window goes, and after how many milliseconds.
local function move()
  local reach = math.max(0, math.floor(content[2] - window[2]))
  local pause
  if trace == "jumping" then
    y = math.random(0, reach)
    pause = math.random(500, 1500)
  elseif trace == "reading" then
    y = y + math.random(1, 3) * 120
    pause = math.random(100, 400)
    if math.random(6) == 1 then pause = math.random(1000, 3000) end
  else
    -- A fling slows down by a twentieth every 50 ms, until the next one begins.
    pause = 50
    if math.abs(speed) < 20 then
      speed = math.random(100, 600) * (math.random(2) == 1 and 1 or -1)
      pause = math.random(300, 1000)
    end
    y = y + math.floor(speed)
    speed = speed * 0.95
  end
  if y < 0 or y > reach then
    y = math.min(math.max(0, y), reach)
    speed = -speed
    if trace == "reading" then y = 0 end
  end
  return pause
end

local nextPause = 0

function delay()
  return math.floor(nextPause * pace)
end

local function text(rect)
  return string.format("%d,%d,%d,%d", rect[1], rect[2], rect[3], rect[4])
end

function request()
  asked = { 0, y, window[1], window[2] }
  local path = "/layouts/" .. layout .. "/elements?rect=" .. text(asked)
  if known then path = path .. "&known=" .. text(known) .. "&since=" .. tag end
  nextPause = move()
  return wrk.format("GET", path)
end

local function intervalsMeet(a, length, b, other)
  if length > 0 then
    if other > 0 then return a < b + other and b < a + length end
    return a <= b and b < a + length
  end
  if other > 0 then return b <= a and a < b + other end
  return a == b
end

local function meet(a, b)
  return intervalsMeet(a[1], a[3], b[1], b[3]) and intervalsMeet(a[2], a[4], b[2], b[4])
end

local function wrong(what, body)
  io.stderr:write(string.format(
    "wrong answer: %s\n  asked for rect=%s\n  %s\n", what, text(asked), body:sub(1, 300)))
  io.stderr:flush()
  os.exit(3)
end

local framePattern = '"frame":%[([^,%]]+),([^,%]]+),([^,%]]+),([^,%]]+)%]'

-- What is wrong with an answer; `nil` if nothing is.
local function fault(body)
  local id, number, name, x, top, width, height, rest = body:match(
    '^{"id":"([^"]+)","version":(%d+),"versionTag":"([^"]+)",'
    .. '"rect":%[([^,]+),([^,]+),([^,]+),([^%]]+)%](.*)}$')
  if id ~= layout then return "not an answer about this layout" end
  local rect = { tonumber(x), tonumber(top), tonumber(width), tonumber(height) }
  if text(rect) ~= text(asked) then return "an answer about rect=" .. text(rect) end
  if version and tonumber(number) < version then return "a version before the last one" end
  local isReset = rest:find('"reset":true', 1, true)
  for x, y, width, height in rest:gmatch(framePattern) do
    local frame = { tonumber(x), tonumber(y), tonumber(width), tonumber(height) }
    if not frame[4] then return "a frame that is no numbers" end
    if not meet(frame, asked) then return "an element that the window does not show" end
    if known and not isReset and meet(frame, known) then return "an element that was known" end
  end
  -- The next page of a list that is too long is not asked for.
  known = not rest:find('"next":', 1, true) and asked or nil
  version, tag = tonumber(number), name
end

function response(status, headers, body)
  statuses[status] = (statuses[status] or 0) + 1
  local list = {}
  for status, count in pairs(statuses) do table.insert(list, status .. "=" .. count) end
  counts = table.concat(list, " ")
  if status == 503 then return end
  if status ~= 200 then wrong("status " .. status, body) end
  local fault = fault(body)
  if fault then wrong(fault, body) end
  checked = checked + 1
end

function done(summary, latency)
  local counts, checked = {}, 0
  for _, thread in ipairs(threads) do
    checked = checked + thread:get("checked")
    for status, count in thread:get("counts"):gmatch("(%d+)=(%d+)") do
      counts[status] = (counts[status] or 0) + tonumber(count)
    end
  end
  local list = {}
  for status, count in pairs(counts) do table.insert(list, string.format('"%s": %d', status, count)) end
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "bytes": %d, "checked": %d, "statuses": {%s}, '
      .. '"broken": {"connections": %d, "reads": %d, "writes": %d, "timeouts": %d}, '
      .. '"milliseconds": [%.3f, %.3f, %.3f, %.3f, %.3f]}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, checked, table.concat(list, ", "),
    errors.connect, errors.read, errors.write, errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000,
    latency:percentile(99.9) / 1000, latency.max / 1000))
end
