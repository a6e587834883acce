import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unavailable } from '../errors/errors.ts';
import { RateLimitedLogger } from './rate-limited-logger.ts';

describe('RateLimitedLogger', () => {
  it('writes a message once a minute while coordination is gone, and what it left out', () => {
    const lines: unknown[] = [];
    let now = 0;
    const log = new RateLimitedLogger(
      { warn: (entry, message) => lines.push([message, 'notWritten' in entry ? entry.notWritten : 0]) },
      () => now,
    );
    const err = new Unavailable('coordination_unavailable', 'gone');
    for (let second = 0; second < 150; second += 1) {
      now = second * 1000;
      log.warn({ err }, 'one');
      if (second === 5) log.warn({ err }, 'other');
    }
    assert.deepEqual(lines, [
      ['one', 0],
      ['other', 0],
      ['one', 59],
      ['one', 59],
    ]);
  });

  it('writes every other error', () => {
    const lines: unknown[] = [];
    const log = new RateLimitedLogger({ warn: (_, message) => lines.push(message) });
    for (let times = 0; times < 3; times += 1) log.warn({ err: new TypeError('a defect') }, 'failed');
    assert.equal(lines.length, 3);
  });
});
