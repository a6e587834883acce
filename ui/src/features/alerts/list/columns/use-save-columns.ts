import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf } from '../../../../api/clients.ts';
import { messageOf } from '../../../../api/problem.ts';
import { showToast } from '../../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { mayChange, useMe } from '../../../../shell/ownership.ts';
import { viewsQuery } from '../../../query/sources/saved-views.ts';
import type { ListSearch } from '../use-list-search.ts';
import { gridColumns } from './view-columns.ts';

/** Returns what saves the columns of the list with its view; undefined where the person may not. */
export function useSaveColumns({ view, columns, widths }: ListSearch): (() => void) | undefined {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  if (view === undefined || view.type === 'readonly' || !mayChange(me, view)) return undefined;
  const { view_id, title, settings } = view;
  const save = async () => {
    try {
      const body = { settings: { ...settings, columns: gridColumns({ columns, widths }) } };
      await dataOf(alerts.PUT('/api/v1/view/{view_id}', { params: { path: { view_id } }, body }));
      await queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey });
      showToast(t('alerts.columnsSaved', { title }));
    } catch (error) {
      showToast(messageOf(error), { kind: 'problem' });
    }
  };
  return () => void save();
}
