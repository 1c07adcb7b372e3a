-- KEYS: one player's count, "end|tries". ARGV: attempts, window, now. Answers 0, or how long to wait.
local most, window_ms, now_ms = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local end_ms, tries = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+)|(%d+)$')
end_ms, tries = tonumber(end_ms or '0'), tonumber(tries or '0')
if end_ms <= now_ms then
  end_ms, tries = now_ms + window_ms, 0
end
if tries >= most then return math.max(end_ms - now_ms, 1) end
local count = string.format('%.0f|%d', end_ms, tries + 1)
-- Twice the window, so that a clock that runs ahead does not forget a count too early.
redis.call('SET', KEYS[1], count, 'PX', math.max(2 * window_ms, 1))
return 0
