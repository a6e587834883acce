import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slowness } from '../../../testing/machine-speed.ts';
import { describeValue } from './facts-source.ts';

/** Milliseconds for one value. */
const LONGEST = 5 * slowness();
const TYPES = ['ipv4', 'ipv6', 'domain', 'url', 'email_address', 'md5', 'sha1', 'sha256', 'port', 'user_agent'];

describe('the speed of facts', () => {
  it('is below 5 ms for attack strings of 10,000 characters', () => {
    const starts = ['', 'http://', 'a@', '[', 'xn--', '::', 'http://a.com/?', 'http://a.com/', '+', 'iPhone', 'aHR0c'];
    const parts = [
      'a',
      '1',
      '.',
      'a.',
      ':',
      '@',
      '%',
      '%2f',
      '&',
      'a=http://b.com&',
      'token=1&',
      '/http://',
      ' OS ',
      'а',
      '=',
      'iPhone ',
      '\\',
      'xn--a.',
      '+',
      'a/1 ',
      '-',
    ];
    for (const type of TYPES) {
      for (const start of starts) {
        for (const part of parts) {
          const value = (start + part.repeat(10_000)).slice(0, 10_000);
          assert.ok(fastest(() => describeValue(type, value)) < LONGEST, `${type}: ${start} ${part}`);
        }
      }
    }
  });

  it('is about 2 ms of processor time for 100 selectors', (context) => {
    const values = Array.from({ length: 10 }, (_, index) => [
      ['ipv4', `10.0.0.${index}`],
      ['ipv6', `2001:db8::${index}`],
      ['domain', `www.host${index}.example${index}.co.uk`],
      ['domain', `xn--80ak6aa92e.host${index}.com`],
      ['url', `https://www.host${index}.com/path/page.html?id=${index}&next=https%3A%2F%2Fother.org%2F`],
      ['email_address', `ann${index}@gmail.com`],
      ['sha256', 'abcd'.padEnd(64, String(index))],
      ['md5', 'abcd'.padEnd(32, String(index))],
      ['port', String(index * 100)],
      ['user_agent', `Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/12${index}.0.0.0 Safari/537.36`],
    ]).flat();
    const all = () => values.map(([type = '', value = '']) => describeValue(type, value));
    assert.equal(all().length, 100);
    for (let run = 0; run < 50; run += 1) all();
    const used = process.cpuUsage();
    for (let run = 0; run < 100; run += 1) all();
    const { user, system } = process.cpuUsage(used);
    const milliseconds = (user + system) / 1_000 / 100;
    context.diagnostic(`100 selectors: ${milliseconds.toFixed(2)} ms of processor time`);
    // Twice as much on a busy machine is not a mistake of the program.
    assert.ok(milliseconds < 10 * slowness(), `${milliseconds} ms`);
  });
});

function fastest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5 && best > 1; run += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}
