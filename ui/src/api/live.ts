/** A frame of the socket of the alert service (contract of the alert service, section 8). */
export interface LiveFrame {
  readonly type: string;
  readonly error: boolean;
  readonly status: number;
  readonly [key: string]: unknown;
}

export type LiveState = 'connected' | 'disconnected';

type FrameListener = (frame: LiveFrame) => void;

const ADDRESS = '/services/alerts/socket/v1/connect';
const MAX_PAUSE = 30_000;

/**
 * The live events of this window. It connects while there are listeners, again with exponential
 * backoff after a cut, and says `reconnected` to those who may have missed something.
 */
class LiveEvents {
  #socket: WebSocket | undefined;
  #listeners = new Map<string, Set<FrameListener>>();
  #stateListeners = new Set<() => void>();
  #state: LiveState = 'disconnected';
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasConnected = false;

  /**
   * Listens to the frames of a type, among them `hits`, `cases`, `broadcast`, `viewers_update`,
   * `action` and our own `reconnected`. Returns what ends it.
   */
  on(type: string, listener: FrameListener): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    if (this.#socket === undefined && this.#timer === undefined) this.#connect();
    return () => listeners.delete(listener);
  }

  /** Sends a frame where a connection is open; presence is of no use later. */
  send(frame: { readonly id: string; readonly action: string; readonly broadcast: boolean }): void {
    if (this.#state === 'connected') this.#socket?.send(JSON.stringify(frame));
  }

  /** Connects now in place of later, for example after a new sign-in. */
  reconnect(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#connect();
  }

  /** Ends the connection, for example after the session. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#setState('disconnected');
  }

  state = (): LiveState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  #connect(): void {
    this.#timer = undefined;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${ADDRESS}`);
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#setState('disconnected');
      // The server refused this session: requests find that out, too, and ask for a sign-in.
      const isRefused = code === 1008;
      const pause = isRefused ? MAX_PAUSE : Math.min(1000 * 2 ** this.#failures, MAX_PAUSE);
      this.#failures += 1;
      this.#timer = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
    });
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (frame === undefined) return;
    if (frame.type === 'info' && !frame.error && this.#state === 'disconnected') {
      this.#failures = 0;
      this.#setState('connected');
      if (this.#hasConnected) this.#emit({ type: 'reconnected', error: false, status: 200 });
      this.#hasConnected = true;
    }
    this.#emit(frame);
  }

  #emit(frame: LiveFrame): void {
    for (const listener of this.#listeners.get(frame.type) ?? []) listener(frame);
  }

  #setState(state: LiveState): void {
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
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

export const live = new LiveEvents();
