import type { RedisSubscriptions } from './redis-subscriptions.ts';

/** A caller that waits for a notification on one channel. */
interface Sleeper {
  readonly channel: Channel;
  /** A call came since the last wait. */
  called: boolean;
  wake: (() => void) | undefined;
}

interface Channel {
  /** Waiting callers, the longest waiting first. */
  readonly sleepers: Set<Sleeper>;
  readonly subscribed: Promise<() => Promise<void>>;
  /** Time since which no caller waits. */
  idleSince: number;
}

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

  /** Looks at once and at each call, for `patience` milliseconds; undefined: nothing came in time. */
  async search<Found>(name: string, patience: number, look: () => Promise<Look<Found>>): Promise<Found | undefined> {
    const deadline = performance.now() + patience;
    let sleeper: Sleeper | undefined;
    try {
      for (;;) {
        const { found, again = MAX_INTERVAL } = await look();
        const left = deadline - performance.now();
        if (found !== undefined || left <= 0 || this.#closed) return found;
        if (sleeper === undefined) {
          // There may have been a call before anyone listened, so the next look comes at once.
          sleeper = await this.#expect(name);
          continue;
        }
        await waitForCall(sleeper, Math.max(1, Math.min(left, again, MAX_INTERVAL)));
        if (this.#closed) return undefined;
      }
    } catch (error) {
      if (this.#closed && deadline > performance.now()) return undefined;
      throw error;
    } finally {
      if (sleeper) leave(sleeper);
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

  /** Resolves once every later call is heard. */
  async #expect(name: string): Promise<Sleeper> {
    const channel = this.#channels.get(name) ?? this.#open(name);
    const sleeper: Sleeper = { channel, called: this.#closed, wake: undefined };
    channel.sleepers.add(sleeper);
    try {
      await channel.subscribed;
      return sleeper;
    } catch (error) {
      channel.sleepers.delete(sleeper);
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
      throw error;
    }
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

/** Passes a call that came and was not used on to the next caller. */
function leave(sleeper: Sleeper): void {
  const { channel, called } = sleeper;
  channel.sleepers.delete(sleeper);
  if (called) callSome(channel, 1);
  if (channel.sleepers.size === 0) channel.idleSince = performance.now();
}

async function waitForCall(sleeper: Sleeper, milliseconds: number): Promise<void> {
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
