import { redisScript } from './redis-connection.ts';

/*
 * A queue is five keys, which every script gets in this order, and a clock:
 *   waiting   sorted set of item numbers, by negative priority: equal ones lie in the order of their numbers
 *   taken     sorted set of item numbers, by the time at which they come back
 *   items     hash: number → item
 *   holders   hash: number of a taken item → `<receipt> <score in waiting>`
 *   last      the highest number given out
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

/** ARGV: score, channel of those who wait, items ... */
export const PUSH = redisScript(`
  local clock = redis.call('TIME')
  local number = math.max(clock[1] * 1000000 + clock[2], tonumber(redis.call('GET', KEYS[5]) or 0))
  for index = 3, #ARGV do
    number = number + 1
    local id = string.format('%016.0f', number)
    redis.call('HSET', KEYS[3], id, ARGV[index])
    redis.call('ZADD', KEYS[1], ARGV[1], id)
  end
  redis.call('SET', KEYS[5], string.format('%.0f', number), 'PX', ${LAST_LIFETIME})
  redis.call('PUBLISH', ARGV[2], #ARGV - 2)
`);

/**
 * ARGV: max, visibility, receipt.
 * Returns milliseconds until something comes back (-1: nothing, 0: look again), then number and item of each.
 */
export const TAKE = redisScript(`
  ${CLOCK}
  local overdue = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ${MAX_RETURNED})
  for _, id in ipairs(overdue) do
    redis.call('ZREM', KEYS[2], id)
    redis.call('ZADD', KEYS[1], string.match(redis.call('HGET', KEYS[4], id) or ' 0', ' (.*)'), id)
    redis.call('HDEL', KEYS[4], id)
  end
  if #overdue == ${MAX_RETURNED} then return {0} end
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
  redis.call('HDEL', KEYS[3], ARGV[1])
  redis.call('HDEL', KEYS[4], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[1], ARGV[1])
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
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
  return count
`);
