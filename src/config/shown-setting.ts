import { isObject } from '../input/input-reader.ts';

/** Stands for a secret that is set. */
export const SET = 'set';

/** Names of settings whose values, and what is in them, are secrets. */
const SECRET_NAME = /password$|secret$|(?:api|access|secret|adapter)_keys?$|^headers$|_params$|^data$/;
/** Names that the expression above describes, of what no secret is in. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['validator_params', 'restricted_params', 'forgotten_password']);
/** Segments of paths that may be keys. */
const LONG_SEGMENT = /^(?=.*\d)[\w.~%+=-]{16,}$/;

/** Returns whether the value of a setting is a secret as a whole. */
export function isSecretSetting(key: string): boolean {
  return key.split('.').some((name) => SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name));
}

/**
 * Returns the value of a setting without secrets, each of which is `set` or null.
 * Of addresses, user, password, query and segments of the path that may be keys are left out.
 */
export function shownSetting(key: string, value: unknown): unknown {
  if (isSecretSetting(key)) return withoutSecrets(value);
  if (typeof value === 'string') return withoutCredentials(value);
  if (Array.isArray(value)) return value.map((item) => shownSetting(key, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shownSetting(`${key}.${name}`, member)]),
  );
}

/** Keeps the names of maps, and what cannot be a secret. */
function withoutSecrets(value: unknown): unknown {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return value ?? null;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return SET;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}

function withoutCredentials(text: string): string {
  if (!text.includes('://')) return text;
  const match = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#@]*)([^?#]*)([?#].*)?$/is.exec(text);
  if (match === null) return SET;
  const [, scheme = '', host = '', path = '', rest] = match;
  const segments = path.split('/').map((segment) => (LONG_SEGMENT.test(segment) ? '…' : segment));
  return `${scheme}${host}${segments.join('/')}${rest === undefined ? '' : '?…'}`;
}
