import { alerts, dataOf } from '../../api/clients.ts';

/** A card of the dashboard that the account keeps. */
export interface DashboardCard {
  readonly key: string;
  readonly kind: 'view' | 'analytic';
  /** Id of the view or the analytic. */
  readonly id: string;
  /** The field that a chart of an analytic counts, by the name of the public interface. */
  readonly chart: string | undefined;
}

/** Reads the cards that this version knows; others are left out. */
export function readDashboard(entries: readonly unknown[]): DashboardCard[] {
  return entries.flatMap((entry) => {
    const { entry_id: key, type, config } = entry as Readonly<Record<string, unknown>>;
    const settings = readSettings(config);
    const id = type === 'view' ? settings.viewId : settings.analyticId;
    if (typeof id !== 'string' || (type !== 'view' && type !== 'analytic')) return [];
    return [{ key: String(key), kind: type, id, chart: typeof settings.type === 'string' ? settings.type : undefined }];
  });
}

function readSettings(config: unknown): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(String(config));
    return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export const analyticsQuery = {
  queryKey: ['alerts', 'analytics'],
  queryFn: ({ signal }: { signal: AbortSignal }) => dataOf(alerts.GET('/api/v1/analytic/', { signal })),
};
