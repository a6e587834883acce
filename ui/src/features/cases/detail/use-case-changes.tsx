import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import {
  type Case,
  type CaseItem,
  type CaseMembers,
  type CaseRule,
  type CaseTask,
  caseApi,
  type ItemMembers,
  type RuleMembers,
  type TaskMembers,
} from '../case-api.ts';
import { CaseConflict } from '../case-conflict.ts';
import { OwnChanges } from './own-changes.ts';
import { CASE_LIST_KEY, caseKey } from './use-case.ts';
import { useCaseConflicts } from './use-case-conflicts.tsx';

export interface CaseChanges {
  /** Changes members; `seen` holds them as the person saw them. Resolves to false when it was refused. */
  readonly change: (seen: CaseMembers, change: CaseMembers) => Promise<boolean>;
  /**
   * Changes members of a rule, as `change`, for a form that shows refusals itself.
   * They are thrown, also when the person keeps what another one wrote.
   */
  readonly changeRule: (seen: CaseRule, change: RuleMembers) => Promise<void>;
  /** Changes members of a task, as `changeRule`. */
  readonly changeTask: (seen: CaseTask, change: TaskMembers) => Promise<void>;
  /** Changes members of an item, as `changeRule`. */
  readonly changeItem: (seen: Pick<CaseItem, 'id' | 'value'>, change: ItemMembers) => Promise<void>;
  /** Runs any other request that answers with the case. Resolves to false when it was refused. */
  readonly run: (request: () => Promise<Case>) => Promise<boolean>;
  /** Runs a request for a form, which shows refusals itself: they are thrown. */
  readonly write: (request: () => Promise<Case>) => Promise<void>;
  /** The last refusal and the question about a conflict; render it once. */
  readonly notices: ReactNode;
}

/** Writes changes of a case, and keeps what was refused in sight. */
export function useCaseChanges(id: string): CaseChanges {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(undefined);
  const [own] = useState(() => new OwnChanges<CaseMembers>());
  const { asking, question } = useCaseConflicts();

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
  const change = (seen: CaseMembers, wanted: CaseMembers) =>
    own.run(seen, wanted, (before) =>
      asking((overwrites) => run(() => caseApi.change(id, overwrites ? undefined : before, wanted))),
    );
  const writeAsking = async (request: (overwrites: boolean) => Promise<Case>) => {
    const isWritten = await asking(async (overwrites) => {
      await write(() => request(overwrites));
      return true;
    });
    // The form keeps what was typed, and its draft.
    if (!isWritten) throw new Error(t('conflict.kept'));
  };
  const changeRule = (seen: CaseRule, change: RuleMembers) =>
    writeAsking((overwrites) => caseApi.changeRule(id, seen.rule_id, { seen, change, overwrites }));
  const changeTask = (seen: CaseTask, wanted: TaskMembers) =>
    writeAsking((overwrites) => caseApi.changeTask(id, seen, wanted, overwrites));
  const changeItem = (seen: Pick<CaseItem, 'id' | 'value'>, wanted: ItemMembers) =>
    writeAsking((overwrites) => caseApi.changeItem(id, seen, wanted, overwrites));
  const notices = (
    <>
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      {question}
    </>
  );
  return { change, changeRule, changeTask, changeItem, run, write, notices };
}
