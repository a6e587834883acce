import type { ListIndexes } from '../alerts/list/results/alert-source.ts';
import { orderText } from '../alerts/list/results/row-order.ts';
import type { AlertListParameters } from '../alerts/list/search/alert-search.ts';
import { queryStateOf, readSort, requestOf } from '../alerts/list/search/alert-search.ts';
import { indexesOfView, parametersOfView, type View } from '../alerts/list/search/view-search.ts';
import type { TimeContext } from '../query/model/time-range.ts';

/** The members of a search that a card sends to the alert service. */
export interface CardSearch {
  readonly query: string;
  readonly filters: readonly string[];
  readonly sort: string;
  readonly indexes: ListIndexes;
}

/**
 * Returns the search that the list of alerts makes at the same address, so that a card shows its first
 * rows.
 * @param view the view that the address names
 */
export function cardSearch(list: AlertListParameters, view: View | undefined, context: TimeContext): CardSearch {
  const parameters = view === undefined ? list : parametersOfView(view, list);
  const { query, filters } = requestOf(queryStateOf(parameters), context);
  return { query, filters, sort: orderText(readSort(parameters.sort)), indexes: indexesOfView(view) };
}
