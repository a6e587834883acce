import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { readAnnotation } from './annotation.ts';
import { describeProblems, type ModelReading } from './model-reading.ts';
import {
  accessibleItems,
  passBulkEntry,
  passItems,
  readBulkEntry,
  readQueryEntry,
  readSingleAnswer,
} from './query-result.ts';

const engine = loadClassification(DEFAULT_CLASSIFICATION.replace('enforce: false', 'enforce: true'));
const context = { engine };
const TIME = '2024-03-04T05:06:07Z';
const ANNOTATION = { analytic: 'A', type: 'context', value: 'x', confidence: 0.8, summary: 'S.', timestamp: TIME };

describe('readAnnotation', () => {
  const read = (changes: object) => readAnnotation({ ...ANNOTATION, ...changes });

  it('fills in defaults and drops null and unknown fields', () => {
    const reading = read({ severity: null, link: null, icon: null, colour: 'red' });
    assert.deepEqual(reading, { ok: { ...ANNOTATION, quantity: 1, ubiquitous: false } });
  });

  it('computes priority, from the reliability of an author, unless it is given', () => {
    const priorityOf = (changes: object) => okOf(read(changes)).priority;
    assert.equal(priorityOf({ confidence: 0.9, severity: 0.8 }), 0.7041115933509086);
    assert.equal(priorityOf({ analytic: undefined, author: 'Ann', severity: 0.25 }), 0.25);
    assert.equal(okOf(read({ analytic: null, author: 'Ann' })).reliability, 1);
    assert.equal(priorityOf({ severity: 0.5, priority: 42.5 }), 42.5);
    assert.equal(priorityOf({ severity: 0 }), undefined);
  });

  it('truncates frequencies', () => {
    const frequencyOf = (value: unknown) => okOf(read({ type: 'frequency', value })).value;
    assert.deepEqual([frequencyOf('100'), frequencyOf(1.1), frequencyOf(-2.9)], [100, 1, -2]);
  });

  it('dates an annotation without a time', () => {
    const { timestamp = '' } = okOf(read({ timestamp: undefined }));
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  });

  const refused: readonly (readonly [changes: object, places: readonly string[]])[] = [
    [{ summary: undefined }, ['summary']],
    [{ type: 'opinion', value: 'evil' }, ['']],
    [{ type: 'assessment', value: 'perhaps' }, ['']],
    [{ type: 'mitigation', value: 'blocked' }, ['']],
    [{ type: 'owner' }, ['type']],
    [{ type: 'frequency', value: 'often' }, ['']],
    [{ value: 5 }, ['']],
    [{ value: null }, ['value']],
    [{ author: 'b' }, ['']],
    [{ analytic: undefined }, ['']],
    [{ confidence: 1.5, severity: -0.1 }, ['confidence', 'severity']],
    [{ type: 'opinion', value: 'benign', icon: 'mdi:x' }, ['']],
    [{ icon: 'mdi' }, ['']],
    [{ analytic_icon: 'a:b:c' }, ['']],
    [{ timestamp: '2024-02-30T00:00:00Z' }, ['timestamp']],
    [{ link: 'javascript:alert(1)' }, ['link']],
    [{ ubiquitous: null, quantity: 1.5 }, ['quantity', 'ubiquitous']],
  ];
  for (const [changes, places] of refused) {
    it(`refuses ${JSON.stringify(changes)}`, () => assert.deepEqual(placesOf(read(changes)), places));
  }
});

