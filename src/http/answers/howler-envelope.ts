import { sortedJson } from '../../json/sorted-json.ts';
import type { Envelope, JsonSchema } from './envelope.ts';

/**
 * Returns the envelope of the alert and the enrichment service, with sorted keys (contract/alert.md
 * section 1.1, contract/enrichment.md section 1.1).
 * @param nullData answers without data have a null `api_response`, or none
 */
export function howlerEnvelope(version: string, { nullData }: { readonly nullData: 'kept' | 'left_out' }): Envelope {
  const versionText = JSON.stringify(version);
  const dataText = (response: unknown): string =>
    response === null && nullData === 'left_out' ? '' : `"api_response":${sortedJson(response)},`;
  const write = (message: string, response: unknown, status: number, warnings: readonly string[]): string =>
    `{"api_error_message":${message === '' ? '""' : JSON.stringify(message.toWellFormed())},${dataText(response)}` +
    `"api_server_version":${versionText},"api_status_code":${status},"api_warning":${warnings.length === 0 ? '[]' : sortedJson(warnings)}}`;
  return {
    success: (data, status, warnings) => write('', data === undefined ? { success: true } : data, status, warnings),
    failure: ({ message, response, status, warnings }) =>
      write(message, response === undefined ? { success: false } : response, status, warnings),
  };
}

/** Returns the schema of a whole answer in that envelope, for the documentation. */
export function howlerEnvelopeSchema(data: JsonSchema): JsonSchema {
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
