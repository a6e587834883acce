import type { EditorView } from '@codemirror/view';
import { MAX_QUERY_LENGTH } from '../../../../../src/datastore/query-language/query-parser.ts';
import { pastedQuery } from '../language/pasted-query.ts';
import type { EditorSettings } from './editor-settings.ts';

/**
 * Returns what reads a pasted string before the editor does: as indicators, or as too long for a
 * query.
 */
export function pasteHandler(settings: () => EditorSettings): (event: ClipboardEvent, view: EditorView) => boolean {
  let lastRead: string | undefined;
  return (event, view) => {
    const pasted = event.clipboardData?.getData('text/plain');
    if (!pasted) return false;
    const { fields, mapping, onPasted } = settings();
    const { from, to } = view.state.selection.main;
    const read = pastedQuery(pasted, { text: view.state.doc.toString(), from, to, fields, mapping });
    // The same string again, after it was taken back, is meant as it is; one that no query holds never is.
    const isRepeated = read.kind === 'indicators' && lastRead === pasted && pasted.length <= MAX_QUERY_LENGTH;
    lastRead = read.kind === 'indicators' && !isRepeated ? pasted : undefined;
    if (read.kind === 'as_it_is' || isRepeated) return false;
    if (read.kind === 'indicators') {
      view.dispatch(view.state.replaceSelection(read.query), { userEvent: 'input.paste', scrollIntoView: true });
    }
    onPasted(read);
    event.preventDefault();
    return true;
  };
}
