import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import { reindex } from '../../migrations/reindex/reindex.ts';

/**
 * A reindex that is killed after so many calls that change something:
 * `node run-killed-reindex.ts FOLDER CALLS`.
 */
const READS: ReadonlySet<string> = new Set(['exists', 'list', 'scan', 'task', 'freeBytes', 'phases']);
const [folder = '', calls = ''] = process.argv.slice(2);
const datastore = await openEmbeddedDatastore({ folder, prefix: 'kill' });
let left = Number(calls);
const admin = new Proxy(datastore.admin, {
  get(target, name: keyof IndexAdmin) {
    const method: unknown = target[name];
    if (typeof method !== 'function' || READS.has(name)) {
      return typeof method === 'function' ? method.bind(target) : method;
    }
    return async (...args: unknown[]) => {
      const result = await method.apply(target, args);
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return result;
    };
  },
});
await reindex({
  datastore: {
    capabilities: datastore.capabilities,
    admin,
    collection: (definition) => datastore.collection(definition),
    searchAcross: (...args) => datastore.searchAcross(...args),
    health: () => datastore.health(),
    close: () => datastore.close(),
  },
  kind: 'view',
  signal: new AbortController().signal,
  report: { note: () => {}, progress: () => {} },
  times: { pollEvery: 10, settle: 20, longestEnd: 20_000 },
  // The signs of life would be counted too.
  lockTimes: { renewEvery: 600_000, patience: 300, lookEvery: 20 },
});
await datastore.close();
