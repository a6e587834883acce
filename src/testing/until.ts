import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks every 20 ms until it holds; fails with `what` has to hold when it does not within `longest`
 * milliseconds (default a minute).
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, longest = 60_000): Promise<void> {
  const deadline = performance.now() + longest;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `not within ${longest / 1000} s: ${what}`);
    await sleep(20);
  }
}
