import { randomBytes } from 'node:crypto';
import { type OutsideServerName, outsideServer } from '../../testing/outside-servers.ts';
import type { DatastoreSubject } from '../conformance/index.ts';
import type { Datastore } from '../datastore.ts';
import { SILENT } from '../datastore-logger.ts';
import { openElasticsearchDatastore } from './elasticsearch-datastore.ts';
import { openSearchEngine } from './search-engine-client.ts';

type Vendor = 'elasticsearch' | 'opensearch';

/** The adapter on every server that it is made for. */
export function clusterSubjects(): readonly DatastoreSubject[] {
  return [
    clusterSubject('OpenSearch', 'opensearch', 'opensearch'),
    clusterSubject('Elasticsearch 8', 'elasticsearch', 'elasticsearch8'),
    clusterSubject('Elasticsearch 9', 'elasticsearch', 'elasticsearch9'),
  ];
}

/** Every store has a prefix of its own; what bears it is deleted when the store is closed. */
export function clusterSubject(name: string, vendor: Vendor, server: OutsideServerName): DatastoreSubject {
  const { url, unavailable } = outsideServer(server);
  const open = async (prefix: string): Promise<Datastore> => {
    const store = await openElasticsearchDatastore({
      vendor,
      hosts: [{ name: 'test', url }],
      prefix,
      // Two cores are shared by the servers and everything that is tested.
      transportTimeout: 60_000,
      taskPollInterval: 20,
    });
    return store;
  };
  /** Stores whose data is to outlive them. */
  const kept = new WeakSet<Datastore>();
  const cleaned = (store: Datastore, prefix: string): Datastore => {
    const close = store.close.bind(store);
    let closed: Promise<void> | undefined;
    store.close = () => {
      closed ??= close().then(() => (kept.has(store) ? undefined : removeAll(vendor, url, prefix)));
      return closed;
    };
    return store;
  };
  return {
    name,
    expectedCapabilities: { eql: false, instantVisibility: false, serverSideLifecycle: false },
    // The servers that can be had as packages come without modules of lifecycles.
    withoutLifecycles: true,
    open: async () => {
      const prefix = `suite${randomBytes(6).toString('hex')}`;
      return cleaned(await open(prefix), prefix);
    },
    reopen: async (store) => {
      const { prefix } = store.admin;
      kept.add(store);
      await store.close();
      return cleaned(await open(prefix), prefix);
    },
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/** Deletes every index and template of the prefix. */
async function removeAll(vendor: Vendor, url: string, prefix: string): Promise<void> {
  const hosts = [{ name: 'test', url }];
  const engine = await openSearchEngine({ vendor, hosts, transportTimeout: 60_000, logger: SILENT });
  const { body } = await engine.request<Record<string, unknown>>({
    method: 'GET',
    path: `/${prefix}-*/_alias`,
    accept: [404],
  });
  const names = Object.keys(body).filter((name) => name.startsWith(`${prefix}-`));
  for (const name of names) {
    await engine.request({ method: 'DELETE', path: `/${encodeURIComponent(name)}`, accept: [404] });
  }
  await engine.request({ method: 'DELETE', path: `/_index_template/${prefix}-*`, accept: [404] });
  await engine.close();
}
