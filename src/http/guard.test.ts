import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Privilege, Role } from '../identity/actor.ts';
import { actorWith, serverWith } from '../testing/open-service-server.ts';
import { until } from '../testing/until.ts';

describe('the guard', () => {
  const CLOSED = { privileges: ['W'], roles: ['admin', 'user'] } as const;

  it('asks for privilege before user type, and for both before it reads the body', async () => {
    const cases: readonly [Privilege, Role, number, string][] = [
      ['R', 'automation_basic', 403, 'You do not have access to this API.'],
      ['W', 'automation_basic', 403, '/closed/ requires one of the following user types: admin, user'],
      ['W', 'user', 400, "No data block provided or data block not in JSON format.'"],
    ];
    for (const [privilege, role, status, message] of cases) {
      const { app } = serverWith((server) => server.post('/closed', { access: CLOSED, body: 'json' }, async () => 1), {
        actor: actorWith(privilege, role),
      });
      const answer = await app.inject({
        method: 'POST',
        url: '/closed/',
        payload: '{',
        headers: { authorization: 'x', 'content-type': 'application/json' },
      });
      assert.equal(answer.statusCode, status);
      assert.equal(answer.json().message, message);
    }
  });

  it('writes an audit line for those who were admitted, when the route and the settings ask for it', async () => {
    for (const audit of [true, false]) {
      const { app, logged } = serverWith(
        (server) => server.get('/a/:id', { access: { ...CLOSED, audit: true } }, async () => 1),
        {
          actor: actorWith('W', 'user'),
          audit,
        },
      );
      await app.inject({ url: '/a/b?c=d', headers: { authorization: 'x' } });
      const line = logged.find((entry) => entry.audit !== undefined);
      assert.deepEqual(
        line?.audit,
        audit
          ? {
              user: 'anna',
              impersonator: 'otto',
              operation: 'get_a_id',
              method: 'GET',
              path: '/a/b',
              query: { c: 'd' },
            }
          : undefined,
      );
    }
  });

  it('admits as many requests at once as the quota has places, and gives the places back', async () => {
    let free = 1;
    const places = {
      async enter() {
        if (free === 0) return undefined;
        free -= 1;
        return 'place';
      },
      async leave() {
        free += 1;
      },
    };
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { app } = serverWith(
      (server) => {
        server.get('/slow', { access: CLOSED }, () => held);
        server.get('/exempt', { access: { ...CLOSED, quota: false } }, async () => 1);
      },
      { actor: actorWith('W', 'user'), places },
    );
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: 'x' };
    const first = fetch(`${url}/slow`, { headers });
    await until('the first has its place', () => free === 0);
    const refused = await fetch(`${url}/slow`, { headers });
    assert.equal(refused.status, 429);
    assert.equal(((await refused.json()) as { message: string }).message, 'Too many at once.');
    assert.equal((await fetch(`${url}/exempt`, { headers })).status, 200);
    finish();
    assert.equal((await first).status, 200);
    await until('the place is given back', () => free > 0);
    await app.close();
  });

  it('counts who was admitted and who was refused', async () => {
    const { app, metrics } = serverWith((server) => server.get('/a', { access: CLOSED }, async () => 1), {
      actor: actorWith('W', 'user'),
    });
    await app.inject({ url: '/a', headers: { authorization: 'x' } });
    await app.inject('/a');
    await app.inject('/nothing');
    const text = await metrics.text();
    assert.match(text, /triad_http_requests_total\{method="GET",path="\/a",status="200"\} 1/);
    assert.match(text, /triad_http_requests_total\{method="GET",path="unknown",status="404"\} 1/);
    assert.match(text, /triad_auth_success_total 1/);
    assert.match(text, /triad_auth_fail_total\{status="401"\} 1/);
  });
});
