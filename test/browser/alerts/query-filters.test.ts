import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNoOffences, programFixture, skip, type WatchedContext } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('filters and time by keyboard', { skip }, () => {
  const fixture = programFixture();

  function openBar(language: 'en' | 'fr' = 'en', theme: 'dark' | 'light' = 'dark'): Promise<WatchedContext> {
    return fixture.openGallery('query', { language, theme, reducedMotion: 'reduce' });
  }

  it('exclude, switch off and remove a filter; the focus goes to the next', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await chip(page, 'howler.status is open').press('Enter');
    await page.getByRole('button', { name: 'Exclude', exact: true }).press('Enter');
    await filtersAre(page, 0, 'NOT howler.status:open');
    await chip(page, 'howler.status is not open').press('Enter');
    await page.getByRole('button', { name: 'Switch off' }).press('Enter');
    await filtersAre(page, 0, '~NOT howler.status:open');
    await chip(page, 'off howler.status is not open').press('Delete');
    await filtersAre(page, 0, 'NOT source.ip:"10.0.0.0/8"');
    await page.locator(':focus', { hasText: 'source.ip' }).waitFor();
    assertNoOffences(bar.offences);
  });

  it('change the values of a filter, and keep it where a form is left', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await chip(page, 'howler.status is open').press('Enter');
    const values = page.getByRole('combobox', { name: 'Values' });
    await values.press('o');
    await values.pressSequentially('n ice');
    await page.getByRole('option', { name: /on ice/ }).waitFor();
    await values.press('Enter');
    await page.getByRole('button', { name: 'Apply', exact: true }).press('Enter');
    await filtersAre(page, 0, 'howler.status:(open OR "on ice")');
    await chip(page, 'howler.status is open').press('Enter');
    await page.getByRole('checkbox', { name: 'Exclude what matches' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await filtersAre(page, 0, 'howler.status:(open OR "on ice")');
    await page.locator(':focus', { hasText: 'howler.status' }).waitFor();
    assertNoOffences(bar.offences);
  });

  it('add a query as a filter, and say what is wrong with one', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await page.getByRole('button', { name: 'Add filter' }).press('Enter');
    const form = page.getByRole('form', { name: 'Change the filter' });
    await form.getByRole('combobox', { name: 'Condition' }).press('Enter');
    await page.getByRole('option', { name: 'query' }).click();
    await form.getByRole('textbox', { name: 'Query' }).fill('a:(b');
    await page.keyboard.press('Enter');
    await form.getByText('The query ends where a value or a closing bracket is needed.').waitFor();
    await form.getByRole('textbox', { name: 'Query' }).fill('a:b OR c:d');
    await page.keyboard.press('Enter');
    await filtersAre(page, -1, 'a:b OR c:d');
    assertNoOffences(bar.offences);
  });

  it('choose a range of time by arrows, by typing and by two times', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await page.getByRole('button', { name: 'Last 7 days' }).press('Enter');
    await page.getByRole('button', { name: 'Last 24 hours' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await rangeIs(page, '4h');

    await page.getByRole('button', { name: 'Last 4 hours' }).press('Enter');
    const typed = page.getByRole('textbox', { name: 'Range' });
    await typed.fill('whenever');
    await typed.press('Enter');
    await page.getByText('"whenever" is not a range of time.').waitFor();
    await typed.fill('2026-01');
    await typed.press('Enter');
    await rangeIs(page, '2026-01');

    await page.getByRole('button', { name: '2026-01', exact: true }).press('Enter');
    const from = page.getByLabel('From (UTC)');
    await from.fill('2026-01-20T10:00:00');
    await page.getByLabel('To (UTC)').fill('2026-01-15T10:00:00');
    await page.getByRole('form', { name: 'Absolute range' }).getByRole('button', { name: 'Apply' }).press('Enter');
    await page.getByText('The range ends before it begins.').waitFor();
    await from.fill('2026-01-10T10:00:00');
    await from.press('Enter');
    await rangeIs(page, '2026-01-10T10:00:00.000Z..2026-01-15T10:00:00.000Z');
    assertNoOffences(bar.offences);
  });

  it('offer the time since the last visit', async () => {
    await using bar = await openBar('fr');
    const { page } = bar;
    await page.getByRole('button', { name: '7 derniers jours' }).press('Enter');
    await page.getByRole('button', { name: 'Depuis ma dernière visite' }).press('Enter');
    await rangeIs(page, 'last-visit');
    assertNoOffences(bar.offences);
  });

  it('break no rule of accessibility, open or closed, in both themes', async () => {
    for (const theme of ['dark', 'light'] as const) {
      await using bar = await openBar('en', theme);
      const { page } = bar;
      assert.deepEqual(await accessibilityProblems(page), []);
      await chip(page, 'howler.status is open').press('Enter');
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Last 7 days' }).press('Enter');
      await page.getByRole('dialog', { name: 'Time' }).waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      assertNoOffences(bar.offences);
    }
  });
});

function chip(page: Page, words: string) {
  return page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: words }).first();
}

function filtersAre(page: Page, index: number, expected: string): Promise<void> {
  return until(page, 'filters', (content) => JSON.parse(content).at(index), expected);
}

/** Waits for a range and for the end of the popover, whose buttons have the names of ranges, too. */
async function rangeIs(page: Page, expected: string): Promise<void> {
  await until(page, 'range', (content) => content, expected);
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Waits until an output holds a string; fails with what it holds. */
async function until(page: Page, id: string, read: (content: string) => string, expected: string): Promise<void> {
  let found = '';
  for (let attempt = 0; attempt < 200 && found !== expected; attempt += 1) {
    found = read((await page.getByTestId(id).textContent()) ?? '');
    if (found !== expected) await page.waitForTimeout(100);
  }
  assert.equal(found, expected);
}
