-- Puts something at the end of a bounded list. KEYS: list. ARGV: it, most entries, life in ms.
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[2]), -1)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 0
