import type { ReindexPlan, ReindexStage } from '../migrations/reindex/index-states.ts';
import type { ReindexedIndex } from '../migrations/reindex/reindex.ts';
import type { ReindexKind } from '../migrations/reindex/reindex-context.ts';
import { alignColumns, count, size } from './text-format.ts';

export const REINDEX_WARNING: readonly string[] = [
  'WARNING: this rewrites every document of an index under the mapping of version 3.0.0.',
  '- Make a backup first. Going back to the version before is possible with a backup only.',
  '- Stop what writes (API, ingestion, correlation) and autoscaling: while an index is copied, writes to it are refused.',
  '- The disk needs room for at least 2 times the present size.',
  'docs/reindex.md has the whole procedure. The order is view, analytic, hit.',
];

const STAGES: Readonly<Record<ReindexStage, string>> = {
  untouched: 'to do',
  copied: 'copied, not switched',
  switched: 'switched, not finished',
  unnamed: 'switched, not finished',
  named: 'switched, not finished',
  done: 'done',
};

/** The affected indices, and the room on the disk. */
export function planLines({ indices, neededBytes, freeBytes }: ReindexPlan): readonly string[] {
  const rows = indices.map((one) => [one.index, count(one.documents), size(one.bytes), STAGES[one.stage]]);
  const free = freeBytes === undefined ? 'unknown: the engine does not tell' : size(freeBytes);
  return [
    ...alignColumns([['INDEX', 'DOCUMENTS', 'SIZE', 'STATE'], ...rows]),
    `Room needed (2 times the size of what is to do): ${size(neededBytes)}. Free: ${free}.`,
  ];
}

/** Lines that say what was done and what remains for the operator. */
export function resultLines(kind: ReindexKind, results: readonly ReindexedIndex[]): readonly string[] {
  const rows = results.map(({ index, begunAt, documents, kept }) => [
    index,
    begunAt === 'done' ? 'was done before' : 'reindexed',
    count(documents),
    kept,
  ]);
  return [
    ...alignColumns([['INDEX', 'OUTCOME', 'DOCUMENTS', 'KEPT AS'], ...rows]),
    `The old indices are kept. When everything is checked: triad reindex --drop-old --index ${kind} --yes`,
  ];
}
