import { EditorSelection, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { QueryFields } from '../language/query-fields.ts';
import { problemsOf } from '../language/query-problems.ts';
import type { QueryProblem } from '../language/server-problem.ts';
import { editorExtensions } from './editor-extensions.ts';
import type { EditorSettings } from './editor-settings.ts';
import { setProblems } from './problem-marks.ts';

/** Changes that the page may have missed; a page that keeps none of them is not waited for. */
const MAX_REPORTED = 20;

/** A query editor in the page. */
export interface QueryEditor {
  /**
   * Replaces the text where it differs; the cursor stays where it can. Content that the editor reported
   * itself, and that comes back after more was typed, changes nothing.
   */
  setText(text: string): void;
  setProblems(problems: readonly QueryProblem[]): void;
  /** Returns what is wrong with a query. The parser of values is loaded with the editor. */
  check(text: string, fields: QueryFields | undefined): readonly QueryProblem[];
  /** Puts the cursor into the editor, at its end without a selection. */
  focus(selection?: { readonly from: number; readonly to: number }): void;
  destroy(): void;
}

/**
 * Puts an editor into a shadow root, where the styles of CodeMirror are adopted sheets: the style
 * elements that it puts into a document are forbidden by the policy of the pages.
 * @param settings read at each use, so that they may change
 */
export function createQueryEditor(root: ShadowRoot, text: string, settings: () => EditorSettings): QueryEditor {
  let reported: readonly string[] = [];
  let isReplaced = false;
  const reporting = EditorView.updateListener.of((update) => {
    if (!update.docChanged || isReplaced) return;
    const next = update.state.doc.toString();
    reported = [...reported.slice(-MAX_REPORTED), next];
    settings().onChange(next);
  });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: text, extensions: [editorExtensions(settings), reporting] }),
  });
  return {
    setText(next) {
      const index = reported.lastIndexOf(next);
      reported = index === -1 ? [] : reported.slice(index + 1);
      if (index !== -1 || view.state.doc.toString() === next) return;
      isReplaced = true;
      const { head } = view.state.selection.main;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: view.hasFocus ? Math.min(head, next.length) : next.length },
      });
      isReplaced = false;
    },
    setProblems: (problems) => view.dispatch({ effects: setProblems.of(problems) }),
    check: problemsOf,
    focus(selection) {
      const end = view.state.doc.length;
      const anchor = Math.min(selection?.from ?? end, end);
      view.dispatch({ selection: EditorSelection.single(anchor, Math.min(selection?.to ?? end, end)) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
