-- ARGV: player, ready or declined, now. Answers 1 when it is noted, 0 when nobody asks.
local ticket = redis.call('HGET', players, ARGV[1])
local state = ticket and redis.call('HGET', states, ticket)
if not state or kind_of(state) ~= 'C' then return 0 end
local id = string.sub(state, 2)
local until_ms, count, ready, declined = check_of(id)
local _, _, json = claim_of(id)
if not until_ms or not json then return 0 end
local player = ARGV[1] .. ','
local given = ARGV[2] == 'ready' and ready or declined
if string.find(given, player, 1, true) then return 1 end
local claim = cjson.decode(json)
local due = place(claim.queue, tonumber(until_ms), id)
if tonumber(until_ms) <= tonumber(ARGV[3]) or not redis.call('ZSCORE', checking, due) then
  return 0
end
if ARGV[2] == 'ready' then ready = ready .. player else declined = declined .. player end
redis.call('HSET', checks, id, until_ms .. '|' .. count .. '|' .. ready .. '|' .. declined)
if declined ~= '' or #ready >= tonumber(count) * #player then
  redis.call('ZREM', checking, due)
  redis.call('ZADD', checking, 0, place(claim.queue, 0, id))
  tell('checked', claim.queue)
end
for _, moved in ipairs(claim.tickets) do tell('moved', moved) end
return 1
