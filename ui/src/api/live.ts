import { Store } from '../state/store.ts';

/** A frame of the socket of the alert service (contract of the alert service, section 8). */
export interface LiveFrame {
  readonly type: string;
  readonly error: boolean;
  readonly status: number;
  readonly [key: string]: unknown;
}

/** `unused`: there is no listener, so that there need not be a connection. */
export type LiveState = 'connected' | 'disconnected' | 'unused';

type FrameListener = (frame: LiveFrame) => void;

export interface LiveEventsOptions {
  /** Address of the socket, `wss://…`. */
  readonly address: () => string;
  /** Milliseconds before the first try after a cut. Default 1000. */
  readonly firstPause?: number;
  /** Milliseconds for which the connection outlives its last listener. Default a minute. */
  readonly idle?: number;
}

const MAX_PAUSE = 30_000;
/** Close code of a server that refuses the session (RFC 6455 section 7.4.1). */
const REFUSED = 1008;

/**
 * The live events of this window. It connects while there are listeners, and a moment longer, because
 * pages follow each other; after a cut again with exponential backoff. Then it says `reconnected` to those who may have
 * missed something.
 */
export class LiveEvents {
  readonly #options: Required<LiveEventsOptions>;
  readonly #state = new Store<LiveState>('unused');
  readonly #listeners = new Map<string, Set<FrameListener>>();
  #socket: WebSocket | undefined;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #leaving: ReturnType<typeof setTimeout> | undefined;
  /** Frames may have been missed since. */
  #wasConnected = false;

  constructor({ address, firstPause = 1000, idle = 60_000 }: LiveEventsOptions) {
    this.#options = { address, firstPause, idle };
  }

  readonly state = this.#state.read;
  readonly subscribe = this.#state.subscribe;

  /**
   * Listens to the frames of a type, among them `hits`, `cases`, `broadcast`, `viewers_update`,
   * `action` and our own `reconnected`. Returns what ends it.
   */
  on(type: string, listener: FrameListener): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    clearTimeout(this.#leaving);
    if (this.#state.read() === 'unused') {
      this.#state.set('disconnected');
      this.#connect();
    }
    return () => {
      listeners.delete(listener);
      if (!this.#isListenedTo()) this.#leaveLater();
    };
  }

  /** Sends a frame where a connection is open; presence is of no use later. */
  send(frame: { readonly id: string; readonly action: string; readonly broadcast: boolean }): void {
    if (this.#state.read() === 'connected') this.#socket?.send(JSON.stringify(frame));
  }

  /** Connects now in place of later, for example after a new sign-in. */
  reconnect(): void {
    if (this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#failures = 0;
    this.#connect();
  }

  /** Ends the connection, for example after the session. */
  close(): void {
    clearTimeout(this.#leaving);
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#failures = 0;
    this.#wasConnected = false;
    this.#state.set('unused');
    socket?.close();
  }

  #isListenedTo(): boolean {
    return [...this.#listeners.values()].some((listeners) => listeners.size > 0);
  }

  #leaveLater(): void {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.close(), this.#options.idle);
  }

  #connect(): void {
    this.#retry = undefined;
    const socket = new WebSocket(this.#options.address());
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#state.set('disconnected');
      // The server refused this session: requests find that out, too, and ask for a sign-in.
      const pause = code === REFUSED ? MAX_PAUSE : Math.min(this.#options.firstPause * 2 ** this.#failures, MAX_PAUSE);
      this.#failures += 1;
      this.#retry = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
    });
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (frame === undefined) return;
    if (frame.type === 'info' && !frame.error && this.#state.read() === 'disconnected') {
      this.#failures = 0;
      this.#state.set('connected');
      if (this.#wasConnected) this.#emit({ type: 'reconnected', error: false, status: 200 });
      this.#wasConnected = true;
    }
    this.#emit(frame);
  }

  #emit(frame: LiveFrame): void {
    for (const listener of this.#listeners.get(frame.type) ?? []) listener(frame);
  }
}

/** Returns undefined for a frame of a later version that this one cannot read. */
function readFrame(text: string): LiveFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null && 'type' in frame ? (frame as LiveFrame) : undefined;
  } catch {
    return undefined;
  }
}

export const live = new LiveEvents({
  address: () => `${location.origin.replace(/^http/, 'ws')}/services/alerts/socket/v1/connect`,
});
