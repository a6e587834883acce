import { useQueries, useQuery } from '@tanstack/react-query';
import { quotedPhrase } from '../../../../../src/datastore/query-language/written-values.ts';
import { searchKind } from '../../../api/alert-searches.ts';
import type { components } from '../../../api/generated/alerts.ts';
import { commonSettings, type TriageSettings } from './changes/assessments.ts';
import { isMatching, type Selection } from './targets.ts';

export type Analytic = components['schemas']['Analytic'];

const STALE_TIME = 300_000;
/** Analytics that are asked for the settings of a selection; more have all assessments. */
const MAX_ANALYTICS = 20;

/** Reads an analytic by its name, which alerts carry; null where there is none. */
export const analyticQuery = (name: string) => ({
  queryKey: ['alerts', 'analytic', 'name', name.toLowerCase()],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Analytic | null> => {
    const search = { query: `name:${quotedPhrase(name)}`, rows: 1 };
    const [found] = await searchKind<Analytic>('analytic', search, signal);
    return found ?? null;
  },
  staleTime: STALE_TIME,
});

export function useAnalytic(name: string) {
  return useQuery({ ...analyticQuery(name), enabled: name !== '' });
}

/** Returns what the analytics of a selection have in common; undefined until they are read. */
export function useTriageSettings(selection: Selection): TriageSettings | undefined {
  const names = isMatching(selection) ? [] : selection.map(({ analytic }) => analytic);
  const asked = [...new Set(names)].filter((name) => name !== '').slice(0, MAX_ANALYTICS);
  // One analytic is the usual case: several are drawn twice for each change of the selection.
  const [only = '', ...others] = asked;
  const first = useAnalytic(only);
  const further = useQueries({ queries: others.map(analyticQuery) });
  const results = only === '' ? further : [first, ...further];
  if (results.some(({ data }) => data === undefined)) return undefined;
  return commonSettings(results.map(({ data }) => data?.triage_settings));
}
