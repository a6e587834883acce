import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { ResultSummary, Task, TaskReceipt } from '../dispatching/task.ts';

/**
 * Returns what the dispatcher needs of a stored result, without what only the reply of a service has.
 * @param minimum classification of the submission
 */
export function summaryOf(
  key: string,
  { response, result, drop_file: drop, partial }: Result,
  { classification, minimum }: { readonly classification: ClassificationEngine; readonly minimum: string },
): ResultSummary {
  const { service_tool_version: toolVersion } = response;
  const isOpen = (one: string) => classification.isWithin(one, minimum);
  const open = result.sections.filter((section) => isOpen(section.classification));
  const openScore = open.reduce((sum, { heuristic }) => sum + (heuristic?.score ?? 0), 0);
  return {
    key,
    serviceVersion: response.service_version,
    ...(toolVersion === undefined ? {} : { toolVersion }),
    score: result.score,
    ...(open.length < result.sections.length ? { openScore } : {}),
    drop,
    partial,
    children: response.extracted.map((file) => ({
      sha256: file.sha256,
      name: file.name,
      parentRelation: file.parent_relation,
      allowDynamicRecursion: file.allow_dynamic_recursion,
      classification: file.classification,
      ...(isOpen(file.classification) ? {} : { isRestricted: true }),
    })),
    tags: [],
    temporaryData: {},
    extraErrors: [],
  };
}

/** Returns what identifies a task for the dispatcher. */
export function receiptOf({ task_id, sid, service_name, fileinfo: { sha256 } }: Task): TaskReceipt {
  return { task_id, sid, service_name, sha256 };
}

/** Returns whether a result says nothing: its key alone is stored. */
export function isEmptyResult({ response, result, partial }: Result): boolean {
  const { extracted, supplementary } = response;
  return (
    !partial && result.score === 0 && [extracted, supplementary, result.sections].every((list) => list.length === 0)
  );
}
