import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { testClassification } from '../../testing/alerts/alert-services.ts';
import { readNewEvent } from './new-event.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const read = (input: unknown, unknown?: 'refuse' | 'warn') =>
  readNewEvent(input, { classification: testClassification, now, ...(unknown ? { unknown } : {}) });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a new event', () => {
  it('gets an identifier of its own and the times that are missing', () => {
    const { event } = read({ 'howler.id': 'mine', event: { id: 'mine', created: '2025-01-05T10:00:00Z' } });
    assert.notEqual(event.howler.id, 'mine');
    assert.equal(event.event?.id, event.howler.id);
    assert.equal(event.event?.created, '2025-01-05T10:00:00.000000Z');
    assert.equal(event.timestamp, '2026-01-02T03:04:05.678000Z');
    assert.deepEqual(read({}).event.event?.created, '2026-01-02T03:04:05.678000Z');
  });

  it('is hashed by its raw records alone, unless the sender did it', () => {
    assert.equal(read({ message: 'a' }).event.howler.hash, sha256('{"raw_data": {}}'));
    assert.equal(
      read({ howler: { data: ['é', { b: 1 }] } }).event.howler.hash,
      sha256('{"raw_data": ["\\u00e9", {"b": 1}]}'),
    );
    assert.equal(read({ 'howler.hash': 'ab12' }).event.howler.hash, 'ab12');
  });

  it('keeps raw records as text', () => {
    assert.deepEqual(read({ 'howler.data': ['text', { a: [1] }] }).event.howler.data, ['text', '{"a": [1]}']);
  });

  it('is refused with fields that there are not, or takes them for a warning', () => {
    assert.throws(() => read({ nope: 1 }), {
      code: 'invalid_document',
      message: '[event]: object was created with invalid parameters: nope',
    });
    assert.throws(() => read({ 'howler.analytic': 'x' }), { code: 'invalid_document' });
    const { event, warnings } = read({ nope: 1, message: 'm' }, 'warn');
    assert.deepEqual(warnings, ['nope is not currently used by howler.']);
    assert.equal(event.message, 'm');
  });

  it('is an object', () => {
    for (const input of [null, 5, 'x', []]) assert.throws(() => read(input), { code: 'invalid_document' });
  });
});
