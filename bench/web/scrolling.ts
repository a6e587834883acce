import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { Say } from '../load.ts';
import type { Figure } from '../report.ts';
import { openList, openPage, ROW, type Visitor } from './pages.ts';
import { quantile } from './quantile.ts';

/** Places of the list, as shares of it, at which it scrolls. */
const PLACES = [0, 0.05, 0.2, 0.4, 0.5, 0.6, 0.8, 0.95];
/** Pixels of each scroll, and of a second. */
const SCROLL = { distance: 3000, speed: 3000 };
/** Work of the main thread in scripts; one may contain another. */
const SCRIPT = new Set([
  'FunctionCall',
  'EvaluateScript',
  'FireAnimationFrame',
  'TimerFire',
  'EventDispatch',
  'RunMicrotasks',
]);

export interface ScrollingOptions {
  readonly browser: Browser;
  readonly visitor: Visitor;
  readonly say: Say;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
}

/** Measures what scripts do while the whole list scrolls. */
export async function measureScrolling({ browser, visitor, say }: ScrollingOptions): Promise<readonly Figure[]> {
  const { page, devtools, close } = await openPage(browser, visitor);
  try {
    await openList(page);
    const grid = page.getByRole('grid');
    const box = await grid.boundingBox();
    if (box === null) throw new Error('the list has no size');
    say('scrolling');
    // What the page loads when it is idle is not part of it.
    await sleep(1000);
    await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
    for (const place of PLACES) {
      await grid.evaluate((element, share) => {
        element.scrollTop = (element.scrollHeight - element.clientHeight) * share;
      }, place);
      await devtools.send('Input.synthesizeScrollGesture', {
        x: Math.round(box.x + box.width / 2),
        y: Math.round(box.y + box.height / 2),
        yDistance: -SCROLL.distance,
        speed: SCROLL.speed,
        gestureSourceType: 'mouse',
      });
      await page.locator(ROW).first().waitFor();
    }
    const trace = await browser.stopTracing();
    const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: readonly TraceEvent[] };
    const { frames, longestTask } = framesOf(traceEvents);
    say(`  ${frames.length} frames`);
    return [
      { name: 'scrolling: script of a frame, p95', value: quantile(frames, 0.95), unit: 'ms', goal: 8 },
      { name: 'scrolling: longest task', value: longestTask, unit: 'ms', goal: 50 },
    ];
  } finally {
    await close();
  }
}

/** Returns the milliseconds in scripts of each frame, and the longest task of the main thread. */
function framesOf(events: readonly TraceEvent[]): { frames: readonly number[]; longestTask: number } {
  const counts = Map.groupBy(
    events.filter(({ name }) => name === 'Commit'),
    ({ pid, tid }) => `${pid} ${tid}`,
  );
  const [busiest] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  const own = events.filter(({ pid, tid }) => `${pid} ${tid}` === busiest?.[0]).toSorted((a, b) => a.ts - b.ts);
  const frames: number[] = [];
  let scripted = 0;
  let busyUntil = 0;
  let longestTask = 0;
  for (const { name, ts, dur = 0 } of own) {
    if (name === 'Commit') {
      frames.push(scripted / 1000);
      scripted = 0;
    } else if (name === 'RunTask') {
      longestTask = Math.max(longestTask, dur / 1000);
    } else if (SCRIPT.has(name) && ts >= busyUntil) {
      scripted += dur;
      busyUntil = ts + dur;
    }
  }
  return { frames: frames.slice(1), longestTask };
}
