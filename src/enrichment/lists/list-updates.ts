import { stat } from 'node:fs/promises';
import type { Log } from '../../http/request-log.ts';
import type { ConfiguredList } from './configured-lists.ts';
import type { OpenList, OpenLists } from './open-lists.ts';
import { signatureOfStats } from './updating/list-folder.ts';
import { updateList } from './updating/update-list.ts';

/** Milliseconds between two polls of files. A changed file is read once it is unchanged for that time. */
const POLL_INTERVAL = 1500;
/** Milliseconds between attempts after a failure, unless the interval of the list is shorter. */
const RETRY = 15 * 60_000;

interface ListUpdatesDependencies {
  readonly open: OpenLists;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds. Default: `POLL_INTERVAL`. */
  readonly pollInterval?: number;
}

/**
 * Updates lists by their intervals, and those whose local file changed, in one of the processes that
 * share the data folder. Not a scheduled job: these run once for all machines, and lists lie on each.
 */
export class ListUpdates {
  readonly #dependencies: ListUpdatesDependencies;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly #checking = new Set<ConfiguredList>();
  /** Times of errors that were logged, in milliseconds since 1970. */
  readonly #reported = new Map<ConfiguredList, number>();
  readonly #updating = new Map<'local' | 'remote', Promise<void>>();

  constructor(dependencies: ListUpdatesDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setInterval(() => this.#poll(), this.#dependencies.pollInterval ?? POLL_INTERVAL).unref();
  }

  /** Ends updates that are under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#timer);
    await Promise.all(this.#updating.values());
  }

  #poll(): void {
    for (const list of this.#dependencies.open.lists) {
      const report = (err: unknown) => this.#report(list, err);
      try {
        const opened = this.#dependencies.open.refresh(list);
        if (this.#checking.has(list)) continue;
        this.#checking.add(list);
        this.#isDue(opened)
          .then((isDue) => isDue && this.#begin(list), report)
          .finally(() => this.#checking.delete(list));
      } catch (err) {
        report(err);
      }
    }
  }

  /** Updates of each kind run one at a time: a file that changed does not wait for a download. */
  #begin(list: ConfiguredList): void {
    const kind = list.settings.path === null ? 'remote' : 'local';
    if (this.#updating.has(kind) || this.#stopped.signal.aborted) return;
    const updating = this.#update(list)
      .catch((err: unknown) => this.#report(list, err))
      .finally(() => this.#updating.delete(kind));
    this.#updating.set(kind, updating);
  }

  /** Errors that the folder of a list cannot keep, because it cannot be written. */
  #report(list: ConfiguredList, err: unknown): void {
    const last = this.#reported.get(list);
    if (this.#stopped.signal.aborted || (last !== undefined && Date.now() - last < RETRY)) return;
    this.#reported.set(list, Date.now());
    const { name } = list.settings;
    this.#dependencies.log.warn({ err, list: name }, `the list ${name} could not be updated, the old one stays`);
  }

  async #isDue({ list, compiled, state, freshAt }: OpenList): Promise<boolean> {
    const { settings, interval } = list;
    // The file may be on a network share that does not answer: no other list waits for it.
    const file = settings.path === null ? undefined : await stat(settings.path).catch(() => undefined);
    const signature = file && signatureOfStats(file);
    const now = Date.now();
    const isOld = interval !== undefined && now - (freshAt ?? 0) >= interval;
    const isOther = compiled?.summary.settings !== list.fingerprint;
    const isBeingWritten = file !== undefined && Math.abs(now - file.mtimeMs) < POLL_INTERVAL;
    const isChanged = settings.path !== null && !isBeingWritten && (isOther || compiled?.summary.source !== signature);
    if (!isChanged && !isOld && !(isOther && interval !== undefined)) return false;
    if (now - (this.#reported.get(list) ?? 0) < RETRY) return false;
    const { problem } = state;
    if (problem === undefined || (isChanged && problem.source !== signature)) return true;
    return now - problem.at >= Math.min(interval ?? RETRY, RETRY);
  }

  async #update(list: ConfiguredList): Promise<void> {
    const { open, log } = this.#dependencies;
    const { name } = list.settings;
    const started = performance.now();
    const outcome = await updateList(list, { signal: this.#stopped.signal });
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    if (outcome.kind === 'failed') {
      const entry = { list: name, place: outcome.place, reason: outcome.reason };
      log.warn(entry, `the list ${name} could not be updated, the old one stays: ${outcome.place}: ${outcome.reason}`);
    } else if (outcome.kind === 'updated') {
      const { entries, leftOut } = outcome;
      log.info({ list: name, entries, leftOut, seconds }, `the list ${name} was updated`);
    }
    open.refresh(list);
  }
}
