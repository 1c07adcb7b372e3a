-- ARGV: ticket, most waiting. Answers {what, detail}.
local ticket, most = cjson.decode(ARGV[1]), tonumber(ARGV[2])
local request = ticket.members[1].player .. '/' .. ticket.request
local earlier = redis.call('HGET', requests, request)
if earlier then return {'repeated', earlier} end
for _, member in ipairs(ticket.members) do
  local last = redis.call('HGET', players, member.player)
  if last and is_live(redis.call('HGET', states, last)) then return {'queued', member.player} end
end
local count = redis.call('ZLEXCOUNT', waiting, first_of(ticket.queue), after_all_of(ticket.queue))
if count >= most then return {'full', ''} end
redis.call('HSET', bodies, ticket.id, ARGV[1])
redis.call('HSET', requests, request, ticket.id)
for _, member in ipairs(ticket.members) do
  redis.call('HSET', players, member.player, ticket.id)
end
enter_queue(ticket)
tell('entered', ticket.queue)
return {'waiting', ''}
