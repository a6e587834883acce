import type { FastifyReply } from 'fastify';
import type { Actor } from '../identity/actor.ts';
import type { RequestQuota } from '../identity/limits/quota.ts';
import type { Log } from './request-log.ts';
import type { GuardedAccess } from './route-access.ts';

/** A call that was let in and is about to be counted. */
export interface BegunCall {
  readonly actor: Actor;
  readonly access: GuardedAccess;
  readonly reply: FastifyReply;
}

/** How a service limits the calls of one caller. Each has its own; routes with `quota: false` never reach it. */
export interface CallQuota {
  /** Counts the call. Undefined: there is nothing to wait for. Rejects with what the service answers to a call too many. */
  begin(call: BegunCall): Promise<void> | undefined;
}

export interface ConcurrentCallsDependencies {
  readonly places: Pick<RequestQuota, 'enter' | 'leave'>;
  readonly log: Log;
  /** What the caller is told when all of their places are taken. */
  readonly refusal: (actor: Actor) => Error;
}

/** Holds a place for each call from here until its answer is out, or the caller went away. */
export function concurrentCalls({ places, log, refusal }: ConcurrentCallsDependencies): CallQuota {
  return {
    async begin({ actor, reply }) {
      const place = await places.enter(actor);
      if (place === undefined) throw refusal(actor);
      // `close` comes after every answer, also when the caller went away before it.
      reply.raw.once('close', () => {
        places.leave(actor, place).catch((error: unknown) => {
          log.warn(
            { err: error, user: actor.username },
            'a place in the request quota was not given back; it expires by itself',
          );
        });
      });
    },
  };
}
