import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { type Case, type CaseMembers, caseApi } from '../case-api.ts';
import { CaseConflict } from '../case-conflict.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { CASE_LIST_KEY, caseKey } from './use-case.ts';

export interface CaseChanges {
  /** Changes members; `seen` holds them as the person saw them. Resolves to false when it was refused. */
  readonly change: (seen: CaseMembers, change: CaseMembers) => Promise<boolean>;
  /** Runs any other request that answers with the case. Resolves to false when it was refused. */
  readonly run: (request: () => Promise<Case>) => Promise<boolean>;
  /** Runs a request for a form, which shows refusals itself: they are thrown. */
  readonly write: (request: () => Promise<Case>) => Promise<void>;
  /** The last refusal and the question about a conflict; render it once. */
  readonly notices: ReactNode;
}

/** Writes changes of a case, and keeps what was refused in sight. */
export function useCaseChanges(id: string): CaseChanges {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(undefined);
  const [conflict, setConflict] = useState<Question | undefined>(undefined);

  const write = async (request: () => Promise<Case>) => {
    const changed = await request();
    queries.setQueryData(caseKey(id), changed);
    void queries.invalidateQueries({ queryKey: CASE_LIST_KEY });
  };
  const run = async (request: () => Promise<Case>) => {
    setProblem(undefined);
    try {
      await write(request);
      return true;
    } catch (error) {
      if (error instanceof CaseConflict) throw error;
      setProblem(error);
      return false;
    }
  };
  const change = async (seen: CaseMembers, wanted: CaseMembers) => {
    try {
      return await run(() => caseApi.change(id, seen, wanted));
    } catch (error) {
      if (!(error instanceof CaseConflict)) throw error;
      queries.setQueryData(caseKey(id), error.present);
      const applies = await new Promise<boolean>((decide) => setConflict({ conflict: error, decide }));
      setConflict(undefined);
      return applies && (await run(() => caseApi.change(id, undefined, wanted)));
    }
  };
  const notices = (
    <>
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      {conflict === undefined ? null : <ConflictDialog conflict={conflict.conflict} onDecide={conflict.decide} />}
    </>
  );
  return { change, run, write, notices };
}

interface Question {
  readonly conflict: CaseConflict;
  /** True writes the change over what another person wrote. */
  readonly decide: (applies: boolean) => void;
}
