-- ARGV: queue, replica, epoch, match, until, claim, then tickets. Answers {what, claim}.
local queue, id, until_ms = ARGV[1], ARGV[4], ARGV[5]
if not holds(queue, ARGV[2], ARGV[3]) then return {'lost', ''} end
local earlier = redis.call('HGET', claims, id)
if earlier then return {'done', earlier} end
local tickets = {}
for argument = 7, #ARGV do
  local ticket = ticket_of(ARGV[argument])
  if not ticket or ticket.queue ~= queue then return {'gone', ''} end
  if redis.call('HGET', states, ticket.id) ~= 'W' then return {'gone', ''} end
  table.insert(tickets, ticket)
end
if #tickets == 0 then return {'gone', ''} end
for _, ticket in ipairs(tickets) do
  leave_queue(ticket)
  redis.call('HSET', states, ticket.id, 'C' .. id)
end
local claim = '1|' .. until_ms .. '|' .. ARGV[6]
redis.call('HSET', claims, id, claim)
redis.call('ZADD', overdue, 0, place(queue, tonumber(until_ms), id))
return {'done', claim}
