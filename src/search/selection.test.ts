import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hitDocument } from '../documents/kinds/hit.ts';
import { compileSelection } from './selection.ts';

const deadline = { timeout: 1_000, signal: new AbortController().signal };
const compile = (query: string, filters: readonly string[]) =>
  compileSelection(hitDocument, { query, filters, deadline });

describe('compileSelection', () => {
  it('compiles a query and its filters, without blank ones', () => {
    assert.equal(compile('howler.status:open', ['', 'howler.id:a', ' ']).filters.length, 1);
  });
  it('refuses a query with the position in it', () => {
    assert.throws(() => compile('a AND', ['howler.id:a']), { code: 'invalid_query', at: 5 });
  });
  it('refuses a filter with its index among those that were given', () => {
    assert.throws(() => compile('*:*', ['howler.id:a', '', 'event.severity:high']), {
      code: 'invalid_query',
      at: 'filters.2',
    });
    assert.throws(() => compile('*:*', ['('.repeat(300)]), { code: 'query_too_complex', at: 'filters.0' });
  });
});
