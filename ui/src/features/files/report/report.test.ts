import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readReport } from './report.ts';
import { fileItems, resultItems } from './report-items.ts';

const section = (title: string, depth: number, tags: readonly unknown[] = [], score = 0) => ({
  title_text: title,
  depth,
  body: 'text',
  body_format: 'TEXT',
  tags,
  heuristic: { name: 'H', score },
});
const result = (service: string, score: number, sections: readonly unknown[]) => ({
  sha256: 'aa',
  response: { service_name: service, service_version: '1' },
  result: { score, sections },
});

describe('readReport', () => {
  it('reads results, the worst first, and their tags once', () => {
    const tag = { type: 'network.static.ip', value: '192.0.2.1' };
    const report = readReport({
      sid: 's',
      max_score: 500,
      results: {
        'aa.A': result('A', 0, [section('one', 0, [tag])]),
        'aa.B': result('B', 500, [section('two', 0, [tag], 500)]),
      },
    });
    assert.deepEqual(
      report.results.map(({ service }) => service),
      ['B', 'A'],
    );
    assert.deepEqual(report.tags, [{ ...tag, score: 500, services: ['B', 'A'] }]);
  });
  it('reads a document of another shape as an empty one', () => {
    for (const odd of [undefined, null, 4, [], { results: [], file_tree: 'x', errors: 3, times: null }]) {
      const { results, files, errors, tags } = readReport(odd);
      assert.deepEqual([results, files, errors, tags], [[], [], [], []]);
    }
    const { sections } =
      readReport({ results: { key: { result: { sections: [null, { depth: -3, tags: [7] }] } } } }).results[0] ?? {};
    assert.equal(sections?.length, 2);
  });
  it('reads a tree of 20,000 levels', () => {
    let tree: object = {};
    for (let level = 0; level < 20_000; level += 1) tree = { [`f${level}`]: { children: tree, name: ['x'] } };
    assert.equal(readReport({ file_tree: tree }).files.length, 20_000);
  });
});

describe('the trees of a report', () => {
  it('leave members of closed branches out', () => {
    const { results } = readReport({
      results: { key: result('A', 0, [section('a', 0), section('b', 1), section('c', 2), section('d', 0)]) },
    });
    assert.equal(resultItems(results, new Map()).length, 5);
    const titles = resultItems(results, new Map([['key 0', false]])).map(({ data }) => data.section?.title);
    assert.deepEqual(titles, [undefined, 'a', 'd']);
    assert.equal(resultItems(results, new Map([['key', false]])).length, 1);
  });
  it('list 10,000 sections', () => {
    const sections = Array.from({ length: 10_000 }, (_, index) => section(`s${index}`, index % 7));
    const { results } = readReport({ results: { key: result('A', 0, sections) } });
    assert.equal(resultItems(results, new Map()).length, 10_001);
  });
  it('close files', () => {
    const { files } = readReport({
      file_tree: { aa: { name: ['a'], children: { bb: { name: ['b'], children: {} } } }, cc: { children: {} } },
    });
    assert.deepEqual(
      files.map(({ path }) => path),
      ['aa', 'aa/bb', 'cc'],
    );
    assert.deepEqual(
      fileItems(files, new Map([['aa', false]])).map(({ id }) => id),
      ['aa', 'cc'],
    );
  });
});
