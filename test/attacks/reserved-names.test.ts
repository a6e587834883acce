import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SERVICES } from '../../src/identity/actor.ts';
import { saveUser } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, openAttackFixture, startAttackFixture } from './attack-fixture.ts';

const ADMIN = { basic: 'admin:devkey:admin' };
const PASSWORD = 'a long enough password';

/** Words that stand where a user name does, in the paths that the services serve. */
function pathWords({ program }: AttackFixture): ReadonlySet<string> {
  const words = SERVICES.flatMap((service) =>
    program[service].routes.all.flatMap(({ path }) => /^\/api\/v\d\/user\/([^/<]+)/.exec(path)?.[1] ?? []),
  );
  return new Set(words);
}

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  await saveUser(fixture.program.foundation.users, 'Straße.Möller');
});
after(() => fixture[Symbol.asyncDispose]());

/** The ways in which an administrator makes an account. */
const WAYS = {
  'the alert service': (name: string) =>
    fixture.program.request(`/api/v1/user/${encodeURIComponent(name)}`, {
      ...{ ...ADMIN, method: 'POST' },
      json: { name: 'x', new_pass: PASSWORD },
    }),
  'the analysis service': (name: string) =>
    fixture.program.request(`/api/v4/user/${encodeURIComponent(name)}/`, {
      ...{ service: 'analysis', method: 'PUT' },
      headers: { 'x-user': 'admin', 'x-apikey': 'devkey:admin' },
      json: { uname: name, name: 'x', type: ['user'], new_pass: PASSWORD },
    }),
} as const;

for (const [where, create] of Object.entries(WAYS)) {
  describe(`a user of ${where}`, () => {
    it('is not named like a word in paths, or like the absence of a user', async () => {
      const words = pathWords(fixture);
      assert.ok(words.has('whoami') && words.has('groups') && words.size >= 8);
      for (const word of [...words, 'unassigned', 'none', 'system']) {
        for (const name of [word, word.toUpperCase()]) {
          const answer = await create(name);
          assert.ok(answer.status >= 400 && answer.status < 500, `${name}: ${answer.status}`);
          assert.equal(await fixture.program.foundation.users.get(name), undefined);
          if (answer.status === 400) assert.match(answer.text, /reserved word|already exists/, name);
        }
      }
    });

    it('is not named like another one in another case', async () => {
      for (const name of ['Admin', 'ADMIN', 'aDmIn', 'Goose', 'straße.möller', 'STRAßE.MÖLLER']) {
        const answer = await create(name);
        assert.equal(answer.status, 400, `${name}: ${answer.text}`);
        assert.equal(await fixture.program.foundation.users.get(name), undefined);
        assert.match(answer.text, /already exists/);
      }
    });

    it('may have a name that begins like one of these', async () => {
      const prefix = where.replaceAll(/[^a-z]/g, '');
      for (const name of ['whoami2', 'group', 'unassigned-one', 'admin.', 'a.min', 'ADMI']) {
        const answer = await create(`${name}-${prefix}`);
        assert.equal(answer.status, 200, answer.text);
      }
    });
  });
}

it('of two that are created at once with names that differ in case, at most one is there', async () => {
  for (let round = 0; round < 5; round += 1) {
    const names = [`Twin${round}`, `twin${round}`, `TWIN${round}`];
    const ways = Object.values(WAYS);
    await Promise.all(names.map((name, index) => ways[index % ways.length]?.(name)));
    const stored = (await fixture.program.foundation.users.list()).map(({ uname }) => uname);
    assert.ok(stored.filter((name) => names.includes(name)).length <= 1, stored.join(' '));
  }
});

it('a provider cannot choose such a name for a new user', async (context) => {
  const { provider, program } = await openAttackFixture(context);
  const names: string[] = [];
  for (const [number, name] of ['whoami', 'Unassigned', 'GROUPS', 'Admin', 'Goose', 'system'].entries()) {
    const email = `person${number}@example.org`;
    const claims = { sub: `person${number}`, email, email_verified: true, preferred_username: name, uname: name };
    const bearer = await provider.accessToken(`person${number}`, 'alerts', claims);
    const answer = await program.request('/api/v1/user/whoami', { bearer });
    assert.equal(answer.status, 200, answer.text);
    names.push(answer.json.api_response.username);
  }
  assert.deepEqual(names, ['whoami1', 'Unassigned1', 'GROUPS1', 'Admin1', 'Goose1', 'system1']);
});

it('existing accounts with such names still work, at each service', async (context) => {
  const { program } = await openAttackFixture(context);
  const { users } = program.foundation;
  for (const name of ['whoami', 'unassigned', 'ADMIN', 'Goose']) {
    await saveUser(users, name);
    const basic = `${name}:password`;
    assert.equal((await program.request('/api/v1/user/whoami', { basic })).json.api_response.username, name);
    const json = { user: name, password: 'password' };
    const login = await program.request('/api/v4/auth/login/', { service: 'analysis', method: 'POST', json });
    assert.equal(login.json.api_response.username, name);
    const changed = { ...ADMIN, method: 'PUT', json: { name: 'Renamed' } };
    assert.equal((await program.request(`/api/v1/user/${name}`, changed)).status, 200);
    assert.equal((await users.get(name))?.name, 'Renamed');
  }
});

it('the command line refuses such names, too', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-names-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const create = (name: string) =>
    spawnSync(process.execPath, ['src/start.mjs', 'user', 'create', name, '--random'], {
      env: { ...process.env, SVC_DATA_FOLDER: folder, NODE_TEST_CONTEXT: undefined },
      encoding: 'utf8',
    });
  assert.equal(create('ada').status, 0);
  for (const [name, said] of [
    ['Ada', /already exists.*"ada"/],
    ['unassigned', /reserved word/],
  ] as const) {
    const { status, stderr } = create(name);
    assert.equal(status, 1, name);
    assert.match(stderr, said);
  }
});
