import { InvalidInput, Unauthenticated } from '../errors/errors.ts';

/** What an `Authorization` header says, not yet verified. */
export type PresentedCredential =
  /** `rest` is a password or `<key name>:<secret>`. */
  | { readonly kind: 'basic'; readonly username: string; readonly rest: string }
  | { readonly kind: 'app_token'; readonly username: string; readonly secret: string }
  | { readonly kind: 'json_web_token'; readonly token: string };

/**
 * @throws Unauthenticated `no_credentials`; InvalidInput `malformed_authorization`, `unknown_authorization_scheme`
 */
export function readAuthorization(header: string | undefined): PresentedCredential {
  if (header === undefined || header === '') {
    throw new Unauthenticated('no_credentials', 'No Authorization header present');
  }
  const { scheme, data } = splitAuthorization(header);
  if (scheme === 'Basic') return { kind: 'basic', ...readBasic(data) };
  if (scheme === 'Bearer') return readBearer(data);
  throw new InvalidInput('unknown_authorization_scheme', 'Not a valid authentication type for this endpoint.');
}

/** `<scheme> <data>`, with one space. @throws InvalidInput `malformed_authorization` */
export function splitAuthorization(header: string): { readonly scheme: string; readonly data: string } {
  const [scheme = '', data, ...more] = header.split(' ');
  if (data === undefined || data === '' || more.length > 0) {
    throw malformed('Incorrectly formatted Authorization header');
  }
  return { scheme, data };
}

/** @throws InvalidInput `malformed_authorization`, `unknown_authorization_scheme` */
export function readImpersonation(header: string): { readonly username: string; readonly rest: string } {
  const [scheme, data, ...more] = header.split(' ');
  if (scheme !== 'Basic') {
    throw new InvalidInput('unknown_authorization_scheme', 'Not a valid authentication type for impersonation.');
  }
  if (data === undefined || more.length > 0) throw malformed('Incorrectly formatted X-Impersonating header');
  return readBasic(data);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `<user>:<rest>` in base64, split at the first colon. @throws InvalidInput `malformed_authorization` */
export function readBasic(data: string): { readonly username: string; readonly rest: string } {
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

/** `<user>:<token>` of a login, or a JSON Web Token, which never has a colon. */
function readBearer(data: string): PresentedCredential {
  const colon = data.indexOf(':');
  if (colon !== -1) {
    return { kind: 'app_token', username: decodedName(data.slice(0, colon)), secret: data.slice(colon + 1) };
  }
  if (data.includes('.')) return { kind: 'json_web_token', token: data };
  throw malformed('A bearer token is either <user>:<token> or a JSON Web Token');
}

/** Names that no header can hold are percent-encoded in a token; what cannot be decoded is a name that was never encoded. */
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
