import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { InvalidInput, isConflict, isTriadError, TooLarge, Unavailable } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import { alreadyExists, versionConflict } from '../../port/versions.ts';
import type { IndexContext } from '../collection-context.ts';
import { itemError, wasNeverSent } from '../transport/engine-errors.ts';
import { exponentialBackoff } from '../transport/search-engine-client.ts';
import { readDocuments } from './document-reading.ts';
import {
  type AnsweredWrite,
  type BulkAnswer,
  chunksOf,
  type EngineWrite,
  type EngineWriteOutcome,
  linesOf,
} from './engine-writes.ts';

/** Requests of a bulk at a time: the server works on one while the next is made and sent. */
const AT_ONCE = 3;
/** Milliseconds. */
const PAUSES = { first: 50, longest: 1000 };
/** Share of the transport timeout for the server, so that it does not outlive the caller. */
const SERVER_SHARE = 0.8;

export interface SendOptions {
  /** After a request with a failure the rest is not sent, and has no outcome. Default false. */
  readonly stopAtFailure?: boolean;
  /** Milliseconds that each request may take, with all its repetitions. Default: the transport timeout. */
  readonly patience?: number | undefined;
}

interface Batch {
  readonly context: IndexContext;
  readonly writes: readonly EngineWrite[];
  /** By position in `writes`. */
  readonly outcomes: (EngineWriteOutcome | undefined)[];
  /** Performance time after which it is given up. */
  readonly deadline: number;
  /** True if the name of the alias is that of an index. */
  readonly isIndex: boolean;
}

interface BusyWrite {
  readonly at: number;
  readonly error: Error;
  readonly mayBeDone: boolean;
}

/**
 * Carries out writes of different documents in few requests; returns an outcome per write, in order.
 * Busy refusals and lost answers are sent again within `patience`. A repeated conditional write meets its own result and
 * is refused: it counts as carried out when the stored document equals the one that was sent, value for value. Two
 * writers of equal documents cannot be told apart so; a writer who must know puts something of its own into them.
 * Fails only for defects. Once a request was given up, those that were not begun have the same outcome.
 */
export async function sendWrites(
  context: IndexContext,
  writes: readonly EngineWrite[],
  { stopAtFailure = false, patience = context.limits.transportTimeout }: SendOptions = {},
): Promise<readonly (EngineWriteOutcome | undefined)[]> {
  const outcomes: (EngineWriteOutcome | undefined)[] = writes.map(() => undefined);
  const { alias, indices, limits } = context;
  const chunks = chunksOf(writes, limits).values();
  // Asked before anything is sent: what fails in the middle would leave a part without a word of it.
  const isIndex = (await indices()).includes(alias);
  let failed = false;
  let givenUp: Error | undefined;
  const work = async (): Promise<void> => {
    for (const positions of chunks) {
      if (failed && stopAtFailure) return;
      const batch: Batch = {
        context,
        writes: positions.flatMap((at) => writes[at] ?? []),
        outcomes: positions.map(() => undefined),
        deadline: performance.now() + patience,
        isIndex,
      };
      if (givenUp) fail(batch, [...positions.keys()], givenUp, false);
      else givenUp = (await carryOut(batch, [...positions.keys()])) ?? givenUp;
      for (const [position, at] of positions.entries()) outcomes[at] = batch.outcomes[position];
      failed ||= batch.outcomes.some((result) => result?.ok !== true);
    }
  };
  await Promise.all(Array.from({ length: stopAtFailure ? 1 : AT_ONCE }, work));
  return outcomes;
}

/** Why it was given up after all the patience; undefined: it was not. */
async function carryOut(batch: Batch, positions: readonly number[]): Promise<Error | undefined> {
  let pending = positions;
  /** True if an unacknowledged request with them may have been applied. */
  let repeated = false;
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    let trouble: Error;
    try {
      const busy = await ask(batch, pending);
      if (repeated) await settle(batch, pending);
      if (busy.length === 0) return undefined;
      repeated ||= busy.some(({ mayBeDone }) => mayBeDone);
      pending = busy.map(({ at }) => at);
      trouble = busy[0]?.error ?? new Error('no reason given');
    } catch (error) {
      if (!isTriadError(error)) throw error;
      if (error.kind === 'too_large') return sendHalves(batch, pending, error);
      repeated ||= !wasNeverSent(error.cause);
      if (error.code !== 'datastore_unavailable') {
        fail(batch, pending, error, repeated);
        return undefined;
      }
      trouble = error;
    }
    const pause = exponentialBackoff(attempt, PAUSES);
    if (performance.now() + pause >= batch.deadline) {
      fail(batch, pending, trouble, repeated);
      return trouble;
    }
    await sleep(pause);
  }
  return undefined;
}

