import { setImmediate } from 'node:timers/promises';
import { messageOf, Unavailable } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { IndexAdmin } from '../../port/index-admin.ts';
import type { TaskNotes } from '../../port/process-tasks.ts';
import type { DocumentStorage } from '../document-storage.ts';
import type { WriteItem } from '../documents/document-writer.ts';
import type { CatalogueIndex } from '../documents/index-catalogue.ts';

type Transform = NonNullable<NonNullable<Parameters<IndexAdmin['copy']>[2]>['transform']>;

interface IndexCopy {
  readonly storage: DocumentStorage;
  readonly from: CatalogueIndex;
  readonly to: CatalogueIndex;
}

const BATCH = 500;
/** Rows that are copied unchanged in one transaction. */
const UNCHANGED_ROWS = 2000;

/** Copies the documents of an index in order of insertion, which the copy therefore keeps. */
export async function copyIndex(copy: IndexCopy, transform: Transform | undefined, notes: TaskNotes): Promise<void> {
  const { storage, to } = copy;
  const isEmpty = storage.reader.lastKey(to.number) === 0;
  if (transform !== undefined || !isEmpty) return copyDocuments(copy, transform ?? ((document) => document), notes);
  await copyRows(copy, (copied) => {
    notes.created += copied;
    return pause(storage);
  });
}

/** Copies rows unchanged inside the database. `onStep` gets their number and the last of their keys. */
export async function copyRows(
  { storage, from, to }: IndexCopy,
  onStep: (copied: number, key: number) => void | Promise<void>,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const step: { copied: number; last: number | undefined } = await storage.write('copyRows', {
      source: from.number,
      target: to.number,
      after,
      rows: UNCHANGED_ROWS,
    });
    await onStep(step.copied, step.last ?? after);
    after = step.last;
  }
}

async function copyDocuments({ storage, from, to }: IndexCopy, transform: Transform, notes: TaskNotes): Promise<void> {
  for (let after = 0; ; ) {
    await pause(storage);
    const rows = storage.reader.between(from.number, after, Number.MAX_SAFE_INTEGER, BATCH);
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
    const items: WriteItem[] = [];
    for (const { id, json } of rows) {
      try {
        const document = transform(parseJson(json) as Record<string, unknown>);
        if (document !== undefined) items.push({ kind: 'save', id, json: JSON.stringify(document) });
      } catch (error) {
        notes.failures.push(`${id}: ${messageOf(error)}`);
      }
    }
    const results = await storage.write('items', to.name, items, { atomic: false, returnDocuments: false });
    for (const result of results) {
      if (result.ok) notes.created += 1;
      else notes.failures.push(`${result.id}: ${result.failure.message}`);
    }
  }
}

/** @throws Unavailable `datastore_unavailable`, when the datastore is being closed */
async function pause(storage: DocumentStorage): Promise<void> {
  await setImmediate();
  if (storage.isClosing)
    throw new Unavailable('datastore_unavailable', 'The datastore was closed before the copy ended.');
}
