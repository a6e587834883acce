import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { openEmbeddedCoordination } from '../../../coordination/embedded/embedded-coordination.ts';
import { Unauthenticated } from '../../../errors/errors.ts';
import { ArrivalLimits } from '../../../http/input/arrival-limits.ts';
import type { Actor, ServiceRole } from '../../../identity/actor.ts';
import { enforcedClassification as classification } from '../../../testing/analysis/enforced-classification.ts';
import { until } from '../../../testing/until.ts';
import { SUBMISSION_CHANNEL } from '../../dispatching/submission-message.ts';
import { WatchQueues } from '../../dispatching/watch-queues.ts';
import { LiveService } from '../live-service.ts';
import { STATUS_CHANNEL } from '../status-messages.ts';
import { SocketCallers } from './socket-callers.ts';
import { SocketNamespaces } from './socket-namespaces.ts';

const HASH = 'a'.repeat(64);

describe('SocketNamespaces', () => {
  it('tells what happens to submissions and alerts, to those who may see them', async (context) => {
    const { connect, events } = await setUp(context);
    const high = await connect('/submissions', 'high');
    const low = await connect('/submissions', 'low', ['websocket']);
    const alerts = await connect('/alerts', 'low');
    for (const one of [high, low]) assert.deepEqual(await one.ask('monitor', { any: 1 }), { any: 1 });
    assert.equal(await alerts.ask('alert', 'id'), 'id');
    const submission = (sid: string, marking: string) => ({
      msg_type: 'SubmissionStarted',
      sender: 'x',
      msg: { sid, params: { classification: marking } },
    });
    await events.publish(SUBMISSION_CHANNEL, submission('secret', 'TLP:A'));
    await events.publish(SUBMISSION_CHANNEL, submission('open', 'TLP:CLEAR'));
    await events.publish(SUBMISSION_CHANNEL, { msg_type: 'SubmissionStarted', msg: { sid: 'unmarked' } });
    await events.publish('alerts', { msg_type: 'AlertCreated', msg: { alert_id: 'a', classification: 'TLP:A' } });
    await events.publish('alerts', { msg_type: 'AlertUpdated', msg: { alert_id: 'b', classification: 'TLP:CLEAR' } });
    await until(
      'all arrived',
      () => high.heard.length === 2 && low.heard.length === 1 && alerts.heard.length === 1,
      5000,
    );
    await sleep(50);
    assert.deepEqual(
      high.heard.map(([, message]) => (message as { sid: string }).sid),
      ['secret', 'open'],
    );
    assert.deepEqual(low.heard, [['SubmissionStarted', submission('open', 'TLP:CLEAR').msg]]);
    assert.deepEqual(alerts.heard, [['AlertUpdated', { alert_id: 'b', classification: 'TLP:CLEAR' }]]);
  });

  it('tells the state of components to everyone who signed in', async (context) => {
    const { connect, events } = await setUp(context);
    const listener = await connect('/status', 'none');
    assert.equal(await listener.ask('monitor', null), null);
    await events.publish(STATUS_CHANNEL, { msg_type: 'DispatcherHeartbeat', msg: { instances: 1 } });
    await until('it arrived', () => listener.heard.length === 1, 5000);
    assert.deepEqual(listener.heard, [['DispatcherHeartbeat', { instances: 1 }]]);
  });

  it('follows a watch queue to its end', async (context) => {
    const { connect, queues } = await setUp(context);
    const listener = await connect('/live_submission', 'low');
    const id = WatchQueues.newId();
    await queues.push([id], [{ status: 'START' }, { status: 'OK', cache_key: 'key' }]);
    for (const wq_id of ['nope', id, id]) listener.socket.emit('listen', { wq_id });
    await until('two arrived', () => listener.heard.length === 2, 5000);
    await queues.push([id], [{ status: 'FAIL', cache_key: 'error' }, { status: 'STOP' }]);
    await until('all arrived', () => listener.heard.length === 4, 5000);
    assert.deepEqual(listener.heard, [
      ['start', { status_code: 200, msg: 'Start listening...' }],
      ['cachekey', { status_code: 200, msg: 'key' }],
      ['cachekeyerr', { status_code: 200, msg: 'error' }],
      ['stop', { status_code: 200, msg: 'All messages received, closing queue...' }],
    ]);
  });

  it('tells those who look at a file of new comments', async (context) => {
    const { connect } = await setUp(context);
    const [reader, writer] = [await connect('/file_comments', 'none'), await connect('/file_comments', 'none')];
    reader.socket.emit('enter_room', { sha256: HASH });
    reader.socket.emit('enter_room', 'nonsense');
    // Entering a room is not answered: until it counts, changes go unheard.
    await until(
      'it arrived',
      async () => {
        for (const sha256 of ['b'.repeat(64), HASH]) writer.socket.emit('comments_change', { sha256 });
        await sleep(50);
        return reader.heard.length > 0;
      },
      5000,
    );
    assert.deepEqual([reader.heard[0], writer.heard], [['refresh_comments', null], []]);
  });

  it('disconnects a caller without a session at the first message, and tells nothing without the role', async (context) => {
    const { connect, events } = await setUp(context);
    const stranger = await connect('/submissions', 'unknown');
    assert.equal(stranger.socket.connected, true);
    stranger.socket.emit('monitor', 1);
    await until('it is disconnected', () => !stranger.socket.connected, 5000);
    const powerless = await connect('/submissions', 'none');
    powerless.socket.emit('monitor', 1);
    await sleep(50);
    await events.publish(SUBMISSION_CHANNEL, { msg_type: 'X', msg: { params: { classification: 'TLP:CLEAR' } } });
    await sleep(50);
    assert.deepEqual(powerless.heard, []);
    assert.equal(powerless.socket.connected, true);
  });

  it('ends a request of a polling client that does not arrive', async (context) => {
    const { port } = await setUp(context);
    const handshake = await fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`);
    const { sid } = JSON.parse((await handshake.text()).slice(1)) as { readonly sid: string };
    // A waiting poll lets the session end with the test.
    const polling = fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling&sid=${sid}`);
    polling.catch(() => undefined);
    const slow = createConnection(port, '127.0.0.1').on('error', () => undefined);
    context.after(() => slow.destroy());
    slow.write(`POST /socket.io/?EIO=4&transport=polling&sid=${sid} HTTP/1.1\r\nHost: x\r\n`);
    slow.write('Content-Type: text/plain\r\nContent-Length: 1000\r\n\r\n4');
    await until('it is closed', () => slow.destroyed, 5000);
  });

  it('ends a connection that sends too much', async (context) => {
    const { connect } = await setUp(context);
    const listener = await connect('/status', 'none', ['websocket']);
    listener.socket.emit('monitor', 'x'.repeat(100_000));
    await until('it is disconnected', () => !listener.socket.connected, 5000);
  });
});

