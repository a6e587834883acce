import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enforcedClassification as engine } from '../../testing/analysis/enforced-classification.ts';
import { aHeuristic, aResult, aSection, aSha256, resultKey } from '../../testing/analysis/result-builders.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import type { ResultContent } from '../result-views/result-content.ts';
import { reportView } from './report-view.ts';
import { summarise } from './submission-summary.ts';
import { summaryView } from './summary-view.ts';

const green = new ClearedReader(engine, 'TLP:GREEN');
const amber = new ClearedReader(engine, 'TLP:AMBER');
const verdicts = { info: 0, suspicious: 300, highly_suspicious: 700, malicious: 1000 };
const types = { attribution: ['attribution.family'], behavior: ['file.behavior'], ioc: ['network.static.domain'] };
const FILE = aSha256(1);

const summaryOf = (results: readonly ResultContent[], reader = green, classification = 'TLP:CLEAR') =>
  summarise(
    {
      isCompleted: true,
      files: new Map(results.map(({ sha256 }) => [sha256, { classification }])),
      results: new Map(results.map((result) => [resultKey(result), result])),
      lacksResults: false,
      verdicts,
    },
    reader,
  );
const viewOf = (results: readonly ResultContent[], reader = green) =>
  summaryView(summaryOf(results, reader), types, reader);

const evil = aSection({
  heuristic: {
    ...aHeuristic('MINI.1', 500),
    attack: [{ attack_id: 'T1027', pattern: 'Obfuscated', categories: ['defense-evasion'] }],
    signature: [{ name: 's1', frequency: 1, safe: false }],
  },
  tags: { network: { static: { domain: ['evil.example'] } }, file: { string: { extracted: ['not listed'] } } },
});
const secret = aSection({
  classification: 'TLP:AMBER',
  title_text: 'secret',
  heuristic: aHeuristic('SECRET.1', 2000),
  tags: { network: { static: { domain: ['secret.example', 'evil.example'] } } },
});

describe('the summary of a submission', () => {
  it('maps tags, heuristics, signatures and techniques to files and back', () => {
    const { map, tags, attack_matrix, heuristics, heuristic_name_map } = viewOf([aResult({ sections: [evil] })]);
    const keys = [
      'attack_pattern__T1027',
      'heuristic__MINI.1',
      'heuristic.signature__s1',
      'network.static.domain__evil.example',
    ];
    assert.deepEqual(map, { [FILE]: keys, ...Object.fromEntries(keys.map((key) => [key, [FILE]])) });
    assert.deepEqual(tags, {
      attribution: {},
      behavior: {},
      ioc: { 'network.static.domain': [['evil.example', 'suspicious', false, 'TLP:CLEAR']] },
    });
    assert.deepEqual(attack_matrix, { 'defense-evasion': [['T1027', 'Obfuscated', 'suspicious']] });
    assert.deepEqual(heuristics, { suspicious: [['MINI.1', 'Heuristic MINI.1']] });
    assert.deepEqual(heuristic_name_map, { 'Heuristic MINI.1': ['MINI.1'] });
  });

  it('leaves out what the reader may not see, and counts it nowhere', () => {
    const results = [aResult({ sections: [evil, secret] })];
    const seen = viewOf(results);
    assert.doesNotMatch(JSON.stringify(seen), /secret|SECRET/);
    assert.deepEqual([seen.filtered, seen.partial, seen.classification], [true, false, 'TLP:CLEAR']);
    assert.deepEqual(seen.tags.ioc['network.static.domain'], [['evil.example', 'suspicious', false, 'TLP:CLEAR']]);
    const all = viewOf(results, amber);
    assert.deepEqual([all.filtered, all.classification], [false, 'TLP:AMBER']);
    assert.deepEqual(all.tags.ioc['network.static.domain'], [
      ['secret.example', 'malicious', false, 'TLP:AMBER'],
      ['evil.example', 'malicious', false, 'TLP:AMBER'],
    ]);
    const nothing = summaryOf(results, green, 'TLP:AMBER');
    assert.deepEqual([nothing.filtered, nothing.tags, nothing.attack_matrix], [true, [], []]);
  });

  it('shows the worst of the heuristics that found a tag', () => {
    const tags = { network: { static: { domain: ['evil.example'] } } };
    const results = [
      aResult({ sections: [aSection({ tags })] }),
      aResult({ service: 'Other', sections: [aSection({ tags, heuristic: aHeuristic('OTHER.1', 1000) })] }),
    ];
    assert.deepEqual(viewOf(results).tags.ioc['network.static.domain'], [
      ['evil.example', 'malicious', false, 'TLP:CLEAR'],
    ]);
    const rows = viewOf(results).map['network.static.domain__evil.example'];
    assert.deepEqual(rows, [FILE], 'each file once');
  });

  it('keeps names that mean something on every object', () => {
    const heuristic = { ...aHeuristic('__proto__', 1), name: '__proto__' };
    const { heuristic_name_map, heuristic_sections } = viewOf([aResult({ sections: [aSection({ heuristic })] })]);
    assert.deepEqual(Object.keys(heuristic_name_map), ['__proto__']);
    assert.deepEqual(Object.keys(heuristic_sections), ['__proto__']);
  });
});

describe('the report of a submission', () => {
  it('names the files of tags, heuristics and techniques, without safelisted tags', () => {
    const safe = aSection({ safelisted_tags: { 'network.static.domain': ['triad.example'] } });
    const summary = summaryOf([aResult({ sections: [evil, safe] })]);
    const node = { name: ['a.txt'], type: '', sha256: FILE, size: 1, children: {}, truncated: false, score: 0 };
    const report = reportView({ summary, tree: { [FILE]: node }, types, submitted: aSha256(9), results: [] });
    const files = [['a.txt', FILE]];
    assert.deepEqual(report.heuristics, {
      ...{ malicious: {}, suspicious: { 'Heuristic MINI.1': files }, info: {}, safe: {} },
    });
    assert.deepEqual(report.attack_matrix, { 'defense-evasion': { Obfuscated: { h_type: 'suspicious', files } } });
    assert.deepEqual(report.tags, {
      indicators_of_compromise: { 'network.static.domain': { 'evil.example': { h_type: 'suspicious', files } } },
    });
    assert.deepEqual(report.important_files, [FILE]);
  });
});
