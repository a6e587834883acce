import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { readActionResult, readActionSpec } from './action.ts';
import { readFetcherDefinition, readFetcherResult } from './fetcher.ts';
import type { ModelReading } from './model-reading.ts';

const engine = loadClassification(DEFAULT_CLASSIFICATION.replace('enforce: false', 'enforce: true'));
const context = { engine, languages: ['en', 'fr'] };
const SPEC = {
  id: 'note',
  name: 'Note',
  classification: 'TLP:CLEAR',
  supported_types: ['ipv4'],
  params: { $defs: {} },
};
const LABELS = ['en', 'fr'].map((language) => ({ language, label: 'a' }));

describe('readActionSpec', () => {
  it('fills in defaults', () => {
    const reading = readActionSpec({ ...SPEC, summary: null, supported_types: ['ipv4', 'ipv4'] }, context);
    assert.deepEqual(reading, { ok: { ...SPEC, accept_empty: false, accept_multiple: false, extra_schema: {} } });
  });

  it('names what is wrong', () => {
    const given = { ...SPEC, id: 'Note', classification: 'WHAT', supported_types: 'ipv4', params: null };
    assert.deepEqual(placesOf(readActionSpec(given, context)), ['id', 'classification', 'supported_types', 'params']);
  });
});

describe('readActionResult', () => {
  const read = (result: object) => readActionResult({ outcome: 'success', ...result }, context);

  it('takes every format, JSON also as text', () => {
    assert.equal(outputOf(read({ format: 'markdown', output: 'https://a.b' })), 'https://a.b');
    assert.equal(outputOf(read({ format: 'pivot', output: 'https://a.b/?q=x y' })), 'https://a.b/?q=x%20y');
    assert.deepEqual(outputOf(read({ format: 'json', output: '{"a": [1, null]}' })), { a: [1, null] });
    assert.deepEqual(outputOf(read({ format: 'my-own', output: { any: [1] } })), { any: [1] });
    assert.ok(outputOf(read({ format: 'status', output: { labels: LABELS } })));
    assert.ok(outputOf(read({ format: 'graph', output: { id: 'g', data: [[{ id: 'n' }]] } })));
    assert.ok(outputOf(read({ format: 'image', output: { image: 'https://a.b/i.png', alt: 'i' } })));
  });

  it('takes a failure without more', () => {
    assert.deepEqual(readActionResult({ outcome: 'failure' }, context), { ok: { outcome: 'failure' } });
  });

  const refused: readonly object[] = [
    { outcome: 'perhaps' },
    { summary: 'no format' },
    { format: 'markdown', output: { a: 1 } },
    { format: 'markdown', outcome: 'failure' },
    { format: 'pivot', output: 'not a url' },
    { format: 'pivot', output: 'javascript:alert(1)' },
    { format: 'json', output: 'not json' },
    { format: 'markdown', output: 'x', link: 'nope' },
  ];
  for (const result of refused) {
    it(`refuses ${JSON.stringify(result)}`, () => assert.ok('problems' in read(result)));
  }
});

describe('readFetcherDefinition', () => {
  const DEFINITION = { id: 'page', classification: 'TLP:CLEAR', description: 'D.', supported_types: ['domain'] };

  it('takes the formats that this program knows', () => {
    const given = { ...DEFINITION, format: 'graph', extra_data: { k: [1, null] } };
    assert.deepEqual(readFetcherDefinition(given, context), { ok: given });
    assert.deepEqual(placesOf(readFetcherDefinition({ ...given, format: 'html' }, context)), ['format']);
  });
});

describe('readFetcherResult', () => {
  const read = (result: object) => readFetcherResult({ outcome: 'success', format: 'markdown', ...result }, context);

  it('reads graphs with defaults and keys in either case', () => {
    const data = {
      id: 'g',
      data: [[{ id: 'a', edges: ['b'], extra_key: 1 }]],
      metadata: { display: { visualization: { config: { text_color: 'red', xSpacing: 3, y_spacing: 5 } } } },
    };
    const reading = read({ format: 'graph', data });
    assert.ok('ok' in reading);
    const graph = reading.ok.data as {
      readonly data: unknown;
      readonly metadata: { readonly display: { readonly visualization: { readonly config: object } } };
    };
    assert.deepEqual(graph.data, [[{ id: 'a', edges: ['b'], icons: [], extra_key: 1 }]]);
    const { config } = graph.metadata.display.visualization;
    assert.partialDeepStrictEqual(config, { textColor: 'red', xSpacing: 3, rowStep: 10, belowPrevious: false });
    assert.equal(Object.keys(config).length, 18);
  });

  const refused: readonly object[] = [
    {},
    { data: 'x', error: 'y' },
    { outcome: 'failure', error: 'y' },
    { outcome: 'failure', format: 'error' },
    { outcome: 'failure', format: 'error', error: 'y', data: 'x' },
    { data: { a: 1 } },
    { format: 'graph', data: { id: 'g' } },
    { format: 'graph', data: { id: 'g', data: [], unknown: 1 } },
    { format: 'status', data: { labels: LABELS.slice(1) } },
    { format: 'status', data: { labels: LABELS, color: '#fff' } },
    { format: 'image', data: { image: 'https://a.b' } },
    { format: 'image', data: { image: 'javascript:alert(1)', alt: 'x' } },
  ];
  for (const result of refused) {
    it(`refuses ${JSON.stringify(result).slice(0, 90)}`, () => assert.ok('problems' in read(result)));
  }

  it('takes data of formats that it does not know', () => {
    assert.ok('ok' in read({ format: 'my-own', data: { a: 1 } }));
    assert.ok('ok' in read({ outcome: 'failure', format: 'error', error: 'no such page' }));
    assert.ok('ok' in read({ format: 'status', data: { empty: true } }));
  });
});

function outputOf(reading: ReturnType<typeof readActionResult>): unknown {
  assert.ok('ok' in reading, JSON.stringify(reading));
  return reading.ok.output;
}

function placesOf(reading: ModelReading<unknown>): readonly string[] {
  return 'problems' in reading ? reading.problems.map(({ at }) => at) : [];
}
