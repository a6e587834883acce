import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createPlugin } from '../../../sdk/plugin/src/index.js';
import { type StartedPlugin, startPlugin } from '../../../sdk/plugin/src/testing.js';
import { encodedName, startScriptedNameServer } from '../../../src/testing/servers/scripted-name-server.ts';
import { until } from '../../../src/testing/until.ts';
import { storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const LOG = `2026-01-15T10:00:00Z firewall deny src=10.1.2.3 dst=45.83.64.1 dpt=443
2026-01-15T10:00:04Z proxy GET hxxps://login[.]quiet-harbour[.]net/index.php?u=1 200`;
const MAIL = `From: Accounts <billing@quiet-harbour.net>
To: ana@triad.internal
Subject: Invoice

See hXXp://cdn.quiet-harbour.net/invoice.zip`;
const SHA256 = createHash('sha256').update('dropper').digest('hex');
const REPORT = `The dropper (SHA-256 ${SHA256})
uses CVE-2024-3094 and T1059.001.
It beacons to quiet-harbour[.]net and 45.83.64[.]1.`;

describe('looking up', { skip }, () => {
  let vendor: StartedPlugin;
  let nameServer: Awaited<ReturnType<typeof startScriptedNameServer>>;
  /** Values that the source outside of the installation was asked for. */
  const sent: string[] = [];
  const fixture = programFixture(async () => {
    const plugin = createPlugin({
      name: 'vendor',
      classification: 'UNRESTRICTED',
      types: ['domain', 'ipv4'],
      lookup: (_type, value) => {
        sent.push(value);
        return {
          annotations: [
            { analytic: 'vendor', type: 'opinion', value: 'malicious', summary: `Seen: ${value}`, confidence: 1 },
          ],
        };
      },
    });
    vendor = await startPlugin(plugin);
    nameServer = await startScriptedNameServer((_name, type) =>
      type === 'PTR' ? [encodedName('host.quiet-harbour.net')] : [],
    );
    return {
      settings: {
        // Both would be asked by a request that names no source.
        'enrichment.external_sources': [{ name: 'vendor', url: vendor.url, include_default: true }],
        'enrichment.adapters': { dns: { servers: [nameServer.address], include_default: true } },
      },
    };
  });
  after(async () => {
    await vendor.close();
    await nameServer[Symbol.asyncDispose]();
  });

  const lookUp = async (page: Page, text: string) => {
    await page.getByRole('textbox').fill(text);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('grid', { name: 'Findings' }).waitFor();
  };

  const findings = (page: Page) => page.getByRole('grid', { name: 'Findings' });

  for (const [kind, text, values] of [
    ['log', LOG, ['10.1.2.3', '45.83.64.1', 'hxxps://login[.]quiet-harbour[.]net/index.php?u=1']],
    ['mail', MAIL, ['billing@quiet-harbour.net', 'hXXp://cdn.quiet-harbour.net/invoice.zip']],
    ['report', REPORT, [SHA256, 'CVE-2024-3094', 'T1059.001', 'quiet-harbour[.]net', '45.83.64[.]1']],
  ] as const) {
    it(`finds and marks the values of a ${kind}, and asks no one outside`, async () => {
      sent.length = 0;
      nameServer.asked.length = 0;
      await using watched = await fixture.openSignedIn('/enrichment');
      const { page, offences } = watched;
      await lookUp(page, text);
      // A value that is longer than a line of the pane has a mark in each.
      const marked = async () => (await page.locator('mark').allTextContents()).join('');
      for (const value of values) await until(value, async () => (await marked()).includes(value));
      await page.getByText('Asking sources …').waitFor({ state: 'detached' });
      assert.deepEqual([sent, nameServer.asked], [[], []]);
      assertNoOffences(offences);
    });
  }

  it('asks a source outside, and one that the target may notice, each by a click that names it', async () => {
    sent.length = 0;
    nameServer.asked.length = 0;
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page, offences } = watched;
    await lookUp(page, LOG);
    await page.getByRole('button', { name: 'Ask other sources' }).click();
    await page.getByRole('menuitem', { name: /^vendor/ }).click();
    const question = page.getByRole('alertdialog', { name: 'Ask vendor?' });
    const words = await question.textContent();
    assert.match(words ?? '', /vendor is outside of this installation\. (?:Value|\d+ values) sent:/);
    assert.doesNotMatch(words ?? '', /10\.1\.2\.3/, 'private addresses stay here');
    assert.deepEqual(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(sent.length, 0, 'a question that was cancelled asks no one');
    await page.getByRole('button', { name: 'Ask other sources' }).click();
    await page.getByRole('menuitem', { name: /^vendor/ }).click();
    await question.getByRole('button', { name: 'Ask vendor' }).click();
    await findings(page).getByText('Seen: 45.83.64.1').waitFor();
    await page.locator('mark[data-opinion=malicious]', { hasText: '45.83.64.1' }).waitFor();
    assert.ok(sent.includes('45.83.64.1') && !sent.includes('10.1.2.3'));
    assert.deepEqual(nameServer.asked, []);

    await page.getByRole('button', { name: 'Ask other sources' }).click();
    await page.getByRole('menuitem', { name: /^dns/ }).click();
    const warning = page.getByRole('alertdialog', { name: 'Ask dns?' });
    assert.match((await warning.textContent()) ?? '', /contacts the target/);
    await until('the focus is on Cancel', () =>
      warning.getByRole('button', { name: 'Cancel' }).evaluate((element) => element === document.activeElement),
    );
    await warning.getByRole('button', { name: 'Ask dns' }).click();
    await until('the name server was asked', () => nameServer.asked.length > 0);
    const asked = sent.length;
    await findings(page).getByText('dns', { exact: true }).first().waitFor();
    assert.equal(sent.length, asked, 'the other source is not asked again');

    await page.getByRole('combobox', { name: 'Source' }).click();
    await page.getByRole('option', { name: 'vendor' }).click();
    await findings(page).getByText('dns', { exact: true }).first().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Opinion' }).click();
    await page.getByRole('option', { name: 'Benign' }).click();
    await page.getByText('No finding matches the filters.').waitFor();
    assertNoOffences(offences);
  });

  it('shows 300 indicators, the worst opinion first', async () => {
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page, offences } = watched;
    const lines = Array.from({ length: 300 }, (_, index) => `${index} host-${index}.quiet-harbour.net seen`);
    await lookUp(page, lines.join('\n'));
    await page.getByText('300 values found.').waitFor();
    await page.getByText('Asking sources …').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Ask other sources' }).click();
    await page.getByRole('menuitem', { name: /^vendor/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ask vendor' }).click();
    await page.locator('mark[data-opinion=malicious]').first().waitFor();
    await until('all were asked', () => new Set(sent.filter((value) => value.startsWith('host-'))).size === 300);
    await findings(page).getByRole('row').nth(1).getByRole('gridcell').first().getByText('Malicious').waitFor();
    assertNoOffences(offences);
  });

  it('opens the same annotations from a value of an alert, and asks outside by a click alone', async () => {
    sent.length = 0;
    nameServer.asked.length = 0;
    const alert = { 'howler.analytic': 'Look up', 'destination.ip': '45.83.65.9', 'source.ip': '10.1.2.3' };
    const [id] = await storeAlerts(fixture.program, [alert]);
    await using watched = await fixture.openSignedIn(`/alerts/${id}`, { theme: 'light' });
    const { page, offences } = watched;
    await page.getByRole('tab', { name: 'Fields' }).click();
    await page
      .getByRole('button', { name: /45\.83\.65\.9/ })
      .first()
      .focus();
    await page.keyboard.press('i');
    const dialog = page.getByRole('dialog', { name: 'Known about this value' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Ask other sources' }).waitFor();
    await dialog.getByText('alerts', { exact: true }).first().waitFor();
    assert.deepEqual([sent, nameServer.asked], [[], []]);
    await dialog.getByRole('button', { name: 'Ask other sources' }).click();
    await page.getByRole('menuitem', { name: /^vendor/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ask vendor' }).click();
    await dialog.getByText('Seen: 45.83.65.9').waitFor();
    await dialog.getByText('Malicious').waitFor();
    assert.deepEqual(sent, ['45.83.65.9']);
    assert.deepEqual(nameServer.asked, []);
    assert.deepEqual(await accessibilityProblems(page), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /10\.1\.2\.3/ })
      .first()
      .focus();
    await page.keyboard.press('i');
    await dialog.getByRole('button', { name: 'Ask other sources' }).click();
    assert.equal(await page.getByRole('menuitem', { name: /^vendor/ }).getAttribute('aria-disabled'), 'true');
    assertNoOffences(offences);
  });

  it('keeps what was typed over a reload, and shows hostile input as text', async () => {
    await using watched = await fixture.openSignedIn('/enrichment');
    const { page, offences } = watched;
    const text = `<img src=x onerror="document.title='run'">{{constructor}} javascript:alert(1)
\u202eevil\u202c \u200b<svg onload=alert(2)> 45.83.64.1`;
    await page.getByRole('textbox').fill(text);
    await page.reload();
    assert.equal(await page.getByRole('textbox').inputValue(), text);
    await page.getByRole('textbox').focus();
    await page.keyboard.press('Control+Enter');
    await page.locator('mark', { hasText: '45.83.64.1' }).waitFor();
    const marked = page.getByRole('grid', { name: 'Text with marked values' });
    assert.match((await marked.textContent()) ?? '', /<img src=x onerror=/);
    assert.equal(await marked.locator('img, svg[onload], script, a').count(), 0);
    assert.doesNotMatch((await marked.textContent()) ?? '', /[\u202e\u200b]/, 'invisible characters have marks');
    assert.notEqual(await page.title(), 'run');
    await page.getByRole('button', { name: 'Edit the text' }).click();
    await page.getByRole('textbox').fill('');
    await page.reload();
    assert.equal(await page.getByRole('textbox').inputValue(), '');
    assertNoOffences(offences);
  });
});
