import { isObject } from '../../json/json-object.ts';
import { readGraphResult } from './graph-result.ts';
import { present } from './json-record.ts';
import { type ModelContext, type ModelReading, problem, readRecord } from './model-reading.ts';

export interface ResultContext extends ModelContext {
  /** Languages of which a status needs a label each. Default: none. */
  readonly languages?: readonly string[];
}

/** Formats of results that this program knows; data of any other format passes as it is. */
export const RESULT_FORMATS = ['json', 'markdown', 'image', 'status', 'graph'] as const;

/** Reads the data of a result in one of the formats of the protocol. */
export function readResultData(format: string, data: unknown, context: ResultContext): ModelReading<unknown> {
  if (format === 'markdown') return typeof data === 'string' ? { ok: data } : problem('must be a string');
  if (format === 'json') return readJson(data);
  if (format === 'image') return readImage(data);
  if (format === 'status') return readStatus(data, context.languages ?? []);
  return format === 'graph' ? readGraphResult(data) : { ok: data };
}

/** Takes an object or an array, also as JSON text. */
function readJson(data: unknown): ModelReading<unknown> {
  if (typeof data !== 'string') {
    return isObject(data) || Array.isArray(data) ? { ok: data } : problem('must be an object or an array');
  }
  try {
    return { ok: JSON.parse(data) };
  } catch {
    return problem('must be JSON');
  }
}

function readImage(data: unknown): ModelReading<unknown> {
  return readRecord(data, (fields) => {
    const image = fields.string('image');
    const alt = fields.string('alt');
    return fields.done(
      () => ({ image, alt }),
      () => (isImageAddress(image) ? undefined : 'image must be a URL or a data URI of an image'),
    );
  });
}

function isImageAddress(image: string): boolean {
  return /^data:image\//i.test(image) || /^(https?:)?\/\//i.test(image) || /^\/[^/]/.test(image);
}

function readStatus(data: unknown, languages: readonly string[]): ModelReading<unknown> {
  return readRecord(data, (fields) => {
    const status = {
      empty: fields.boolean('empty', false),
      labels: fields.list('labels', (label) =>
        readRecord(label, (of) => {
          const [language, text] = [of.string('language'), of.string('label')];
          return of.done(() => ({ language, label: text }));
        }),
      ),
      link: fields.optionalLink('link'),
      icon: fields.optionalString('icon'),
      color: fields.optionalString('color'),
    };
    return fields.done(
      () => present(status),
      () => {
        if (status.empty) return undefined;
        const missing = languages.find((language) => !status.labels.some((label) => label.language === language));
        if (missing !== undefined) return `must have a label in the language ${missing}`;
        return !status.color || /^#[0-9a-f]{6}$/i.test(status.color) ? undefined : 'color must have the form #rrggbb';
      },
    );
  });
}
