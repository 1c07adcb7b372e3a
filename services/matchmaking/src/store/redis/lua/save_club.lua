-- KEYS: clubs, entries, entry keys, members, invites, tables, open; all with one hash tag.
-- ARGV: club, from version, to version, write, club's json, indexes' json, open or closed, then of a
-- new line of the card book its number, key and json. Answers 1 when the club is what was asked for.
--
-- clubs:      club -> "version|write|{json}"
-- entries:    "club/number" -> {json};  entry keys: "club/key" -> number
-- members:    members "player/club", all with score 0
-- invites:    invite code -> club;  tables: table -> club;  open: clubs
local club, write = ARGV[1], ARGV[4]
local held = redis.call('HGET', KEYS[1], club)
local held_version, held_write = '0', ''
if held then held_version, held_write = string.match(held, '^(%d+)|([^|]*)|') end
-- The answer of this very change may have been lost.
if held_write == write then return 1 end
if held_version ~= ARGV[2] then return 0 end
local change = cjson.decode(ARGV[6])
if change.new_invite ~= '' then
  local taken = redis.call('HGET', KEYS[5], change.new_invite)
  if taken and taken ~= club then return 0 end
end
redis.call('HSET', KEYS[1], club, ARGV[3] .. '|' .. write .. '|' .. ARGV[5])
if ARGV[8] then
  redis.call('HSET', KEYS[2], club .. '/' .. ARGV[8], ARGV[10])
  redis.call('HSET', KEYS[3], club .. '/' .. ARGV[9], ARGV[8])
end
for _, player in ipairs(change.left) do redis.call('ZREM', KEYS[4], player .. '/' .. club) end
for _, player in ipairs(change.joined) do redis.call('ZADD', KEYS[4], 0, player .. '/' .. club) end
if change.old_invite ~= '' then redis.call('HDEL', KEYS[5], change.old_invite) end
if change.new_invite ~= '' then redis.call('HSET', KEYS[5], change.new_invite, club) end
for _, at in ipairs(change.closed) do redis.call('HDEL', KEYS[6], at) end
for _, at in ipairs(change.opened) do redis.call('HSET', KEYS[6], at, club) end
redis.call(ARGV[7] == 'open' and 'SADD' or 'SREM', KEYS[7], club)
return 1
