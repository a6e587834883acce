import type { Page } from 'playwright-core';

/** Returns which of the strings are in the memory of the page's scripts, after a collection of garbage. */
export async function stringsInMemory(page: Page, strings: readonly string[]): Promise<string[]> {
  const devTools = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  devTools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await devTools.send('HeapProfiler.enable');
  await devTools.send('HeapProfiler.collectGarbage');
  await devTools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await devTools.detach();
  const snapshot = chunks.join('');
  return strings.filter((string) => snapshot.includes(string));
}

/** Returns what the page keeps in storages and caches of the browser, and what scripts read of cookies. */
export function keptByPage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const caches = await globalThis.caches.keys();
    const databases = await indexedDB.databases();
    const { cookie } = document;
    return JSON.stringify({
      ...{ cookie, caches, databases },
      local: { ...localStorage },
      session: { ...sessionStorage },
    });
  });
}
