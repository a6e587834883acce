import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { SearchField } from '../../design/forms/search-field.tsx';
import { Page } from '../../design/layout/page.tsx';
import { type SimpleColumn, SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import styles from './saved.module.css';

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
  /** The open object, `new` for another one, undefined for the list. */
  readonly id: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  /** Draws the editor of an object; undefined: a new one. */
  readonly children: (item: Item | undefined) => ReactNode;
}

/** Draws the list of objects of one kind, or the editor of the open one. */
export function ObjectPage<Item>(props: Props<Item>) {
  const { title, createLabel, empty, result, idOf, nameOf, columns, id, onOpen, children } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { data, error, refetch } = result;
  useCommands([{ id: 'create', run: () => onOpen('new') }]);
  const item = data?.find((one) => idOf(one) === id);
  const heading = id === 'new' ? createLabel : item === undefined ? title : nameOf(item);
  const rows = (data ?? []).filter((one) => nameOf(one).toLowerCase().includes(typed.toLowerCase()));
  const list = () => (
    <div className={styles.list}>
      <div className={styles.search}>
        <SearchField label={t('common.search')} value={typed} onChange={setTyped} />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={typed === '' ? t('common.none') : t('saved.noMatch')}>
          {typed === '' ? empty : null}
        </EmptyState>
      ) : (
        <SimpleTable
          label={title}
          rows={rows}
          keyOf={idOf}
          columns={[
            {
              id: 'name',
              title: t('common.name'),
              cell: (row) => (
                <Button kind="quiet" onClick={() => onOpen(idOf(row))}>
                  {nameOf(row)}
                </Button>
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
    if (id !== 'new' && item === undefined) return <EmptyState title={t('saved.missing')} />;
    return <Suspense fallback={<Loading />}>{children(item)}</Suspense>;
  };
  const create = (
    <Button icon={Plus} onClick={() => onOpen('new')}>
      {createLabel}
    </Button>
  );
  return (
    <Page title={heading} actions={id === undefined ? create : undefined}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {content()}
    </Page>
  );
}
