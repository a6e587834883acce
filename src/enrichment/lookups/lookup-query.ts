import { type Static, Type } from 'typebox';
import { anyText, converted, reading } from '../../input/input-kinds.ts';
import type { LookupFlags } from '../sources/source-client.ts';

/** Seconds that a caller waits by default. */
const DEFAULT_TIMEOUT = 5;
/** Longest time in seconds that a caller may wait. */
const MAX_TIMEOUT = 300;
const DEFAULT_LIMIT = 10;
/** Seconds up to which a time is doubled: see `deadlineOf`. */
const SHORT_TIMEOUT = 2;

/** True for `true`, `1` and an empty string, as in the public system. */
const switchedOn = (description: string) =>
  reading(Type.Boolean({ description, default: false }), {
    accept: (value) => (typeof value === 'string' ? ['true', '1', ''].includes(value.toLowerCase()) : value),
  });

/** Arguments of lookups. Numbers that cannot be read count as absent, as in the public system. */
export const LookupQuery = Type.Object({
  sources: Type.Optional(
    converted(
      anyText({
        description:
          'Names of the only sources to ask, separated by `|` if there is one, else by commas. Default: those that are asked by default.',
      }),
      (text): readonly string[] => text.split(text.includes('|') ? '|' : ','),
    ),
  ),
  classification: Type.Optional(
    anyText({ description: 'Classification of selectors that have none. Default: unrestricted.' }),
  ),
  max_timeout: reading(
    Type.Number({
      description: `Seconds to wait for sources, at most ${MAX_TIMEOUT}. Those that take longer have an error in the answer.`,
      default: DEFAULT_TIMEOUT,
    }),
    { accept: (value) => timeoutOf(value) },
  ),
  limit: reading(Type.Integer({ description: 'Items that a source may find for one value.', default: DEFAULT_LIMIT }), {
    accept: (value) => limitOf(value),
  }),
  no_annotation: switchedOn('Leaves annotations out.'),
  include_raw: switchedOn('Includes the records that annotations were made from.'),
  no_cache: switchedOn('Asks sources instead of taking cached answers.'),
  exclude_unset: switchedOn('Has no effect.'),
});

export type LookupArguments = Static<typeof LookupQuery>;

function timeoutOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return undefined;
  return Math.min(seconds, MAX_TIMEOUT);
}

function limitOf(value: unknown): number | undefined {
  const limit = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0 ? limit : undefined;
}

/** Returns the arguments that sources receive. */
export function flagsOf(query: LookupArguments): LookupFlags {
  return {
    limit: query.limit,
    maxTimeout: query.max_timeout,
    noAnnotation: query.no_annotation,
    includeRaw: query.include_raw,
    noCache: query.no_cache,
  };
}

/**
 * Returns the milliseconds since 1970 by which an answer is sent.
 * The public system waits twice as long as it is asked to. Clients rely on that with short times alone, which hardly
 * suffice for a connection: a time below two seconds is doubled, up to these, and a longer one holds.
 */
export function deadlineOf({ max_timeout: seconds }: LookupArguments, now: number): number {
  return now + 1_000 * Math.max(seconds, Math.min(2 * seconds, SHORT_TIMEOUT));
}
