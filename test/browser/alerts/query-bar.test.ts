import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertNoOffences, programFixture, skip, type WatchedContext } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const TOO_LONG = 1_000_000;

describe('the query bar', { skip }, () => {
  const fixture = programFixture();

  async function openBar(language: 'en' | 'fr' = 'en', theme: 'dark' | 'light' = 'dark'): Promise<WatchedContext> {
    const watched = await fixture.openGallery('query', { language, theme, reducedMotion: 'reduce' });
    await watched.page.locator('.cm-content').waitFor();
    return watched;
  }

  it('completes fields and values with counts, and runs on Enter', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await type(page, 'status');
    await page.getByRole('option', { name: /howler\.status/ }).waitFor();
    await page.keyboard.press('Tab');
    await expectText(page, 'howler.status:');
    await page.keyboard.type('op');
    await page.getByRole('option', { name: /open/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(' AND howler.analytic:');
    const option = page.getByRole('option', { name: /Emberfox.*20 records/ });
    await option.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const query = 'howler.status:open AND howler.analytic:"Beacon \\"Emberfox\\""';
    await expectText(page, query);
    assert.deepEqual(await runs(page), []);
    await page.keyboard.press('Enter');
    await until(page, 'runs', JSON.stringify([query]));
    assertNoOffences(bar.offences);
  });

  it('underlines mistakes at their place and says them, in the words of the parser', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await type(page, 'source.ip:nowhere AND howler.statsu:open');
    await status(page).getByText('The field source.ip holds addresses, and "nowhere" is none.').waitFor();
    assert.deepEqual(await page.locator('.q-problem').allTextContents(), ['nowhere', 'howler.statsu']);
    await replaceAll(page, 'howler.statsu:open');
    await status(page).getByRole('button', { name: 'Replace with howler.status' }).click();
    await expectText(page, 'howler.status:open');
    await page.locator('.q-problem').waitFor({ state: 'detached' });
    assertNoOffences(bar.offences);
  });

  it('marks what the server refused until the text changes', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await type(page, 'message:(refuse OR b)');
    await page.keyboard.press('Enter');
    await status(page).getByText('The server refuses this word.').waitFor();
    assert.deepEqual(await page.locator('.q-problem').allTextContents(), ['refuse']);
    await page.keyboard.type(' ');
    await page.locator('.q-problem').waitFor({ state: 'detached' });
    assertNoOffences(bar.offences);
  });

  it('explains the query in English and in French, and Escape closes that first', async () => {
    for (const [language, words] of [
      ['en', 'howler.status is not "open"'],
      ['fr', 'howler.status n’est pas « open »'],
    ] as const) {
      await using bar = await openBar(language);
      const { page } = bar;
      await type(page, 'NOT howler.status:open');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Alt+Enter');
      await page.getByText(words).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText(words).waitFor({ state: 'detached' });
      assert.equal(await page.locator('.cm-focused').count(), 1);
      assertNoOffences(bar.offences);
    }
  });

  it('reads pasted indicators as a query, and as they are the second time', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await paste(page, '10[.]0[.]0[.]1\n10.0.0.2\nhxxps://evil[.]example/a');
    await expectText(page, 'source.ip:(10.0.0.1 OR 10.0.0.2) OR "https://evil.example/a"');
    await status(page).getByText('3 indicators were read as a query.').waitFor();
    await page.keyboard.press('Control+z');
    await expectText(page, '');
    await paste(page, '10[.]0[.]0[.]1\n10.0.0.2\nhxxps://evil[.]example/a');
    await expectText(page, '10[.]0[.]0[.]1\n10.0.0.2\nhxxps://evil[.]example/a');
    assertNoOffences(bar.offences);
  });

  it('stays usable after a hostile paste', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await type(page, 'howler.status:open');
    for (const pasted of [
      'a'.repeat(TOO_LONG),
      '('.repeat(TOO_LONG),
      '"\\'.repeat(TOO_LONG / 2),
      '1.1.1.1 '.repeat(TOO_LONG / 8),
    ]) {
      await replaceAll(page, 'howler.status:open ');
      await paste(page, pasted);
    }
    // What no query can hold is refused in words; the last one holds one indicator, many times.
    await expectText(page, 'howler.status:open AND (source.ip:1.1.1.1)');
    await page.keyboard.press('Control+z');
    await paste(page, '1.1.1.1 '.repeat(TOO_LONG / 8));
    await expectText(page, 'howler.status:open AND (source.ip:1.1.1.1)');
    await replaceAll(page, '');
    await paste(page, 'a'.repeat(TOO_LONG));
    await status(page).getByText('has 1000000 characters and was not inserted').waitFor();
    await expectText(page, '');
    // The longest query that there may be is still edited.
    await paste(page, '[a TO "'.repeat(14_000));
    await page.keyboard.type(' OR b');
    await status(page)
      .getByText(/Unexpected|needed|closed/)
      .waitFor();
    assert.match((await text(page)) ?? '', / OR b$/);
    assertNoOffences(bar.offences);
  });

  it('shows values and queries as text', async () => {
    await using bar = await openBar();
    const { page } = bar;
    const hostile = '<img src=x onerror=alert(1)> javascript:alert(1) {{7*7}} \u202eevil\u200b';
    await type(page, hostile.replace(/\n/g, ' '));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+Enter');
    await page.getByRole('region', { name: 'This query in words' }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assertNoOffences(bar.offences);
  });

  it('takes over the text and the focus of the input that stands in its place', async () => {
    await using watched = await fixture.open();
    const { page } = watched;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/query-editor/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/gallery.html?section=query');
    const standIn = page.locator('textarea');
    await standIn.focus();
    await page.keyboard.type('howler.status:opn');
    await page.keyboard.press('ArrowLeft');
    release();
    await page.locator('.cm-focused').waitFor();
    assert.equal(await standIn.count(), 0);
    await page.keyboard.type('e');
    await expectText(page, 'howler.status:open');
    assertNoOffences(watched.offences);
  });

  it('keeps keys that type to itself, and lets Tab leave', async () => {
    await using bar = await openBar();
    const { page } = bar;
    await page.evaluate(() => {
      Reflect.set(globalThis, 'heard', []);
      document.addEventListener('keydown', ({ key }) => Reflect.get(globalThis, 'heard').push(key));
    });
    await type(page, '*:* j');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, 'heard')), ['Tab']);
    // The editor takes its mark away after the event of the browser.
    await page.locator('.cm-focused').waitFor({ state: 'detached' });
    assertNoOffences(bar.offences);
  });

  it('breaks no rule of accessibility', async () => {
    for (const theme of ['dark', 'light'] as const) {
      await using bar = await openBar('en', theme);
      const { page } = bar;
      await type(page, 'howler.status:open AND howler.statsu:(a');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Alt+Enter');
      await page.locator('.q-problem').first().waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      await replaceAll(page, 'howler.');
      await page.getByRole('option').first().waitFor();
      assert.deepEqual(await accessibilityProblems(page), []);
      assertNoOffences(bar.offences);
    }
  });
});

