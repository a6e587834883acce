import { useNavigate } from '@tanstack/react-router';
import { Page } from '../../../design/layout/page.tsx';
import { AlertPane } from './alert-pane.tsx';
import { alertRoute } from './alert-routes.ts';
import { useAlert } from './use-alert.ts';

/** An alert alone on its page, as links lead to it. */
export function AlertPage() {
  const { id } = alertRoute.useParams();
  const { tab } = alertRoute.useSearch();
  const navigate = useNavigate();
  const alert = useAlert(id).data?.alert;
  const title = alert === undefined ? id : [alert.howler.analytic, alert.howler.detection].filter(Boolean).join(' · ');
  return (
    <Page title={title} classification={alert?.classification} fit="fill">
      <AlertPane
        id={id}
        tab={tab}
        onTab={(next) => void navigate({ to: '/alerts/$id', params: { id }, search: { tab: next }, replace: true })}
        onClose={() => void navigate({ to: '/alerts' })}
      />
    </Page>
  );
}
