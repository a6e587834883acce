import { idOf } from './action.ts';
import { present } from './json-record.ts';
import { type ModelContext, type ModelReading, readRecord } from './model-reading.ts';
import { RESULT_FORMATS, type ResultContext, readResultData } from './result-data.ts';

/** Describes a fetcher and its input. */
export interface FetcherDefinition {
  readonly id: string;
  /** The highest classification that the fetcher may be sent. */
  readonly classification: string;
  readonly description: string;
  readonly format: string;
  /** Types of values that it takes; empty: any. */
  readonly supported_types: readonly string[];
  readonly extra_data?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of a fetcher. */
export interface FetcherResult {
  readonly outcome: 'success' | 'failure';
  readonly data?: unknown;
  readonly error?: string | undefined;
  readonly format: string;
  readonly link?: string | undefined;
}

const OUTCOMES = ['success', 'failure'] as const;

/** Reads the description of a fetcher. */
export function readFetcherDefinition(value: unknown, context: ModelContext): ModelReading<FetcherDefinition> {
  return readRecord(value, (fields) => {
    const extraData = fields.raw('extra_data');
    const definition: FetcherDefinition = {
      id: idOf(fields),
      classification: fields.classification('classification', context),
      description: fields.string('description'),
      format: fields.oneOf('format', RESULT_FORMATS),
      supported_types: [...new Set(fields.strings('supported_types'))],
      extra_data:
        extraData === undefined || extraData === null
          ? undefined
          : fields.model('extra_data', (data) =>
              readRecord(data, () => ({ ok: data as Readonly<Record<string, unknown>> })),
            ),
    };
    return fields.done(() => present(definition));
  });
}

/** Reads the result of a fetcher: data in its format, or an error in the format `error`. */
export function readFetcherResult(value: unknown, context: ResultContext): ModelReading<FetcherResult> {
  return readRecord(value, (fields) => {
    const result = {
      outcome: fields.oneOf('outcome', OUTCOMES),
      data: fields.raw('data') ?? (undefined as unknown),
      error: fields.optionalString('error') || undefined,
      format: fields.string('format'),
      link: fields.optionalLink('link'),
    };
    const refusal = refusalOf(result);
    if (refusal === undefined && result.outcome === 'success') {
      result.data = fields.model('data', (data) => readResultData(result.format, data, context));
    }
    return fields.done(
      () => present(result),
      () => refusal,
    );
  });
}

function refusalOf({ outcome, data, error, format }: FetcherResult): string | undefined {
  if (outcome === 'success') {
    if (data === undefined) return 'must have data when the outcome is success';
    return error === undefined ? undefined : 'must not have an error when the outcome is success';
  }
  if (data !== undefined) return 'must not have data when the outcome is failure';
  return format === 'error' && error !== undefined ? undefined : 'must have the format error and an error';
}
