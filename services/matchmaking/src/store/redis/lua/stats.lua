-- ARGV: queue. Answers {waiting, recent wait}.
return {
  redis.call('ZLEXCOUNT', waiting, first_of(ARGV[1]), after_all_of(ARGV[1])),
  tonumber(redis.call('HGET', waits, ARGV[1]) or '0'),
}
