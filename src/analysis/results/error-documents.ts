import {
  ERROR_TYPE_CODES,
  type ErrorRecord,
  type ErrorType,
  errorDocument,
} from '../../documents/kinds/analysis/error.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import type { Task } from '../dispatching/task.ts';
import { errorKey } from './result-keys.ts';
import { expiryOf, timeText } from './result-times.ts';
import type { RejectedTag } from './section-tags.ts';
import { assertSubject, invalidResult, objectAt, type SentNotice } from './sent-result.ts';

export interface KeyedError {
  readonly key: string;
  readonly document: ErrorRecord;
}

/**
 * Reads the failure that a service reports (contract/analysis.md section 8.5).
 * @throws InvalidInput `invalid_result`, `foreign_result`, `invalid_document`
 */
export function readSentError(task: Task, sent: unknown, now: number): KeyedError {
  const members = objectAt(sent, 'error');
  const response = objectAt(members.response, 'error.response');
  assertSubject(members.sha256, response.service_name, { sha256: task.fileinfo.sha256, service: task.service_name });
  const { archive_ts: _archive, ...others } = members;
  const created = timeText(now);
  const input = { ...others, created, expiry_ts: expiryOf(task, now) };
  const { document } = readDocument(errorDocument, input, { unknown: 'drop' });
  const { sha256, type } = document;
  const { service_name: service, service_version: version, service_tool_version: toolVersion } = document.response;
  return { key: errorKey({ sha256, service, version, toolVersion, task, type }), document };
}

/** Notices of one result, at most. */
const MAX_NOTICES = 1000;

/** Reads the list `errors` or `warnings` beside a result. @throws InvalidInput `invalid_result` */
export function readNotices(sent: unknown, at: string): readonly SentNotice[] {
  if (sent === undefined || sent === null) return [];
  if (!Array.isArray(sent)) throw invalidResult(at, 'a list');
  if (sent.length > MAX_NOTICES) throw invalidResult(at, `at most ${MAX_NOTICES} entries`);
  return sent.map((one, index) => {
    const { message, error_type: type } = objectAt(one, `${at}.${index}`);
    if (typeof message !== 'string' || message === '') throw invalidResult(`${at}.${index}.message`, 'a string');
    if (type !== undefined && !(typeof type === 'string' && Object.hasOwn(ERROR_TYPE_CODES, type))) {
      throw invalidResult(`${at}.${index}.error_type`, `one of ${Object.keys(ERROR_TYPE_CODES).join(', ')}`);
    }
    return { message, error_type: type as string | undefined };
  });
}

interface Notices {
  readonly rejected: readonly RejectedTag[];
  readonly errors: readonly SentNotice[];
  readonly warnings: readonly SentNotice[];
}

/** Returns the errors that are stored beside a result; each has a key of its own. */
export function errorsBeside(task: Task, result: Result, notices: Notices): readonly KeyedError[] {
  const build = (message: string, type: ErrorType, severity: 'error' | 'warning'): KeyedError => {
    const { service_name: service, service_version: version, service_tool_version: toolVersion } = result.response;
    const input = {
      created: result.created,
      expiry_ts: result.expiry_ts,
      response: {
        message,
        service_name: service,
        service_version: version,
        service_tool_version: toolVersion,
        service_debug_info: result.response.service_debug_info,
        status: 'FAIL_RECOVERABLE',
      },
      sha256: result.sha256,
      type,
      severity,
    };
    const { document } = readDocument(errorDocument, input, { unknown: 'drop' });
    const key = errorKey({ sha256: result.sha256, service, version, toolVersion, task, type, unique: true });
    return { key, document };
  };
  const typeOf = (notice: SentNotice) => (notice.error_type ?? 'UNKNOWN') as ErrorType;
  return [
    ...(notices.rejected.length === 0 ? [] : [build(rejectionMessage(notices.rejected), 'EXCEPTION', 'warning')]),
    ...notices.errors.map((notice) => build(notice.message, typeOf(notice), 'error')),
    ...notices.warnings.map((notice) => build(notice.message, typeOf(notice), 'warning')),
  ];
}

/** Longest message about rejected tags, in characters. */
const MAX_MESSAGE = 20_000;

function rejectionMessage(rejected: readonly RejectedTag[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const { type, value } of rejected) {
    const text = `${type}=${value}`;
    length += text.length + 3;
    if (length > MAX_MESSAGE) break;
    shown.push(text);
  }
  const left = rejected.length - shown.length;
  if (left > 0) shown.push(`and ${left} more`);
  return `The following tags were rejected: ${shown.join(' | ')}`;
}
