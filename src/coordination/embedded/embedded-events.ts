import { parseJson } from '../../json/lossless-json.ts';
import type { Events } from '../coordination.ts';

interface Subscription {
  readonly matches: (channel: string) => boolean;
  readonly listener: (channel: string, payload: unknown) => void;
}

/** Events inside this process. Payloads go through JSON, so every listener has its own copy. */
export function embeddedEvents(assertOpen: () => void, onListenerError: (error: unknown, channel: string) => void) {
  const subscriptions = new Set<Subscription>();
  const deliver = ({ listener }: Subscription, channel: string, text: string) => {
    try {
      listener(channel, parseJson(text));
    } catch (error) {
      onListenerError(error, channel);
    }
  };
  return {
    async publish(channel, payload) {
      assertOpen();
      const listening = [...subscriptions].filter(({ matches }) => matches(channel));
      if (listening.length === 0) return;
      const text = JSON.stringify(payload) ?? 'null';
      // Not inside the publisher's call: a listener that publishes in turn would be heard out of order.
      queueMicrotask(() => {
        for (const one of listening) if (subscriptions.has(one)) deliver(one, channel, text);
      });
    },
    async subscribe(pattern, listener) {
      assertOpen();
      const subscription = { matches: channelMatcher(pattern), listener };
      subscriptions.add(subscription);
      return async () => {
        subscriptions.delete(subscription);
      };
    },
    close: () => subscriptions.clear(),
  } satisfies Events & { close(): void };
}

/** `*` stands for any characters, none included; everything else for itself. */
function channelMatcher(pattern: string): (channel: string) => boolean {
  if (!pattern.includes('*')) return (channel) => channel === pattern;
  const literalParts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const expression = new RegExp(`^${literalParts.join('.*')}$`, 's');
  return (channel) => expression.test(channel);
}
