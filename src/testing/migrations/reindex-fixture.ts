import assert from 'node:assert/strict';
import type { DatastoreSubject } from '../../datastore/conformance/subject.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import type { IndexAdmin } from '../../datastore/port/index-admin.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { planReindex } from '../../migrations/reindex/index-states.ts';
import { REINDEX_DEFINITIONS, type ReindexOptions } from '../../migrations/reindex/reindex.ts';
import type { ReindexKind } from '../../migrations/reindex/reindex-context.ts';
import { withMethods } from '../with-methods.ts';
import { seedVersion2, version2Document } from './reindex-seeds.ts';

const EVERYTHING = unrestricted('the test looks at its own documents');
/** Default number of documents of an index. */
export const DOCUMENTS = 60;

export interface ReindexSubject extends DatastoreSubject {
  /**
   * Makes the index of a kind as version 2 did, where the datastore itself would refuse what that index
   * took.
   */
  readonly prepare?: (store: Datastore, kind: ReindexKind) => Promise<void>;
  /** Runs are cut off after every so many calls. Default 1: before and after each; 0: not at all. */
  readonly cutOffEvery?: number;
}

/** A store with an index of version 2. */
export async function openSeeded(subject: ReindexSubject, kind: ReindexKind, count = DOCUMENTS): Promise<Datastore> {
  const store = await subject.open();
  await subject.prepare?.(store, kind);
  await seedVersion2(store, kind, count);
  return store;
}

/** Documents that a query in Lucene text finds. */
export function countOf(store: Datastore, kind: ReindexKind, query: string): Promise<number> {
  const definition = REINDEX_DEFINITIONS[kind];
  return store.collection(definition).count({ query: compileQuery(query, definition) }, EVERYTHING);
}

/** Asserts the final state of every reindex. */
export async function assertReindexed(store: Datastore, kind: ReindexKind, count = DOCUMENTS): Promise<void> {
  const { admin } = store;
  const alias = `${admin.prefix}-${kind}`;
  const indices = (await admin.list(`${admin.prefix}-*`)).filter(({ name }) => name.includes(kind));
  const shown = indices.map(({ name, documents, writeBlocked, aliases }) => [
    name,
    { documents, writeBlocked, aliases: aliases.map((one) => one.name) },
  ]);
  assert.deepEqual(Object.fromEntries(shown), {
    [`${admin.prefix}-before-3.0.0-${kind}_hot`]: { documents: count, writeBlocked: true, aliases: [] },
    [`${alias}_hot`]: { documents: count, writeBlocked: false, aliases: [alias] },
  });
  assert.equal((await planReindex(admin, kind)).isDone, true);
  const documents = (await Array.fromAsync(admin.scan(`${alias}_hot`, {}))).flat();
  assert.deepEqual(
    documents.map(({ id, document }) => ({ id, document })),
    Array.from({ length: count }, (_, n) => version2Document(kind, n)),
  );
}

export function optionsFor(datastore: Datastore, kind: ReindexKind): ReindexOptions {
  return {
    datastore,
    kind,
    signal: new AbortController().signal,
    report: reportTo([]),
    times: { pollEvery: 10, settle: 20, longestEnd: 20_000 },
    lockTimes: { renewEvery: 100, patience: 300, lookEvery: 20 },
  };
}

export function reportTo(notes: string[]): ReindexOptions['report'] {
  return { note: (message) => notes.push(message), progress: () => {} };
}

/** Refuses some documents, as a server does that cannot map them. */
export function withRefusals(admin: IndexAdmin, bad: ReadonlySet<string>): IndexAdmin {
  return withMethods(admin, {
    copy: (source, target, options) =>
      admin.copy(source, target, {
        transform(document) {
          const { id } = document.howler as { id: string };
          if (bad.has(id)) throw new Error('refused by the new mapping');
          return options?.transform ? options.transform(document) : document;
        },
      }),
  });
}

export async function indicesOf(admin: IndexAdmin): Promise<unknown> {
  const indices = await admin.list(`${admin.prefix}-*`);
  return indices.map(({ name, aliases, documents, writeBlocked }) => ({ name, aliases, documents, writeBlocked }));
}
