import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { pino } from 'pino';
import { loadConfig } from '../../config/config.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { createServiceServer } from '../../http/service-server.ts';
import { AnalysisIdentity } from '../../identity/analysis-identity.ts';
import { PermissionRequests } from '../../identity/obo/permission-requests.ts';
import { VerifiedCredentials } from '../../identity/verified-credentials.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openOboIdentity } from '../../testing/identity/open-obo-identity.ts';
import { saveUser, storedKey } from '../../testing/identity/open-test-identity.ts';
import { accessDenials } from '../access-denials.ts';
import { analysisGuard } from '../analysis-guard.ts';
import { ANALYSIS_STATUSES, analysisEnvelope } from '../operations/analysis-envelope.ts';
import { oboTokenRoutes } from './obo-token-routes.ts';

const QUERY = new URLSearchParams({
  client_id: 'robot',
  redirect_url: 'https://robot.example.org/back',
  scope: 'r',
  server: 'Robots',
});
const PATH = `/api/v4/auth/obo_token/?${QUERY}`;
const PAGE = { referer: 'http://localhost:80/authorize' };
const GRACE = { 'x-user': 'grace', 'x-apikey': 'all:secret' };
const ROBOT = { 'x-user': 'robot', 'x-apikey': 'all:secret' };

describe('calls in the name of users of the analysis service', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  it('are allowed by the user, made by the client, and end when the user says so', async (context) => {
    const { call, events } = await setUp(context, provider);
    const granted = await call('GET', PATH, { ...GRACE, ...PAGE });
    assert.equal(granted.status, 302);
    assert.equal(granted.headers['cache-control'], 'no-store');
    assert.equal(granted.headers['referrer-policy'], 'no-referrer');
    const location = new URL(String(granted.headers.location));
    assert.equal(`${location.origin}${location.pathname}`, 'https://robot.example.org/back');
    const token = location.searchParams.get('token') ?? '';
    const bearer = { authorization: `Bearer ${token}` };

    const made = await call('GET', '/me/', { ...ROBOT, ...bearer });
    assert.deepEqual(made.body.api_response, { user: 'grace', impersonator: 'robot', method: 'on_behalf_of' });
    assert.equal((await call('GET', '/me/', bearer)).status, 401);
    assert.equal((await call('GET', '/me/', { ...GRACE, ...bearer })).status, 403);

    const path = `/api/v4/auth/obo_token/${decodeProtectedHeader(token).token_id}/`;
    const withdrawn = await call('DELETE', path, GRACE);
    assert.deepEqual([withdrawn.status, withdrawn.body.api_response], [200, { success: true }]);
    const refused = await call('GET', '/me/', { ...ROBOT, ...bearer });
    assert.equal(refused.status, 403);
    assert.match(refused.body.api_error_message, /^Access Denied \(\/me\/\) \[Invalid OBO token/);
    const again = await call('DELETE', path, GRACE);
    assert.deepEqual([again.status, again.body.api_response], [404, { success: false }]);
    assert.equal(again.body.api_error_message, 'Token ID does not exist');
    const written = events.map(({ event }) => event);
    for (const event of [
      'impersonation_allowed',
      'on_behalf_of_call',
      'impersonation_withdrawn',
      'credential_refused',
    ]) {
      assert.ok(written.includes(event as never), event);
    }
    assert.ok(!JSON.stringify(events).includes(token.split('.')[2] ?? ''));
  });

  it('are not allowed without the role, from another page, or to an insecure address', async (context) => {
    const { call, users } = await setUp(context, provider);
    const noRole = await call('GET', PATH, { ...GRACE, ...PAGE, 'x-apikey': 'reading:secret' });
    assert.equal(noRole.status, 403);
    assert.equal(
      noRole.body.api_error_message,
      'Access Denied (/api/v4/auth/obo_token/) [API /api/v4/auth/obo_token/ requires one of the following roles: obo_access]',
    );
    const foreign = await call('GET', PATH, { ...GRACE, referer: 'https://evil.example/' });
    assert.deepEqual([foreign.status, foreign.body.api_response], [403, { success: false }]);
    const insecure = await call('GET', PATH.replace('https', 'http'), { ...GRACE, ...PAGE });
    assert.deepEqual(
      [insecure.status, insecure.body.api_response, insecure.body.api_error_message],
      [400, { success: false }, 'Insecure redirect-url, ignored...'],
    );
    assert.equal((await call('GET', PATH, PAGE)).status, 401);
    assert.equal((await users.get('grace'))?.apps, undefined);
  });

  it('are made with a token of a provider beside a key, or alone', async (context) => {
    const { call, events } = await setUp(context, provider);
    const token = await provider.accessToken('hopper', 'analysis', { azp: 'triad-enrichment' });
    const bearer = { authorization: `Bearer ${token}` };
    const alone = await call('GET', '/me/', bearer);
    assert.deepEqual(alone.body.api_response, {
      user: 'grace',
      impersonator: 'triad-enrichment',
      method: 'on_behalf_of',
    });
    const beside = await call('GET', '/me/', { ...ROBOT, ...bearer, 'x-token-provider': 'local' });
    assert.deepEqual(beside.body.api_response, { user: 'grace', impersonator: 'robot', method: 'on_behalf_of' });
    assert.deepEqual(
      events.filter(({ event }) => event === 'on_behalf_of_call').map(({ azp, user, call: of }) => [azp, user, of]),
      Array(2).fill(['triad-enrichment', 'grace', 'GET /me/']),
    );
    const stranger = await call('GET', '/me/', { ...ROBOT, ...bearer, 'x-token-provider': 'other' });
    assert.equal(stranger.status, 403);
    assert.equal((await call('GET', '/me/', { ...bearer, 'x-token-provider': 'other' })).status, 401);
  });

  it('are refused when the user or the client is switched off', async (context) => {
    const { call, users } = await setUp(context, provider);
    const bearer = { authorization: `Bearer ${await provider.accessToken('hopper', 'analysis')}` };
    const off = [{ op: 'set', path: 'is_active', value: false }] as const;
    await users.update('robot', off);
    assert.notEqual((await call('GET', '/me/', { ...ROBOT, ...bearer })).status, 200);
    assert.equal((await call('GET', '/me/', bearer)).status, 200);
    await users.update('grace', off);
    const refused = await call('GET', '/me/', bearer);
    assert.equal(refused.status, 403);
    assert.match(refused.body.api_error_message, /User grace is disabled/);
  });
});

