import { present } from './json-record.ts';
import { readLink } from './link.ts';
import { type ModelContext, type ModelFields, type ModelReading, readRecord } from './model-reading.ts';
import { type ResultContext, readResultData } from './result-data.ts';

/** Describes an action and its input, from which clients draw a form. */
export interface ActionSpec {
  readonly id: string;
  readonly name: string;
  /** The highest classification that the action may be sent. */
  readonly classification: string;
  readonly summary?: string | undefined;
  /** Types of values that it takes; empty: any. */
  readonly supported_types: readonly string[];
  readonly action_icon?: string | undefined;
  readonly accept_empty: boolean;
  readonly accept_multiple: boolean;
  readonly format?: string | undefined;
  readonly extra_schema?: unknown;
  /** JSON schema of the request. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The result of an action. */
export interface ActionResult {
  readonly outcome: 'success' | 'failure';
  readonly summary?: string | undefined;
  readonly output?: unknown;
  readonly format?: string | undefined;
  readonly link?: string | undefined;
}

const OUTCOMES = ['success', 'failure'] as const;

/** Reads the description of an action. */
export function readActionSpec(value: unknown, context: ModelContext): ModelReading<ActionSpec> {
  return readRecord(value, (fields) => {
    const extraSchema = fields.raw('extra_schema');
    const spec: ActionSpec = {
      id: idOf(fields),
      name: fields.string('name'),
      classification: fields.classification('classification', context),
      summary: fields.optionalString('summary'),
      supported_types: [...new Set(fields.strings('supported_types'))],
      action_icon: fields.optionalString('action_icon'),
      accept_empty: fields.boolean('accept_empty', false),
      accept_multiple: fields.boolean('accept_multiple', false),
      format: fields.optionalString('format'),
      extra_schema: extraSchema === undefined ? {} : (extraSchema ?? undefined),
      params: fields.model('params', (params) => readRecord(params, () => ({ ok: params as ActionSpec['params'] }))),
    };
    return fields.done(() => present(spec));
  });
}

/** Reads the identifier of an action or a fetcher: a lower-case letter or an underscore comes first. */
export function idOf(fields: ModelFields): string {
  const id = fields.string('id');
  if (typeof fields.raw('id') === 'string' && !/^[a-z_]/.test(id)) {
    fields.reject('id', 'must start with a lower-case letter or an underscore');
  }
  return id;
}

/** Reads the result of an action: any format of fetchers, or `pivot`, whose output is a URL. */
export function readActionResult(value: unknown, context: ResultContext): ModelReading<ActionResult> {
  return readRecord(value, (fields) => {
    const result = {
      outcome: fields.oneOf('outcome', OUTCOMES),
      summary: fields.optionalString('summary'),
      output: fields.raw('output') ?? (undefined as unknown),
      format: fields.optionalString('format') || undefined,
      link: fields.optionalLink('link'),
    };
    if (result.format === 'pivot') {
      const pivot = readLink(result.output);
      if ('link' in pivot) result.output = pivot.link;
      else fields.reject('output', `${pivot.reason} when the format is pivot`);
    } else if (result.format !== undefined) {
      result.output = fields.model('output', (output) => readResultData(result.format as string, output, context));
    }
    return fields.done(
      () => present(result),
      () => (result.format === undefined && result.outcome === 'success' ? 'must have a format' : undefined),
    );
  });
}
