-- ARGV: 'ticket' or 'player', id. Answers {body, state}, or nothing.
local id = ARGV[2]
if ARGV[1] == 'player' then id = redis.call('HGET', players, id) end
local body = id and redis.call('HGET', bodies, id)
if not body then return {} end
return {body, redis.call('HGET', states, id)}
