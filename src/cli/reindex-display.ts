import type { PlannedIndex, ReindexPlan } from '../migrations/reindex/index-states.ts';
import type { ReindexedIndex } from '../migrations/reindex/reindex.ts';
import type { ReindexKind, ReindexReport } from '../migrations/reindex/reindex-context.ts';
import type { CommandContext } from './command.ts';
import { createProgressDisplay } from './progress-display.ts';
import { alignColumns, count, size } from './text-format.ts';

export const REINDEX_WARNING: readonly string[] = [
  'WARNING: this rewrites every document of an index under the mapping of version 3.0.0.',
  '- Make a backup first. Going back to the version before is possible with a backup only.',
  '- Stop what writes (API, ingestion, correlation) and autoscaling: while an index is copied, writes to it are refused.',
  '- The disk needs room for at least 2 times the present size.',
  'docs/reindex.md has the whole procedure. The order is view, analytic, hit.',
];

const STAGES: Readonly<Record<PlannedIndex['stage'], string>> = {
  untouched: 'to do',
  copied: 'copied, not switched',
  switched: 'switched, not finished',
  unnamed: 'switched, not finished',
  named: 'switched, not finished',
  done: 'done',
};

/** The affected indices, and the room on the disk. */
export function planLines({ indices, neededBytes, freeBytes }: ReindexPlan): readonly string[] {
  const rows = indices.map(({ index, stage, documents, bytes }) => [
    index,
    count(documents),
    size(bytes),
    STAGES[stage],
  ]);
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

/** A bar on a terminal, plain lines elsewhere. */
export async function createReindexReport(
  context: CommandContext,
): Promise<{ readonly report: ReindexReport; stop(): void }> {
  const progress = await createProgressDisplay(context);
  return {
    report: {
      note(message) {
        progress.end();
        context.printError(message);
      },
      progress: (index, done, total) => progress.show(index, done, total),
    },
    stop: () => progress.end(),
  };
}
