import { formatDate } from '../../documents/schema/values/date-values.ts';
import type { ResultContent } from './result-content.ts';

const DAY = 86_400_000;

export interface EmptyResultOptions {
  readonly now: Date;
  /** Days until an empty result expires. */
  readonly days: number;
  readonly unrestricted: string;
}

/** Returns whether a key stands for a result without content. */
export function isEmptyResultKey(key: string): boolean {
  return key.endsWith('.e');
}

/** SHA-256 of the file that a result or error key begins with; undefined for other strings. */
export function fileOfKey(key: string): string | undefined {
  return /^[0-9a-f]{64}(?=\.)/.exec(key)?.[0];
}

/** Name of the service in a result or error key, with `_` for dots; undefined for other strings. */
export function serviceOfKey(key: string): string | undefined {
  return key.split('.', 2)[1] || undefined;
}

/**
 * Returns the result that a key of an empty result stands for; undefined for another key.
 * Nothing but its expiry is stored, so its dates are the present ones.
 */
export function emptyResult(key: string, { now, days, unrestricted }: EmptyResultOptions): ResultContent | undefined {
  const sha256 = fileOfKey(key);
  const [, service, version, configuration] = key.split('.');
  if (!isEmptyResultKey(key) || sha256 === undefined || !service || !version?.startsWith('v') || !configuration) {
    return undefined;
  }
  const created = formatDate(now);
  return {
    classification: unrestricted,
    created,
    drop_file: false,
    expiry_ts: formatDate(new Date(now.getTime() + days * DAY)),
    partial: false,
    response: {
      extracted: [],
      milestones: { service_completed: created, service_started: created },
      service_name: service,
      service_version: version.slice(1),
      supplementary: [],
    },
    result: { score: 0, sections: [] },
    sha256,
  };
}
