-- ARGV: queue, replica, now, until. Answers the epoch, or 0 while another holds the lease.
local lease = redis.call('HGET', leases, ARGV[1])
local epoch = 1
if lease then
  local held_epoch, held_until, holder = string.match(lease, '^(%d+)|(-?%d+)|(.*)$')
  if holder == ARGV[2] then
    epoch = tonumber(held_epoch)
  elseif tonumber(held_until) > tonumber(ARGV[3]) then
    return 0
  else
    epoch = tonumber(held_epoch) + 1
  end
end
redis.call('HSET', leases, ARGV[1], whole(epoch) .. '|' .. ARGV[4] .. '|' .. ARGV[2])
return epoch
