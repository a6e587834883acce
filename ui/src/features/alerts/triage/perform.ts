import { closeToast, showToast } from '../../../design/overlays/toasts.ts';
import { translate } from '../../../i18n/translation.ts';
import { lastUndo } from '../../../shell/last-undo.ts';
import { ActionRun } from './bulk/action-run.ts';
import { BulkRun } from './bulk/bulk-run.ts';
import type { BulkState } from './bulk/run-state.ts';
import { type Change, isTyped } from './changes/changes.ts';
import { TriageError, triageProblemOf } from './changes/problems.ts';
import { bulkTitle, problemSentence, titleOf } from './changes/words.ts';
import { bulkSlot, conflictSlot, questionSlot, type ShownBulk, showRetry } from './slots.ts';
import { countOf, isMatching, queryOf, type Selection, type TriageTarget } from './targets.ts';
import type { TriageTools } from './triage-tools.ts';
import { type Undoable, undoSlot } from './undo-slot.ts';

const TOAST = 'triage';
/** Seconds for which the reason of a failure stays. */
const PROBLEM_SECONDS = 12;

interface PerformOptions {
  /** True: what was typed is still in its field, so that a failure need not offer it again. */
  readonly keepsText?: boolean;
}

/**
 * Makes a change of a selection: of one alert at once, of several as a bulk with its progress. Offers
 * to take it back, and says why it was refused. Asks first where more alerts match by now than the
 * person was shown.
 * @returns true when the one alert was changed, or the bulk ended without a failure
 */
export async function perform(
  change: Change,
  selection: Selection,
  tools: TriageTools,
  options: PerformOptions = {},
): Promise<boolean> {
  const [only] = isMatching(selection) ? [] : selection;
  if (only !== undefined && countOf(selection) === 1) return changeOne(change, only, tools, options);
  if (countOf(selection) === 0) return false;
  return guarded(async () => {
    const isAsked = await askForUnseen(selection, [], tools, countOf(selection), (confirmed) => {
      void perform(change, confirmed, tools, options);
    });
    if (isAsked) return false;
    const run = new BulkRun(countOf(selection), tools);
    const shown: ShownBulk = { run, title: bulkTitle(change, countOf(selection)), change };
    const state = await during(shown, () => run.change(change, selection));
    const done = doneOf(state);
    if (done + state.undo.length > 0) offerUndo({ title: titleOf(change, done), entries: state.undo }, tools);
    return isComplete(state);
  });
}

async function changeOne(
  change: Change,
  target: TriageTarget,
  tools: TriageTools,
  { keepsText = false }: PerformOptions,
): Promise<boolean> {
  try {
    const entry = await tools.writer.write(change, target);
    offerUndo({ title: titleOf(change, 1), entries: entry === undefined ? [] : [entry] }, tools);
    return true;
  } catch (error) {
    const problem = triageProblemOf(error);
    if (problem.kind === 'conflict') {
      conflictSlot.set({ ...problem, target });
      return false;
    }
    if (error instanceof TriageError && error.undo !== undefined) {
      offerUndo({ title: translate('alert.undo.partial'), entries: [error.undo] }, tools);
    }
    const sentence = problemSentence(problem);
    if (keepsText || !isTyped(change)) {
      showToast(sentence, { id: TOAST, kind: 'problem', seconds: PROBLEM_SECONDS });
    } else {
      // What was typed is nowhere else: it stays until the person takes it up or closes it.
      const edit = () => showRetry(change, [target]);
      showToast(sentence, { kind: 'problem', seconds: 0, action: { label: translate('alert.retry.edit'), run: edit } });
    }
    return false;
  }
}

/**
 * Runs a saved action on those alerts of a selection that it matches, and offers to take it back.
 * @param shown how many alerts the person was told that it matches
 */
export async function performAction(
  id: string,
  selection: Selection,
  tools: TriageTools,
  shown: number,
): Promise<void> {
  await guarded(async () => {
    const action = await tools.api.readAction(id);
    const isAsked = await askForUnseen(selection, [action.query], tools, shown, (confirmed, present) => {
      void performAction(id, confirmed, tools, present);
    });
    if (isAsked) return false;
    const { name } = action;
    const run = new ActionRun(shown, tools);
    const title = translate('alert.action.running', { name, count: shown });
    const state = await during({ run, title }, () => run.run(action, selection));
    const count = doneOf(state);
    if (state.total === 0) showToast(translate('alert.action.unmatched'), { id: TOAST, kind: 'problem' });
    const done = translate('alert.action.done', { name, count });
    if (count + state.undo.length > 0) offerUndo({ title: done, entries: state.undo }, tools);
    return isComplete(state);
  });
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
  const isDone = await guarded(async () => {
    if (entries.length === 1 && only !== undefined) {
      await tools.writer.undo(only);
      return true;
    }
    const run = new BulkRun(entries.length, tools);
    const title = translate('alert.undo.many', { count: entries.length });
    return isComplete(await during({ run, title }, () => run.undo(entries)));
  });
  if (isDone) showToast(translate('alert.undo.done'), { id: TOAST });
}

/** Does work that says in a toast why it failed. Returns false then. */
async function guarded(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    showToast(problemSentence(triageProblemOf(error)), { id: TOAST, kind: 'problem', seconds: PROBLEM_SECONDS });
    return false;
  }
}

/** Shows a bulk while it runs, and its report afterwards where it has one. */
async function during(shown: ShownBulk, work: () => Promise<BulkState>): Promise<BulkState> {
  bulkSlot.add(shown);
  try {
    const state = await work();
    if (isComplete(state)) bulkSlot.remove(shown);
    return state;
  } catch (error) {
    bulkSlot.remove(shown);
    throw error;
  }
}

/**
 * Asks before alerts are changed that match by now and that the person was not shown.
 * @param matching further queries that the alerts have to match
 * @param shown how many alerts the person was shown
 * @returns false when there are none: the change may be made
 */
async function askForUnseen(
  selection: Selection,
  matching: readonly string[],
  { api }: TriageTools,
  shown: number,
  confirm: (selection: Selection, present: number) => void,
): Promise<boolean> {
  if (!isMatching(selection)) return false;
  const { query, filters } = queryOf(selection);
  const present = await api.count(query, [...filters, ...matching]);
  if (present <= shown) return false;
  const total = matching.length === 0 ? present : selection.total;
  questionSlot.set({ shown, present, confirm: () => confirm({ ...selection, total }, present) });
  return true;
}

function doneOf({ processed, failures, skipped }: BulkState): number {
  return processed - failures.length - skipped.length;
}

function isComplete({ failures, skipped, cancelled }: BulkState): boolean {
  return failures.length + skipped.length + cancelled === 0;
}

function offerUndo(undoable: Undoable, tools: TriageTools): void {
  undoSlot.offer(undoable);
  const run = () => void undoLast(tools);
  const isOffered = undoable.entries.length > 0;
  if (isOffered) lastUndo.set(run);
  const action = isOffered ? { label: translate('common.undo'), keys: tools.undoKeys, run } : undefined;
  showToast(undoable.title, { id: TOAST, action });
}
