import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { User } from '../../src/documents/kinds/user.ts';
import { SERVICES } from '../../src/identity/actor.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../src/testing/start-test-program.ts';
import { routesOf } from './attack-fixture.ts';

/** Names that mean something on every object of the language. */
const NAMES = ['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
const ADMIN = 'admin:devkey:admin';
const ANALYSIS = { service: 'analysis', headers: { 'x-user': 'admin', 'x-apikey': 'devkey:admin' } } as const;

let program: TestProgram;
before(async () => {
  program = await startTestProgram({ demo: 'users' });
});
after(() => program.close());

const ask = (path: string, request: TestRequest = {}) => program.request(path, { basic: ADMIN, ...request });

describe('names that every object has', () => {
  for (const name of NAMES) {
    it(`are refused as names of keys and users: ${name}`, async () => {
      const key = await ask('/api/v1/auth/apikey', { method: 'POST', json: { name, priv: 'R' } });
      assert.equal(key.status, 400, key.text);
      const body = { key_name: name, priv: 'R' };
      const other = await program.request('/api/v4/apikey/add/', { ...ANALYSIS, method: 'PUT', json: body });
      assert.equal(other.status, 400, other.text);
      const user = { name: 'x', new_pass: 'a long enough password' };
      const made = await ask(`/api/v1/user/${name}`, { method: 'POST', json: user });
      assert.equal(made.status, 400, made.text);
    });

    it(`are refused as keys of labels, new or by an operation: ${name}`, async () => {
      const hit = (labels: object) => ({ howler: { analytic: 'Names' }, ...labels });
      for (const labels of [{ labels: JSON.parse(`{"${name}":"x"}`) }, { [`labels.${name}`]: 'x' }]) {
        const refused = await ask('/api/v1/hit/', { method: 'POST', json: [hit(labels)] });
        assert.equal(refused.status, 400, refused.text);
      }
      const made = await ask('/api/v1/hit/', { method: 'POST', json: [hit({ labels: { owner: 'x' } })] });
      const { id } = made.json.api_response.valid[0].howler;
      const json = [['SET', `labels.${name}`, 'x']];
      const changed = await ask(`/api/v1/hit/${id}/update`, { method: 'PUT', json });
      assert.equal(changed.status, 400, changed.text);
    });
  }

  it('leave an account changeable that has them from before', async () => {
    const { users } = program.foundation;
    const names = NAMES.filter((name) => name !== '__proto__');
    const apikeys = Object.fromEntries(
      names.map((name) => [name, storedKey('secret', ['R', 'W', 'E'])]),
    ) as User['apikeys'];
    Object.defineProperty(apikeys, '__proto__', { value: storedKey('secret', ['R']), enumerable: true });
    await saveUser(users, 'locked', { type: ['user'] });
    const stored = await users.get('locked');
    assert.ok(stored);
    await users.save({ ...stored, apikeys });
    const disable = { method: 'PUT', json: { is_active: false } };
    const disabled = await ask('/api/v1/user/locked', disable);
    assert.equal(disabled.status, 200, disabled.text);
    const enable = { ...ANALYSIS, method: 'POST', json: { name: 'Locked', is_active: true } };
    const enabled = await program.request('/api/v4/user/locked/', enable);
    assert.equal(enabled.status, 200, enabled.text);
    const after = await users.get('locked');
    assert.ok(after?.is_active);
    assert.deepEqual(Object.keys(after.apikeys ?? {}).sort(), NAMES.toSorted());
    const owner = { basic: 'locked:constructor:secret' };
    assert.equal((await program.request('/api/v1/user/whoami', owner)).status, 200);
    for (const name of NAMES) {
      const revoked = await program.request(`/api/v1/auth/apikey/${name}`, { ...owner, method: 'DELETE' });
      if (name !== 'constructor') assert.ok(revoked.status === 204 || revoked.status === 401, revoked.text);
      if (name === 'constructor') owner.basic = 'locked:password';
    }
    assert.deepEqual(Object.keys((await users.get('locked'))?.apikeys ?? {}), []);
  });

  it('leave an alert changeable that has them from before', async () => {
    const made = await ask('/api/v1/hit/', { method: 'POST', json: [{ howler: { analytic: 'Names' } }] });
    const { id } = made.json.api_response.valid[0].howler;
    const comment = await ask(`/api/v1/hit/${id}/comments`, { method: 'POST', json: { value: 'hello' } });
    const [{ id: commentId }] = comment.json.api_response.howler.comment;
    await saveUser(program.foundation.users, 'Ana.Lopez', { type: ['user'] });
    const basic = 'Ana.Lopez:password';
    const reaction = { method: 'PUT', json: { type: 'thumbsup' } };
    const reacted = await ask(`/api/v1/hit/${id}/comments/${commentId}/react`, { ...reaction, basic });
    assert.equal(reacted.status, 200, reacted.text);
    const json = { message: 'changed' };
    const changed = await ask(`/api/v1/hit/${id}/overwrite`, { method: 'PUT', json });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.json.api_response.howler.comment[0].reactions, { 'Ana.Lopez': 'thumbsup' });
  });

  for (const service of SERVICES) {
    it(`end no request with an internal error: every route of the ${service} service`, async () => {
      const failures: string[] = [];
      const how = service === 'analysis' ? ANALYSIS : { basic: ADMIN, service };
      for (const name of ['constructor', '__proto__']) {
        const bodies = [JSON.parse(`{"x":"${name}"}`), { [`a.${name}`]: name }, [name], { name, query: `${name}:*` }];
        for (const { method, path } of routesOf(program, service)) {
          if (!/[<*]/.test(path) && method === 'GET') continue;
          const filled = path.replaceAll(/<[^>]+>/g, name).replace(/\*$/, name);
          for (const json of method === 'GET' || method === 'HEAD' ? [undefined] : bodies) {
            const { status, text } = await program.request(`${filled}?sort=${name}&fl=${name}&filters=${name}`, {
              ...how,
              method,
              ...(json !== undefined && { json }),
            });
            if (status >= 500 && status !== 503) failures.push(`${method} ${filled}: ${text}`);
          }
        }
      }
      assert.deepEqual(failures, []);
    });
  }
});
