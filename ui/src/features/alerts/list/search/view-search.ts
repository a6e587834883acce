import type { components } from '../../../../api/generated/alerts.ts';
import { collapseWords } from '../../../query/words/collapse-words.ts';
import type { ListIndexes } from '../results/alert-source.ts';
import { type AlertListParameters, readSort, type SortOrder, writeSort } from './alert-search.ts';

export type View = components['schemas']['View'];

/** The part of a search that a view has. */
type ViewSearch = Pick<AlertListParameters, 'q' | 'sort' | 'span'>;

/** The spans of the public interface (`date.range.1.month`) as ranges of ours. */
const SPAN = /^date\.range\.(\d+)\.(day|week|month|year)s?$/;
const UNITS: Readonly<Record<string, string>> = { day: 'd', week: 'w', month: 'M', year: 'y' };

/**
 * Returns the search of a view, for an address that names the view alone. What the address says itself
 * comes first.
 */
export function parametersOfView(view: View, own: AlertListParameters): AlertListParameters {
  return { ...searchOfView(view), ...withoutUndefined(own) };
}

/**
 * Returns the parameters of an address that names a view: what differs from the search of the view. An
 * empty string takes a part of it away.
 */
export function parametersInView(view: View | undefined, { q, span }: ViewSearch): ViewSearch {
  if (view === undefined) return { q, span };
  const own = searchOfView(view);
  const different = (wanted = '', ofView = '') => (wanted === ofView ? undefined : wanted);
  return { q: different(q, own.q), span: different(span, own.span) };
}

/** Returns the parameter for an order, in a view also for the usual one where the view has another. */
export function sortInView(view: View | undefined, { field, direction }: SortOrder): string | undefined {
  const ofView = readSort(view?.sort);
  return ofView.field === field && ofView.direction === direction ? undefined : writeSort({ field, direction });
}

/** Returns the kinds of records that a view searches: alerts, and events where it says so. */
export function indexesOfView(view: Pick<View, 'indexes'> | undefined): ListIndexes {
  return view?.indexes.includes('event') ? 'hit,event' : 'hit';
}

function searchOfView(view: View): ViewSearch {
  const query = view.query ?? undefined;
  return {
    q: query === undefined ? undefined : collapseWords(query),
    sort: view.sort ?? undefined,
    span: spanOf(view.span),
  };
}

function spanOf(span: string | null | undefined): string | undefined {
  const [, count, unit = ''] = SPAN.exec(span ?? '') ?? [];
  return count === undefined ? undefined : `${count}${UNITS[unit]}`;
}

function withoutUndefined(parameters: AlertListParameters): AlertListParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}
