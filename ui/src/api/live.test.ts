import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { until } from '../../../src/testing/until.ts';
import { LiveEvents } from './live.ts';

const http = createServer();
let server: WebSocketServer;
let sockets: ServerSocket[];
let live: LiveEvents;

const say = (socket: ServerSocket | undefined, frame: object) => socket?.send(JSON.stringify(frame));

beforeEach(async () => {
  sockets = [];
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  server = new WebSocketServer({ server: http });
  server.on('connection', (socket) => {
    sockets.push(socket);
    say(socket, { type: 'info', error: false, status: 200 });
  });
  const { port } = http.address() as AddressInfo;
  live = new LiveEvents({ address: () => `ws://127.0.0.1:${port}`, firstPause: 10, idle: 30 });
});
afterEach(async () => {
  live.close();
  for (const socket of server.clients) socket.terminate();
  server.close();
  await new Promise((resolve) => http.close(resolve));
});

describe('live events', () => {
  it('connect for a listener, and reach those of their type', async () => {
    assert.equal(live.state(), 'unused');
    const received: unknown[] = [];
    live.on('hits', (frame) => received.push(frame));
    live.on('cases', () => assert.fail('another type'));
    assert.equal(live.state(), 'disconnected');
    await until('it is connected', () => live.state() === 'connected');
    sockets[0]?.send('not a frame');
    say(sockets[0], { type: 'hits', error: false, status: 200, hit: 1 });
    await until('the frame arrives', () => received.length === 1);
    assert.equal(sockets.length, 1, 'one connection for all');
  });

  it('connect again after a cut, and say so', async () => {
    const states: string[] = [];
    let reconnected = 0;
    live.on('reconnected', () => {
      reconnected += 1;
    });
    live.subscribe(() => states.push(live.state()));
    await until('it is connected', () => live.state() === 'connected');
    assert.equal(reconnected, 0, 'not the first time');
    sockets[0]?.terminate();
    await until('it is connected again', () => sockets.length === 2 && live.state() === 'connected');
    assert.equal(reconnected, 1);
    assert.deepEqual(states, ['connected', 'disconnected', 'connected']);
  });

  it('end a moment after the last listener, who missed nothing when another one comes', async () => {
    const stop = live.on('hits', () => undefined);
    await until('it is connected', () => live.state() === 'connected');
    stop();
    const stopNext = live.on('hits', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(live.state(), 'connected', 'the next page listens');
    stopNext();
    await until('it is closed', () => live.state() === 'unused');
    await until('the server knows', () => server.clients.size === 0);
    live.on('reconnected', () => assert.fail('nothing was missed'));
    await until('it is connected', () => live.state() === 'connected');
    assert.equal(sockets.length, 2);
  });

  it('wait long after a refused session, and connect at once after a sign-in', async () => {
    live.on('hits', () => undefined);
    await until('it is connected', () => live.state() === 'connected');
    sockets[0]?.close(1008);
    await until('it is closed', () => live.state() === 'disconnected');
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(sockets.length, 1);
    live.reconnect();
    await until('it is connected', () => live.state() === 'connected');
  });
});