describe('readQueryEntry', () => {
  it('fills in defaults, normalises addresses and keeps what is inside raw data', () => {
    assert.deepEqual(readQueryEntry({}, context), { ok: { classification: 'TLP:CLEAR', count: 1, annotations: [] } });
    const given = { classification: 'TLP:G', link: 'http://a.b', raw_data: { nothing: null }, shade: 1, count: '3' };
    assert.deepEqual(readQueryEntry(given, context), {
      ok: { classification: 'TLP:G', count: 3, link: 'http://a.b/', annotations: [], raw_data: { nothing: null } },
    });
    assert.equal(okOf(readQueryEntry({ classification: 'tlp:amber' }, context)).classification, 'tlp:amber');
    assert.deepEqual(readQueryEntry({ link: null, raw_data: null }, context), readQueryEntry({}, context));
  });

  it('takes the lowest classification of a definition that knows no TLP:CLEAR', () => {
    const demo = loadClassification(DEMO_CLASSIFICATION);
    assert.equal(okOf(readQueryEntry({}, { engine: demo })).classification, 'UNRESTRICTED');
  });

  it('names every wrong field', () => {
    const given = { classification: 'TLP:PURPLE', count: 'many', link: 'not a link', annotations: null };
    assert.deepEqual(placesOf(readQueryEntry(given, context)), ['classification', 'count', 'link', 'annotations']);
  });
});

describe('answers of sources', () => {
  const bad = { annotations: [{ ...ANNOTATION, confidence: 2 }] };

  it('names the first wrong entry of a single answer by the place below it', () => {
    assert.deepEqual(placesOf(readSingleAnswer([{}, bad], context)), ['annotations.[0].confidence']);
    assert.deepEqual(readSingleAnswer(null, context), { ok: [] });
    assert.deepEqual(readSingleAnswer({}, context), readSingleAnswer([{}], context));
  });

  it('names the wrong items of a bulk entry by their number', () => {
    assert.deepEqual(placesOf(readBulkEntry({ items: [{}, bad] }, context)), ['items.[1].annotations.[0].confidence']);
    assert.deepEqual(placesOf(readBulkEntry(5, context)), ['']);
    assert.deepEqual(placesOf(readBulkEntry({ items: null, maintainer: 'nobody' }, context)), ['items', 'maintainer']);
  });

  it('lets a bulk entry name itself otherwise, but not its latency', () => {
    const names = { source: 'other', maintainer: 'Other One <other@a.example>', error: 'failed' };
    assert.deepEqual(readBulkEntry({ ...names, latency: 1 }, context), { ok: { ...names, items: [] } });
  });

  it('passes what a production source sends as it is', () => {
    const odd = { annotations: [{ type: 'any', value: null }], classification: null, more: true };
    assert.deepEqual(passBulkEntry({ items: [odd, 5], latency: 3, source: 7 }), { ok: { items: [odd] } });
    assert.deepEqual(placesOf(passBulkEntry([])), ['']);
    assert.deepEqual(passItems(odd), [odd]);
  });

  it('collects a bounded number of problems', () => {
    const items = Array.from({ length: 10_000 }, () => bad);
    const reading = readBulkEntry({ items }, context);
    assert.ok('problems' in reading && reading.problems.length <= 50);
    assert.match(describeProblems(reading.problems), /^"items\.\[0\].*, and more$/s);
  });
});

describe('accessibleItems', () => {
  it('keeps what the clearance covers, and no item with an unknown classification', () => {
    const items = ['TLP:C', 'tlp:amber', null, undefined, 'TLP:PURPLE', 7].map((classification) => ({
      classification,
    }));
    const seen = (clearance: string) => accessibleItems(items, clearance, engine).map((item) => item.classification);
    assert.deepEqual(seen('TLP:CLEAR'), ['TLP:C', null, undefined]);
    assert.deepEqual(seen('TLP:AMBER'), ['TLP:C', 'tlp:amber', null, undefined]);
  });

  it('keeps everything while the definition is not enforced', () => {
    const items = [{ classification: 'TLP:PURPLE' }, { classification: 7 }];
    assert.equal(accessibleItems(items, 'TLP:CLEAR', loadClassification()), items);
  });
});

function okOf<T>(reading: ModelReading<T>): T {
  assert.ok('ok' in reading, 'problems' in reading ? describeProblems(reading.problems) : '');
  return reading.ok;
}

function placesOf(reading: ModelReading<unknown>): readonly string[] {
  return 'problems' in reading ? reading.problems.map(({ at }) => at) : [];
}
