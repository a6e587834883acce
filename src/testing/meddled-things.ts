import { randomBytes } from 'node:crypto';
import { EVERYTHING, thingDefinition } from '../datastore/conformance/things.ts';
import { openElasticsearchDatastore } from '../datastore/elasticsearch/elasticsearch-datastore.ts';
import type { Collection } from '../datastore/port/collection.ts';
import type { StoredDocument } from '../documents/schema/collection-definition.ts';
import { clearCluster } from './servers/clear-cluster.ts';
import { type Meddling, type PassedRequest, startMeddlingProxy } from './servers/meddling-proxy.ts';
import { outsideServer } from './servers/outside-servers.ts';

export type Things = Collection<StoredDocument>;
export type Meddle = (request: PassedRequest, direct: () => Things, round: number) => Promise<Meddling>;

/**
 * Applies `meddling` to the first bulk request of each round, after running `before` without the
 * proxy.
 */
export function firstBulk(
  meddling: Meddling,
  before: (direct: Things) => Promise<unknown> = async () => undefined,
): Meddle {
  let done = -1;
  return async ({ url }, direct, round) => {
    if (!url.startsWith('/_bulk') || done === round) return 'pass';
    done = round;
    await before(direct());
    return meddling;
  };
}

/** Loses the answer of the first bulk request, and lets another write before the second. */
export function secondBulk(before: (direct: Things) => Promise<unknown>): Meddle {
  let bulks = 0;
  return async ({ url }, direct) => {
    if (!url.startsWith('/_bulk')) return 'pass';
    bulks += 1;
    if (bulks === 1) return 'lose';
    if (bulks === 2) await before(direct());
    return 'pass';
  };
}

export interface MeddledThingsOptions {
  readonly meddle: Meddle;
  readonly requestBatchSize?: number;
  /** Milliseconds. Default 2000. */
  readonly timeout?: number;
}

/** Opens the same collection of a real server twice: through a proxy, and directly. */
export async function openMeddledThings({ meddle, requestBatchSize = 500, timeout = 2000 }: MeddledThingsOptions) {
  const { url } = outsideServer('opensearch');
  const prefix = `faults${randomBytes(6).toString('hex')}`;
  const definition = thingDefinition();
  const alias = `${prefix}-${definition.name}`;
  const openAt = (address: string, transportTimeout: number) =>
    openElasticsearchDatastore({
      vendor: 'opensearch',
      hosts: [{ name: 'test', url: address }],
      prefix,
      transportTimeout,
      requestBatchSize,
    });
  const store = await openAt(url, 30_000);
  const direct = store.collection(definition);
  await direct.get('none', EVERYTHING);
  let round = 0;
  const proxy = await startMeddlingProxy(url, (request) => meddle(request, () => direct, round));
  const meddled = await openAt(proxy.url, timeout);
  return {
    alias,
    admin: store.admin,
    meddledAdmin: meddled.admin,
    direct,
    things: meddled.collection(definition),
    passed: proxy.passed,
    /** Nothing is there any more at the address of the engine. */
    leave: () => proxy[Symbol.asyncDispose](),
    meddleAgain() {
      round += 1;
    },
    async [Symbol.asyncDispose]() {
      await meddled.close();
      await proxy[Symbol.asyncDispose]();
      await store.close();
      await clearCluster(url, prefix);
    },
  };
}
