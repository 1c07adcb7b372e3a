-- ARGV: queue, replica, epoch.
if holds(ARGV[1], ARGV[2], ARGV[3]) then
  redis.call('HSET', leases, ARGV[1], ARGV[3] .. '|-1|' .. ARGV[2])
end
return 1
