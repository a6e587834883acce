import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { quotedPhrase } from '../../../../../src/datastore/query-language/written-values.ts';
import { searchKind } from '../../../api/alert-searches.ts';
import { valueAt } from '../../../json/members.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { queryOfIds } from '../../query/model/record-queries.ts';
import { triageOf, withTriage } from '../triage/alert.ts';
import { type AlertNews, alertCopies } from '../triage/requests/alert-copies.ts';
import { type Selection, targetOf } from '../triage/targets.ts';
import { type TriageControls, useTriage } from '../triage/use-triage.tsx';
import { useExpiredRows } from './results/use-expired-rows.ts';
import type { AlertList } from './use-alert-list.ts';

/** Returns the triage of what is selected in a list, or else of its active row. */
export function useListTriage(list: AlertList): TriageControls {
  const queries = useQueryClient();
  const { activeIndex = -1, total } = list;
  const readAgain = useExpiredRows(list.results);
  const onNews = useEffectEvent((news: AlertNews) => {
    if ('isExpired' in news) {
      readAgain(news.id);
      return;
    }
    list.results?.update((row) => {
      if (row.howler.id !== news.id) return row;
      return 'alert' in news ? news.alert : withTriage(row, news.triage);
    });
  });
  useEffect(() => alertCopies(queries).subscribe((news) => onNews(news)), [queries]);
  const hasNext = activeIndex + 1 < total;
  const advances = useAdvances(list.parameters.view);
  const triage = useTriage({
    advances,
    selection: selectionOf(list),
    onAdvance: hasNext ? () => list.activate(activeIndex + 1) : undefined,
  });
  useCommands(triage.commands);
  return triage;
}

/** Returns whether the view whose search this is opens the next alert after a verdict or a take. */
function useAdvances(view: string | undefined): boolean {
  const { data } = useQuery({
    queryKey: ['alerts', 'view', 'advances', view],
    queryFn: async ({ signal }) => {
      const search = { query: `view_id:${quotedPhrase(view ?? '')}`, rows: 1 };
      const [found = {}] = await searchKind('view', search, signal);
      return valueAt(found, 'settings.advance_on_triage') === true;
    },
    enabled: view !== undefined,
  });
  return data ?? false;
}

/** Returns the selection; a change of an alert that was seen otherwise in the list is a conflict. */
function selectionOf({
  selection,
  selected,
  total,
  request,
  results,
  activeIndex = -1,
  parameters,
}: AlertList): Selection {
  const rows = new Map([...(results?.rows() ?? [])].map(([, row]) => [row.howler.id, row]));
  const seen = (id: string) => {
    const row = rows.get(id);
    return row === undefined ? undefined : triageOf(row);
  };
  if (selection.all) {
    const { except } = selection;
    const filters = except.size === 0 ? request.filters : [...request.filters, `NOT ${queryOfIds([...except])}`];
    return { query: request.query, filters, total: Math.max(0, total - except.size), seen };
  }
  if (selected > 0) {
    const found = [...selection.ids].flatMap((id) => rows.get(id) ?? []);
    // Rows that are not in memory any more are read again, when something is done with them.
    if (found.length < selected) return { query: queryOfIds([...selection.ids]), filters: [], total: selected, seen };
    return found.map(targetOf);
  }
  const active = parameters.id === undefined ? results?.rowAt(activeIndex) : rows.get(parameters.id);
  return active === undefined ? [] : [targetOf(active)];
}
