import { parseDocument, stringify } from 'yaml';

/** First line of the files that stand for a URI. */
export const URI_FILE_HEAD = '# Assemblyline URI file\n';
/** Bytes of the files that are read. */
const MAX_SIZE = 64 * 1024;
const NETLOC_END = /[/?#]/;
/** Schemes whose last path segment may have parameters behind `;`. */
const SCHEMES_WITH_PARAMETERS: ReadonlySet<string> = new Set(
  'ftp hdl prospero http https shttp rtsp rtsps sip sips mms sftp tel'.split(' '),
);

/** The parts of a URI as file documents have them. */
export interface UriInfo {
  readonly uri: string;
  readonly scheme: string;
  readonly netloc: string;
  readonly path?: string;
  readonly params?: string;
  readonly query?: string;
  readonly fragment?: string;
  readonly username?: string;
  readonly password?: string;
  readonly hostname: string;
  readonly port?: number;
}

/** Returns the content of a file that stands for a URI, for services that fetch it. */
export function uriFile(uri: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return URI_FILE_HEAD + stringify({ uri, ...parameters }, { lineWidth: 0 });
}

/** Returns the URI of such a file in parts; undefined when it is not one. */
export function readUriFile(content: Uint8Array): UriInfo | undefined {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
  if (text.length > MAX_SIZE || !text.startsWith(URI_FILE_HEAD)) return undefined;
  try {
    const document = parseDocument(text, { schema: 'failsafe' });
    if (document.errors.length > 0) return undefined;
    const members: unknown = document.toJS({ maxAliasCount: 0 });
    const uri = typeof members === 'object' && members !== null && 'uri' in members ? members.uri : undefined;
    return typeof uri === 'string' ? uriParts(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** Splits a URI as RFC 3986 section 3 says; undefined without a scheme or with an impossible port. */
export function uriParts(uri: string): UriInfo | undefined {
  const colon = uri.indexOf(':');
  if (!/^[A-Za-z][A-Za-z0-9+.-]*$/.test(uri.slice(0, colon === -1 ? 0 : colon))) return undefined;
  const scheme = uri.slice(0, colon).toLowerCase();
  let rest = uri.slice(colon + 1);
  let netloc = '';
  if (rest.startsWith('//')) {
    const end = rest.slice(2).search(NETLOC_END);
    netloc = end === -1 ? rest.slice(2) : rest.slice(2, end + 2);
    rest = rest.slice(netloc.length + 2);
  }
  const [beforeFragment, fragment] = cut(rest, '#');
  const [wholePath, query] = cut(beforeFragment, '?');
  const semicolon = SCHEMES_WITH_PARAMETERS.has(scheme) ? wholePath.indexOf(';', wholePath.lastIndexOf('/') + 1) : -1;
  const [path, params] =
    semicolon === -1 ? [wholePath, ''] : [wholePath.slice(0, semicolon), wholePath.slice(semicolon + 1)];
  const authority = authorityParts(netloc);
  if (authority === undefined) return undefined;
  return { uri, scheme, netloc, ...filled({ path, params, query, fragment }), ...authority };
}

function authorityParts(netloc: string): Pick<UriInfo, 'username' | 'password' | 'hostname' | 'port'> | undefined {
  const at = netloc.lastIndexOf('@');
  const [username, password] = at === -1 ? ['', ''] : cut(netloc.slice(0, at), ':');
  const address = netloc.slice(at + 1);
  const { host = '', port = '' } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>.*))?$/s.exec(address)?.groups ?? {};
  if (port !== '' && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) return undefined;
  const hostname = host.replaceAll(/^\[|\]$/g, '').toLowerCase();
  return {
    ...filled({ username: decoded(username), password: decoded(password) }),
    hostname,
    ...(Number(port) > 0 ? { port: Number(port) } : {}),
  };
}

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function filled<Name extends string>(parts: Readonly<Record<Name, string>>): { readonly [name in Name]?: string } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as { [name in Name]?: string };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
