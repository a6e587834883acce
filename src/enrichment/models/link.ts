/** Schemes that run code, or show what the linking page chose, in the page that opens them. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:', 'blob:']);
const MAX_LENGTH = 65_536;

/** Reads an absolute address and normalises it; the reason otherwise. */
export function readLink(value: unknown): { readonly link: string } | { readonly reason: string } {
  if (typeof value !== 'string') return { reason: 'must be a URL' };
  const url = value.length > MAX_LENGTH ? null : URL.parse(value);
  if (url === null) return { reason: 'must be an absolute URL' };
  return REFUSED_SCHEMES.has(url.protocol)
    ? { reason: `must not be a URL with the scheme ${url.protocol.slice(0, -1)}` }
    : { link: url.href };
}
