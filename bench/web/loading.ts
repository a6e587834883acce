import type { Browser } from 'playwright-core';
import type { Say } from '../load.ts';
import { type Figure, median } from '../report.ts';
import { LIST, openPage, ROW, type Visitor } from './pages.ts';

/** A processor of a quarter of the speed, and a way of 40 ms to the server and back. */
const SLOW = { rate: 4, latency: 40 };

export interface LoadingOptions {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly rounds: number;
  readonly say: Say;
}

/** Measures the way from an empty cache to the first rows of the list. */
export async function measureLoading(options: LoadingOptions): Promise<readonly Figure[]> {
  const { rounds, say } = options;
  say('cold cache to the first rows');
  const quick = await runs(rounds, () => loadList(options));
  say('the same, slowed down');
  const slow = await runs(rounds, () => loadList(options, SLOW));
  return [
    { name: 'cold cache: navigation to the first rows, p50', value: quick / 1000, unit: 's', goal: 1 },
    { name: 'the same, 4 times slower processor, 40 ms delay', value: slow / 1000, unit: 's', goal: 3 },
  ];
}

async function runs(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) times.push(await measure());
  return median(times);
}

async function loadList({ browser, visitor }: LoadingOptions, slow?: typeof SLOW): Promise<number> {
  const { page, devtools, close } = await openPage(browser, visitor);
  try {
    if (slow !== undefined) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow.rate });
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: slow.latency,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    }
    await page.goto(LIST, { waitUntil: 'commit' });
    return await page.evaluate((selector) => {
      window.benchPaints.arm({ kind: 'seen', selector }, 'now');
      // The clock of a page begins with its navigation.
      return window.benchPaints.result().then(({ at }) => at - performance.timeOrigin);
    }, ROW);
  } finally {
    await close();
  }
}
