-- ARGV: queue, match, attempt, now, keep until, then for each ticket its id and new state, which is
-- W for one that is put back. Answers 1 when the tickets are what was asked for, else 0.
local queue, id, now_ms, keep_ms = ARGV[1], ARGV[2], tonumber(ARGV[4]), ARGV[5]
local attempt, until_ms = claim_of(id)
if not attempt then
  -- Settled before: the answer of an earlier try may have been lost.
  local seated = 0
  for argument = 6, #ARGV, 2 do
    if kind_of(ARGV[argument + 1]) == 'M' then
      seated = 1
      if redis.call('HGET', states, ARGV[argument]) ~= ARGV[argument + 1] then return 0 end
    end
  end
  return seated
end
if attempt ~= ARGV[3] then return 0 end
redis.call('HDEL', claims, id)
redis.call('HDEL', checks, id)
redis.call('ZREM', overdue, place(queue, tonumber(until_ms), id))
for argument = 6, #ARGV, 2 do
  local ticket, state = ticket_of(ARGV[argument]), ARGV[argument + 1]
  if ticket and redis.call('HGET', states, ticket.id) == 'C' .. id then
    if state == 'W' then
      enter_queue(ticket)
      tell('moved', ticket.id)
    else
      if kind_of(state) == 'M' then
        -- A moving mean in which each wait weighs a quarter.
        local waited = math.max(now_ms - ticket.enqueued_ms, 1)
        local mean = tonumber(redis.call('HGET', waits, queue) or '0')
        if mean > 0 then waited = math.floor((3 * mean + waited) / 4) end
        redis.call('HSET', waits, queue, whole(math.min(waited, 4294967295)))
      end
      finish(ticket.id, state, keep_ms)
    end
  end
end
return 1
