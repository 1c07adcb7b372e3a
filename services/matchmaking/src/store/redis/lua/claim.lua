-- ARGV: queue, replica, epoch, match, until, end of the ready check or '', claim, then tickets.
-- Answers {what, claim, check}.
local queue, id, until_ms, ready_until_ms = ARGV[1], ARGV[4], ARGV[5], ARGV[6]
if not holds(queue, ARGV[2], ARGV[3]) then return {'lost', '', ''} end
local earlier = redis.call('HGET', claims, id)
if earlier then return {'done', earlier, redis.call('HGET', checks, id) or ''} end
local tickets, count = {}, 0
for argument = 8, #ARGV do
  local ticket = ticket_of(ARGV[argument])
  if not ticket or ticket.queue ~= queue then return {'gone', '', ''} end
  if redis.call('HGET', states, ticket.id) ~= 'W' then return {'gone', '', ''} end
  table.insert(tickets, ticket)
  count = count + #ticket.members
end
if #tickets == 0 then return {'gone', '', ''} end
for _, ticket in ipairs(tickets) do
  leave_queue(ticket)
  redis.call('HSET', states, ticket.id, 'C' .. id)
  if ready_until_ms ~= '' then tell('moved', ticket.id) end
end
local claim, check = '1|' .. until_ms .. '|' .. ARGV[7], ''
redis.call('HSET', claims, id, claim)
if ready_until_ms == '' then
  redis.call('ZADD', overdue, 0, place(queue, tonumber(until_ms), id))
else
  check = ready_until_ms .. '|' .. count .. '||'
  redis.call('HSET', checks, id, check)
  redis.call('ZADD', checking, 0, place(queue, tonumber(ready_until_ms), id))
end
return {'done', claim, check}
