-- Viewers for wrk that ask for aligned bands of one version, so that their addresses are the same:
--
--     wrk -t2 -c200 -d10s -s bands.lua http://127.0.0.1:8080 -- layout=3q2-… content=32000000 \
--       version=1 format=cbor
--
-- The address says all that the answer depends on: layout, version, rect and format.
--
-- Each viewer begins at the top and goes on by a band with each request. Once in ten requests it
-- jumps to the beginning of one of sixty months, as with a scrubber. At the end a line of JSON says
-- what wrk knows.

local band = 2048
local months = 60
local viewersOfThread = 100
local threadCount = 0
local places = {}
local viewer = 0

function setup(thread)
  threadCount = threadCount + 1
  thread:set("threadNumber", threadCount)
end

function init(arguments)
  for _, argument in ipairs(arguments) do
    local name, value = argument:match("^(%w+)=(.*)$")
    if name == "layout" then layout = value end
    if name == "content" then bands = math.floor(tonumber(value) / band) end
    if name == "version" then version = value end
    if name == "format" then format = value end
  end
  math.randomseed(threadNumber)
  for i = 1, viewersOfThread do places[i] = 0 end
end

function request()
  viewer = viewer % viewersOfThread + 1
  local place = places[viewer] + 1
  if math.random(10) == 1 then
    place = math.floor(bands / months) * math.random(0, months - 1)
  end
  if place >= bands then place = 0 end
  places[viewer] = place
  return wrk.format("GET", string.format(
    "/layouts/%s/elements?rect=0,%d,1200,%d&version=%s&f=%s", layout, place * band, band, version,
    format))
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "errors": %d, "p50": %d, "p99": %d}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
