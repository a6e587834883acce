import { Unavailable } from '../../errors/errors.ts';
import type { RedisAddress } from './redis-address.ts';
import type { RedisConnection } from './redis-connection.ts';

/** The first release with every command that the adapter sends. */
const OLDEST = [6, 2] as const;

/**
 * Looks at the server once, when it is opened.
 * @returns sentences about settings of the server that break what the port promises
 * @throws Unavailable `coordination_unavailable` when the server is too old
 */
export async function checkServer(connection: RedisConnection, address: RedisAddress): Promise<readonly string[]> {
  const facts = await serverFacts(connection);
  const version = facts.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (version !== '' && (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))) {
    throw new Unavailable(
      'coordination_unavailable',
      `Redis at ${address.shown} has version ${version}; ${OLDEST.join('.')} or later is needed.`,
    );
  }
  const warnings: string[] = [];
  if (facts.get('aof_enabled') === '0') {
    warnings.push(
      `Redis at ${address.shown} keeps no append-only file: a crash of it loses queued work. Set appendonly yes there.`,
    );
  }
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warnings.push(
      `Redis at ${address.shown} drops keys when its memory is full (${policy}), queued work and locks among them. Set maxmemory-policy noeviction there.`,
    );
  }
  return warnings;
}

/** Empty where the user may not ask: then nothing can be said, and nothing is wrong with that. */
async function serverFacts(connection: RedisConnection): Promise<ReadonlyMap<string, string>> {
  const text = await connection.call((redis) =>
    redis.info().catch((error: Error) => {
      if (error.message.startsWith('NOPERM')) return '';
      throw error;
    }),
  );
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );
}
