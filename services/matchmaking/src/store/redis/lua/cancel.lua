-- ARGV: player, state of a cancelled ticket, keep until. Answers {what, ticket}.
local id = redis.call('HGET', players, ARGV[1])
if not id then return {'none', ''} end
local kind = kind_of(redis.call('HGET', states, id))
if kind == 'C' or kind == 'M' then return {'late', id} end
if kind == 'W' then
  leave_queue(ticket_of(id))
  finish(id, ARGV[2], ARGV[3])
end
return {'done', id}
