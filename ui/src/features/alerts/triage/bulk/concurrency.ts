/**
 * Calls `work` for each item, at most `limit` at a time, in order of the items.
 * @param isCancelled is asked before each item; items after a true are left alone
 */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
  isCancelled: () => boolean = () => false,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of rest) {
      if (isCancelled()) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
