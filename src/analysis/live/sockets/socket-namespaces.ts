import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Events } from '../../../coordination/coordination.ts';
import type { Actor, ServiceRole } from '../../../identity/actor.ts';
import { SUBMISSION_CHANNEL } from '../../dispatching/submission-message.ts';
import { WatchQueues } from '../../dispatching/watch-queues.ts';
import { FILE_CHANNEL } from '../file-comments.ts';
import type { LiveService } from '../live-service.ts';
import { STATUS_CHANNEL } from '../status-messages.ts';
import { mayListen, type SocketCallers } from './socket-callers.ts';

export interface SocketNamespacesDependencies {
  readonly callers: SocketCallers;
  readonly events: Events;
  readonly live: Pick<LiveService, 'take'>;
  readonly classification: Pick<ClassificationEngine, 'isAccessible'>;
  readonly alertChannel: string;
  /** Ends requests of polling clients that arrive too slowly. */
  readonly arrivals?: { begin(request: IncomingMessage, response: ServerResponse): void };
  readonly log: { warn(entry: object, message: string): void };
}

/** A message of another process: an event with its data. */
interface Published {
  readonly msg_type: string;
  readonly msg: Readonly<Record<string, unknown>>;
}

const MAX_CONNECTIONS = 1000;
/** Bytes of one message of a client. */
const MAX_MESSAGE = 16 * 1024;
/** Milliseconds between two checks that the session of a listener is still good. */
const RENEWAL = 10_000;
/** Watch queues that one listener follows at the same time. */
const MAX_QUEUES = 20;
/** Milliseconds that one look at a watch queue waits, and silent looks until it counts as dead. */
const LOOK = 1000;
const SILENT_LOOKS = 300;
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * Serves `/socket.io/` beside the routes of a server (contract/analysis.routes.tsv, group socketio).
 * A connection without a session is accepted, and ends with its first message. Every event is filtered by the present
 * classification of the listener.
 */
export class SocketNamespaces {
  readonly #dependencies: SocketNamespacesDependencies;
  readonly #io: Server;
  readonly #actors = new WeakMap<Socket, Promise<Actor | undefined>>();
  readonly #subscriptions = new Map<string, Promise<() => Promise<void>>>();
  readonly #renewal: NodeJS.Timeout;
  #isOpen = true;

