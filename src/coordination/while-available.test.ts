import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidInput, Unavailable } from '../errors/errors.ts';
import { untilAvailable } from './while-available.ts';

const away = () => new Unavailable('away', 'The server is away.');

describe('untilAvailable', () => {
  it('repeats work until the server is back, and reports each failure', async () => {
    let calls = 0;
    const reported: string[] = [];
    const work = async () => {
      calls += 1;
      if (calls < 3) throw away();
      return 'done';
    };
    const report = ({ code }: { code: string }) => void reported.push(code);
    assert.equal(await untilAvailable(work, { longest: 10_000, report }), 'done');
    assert.deepEqual(reported, ['away', 'away']);
  });

  it('ends with the time, with the caller, and with every other error', async () => {
    const failing = async () => {
      throw away();
    };
    await assert.rejects(untilAvailable(failing, { longest: 100 }), { code: 'away' });
    const leaving = new AbortController();
    const left = untilAvailable(failing, { longest: 60_000, signal: leaving.signal });
    leaving.abort();
    await assert.rejects(left, { code: 'away' });
    const wrong = async () => {
      throw new InvalidInput('wrong', 'It is wrong.');
    };
    await assert.rejects(untilAvailable(wrong, { longest: 60_000 }), { code: 'wrong' });
  });
});
