import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { until } from './until.ts';

type Frame = Readonly<Record<string, unknown>>;

/** A client of `/socket/v1/connect` that keeps what it receives. */
export class SocketClient {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  /** @param url `http://host:port` of the alert service @param headers of the handshake */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(`${url.replace(/^http/, 'ws')}/socket/v1/connect`, { headers });
    this.socket.on('message', (data: Buffer) => this.frames.push(JSON.parse(data.toString()) as Frame));
    this.socket.on('close', (code: number, reason: Buffer) => {
      this.closed = { code, reason: reason.toString() };
    });
    this.socket.on('error', () => undefined);
  }

  /** Connects and sends the credential; resolves when the listener is admitted. */
  static async admitted(url: string, credential: string): Promise<SocketClient> {
    const client = new SocketClient(url);
    await client.send(credential);
    await until('the listener is admitted', () => client.frames.length > 0 || client.closed !== undefined);
    assert.equal(client.frames[0]?.type, 'info', client.closed?.reason);
    return client;
  }

  async send(frame: string | object): Promise<void> {
    await until('the websocket is open', () => this.socket.readyState !== WebSocket.CONNECTING);
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Resolves with the first frame of a type that fits, and forgets it and those before it. */
  async next(type: string, fits: (frame: Frame) => boolean = () => true): Promise<Frame> {
    const wanted = (frame: Frame) => frame.type === type && fits(frame);
    await until(`a frame ${type} arrives`, () => this.frames.some(wanted), 10_000);
    return this.frames.splice(0, this.frames.findIndex(wanted) + 1).at(-1) ?? {};
  }

  /** Resolves with the status in the reason of the server, after it closed the connection. */
  async status(longest = 20_000): Promise<unknown> {
    await until('the server closes', () => this.closed !== undefined, longest);
    return this.closed?.code === 1008 ? JSON.parse(this.closed.reason).status : this.closed?.code;
  }

  close(): void {
    this.socket.terminate();
  }
}
