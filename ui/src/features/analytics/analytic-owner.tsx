import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { alerts } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { Tags } from '../../design/data/values/tags.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import styles from '../saved/saved.module.css';
import { UserChoice } from '../users/user-choice.tsx';
import { useAnalyticChange } from './use-analytic-changes.ts';

/** Draws who looks after an analytic, and gives it to another user. */
export function AnalyticOwner({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [user, setUser] = useState<string | undefined>(undefined);
  const change = useAnalyticChange();
  const params = { path: { id: analytic.analytic_id } };
  const transfer = useMutation({
    mutationFn: (username: string) =>
      change(alerts.POST('/api/v1/analytic/{id}/owner', { params, body: { username } })),
    onSuccess: () => setOpen(false),
  });
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('saved.owner')}</dt>
        <dd className={styles.line}>
          <UserName user={analytic.owner} />
          <Button kind="quiet" onClick={() => setOpen(true)}>
            {t('analytics.transfer')}
          </Button>
        </dd>
        <dt>{t('analytics.contributors')}</dt>
        <dd>
          <Tags values={analytic.contributors} />
        </dd>
      </dl>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('analytics.transfer')}
        size="small"
        footer={
          <Button
            kind="primary"
            busy={transfer.isPending}
            disabled={user === undefined}
            onClick={() => user !== undefined && transfer.mutate(user)}
          >
            {t('analytics.transfer')}
          </Button>
        }
      >
        <UserChoice label={t('saved.permissions.user')} value={user} onChange={setUser} />
        {transfer.error === null ? null : <ProblemPanel problem={transfer.error} />}
      </Dialog>
    </>
  );
}
