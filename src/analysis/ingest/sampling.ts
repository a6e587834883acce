import type { Settings } from '../../config/config-schema.ts';

/** Queues of files that wait for their analysis, the most urgent first. */
export const LEVELS = ['user', 'critical', 'high', 'medium', 'low'] as const;
export type Level = (typeof LEVELS)[number];

/** Highest priority that drops a file, unless it must never be dropped. */
const DROPPED_PRIORITY = 1;
const HIGHEST: readonly (readonly [number, Level])[] = [
  [100, 'low'],
  [200, 'medium'],
  [300, 'high'],
  [400, 'critical'],
];

/** Returns the queue of a priority. */
export function levelOf(priority: number): Level {
  return HIGHEST.find(([highest]) => priority <= highest)?.[1] ?? 'user';
}

/** Returns the probability with which a file is dropped from a queue that is too long. */
export function dropChance(length: number, limit: number): number {
  return Math.max(0, Math.tanh(((length - limit) / limit) * 2));
}

export interface SamplingRules {
  readonly sampling_at: Settings['analysis']['core']['ingester']['sampling_at'];
  /** From 0 to 1; for tests. */
  readonly random: () => number;
}

/** Returns whether a file has to give way to others. `length`: of the queue of its priority. */
export function mustDrop(priority: number, length: number, { sampling_at: limits, random }: SamplingRules): boolean {
  if (priority <= DROPPED_PRIORITY) return true;
  const level = levelOf(priority);
  return level !== 'user' && random() < dropChance(length, limits[level]);
}
