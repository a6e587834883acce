import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { type Decide, useQuestion } from '../../../design/overlays/use-question.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { CaseStatus } from '../case-api.ts';
import { caseRecords, openAlertsQuery } from '../case-records.ts';

interface OpenAlerts {
  readonly id: string;
  readonly count: number;
}

interface Resolution {
  /** Resolves to false when a case stays as it is, because some of its alerts are open. */
  readonly agrees: (id: string, status: CaseStatus) => Promise<boolean>;
  /** The open question; render it once. */
  readonly question: ReactNode;
}

/** Asks before a case is resolved of which alerts are open. */
export function useResolution(): Resolution {
  const { ask, question } = useQuestion<OpenAlerts>((open, onDecide) => (
    <ResolutionDialog open={open} onDecide={onDecide} />
  ));
  const agrees = async (id: string, status: CaseStatus) => {
    if (status !== 'resolved') return true;
    // Where alerts cannot be counted, the change itself says what is wrong.
    const count = await caseRecords.countOpen(id).catch(() => 0);
    return count === 0 || ask({ id, count });
  };
  return { agrees, question };
}

function ResolutionDialog({ open, onDecide }: { readonly open: OpenAlerts; readonly onDecide: Decide }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open
      onClose={() => onDecide(false)}
      title={t('cases.resolve.title')}
      confirmLabel={t('cases.resolve.submit')}
      onConfirm={() => onDecide(true)}
    >
      <p>{t('cases.resolve.open', { count: open.count })}</p>
      <p>
        <Link to="/alerts" search={{ q: openAlertsQuery(open.id) }}>
          {t('cases.resolve.show')}
        </Link>
      </p>
    </ConfirmDialog>
  );
}
