import { join } from 'node:path';
import { pino } from 'pino';
import type { Settings } from '../../config/config-schema.ts';
import { type AuditDestination, type AuditLogDependencies, openAuditFile } from './audit-file.ts';
import { type AuditEvent, type AuditLog, auditLine } from './audit-log.ts';
import { RefusalSummaries } from './refusal-summaries.ts';

interface OpenAuditLog extends AuditLog {
  /** Resolves when all events are written. Later events are lost. */
  close(): Promise<void>;
}

/**
 * Opens the audit log of the settings `audit.*`, once for a process, before its users.
 * `RefusalSummaries` sums up a flood of refusals. The lines of one turn of the event loop are written together, so that
 * an event costs a request almost nothing; lines that wait at the end of the process are written then.
 * @throws Unavailable `audit_log_unusable` when the file cannot be opened
 */
export async function openAuditLog(
  settings: Pick<Settings, 'audit' | 'data_folder'>,
  dependencies: AuditLogDependencies,
): Promise<OpenAuditLog> {
  const { to } = settings.audit;
  const { log, now = Date.now } = dependencies;
  const destination =
    to === 'file' ? await openAuditFile(auditFileOf(settings), settings.audit, { log, now }) : standardStream(to);
  let waiting = '';
  const take = () => {
    const lines = waiting;
    waiting = '';
    return lines;
  };
  const hand = () => {
    if (waiting !== '') destination.write(take());
  };
  const add = (event: AuditEvent) => {
    if (waiting === '') setImmediate(hand);
    waiting += auditLine(event, now());
  };
  const summaries = new RefusalSummaries(add);
  const atExit = () => {
    summaries.end();
    destination.writeAtExit(take());
  };
  process.once('exit', atExit);
  return {
    write: (event) => {
      if (summaries.admit(event)) add(event);
    },
    close: async () => {
      process.removeListener('exit', atExit);
      summaries.end();
      hand();
      await destination.close();
    },
  };
}

/** Returns the path of the file for security events. */
export function auditFileOf({ audit, data_folder }: Pick<Settings, 'audit' | 'data_folder'>): string {
  return audit.file ?? join(data_folder, 'audit', 'audit.log');
}

function standardStream(name: 'stdout' | 'stderr'): AuditDestination {
  const stream = pino.destination({ dest: name === 'stdout' ? 1 : 2, sync: true });
  const write = (lines: string): void => void stream.write(lines);
  return { write, writeAtExit: write, close: async () => stream.flushSync() };
}
