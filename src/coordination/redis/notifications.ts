import type { RedisSubscriptions } from './redis-subscriptions.ts';

/** A caller that waits for a notification on one channel. */
export interface Waiter {
  /** Resolves at a call that came since the last `wait`, or after so many milliseconds. */
  wait(milliseconds: number): Promise<void>;
  /** A call that it got and did not use goes to the next one. */
  leave(): void;
}

interface Sleeping {
  called: boolean;
  wake: (() => void) | undefined;
}

interface Channel {
  /** Waiting callers, the longest waiting first. */
  readonly sleepers: Set<Sleeping>;
  readonly subscribed: Promise<() => Promise<void>>;
  /** Time since which no caller waits. */
  idleSince: number;
}

/** The result of one poll. */
export interface Look<Found> {
  /** Undefined: nothing yet. */
  readonly found: Found | undefined;
  /** Milliseconds after which to poll again without a notification; undefined: only after a notification. */
  readonly again?: number | undefined;
}

/** Longest time (milliseconds) between two looks: a call may be lost. */
const MAX_INTERVAL = 1000;
/** Milliseconds that a channel stays subscribed without callers, because they often return soon. */
const LINGER = 30_000;

/** Wakes as many of the longest waiting as a call of another process says there is something for. */
export class Notifications {
  readonly #subscriptions: RedisSubscriptions;
  readonly #channels = new Map<string, Channel>();
  readonly #sweeping: NodeJS.Timeout;
  #closed = false;

  constructor(subscriptions: RedisSubscriptions) {
    this.#subscriptions = subscriptions;
    this.#sweeping = setInterval(() => this.#sweep(), LINGER).unref();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves once every later call is heard. `leave` when done. @throws Unavailable */
  async expect(name: string): Promise<Waiter> {
    const channel = this.#channels.get(name) ?? this.#open(name);
    const own: Sleeping = { called: this.#closed, wake: undefined };
    channel.sleepers.add(own);
    try {
      await channel.subscribed;
    } catch (error) {
      channel.sleepers.delete(own);
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
      throw error;
    }
    return {
      wait: (milliseconds) => waitForCall(own, milliseconds),
      leave: () => {
        channel.sleepers.delete(own);
        if (own.called) callSome(channel, 1);
        if (channel.sleepers.size === 0) channel.idleSince = performance.now();
      },
    };
  }

  /** Looks at once and at each call, for `patience` milliseconds; undefined: nothing came in time. */
  async search<Found>(name: string, patience: number, look: () => Promise<Look<Found>>): Promise<Found | undefined> {
    const deadline = performance.now() + patience;
    let sleeper: Waiter | undefined;
    try {
      for (;;) {
        const { found, again = MAX_INTERVAL } = await look();
        const left = deadline - performance.now();
        if (found !== undefined || left <= 0 || this.#closed) return found;
        if (sleeper === undefined) {
          // There may have been a call before anybody listened, so the next look comes at once.
          sleeper = await this.expect(name);
          continue;
        }
        await sleeper.wait(Math.max(1, Math.min(left, again, MAX_INTERVAL)));
        if (this.#closed) return undefined;
      }
    } catch (error) {
      if (this.#closed && deadline > performance.now()) return undefined;
      throw error;
    } finally {
      sleeper?.leave();
    }
  }

  /** Wakes every caller, because notifications may have been missed. */
  callAll(): void {
    for (const channel of this.#channels.values()) callSome(channel, channel.sleepers.size);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#sweeping);
    this.callAll();
  }

  #open(name: string): Channel {
    const channel: Channel = {
      sleepers: new Set(),
      subscribed: this.#subscriptions.listen('channel', name, (_, count) => callSome(channel, Number(count))),
      idleSince: performance.now(),
    };
    this.#channels.set(name, channel);
    return channel;
  }

  #sweep(): void {
    const before = performance.now() - LINGER;
    for (const [name, { sleepers, subscribed, idleSince }] of this.#channels) {
      if (sleepers.size > 0 || idleSince > before) continue;
      this.#channels.delete(name);
      subscribed.then((end) => end()).catch(() => undefined);
    }
  }
}

function callSome({ sleepers }: Channel, count: number): void {
  let left = count;
  for (const sleeper of sleepers) {
    if (left <= 0) return;
    if (sleeper.called) continue;
    sleeper.called = true;
    sleeper.wake?.();
    left -= 1;
  }
}

async function waitForCall(sleeper: Sleeping, milliseconds: number): Promise<void> {
  if (!sleeper.called) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      sleeper.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  sleeper.wake = undefined;
  sleeper.called = false;
}
