import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Value } from '../../../../design/data/values/value.tsx';
import { Dialog } from '../../../../design/overlays/dialog.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useConfiguration } from '../../../../shell/session-context.tsx';
import { answersOf, askable, extractSelectors, type Source, sourcesQuery } from '../../../look-up/ask.ts';
import { AskMenu } from '../../../look-up/ask-menu.tsx';
import { type Finding, findingRows, opinionOf, worstOpinions } from '../../../look-up/findings.ts';
import { OpinionMark } from '../../../look-up/opinion-mark.tsx';
import type { Selector } from '../../../look-up/text-rows.ts';
import type { FieldValue } from './field-values.ts';
import styles from './look-up-dialog.module.css';

const STALE_TIME = 300_000;

/**
 * Draws what local sources of the enrichment service know about a value. Sources outside of the
 * installation are asked one by one, after a question.
 */
export function LookUpDialog({
  of: { field, value },
  onClose,
}: {
  readonly of: FieldValue;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const mapped = useConfiguration().data?.configuration.mapping[field];
  const [named, setNamed] = useState<readonly Source[]>([]);
  const sources = useQuery(sourcesQuery);
  const found = useQuery({
    queryKey: ['enrichment', 'selectors', value, mapped],
    queryFn: ({ signal }) => selectorsOf(value, mapped, signal),
    staleTime: STALE_TIME,
  });
  const selectors = found.data ?? [];
  const local = (sources.data ?? []).filter(({ reach }) => reach === 'local');
  const isKnown = sources.data !== undefined && found.data !== undefined;
  const answers = useQueries({
    queries: (isKnown ? [local, ...named.map((source) => [source])] : []).map((group) => ({
      queryKey: ['enrichment', 'annotations', value, mapped, group.map(({ name }) => name)],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(group, selectors, signal),
      staleTime: STALE_TIME,
      // Each further request would be seen by the source, which one click named once.
      ...(group === local ? {} : { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false }),
    })),
  });
  const findings = answers.flatMap(({ data }) => data?.findings ?? []);
  const rows = findingRows(selectors, findings, worstOpinions(findings)).filter(({ finding }) => finding);
  const errors = answers.flatMap(({ data }) => [...(data?.errors ?? [])]);
  const problem = sources.error ?? found.error ?? answers.find(({ error }) => error)?.error;
  const isPending = problem == null && (!isKnown || answers.some((answer) => answer.isPending));
  const retry = () =>
    void Promise.all([
      sources.refetch(),
      found.refetch(),
      ...answers.filter(({ error }) => error).map(({ refetch }) => refetch()),
    ]);
  return (
    <Dialog open onClose={onClose} title={t('alert.lookUp.title')} description={<Value value={value} copy />}>
      {isPending && <Loading />}
      {problem != null && <ProblemPanel problem={problem} onRetry={retry} />}
      {!isPending && problem == null && rows.length === 0 && <EmptyState title={t('alert.lookUp.nothing')} />}
      {rows.length > 0 && (
        <ul className={styles.list}>
          {rows.map(
            ({ finding }) =>
              finding && <Entry key={JSON.stringify(finding)} finding={finding} isOneOfMany={selectors.length > 1} />,
          )}
        </ul>
      )}
      {errors.map(([source, error]) => (
        <p key={source} className={styles.error}>
          {t('lookUp.failed', { source })} {error}
        </p>
      ))}
      {selectors.length > 0 && (
        <AskMenu
          selectors={selectors}
          sources={sources.data ?? []}
          onAsk={(source) => {
            const asked = named.findIndex(({ name }) => name === source.name);
            if (asked === -1) setNamed([...named, source]);
            else void answers[asked + 1]?.refetch();
          }}
        />
      )}
    </Dialog>
  );
}

function Entry({ finding, isOneOfMany }: { readonly finding: Finding; readonly isOneOfMany: boolean }) {
  const { source, kind, statement, summary } = finding;
  const opinion = opinionOf(finding);
  return (
    <li className={styles.entry}>
      <span className={styles.source}>
        {isOneOfMany && <Value value={finding.value} inline />} <Value value={source} inline /> ·{' '}
        <Value value={kind} inline />
      </span>
      {opinion === 'none' ? <Value value={statement} limit={200} /> : <OpinionMark opinion={opinion} />}
      {summary !== '' && summary !== statement && (
        <span className={styles.summary}>
          <Value value={summary} limit={400} />
        </span>
      )}
    </li>
  );
}

function ask(sources: readonly Source[], selectors: readonly Selector[], signal: AbortSignal) {
  const names = sources.map(({ name }) => name);
  const values = selectors.filter((selector) => sources.some((source) => askable(source, [selector]).length > 0));
  return answersOf(names, values, signal);
}

/**
 * Returns the values in a string with their types, which also says whether an address is public; or
 * else the whole string with the type of its field.
 */
async function selectorsOf(value: string, mapped: string | undefined, signal: AbortSignal): Promise<Selector[]> {
  const found = await extractSelectors(value, signal);
  if (found.length > 0 || mapped === undefined) return found;
  return [{ type: mapped, value, start: 0, end: value.length }];
}
