-- ARGV: queue. Answers the tickets' ids, longest waiting first.
local ids, queue = {}, ARGV[1]
local members = redis.call('ZRANGEBYLEX', waiting, first_of(queue), after_all_of(queue))
for index, member in ipairs(members) do
  ids[index] = id_in(queue, member)
end
return ids
