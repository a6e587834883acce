import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { DescribedQueue } from '../coordination/measured-queues.ts';
import { QueueWorker, type Workers } from '../coordination/queue-worker.ts';
import { TRIGGERS } from '../documents/kinds/action.ts';
import type { Log } from '../http/request-log.ts';
import { type Actor, PASSWORD_PRIVILEGES } from '../identity/actor.ts';
import type { AlertIdentity } from '../identity/alert-identity.ts';
import type { UserStore } from '../identity/user-store.ts';
import type { ActionResource } from './actions/action-resource.ts';
import type { CaseResource } from './cases/case-resource.ts';
import { CORRELATION_QUEUE, CorrelationQueue } from './workers/correlation-queue.ts';
import { RunReports } from './workers/run-reports.ts';
import { queueOf, readTriggerItem, TriggerQueue } from './workers/trigger-queue.ts';

interface WorkDependencies {
  settings: Pick<Settings['system'], 'action_queue' | 'correlation'>;
  coordination: Coordination;
  classification: ClassificationEngine;
  users: Pick<UserStore, 'recent'>;
  identity: Pick<AlertIdentity, 'table'>;
  log: Log;
}

/** The queues of the alert service, for operators. */
export const ALERT_QUEUES: readonly DescribedQueue[] = [
  ...TRIGGERS.map((trigger) => ({ queue: queueOf(trigger), description: `Alerts with the trigger ${trigger}.` })),
  { queue: CORRELATION_QUEUE, description: 'Records that case rules are matched with.' },
];

/** Opens the queues of work that requests leave behind, and makes the workers that empty them. */
export function openWork({ settings, coordination, classification, users, identity, log }: WorkDependencies) {
  const { action_queue: forActions, correlation: forCases } = settings;
  const { queues } = coordination;
  const reports = new RunReports({ coordination, classification, log });
  return {
    reports,
    triggers: new TriggerQueue({ queues, reports, log, enabled: forActions.enabled }),
    correlation: new CorrelationQueue({ queues, log, enabled: forCases.enabled }),
    /** Returns the present rights of a user; undefined when the account is gone or disabled. */
    async actorFor(username: string): Promise<Actor | undefined> {
      const user = await users.recent(username);
      if (user === undefined || !user.is_active) return undefined;
      return identity.table.actors.actorOf({ user, method: 'session', privileges: PASSWORD_PRIVILEGES });
    },
    /** Returns the number of items that wait, by their queue. @throws Unavailable */
    async backlog(): Promise<ReadonlyMap<string, number>> {
      const names = [...TRIGGERS.map(queueOf), CORRELATION_QUEUE];
      return new Map(await Promise.all(names.map(async (name) => [name, await queues.length(name)] as const)));
    },
    workers({ actions, cases }: { actions: ActionResource; cases: CaseResource }): Workers {
      const worker = (
        queue: string,
        { batch_size, batch_timeout }: { readonly batch_size: number; readonly batch_timeout: number },
        work: (items: readonly unknown[]) => Promise<void>,
        removed?: (items: readonly unknown[]) => Promise<void>,
      ) => {
        const limits = { batchSize: batch_size, batchTimeout: batch_timeout * 1000 };
        return new QueueWorker({ queue, coordination, log, work, ...limits, ...(removed && { removed }) });
      };
      const forget = (items: readonly unknown[]) =>
        reports.forget(items.flatMap((item) => readTriggerItem(item)?.id ?? []));
      const triggered = TRIGGERS.map((trigger) =>
        worker(queueOf(trigger), forActions, (items) => actions.triggered.runQueued(trigger, items), forget),
      );
      const correlating = worker(CORRELATION_QUEUE, forCases, (items) => cases.correlator.run(items));
      const all = [...(forActions.enabled ? triggered : []), ...(forCases.enabled ? [correlating] : [])];
      return {
        start() {
          if (forCases.enabled) {
            cases.book.start().catch((err: unknown) => log.warn({ err }, 'changes of rules are noticed later'));
          }
          for (const one of all) one.start();
        },
        async stop() {
          await Promise.all(all.map((one) => one.stop()));
          await cases.book.stop().catch(() => undefined);
        },
      };
    },
  };
}
