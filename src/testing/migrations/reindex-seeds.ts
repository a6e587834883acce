import type { Datastore } from '../../datastore/port/datastore.ts';
import type { StoredDocument } from '../../documents/schema/collection-definition.ts';
import { version2Definition } from './version-2-definitions.ts';

type Kind = 'view' | 'analytic' | 'hit';
const BULK = 1000;

/** Document number `n` of a kind, as version 2.12.0 of the public system stored it. */
export function version2Document(kind: Kind, n: number): { readonly id: string; readonly document: StoredDocument } {
  const id = `${kind}-${String(n).padStart(7, '0')}`;
  return { id, document: DOCUMENTS[kind](id, n) };
}

/** Above 2^31, where an integer ends, from the third of three documents on. */
export function version2Bytes(n: number): number {
  return n % 3 === 2 ? 2 ** 31 + n : n;
}

const DOCUMENTS: Readonly<Record<Kind, (id: string, n: number) => StoredDocument>> = {
  view: (id, n) => ({ view_id: id, title: `View Of Team ${n}`, query: 'howler.id:*', type: 'global', owner: 'none' }),
  analytic: (id, n) => ({
    analytic_id: id,
    name: `Bad Guy Finder ${n}`,
    detections: [`Impossible Travel ${n}`],
    contributors: [],
    owner: 'anna',
  }),
  hit: (id, n) => ({
    howler: {
      id,
      analytic: 'Bad Guy Finder',
      hash: String(n).padStart(64, '0'),
      outline: {
        threat: `10.0.0.${n % 256}`,
        target: `Host ${n}`,
        indicators: [`evil-${n}.example`],
        summary: 'It is bad',
      },
      labels: { generic: ['Needs Review'] },
      status: 'open',
    },
    source: { bytes: version2Bytes(n) },
    destination: { bytes: version2Bytes(n + 1) },
    event: { created: new Date(1_700_000_000_000 + n * 1000).toISOString() },
  }),
};

/** Stores documents under the mapping of version 2.12.0, behind the alias of the kind. */
export async function seedVersion2(datastore: Datastore, kind: Kind, count: number): Promise<void> {
  const collection = datastore.collection(version2Definition(kind));
  for (let from = 0; from < count; from += BULK) {
    const items = Array.from({ length: Math.min(BULK, count - from) }, (_, at) => ({
      kind: 'save' as const,
      ...version2Document(kind, from + at),
    }));
    for (const result of await collection.bulk(items, { visible: 'now' })) {
      if (!result.ok) throw new Error(`${result.id}: ${result.message}`);
    }
  }
}
