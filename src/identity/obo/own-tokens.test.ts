import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { type AllowedClient, looksLikeOwnToken, OwnTokens } from './own-tokens.ts';

const SECRET = 'a secret of the public system';
const CLIENT: AllowedClient = {
  client_id: 'robot',
  scope: 'r',
  netloc: 'robot.example.org',
  server: 'Robots',
  roles: ['submission_view', 'file_detail'],
};

describe("the analysis service's own tokens", () => {
  it('are those of the public system: HS256 with a key of the secret and the token, and no end', async (context) => {
    const { ownTokens, users } = await setUp(context);
    const { token, isNew } = await ownTokens.issue('grace', CLIENT);
    assert.equal(isNew, true);
    const { alg, user, token_id } = decodeProtectedHeader(token);
    assert.deepEqual([alg, user], ['HS256', 'grace']);
    assert.deepEqual(decodeJwt(token), CLIENT);
    assert.deepEqual((await users.get('grace'))?.apps, { [String(token_id)]: CLIENT });
    assert.equal(await signed(CLIENT, { user: 'grace', token_id: String(token_id) }), token);
    assert.ok(looksLikeOwnToken(token));
  });

  it('say whose they are, who has to send them and the roles that they allow', async (context) => {
    const { ownTokens } = await setUp(context);
    const { token } = await ownTokens.issue('grace', { ...CLIENT, roles: ['submission_view', 'role_of_the_future'] });
    const { user, clientId, roles } = await ownTokens.verify(token);
    assert.deepEqual([user.uname, clientId, [...roles]], ['grace', 'robot', ['submission_view']]);
    assert.deepEqual(await ownTokens.verify(token), await ownTokens.verify(token));
  });

  it('are of one permission when the same is asked for again, and of another for another', async (context) => {
    const { ownTokens, users } = await setUp(context);
    const first = await ownTokens.issue('grace', CLIENT);
    assert.deepEqual(await ownTokens.issue('grace', CLIENT), { token: first.token, isNew: false });
    await ownTokens.issue('grace', { ...CLIENT, server: 'Other robots' });
    await ownTokens.issue('grace', { ...CLIENT, roles: ['file_detail'] });
    assert.equal(Object.keys((await users.get('grace'))?.apps ?? {}).length, 3);
  });

  it('are at most a hundred of a user', async (context) => {
    const { ownTokens, users } = await setUp(context);
    const apps = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`app${number}`, CLIENT]));
    await users.update('grace', [{ op: 'set', path: 'apps', value: apps }]);
    const other = { ...CLIENT, client_id: 'other' };
    await assert.rejects(ownTokens.issue('grace', other), { code: 'too_many_clients' });
    await assert.rejects(ownTokens.issue('nobody', CLIENT), { code: 'user_missing' });
  });

  it('end when the user takes the permission back, here at once and elsewhere within a second', async (context) => {
    const { ownTokens, users, collection, clock } = await setUp(context);
    const { token } = await ownTokens.issue('grace', CLIENT);
    const id = String(decodeProtectedHeader(token).token_id);
    await ownTokens.verify(token);
    assert.deepEqual(await ownTokens.forget('grace', id), CLIENT);
    await assert.rejects(ownTokens.verify(token), { code: 'invalid_token' });
    assert.equal(await ownTokens.forget('grace', id), undefined);
    assert.equal(await ownTokens.forget('nobody', id), undefined);

    const again = await ownTokens.issue('grace', CLIENT);
    await ownTokens.verify(again.token);
    await collection.update('grace', [{ op: 'unset', path: 'apps' }]);
    clock.now += 1001;
    await assert.rejects(ownTokens.verify(again.token), { code: 'invalid_token' });
    assert.equal((await users.get('grace'))?.apps, undefined);
  });

  it('are refused when anything about them is not as it was given out', async (context) => {
    const { ownTokens } = await setUp(context);
    const { token } = await ownTokens.issue('grace', CLIENT);
    const id = String(decodeProtectedHeader(token).token_id);
    const header = { user: 'grace', token_id: id };
    const [head = '', body = '', signature = ''] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', ...header })).toString('base64url');
    const wrong: Readonly<Record<string, string>> = {
      'more roles': await signed({ ...CLIENT, roles: [...CLIENT.roles, 'administration'] }, header),
      'another client': await signed({ ...CLIENT, client_id: 'mallory' }, header),
      'more claims': await signed({ ...CLIENT, exp: 4_000_000_000 } as AllowedClient, header),
      'no roles': await signed({ ...CLIENT, roles: undefined } as never, header),
      'another user': await signed(CLIENT, { ...header, user: 'ada' }),
      nobody: await signed(CLIENT, { ...header, user: 'nobody' }),
      'another permission': await signed(CLIENT, { ...header, token_id: 'other' }),
      'the prototype': await signed(CLIENT, { ...header, token_id: '__proto__' }),
      'another secret': await signed(CLIENT, header, 'guessed'),
      'no user': await signed(CLIENT, { token_id: id } as never),
      'no signature': `${head}.${body}.`,
      'another signature': `${head}.${body}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      'algorithm none': `${none}.${body}.`,
      'algorithm HS512': await signed(CLIENT, header, SECRET, 'HS512'),
      'no token at all': 'x',
      'too long': `${head}.${'A'.repeat(10_000)}.${signature}`,
    };
    for (const [what, forged] of Object.entries(wrong)) {
      await assert.rejects(ownTokens.verify(forged), { code: 'invalid_token', kind: 'unauthenticated' }, what);
    }
    assert.equal((await ownTokens.verify(token)).clientId, 'robot');
  });

  it('are told from tokens of providers by their beginning', () => {
    const header = (value: object) => `${Buffer.from(JSON.stringify(value)).toString('base64url')}.e30.c2ln`;
    assert.equal(looksLikeOwnToken(header({ alg: 'HS256', token_id: 'a', user: 'b' })), true);
    assert.equal(looksLikeOwnToken(header({ alg: 'HS256', kid: 'a' })), false);
    assert.equal(looksLikeOwnToken(header({ alg: 'RS256', token_id: 'a', user: 'b' })), false);
    assert.equal(looksLikeOwnToken(header({ alg: 'HS256', token_id: 1, user: 'b' })), false);
    assert.equal(looksLikeOwnToken('eyJhbGciOiJIUzI1NiIs'), false);
  });
});

async function setUp(context: TestContext) {
  const parts = await openTestIdentity(context);
  await saveUser(parts.users, 'grace');
  await saveUser(parts.users, 'ada');
  return {
    ...parts,
    ownTokens: new OwnTokens({
      users: parts.users,
      credentials: parts.credentials,
      secret: () => Promise.resolve(SECRET),
    }),
  };
}

/** Signs like the public system (contract/analysis.md section 2.6). */
function signed(
  client: AllowedClient,
  header: { readonly user: string; readonly token_id: string },
  secret = SECRET,
  alg = 'HS256',
): Promise<string> {
  const key = createHash('sha256').update(`${secret}_${header.token_id}`).digest('hex');
  return new SignJWT({ ...client })
    .setProtectedHeader({ alg, typ: 'JWT', token_id: header.token_id, user: header.user })
    .sign(new TextEncoder().encode(key));
}
