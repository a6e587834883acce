import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../src/testing/until.ts';
import { data } from '../../../ui/src/i18n/en/data.ts';
import { assertNoOffences, programFixture, skip } from '../browser.ts';

const ADMIN = 'admin:devkey:admin';
/** In another order than that of the letters. */
const OWN = [
  ...(['legitimate', 'recon', 'trivial', 'compromise', 'ambiguous'] as const),
  ...(['attempt', 'security', 'mitigated', 'development'] as const),
];

describe('keys of one character', { skip }, () => {
  const fixture = programFixture();
  const ids = new Map<string, string>();

  async function send(method: string, path: string, json?: unknown) {
    const { status, text, json: answer } = await fixture.program.request(path, { method, basic: ADMIN, json });
    assert.ok(status < 300, text);
    return answer.api_response;
  }

  before(async () => {
    const names = ['Nine', 'Two'];
    const alerts = names.map((name) => ({ 'howler.analytic': name, 'source.ip': '203.0.113.7' }));
    const { valid } = await send('POST', '/api/v1/hit?refresh=true', alerts);
    for (const { howler } of valid) ids.set(howler.analytic, howler.id);
    const analytics: { name: string; analytic_id: string }[] = await send('GET', '/api/v1/analytic/');
    for (const { name, analytic_id: id } of analytics) {
      const valid_assessments = name === 'Nine' ? OWN : OWN.slice(0, 2);
      const triage_settings = { valid_assessments, skip_rationale: false, rationales: [], dossiers: [] };
      await send('PUT', `/api/v1/analytic/${id}`, { triage_settings });
    }
  });

  const open = (analytic: string, tab = 'overview') => fixture.openSignedIn(`/alerts/${ids.get(analytic)}?tab=${tab}`);
  const assessing = (page: Page) => page.getByRole('dialog', { name: /^Assess / });
  const lookingUp = (page: Page) => page.getByRole('dialog', { name: 'Known about this value' });
  const focusValue = (page: Page) =>
    page
      .getByRole('button', { name: /203\.0\.113\.7/ })
      .first()
      .focus();

  /** Waits for the alert and for its analytic, which says what the numbers mean. */
  async function settled(page: Page): Promise<void> {
    await page.getByRole('tabpanel').first().waitFor();
    await page.waitForLoadState('networkidle');
  }

  async function assertAlive(page: Page): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 1, 'nothing but the palette is open');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('choose the assessments of the analytic by their number', async () => {
    await using watched = await open('Nine');
    const { page, offences } = watched;
    await settled(page);
    for (const [index, assessment] of OWN.entries()) {
      await page.keyboard.press(String(index + 1));
      const dialog = assessing(page);
      await dialog.getByRole('button', { name: data.assessment[assessment], pressed: true }).waitFor();
      // A dialog that is being opened hears no keys yet.
      await until('the dialog is closed', async () => {
        await page.keyboard.press('Escape');
        await page.waitForTimeout(200);
        return (await dialog.count()) === 0;
      });
    }
    assertNoOffences(offences);
  });

  it('do nothing for a number that the analytic does not have', async () => {
    await using watched = await open('Two');
    const { page } = watched;
    await settled(page);
    await page.keyboard.press('3');
    await page.keyboard.press('9');
    await assertAlive(page);
    await page.keyboard.press('2');
    await assessing(page).getByRole('button', { name: data.assessment.recon, pressed: true }).waitFor();
  });

  it('show what is known about the value in focus', async () => {
    await using watched = await open('Nine', 'fields');
    const { page } = watched;
    await focusValue(page);
    await page.keyboard.press('i');
    await lookingUp(page).getByText('203.0.113.7').first().waitFor();
  });

  it('are letters and digits in a field', async () => {
    await using watched = await open('Nine', 'fields');
    const { page } = watched;
    const search = page.getByRole('tabpanel', { name: 'Fields' }).getByLabel('Search fields and values');
    await search.pressSequentially('1i29');
    assert.equal(await search.inputValue(), '1i29');
    await assertAlive(page);
    await page.goto('/alerts');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.type('1i9');
    await page.locator('.cm-content', { hasText: '1i9' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('do nothing where they are switched off, and come back', async () => {
    await using watched = await fixture.openSignedIn('/settings?tab=preferences');
    const { page } = watched;
    const set = async (isOn: boolean) => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
      await page.getByRole('switch', { name: 'Single keys' }).click();
      await page.getByRole('switch', { name: 'Single keys', checked: isOn }).waitFor();
      await saved;
      await page.goto(`/alerts/${ids.get('Nine')}?tab=fields`);
      await settled(page);
      await focusValue(page);
    };
    await set(false);
    for (const key of ['1', '9', 'i']) await page.keyboard.press(key);
    await assertAlive(page);
    await page.goto('/settings?tab=preferences');
    await set(true);
    await page.keyboard.press('1');
    await assessing(page).getByRole('button', { name: data.assessment.legitimate, pressed: true }).waitFor();
    await page.keyboard.press('Escape');
    await assessing(page).waitFor({ state: 'detached' });
    await focusValue(page);
    await page.keyboard.press('i');
    await lookingUp(page).waitFor();
  });
});
