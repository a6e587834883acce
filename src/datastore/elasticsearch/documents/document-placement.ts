import { isTriadError } from '../../../errors/errors.ts';
import type { Version } from '../../port/versions.ts';
import { alreadyExists, isGeneration, readVersion, versionConflict } from '../../port/versions.ts';
import type { CollectionContext } from '../collection-context.ts';
import type { BulkSender, SendOptions } from './bulk-sender.ts';
import type { DocumentReading, FoundDocument } from './document-reading.ts';
import type { EngineWrite, EngineWriteOutcome } from './engine-writes.ts';

/** The index and the condition of a write. */
export type Target = Pick<EngineWrite, 'index' | 'condition'>;

/**
 * Knows in which index behind the alias a document is written, so that none comes to lie in two.
 *
 * As long as there is one index all writes go by the alias, without asking where the document lies. New documents always do. The answer says
 * which index it was: another than expected means that a rollover came in between, and then it is looked whether the document lies in an
 * earlier index after all.
 */
export class DocumentPlacement {
  readonly #context: Pick<CollectionContext<unknown>, 'alias' | 'indices'>;
  readonly #reading: DocumentReading;
  readonly #sender: BulkSender;

  constructor(
    context: Pick<CollectionContext<unknown>, 'alias' | 'indices'>,
    reading: DocumentReading,
    sender: BulkSender,
  ) {
    this.#context = context;
    this.#reading = reading;
    this.#sender = sender;
  }

  /** Returns whether a document must be located before it is written without a version. */
  async hasSeveralIndices(): Promise<boolean> {
    return (await this.#context.indices()).length > 1;
  }

  /** Returns the target for an unconditional write of a document that was found. */
  async placeOf({ index }: Pick<FoundDocument, 'index'>): Promise<Target> {
    // The only index is written by the alias: it may have moved on to a copy of it under another name.
    const named = isGeneration(index) || (await this.hasSeveralIndices());
    return { index: named ? index : undefined };
  }

  /** Returns the target on the condition that the document has not changed. */
  async targetOf(found: FoundDocument): Promise<Target> {
    return { ...(await this.placeOf(found)), condition: { seq: found.seq, term: found.term } };
  }

  /**
   * @throws InvalidInput `invalid_version`;
   * Conflict `version_conflict`, when the version is of an index that is none of this collection: callers write nowhere
   * else by making up a version
   */
  async targetOfVersion(id: string, version: Version): Promise<Target> {
    const { alias, indices } = this.#context;
    const { index, seq, term } = readVersion(version, alias);
    // The server would refuse everything that is sent together with it.
    if (!isEngineNumber(seq, 0n) || !isEngineNumber(term, 1n)) throw versionConflict(alias, id, version, null);
    const isMeant = (name: string): boolean => (isGeneration(name) ? name === index : index === undefined);
    const meant = (await indices()).find(isMeant) ?? (await indices({ fresh: true })).find(isMeant);
    if (meant === undefined) throw versionConflict(alias, id, version, null);
    return { ...(await this.placeOf({ index: meant })), condition: { seq, term } };
  }

  /** Sends like `BulkSender.send` and corrects documents that a rollover directed to the wrong index. */
  async send(
    writes: readonly EngineWrite[],
    options: SendOptions = {},
  ): Promise<readonly (EngineWriteOutcome | undefined)[]> {
    const [expected] = await this.#context.indices();
    const outcomes = [...(await this.#sender.send(writes, options))];
    const strays = writes.flatMap((write, at) => {
      const outcome = outcomes[at];
      const stray = write.index === undefined && outcome?.ok && outcome.index !== expected;
      return stray ? [{ at, write, landed: outcome }] : [];
    });
    if (strays.length === 0) return outcomes;
    try {
      const earlier = await this.#context.indices({ fresh: true });
      const ids = strays.map(({ write }) => write.id);
      const places = Map.groupBy(await this.#reading.places(ids, earlier), ({ id }) => id);
      for (const { at, write, landed } of strays) {
        const before = places.get(write.id)?.find(({ index }) => index !== landed.index);
        if (before) outcomes[at] = await this.#putRight(write, landed, before);
      }
    } catch (error) {
      if (!isTriadError(error)) throw error;
      // Nobody knows whether they lie where they should.
      for (const { at } of strays) outcomes[at] = { ok: false, error, uncertain: true };
    }
    return outcomes;
  }

  /**
   * The document lies in an earlier index: there it is written, and what was made in the new one goes
   * away.
   */
  async #putRight(
    write: EngineWrite,
    landed: Extract<EngineWriteOutcome, { ok: true }>,
    before: FoundDocument,
  ): Promise<EngineWriteOutcome> {
    const { index, seq, term } = landed;
    if (write.action !== 'delete') {
      const [removed] = await this.#sender.send([{ id: write.id, index, action: 'delete', condition: { seq, term } }]);
      // It lies in both.
      if (removed?.ok === false) return { ...removed, uncertain: true };
    }
    if (write.action === 'create') return { ok: false, error: alreadyExists(this.#context.alias, write.id) };
    const [outcome] = await this.#sender.send([{ ...write, index: before.index }]);
    return outcome ?? landed;
  }
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Returns whether the server produces the number in this notation. */
function isEngineNumber(digits: string, least: bigint): boolean {
  const number = BigInt(digits);
  return number >= least && number <= MAX_INT64 && String(number) === digits;
}
