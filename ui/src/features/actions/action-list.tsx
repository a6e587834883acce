import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { Tags } from '../../design/data/values/tags.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SearchField } from '../../design/forms/search-field.tsx';
import { Page } from '../../design/layout/page.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { collapseWords } from '../query/words/collapse-words.ts';
import { CreateButton } from '../saved/create-button.tsx';
import { NEW_OBJECT } from '../saved/object-parameters.ts';
import type { ObjectAddress } from '../saved/use-object-address.ts';
import { actionsQuery } from './action-api.ts';
import { type Person, rightsOf } from './action-rights.ts';
import { operationName } from './action-words.ts';
import styles from './actions.module.css';

interface Props {
  readonly person: Person;
  readonly address: ObjectAddress;
}

/** The service lists no more. */
const MAX_LISTED = 250;

/** The list of saved actions. */
export function ActionList({ person, address }: Props) {
  const { t, i18n } = useTranslation();
  const { words, search, open } = address;
  const { data, error, refetch } = useQuery(actionsQuery);
  const { mayCreate } = rightsOf(person, undefined);
  const isWanted = (text: string) => text.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase());
  const shown = data
    ?.filter(({ name, query, owner }) => isWanted(`${name} ${query} ${owner}`))
    .toSorted((one, other) => one.name.localeCompare(other.name, i18n.language));
  const create = mayCreate && <CreateButton label={t('actions.create')} onCreate={() => open(NEW_OBJECT)} />;
  return (
    <Page title={t('actions.title')} description={t('actions.description')} actions={create}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {!mayCreate && <p className={styles.hint}>{t('actions.editRefused')}</p>}
      {data?.length === 0 && (
        <EmptyState icon={Zap} title={t('actions.empty')}>
          {t('actions.emptyText')}
        </EmptyState>
      )}
      {shown !== undefined && data !== undefined && data.length > 0 && (
        <div className={styles.list}>
          <div className={styles.picker}>
            <SearchField label={t('common.search')} value={words} onChange={search} />
          </div>
          <SimpleTable
            isPageList
            label={t('actions.title')}
            rows={shown}
            keyOf={(action) => action.action_id}
            columns={[
              {
                id: 'name',
                title: t('common.name'),
                cell: (action) => (
                  <Link to="/actions" search={(before) => ({ ...before, id: action.action_id })}>
                    <bdi>{action.name}</bdi>
                  </Link>
                ),
              },
              {
                id: 'query',
                title: t('actions.query'),
                cell: ({ query }) => <Value value={query && collapseWords(query)} limit={120} />,
              },
              {
                id: 'steps',
                title: t('actions.steps'),
                cell: ({ operations }) => operations.map(({ operation_id: id }) => operationName(t, id)).join(', '),
              },
              {
                id: 'triggers',
                title: t('actions.triggers'),
                cell: ({ triggers }) => <Tags values={triggers.map((one) => t(`actions.trigger.${one}`))} />,
              },
              { id: 'owner', title: t('actions.owner'), cell: ({ owner }) => <UserName user={owner} /> },
            ]}
          />
          {data.length >= MAX_LISTED && <p className={styles.hint}>{t('actions.more', { count: MAX_LISTED })}</p>}
        </div>
      )}
    </Page>
  );
}