/** Sends once, notes the outcomes, and returns what is worth sending again. */
async function ask(
  { context, writes, outcomes, deadline, isIndex }: Batch,
  positions: readonly number[],
): Promise<BusyWrite[]> {
  const { engine, alias, limits } = context;
  const { body } = await engine.request<BulkAnswer>({
    method: 'POST',
    path: '/_bulk',
    query: { timeout: `${Math.max(1, Math.floor(limits.transportTimeout * SERVER_SHARE))}ms` },
    lines: [
      ...linesOf(
        positions.flatMap((at) => writes[at] ?? []),
        { alias, isIndex },
      ),
    ],
    timeout: Math.max(1, Math.ceil(deadline - performance.now())),
    repeatable: false,
  });
  const busy: BusyWrite[] = [];
  for (const [position, at] of positions.entries()) {
    const write = writes[at];
    const answered = Object.values(body.items[position] ?? {})[0];
    if (write === undefined || answered === undefined) throw new Error('The search engine left out an item of a bulk.');
    const outcome = outcomeOf(write, answered, alias);
    outcomes[at] = outcome;
    if (!outcome.ok && isTriadError(outcome.error) && outcome.error.code === 'datastore_unavailable') {
      // 429: the server has not begun. Otherwise its shard may have done it before the word from there was lost.
      busy.push({ at, error: outcome.error, mayBeDone: answered.status !== 429 });
    }
  }
  return busy;
}

/** Writes that met a result which may be their own. */
async function settle({ context, writes, outcomes }: Batch, positions: readonly number[]): Promise<void> {
  const doubtful = positions.filter((at) => {
    const outcome = outcomes[at];
    if (outcome?.ok) return writes[at]?.action === 'delete' && !outcome.existed;
    return outcome !== undefined && isConflict(outcome.error);
  });
  const stored = await readDocuments(
    context,
    doubtful.map((at) => writes[at]?.id ?? ''),
  );
  for (const [position, at] of doubtful.entries()) {
    const write = writes[at];
    const outcome = outcomes[at];
    const found = stored[position];
    if (outcome?.ok) outcomes[at] = { ...outcome, existed: true };
    else if (write?.action === 'delete' && found === undefined) {
      const { seq = 0, term = 1 } = write.condition ?? {};
      outcomes[at] = { ok: true, index: write.index ?? '', seq: Number(seq) + 1, term: Number(term), existed: true };
    } else if (write?.source !== undefined && found && isDeepStrictEqual(found.source, parseJson(write.source))) {
      outcomes[at] = {
        ok: true,
        index: found.index,
        seq: found.seq,
        term: found.term,
        existed: write.action !== 'create',
      };
    } else if (write && outcome) {
      // Anyone who is told of a conflict reads again and makes the change again: it must not be made twice.
      const error = write.action === 'index' ? answerLost(context, write.id) : outcome.error;
      outcomes[at] = { ok: false, error, uncertain: true };
    }
  }
}

function answerLost({ alias }: IndexContext, id: string): Unavailable {
  const message = `${alias}: the answer to a change of the document ${id} was lost, and others have changed it since. Look whether the change was made.`;
  return new Unavailable('datastore_unavailable', message);
}

/** The server takes less at a time than is configured. */
async function sendHalves(batch: Batch, positions: readonly number[], error: Error): Promise<Error | undefined> {
  if (positions.length > 1) {
    const middle = Math.ceil(positions.length / 2);
    const givenUp = await carryOut(batch, positions.slice(0, middle));
    return (await carryOut(batch, positions.slice(middle))) ?? givenUp;
  }
  const id = batch.writes[positions[0] ?? 0]?.id;
  const message = `${batch.context.alias}: the document ${id} is larger than the search engine accepts.`;
  fail(batch, positions, new TooLarge('document_too_large', message, { cause: error }), false);
  return undefined;
}

function outcomeOf(write: EngineWrite, answered: AnsweredWrite, alias: string): EngineWriteOutcome {
  const { _index: index, _seq_no: seq, _primary_term: term, result, status, error: cause } = answered;
  if (seq !== undefined && term !== undefined) {
    return { ok: true, index, seq, term, existed: result === 'updated' || result === 'deleted' };
  }
  if (status === 409) {
    const { seq: expected, term: expectedTerm } = write.condition ?? {};
    const error =
      write.action === 'create'
        ? alreadyExists(alias, write.id)
        : versionConflict(alias, write.id, `${expected}---${expectedTerm}`, null);
    return { ok: false, error };
  }
  const error = itemError(cause ?? {}, status);
  // What is wrong with one write among others is wrong with its document.
  if (isTriadError(error) || status !== 400) return { ok: false, error };
  const message = `${alias}: the document ${write.id} is refused: ${cause?.reason ?? error.message}`;
  return { ok: false, error: new InvalidInput('invalid_document', message, { cause: error }) };
}

function fail({ outcomes }: Batch, positions: readonly number[], error: Error, uncertain: boolean): void {
  for (const at of positions) outcomes[at] = { ok: false, error, uncertain };
}
