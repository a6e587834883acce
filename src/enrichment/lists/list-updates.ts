import { statSync } from 'node:fs';
import type { Log } from '../../http/request-log.ts';
import type { ConfiguredList } from './configured-lists.ts';
import type { OpenList, OpenLists } from './open-lists.ts';
import { signatureOf } from './updating/list-folder.ts';
import { updateList } from './updating/update-list.ts';

/** Milliseconds between two looks at files, and for which a changed file has to be left alone. */
const LOOK = 1500;
/** Milliseconds between attempts after a failure, unless the interval of the list is shorter. */
const RETRY = 15 * 60_000;

interface ListUpdatesDependencies {
  readonly open: OpenLists;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds. Default `LOOK`. */
  readonly look?: number;
}

/**
 * Updates lists by their intervals, and those whose local file changed, in one of the processes that
 * share the data folder. Not a scheduled job: these run once for all machines, and lists lie on each.
 */
export class ListUpdates {
  readonly #dependencies: ListUpdatesDependencies;
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(dependencies: ListUpdatesDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#working = this.#lookAtAll().finally(() => {
        if (!this.#stopped.signal.aborted) this.start();
      });
    }, this.#dependencies.look ?? LOOK).unref();
  }

  /** Ends an update that is under way. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#working;
  }

  async #lookAtAll(): Promise<void> {
    const { open, log } = this.#dependencies;
    for (const list of open.lists) {
      if (this.#stopped.signal.aborted) return;
      try {
        const isDue = this.#isDue(open.refresh(list));
        if (isDue) await this.#update(list);
      } catch (err) {
        if (!this.#stopped.signal.aborted) log.warn({ err, list: list.settings.name }, 'a list could not be updated');
      }
    }
  }

  #isDue({ list, compiled, state, freshAt }: OpenList): boolean {
    const { path } = list.settings;
    const signature = path === null ? undefined : signatureOf(path);
    const { interval } = list;
    const now = Date.now();
    const isOld = interval !== undefined && now - (freshAt ?? 0) >= interval;
    const isOther = compiled?.summary.settings !== list.fingerprint;
    const isChanged = path !== null && !isBeingWritten(path) && (isOther || compiled?.summary.source !== signature);
    const { problem } = state;
    if (problem === undefined || (isChanged && problem.source !== signature)) {
      return isChanged || isOld || (isOther && interval !== undefined);
    }
    const mayRetry = now - problem.at >= Math.min(interval ?? RETRY, RETRY);
    return mayRetry && (isChanged || isOld || (isOther && interval !== undefined));
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

function isBeingWritten(path: string): boolean {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && Math.abs(Date.now() - modified) < LOOK;
}
