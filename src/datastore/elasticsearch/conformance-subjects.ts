import { randomBytes } from 'node:crypto';
import { clearCluster } from '../../testing/servers/clear-cluster.ts';
import { type OutsideServerName, outsideServer } from '../../testing/servers/outside-servers.ts';
import type { DatastoreSubject } from '../conformance/index.ts';
import type { Datastore } from '../port/datastore.ts';
import { type ElasticsearchDatastoreOptions, openElasticsearchDatastore } from './elasticsearch-datastore.ts';

export interface Cluster {
  readonly name: string;
  readonly vendor: 'elasticsearch' | 'opensearch';
  readonly server: OutsideServerName;
}

/** Every server that the adapter is made for. */
export const CLUSTERS: readonly Cluster[] = [
  { name: 'OpenSearch', vendor: 'opensearch', server: 'opensearch' },
  { name: 'Elasticsearch 8', vendor: 'elasticsearch', server: 'elasticsearch8' },
  { name: 'Elasticsearch 9', vendor: 'elasticsearch', server: 'elasticsearch9' },
];

/** The adapter on every server. */
export function clusterSubjects(): readonly DatastoreSubject[] {
  return CLUSTERS.map(({ name, vendor, server }) => clusterSubject(name, vendor, server));
}

/** Every store has a prefix of its own; what bears it is deleted when the store is closed. */
export function clusterSubject(name: string, vendor: Cluster['vendor'], server: OutsideServerName): DatastoreSubject {
  const { url, unavailable } = outsideServer(server);
  /** Stores whose data is to outlive them. */
  const kept = new WeakSet<Datastore>();
  const open = async (given?: string): Promise<Datastore> => {
    const store = await openCluster({ vendor, url, ...(given === undefined ? {} : { prefix: given }) });
    const { prefix } = store.admin;
    const close = store.close.bind(store);
    let closed: Promise<void> | undefined;
    store.close = () => {
      closed ??= close().then(() => (kept.has(store) ? undefined : clearCluster(url, prefix)));
      return closed;
    };
    return store;
  };
  return {
    name,
    expectedCapabilities: { instantVisibility: false, serverSideLifecycle: false },
    // The servers that can be had as packages come without modules of lifecycles.
    withoutLifecycles: true,
    open: () => open(),
    reopen: async (store) => {
      kept.add(store);
      await store.close();
      return open(store.admin.prefix);
    },
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/** Two cores are shared by the servers and everything that is tested. */
const PATIENT = 60_000;

/** A store under a prefix that no other has, unless one is given. */
export function openCluster({
  vendor,
  url,
  ...options
}: { readonly vendor: Cluster['vendor']; readonly url: string } & Partial<
  Omit<ElasticsearchDatastoreOptions, 'vendor' | 'hosts'>
>): Promise<Datastore> {
  return openElasticsearchDatastore({
    prefix: `suite${randomBytes(6).toString('hex')}`,
    transportTimeout: PATIENT,
    ...options,
    vendor,
    hosts: [{ name: 'test', url }],
  });
}
