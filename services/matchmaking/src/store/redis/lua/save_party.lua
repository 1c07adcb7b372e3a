-- ARGV: party, from version, to version, write, ticket, party's json or '' when it is no more,
-- indexes' json, now. Answers {what, player}.
local id, write, json = ARGV[1], ARGV[4], ARGV[6]
local version, last_write = party_of(id)
-- The answer of this very change may have been lost.
if last_write == write then return {'done', ''} end
if (version or '0') ~= ARGV[2] then return {'changed', ''} end
local change = cjson.decode(ARGV[7])
for _, player in ipairs(change.joined) do
  local other = redis.call('HGET', party_members, player)
  if other and other ~= id then return {'party', player} end
  local last = redis.call('HGET', players, player)
  if last and is_live(redis.call('HGET', states, last)) then return {'queued', player} end
end
local taken = redis.call('HGET', party_invites, change.new_invite)
if taken and taken ~= id then return {'taken', ''} end
for _, player in ipairs(change.left) do
  redis.call('HDEL', party_members, player)
  redis.call('ZREM', party_seen, player)
end
for _, player in ipairs(change.joined) do
  redis.call('HSET', party_members, player, id)
  redis.call('ZADD', party_seen, ARGV[8], player)
end
redis.call('HDEL', party_invites, change.old_invite)
if change.new_invite ~= '' then redis.call('HSET', party_invites, change.new_invite, id) end
if json == '' then
  redis.call('HDEL', parties, id)
else
  write_party(id, ARGV[3], write, ARGV[5], json)
end
tell('party', id)
return {'done', ''}
