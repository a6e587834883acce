import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { isUnavailable } from '../../errors/errors.ts';
import { refusalOf } from '../../http/answers/error-status.ts';
import { CLOSE_CODES, closeReason } from '../../http/websockets.ts';
import type { Actor } from '../../identity/actor.ts';
import { readClientFrame } from './client-frame.ts';
import { FrameLimit } from './frame-limit.ts';
import { type LiveDelivery, type LiveListener, serverFrame } from './live-events.ts';
import type { Presence, Presences } from './presence.ts';

/** The connection below a websocket, which can write several frames together. */
export type SocketStream = Pick<Duplex, 'cork' | 'uncork'>;

export interface SocketConnectionDependencies {
  readonly stream: SocketStream;
  /** Verifies a credential, at first and again every few seconds. @throws TriadError */
  readonly identify: (credential: string) => Promise<Actor>;
  /** The listener is admitted at once, without a credential in the first frame. Default false. */
  readonly isSignedIn?: boolean;
  readonly live: Pick<LiveDelivery, 'subscribe' | 'add' | 'remove'>;
  readonly presences: Pick<Presences, 'enter'>;
  /** Reports an error that no client caused, or that the connection survives. */
  readonly report: (error: unknown) => void;
  /** Called once when the listener is admitted. */
  readonly admitted: (connection: SocketConnection) => void;
  /** Called once with the reason, a status or a word; `left` resolves when the presence is taken back. */
  readonly ended: (connection: SocketConnection, reason: string, left: Promise<void>) => void;
  /** Milliseconds between two verifications of the credential. Default: 2,500. */
  readonly interval?: number | undefined;
}

/** With the second for which other processes cache an account, a revoked credential ends within 5 s. */
const INTERVAL = 2_500;
/** Pings are sent at every second verification: every 5 s. */
const TICKS_OF_PING = 2;
/** Time limit of the credential: 10 s. */
const TICKS_OF_CREDENTIAL = 4;
/** Viewers are renewed every 30 s, a third of the time for which they count. */
const TICKS_OF_RENEWAL = 12;
/** Bytes that may wait for a client before one more frame. Listeners share the bytes of a frame. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Bytes of frames that are held. */
const MAX_HELD_BYTES = 64 * 1024;

/** One websocket: the credential in its first frame, then what the user does, and events until it ends. */
export class SocketConnection implements LiveListener {
  readonly id = randomUUID();
  readonly #socket: WebSocket;
  readonly #dependencies: SocketConnectionDependencies;
  readonly #limit = new FrameLimit();
  readonly #timer: NodeJS.Timeout;
  #credential: string | undefined;
  #actor: Actor | undefined;
  /** Undefined until the credential is verified. */
  #presence: Presence | undefined;
  /** Messages are handled one after the other. */
  #work: Promise<void> = Promise.resolve();
  #ticks = 0;
  #awaitsPong = false;
  #isVerifying = false;
  #hasEnded = false;
  #isHolding = false;

