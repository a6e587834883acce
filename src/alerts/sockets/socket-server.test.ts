import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { Forbidden, Unauthenticated, Unavailable } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { until } from '../../testing/until.ts';
import { Presences } from './presence.ts';
import { SocketConnection } from './socket-server.ts';

const INTERVAL = 20;
const VIEWING = JSON.stringify({ id: 'a', action: 'viewing', broadcast: false });

/** The server's side of a websocket, whose client answers pings or does not. */
class FakeSocket extends EventEmitter {
  bufferedAmount = 0;
  pings = 0;
  answersPings = true;
  terminated = false;
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly sent: string[] = [];
  corked = 0;

  send(frame: Buffer): void {
    this.sent.push(frame.toString());
  }
  cork(): void {
    this.corked += 1;
  }
  uncork(): void {
    this.corked -= 1;
  }
  ping(): void {
    this.pings += 1;
    if (this.answersPings) setImmediate(() => this.emit('pong'));
  }
  close(code: number, reason: string): void {
    this.closed = { code, reason };
    setImmediate(() => this.emit('close', code));
  }
  terminate(): void {
    this.terminated = true;
    setImmediate(() => this.emit('close', 1006));
  }
  receive(text: string): void {
    this.emit('message', Buffer.from(text), false);
  }
  get status(): unknown {
    return this.closed && JSON.parse(this.closed.reason).status;
  }
}

interface Options {
  readonly identify?: (credential: string) => Promise<Actor>;
  readonly subscribe?: () => Promise<void>;
  readonly add?: () => Promise<readonly string[]>;
}

function open(context: TestContext, options: Options = {}) {
  const socket = new FakeSocket();
  const seen = { events: [] as unknown[], ended: [] as string[], listening: 0, reported: [] as unknown[], left: false };
  const tell = async (_id: string, event: { readonly data: unknown }) => {
    seen.events.push(event.data);
  };
  const presences = new Presences({
    viewers: { add: options.add ?? (async () => ['ana']), remove: async () => [] },
    classificationOf: async () => undefined,
    broadcast: tell,
    viewersChanged: tell,
  });
  const connection = new SocketConnection(socket as unknown as WebSocket, {
    stream: socket,
    admitted: () => undefined,
    identify: options.identify ?? (async () => anActor()),
    live: {
      subscribe: options.subscribe ?? (async () => undefined),
      add: () => {
        seen.listening += 1;
      },
      remove: () => {
        seen.listening = 0;
      },
    },
    presences,
    report: (error) => seen.reported.push(error),
    ended: (_connection, reason, left) => {
      seen.ended.push(reason);
      void left.then(() => {
        seen.left = true;
      });
    },
    interval: INTERVAL,
  });
  context.after(() => connection.drop());
  return { socket, seen, connection, presences };
}

async function admitted(context: TestContext, options: Options = {}) {
  const opened = open(context, options);
  opened.socket.receive('token');
  await until('the listener is admitted', () => opened.seen.listening === 1);
  return opened;
}

