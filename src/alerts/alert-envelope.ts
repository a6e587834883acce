import type { Envelope } from '../http/envelope.ts';
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
