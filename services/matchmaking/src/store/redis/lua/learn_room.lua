-- ARGV: code, table, now, until.
free_ended(ARGV[3])
if not live(ARGV[1], ARGV[3]) then hold(ARGV[1], ARGV[4], ARGV[2], '0', '') end
return 1
