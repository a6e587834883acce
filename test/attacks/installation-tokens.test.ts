import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { base64url, exportSPKI, type JWTPayload, SignJWT } from 'jose';
import { openEmbeddedCoordination } from '../../src/coordination/embedded/embedded-coordination.ts';
import { type Privilege, SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { type InstallationKey, InstallationKeys } from '../../src/identity/installation-tokens/installation-keys.ts';
import type { InstallationTokenRequest } from '../../src/identity/installation-tokens/installation-tokens.ts';
import { installationSecret } from '../../src/identity/sessions/installation-secret.ts';
import { type AttackFixture, pathOf, probeOf, routesOf, startAttackFixture } from './attack-fixture.ts';

/** The keys of the program, with which the tests sign what it never would. */
interface Loot {
  readonly issuer: string;
  readonly key: InstallationKey;
  /** A key of another installation. */
  readonly foreign: { readonly issuer: string; readonly key: InstallationKey };
}

let fixture: AttackFixture & AsyncDisposable;
let loot: Loot;
before(async () => {
  fixture = await startAttackFixture();
  const { coordination } = fixture.program.foundation;
  const configured = fixture.program.config.analysis.ui.secret_key ?? undefined;
  const own = await signingKey(
    new InstallationKeys({ coordination, secret: installationSecret({ coordination, configured }) }),
  );
  const elsewhere = await openEmbeddedCoordination({ folder: 'memory' });
  const secret = async () => 'secret of another installation';
  loot = { ...own, foreign: await signingKey(new InstallationKeys({ coordination: elsewhere, secret })) };
  await elsewhere.close();
});
after(() => fixture[Symbol.asyncDispose]());

const seconds = () => Math.floor(Date.now() / 1000);
const CALLER = { username: 'admin', privileges: new Set<Privilege>(['R', 'W', 'E']), impersonator: undefined };

type Make = (service: ServiceName) => Promise<string>;

function claimsFor(service: ServiceName, changed: object = {}): JWTPayload {
  const iat = seconds();
  const named = { iss: loot.issuer, sub: 'admin', aud: `service:${service}`, azp: 'enrichment' };
  return { ...named, scope: 'R W', jti: 'x', iat, exp: iat + 60, ...changed };
}

function sign(claims: JWTPayload, header: object = {}, key: CryptoKeyLike = loot.key.privateKey): Promise<string> {
  const protectedHeader = { typ: 'triad+jwt', alg: 'ES256', kid: loot.key.id, ...header };
  return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(key);
}

type CryptoKeyLike = Parameters<SignJWT['sign']>[0];

const withClaims =
  (change: (service: ServiceName) => object): Make =>
  (service) =>
    sign(claimsFor(service, change(service)));
const withHeader =
  (change: () => object): Make =>
  (service) =>
    sign(claimsFor(service), change());
const withSecret =
  (secret: () => Promise<string> | string): Make =>
  async (service) =>
    sign(claimsFor(service), { alg: 'HS256' }, new TextEncoder().encode(await secret()));
const changed =
  (change: (parts: readonly string[], service: ServiceName) => readonly string[]): Make =>
  async (service) =>
    change((await sign(claimsFor(service))).split('.'), service).join('.');
const json = (value: object) => base64url.encode(JSON.stringify(value));
const otherThan = (service: ServiceName) => (service === 'alerts' ? 'analysis' : 'alerts');

const FORGED: readonly { readonly what: string; readonly make: Make; readonly code?: string }[] = [
  { what: 'for another service', make: withClaims((service) => ({ aud: `service:${otherThan(service)}` })) },
  { what: 'for a source with the name of the service', make: withClaims((service) => ({ aud: `source:${service}` })) },
  { what: 'for the bare name of the service', make: withClaims((service) => ({ aud: service })) },
  { what: 'for nobody', make: withClaims(() => ({ aud: undefined })) },
  {
    what: 'expired',
    code: 'token_expired',
    make: withClaims(() => ({ iat: seconds() - 70, exp: seconds() - 10 })),
  },
  { what: 'without expiry', make: withClaims(() => ({ exp: undefined })) },
  {
    what: 'older than a minute, whatever its expiry',
    code: 'token_expired',
    make: withClaims(() => ({ iat: seconds() - 120, exp: seconds() + 3600 })),
  },
  { what: 'issued in the future', make: withClaims(() => ({ iat: seconds() + 600, exp: seconds() + 660 })) },
  { what: 'without time of issue', make: withClaims(() => ({ iat: undefined })) },
  {
    what: 'of another installation',
    make: (service) =>
      sign(claimsFor(service, { iss: loot.foreign.issuer }), { kid: loot.foreign.key.id }, loot.foreign.key.privateKey),
  },
  {
    what: 'of another installation in the name of this one and its key',
    make: (service) => sign(claimsFor(service), {}, loot.foreign.key.privateKey),
  },
  { what: 'with the issuer of another installation', make: withClaims(() => ({ iss: loot.foreign.issuer })) },
  { what: 'without issuer', make: withClaims(() => ({ iss: undefined })) },
  ...['none', 'None', ''].map((alg) => ({
    what: `with alg "${alg}" and no signature`,
    make: changed(([, body = '']) => [json({ typ: 'triad+jwt', alg, kid: loot.key.id }), body, '']),
  })),
  { what: 'HS256 with the public key as PEM', make: withSecret(() => exportSPKI(loot.key.publicKey)) },
  {
    what: 'HS256 with the public key as JWK',
    make: withSecret(() => JSON.stringify(loot.key.publicKey.export({ format: 'jwk' }))),
  },
  { what: 'HS256 with the key identifier', make: withSecret(() => loot.key.id) },
  { what: 'with the type of a token of a provider', make: withHeader(() => ({ typ: 'JWT' })) },
  { what: 'with another key identifier', make: withHeader(() => ({ kid: '__proto__' })) },
  { what: 'without key identifier', make: withHeader(() => ({ kid: undefined })) },
  {
    what: 'with its own key in jwk',
    make: (service) =>
      sign(
        claimsFor(service),
        { kid: undefined, jwk: loot.foreign.key.publicKey.export({ format: 'jwk' }) },
        loot.foreign.key.privateKey,
      ),
  },
  {
    what: 'with claims changed after signing',
    make: changed(([head = '', , signature = ''], service) => [
      head,
      json(claimsFor(service, { sub: 'user' })),
      signature,
    ]),
  },
  { what: 'without signature', make: changed(([head = '', body = '']) => [head, body, '']) },
  { what: 'for a user that does not exist', make: withClaims(() => ({ sub: 'nobody-of-this-name' })) },
  { what: 'for no user', make: withClaims(() => ({ sub: undefined })) },
  { what: 'by no service of the installation', make: withClaims(() => ({ azp: 'mallory' })) },
  { what: 'by nobody', make: withClaims(() => ({ azp: undefined })) },
  { what: 'of 20,000 characters', make: withClaims(() => ({ padding: 'p'.repeat(20_000) })) },
];

for (const service of SERVICES) {
  describe(`a token of the installation at the ${service} service`, () => {
    for (const { what, make, code = 'invalid_token' } of FORGED) {
      it(`${what}: 401, nothing is made, and the audit log has it`, async () => {
        const bearer = await make(service);
        const { answer, events, changedUsers } = await fixture.attack(probeOf(fixture.program, service), {
          service,
          bearer,
        });
        assert.equal(answer.status, 401, answer.text);
        assert.deepEqual(changedUsers, []);
        const told = events.map(({ event, service: at, code: why }) => [event, at, why]);
        assert.deepEqual(told, [['credential_refused', service, code]]);
        for (const part of bearer.split('.')) {
          assert.ok(part.length < 8 || !`${answer.text}${JSON.stringify(events)}`.includes(part));
        }
      });
    }

    it('is accepted when the program issued it: the refusals above are due to the forgery', async () => {
      for (const bearer of [await sign(claimsFor(service)), await issue({ audience: { service } })]) {
        const { answer, events } = await fixture.attack(probeOf(fixture.program, service), { service, bearer });
        assert.equal(answer.status, 200, answer.text);
        const told = events.map(({ event, user, azp, impersonator }) => [event, user, azp, impersonator]);
        assert.deepEqual(told, [['on_behalf_of_call', 'admin', 'enrichment', 'enrichment']]);
      }
    });

    it('ends within a second when its user is switched off', async () => {
      const { users } = fixture.program.foundation;
      const bearer = await issue({ audience: { service }, actor: { ...CALLER, username: 'user' } });
      const call = () => fixture.program.request(probeOf(fixture.program, service), { service, bearer });
      assert.equal((await call()).status, 200);
      await users.update('user', [{ op: 'set', path: 'is_active', value: false }]);
      await setTimeout(1_000);
      assert.equal((await call()).status, 403);
      await users.update('user', [{ op: 'set', path: 'is_active', value: true }]);
    });
  });
}

describe('a token of the installation for a lookup', () => {
  it('writes nothing at the alert service', async () => {
    const bearer = await issue({ audience: { service: 'alerts' } });
    const writing = routesOf(fixture.program, 'alerts').filter(
      ({ access, method }) =>
        access !== 'public' && (method === 'GET' ? !access.privileges.includes('R') : access.privileges.includes('W')),
    );
    assert.ok(writing.length > 40);
    for (const route of writing) await assertForbidden('alerts', bearer, route);
  });

  it('writes nothing at the analysis service', async () => {
    const bearer = await issue({ audience: { service: 'analysis' } });
    const reading: readonly unknown[] = ['view', 'download', 'detail', 'external_query'];
    const writing = routesOf(fixture.program, 'analysis').filter(
      ({ access }) =>
        access !== 'public' &&
        access.roles !== 'any' &&
        access.roles.length > 0 &&
        access.roles.every((role) => !reading.some((word) => role.endsWith(`${word}`))),
    );
    assert.ok(writing.length > 20);
    for (const route of writing) await assertForbidden('analysis', bearer, route);
  });

  it('changes no account and creates no key, also with the rights of its caller', async () => {
    const bearer = await issue({ audience: { service: 'alerts' }, rights: 'own' });
    for (const [path, method, body] of [
      ['/api/v1/auth/apikey', 'POST', { name: 'mine', priv: ['R'] }],
      ['/api/v1/user/admin', 'PUT', { new_pass: 'a password of the attacker' }],
      ['/api/v1/user/user', 'PUT', { type: ['admin', 'user'] }],
      ['/api/v1/user/mallory', 'POST', { name: 'mallory', new_pass: 'a password of the attacker' }],
    ] as const) {
      const { answer, changedUsers } = await fixture.attack(path, { bearer, method, json: body });
      assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`);
      assert.deepEqual(changedUsers, []);
    }
  });

  it('opens no session at the analysis service', async () => {
    const token = await issue({ audience: { service: 'analysis' }, rights: 'own' });
    for (const more of [{}, { oauth_provider: 'main' }]) {
      const { answer } = await fixture.attack('/api/v4/auth/login/', {
        service: 'analysis',
        method: 'POST',
        json: { oauth_token: token, ...more },
      });
      assert.equal(answer.status, 401, answer.text);
      assert.equal(answer.headers.get('set-cookie')?.includes('session='), undefined);
    }
  });

  it('is no token for an exchange', async () => {
    const token = await issue({ audience: { service: 'enrichment' } });
    assert.equal(await fixture.program.foundation.enrichmentExchange.exchange(token, 'alerts', 'admin'), null);
  });
});

describe('the public keys of the installation', () => {
  it('are the same at each service, without a private half', async () => {
    const sets = await Promise.all(
      SERVICES.map((service) => fixture.program.request('/.well-known/jwks.json', { service })),
    );
    for (const { status, json: set } of sets) {
      assert.equal(status, 200);
      assert.deepEqual(set, sets[0]?.json);
      assert.deepEqual(
        set.keys.map((key: object) => Object.keys(key).sort().join(' ')),
        ['alg crv kid kty use x y'],
      );
    }
  });
});

function issue(request: Partial<InstallationTokenRequest> & Pick<InstallationTokenRequest, 'audience'>) {
  const { installationTokens } = fixture.program.foundation;
  return installationTokens.issue({ actor: CALLER, party: 'enrichment', rights: 'read', ...request });
}

async function assertForbidden(
  service: ServiceName,
  bearer: string,
  route: ReturnType<typeof routesOf>[number],
): Promise<void> {
  const { answer, changedUsers } = await fixture.attack(pathOf(route), { service, bearer, method: route.method });
  assert.equal(answer.status, 403, `${route.method} ${route.path}: ${answer.text}`);
  assert.deepEqual(changedUsers, []);
}

async function signingKey(keys: InstallationKeys) {
  const {
    issuer,
    keys: [key],
  } = await keys.all();
  assert.ok(key);
  return { issuer, key };
}
