import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { alertsOf, countAlerts, listOf, sendJson, storeAlerts, storedAlert } from '../alert-data.ts';
import { assertNoOffences, programFixture, REFUSED_REQUESTS, signIn, skip } from '../browser.ts';
import { accessibilityProblems } from '../pages/accessibility-check.ts';

const COLLEAGUE = 'user:devkey:user';
/** More rows than a list reads at first, so that it cannot know all that match. */
const MANY = 320;

describe('a change of several alerts', { skip }, () => {
  const fixture = programFixture();
  const grid = (page: Page, count: number) => page.locator(`[role=grid][aria-rowcount="${count + 1}"]`);
  const count = (analytic: string, query: string) =>
    countAlerts(fixture.program, `howler.analytic:"${analytic}" AND ${query}`);

  async function openSelected(page: Page, analytic: string, total: number): Promise<void> {
    await signIn(page, listOf(analytic));
    await grid(page, total).waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText(`${total} selected`).waitFor();
  }

  /** Holds back the requests of a path until the returned function is called. */
  async function hold(page: Page, path: string | RegExp): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(path, async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  it('is about the rows in sight while another search is read', async () => {
    await storeAlerts(fixture.program, alertsOf('In sight', 3));
    await storeAlerts(fixture.program, alertsOf('Asked for', 200));
    await using watched = await fixture.openSignedIn(listOf('In sight'));
    const { page, offences } = watched;
    await grid(page, 3).waitFor();
    const release = await hold(page, '**/api/v2/search/hit');
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('howler.analytic:"Asked for"');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator('.cm-focused').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+a');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('s');
    await page.getByText('3 alerts are yours.').first().waitFor();
    release();
    await grid(page, 200).waitFor();
    assert.equal(await count('In sight', 'howler.assignment:admin'), 3);
    assert.equal(await count('Asked for', 'howler.assignment:admin'), 0);
    assertNoOffences(offences);
  });

  it('leaves out alerts that match since the rows were read, where all rows are known', async () => {
    await storeAlerts(fixture.program, alertsOf('Known', 3));
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openSelected(page, 'Known', 3);
    await storeAlerts(fixture.program, alertsOf('Known', 2));
    await page.keyboard.press('s');
    await page.getByText('3 alerts are yours.').first().waitFor();
    assert.equal(await count('Known', 'howler.assignment:admin'), 3);
    assertNoOffences(offences);
  });

  it('names how many match by now, and asks before it changes more than were shown', async () => {
    await storeAlerts(fixture.program, alertsOf('Grown', MANY));
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openSelected(page, 'Grown', MANY);
    await storeAlerts(fixture.program, alertsOf('Grown', 12));
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: `Assess ${MANY + 12} alerts` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('s');
    const question = page.getByRole('alertdialog', { name: `Change ${MANY + 12} alerts?` });
    await question.getByText(`12 more alerts match the search than the ${MANY} that were shown.`).waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await count('Grown', 'howler.assignment:admin'), 0);
    await page.keyboard.press('s');
    await question.getByRole('button', { name: `Change all ${MANY + 12}` }).click();
    await page
      .getByText(`${MANY + 12} alerts are yours.`)
      .first()
      .waitFor();
    assert.equal(await count('Grown', 'howler.assignment:admin'), MANY + 12);
    assertNoOffences(offences);
  });

  it('has its own progress and cancel while another one runs, and ends for itself', async () => {
    const labelled = await storeAlerts(fixture.program, alertsOf('Held', 250));
    await storeAlerts(fixture.program, alertsOf('Quick', 60));
    await using watched = await fixture.open();
    const { page, offences } = watched;
    await openSelected(page, 'Held', 250);
    const release = await hold(page, '**/api/v1/action/execute');
    await page.keyboard.press('s');
    const bulks = page.getByRole('region', { name: 'Changes of several alerts' });
    const first = bulks.getByRole('group', { name: 'Take: 250 alerts' });
    await first.getByText('0 of 250').waitFor();
    await page.keyboard.press('/');
    await page.locator('.cm-focused').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('howler.analytic:"Quick"');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await grid(page, 60).waitFor();
    for (let index = 0; index < 3; index += 1) {
      await page
        .getByRole('row')
        .nth(index + 1)
        .getByRole('checkbox')
        .check();
    }
    await page.keyboard.press('s');
    await page.getByText('3 alerts are yours.').first().waitFor();
    assert.equal(await count('Quick', 'howler.assignment:admin'), 3);
    await first.getByRole('button', { name: 'Cancel' }).click();
    await first.getByText('Cancelling').waitFor();
    release();
    await bulks.getByText('100 of 250 done.').waitFor();
    await bulks.getByText('150 not processed.').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    assert.equal(await count('Held', 'howler.assignment:admin'), 100);
    assert.equal(labelled.length, 250);
    assertNoOffences(offences);
  });

  it('lists what failed, leads to it without a reload, and is tried again or undone from there', async () => {
    const ids = await storeAlerts(fixture.program, alertsOf('Report', 60));
    await using watched = await fixture.open({ theme: 'light' });
    const { page, context, offences } = watched;
    await context.routeWebSocket(/socket/, (socket) => void socket.close());
    await openSelected(page, 'Report', 60);
    const json = { transition: 'assign_to_other', data: { assignee: 'user' } };
    await sendJson(fixture.program, `/api/v1/hit/${ids[7]}/transition`, json, { basic: COLLEAGUE });
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Assess 60 alerts' }).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('All of them');
    await page.keyboard.press('Enter');
    await page.getByText('59 of 60 done. 1 failed.').waitFor();
    await page.evaluate(() => Reflect.set(globalThis, 'isSamePage', true));
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const report = page.getByRole('dialog', { name: '1 alert was not changed' });
    await report.getByText('Someone changed it meanwhile. It is now: Open · Hit · user.').waitFor();
    await report.getByRole('link', { name: 'Open' }).click();
    await page.waitForURL(`**/alerts/${ids[7]}`);
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage')), true);
    // The address changes first; the alert takes keys once it is there.
    await page.getByRole('tabpanel', { name: 'Overview' }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    assert.equal(await count('Report', 'howler.status:open'), 60);
    await page.getByRole('button', { name: 'Try it again' }).click();
    const again = page.getByRole('dialog', { name: 'Assess the alert' });
    assert.equal(await again.getByRole('textbox', { name: 'Reason' }).inputValue(), 'All of them');
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await page.getByText('Assessed: Reconnaissance.').first().waitFor();
    const { assessment, rationale } = await storedAlert(fixture.program, ids[7] ?? '');
    assert.deepEqual([assessment, rationale], ['recon', 'All of them']);
    assertNoOffences(offences, REFUSED_REQUESTS);
  });
});