  constructor(socket: WebSocket, dependencies: SocketConnectionDependencies) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    this.#timer = setInterval(() => this.#tick(), dependencies.interval ?? INTERVAL).unref();
    socket.on('message', (data: Buffer) => this.#receive(data.toString()));
    socket.on('ping', () => this.#count());
    socket.on('pong', () => {
      if (this.#count()) this.#answered();
    });
    socket.on('close', () => this.#end('client'));
    // The websocket closes itself after a violation of the protocol.
    socket.on('error', () => this.#end('violation'));
    if (dependencies.isSignedIn) this.#enqueue(() => this.#admit(''));
  }

  get actor(): Actor {
    if (this.#actor === undefined) throw new Error('the listener has not been identified');
    return this.#actor;
  }

  /** The user; undefined until the credential is verified. */
  get username(): string | undefined {
    return this.#actor?.username;
  }

  isViewing(id: unknown): boolean {
    return this.#presence?.isViewing(id) === true;
  }

  send(frame: Buffer): void {
    if (this.#socket.bufferedAmount > MAX_WAITING_BYTES) this.#refuse(429, 'Frames are not read fast enough.');
    else this.#socket.send(frame, { binary: false });
    if (this.#isHolding && this.#socket.bufferedAmount > MAX_HELD_BYTES) this.release();
  }

  hold(): void {
    if (this.#isHolding || this.#hasEnded) return;
    this.#isHolding = true;
    this.#dependencies.stream.cork();
  }

  release(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#dependencies.stream.uncork();
  }

  /** Ends the connection without a close frame, upon which clients connect again. */
  drop(): void {
    this.#end('dropped');
    this.#socket.terminate();
  }

  #receive(text: string): void {
    if (this.#hasEnded || !this.#count()) return;
    const done = this.#limit.begin();
    this.#enqueue(() => this.#handle(text).finally(done));
  }

  #enqueue(task: () => Promise<void>): void {
    const handled = this.#work.then(() => (this.#hasEnded ? undefined : task()));
    this.#work = handled.catch((error: unknown) => this.#failed(error));
  }

  /** Returns whether one more frame is within the limit; closes the connection otherwise. */
  #count(): boolean {
    const isWithin = this.#limit.count();
    if (!isWithin) this.#refuse(429, 'Frames are sent too fast.');
    return isWithin;
  }

  async #handle(text: string): Promise<void> {
    if (this.#presence === undefined) await this.#admit(text);
    else if (text !== '') await this.#presence.act(readClientFrame(text));
  }

  async #admit(credential: string): Promise<void> {
    const { identify, live, presences, admitted } = this.#dependencies;
    this.#credential = credential;
    const actor = await identify(credential);
    await live.subscribe();
    if (this.#hasEnded) return;
    const { id } = this;
    const { username } = actor;
    this.#actor = actor;
    this.#presence = presences.enter({ id, username });
    admitted(this);
    this.send(serverFrame('info', { message: `Listener authenticated as ${username}`, id, username }));
    live.add(this);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#ticks % TICKS_OF_PING === 0) this.#ping();
    const presence = this.#presence;
    if (this.#hasEnded || presence === undefined) return;
    if (!this.#isVerifying) void this.#verify();
    if (this.#ticks % TICKS_OF_RENEWAL === 0) this.#enqueue(() => presence.renew());
  }

  #ping(): void {
    // Clients of the public system know these words, which are no JSON.
    if (this.#awaitsPong) this.#close(CLOSE_CODES.refused, 'timeout', 'Ping/Pong timeout');
    else this.#socket.ping();
    this.#awaitsPong = true;
  }

  #answered(): void {
    this.#awaitsPong = false;
    // Whether a client that does not answer sends a credential does not matter: it ends by the next ping.
    const isLate = this.#credential === undefined && this.#ticks >= TICKS_OF_CREDENTIAL;
    if (isLate) this.#refuse(401, 'No credential was sent within 10 seconds.');
  }

  async #verify(): Promise<void> {
    this.#isVerifying = true;
    try {
      this.#actor = await this.#dependencies.identify(this.#credential ?? '');
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isVerifying = false;
    }
  }

  #failed(error: unknown): void {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      this.#dependencies.report(error);
      this.#close(CLOSE_CODES.fault, '500', closeReason(500, 'An internal error occurred.'));
    } else if (!isUnavailable(error)) this.#refuse(refusal.status, refusal.message);
    else {
      // Live updates are best effort: an admitted listener waits until events arrive again.
      this.#dependencies.report(error);
      if (this.#presence === undefined) this.drop();
    }
  }

  #refuse(status: number, message: string): void {
    this.#close(CLOSE_CODES.refused, String(status), closeReason(status, message));
  }

  #close(code: number, reason: string, text: string): void {
    if (this.#hasEnded) return;
    this.#end(reason);
    this.#socket.close(code, text);
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearInterval(this.#timer);
    const { live, report, ended } = this.#dependencies;
    live.remove(this);
    const left = this.#work.then(() => this.#presence?.leave()).catch(report);
    ended(this, reason, left);
  }
}
