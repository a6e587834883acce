import { useNavigate } from '@tanstack/react-router';
import { Page } from '../../../design/layout/page.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { type Filter, valueFilter } from '../../query/model/filter.ts';
import { parametersOf } from '../list/search/alert-search.ts';
import { AlertPane } from './alert-pane.tsx';
import { alertRoute } from './alert-routes.ts';
import { useAlert } from './use-alert.ts';

/** An alert alone on its page, as links lead to it. Its values lead to searches of the list, beside it. */
export function AlertPage() {
  const { t } = useTranslation();
  const { id } = alertRoute.useParams();
  const { tab } = alertRoute.useSearch();
  const navigate = useNavigate();
  const alert = useAlert(id).data?.alert;
  const names = [alert?.howler.analytic, alert?.howler.detection].filter(Boolean);
  const search = (text: string, filters: readonly Filter[]) => {
    void navigate({ to: '/alerts', search: { ...parametersOf({ text, filters, range: undefined }), id } });
  };
  return (
    <Page title={names.join(' · ') || t('alert.title')} classification={alert?.classification} fit="fill">
      <AlertPane
        id={id}
        isTitled
        tab={tab}
        onTab={(next) => void navigate({ to: '/alerts/$id', params: { id }, search: { tab: next }, replace: true })}
        onClose={() => void navigate({ to: '/alerts' })}
        onFilter={(field, value, kind) => search('', [valueFilter(field, value, { excluded: kind === 'exclude' })])}
        onSearch={(query) => search(query, [])}
      />
    </Page>
  );
}
