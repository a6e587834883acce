import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { TYPING_MS, TypingUsers } from './typing-users.ts';

const event = (action: string, username: string, id = 'a') => ({ id, action, username });

function open({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const seen: string[] = [];
  const users = new TypingUsers('a', (names) => seen.push(names.join(' ')));
  return { users, seen, timers: mock.timers };
}

describe('who writes a comment', () => {
  it('is known until the person stops', (context) => {
    const { users, seen } = open(context);
    users.note(event('typing', 'ana'));
    users.note(event('typing', 'ben'));
    users.note(event('stop_typing', 'ana'));
    assert.deepEqual(seen, ['ana', 'ana ben', 'ben']);
    users.note(event('stop_typing', 'ana'));
    assert.equal(seen.length, 3, 'who does not write cannot stop');
  });

  it('expires where the stop was lost, counted from the last event', (context) => {
    const { users, seen, timers } = open(context);
    users.note(event('typing', 'ana'));
    timers.tick(TYPING_MS - 1);
    users.note(event('typing', 'ana'));
    timers.tick(TYPING_MS - 1);
    assert.deepEqual(seen, ['ana', 'ana']);
    timers.tick(1);
    assert.deepEqual(seen, ['ana', 'ana', '']);
  });

  it('is known of one alert alone, and of nothing that is not an event', (context) => {
    const { users, seen } = open(context);
    for (const other of [event('typing', 'ana', 'b'), event('viewing', 'ana'), { id: 'a', action: 'typing' }, null]) {
      users.note(other);
    }
    assert.deepEqual(seen, []);
  });

  it('is told no more after the end', (context) => {
    const { users, seen, timers } = open(context);
    users.note(event('typing', 'ana'));
    users.close();
    timers.tick(TYPING_MS);
    assert.deepEqual(seen, ['ana']);
  });
});
