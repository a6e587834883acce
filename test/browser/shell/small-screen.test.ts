import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';
import { narrowProblems } from './narrow-check.ts';

const PHONE = { width: 390, height: 844 };
const ALERT = {
  'howler.analytic': 'Small',
  'source.ip': '203.0.113.7',
  'process.parent.command_line': 'rundll32.exe',
};

describe('a small screen', { skip }, () => {
  const fixture = programFixture();

  /** Returns names of controls that lie outside of the window sideways, or are smaller than 24 pixels. */
  const lostControls = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('nav a, nav button, header button, h1')]
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
        .filter(({ box }) => box.left < 0 || box.right > innerWidth + 0.5 || box.height < 16 || box.width < 24)
        .map(({ element, box }) => `${element.textContent} ${JSON.stringify(box)}`),
    );

  it('of a phone is enough to read, comment and assess an alert', async () => {
    const [id = ''] = await storeAlerts(fixture.program, [{ ...ALERT, 'howler.outline.summary': 'Read on a phone' }]);
    await using watched = await fixture.openSignedIn('/', PHONE);
    const { page, offences } = watched;
    const pages = page.getByRole('navigation', { name: 'Main navigation' });
    await pages.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    assert.deepEqual(await lostControls(page), []);
    await page.getByRole('row').filter({ hasText: 'Read on a phone' }).click();
    const alert = page.getByRole('region', { name: 'Alert', exact: true });
    await alert.getByText('Read on a phone').first().waitFor();
    assert.equal(await page.getByRole('search').count(), 0, 'the open alert has the height');
    assert.deepEqual(await lostControls(page), []);
    assert.deepEqual(await accessibilityProblems(page), []);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.width, `${width} pixels wide`);

    assert.deepEqual(await narrowProblems(page), []);
    await alert.getByRole('button', { name: 'More' }).click();
    const more = page.getByRole('menu');
    assert.deepEqual(
      (await more.getByRole('menuitem').allInnerTexts()).slice(0, 4).map((text) => text.split(/\s*\n\s*/)),
      [
        ['File into a case', 'm'],
        ['Assign to', 'S'],
        ['Label', 'l'],
        ['Comment', 'c'],
      ],
    );
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    await more.waitFor({ state: 'detached' });

    await alert.getByRole('tab', { name: /Comments/ }).click();
    const field = page.getByRole('textbox', { name: 'Comment' });
    await field.fill('Seen on the way');
    await page
      .locator('form')
      .getByRole('button', { name: /^Comment/ })
      .click();
    await until('the comment is stored', async () => (await storedAlert(fixture.program, id)).comment?.length === 1);

    await alert.getByRole('button', { name: /^Assess/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Assess / });
    await dialog.waitFor();
    const box = await dialog.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= PHONE.width, JSON.stringify(box));
    await dialog.getByText('False positive').first().click();
    await dialog.getByRole('button', { name: /^Assess/ }).click();
    await until(
      'the verdict is stored',
      async () => (await storedAlert(fixture.program, id)).assessment === 'false-positive',
    );
    assertNoOffences(offences);
  });

  it('shows alerts in two lines, with the columns that were chosen', async () => {
    const words = 'Many words that would not stand beside the analytic in one line of a small screen';
    await storeAlerts(fixture.program, [{ ...ALERT, 'howler.outline.summary': words }]);
    await using watched = await fixture.openSignedIn('/alerts?q=howler.analytic%3ASmall', PHONE);
    const { page, offences } = watched;
    const grid = page.getByRole('grid', { name: 'Alerts of the search' });
    const row = grid.getByRole('row').filter({ hasText: words.slice(0, 10) });
    const boxOf = async (column: string) => {
      const box = await row.locator(`[data-column="${column}"]`).boundingBox();
      assert.ok(box, column);
      return box;
    };
    const [severity, analytic, time] = [await boxOf('severity'), await boxOf('analytic'), await boxOf('time')];
    const [outline, status, assignee] = [await boxOf('outline'), await boxOf('status'), await boxOf('assignee')];
    assert.ok(severity.x < analytic.x && analytic.x < time.x && time.x + time.width <= PHONE.width);
    assert.ok(outline.x < status.x && status.x < assignee.x && assignee.x + assignee.width <= PHONE.width);
    assert.ok(outline.y >= analytic.y + analytic.height, 'the outline has a line of its own');
    assert.deepEqual(await narrowProblems(page), []);
    assert.deepEqual(await accessibilityProblems(page), []);

    await page.getByRole('banner').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Columns' }).press('ArrowRight');
    await page.getByRole('menuitemcheckbox', { name: 'Assignee' }).click();
    await row.locator('[data-column="assignee"]').waitFor({ state: 'detached' });
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('menuitem', { name: 'Reset the columns' }).click();
    await row.locator('[data-column="assignee"]').waitFor();
    await page.getByRole('menu').first().waitFor({ state: 'detached' });

    await row.locator('[data-select]').click();
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('region', { name: 'Alert', exact: true }).count(), 0);

    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('columnheader', { name: 'Outline' }).waitFor();
    assert.equal((await row.boundingBox())?.height, 28);
    await row.click();
    await page.getByRole('region', { name: 'Alert', exact: true }).waitFor();
    assert.equal((await row.boundingBox())?.height, 28, 'columns stay beside an open alert');
    assertNoOffences(offences);
  });

  it('has names of fields above their values, and breaks them at dots and underscores', async () => {
    const [id = ''] = await storeAlerts(fixture.program, [{ ...ALERT, 'howler.outline.summary': 'Names of fields' }]);
    await using watched = await fixture.openSignedIn(`/alerts/${id}?tab=fields`, PHONE);
    const { page, offences } = watched;
    const field = page.getByText('process.parent.command_line');
    const rectangles = (part: 'dt' | 'dd') =>
      field.evaluate((element, name) => {
        const { x, y, right, bottom } = (
          element.closest('div')?.querySelector(name) ?? element
        ).getBoundingClientRect();
        return { x, y, right, bottom };
      }, part);
    /** Returns the lines that each word of the name takes. */
    const linesOfWords = () =>
      field.evaluate((element) =>
        [...element.childNodes].flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          const text = node.textContent ?? '';
          return text === ''
            ? []
            : [{ text, y: range.getBoundingClientRect().y, lines: range.getClientRects().length }];
        }),
      );
    const [name, value] = [await rectangles('dt'), await rectangles('dd')];
    assert.ok(name.bottom <= value.y && name.x === value.x, JSON.stringify({ name, value }));
    assert.equal(new Set((await linesOfWords()).map(({ y }) => y)).size, 1, 'the name stands in one line');
    assert.deepEqual(await narrowProblems(page), []);

    await page.setViewportSize({ width: 600, height: 800 });
    await page.waitForFunction(() => {
      const value = document.querySelector('dd');
      return value !== null && value.getBoundingClientRect().x > innerWidth / 4;
    });
    const words = await linesOfWords();
    assert.deepEqual(
      words.map(({ text, lines }) => ({ text, lines })),
      ['process.', 'parent.', 'command_', 'line'].map((text) => ({ text, lines: 1 })),
    );
    assert.ok(new Set(words.map(({ y }) => y)).size > 1, 'the name takes more than one line');
    assertNoOffences(offences);
  });

  it('leads to every page: the first ones in a bar, the others in a menu', async () => {
    await using watched = await fixture.openSignedIn('/', PHONE);
    const { page, offences } = watched;
    const bar = page.getByRole('navigation', { name: 'Main navigation' });
    const links = await bar.getByRole('link').all();
    assert.equal(links.length, 5);
    for (const link of links) {
      const box = await link.boundingBox();
      assert.ok(box && box.width >= 44 && box.height >= 44, JSON.stringify(box));
    }
    const more = bar.getByRole('button', { name: 'More' });
    await more.click();
    assert.deepEqual(await accessibilityProblems(page), []);
    const names = (await page.getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0]);
    assert.ok(names.includes('Settings') && names.includes('Administration') && names.length === 9, names.join());
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    assert.notEqual(await more.getAttribute('data-elsewhere'), null);
    assertNoOffences(offences);
  });

  for (const language of ['en', 'fr'] as const) {
    it(`of 320 pixels shows the whole title and all commands, ${language}`, async () => {
      await using watched = await fixture.openSignedIn('/', { width: 320, height: 640, language });
      const { page } = watched;
      const paths = [
        '/',
        '/alerts',
        '/cases',
        '/files',
        '/enrichment',
        '/views',
        '/actions',
        '/settings',
        '/administration',
      ];
      for (const path of paths) {
        await page.goto(path);
        const title = page.getByRole('heading', { level: 1 });
        await title.waitFor();
        assert.deepEqual(await lostControls(page), [], path);
        const isCut = await title.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
        assert.ok(!isCut, `the title of ${path} is cut`);
        await page.waitForLoadState('networkidle');
        assert.deepEqual(await narrowProblems(page), [], path);
      }
    });
  }

  it('that is wide again shows the names of all pages', async () => {
    await using watched = await fixture.openSignedIn('/', { width: 1700, height: 900 });
    const bar = watched.page.getByRole('navigation', { name: 'Main navigation' });
    await bar.getByText('Administration', { exact: true }).waitFor();
    assert.equal(await bar.getByRole('button', { name: 'More' }).count(), 0);
  });

  it('loads letters beyond those of English and French when a page has them', async () => {
    const loadedBy = async (query: string, shown: string) => {
      await using watched = await fixture.openSignedIn(`/alerts?q=${encodeURIComponent(query)}`);
      const { page } = watched;
      await page.getByRole('grid').getByText(shown).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      return page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.includes('latin-ext')),
      );
    };
    assert.deepEqual(await loadedBy('"déjà vu, naïve, cœur"', 'No alert'), []);
    await storeAlerts(fixture.program, [{ ...ALERT, 'howler.outline.summary': 'Zażółć gęślą jaźń, Şişli, Dvořák' }]);
    assert.notDeepEqual(await loadedBy('howler.analytic:Small', 'Zażółć'), []);
  });

  it('says in French what the parser refuses', async () => {
    await using watched = await fixture.openSignedIn('/alerts?q=event.severity%3Ahigh', { language: 'fr' });
    await watched.page.getByText('Le champ event.severity contient des nombres, et "high" n’en est pas un.').waitFor();
  });
});
