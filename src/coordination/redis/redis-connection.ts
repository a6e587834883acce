import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import type { Unavailable } from '../../errors/errors.ts';
import type { RedisAddress } from './redis-address.ts';
import { redisClosed, redisUnavailable } from './redis-failures.ts';

export interface RedisConnectionDependencies {
  readonly address: RedisAddress;
  /** Shown by `CLIENT LIST`. */
  readonly name: string;
  /** Additional trusted authorities (PEM). */
  readonly certificates: readonly string[];
  /** Called each time when the server answers again after it did not. */
  readonly onBack?: () => void;
  /** Called each time when the connection is lost, with a sentence. */
  readonly onLost?: (failure: string) => void;
}

/** Milliseconds without an answer after which the server counts as gone. */
const ANSWER_TIMEOUT = 2000;
/** Milliseconds for which calls wait for a connection that was just lost: it is often back at once. */
const GRACE = 1000;
/** Milliseconds after which the client has noticed at the latest that it has no connection. */
const NOTICE = 100;
/** Milliseconds between two tries to connect: it begins with the first and ends with the second. */
const FIRST_PAUSE = 50;
const MAX_PAUSE = 2000;
/** Milliseconds between two looks whether the server still answers. */
const HEARTBEAT = 5000;
/** Milliseconds that the first connection may take, the loading of the server's data included. */
const OPEN_TIMEOUT = 10_000;

/**
 * One connection that comes back by itself; every failure is `coordination_unavailable`.
 * Calls wait at most a second after a loss, later they fail at once. One whose answer was lost is not repeated.
 */
export class RedisConnection {
  readonly #dependencies: RedisConnectionDependencies;
  readonly #redis: Redis;
  readonly #heartbeat: NodeJS.Timeout;
  #lastError: unknown;
  #lostAt: number | undefined;
  #state: 'opening' | 'answering' | 'gone' | 'closed' = 'opening';

