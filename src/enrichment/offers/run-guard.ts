import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { NotFound } from '../../errors/errors.ts';
import { credentialOf } from '../../http/request-state.ts';
import { reading, text } from '../../input/input-kinds.ts';
import type { CallContext } from '../sources/call-context.ts';

export const TimeoutQuery = Type.Object({
  max_timeout: Type.Optional(
    text({ description: 'Seconds that the source may take, at most 300. An unreadable number counts as absent.' }),
  ),
});

/** Any JSON, null without a body; `schema` documents it. */
export const anyBody = (schema: TSchema) =>
  reading(Type.Unsafe<unknown>(schema), { unchecked: true, accept: (value) => value ?? null });

/** Returns the caller of a request, with a signal that aborts when they close the connection. */
export function runContextOf(request: FastifyRequest, reply: FastifyReply): Omit<CallContext, 'deadline'> {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return { actor: request.actor, credential: credentialOf(request), signal: gone.signal };
}

/**
 * Rejects parts of a path that hold a slash, which no name does.
 * @throws NotFound `unknown_path` in the words of the public system, which takes the slash for one of the path
 */
export function rejectSlashes({ path }: FastifyRequest, ...parts: readonly string[]): void {
  if (parts.some((part) => part.includes('/'))) throw new NotFound('unknown_path', `Api does not exist (${path})`);
}
