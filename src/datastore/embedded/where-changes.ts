import type { UpdatePlanResult, WhereOptions } from '../port/collection.ts';
import type { QueryNode } from '../port/query-tree.ts';
import type { UpdateOperation } from '../port/update-operations.ts';
import type { DocumentStorage } from './document-storage.ts';
import type { FoundPart } from './queries/cursors.ts';
import type { ColumnSelection } from './queries/query-context.ts';

const CHUNK = 500;

/** Changes or deletes every match; a document that is written meanwhile is looked at again. */
export async function changeWhere(
  storage: DocumentStorage,
  select: (extra: readonly QueryNode[]) => ColumnSelection,
  change: readonly UpdateOperation[] | 'delete',
  { progress, signal }: Omit<WhereOptions, 'access'>,
): Promise<UpdatePlanResult> {
  let matched = 0;
  let changed = 0;
  let extra: readonly QueryNode[] = [];
  for (;;) {
    const { cursor, total } = await storage.columns.call('openCursor', select(extra), [], 'program');
    const again = new Set<string>();
    if (matched === 0) matched = total;
    let next: string | undefined = cursor;
    let done = 0;
    try {
      while (next !== undefined) {
        signal?.throwIfAborted();
        const page: FoundPart = await storage.columns.call('readFound', next, CHUNK);
        for (const [index, found] of Map.groupBy(page.rows, (row) => row.index)) {
          const outcome = await storage.write('changeFound', index, found, change);
          changed += outcome.changed;
          for (const key of outcome.conflicts) {
            const row = storage.reader.byKey(index, key);
            if (row) again.add(row.id);
          }
        }
        done += page.rows.length;
        progress?.(done, total);
        next = page.next;
      }
    } finally {
      if (next !== undefined) await storage.columns.call('closeCursor', next);
    }
    if (again.size === 0) return { matched, changed };
    extra = [{ kind: 'ids', ids: [...again] }];
  }
}
