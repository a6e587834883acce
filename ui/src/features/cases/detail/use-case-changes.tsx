import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
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
  /** Changes members of a rule, as `change`. Other refusals are thrown, for a form that shows them. */
  readonly changeRule: (seen: CaseRule, change: RuleMembers) => Promise<boolean>;
  /** Changes members of a task, as `changeRule`. */
  readonly changeTask: (seen: CaseTask, change: TaskMembers) => Promise<boolean>;
  /** Changes members of an item, as `changeRule`. */
  readonly changeItem: (seen: Pick<CaseItem, 'id' | 'value'>, change: ItemMembers) => Promise<boolean>;
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
  const changeRule = (seen: CaseRule, wanted: RuleMembers) =>
    asking(async (overwrites) => {
      await write(() => caseApi.changeRule(id, seen.rule_id, { seen, change: wanted, overwrites }));
      return true;
    });
  const changeTask = (seen: CaseTask, wanted: TaskMembers) =>
    asking(async (overwrites) => {
      await write(() => caseApi.changeTask(id, seen, wanted, overwrites));
      return true;
    });
  const changeItem = (seen: Pick<CaseItem, 'id' | 'value'>, wanted: ItemMembers) =>
    asking(async (overwrites) => {
      await write(() => caseApi.changeItem(id, seen, wanted, overwrites));
      return true;
    });
  const notices = (
    <>
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      {question}
    </>
  );
  return { change, changeRule, changeTask, changeItem, run, write, notices };
}
