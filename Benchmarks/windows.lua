-- For wrk: each request asks for what a window at a random height of a layout shows.
--
--     wrk -t2 -c32 -d10s -s windows.lua http://127.0.0.1:8080 -- \
--       layout=3q2-… content=45000000 width=1200 height=1600
--
-- layout    the layout's id
-- content   the height of its content, from the summary
-- width     of the window; 1200 if not given
-- height    of the window; 1600
-- x         of the window; 0
-- known     all if the client has every element of the window already; none
--
-- At the end a line of JSON says what wrk knows, in requests, seconds, bytes, microseconds.

local windowCount = 4096
local threadCount = 0
local paths = {}
local index = 0

function setup(thread)
  threadCount = threadCount + 1
  thread:set("threadNumber", threadCount)
end

local function options(arguments)
  local options = { width = "1200", height = "1600", x = "0", known = "none" }
  for _, argument in ipairs(arguments) do
    local name, value = argument:match("^(%w+)=(.*)$")
    if not name then error("windows.lua: '" .. argument .. "' should be name=value") end
    options[name] = value
  end
  for _, name in ipairs({ "layout", "content" }) do
    if not options[name] then error("windows.lua: " .. name .. "= is missing") end
  end
  return options
end

function init(arguments)
  local options = options(arguments)
  math.randomseed(threadNumber or 1)
  local reach = math.max(0, math.floor(tonumber(options.content) - tonumber(options.height)))
  for i = 1, windowCount do
    local rect = string.format(
      "%s,%d,%s,%s", options.x, math.random(0, reach), options.width, options.height)
    local path = "/layouts/" .. options.layout .. "/elements?rect=" .. rect
    if options.known == "all" then path = path .. "&known=" .. rect end
    paths[i] = wrk.format("GET", path)
  end
end

function request()
  index = index % windowCount + 1
  return paths[index]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.6f, "bytes": %d, "errors": %d, "p99": %d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(99)))
end
