import { redisScript } from './redis-connection.ts';

/*
 * A queue is six keys, which every script gets in this order, and a clock:
 *   waiting   sorted set of item numbers, by negative priority: equal ones lie in the order of their numbers
 *   taken     sorted set of item numbers, by the time at which they come back
 *   items     hash: number → item
 *   holders   hash: number of a taken item → `<receipt> <score in waiting>`
 *   last      the highest number given out
 *   ids       hash: `i:<id>` → number and `n:<number>` → id of the items that were pushed with an id
 * Numbers are times in microseconds, 16 digits, or the next one after the last: `last` may be forgotten when nobody has pushed for
 * a day, and numbers still only grow and are never given out twice.
 */

/** Milliseconds after the last push until `last` is forgotten. */
const LAST_LIFETIME = 24 * 60 * 60 * 1000;
/** Items that one call brings back at most, so that no call keeps the server for long. */
const MAX_RETURNED = 1000;

const CLOCK = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
`;

/** Defines `forget`, which removes every trace of an item. */
const FORGET = `
  local function forget(number)
    redis.call('HDEL', KEYS[3], number)
    redis.call('HDEL', KEYS[4], number)
    redis.call('ZREM', KEYS[2], number)
    redis.call('ZREM', KEYS[1], number)
    local id = redis.call('HGET', KEYS[6], 'n:' .. number)
    if id then redis.call('HDEL', KEYS[6], 'n:' .. number, 'i:' .. id) end
  end
`;

/** ARGV: score, channel of those who wait, `i` (each item follows its id) or `-`, items. */
export const PUSH = redisScript(`
  local clock = redis.call('TIME')
  local number = math.max(clock[1] * 1000000 + clock[2], tonumber(redis.call('GET', KEYS[5]) or 0))
  local named = ARGV[3] == 'i'
  local pushed = 0
  for index = 4, #ARGV, named and 2 or 1 do
    local id = named and ARGV[index]
    if not id or redis.call('HEXISTS', KEYS[6], 'i:' .. id) == 0 then
      number = number + 1
      pushed = pushed + 1
      local name = string.format('%016.0f', number)
      redis.call('HSET', KEYS[3], name, ARGV[named and index + 1 or index])
      redis.call('ZADD', KEYS[1], ARGV[1], name)
      if id then redis.call('HSET', KEYS[6], 'i:' .. id, name, 'n:' .. name, id) end
    end
  end
  redis.call('SET', KEYS[5], string.format('%.0f', number), 'PX', ${LAST_LIFETIME})
  if pushed > 0 then redis.call('PUBLISH', ARGV[2], pushed) end
`);

/** Brings back what was taken and is overdue; `overdue` holds the numbers. */
const RETURN_OVERDUE = `
  ${CLOCK}
  local overdue = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ${MAX_RETURNED})
  for _, id in ipairs(overdue) do
    redis.call('ZREM', KEYS[2], id)
    redis.call('ZADD', KEYS[1], string.match(redis.call('HGET', KEYS[4], id) or ' 0', ' (.*)'), id)
    redis.call('HDEL', KEYS[4], id)
  end
  if #overdue == ${MAX_RETURNED} then return {0} end
`;

/**
 * ARGV: max, visibility, receipt.
 * Returns milliseconds until something comes back (-1: nothing, 0: look again), then number and item of each.
 */
export const TAKE = redisScript(`
  ${RETURN_OVERDUE}
  local popped = redis.call('ZPOPMIN', KEYS[1], ARGV[1])
  local answer = {-1}
  local back = string.format('%.0f', now + ARGV[2])
  for index = 1, #popped, 2 do
    local id = popped[index]
    redis.call('ZADD', KEYS[2], back, id)
    redis.call('HSET', KEYS[4], id, ARGV[3] .. ' ' .. popped[index + 1])
    answer[#answer + 1] = id
    answer[#answer + 1] = redis.call('HGET', KEYS[3], id)
  end
  local next = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  if next[2] then answer[1] = math.max(1, next[2] - now) end
  return answer
`);

/** ARGV: number. */
export const ACKNOWLEDGE = redisScript(`
  ${FORGET}
  forget(ARGV[1])
`);

/** ARGV: id. Returns the item when one of that id waits. */
export const TAKE_BY_ID = redisScript(`
  ${CLOCK}
  ${FORGET}
  local number = redis.call('HGET', KEYS[6], 'i:' .. ARGV[1])
  if not number then return false end
  local back = redis.call('ZSCORE', KEYS[2], number)
  if back and tonumber(back) > now then return false end
  local item = redis.call('HGET', KEYS[3], number)
  forget(number)
  return item
`);

/**
 * ARGV: max, `next` or `last`.
 * Returns 1 (0: look again), then number, score, id (empty: none) and item of each.
 */
export const PEEK = redisScript(`
  ${RETURN_OVERDUE}
  local range = ARGV[2] == 'next' and 'ZRANGE' or 'ZREVRANGE'
  local found = redis.call(range, KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')
  local answer = {1}
  for index = 1, #found, 2 do
    answer[#answer + 1] = found[index]
    answer[#answer + 1] = found[index + 1]
    answer[#answer + 1] = redis.call('HGET', KEYS[6], 'n:' .. found[index]) or ''
    answer[#answer + 1] = redis.call('HGET', KEYS[3], found[index]) or ''
  end
  return answer
`);

/**
 * ARGV: number of priorities to look at.
 * Returns 1 (0: look again), then the lowest number that waits: in each score, numbers ascend.
 */
export const OLDEST = redisScript(`
  ${RETURN_OVERDUE}
  local answer = {1}
  local after = '-inf'
  for _ = 1, tonumber(ARGV[1]) do
    local found = redis.call('ZRANGEBYSCORE', KEYS[1], after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
    if not found[1] then break end
    if not answer[2] or found[1] < answer[2] then answer[2] = found[1] end
    after = '(' .. found[2]
  end
  return answer
`);

/** ARGV: number, receipt, channel of those who wait. */
export const GIVE_BACK = redisScript(`
  local receipt, score = string.match(redis.call('HGET', KEYS[4], ARGV[1]) or '', '(.*) (.*)')
  if receipt ~= ARGV[2] then return end
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[4], ARGV[1])
  redis.call('ZADD', KEYS[1], score, ARGV[1])
  redis.call('PUBLISH', ARGV[3], 1)
`);

/** Returns the number of those who wait, the overdue ones among them. */
export const LENGTH = redisScript(`
  ${CLOCK}
  return redis.call('ZCARD', KEYS[1]) + redis.call('ZCOUNT', KEYS[2], '-inf', now)
`);

/** Returns the number of items that there were. */
export const CLEAR = redisScript(`
  local count = redis.call('HLEN', KEYS[3])
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6])
  return count
`);
