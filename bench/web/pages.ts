import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { watchPaints } from './paints.ts';

/** The alerts' page with nothing but the newest alerts. */
export const LIST = '/alerts';
/** Rows of the list that are filled. */
export const ROW = '[role=grid] [role=row][data-index]:not([aria-busy])';
/** Milliseconds for one step; more is a fault of the page, not a slow one. */
const STEP = 60_000;

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export function launchChromium(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--js-flags=--expose-gc', ...(isRoot ? ['--no-sandbox'] : [])],
  });
}

/** A page of a signed-in browser with an empty cache. */
export interface BenchPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly devtools: CDPSession;
  close(): Promise<void>;
}

/** The account of a browser that was signed in earlier. */
export interface Visitor {
  /** `http://127.0.0.1:<port>` of the pages. */
  readonly base: string;
  readonly cookies?: readonly { readonly name: string; readonly value: string }[];
  /** Entries of `localStorage`, as an earlier visit left them. */
  readonly storage: Readonly<Record<string, string>>;
}

/** Signs in with a password; the session serves every context that is opened for the visitor. */
export async function signIn(base: string, user: string): Promise<Visitor> {
  const answer = await fetch(`${base}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ method: 'password', user, password: user }),
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
  if (!answer.ok || value === '') throw new Error(`the sign-in of ${user} failed: ${answer.status}`);
  const storage = { 'triad.appearance': JSON.stringify({ language: 'en', wasSignedIn: true }) };
  return { base, cookies: [{ name, value }], storage };
}

/** Opens a page in a context of its own. */
export async function openPage(browser: Browser, visitor: Visitor): Promise<BenchPage> {
  const context = await browser.newContext({
    baseURL: visitor.base,
    locale: 'en-CA',
    viewport: { width: 1280, height: 720 },
  });
  context.setDefaultTimeout(STEP);
  await context.addCookies((visitor.cookies ?? []).map((cookie) => ({ ...cookie, url: visitor.base })));
  await context.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) {
      if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
    }
  }, visitor.storage);
  await context.addInitScript(watchPaints);
  const page = await context.newPage();
  return { page, context, devtools: await context.newCDPSession(page), close: () => context.close() };
}

/** Opens the list of alerts, optionally of a query, and waits for its first rows. */
export async function openList(page: Page, query?: string): Promise<void> {
  await page.goto(query === undefined ? LIST : `${LIST}?q=${encodeURIComponent(query)}`);
  await page.locator(ROW).first().waitFor();
}
