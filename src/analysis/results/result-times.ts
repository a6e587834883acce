import type { Task } from '../dispatching/task.ts';

/** Milliseconds. */
export const DAY = 86_400_000;

/** Returns a time as documents hold it, with microseconds. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

/** Returns when what belongs to a task expires; undefined: never. */
export function expiryOf({ ttl }: Pick<Task, 'ttl'>, now: number): string | undefined {
  return ttl > 0 ? timeText(now + ttl * DAY) : undefined;
}
