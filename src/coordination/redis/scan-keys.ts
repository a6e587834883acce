import { escapePattern, type RedisConnection } from './redis-connection.ts';

/** Keys that the server looks at in one step. */
const SCAN_STEP = 1000;

/** A key with its value and the milliseconds for which it lives on. */
export interface ScannedKey {
  /** Without `before`. */
  readonly key: string;
  readonly text: string;
  readonly lifetime: number;
}

/** Returns the keys `<before><prefix>…` with their values, a batch for each step over all keys. */
export async function* scanKeys(
  connection: RedisConnection,
  before: string,
  prefix: string,
): AsyncIterable<readonly ScannedKey[]> {
  const pattern = `${escapePattern(before + prefix)}*`;
  let cursor = '0';
  do {
    const [next, keys] = await connection.call((redis) => redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_STEP));
    cursor = next;
    if (keys.length === 0) continue;
    const [texts, lifetimes] = await connection.call((redis) =>
      Promise.all([redis.mget(...keys), Promise.all(keys.map((key) => redis.pttl(key)))]),
    );
    yield keys.flatMap((key, index) => {
      const [text, lifetime = 0] = [texts[index], lifetimes[index]];
      // It expired in between.
      if (text === null || text === undefined || lifetime <= 0) return [];
      return [{ key: key.slice(before.length), text, lifetime }];
    });
  } while (cursor !== '0');
}
