import type { Envelope } from '../http/envelope.ts';
import type { JsonSchema } from '../http/openapi.ts';
import { sortedJson } from '../http/sorted-json.ts';

/** The envelope of the alert service (contract section 1.1): five keys, in alphabetical order. */
export function alertEnvelope(version: string): Envelope {
  const versionText = JSON.stringify(version);
  const write = (message: string, response: unknown, status: number, warnings: readonly string[]): string =>
    `{"api_error_message":${message === '' ? '""' : JSON.stringify(message.toWellFormed())},"api_response":${sortedJson(response)},` +
    `"api_server_version":${versionText},"api_status_code":${status},"api_warning":${warnings.length === 0 ? '[]' : sortedJson(warnings)}}`;
  return {
    success: (data, status, warnings) => write('', data === undefined ? { success: true } : data, status, warnings),
    failure: ({ message, response, status, warnings }) =>
      write(message, response === undefined ? { success: false } : response, status, warnings),
  };
}

/** Schema of a whole answer of the alert service, for its documentation. */
export function alertEnvelopeSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['api_error_message', 'api_response', 'api_server_version', 'api_status_code', 'api_warning'],
    properties: {
      api_error_message: { type: 'string', description: 'What is wrong; empty on success.' },
      api_response: data,
      api_server_version: { type: 'string' },
      api_status_code: { type: 'integer', description: 'Same as the HTTP status.' },
      api_warning: { type: 'array', items: { type: 'string' } },
    },
  };
}
