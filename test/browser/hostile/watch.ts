import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { type ContextOptions, openContext, type WatchedContext } from '../browser.ts';
import { countRequests, pendingRequests } from '../pages/pending-requests.ts';

export interface Scripts {
  /** Calls of functions that only strings of the test call, and dialogues of the browser. */
  readonly ran: string[];
  /** Pictures, styles, scripts, fonts, frames and media that were asked for, and are none of ours. */
  readonly loaded: string[];
}

export type HostileContext = WatchedContext & { readonly scripts: Scripts };

/** Opens a context that also notes every script of a string that ran, and everything that one loads. */
export async function openHostileContext(browser: Browser, options: ContextOptions): Promise<HostileContext> {
  const watched = await openContext(browser, options);
  const scripts: Scripts = { ran: [], loaded: [] };
  await watched.context.exposeFunction('reportScript', (what: string) => void scripts.ran.push(what));
  await watched.context.addInitScript(() => {
    for (const name of ['alert', 'confirm', 'prompt', 'print']) {
      const report: unknown = Reflect.get(globalThis, 'reportScript');
      Reflect.set(globalThis, name, () => {
        if (typeof report === 'function') report(`${name} on ${location.href}`);
      });
    }
  });
  countRequests(watched.context);
  watched.context.on('dialog', (dialog) => {
    scripts.ran.push(`dialogue ${dialog.message()}`);
    void dialog.dismiss();
  });
  watched.context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isOwn = /^\/(?:assets\/|icon\.svg)/.test(pathname) || /^(?:data|blob):/.test(request.url());
    if (!/^(?:fetch|xhr|websocket|eventsource|document)$/.test(request.resourceType()) && !isOwn) {
      scripts.loaded.push(`${request.resourceType()} ${request.url()}`);
    }
  });
  return { ...watched, scripts, [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose]() };
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
    while (performance.now() - last < 200 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
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

/** Fails when the page has elements or attributes that only strings of data can have made. */
export async function assertOnlyWords(page: Page, state: string): Promise<void> {
  assert.deepEqual(await page.evaluate(elementsOfData), [], state);
}

/** Runs in the page. */
function elementsOfData(): string[] {
  const found: string[] = [];
  const never =
    /^(?:iframe|frame|frameset|object|embed|applet|base|style|math|marquee|audio|video|source|track|portal|template|noscript|bgsound|plaintext|xmp|map|area|picture|font|center|slot|details|summary|isindex|keygen|image|animate|set|use|foreignobject|feimage|mpath|handler|listener|script)$/;
  const clobbering =
    /^(?:__proto__|constructor|prototype|hasOwnProperty|toString|valueOf|document|body|location|cookie|getElementById|attributes|children|parentNode|x)$/;
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      const name = element.localName.toLowerCase();
      const own = (element.getAttribute('src') ?? element.getAttribute('href') ?? '').replace(location.origin, '');
      const isOurScript = name === 'script' && own.startsWith('/assets/') && element.parentElement === document.head;
      const report = (what: string) => found.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
      const isOurNote = name === 'noscript' && element.parentElement === document.body;
      if (never.test(name) && !isOurScript && !isOurNote) report('element');
      if (name === 'link' && !/^\/(?:assets\/|icon\.svg)/.test(own)) report('link');
      if (name === 'meta' && element.parentElement !== document.head) report('meta');
      // CodeMirror has pictures without a source around its marks.
      const isOurPicture = element.className === 'cm-widgetBuffer' && own === '';
      if (name === 'img' && !isOurPicture && !/^(?:blob:|data:image\/(?:png|jpeg|gif|webp|avif);|\/assets\/)/.test(own))
        report('picture');
      if (element instanceof HTMLUnknownElement || name.includes('-')) report('unknown element');
      if (name === 'a' && element.namespaceURI !== 'http://www.w3.org/1999/xhtml') report('link in a picture');
      for (const attribute of element.attributes) {
        const { value } = attribute;
        if (/^on|^(?:srcdoc|formaction|action|xlink:href|ping|background|srcset|poster|is)$/i.test(attribute.name)) {
          report(attribute.name);
        }
        if (attribute.name === 'style' && /url\(|expression|@import/i.test(value)) report('style');
        if (attribute.name === 'href' && name === 'a') {
          const isPage = /^(?:\/(?![/\\])|#[\w-]*$)/.test(value) && !/^\/(?:services|session)(?:\/|$)/.test(value);
          const isOutside = /^https?:\/\//.test(value) && element.getAttribute('rel')?.includes('noopener') === true;
          if (!isPage && !isOutside) report('address');
        }
        if (/^(?:id|name)$/.test(attribute.name) && clobbering.test(value)) report('name');
      }
      if (element.shadowRoot !== null) visit(element.shadowRoot);
    }
  };
  visit(document);
  return found.slice(0, 10);
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

/** Moves everything that scrolls to its end, step by step, and checks each step. */
export async function scrollThrough(page: Page, state: string): Promise<void> {
  for (let step = 0; step < 30; step += 1) {
    const moved = await page.evaluate(async () => {
      let isMoved = false;
      for (const element of document.querySelectorAll('*')) {
        if (element.scrollHeight <= element.clientHeight + 1 || element.clientHeight < 40) continue;
        const before = element.scrollTop;
        element.scrollTop = before + element.clientHeight * 0.95;
        if (element.scrollTop > before) isMoved = true;
      }
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return isMoved;
    });
    await assertOnlyWords(page, `${state}, scrolled`);
    if (!moved) return;
  }
}
