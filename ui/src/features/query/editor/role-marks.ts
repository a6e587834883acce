import { type EditorState, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { rolesOf, type TokenRole } from '../language/query-tokens.ts';

/** Longer queries are shown in one colour: their tokens are read at each key. */
const MAX_MARKED_LENGTH = 30_000;

const MARKS: Readonly<Record<TokenRole, Decoration>> = {
  field: Decoration.mark({ class: 'q-field' }),
  operator: Decoration.mark({ class: 'q-operator' }),
  value: Decoration.mark({ class: 'q-value' }),
  quoted: Decoration.mark({ class: 'q-quoted' }),
  pattern: Decoration.mark({ class: 'q-pattern' }),
  bracket: Decoration.mark({ class: 'q-bracket' }),
  invalid: Decoration.mark({ class: 'q-invalid' }),
};

/** Colours the parts of a query by the tokens of the parser. */
export const roleMarks = StateField.define<DecorationSet>({
  create: marksOf,
  update: (marks, transaction) => (transaction.docChanged ? marksOf(transaction.state) : marks),
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf({ doc }: EditorState): DecorationSet {
  if (doc.length > MAX_MARKED_LENGTH) return Decoration.none;
  const spans = rolesOf(doc.toString()).filter(({ from, to }) => from < to);
  return Decoration.set(spans.map(({ from, to, role }) => MARKS[role].range(from, to)));
}
