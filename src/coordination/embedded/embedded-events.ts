import { parseJson } from '../../json/lossless-json.ts';
import type { Events } from '../coordination.ts';

interface Subscription {
  readonly matches: (channel: string) => boolean;
  readonly listener: (channel: string, payload: unknown) => void;
}

/** Events inside this process. Payloads go through JSON, so every listener has its own copy. */
export class EmbeddedEvents implements Events {
  readonly #subscriptions = new Set<Subscription>();
  readonly #onListenerError: (error: unknown, channel: string) => void;

  readonly #assertOpen: () => void;

  constructor(assertOpen: () => void, onListenerError: (error: unknown, channel: string) => void) {
    this.#assertOpen = assertOpen;
    this.#onListenerError = onListenerError;
  }

  async publish(channel: string, payload: unknown): Promise<void> {
    this.#assertOpen();
    const listening = [...this.#subscriptions].filter(({ matches }) => matches(channel));
    if (listening.length === 0) return;
    const text = JSON.stringify(payload) ?? 'null';
    // Not inside the publisher's call: a listener that publishes in turn would be heard out of order.
    queueMicrotask(() => {
      for (const subscription of listening)
        if (this.#subscriptions.has(subscription)) this.#tell(subscription, channel, text);
    });
  }

  async subscribe(
    pattern: string,
    listener: (channel: string, payload: unknown) => void,
  ): Promise<() => Promise<void>> {
    this.#assertOpen();
    const subscription = { matches: channelMatcher(pattern), listener };
    this.#subscriptions.add(subscription);
    return async () => {
      this.#subscriptions.delete(subscription);
    };
  }

  close(): void {
    this.#subscriptions.clear();
  }

  #tell({ listener }: Subscription, channel: string, text: string): void {
    try {
      listener(channel, parseJson(text));
    } catch (error) {
      this.#onListenerError(error, channel);
    }
  }
}

/** `*` stands for any characters, none included; everything else for itself. */
function channelMatcher(pattern: string): (channel: string) => boolean {
  if (!pattern.includes('*')) return (channel) => channel === pattern;
  const literalParts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const expression = new RegExp(`^${literalParts.join('.*')}$`, 's');
  return (channel) => expression.test(channel);
}
