import type { Visible } from '../datastore/port/collection.ts';
import { InvalidInput } from '../errors/errors.ts';

/**
 * Reads the query argument `refresh`: with `true` and `wait_for`, in any case, a write is seen by searches that start after the
 * answer (`now`); otherwise soon.
 * @throws InvalidInput `invalid_refresh`
 */
export function readRefresh(query: unknown): Visible {
  const given = typeof query === 'object' && query !== null && 'refresh' in query ? query.refresh : undefined;
  const value = Array.isArray(given) ? given.at(-1) : given;
  if (value === undefined) return 'soon';
  const option = String(value).toLowerCase();
  if (option === 'true' || option === 'wait_for') return 'now';
  if (option === 'false') return 'soon';
  throw new InvalidInput('invalid_refresh', `Invalid refresh option: [${option}]`, { at: 'refresh' });
}
