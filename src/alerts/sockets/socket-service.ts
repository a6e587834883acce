import type { WebSocket } from 'ws';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Log } from '../../http/request-log.ts';
import type { Actor } from '../../identity/actor.ts';
import { networkOf } from '../../identity/networks.ts';
import { eventPublisher } from '../event-publisher.ts';
import { LiveDelivery, liveEvents, ownViewers } from './live-events.ts';
import { Presences } from './presence.ts';
import { BROADCAST_CHANNEL, type PresenceEvent, VIEWERS_CHANNEL } from './presence-event.ts';
import { SocketConnection, type SocketStream } from './socket-server.ts';
import { Viewers } from './viewers.ts';

type LiveEventName = keyof ReturnType<typeof liveEvents>;
type Classified = Pick<Collection<{ readonly classification: string }>, 'get'>;

export interface SocketServiceDependencies {
  readonly coordination: Pick<Coordination, 'events' | 'locks' | 'tokens'>;
  readonly classification: ClassificationEngine;
  /** The records that users look at. */
  readonly records: readonly Classified[];
  readonly counters: {
    readonly opened: { inc(): void };
    readonly closed: { inc(labels: { readonly reason: string }): void };
  };
  readonly log: Log;
}

/** The request that became a connection, for the log. */
export interface SocketOrigin {
  readonly requestId?: string | undefined;
  readonly address: string;
}

/** A connection of a client. */
export interface OpenedSocket {
  readonly socket: WebSocket;
  readonly stream: SocketStream;
  readonly origin: SocketOrigin;
  /** Verifies the credential of its first frame. */
  readonly identify: (credential: string) => Promise<Actor>;
  /** The request had a credential: no frame is awaited. Default false. */
  readonly isSignedIn?: boolean;
}

/** Connections from one network that have not been admitted yet, each for 10 s at most. */
const MAX_STRANGERS = 1000;

const ANY_RECORD = unrestricted('the classification of a record decides which listeners hear of it');

/** Serves the websockets of one process: their connections, their events and who looks at which record. */
export class SocketService {
  readonly #dependencies: SocketServiceDependencies;
  readonly #types: ReturnType<typeof liveEvents>;
  readonly #live: LiveDelivery;
  readonly #viewers: Viewers;
  readonly #presences: Presences;
  readonly #failures: RateLimitedLogger;
  readonly #connections = new Set<SocketConnection>();
  /** Connections that have not been admitted yet, by their network. */
  readonly #strangers = new Map<string, Set<SocketConnection>>();
  /** Ended connections that still take back their presence. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(dependencies: SocketServiceDependencies) {
    const { coordination, classification, log } = dependencies;
    this.#dependencies = dependencies;
    this.#types = liveEvents(classification);
    this.#live = new LiveDelivery({ events: coordination.events, types: this.#types });
    this.#viewers = new Viewers(coordination);
    this.#failures = new RateLimitedLogger(log);
    this.#presences = new Presences({
      viewers: this.#viewers,
      classificationOf: (id) => this.#classificationOf(id),
      broadcast: eventPublisher<PresenceEvent>(coordination.events, log, BROADCAST_CHANNEL),
      viewersChanged: eventPublisher<PresenceEvent>(coordination.events, log, VIEWERS_CHANNEL),
    });
  }

  /** Serves a new connection until it ends. */
  accept({ socket, stream, origin, identify, isSignedIn = false }: OpenedSocket): void {
    const { counters, log } = this.#dependencies;
    const opened = performance.now();
    counters.opened.inc();
    const network = networkOf(origin.address);
    const connection = new SocketConnection(socket, {
      stream,
      identify,
      isSignedIn,
      live: this.#live,
      presences: this.#presences,
      report: (err) => this.#failures.warn({ err, ...origin }, 'a websocket met an error'),
      admitted: () => this.#forget(network, connection),
      ended: ({ username: user }, reason, left) => {
        this.#connections.delete(connection);
        this.#forget(network, connection);
        this.#leaving.add(left);
        left.then(() => this.#leaving.delete(left));
        counters.closed.inc({ reason });
        log.info({ ...origin, user, reason, milliseconds: Math.round(performance.now() - opened) }, 'websocket ended');
      },
    });
    this.#connections.add(connection);
    const strangers = this.#strangers.get(network) ?? new Set();
    this.#strangers.set(network, strangers.add(connection));
    // The oldest has had the most time for its credential; clients connect again after a drop.
    const [oldest] = strangers.size > MAX_STRANGERS ? strangers : [];
    oldest?.drop();
  }

  #forget(network: string, connection: SocketConnection): void {
    const strangers = this.#strangers.get(network);
    strangers?.delete(connection);
    if (strangers?.size === 0) this.#strangers.delete(network);
  }

  /** Returns the viewers of a record; of one above the actor, the actor alone. @throws Unavailable */
  async viewersOf(actor: Actor, id: string): Promise<readonly string[]> {
    const viewers = await this.#viewers.of(id);
    if (viewers.length === 0) return viewers;
    const classification = await this.#classificationOf(id);
    return actor.readAccess.admits({ classification }) ? viewers : ownViewers(viewers, actor.username);
  }

  /** Publishes an event for another program; types without listeners are ignored. @throws Unavailable */
  async emit(type: string, payload: unknown): Promise<void> {
    if (!Object.hasOwn(this.#types, type)) return;
    const { channel } = this.#types[type as LiveEventName];
    const isPresence = channel === BROADCAST_CHANNEL || channel === VIEWERS_CHANNEL;
    const event: PresenceEvent = { data: payload };
    await this.#dependencies.coordination.events.publish(channel, isPresence ? event : payload);
  }

  /** Ends all connections, and takes back what their users did. */
  async close(): Promise<void> {
    for (const connection of this.#connections) connection.drop();
    await Promise.all(this.#leaving);
  }

  async #classificationOf(id: string): Promise<string | undefined> {
    for (const records of this.#dependencies.records) {
      const found = await records.get(id, ANY_RECORD);
      if (found !== undefined) return found.classification;
    }
    return undefined;
  }
}
