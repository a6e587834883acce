import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Settings } from '../../config/config-schema.ts';
import { Forbidden, Unauthenticated } from '../../errors/errors.ts';
import { presentedCredentials, requestOrigin } from '../../http/guard.ts';
import { CredentialFields } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { AnalysisIdentity } from '../../identity/analysis-identity.ts';
import type { CodeLogin } from '../../identity/oauth/code-login.ts';
import { text } from '../../input/input-kinds.ts';
import { callerOf, forgetCookies } from '../analysis-guard.ts';
import { ANYONE, operation, Success } from '../operations/analysis-operation.ts';
import { listedKeyRoles } from '../operations/listed-roles.ts';
import { sessionCookies } from '../session-cookies.ts';
import { isProvider, sendToProvider } from './provider-login-routes.ts';

export interface LoginRouteDependencies {
  readonly identity: Pick<AnalysisIdentity, 'login' | 'logout'>;
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'verify'>;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
}

const LoginInput = Type.Object(
  {
    ...CredentialFields,
    oauth_provider: Type.Optional(text()),
    oauth_token: Type.Optional(text({ description: 'Access token of that provider.' })),
    oauth_token_id: Type.Optional(text({ description: 'What came of a login at a provider in the browser.' })),
    saml_token_id: Type.Optional(text()),
  },
  // Without a body, the arguments of the address count.
  { default: {}, examples: [{ user: 'admin', password: 'admin' }] },
);
type LoginInput = Static<typeof LoginInput>;
const LoginReply = Type.Object({
  username: Type.String(),
  roles_limit: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Roles that the credential leaves; null: it has no limit.',
  }),
  session_duration: Type.Integer({ description: 'Seconds.' }),
});

const refusals = [401, 403, 429] as const;
const ANY_SESSION: GuardedAccess = { ...ANYONE, xsrf: false, allowInactive: true, beforeTerms: true };

/** Serves `/api/v4/auth/login/` and `logout/` (contract/analysis.md section 2.1), also with forms. */
export const loginRoutes =
  ({ identity, codeLogin, settings }: LoginRouteDependencies): RouteModule =>
  (app) => {
    const login = async (credential: LoginInput, request: FastifyRequest, reply: FastifyReply) => {
      const { oauth_provider: provider } = credential;
      if (provider !== undefined && isAlone(credential) && isProvider(settings, provider)) {
        return sendToProvider({ codeLogin, settings }, provider, request, reply);
      }
      const opened = await identity.login({
        ...credential,
        ...requestOrigin(request),
        isOfOtherSite: isOfOtherSite(request, settings.auth.oauth.redirect_origins),
      });
      reply.header('set-cookie', sessionCookies(opened, request.place, settings.analysis.ui.session_cookies));
      return {
        username: opened.username,
        roles_limit: opened.rolesLimit === undefined ? null : listedKeyRoles(opened.rolesLimit),
        session_duration: opened.sessionDuration,
      };
    };
    app.get(
      '/api/v4/auth/login/',
      {
        access: 'public',
        compress: false,
        schema: operation('auth_login_by_address', 'Log in', { querystring: LoginInput, reply: LoginReply, refusals }),
      },
      (request, reply) => login(request.query, request, reply),
    );
    app.post(
      '/api/v4/auth/login/',
      {
        access: 'public',
        compress: false,
        body: 'lenient_json_or_form',
        schema: operation('auth_login', 'Log in', {
          querystring: LoginInput,
          body: LoginInput,
          reply: LoginReply,
          refusals,
        }),
      },
      (request, reply) => login({ ...request.query, ...request.body }, request, reply),
    );
    app.get(
      '/api/v4/auth/logout/',
      { access: ANY_SESSION, schema: operation('auth_logout', 'End the session', { reply: Success }) },
      async (request, reply) => {
        await identity.logout(callerOf(request), presentedCredentials(request, ANY_SESSION));
        forgetCookies(reply);
      },
    );
  };

/**
 * Returns whether a page of another site makes the browser log in (Fetch Metadata). It could sign its
 * visitors in to its own account and read what they leave there. Programs send no such header.
 */
function isOfOtherSite({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false;
  const page = headers.origin ?? URL.parse(headers.referer ?? '')?.origin;
  return page === undefined || !origins.includes(page);
}

/** Returns whether the provider is the only credential. */
function isAlone({ password, apikey, oauth_token, oauth_token_id }: LoginInput): boolean {
  return [password, apikey, oauth_token, oauth_token_id].every((one) => one === undefined);
}

const signUpDisabled = () =>
  new Forbidden('signup_disabled', 'Signup process has been disabled', { response: { success: false } });
const samlDisabled = () =>
  new Unauthenticated('saml_disabled', 'SAML disabled on the server', { response: { err_code: 0 } });

const BOTH = ['GET', 'POST'] as const;

/** Operations of the public system that need an e-mail server or SAML. */
const ABSENT = [
  [BOTH, 'signup/', 'signup', 'Ask for an account', signUpDisabled],
  [['POST'], 'signup_validate/', 'signup_validate', 'Confirm that', signUpDisabled],
  [BOTH, 'get_reset_link/', 'get_reset_link', 'Ask for a link to set a new password', signUpDisabled],
  [BOTH, 'reset_pwd/', 'reset_pwd', 'Set a new password with that link', signUpDisabled],
  [['GET'], 'saml/sso/', 'saml_sso', 'Sign in with SAML', samlDisabled],
  [BOTH, 'saml/acs/', 'saml_acs', 'Come back from there', samlDisabled],
] as const;

/** Registers the routes of missing functions, which answer like the public system without them. */
export const absentLoginRoutes: RouteModule = (app) => {
  for (const [methods, path, name, summary, refusal] of ABSENT) {
    for (const method of methods) {
      app.route({
        method,
        url: `/api/v4/auth/${path}`,
        access: 'public',
        schema: {
          ...operation(`auth_${name}${method === 'GET' ? '_by_address' : ''}`, summary, {
            description: 'Always refused: this installation does not offer it.',
            refusals: [401, 403],
          }),
          response: {},
        },
        handler: () => Promise.reject(refusal()),
      });
    }
  }
};
