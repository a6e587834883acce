import { parseJson } from '../../json/lossless-json.ts';
import type { Events } from '../coordination.ts';
import { escapePattern, type RedisConnection } from './redis-connection.ts';
import type { RedisSubscriptions } from './redis-subscriptions.ts';

export interface RedisEventsDependencies {
  /** For publishing. */
  readonly connection: RedisConnection;
  readonly subscriptions: RedisSubscriptions;
  readonly prefix: string;
  readonly onListenerError: (error: unknown, channel: string) => void;
}

/** Sends events of this process through the server, too, so all processes have one order. */
export class RedisEvents implements Events {
  readonly #dependencies: RedisEventsDependencies;
  readonly #prefix: string;

  constructor(dependencies: RedisEventsDependencies) {
    this.#dependencies = dependencies;
    this.#prefix = `${dependencies.prefix}:event:`;
  }

  async publish(channel: string, payload: unknown): Promise<void> {
    const text = JSON.stringify(payload) ?? 'null';
    await this.#dependencies.connection.call((redis) => redis.publish(this.#prefix + channel, text));
  }

  subscribe(pattern: string, listener: (channel: string, payload: unknown) => void): Promise<() => Promise<void>> {
    const escaped = pattern.split('*').map(escapePattern).join('*');
    return this.#dependencies.subscriptions.listen(
      'pattern',
      escapePattern(this.#prefix) + escaped,
      (prefixed, text) => {
        const channel = prefixed.slice(this.#prefix.length);
        try {
          listener(channel, parseJson(text));
        } catch (error) {
          this.#dependencies.onListenerError(error, channel);
        }
      },
    );
  }
}