describe('a websocket', () => {
  it('is admitted by the credential in its first frame, and then hears of events', async (context) => {
    const { socket, connection, seen } = await admitted(context);
    assert.deepEqual(
      socket.sent.map((text) => JSON.parse(text)),
      [
        {
          error: false,
          status: 200,
          message: 'Listener authenticated as ana',
          type: 'info',
          id: connection.id,
          username: 'ana',
        },
      ],
    );
    assert.deepEqual(seen.ended, []);
  });

  const refusals = [
    [new Unauthenticated('invalid_token', 'Authentication header is invalid.'), 401],
    [new Forbidden('missing_privilege', 'You do not have access to this API.'), 403],
  ] as const;
  for (const [error, status] of refusals) {
    it(`is closed with the reason ${error.code} of its credential`, async (context) => {
      const { socket, seen } = open(context, { identify: () => Promise.reject(error) });
      socket.receive('token');
      await until('it is closed', () => socket.closed !== undefined);
      assert.deepEqual(socket.closed, {
        code: 1008,
        reason: JSON.stringify({ error: true, status, message: error.message, type: 'error' }),
      });
      assert.deepEqual([seen.listening, seen.ended], [0, [String(status)]]);
    });
  }

  it('is closed with a reason after 10 s without a credential', async (context) => {
    const { socket, seen } = open(context);
    await until('it is closed', () => socket.closed !== undefined);
    assert.equal(socket.status, 401);
    assert.ok(socket.pings === 2, `after ${socket.pings} pings`);
    assert.deepEqual(seen.ended, ['401']);
  });

  it('stays while pings are answered, and is closed when one is not', async (context) => {
    const { socket } = await admitted(context);
    await until('many pings were answered', () => socket.pings > 5);
    assert.equal(socket.closed, undefined);
    socket.answersPings = false;
    await until('it is closed', () => socket.closed !== undefined);
    assert.deepEqual(socket.closed, { code: 1008, reason: 'Ping/Pong timeout' });
  });

  it('is closed at the next verification after its credential was revoked', async (context) => {
    const state = { revoked: false, verified: 0 };
    const { socket, seen } = await admitted(context, {
      identify: async () => {
        state.verified += 1;
        if (state.revoked) throw new Unauthenticated('invalid_token', 'Authentication header is invalid.');
        return anActor();
      },
    });
    await until('it was verified again', () => state.verified > 3);
    assert.equal(socket.closed, undefined);
    state.revoked = true;
    await until('it is closed', () => socket.closed !== undefined);
    assert.equal(socket.status, 401);
    assert.equal(seen.listening, 0);
  });

  it('has the clearance of the account as it is now', async (context) => {
    const state = { classification: 'RESTRICTED' };
    const { connection } = await admitted(context, {
      identify: async () => anActor({ classification: state.classification }),
    });
    state.classification = 'UNRESTRICTED';
    await until('it is lowered', () => connection.actor.classification === 'UNRESTRICTED');
  });

  it('survives that nothing can be verified, once it is admitted', async (context) => {
    const state = { away: false, failed: 0 };
    const { socket, seen } = await admitted(context, {
      identify: async () => {
        if (!state.away) return anActor();
        state.failed += 1;
        throw new Unavailable('app_tokens_unavailable', 'Try again later.');
      },
    });
    state.away = true;
    await until('verifications failed', () => state.failed > 3);
    assert.deepEqual([socket.closed, socket.terminated, seen.listening], [undefined, false, 1]);
    assert.ok(seen.reported.length > 0);
  });

  it('is dropped without a close frame when nothing can be verified or heard at first', async (context) => {
    const away = () => Promise.reject(new Unavailable('coordination_unavailable', 'Try again later.'));
    for (const options of [{ identify: away }, { subscribe: away }]) {
      const { socket, seen } = open(context, options);
      socket.receive('token');
      await until('it is dropped', () => socket.terminated);
      assert.deepEqual([socket.closed, socket.sent, seen.ended], [undefined, [], ['dropped']]);
    }
  });

  it('is closed with 1011 by a fault, which only the log describes', async (context) => {
    const { socket, seen } = open(context, { identify: () => Promise.reject(new Error('secret detail')) });
    socket.receive('token');
    await until('it is closed', () => socket.closed !== undefined);
    assert.equal(socket.closed?.code, 1011);
    assert.ok(socket.status === 500 && !socket.closed?.reason.includes('secret'));
    assert.equal(seen.reported.length, 1);
  });

  it('takes frames in order, those too that come before the credential is verified', async (context) => {
    const { socket, seen } = open(context);
    socket.receive('token');
    socket.receive('');
    for (const id of ['a', 'b', 'c']) socket.receive(JSON.stringify({ id, action: 'look', broadcast: true }));
    await until('all are passed on', () => seen.events.length === 3);
    assert.deepEqual(
      seen.events.map((event) => (event as { id: string }).id),
      ['a', 'b', 'c'],
    );
  });

  it('is closed with 400 by a frame that cannot be read, and does not do the frames behind it', async (context) => {
    const { socket, seen } = await admitted(context);
    socket.receive('{');
    socket.receive(JSON.stringify({ id: 'a', action: 'look', broadcast: true }));
    await until('it is closed', () => socket.closed !== undefined);
    await sleep(5);
    assert.deepEqual([socket.status, seen.events], [400, []]);
  });

  it('is closed with 429 by a thousand frames, pings or pongs at once', async (context) => {
    const floods = [
      (one: FakeSocket) => one.receive(VIEWING),
      (one: FakeSocket) => one.emit('ping'),
      (one: FakeSocket) => one.emit('pong'),
    ];
    for (const flood of floods) {
      const { socket } = await admitted(context);
      for (let sent = 0; sent < 1_000; sent += 1) flood(socket);
      assert.equal(socket.status, 429);
    }
  });

  it('holds frames until they are released, become 64 KiB, or it ends', async (context) => {
    const { socket, connection } = await admitted(context);
    connection.release();
    assert.equal(socket.corked, 0);
    connection.hold();
    connection.hold();
    connection.send(Buffer.from('{}'));
    assert.equal(socket.corked, 1);
    socket.bufferedAmount = 64 * 1024 + 1;
    connection.send(Buffer.from('{}'));
    assert.equal(socket.corked, 0);
    connection.hold();
    connection.release();
    assert.equal(socket.corked, 0);
    connection.drop();
    connection.hold();
    assert.equal(socket.corked, 0);
  });

  it('is closed with 429 when more than 1 MiB waits for the client, and gets no more', async (context) => {
    const { socket, connection, seen } = await admitted(context);
    socket.bufferedAmount = 1024 * 1024;
    connection.send(Buffer.from('{}'));
    assert.equal(socket.closed, undefined);
    socket.bufferedAmount += 1;
    connection.send(Buffer.from('{}'));
    assert.equal(socket.status, 429);
    assert.deepEqual([socket.sent.length, seen.listening], [2, 0]);
  });

  it('takes back what the user did when it ends, after the frames in work', async (context) => {
    let finish: () => void = () => undefined;
    const adding = new Promise<readonly string[]>((resolve) => {
      finish = () => resolve(['ana']);
    });
    const { socket, seen } = await admitted(context, { add: () => adding });
    socket.receive(JSON.stringify({ id: 'a', action: 'typing', broadcast: false }));
    socket.receive(VIEWING);
    await sleep(5);
    socket.emit('close', 1000);
    await sleep(5);
    assert.equal(seen.left, false);
    finish();
    await until('it left', () => seen.left);
    assert.deepEqual(seen.events, [
      { id: 'a', viewers: ['ana'] },
      { id: 'a', action: 'stop_typing', username: 'ana' },
      { id: 'a', viewers: [] },
    ]);
    assert.deepEqual(seen.ended, ['client']);
  });

  it('takes back nothing that another websocket of the user still does', async (context) => {
    const { socket, seen, presences } = await admitted(context);
    const other = presences.enter({ id: 'other', username: 'ana' });
    const typing = { id: 'a', action: 'typing', broadcast: false };
    await other.act(typing);
    socket.receive(JSON.stringify(typing));
    socket.receive(JSON.stringify({ ...typing, id: 'b' }));
    await sleep(5);
    socket.emit('close', 1000);
    await until('it left', () => seen.left);
    assert.deepEqual(seen.events, [{ id: 'b', action: 'stop_typing', username: 'ana' }]);
  });

  it('is one of 1,000 of its user at most', async (context) => {
    const { presences } = open(context);
    const entered = Array.from({ length: 1_000 }, (_, at) => presences.enter({ id: `${at}`, username: 'ana' }));
    const refused = { code: 'too_many_sockets' };
    assert.throws(() => presences.enter({ id: 'x', username: 'ana' }), refused);
    presences.enter({ id: 'y', username: 'uma' });
    await entered[0]?.leave();
    presences.enter({ id: 'x', username: 'ana' });
  });

  it('may show 100 records at a time', async (context) => {
    const { seen, presences } = open(context);
    const presence = presences.enter({ id: '1', username: 'ana' });
    const view = (at: number) => presence.act({ id: `r${at}`, action: 'viewing', broadcast: false });
    for (let at = 0; at < 100; at += 1) await view(at);
    await view(0);
    await presence.act({ id: 'r5', action: 'stop_viewing', broadcast: false });
    await view(100);
    await assert.rejects(view(101), { code: 'too_many_records' });
    assert.equal(seen.events.length, 103);
  });
});
