import { randomBytes } from 'node:crypto';
import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Actor } from '../../../identity/actor.ts';
import type { IdentityLog } from '../../../identity/identity-log.ts';
import { present } from '../../models/json-record.ts';
import { accessibleItems, type QueryResult, type SentResult } from '../../models/query-result.ts';
import type { Selector } from '../../models/selector.ts';
import { SourceFailure, sourceFailure } from '../source-failure.ts';
import type { SourceSettings } from '../source-settings.ts';
import { InvalidAnswer } from './bulk-answer.ts';
import { lookupFailureText } from './lookup-failure-text.ts';

interface SourceResultsDependencies {
  readonly settings: SourceSettings;
  readonly engine: ClassificationEngine;
  readonly log: Pick<IdentityLog, 'warn'>;
}

type AskedValue = Pick<Selector, 'type' | 'value'>;

/**
 * Makes the results of one source: from its answers, without what a caller may not see, and from its
 * failures.
 */
export class SourceResults {
  readonly #dependencies: SourceResultsDependencies;

  constructor(dependencies: SourceResultsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the result of a value with the items that the caller may see. @param latency in milliseconds */
  ofAnswer(
    value: AskedValue,
    answer: SentResult,
    { classification }: Pick<Actor, 'classification'>,
    latency: number,
  ): QueryResult {
    const items = accessibleItems(answer.items, classification, this.#dependencies.engine);
    return this.#result(value, { ...answer, items }, latency);
  }

  /** Returns the result of a value without items. @param error undefined: the source knows nothing */
  ofError(value: AskedValue, error: string | undefined, latency: number): QueryResult {
    return this.#result(value, { items: [], error }, latency);
  }

  /**
   * Returns the sentence for the caller, undefined for a source that found nothing. The log has the
   * details.
   */
  errorOf(thrown: unknown): string | undefined {
    const { name } = this.#dependencies.settings;
    if (thrown instanceof InvalidAnswer) {
      const errorId = this.report(thrown, 'gave an invalid answer');
      if (thrown.hasPlaces) {
        return `${name} returned an improperly formatted response: ${thrown.message}. Error ID: ${errorId}`;
      }
      return lookupFailureText(name, new SourceFailure('unusable', thrown.message), errorId);
    }
    const failure = sourceFailure(thrown);
    if (failure.kind === 'status' && failure.status === 404) return undefined;
    if (failure.kind === 'refused' || failure.kind === 'cancelled') return lookupFailureText(name, failure, '');
    return lookupFailureText(name, failure, this.report(failure, 'gave no usable answer'));
  }

  /** Logs a failure and returns the id under which the log has it. */
  report(error: unknown, problem: string): string {
    const errorId = randomBytes(8).toString('hex');
    const { settings, log } = this.#dependencies;
    log.warn({ source: settings.name, error_id: errorId, err: error }, `the source ${settings.name} ${problem}`);
    return errorId;
  }

  #result({ type, value }: AskedValue, sent: SentResult, latency: number): QueryResult {
    const { settings } = this.#dependencies;
    return present({
      type: sent.type ?? type,
      value: sent.value ?? value,
      source: sent.source ?? settings.name,
      error: sent.error,
      items: sent.items,
      maintainer: sent.maintainer ?? settings.maintainer,
      datahub_link: sent.datahub_link ?? settings.datahubLink,
      documentation_link: sent.documentation_link ?? settings.documentationLink,
      latency,
    });
  }
}
