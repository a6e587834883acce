import { escapePattern, type RedisConnection } from './redis-connection.ts';

/** Keys that the server looks at in one step. */
const SCAN_STEP = 1000;

/** Returns the sorted names that start so of the keys `<before><name><after>`; scans every key. */
export async function namesWithPrefix(
  connection: RedisConnection,
  before: string,
  prefix: string,
  after: string,
): Promise<readonly string[]> {
  const pattern = `${escapePattern(before + prefix)}*${escapePattern(after)}`;
  const names = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await connection.call((redis) => redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_STEP));
    for (const key of keys) names.add(key.slice(before.length, key.length - after.length));
    cursor = next;
  } while (cursor !== '0');
  return [...names].sort();
}
