import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../config/config.ts';
import type { AnalysisRole } from '../documents/kinds/analysis-roles.ts';
import { Forbidden, Unauthenticated } from '../errors/errors.ts';
import type { GuardedAccess } from '../http/route-access.ts';
import { createServiceServer } from '../http/service-server.ts';
import type { AnalysisActor } from '../identity/actor-factory.ts';
import type { PresentedCredentials } from '../identity/authenticator.ts';
import { presentedSession } from '../identity/sessions/analysis-sessions.ts';
import { accessDenials } from './access-denials.ts';
import { analysisGuard } from './analysis-guard.ts';
import { analysisEnvelope } from './operations/analysis-envelope.ts';

const OPEN: GuardedAccess = { privileges: 'by_roles', roles: 'any' };
const ALLOWED = {
  auth: { allow_2fa: true, allow_apikeys: true, allow_security_tokens: true },
  ui: { allow_url_submissions: true, read_only: false, tos: false, tos_lockout: false, tos_lockout_notify: false },
};

describe('callers of the analysis service', () => {
  it('are told how they can sign in, and forget their cookies, when no one knows who they are', async () => {
    const answer = await call({ error: new Unauthenticated('session_not_found', 'Session not found') });
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.body, {
      api_error_message: 'Session not found',
      api_response: { allow_saml_login: false, allow_signup: false, allow_userpass_login: true },
      api_server_version: '1.2.3',
      api_status_code: 401,
    });
    assert.deepEqual(answer.cookies, ['session=; Max-Age=0; Path=/; HttpOnly', 'XSRF-TOKEN=; Max-Age=0; Path=/']);
  });

  it('are told the identity providers that are open to their address', async () => {
    const flags = {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': {
        everybody: { client_id: 'triad' },
        here: { services: { analysis: { client_id: 'own' } }, ip_filter: ['127.0.0.0/8'] },
        elsewhere: { client_id: 'triad', ip_filter: ['192.0.2.0/24'] },
        tokens: {},
      },
      'auth.internal.enabled': false,
    };
    const error = new Unauthenticated('session_not_found', 'Session not found');
    assert.deepEqual((await call({ flags, error })).body.api_response, {
      allow_saml_login: false,
      allow_signup: false,
      allow_userpass_login: false,
      oauth_providers: ['everybody', 'here'],
    });
  });

  it('are told what the installation allows when they are refused, and keep their cookies', async () => {
    const answer = await call({ error: new Forbidden('invalid_xsrf_token', 'Invalid XSRF token') });
    assert.equal(answer.status, 403);
    assert.equal(answer.body.api_error_message, 'Access Denied (/thing/anna/) [Invalid XSRF token]');
    assert.deepEqual(answer.body.api_response, ALLOWED);
    assert.deepEqual(answer.cookies, []);
  });

  it('need any one of the roles, which the refusal names in the order of the route', async () => {
    const access: GuardedAccess = { ...OPEN, roles: ['submission_view', 'file_detail'] };
    assert.equal((await call({ access, roles: ['file_detail'] })).status, 200);
    const refused = await call({ access, roles: ['alert_view'] });
    assert.equal(refused.status, 403);
    assert.equal(
      refused.body.api_error_message,
      'Access Denied (/thing/anna/) [API /thing/anna/ requires one of the following roles: submission_view, file_detail]',
    );
    assert.equal(refused.needs, 'submission_view, file_detail');
    assert.deepEqual(refused.body.api_response, ALLOWED);
  });

  it('name themselves or no one in the address, unless they administer users', async () => {
    for (const path of ['/thing/anna/', '/thing/__global__/', '/thing/__workflow__/', '/thing/__CURRENT__/']) {
      assert.equal((await call({ path })).status, 200, path);
    }
    const refused = await call({ path: '/thing/otto/' });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.api_error_message, 'Your username does not match requested username');
    assert.deepEqual(refused.body.api_response, {});
    assert.equal((await call({ path: '/thing/__GLOBAL__/' })).status, 403);
    assert.equal((await call({ path: '/thing/otto/', roles: ['administration'] })).status, 200);
  });

  it('have to agree to the terms first, but for the routes that are there for that', async () => {
    const flags = { 'analysis.ui.tos': 'Be **kind**.' };
    const refused = await call({ flags });
    assert.equal(refused.status, 403);
    assert.match(refused.body.api_error_message, /\[Agree to Terms of Service before you can make any API calls\]$/);
    assert.equal(refused.body.api_response.ui.tos, true);
    assert.equal((await call({ flags, access: { ...OPEN, beforeTerms: true } })).status, 200);
    assert.equal((await call({ flags, agreesWithTerms: true })).status, 200);
  });

  it('are refused what changes things in read-only mode, regardless of who they are', async () => {
    const flags = { 'analysis.ui.read_only': true };
    const error = new Unauthenticated('session_not_found', 'Session not found');
    const refused = await call({ flags, error, access: { ...OPEN, readOnly: false } });
    assert.equal(refused.status, 403);
    assert.match(refused.body.api_error_message, /\[API not allowed in read-only mode\]$/);
    assert.equal((await call({ flags })).status, 200);
  });

  it('are asked for all that a request can bring', async () => {
    const headers = {
      'x-user': 'anna',
      'x-apikey': 'key:secret',
      'x-xsrf-token': 'token',
      'x-token-provider': 'provider',
      authorization: 'Bearer abc',
      cookie: 'other=1; session=abc',
      'user-agent': 'agent',
    };
    const { presented } = await call({ headers, access: { ...OPEN, xsrf: false } });
    assert.ok(presented?.requestId !== undefined);
    const read = Object.keys(headers).map((name) => [name, presented.header(name)]);
    assert.deepEqual(Object.fromEntries(read), headers);
    assert.equal(presentedSession(presented), 'abc');
    const { address, userAgent, call: target, checkXsrf, allowInactive } = presented;
    assert.deepEqual([address, userAgent, target], ['127.0.0.1', 'agent', 'GET /thing/anna/']);
    assert.deepEqual([checkXsrf, allowInactive], [false, false]);
    const other = await call({ path: '/thing/anna/?XSRF_TOKEN=query' });
    assert.equal(other.presented?.argument('XSRF_TOKEN'), 'query');
    assert.equal(other.presented?.checkXsrf, true);
    const twice = await call({ path: '/thing/anna/?XSRF_TOKEN=a&XSRF_TOKEN=b' });
    assert.equal(twice.presented?.argument('XSRF_TOKEN'), undefined);
  });
});

