import { Page } from '../../design/layout/page.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useAccount } from '../../shell/session-context.tsx';
import { NEW_OBJECT } from '../saved/object-parameters.ts';
import { useObjectAddress } from '../saved/use-object-address.ts';
import { ActionEditor } from './action-editor.tsx';
import { ActionList } from './action-list.tsx';
import { rightsOf } from './action-rights.ts';
import { actionsRoute } from './routes.ts';

/** The saved actions: their list, or one of them. */
export function ActionsPage() {
  const { t } = useTranslation();
  const { query } = actionsRoute.useSearch();
  const address = useObjectAddress('/actions');
  const { id, open } = address;
  const { data: account, error, refetch } = useAccount();
  if (account === undefined || !rightsOf(account, undefined).mayRun) {
    return (
      <Page title={t('actions.title')}>
        {account !== undefined && <EmptyState title={t('actions.refused')}>{t('actions.refusedText')}</EmptyState>}
        {account === undefined && error === null && <Loading />}
        {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  if (id === undefined) return <ActionList person={account} address={address} />;
  return <ActionEditor key={id} id={id === NEW_OBJECT ? undefined : id} query={query} person={account} onOpen={open} />;
}
