import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Settings } from '../../config/config-schema.ts';
import { requestOrigin } from '../../http/audit-origin.ts';
import { CredentialFields } from '../../http/input/input-schemas.ts';
import type { RouteAccess, RouteModule } from '../../http/route-access.ts';
import type { AnalysisIdentity } from '../../identity/analysis-identity.ts';
import type { CodeLogin } from '../../identity/oauth/code-login.ts';
import { text } from '../../input/input-kinds.ts';
import { callerOf, forgetCookies, presentedCredentials } from '../analysis-guard.ts';
import { listedKeyRoles } from '../api-keys/listed-key-roles.ts';
import { sessionCookies } from '../session-cookies.ts';
import { isProvider, sendToProvider } from './provider-login-routes.ts';

export interface LoginRouteDependencies {
  readonly identity: Pick<AnalysisIdentity, 'login' | 'logout'>;
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish'>;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
}

const tags = ['auth'];
const LoginInput = Type.Object(
  {
    ...CredentialFields,
    oauth_provider: Type.Optional(text()),
    oauth_token: Type.Optional(text({ description: 'Access token of that provider.' })),
    oauth_token_id: Type.Optional(text({ description: 'What came of a login at a provider in the browser.' })),
    saml_token_id: Type.Optional(text()),
  },
  // Without a body, the arguments of the address count.
  { default: {} },
);
type LoginInput = Static<typeof LoginInput>;
const LoginReply = Type.Object({
  username: Type.String(),
  roles_limit: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Roles that the credential leaves; null: it has no limit.',
  }),
  session_duration: Type.Integer({ description: 'Seconds.' }),
});
const LogoutReply = Type.Object({ success: Type.Boolean() });

const ANY_SESSION = {
  privileges: 'by_roles',
  roles: 'any',
  quota: 'concurrent',
  xsrf: false,
  allowInactive: true,
  beforeTerms: true,
} satisfies RouteAccess;

/** `/api/v4/auth/login/` and `logout/`: sessions (contract/analysis.md section 2.1). Form and query arguments are read too. */
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
    const schema = { tags, summary: 'Log in', response: { 200: LoginReply } };
    app.get(
      '/api/v4/auth/login/',
      {
        access: 'public',
        compress: false,
        schema: { ...schema, operationId: 'auth_login_by_address', querystring: LoginInput },
      },
      (request, reply) => login(request.query, request, reply),
    );
    app.post(
      '/api/v4/auth/login/',
      {
        access: 'public',
        compress: false,
        body: 'lenient_json_or_form',
        schema: {
          ...schema,
          operationId: 'auth_login',
          querystring: LoginInput,
          body: LoginInput,
        },
      },
      (request, reply) => login({ ...request.query, ...request.body }, request, reply),
    );

    app.get(
      '/api/v4/auth/logout/',
      {
        access: ANY_SESSION,
        schema: { tags, operationId: 'auth_logout', summary: 'End the session', response: { 200: LogoutReply } },
      },
      async (request, reply) => {
        await identity.logout(callerOf(request), presentedCredentials(request, ANY_SESSION));
        forgetCookies(reply);
        return { success: true };
      },
    );
  };

/**
 * Whether a page of another site has the browser log in (Fetch Metadata): it could sign its visitors in to an account of its own, and read what
 * they leave there. Programs do not say where they come from.
 */
function isOfOtherSite({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  if (headers['sec-fetch-site'] !== 'cross-site') return false;
  const page = headers.origin ?? URL.parse(headers.referer ?? '')?.origin;
  return page === undefined || !origins.includes(page);
}

/** Whether the provider is named and nothing else that would say who it is. */
function isAlone({ password, apikey, oauth_token, oauth_token_id }: LoginInput): boolean {
  return [password, apikey, oauth_token, oauth_token_id].every((one) => one === undefined);
}
