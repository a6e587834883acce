import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enforcedClassification as engine } from '../../testing/analysis/enforced-classification.ts';
import {
  aHeuristic,
  aResult,
  aResultFile,
  aSection,
  aSha256,
  resultKey,
} from '../../testing/analysis/result-builders.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import type { ResultContent } from '../result-views/result-content.ts';
import { buildFileTree, type TreeInput, treeNodes } from './file-tree.ts';

const green = new ClearedReader(engine, 'TLP:GREEN');
const [ROOT, ONE, TWO] = [aSha256(1), aSha256(2), aSha256(3)];

const aFile = (sha256: string, classification = 'TLP:CLEAR') => ({
  sha256,
  classification,
  type: 'text/plain',
  size: 1,
});
const input = (
  files: TreeInput['files'],
  results: readonly ResultContent[],
  more: Partial<TreeInput> = {},
): TreeInput => ({
  roots: [{ name: 'root.zip', sha256: ROOT }],
  isCompleted: true,
  files,
  results: new Map(results.map((result) => [resultKey(result), result])),
  lacksResults: false,
  maxDepth: 6,
  everyParent: false,
  ...more,
});
const filesOf = (...files: ReturnType<typeof aFile>[]) => new Map(files.map((file) => [file.sha256, file]));
const extracts = (sha256: string, ...children: (string | [string, string])[]) =>
  aResult({
    sha256,
    extracted: children.map((child) => {
      const [hash, name] = typeof child === 'string' ? [child, 'child'] : child;
      return aResultFile({ sha256: hash, name });
    }),
  });

describe('the file tree', () => {
  it('lists files below the files they come from, with names, types and scores', () => {
    const results = [
      extracts(ROOT, [ONE, 'a.txt'], [TWO, 'b.txt']),
      aResult({ sha256: ONE, sections: [aSection({ heuristic: aHeuristic('A.1', 100) })] }),
      aResult({ sha256: ONE, service: 'Other', score: 20 }),
    ];
    const { tree, partial, filtered } = buildFileTree(
      input(filesOf(aFile(ROOT), aFile(ONE), aFile(TWO)), results),
      green,
    );
    assert.deepEqual(tree[ROOT]?.name, ['root.zip']);
    assert.deepEqual(Object.keys(tree[ROOT]?.children ?? {}), [ONE, TWO]);
    assert.deepEqual(tree[ROOT]?.children[ONE], {
      ...{ name: ['a.txt'], type: 'text/plain', sha256: ONE, size: 1, children: {}, truncated: false, score: 120 },
    });
    assert.deepEqual([partial, filtered], [false, false]);
  });

  it('lists every file once unless each parent is asked for', () => {
    const files = filesOf(aFile(ROOT), aFile(ONE), aFile(TWO));
    const results = [extracts(ROOT, ONE, TWO), extracts(ONE, TWO)];
    const once = buildFileTree(input(files, results), green).tree[ROOT]?.children[ONE];
    assert.deepEqual([once?.truncated, Object.keys(once?.children ?? {})], [false, [TWO]]);
    assert.equal(buildFileTree(input(files, results), green).tree[ROOT]?.truncated, true);
    const full = buildFileTree(input(files, results, { everyParent: true }), green).tree[ROOT];
    assert.deepEqual([full?.truncated, Object.keys(full?.children ?? {})], [false, [ONE, TWO]]);
  });

  it('ends where files contain themselves, and where too many are repeated', () => {
    const loop = buildFileTree(input(filesOf(aFile(ROOT)), [extracts(ROOT, ROOT)]), green);
    assert.deepEqual(loop.tree[ROOT]?.children, {});
    const hashes = Array.from({ length: 40 }, (_, index) => aSha256(100 + index));
    const files = filesOf(aFile(ROOT), ...hashes.map((hash) => aFile(hash)));
    const results = [ROOT, ...hashes].map((hash) => extracts(hash, ...hashes));
    const { tree } = buildFileTree(input(files, results, { everyParent: true }), green);
    assert.ok([...treeNodes(tree)].length < 21_000);
  });

  it('ends at the deepest level', () => {
    const hashes = [ROOT, ...Array.from({ length: 9 }, (_, index) => aSha256(100 + index))];
    const results = hashes.slice(0, -1).map((hash, index) => extracts(hash, hashes[index + 1] ?? ''));
    const { tree } = buildFileTree(input(filesOf(...hashes.map((hash) => aFile(hash))), results), green);
    assert.equal([...treeNodes(tree)].length, 7);
  });

  it('leaves out what the reader may not see, and says so', () => {
    const hidden = { sha256: TWO, name: 'secret', classification: 'TLP:AMBER' };
    const files = filesOf(aFile(ROOT), aFile(ONE, 'TLP:AMBER'), aFile(TWO));
    const sections = [
      aSection({ heuristic: aHeuristic('A.1', 100) }),
      aSection({ classification: 'TLP:AMBER', heuristic: aHeuristic('A.2', 900) }),
    ];
    const result = aResult({
      sections,
      extracted: [aResultFile({ sha256: ONE, name: 'secret' }), aResultFile(hidden)],
    });
    const { tree, ...seen } = buildFileTree(input(files, [result]), green);
    assert.deepEqual(tree[ROOT]?.children, {});
    assert.equal(tree[ROOT]?.score, 100, 'hidden sections do not count');
    assert.deepEqual(seen, { classification: 'TLP:CLEAR', filtered: true, partial: true, supplementary: [] });
    const all = buildFileTree(input(files, [result]), new ClearedReader(engine, 'TLP:AMBER'));
    assert.deepEqual([all.filtered, all.classification, all.tree[ROOT]?.score], [false, 'TLP:AMBER', 1000]);
    assert.deepEqual(Object.keys(all.tree[ROOT]?.children ?? {}), [ONE, TWO]);
  });

  it('is partial while the submission runs, and when something is missing', () => {
    const files = filesOf(aFile(ROOT));
    assert.equal(buildFileTree(input(files, [], { isCompleted: false }), green).partial, true);
    assert.equal(buildFileTree(input(files, [], { lacksResults: true }), green).partial, true);
    assert.equal(buildFileTree(input(files, [extracts(ROOT, ONE)]), green).partial, true);
    assert.equal(buildFileTree(input(new Map(), []), green).partial, true);
    assert.equal(buildFileTree(input(files, []), green).partial, false);
  });
});
