import type { AuditLog } from '../../identity/audit/audit-log.ts';
import type { ReportedCall } from '../sources/call-context.ts';

/** Values that a line names; of the others it has the number. */
const MAX_VALUES = 100;

/** Returns what audits each call with which a source learns values, or runs an action or fetcher. */
export function auditCalls(audit: AuditLog): (call: ReportedCall) => void {
  return ({ kind, source, actor, id, selectors }) => {
    // Listings disclose no value to the source.
    if (kind === 'types' || kind === 'actions' || kind === 'fetchers') return;
    audit.write({
      event: 'source_called',
      service: 'enrichment',
      user: actor.username,
      impersonator: actor.impersonator,
      method: actor.method,
      source,
      operation: id === undefined ? kind : `${kind} ${id}`,
      values: selectors.slice(0, MAX_VALUES).map(({ type, value }) => `${type} ${value}`),
      count: selectors.length,
    });
  };
}
