import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEMO_CLASSIFICATION } from '../../../classification/builtin-definitions.ts';
import { loadClassification } from '../../../classification/classification.ts';
import { hitDocument } from '../../../documents/kinds/hit.ts';
import { isTriadError } from '../../../errors/errors.ts';
import { OPERATIONS, readOperations, storeOperations, updateExplanation } from './update-requests.ts';

const classification = loadClassification(DEMO_CLASSIFICATION);
const translate = (...entries: readonly (readonly [string, string, unknown])[]) =>
  storeOperations(hitDocument, readOperations(entries), classification);
const refused = (code: string, message?: string) => (error: unknown) => {
  assert.ok(isTriadError(error) && error.kind === 'invalid_input', String(error));
  assert.equal(error.code, code);
  if (message !== undefined) assert.equal(error.message, message);
  return true;
};

describe('operations as they are sent', () => {
  it('are lists of three', () => {
    for (const input of [
      { a: 1 },
      'x',
      null,
      5,
      ['SET'],
      [['SET', 'message']],
      [['SET', 5, 'x']],
      [['SET', 'message', 1, 2]],
    ]) {
      assert.throws(() => readOperations(input), refused('invalid_operations'));
    }
  });

  it('have known names', () => {
    const message = 'Operation BOGUS not found in ESCollection.UPDATE_OPERATIONS';
    assert.throws(() => readOperations([['BOGUS', 'message', 'x']]), refused('unknown_operation', message));
    assert.throws(() => readOperations([[['SET'], 'message', 'x']]), refused('unknown_operation'));
  });

  it('are told in the log', () => {
    const requested = readOperations([
      ['APPEND', 'tags', 'hot'],
      ['SET', 'howler.reliability', null],
    ]);
    assert.equal(
      updateExplanation('ana', requested),
      'Hit updated by ana\n\n- `APPEND` - `tags` - `"hot"`\n- `SET` - `howler.reliability` - `null`',
    );
    assert.equal(updateExplanation('ana', []), 'Hit updated by ana\n\n');
  });
});

describe('operations as the datastore takes them', () => {
  it('carry values as their field keeps them', () => {
    assert.deepEqual(
      translate(
        ['SET', 'howler.score', '12.5'],
        ['SET', 'event.start', '2025-01-05'],
        ['SET', 'tags', ['a', 'b']],
        ['SET', 'labels.team', 'blue'],
        ['INC', 'howler.score', 2],
        ['DEC', 'howler.score', 5],
        ['MAX', 'howler.score', 20],
        ['MIN', 'event.start', '2025-01-05'],
        ['APPEND', 'tags', 'b'],
        ['APPEND_IF_MISSING', 'related.ip', '10.0.0.1'],
        ['REMOVE', 'tags', 'b'],
        ['DELETE', 'tags', 0],
        ['DELETE', 'labels', 'team'],
      ),
      [
        { op: 'set', path: 'howler.score', value: 12.5 },
        { op: 'set', path: 'event.start', value: '2025-01-05T00:00:00.000000Z' },
        { op: 'set', path: 'tags', value: ['a', 'b'] },
        { op: 'set', path: 'labels.team', value: 'blue' },
        { op: 'increment', path: 'howler.score', by: 2 },
        { op: 'increment', path: 'howler.score', by: -5 },
        { op: 'max', path: 'howler.score', value: 20 },
        { op: 'min', path: 'event.start', value: '2025-01-05T00:00:00.000000Z' },
        { op: 'append', path: 'tags', value: 'b' },
        { op: 'append_missing', path: 'related.ip', value: '10.0.0.1' },
        { op: 'remove', path: 'tags', value: 'b' },
        { op: 'remove_at', path: 'tags', key: 0 },
        { op: 'remove_at', path: 'labels', key: 'team' },
      ],
    );
  });

  it('take a field away by null, or give it its default', () => {
    assert.deepEqual(
      translate(
        ['SET', 'howler.reliability', null],
        ['SET', 'howler.escalation', null],
        ['SET', 'tags', null],
        ['SET', 'labels.team', null],
        ['SET', 'howler.outline', null],
      ),
      [
        { op: 'unset', path: 'howler.reliability' },
        { op: 'set', path: 'howler.escalation', value: 'hit' },
        { op: 'set', path: 'tags', value: [] },
        { op: 'unset', path: 'labels.team' },
        { op: 'unset', path: 'howler.outline' },
      ],
    );
    assert.throws(() => translate(['SET', 'howler.analytic', null]), refused('invalid_value'));
  });

  it('never touch who may see an alert, and which one it is', () => {
    for (const key of ['classification', '__access_lvl__', '__access_req__', 'howler.id', 'howler']) {
      const message = `Cannot modify protected field ${key} through bulk updates`;
      for (const operation of OPERATIONS) {
        assert.throws(() => translate([operation, key, 'x']), refused('protected_field', message));
      }
    }
  });

  it('need a field that exists and can be addressed', () => {
    for (const key of [
      'nope',
      'nope.key',
      'howler.nope',
      '',
      '.',
      'howler.',
      'howler.comment.value',
      'message.x',
      '__proto__',
      'id',
    ]) {
      assert.throws(() => translate(['SET', key, 1]), refused('unknown_field', `Invalid field for model: ${key}`));
    }
  });

  it('need values that fit the field', () => {
    const message = 'Invalid value for field howler.score: abc';
    assert.throws(() => translate(['SET', 'howler.score', 'abc']), refused('invalid_value', message));
    for (const entry of [
      ['SET', 'howler.escalation', 'weird'],
      ['SET', 'tags', 'one'],
      ['INC', 'howler.score', 'x'],
      ['INC', 'howler.score', null],
      ['APPEND', 'tags', null],
      ['APPEND', 'related.ip', 'nowhere'],
      ['DELETE', 'tags', -1],
      ['DELETE', 'tags', 'a'],
      ['DELETE', 'labels', 0],
      ['SET', 'labels.__proto__', 'x'],
      ['SET', 'labels.BAD KEY', 'x'],
      ['MAX', 'file.size', '99999999999999999999'],
    ] as const) {
      assert.throws(() => translate(entry), refused('invalid_value'), entry.join(' '));
    }
  });

  it('need to fit the kind of field', () => {
    for (const entry of [
      ['INC', 'message', 1],
      ['INC', 'tags', 1],
      ['APPEND', 'message', 'x'],
      ['REMOVE', 'howler.score', 1],
      ['MAX', 'tags', 'x'],
      ['MAX', 'process.interactive', true],
      ['MIN', 'howler.outline', {}],
      ['DELETE', 'message', 0],
    ] as const) {
      assert.throws(() => translate(entry), refused('operation_unfit'), entry.join(' '));
    }
  });

  it('are made or refused, never anything else, regardless of what is sent', () => {
    const path = fc.oneof(
      fc.constantFrom(...hitDocument.fields.map((field) => field.path)),
      fc.constantFrom('howler.outline', 'event', 'labels.k', 'labels.__proto__', 'howler.comment', 'constructor'),
      fc.string(),
    );
    const entry = fc.tuple(fc.constantFrom<string>(...OPERATIONS), path, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
        try {
          for (const operation of translate(...entries)) {
            assert.equal(typeof operation.path, 'string');
            assert.ok(!('value' in operation) || (operation.value !== null && operation.value !== undefined));
          }
        } catch (error) {
          assert.ok(isTriadError(error) && error.kind === 'invalid_input', String(error));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
