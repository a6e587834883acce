import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';

export interface RunOutcome {
  /** Operation of an action; absent for what is about the run as a whole. */
  readonly operation_id?: string;
  readonly outcome: 'success' | 'skipped' | 'error';
  readonly title: string;
  readonly message: string;
}

/** The report of a run that no caller waited for. */
export interface RunReport {
  /** End of the run, as documents have times. */
  readonly ended: string;
  /** Event that caused the run: a trigger, `arrival` or `backfill`. */
  readonly cause: string;
  /** User in whose name it ran. */
  readonly user: string;
  /** Number of records. */
  readonly records: number;
  readonly outcomes: readonly RunOutcome[];
}

/** The input of a report. */
export type FinishedRun = Omit<RunReport, 'ended' | 'records'> & {
  /** The records of the run. Users who may not see all of them do not see the report. */
  readonly about: readonly { readonly classification: string }[];
};

interface RunReportsDependencies {
  coordination: Pick<Coordination, 'tokens' | 'counters'>;
  classification: ClassificationEngine;
  log: { warn(entry: object, message: string): void };
}

type StoredReport = RunReport & { readonly classifications: readonly string[] };

/** Reports that are kept of one action or rule; the oldest is replaced. */
export const MAX_REPORTS = 20;
const LIFETIME = 30 * 86_400_000;
/** Milliseconds for which an item is known to be finished, unless it is removed from its queue before. */
const FINISHED_LIFETIME = 7 * 86_400_000;
const MAX_OUTCOMES = 20;
const MAX_MESSAGE = 500;

/** Keeps the last reports of actions and rules, and the items of queues that have a report. */
export class RunReports {
  readonly #dependencies: RunReportsDependencies;
  readonly #failures: RateLimitedLogger;

  constructor(dependencies: RunReportsDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  /** Stores a report. A failure is logged: the run has happened. */
  async add(subject: string, { about, outcomes, ...run }: FinishedRun): Promise<void> {
    const { tokens, counters } = this.#dependencies.coordination;
    const report: StoredReport = {
      ...run,
      ended: formatDate(new Date()),
      records: about.length,
      outcomes: outcomes.slice(0, MAX_OUTCOMES).map((one) => ({ ...one, message: one.message.slice(0, MAX_MESSAGE) })),
      classifications: [...new Set(about.map(({ classification }) => classification))],
    };
    try {
      const count = await counters.increment(`alerts.runs.${subject}`, LIFETIME, { renew: true });
      await tokens.put(reportKey(subject, count % MAX_REPORTS), report, LIFETIME);
    } catch (err) {
      this.#failures.warn({ err, subject }, 'the report of a run could not be stored');
    }
  }

  /** Returns reports that the actor may see, the newest first; throws `coordination_unavailable`. */
  async list(actor: Actor, subject: string): Promise<readonly RunReport[]> {
    const { classification, coordination } = this.#dependencies;
    const slots = Array.from({ length: MAX_REPORTS }, (_, slot) => coordination.tokens.get(reportKey(subject, slot)));
    const reports = (await Promise.all(slots)).filter((report): report is StoredReport => report !== undefined);
    return reports
      .filter(({ classifications }) => classifications.every((one) => mayClassify(actor, classification, one)))
      .map(({ classifications: _, ...report }) => report)
      .toSorted((a, b) => (a.ended < b.ended ? 1 : -1));
  }

  /** Returns the actions that have a report for an item of a queue. */
  async finished(item: string): Promise<ReadonlySet<string>> {
    const actions = await this.#dependencies.coordination.tokens.get(finishedKey(item));
    return new Set(Array.isArray(actions) ? actions.map(String) : []);
  }

  /** Records the actions that have a report for an item; its next delivery does not run them. */
  async finish(item: string, actions: ReadonlySet<string>): Promise<void> {
    await this.#dependencies.coordination.tokens.put(finishedKey(item), [...actions], FINISHED_LIFETIME);
  }

  /** Forgets items that will not be delivered again. */
  async forget(items: readonly string[]): Promise<void> {
    const { tokens } = this.#dependencies.coordination;
    await Promise.all(items.map((item) => tokens.remove(finishedKey(item))));
  }
}

/** Subjects of reports. */
export const ofAction = (id: string) => `action.${id}`;
export const ofRule = (id: string) => `rule.${id}`;

function reportKey(subject: string, slot: number): string {
  return `alerts.runs.${subject}.${slot}`;
}

function finishedKey(item: string): string {
  return `alerts.finished.${item}`;
}
