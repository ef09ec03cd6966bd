#pragma once

/// What RedisRecord runs on the server, each as one step. KEYS: the call's hash, the sorted set of the
/// command's calls in progress by the end of their lease, and that of its calls that were given up by the end
/// of their key, both in microseconds by the server's clock.
namespace sluice::command::redis_scripts {

/// ARGV: member, fingerprint, owner, lease in µs.
inline constexpr const char* insert = R"(
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local due = string.format('%.0f', now + ARGV[4])
redis.call('HSET', KEYS[1], 'state', 0, 'fingerprint', ARGV[2], 'owner', ARGV[3], 'fence', 1,
           'begun', string.format('%.0f', now), 'due', due)
redis.call('ZADD', KEYS[2], due, ARGV[1])
return 1)";

/// ARGV: member, owner and fence that were seen, fingerprint, owner, lease in µs. What has expired is gone.
inline constexpr const char* restart = R"(
local seen = redis.call('HMGET', KEYS[1], 'state', 'owner', 'fence')
if seen[1] ~= '2' or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] then return 0 end
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local due = string.format('%.0f', now + ARGV[6])
redis.call('HSET', KEYS[1], 'state', 0, 'fingerprint', ARGV[4], 'owner', ARGV[5],
           'begun', string.format('%.0f', now), 'due', due)
redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HDEL', KEYS[1], 'why')
redis.call('PERSIST', KEYS[1])
redis.call('ZADD', KEYS[2], due, ARGV[1])
return 1)";

/// ARGV: member, owner and fence of the claim, next owner, lease in µs, 1 where the lease has to be over.
inline constexpr const char* pass_on = R"(
local seen = redis.call('HMGET', KEYS[1], 'state', 'owner', 'fence', 'due')
if seen[1] ~= '0' or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] then return 0 end
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
if ARGV[6] == '1' and tonumber(seen[4]) > now then return 0 end
local due = string.format('%.0f', now + ARGV[5])
redis.call('HSET', KEYS[1], 'owner', ARGV[4], 'due', due)
redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('ZADD', KEYS[2], due, ARGV[1])
return 1)";

/// ARGV: member, owner and fence of the claim, state, status, content type, body, why, keep in ms.
inline constexpr const char* finish = R"(
local seen = redis.call('HMGET', KEYS[1], 'state', 'owner', 'fence')
if seen[1] ~= '0' or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[4])
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'status', ARGV[5], 'type', ARGV[6], 'body', ARGV[7])
else redis.call('HSET', KEYS[1], 'why', ARGV[8]) end
redis.call('PEXPIRE', KEYS[1], ARGV[9])
redis.call('ZREM', KEYS[2], ARGV[1])
if ARGV[4] == '3' then
  local t = redis.call('TIME')
  redis.call('ZADD', KEYS[3], string.format('%.0f', t[1] * 1000000 + t[2] + ARGV[9] * 1000), ARGV[1])
end
return 1)";

/// ARGV: as of finish, but not to given up. From in progress, or from given up.
inline constexpr const char* settle = R"(
local seen = redis.call('HMGET', KEYS[1], 'state', 'owner', 'fence')
if seen[1] ~= '0' and seen[1] ~= '3' or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[4], 'why', ARGV[8])
redis.call('HINCRBY', KEYS[1], 'fence', 1)
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'status', ARGV[5], 'type', ARGV[6], 'body', ARGV[7]) end
redis.call('PEXPIRE', KEYS[1], ARGV[9])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return 1)";

/// All fields, and 1 where a lease is over; nothing where there is no such call.
inline constexpr const char* find = R"(
local f = redis.call('HMGET', KEYS[1], 'state', 'owner', 'fence', 'fingerprint', 'begun',
                     'status', 'type', 'body', 'why', 'due')
if not f[1] then return {} end
local t = redis.call('TIME')
f[10] = (f[1] == '0' and tonumber(f[10]) <= t[1] * 1000000 + t[2]) and '1' or '0'
return f)";

/// ARGV: what the keys of calls begin with, how many. Members, owners and fences in turn. What has lost its
/// hash, by an eviction, leaves the set.
inline constexpr const char* due = R"(
local t = redis.call('TIME')
local now = string.format('%.0f', t[1] * 1000000 + t[2])
local found = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[2])) do
  local f = redis.call('HMGET', ARGV[1] .. member, 'state', 'owner', 'fence')
  if f[1] == '0' then
    found[#found + 1] = member
    found[#found + 1] = f[2]
    found[#found + 1] = f[3]
  else redis.call('ZREM', KEYS[2], member) end
end
return found)";

/// ARGV: what the keys of calls begin with, how many. In microseconds; all that is in the set is in progress.
inline constexpr const char* oldest_age = R"(
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local oldest = 0
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '+inf', 'LIMIT', 0, ARGV[2])) do
  local begun = redis.call('HMGET', ARGV[1] .. member, 'begun')[1]
  if begun then oldest = math.max(oldest, now - begun) end
end
return oldest)";

/// ARGV: as of oldest_age. Those of the set that are given up. What has expired, so much at a time, and what
/// has lost its hash, leave the set.
inline constexpr const char* given_up = R"(
local t = redis.call('TIME')
local now = string.format('%.0f', t[1] * 1000000 + t[2])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, ARGV[2])) do
  redis.call('ZREM', KEYS[3], member)
end
local found = 0
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], now, '+inf', 'LIMIT', 0, ARGV[2])) do
  if redis.call('HMGET', ARGV[1] .. member, 'state')[1] == '3' then found = found + 1
  else redis.call('ZREM', KEYS[3], member) end
end
return found)";

}  // namespace sluice::command::redis_scripts
