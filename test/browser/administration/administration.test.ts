import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const SECTIONS = ['health', 'users', 'jobs', 'queues', 'indices', 'migrations', 'settings', 'lock-outs', 'audit'];
const SECRET = 'a-secret-of-this-installation';

describe('the pages of administrators', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-audit-'));
  const fixture = programFixture({
    auditBySettings: true,
    settings: {
      'alerts.emit_secret': SECRET,
      'datastore.ilm.enabled': true,
      components: ['http', 'sockets', 'workers', 'jobs'],
      'audit.to': 'file',
      'audit.file': join(folder, 'audit.jsonl'),
    },
  });
  after(() => rmSync(folder, { recursive: true }));

  const row = (page: Page, words: string | RegExp) => page.getByRole('row').filter({ hasText: words });

  for (const [theme, language] of [
    ['dark', 'en'],
    ['light', 'fr'],
  ] as const) {
    it(`open by their tabs and keys, accessible (${theme}, ${language})`, async () => {
      await using watched = await fixture.openSignedIn('/administration', { theme, language });
      const { page, offences } = watched;
      for (const section of SECTIONS) {
        await page.waitForURL(`**/administration/${section}`);
        await page.getByRole('tabpanel').locator('button, table').first().waitFor();
        await page.waitForLoadState('networkidle');
        assert.deepEqual(await accessibilityProblems(page, '#content'), [], section);
        await page.keyboard.press(']');
      }
      assertNoOffences(offences);
    });
  }

  it('show no person but administrators anything, and the API refuses them', async () => {
    await using watched = await fixture.open();
    const { page, offences } = watched;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await signIn(page, '/', { user: 'user' });
    assert.equal(await page.getByRole('link', { name: 'Administration' }).count(), 0);
    for (const section of SECTIONS) {
      await page.goto(`/administration/${section}`);
      await page.getByText('Your account does not have the user type admin.').waitFor();
    }
    assert.deepEqual(
      asked.filter((url) => url.includes('/services/operations')),
      [],
    );
    const statuses = await page.evaluate(
      (paths) => Promise.all(paths.map(async (path) => (await fetch(`/services/operations/v1/${path}`)).status)),
      ['health', 'users', 'jobs', 'queues', 'indices', 'migrations', 'settings', 'lock-outs', 'audit'],
    );
    assert.deepEqual(new Set(statuses), new Set([403]));
    assertNoOffences(offences, REFUSED_REQUESTS);
  });

  it('run a job now, and begin a generation of an index', async () => {
    await using watched = await fixture.openSignedIn('/administration/jobs');
    const { page, offences } = watched;
    const button = page
      .getByRole('button', { name: /^Run now: / })
      .and(page.locator(':enabled'))
      .first();
    const name = ((await button.getAttribute('aria-label')) ?? '').replace('Run now: ', '');
    await button.click();
    await row(page, name).getByText('done', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Indices' }).click();
    const begin = page.getByRole('button', { name: /^Roll over .+/ }).first();
    const collection = ((await begin.getAttribute('aria-label')) ?? '').replace('Roll over ', '');
    await begin.waitFor();
    const rows = await page.getByRole('row').count();
    await begin.click();
    await page.getByRole('alertdialog').getByText(collection).waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Roll over' }).click();
    await until('the index of the new generation is listed', async () => (await page.getByRole('row').count()) > rows);
    assertNoOffences(offences);
  });

  it('lift a lock-out', async () => {
    const attempt = (password: string) =>
      fixture.program.request('/api/v1/auth/login', { method: 'POST', json: { user: 'user', password } });
    for (let count = 0; count < 5; count += 1) await attempt('wrong');
    assert.equal((await attempt('user')).status, 401);
    await using watched = await fixture.openSignedIn('/administration/lock-outs', { theme: 'light', language: 'fr' });
    const { page, offences } = watched;
    await row(page, /Bloqué/)
      .getByText('user', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Lever le blocage de user' }).first().click();
    await row(page, /Bloqué/).waitFor({ state: 'detached' });
    assert.equal((await attempt('user')).status, 200);
    assertNoOffences(offences);
  });

  it('find security events by time, user and kind', async () => {
    await fixture.program.request('/api/v1/auth/login', { method: 'POST', json: { user: 'huey', password: 'wrong' } });
    await using watched = await fixture.openSignedIn('/administration/audit');
    const { page, offences } = watched;
    await row(page, 'huey').getByText('login_failed').waitFor();
    await page.getByLabel('User', { exact: true }).fill('huey');
    await page.keyboard.press('Enter');
    await row(page, 'admin').first().waitFor({ state: 'detached' });
    await row(page, 'huey').getByText('login_failed').waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).fill('login_succeeded');
    await page.getByRole('option', { name: /^login_succeeded/ }).click();
    await row(page, 'huey').waitFor({ state: 'detached' });
    await page.goto('/administration/audit?q=huey&time=1h');
    await row(page, 'huey').getByText('login_failed').waitFor();
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.getByRole('button', { name: 'Yesterday' }).click();
    await row(page, 'huey').waitFor({ state: 'detached' });
    assertNoOffences(offences);
  });

  it('show settings with where they come from, and of secrets only that they are set', async () => {
    await using watched = await fixture.openSignedIn('/administration/settings');
    const { page, offences } = watched;
    await row(page, 'alerts.emit_secret').getByText('set', { exact: true }).waitFor();
    await row(page, 'auth.internal.max_failures_per_user').getByText('default').waitFor();
    await page.getByRole('checkbox', { name: 'Only changed settings' }).click();
    await row(page, 'auth.internal.max_failures_per_user').waitFor({ state: 'detached' });
    await row(page, 'alerts.emit_secret').waitFor();
    assert.ok(!(await page.content()).includes(SECRET));
    await page.getByRole('textbox', { name: 'Search' }).fill('EMIT_');
    await page.waitForURL(/[?&]q=EMIT_/);
    await page.goto('/administration/settings?q=max_failures_per_user');
    await row(page, 'auth.internal.max_failures_per_user').waitFor();
    assert.equal(await row(page, 'alerts.emit_secret').count(), 0);
    assertNoOffences(offences);
  });
});
