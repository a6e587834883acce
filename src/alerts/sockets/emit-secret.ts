import { createHash, timingSafeEqual } from 'node:crypto';
import { Forbidden, Unauthenticated } from '../../errors/errors.ts';

/** The secret of the public system, which is publicly known. */
export const DEFAULT_EMIT_SECRET = 'secret';

/** Headers that proxies and browsers add, but no process of the public system. */
const FOREIGN_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via', 'origin'];

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** The parts of a request that the check reads. */
export interface EmitRequest {
  readonly ip: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * Checks the secret that processes of the public system send: any scheme, then `x:<secret>` in base64.
 * @throws Unauthenticated `no_emit_secret`, `wrong_emit_secret`; Forbidden `default_emit_secret`
 */
export function checkEmitSecret(secret: string, { ip, headers }: EmitRequest): void {
  const { authorization } = headers;
  if (typeof authorization !== 'string') {
    throw new Unauthenticated('no_emit_secret', 'Missing authorization header');
  }
  const sent = Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString();
  const colon = sent.indexOf(':');
  if (colon === -1 || !timingSafeEqual(digest(sent.slice(colon + 1)), digest(secret))) {
    throw new Unauthenticated('wrong_emit_secret', 'Invalid auth data');
  }
  // A proxy on this machine, and a page in a browser on it, act for others.
  const isLocal = LOOPBACK.test(ip) && FOREIGN_HEADERS.every((name) => headers[name] === undefined);
  if (secret !== DEFAULT_EMIT_SECRET || isLocal) return;
  throw new Forbidden(
    'default_emit_secret',
    'The default secret is publicly known and accepted from this machine only. Set alerts.emit_secret (SVC_ALERTS_EMIT_SECRET).',
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
