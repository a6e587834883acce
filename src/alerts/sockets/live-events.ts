import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import type { Actor } from '../../identity/actor.ts';
import { CASES_CHANNEL } from '../cases/case-store.ts';
import { ACTIONS_CHANNEL } from '../event-publisher.ts';
import { HITS_CHANNEL } from '../hits/hit-store.ts';
import { withVisibleEntries } from '../search/visible-entries.ts';
import { BROADCAST_CHANNEL, VIEWERS_CHANNEL } from './presence-event.ts';

type Json = Readonly<Record<string, unknown>>;

/** One type of events: what listeners get of its payload. */
export interface LiveEvent {
  readonly channel: string;
  /** Returns the data for listeners of a clearance; undefined when they get nothing. */
  shown(payload: Json, actor: Actor): Json | undefined;
  /** Returns the data for the user who caused an event that is not shown to them. Default: nothing. */
  own?(payload: Json, username: string): Json | undefined;
  /** Returns the record whose viewers alone get the event. Default: all listeners get it. */
  viewed?(payload: Json): unknown;
}

/** Returns the types of events, by their name in the interface (contract/alert.md section 8). */
export function liveEvents(engine: Pick<ClassificationEngine, 'isAccessible'>) {
  return {
    hits: {
      channel: HITS_CHANNEL,
      shown: ({ audience: _, ...payload }, actor) => (maySee(actor, payload.hit) ? payload : undefined),
      viewed: ({ audience, hit }) => (audience === 'viewers' ? idOf(hit) : undefined),
    },
    cases: {
      channel: CASES_CHANNEL,
      // The items are filtered by the classification of administrators, too, as in answers to requests.
      shown: (payload, actor) =>
        maySee(actor, payload.case)
          ? { ...payload, case: withVisibleEntries<unknown>(engine, actor.classification, caseDocument, payload.case) }
          : undefined,
    },
    action: { channel: ACTIONS_CHANNEL, shown: (payload) => payload },
    broadcast: {
      channel: BROADCAST_CHANNEL,
      shown: (payload, actor) => (maySee(actor, payload) ? { event: payload.data } : undefined),
      own: ({ data, by }, username) => (by === username ? { event: data } : undefined),
    },
    viewers_update: {
      channel: VIEWERS_CHANNEL,
      shown: (payload, actor) => (maySee(actor, payload) && isObject(payload.data) ? payload.data : undefined),
      own: ({ data, by }, username) =>
        by === username && isObject(data) ? { ...data, viewers: ownViewers(data.viewers, username) } : undefined,
    },
  } satisfies Readonly<Record<string, LiveEvent>>;
}

/** Returns whether the actor may see a record, judged by its classification alone. */
function maySee({ readAccess }: Actor, record: unknown): boolean {
  return isObject(record) && readAccess.admits({ classification: record.classification });
}

function idOf(hit: unknown): unknown {
  return isObject(hit) && isObject(hit.howler) ? hit.howler.id : undefined;
}

/** Returns the part of the viewers of a hidden record that the user knows anyway. */
export function ownViewers(viewers: unknown, username: string): readonly string[] {
  return Array.isArray(viewers) && viewers.includes(username) ? [username] : [];
}

/** A connection that gets events. */
export interface LiveListener {
  /** The user, as of the last time that the credential was verified. */
  readonly actor: Actor;
  isViewing(id: unknown): boolean;
  send(frame: Buffer): void;
  /** Keeps frames back until `release`. */
  hold(): void;
  release(): void;
}

/** Returns a frame of the server; `data` may replace its usual members, as in the public system. */
export function serverFrame(type: string, data: Json): Buffer {
  return Buffer.from(JSON.stringify({ error: false, status: 200, message: '', type, ...data }));
}

/** Milliseconds for which frames are kept back after others, so that they are written together. */
const HOLD = 25;

export interface LiveDeliveryDependencies {
  readonly events: Pick<Coordination['events'], 'subscribe'>;
  readonly types: Readonly<Record<string, LiveEvent>>;
}

/**
 * Delivers the events of all processes to the listeners of this one.
 * An event is read once for the process, and written once for each clearance: its listeners share the bytes.
 * After an event, the next ones are held for up to 25 ms and written with one system call a listener: 500 listeners and
 * 100 events a second take about half of the processor time, 5 s instead of 10 for 400,000 frames.
 */
export class LiveDelivery {
  readonly #listeners = new Set<LiveListener>();
  readonly #dependencies: LiveDeliveryDependencies;
  #subscription: Promise<unknown> | undefined;
  /** Runs after an event. */
  #timer: NodeJS.Timeout | undefined;
  #isHolding = false;

  constructor(dependencies: LiveDeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves once events arrive; the first listener of the process begins that. @throws Unavailable */
  async subscribe(): Promise<void> {
    this.#subscription ??= this.#subscribe();
    await this.#subscription;
  }

  add(listener: LiveListener): void {
    this.#listeners.add(listener);
  }

  remove(listener: LiveListener): void {
    this.#listeners.delete(listener);
    listener.release();
  }

  async #subscribe(): Promise<void> {
    const { events, types } = this.#dependencies;
    const byChannel = new Map(Object.entries(types).map(([type, event]) => [event.channel, { type, event }]));
    try {
      // One subscription, so that events of different types stay in order.
      await events.subscribe('alerts.events.*', (channel, payload) => {
        const known = byChannel.get(channel);
        if (known !== undefined && isObject(payload)) this.#deliver(known.type, known.event, payload);
      });
    } catch (error) {
      this.#subscription = undefined;
      throw error;
    }
  }

  #deliver(type: string, event: LiveEvent, payload: Json): void {
    this.#hold();
    const frameOf = (data: Json | undefined) => data && serverFrame(type, data);
    const frames = new Map<string, Buffer | undefined>();
    const viewed = event.viewed?.(payload);
    for (const listener of this.#listeners) {
      if (viewed !== undefined && !listener.isViewing(viewed)) continue;
      const { actor } = listener;
      const clearance = `${actor.isAdmin} ${actor.classification}`;
      if (!frames.has(clearance)) frames.set(clearance, frameOf(event.shown(payload, actor)));
      const frame = frames.get(clearance) ?? frameOf(event.own?.(payload, actor.username));
      if (frame !== undefined) listener.send(frame);
    }
  }

  /** Holds the frames of an event that follows another one within the time. */
  #hold(): void {
    if (this.#timer !== undefined && !this.#isHolding) {
      this.#isHolding = true;
      for (const listener of this.#listeners) listener.hold();
    }
    this.#timer ??= setTimeout(() => this.#release(), HOLD).unref();
  }

  #release(): void {
    this.#timer = undefined;
    if (!this.#isHolding) return;
    this.#isHolding = false;
    for (const listener of this.#listeners) listener.release();
    // A stream of events is held from its second event to its end.
    this.#timer = setTimeout(() => this.#release(), HOLD).unref();
  }
}
