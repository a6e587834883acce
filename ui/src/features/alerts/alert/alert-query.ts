import { queryOptions } from '@tanstack/react-query';
import { alerts, versionedDataOf } from '../../../api/clients.ts';
import type { Alert, AlertCopy } from '../triage/alert.ts';
import { alertKey } from '../triage/requests/alert-copies.ts';

const METADATA = 'template,overview,analytic,dossiers';
/** Live frames keep an open alert fresh; this is for copies that no one looked at meanwhile. */
const STALE_TIME = 15_000;

/** Reads a whole alert with its version, its template, overview, analytic and dossiers. */
export const alertQuery = (id: string) =>
  queryOptions({
    queryKey: alertKey(id),
    queryFn: async ({ signal }): Promise<AlertCopy> => {
      const params = { path: { id }, query: { metadata: METADATA } };
      const { data, version } = await versionedDataOf(alerts.GET('/api/v1/hit/{id}', { params, signal }));
      return { alert: data as Alert, version };
    },
    staleTime: STALE_TIME,
  });
