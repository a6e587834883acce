import { parseJson } from '../../json/lossless-json.ts';
import type { Tokens } from '../coordination.ts';
import { escapePattern, integerMilliseconds, type RedisConnection } from './redis-connection.ts';

/** Keys that the server looks at in one step of a search for a prefix. */
const SCAN_STEP = 1000;

/** Each token is a string with an expiry. */
export class RedisTokens implements Tokens {
  readonly #connection: RedisConnection;
  readonly #prefix: string;

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection;
    this.#prefix = `${prefix}:token:`;
  }

  async put(key: string, value: unknown, lifetime: number): Promise<void> {
    const time = integerMilliseconds(lifetime);
    const text = JSON.stringify(value) ?? 'null';
    await this.#connection.call<unknown>((redis) =>
      // The server refuses an expiry of 0.
      time === 0 ? redis.unlink(this.#prefix + key) : redis.set(this.#prefix + key, text, 'PX', time),
    );
  }

  async get(key: string): Promise<unknown> {
    return parsed(await this.#connection.call((redis) => redis.get(this.#prefix + key)));
  }

  async take(key: string): Promise<unknown> {
    return parsed(await this.#connection.call((redis) => redis.getdel(this.#prefix + key)));
  }

  async remove(key: string): Promise<boolean> {
    return (await this.#connection.call((redis) => redis.unlink(this.#prefix + key))) === 1;
  }

  /** Looks at every key of the server, a thousand a step. Tokens put meanwhile may stay. */
  async removeWithPrefix(prefix: string): Promise<number> {
    const pattern = `${escapePattern(this.#prefix + prefix)}*`;
    let removed = 0;
    let cursor = '0';
    do {
      const [next, keys] = await this.#connection.call((redis) =>
        redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_STEP),
      );
      if (keys.length > 0) removed += await this.#connection.call((redis) => redis.unlink(...keys));
      cursor = next;
    } while (cursor !== '0');
    return removed;
  }
}

function parsed(text: string | null): unknown {
  return text === null ? undefined : parseJson(text);
}
