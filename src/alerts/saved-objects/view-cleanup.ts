import type { Collection } from '../../datastore/port/collection.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { View } from '../../documents/kinds/view.ts';
import { messageOf } from '../../errors/errors.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { failedStep, type Job, type JobRun, type JobStep } from '../../jobs/job.ts';
import { ALL_MAY_READ } from './saved-objects.ts';

interface ViewCleanupDependencies {
  readonly views: Collection<View>;
  readonly users: Pick<UserStore, 'list' | 'getVersioned' | 'update'>;
}

/** Removes entries of dashboards that show a view which was deleted. */
export class ViewCleanup implements Job {
  readonly name = 'view_cleanup';
  readonly #dependencies: ViewCleanupDependencies;

  constructor(dependencies: ViewCleanupDependencies) {
    this.#dependencies = dependencies;
  }

  async run({ signal, dryRun, progress }: JobRun): Promise<readonly JobStep[]> {
    const users = await this.#dependencies.users.list();
    const failures: JobStep[] = [];
    let changed = 0;
    for (const [at, { uname }] of users.entries()) {
      signal.throwIfAborted();
      try {
        if (await retryOnConflict(() => this.#cleanUp(uname, dryRun))) changed += 1;
      } catch (error) {
        failures.push(failedStep(uname, messageOf(error)));
      }
      progress(at + 1, users.length);
    }
    return [{ name: 'dashboards', outcome: 'done', changed }, ...failures.slice(0, MAX_FAILURES)];
  }

  /** Returns whether the dashboard of the user has such entries; removes them unless it is a dry run. */
  async #cleanUp(uname: string, dryRun: boolean): Promise<boolean> {
    const { views, users } = this.#dependencies;
    const stored = await users.getVersioned(uname);
    const dashboard = stored?.document.dashboard ?? [];
    const shown = dashboard.filter(({ type }) => type === 'view').map(({ entry_id }) => entry_id);
    if (shown.length === 0) return false;
    const found = await views.getMany(shown, ALL_MAY_READ);
    const gone = new Set(shown.filter((_, index) => found[index] === undefined));
    if (gone.size === 0 || dryRun) return gone.size > 0;
    const value = dashboard.filter(({ type, entry_id }) => type !== 'view' || !gone.has(entry_id));
    await users.update(uname, [{ op: 'set', path: 'dashboard', value }], { ifVersion: stored?.version });
    return true;
  }
}

/** Users that a report names. */
const MAX_FAILURES = 20;
