import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { Say } from '../load.ts';
import { type Figure, median } from '../report.ts';
import { openList, openPage, type Visitor } from './pages.ts';
import { paintAfter } from './paints.ts';
import { quantile } from './quantile.ts';

const HEADER = 'section[aria-label="Alert"] header';
/** Milliseconds that a reader looks at each alert of a measured walk. */
const GLANCE = 60;
/** Alerts of the walk by a slowed-down processor. */
const SLOW_STEPS = 25;

export interface WalkOptions {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly rounds: number;
  /** Alerts that are opened one after the other. */
  readonly opened: number;
  readonly say: Say;
}

/** Measures the query bar, the walk from alert to alert, and the memory that it leaves. */
export async function measureWalk(options: WalkOptions): Promise<readonly Figure[]> {
  const { browser, visitor, rounds, opened, say } = options;
  const { page, devtools, close } = await openPage(browser, visitor);
  try {
    await openList(page);
    say('Enter in the query bar');
    const beyond = await measureEnter(page, rounds);
    say('a walk from alert to alert');
    await openList(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator(HEADER).waitFor();
    const walked = Math.min(200, opened / 2);
    await walk(page, 10);
    await page.evaluate(watchInteractions);
    const steps = await walk(page, walked);
    const interactions = await page.evaluate(() => window.benchInteractions());
    say('the same by a processor of a quarter of the speed');
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const slow = await walk(page, Math.min(SLOW_STEPS, walked));
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    say(`${opened} opened alerts`);
    await walk(page, opened / 2 - walked, 0);
    const half = await heapOf(devtools);
    await walk(page, opened / 2, 0);
    const whole = await heapOf(devtools);
    return [
      { name: 'Enter to rows painted, beyond the server, p50', value: beyond, unit: 'ms', goal: 60 },
      { name: `j to the next alert painted, p95 of ${walked}`, value: quantile(steps, 0.95), unit: 'ms', goal: 50 },
      { name: 'the same, 4 times slower processor, p50', value: median(slow), unit: 'ms', goal: 150 },
      {
        name: `interaction to next paint in a walk of ${walked}, p98`,
        // Interactions below 16 ms are not listed.
        value: quantile([...interactions, ...Array<number>(Math.max(0, walked - interactions.length)).fill(16)], 0.98),
        unit: 'ms',
        goal: 150,
      },
      { name: `heap after ${opened} opened alerts`, value: whole, unit: 'MB', goal: 150 },
      { name: 'growth over the second half of them', value: whole - half, unit: 'MB', goal: 5 },
    ];
  } finally {
    await close();
  }
}

/** Returns the median time from Enter to painted rows without what the server took for the search. */
async function measureEnter(page: Page, rounds: number): Promise<number> {
  const times: number[] = [];
  await page.locator('.cm-content').waitFor();
  for (let round = 0; round < rounds + 3; round += 1) {
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(`howler.score:[${round * 30} TO ${round * 30 + 29}]`);
    await sleep(500);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    const { took, from } = await paintAfter(page, { kind: 'changed', selector: '[role=grid] [role=rowgroup]' }, () =>
      page.keyboard.press('Enter'),
    );
    const server = await page.evaluate((since) => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const search = entries.findLast(
        ({ name, startTime }) => /\/search\/hit/.test(name) && performance.timeOrigin + startTime >= since - 1,
      );
      performance.clearResourceTimings();
      return search === undefined ? Number.NaN : search.responseStart - search.requestStart;
    }, from);
    if (round >= 3) times.push(took - server);
  }
  return median(times);
}

/** Opens the next alerts by `j`. Returns how long each took until it was painted. */
async function walk(page: Page, steps: number, glance = GLANCE): Promise<number[]> {
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const { took } = await paintAfter(page, { kind: 'changed', selector: HEADER }, () => page.keyboard.press('j'));
    times.push(took);
    if (glance > 0) await sleep(glance);
  }
  return times;
}

declare global {
  interface Window {
    /** Durations of interactions so far, in milliseconds. */
    benchInteractions: () => number[];
  }
}

/** Runs in the page: lists its interactions. */
function watchInteractions(): void {
  const longest = new Map<number, number>();
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (entry.interactionId === 0) continue;
      longest.set(entry.interactionId, Math.max(entry.duration, longest.get(entry.interactionId) ?? 0));
    }
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  window.benchInteractions = () => [...longest.values()];
}

/** Returns the megabytes (10^6) that scripts of the page hold after a garbage collection. */
async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
