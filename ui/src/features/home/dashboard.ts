import { memberOf, stringMember } from '../../json/members.ts';

/** A card as the account keeps it, for this interface and the public one. */
export interface StoredCard {
  readonly entry_id: string;
  readonly type: 'view' | 'analytic' | 'case' | 'tasks';
  /** Settings, as JSON text. */
  readonly config: string;
}

/** The charts of an analytic, by their names in the public interface. */
export const CHARTS = ['created', 'status', 'assessment', 'escalation', 'detection'] as const;
export type Chart = (typeof CHARTS)[number];

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
/** Rows of a view that was chosen here. */
const LIMIT = 6;

/** Returns the chart of a name; that of the status for one that is not known here. */
export function chartOf(name: string | undefined): Chart {
  return CHARTS.find((known) => known === name) ?? 'status';
}

/** Returns the card of a view. */
export function viewCard(id: string): StoredCard {
  return { entry_id: id, type: 'view', config: JSON.stringify({ viewId: id, limit: LIMIT }) };
}

/** Returns the card of a chart of an analytic. */
export function analyticCard(id: string, chart: Chart): StoredCard {
  return { entry_id: `${id}-${chart}`, type: 'analytic', config: JSON.stringify({ analyticId: id, type: chart }) };
}

/** Returns the cards with one more at their end; it takes the place of an equal one. */
export function withCard(cards: readonly StoredCard[], added: StoredCard): readonly StoredCard[] {
  return [...withoutCard(cards, added.entry_id), added];
}

export function withoutCard(cards: readonly StoredCard[], key: string): readonly StoredCard[] {
  return cards.filter(({ entry_id: id }) => id !== key);
}

/** Returns the cards with one of them moved by a place among those that are shown. */
export function withMovedCard(cards: readonly StoredCard[], key: string, by: -1 | 1): readonly StoredCard[] {
  const shown = readDashboard(cards);
  const place = shown.findIndex((card) => card.key === key);
  const beside = place === -1 ? undefined : shown[place + by];
  const moved = cards.find(({ entry_id: id }) => id === key);
  if (beside === undefined || moved === undefined) return cards;
  const rest = withoutCard(cards, key);
  const at = rest.findIndex(({ entry_id: id }) => id === beside.key) + (by === 1 ? 1 : 0);
  return rest.toSpliced(at, 0, moved);
}

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
