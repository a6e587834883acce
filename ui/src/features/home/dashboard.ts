import { memberOf, stringMember } from '../../json/members.ts';

/** A card of the dashboard that the account keeps. */
export interface DashboardCard {
  readonly key: string;
  readonly kind: 'view' | 'analytic';
  /** Id of the view or the analytic. */
  readonly id: string;
  /** The field that a chart of an analytic counts, by the name of the public interface. */
  readonly chart: string | undefined;
  /** The rows that a view shows; undefined where the card asks for none, or for too many. */
  readonly limit: number | undefined;
}

const MAX_LIMIT = 50;

/** Reads the cards that this version knows; others are left out. */
export function readDashboard(entries: readonly unknown[]): DashboardCard[] {
  return entries.flatMap((entry) => {
    const kind = memberOf(entry, 'type');
    if (kind !== 'view' && kind !== 'analytic') return [];
    const settings = readSettings(memberOf(entry, 'config'));
    const id = memberOf(settings, kind === 'view' ? 'viewId' : 'analyticId');
    if (typeof id !== 'string') return [];
    const chart = memberOf(settings, 'type');
    const key = stringMember(entry, 'entry_id');
    const limit = memberOf(settings, 'limit');
    return [{ key, kind, id, chart: typeof chart === 'string' ? chart : undefined, limit: readLimit(limit) }];
  });
}

function readLimit(limit: unknown): number | undefined {
  return Number.isInteger(limit) && Number(limit) > 0 && Number(limit) <= MAX_LIMIT ? Number(limit) : undefined;
}

function readSettings(config: unknown): unknown {
  try {
    return JSON.parse(String(config));
  } catch {
    return undefined;
  }
}
