import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNoOffences, programFixture, skip, type WatchedContext } from '../browser.ts';
import { XSS_STRINGS } from '../hostile/xss-strings.ts';

describe('markup of anyone', { skip }, () => {
  const fixture = programFixture();

  async function open(): Promise<WatchedContext> {
    const watched = await fixture.open();
    await watched.page.addInitScript(() => {
      // A script that runs calls this; a dialogue would hold the page instead.
      Reflect.set(globalThis, 'alert', () => Reflect.set(globalThis, 'hasRun', true));
    });
    await watched.page.goto('/gallery.html?section=markup');
    // The part for markdown is loaded after the page.
    await watched.page.getByTestId('markup').locator('strong').first().waitFor();
    return watched;
  }

  /** Types a string, and waits until it is drawn. */
  async function draw(page: Page, field: 'Text' | 'Elements', string: string): Promise<void> {
    await page.getByLabel(field).fill(string);
    const typed = await page.getByLabel(field).inputValue();
    await page.waitForFunction(
      ([place, value]) => {
        const drawn = document.querySelector<HTMLElement>('[data-testid=markup]')?.dataset.drawn ?? '[]';
        return (JSON.parse(drawn) as string[])[Number(place)] === value;
      },
      [field === 'Text' ? '0' : '1', typed],
    );
  }

  /** Names elements and attributes that must not be there. */
  const offendersOf = (page: Page) =>
    page.getByTestId('markup').evaluate((root) => {
      const offenders: string[] = [];
      const names =
        /^(?:A|BDI|BLOCKQUOTE|BR|BUTTON|CODE|DEL|DIV|EM|H[1-6]|HR|IMG|LI|OL|P|PRE|S|SMALL|SPAN|STRONG|TABLE|TBODY|TD|TH|THEAD|TR|UL|svg|path|rect)$/;
      for (const element of root.querySelectorAll('*')) {
        if (!names.test(element.tagName)) offenders.push(element.outerHTML.slice(0, 200));
        for (const { name, value } of element.attributes) {
          const isAddress = name === 'href' || name === 'src';
          const isHarmless = /^(?:https?:\/\/|\/(?![/\\]))/.test(value) && (name === 'href' || value.startsWith('/'));
          if (/^(?:on|srcdoc|formaction|action|xlink|id|name)/i.test(name) || (isAddress && !isHarmless)) {
            // Trees of JSON name their lines themselves.
            if (name !== 'id' || element.getAttribute('role') !== 'treeitem') offenders.push(`${name}=${value}`);
          }
        }
      }
      if (Reflect.get(globalThis, 'hasRun')) offenders.push('a script ran');
      return offenders;
    });

  it(`is never more than words, links and pictures of this origin (${XSS_STRINGS.length} strings)`, async () => {
    await using watched = await open();
    const { page } = watched;
    for (const string of XSS_STRINGS) {
      await draw(page, 'Text', string);
      assert.deepEqual(await offendersOf(page), [], string);
    }
    // Pictures and handlers of the last strings have time to load.
    await page.waitForTimeout(200);
    assert.deepEqual(await offendersOf(page), []);
    assertNoOffences(watched.offences, /status of 404/);
  });

  it('is sanitized also where the markdown parser would let HTML through', async () => {
    await using watched = await open();
    const { page } = watched;
    for (const string of XSS_STRINGS) {
      await draw(page, 'Elements', string);
      assert.deepEqual(await offendersOf(page), [], string);
    }
    await page.waitForTimeout(200);
    assert.deepEqual(await offendersOf(page), []);
    // The policy reports handlers that the parser met before they were taken away; nothing was loaded.
    assert.deepEqual(watched.offences.foreign, []);
  });

  it('never holds the page, and says what was left out', async () => {
    await using watched = await open();
    const { page } = watched;
    const loops = '{{#each list}}{{#each ../list}}{{#each ../../list}}x{{/each}}{{/each}}{{/each}}';
    await page.getByLabel('Template').fill(loops);
    await page.getByText('The template takes too', { exact: false }).first().waitFor();
    await page.getByLabel('Template').fill('{{#if v}}');
    await page.getByText('The template cannot be read', { exact: false }).first().waitFor();
    await page.getByLabel('Text').fill(`${'**word** [a](b) '.repeat(65_000)}`);
    await page
      .getByRole('button', { name: /Show more/ })
      .first()
      .waitFor();
    assertNoOffences(watched.offences);
  });

  it('asks before it leaves for another host', async () => {
    await using watched = await open();
    const { page } = watched;
    await page.getByLabel('Text').fill('[wiki](https://wiki.example/a)');
    await page.getByRole('link', { name: 'wiki' }).first().click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Leave for wiki.example?').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assertNoOffences(watched.offences);
    assert.equal(watched.context.pages().length, 1);
  });
});
