import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slowness } from '../../testing/machine-speed.ts';
import { extractSelectors } from './extract-selectors.ts';
import { ExtractionService } from './extraction-service.ts';

const ATTACKS: readonly string[] = [
  ...[
    'a',
    '.',
    ':',
    '-',
    '[',
    'a.',
    'a:',
    'a@',
    'a/',
    '1.',
    '1::',
    '_a.',
    'ü.',
    '[.]',
    'zz://',
    'http://',
    'hxxp[:]//',
  ],
  ...['http://a.com/)', 'a.b/c:d@', 'CVE-2021-', 'a.com/', 'a.com/b=', 'a.com/b:', '1.1.1.1:', '1.1.1.1/', 'version '],
  ...['http://a@', `http://${'a'.repeat(255)}@`, '(', 'http://a.com/('],
];
const LENGTH = 10_000;

/** Returns the milliseconds of the fastest of several runs. */
function fastest(text: string, runs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    extractSelectors(text);
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

describe('the time of an extraction', () => {
  const slower = slowness();

  it('is below 5 ms for attack strings of 10,000 characters', () => {
    const slow = ATTACKS.map((part) => part.repeat(LENGTH).slice(0, LENGTH))
      .map((text) => ({ text: text.slice(0, 20), time: fastest(text, 5) }))
      .filter(({ time }) => time >= 5 * slower);
    assert.deepEqual(slow, []);
  });

  it('grows with the length of an attack string, not with its square', () => {
    const slow = ATTACKS.map((part) => ({ part, time: fastest(part.repeat(200_000).slice(0, 1_000_000), 2) })).filter(
      ({ time }) => time >= 500 * slower,
    );
    assert.deepEqual(slow, []);
  });

  it('is below 150 ms for 1 MB of log', () => {
    let log = '';
    for (let line = 1; log.length < 1_000_000; line += 1) {
      log += `Nov 23 12:45:${line % 60} host${line} sshd[${line}]: Failed password for root from ${line % 223}.${(line >> 3) % 255}.${line % 255}.7 port ${line} "GET http://www.site${line}.com/a?x=${line}" Chrome/120.0.0.0 user${line}@mail.example.com ${'0123456789abcdef'.repeat(2)} /usr/lib/x.so\n`;
    }
    assert.ok(extractSelectors(log).length > 5000);
    const time = fastest(log, 8);
    assert.ok(time < 150 * slower, `${time} ms`);
  });

  it('does not occupy the event loop for long texts', async () => {
    const extraction = new ExtractionService({ log: { warn: () => {} } });
    await extraction.extract('word '.repeat(20_000), { username: 'ada' });
    const before = performance.eventLoopUtilization();
    const found = await extraction.extract(`${'1.2.3.4:1 '.repeat(150_000)} 8.8.8.8`, { username: 'ada' });
    const { active } = performance.eventLoopUtilization(before);
    await extraction.close();
    assert.equal(found.length, 2);
    assert.ok(active < 50 * slower, `${active} ms`);
  });
});
