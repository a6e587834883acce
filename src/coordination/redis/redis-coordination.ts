import { messageOf, Unavailable } from '../../errors/errors.ts';
import type { Coordination } from '../coordination.ts';
import { Notifications } from './notifications.ts';
import { type RedisAddress, readRedisAddress } from './redis-address.ts';
import { RedisConnection, type RedisConnectionDependencies } from './redis-connection.ts';
import { redisCounters } from './redis-counters.ts';
import { redisEvents } from './redis-events.ts';
import { redisLocks } from './redis-locks.ts';
import { redisQueues } from './redis-queues.ts';
import { RedisSubscriptions } from './redis-subscriptions.ts';
import { redisTables } from './redis-tables.ts';
import { redisTokens } from './redis-tokens.ts';

export interface RedisCoordinationOptions {
  /** `redis[s]://[user[:password]@]host[:port][/database]`, percent-encoded; `rediss` is TLS. */
  readonly url: string;
  /** Every key and channel begins with `<prefix>:`. Installations on one server need different ones. */
  readonly prefix: string;
  /** Additional trusted authorities (PEM). Default none. */
  readonly certificates?: readonly string[];
  /** Receives loss and return of the server, unsafe settings, errors of listeners. Default: none. */
  readonly logger?: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

/** Milliseconds that a key lives which only shows that the server takes writes. */
const HEALTH_LIFETIME = 60_000;

/**
 * Shared coordination on Redis 6.2 or later, by one connection for commands and one for messages.
 * While the server is gone, calls fail with `coordination_unavailable` within about two seconds; connections and
 * subscriptions come back by themselves. A call that failed may have been done. What a crash of the server keeps depends
 * on its settings (docs/decisions/0009-queues-on-redis.md). Throws InvalidInput `invalid_setting`.
 */
export async function openRedisCoordination(options: RedisCoordinationOptions): Promise<Coordination> {
  const { url, prefix, certificates = [], logger } = options;
  const address = readRedisAddress(url);
  const opened: RedisConnection[] = [];
  const open = async (more: Omit<RedisConnectionDependencies, 'address' | 'certificates'>) => {
    const connection = await RedisConnection.open({ address, certificates, ...more });
    opened.push(connection);
    return connection;
  };
  try {
    const commands = await open({
      name: `${prefix}:commands`,
      onLost: (failure) => logger?.warn({ redis: address.shown }, `${failure} Trying again until it answers.`),
      onBack: () => logger?.info({ redis: address.shown }, 'Redis answers again'),
    });
    for (const warning of await checkServer(commands, address)) logger?.warn({ redis: address.shown }, warning);
    const messages = await open({ name: `${prefix}:messages`, onBack: () => renewSubscriptions() });
    const subscriptions = new RedisSubscriptions(messages);
    const calls = new Notifications(subscriptions);
    const renewSubscriptions = (): void => {
      subscriptions.renew().then(
        () => calls.callAll(),
        // A connection that does not listen is of no use; the next one tries again.
        () => messages.reconnect(),
      );
    };
    return {
      tokens: redisTokens(commands, prefix),
      counters: redisCounters(commands, prefix),
      locks: redisLocks(commands, calls, prefix),
      queues: redisQueues(commands, calls, prefix),
      tables: redisTables(commands, prefix),
      events: redisEvents(commands, subscriptions, prefix, (error, channel) =>
        logger?.warn({ err: error, channel }, 'a listener of an event failed'),
      ),
      health: () => health(commands, messages, prefix),
      close: async () => {
        if (commands.closed) return;
        calls.close();
        await Promise.all([commands.close(), messages.close()]);
      },
    };
  } catch (error) {
    await Promise.all(opened.map((connection) => connection.close()));
    throw error;
  }
}

/** Checks that the server accepts a write and listens: a full server answers but is useless. */
async function health(commands: RedisConnection, messages: RedisConnection, prefix: string) {
  try {
    await commands.call((redis) => redis.set(`${prefix}:health`, '', 'PX', HEALTH_LIFETIME));
    await messages.call((redis) => redis.ping());
    return { ok: true, detail: '' };
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}

/** The first release with every command that the adapter sends. */
const OLDEST = [6, 2] as const;

/** Returns warnings about settings that break promises of the port; throws when Redis is too old. */
export async function checkServer(connection: RedisConnection, address: RedisAddress): Promise<readonly string[]> {
  const facts = await serverFacts(connection);
  const version = facts.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (version !== '' && (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))) {
    const message = `Redis at ${address.shown} has version ${version}; ${OLDEST.join('.')} or later is needed.`;
    throw new Unavailable('coordination_unavailable', message);
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
