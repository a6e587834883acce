import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, signIn, skip, type WatchedContext } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const WORDS = 'A part of this page did not load.';
/** Files that menus, dialogues and toasts are loaded from. */
const OVERLAYS = /\/assets\/(?:overlays|menu-parts|dialog-surface|popover-surface|toaster)-[^/]*\.js$/;

describe('a part of the program that does not load', { skip }, () => {
  const fixture = programFixture({ demo: 'all' });

  /** Leaves a mark that a reload of the page takes away. */
  const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));
  const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in globalThis);
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  it('is said in the place of the page, which is never loaded again by itself', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    await mark(page);
    const file = /\/assets\/templates-page-[^/]*\.js$/;
    await page.route(file, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Templates' }).first().click();
    const panel = page.getByRole('main').getByRole('alert');
    await panel.getByText(WORDS).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await panel.getByText(WORDS).waitFor();
    await page.getByRole('link', { name: 'Views' }).first().click();
    await title(page, 'Views').waitFor();
    await page.unroute(file);
    await page.getByRole('link', { name: 'Templates' }).first().click();
    await title(page, 'Templates').waitFor();
    assert.equal(await isMarked(page), true);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('leads to the version of an updated program by a button', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page } = watched;
    await mark(page);
    const file = /\/assets\/views-page-[^/]*\.js$/;
    await page.route(file, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Views' }).first().click();
    const button = page.getByRole('main').getByRole('button', { name: 'Reload the page' });
    await button.waitFor();
    await page.unroute(file);
    await button.click();
    await title(page, 'Views').waitFor();
    assert.equal(await isMarked(page), false);
  });

  it('is loaded once more before it is said, with its styles', async () => {
    await using watched = await fixture.openSignedIn('/settings');
    const { page, offences } = watched;
    for (const file of [/\/assets\/cases-page-[^/]*\.js$/, /\/assets\/(?:cases-page|shared|board)[^/]*\.css$/]) {
      await page.route(file, (route) => route.abort(), { times: 1 });
    }
    await page.getByRole('link', { name: 'Cases' }).first().click();
    await title(page, 'Cases').waitFor();
    assert.equal(await page.getByText(WORDS).count(), 0);
    const sheets = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ sheet }) => sheet !== null),
    );
    assert.ok(sheets.length > 0 && sheets.every(Boolean));
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  /** Opens the list of alerts as `admin` while menus and dialogues do not load. */
  async function listWithoutOverlays({ page }: WatchedContext): Promise<void> {
    await page.route(OVERLAYS, (route) => route.fulfill({ status: 404 }));
    await signIn(page, '/alerts');
    await page.getByRole('row').nth(1).waitFor();
  }

  it('and has no place is said in one line: a menu opens when it is loaded', async () => {
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await listWithoutOverlays(watched);
    await page.getByRole('button', { name: 'Account of admin' }).click();
    const line = page.getByRole('status').filter({ hasText: WORDS });
    await line.waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.unroute(OVERLAYS);
    // Of the line, which loads parts in other places, too.
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await line.waitFor({ state: 'detached' });
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('is the question for a new sign-in: it is asked once the part is there', async () => {
    await using watched = await fixture.open();
    const { page, context, offences } = watched;
    await listWithoutOverlays(watched);
    // An answer on its way would bring the cookie back.
    await page.waitForLoadState('networkidle');
    await context.clearCookies();
    const head = page.getByRole('columnheader', { name: /Severity|Sev/ });
    await head.getByRole('button').first().click();
    await page.getByRole('status').filter({ hasText: WORDS }).waitFor();
    await page.unroute(OVERLAYS);
    // Of the line, which loads parts in other places, too.
    await page.getByRole('button', { name: 'Try again' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.getByLabel('Password', { exact: true }).fill('admin');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row').nth(1).waitFor();
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