  /** Connects. @throws Unavailable `coordination_unavailable` when the server cannot be used */
  static async open(dependencies: RedisConnectionDependencies): Promise<RedisConnection> {
    const connection = new RedisConnection(dependencies);
    try {
      await connection.#open();
      return connection;
    } catch (error) {
      connection.#abandonCalls();
      connection.#redis.disconnect();
      throw redisUnavailable(connection.#lastError ?? error, dependencies.address, true);
    }
  }

  private constructor(dependencies: RedisConnectionDependencies) {
    this.#dependencies = dependencies;
    this.#redis = new Redis(clientOptions(dependencies));
    // Each call that waits for the connection listens for its return.
    this.#redis.setMaxListeners(0);
    this.#redis.on('error', (error: unknown) => {
      this.#lastError = error;
    });
    this.#redis.on('close', () => this.#lost());
    this.#redis.on('ready', () => this.#ready());
    // Detects a lost peer on an idle connection.
    this.#heartbeat = setInterval(() => {
      if (this.#redis.status === 'ready') this.#redis.ping().catch(() => undefined);
    }, HEARTBEAT).unref();
  }

  get closed(): boolean {
    return this.#state === 'closed';
  }

  /** @throws Unavailable `coordination_unavailable` once closed */
  assertOpen(): void {
    if (this.closed) throw redisClosed();
  }

  get client(): Redis {
    return this.#redis;
  }

  async call<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    for (;;) {
      this.assertOpen();
      if (this.#redis.status !== 'ready') await this.#untilReady();
      try {
        return await work(this.#redis);
      } catch (error) {
        if (this.closed) throw redisClosed();
        if (!wasNotSent(error)) {
          const cause = this.#redis.status === 'ready' ? error : (this.#lastError ?? error);
          throw redisUnavailable(cause, this.#dependencies.address);
        }
        // The other end has hung up and the client is about to notice.
        this.#lostAt ??= performance.now();
        if (performance.now() - this.#lostAt > GRACE) throw this.#unavailable();
        await this.#nextOf(['close', 'ready'], NOTICE);
      }
    }
  }

  run(script: RedisScript, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.call(async (redis) => {
      try {
        return await redis.evalsha(script.digest, keys.length, ...keys, ...values);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return redis.eval(script.text, keys.length, ...keys, ...values);
      }
    });
  }

  reconnect(): void {
    if (!this.closed) this.#redis.disconnect(true);
  }

  /** Calls under way get their answers, later ones are refused. */
  async close(): Promise<void> {
    if (this.closed) return;
    const answering = this.#redis.status === 'ready';
    this.#abandonCalls();
    if (answering) await this.#redis.quit().catch(() => undefined);
    this.#redis.disconnect();
  }

  async #open(): Promise<void> {
    const late = sleep(OPEN_TIMEOUT, undefined, { ref: false }).then(() => {
      throw new Error('Connection is closed.');
    });
    await Promise.race([this.#redis.connect(), late]);
    // The client continues with database 0 when the server does not have the one that was asked for.
    await this.#redis.select(this.#dependencies.address.database);
  }

  #abandonCalls(): void {
    this.#state = 'closed';
    clearInterval(this.#heartbeat);
  }

  /** @throws Unavailable when the connection does not come back in the second after it was lost */
  async #untilReady(): Promise<void> {
    this.#lostAt ??= performance.now();
    const patience = this.#lostAt + GRACE - performance.now();
    if (patience > 0) await this.#nextOf(['ready', 'end'], patience);
    this.assertOpen();
    if (this.#redis.status === 'ready') return;
    throw this.#unavailable();
  }

  /** Resolves at one of these events of the client, after so many milliseconds at the latest. */
  #nextOf(events: readonly string[], milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        for (const event of events) this.#redis.off(event, done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      for (const event of events) this.#redis.on(event, done);
    });
  }

  /** Every failed try to connect ends here too; the second of grace begins with the loss. */
  #lost(): void {
    this.#lostAt ??= performance.now();
    if (this.#state !== 'answering') return;
    this.#state = 'gone';
    this.#dependencies.onLost?.(this.#unavailable().message);
  }

  #ready(): void {
    const { onBack } = this.#dependencies;
    const back = this.#state === 'gone';
    if (!this.closed) this.#state = 'answering';
    this.#lostAt = undefined;
    this.#lastError = undefined;
    if (back) onBack?.();
  }

  #unavailable(): Unavailable {
    return redisUnavailable(this.#lastError ?? new Error('Connection is closed.'), this.#dependencies.address);
  }
}

function wasNotSent(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Stream isn't writeable");
}

function clientOptions({ address, name, certificates }: RedisConnectionDependencies) {
  return {
    host: address.host,
    port: address.port,
    db: address.database,
    connectionName: name,
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: certificates.length === 0 ? {} : { ca: [...rootCertificates, ...certificates] } } : {}),
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT,
    socketTimeout: ANSWER_TIMEOUT,
    // Nothing waits unseen and nothing is done twice: `call` decides who waits, and for how long.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The subscriptions know themselves what has to be asked for again.
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(FIRST_PAUSE * 2 ** (times - 1), MAX_PAUSE) * (0.75 + Math.random() / 2),
  } satisfies RedisOptions;
}

/** A Lua script. Redis runs it as one step; it is sent once and called by its digest afterwards. */
export interface RedisScript {
  readonly text: string;
  /** SHA-1 of the text, by which Redis knows it. */
  readonly digest: string;
}

export function redisScript(text: string): RedisScript {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

/** The longest time that fits into a double beside the server's clock. Milliseconds. */
const MAX_LENGTH = Number.MAX_SAFE_INTEGER / 4;

/** A time as Redis takes it: whole milliseconds, never shorter than asked, none for what is over. */
export function integerMilliseconds(time: number): number {
  return Math.min(Math.max(Math.ceil(time), 0), MAX_LENGTH);
}

/** `text` as a part of a pattern that matches itself alone. */
export function escapePattern(text: string): string {
  return text.replace(/[*?[\]\\]/g, '\\$&');
}
