-- ARGV: replica, now, until. Answers all that live.
redis.call('ZADD', replicas, ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYSCORE', replicas, '-inf', ARGV[2])
return redis.call('ZRANGE', replicas, 0, -1)
