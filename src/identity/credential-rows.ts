import { InvalidInput, Unauthenticated } from '../errors/errors.ts';
import type { Actor, Privilege, ServiceName } from './actor.ts';
import { type Caller, type CredentialRow, credentialRow, type ServiceTable } from './authenticator.ts';
import { credentialFingerprint } from './keys/api-key-records.ts';
import type { KeyLogin } from './keys/key-login.ts';
import type { ProviderCallers } from './oauth/provider-callers.ts';
import type { AppTokens } from './sessions/app-tokens.ts';
import type { UserStore } from './user-store.ts';

/** Returns the row of `Authorization: Basic` with a password or an API key. */
export function basicRow(keys: Pick<KeyLogin, 'verifyBasic'>): CredentialRow {
  return credentialRow<BasicCredential>({
    read: (presented) => readBasic(presented.header('authorization')),
    // The name of a key is left out: it may be half of a password.
    claim: ({ username, rest }) => ({ user: username, method: rest.includes(':') ? 'api_key' : 'password' }),
    verify: ({ username, rest }, { address }) => keys.verifyBasic(username, rest, address),
  });
}

/** Returns the row of `X-USER` and `X-APIKEY`. @param verify gets both headers and the address */
export function keyHeadersRow(
  verify: (username: string, apikey: string, address: string) => Promise<Caller>,
): CredentialRow {
  return credentialRow<{ readonly username: string; readonly apikey: string }>({
    read: (presented) => {
      const username = presented.header('x-user');
      const apikey = presented.header('x-apikey');
      return username && apikey ? { username, apikey } : undefined;
    },
    claim: ({ username }) => ({ user: username, method: 'api_key' }),
    verify: ({ username, apikey }, { address }) => verify(username, apikey, address),
  });
}

export interface AppTokenRowDependencies {
  readonly appTokens: Pick<AppTokens, 'find'>;
  readonly users: Pick<UserStore, 'recent'>;
  readonly keys: Pick<KeyLogin, 'livingKey'>;
}

/** Returns the row of `Authorization: Bearer` with the app token of a login. */
export function appTokenRow({ appTokens, users, keys }: AppTokenRowDependencies): CredentialRow {
  return credentialRow({
    read: (presented) => readAppToken(presented.header('authorization')),
    claim: ({ username }) => ({ user: username, method: 'app_token' }),
    verify: async ({ username, secret }) => {
      if (secret === '') throw noAuthenticatedUser();
      const token = await appTokens.find(username, secret);
      if (!token) throw new Unauthenticated('invalid_token', 'Invalid token');
      const user = await users.recent(username);
      if (!user) throw noAuthenticatedUser();
      const { keyName } = token;
      const key = keyName === undefined ? undefined : keys.livingKey(user, keyName);
      const isVoid = keyName !== undefined && key === undefined;
      if (isVoid || token.credentialFingerprint !== credentialFingerprint(user, keyName)) {
        throw new Unauthenticated('invalid_token', 'Invalid token');
      }
      // The key may have fewer privileges than when it was exchanged.
      const privileges = key ? token.privileges.filter((one) => key.acl.includes(one)) : token.privileges;
      return { user, method: 'app_token', privileges, keyName };
    },
  });
}

/** Returns the row of `Authorization: Bearer` with an access token of a provider. */
export function providerTokenRow(
  callers: Pick<ProviderCallers, 'identify'>,
  service: ServiceName,
  privileges: readonly Privilege[],
): CredentialRow {
  return credentialRow<string>({
    read: (presented) => readJsonWebToken(presented.header('authorization')),
    claim: () => ({ method: 'oauth' }),
    verify: async (token, from) => ({ ...(await callers.identify(token, service, from)), privileges }),
  });
}

/** Returns the row of `X-Impersonating`, presented beside the credential of an agent of the key. */
export function impersonationRow(keys: Pick<KeyLogin, 'verifyImpersonation'>): CredentialRow {
  return credentialRow<string>({
    read: (presented) => presented.header('x-impersonating'),
    claim: (header, _presented, own) => {
      try {
        return { user: readImpersonation(header).username, impersonator: own?.user, method: 'api_key' };
      } catch {
        return own ?? {};
      }
    },
    verify: (header, { address }, sender) => {
      const { username, rest } = readImpersonation(header);
      return keys.verifyImpersonation(username, rest, sender?.user.uname ?? '', address);
    },
  });
}

