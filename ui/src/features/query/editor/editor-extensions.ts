import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  selectedCompletionIndex,
  startCompletion,
} from '@codemirror/autocomplete';
import { history, historyKeymap, insertNewline, standardKeymap } from '@codemirror/commands';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import { completionSource } from './completion-source.ts';
import type { EditorSettings } from './editor-settings.ts';
import { editorTheme } from './editor-theme.ts';
import { pasteHandler } from './paste-handler.ts';
import { problemMarks } from './problem-marks.ts';
import { roleMarks } from './role-marks.ts';

export function editorExtensions(settings: () => EditorSettings): Extension {
  return [
    Prec.highest(keymap.of(queryKeys(settings))),
    history(),
    keymap.of([...standardKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of(() => ({ 'aria-label': settings().label, spellcheck: 'false' })),
    placeholder(settings().placeholder),
    autocompletion({
      override: [completionSource(settings)],
      // Enter runs the query unless a completion was chosen with the arrows.
      selectOnOpen: false,
      interactionDelay: 0,
      icons: false,
      maxRenderedOptions: 60,
    }),
    roleMarks,
    problemMarks,
    editorTheme,
    EditorView.domEventHandlers({
      beforeinput: replaceSelected,
      paste: pasteHandler(settings),
      // Keys that type belong to the editor, though outside of the shadow root they seem to come from no field.
      keydown: (event) => {
        if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
        return false;
      },
    }),
  ];
}

function queryKeys(settings: () => EditorSettings): readonly KeyBinding[] {
  return [
    {
      key: 'Enter',
      run: (view) =>
        isChosen(view) ? acceptCompletion(view) : call(view, () => settings().onRun(view.state.doc.toString())),
    },
    { key: 'Shift-Enter', run: insertNewline },
    { key: 'Alt-Enter', run: (view) => call(view, settings().onExplain) },
    { key: 'Tab', run: acceptFirst },
    { key: 'Escape', stopPropagation: true, run: (view) => closeCompletion(view) || leave(view, settings()) },
    { key: 'ArrowDown', run: (view) => view.state.doc.length === 0 && !isOpen(view) && startCompletion(view) },
  ];
}

function call(view: EditorView, action: () => void): boolean {
  closeCompletion(view);
  action();
  return true;
}

function leave(view: EditorView, { onLeave }: EditorSettings): boolean {
  if (onLeave()) view.contentDOM.blur();
  return true;
}

function isOpen({ state }: EditorView): boolean {
  return completionStatus(state) === 'active';
}

function isChosen(view: EditorView): boolean {
  return isOpen(view) && selectedCompletionIndex(view.state) !== null;
}

/** Takes the chosen completion, or the first one. Tab leaves the editor where none is offered. */
function acceptFirst(view: EditorView): boolean {
  // A list that is read again while it is seen takes nothing; Tab must not leave the query because of it.
  if (!isOpen(view)) return view.dom.querySelector('.cm-tooltip-autocomplete') !== null;
  if (!isChosen(view)) moveCompletionSelection(true)(view);
  acceptCompletion(view);
  return true;
}

/**
 * Types over a selection. Chromium would keep the colour of what was selected in a style attribute,
 * which the policy of the pages refuses and reports.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  if (inputType !== 'insertText' || !data || view.composing) return false;
  const { from, to } = selectedPart(view);
  if (from === to) return false;
  view.dispatch({
    changes: { from, to, insert: data },
    selection: { anchor: from + data.length },
    userEvent: 'input.type',
    scrollIntoView: true,
  });
  event.preventDefault();
  return true;
}

/** Returns what the browser has selected, of which the state hears later than of what is typed at once. */
function selectedPart(view: EditorView): { readonly from: number; readonly to: number } {
  // Chromium answers for a shadow root by its own method; without it, the state has to be believed.
  const { getSelection } = view.root as { getSelection?: () => Selection | null };
  const selection = getSelection?.call(view.root);
  if (!selection || selection.rangeCount === 0 || !view.contentDOM.contains(selection.anchorNode)) {
    return view.state.selection.main;
  }
  const range = selection.getRangeAt(0);
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  };
}
