-- ARGV: ids. Answers the tickets that are still known.
local known = {}
for _, id in ipairs(ARGV) do
  local body = redis.call('HGET', bodies, id)
  if body then table.insert(known, body) end
end
return known
