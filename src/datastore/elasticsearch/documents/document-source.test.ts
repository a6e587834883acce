import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../json/lossless-json.ts';
import { changedText, documentOf, sourceText } from './document-source.ts';

describe('documents as a cluster stores them', () => {
  it('carry their identifier beside everything that was saved, and come back without it', () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 8 });
    fc.assert(
      fc.property(fc.string(), document, (id, given) => {
        const { id: _own, ...saved } = parseJson(JSON.stringify(given)) as Record<string, unknown>;
        const text = sourceText(id, given);
        assert.equal(JSON.parse(text).id, id);
        assert.deepEqual(documentOf(parseJson(text) as Record<string, unknown>), saved);
      }),
    );
  });

  it('keep integers beyond 2^53 through a change', () => {
    const found = {
      id: 'a',
      source: parseJson('{"a":9007199254740993,"b":[{"c":-9223372036854775808}],"n":1,"id":"a"}'),
    };
    const text = changedText(found as { id: string; source: Record<string, unknown> }, [
      { op: 'increment', path: 'n', by: 1 },
      { op: 'max', path: 'a', value: 5 },
    ]);
    assert.equal(text, '{"a":9007199254740993,"b":[{"c":-9223372036854775808}],"n":2,"id":"a"}');
    assert.deepEqual(documentOf(parseJson(text) as Record<string, unknown>), {
      a: 9007199254740993n,
      b: [{ c: -(2n ** 63n) }],
      n: 2,
    });
  });

  it('say when nothing changes', () => {
    assert.equal(changedText({ id: 'a', source: { id: 'a', n: 1 } }, [{ op: 'set', path: 'n', value: 1 }]), undefined);
  });

  it('leave the values of an update to its caller, however often they are applied', () => {
    const operations = [
      { op: 'set', path: 'owner', value: { names: ['x'] } },
      { op: 'append', path: 'owner.names', value: 'y' },
    ] as const;
    for (let round = 0; round < 2; round += 1) {
      const text = changedText({ id: 'a', source: {} }, operations);
      assert.equal(text, '{"owner":{"names":["x","y"]},"id":"a"}');
    }
    assert.deepEqual(operations[0].value, { names: ['x'] });
  });
});
