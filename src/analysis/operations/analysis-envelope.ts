import type { Envelope, JsonSchema } from '../../http/answers/envelope.ts';
import type { ErrorStatuses } from '../../http/answers/error-status.ts';
import { sortedJson } from '../../json/sorted-json.ts';

/** Returns the envelope of the analysis service, with sorted keys (contract/analysis.md section 1.1). */
export function analysisEnvelope(version: string): Envelope {
  const versionText = JSON.stringify(version);
  const write = (message: string, response: unknown, status: number): string =>
    `{"api_error_message":${message === '' ? '""' : JSON.stringify(message.toWellFormed())},"api_response":${sortedJson(response)},` +
    `"api_server_version":${versionText},"api_status_code":${status}}`;
  return {
    success: (data, status) => write('', data === undefined ? { success: true } : data, status),
    failure: ({ message, response, status }) => write(message, response === undefined ? '' : response, status),
  };
}

/** Returns a success with null as its message, as clients of `hash_search` get it. */
export function answerWithoutMessage(version: string, response: unknown): string {
  return (
    `{"api_error_message":null,"api_response":${sortedJson(response)},` +
    `"api_server_version":${JSON.stringify(version)},"api_status_code":200}`
  );
}

/** Returns the schema of a whole answer of the analysis service, for its documentation. */
export function analysisEnvelopeSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['api_error_message', 'api_response', 'api_server_version', 'api_status_code'],
    properties: {
      api_error_message: { type: 'string', description: 'What is wrong; empty on success.' },
      api_response: data,
      api_server_version: { type: 'string' },
      api_status_code: { type: 'integer', description: 'Same as the HTTP status.' },
    },
  };
}

/** Statuses by error code (contract/analysis.md 1.2, 1.6, 2.4); clients retry 503 except daily quotas. */
export const ANALYSIS_STATUSES: ErrorStatuses = {
  quota_exceeded: 503,
  daily_quota_exceeded: 503,
  invalid_username: 412,
  upload_arguments_missing: 412,
  weak_password: 469,
  submission_incomplete: 425,
  hash_type_unsupported: 422,
};
