import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { SearchField } from '../../design/forms/search-field.tsx';
import { Page } from '../../design/layout/page.tsx';
import { type SimpleColumn, SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { CreateButton } from './create-button.tsx';
import { NEW_OBJECT } from './object-parameters.ts';
import styles from './saved.module.css';
import type { ObjectAddress } from './use-object-address.ts';

interface Props<Item> {
  readonly title: string;
  readonly createLabel: string;
  /** Says that nothing was made yet, and why one would. */
  readonly empty: ReactNode;
  readonly result: UseQueryResult<readonly Item[]>;
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** The columns after the name. */
  readonly columns: readonly SimpleColumn<Item>[];
  readonly address: ObjectAddress;
  /** Draws the editor of an object; undefined: a new one. */
  readonly children: (item: Item | undefined) => ReactNode;
}

/** Draws the list of objects of one kind, or the editor of the open one. */
export function ObjectPage<Item>(props: Props<Item>) {
  const { title, createLabel, empty, result, idOf, nameOf, columns, address, children } = props;
  const { path, id, words, open, search } = address;
  const { t } = useTranslation();
  const { data, error, refetch } = result;
  const item = data?.find((one) => idOf(one) === id);
  const heading = id === NEW_OBJECT ? createLabel : item === undefined ? title : nameOf(item);
  const rows = (data ?? []).filter((one) => nameOf(one).toLowerCase().includes(words.trim().toLowerCase()));
  const list = () => (
    <div className={styles.list}>
      <div className={styles.search}>
        <SearchField label={t('common.search')} value={words} onChange={search} />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={words === '' ? t('common.none') : t('saved.noMatch')}>
          {words === '' ? empty : null}
        </EmptyState>
      ) : (
        <SimpleTable
          isPageList
          label={title}
          rows={rows}
          keyOf={idOf}
          columns={[
            {
              id: 'name',
              title: t('common.name'),
              cell: (row) => (
                <Link to={path} search={(before) => ({ ...before, id: idOf(row) })}>
                  <bdi>{nameOf(row)}</bdi>
                </Link>
              ),
            },
            ...columns,
          ]}
        />
      )}
    </div>
  );
  const content = () => {
    if (data === undefined) return error === null ? <Loading /> : null;
    if (id === undefined) return list();
    if (id !== NEW_OBJECT && item === undefined) return <EmptyState title={t('saved.missing')} />;
    return <Suspense fallback={<Loading />}>{children(item)}</Suspense>;
  };
  const create = id === undefined ? <CreateButton label={createLabel} onCreate={() => open(NEW_OBJECT)} /> : undefined;
  return (
    <Page title={heading} actions={create}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {content()}
    </Page>
  );
}
