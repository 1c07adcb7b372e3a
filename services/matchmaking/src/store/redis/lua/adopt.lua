-- ARGV: queue, replica, epoch, now, until, most. Answers claims and their checks in turn.
local queue, now_ms, until_ms = ARGV[1], tonumber(ARGV[4]), ARGV[5]
if not holds(queue, ARGV[2], ARGV[3]) then return {} end
local due = redis.call('ZRANGEBYLEX', overdue, first_of(queue),
  '(' .. place(queue, now_ms + 1, ''), 'LIMIT', 0, ARGV[6])
local adopted = {}
for _, member in ipairs(due) do
  local id = id_in(queue, member)
  local attempt, _, json = claim_of(id)
  redis.call('ZREM', overdue, member)
  if attempt then
    local claim = whole(tonumber(attempt) + 1) .. '|' .. until_ms .. '|' .. json
    redis.call('HSET', claims, id, claim)
    redis.call('ZADD', overdue, 0, place(queue, tonumber(until_ms), id))
    table.insert(adopted, claim)
    table.insert(adopted, redis.call('HGET', checks, id) or '')
  end
end
return adopted
