/** Lets pages load files of this origin alone, without a script in the page or a frame around it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Headers of every answer of the web listener. No other site sees the address of a page. */
export const ISOLATION_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Headers of pages and their files. */
export const PAGE_HEADERS = { ...ISOLATION_HEADERS, 'content-security-policy': PAGE_POLICY } as const;

/**
 * Headers of the answers of services. A file that a user stored is data, also when the address bar
 * leads to it.
 */
export const SERVICE_HEADERS = {
  ...ISOLATION_HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
} as const;
