import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CoordinationSubject, openForArea } from './subject.ts';

export function eventsArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('reaches every listener of the channel, in order, in every process', async () => {
    const { coordination, peer } = opened.current;
    const heard: unknown[][] = [[], []];
    await coordination.events.subscribe('hits', (channel, payload) => heard[0]?.push([channel, payload]));
    await peer.events.subscribe('hits', (channel, payload) => heard[1]?.push([channel, payload]));
    const sent = Array.from({ length: 20 }, (_, n) => ({ n }));
    for (const payload of sent) await coordination.events.publish('hits', payload);
    await coordination.events.publish('hits:other', 'not for them');
    const expected = sent.map((payload) => ['hits', payload]);
    await until(() => heard.every((list) => list.length >= sent.length));
    assert.deepEqual(heard, [expected, expected]);
  });

  it('matches `*` against any characters and everything else against itself', async () => {
    const { coordination } = opened.current;
    const heard: string[] = [];
    await coordination.events.subscribe('a.*.[b]:*', (channel) => heard.push(channel));
    const matching = ['a.1.[b]:', 'a..[b]:x:y', 'a.x.y.[b]:1'];
    for (const channel of ['a.1.b:', 'ab1.[b]:', 'xa.1.[b]:', 'a.1.[b]', ...matching]) {
      await coordination.events.publish(channel, 0);
    }
    await until(() => heard.length >= matching.length);
    assert.deepEqual(heard, matching);
  });

  it('is not heard any more after the end of the subscription, nor by who came later', async () => {
    const { coordination } = opened.current;
    const heard: unknown[] = [];
    const end = await coordination.events.subscribe('ended', (_, payload) => heard.push(payload));
    await coordination.events.publish('ended', 1);
    await until(() => heard.length === 1);
    await end();
    await end();
    await coordination.events.publish('ended', 2);
    await coordination.events.subscribe('ended', (_, payload) => heard.push(`late ${payload}`));
    await coordination.events.publish('ended', 3);
    await until(() => heard.length === 2);
    assert.deepEqual(heard, [1, 'late 3']);
  });

  it('gives every listener a copy of its own', async () => {
    const { coordination } = opened.current;
    const heard: unknown[] = [];
    const payload = { list: [1] };
    for (const name of ['first', 'second']) {
      await coordination.events.subscribe('copied', (_, received) => {
        heard.push(structuredClone(received));
        Object.assign(received as object, { list: name });
      });
    }
    await coordination.events.publish('copied', payload);
    payload.list.push(2);
    await until(() => heard.length === 2);
    assert.deepEqual(heard, [{ list: [1] }, { list: [1] }]);
  });

  it('reaches the others when one listener throws', async () => {
    const { coordination } = opened.current;
    const heard: unknown[] = [];
    await coordination.events.subscribe('failing', () => {
      throw new Error('the listener failed');
    });
    await coordination.events.subscribe('failing', (_, payload) => heard.push(payload));
    await coordination.events.publish('failing', 1);
    await coordination.events.publish('failing', 2);
    await until(() => heard.length === 2);
    assert.deepEqual(heard, [1, 2]);
  });
}

/** Waits until it holds, at most two seconds; the assertion that follows says what is missing. */
async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 2000;
  while (!holds() && performance.now() < deadline) await sleep(2);
  // What must not arrive gets the time to arrive.
  await sleep(5);
}
