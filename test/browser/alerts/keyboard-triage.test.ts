import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../src/testing/until.ts';
import { alertsOf, countAlerts, storeAlerts } from '../alert-data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

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
  const fixture = programFixture();

  for (const [language, theme] of [
    ['en', 'light'],
    ['fr', 'dark'],
  ] as const) {
    it(`ten alerts are found and triaged, and the last is undone (${language}, ${theme})`, async () => {
      const analytic = `Unplugged ${language}`;
      await storeAlerts(fixture.program, [...alertsOf(analytic, COUNT), ...alertsOf(`Not ${analytic}`, COUNT)]);
      const words = WORDS[language];
      await using watched = await fixture.open({ language, theme });
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
      await until('ten verdicts are stored', async () => (await countAlerts(fixture.program, verdicts)) === COUNT);
      await page.getByText(words.assessed).first().waitFor();
      await keyboard.press('u');
      await page.getByText(words.undone).waitFor();
      assert.equal(await countAlerts(fixture.program, verdicts), COUNT - 1);
      assert.equal(await countAlerts(fixture.program, 'howler.analytic:"Not Unplugged" AND howler.status:resolved'), 0);
      assertNoOffences(offences);
    });
  }
});
