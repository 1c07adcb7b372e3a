-- What every script begins with. All keys share one hash tag, and all are declared.
--
-- states:   ticket -> W (waits), C<match> (claimed), M<json> (matched), X<json> (closed)
-- waiting:  members "queue/since/ticket", all with score 0, in their own order
-- overdue:  members "queue/until/match", likewise
-- claims:   match -> "attempt|until|{json}"
-- checks:   match -> "until|players|ready|declined", the last two as "player,player,"
-- checking: members "queue/until/match" of checks that are not given out; until is 0 when decided
-- leases:   queue -> "epoch|until|replica"
--
-- parties:       party -> "version|write|ticket|{json}"
-- party_members: player -> party
-- party_invites: invite code -> party
-- party_seen:    members of parties by when they were here last
local bodies, states, players, requests = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local waiting, expiring, forgetting = KEYS[5], KEYS[6], KEYS[7]
local claims, overdue, leases, waits = KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local replicas, checks, checking = KEYS[12], KEYS[13], KEYS[14]
local parties, party_members, party_invites = KEYS[15], KEYS[16], KEYS[17]
local party_seen, changes = KEYS[18], KEYS[19]

-- Changes that a replica may be behind.
local CHANGES_KEPT = 4096

-- A whole number in full; tostring would write it with an exponent.
local function whole(number)
  return string.format('%.0f', number)
end

-- The member of an ordered set that sorts by queue, then time.
local function place(queue, time_ms, id)
  return queue .. '/' .. string.format('%016.0f', time_ms) .. '/' .. id
end

local function id_in(queue, member)
  return string.sub(member, #queue + 19)
end

-- '0' is the character after '/'.
local function first_of(queue) return '[' .. queue .. '/' end
local function after_all_of(queue) return '(' .. queue .. '0' end

local function tell(field, value)
  redis.call('XADD', changes, 'MAXLEN', '~', CHANGES_KEPT, '*', field, value)
end

local function kind_of(state) return string.sub(state, 1, 1) end

local function is_live(state)
  return state and (kind_of(state) == 'W' or kind_of(state) == 'C')
end

local function ticket_of(id)
  local body = redis.call('HGET', bodies, id)
  return body and cjson.decode(body)
end

local function enter_queue(ticket)
  redis.call('HSET', states, ticket.id, 'W')
  redis.call('ZADD', waiting, 0, place(ticket.queue, ticket.enqueued_ms, ticket.id))
  redis.call('ZADD', expiring, whole(ticket.expires_ms), ticket.id)
end

local function leave_queue(ticket)
  redis.call('ZREM', waiting, place(ticket.queue, ticket.enqueued_ms, ticket.id))
  redis.call('ZREM', expiring, ticket.id)
end

local function finish(id, state, keep_until_ms)
  redis.call('HSET', states, id, state)
  redis.call('ZADD', forgetting, keep_until_ms, id)
  tell('ended', id)
end

-- Whether the queue's lease is this replica's, of this epoch.
local function holds(queue, replica, epoch)
  local lease = redis.call('HGET', leases, queue)
  if not lease then return false end
  local held_epoch, _, holder = string.match(lease, '^(%d+)|(-?%d+)|(.*)$')
  return held_epoch == epoch and holder == replica
end

-- until, players, ready, declined
local function check_of(id)
  local check = redis.call('HGET', checks, id)
  if not check then return nil end
  return string.match(check, '^(%d+)|(%d+)|([^|]*)|(.*)$')
end

-- attempt, until, json
local function claim_of(id)
  local claim = redis.call('HGET', claims, id)
  if not claim then return nil end
  return string.match(claim, '^(%d+)|(%d+)|(.*)$')
end

-- version, write, ticket, json
local function party_of(id)
  local party = redis.call('HGET', parties, id)
  if not party then return nil end
  return string.match(party, '^(%d+)|([^|]*)|([^|]*)|(.*)$')
end

local function write_party(id, version, write, ticket, json)
  redis.call('HSET', parties, id, version .. '|' .. write .. '|' .. ticket .. '|' .. json)
end
