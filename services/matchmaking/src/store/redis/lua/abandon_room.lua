-- ARGV: code, host/request.
local _, at, _, request = entry_of(ARGV[1])
if request == ARGV[2] and at == '' then free(ARGV[1]) end
return 1
