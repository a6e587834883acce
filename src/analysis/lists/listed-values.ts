import { createHash } from 'node:crypto';

/** Returns the identifier of a listed tag or signature. */
export function digestOf(kind: string, value: string): string {
  return createHash('sha256').update(`${kind}: ${value}`).digest('hex');
}

const DOMAIN_TAG = /^network\.(?:static|dynamic)\.domain$/;
const URI_TAG = /^network\.(?:static|dynamic)\.uri$/;
/** Scheme, user information and host of a URI. */
const URI_HOST = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?([^/?#]*)/i;

/** Returns the value under which a tag is listed: domains and hosts of URIs in lower case. */
export function listedTagValue(type: string, value: string): string {
  if (DOMAIN_TAG.test(type)) return value.toLowerCase();
  if (!URI_TAG.test(type)) return value;
  return value.replace(
    URI_HOST,
    (_, scheme: string, user: string | undefined, host: string) =>
      `${scheme.toLowerCase()}${user ?? ''}${host.toLowerCase()}`,
  );
}
