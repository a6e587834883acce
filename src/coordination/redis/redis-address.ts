import { InvalidInput } from '../../errors/errors.ts';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly tls: boolean;
  /** For people: without user name and password. */
  readonly shown: string;
}

const DEFAULT_PORT = 6379;

/** Reads `redis[s]://[user[:password]@]host[:port][/database]`; throws `invalid_setting`. */
export function readRedisAddress(url: string): RedisAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw invalid('is no address of the form redis://host:6379/0 or rediss://user:password@host:6379/0');
  }
  const database = /^\/?$/.test(parsed.pathname) ? '0' : parsed.pathname.slice(1);
  if (!/^\d{1,5}$/.test(database)) throw invalid(`has the database "${database}", which is not a number`);
  // `redis://host/0?db=3` would mean something to some clients; nothing is ignored silently.
  if (parsed.search !== '' || parsed.hash !== '') throw invalid('has something behind the number of the database');
  const { protocol, host } = parsed;
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? DEFAULT_PORT : Number(parsed.port),
    username: decoded(parsed.username),
    password: decoded(parsed.password),
    database: Number(database),
    tls: protocol === 'rediss:',
    shown: `${protocol}//${host}${parsed.port === '' ? `:${DEFAULT_PORT}` : ''}/${Number(database)}`,
  };
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('has a user name or password whose % signs are not percent-encoded (%25)');
  }
}

/** Never quotes the address: it may have a password. */
function invalid(fault: string): InvalidInput {
  return new InvalidInput('invalid_setting', `coordination.url (SVC_COORDINATION_URL) ${fault}.`, {
    at: 'coordination.url',
  });
}
