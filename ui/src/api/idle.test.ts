import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OpenRequests, whenIdle } from './idle.ts';

describe('open requests', () => {
  it('keep a page from being idle until a moment after the last one, refused ones too', async () => {
    let now = 1000;
    const requests = new OpenRequests(() => now);
    assert.equal(requests.remainingMs(), 250, 'the page has just begun');
    now += 250;
    assert.equal(requests.remainingMs(), 0);
    const first = Promise.withResolvers<string>();
    const second = Promise.withResolvers<string>();
    const answers = [requests.during(first.promise), requests.during(second.promise)];
    now += 10_000;
    assert.equal(requests.remainingMs(), 250);
    first.resolve('an answer');
    assert.equal(await answers[0], 'an answer');
    now += 10_000;
    assert.equal(requests.remainingMs(), 250, 'the second one is open');
    second.reject(new Error('refused'));
    await assert.rejects(answers[1] ?? Promise.resolve(), /refused/);
    assert.equal(requests.remainingMs(), 250);
    now += 249;
    assert.equal(requests.remainingMs(), 1);
    now += 1;
    assert.equal(requests.remainingMs(), 0);
  });

  it('let what is loaded late come after them', async () => {
    const requests = new OpenRequests();
    const answer = Promise.withResolvers<void>();
    const events: string[] = [];
    const open = requests.during(answer.promise).then(() => events.push('answered'));
    const late = whenIdle(requests).then(() => events.push('loaded'));
    setTimeout(answer.resolve, 400);
    await Promise.all([open, late]);
    assert.deepEqual(events, ['answered', 'loaded']);
  });
});
