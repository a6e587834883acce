import { dataOf, enrichment, READ_HEADERS } from '../../api/clients.ts';
import { send } from '../../api/connection.ts';
import { jsonLines } from './answer-lines.ts';
import { type AnswerLine, type Finding, readAnswerLine, selectorKey } from './findings.ts';
import type { Selector } from './text-rows.ts';

/** Values of one request: the first answers are seen before the last values are asked for. */
const BATCH = 1_000;
/** Seconds that a source has for a request. */
const TIMEOUT = 30;

/**
 * `local`: nothing leaves the installation. `passive`: a third party learns the value. `active`: the
 * target may notice.
 */
export type Reach = 'local' | 'passive' | 'active';

export interface Source {
  readonly name: string;
  readonly reach: Reach;
  /** Types of values that it knows. */
  readonly types: ReadonlySet<string>;
}

/** Reads the sources that the reader may ask. One of an unknown reach counts as active. */
async function readSources(signal: AbortSignal): Promise<Source[]> {
  const [states, types] = await Promise.all([
    dataOf(enrichment.GET('/api/v1/sources/', { signal })),
    dataOf(enrichment.GET('/api/v1/lookup/types/', { signal })),
  ]);
  return states.map(({ name, reach }) => ({
    name,
    reach: reach === 'local' || reach === 'passive' ? reach : 'active',
    types: new Set(types[name] ?? []),
  }));
}

/** The sources, as every page reads and keeps them. */
export const sourcesQuery = {
  queryKey: ['enrichment', 'sources'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readSources(signal),
};

/** Finds the values in a string, each once. */
export async function extractSelectors(text: string, signal: AbortSignal): Promise<Selector[]> {
  // The service refuses NUL and lone surrogates; the replacement has the same length, so that places stay.
  const body = { text: text.replaceAll('\0', '\ufffd').toWellFormed() };
  const request = enrichment.POST('/api/v1/lookup/extract', { body, headers: READ_HEADERS, signal });
  const seen = new Set<string>();
  return (await dataOf(request)).filter((selector) => {
    const key = selectorKey(selector);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the values that a source can be asked for; addresses that are not public stay here. */
export function askable(source: Source, selectors: readonly Selector[]): Selector[] {
  return selectors.filter(
    ({ type, reserved }) => source.types.has(type) && (source.reach === 'local' || reserved === undefined),
  );
}

/** Yields what sources say, in the groups in which it arrives. */
export async function* askSources(
  names: readonly string[],
  selectors: readonly Selector[],
  signal: AbortSignal,
): AsyncGenerator<AnswerLine[], void, undefined> {
  const query = new URLSearchParams({ sources: names.join('|'), max_timeout: String(TIMEOUT) });
  for (let start = 0; start < selectors.length; start += BATCH) {
    const body = selectors.slice(start, start + BATCH).map(({ type, value }) => ({ type, value }));
    const request = new Request(`/services/enrichment/api/v1/lookup/enrich?${query}`, {
      method: 'POST',
      headers: { ...READ_HEADERS, 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify(body),
      signal,
    });
    const response = await send(request);
    if (response.body === null) continue;
    for await (const lines of jsonLines(response.body)) yield lines.map(readAnswerLine);
  }
}

/** Collects what sources say about a few values. */
export async function answersOf(
  names: readonly string[],
  selectors: readonly Selector[],
  signal: AbortSignal,
): Promise<AnswerLine> {
  const findings: Finding[] = [];
  const errors = new Map<string, string>();
  if (names.length === 0 || selectors.length === 0) return { findings, errors };
  for await (const lines of askSources(names, selectors, signal)) {
    for (const line of lines) {
      findings.push(...line.findings);
      for (const [source, error] of line.errors) errors.set(source, error);
    }
  }
  return { findings, errors };
}
