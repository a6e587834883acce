import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { quotedPhrase } from '../../../../../src/datastore/query-language/written-values.ts';
import { searchKind } from '../../../api/alert-searches.ts';
import { valueAt } from '../../../json/members.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { queryOfIds } from '../../query/model/record-queries.ts';
import { alertQuery } from '../alert/alert-query.ts';
import { type Alert, triageOf, withTriage } from '../triage/alert.ts';
import { type AlertUpdate, alertCopies } from '../triage/requests/alert-copies.ts';
import { type Selection, targetOf } from '../triage/targets.ts';
import { type TriageControls, useTriage } from '../triage/use-triage.tsx';
import { isEvent } from './results/alert-source.ts';
import { useExpiredRows } from './results/use-expired-rows.ts';
import type { AlertList } from './use-alert-list.ts';

/** Returns the triage of what is selected in a list, or else of the open alert, or of the active row. */
export function useListTriage(list: AlertList): TriageControls {
  const queries = useQueryClient();
  const { activeIndex = -1, total } = list;
  const readAgain = useExpiredRows(list.results);
  const onUpdate = useEffectEvent((update: AlertUpdate) => {
    if ('isExpired' in update) {
      readAgain(update.id);
      return;
    }
    list.results?.update((row) => {
      if (row.howler.id !== update.id) return row;
      return 'alert' in update ? update.alert : withTriage(row, update.triage);
    });
  });
  useEffect(() => alertCopies(queries).subscribe((update) => onUpdate(update)), [queries]);
  const hasNext = activeIndex + 1 < total;
  const advances = useAdvances(list.parameters.view);
  // The pane reads the open alert; it need not be among the rows.
  const { data: open } = useQuery({ ...alertQuery(list.opened.id ?? ''), enabled: false });
  const triage = useTriage({
    advances,
    selection: selectionOf(list, open?.alert),
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

/**
 * Returns the selection; a change of an alert that was seen otherwise in the list is a conflict.
 * @param alert the open alert, once it is read
 */
function selectionOf(
  { selection, selected, results, activeIndex = -1, opened }: AlertList,
  alert: Alert | undefined,
): Selection {
  const rows = new Map([...(results?.rows() ?? [])].map(([, row]) => [row.howler.id, row]));
  const seen = (id: string) => {
    const row = rows.get(id);
    return row === undefined ? undefined : triageOf(row);
  };
  if (selection.all) {
    const { except } = selection;
    // The rows in sight may still be those of the search before: they are what was selected.
    if (results?.total === undefined) return [];
    // Where every row is in memory, alerts that match only by now are left alone.
    if (rows.size >= results.total) {
      return [...rows.values()].filter(({ howler }) => !except.has(howler.id)).map(targetOf);
    }
    const { query, filters } = results.search.request;
    const others = except.size === 0 ? filters : [...filters, `NOT ${queryOfIds([...except])}`];
    return { query, filters: others, total: Math.max(0, results.total - except.size), seen };
  }
  if (selected > 0) {
    const found = [...selection.ids].flatMap((id) => rows.get(id) ?? []);
    // Rows that are not in memory any more are read again, when something is done with them.
    if (found.length < selected) return { query: queryOfIds([...selection.ids]), filters: [], total: selected, seen };
    return found.map(targetOf);
  }
  const { id } = opened;
  const active = id === undefined ? results?.rowAt(activeIndex) : (alert ?? rows.get(id));
  // Events have no triage.
  return active === undefined || isEvent(active) ? [] : [targetOf(active)];
}
