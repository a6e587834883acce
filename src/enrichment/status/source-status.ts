import { type Static, Type } from 'typebox';
import type { Source } from '../sources/source.ts';
import type { LimitedSources } from './limited-sources.ts';

const time = (description: string) => Type.String({ format: 'date-time', description });
const milliseconds = Type.Number({ description: 'Milliseconds.' });

/** The state of a list as one process sees it. */
const ListStatus = Type.Object({
  name: Type.String(),
  format: Type.String(),
  state: Type.String({ description: '`ready`, `expired` (its entries are not used) or `missing` (never compiled).' }),
  entries: Type.Integer(),
  left_out: Type.Integer({ description: 'Entries that are not understood.' }),
  unknown_markings: Type.Integer({
    description: 'Entries with an unknown marking; they have the classification of the list.',
  }),
  updated: Type.Optional(time('When the list was last known to be up to date.')),
  failures: Type.Integer({ description: 'Updates that failed, in all.' }),
  problem: Type.Optional(
    Type.Object(
      { at: time('When the last update failed.'), reason: Type.String() },
      { description: 'The old list stays.' },
    ),
  ),
});

/** The state of a source as one process sees it. */
export const SourceStatus = Type.Object({
  name: Type.String(),
  origin: Type.String({ description: '`configured`, `registered` at run time, or one of the program (`own`).' }),
  reach: Type.String({
    description: '`local`: nothing leaves. `passive`: a third party learns the value. `active`: the target may notice.',
  }),
  include_default: Type.Boolean({ description: 'Is asked when a request names no sources.' }),
  maintainer: Type.Optional(Type.String()),
  state: Type.String({
    description:
      '`not_asked`, `answering`, `failing` (the last call failed), `open` (not called at the moment), `probing`.',
  }),
  since: time('When this state began.'),
  retry_at: Type.Optional(time('When the source is tried again, if it is not called at the moment.')),
  cause: Type.Optional(Type.String({ description: 'Why it is not called at the moment.' })),
  latency: Type.Optional(
    Type.Object({ p50: milliseconds, p95: milliseconds }, { description: 'Of the last 256 answers.' }),
  ),
  last_error: Type.Optional(
    Type.Object({
      kind: Type.String({
        description: '`unreachable`, `timed_out`, `status`, `unusable` (not of the protocol), `refused`, `internal`.',
      }),
      status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer.' })),
      at: time('When that was.'),
    }),
  ),
  lists: Type.Optional(
    Type.Array(ListStatus, { description: 'Of the source `lists`: those that the caller may see.' }),
  ),
  limits: Type.Object({
    concurrency: Type.Integer({ description: 'Concurrent calls of a process.' }),
    working: Type.Integer({ description: 'Calls under way.' }),
    waiting: Type.Integer({ description: 'Calls that wait for a limit.' }),
    rates: Type.Array(
      Type.Object({
        limit: Type.String({ description: 'As in the settings, such as `4/minute`.' }),
        left: Type.Integer({ description: 'Calls that are left, of all processes.' }),
        until: Type.Optional(time('When more calls are possible; absent when none was made.')),
      }),
    ),
  }),
});
export type SourceStatus = Static<typeof SourceStatus>;

/**
 * Returns the state of a source. It has no text of the source, which may be above the clearance of
 * the reader.
 */
export async function statusOf(
  { settings }: Pick<Source, 'settings'>,
  limited: Pick<LimitedSources, 'of'>,
): Promise<SourceStatus | undefined> {
  const limits = limited.of(settings)?.limits;
  if (limits === undefined) return undefined;
  const { name, origin, reach, includeDefault, maintainer } = settings;
  const circuit = limits.circuit();
  const { isFailing, since } = limits.statistics.state;
  const isClosed = circuit.state === 'closed';
  const closed = isFailing === undefined ? 'not_asked' : isFailing ? 'failing' : 'answering';
  const [p50, p95] = limits.statistics.percentiles([0.5, 0.95]) ?? [];
  const last = limits.statistics.lastFailure;
  return {
    name,
    origin,
    reach,
    include_default: includeDefault,
    ...(maintainer === undefined ? {} : { maintainer }),
    state: isClosed ? closed : circuit.state,
    since: iso(isClosed ? since : circuit.since),
    ...(circuit.retryAt === undefined ? {} : { retry_at: iso(circuit.retryAt) }),
    ...(circuit.cause === undefined ? {} : { cause: circuit.cause }),
    ...(p50 === undefined || p95 === undefined ? {} : { latency: { p50: rounded(p50), p95: rounded(p95) } }),
    ...(last === undefined
      ? {}
      : {
          last_error: {
            kind: last.kind,
            ...(last.status === undefined ? {} : { status: last.status }),
            at: iso(last.at),
          },
        }),
    limits: {
      concurrency: limits.concurrency,
      working: limits.working,
      waiting: limits.waiting,
      rates: (await limits.left()).map(({ limit, left, until }) => ({
        limit,
        left,
        ...(until === undefined ? {} : { until: until.toISOString() }),
      })),
    },
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