const USERS: Readonly<Record<string, { classification: string; roles: readonly ServiceRole[] }>> = {
  high: { classification: 'TLP:A', roles: ['submission_view', 'alert_view'] },
  low: { classification: 'TLP:CLEAR', roles: ['submission_view', 'alert_view'] },
  none: { classification: 'TLP:CLEAR', roles: [] },
};

async function setUp(context: TestContext) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const watchQueues = new WatchQueues(coordination);
  const server = createServer((_, response) => response.end('other'));
  const arrivals = new ArrivalLimits({ total: 300, interval: 20 });
  context.after(() => arrivals.close());
  const namespaces = new SocketNamespaces(server, {
    callers: new SocketCallers({
      isTrustedProxy: undefined,
      identity: {
        async authenticate(presented) {
          const user = USERS[presented.header('cookie')?.slice('session='.length) ?? ''];
          if (user === undefined) throw new Unauthenticated('session_not_found', 'Session not found');
          return { ...user, roles: new Set(user.roles) } as unknown as Actor;
        },
      },
    }),
    events: coordination.events,
    live: new LiveService({
      submissions: { get: async () => undefined },
      dispatcher: { watch: async () => undefined, outstanding: async () => undefined, watchQueues },
    }),
    classification,
    alertChannel: 'alerts',
    arrivals,
    log: { warn: (_, message) => assert.fail(message) },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  context.after(async () => {
    for (const socket of sockets) socket.disconnect();
    await namespaces.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await coordination.close();
  });
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/other`)).text(), 'other');
  const connect = async (namespace: string, user: string, transports = ['polling', 'websocket']) => {
    const options = { transports, forceNew: true, reconnection: false, extraHeaders: { Cookie: `session=${user}` } };
    const socket = io(`http://127.0.0.1:${port}${namespace}`, options);
    sockets.push(socket);
    const heard: [event: string, message: unknown][] = [];
    socket.onAny((event: string, message: unknown) => {
      if (event !== 'monitoring') heard.push([event, message]);
    });
    await new Promise((resolve, reject) =>
      socket.once('connect', () => resolve(undefined)).once('connect_error', reject),
    );
    const ask = (event: string, data: unknown) =>
      new Promise((resolve) => {
        socket.once('monitoring', resolve);
        socket.emit(event, data);
      });
    return { socket, heard, ask };
  };
  return { connect, port, events: coordination.events, queues: watchQueues };
}
