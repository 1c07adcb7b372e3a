-- ARGV: code, host/request, until, now. Answers {what, code, table, seat}.
local code, request, until_ms, now_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
free_ended(now_ms)
local earlier = redis.call('HGET', requests, request)
local earlier_until, at, seat
if earlier then earlier_until, at, seat = live(earlier, now_ms) end
if earlier_until then
  if at ~= '' then return {'repeated', earlier, at, seat} end
  -- The answer of this very try may have been lost.
  if earlier == code and earlier_until == until_ms then return {'done', '', '', ''} end
  return {'pending', '', '', ''}
end
if live(code, now_ms) then return {'taken', '', '', ''} end
hold(code, until_ms, '', '', request)
return {'done', '', '', ''}
