-- ARGV: code, host/request, table, seat, until. Answers 1, or 0 when the code is not held.
local _, at, seat, request = entry_of(ARGV[1])
if request ~= ARGV[2] then return 0 end
if at ~= '' then return (at == ARGV[3] and seat == ARGV[4]) and 1 or 0 end
hold(ARGV[1], ARGV[5], ARGV[3], ARGV[4], request)
return 1
