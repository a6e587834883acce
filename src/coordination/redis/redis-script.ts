import { createHash } from 'node:crypto';

/** A Lua script. Redis runs it as one step; it is sent once and called by its digest afterwards. */
export interface RedisScript {
  readonly text: string;
  /** SHA-1 of the text, by which Redis knows it. */
  readonly digest: string;
}

export function redisScript(text: string): RedisScript {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

/** The longest time that fits into a double beside the server's clock. Milliseconds. */
const MAX_LENGTH = Number.MAX_SAFE_INTEGER / 4;

/** A time as Redis takes it: whole milliseconds, never shorter than asked, none for what is over. */
export function integerMilliseconds(time: number): number {
  return Math.min(Math.max(Math.ceil(time), 0), MAX_LENGTH);
}

/** `text` as a part of a pattern that matches itself alone. */
export function escapePattern(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&');
}
