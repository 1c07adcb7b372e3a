-- A session that runs says so. KEYS: session, ban, mute. ARGV: gateway, epoch, life in ms. Gives
-- kept, took or lost; the gateway whose earlier session is replaced; ban; mute.
local ban, mute = redis.call('GET', KEYS[2]) or '', redis.call('GET', KEYS[3]) or ''
local before, verdict, other = redis.call('GET', KEYS[1]), 'took', ''
if before then
  local space = string.find(before, ' ', 1, true)
  local epoch, gateway = tonumber(string.sub(before, 1, space - 1)), string.sub(before, space + 1)
  local mine = tonumber(ARGV[2])
  if gateway == ARGV[1] and epoch == mine then
    verdict = 'kept'
  elseif epoch > mine or (epoch == mine and gateway > ARGV[1]) then
    return {'lost', '', ban, mute}
  else
    other = gateway
  end
end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[1], 'PX', ARGV[3])
return {verdict, other, ban, mute}
