-- ARGV: 'party', 'player' or 'invite', and which. Answers the party, or nothing.
local id = ARGV[2]
if ARGV[1] == 'player' then id = redis.call('HGET', party_members, id) end
if ARGV[1] == 'invite' then id = redis.call('HGET', party_invites, id) end
return id and redis.call('HGET', parties, id) or ''
