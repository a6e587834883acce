import { isTriadError } from '../../../errors/errors.ts';
import type { Version } from '../../port/versions.ts';
import { alreadyExists, isGeneration, readVersion, versionConflict } from '../../port/versions.ts';
import type { IndexContext } from '../collection-context.ts';
import { type SendOptions, sendWrites } from './bulk-sender.ts';
import { type FoundDocument, placesOf } from './document-reading.ts';
import type { EngineWrite, EngineWriteOutcome } from './engine-writes.ts';

export type Target = Pick<EngineWrite, 'index' | 'condition'>;

/** Returns whether a document must be located before it is written without a version. */
export async function hasSeveralIndices({ indices }: Pick<IndexContext, 'indices'>): Promise<boolean> {
  return (await indices()).length > 1;
}

/** Returns the target for an unconditional write of a document that was found. */
export async function placeOf(context: IndexContext, { index }: Pick<FoundDocument, 'index'>): Promise<Target> {
  // The only index is written by the alias: it may have moved on to a copy of it under another name.
  const named = isGeneration(index) || (await hasSeveralIndices(context));
  return { index: named ? index : undefined };
}

/** Returns the target on the condition that the document has not changed. */
export async function targetOf(context: IndexContext, found: FoundDocument): Promise<Target> {
  return { ...(await placeOf(context, found)), condition: { seq: found.seq, term: found.term } };
}

/** Throws `version_conflict` for an index outside the collection: made-up versions lead nowhere else. */
export async function targetOfVersion(context: IndexContext, id: string, version: Version): Promise<Target> {
  const { alias, indices } = context;
  const { index, seq, term } = readVersion(version, alias);
  // The server would refuse everything that is sent together with it.
  if (!isEngineNumber(seq, 0n) || !isEngineNumber(term, 1n)) throw versionConflict(alias, id, version, null);
  const isMeant = (name: string): boolean => (isGeneration(name) ? name === index : index === undefined);
  const meant = (await indices()).find(isMeant) ?? (await indices({ fresh: true })).find(isMeant);
  if (meant === undefined) throw versionConflict(alias, id, version, null);
  return { ...(await placeOf(context, { index: meant })), condition: { seq, term } };
}

/**
 * Sends writes as `sendWrites`, and keeps documents from lying in two indices behind the alias.
 * With one index all go by the alias, without a look-up. If the answer names another index, a rollover came between, and
 * documents that lie in the earlier index are put right.
 */
export async function sendPlaced(
  context: IndexContext,
  writes: readonly EngineWrite[],
  options: SendOptions = {},
): Promise<readonly (EngineWriteOutcome | undefined)[]> {
  const [expected] = await context.indices();
  const outcomes = [...(await sendWrites(context, writes, options))];
  const strays = writes.flatMap((write, at) => {
    const outcome = outcomes[at];
    const stray = write.index === undefined && outcome?.ok && outcome.index !== expected;
    return stray ? [{ at, write, landed: outcome }] : [];
  });
  if (strays.length === 0) return outcomes;
  try {
    const earlier = await context.indices({ fresh: true });
    const ids = strays.map(({ write }) => write.id);
    const places = Map.groupBy(await placesOf(context, ids, earlier), ({ id }) => id);
    for (const { at, write, landed } of strays) {
      const before = places.get(write.id)?.find(({ index }) => index !== landed.index);
      if (before) outcomes[at] = await putRight(context, write, landed, before);
    }
  } catch (error) {
    if (!isTriadError(error)) throw error;
    // No one knows whether they lie where they should.
    for (const { at } of strays) outcomes[at] = { ok: false, error, uncertain: true };
  }
  return outcomes;
}

/** Writes the document in the earlier index where it lies, and removes the one of the new index. */
async function putRight(
  context: IndexContext,
  write: EngineWrite,
  landed: Extract<EngineWriteOutcome, { ok: true }>,
  before: FoundDocument,
): Promise<EngineWriteOutcome> {
  const { index, seq, term } = landed;
  if (write.action !== 'delete') {
    const [removed] = await sendWrites(context, [{ id: write.id, index, action: 'delete', condition: { seq, term } }]);
    // It lies in both.
    if (removed?.ok === false) return { ...removed, uncertain: true };
  }
  if (write.action === 'create') return { ok: false, error: alreadyExists(context.alias, write.id) };
  const [outcome] = await sendWrites(context, [{ ...write, index: before.index }]);
  return outcome ?? landed;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Returns whether the server produces the number in this notation. */
function isEngineNumber(digits: string, least: bigint): boolean {
  const number = BigInt(digits);
  return number >= least && number <= MAX_INT64 && String(number) === digits;
}
