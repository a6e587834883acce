import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Settings } from '../../config/config-schema.ts';
import { Forbidden, isTriadError, Unauthenticated } from '../../errors/errors.ts';
import { ProviderAnswerFields } from '../../http/input/input-schemas.ts';
import { startProviderLogin, verifyProviderLogin } from '../../http/origins/provider-login.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AvatarService } from '../../identity/accounts/avatar-service.ts';
import type { AnalysisIdentity } from '../../identity/analysis-identity.ts';
import { credentialFingerprint } from '../../identity/keys/api-key-records.ts';
import type { CodeLogin } from '../../identity/oauth/code-login.ts';
import { returnAddress } from '../../identity/oauth/return-address.ts';
import { holderOfToken } from '../../identity/oauth/verified-token.ts';
import { text } from '../../input/input-kinds.ts';
import { NullableText, operation } from '../operations/analysis-operation.ts';
import { isSecure } from '../session-cookies.ts';

export interface ProviderLoginDependencies {
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'verify'>;
  readonly identity: Pick<AnalysisIdentity, 'tickets'>;
  readonly avatars: Pick<AvatarService, 'recentPicture'>;
  readonly settings: Pick<Settings, 'auth' | 'analysis'>;
}

/** Picture of users who have none. */
const NO_PICTURE = '/static/images/user_default.png';

const AnswerQuery = Type.Object({
  provider: text({ description: 'Name of the identity provider.', default: '' }),
  ...ProviderAnswerFields,
});
const SignInReply = Type.Object({
  avatar: Type.String(),
  username: Type.String(),
  email_adr: NullableText,
  oauth_token_id: Type.String({ description: 'For `oauth_token_id` of the login, within five minutes, once.' }),
});

/** Serves `GET /api/v4/auth/oauth/`: ends a login at a provider (contract/analysis.md section 2.6). */
export const providerLoginRoutes =
  ({ codeLogin, identity, avatars, settings }: ProviderLoginDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/auth/oauth/',
      {
        access: 'public',
        compress: false,
        schema: operation('auth_oauth_validate', 'End a sign-in at an identity provider', {
          querystring: AnswerQuery,
          reply: SignInReply,
          refusals: [401, 403, 429],
        }),
      },
      async (request) => {
        const { provider } = request.query;
        if (!isProvider(settings, provider)) {
          throw new Unauthenticated('oauth_disabled', 'oAuth disabled on the server', { response: { err_code: 0 } });
        }
        const signedIn = verifyProviderLogin(codeLogin, 'analysis', request, request.query);
        const { user, token } = await signedIn.catch((error: Error) => {
          throw inWordsOfService(error);
        });
        return {
          avatar: (await avatars.recentPicture(user.uname)) ?? NO_PICTURE,
          username: user.uname,
          email_adr: user.email ?? null,
          oauth_token_id: await identity.tickets.issue({
            username: user.uname,
            provider,
            tokenEnds: token.expires,
            credentialFingerprint: credentialFingerprint(user, undefined),
            holder: holderOfToken(token),
          }),
        };
      },
    );
  };

/** Returns whether people may sign in through a provider of this name. */
export function isProvider({ auth }: Pick<Settings, 'auth'>, name: string): boolean {
  return auth.oauth.enabled && Object.hasOwn(auth.oauth.providers, name);
}

/** Sends the browser to the provider, from where it returns to `<origin>/oauth/<provider>/`. */
export function sendToProvider(
  { codeLogin, settings }: Pick<ProviderLoginDependencies, 'codeLogin' | 'settings'>,
  provider: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = returnAddress(request.place, provider, settings.auth.oauth.redirect_origins);
  const redirectAddress = new URL(`/oauth/${encodeURIComponent(provider)}/`, page).href;
  const secure = isSecure(request.place, settings.analysis.ui.session_cookies);
  return startProviderLogin(codeLogin, 'analysis', request, reply, { provider, redirectAddress, secure });
}

/** Adds the `err_code` by which pages tell people what to do: 1 try again, 2 no access, 3 no account. */
function inWordsOfService(error: Error): Error {
  if (!isTriadError(error) || error.kind === 'unavailable') return error;
  const refusal = (code: number) => ({ response: { err_code: code }, cause: error });
  if (error.code === 'account_missing') {
    return new Forbidden(error.code, 'User auto-creation is disabled', refusal(3));
  }
  if (error.kind === 'forbidden') {
    return new Forbidden(error.code, 'This user is not allowed access to the system', refusal(2));
  }
  return new Unauthenticated(error.code, error.message, refusal(1));
}
