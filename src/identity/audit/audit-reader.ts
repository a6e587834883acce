import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidInput, messageOf, Unavailable } from '../../errors/errors.ts';
import { lineAfter, linesBackward, PIECE, type ReadableFile } from './lines-backward.ts';

/** The events to find; times are milliseconds since 1970, both ends included. */
export interface AuditSelection {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Affected or acting user, or impersonator. */
  readonly user?: string | undefined;
  /** Kinds of events. Default: all. */
  readonly events?: readonly string[] | undefined;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
}

/** An event as it stands in the file. */
export type AuditRecord = Readonly<Record<string, unknown>> & { readonly event: string; readonly time: string };

export interface AuditPage {
  /** The newest first. */
  readonly events: readonly AuditRecord[];
  /** Continues before these events; undefined: there are no others. */
  readonly next: string | undefined;
  /** Time down to which the file was searched; undefined: nothing was read. */
  readonly searchedTo: string | undefined;
}

interface LogFile {
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly changedAt: number;
}

/** Bytes that one request reads at most: about half a second. The page tells how far it came. */
const BUDGET = 64 * 1024 * 1024;
/** Name of a file that was put aside: `20260304-0506-01-audit.log`. */
const ROTATED = /^\d{8}-\d{4}-\d{2,}-/;
const TIME = /^\{"log":"audit","time":"([^"]{20,40})"/;

/** Reads security events from the files of this process, the newest first, without reading files whole. */
export class AuditReader {
  readonly #path: string;

  /** @param path of the file that is written now; those put aside lie beside it */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Returns a page of the events.
   * @throws InvalidInput `audit_cursor_lost`; Unavailable `audit_log_unreadable`; `signal.reason`
   */
  async read(selection: AuditSelection, signal: AbortSignal): Promise<AuditPage> {
    const files = await this.#files();
    const begin = beginningOf(selection.cursor, files);
    const events: AuditRecord[] = [];
    let searchedTo: string | undefined;
    let budget = BUDGET;
    for (const file of files.slice(begin.index)) {
      const isFirst = file === files[begin.index];
      await using handle = await open(file.path, 'r').catch((error: unknown) => {
        throw unreadable(file.path, error);
      });
      const before = isFirst ? begin.offset : file.size;
      const end = selection.to === undefined ? before : await endOf(handle, before, selection.to, signal);
      for await (const batch of linesBackward(handle, end, signal)) {
        for (const { start, text } of batch.lines) {
          const time = TIME.exec(text)?.[1];
          if (time === undefined) continue;
          searchedTo = time;
          if (selection.from !== undefined && Date.parse(time) < selection.from) {
            return { events, next: undefined, searchedTo };
          }
          const record = recordOf(text, selection);
          if (record === undefined) continue;
          events.push(record);
          if (events.length === selection.limit) return { events, next: cursorOf(file, start), searchedTo };
        }
        budget -= PIECE;
        if (budget <= 0) return { events, next: cursorOf(file, batch.start), searchedTo };
        await nextTurn();
      }
    }
    return { events, next: undefined, searchedTo };
  }

  /** Returns the files, the newest first. @throws Unavailable `audit_log_unreadable` */
  async #files(): Promise<readonly LogFile[]> {
    const folder = dirname(this.#path);
    const name = basename(this.#path);
    const names = await readdir(folder).catch((error: unknown) => {
      throw unreadable(folder, error);
    });
    const own = names.filter((one) => one === name || (one.endsWith(name) && ROTATED.test(one)));
    const files = own
      .filter((one) => one === name || one.replace(ROTATED, '') === name)
      .map(async (one): Promise<LogFile | undefined> => {
        const path = join(folder, one);
        const found = await stat(path).catch(() => undefined);
        return found && { path, id: String(found.ino), size: found.size, changedAt: found.mtimeMs };
      });
    const found = (await Promise.all(files)).filter((file) => file !== undefined);
    const isCurrent = ({ path }: LogFile) => Number(path === join(folder, name));
    return found.sort((left, right) => isCurrent(right) - isCurrent(left) || right.changedAt - left.changedAt);
  }
}

/** Returns where the events before a cursor begin. @throws InvalidInput `audit_cursor_lost` */
function beginningOf(cursor: string | undefined, files: readonly LogFile[]): { index: number; offset: number } {
  if (cursor === undefined) return { index: 0, offset: files[0]?.size ?? 0 };
  const { id, offset } = /^(?<id>\d{1,20})-(?<offset>\d{1,15})$/.exec(cursor)?.groups ?? {};
  const index = files.findIndex((file) => file.id === id);
  const file = files[index];
  if (file === undefined || Number(offset) > file.size) {
    throw new InvalidInput(
      'audit_cursor_lost',
      'The place at which to continue is not in the audit log: the file was deleted, or the cursor is not one of this program. Start a new search.',
      { at: 'cursor' },
    );
  }
  return { index, offset: Number(offset) };
}

function cursorOf({ id }: LogFile, offset: number): string {
  return `${id}-${offset}`;
}

/** Returns the position of the first line later than `to`, found by halves: lines are in order. */
async function endOf(file: ReadableFile, size: number, to: number, signal: AbortSignal): Promise<number> {
  let low = 0;
  let high = size;
  while (high - low > PIECE) {
    signal.throwIfAborted();
    const middle = Math.floor((low + high) / 2);
    const found = await lineAfter(file, middle, high);
    const time = found && Date.parse(TIME.exec(found.text)?.[1] ?? '');
    // A line without a time is not of this program: what is before it is read line by line.
    if (found === undefined || time === undefined || Number.isNaN(time)) break;
    if (time > to) high = found.start;
    else low = found.start;
  }
  return high;
}

/** Returns the event of a line, if it is one that was selected. */
function recordOf(text: string, { to, user, events }: AuditSelection): AuditRecord | undefined {
  // Most lines need not be parsed.
  if (user !== undefined && !text.includes(JSON.stringify(user))) return undefined;
  if (events !== undefined && !events.some((event) => text.includes(`"event":${JSON.stringify(event)}`)))
    return undefined;
  let record: AuditRecord;
  try {
    const { log: _mark, ...members } = JSON.parse(text) as AuditRecord;
    record = members;
  } catch {
    return undefined;
  }
  const { event, time } = record;
  if (typeof event !== 'string' || typeof time !== 'string') return undefined;
  if (to !== undefined && !(Date.parse(time) <= to)) return undefined;
  if (events !== undefined && !events.includes(event)) return undefined;
  if (user !== undefined && ![record.user, record.by, record.impersonator].includes(user)) return undefined;
  return record;
}

function unreadable(path: string, cause: unknown): Unavailable {
  return new Unavailable(
    'audit_log_unreadable',
    `The audit log ${path} cannot be read (${messageOf(cause)}). Give the program the right to read it.`,
    { cause },
  );
}
