import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { assertNoOffences, builtInterface, programFixture, skip } from '../browser.ts';
import { accessibilityProblems, untilFaded } from '../pages/accessibility-check.ts';

describe('the components', { skip }, () => {
  const fixture = programFixture();

  for (const theme of ['dark', 'light'] as const) {
    for (const language of ['en', 'fr'] as const) {
      it(`satisfy axe-core in the ${theme} theme, language ${language}`, async () => {
        await using gallery = await fixture.openGallery('', { theme, language });
        await gallery.page.evaluate(() => document.fonts.ready.then(() => undefined));
        assert.deepEqual(await accessibilityProblems(gallery.page), []);
        assertNoOffences(gallery.offences);
      });
    }

    it(`satisfy axe-core while they are open, in the ${theme} theme`, async () => {
      await using gallery = await fixture.openGallery('', { theme });
      const { page } = gallery;
      for (const { open, role } of openers(page)) {
        await open();
        await page.getByRole(role).first().waitFor();
        assert.deepEqual(await accessibilityProblems(page), [], role);
        await page.keyboard.press('Escape');
        await page.getByRole(role).first().waitFor({ state: 'hidden' });
      }
      assertNoOffences(gallery.offences);
    });
  }

  it('are served with a policy that refuses inline styles and scripts', async () => {
    await using gallery = await fixture.openGallery('type');
    await gallery.page.evaluate(() => {
      document.head.append(Object.assign(document.createElement('style'), { textContent: 'h1 { color: red }' }));
    });
    await until('a refusal is reported', () => gallery.offences.violations.length > 0);
    assert.match(gallery.offences.violations.join(), /style-src/);
  });

  it('have their styles in the order of the layers, by whichever sheet comes first', async () => {
    const folder = builtInterface();
    const sheets = globSync('assets/*.css', { cwd: folder });
    const first = sheets.map((sheet) => readFileSync(join(folder, sheet), 'utf8').slice(0, 12));
    assert.deepEqual(new Set(first), new Set(['@layer reset']));
    await using gallery = await fixture.openGallery('buttons');
    const button = gallery.page.getByRole('button', { name: 'Plain' });
    assert.equal(await button.evaluate((element) => getComputedStyle(element).paddingLeft), '12px');
  });

  it('write words in Inter and values in JetBrains Mono', async () => {
    await using gallery = await fixture.openGallery('type');
    const faces = await gallery.page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
    });
    assert.deepEqual(faces.map((family) => family.replaceAll('"', '')).sort(), [
      'Inter Variable',
      'JetBrains Mono Variable',
    ]);
  });

  it('fit a window of 320 px, and a zoom of 400 %', async () => {
    await using gallery = await fixture.openGallery('', { width: 320, height: 256 });
    const width = await gallery.page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 320);
    assert.deepEqual(await accessibilityProblems(gallery.page), []);
  });

  it('keep their marks in forced colours', async () => {
    await using gallery = await fixture.openGallery('fields', { forcedColors: 'active' });
    const [on, off] = await gallery.page.evaluate(() => {
      const colourOf = (name: string) => {
        const box = document.querySelector(`[role=checkbox][aria-checked=${name}]`);
        return box === null ? '' : getComputedStyle(box).backgroundColor;
      };
      return [colourOf('true'), colourOf('false')];
    });
    assert.notEqual(on, off);
    assert.deepEqual(await accessibilityProblems(gallery.page), []);
  });

  it('do not move where less motion is wanted', async () => {
    await using gallery = await fixture.openGallery('', { reducedMotion: 'reduce' });
    const moving = await gallery.page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [transitionDuration, animationDuration].every((time) => time === '0s') ? [] : [element.outerHTML];
      }),
    );
    assert.deepEqual(moving, []);
  });

  it('all take part in the order of the Tab key, each with a ring', async () => {
    await using gallery = await fixture.openGallery('buttons');
    const { page } = gallery;
    const enabled = await page.locator('main button:not(:disabled)').count();
    const names: string[] = [];
    for (let index = 0; index < enabled; index += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      names.push((await focused.getAttribute('aria-label')) ?? (await focused.textContent()) ?? '');
      const outline = await focused.evaluate((element) => getComputedStyle(element).outline);
      assert.match(outline, /2px/);
    }
    assert.equal(new Set(names).size > 8, true);
    assert.equal(names[0], 'Plain');
  });

  it('show the name and keys of an icon when it has the focus', async () => {
    await using gallery = await fixture.openGallery('buttons');
    const { page } = gallery;
    await page.getByRole('button', { name: 'Edit', exact: true }).focus();
    const tooltip = page.locator('[data-side]').filter({ hasText: 'Edit' });
    // The first tooltip of a page is shown once its script has arrived.
    await until('the tooltip is shown', async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Shift+Tab');
      await page.waitForTimeout(50);
      return (await tooltip.count()) > 0;
    });
    await tooltip.first().waitFor();
    await page.keyboard.press('Escape');
    await tooltip.first().waitFor({ state: 'hidden' });
  });

  it('take no press while they are busy', async () => {
    await using gallery = await fixture.openGallery('buttons');
    await gallery.page.getByRole('button', { name: 'Busy' }).click({ force: true });
    await untilFaded(gallery.page);
    assert.equal(await gallery.page.getByText('A busy button was pressed.').count(), 0);
  });
});

/** Returns the ways to open everything that opens, with the role of what appears. */
function openers(page: Page) {
  const press = (name: string) => () => page.getByRole('button', { name }).first().click();
  return [
    { open: press('Commands'), role: 'menu' },
    { open: () => page.getByText('Right click here').click({ button: 'right' }), role: 'menu' },
    { open: press('Filter'), role: 'dialog' },
    { open: press('Rename …'), role: 'dialog' },
    { open: press('Delete …'), role: 'alertdialog' },
    { open: () => page.getByRole('combobox', { name: 'Status' }).click(), role: 'listbox' },
    { open: () => page.getByRole('combobox', { name: 'Label', exact: true }).press('ArrowDown'), role: 'listbox' },
  ] as const;
}