const ME: RouteModule = (app) => {
  app.get('/me/', { access: { privileges: 'by_roles', roles: ['submission_view'] } }, async ({ actor }) => ({
    user: actor.username,
    impersonator: actor.impersonator,
    method: actor.method,
  }));
};

async function setUp(context: TestContext, provider: TestIdentityProvider) {
  const { users, coordination, webSessions, engine, bearerCallers, ownTokens, audit, log, events } =
    await openOboIdentity(context, provider);
  const keys = { all: storedKey('secret', ['R', 'W', 'E']), reading: storedKey('secret', ['R']) };
  await saveUser(users, 'grace', { email: 'grace.hopper@example.org', apikeys: keys });
  await saveUser(users, 'robot', { can_impersonate: true, apikeys: keys });
  const settings = loadConfig({ environment: {}, flags: {} });
  const identity = new AnalysisIdentity({
    users,
    credentials: new VerifiedCredentials(),
    coordination,
    webSessions,
    engine,
    settings,
    bearerCallers,
    audit,
    log,
  });
  const denials = accessDenials(settings);
  const { app } = createServiceServer({
    log: pino({ level: 'silent' }),
    guard: analysisGuard({ identity, denials, settings: settings.analysis.ui }),
    quota: undefined,
    audit: false,
    envelope: analysisEnvelope('1.2.3'),
    statuses: ANALYSIS_STATUSES,
    bodyLimit: 1000,
    finalSlash: 'required',
  });
  oboTokenRoutes({ permissions: new PermissionRequests({ ownTokens, audit }) })(app);
  ME(app);
  context.after(() => app.close());
  const call = async (method: 'GET' | 'DELETE', url: string, headers: Record<string, string>) => {
    const answer = await app.inject({ method, url, headers });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : undefined };
  };
  return { call, users, events };
}
