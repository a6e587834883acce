import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { someIdentifier } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { submitArchive } from '../pages/page-states.ts';
import { pressKeys } from './press-keys.ts';

/** Pages that are a list of few rows, and what Enter on one of them leads to. */
const LISTS: readonly { readonly path: string; readonly opens?: RegExp; readonly search?: boolean }[] = [
  { path: '/views', opens: /\/alerts\?view=./, search: true },
  { path: '/analytics', opens: /\/analytics\/./, search: true },
  { path: '/actions', opens: /\/actions\?id=./, search: true },
  { path: '/templates', opens: /\/templates\?id=./, search: true },
  { path: '/overviews', opens: /\/overviews\?id=./, search: true },
  { path: '/dossiers', opens: /\/dossiers\?id=./, search: true },
  { path: '/administration/users', opens: /[?&]id=./, search: true },
  { path: '/administration/settings', search: true },
  { path: '/administration/jobs' },
  { path: '/administration/indices' },
  { path: '/administration/health' },
  { path: '/settings?tab=keys' },
  { path: '/settings?tab=sessions' },
];
/** Lists whose command to create something leads to another page, a dialog or the choice of a file. */
const CREATING = {
  '/views': /id=new/,
  '/actions': /id=new/,
  '/templates': /id=new/,
  '/overviews': /id=new/,
  '/dossiers': /id=new/,
  '/cases': 'dialog',
  '/administration/users': 'dialog',
  '/settings?tab=keys': 'dialog',
  '/files': 'file',
} as const;

describe('the keys of each page', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });
  let someCase: string;
  before(async () => {
    someCase = `/cases/${await someIdentifier(fixture.program, 'case', 'case_id')}`;
  });

  const rowsOf = (page: Page) => page.getByRole('main').locator('tbody > tr');
  const isFocused = (element: Locator) => element.and(element.page().locator(':focus')).waitFor();
  const isNothingFocused = (page: Page) => page.waitForFunction(() => document.activeElement === document.body);

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  it('walk the rows of every list, and open one', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    for (const { path, opens } of LISTS) {
      await open(page, path);
      const rows = rowsOf(page);
      await rows.first().waitFor();
      const count = await rows.count();
      const steps = [
        ['j', 0],
        ['ArrowDown', Math.min(1, count - 1)],
        ['k', 0],
        ['End', count - 1],
        ['ArrowUp', Math.max(0, count - 2)],
        ['Home', 0],
      ] as const;
      for (const [key, index] of steps) {
        await page.keyboard.press(key);
        await isFocused(rows.nth(index)).catch((error: unknown) => assert.fail(`${path}: ${key}: ${error}`));
      }
      if (opens === undefined) continue;
      await page.keyboard.press('Enter');
      await page.waitForURL(opens).catch((error: unknown) => assert.fail(`${path}: Enter: ${error}`));
    }
    assertNoOffences(offences);
  });

  it('lead to the search of a list by /, and out of it by Escape', async () => {
    await using watched = await fixture.openSignedIn('/', { theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    const searched = [...LISTS.filter(({ search }) => search).map(({ path }) => path), `${someCase}?tab=items`];
    for (const path of [...searched, '/api-reference']) {
      await open(page, path);
      const field = page.getByRole('main').getByRole('textbox').first();
      await field.waitFor();
      await page.keyboard.press('/');
      await isFocused(field).catch((error: unknown) => assert.fail(`${path}: ${error}`));
      await page.keyboard.type('jx');
      assert.equal(await field.inputValue(), 'jx', path);
      await page.keyboard.press('Escape');
      await isNothingFocused(page);
      assert.equal(await field.inputValue(), 'jx', `${path}: the words stay`);
    }
    assertNoOffences(offences);
  });

  it('create something', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    for (const [path, effect] of Object.entries(CREATING)) {
      await open(page, path);
      // Tabs and lists are loaded after the page; the command comes with them.
      await page.waitForLoadState('networkidle');
      const chosen = effect === 'file' ? page.waitForEvent('filechooser') : undefined;
      await pressKeys(page, 'Ctrl+Alt+n');
      if (effect instanceof RegExp) await page.waitForURL(effect);
      else if (effect === 'dialog') await page.getByRole('dialog').waitFor();
      else await chosen;
    }
    assertNoOffences(offences);
  });

  it('close an editor by Escape, also from within a field', async () => {
    await using watched = await fixture.openSignedIn('/');
    const { page, offences } = watched;
    for (const path of ['/views', '/actions', '/templates', '/overviews', '/dossiers']) {
      await open(page, `${path}?id=new`);
      const field = page.getByRole('main').locator('input:visible').first();
      await field.focus();
      await page.keyboard.press('Escape');
      await isNothingFocused(page);
      assert.match(page.url(), /id=new/, 'the first Escape leaves the field');
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => !url.search.includes('id=')).catch(() => assert.fail(path));
    }
    assertNoOffences(offences);
  });

  it('walk lists of any length that are no list of alerts', async () => {
    await using watched = await fixture.openSignedIn('/files');
    const { page, offences } = watched;
    await submitArchive(page);
    const report = page.url();
    for (const path of [`${report}?tab=tags`, `${someCase}?tab=timeline`, '/cases', '/files']) {
      await open(page, path);
      const grid = page.getByRole('grid');
      await grid.getByRole('row').nth(1).waitFor();
      await page.keyboard.press('j');
      await grid.locator('[data-active][data-index="0"]').waitFor();
      await page.keyboard.press('End');
      const last = Number(await grid.getAttribute('aria-rowcount')) - 2;
      await grid.locator(`[data-active][data-index="${last}"]`).waitFor();
    }
    assertNoOffences(offences);
  });

  it('move an item of a case, where its tree has the focus', async () => {
    await using watched = await fixture.openSignedIn(`${someCase}?tab=items`);
    const { page, offences } = watched;
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem').nth(2).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Move the item down').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tree.focus();
    for (let step = 0; step < 40; step += 1) {
      const label = await tree.locator('[data-active]').getAttribute('aria-expanded');
      if (label === null) break;
      await page.keyboard.press('ArrowDown');
    }
    const moved = page.waitForRequest((request) => request.method() === 'PUT' && request.url().includes('/case/'));
    await page.keyboard.press('Alt+ArrowDown');
    await moved;
    assertNoOffences(offences);
  });

  it('say a query in words, and submit what is typed', async () => {
    await using watched = await fixture.openSignedIn('/alerts');
    const { page, offences } = watched;
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('howler.status:open');
    await pressKeys(page, 'Alt+Enter');
    await page.getByRole('region', { name: 'This query in words' }).waitFor();
    await open(page, '/enrichment');
    await page.keyboard.press('/');
    await page.keyboard.type('198.51.100.23');
    await pressKeys(page, 'Ctrl+Enter');
    await page.locator('mark').first().waitFor();
    assertNoOffences(offences);
  });
});
