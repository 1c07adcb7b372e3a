-- ARGV: ticket, most waiting. Answers {what, detail}.
local ticket, most = cjson.decode(ARGV[1]), tonumber(ARGV[2])
local request = ticket.members[1].player .. '/' .. ticket.request
local earlier = redis.call('HGET', requests, request)
if earlier then return {'repeated', earlier} end
local party = ticket.party
if party and party_of(party.id) ~= whole(party.version) then return {'changed', ''} end
for _, member in ipairs(ticket.members) do
  local last = redis.call('HGET', players, member.player)
  if last and is_live(redis.call('HGET', states, last)) then return {'queued', member.player} end
  if not party and redis.call('HEXISTS', party_members, member.player) == 1 then
    return {'party', member.player}
  end
end
local count = redis.call('ZLEXCOUNT', waiting, first_of(ticket.queue), after_all_of(ticket.queue))
if count >= most then return {'full', ''} end
redis.call('HSET', bodies, ticket.id, ARGV[1])
redis.call('HSET', requests, request, ticket.id)
for _, member in ipairs(ticket.members) do
  redis.call('HSET', players, member.player, ticket.id)
end
enter_queue(ticket)
tell('entered', ticket.queue)
if party then
  local version, _, _, json = party_of(party.id)
  write_party(party.id, whole(tonumber(version) + 1), '', ticket.id, json)
  tell('party', party.id)
end
return {'waiting', ''}
