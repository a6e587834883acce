import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countRecords } from '../../../../api/alert-searches.ts';
import { alerts, dataOf } from '../../../../api/clients.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { Value } from '../../../../design/data/values/value.tsx';
import { RadioGroup } from '../../../../design/forms/radio-group.tsx';
import { Dialog, DialogFooter } from '../../../../design/overlays/dialog.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { queryOfIds } from '../../../query/model/record-queries.ts';
import type { Outcome } from '../alert-api.ts';
import { forEachLimited } from '../concurrency.ts';
import { type FoundAction, searchActions } from '../searches.ts';
import { countOf, isMatching, type Selection } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import styles from './dialogs.module.css';

const COUNTS_AT_ONCE = 4;

/** Draws the saved actions that match the alerts, runs one of them and shows its report. */
export function ActionDialog({ selection, tools, onClose }: TriageDialogProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [report, setReport] = useState<readonly Outcome[] | undefined>(undefined);
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const { query, filters } = queryOf(selection);
  const actions = useQuery({
    queryKey: ['alerts', 'actions', 'matching', query, filters],
    queryFn: ({ signal }) => matchingActions(query, filters, signal),
    staleTime: 0,
  });
  const run = async () => {
    const action = actions.data?.find(({ id }) => id === chosen);
    if (action === undefined) return;
    setBusy(true);
    try {
      const asked = [query, ...filters, action.query].map((part) => `(${part})`).join(' AND ');
      const options = { params: { path: { id: action.id } }, body: { request_id: crypto.randomUUID(), query: asked } };
      const answer = await dataOf(alerts.POST('/api/v1/action/{id}/execute', options));
      setReport(Object.values(answer).flat());
      if (!isMatching(selection)) tools.copies.expire(selection.map(({ id }) => id));
    } catch (error) {
      setProblem(error);
    }
    setBusy(false);
  };
  return (
    <Dialog open onClose={onClose} title={t('alert.action.title', { count: countOf(selection) })}>
      {report !== undefined ? (
        <Report outcomes={report} onClose={onClose} />
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          {actions.isPending && <Loading />}
          {actions.error && <ProblemPanel problem={actions.error} />}
          {actions.data?.length === 0 && <EmptyState title={t('alert.action.none')} />}
          {actions.data !== undefined && actions.data.length > 0 && (
            <RadioGroup
              label={t('alert.action.choose')}
              options={actions.data.map(({ id, name, count }) => ({
                value: id,
                label: name,
                detail: t('alert.action.matches', { count }),
              }))}
              value={chosen}
              onChange={setChosen}
            />
          )}
          {problem !== undefined && <ProblemPanel problem={problem} />}
          <DialogFooter>
            <Button type="submit" kind="primary" busy={isBusy} disabled={chosen === undefined}>
              {t('alert.action.run')}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}

function Report({ outcomes, onClose }: { readonly outcomes: readonly Outcome[]; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={styles.report} aria-label={t('alert.action.report')}>
        {outcomes.map(({ outcome, title, message, query }) => (
          <li key={`${outcome} ${title} ${query}`} data-outcome={outcome}>
            <strong>{t(`alert.action.outcomes.${outcome}`)}</strong> <Value value={message} limit={300} />
          </li>
        ))}
      </ul>
      <DialogFooter>
        <Button kind="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogFooter>
    </>
  );
}

function queryOf(selection: Selection): { readonly query: string; readonly filters: readonly string[] } {
  if (isMatching(selection)) return selection;
  return { query: queryOfIds(selection.map(({ id }) => id)), filters: [] };
}

type MatchingAction = FoundAction & { readonly count: number };

/** Returns the saved actions whose query has some of the alerts, with how many. */
async function matchingActions(
  query: string,
  filters: readonly string[],
  signal: AbortSignal,
): Promise<readonly MatchingAction[]> {
  const actions = await searchActions(signal);
  const counts = new Map<string, number>();
  await forEachLimited(actions, COUNTS_AT_ONCE, async (action) => {
    const count = await countRecords({ query, filters: [...filters, action.query] }, { signal });
    counts.set(action.id, count);
  });
  return actions.flatMap((action) => {
    const count = counts.get(action.id) ?? 0;
    return count === 0 ? [] : [{ ...action, count }];
  });
}
