import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { pythonJson, readNewEvent, readNewHit } from './new-record.ts';

const classification = loadClassification(DEMO_CLASSIFICATION);
const now = new Date('2026-03-01T10:20:30.456Z');
const read = (input: unknown, unknown: 'refuse' | 'warn' = 'refuse') =>
  readNewHit(input, { classification, now, unknown });
const hitOf = (howler: object, rest: object = {}) => read({ howler: { analytic: 'Probe', ...howler }, ...rest }).record;
const HASH_OF_PROBE_ALONE = '54f2ead176d8190b9d691975af38943bcc66ddbd626b9b40b0dcdc496402519a';

describe('identity of a new alert', () => {
  it('is never the sender’s, in whichever form it comes', () => {
    const inputs = [
      { 'howler.analytic': 'Probe', 'howler.id': 'mine' },
      { howler: { analytic: 'Probe', id: 'mine' } },
      { 'howler.analytic': 'Probe', 'howler.id': { odd: 1 } },
    ];
    for (const input of inputs) {
      const { record: hit } = read(input);
      assert.match(hit.howler.id, /^[0-9A-Za-z]{10,22}$/);
      assert.equal(hit.event?.id, hit.howler.id);
    }
  });

  it('leaves what was sent as it was', () => {
    const input = { howler: { analytic: 'Probe', id: 'mine', data: [1] }, event: { kind: 'alert' } };
    const before = structuredClone(input);
    read(input);
    assert.deepEqual(input, before);
  });
});

describe('times of a new alert', () => {
  it('are now where none came', () => {
    const { record: hit } = read({ 'howler.analytic': 'Probe' });
    const time = '2026-03-01T10:20:30.456000Z';
    assert.deepEqual([hit.timestamp, hit.event?.created, hit.event?.ingested], [time, time, time]);
  });

  it('are the sender’s where they came', () => {
    const { record: hit } = read({ 'howler.analytic': 'Probe', 'event.created': '2025-01-05T10:00:00Z' });
    assert.equal(hit.event?.created, '2025-01-05T10:00:00.000000Z');
  });
});

describe('the hash of a new alert', () => {
  it('is made as the public system makes it', () => {
    const hashes = [
      [{ analytic: 'Golden Probe' }, HASH_OF_PROBE_ALONE],
      [
        { analytic: 'Golden Probe', detection: 'Flat Form' },
        '1110c57a4dc58961d18c4653c09479d642c54e7fab91735a0eb5ac21fc667835',
      ],
    ] as const;
    for (const [howler, hash] of hashes) assert.equal(hitOf(howler).howler.hash, hash);
  });

  it('does not depend on the form', () => {
    assert.equal(read({ 'howler.analytic': 'Golden Probe' }).record.howler.hash, HASH_OF_PROBE_ALONE);
  });

  it('is the sender’s where one came', () => {
    assert.equal(hitOf({ hash: 'abc123' }).howler.hash, 'abc123');
  });

  it('differs by analytic, detection and raw records', () => {
    const made = [{}, { detection: 'd' }, { data: ['x'] }, { analytic: 'Other' }].map(
      (howler) => hitOf(howler).howler.hash,
    );
    assert.equal(new Set(made).size, made.length);
  });
});

describe('raw records of a new alert', () => {
  it('become text', () => {
    assert.deepEqual(hitOf({ data: ['one', { b: 1, a: [1, 2] }, 7, null] }).howler.data, [
      'one',
      '{"b": 1, "a": [1, 2]}',
      '7',
      'null',
    ]);
  });

  it('of one text are its characters', () => {
    assert.deepEqual(hitOf({ data: 'raw' }).howler.data, ['r', 'a', 'w']);
  });

  it('of another kind are refused', () => {
    for (const data of [{ a: 1 }, 5, true]) {
      assert.throws(() => hitOf({ data }), { code: 'invalid_document', at: 'hit.howler.data' });
    }
  });
});

describe('verdict, escalation and status of a new alert', () => {
  it('are made to agree, with a warning each', () => {
    const { record: hit, warnings } = read({ 'howler.analytic': 'Probe', 'howler.assessment': 'legitimate' });
    assert.deepEqual([hit.howler.escalation, hit.howler.status], ['miss', 'resolved']);
    assert.deepEqual(warnings, [
      'Hits with assessment legitimate must also have escalation set to miss.',
      'Hits with escalation miss or evidence must also have their status set to resolved.',
    ]);
  });

  it('are left alone when they agree', () => {
    const { warnings } = read({ 'howler.analytic': 'Probe', 'howler.escalation': 'miss', 'howler.status': 'resolved' });
    assert.deepEqual(warnings, []);
  });
});

