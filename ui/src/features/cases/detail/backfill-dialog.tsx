import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { showToast } from '../../../design/overlays/toasts.ts';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { type CaseRule, caseApi } from '../case-api.ts';
import { CASES_KEY } from './use-case.ts';

interface Props {
  readonly caseId: string;
  readonly rule: CaseRule;
  readonly onClose: () => void;
}

const DAYS = 30;

/** Counts the older records that a rule matches, and puts them into the case when asked to. */
export function BackfillDialog({ caseId, rule: { rule_id: ruleId, query }, onClose }: Props) {
  const { t } = useTranslation();
  const [since, setSince] = useState(() => new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 10));
  const isDate = !Number.isNaN(Date.parse(since));
  const count = useQuery({
    queryKey: [...CASES_KEY, 'backfill', caseId, ruleId, since],
    queryFn: ({ signal }) => caseApi.countBackfill(caseId, ruleId, since, signal),
    enabled: isDate,
    gcTime: 0,
  });
  const run = useMutation({
    mutationFn: () => caseApi.backfill(caseId, ruleId, since),
    onSuccess: (queued) => {
      showToast(t('cases.rules.queued', { count: queued }));
      onClose();
    },
  });
  const problem = count.error ?? run.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('cases.rules.backfillTitle')}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            busy={run.isPending}
            disabled={!isDate || !count.isSuccess || count.data === 0}
            onClick={() => run.mutate()}
          >
            {t('cases.rules.run')}
          </Button>
        </>
      }
    >
      <p>
        <Value value={query} lines />
      </p>
      <TextField label={t('cases.rules.since')} type="date" value={since} onChange={setSince} />
      <p role="status">
        {count.isSuccess ? t('cases.rules.count', { count: count.data }) : null}
        {count.isFetching ? t('common.loading') : null}
      </p>
      {problem === null ? null : <ProblemPanel problem={problem} />}
    </Dialog>
  );
}
