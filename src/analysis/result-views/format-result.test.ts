import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { enforcedClassification as engine } from '../../testing/analysis/enforced-classification.ts';
import { aHeuristic, aResult, aResultFile, aSection, aSha256 } from '../../testing/analysis/result-builders.ts';
import { BRANCHES } from '../../testing/branches-classification.ts';
import { ClearedReader } from './cleared-reader.ts';
import { emptyResult } from './empty-result.ts';
import { formatResult, sectionTree } from './format-result.ts';

const green = new ClearedReader(engine, 'TLP:GREEN');
const amber = new ClearedReader(engine, 'TLP:AMBER');

describe('formatting a result', () => {
  it('is refused to a reader who may not see the file', () => {
    assert.equal(formatResult(aResult(), 'TLP:AMBER', green), undefined);
    assert.notEqual(formatResult(aResult(), 'TLP:AMBER', amber), undefined);
  });

  it('replaces hidden sections with one notice, and leaves their score out', () => {
    const sections = [
      aSection({ classification: 'TLP:AMBER', heuristic: aHeuristic('SECRET.1', 500), title_text: 'secret' }),
      aSection({ heuristic: aHeuristic('OPEN.1', 20) }),
      aSection({ classification: 'TLP:AMBER+STRICT', title_text: 'secret too' }),
    ];
    const shown = formatResult(aResult({ sections, classification: 'TLP:AMBER+STRICT' }), 'TLP:CLEAR', green);
    assert.equal(shown?.result.score, 20);
    assert.deepEqual(
      shown?.result.sections.map(({ title_text }) => title_text),
      ['WARNING: Service sections have been sanitized', 'title'],
    );
    assert.equal(shown?.classification, 'TLP:CLEAR');
    assert.doesNotMatch(JSON.stringify(shown), /secret|SECRET/);
    const all = formatResult(aResult({ sections, score: 519 }), 'TLP:CLEAR', new ClearedReader(engine, 'TLP:A+S//CMR'));
    assert.equal(all?.result.score, 519, 'the stored score, of a reader who sees all');
    assert.equal(all?.result.sections.length, 3);
    assert.equal(all?.classification, 'TLP:AMBER+STRICT');
  });

  it('raises sections to the classification of the file', () => {
    const shown = formatResult(aResult({ sections: [aSection()] }), 'TLP:GREEN', green);
    assert.equal(shown?.result.sections[0]?.classification, 'TLP:GREEN');
    assert.equal(shown?.classification, 'TLP:GREEN');
  });

  it('hides a section that has no reader in common with the file, and one with an invalid classification', () => {
    const branches = loadClassification(BRANCHES);
    const reader = new ClearedReader(branches, 'L2//REL TO A, B');
    const sections = [aSection({ classification: 'L0//REL TO B' }), aSection({ classification: 'NONSENSE' })];
    const shown = formatResult(aResult({ sections, classification: 'L0' }), 'L0//REL TO A', reader);
    assert.equal(shown?.result.sections.length, 1);
    assert.match(shown?.result.sections[0]?.title_text ?? '', /^WARNING/);
  });

  it('leaves out extracted and supplementary files above the reader, and what the service said of the whole', () => {
    const open = aResultFile({ sha256: aSha256(2) });
    const secret = aResultFile({ sha256: aSha256(3), classification: 'TLP:AMBER' });
    const result = aResult({ extracted: [open, secret], supplementary: [secret], classification: 'TLP:AMBER' });
    const told = {
      ...result,
      response: { ...result.response, service_context: 'secret', service_debug_info: 'secret' },
    };
    const { response } = formatResult(told, 'TLP:CLEAR', green) ?? assert.fail();
    assert.deepEqual([response.extracted, response.supplementary], [[open], []]);
    assert.deepEqual([response.service_context, response.service_debug_info], [null, null]);
    assert.equal(formatResult(told, 'TLP:CLEAR', amber)?.response.service_context, 'secret');
  });

  it('reads JSON bodies by their format, and leaves what is not JSON', () => {
    const body = (body_format: string, text: string) =>
      formatResult(aResult({ sections: [aSection({ body_format, body: text })] }), 'TLP:CLEAR', green)?.result
        .sections[0]?.body;
    assert.deepEqual(body('KEY_VALUE', '{"a":1}'), { a: 1 });
    assert.deepEqual(body('TABLE', '[{"a":1}]'), [{ a: 1 }]);
    assert.equal(body('TEXT', '{"a":1}'), '{"a":1}');
    assert.equal(body('MEMORY_DUMP', '{"a":1}'), '{"a":1}');
    assert.equal(body('JSON', '{'), '{');
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    assert.equal(body('JSON', deep), deep);
    assert.deepEqual(body('JSON', '12345678901234567890'), 12345678901234567890n);
  });

  it('lists tags, the safelisted ones last', () => {
    const section = aSection({
      tags: { network: { static: { ip: ['192.0.2.1'], domain: undefined }, port: [80] } },
      safelisted_tags: { 'network.static.domain': ['triad.example'] },
    });
    const [shown] = formatResult(aResult({ sections: [section] }), 'TLP:CLEAR', green)?.result.sections ?? [];
    assert.deepEqual(shown?.tags, [
      { safelisted: false, type: 'network.static.ip', short_type: 'ip', value: '192.0.2.1' },
      { safelisted: false, type: 'network.port', short_type: 'port', value: 80 },
      { safelisted: true, type: 'network.static.domain', short_type: 'domain', value: 'triad.example' },
    ]);
  });

  it('never changes what is stored', () => {
    const sections = [aSection({ classification: 'TLP:AMBER' }), aSection({ tags: { file: { name: ['x'] } } })];
    const stored = aResult({ sections });
    const before = structuredClone(stored);
    formatResult(stored, 'TLP:GREEN', green, { hierarchy: true });
    assert.deepEqual(stored, before);
  });
});

describe('the tree of sections', () => {
  const treeOf = (...depths: number[]) => sectionTree(depths.map((depth) => ({ depth })));

  it('follows their depths', () => {
    assert.deepEqual(treeOf(0, 1, 2, 1, 0), [
      {
        id: 0,
        children: [
          { id: 1, children: [{ id: 2, children: [] }] },
          { id: 3, children: [] },
        ],
      },
      { id: 4, children: [] },
    ]);
    assert.deepEqual(treeOf(), []);
  });

  it('is missing where a depth skips a level', () => {
    for (const depths of [[1], [0, 2], [0, -1], [0, 1, 0, 2]]) assert.equal(treeOf(...depths), undefined);
  });
});

describe('empty results', () => {
  const options = { now: new Date('2026-01-01T00:00:00Z'), days: 5, unrestricted: 'TLP:CLEAR' };

  it('are made from their key', () => {
    const result = emptyResult(`${aSha256(1)}.Mini.v4_7.c0.e`, options);
    assert.equal(result?.expiry_ts, '2026-01-06T00:00:00.000000Z');
    assert.deepEqual(
      [result?.response.service_name, result?.response.service_version, result?.result.score],
      ['Mini', '4_7', 0],
    );
  });

  it('are not made from other strings', () => {
    for (const key of ['nope.e', '.e', `${aSha256(1)}.e`, `${aSha256(1)}.Mini.v4.c0`, `${aSha256(1)}.Mini.4.c0.e`]) {
      assert.equal(emptyResult(key, options), undefined, key);
    }
  });
});
