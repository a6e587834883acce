import type { Coordination } from '../../coordination/coordination.ts';
import { type Submission, submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { isTriadError, isUnavailable } from '../../errors/errors.ts';
import type { AlertMessage, ExtendedScan } from '../alerts/alerter.ts';
import type { SystemValues } from '../system/system-values.ts';
import { type Action, DEFAULT_ACTIONS, readActions, type Webhook } from './actions.ts';

/** Queue of submissions that alerts are made of; items are `AlertMessage`. */
export const ALERT_QUEUE = 'analysis:alerts';
/** Queue of requests to other servers; items are `WebhookMessage`. */
export const WEBHOOK_QUEUE = 'analysis:webhooks';

export interface WebhookMessage {
  readonly hook: Webhook;
  readonly sid: string;
  readonly payload: object;
}

/** A submission as actions see it: what was sent, and the score that was found. */
export interface EndedSubmission {
  readonly sid: string;
  readonly score: number;
  readonly submittedAt: string;
  readonly files: Submission['files'];
  readonly metadata: Submission['metadata'];
  readonly params: Submission['params'];
}

/** A second analysis of a submission with more services. */
export interface Resubmission extends EndedSubmission {
  /** Identifier of the second submission; that of the first is `params.psid`. */
  readonly sid: string;
}

/** The way a submission is archived. */
export interface ArchiveOptions {
  readonly alternateLife: boolean;
  readonly deleteAfter: boolean;
}

export interface ActionRunnerDependencies {
  readonly values: Pick<SystemValues, 'reader'>;
  readonly queues: Pick<Coordination['queues'], 'push'>;
  /** Keeps the decisions of a submission, so that a repetition decides the same. */
  readonly tokens: Pick<Coordination['tokens'], 'get' | 'put'>;
  /** Starts a second analysis; does nothing when it has begun. */
  readonly resubmit: (resubmission: Resubmission) => Promise<void>;
  /** Copies a submission into the archive; undefined: there is no archive. */
  readonly archive: ((sid: string, options: ArchiveOptions) => Promise<void>) | undefined;
  /** Returns the tags of the results of a submission, nested by the parts of their type. */
  readonly tagsOf: (submission: Submission) => Promise<object>;
  readonly newId: () => string;
  readonly log: ActionLog;
  /** From 0 to 1; for tests. */
  readonly random?: () => number;
}

interface ActionLog {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}

/** Decisions of a submission. */
interface Decision {
  readonly alert: boolean;
  readonly archive: false | ArchiveOptions;
  /** Services that a second analysis adds; undefined: there is none. */
  readonly resubmit: readonly string[] | undefined;
  readonly resubmitAs: string;
  readonly webhooks: readonly Webhook[];
}

/** Milliseconds for which a repetition of a message finds what was decided. */
const MEMORY = 86_400_000;

/** Runs the actions that follow an analysis (contract/analysis.md section 7.5). */
export class ActionRunner {
  readonly #dependencies: ActionRunnerDependencies;
  readonly #actions: () => Promise<readonly Action[]>;

  constructor(dependencies: ActionRunnerDependencies) {
    this.#dependencies = dependencies;
    this.#actions = dependencies.values.reader('actions', (yaml) => this.#read(yaml));
  }

  /** Runs the actions for submissions that were analysed; the same submission again changes nothing. */
  async completed(submission: Submission): Promise<ExtendedScan> {
    const { tokens } = this.#dependencies;
    const key = `analysis:acted:${submission.sid}`;
    const before = (await tokens.get(key)) as ExtendedScan | undefined;
    if (before !== undefined) return before;
    const actions = (await this.#actions()).filter(({ enabled, run_on_completed }) => enabled && run_on_completed);
    const usesTags = actions.some(({ filter }) => filter.usesTags);
    const tags = usesTags ? await this.#dependencies.tagsOf(submission) : {};
    const ended = endedSubmission(submission);
    const known = { ...wholeOutput(submissionDocument, submission), tags };
    const scan = await this.#run(ended, actions, { ...submission, tags }, { isCache: false, shown: known });
    await tokens.put(key, scan, MEMORY);
    return scan;
  }

  /** Runs the actions for a submission that an earlier result answers. */
  async cacheHit(ended: EndedSubmission): Promise<ExtendedScan> {
    const actions = (await this.#actions()).filter(({ enabled, run_on_cache }) => enabled && run_on_cache);
    const { sid, score, files, metadata, params } = ended;
    const known = { sid, max_score: score, files, metadata, params };
    return this.#run(ended, actions, known, { isCache: true, shown: { ...known, tags: {} } });
  }

  async #run(
    ended: EndedSubmission,
    actions: readonly Action[],
    judged: object,
    { isCache, shown }: { readonly isCache: boolean; readonly shown: object },
  ): Promise<ExtendedScan> {
    const { queues, resubmit, log } = this.#dependencies;
    const { sid, score, params, metadata, files, submittedAt } = ended;
    const decision = isCache ? this.#decide(ended, actions, judged) : await this.#remembered(ended, actions, judged);
    let extendedScan: ExtendedScan = 'skipped';
    const added = decision.resubmit;
    if (added !== undefined) {
      extendedScan = 'submitted';
      const services = { ...params.services, resubmit: [], selected: [...params.services.selected, ...added] };
      await resubmit({ ...ended, sid: decision.resubmitAs, params: { ...params, psid: sid, services } });
    }
    if (decision.alert && params.generate_alert) {
      const message: AlertMessage = { sid, score, extendedScan, metadata, files, submittedAt };
      await queues.push(ALERT_QUEUE, [message]);
    }
    if (decision.archive !== false) await this.#archive(sid, decision.archive);
    if (decision.webhooks.length > 0) {
      const payload = { is_cache: isCache, score, submission: shown };
      await queues.push(
        WEBHOOK_QUEUE,
        decision.webhooks.map((hook): WebhookMessage => ({ hook, sid, payload })),
      );
    }
    if (added !== undefined) log.info({ sid, resubmitted: decision.resubmitAs }, 'resubmitted for a deeper analysis');
    return extendedScan;
  }

  async #archive(sid: string, options: ArchiveOptions): Promise<void> {
    const { archive, log } = this.#dependencies;
    if (archive !== undefined) await archive(sid, options);
    else log.warn({ sid }, 'a submission is not archived, because this installation has no archive');
  }

  /** A message may come twice, and chance decides once. */
  async #remembered(ended: EndedSubmission, actions: readonly Action[], judged: object): Promise<Decision> {
    const { tokens } = this.#dependencies;
    const key = `analysis:decision:${ended.sid}`;
    const known = (await tokens.get(key)) as Decision | undefined;
    if (known !== undefined) return known;
    const decision = this.#decide(ended, actions, judged);
    await tokens.put(key, decision, MEMORY);
    return decision;
  }

  #decide(ended: EndedSubmission, actions: readonly Action[], judged: object): Decision {
    const { services } = ended.params;
    const matching = actions.filter((action) => this.#matches(action, ended.sid, judged));
    const deeper = matching.filter((action) => action.resubmit && this.#isChosen(ended.score, action.resubmit));
    // A completed submission is stored without empty lists.
    const { resubmit = [] } = services as Partial<typeof services>;
    const wanted = [...resubmit, ...deeper.flatMap((one) => one.resubmit?.additional_services ?? [])];
    const added = [...new Set(wanted)].filter((name) => !services.selected.includes(name));
    const archiving = matching.filter(({ archive_submission }) => archive_submission);
    const forced = ended.params.auto_archive;
    return {
      alert: matching.some(({ raise_alert }) => raise_alert),
      archive:
        archiving.length === 0 && !forced
          ? false
          : {
              deleteAfter: ended.params.delete_after_archive,
              alternateLife:
                archiving.some(({ use_archive_alternate_dtl }) => use_archive_alternate_dtl) ||
                ended.params.use_archive_alternate_dtl,
            },
      resubmit: deeper.length > 0 && added.length > 0 ? added : undefined,
      resubmitAs: this.#dependencies.newId(),
      webhooks: distinctHooks(matching),
    };
  }

  #matches({ name, filter }: Action, sid: string, judged: object): boolean {
    try {
      return filter.matches(judged);
    } catch (err) {
      if (!isTriadError(err)) throw err;
      this.#dependencies.log.warn({ err, sid, action: name }, 'an action is skipped: its filter failed');
      return false;
    }
  }

  /** Below `random_below` the probability falls by ten for each hundred points. */
  #isChosen(score: number, { random_below: below }: NonNullable<Action['resubmit']>): boolean {
    if (below === undefined || below === null) return true;
    if (score < 0) return false;
    const { random = Math.random } = this.#dependencies;
    return score >= below || random() < 10 ** (-(below - score) / 100);
  }

  /** Actions that were valid when they were stored stay in use if a later version does not read them. */
  #read(yaml: unknown): readonly Action[] {
    if (typeof yaml !== 'string') return readActions(DEFAULT_ACTIONS);
    try {
      return readActions(yaml);
    } catch (err) {
      if (isUnavailable(err)) throw err;
      this.#dependencies.log.error({ err }, 'the stored actions cannot be read; those of the program are used');
      return readActions(DEFAULT_ACTIONS);
    }
  }
}

function endedSubmission({ sid, max_score, times, files, metadata, params }: Submission): EndedSubmission {
  return { sid, score: max_score, submittedAt: times.submitted, files, metadata, params };
}

function distinctHooks(actions: readonly Action[]): readonly Webhook[] {
  const hooks = actions.flatMap(({ webhook }) => (webhook ? [webhook] : []));
  return [...new Map(hooks.map((hook) => [JSON.stringify(hook), hook])).values()];
}
