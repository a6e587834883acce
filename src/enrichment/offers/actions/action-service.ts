import type { ClassificationEngine } from '../../../classification/classification.ts';
import { UpstreamFailed, UpstreamTimedOut } from '../../../errors/errors.ts';
import type { Log } from '../../../http/request-log.ts';
import { type ActionResult, type ActionSpec, readActionResult, readActionSpec } from '../../models/action.ts';
import { describeProblems } from '../../models/model-reading.ts';
import type { CallContext } from '../../sources/call-context.ts';
import type { SourceDirectory } from '../../sources/source-directory.ts';
import { assertMayLearn, visibleSource } from '../offered-source.ts';
import { failureOfRun, refusalText, runFailureText } from '../run-failures.ts';
import { runTimeout } from '../run-limits.ts';
import { SourceOffers } from '../source-offers.ts';

export interface ActionServiceDependencies {
  readonly sources: Pick<SourceDirectory, 'find' | 'visibleTo'>;
  readonly engine: ClassificationEngine;
  /** Languages of which a status needs a label each. */
  readonly languages: readonly string[];
  readonly log: Log;
}

/** The caller of one request, without a deadline. */
export type RunContext = Omit<CallContext, 'deadline'>;

export interface ActionRun {
  readonly source: string;
  readonly action: string;
  readonly body: unknown;
  /** `max_timeout` as it was sent, in seconds. Default: the one of the source. */
  readonly timeout: string | undefined;
}

/** Milliseconds that a source may take to list its actions. */
const LIST_TIMEOUT = 10_000;

/** Lists the actions of sources and runs them (contract/enrichment.md section 3.1). */
export class ActionService {
  readonly #dependencies: ActionServiceDependencies;
  readonly #offers: SourceOffers<ActionSpec>;

  constructor(dependencies: ActionServiceDependencies) {
    const { engine, log } = dependencies;
    this.#dependencies = dependencies;
    this.#offers = new SourceOffers<ActionSpec>({
      kind: 'action',
      engine,
      log,
      ask: (source, context) => source.actions(context),
      read: (value) => readActionSpec(value, { engine }),
      timeout: LIST_TIMEOUT,
    });
  }

  /** Returns the actions that the caller may run, by `source.id`. */
  async list(context: RunContext): Promise<Readonly<Record<string, ActionSpec>>> {
    const { sources } = this.#dependencies;
    const deadline = Date.now() + LIST_TIMEOUT;
    return this.#offers.list(sources.visibleTo(context.actor), { ...context, deadline });
  }

  /**
   * Runs an action once and returns its result, also that of a failure.
   * @throws NotFound `source_missing`, `offer_missing`; InvalidInput, Forbidden as `assertMayLearn`; UpstreamFailed
   * `action_failed`, `action_result_invalid`; UpstreamTimedOut `action_timed_out`
   */
  async run({ source: name, action, body, timeout }: ActionRun, caller: RunContext): Promise<ActionResult> {
    const { sources, engine, languages } = this.#dependencies;
    const source = visibleSource(sources, name, caller.actor);
    assertMayLearn(source, body, engine);
    const milliseconds = runTimeout(timeout, source.settings.defaultTimeout);
    const context = { ...caller, deadline: Date.now() + milliseconds };
    let response: unknown;
    try {
      await this.#offers.assertVisible(source, action, context);
      response = await source.runAction(action, body, context);
    } catch (error) {
      return this.#failedRun(error, name, milliseconds);
    }
    const reading = readActionResult(response, { engine, languages });
    if ('ok' in reading) return reading.ok;
    throw new UpstreamFailed(
      'action_result_invalid',
      `The result of the action ${action} of plugin '${name}' is not valid: ${describeProblems(reading.problems)}.`,
    );
  }

  /** Returns the result of an action that was not run, or throws in the words of the public system. */
  #failedRun(error: unknown, name: string, milliseconds: number): ActionResult {
    const failure = failureOfRun(error);
    if (failure.kind === 'refused') return { outcome: 'failure', summary: refusalText(failure) };
    this.#dependencies.log.warn({ err: error, source: name }, `the source ${name} did not run an action`);
    if (failure.kind === 'timed_out') {
      const message = `Plugin '${name}' did not answer within ${milliseconds / 1000} seconds. It may still run the action.`;
      throw new UpstreamTimedOut('action_timed_out', message, { cause: error });
    }
    throw new UpstreamFailed('action_failed', runFailureText(failure, 'retrieving the result', name), { cause: error });
  }
}
