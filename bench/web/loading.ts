import type { Browser } from 'playwright-core';
import type { Say } from '../load.ts';
import { type Figure, median } from '../report.ts';
import type { Howler } from './howler.ts';
import { LIST, openPage, ROW, type Visitor } from './pages.ts';

/** A processor of a quarter of the speed, and a way of 40 ms to the server and back. */
const SLOW = { rate: 4, latency: 40 };

export interface LoadingOptions {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly rounds: number;
  readonly say: Say;
  /** Measured beside ours where a build of it is given. */
  readonly howler: Howler | undefined;
}

/** A list of alerts in an interface. */
interface Place {
  readonly visitor: Visitor;
  readonly path: string;
  /** Selector of a row. */
  readonly row: string;
}

/** It does not search by its default query, `howler.id:*`. */
const HOWLER_PLACE = { path: '/hits?query=howler.analytic%3A*', row: '[id] > .MuiPaper-root .MuiCardContent-root' };
/** Its page takes seconds: fewer runs keep the bench short. */
const HOWLER_ROUNDS = 5;

/** Measures the way from an empty cache to the first rows of the list. */
export async function measureLoading(options: LoadingOptions): Promise<readonly Figure[]> {
  const { browser, rounds, say, howler } = options;
  const ours = { visitor: options.visitor, path: LIST, row: ROW };
  say('cold cache to the first rows');
  const quick = await runs(rounds, () => loadList(browser, ours));
  say('the same, slowed down');
  const slow = await runs(rounds, () => loadList(browser, ours, SLOW));
  const raw: { quick?: number; slow?: number } = {};
  if (howler !== undefined) {
    say('the same of howler-ui');
    const theirs = { visitor: howler.visitor, ...HOWLER_PLACE };
    const count = Math.min(HOWLER_ROUNDS, rounds);
    try {
      raw.quick = await runs(count, () => loadList(browser, theirs));
      raw.slow = await runs(count, () => loadList(browser, theirs, SLOW));
    } catch (error) {
      say(`  howler-ui showed no rows: ${String(error)}`);
    }
  }
  return [
    figure('cold cache: navigation to the first rows, p50', quick, 1, raw.quick),
    figure('the same, 4 times slower processor, 40 ms delay', slow, 3, raw.slow),
  ];
}

function figure(name: string, milliseconds: number, goal: number, raw: number | undefined): Figure {
  const seconds = { name, value: milliseconds / 1000, unit: 's', goal } as const;
  return raw === undefined ? seconds : { ...seconds, raw: raw / 1000 };
}

async function runs(count: number, measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) times.push(await measure());
  return median(times);
}

async function loadList(browser: Browser, { visitor, path, row }: Place, slow?: typeof SLOW): Promise<number> {
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
    await page.goto(path, { waitUntil: 'commit' });
    const painted = page.evaluate((selector) => {
      window.benchPaints.arm({ kind: 'seen', selector }, 'now');
      // The clock of a page begins with its navigation.
      return window.benchPaints.result().then(({ at }) => at - performance.timeOrigin);
    }, row);
    painted.catch(() => undefined);
    // Fails where no row ever comes.
    await page.locator(row).first().waitFor();
    return await painted;
  } finally {
    await close();
  }
}
