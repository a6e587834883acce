import { Type } from 'typebox';
import type { Envelope } from '../http/answers/envelope.ts';

/** Answers are plain JSON; refusals are `{ error: { code, message, at?, error_id? } }`. */
export const OPERATIONS_ENVELOPE: Envelope = {
  success: (data) => JSON.stringify(data ?? null),
  failure: ({ code, message, at, errorId }) => JSON.stringify({ error: { code, message, at, error_id: errorId } }),
};

/** Schema of a refusal, for the documentation. */
export const OperationsFailure = Type.Object({
  error: Type.Object({
    code: Type.String({ description: 'Stable code (docs/errors.md).' }),
    message: Type.String({ description: 'What is wrong, where, and what to do.' }),
    at: Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: 'Position of the mistake.' })),
    error_id: Type.Optional(Type.String({ description: 'Identifier of a fault, which the log has, too.' })),
  }),
});
