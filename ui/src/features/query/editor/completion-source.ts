import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { CompletionPlace } from '../language/completion-place.ts';
import { restOfQuery, type Suggestion, suggestionsAt, withCounts } from '../language/completions.ts';
import { fieldOf } from '../language/query-fields.ts';
import type { EditorSettings } from './editor-settings.ts';

/**
 * Returns the completions of a query for CodeMirror: those of the text, and values that the server
 * counts.
 */
export function completionSource(settings: () => EditorSettings): CompletionSource {
  return async (context) => {
    const text = context.state.doc.toString();
    const { fields, sources } = settings();
    const found = suggestionsAt(text, context.pos, fields, sources);
    if (found === undefined) return null;
    const { place, suggestions } = found;
    const isAsked = context.explicit || place.typed !== '' || place.kind === 'value';
    if (!isAsked) return null;
    const counted = await countedValues(context, text, place, settings());
    const items = counted ? withCounts(suggestions.items, counted, place) : suggestions.items;
    return context.aborted || items.length === 0 ? null : resultOf(suggestions, items, settings());
  };
}

async function countedValues(
  context: CompletionContext,
  text: string,
  place: CompletionPlace,
  { fields, sources }: EditorSettings,
) {
  const field = place.field !== undefined && fields ? fieldOf(fields, place.field) : undefined;
  if (place.kind !== 'value' || field === undefined || sources.values === undefined) return undefined;
  const abort = new AbortController();
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
  // A server that does not answer leaves the completions that need none.
  return sources
    .values({ ...field, name: place.field ?? field.name }, place.typed, restOfQuery(text, place), abort.signal)
    .catch(() => undefined);
}

function resultOf(
  { from, to }: { readonly from: number; readonly to: number },
  items: readonly Suggestion[],
  settings: EditorSettings,
): CompletionResult {
  return { from, to, filter: false, options: items.map((item) => optionOf(item, settings)) };
}

function optionOf(item: Suggestion, { detailOf }: EditorSettings): Completion {
  return {
    label: item.label,
    detail: detailOf(item),
    ...(item.info ? { info: item.info } : {}),
    apply: (view, _completion, from, to) => insert(view, item, from, to),
  };
}

/** Saved and earlier queries replace everything. */
function insert(view: EditorView, { kind, insert: text }: Suggestion, from: number, to: number): void {
  const isWhole = kind === 'saved' || kind === 'history';
  const [start, end] = isWhole ? [0, view.state.doc.length] : [from, to];
  view.dispatch({
    changes: { from: start, to: end, insert: text },
    selection: { anchor: start + text.length },
    userEvent: 'input.complete',
  });
}
