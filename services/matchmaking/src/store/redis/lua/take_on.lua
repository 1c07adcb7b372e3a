-- ARGV: queue, replica, epoch, now, until, most, and which claims: 'checked' or 'overdue'. Answers
-- claims and their checks in turn.
local queue, now_ms, until_ms = ARGV[1], tonumber(ARGV[4]), ARGV[5]
if not holds(queue, ARGV[2], ARGV[3]) then return {} end
local times = ARGV[7] == 'checked' and checking or overdue
local due = redis.call('ZRANGEBYLEX', times, first_of(queue),
  '(' .. place(queue, now_ms + 1, ''), 'LIMIT', 0, ARGV[6])
local taken = {}
for _, member in ipairs(due) do
  local id = id_in(queue, member)
  local attempt, _, json = claim_of(id)
  redis.call('ZREM', times, member)
  if attempt then
    -- Whose time was up is somebody else's now; what was only checked was nobody's yet.
    if times == overdue then attempt = whole(tonumber(attempt) + 1) end
    local claim = attempt .. '|' .. until_ms .. '|' .. json
    redis.call('HSET', claims, id, claim)
    redis.call('ZADD', overdue, 0, place(queue, tonumber(until_ms), id))
    table.insert(taken, claim)
    table.insert(taken, redis.call('HGET', checks, id) or '')
  end
end
return taken
