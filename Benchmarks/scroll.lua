-- Scroll traces for wrk: each request asks for what a window shows at some height of a layout.
--
--     wrk -t2 -c32 -d10s -s scroll.lua http://127.0.0.1:8080 -- \
--       layout=3q2-… content=45000000 width=1200 height=1600
--
-- layout    the layout's id
-- content   the height of its content, from the summary
-- width     of the window; 1200 if not given
-- height    of the window; 1600
-- x         of the window; 0
-- trace     random    a window at a random height each time (if not given)
--           scroll    down by `step` from request to request and up again at the end, asking each
--                     time for what the window before did not show (known)
--           still     windows at random heights whose elements are all known
-- step      of the trace "scroll"; 120
-- query     added to each request's query: query='&category=cell'
--
-- At the end a line of JSON says what wrk knows, in requests, seconds, bytes, microseconds.

local traceLength = 4096
local threadCount = 0
local paths = {}
local index = 0

function setup(thread)
  threadCount = threadCount + 1
  thread:set("threadNumber", threadCount)
end

local function options(arguments)
  local options = { width = "1200", height = "1600", x = "0", trace = "random", step = "120" }
  for _, argument in ipairs(arguments) do
    local name, value = argument:match("^(%w+)=(.*)$")
    if not name then error("scroll.lua: '" .. argument .. "' should be name=value") end
    options[name] = value
  end
  for _, name in ipairs({ "layout", "content" }) do
    if not options[name] then error("scroll.lua: " .. name .. "= is missing") end
  end
  return options
end

-- The heights of the windows, one after the other.
local function heights(options)
  local heights = {}
  local reach = math.max(0, math.floor(tonumber(options.content) - tonumber(options.height)))
  local y = math.random(0, reach)
  local step = tonumber(options.step)
  for i = 1, traceLength do
    if options.trace == "scroll" then
      if y + step < 0 or y + step > reach then step = -step end
      y = math.min(math.max(0, y + step), reach)
    else
      y = math.random(0, reach)
    end
    heights[i] = y
  end
  return heights
end

function init(arguments)
  local options = options(arguments)
  math.randomseed(threadNumber or 1)
  local function rect(y)
    return string.format("%s,%d,%s,%s", options.x, y, options.width, options.height)
  end
  local heights = heights(options)
  for i, y in ipairs(heights) do
    local path = "/layouts/" .. options.layout .. "/elements?rect=" .. rect(y)
    if options.trace == "scroll" and i > 1 then
      path = path .. "&known=" .. rect(heights[i - 1])
    elseif options.trace == "still" then
      path = path .. "&known=" .. rect(y)
    end
    paths[i] = wrk.format("GET", path .. (options.query or ""))
  end
end

function request()
  index = index % traceLength + 1
  return paths[index]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.6f, "bytes": %d, "errors": %d, "p50": %d, "p99": %d, "max": %d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
