import { setTimeout as sleep } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { type Collection, throwBulkFailure } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { MAX_RESULT_WINDOW } from '../../datastore/port/search.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import type { AnalysisAlert } from '../../documents/kinds/analysis/alert.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { Forbidden, InvalidInput, TooManyRequests } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { ENTRY_TYPES } from './replay-import.ts';

export interface ReplayDependencies {
  readonly submissions: Collection<Submission>;
  readonly alerts: Collection<AnalysisAlert>;
  readonly coordination: Pick<Coordination, 'queues' | 'tables'>;
  readonly classification: ClassificationEngine;
  /** Milliseconds that a caller waits for a message. Default 30,000. */
  readonly wait?: number;
}

/** Kinds that are sent on to another installation. */
export type ReplayIndex = 'alert' | 'submission';

/** The state of a document in `metadata.replay`. */
type ReplayState = 'requested' | 'pending' | 'done';

export interface PendingRequest {
  readonly index: string;
  readonly query: string;
  readonly filters: readonly string[];
  readonly limit: number;
}

const EVERYTHING = unrestricted('a missing document is refused like one that the caller may not see');

const MESSAGE_TYPES: readonly string[] = ['file', 'submission', 'alert'];
/** Members of messages about documents. */
const MEMBERS: Readonly<Record<string, string>> = { alert: 'alert_id,reporting_ts', submission: 'sid,times' };
const TABLE = 'replay:checkpoints';
const MAX_MESSAGES = 100_000;
const MAX_TEXT = 4096;
const WAIT = 30_000;
/** Milliseconds of one look, after which a caller who left is noticed. */
const LOOK = 1000;
const BULK = 200;

/** Tells programs that send documents on to other installations which ones, and what they have sent. */
export class ReplayService {
  readonly #dependencies: ReplayDependencies;

  constructor(dependencies: ReplayDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Notes the state of a document.
   * @throws InvalidInput `unknown_replay_index`; Forbidden `replay_denied`
   */
  async mark(actor: Actor, index: string, id: string, state: ReplayState): Promise<void> {
    const { classification } = this.#dependencies;
    const collection = this.#collection(index);
    const document = await collection.get(id, EVERYTHING);
    if (document === undefined || !classification.isAccessible(actor.classification, document.classification, true)) {
      const message = `You are not allowed to modify the ${index} with the following ID: ${id.slice(0, 100)}`;
      throw new Forbidden('replay_denied', message, { response: '' });
    }
    await collection.update(id, [{ op: 'set', path: 'metadata.replay', value: state }], { visible: 'now' });
  }

  /** Notes all documents of a query that the actor may see as pending. Returns their number. */
  async markPending(actor: Actor, { index, query, filters, limit }: PendingRequest): Promise<number> {
    const collection = this.#collection(index);
    const compiled = (text: string) => compileQuery(text, collection.definition, { defaultField: '*' });
    const request = {
      query: compileQuery(query, collection.definition),
      filters: filters.map(compiled),
      fields: [],
      rows: Math.min(limit, MAX_RESULT_WINDOW),
    };
    if (request.rows === 0) return 0;
    const { items } = await collection.search(request, actor.searchAccess);
    const operations = [{ op: 'set', path: 'metadata.replay', value: 'pending' }] as const;
    for (let at = 0; at < items.length; at += BULK) {
      const updates = items.slice(at, at + BULK).map(({ id }) => ({ kind: 'update', id, operations }) as const);
      throwBulkFailure(await collection.bulk(updates, { visible: 'now' }), ['document_missing']);
    }
    return items.length;
  }

  /** Stores how far the entries of a kind were sent. @throws InvalidInput `invalid_replay_message` */
  async putCheckpoint(type: string, checkpoint: unknown): Promise<void> {
    assertType(type, ENTRY_TYPES);
    if (typeof checkpoint !== 'string' || checkpoint.length > MAX_TEXT) throw invalidMessage(type);
    await this.#dependencies.coordination.tables.put(TABLE, type, checkpoint);
  }

  /** Returns how far the entries of a kind were sent; `*`: nothing was. */
  async checkpoint(type: string): Promise<string> {
    assertType(type, ENTRY_TYPES);
    return String((await this.#dependencies.coordination.tables.get(TABLE, type)) ?? '*');
  }

  /** Returns the next message of a queue; null after 30 seconds, or when the caller has left. */
  async nextMessage(type: string, hasLeft: () => boolean): Promise<unknown> {
    assertType(type, MESSAGE_TYPES);
    const { coordination, wait = WAIT } = this.#dependencies;
    const until = performance.now() + wait;
    for (;;) {
      const left = Math.max(0, until - performance.now());
      const [one] = await coordination.queues.take(queueOf(type), { max: 1, wait: Math.min(LOOK, left) });
      if (one !== undefined && !hasLeft()) {
        await one.acknowledge();
        return one.item;
      }
      if (one !== undefined) await coordination.queues.push(queueOf(type), [one.item]).then(() => one.acknowledge());
      if (hasLeft() || performance.now() >= until) return null;
      await sleep(0);
    }
  }

  /**
   * Adds a message to a queue.
   * @throws InvalidInput `invalid_replay_message`; TooManyRequests `replay_queue_full`
   */
  async putMessage(type: string, message: unknown): Promise<void> {
    assertType(type, MESSAGE_TYPES);
    if (!isMessage(type, message)) throw invalidMessage(type);
    const { queues } = this.#dependencies.coordination;
    if ((await queues.length(queueOf(type))) >= MAX_MESSAGES) {
      const text = `The queue has ${MAX_MESSAGES} messages, which is the limit. Read some first.`;
      throw new TooManyRequests('replay_queue_full', text, { retryAfter: 30 });
    }
    await queues.push(queueOf(type), [message]);
  }

  #collection(index: string): Collection<Submission | AnalysisAlert> {
    const { submissions, alerts } = this.#dependencies;
    if (index === 'submission') return submissions as unknown as Collection<Submission | AnalysisAlert>;
    if (index === 'alert') return alerts as unknown as Collection<Submission | AnalysisAlert>;
    const message = `${index.slice(0, 100).toUpperCase()} is not a valid index for this API.`;
    throw new InvalidInput('unknown_replay_index', message, { response: '', at: 'index' });
  }
}

function queueOf(type: string): string {
  return `replay:${type}`;
}

function isMessage(type: string, message: unknown): boolean {
  if (type === 'file') return typeof message === 'string' && message.length <= MAX_TEXT;
  if (!isObject(message) || Object.keys(message).sort().join() !== MEMBERS[type]) return false;
  return JSON.stringify(message).length <= MAX_TEXT;
}

/** @throws InvalidInput `unknown_replay_type` */
function assertType(type: string, allowed: readonly string[]): void {
  if (allowed.includes(type)) return;
  const message = `${type.slice(0, 100).toUpperCase()} is not a valid message type for this API.`;
  throw new InvalidInput('unknown_replay_type', message, { response: '', at: 'message_type' });
}

function invalidMessage(type: string): InvalidInput {
  const message = `Invalid message for type ${type.toUpperCase()}.`;
  return new InvalidInput('invalid_replay_message', message, { response: '' });
}
