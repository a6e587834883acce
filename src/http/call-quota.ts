import type { FastifyReply } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import type { RequestQuota } from '../identity/limits/quota.ts';
import type { Log } from './request-log.ts';
import type { GuardedAccess } from './route-access.ts';

/** An admitted call before it is counted. */
export interface BegunCall {
  readonly actor: Actor;
  readonly access: GuardedAccess;
  readonly reply: FastifyReply;
}

/** Counts a call; returns undefined when it is admitted at once, and rejects with the refusal. */
export type CallQuota = (call: BegunCall) => Promise<void> | undefined;

interface ConcurrentCallsDependencies {
  readonly places: Pick<RequestQuota, 'enter' | 'leave'>;
  readonly log: Log;
  /** The refusal when all slots of the caller are taken. */
  readonly refusal: (actor: Actor) => Error;
}

/** Holds a slot for each call until it is answered or its caller disconnects. */
export function concurrentCalls({ places, log, refusal }: ConcurrentCallsDependencies): CallQuota {
  return async ({ actor, reply }) => {
    const place = await places.enter(actor);
    if (place === undefined) throw refusal(actor);
    // `close` comes after every answer, also when the caller went away before it.
    reply.raw.once('close', () => {
      places.leave(actor, place).catch((error: unknown) => {
        const entry = { err: error, user: actor.username };
        log.warn(entry, 'a place in the request quota was not given back; it expires by itself');
      });
    });
  };
}
