import type { Envelope, JsonSchema } from '../http/answers/envelope.ts';
import { isObject } from '../input/input-reader.ts';
import { sortedJson } from '../json/sorted-json.ts';

/** The answers of the web listener's own routes: the data as it is, or an object `error`. */
export const WEB_ENVELOPE: Envelope = {
  success: (data) => sortedJson(data ?? {}),
  failure: ({ code, message, at, response }) => {
    const more = isObject(response) ? response : {};
    return sortedJson({ error: { ...more, at, code, message: message.toWellFormed() } });
  },
};

/** Returns the schema of a whole answer, for the documentation. */
export function webEnvelopeSchema(data: JsonSchema): JsonSchema {
  return data;
}

/** Schema of a failure, for the documentation. */
export const WEB_FAILURE: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'Stable code of the error; docs/errors.md lists them.' },
        message: { type: 'string', description: 'A sentence for people.' },
        at: { description: 'Name of the argument that the message is about.' },
        second_factors: {
          type: 'array',
          items: { enum: ['security_key', 'one_time_password', 'recovery_code'] },
          description: 'With `second_factor_required`: the kinds that the account has, the safest first.',
        },
        challenge: {
          type: 'object',
          description: 'With `second_factor_required`: for `navigator.credentials.get`, if there are security keys.',
        },
        user: { type: 'string', description: 'With `ticket`: the user who signed in at the provider.' },
        ticket: {
          type: 'string',
          description: 'With `second_factor_required` after a sign-in at a provider: for the next `POST /session`.',
        },
      },
    },
  },
};
