import { parseJson } from '../../json/lossless-json.ts';
import type { Events } from '../coordination.ts';
import { escapePattern, type RedisConnection } from './redis-connection.ts';
import type { RedisSubscriptions } from './redis-subscriptions.ts';

/** Sends events of this process through the server, too, so all processes have one order. */
export function redisEvents(
  connection: RedisConnection,
  subscriptions: RedisSubscriptions,
  installation: string,
  onListenerError: (error: unknown, channel: string) => void,
): Events {
  const prefix = `${installation}:event:`;
  return {
    async publish(channel, payload) {
      const text = JSON.stringify(payload) ?? 'null';
      await connection.call((redis) => redis.publish(prefix + channel, text));
    },
    subscribe(pattern, listener) {
      const escaped = pattern.split('*').map(escapePattern).join('*');
      return subscriptions.listen('pattern', escapePattern(prefix) + escaped, (prefixed, text) => {
        const channel = prefixed.slice(prefix.length);
        try {
          listener(channel, parseJson(text));
        } catch (error) {
          onListenerError(error, channel);
        }
      });
    },
  };
}
