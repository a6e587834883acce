import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Alert } from '../alert.ts';
import type { BulkDependencies } from './bulk-dependencies.ts';
import { BulkRun } from './bulk-run.ts';

/** More alerts than a search reaches by offsets. */
const COUNT = 10_500;
const PAGE = 500;

const rowOf = (id: string) =>
  ({ howler: { id, analytic: 'Large', status: 'open', assignment: 'unassigned', escalation: 'hit' } }) as Alert;

/** Returns a service that has open alerts and does what it is asked. */
function service(count: number) {
  const changed: string[] = [];
  const idsOf = (query: string) => [...query.matchAll(/"([^"]+)"/g)].map(([, id]) => id ?? '');
  const api = {
    async *pages() {
      for (let start = 0; start < count; start += PAGE) {
        yield Array.from({ length: Math.min(PAGE, count - start) }, (_, index) => rowOf(`id${start + index}`));
      }
    },
    rows: async (query: string) => idsOf(query).map(rowOf),
    execute: async ({ query }: { readonly query: string }) => {
      changed.push(...idsOf(query));
      return { transition: [{ query, outcome: 'success', title: '', message: '' }] };
    },
  };
  const copies = { predict: () => undefined, expire: () => undefined };
  const capabilities = { me: 'ana', offered: {}, roles: ['admin'] };
  const onProgress = () => () => undefined;
  return { changed, dependencies: { api, copies, capabilities, onProgress } as unknown as BulkDependencies };
}

it('changes all alerts of a search, however many match', async () => {
  const { changed, dependencies } = service(COUNT);
  const run = new BulkRun(COUNT, dependencies);
  const { processed, total, failures, undo } = await run.change(
    { kind: 'take' },
    { query: 'howler.analytic:Large', filters: [], total: COUNT },
  );
  assert.deepEqual([processed, total, failures.length], [COUNT, COUNT, 0]);
  assert.equal(new Set(changed).size, COUNT);
  assert.equal(undo.length, COUNT);
});

it('counts the alerts that a cancel left alone', async () => {
  const { changed, dependencies } = service(250);
  const run = new BulkRun(250, dependencies);
  run.state.subscribe(() => {
    if (run.state.read().processed > 0) run.cancel();
  });
  const { processed, cancelled, phase } = await run.change({ kind: 'take' }, { query: '*:*', filters: [], total: 250 });
  assert.deepEqual([processed, cancelled, phase, changed.length], [100, 150, 'done', 100]);
});
