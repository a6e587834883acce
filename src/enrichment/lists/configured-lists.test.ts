import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEnrichment } from '../../testing/open-enrichment.ts';

describe('the settings of lists', () => {
  it('are rejected with their place', async (context) => {
    const refused: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
      [{ name: 'a' }, /enrichment\.lists\[0\]\.path: a list needs a path or a url/],
      [{ name: 'a', path: 'x', url: 'http://x' }, /enrichment\.lists\[0\]\.path: .* not both/],
      [{ name: 'a', path: 'x', format: 'taxii' }, /enrichment\.lists\[0\]\.url: the format taxii needs a url/],
      [{ name: 'a', path: 'x', classification: 'nonsense' }, /enrichment\.lists\[0\]\.classification: nonsense/],
      [{ name: '../a', path: 'x' }, /enrichment\.lists\[0\]\.name/],
      [{ name: 'a', path: 'x', interval: 'often' }, /enrichment\.lists\[0\]\.interval/],
    ];
    for (const [list, message] of refused) {
      const flags = { 'enrichment.own_sources': 'lists', 'enrichment.lists': [list] };
      await assert.rejects(openEnrichment(context, flags), message);
    }
    const twice = [
      { name: 'a', path: 'x' },
      { name: 'A', path: 'y' },
    ];
    const flags = { 'enrichment.own_sources': 'lists', 'enrichment.lists': twice };
    await assert.rejects(openEnrichment(context, flags), /enrichment\.lists\[1\]\.name: there are two lists "A"/);
  });
});
