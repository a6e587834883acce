import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Settings } from '../../config/config-schema.ts';
import { Forbidden, isTriadError, Unauthenticated } from '../../errors/errors.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { ProviderAnswerFields } from '../../http/input/input-schemas.ts';
import { keepLoginBinding, loginBinding } from '../../http/origins/login-binding.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { AnalysisIdentity } from '../../identity/analysis-identity.ts';
import { credentialFingerprint } from '../../identity/keys/api-key-records.ts';
import type { CodeLogin } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import { text } from '../../input/input-kinds.ts';
import { isSecure } from '../session-cookies.ts';

export interface ProviderLoginDependencies {
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'finish'>;
  readonly identity: Pick<AnalysisIdentity, 'tickets'>;
  readonly avatars: Pick<AvatarService, 'recentPicture'>;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
}

/** Shown of users who have no picture. */
const NO_PICTURE = '/static/images/user_default.png';

const AnswerQuery = Type.Object({
  provider: text({ description: 'Name of the identity provider.', default: '' }),
  ...ProviderAnswerFields,
});
const SignInReply = Type.Object({
  avatar: Type.String(),
  username: Type.String(),
  email_adr: Type.Union([Type.String(), Type.Null()]),
  oauth_token_id: Type.String({ description: 'For `oauth_token_id` of the login, within five minutes, once.' }),
});

/** `GET /api/v4/auth/oauth/`: ends a sign-in at an identity provider (contract/analysis.md section 2.6). */
export const providerLoginRoutes =
  (dependencies: ProviderLoginDependencies): RouteModule =>
  (app) => {
    const { codeLogin, identity, avatars, settings } = dependencies;
    app.get(
      '/api/v4/auth/oauth/',
      {
        access: 'public',
        compress: false,
        schema: {
          tags: ['auth'],
          operationId: 'auth_oauth_validate',
          summary: 'End a sign-in at an identity provider',
          querystring: AnswerQuery,
          response: { 200: SignInReply },
        },
      },
      async (request) => {
        const { provider, ...answer } = request.query;
        if (!isProvider(settings, provider)) {
          throw new Unauthenticated('oauth_disabled', 'oAuth disabled on the server', { response: { err_code: 0 } });
        }
        const { user, token } = await codeLogin
          .finish({
            provider,
            service: 'analysis',
            origin: auditOrigin(request, 'analysis'),
            ...answer,
            binding: loginBinding(request, 'analysis'),
          })
          .catch(inWordsOfService);
        return {
          avatar: (await avatars.recentPicture(user.uname)) ?? NO_PICTURE,
          username: user.uname,
          email_adr: user.email ?? null,
          oauth_token_id: await identity.tickets.issue({
            username: user.uname,
            provider,
            tokenEnds: token.expires,
            credentialFingerprint: credentialFingerprint(user, undefined),
          }),
        };
      },
    );
  };

/** Whether people may sign in through a provider of this name. */
export function isProvider({ auth }: Pick<Settings, 'auth'>, name: string): boolean {
  return auth.oauth.enabled && Object.hasOwn(auth.oauth.providers, name);
}

/** Sends the browser to the provider; it comes back to `<origin>/oauth/<provider>/`. @throws as `CodeLogin.begin` */
export async function sendToProvider(
  { codeLogin, settings }: Pick<ProviderLoginDependencies, 'codeLogin' | 'settings'>,
  provider: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = returnAddress(request.place, provider, settings.auth.oauth.redirect_origins);
  const { address, binding } = await codeLogin.begin({
    provider,
    service: 'analysis',
    origin: auditOrigin(request, 'analysis'),
    redirectAddress: new URL(`/oauth/${encodeURIComponent(provider)}/`, page).href,
    binding: loginBinding(request, 'analysis'),
  });
  const secure = isSecure(request.place, settings.analysis.ui.session_cookies);
  keepLoginBinding(reply, 'analysis', binding, { secure });
  return reply.redirect(address, 302);
}

/** Pages tell people what to do by `err_code`: 1 try again, 2 no access, 3 no account. */
function inWordsOfService(error: unknown): never {
  if (!isTriadError(error) || error.kind === 'unavailable') throw error;
  if (error.code === 'account_missing') {
    throw new Forbidden('account_missing', 'User auto-creation is disabled', {
      response: { err_code: 3 },
      cause: error,
    });
  }
  if (error.kind === 'forbidden') {
    throw new Forbidden(error.code, 'This user is not allowed access to the system', {
      response: { err_code: 2 },
      cause: error,
    });
  }
  throw new Unauthenticated(error.code, error.message, { response: { err_code: 1 }, cause: error });
}
