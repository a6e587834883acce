import { messageOf, Unavailable } from '../../errors/errors.ts';
import type { RedisAddress } from './redis-address.ts';

const RETRY_AFTER = 5;

/** The meaning of an error and the advice to the operator. */
type Meaning = readonly [what: string, advice: string];

/** By what Redis answers with as the first word of an error. */
const ANSWERS: Readonly<Record<string, Meaning>> = {
  WRONGPASS: ['refuses the user name or password', 'Put the right ones into coordination.url (SVC_COORDINATION_URL)'],
  NOAUTH: [
    'wants a password',
    'Put it into coordination.url (SVC_COORDINATION_URL): rediss://user:password@host:6379/0',
  ],
  NOPERM: ['does not let this user do it', 'Give the user every command on its keys and channels (ACL SETUSER)'],
  LOADING: ['is still loading its data', 'It will answer when that is done'],
  BUSY: ['is busy with a long script of another client', 'It will answer when that ends'],
  READONLY: ['is a read-only replica', 'Point coordination.url to the primary'],
  MASTERDOWN: ['is a replica without its primary', 'Point coordination.url to the primary'],
  OOM: ['has no memory left', 'Raise its maxmemory'],
  MISCONF: ['cannot write its data to disk and therefore refuses writes', 'Look into its log and free space'],
};

/** By codes of the network and of TLS. */
const NETWORK: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: ['refuses connections', 'Check that it runs there and that coordination.url is right'],
  ECONNRESET: ['ended the connection', 'Check that it runs; the program reconnects by itself'],
  EPIPE: ['ended the connection', 'Check that it runs; the program reconnects by itself'],
  ENOTFOUND: ['cannot be found: its host name is not known', 'Check coordination.url'],
  EAI_AGAIN: ['cannot be found: the name service does not answer', 'Check coordination.url and the network'],
  ETIMEDOUT: ['does not answer', 'Check that it runs, coordination.url, and the firewalls between'],
  EHOSTUNREACH: ['cannot be reached: there is no way to its host', 'Check coordination.url and the network'],
  ENETUNREACH: ['cannot be reached: there is no way to its network', 'Check coordination.url and the network'],
  EPROTO: ['does not speak TLS there', 'Use redis:// instead of rediss://, or its TLS port'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['does not speak TLS there', 'Use redis:// instead of rediss://, or its TLS port'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['does not speak TLS there', 'Use redis:// instead of rediss://, or its TLS port'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['has a certificate for another host name', 'Use the name that the certificate has'],
  CERT_HAS_EXPIRED: ['has a certificate that has expired', 'Renew it'],
};

const NOT_TRUSTED: Meaning = [
  'has a certificate that is not trusted',
  'Put the certificate of its authority into cert_directory (SVC_CERT_DIRECTORY)',
];
const NO_DATABASE: Meaning = ['has no such database', 'Check the number at the end of coordination.url'];
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED/;

/** Returns `coordination_unavailable` with the remedy; `opening`: the server never responded. */
export function redisUnavailable(error: unknown, address: RedisAddress, opening = false): Unavailable {
  const message = `Redis at ${address.shown} ${meaningOf(error)}${opening ? hintOf(error, address) : ''}`;
  const cause = withoutArguments(error);
  return new Unavailable('coordination_unavailable', message, { cause, retryAfter: RETRY_AFTER });
}

/** A server that is spoken to in the wrong way says nothing about it: it waits for more, or hangs up. */
function hintOf(error: unknown, { tls }: RedisAddress): string {
  const code = codeOf(error);
  if (tls && code === 'ETIMEDOUT') return ' Perhaps it does not speak TLS on this port: redis:// is without.';
  if (!tls && code === 'ECONNRESET') return ' Perhaps it wants TLS on this port: rediss://.';
  return '';
}

export function redisClosed(): Unavailable {
  return new Unavailable('coordination_unavailable', 'The connection to Redis is closed: the program is stopping.', {
    retryAfter: RETRY_AFTER,
  });
}

function meaningOf(error: unknown): string {
  const message = textOf(error).replace(/\.$/, '');
  const code = codeOf(error);
  const known = NETWORK[code] ?? ANSWERS[/^[A-Z]+/.exec(message)?.[0] ?? ''];
  if (known !== undefined) return sentences(known, code || message);
  if (UNTRUSTED.test(code)) return sentences(NOT_TRUSTED, code);
  if (message.includes('DB index')) return sentences(NO_DATABASE, message);
  if (/Socket timeout|Connection is closed|Stream isn't writeable|retries per request/.test(message)) {
    return 'does not answer. Check that it runs; the program reconnects by itself.';
  }
  return `failed: ${message}.`;
}

function sentences([what, advice]: Meaning, reason: string): string {
  return `${what} (${reason}). ${advice}.`;
}

/** Removes the arguments (passwords, token values) that the client's errors carry. */
function withoutArguments(error: unknown): Error {
  const clean = new Error(textOf(error));
  if (error instanceof Error) {
    clean.name = error.name;
    if (error.stack !== undefined) clean.stack = error.stack.replace(/, with args beginning with: .*/g, '');
  }
  return Object.assign(clean, codeOf(error) === '' ? {} : { code: codeOf(error) });
}

function textOf(error: unknown): string {
  return messageOf(error).replace(/, with args beginning with: .*/s, '');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
