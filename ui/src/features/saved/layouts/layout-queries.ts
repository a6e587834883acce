import { alerts, dataOf } from '../../../api/clients.ts';
import type { components } from '../../../api/generated/alerts.ts';

export type Template = components['schemas']['Template'];
export type Overview = components['schemas']['Overview'];

type Options = { readonly signal: AbortSignal };

/** The templates that this account sees. */
export const templatesQuery = {
  queryKey: ['alerts', 'template'],
  queryFn: ({ signal }: Options) => dataOf(alerts.GET('/api/v1/template/', { signal })),
};

export const overviewsQuery = {
  queryKey: ['alerts', 'overview'],
  queryFn: ({ signal }: Options) => dataOf(alerts.GET('/api/v1/overview/', { signal })),
};
