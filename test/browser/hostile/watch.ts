import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { EarlyFiles } from '../../../src/web/pages/early-links.ts';
import { builtInterface, earlyFiles, type ProgramFixture, type WatchedContext } from '../browser.ts';
import { countRequests, pendingRequests } from '../pages/pending-requests.ts';
import { installPageChecks } from './page-checks.ts';
import { PLAIN } from './strings.ts';

export interface Scripts {
  /** Calls of functions that only strings of the test call, and dialogues of the browser. */
  readonly ran: string[];
  /** Pictures, styles, scripts, fonts, frames and media that were asked for, and are none of ours. */
  readonly loaded: string[];
}

export type HostileContext = WatchedContext & { readonly scripts: Scripts };

/** Opens a context that also notes every script of a string that ran, and everything that one loads. */
export async function openHostileContext(fixture: ProgramFixture): Promise<HostileContext> {
  const watched = await fixture.open();
  const scripts: Scripts = { ran: [], loaded: [] };
  const early = addressesOf(earlyFiles(builtInterface()));
  await watched.context.exposeFunction('reportScript', (what: string) => void scripts.ran.push(what));
  await watched.context.addInitScript(() => {
    for (const name of ['alert', 'confirm', 'prompt', 'print']) {
      const report: unknown = Reflect.get(globalThis, 'reportScript');
      Reflect.set(globalThis, name, () => {
        if (typeof report === 'function') report(`${name} on ${location.href}`);
      });
    }
  });
  await watched.context.addInitScript(installPageChecks);
  countRequests(watched.context);
  watched.context.on('dialog', (dialog) => {
    scripts.ran.push(`dialogue ${dialog.message()}`);
    void dialog.dismiss();
  });
  watched.context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isFile = /^\/(?:assets\/|icon\.svg)/.test(pathname) || /^(?:data|blob):/.test(request.url());
    const isOwn = isFile || (request.resourceType() === 'other' && early.has(pathname));
    if (!/^(?:fetch|xhr|websocket|eventsource|document)$/.test(request.resourceType()) && !isOwn) {
      scripts.loaded.push(`${request.resourceType()} ${request.url()}`);
    }
  });
  return { ...watched, scripts, [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose]() };
}

/** Returns the answers that the head of a page names. */
function addressesOf({ always, pages }: EarlyFiles): ReadonlySet<string> {
  const links = [always, ...Object.values(pages)].flatMap(({ requests }) => requests);
  return new Set(links.map((link) => /^<([^>]+)>/.exec(link)?.[1] ?? ''));
}

/** Drawings after which `settled` waits no longer for answers. */
const MAX_DRAWINGS = 40;

/** Waits until no request is under way, and what came was drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  for (let drawing = 0; drawing < MAX_DRAWINGS; drawing += 1) {
    await untilDrawn(page);
    if (pendingRequests(page.context()).size === 0) return;
  }
}

async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let last = performance.now();
    const observer = new MutationObserver(() => {
      last = performance.now();
    });
    observer.observe(document, { subtree: true, childList: true });
    const end = performance.now() + 3_000;
    while (performance.now() - last < 100 && performance.now() < end) {
      // Long tasks do not count as rest: the callback waits for them, but not for drawings without end.
      await new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve, { timeout: 200 }), 25));
    }
    observer.disconnect();
  });
}

/** Opens an address without leaving the program that runs in the page. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await settled(page);
}

/** Fails when the page has or had elements or attributes that only strings of data can have made. */
export async function assertOnlyWords(page: Page, state: string): Promise<void> {
  assert.deepEqual(await page.evaluate(() => hostileChecks.offences()), [], state);
}

/** Presses all that shows the rest of a value or a list. */
export async function showAll(page: Page): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const pressed = await page.evaluate(() => {
      const buttons = [...document.querySelectorAll('button')].filter(({ textContent }) =>
        /^Show (?:all|more)/.test(textContent),
      );
      for (const button of buttons.slice(0, 60)) button.click();
      return buttons.length;
    });
    if (pressed === 0) return;
    await settled(page);
  }
}

/** Moves everything that scrolls to its end, and checks what is drawn on the way. */
export async function scrollThrough(page: Page, state: string): Promise<void> {
  await page.evaluate(() => hostileChecks.scrollThrough());
  await assertOnlyWords(page, `${state}, scrolled`);
}

/** Fails when anything happened that words do not do. */
export function assertHarmless({ offences, scripts }: HostileContext): void {
  const { violations, foreign, errors } = offences;
  const others = errors.filter((error) => !error.startsWith('Failed to load resource'));
  assert.deepEqual(
    { violations, foreign, others, ...scripts },
    { violations: [], foreign: [], others: [], ran: [], loaded: [] },
  );
}

/** Returns those strings that the page shows as they are. */
export function seenStrings(page: Page): Promise<readonly string[]> {
  return page.evaluate((strings) => hostileChecks.shown(strings), PLAIN);
}
