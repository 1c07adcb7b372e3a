-- A connection becomes the player's latest. KEYS: session, ban, mute, debt. ARGV: gateway, least
-- epoch, life in ms. Gives epoch, gateway of the session before, ban, mute, debt in ms; epoch 0 for
-- a banned player.
local ban, mute = redis.call('GET', KEYS[2]), redis.call('GET', KEYS[3])
if ban then
  return {'0', '', ban, mute or '', '0'}
end
local epoch, gateway = tonumber(ARGV[2]), ''
local before = redis.call('GET', KEYS[1])
if before then
  local space = string.find(before, ' ', 1, true)
  epoch = math.max(epoch, tonumber(string.sub(before, 1, space - 1)) + 1)
  gateway = string.sub(before, space + 1)
end
local text = string.format('%.0f', epoch)
redis.call('SET', KEYS[1], text .. ' ' .. ARGV[1], 'PX', ARGV[3])
return {text, gateway, '', mute or '', tostring(math.max(redis.call('PTTL', KEYS[4]), 0))}
