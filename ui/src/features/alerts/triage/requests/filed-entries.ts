import type { UndoEntry } from '../changes/reversals.ts';
import type { AlertApi } from './alert-api.ts';

/** Returns what takes alerts out of a case again: the items that now stand for them. */
export async function filedEntries(
  api: Pick<AlertApi, 'readCase'>,
  caseId: string,
  ids: readonly string[],
): Promise<readonly UndoEntry[]> {
  const { items } = await api.readCase(caseId);
  const itemByAlert = new Map(items?.map(({ id, value }) => [value, id]));
  return ids.flatMap((id): UndoEntry[] => {
    const itemId = itemByAlert.get(id);
    return itemId === undefined ? [] : [{ id, version: undefined, reversal: { kind: 'unfile', caseId, itemId } }];
  });
}
