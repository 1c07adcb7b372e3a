-- ARGV: 'ticket' or 'player', id. Answers {body, state, check or ''}, or nothing.
local id = ARGV[2]
if ARGV[1] == 'player' then id = redis.call('HGET', players, id) end
local body = id and redis.call('HGET', bodies, id)
if not body then return {} end
local state = redis.call('HGET', states, id)
local check = kind_of(state) == 'C' and redis.call('HGET', checks, string.sub(state, 2))
return {body, state, check or ''}
