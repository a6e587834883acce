import { useQuery } from '@tanstack/react-query';
import { dataOf, enrichment, READ_HEADERS } from '../../../api/clients.ts';
import { Value } from '../../../design/data/values/value.tsx';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useConfiguration } from '../../../shell/session-context.tsx';
import { type Annotation, annotationsOf } from './annotations.ts';
import type { FieldValue } from './field-values.ts';
import styles from './look-up-dialog.module.css';

const STALE_TIME = 300_000;

/** Draws what local sources of the enrichment service know about a value. */
export function LookUpDialog({
  of: { field, value },
  onClose,
}: {
  readonly of: FieldValue;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const mapped = useConfiguration().data?.configuration.mapping[field];
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['enrichment', 'annotations', value, mapped],
    queryFn: ({ signal }) => lookUp(value, mapped, signal),
    staleTime: STALE_TIME,
  });
  return (
    <Dialog open onClose={onClose} title={t('alert.lookUp.title')} description={<Value value={value} copy />}>
      {isPending && <Loading />}
      {error && <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={t('alert.lookUp.nothing')} />}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.list}>
          {data.map((annotation) => (
            <Entry
              key={`${annotation.source} ${annotation.kind} ${annotation.value} ${annotation.summary}`}
              annotation={annotation}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Entry({ annotation }: { readonly annotation: Annotation }) {
  const { source, kind, value, summary } = annotation;
  return (
    <li className={styles.entry}>
      <span className={styles.source}>
        <Value value={source} inline /> · <Value value={kind} inline />
      </span>
      <span>
        <Value value={value} limit={200} />
      </span>
      {summary !== '' && summary !== value && (
        <span className={styles.summary}>
          <Value value={summary} limit={400} />
        </span>
      )}
    </li>
  );
}

/** Asks for the type of a value where its field does not say it, then for its annotations. */
async function lookUp(value: string, mapped: string | undefined, signal: AbortSignal): Promise<readonly Annotation[]> {
  const type = mapped ?? (await typeOf(value, signal));
  if (type === undefined) return [];
  const request = enrichment.POST('/api/v1/lookup/enrich', { body: [{ type, value }], headers: READ_HEADERS, signal });
  return annotationsOf(await dataOf(request));
}

async function typeOf(text: string, signal: AbortSignal): Promise<string | undefined> {
  const request = enrichment.POST('/api/v1/lookup/extract', { body: { text }, headers: READ_HEADERS, signal });
  return (await dataOf(request))[0]?.type;
}
