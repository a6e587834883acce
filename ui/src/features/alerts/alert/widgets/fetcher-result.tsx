import { useQuery } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { dataOf, enrichment } from '../../../../api/clients.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { ExternalLink } from '../../../../design/data/records/external-link.tsx';
import { JsonView } from '../../../../design/data/records/json-view.tsx';
import { Markdown } from '../../../../design/data/records/markdown.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { sourcesQuery } from '../../../look-up/ask.ts';
import { AskQuestion } from '../../../look-up/ask-question.tsx';
import { fetchedData, fetcherName } from './fetched-data.ts';
import styles from './widgets.module.css';

interface Props {
  /** `source.fetcher` */
  readonly fetcher: string;
  readonly type: string;
  readonly value: string;
}

const STALE_TIME = 300_000;

/**
 * Draws what a fetcher of the enrichment service finds about a value. A source of this installation is
 * asked at once, another one after a question that names it.
 */
export function FetcherResult({ fetcher: id, type, value }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [isAllowed, setAllowed] = useState(false);
  const { source: name, fetcher } = fetcherName(id);
  const sources = useQuery(sourcesQuery);
  const source = sources.data?.find((one) => one.name === name);
  const isRun = source !== undefined && (source.reach === 'local' || isAllowed);
  const result = useQuery({
    queryKey: ['enrichment', 'fetched', name, fetcher, type, value],
    queryFn: ({ signal }) => {
      const params = { path: { plugin_id: name, fetcher_id: fetcher } };
      return dataOf(
        enrichment.POST('/api/v1/fetchers/{plugin_id}/{fetcher_id}', { params, body: { type, value }, signal }),
      );
    },
    enabled: isRun,
    staleTime: STALE_TIME,
    // Each further request would be seen by the source, which one press named once.
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const problem = sources.error ?? result.error;
  if (problem !== null) {
    const again = sources.error === null ? result.refetch : sources.refetch;
    return <ProblemPanel problem={problem} onRetry={() => void again()} />;
  }
  if (sources.data === undefined) return <Loading />;
  if (source === undefined) {
    return (
      <span>
        {t('alert.widgets.noSource')} <Value value={id} copy />
      </span>
    );
  }
  if (!isRun) {
    return (
      <>
        <span className={styles.line}>
          <Value value={value} limit={120} />
          <Button icon={Globe} onClick={() => setAsking(true)}>
            {t('lookUp.ask', { name })}
          </Button>
        </span>
        <AskQuestion
          open={isAsking}
          source={source}
          values={[{ type, value }]}
          onClose={() => setAsking(false)}
          onAsk={() => setAllowed(true)}
        />
      </>
    );
  }
  if (result.data === undefined) return <Loading />;
  const { outcome, error, format, data, link } = result.data;
  return (
    <div className={styles.box}>
      {outcome === 'failure' ? (
        <p className={styles.failure}>
          {t('alert.widgets.failed', { name })} <Value value={error ?? ''} />
        </p>
      ) : (
        <Data format={format} data={data} />
      )}
      {link !== undefined && <ExternalLink href={link} />}
    </div>
  );
}

function Data({ format, data }: { readonly format: string; readonly data: unknown }) {
  const { t, i18n } = useTranslation();
  const found = fetchedData(format, data, i18n.language);
  switch (found.kind) {
    case 'markdown':
      return <Markdown text={found.text} />;
    case 'picture':
      return <img className={styles.picture} src={found.address} alt={found.words} />;
    case 'link':
      return <ExternalLink href={found.address}>{found.words || found.address}</ExternalLink>;
    case 'words':
      return <Value value={found.text} lines limit={2_000} />;
    case 'nothing':
      return <p className={styles.quiet}>{t('alert.widgets.nothing')}</p>;
    case 'json':
      return <JsonView value={found.value} />;
  }
}
