import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useQuestion } from '../../../design/overlays/use-question.tsx';
import { CaseConflict } from '../case-conflict.ts';
import { CaseConflictDialog } from './case-conflict-dialog.tsx';
import { caseKey } from './use-case.ts';

interface CaseConflicts {
  /** Runs a request; at a conflict it asks, and writes over the other change where the person wants it. */
  readonly asking: (request: (overwrites: boolean) => Promise<boolean>) => Promise<boolean>;
  /** The open question; render it once. */
  readonly question: ReactNode;
}

/** Asks about conflicts of cases, one after the other. */
export function useCaseConflicts(): CaseConflicts {
  const queries = useQueryClient();
  const { ask, question } = useQuestion<CaseConflict>((conflict, onDecide) => (
    <CaseConflictDialog conflict={conflict} onDecide={onDecide} />
  ));
  const asking = async (request: (overwrites: boolean) => Promise<boolean>) => {
    try {
      return await request(false);
    } catch (error) {
      if (!(error instanceof CaseConflict)) throw error;
      queries.setQueryData(caseKey(error.case.case_id), error.case);
      return (await ask(error)) && (await request(true));
    }
  };
  return { asking, question };
}
