-- ARGV: code, table.
local _, at = entry_of(ARGV[1])
if at == ARGV[2] then free(ARGV[1]) end
return 1
