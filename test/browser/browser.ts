import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { startTestProgram, type TestProgram, type TestProgramOptions } from '../../src/testing/start-test-program.ts';
import { type EarlyFiles, readEarlyFiles } from '../../src/web/pages/early-links.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Milliseconds for one step of a test; no test may depend on the speed of the machine. */
const STEP_TIMEOUT = 60_000;

/** The reason why the tests of a file cannot run here, for `describe(name, { skip }, …)`. */
export const skip: string | false = reasonToSkip();

function reasonToSkip(): string | false {
  if (existsSync(CHROMIUM)) return false;
  const reason = `${CHROMIUM} is missing. Install it (Debian: apt-get install chromium), or set CHROMIUM.`;
  if (process.env.REQUIRE_CHROMIUM === '1') throw new Error(reason);
  return reason;
}

/**
 * Builds the interface with the gallery, unless these sources were built before.
 * @returns the folder, for the setting `web.ui_folder` of a test program
 */
export function builtInterface(): string {
  const folder = join(ROOT, 'node_modules', '.cache', 'triad-ui-gallery');
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build-ui.mjs')], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, TRIAD_UI_FOLDER: folder, TRIAD_UI_GALLERY: '1' },
  });
  if (status !== 0 || !existsSync(join(folder, 'index.html'))) throw new Error(stderr);
  return folder;
}

/** Returns what the pages of a built interface name in their head. @param folder of `builtInterface` */
export function earlyFiles(folder: string): EarlyFiles {
  const files = readEarlyFiles(readFileSync(join(folder, 'early.json')));
  if (files === undefined) throw new Error('early.json of the built interface cannot be read');
  return files;
}

/** Starts one Chromium without a window, for all tests of a file. @param switches of Chromium */
export function launchBrowser(switches: readonly string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--disable-gpu', '--disable-dev-shm-usage', ...(isRoot ? ['--no-sandbox'] : []), ...switches],
  });
}

export interface ContextOptions {
  /** Address that paths given to `goto` continue. */
  readonly baseURL: string;
  readonly theme?: 'dark' | 'light';
  readonly language?: 'en' | 'fr';
  readonly width?: number;
  readonly height?: number;
  readonly forcedColors?: 'active' | 'none';
  readonly reducedMotion?: 'reduce' | 'no-preference';
}

/** Collects actions that no page may take; every test ends with empty lists. */
export interface Offences {
  /** Violations of the Content-Security-Policy: directive and blocked address. */
  readonly violations: string[];
  /** Requests to another origin. */
  readonly foreign: string[];
  /** Uncaught errors, and errors that were written to the console. */
  readonly errors: string[];
}

export interface WatchedContext {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly offences: Offences;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a page in a context of its own, with empty storage, and watches what it does. */
export async function openContext(browser: Browser, options: ContextOptions): Promise<WatchedContext> {
  const { baseURL, theme = 'dark', language = 'en', width = 1280, height = 720 } = options;
  const context = await browser.newContext({
    baseURL,
    locale: language === 'fr' ? 'fr-CA' : 'en-CA',
    colorScheme: theme,
    viewport: { width, height },
    forcedColors: options.forcedColors ?? 'none',
    reducedMotion: options.reducedMotion ?? 'no-preference',
  });
  context.setDefaultTimeout(STEP_TIMEOUT);
  const offences: Offences = { violations: [], foreign: [], errors: [] };
  await context.exposeFunction('reportViolation', (violation: string) => offences.violations.push(violation));
  await context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        const report: unknown = Reflect.get(globalThis, 'reportViolation');
        if (typeof report === 'function') {
          report(`${violatedDirective}: ${blockedURI} at ${sourceFile}:${lineNumber}`);
        }
      },
    );
  });
  const { origin } = new URL(baseURL);
  context.on('request', (request) => {
    const url = request.url();
    if (!/^(?:data|blob):/.test(url) && new URL(url).origin !== origin) offences.foreign.push(url);
  });
  context.on('weberror', (error) => offences.errors.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') offences.errors.push(`${message.text()} at ${message.location().url}`);
  });
  const page = await context.newPage();
  return { context, page, offences, [Symbol.asyncDispose]: () => context.close() };
}

/** Asserts that a page took no action of `Offences`, but for errors that match `expected`. */
export function assertNoOffences({ violations, foreign, errors }: Offences, expected?: RegExp): void {
  const unexpected = errors.filter((error) => expected?.test(error) !== true);
  assert.deepEqual({ violations, foreign, errors: unexpected }, { violations: [], foreign: [], errors: [] });
}

/** Errors that a browser notes by itself when a request or a WebSocket is refused. */
export const REFUSED_REQUESTS = /Failed to load resource|WebSocket/;

export interface Credentials {
  readonly user: string;
  /** Default: the name, as the accounts of a test program have it. */
  readonly password?: string;
}

/** Fills the form of the sign-in that is on the page, in any language, and sends it. */
export async function fillSignIn(page: Page, { user, password = user }: Credentials): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(user);
  await page.locator('input[autocomplete=current-password]').fill(password);
  await page.keyboard.press('Enter');
}

/**
 * Opens a path, signs in (default: as `admin`), and waits for the frame of the program.
 * It finds the frame by its element: a dialog that the path opens hides the rest of the page from roles.
 */
export async function signIn(page: Page, path = '/', as: Credentials = { user: 'admin' }): Promise<void> {
  await page.goto(path);
  await fillSignIn(page, as);
  await page.locator('nav:visible').first().waitFor();
}

type PageOptions = Partial<ContextOptions>;

/** One program with the built interface, and one Chromium, for all tests of a `describe`. */
export interface ProgramFixture {
  readonly program: TestProgram;
  readonly browser: Browser;
  /** Opens an empty page in a context of its own; paths continue the address of the program. */
  open(options?: PageOptions): Promise<WatchedContext>;
  /** Opens a path as a user (default: `admin`) who has just signed in. */
  openSignedIn(path: string, options?: PageOptions & { readonly as?: Credentials }): Promise<WatchedContext>;
  /** Opens a section of the gallery of components; an empty name opens all of them. */
  openGallery(section: string, options?: PageOptions): Promise<WatchedContext>;
}

/**
 * Starts a program and a Chromium before the tests of a `describe`, and ends both after them.
 * @param setup options of the program, or a function that prepares what they need and returns them
 */
export function programFixture(
  setup: TestProgramOptions | (() => TestProgramOptions | Promise<TestProgramOptions>) = {},
): ProgramFixture {
  let program: TestProgram;
  let browser: Browser;
  before(async () => {
    const options = typeof setup === 'function' ? await setup() : setup;
    const settings = { 'web.ui_folder': builtInterface(), ...options.settings };
    program = await startTestProgram({ ...options, settings });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.close();
  });
  const open = (given: PageOptions = {}) => openContext(browser, { baseURL: program.urls.web, ...given });
  return {
    get program() {
      return program;
    },
    get browser() {
      return browser;
    },
    open,
    async openSignedIn(path, { as, ...given } = {}) {
      const watched = await open(given);
      await signIn(watched.page, path, as);
      return watched;
    },
    async openGallery(section, { theme = 'dark', language = 'en', ...given } = {}) {
      const watched = await open({ theme, language, ...given });
      const query = new URLSearchParams({ theme, language, ...(section === '' ? {} : { section }) });
      await watched.page.goto(`/gallery.html?${query}`);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
      return watched;
    },
  };
}
