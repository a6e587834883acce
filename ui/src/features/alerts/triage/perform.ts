import { closeToast, showToast } from '../../../design/overlays/toasts.ts';
import { translate } from '../../../i18n/translation.ts';
import { ActionRun } from './bulk/action-run.ts';
import { BulkRun } from './bulk/bulk-run.ts';
import type { Change } from './changes/changes.ts';
import { triageProblemOf } from './changes/problems.ts';
import { problemSentence, titleOf } from './changes/words.ts';
import { bulkSlot, conflictSlot } from './slots.ts';
import { countOf, matchingIds, type Selection, targetsOf } from './targets.ts';
import type { TriageTools } from './triage-tools.ts';
import { type Undoable, undoSlot } from './undo-slot.ts';

const TOAST = 'triage';

/**
 * Makes a change of a selection: of one alert at once, of several as a bulk with its progress. Offers
 * to take it back, and says why it was refused.
 * @returns true when the one alert was changed, or the bulk ended without a failure
 */
export async function perform(change: Change, selection: Selection, tools: TriageTools): Promise<boolean> {
  const count = countOf(selection);
  if (count === 0) return false;
  try {
    const targets = await targetsOf(selection, tools.api);
    const [only] = targets;
    if (targets.length === 1 && only !== undefined) {
      const entry = await tools.writer.write(change, only);
      offerUndo({ title: titleOf(change, 1), entries: entry === undefined ? [] : [entry] }, tools);
      return true;
    }
    const run = new BulkRun(targets.length, tools);
    bulkSlot.show({ run, title: titleOf(change, targets.length) });
    const { undo, failures, cancelled, processed } = await run.change(change, targets);
    const done = processed - failures.length;
    offerUndo({ title: titleOf(change, done), entries: undo }, tools);
    if (failures.length === 0 && cancelled === 0) bulkSlot.show(undefined);
    return failures.length === 0 && cancelled === 0;
  } catch (error) {
    const problem = triageProblemOf(error);
    const isSingle = !('query' in selection) && selection.length === 1;
    if (problem.kind === 'conflict' && isSingle) conflictSlot.show({ ...problem, target: selection[0] });
    else showToast(problemSentence(problem), { id: TOAST, kind: 'problem', seconds: 12 });
    return false;
  }
}

/** Runs a saved action on those alerts of a selection that it matches, and offers to take it back. */
export async function performAction(id: string, selection: Selection, tools: TriageTools): Promise<void> {
  try {
    const action = await tools.api.readAction(id);
    const ids = await matchingIds(selection, action.query, tools.api);
    const run = new ActionRun(ids.length, tools);
    const { name } = action;
    bulkSlot.show({ run, title: translate('alert.action.running', { name, count: ids.length }) });
    const { undo, failures, skipped, cancelled, processed } = await run.run(action, ids);
    const count = processed - failures.length - skipped.length;
    offerUndo({ title: translate('alert.action.done', { name, count }), entries: undo }, tools);
    if (failures.length + skipped.length + cancelled === 0) bulkSlot.show(undefined);
  } catch (error) {
    showToast(problemSentence(triageProblemOf(error)), { id: TOAST, kind: 'problem', seconds: 12 });
  }
}

/** Takes the last change back, if it is less than ten seconds old. */
export async function undoLast(tools: TriageTools): Promise<void> {
  const undoable = undoSlot.take();
  if (undoable === undefined) {
    showToast(translate('alert.undo.nothing'), { id: TOAST });
    return;
  }
  closeToast(TOAST);
  const { entries } = undoable;
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) {
    try {
      await tools.writer.undo(only);
      showToast(translate('alert.undo.done'), { id: TOAST });
    } catch (error) {
      const problem = triageProblemOf(error);
      showToast(problemSentence(problem), { id: TOAST, kind: 'problem', seconds: 12 });
    }
    return;
  }
  const run = new BulkRun(entries.length, tools);
  bulkSlot.show({ run, title: translate('alert.undo.many', { count: entries.length }) });
  const { failures, cancelled } = await run.undo(entries);
  if (failures.length > 0 || cancelled > 0) return;
  bulkSlot.show(undefined);
  showToast(translate('alert.undo.done'), { id: TOAST });
}

function offerUndo(undoable: Undoable, tools: TriageTools): void {
  undoSlot.offer(undoable);
  const action =
    undoable.entries.length === 0
      ? undefined
      : { label: translate('common.undo'), keys: 'u', run: () => void undoLast(tools) };
  showToast(undoable.title, { id: TOAST, action });
}
