import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SEARCH_INDEXES, type SearchFields, searchableIndexes } from './search-indexes.ts';

const RECORDINGS = new URL('../../../test/golden/analysis/', import.meta.url);

describe('the fields of the indexes', () => {
  it('are those of the public system', () => {
    for (const [file, step] of [
      ['auth-whoami.json', 2],
      ['auth-whoami-variant.json', 1],
    ] as const) {
      for (const [name, fields] of Object.entries(recordedIndexes(file, step))) {
        // Scores of signatures are fields once a service has brought heuristics with them.
        const ours = Object.entries(SEARCH_INDEXES[name]?.fields ?? {});
        const theirs = Object.entries(fields).filter(([path]) => !path.startsWith('signature_score_map.'));
        assert.deepEqual(Object.fromEntries(ours.map(undescribed)), Object.fromEntries(theirs.map(undescribed)), name);
      }
    }
  });

  it('are described, each of them', () => {
    for (const { fields } of Object.values(SEARCH_INDEXES)) {
      for (const [path, { description }] of Object.entries(fields)) assert.match(description, /^[A-Z].*\.$/, path);
    }
  });

  it('are offered to those who may search the index', () => {
    assert.deepEqual(searchableIndexes(new Set(['submission_view', 'alert_manage'])), ['file', 'result', 'submission']);
    assert.deepEqual(searchableIndexes(new Set(['administration'])), ['apikey', 'emptyresult', 'error', 'user']);
    assert.deepEqual(searchableIndexes(new Set()), []);
  });

  it('come in alphabetical order', () => {
    for (const { fields } of Object.values(SEARCH_INDEXES)) {
      assert.deepEqual(Object.keys(fields), Object.keys(fields).sort());
    }
  });
});

function recordedIndexes(file: string, step: number): Readonly<Record<string, SearchFields>> {
  const { steps } = JSON.parse(readFileSync(new URL(file, RECORDINGS), 'utf8'));
  return steps[step].response.body.api_response.indexes;
}

function undescribed([path, { description: _prose, ...field }]: [string, SearchFields[string]]) {
  return [path, field] as const;
}
