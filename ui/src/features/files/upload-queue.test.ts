import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { UploadQueue } from './upload-queue.ts';

/** A queue whose files are submitted when a test says so, and the names of those that were begun. */
function openQueue() {
  const begun: string[] = [];
  const running = new Map<string, PromiseWithResolvers<string>>();
  const queue = new UploadQueue((file, progress, signal) => {
    const answer = Promise.withResolvers<string>();
    begun.push(file.name);
    running.set(file.name, answer);
    progress(1, 2);
    signal.addEventListener('abort', () => answer.reject(signal.reason));
    return answer.promise;
  });
  const finish = async (name: string, problem?: Error) => {
    const answer = running.get(name);
    if (problem === undefined) answer?.resolve(`sid of ${name}`);
    else answer?.reject(problem);
    await setImmediate();
  };
  const submitted: [string, boolean][] = [];
  const add = async (...names: readonly string[]) => {
    const files = names.map((name) => new File(['ab'], name));
    queue.add(files, (sid, isAlone) => submitted.push([sid, isAlone]));
    await setImmediate();
  };
  const states = () => queue.uploads.read().map(({ name, state }) => `${name} ${state}`);
  return { queue, begun, submitted, add, finish, states };
}

describe('a queue of uploads', () => {
  it('sends one file after the other, with its progress', async () => {
    const { queue, begun, submitted, add, finish, states } = openQueue();
    await add('a', 'b');
    assert.deepEqual(states(), ['a sending', 'b waiting']);
    assert.deepEqual([queue.uploads.read()[0]?.sent, begun], [1, ['a']]);
    await finish('a');
    await finish('b');
    assert.deepEqual(states(), ['a done', 'b done']);
    assert.deepEqual(submitted, [
      ['sid of a', false],
      ['sid of b', false],
    ]);
  });

  it('says that a file was alone, but not while others wait', async () => {
    const { submitted, add, finish, states } = openQueue();
    await add('a');
    await add('b', 'c');
    await finish('a');
    assert.deepEqual(submitted, [['sid of a', false]]);
    assert.deepEqual(states().slice(-2), ['b sending', 'c waiting']);
    await finish('b');
    await finish('c');
    await add('d');
    assert.deepEqual(states(), ['d sending']);
    await finish('d');
    assert.deepEqual(submitted.at(-1), ['sid of d', true]);
  });

  it('continues after a file that failed, and leaves out those that were cancelled', async () => {
    const { queue, begun, submitted, add, finish, states } = openQueue();
    await add('a', 'b', 'c', 'd');
    const [, second, third] = queue.uploads.read();
    queue.cancel(second?.id ?? 0);
    await finish('a', new Error('refused'));
    assert.deepEqual(states(), ['a failed', 'b cancelled', 'c sending', 'd waiting']);
    queue.cancel(third?.id ?? 0);
    await setImmediate();
    await finish('d');
    assert.deepEqual(states(), ['a failed', 'b cancelled', 'c cancelled', 'd done']);
    assert.deepEqual([begun, submitted], [['a', 'c', 'd'], [['sid of d', false]]]);
  });

  it('keeps a finished file as it is when it is cancelled', async () => {
    const { queue, add, finish, states } = openQueue();
    await add('a');
    await finish('a');
    queue.cancel(queue.uploads.read()[0]?.id ?? 0);
    assert.deepEqual(states(), ['a done']);
  });
});
