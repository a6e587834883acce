import { ROLES } from '../../identity/actor.ts';
import type { OAuthSignIn } from '../../identity/oauth/code-login.ts';
import { NO_PASSWORD } from '../../identity/passwords/passwords.ts';

/** What whoever signed in is told (contract/enrichment.md section 1.4): the account of all services, the picture that the provider tells. */
export function loginResult({ user, profile, token, refreshToken }: OAuthSignIn) {
  return {
    app_token: token.token,
    provider: token.provider,
    refresh_token: refreshToken,
    privileges: ['R', 'W'],
    user: {
      uname: user.uname,
      name: user.name,
      email: user.email ?? null,
      classification: user.classification,
      type: typesOf(user.type),
      groups: user.groups,
      avatar: profile.picture ?? null,
      // A constant of the public system, which knows no passwords.
      password: NO_PASSWORD,
    },
  };
}

/** `user` first, as clients know it. */
function typesOf(types: readonly string[]): readonly string[] {
  const others = ROLES.filter((role) => role !== 'user' && types.includes(role));
  return types.includes('user') ? ['user', ...others] : others;
}
