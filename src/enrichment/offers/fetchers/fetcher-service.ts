import type { ClassificationEngine } from '../../../classification/classification.ts';
import { InvalidInput, UpstreamFailed, UpstreamTimedOut } from '../../../errors/errors.ts';
import type { Log } from '../../../http/request-log.ts';
import {
  type FetcherDefinition,
  type FetcherResult,
  readFetcherDefinition,
  readFetcherResult,
} from '../../models/fetcher.ts';
import { describeProblems } from '../../models/model-reading.ts';
import { exceededValueLimit, readSelector } from '../../models/selector.ts';
import type { CallContext } from '../../sources/call-context.ts';
import type { SourceDirectory } from '../../sources/source-directory.ts';
import { assertSelectorAllowed, visibleSource } from '../offered-source.ts';
import { failureOfRun, refusalText, runFailureText } from '../run-failures.ts';
import { runTimeout } from '../run-limits.ts';
import { SourceOffers } from '../source-offers.ts';

export interface FetcherServiceDependencies {
  readonly sources: Pick<SourceDirectory, 'find' | 'visibleTo'>;
  readonly engine: ClassificationEngine;
  /** Languages of which a status needs a label each. */
  readonly languages: readonly string[];
  /** Returns why a value does not fit a type that an extension added. Default: every value fits. */
  readonly problemOf?: (type: string, value: string) => string | undefined;
  readonly log: Log;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

export interface FetcherRun {
  readonly source: string;
  readonly fetcher: string;
  /** The selector as it was sent. */
  readonly body: unknown;
  /** `max_timeout` as it was sent, in seconds. Default: a minute. */
  readonly timeout: string | undefined;
}

/** Milliseconds that a source may take to list its fetchers. */
const LIST_TIMEOUT = 5_000;
const LIST_LIFETIME = 5 * 60_000;
/** Seconds. */
const RUN_TIMEOUT = 60;

/** Lists the fetchers of sources and runs them (contract/enrichment.md section 3.2). */
export class FetcherService {
  readonly #dependencies: FetcherServiceDependencies;
  readonly #offers: SourceOffers<FetcherDefinition>;

  constructor(dependencies: FetcherServiceDependencies) {
    const { engine, log, now = Date.now } = dependencies;
    this.#dependencies = dependencies;
    this.#offers = new SourceOffers<FetcherDefinition>({
      kind: 'fetcher',
      engine,
      log,
      ask: (source, context) => source.fetchers(context),
      read: (value) => readFetcherDefinition(value, { engine }),
      timeout: LIST_TIMEOUT,
      lifetime: LIST_LIFETIME,
      now,
    });
  }

  /** Returns the fetchers that the caller may run, by `source.id`. */
  async list(context: Omit<CallContext, 'deadline'>): Promise<Readonly<Record<string, FetcherDefinition>>> {
    const deadline = Date.now() + LIST_TIMEOUT;
    return this.#offers.list(this.#dependencies.sources.visibleTo(context.actor), { ...context, deadline });
  }

  /**
   * Runs a fetcher once and returns its result, also one of outcome failure.
   * @throws NotFound `source_missing`, `offer_missing`; InvalidInput `invalid_selector`, `value_too_long`,
   * `fetcher_refused`; Forbidden `selector_above_source`; UpstreamFailed `fetcher_failed`, `fetcher_result_invalid`;
   * UpstreamTimedOut `fetcher_timed_out`
   */
  async run(
    { source: name, fetcher, body, timeout }: FetcherRun,
    caller: Omit<CallContext, 'deadline'>,
  ): Promise<FetcherResult> {
    const { sources, engine, languages } = this.#dependencies;
    const source = visibleSource(sources, name, caller.actor);
    const selector = readSelector(body, { engine });
    if ('problems' in selector) throw invalidSelector(describeProblems(selector.problems));
    const limit = exceededValueLimit(selector.ok.type, selector.ok.value);
    if (limit !== undefined) {
      throw new InvalidInput('value_too_long', `The value has more than ${limit} bytes.`, { at: 'value' });
    }
    const problem = this.#dependencies.problemOf?.(selector.ok.type, selector.ok.value);
    if (problem !== undefined) throw new InvalidInput('invalid_selector', problem, { at: 'value' });
    assertSelectorAllowed(source, selector.ok, '', engine);
    const milliseconds = runTimeout(timeout, RUN_TIMEOUT);
    const context = { ...caller, deadline: Date.now() + milliseconds };
    let response: unknown;
    try {
      await this.#offers.assertVisible(source, fetcher, context);
      // The source gets the selector as it was sent.
      response = await source.runFetcher(fetcher, body, context);
    } catch (error) {
      throw this.#failedRun(error, name, milliseconds);
    }
    const reading = readFetcherResult(response, { engine, languages });
    if ('ok' in reading) return reading.ok;
    throw new UpstreamFailed(
      'fetcher_result_invalid',
      `The result of the fetcher ${fetcher} of plugin '${name}' is not valid: ${describeProblems(reading.problems)}.`,
    );
  }

  #failedRun(error: unknown, name: string, milliseconds: number): Error {
    const failure = failureOfRun(error);
    const options = { cause: error };
    if (failure.kind === 'refused') return new UpstreamFailed('fetcher_failed', refusalText(failure), options);
    if (failure.status === 400) {
      return new InvalidInput('fetcher_refused', runFailureText(failure, 'running fetcher', name), options);
    }
    this.#dependencies.log.warn({ err: error, source: name }, `the source ${name} did not run a fetcher`);
    if (failure.kind === 'timed_out') {
      const message = `Plugin '${name}' did not answer within ${milliseconds / 1000} seconds.`;
      return new UpstreamTimedOut('fetcher_timed_out', message, options);
    }
    return new UpstreamFailed('fetcher_failed', runFailureText(failure, 'running fetcher', name), options);
  }
}

/** Text of the public system; the reasons are in the cause, for the log. */
const INVALID = 'Validation error encountered on request body. Ensure your request body is properly formatted.';

function invalidSelector(reasons: string): InvalidInput {
  return new InvalidInput('invalid_selector', INVALID, { cause: new Error(reasons) });
}
