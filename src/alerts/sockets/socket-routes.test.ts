import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocketClient } from '../../testing/socket-client.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';

const ADMIN = 'admin:devkey:admin';

describe('websockets of the alert service', () => {
  let program: TestProgram;
  const clients: SocketClient[] = [];

  before(async () => {
    program = await startTestProgram();
  });
  after(async () => {
    for (const client of clients) client.close();
    await program.close();
  });

  const tokenOf = async (user: string, login: object = { password: user }) => {
    const { json } = await program.request('/api/v1/auth/login', { method: 'POST', json: { user, ...login } });
    return json.api_response.app_token as string;
  };
  const connected = async (credential: string) => {
    const client = await SocketClient.admitted(program.url, credential);
    clients.push(client);
    return client;
  };
  const listener = async (user: string) => connected(await tokenOf(user));
  const refused = async (credential: string) => {
    const client = new SocketClient(program.url);
    clients.push(client);
    await client.send(credential);
    return client.status();
  };
  const viewersOf = async (id: string, basic = ADMIN) =>
    (await program.request(`/socket/v1/viewers/${id}`, { basic })).json.api_response as unknown;
  const aHit = async (fields: object = {}) => {
    const json = [{ 'howler.analytic': 'Socket test', ...fields }];
    const answer = await program.request('/api/v1/hit', { method: 'POST', basic: ADMIN, json });
    return answer.json.api_response.valid[0].howler.id as string;
  };

  it('take the tokens of logins that may read, and no other credential', async () => {
    await connected(await tokenOf('admin', { apikey: 'readonly:admin' }));
    assert.equal(await refused(await tokenOf('admin', { apikey: 'write1:admin' })), 403);
    for (const wrong of ['admin:wrong', ADMIN, 'Basic YWRtaW46ZGV2a2V5OmFkbWlu', 'nothing', '', 'a.b.c', '{}']) {
      assert.equal(await refused(wrong), 401, wrong);
    }
  });

  it('ignore the credentials of the handshake, which a page of another site could cause', async () => {
    const headers = { origin: 'https://example.org', authorization: `Basic ${Buffer.from(ADMIN).toString('base64')}` };
    const login = await fetch(`${program.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'admin', password: 'admin' }),
    });
    const cookie = login.headers.getSetCookie().map((one) => one.split(';')[0]);
    assert.ok(cookie.length > 0);
    const client = new SocketClient(program.url, { ...headers, cookie: cookie.join('; ') });
    clients.push(client);
    await client.send('{"id":"a","action":"viewing","broadcast":true}');
    assert.deepEqual([await client.status(), client.frames], [401, []]);
  });

  it('end the oldest connection of an address without a credential when there are over 1,000', async () => {
    const waiting: SocketClient[] = [];
    const open = async (count: number) => {
      const opened = Array.from({ length: count }, () => new SocketClient(program.url));
      waiting.push(...opened);
      await until('they are open', () => opened.every(({ socket }) => socket.readyState === socket.OPEN));
    };
    const admitted = await listener('user');
    const token = await tokenOf('user');
    try {
      await open(1);
      for (let at = 0; at < 10; at += 1) await open(100);
      const [oldest] = waiting;
      await until('the oldest is gone', () => oldest?.closed !== undefined);
      assert.equal(oldest?.closed?.code, 1006);
      await waiting.at(-1)?.send(token);
      await until('the newest is admitted', () => waiting.at(-1)?.frames.length === 1);
      assert.equal(admitted.closed, undefined);
    } finally {
      for (const client of waiting) client.close();
    }
  });

  it('end within 5 s of a logout, with the status that makes the web interface log in again', async () => {
    const token = await tokenOf('goose');
    const [gone, other] = [await connected(token), await listener('goose')];
    const out = await program.request('/api/v1/auth/logout', { method: 'POST', bearer: token });
    assert.ok(out.status < 300, out.text);
    assert.equal(await gone.status(5_000), 401);
    assert.equal(other.closed, undefined);
  });

  it('end within 5 s when the account is deleted', async () => {
    const json = { name: 'Short', new_pass: 'long enough for all', email: 'short@triad.example' };
    await program.request('/api/v1/user/short', { method: 'POST', basic: ADMIN, json });
    const client = await connected(await tokenOf('short', { password: json.new_pass }));
    const deleted = await program.request('/api/v1/user/short', { method: 'DELETE', basic: ADMIN });
    assert.equal(deleted.status, 204);
    assert.equal(await client.status(5_000), 401);
  });

  it('tell of a change with the version that the next change needs', async () => {
    const id = await aHit();
    const client = await listener('user');
    const path = `/api/v1/hit/${id}/update`;
    const changed = await program.request(path, { method: 'PUT', basic: ADMIN, json: [['SET', 'howler.score', 7]] });
    const frame = await client.next('hits');
    assert.deepEqual([frame.error, frame.status, frame.message], [false, 200, '']);
    assert.equal(frame.version, changed.headers.get('etag'));
    assert.deepEqual(frame.hit, changed.json.api_response);
  });

  it('keep the viewers of a record, each by all of their websockets', async () => {
    const id = await aHit();
    const [first, second, other] = await Promise.all(['user', 'user', 'admin'].map(listener));
    assert.ok(first && second && other);
    const viewing = { id, action: 'viewing', broadcast: false };
    for (const client of [first, second]) {
      await client.send(viewing);
      assert.deepEqual((await other.next('viewers_update', (frame) => frame.id === id)).viewers, ['user']);
    }
    await first.send({ ...viewing, id: 'another' });
    await other.next('viewers_update', (frame) => frame.id === 'another');
    await first.send({ ...viewing, id: 'another', action: 'stop_viewing' });
    first.close();
    assert.deepEqual((await other.next('viewers_update', (frame) => frame.id === id)).viewers, ['user']);
    assert.deepEqual(await viewersOf(id), ['user']);
    second.close();
    assert.deepEqual((await other.next('viewers_update', (frame) => frame.id === id)).viewers, []);
    assert.deepEqual(await viewersOf(id), []);
  });

  it('show nothing of others about a record above the clearance', async () => {
    const id = await aHit({ classification: 'RESTRICTED' });
    const [low, high] = [await listener('huey'), await listener('user')];
    await high.send({ id, action: 'viewing', broadcast: true });
    await high.next('viewers_update', (frame) => frame.id === id);
    await low.send({ id, action: 'viewing', broadcast: true });
    assert.deepEqual((await low.next('broadcast')).event, { id, action: 'viewing', username: 'huey' });
    assert.deepEqual((await low.next('viewers_update')).viewers, ['huey']);
    assert.deepEqual(await viewersOf(id, 'huey:devkey:huey'), ['huey']);
    assert.deepEqual(await viewersOf(id, 'user:devkey:user'), ['huey', 'user']);
    await low.send({ id, action: 'stop_viewing', broadcast: false });
    assert.deepEqual((await low.next('viewers_update')).viewers, []);
    assert.deepEqual(await viewersOf(id, 'huey:devkey:huey'), []);
    await sleep(50);
    assert.deepEqual(low.frames, []);
  });

  it('answer an ordinary request with 400', async () => {
    const answer = await program.request('/socket/v1/connect', { basic: ADMIN });
    assert.equal(answer.status, 400);
    assert.match(answer.json.api_error_message, /Upgrade: websocket/);
  });

  it('take events of other programs with the secret', async () => {
    const client = await listener('user');
    const emit = (event: string, basic: string, body: string) =>
      program.request(`/socket/v1/emit/${event}`, {
        method: 'POST',
        basic,
        body,
        headers: { 'content-type': 'application/json' },
      });
    const sent = await emit('action', 'x:secret', '{"request_id":"r","processed":2,"total":3}');
    assert.deepEqual([sent.status, sent.json.api_response], [200, { success: true }]);
    assert.equal((await client.next('action')).processed, 2);
    for (const name of ['__proto__', 'constructor', 'info', 'unknown']) {
      assert.equal((await emit(name, 'x:secret', '{"a":1}')).status, 200, name);
    }
    for (const wrong of ['x:wrong', 'secret:x', ADMIN]) assert.equal((await emit('action', wrong, '{}')).status, 401);
    assert.equal((await emit('action', 'x:secret', '{')).status, 400);
    assert.equal((await emit('action', 'x:secret', `"${'x'.repeat(1024 * 1024)}"`)).status, 413);
    assert.deepEqual(client.frames, []);
  });

  it('end with a reason for a client that does not read, without an effect on others', async () => {
    const [slow, other] = [await listener('user'), await listener('user')];
    slow.socket.pause();
    const sent = 20;
    for (let number = 0; number < sent; number += 1) {
      const json = { number, pad: 'x'.repeat(1_000_000) };
      await program.request('/socket/v1/emit/action', { method: 'POST', basic: 'x:secret', json });
      await other.next('action', (frame) => frame.number === number);
    }
    slow.socket.resume();
    assert.equal(await slow.status(), 429);
    assert.ok(slow.frames.length < sent, `${slow.frames.length} frames`);
    assert.equal(other.closed, undefined);
  });

  it('are counted and logged, without credentials', async () => {
    const lines: string[] = [];
    const own = await startTestProgram({ onLog: (entry) => lines.push(JSON.stringify(entry)) });
    const json = { user: 'user', password: 'user' };
    const login = await own.request('/api/v1/auth/login', { method: 'POST', json });
    const token = login.json.api_response.app_token as string;
    const client = await SocketClient.admitted(own.url, token);
    client.close();
    const ended = () => lines.find((line) => line.includes('websocket ended'));
    await until('the end is logged', () => ended() !== undefined);
    const { user, reason, address } = JSON.parse(ended() ?? '');
    assert.deepEqual([user, reason, address], ['user', 'client', '127.0.0.1']);
    assert.ok(!lines.some((line) => line.includes(token.split(':')[1] ?? token)));
    const metrics = await (await fetch(`${own.url}/metrics`)).text();
    assert.match(metrics, /triad_sockets_opened_total 1\n/);
    assert.match(metrics, /triad_sockets_closed_total\{reason="client"\} 1\n/);
    await own.close();
  });

  it('end without a close frame when the program ends, and leave no viewer behind', async () => {
    const own = await startTestProgram();
    const json = { user: 'user', password: 'user' };
    const login = await own.request('/api/v1/auth/login', { method: 'POST', json });
    const client = await SocketClient.admitted(own.url, login.json.api_response.app_token as string);
    await client.send({ id: 'a', action: 'viewing', broadcast: false });
    await client.next('viewers_update');
    await own.close();
    assert.equal(await client.status(), 1006);
  });
});
