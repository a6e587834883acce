import { isObject } from '../../input/input-reader.ts';
import type { Envelope, JsonSchema } from './envelope.ts';

/** Plain JSON: the data as it is, or an object `error` with what the refusal says beside its message. */
export const PLAIN_ENVELOPE: Envelope = {
  success: (data) => JSON.stringify(data ?? {}),
  failure: ({ code, message, at, errorId, response }) => {
    const more = isObject(response) ? response : {};
    return JSON.stringify({ error: { ...more, code, message: message.toWellFormed(), at, error_id: errorId } });
  },
};

/** Returns the schema of a failure, for the documentation. @param more members beside the message */
export function plainFailure(more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Stable code of the error; docs/errors.md lists them.' },
          message: { type: 'string', description: 'What is wrong, where, and what to do.' },
          at: {
            anyOf: [{ type: 'string' }, { type: 'integer' }],
            description: 'Name of the argument, or position of the mistake in it.',
          },
          error_id: { type: 'string', description: 'Identifier of a fault, which the log has, too.' },
          ...more,
        },
      },
    },
  };
}
