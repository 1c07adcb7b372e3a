-- A session has ended. KEYS: session, debt. ARGV: what the first holds if no later one came, the
-- player's debt in ms. A debt is a key that lives as long as it takes to pay it back.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
if tonumber(ARGV[2]) > 0 and redis.call('PTTL', KEYS[2]) < tonumber(ARGV[2]) then
  redis.call('SET', KEYS[2], '', 'PX', ARGV[2])
end
return 0
