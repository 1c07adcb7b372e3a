-- A session has ended. KEYS: session. ARGV: what the key holds if no later one came.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
end
return 0
