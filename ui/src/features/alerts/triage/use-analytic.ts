import { useQueries, useQuery } from '@tanstack/react-query';
import { alerts, dataOf, READ_HEADERS } from '../../../api/clients.ts';
import type { components } from '../../../api/generated/alerts.ts';
import { commonSettings, type TriageSettings } from './assessments.ts';

export type Analytic = components['schemas']['Analytic'];

const STALE_TIME = 300_000;
/** Analytics that are asked for the settings of a selection; more have all assessments. */
const MAX_ANALYTICS = 20;

/** Reads an analytic by its name, which alerts carry; null where there is none. */
export const analyticQuery = (name: string) => ({
  queryKey: ['alerts', 'analytic', 'name', name.toLowerCase()],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Analytic | null> => {
    const body = { query: `name:${JSON.stringify(name)}`, rows: 1 };
    const params = { path: { index: 'analytic' } } as const;
    const request = alerts.POST('/api/v1/search/{index}', { params, body, headers: READ_HEADERS, signal });
    const [found] = (await dataOf(request)).items;
    return (found as unknown as Analytic | undefined) ?? null;
  },
  staleTime: STALE_TIME,
});

export function useAnalytic(name: string) {
  return useQuery({ ...analyticQuery(name), enabled: name !== '' });
}

/** Returns what the analytics of a selection have in common. */
export function useTriageSettings(names: readonly string[]): TriageSettings {
  const asked = [...new Set(names)].filter((name) => name !== '').slice(0, MAX_ANALYTICS);
  const results = useQueries({ queries: asked.map(analyticQuery) });
  return commonSettings(results.map(({ data }) => data?.triage_settings));
}
