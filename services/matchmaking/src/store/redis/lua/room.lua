-- ARGV: code, now. Answers the table, or nothing.
local _, at = live(ARGV[1], ARGV[2])
return at or ''