describe('what is not an alert', () => {
  it('is refused, regardless of what it is', () => {
    for (const input of [null, undefined, 5, 'text', [], true]) {
      assert.throws(() => read(input), { kind: 'invalid_input', code: 'invalid_document' });
    }
  });

  it('is refused for fields that do not exist, or taken with a warning for each', () => {
    assert.throws(() => read({ 'howler.analytic': 'Probe', 'howler.nope': 1 }), {
      message: '[hit.howler]: object was created with invalid parameters: nope',
    });
    assert.deepEqual(read({ 'howler.analytic': 'Probe', nope: { deep: 1 } }, 'warn').warnings, [
      'nope.deep is not currently used by howler.',
    ]);
  });

  it('warns of names that do not read well', () => {
    assert.equal(read({ 'howler.analytic': 'Bad-Name 2', 'howler.detection': 'd_1' }).warnings.length, 2);
  });

  it('gets no property by a reserved key', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const input = JSON.parse(`{"howler.analytic": "Probe", "${key}": {"polluted": true}}`);
      assert.throws(() => read(input), { kind: 'invalid_input' });
      assert.throws(() => read(JSON.parse(`{"howler": {"analytic": "Probe", "${key}": {"polluted": true}}}`)), {
        kind: 'invalid_input',
      });
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });
});

const readEvent = (input: unknown, unknown?: 'refuse' | 'warn') =>
  readNewEvent(input, { classification, now, unknown });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a new event', () => {
  it('gets an identifier of its own and the times that are missing', () => {
    const { record: event } = readEvent({
      'howler.id': 'mine',
      event: { id: 'mine', created: '2025-01-05T10:00:00Z' },
    });
    assert.notEqual(event.howler.id, 'mine');
    assert.equal(event.event?.id, event.howler.id);
    assert.equal(event.event?.created, '2025-01-05T10:00:00.000000Z');
    assert.equal(event.timestamp, '2026-03-01T10:20:30.456000Z');
    assert.deepEqual(readEvent({}).record.event?.created, '2026-03-01T10:20:30.456000Z');
  });

  it('is hashed by its raw records alone, unless the sender did it', () => {
    assert.equal(readEvent({ message: 'a' }).record.howler.hash, sha256('{"raw_data": {}}'));
    assert.equal(
      readEvent({ howler: { data: ['é', { b: 1 }] } }).record.howler.hash,
      sha256('{"raw_data": ["\\u00e9", {"b": 1}]}'),
    );
    assert.equal(readEvent({ 'howler.hash': 'ab12' }).record.howler.hash, 'ab12');
  });

  it('keeps raw records as text', () => {
    assert.deepEqual(readEvent({ 'howler.data': ['text', { a: [1] }] }).record.howler.data, ['text', '{"a": [1]}']);
  });

  it('is refused with fields that there are not, or takes them for a warning', () => {
    assert.throws(() => readEvent({ nope: 1 }), {
      code: 'invalid_document',
      message: '[event]: object was created with invalid parameters: nope',
    });
    assert.throws(() => readEvent({ 'howler.analytic': 'x' }), { code: 'invalid_document' });
    const { record: event, warnings } = readEvent({ nope: 1, message: 'm' }, 'warn');
    assert.deepEqual(warnings, ['nope is not currently used by howler.']);
    assert.equal(event.message, 'm');
  });

  it('is an object', () => {
    for (const input of [null, 5, 'x', []]) assert.throws(() => readEvent(input), { code: 'invalid_document' });
  });
});

describe('pythonJson', () => {
  it('separates with a space and keeps the order of keys', () => {
    assert.equal(pythonJson({ b: 1, a: [1, 2, true, null] }), '{"b": 1, "a": [1, 2, true, null]}');
  });

  it('sorts keys at every depth when asked', () => {
    assert.equal(pythonJson({ b: { d: 1, c: 2 }, a: {} }, { sortKeys: true }), '{"a": {}, "b": {"c": 2, "d": 1}}');
  });

  it('sorts keys by code point, not by UTF-16 unit', () => {
    assert.equal(
      pythonJson({ '\u{1F600}': 1, '\uFF5E': 2 }, { sortKeys: true }),
      '{"\\uff5e": 2, "\\ud83d\\ude00": 1}',
    );
  });

  it('escapes everything outside ASCII, and DEL not', () => {
    assert.equal(pythonJson('é "\\\n\u0001\u007f漢😀'), '"\\u00e9 \\"\\\\\\n\\u0001\u007f\\u6f22\\ud83d\\ude00"');
  });

  it('writes numbers as Python does', () => {
    assert.deepEqual(
      [1, -0.5, 1e15, 0.0001, 0.00001, 1.5e-7, 123456.789].map((value) => pythonJson(value)),
      ['1', '-0.5', '1000000000000000', '0.0001', '1e-05', '1.5e-07', '123456.789'],
    );
  });
});
