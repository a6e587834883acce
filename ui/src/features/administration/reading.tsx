import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Toolbar, ToolbarSpace } from '../../design/layout/page.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';

/** States change while one looks at them: they are read again every ten seconds. */
const REFETCH_MS = 10_000;

interface Answered<Data> {
  readonly data?: Data | undefined;
}

/** Reads one thing of the operations API, again and again while it is shown. */
export function useOperation<Data>(
  key: readonly unknown[],
  read: (signal: AbortSignal) => Promise<Answered<Data>>,
): UseQueryResult<Data> {
  return useQuery({
    queryKey: ['operations', ...key],
    queryFn: async ({ signal }) => (await read(signal)).data as Data,
    refetchInterval: REFETCH_MS,
    placeholderData: (before) => before,
  });
}

interface Props<Data> {
  readonly label: string;
  readonly result: UseQueryResult<Data>;
  /** Controls of the line above. */
  readonly tools?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Draws what was read, or why it could not be, with a button that reads it again. */
export function Reading<Data>({ label, result, tools, children }: Props<Data>) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = result;
  return (
    <div className={styles.reading}>
      <Toolbar label={label}>
        {tools}
        <ToolbarSpace />
        <Button kind="quiet" icon={RefreshCw} busy={isFetching} onClick={() => void refetch()}>
          {t('administration.refresh')}
        </Button>
      </Toolbar>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading /> : children(data)}
    </div>
  );
}
