import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { ServiceServer } from '../../http/service-server.ts';
import { sessionEnded } from '../../identity/sessions/web-sessions.ts';
import type { WebIdentity } from '../../identity/web-identity.ts';
import { unknownPath } from '../pages/page-server.ts';
import { assertOwnUpgrade, type RequestSource } from '../request-origin.ts';
import { readSessionCookie } from '../session/session-cookie.ts';
import type { ServiceProxy } from './service-proxy.ts';

export interface ProxyServerDependencies {
  readonly server: Pick<ServiceServer, 'app' | 'arrivals'>;
  readonly proxy: ServiceProxy;
  readonly identity: Pick<WebIdentity, 'sessions' | 'sessionOf'>;
  readonly log: Pick<Log, 'warn'>;
}

/** An upgrade to a websocket on its way through the checks of requests. */
interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  readonly response: ServerResponse;
}

/** Header of requests that a page makes by itself, which are no use of the session. */
const BACKGROUND = 'x-background';

/** Forwards requests of the web listener, and upgrades to websockets, to services in this process. */
export class ProxyServer {
  readonly #dependencies: ProxyServerDependencies;
  readonly #upgrades = new WeakMap<IncomingMessage, Upgrade>();
  /** Connections that became websockets. */
  readonly #sockets = new Set<Socket>();

  constructor(dependencies: ProxyServerDependencies) {
    this.#dependencies = dependencies;
    dependencies.server.app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#begin(request, socket, head),
    );
    // The server waits for them when it closes. Clients connect again after a drop.
    dependencies.server.app.addHook('preClose', (done) => {
      for (const socket of this.#sockets) socket.destroy();
      done();
    });
  }

  /**
   * Has the service answer a request with a session: what is public on the port of the service may not
   * be so where the pages are. @throws NotFound `unknown_path`; Unauthenticated `session_ended`
   */
  async forward(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { proxy, server, identity } = this.#dependencies;
    const found = proxy.find(request.raw.url ?? '');
    if (found === undefined) throw unknownPath(request);
    const cookie = readSessionCookie(request.place, request.headers.cookie);
    // Whether its account and credential are still good, the service judges.
    if (cookie === undefined || (await identity.sessions.find(cookie)) === undefined) throw sessionEnded();
    if (request.headers[BACKGROUND] === undefined) this.#noteUse(cookie);
    // The service limits the time of the body by its own route.
    server.arrivals.stream(request.raw);
    reply.hijack();
    proxy.forward(found, cookie, request.raw, reply.raw);
    return reply;
  }

  isUpgrade({ raw }: FastifyRequest): boolean {
    return this.#upgrades.has(raw);
  }

  /** Has the service answer an upgrade. @throws `unknown_path`, `foreign_origin`, `session_ended` */
  async upgrade(request: FastifyRequest, source: RequestSource, reply: FastifyReply): Promise<FastifyReply> {
    const { proxy, identity } = this.#dependencies;
    const { place, headers, raw } = request;
    const upgrade = this.#upgrades.get(raw);
    const found = proxy.findUpgrade(raw.url ?? '');
    if (upgrade === undefined || found === undefined) throw unknownPath(request);
    assertOwnUpgrade(source);
    const cookie = readSessionCookie(place, headers.cookie);
    if (cookie === undefined || (await identity.sessionOf(cookie)) === undefined) throw sessionEnded();
    const { socket, head, response } = upgrade;
    reply.hijack();
    response.detachSocket(socket);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    proxy.upgrade(found, cookie, raw, socket, head);
    return reply;
  }

  /** Sends an upgrade through the hooks of requests, which check host and origin. */
  #begin(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // Node removes its own listener before an upgrade.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    this.#upgrades.set(request, { socket, head, response });
    response.assignSocket(socket);
    // A refused upgrade is an answer, after which the connection ends.
    response.once('finish', () => socket.end());
    this.#dependencies.server.app.routing(request, response);
  }

  #noteUse(cookie: string): void {
    const { identity, log } = this.#dependencies;
    identity.sessions
      .use(cookie)
      .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'the use of a session was not noted'));
  }
}
