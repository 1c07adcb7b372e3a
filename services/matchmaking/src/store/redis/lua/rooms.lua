-- What every script on rooms begins with.
--
-- codes:    code -> "until|table|seat|host/request"; no table while it is being created, and no
--           host when the room was learnt from its table
-- requests: "host/request" -> code
-- ends:     codes by the time at which they are free again
local codes, requests, ends = KEYS[1], KEYS[2], KEYS[3]

-- Codes that are freed in one step, so that no step is long.
local FREED_AT_ONCE = 64

-- until, table, seat, request
local function entry_of(code)
  local entry = redis.call('HGET', codes, code)
  if not entry then return nil end
  return string.match(entry, '^(%d+)|([^|]*)|(%d*)|(.*)$')
end

local function free(code)
  local _, _, _, request = entry_of(code)
  redis.call('HDEL', codes, code)
  redis.call('ZREM', ends, code)
  if request and request ~= '' and redis.call('HGET', requests, request) == code then
    redis.call('HDEL', requests, request)
  end
end

local function hold(code, until_ms, at, seat, request)
  free(code)
  redis.call('HSET', codes, code, until_ms .. '|' .. at .. '|' .. seat .. '|' .. request)
  redis.call('ZADD', ends, until_ms, code)
  if request ~= '' then redis.call('HSET', requests, request, code) end
end

local function free_ended(now_ms)
  local ended = redis.call('ZRANGEBYSCORE', ends, '-inf', now_ms, 'LIMIT', 0, FREED_AT_ONCE)
  for _, code in ipairs(ended) do free(code) end
end

-- The entry of a code that has not ended.
local function live(code, now_ms)
  local until_ms, at, seat, request = entry_of(code)
  if not until_ms or tonumber(until_ms) <= tonumber(now_ms) then return nil end
  return until_ms, at, seat, request
end
