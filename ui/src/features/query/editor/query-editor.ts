import { EditorSelection, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { QueryFields } from '../language/query-fields.ts';
import { problemsOf } from '../language/query-problems.ts';
import type { QueryProblem } from '../language/server-problem.ts';
import { editorExtensions } from './editor-extensions.ts';
import type { EditorSettings } from './editor-settings.ts';
import { setProblems } from './problem-marks.ts';

/** A query editor in the page. */
export interface QueryEditor {
  /** Replaces the text where it differs; the cursor stays where it can. */
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
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: text, extensions: editorExtensions(settings) }),
  });
  return {
    setText(next) {
      if (view.state.doc.toString() === next) return;
      const { head } = view.state.selection.main;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: view.hasFocus ? Math.min(head, next.length) : next.length },
      });
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
