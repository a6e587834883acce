import { setTimeout as sleep } from 'node:timers/promises';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Workers } from '../../coordination/queue-worker.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../datastore/port/read-access.ts';
import { compileQuery } from '../../datastore/query-language/compile-query.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import type { Workflow } from '../../documents/kinds/analysis/workflow.ts';
import { isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import { readAccessFor } from '../../identity/accounts/read-access.ts';
import { lackingEffect, TRIAGE_WORKFLOW, type WorkflowEffect, workflowOperations } from './workflow-action.ts';
import type { WorkflowService } from './workflow-service.ts';

export interface WorkflowRunnerDependencies {
  readonly workflows: Collection<Workflow>;
  readonly alerts: Collection<AnalysisAlert>;
  readonly service: Pick<WorkflowService, 'countHits'>;
  readonly classification: ClassificationEngine;
  readonly locks: Coordination['locks'];
  readonly log: Log;
  readonly now?: () => Date;
}

/** Milliseconds between two looks for new alerts. */
const INTERVAL = 10_000;
/** Milliseconds that an alert rests, so that messages that belong together are merged. */
const REST = 30_000;
/** Milliseconds after which an alert whose deeper scan never ended is no longer waited for. */
const MAX_SCAN = 86_400_000;
const LEASE = 120_000;
const ACCESS = unrestricted('workflows look at all alerts; each changes those of its own classification');
/** States that workflows set, in the order in which they run; the others follow. */
const ORDER: readonly (string | undefined)[] = ['MALICIOUS', 'NON-MALICIOUS', 'ASSESS'];

/** Runs workflows over new alerts, in one process at a time. */
export class WorkflowRunner implements Workers {
  readonly #dependencies: WorkflowRunnerDependencies;
  readonly #now: () => Date;
  readonly #stopping = new AbortController();
  readonly #failures: RateLimitedLogger;
  #running: Promise<void> | undefined;

  constructor(dependencies: WorkflowRunnerDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? (() => new Date());
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  start(): void {
    this.#running ??= this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Runs all workflows over the alerts that none has seen yet. */
  async runOnce(): Promise<void> {
    const window = this.#window();
    const { alerts, workflows, service, classification } = this.#dependencies;
    if ((await alerts.count({ query: window }, ACCESS)) === 0) return;
    await this.#apply(TRIAGE_WORKFLOW, TRIAGE_WORKFLOW.query, window, ACCESS);
    for (const workflow of await this.#enabled(workflows)) {
      if (this.#stopping.signal.aborted) return;
      const access = readAccessFor(classification, workflow.classification, undefined);
      const changed = await this.#apply(workflow, workflow.query, window, access);
      await service.countHits(workflow, changed);
    }
    const done = [{ op: 'set', path: 'workflows_completed', value: true }] as const;
    await alerts.updateWhere({ query: window }, done, { access: ACCESS, visible: 'now' });
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const lock = await this.#dependencies.locks.acquire('analysis:workflows', LEASE);
        try {
          if (lock !== undefined) await this.runOnce();
        } finally {
          await lock?.release();
        }
      } catch (err) {
        if (!signal.aborted) this.#failures.warn({ err }, 'workflows were interrupted; they run again');
      }
      await sleep(INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Alerts that rested, and whose deeper scan is not still running. A merge makes an alert new again. */
  #window(): QueryNode {
    const now = this.#now().getTime();
    const until = (time: number): QueryNode => ({
      kind: 'range',
      field: 'reporting_ts',
      upper: { value: time, inclusive: true },
    });
    const scanning: QueryNode = { kind: 'term', field: 'extended_scan', value: 'submitted' };
    return allOf(
      not({ kind: 'term', field: 'workflows_completed', value: true }),
      until(now - REST),
      not(allOf(scanning, not(until(now - MAX_SCAN)))),
    );
  }

  async #enabled(workflows: Collection<Workflow>): Promise<readonly Workflow[]> {
    const query: QueryNode = { kind: 'term', field: 'enabled', value: true };
    const found: Workflow[] = [];
    for await (const { document } of workflows.stream({ query }, ACCESS)) found.push(document);
    const rank = ({ status }: Workflow) => {
      const place = ORDER.indexOf(status);
      return place === -1 ? ORDER.length : place;
    };
    return found.sort((left, right) => rank(left) - rank(right));
  }

  /** Returns the number of alerts that a workflow changed; a workflow that fails is skipped alone. */
  async #apply(effect: WorkflowEffect, query: string, window: QueryNode, access: ReadAccess): Promise<number> {
    const now = this.#now();
    const operations = workflowOperations(effect, now);
    if (operations.length === 0) return 0;
    try {
      const selection = {
        query: compileQuery(query, alertDocument, { now }),
        filters: [window, lackingEffect(effect)],
      };
      const options = { access, visible: 'now', signal: this.#stopping.signal } as const;
      return (await this.#dependencies.alerts.updateWhere(selection, operations, options)).changed;
    } catch (err) {
      if (!isTriadError(err) || isUnavailable(err)) throw err;
      this.#dependencies.log.warn(
        { err, workflow: effect.workflow_id, query },
        'a workflow is skipped: its query failed',
      );
      return 0;
    }
  }
}
