import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countRecords } from '../../../../api/alert-searches.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { RadioGroup } from '../../../../design/forms/choices/radio-group.tsx';
import { Dialog, DialogFooter } from '../../../../design/overlays/dialog.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { forEachLimited } from '../bulk/concurrency.ts';
import { performAction } from '../perform.ts';
import { type FoundAction, searchActions } from '../requests/searches.ts';
import { countOf, queryOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import styles from './dialogs.module.css';

const COUNTS_AT_ONCE = 4;

/** Draws the saved actions that match the alerts, and runs one of them in the background. */
export function ActionDialog({ selection, tools, onClose }: TriageDialogProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const { query, filters } = queryOf(selection);
  const actions = useQuery({
    queryKey: ['alerts', 'actions', 'matching', query, filters],
    queryFn: ({ signal }) => matchingActions(query, filters, signal),
    staleTime: 0,
  });
  const run = () => {
    const action = actions.data?.find(({ id }) => id === chosen);
    if (action === undefined) return;
    onClose();
    void performAction(action.id, selection, tools, action.count);
  };
  return (
    <Dialog open onClose={onClose} title={t('alert.action.title', { count: countOf(selection) })}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          run();
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
        <DialogFooter>
          <Button type="submit" kind="primary" disabled={chosen === undefined}>
            {t('alert.action.run')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
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
