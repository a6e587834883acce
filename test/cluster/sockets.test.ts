import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { SocketClient } from '../../src/testing/socket-client.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';

describe('listeners at two programs with one Redis', () => {
  const redis = outsideServer('redis');
  if (redis.unavailable !== undefined) {
    it('not run', { skip: redis.unavailable });
    return;
  }

  /** Not in the datastore of either program, so the record is visible to everyone. */
  const id = randomUUID();
  let programs: readonly [TestProgram, TestProgram];
  let listeners: readonly [SocketClient, SocketClient];

  before(async () => {
    const settings = {
      'coordination.type': 'redis',
      'coordination.url': redis.url,
      'datastore.index_prefix': `t${id.slice(0, 8)}`,
    };
    programs = [await startTestProgram({ settings }), await startTestProgram({ settings })];
    const admitted = async (program: TestProgram, user: string) => {
      const json = { user, password: user };
      const login = await program.request('/api/v1/auth/login', { method: 'POST', json });
      return SocketClient.admitted(program.url, login.json.api_response.app_token);
    };
    listeners = [await admitted(programs[0], 'admin'), await admitted(programs[1], 'user')];
  });
  after(async () => {
    for (const listener of listeners) listener.close();
    await programs[0].close();
  });

  const viewersAt = async (program: TestProgram) =>
    (await program.request(`/socket/v1/viewers/${id}`, { basic: 'admin:devkey:admin' })).json.api_response as unknown;

  it('hear of each other and are in one list of viewers', async () => {
    const [first, second] = listeners;
    await first.send({ id, action: 'viewing', broadcast: true });
    assert.deepEqual((await second.next('broadcast')).event, { id, action: 'viewing', username: 'admin' });
    assert.deepEqual((await second.next('viewers_update')).viewers, ['admin']);
    await second.send({ id, action: 'viewing', broadcast: false });
    await first.next('viewers_update', ({ viewers }) => (viewers as string[]).length === 2);
    for (const program of programs) assert.deepEqual(await viewersAt(program), ['admin', 'user']);
  });

  it('leave the list when their program stops, and the others hear of it', async () => {
    const [first, second] = listeners;
    await programs[1].close();
    assert.deepEqual((await first.next('viewers_update')).viewers, ['admin']);
    assert.deepEqual(await viewersAt(programs[0]), ['admin']);
    assert.equal(await second.status(), 1006);
  });
});
