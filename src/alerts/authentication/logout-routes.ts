import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { ROLES } from '../../identity/actor.ts';
import type { AlertIdentity } from '../../identity/alert-identity.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import type { CodeLogin } from '../../identity/oauth/code-login.ts';
import type { TokenExchange } from '../../identity/obo/token-exchange.ts';
import { text } from '../../input/input-kinds.ts';

export interface LogoutRouteDependencies {
  readonly identity: Pick<AlertIdentity, 'revokeAppToken'>;
  readonly codeLogin: Pick<CodeLogin, 'end'>;
  readonly exchange: Pick<TokenExchange, 'forget'>;
  readonly audit: AuditLog;
}

const LogoutBody = Type.Object(
  {
    provider: Type.Optional(text({ description: 'Of the refresh token; `oauth_provider` is the same.' })),
    oauth_provider: Type.Optional(text()),
    refresh_token: Type.Optional(text({ description: 'Is taken back at the provider.' })),
  },
  { default: {} },
);
const LogoutReply = Type.Object({
  success: Type.Boolean(),
  end_session_url: Type.Union([Type.String(), Type.Null()], {
    description: 'Where the browser can end the session at the provider, too.',
  }),
});

/** Revokes app and refresh tokens, forgets exchanged ones; access tokens of a provider end themselves. */
export const logoutRoutes =
  ({ identity, codeLogin, exchange, audit }: LogoutRouteDependencies): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/auth/logout',
      {
        access: { privileges: ['R', 'W', 'E'], roles: ROLES, quota: false, allowInactive: true },
        body: 'json_or_form',
        schema: { tags: ['auth'], summary: 'Log out', body: LogoutBody, response: { 200: LogoutReply } },
      },
      async (request) => {
        const { actor, headers, body } = request;
        const { provider = body.oauth_provider, refresh_token: refreshToken } = body;
        const origin = auditOrigin(request, 'alerts');
        await identity.revokeAppToken(headers.authorization);
        await exchange.forget(actor.username);
        const ended =
          provider === undefined
            ? undefined
            : await codeLogin.end({ provider, service: 'alerts', origin, refreshToken });
        audit.write({ ...origin, event: 'logout', user: actor.username, method: actor.method, provider });
        return { success: true, end_session_url: ended ?? null };
      },
    );
  };
