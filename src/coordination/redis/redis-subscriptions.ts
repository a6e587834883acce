import type { RedisConnection } from './redis-connection.ts';

export type SubscriptionKind = 'channel' | 'pattern';
export type MessageListener = (channel: string, message: string) => void;

interface Subscription {
  readonly kind: SubscriptionKind;
  readonly name: string;
  readonly listeners: Set<MessageListener>;
  readonly established: Promise<void>;
}

/** Manages the subscriptions of the message connection, each name once. */
export class RedisSubscriptions {
  readonly #connection: RedisConnection;
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(connection: RedisConnection) {
    this.#connection = connection;
    connection.client.on('message', (channel: string, message: string) =>
      this.#deliver('channel', channel, channel, message),
    );
    connection.client.on('pmessage', (pattern: string, channel: string, message: string) =>
      this.#deliver('pattern', pattern, channel, message),
    );
  }

  /** Resolves once the server knows; the function that it gives ends it. @throws Unavailable */
  async listen(kind: SubscriptionKind, name: string, listener: MessageListener): Promise<() => Promise<void>> {
    this.#connection.assertOpen();
    const key = keyOf(kind, name);
    const subscription = this.#subscriptions.get(key) ?? this.#begin(kind, name);
    // A function of its own: the same listener may listen twice.
    const own: MessageListener = (channel, message) => listener(channel, message);
    subscription.listeners.add(own);
    try {
      await subscription.established;
    } catch (error) {
      if (this.#subscriptions.get(key) === subscription) this.#subscriptions.delete(key);
      throw error;
    }
    return async () => {
      if (!subscription.listeners.delete(own) || subscription.listeners.size > 0) return;
      if (this.#subscriptions.get(key) !== subscription) return;
      this.#subscriptions.delete(key);
      // When the server is gone it has forgotten by itself.
      await this.#connection
        .call<unknown>((redis) => (kind === 'channel' ? redis.unsubscribe(name) : redis.punsubscribe(name)))
        .catch(() => undefined);
    };
  }

  /** Asks the server for everything again, after it came back. */
  async renew(): Promise<void> {
    const names = { channel: [] as string[], pattern: [] as string[] };
    for (const { kind, name } of this.#subscriptions.values()) names[kind].push(name);
    await Promise.all(
      (['channel', 'pattern'] as const).map((kind) =>
        names[kind].length === 0 ? undefined : this.#ask(kind, names[kind]),
      ),
    );
  }

  #begin(kind: SubscriptionKind, name: string): Subscription {
    const subscription = { kind, name, listeners: new Set<MessageListener>(), established: this.#ask(kind, [name]) };
    this.#subscriptions.set(keyOf(kind, name), subscription);
    return subscription;
  }

  async #ask(kind: SubscriptionKind, names: readonly string[]): Promise<void> {
    await this.#connection.call<unknown>((redis) =>
      kind === 'channel' ? redis.subscribe(...names) : redis.psubscribe(...names),
    );
  }

  #deliver(kind: SubscriptionKind, name: string, channel: string, message: string): void {
    for (const listener of [...(this.#subscriptions.get(keyOf(kind, name))?.listeners ?? [])])
      listener(channel, message);
  }
}

function keyOf(kind: SubscriptionKind, name: string): string {
  return `${kind} ${name}`;
}