function noAuthenticatedUser(): Unauthenticated {
  return new Unauthenticated('no_authenticated_user', 'No authenticated user found');
}

/** The credential of `Basic`: `rest` is a password or `<key name>:<secret>`. */
export interface BasicCredential {
  readonly username: string;
  readonly rest: string;
}

/** Reads `Basic` of `Authorization`; others: undefined. @throws InvalidInput `malformed_authorization` */
export function readBasic(header: string | undefined): BasicCredential | undefined {
  const data = dataOf(header, 'Basic');
  return data === undefined ? undefined : decodeBasic(data);
}

/** Reads `Bearer <user>:<token>`; undefined for others. @throws InvalidInput `malformed_authorization` */
export function readAppToken(header: string | undefined) {
  const data = dataOf(header, 'Bearer');
  const colon = data?.indexOf(':') ?? -1;
  if (data === undefined || colon === -1) return undefined;
  return { username: decodedName(data.slice(0, colon)), secret: data.slice(colon + 1) };
}

/** Reads `Bearer <JSON Web Token>`; others: undefined. @throws InvalidInput `malformed_authorization` */
export function readJsonWebToken(header: string | undefined): string | undefined {
  const data = dataOf(header, 'Bearer');
  return data?.includes('.') ? data : undefined;
}

/**
 * Returns the `missing` of a service whose callers present `Authorization`: a request without a
 * credential in it is refused, and one with the header claims to be an unknown caller.
 * @param bearer what is wrong with a bearer token that is of no kind
 */
export function missingAuthorization(bearer: string): ServiceTable<Actor>['missing'] {
  return (presented) => {
    const header = presented.header('authorization');
    if (header === undefined || header === '') {
      return { error: new Unauthenticated('no_credentials', 'No Authorization header present'), claim: undefined };
    }
    const error =
      dataOf(header, 'Bearer') === undefined
        ? new InvalidInput('unknown_authorization_scheme', 'Not a valid authentication type for this endpoint.')
        : malformed(bearer);
    return { error, claim: {} };
  };
}

/** Reads `X-Impersonating`. @throws `malformed_authorization`, `unknown_authorization_scheme` */
export function readImpersonation(header: string): BasicCredential {
  const [scheme, data, ...more] = header.split(' ');
  if (scheme !== 'Basic') {
    throw new InvalidInput('unknown_authorization_scheme', 'Not a valid authentication type for impersonation.');
  }
  if (data === undefined || more.length > 0) throw malformed('Incorrectly formatted X-Impersonating header');
  return decodeBasic(data);
}

/** Returns what follows the scheme and one space; undefined for another scheme. */
function dataOf(header: string | undefined, wanted: 'Basic' | 'Bearer'): string | undefined {
  if (header === undefined || header === '') return undefined;
  const space = header.indexOf(' ');
  const data = header.slice(space + 1);
  if (space === -1 || data === '' || data.includes(' ')) {
    throw malformed('Incorrectly formatted Authorization header');
  }
  return header.slice(0, space) === wanted ? data : undefined;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes `<user>:<rest>` from base64 and splits it at the first colon. */
function decodeBasic(data: string): BasicCredential {
  let text: string;
  try {
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(data)) throw new Error('not base64');
    text = UTF8.decode(Buffer.from(data, 'base64'));
  } catch (error) {
    throw malformed('Basic authentication data must be base64 encoded', error);
  }
  const colon = text.indexOf(':');
  if (colon === -1)
    throw malformed('Basic authentication data must hold a user name, a colon and a password or API key');
  return { username: text.slice(0, colon), rest: text.slice(colon + 1) };
}

/** Decodes a name that no header can hold as it is; a name that cannot be decoded was never encoded. */
function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function malformed(message: string, cause?: unknown): InvalidInput {
  return new InvalidInput('malformed_authorization', message, { cause });
}