interface Call {
  readonly path?: string;
  readonly access?: GuardedAccess;
  readonly roles?: readonly AnalysisRole[];
  readonly agreesWithTerms?: boolean;
  readonly headers?: Record<string, string>;
  readonly flags?: Record<string, unknown>;
  /** The refusal of the credential. */
  readonly error?: Error;
}

/** A request of anna to a route with that access, behind the guard. */
async function call({
  path = '/thing/anna/',
  access = OPEN,
  roles = [],
  headers = {},
  flags = {},
  error,
  ...more
}: Call) {
  const settings = loadConfig({ environment: {}, flags });
  const { agreesWithTerms = false } = more;
  let presented: PresentedCredentials | undefined;
  const { app } = createServiceServer({
    guard: analysisGuard({
      identity: {
        async authenticate(credentials) {
          presented = credentials;
          if (error !== undefined) throw error;
          return { username: 'anna', roles: new Set(roles), agreesWithTerms } as unknown as AnalysisActor;
        },
      },
      denials: accessDenials(settings),
      settings: settings.analysis.ui,
    }),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    quota: undefined,
    audit: false,
    envelope: analysisEnvelope('1.2.3'),
    bodyLimit: 1000,
    finalSlash: 'required',
  });
  app.get('/thing/:username/', { access }, async () => 'done');
  const answer = await app.inject({ url: path, headers });
  return {
    status: answer.statusCode,
    needs: answer.headers['x-error-needs'],
    body: answer.json(),
    cookies: [answer.headers['set-cookie'] ?? []].flat(),
    presented,
  };
}
