import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { QueryProblem } from '../language/server-problem.ts';

/** Replaces the mistakes that are underlined. */
export const setProblems = StateEffect.define<readonly QueryProblem[]>();

const MARKS: Readonly<Record<QueryProblem['kind'], Decoration>> = {
  refused: Decoration.mark({ class: 'q-problem' }),
  unknown_field: Decoration.mark({ class: 'q-problem q-warning' }),
};

/** Underlines mistakes; while the text changes they move with it. */
export const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setProblems)) continue;
      const end = transaction.state.doc.length;
      const ranges = effect.value
        .map(({ from, to, kind }) => ({ from: Math.min(from, end), to: Math.min(to, end), kind }))
        .filter(({ from, to }) => from < to)
        .map(({ from, to, kind }) => MARKS[kind].range(from, to));
      next = Decoration.set(ranges, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
