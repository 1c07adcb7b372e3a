//! The scripts: each is one atomic step on the keys of one table.

use redis::Script;

use super::Durability;

/// Field of a log entry that holds its bytes.
pub(super) const FIELD: &str = "e";

/// Checks that the table exists and belongs to the epoch; leaves its last entry's number in `seq`.
/// Every script that writes to a table that exists begins with it.
const OWNED: &str = "
local meta = redis.call('HMGET', KEYS[1], 'epoch', 'seq')
if not meta[1] then return redis.error_reply('TABLEMISSING 0') end
if meta[1] ~= ARGV[1] then return redis.error_reply('FENCED ' .. meta[1]) end
local seq = tonumber(meta[2])
";

const CREATE: &str = "
if redis.call('EXISTS', KEYS[1], KEYS[3]) > 0 then return redis.error_reply('TABLEEXISTS 0') end
local seq = #ARGV - 2
redis.call('HSET', KEYS[1], 'opening', ARGV[1], 'owner', ARGV[2], 'epoch', '1',
  'seq', string.format('%.0f', seq))
for i = 1, seq do
  redis.call('XADD', KEYS[2], string.format('%.0f-0', i), 'e', ARGV[i + 2])
end
return node()
";

const APPEND: &str = "
if seq ~= tonumber(ARGV[2]) then return redis.error_reply('STALE ' .. meta[2]) end
for i = 3, #ARGV do
  seq = seq + 1
  redis.call('XADD', KEYS[2], string.format('%.0f-0', seq), 'e', ARGV[i])
end
redis.call('HSET', KEYS[1], 'seq', string.format('%.0f', seq))
return node()
";

const SNAPSHOT: &str = "
if tonumber(ARGV[2]) > seq then return redis.error_reply('STALE ' .. meta[2]) end
local newest = redis.call('HGET', KEYS[3], 'seq')
if newest and tonumber(newest) >= tonumber(ARGV[2]) then return 1 end
redis.call('HSET', KEYS[3], 'seq', ARGV[2], 'bytes', ARGV[3])
local first = tonumber(ARGV[2]) + 1 - tonumber(ARGV[4])
if first > 1 then redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', first)) end
return 1
";

const LOAD: &str = "
local meta = redis.call('HMGET', KEYS[1], 'opening', 'epoch', 'owner')
if not meta[1] then return redis.error_reply('TABLEMISSING 0') end
local snap = redis.call('HMGET', KEYS[3], 'seq', 'bytes')
local first = '-'
if snap[1] then first = string.format('%.0f-0', tonumber(snap[1]) + 1) end
local log = redis.call('XRANGE', KEYS[2], first, '+')
return { meta[1], meta[2], meta[3], snap[1], snap[2], log, node() }
";

const CLAIM: &str = "
redis.call('HINCRBY', KEYS[1], 'epoch', 1)
redis.call('HSET', KEYS[1], 'owner', ARGV[2])
return node()
";

const REMOVE: &str = "
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SET', KEYS[4], '', 'EX', ARGV[2])
return 1
";

/// The scripts, with their hashes.
#[derive(Clone)]
pub(super) struct Scripts {
    pub create: Script,
    pub append: Script,
    pub snapshot: Script,
    pub load: Script,
    pub claim: Script,
    pub remove: Script,
}

impl Scripts {
    pub fn new(durability: Durability) -> Self {
        let node = durability.node_function();
        let owned = |body: &str| Script::new(&format!("{node}{OWNED}{body}"));
        Self {
            create: Script::new(&format!("{node}{CREATE}")),
            append: owned(APPEND),
            snapshot: owned(SNAPSHOT),
            load: Script::new(&format!("{node}{LOAD}")),
            claim: owned(CLAIM),
            remove: owned(REMOVE),
        }
    }
}