function status(page: Page): Locator {
  return page.getByRole('status').first();
}

async function type(page: Page, words: string): Promise<void> {
  await page.locator('.cm-content').focus();
  await page.keyboard.type(words);
}

async function replaceAll(page: Page, words: string): Promise<void> {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(words);
}

/** Pastes as the browser does, without the clipboard of the machine. */
async function paste(page: Page, pasted: string): Promise<void> {
  await page.locator('.cm-content').evaluate((element, given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    (element as HTMLElement).focus();
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
}

function text(page: Page): Promise<string | null> {
  return page.getByTestId('text').textContent();
}

async function runs(page: Page): Promise<unknown> {
  return JSON.parse((await page.getByTestId('runs').textContent()) ?? '[]');
}

function expectText(page: Page, expected: string): Promise<void> {
  return until(page, 'text', expected);
}

/** Waits until an output holds a string; fails with what it holds. */
async function until(page: Page, id: string, expected: string): Promise<void> {
  const found = await page
    .waitForFunction(
      ([name, wanted]) => document.querySelector(`[data-testid=${name}]`)?.textContent === wanted,
      [id, expected] as const,
      { timeout: 20_000 },
    )
    .catch(() => undefined);
  if (found === undefined) assert.equal(await page.getByTestId(id).textContent(), expected);
}
