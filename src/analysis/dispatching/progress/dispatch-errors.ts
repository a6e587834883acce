import { ERROR_TYPE_CODES, type ErrorRecord, type ErrorType } from '../../../documents/kinds/analysis/error.ts';
import type { Submission } from '../../../documents/kinds/analysis/submission.ts';

export interface DispatchFailure {
  readonly sha256: string;
  readonly service: string;
  readonly version: string;
  readonly toolVersion?: string | undefined;
  readonly type: ErrorType;
  readonly message: string;
}

/** Returns an error document that the dispatcher itself stores, with its key. */
export function dispatchError(
  submission: Submission,
  { sha256, service, version, toolVersion, type, message }: DispatchFailure,
  now: string,
): { readonly key: string; readonly document: ErrorRecord } {
  const parts = [sha256, service, `v${version}`, 'c0', `e${ERROR_TYPE_CODES[type]}`];
  return {
    key: parts.map((part) => part.replaceAll('.', '_')).join('.'),
    document: {
      created: now,
      ...(submission.expiry_ts == null ? {} : { expiry_ts: submission.expiry_ts }),
      response: {
        message,
        service_name: service,
        ...(toolVersion === undefined ? {} : { service_tool_version: toolVersion }),
        service_version: version,
        status: 'FAIL_NONRECOVERABLE',
      },
      sha256,
      type,
      severity: 'error',
    },
  };
}
