import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoOffences, programFixture, signIn, skip } from '../browser.ts';
import { XSS_STRINGS } from '../hostile/xss-strings.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

describe('the pages of files and of look-ups', { skip }, () => {
  const fixture = programFixture();

  it('submit a file, show its report, and download it packed', async () => {
    await using watched = await fixture.openSignedIn('/files');
    const { page, offences } = watched;
    const buffer = Buffer.from('hello from example.org');
    await page.locator('input[type=file]').setInputFiles({ name: 'a\u202Etxt.exe', mimeType: 'text/plain', buffer });
    await page.waitForURL(/\/files\/./);
    await page.getByText('Completed', { exact: true }).waitFor();
    await page.getByRole('treeitem').first().waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('tab', { name: /Files/ }).click();
    await page.getByRole('button', { name: 'Download' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CaRT/ }).click();
    assert.match((await download).suggestedFilename(), /^[0-9a-f]{64}\.cart$/);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: 'Download the original file' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.route(/\/file\/download\//, (route) =>
      route.fulfill({ status: 403, json: { api_error_message: 'Downloads end at noon.', api_status_code: 403 } }),
    );
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('menuitem', { name: /CaRT/ }).click();
    await page.getByRole('main').getByText('Downloads end at noon.').waitFor();
    await page.goto('/files?q=files.name%3Aa*');
    await page.getByText('1 submission', { exact: true }).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.goto('/files?q=files.name%3A%28');
    await page.getByRole('search').getByRole('status').filter({ hasText: /./ }).first().waitFor();
    assert.deepEqual(offences.violations, []);
    assert.deepEqual(offences.foreign, []);
  });

  it('keep sending files that were added while one was sent alone, also while another page is shown', async () => {
    await using watched = await fixture.openSignedIn('/files');
    const { page, offences } = watched;
    const input = page.locator('input[type=file]');
    const fileOf = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`text of ${name}`) });
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v4/submit/', async (route) => {
      await held.promise;
      await route.continue();
    });
    await input.setInputFiles(fileOf('alone.txt'));
    await page.getByText('Sending …').waitFor();
    await input.setInputFiles([fileOf('second.txt'), fileOf('third.txt'), fileOf('unwanted.txt')]);
    await page.getByRole('button', { name: 'Cancel unwanted.txt' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Cases' }).first().click();
    await page.waitForURL('**/cases');
    held.resolve();
    await page.getByRole('navigation').getByRole('link', { name: 'Files' }).first().click();
    const list = page.getByRole('list', { name: 'Uploads' });
    await list.getByText('Submitted').nth(2).waitFor();
    assert.equal(new URL(page.url()).pathname, '/files');
    assert.equal(await list.getByText('Cancelled', { exact: true }).count(), 1);
    await page.goto('/files?q=files.name%3A(alone.txt%20OR%20second.txt%20OR%20third.txt%20OR%20unwanted.txt)');
    await page.getByText('3 submissions', { exact: true }).waitFor();
    assertNoOffences(offences);
  });

  it('say why a file is refused', async () => {
    await using watched = await fixture.openSignedIn('/files', { language: 'fr', theme: 'light' });
    const { page } = watched;
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'empty', mimeType: 'text/plain', buffer: Buffer.of() });
    await page.getByText('Échec').waitFor();
    await page.getByRole('alert').waitFor();
    assert.equal(new URL(page.url()).pathname, '/files');
  });

  it('show 10,000 sections of a hostile result as strings', async () => {
    await using watched = await fixture.open();
    const { page, offences } = watched;
    const string = (index: number) => XSS_STRINGS[index % XSS_STRINGS.length] ?? '';
    const sections = Array.from({ length: 10_000 }, (_, index) => ({
      title_text: `${index} ${string(index)}`,
      depth: index % 5,
      body: index % 2 === 0 ? string(index) : [{ [string(index)]: string(index + 1) }],
      body_format: index % 2 === 0 ? 'TEXT' : 'TABLE',
      tags: [{ type: string(index), value: `${index} ${string(index + 2)}` }],
    }));
    const status = { sid: 'x', state: 'completed', results: ['k'], file_count: 1 };
    const result = { response: { service_name: string(3) }, result: { score: 1000, sections } };
    await page.route('**/api/v4/submission/x/', (route) => route.fulfill({ json: { api_response: status } }));
    await page.route('**/api/v4/submission/full/x/', (route) =>
      route.fulfill({
        json: { api_response: { ...status, params: { description: string(1) }, results: { k: result } } },
      }),
    );
    await signIn(page, '/files/x');
    const tree = page.getByRole('tree');
    await tree.waitFor();
    assert.ok((await page.getByRole('treeitem').count()) < 200);
    await page.getByRole('treeitem').nth(2).click();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    }
    await page.getByRole('tab', { name: /Tags/ }).click();
    await page.getByRole('grid').waitFor();
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '10001');
    assertNoOffences(offences);
  });

  it('find, mark and look up the values of a pasted text', async () => {
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page, offences } = watched;
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('textbox').fill(`Seen 192.0.2.7 and hxxps://login.example[.]org/a\n${XSS_STRINGS.join('\n')}`);
    await page.keyboard.press('Control+Enter');
    await page.locator('mark', { hasText: '192.0.2.7' }).waitFor();
    await page
      .getByText(/192\.0\.2\.0\/24/)
      .first()
      .waitFor();
    await page.keyboard.press('j');
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Edit the text' }).click();
    await page.getByRole('textbox').fill('nothing here');
    await page.keyboard.press('Control+Enter');
    await page.getByText('No value found').waitFor();
    assertNoOffences(offences);
  });

  it('look up 1 MB with 5,000 values', async () => {
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page, offences } = watched;
    const lines = Array.from({ length: 5_000 }, (_, index) => `host${index}.example.com ${'x'.repeat(190)}`);
    await page.getByRole('textbox').evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, lines.join('\n'));
    await page.getByText('5000 values found.', { exact: true }).waitFor();
    assert.ok((await page.getByRole('row').count()) < 300);
    assertNoOffences(offences);
  });
});
