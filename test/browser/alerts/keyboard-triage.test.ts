import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import { until } from '../../../src/testing/until.ts';
import { builtInterface, launchBrowser, openContext, skip } from '../browser.ts';

const ADMIN = 'admin:devkey:admin';
const COUNT = 10;

const WORDS = {
  en: {
    alerts: 'Alerts',
    alert: 'Alert',
    assess: /^Assess /,
    undone: 'Undone.',
    assessed: 'Assessed: False positive.',
  },
  fr: {
    alerts: 'Alertes',
    alert: 'Alerte',
    assess: /^Évaluer /,
    undone: 'Annulé.',
    assessed: 'Évaluée : Faux positif.',
  },
} as const;

describe('with the mouse unplugged', { skip }, () => {
  let browser: Browser;
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({ settings: { 'web.ui_folder': builtInterface() } });
    browser = await launchBrowser();
  });
  after(() => Promise.all([browser.close(), program.close()]));

  async function createAlerts(analytic: string): Promise<void> {
    const alerts = Array.from({ length: COUNT * 2 }, (_, index) => ({
      'howler.analytic': index < COUNT ? analytic : `Not ${analytic}`,
      'event.created': new Date(Date.now() - index * 60_000).toISOString(),
      'howler.outline.summary': `Alert ${index}`,
    }));
    const path = '/api/v1/hit?refresh=true';
    const { status, text } = await program.request(path, { method: 'POST', basic: ADMIN, json: alerts });
    assert.equal(status, 201, text);
  }

  async function countOf(query: string): Promise<number> {
    const options = { method: 'POST', basic: ADMIN, json: { query } };
    return (await program.request('/api/v1/search/count/hit', options)).json.api_response.count;
  }

  for (const [language, theme] of [
    ['en', 'light'],
    ['fr', 'dark'],
  ] as const) {
    it(`ten alerts are found and triaged, and the last is undone (${language}, ${theme})`, async () => {
      const analytic = `Unplugged ${language}`;
      await createAlerts(analytic);
      const words = WORDS[language];
      await using watched = await openContext(browser, { baseURL: program.urls.web, language, theme });
      const { page, offences } = watched;
      const { keyboard } = page;
      await page.goto('/');
      // The first field has the focus.
      await page.locator('input:focus').waitFor();
      await keyboard.type('admin');
      await keyboard.press('Tab');
      await keyboard.type('admin');
      await keyboard.press('Enter');
      await page.getByRole('navigation').first().waitFor();
      await keyboard.press('g');
      await keyboard.press('a');
      await page.getByRole('heading', { level: 1, name: words.alerts }).waitFor();
      await page
        .getByRole('row')
        .nth(COUNT + 1)
        .waitFor();
      await keyboard.press('/');
      await page.locator('.cm-focused').waitFor();
      await keyboard.type(`howler.analytic:"${analytic}"`);
      await keyboard.press('Escape');
      await keyboard.press('Enter');
      await page
        .getByRole('grid', { name: words.alerts })
        .and(page.locator(`[aria-rowcount="${COUNT + 1}"]`))
        .waitFor();
      await keyboard.press('Escape');
      await page.locator('.cm-focused').waitFor({ state: 'detached' });
      await keyboard.press('j');
      await keyboard.press('Enter');
      const pane = page.getByRole('region', { name: words.alert, exact: true });
      for (let index = 0; index < COUNT; index += 1) {
        await pane.getByText(`Alert ${index}`, { exact: true }).waitFor();
        await keyboard.press(index === COUNT - 1 ? 'a' : 'n');
        const dialog = page.getByRole('dialog', { name: words.assess });
        await dialog.waitFor();
        await keyboard.press('f');
        await keyboard.type('Seen before');
        await keyboard.press('Enter');
        await dialog.waitFor({ state: 'detached' });
      }
      const verdicts = `howler.analytic:"${analytic}" AND howler.assessment:false-positive`;
      await until('ten verdicts are stored', async () => (await countOf(verdicts)) === COUNT);
      await page.getByText(words.assessed).first().waitFor();
      await keyboard.press('u');
      await page.getByText(words.undone).waitFor();
      assert.equal(await countOf(verdicts), COUNT - 1);
      assert.equal(await countOf('howler.analytic:"Not Unplugged" AND howler.status:resolved'), 0);
      assert.deepEqual(offences, { violations: [], foreign: [], errors: [] });
    });
  }
});
