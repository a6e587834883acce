import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readArguments } from '../../scripts/script-arguments.ts';
import { startTestProgram } from '../../src/testing/start-test-program.ts';
import { builtInterface, launchBrowser, openContext, signIn } from './browser.ts';
import { pageStates, submitArchive, visitStates } from './pages/page-states.ts';

const USAGE = `Usage: npm run screenshots -- [--folder FOLDER] [--only TEXT]

Draws every page of the web interface with the alerts of the demo, in both themes, as NAME-THEME.webp.

  --folder FOLDER   where the pictures go (default docs/images); without --only, earlier ones are removed
  --only TEXT       only the pictures whose name begins like this`;

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
  for (const theme of ['dark', 'light'] as const) {
    await using watched = await openContext(browser, { baseURL: program.urls.web, theme, reducedMotion: 'reduce' });
    const { page } = watched;
    await page.goto('/');
    await page.locator('input[type=password]').waitFor();
    await writePicture(page, `sign-in-${theme}`);
    await signIn(page);
    if (theme === 'dark') await submitArchive(page);
    await page.goto('/');
    await page.getByRole('navigation').first().waitFor();
    const states = await pageStates(program, page);
    const wanted = states.filter(({ name }) => name.startsWith(only) || only.startsWith(`${name}-`));
    await visitStates(page, wanted, (name) => writePicture(page, `${name}-${theme}`));
  }
} finally {
  await Promise.all([browser.close(), program.close()]);
}

/** Writes the window of a page as WebP, a fifth of the size of PNG. */
async function writePicture(page: Page, name: string): Promise<void> {
  if (!name.startsWith(only)) return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  console.log(name);
}
