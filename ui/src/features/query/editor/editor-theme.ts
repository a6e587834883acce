import { EditorView } from '@codemirror/view';

/** The look of the editor in the custom properties of the page, which reach into the shadow root. */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--text-1)', font: '12px/18px var(--font-data)', fontFeatureSettings: 'var(--features-data)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: '18px', maxHeight: '126px', overflowY: 'auto' },
  '.cm-content': { padding: '4px 0', caretColor: 'var(--text-1)', minHeight: '18px' },
  '.cm-line': { padding: '0 8px' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.q-field': { color: 'var(--accent)' },
  '.q-operator': { color: 'var(--text-2)', fontWeight: '600' },
  '.q-quoted': { color: 'var(--done)' },
  '.q-pattern': { color: 'var(--medium)' },
  '.q-bracket': { color: 'var(--text-3)' },
  '.q-invalid': { color: 'var(--critical)' },
  '.q-problem': {
    textDecoration: 'underline wavy var(--critical)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '3px',
  },
  '.q-warning': { textDecorationColor: 'var(--medium)' },
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--text-1)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: '0 4px 16px rgb(0 0 0 / 30%)',
    zIndex: '100',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: '12px/18px var(--font-data)',
    fontFeatureSettings: 'var(--features-data)',
    maxHeight: '288px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '16px',
    justifyContent: 'space-between',
    padding: '3px 8px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionLabel': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal', marginLeft: '0', whiteSpace: 'nowrap' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-tooltip.cm-completionInfo': {
    font: '13px/18px var(--font-words)',
    maxWidth: '320px',
    padding: '4px 8px',
  },
});
