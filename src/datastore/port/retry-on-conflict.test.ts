import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Conflict } from '../../errors/errors.ts';
import { pauseAfterConflict, retryOnConflict } from './retry-on-conflict.ts';

const conflict = () => new Conflict('version_conflict', 'somebody was faster');

describe('retryOnConflict', () => {
  it('tries again until no one comes before it', async (context) => {
    withoutPauses(context);
    let attempts = 0;
    const result = await retryOnConflict(async () => {
      attempts += 1;
      if (attempts < 25) throw conflict();
      return 'written';
    });
    assert.deepEqual([result, attempts], ['written', 25]);
  });

  it('gives up after 25 attempts, with what the last one threw', async (context) => {
    withoutPauses(context);
    const thrown: Error[] = [];
    const failing = retryOnConflict(async () => {
      thrown.push(conflict());
      throw thrown.at(-1);
    });
    await assert.rejects(failing, (error) => error === thrown[24]);
    assert.equal(thrown.length, 25);
  });

  it('throws at once what is not a conflict, as the caller understands it', async () => {
    let attempts = 0;
    const taken = () => {
      attempts += 1;
      throw new Conflict('already_exists', 'it is there');
    };
    await assert.rejects(
      retryOnConflict(async () => taken()),
      { code: 'already_exists' },
    );
    assert.equal(attempts, 1);
    const isTaken = () => attempts < 3;
    await assert.rejects(
      retryOnConflict(async () => taken(), isTaken),
      { code: 'already_exists' },
    );
    assert.equal(attempts, 3);
  });
});

describe('pauseAfterConflict', () => {
  it('waits up to twice as long after each attempt, never longer than is allowed', async (context) => {
    context.mock.method(Math, 'random', () => 0.999);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    for (const [attempt, most] of [2, 4, 8, 16, 32, 64, 128, 250, 250].entries()) {
      let over = false;
      const pause = pauseAfterConflict(attempt + 1).then(() => {
        over = true;
      });
      context.mock.timers.tick(Math.floor(most * 0.999) - 1);
      await Promise.resolve();
      assert.equal(over, false, `after attempt ${attempt + 1}`);
      context.mock.timers.tick(2);
      await pause;
    }
  });

  it('ends with the signal', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(pauseAfterConflict(1, signal), { name: 'AbortError' });
  });
});

function withoutPauses(context: TestContext): void {
  context.mock.method(Math, 'random', () => 0);
}
