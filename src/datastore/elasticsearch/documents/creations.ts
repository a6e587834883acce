import { setTimeout as sleep } from 'node:timers/promises';
import { isConflict, isTriadError, Unavailable } from '../../../errors/errors.ts';
import type { NewDocument } from '../../port/collection.ts';
import { alreadyExists } from '../../port/versions.ts';
import type { IndexContext } from '../collection-context.ts';
import { hasSeveralIndices, sendPlaced } from './document-placement.ts';
import { readDocuments } from './document-reading.ts';
import { newText, sourceText } from './document-source.ts';
import type { EngineWrite, EngineWriteOutcome } from './engine-writes.ts';

/** Share of the transport timeout for taking back, so that callers wait no longer for a lost engine. */
const TAKE_BACK_SHARE = 0.25;

/**
 * Stores new documents, all or none, on servers without transactions; returns the written indices.
 * docs/decisions/0010-visible-writes-and-atomic-bulks-on-search-engines.md says what that can mean. Throws the error of
 * the first refused document, or Unavailable `partly_applied` when the stored ones could not be taken back.
 */
export async function createAll(
  context: IndexContext,
  documents: readonly NewDocument<unknown>[],
): Promise<ReadonlySet<string>> {
  const { alias, limits } = context;
  const writes = documents.map(({ id, document }): EngineWrite => {
    return { id, action: 'create', index: undefined, source: newText(alias, id, document) };
  });
  await rejectKnown(context, documents);
  const patience = limits.transportTimeout * (1 - TAKE_BACK_SHARE);
  const outcomes = await sendPlaced(context, writes, { stopAtFailure: true, patience });
  const refused = outcomes.find((outcome) => outcome?.ok === false);
  if (refused?.ok === false) {
    await takeBack(context, writes, outcomes);
    throw refused.error;
  }
  return new Set(outcomes.flatMap((outcome) => (outcome?.ok ? [outcome.index] : [])));
}

/** Refuses what the server may not see: a document that comes twice, or exists in an earlier index. */
async function rejectKnown(context: IndexContext, documents: readonly NewDocument<unknown>[]): Promise<void> {
  const ids = new Set<string>();
  for (const { id } of documents) {
    if (ids.has(id)) throw alreadyExists(context.alias, id);
    ids.add(id);
  }
  if (!(await hasSeveralIndices(context))) return;
  const found = (await readDocuments(context, [...ids], { source: false })).find((document) => document !== undefined);
  if (found) throw alreadyExists(context.alias, found.id);
}

/** Deletes what was stored, unless others have changed it since: then they have built on it. */
async function takeBack(
  context: IndexContext,
  writes: readonly EngineWrite[],
  outcomes: readonly (EngineWriteOutcome | undefined)[],
): Promise<void> {
  const patience = context.limits.transportTimeout * TAKE_BACK_SHARE;
  const late = sleep(patience, undefined, { ref: false }).then(() => {
    throw new Unavailable('datastore_unavailable', 'the search engine gave no answer in time');
  });
  try {
    await Promise.race([deleteStored(context, writes, outcomes, patience), late]);
  } catch (error) {
    if (!isTriadError(error)) throw error;
    const message = `${context.alias}: ${writes.length} documents were not stored together, and those that were could not be taken back (${error.message}). Look which of them are there before it is repeated.`;
    throw new Unavailable('partly_applied', message, {
      cause: error,
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    });
  }
}

async function deleteStored(
  context: IndexContext,
  writes: readonly EngineWrite[],
  outcomes: readonly (EngineWriteOutcome | undefined)[],
  patience: number,
): Promise<void> {
  const unheard = writes.filter((_, at) => {
    const outcome = outcomes[at];
    return outcome?.ok === false && outcome.uncertain;
  });
  const found = await readDocuments(
    context,
    unheard.map(({ id }) => id),
    { timeout: patience },
  );
  const stored = [
    ...writes.flatMap(({ id }, at) => (outcomes[at]?.ok ? [{ id, ...outcomes[at] }] : [])),
    // Writes whose answer was lost, and which were carried out all the same.
    ...unheard.flatMap(({ source }, at) => {
      const now = found[at];
      return now && sourceText(now.id, now.source) === source ? [now] : [];
    }),
  ];
  const deletions = stored.map(({ id, index, seq, term }): EngineWrite => {
    return { id, index, action: 'delete', condition: { seq, term } };
  });
  for (const outcome of await sendPlaced(context, deletions, { patience })) {
    if (outcome?.ok === false && !isConflict(outcome.error)) throw outcome.error;
  }
}
