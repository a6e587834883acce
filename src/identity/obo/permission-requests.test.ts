import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { presented } from '../../testing/identity/presented-credentials.ts';
import type { Actor } from '../actor.ts';
import { VerifiedCredentials } from '../verified-credentials.ts';
import { OwnTokens } from './own-tokens.ts';
import { type PermissionRequest, PermissionRequests } from './permission-requests.ts';

const HOST = 'triad.example.org:5001';
const REQUEST: PermissionRequest = {
  clientId: 'robot',
  redirectUrl: 'https://robot.example.org/back?state=7#part',
  roles: undefined,
  scope: 'r',
  server: 'Robots',
  place: { origin: `https://${HOST}`, isEncrypted: true, referer: `https://${HOST}/authorize?client_id=robot` },
};
const ORIGIN = { service: 'analysis', by: 'grace', address: '192.0.2.1', requestId: 'r1' } as const;

describe('permission to call in the name of a user', () => {
  it('goes to the redirect address as a token', async (context) => {
    const { grant, events } = await setUp(context);
    const address = new URL(await grant());
    assert.equal(address.href.replace(/token=[\w.-]+$/, 'token=…'), 'https://robot.example.org/back?state=7&token=…');
    assert.deepEqual(decodeJwt(address.searchParams.get('token') ?? ''), {
      client_id: 'robot',
      netloc: 'robot.example.org',
      roles: ['file_detail', 'submission_view'],
      scope: 'r',
      server: 'Robots',
    });
    await grant();
    assert.deepEqual(events, [
      {
        ...ORIGIN,
        event: 'impersonation_allowed',
        user: 'grace',
        by: undefined,
        azp: 'robot',
        target: 'robot.example.org',
        after: ['file_detail', 'submission_view'],
      },
    ]);
  });

  it('is for roles that are named one by one, or of a scope, and that the user has with this credential', async (context) => {
    const { grant } = await setUp(context);
    const rolesOf = async (request: Partial<PermissionRequest>) => {
      const { scope, roles } = decodeJwt(new URL(await grant(request)).searchParams.get('token') ?? '');
      return [scope, roles];
    };
    const chosen = { roles: 'submission_view, submission_delete,file_detail,nonsense' };
    assert.deepEqual(await rolesOf(chosen), ['c', ['file_detail', 'submission_view']]);
    assert.deepEqual(await rolesOf({ ...chosen, scope: 'nonsense' }), ['c', ['file_detail', 'submission_view']]);
    assert.deepEqual(await rolesOf({ scope: 'w' }), ['w', ['submission_create']]);
    assert.deepEqual(await rolesOf({ scope: 'rw' }), ['rw', ['file_detail', 'submission_view', 'submission_create']]);
  });

  it('is refused in the redirect address when something is missing, or nothing is left', async (context) => {
    const { grant, users } = await setUp(context);
    const missing: readonly Partial<PermissionRequest>[] = [
      { clientId: undefined },
      { server: undefined },
      { roles: 'nonsense' },
      { server: 'x'.repeat(257) },
    ];
    for (const request of missing) {
      assert.equal(new URL(await grant(request)).searchParams.get('error'), 'missing_arguments');
    }
    assert.equal(new URL(await grant({ roles: 'administration' })).searchParams.get('error'), 'access_denied');
    assert.equal((await users.get('grace'))?.apps, undefined);
  });

  it('goes nowhere but to HTTPS addresses', async (context) => {
    const { grant, users } = await setUp(context);
    for (const redirectUrl of [
      'http://robot.example.org/',
      'HTTP://robot.example.org/',
      '//robot.example.org/',
      '/back',
      'javascript:alert(1)//https://robot.example.org',
      'data:text/html,x',
      'https://user:password@robot.example.org/',
      'https://',
      'x',
    ]) {
      await assert.rejects(grant({ redirectUrl }), { code: 'insecure_redirect', response: { success: false } });
    }
    await assert.rejects(grant({ redirectUrl: undefined }), { code: 'redirect_missing' });
    await assert.rejects(grant({ scope: 'e' }), { code: 'invalid_scope' });
    await assert.rejects(grant({ scope: '__proto__' }), { code: 'invalid_scope' });
    await assert.rejects(grant({ scope: undefined }), { code: 'invalid_scope' });
    assert.equal((await users.get('grace'))?.apps, undefined);
  });

  it('is given on our own page or that of the client, on no other', async (context) => {
    const { grant } = await setUp(context);
    const grantAt = (referer: string | undefined) => grant({ place: { ...REQUEST.place, referer } });
    for (const referer of [`https://${HOST}/x`, 'https://robot.example.org/', 'https://ROBOT.example.org']) {
      assert.match(await grantAt(referer), /token=/, referer);
    }
    for (const referer of [
      undefined,
      '',
      HOST,
      `http://${HOST}/x`,
      'http://robot.example.org/',
      'https://evil.example/',
      `https://evil.example/${HOST}`,
      `https://${HOST}.evil.example/`,
      `https://${HOST}@evil.example/`,
      'https://triad.example.org/',
      'https://sub.robot.example.org/',
    ]) {
      await assert.rejects(grantAt(referer), { code: 'foreign_page', kind: 'forbidden' }, String(referer));
    }
  });

  it('is withdrawn by its identifier', async (context) => {
    const { grant, permissions, actor, events } = await setUp(context);
    const id = String(decodeProtectedHeader(new URL(await grant()).searchParams.get('token') ?? '').token_id);
    events.length = 0;
    await permissions.withdraw(actor, id, ORIGIN);
    const [event] = events;
    assert.deepEqual([event?.event, event?.azp, event?.user], ['impersonation_withdrawn', 'robot', 'grace']);
    const missing = { code: 'token_id_missing', message: 'Token ID does not exist', response: { success: false } };
    for (const unknown of [id, '', '__proto__']) {
      await assert.rejects(permissions.withdraw(actor, unknown, ORIGIN), missing);
    }
    assert.equal(events.length, 1);
  });

  it('is not passed on by who calls in the name of the user', async (context) => {
    const { permissions, actor } = await setUp(context);
    const robot: Actor = { ...actor, impersonator: 'robot' };
    const refusal = { code: 'not_in_own_name', kind: 'forbidden' };
    await assert.rejects(permissions.grant(robot, REQUEST, ORIGIN), refusal);
    await assert.rejects(permissions.withdraw(robot, 'any', ORIGIN), refusal);
  });
});

async function setUp(context: TestContext) {
  const { users, identity, events } = await openTestIdentity(context);
  await saveUser(users, 'grace');
  const authorization = `Basic ${Buffer.from('grace:password').toString('base64')}`;
  const caller = await identity.authenticate(presented({ authorization }));
  const actor: Actor = { ...caller, roles: new Set(['submission_view', 'file_detail', 'submission_create']) };
  const ownTokens = new OwnTokens({
    users,
    credentials: new VerifiedCredentials(),
    secret: () => Promise.resolve('secret'),
  });
  events.length = 0;
  const permissions = new PermissionRequests({ ownTokens, audit: { write: (event) => void events.push(event) } });
  const grant = (request: Partial<PermissionRequest> = {}) =>
    permissions.grant(actor, { ...REQUEST, ...request }, ORIGIN);
  return { users, events, actor, permissions, grant };
}