  constructor(server: HttpServer, dependencies: SocketNamespacesDependencies) {
    this.#dependencies = dependencies;
    this.#io = new Server({
      path: '/socket.io/',
      serveClient: false,
      maxHttpBufferSize: MAX_MESSAGE,
      allowRequest: (_, admit) => admit(null, this.#isOpen && this.#io.engine.clientsCount < MAX_CONNECTIONS),
    });
    this.#io.attach(server);
    this.#io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
      // An upgrade has no response, and no body.
      if (typeof response.writeHead === 'function') dependencies.arrivals?.begin(request, response);
      next();
    });
    this.#serveChannel(
      '/alerts',
      'alert',
      'alert_view',
      dependencies.alertChannel,
      ({ classification }) => classification,
    );
    this.#serveChannel('/submissions', 'monitor', 'submission_view', SUBMISSION_CHANNEL, ({ params }) =>
      typeof params === 'object' && params !== null && 'classification' in params ? params.classification : undefined,
    );
    this.#serveChannel('/status', 'monitor', undefined, STATUS_CHANNEL, () => null);
    this.#serveQueues();
    this.#serveFileComments();
    // Retrohunt is off; a listener hears nothing.
    this.#namespace('/retrohunt', () => undefined);
    this.#renewal = setInterval(() => void this.#renew(), RENEWAL).unref();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    clearInterval(this.#renewal);
    this.#io.disconnectSockets(true);
    this.#io.engine.close();
    for (const subscription of this.#subscriptions.values()) await (await subscription)().catch(() => undefined);
  }

  #namespace(name: string, serve: (socket: Socket) => void): void {
    this.#io.of(name).on('connection', (socket) => {
      this.#actors.set(socket, this.#identify(socket));
      serve(socket);
    });
  }

  /** Calls `handle` at a message of a listener with a good session; others are disconnected. */
  #on(socket: Socket, event: string, handle: (data: unknown, actor: Actor) => void): void {
    socket.on(event, (data: unknown) => {
      void this.#actors.get(socket)?.then((actor) => {
        if (actor === undefined) socket.disconnect();
        else if (socket.connected) handle(data, actor);
      });
    });
  }

  #serveChannel(
    name: string,
    event: string,
    role: ServiceRole | undefined,
    channel: string,
    classificationOf: (message: Published['msg']) => unknown,
  ): void {
    this.#namespace(name, (socket) => {
      this.#on(socket, event, (data, actor) => {
        if (!mayListen(actor, role)) return;
        const listening = this.#listen(channel, (published) => this.#publish(name, role, published, classificationOf));
        listening.then(
          async () => {
            await socket.join('listening');
            socket.emit('monitoring', data);
          },
          (err: unknown) => this.#dependencies.log.warn({ err, channel }, 'events cannot be listened to'),
        );
      });
    });
  }

  async #publish(
    name: string,
    role: ServiceRole | undefined,
    { msg_type, msg }: Published,
    classificationOf: (message: Published['msg']) => unknown,
  ): Promise<void> {
    const classification = classificationOf(msg);
    if (classification === undefined) return;
    for (const socket of this.#io.of(name).sockets.values()) {
      if (!socket.rooms.has('listening')) continue;
      const actor = await this.#actors.get(socket);
      if (actor === undefined || !mayListen(actor, role)) continue;
      const isAccessible =
        classification === null ||
        this.#dependencies.classification.isAccessible(actor.classification, String(classification), true);
      if (isAccessible) socket.emit(msg_type, msg);
    }
  }

  #serveQueues(): void {
    this.#namespace('/live_submission', (socket) => {
      const queues = new Set<string>();
      this.#on(socket, 'listen', (data, actor) => {
        const id = textOf(data, 'wq_id');
        if (!mayListen(actor, 'submission_view') || id === undefined || !WatchQueues.isId(id)) return;
        if (queues.has(id) || queues.size >= MAX_QUEUES) return;
        queues.add(id);
        this.#follow(socket, id)
          .catch((err: unknown) => this.#dependencies.log.warn({ err }, 'a watch queue cannot be followed'))
          .finally(() => queues.delete(id));
      });
    });
  }

  async #follow(socket: Socket, id: string): Promise<void> {
    for (let silent = 0; socket.connected && this.#isOpen; silent += 1) {
      for (const { type, status_code, msg } of await this.#dependencies.live.take(id, { wait: LOOK })) {
        silent = 0;
        socket.emit(type, { status_code, msg });
        if (type === 'stop') return;
      }
      if (silent < SILENT_LOOKS) continue;
      socket.emit('error', { status_code: 503, msg: 'Dispatcher does not seem to be responding...' });
      return;
    }
  }

  #serveFileComments(): void {
    const name = '/file_comments';
    this.#namespace(name, (socket) => {
      this.#on(socket, 'enter_room', (data) => {
        const sha256 = hashOf(data);
        if (sha256 === undefined) return;
        void this.#listen(FILE_CHANNEL, async (published) => {
          const changed = hashOf(published);
          if (changed !== undefined) this.#io.of(name).to(changed).emit('refresh_comments', null);
        });
        void socket.join(sha256);
      });
      this.#on(socket, 'comments_change', (data) => {
        const sha256 = hashOf(data);
        if (sha256 !== undefined)
          void this.#dependencies.events.publish(FILE_CHANNEL, { sha256 }).catch(() => undefined);
      });
    });
  }

  /** Subscribes to a channel once. */
  async #listen(channel: string, handle: (published: Published) => Promise<void>): Promise<void> {
    let subscription = this.#subscriptions.get(channel);
    if (subscription === undefined) {
      // One message after the other, so that listeners get them in order.
      let turn: Promise<void> = Promise.resolve();
      subscription = this.#dependencies.events.subscribe(channel, (_, payload) => {
        turn = turn.then(() => handle(payload as Published)).catch(() => undefined);
      });
      this.#subscriptions.set(channel, subscription);
      subscription.catch(() => this.#subscriptions.delete(channel));
    }
    await subscription;
  }

  #identify(socket: Socket): Promise<Actor | undefined> {
    const { headers, address } = socket.handshake;
    return this.#dependencies.callers.identify({ headers, address });
  }

  /** Ends connections whose session has ended; others get the present rights of their user. */
  async #renew(): Promise<void> {
    for (const namespace of this.#io._nsps.values()) {
      for (const socket of namespace.sockets.values()) {
        if ((await this.#actors.get(socket)) === undefined) continue;
        const actor = await this.#identify(socket);
        if (actor === undefined) socket.disconnect();
        else this.#actors.set(socket, Promise.resolve(actor));
      }
    }
  }
}

function textOf(data: unknown, name: string): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const value: unknown = Reflect.get(data, name);
  return typeof value === 'string' ? value : undefined;
}

function hashOf(data: unknown): string | undefined {
  const sha256 = textOf(data, 'sha256');
  return sha256 !== undefined && SHA256.test(sha256) ? sha256 : undefined;
}
