import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../config/config.ts';
import { readLists } from '../enrichment/lists/configured-lists.ts';
import { updateList } from '../enrichment/lists/updating/update-list.ts';
import { listFolder } from '../testing/enrichment/open-lists.ts';
import { demoConfig } from './demo-config.ts';

describe('the configuration of the demo', () => {
  it('has a list of indicators, all of which are understood', async (context) => {
    const config = configWith({ data_folder: listFolder(context).folder });
    const [list, ...others] = readLists(demoConfig(config, 'all', true), undefined);
    assert.deepEqual(others, []);
    assert.ok(list);
    const outcome = await updateList(list, { signal: new AbortController().signal });
    assert.deepEqual(outcome, { kind: 'updated', entries: 32, leftOut: 0 });
  });

  it('leaves configured lists, and has none without a folder or without alerts', () => {
    const own = configWith({ 'enrichment.lists': [{ name: 'mine', path: 'list.txt' }] });
    assert.equal(demoConfig(own, 'all', true), own);
    for (const [kind, hasFolder] of [
      ['all', false],
      ['users', true],
      [undefined, true],
    ] as const) {
      assert.deepEqual(demoConfig(configWith({}), kind, hasFolder).enrichment.lists, []);
    }
  });
});

function configWith(flags: Readonly<Record<string, unknown>>) {
  return loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname }, flags });
}
