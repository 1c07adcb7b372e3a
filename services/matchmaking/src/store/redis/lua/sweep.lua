-- ARGV: now, keep until, state of an expired ticket, most. Answers {expired, forgotten}.
local expired = redis.call('ZRANGEBYSCORE', expiring, '-inf', ARGV[1], 'LIMIT', 0, ARGV[4])
for _, id in ipairs(expired) do
  leave_queue(ticket_of(id))
  finish(id, ARGV[3], ARGV[2])
end
local old = redis.call('ZRANGEBYSCORE', forgetting, '-inf', ARGV[1], 'LIMIT', 0, ARGV[4])
for _, id in ipairs(old) do
  local ticket = ticket_of(id)
  redis.call('ZREM', forgetting, id)
  for _, member in ipairs(ticket.members) do
    if redis.call('HGET', players, member.player) == id then
      redis.call('HDEL', players, member.player)
    end
  end
  redis.call('HDEL', requests, ticket.members[1].player .. '/' .. ticket.request)
  redis.call('HDEL', bodies, id)
  redis.call('HDEL', states, id)
end
return {#expired, #old}
